/* A key of printa() that its conversion does not show (issue 23). */
BEGIN
{
	@a[execname, pid] = count();
	printa("%d %d %@d\n", @a);
}
