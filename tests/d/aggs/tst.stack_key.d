#pragma D option quiet

BEGIN
{
	@[stack(), ustack(2)] = count();
	exit(0);
}
