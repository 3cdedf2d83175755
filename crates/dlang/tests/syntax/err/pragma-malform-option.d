#pragma D option nspec=2 * 3
