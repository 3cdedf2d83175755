struct s {
	int a;
} v;
BEGIN
{
	tracemem(v, 8);
}
