struct s {
	int a;
};
translator struct s < int i > {
	a = i;
};
BEGIN
{
	xlate < struct s * > (1);
}
