#pragma D option quiet
#pragma D option destructive

BEGIN
{
	printf("before\n");
	system("echo %s %d", "shell", 3);
	chill(1000);
	freopen("/dev/null");
	printf("hidden\n");
	freopen("");
	printf("after\n");
	ftruncate();
	exit(0);
}
