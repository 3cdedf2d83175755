BEGIN
{
	freopen("", 1);
}
