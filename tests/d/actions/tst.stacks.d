#pragma D option quiet


BEGIN
{
	stack();
	stack(3);
	ustack();
	ustack(3, 64);
	jstack();
	callstack();
	printf("done\n");
	exit(0);
}
