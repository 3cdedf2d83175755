#pragma D option quiet


BEGIN
{
	a = speculation();
	b = speculation();
	exit(0);
}
