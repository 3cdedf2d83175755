BEGIN
{
	ustack("a");
}
