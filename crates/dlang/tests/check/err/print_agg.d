BEGIN
{
	@ = count();
	print(@);
}
