BEGIN
{
	strleng("a");
}
