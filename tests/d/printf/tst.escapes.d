/* Characters that %S and %C show as escapes. */
#pragma D option quiet

BEGIN
{
	printf("[%S]\n", "a\a\b\t\n\v\f\r\"\\z");
	printf("[%8.3S] [%-6S]\n", "\t\tq", "\n");
	printf("[%C%C%C%C%C%C%C]\n", '\a', '\b', '\v', '\f', '\r', '\\', 'x');
	printf("[%s]\n", "plain \"text\"");
	exit(0);
}
