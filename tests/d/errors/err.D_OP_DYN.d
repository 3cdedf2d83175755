BEGIN
{
	x = sym(0)->a;
}
