#pragma D option nonsense
