BEGIN
{
	clear();
}
