BEGIN
{
	@a = sum("a");
}
