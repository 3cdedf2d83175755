#pragma D option quiet


int g;
int list[4];
self int t;
this string s;

BEGIN
{
	g = 1;
	list[2] = 5;
	self->t = 7;
	this->s = "local";
	a["k", 1] = 3;
	self->b["j"] = 4;
	printf("%d %d %d %s %d %d %d\n", g, list[2], self->t, this->s, a["k", 1], self->b["j"], a["none", 0]);
	a["k", 1] = 0;
	self->t = 0;
	printf("%d %d\n", a["k", 1], self->t);
	exit(0);
}
