/* Without dx the names of the extensions are a program's own. */
#pragma D option quiet

BEGIN
{
	len = 3;
	delete = 4;
	strftime[1] = 5;
	has_key = len + delete;
	printf("%d %d\n", has_key, strftime[1]);
	exit(0);
}
