struct big {
	char a[70000];
	int n;
};
translator struct big < int i > {
	n = i;
};
BEGIN
{
	print(xlate < struct big > (1));
}
