BEGIN
{
	ustack(1, "a");
}
