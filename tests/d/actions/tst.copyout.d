/* Memory of a process cannot be written. */
#pragma D option quiet
#pragma D option destructive

BEGIN
{
	this->p = (char *)alloca(8);
	copyout(this->p, 0x1234, 8);
}

BEGIN
{
	copyoutstr("text", 0x5678, 5);
}

ERROR
{
	printf("fault %d at %x\n", arg4, arg5);
}

BEGIN
{
	exit(0);
}
