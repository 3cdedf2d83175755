BEGIN
{
	self->id = speculation();
}

tick-1s
/self->id/
{
	speculate(self->id);
	printf("%d %s %-10s|%5.2d", pid, execname, probename, 3);
}

END
{
	commit(self->id);
	self->id = 0;
}
