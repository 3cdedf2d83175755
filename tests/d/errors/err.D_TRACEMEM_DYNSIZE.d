BEGIN
{
	tracemem(0, 1, "a");
}
