BEGIN
{
	printf("%d");
}
