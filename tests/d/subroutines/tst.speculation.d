#pragma D option quiet
#pragma D option nspec=2

BEGIN
{
	a = speculation();
	b = speculation();
	c = speculation();
	printf("%d %d %d\n", a != 0, b != 0 && b != a, c);
}
BEGIN { speculate(a); printf("kept\n"); }
BEGIN { speculate(b); printf("dropped\n"); }
BEGIN { commit(a); }
BEGIN { discard(b); }
BEGIN { d = speculation(); }
BEGIN { printf("%d\n", d != 0); exit(0); }
