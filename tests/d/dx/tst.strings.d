/* strcontains() and strftime(). */
#pragma D option dx
#pragma D option quiet
#pragma D option strsize=24

BEGIN
{
	printf("%d %d %d\n", strcontains("abc", "bc"), strcontains("abc", "x"), strcontains("abc", ""));
	printf("%s\n", strftime("%a %d %b %Y %T", 0));
	printf("%s\n", strftime("%H:%M:%S.%3f %%", 86399999999999));
	printf("%s\n", strftime("%A %A %A %A %A", 0));
	printf("%s\n", strftime("%j %e %-d", -1));
	exit(0);
}
