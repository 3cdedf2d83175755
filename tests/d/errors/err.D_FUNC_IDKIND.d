int f;
BEGIN
{
	f(1);
}
