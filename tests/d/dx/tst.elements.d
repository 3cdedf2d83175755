/* has_key(), delete() and len() of global and thread-local arrays. */
#pragma D option dx
#pragma D option quiet

BEGIN
{
	a[1, "x"] = 10;
	a[2, "y"] = 20;
	self->b["k"] = "v";
	self->start = 5;
	printf("%d %d %d\n", has_key(a[1, "x"]), has_key(a, 1, "y"), has_key(self->b["k"]));
	printf("%d %d\n", len(a), len(self->b));
	printf("%d %d %d\n", delete(a[1, "x"]), delete(a[1, "x"]), len(a));
	printf("%d ", has_key(self->start));
	printf("%d ", delete(self->start));
	printf("%d %d\n", has_key(self->start), self->start);
	a[2, "y"] = 0;
	printf("%d\n", len(a));
	for (int i = 0; i < 50; i++)
		c[i] = i;
	printf("%d\n", len(c));
	exit(0);
}
