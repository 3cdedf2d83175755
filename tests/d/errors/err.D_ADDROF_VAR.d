int a;
BEGIN
{
	trace(&a);
}
