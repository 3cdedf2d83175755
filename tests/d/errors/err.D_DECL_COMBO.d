BEGIN
{
	x = (int char)1;
}
