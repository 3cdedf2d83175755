BEGIN
{
	@a = strlen("a");
}
