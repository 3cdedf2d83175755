#pragma D option quiet

BEGIN
{
	printf("%s %s %s %s %d %d\n", probeprov, probemod, probefunc, probename, id, epid);
	printf("%d %d %d\n", pid > 0, timestamp > 0, walltimestamp > timestamp);
	printf("%d %d %d\n", $pid == pid, cpu == 0, strlen(execname) > 0);
	exit(0);
}
