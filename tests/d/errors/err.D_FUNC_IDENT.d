BEGIN
{
	(1)();
}
