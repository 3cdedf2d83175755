BEGIN
{
	printa("a");
}
