#pragma D option quiet

BEGIN
{
	@a[(char)1, (short)2, 3, (long long)4, "five"] = count();
	@a[(char)-1, (short)-2, -3, (long long)-4, "a rather long key that is longer than its column is"] = count();
	exit(0);
}
