BEGIN
{
	setopt("quiet");
	printf("still counted\n");
	setopt("quiet", "no");
	exit(0);
}
