BEGIN
{
	@ = count();
	trace(@);
}
