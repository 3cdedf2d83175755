BEGIN
{
	trace("a
b");
}
