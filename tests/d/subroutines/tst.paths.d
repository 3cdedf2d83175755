#pragma D option quiet

BEGIN
{
	printf("%s %s %s\n", basename("/usr/bin/ls"), basename("ls"), basename("/usr/"));
	printf("%s %s %s\n", dirname("/usr/bin/ls"), dirname("ls"), dirname("/usr/"));
	printf("%s %s\n", cleanpath("/a/b/../c/./d//e"), cleanpath("x/./y"));
	exit(0);
}
