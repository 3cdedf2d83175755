#pragma D option flowindent

END
{
}

BEGIN
{
	exit(0);
}
