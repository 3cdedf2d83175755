/* Variables that later clauses assign, one through the other. */
sample:mod:disk:read
/total > 10 && self->name != 0/
{
	@first = count();
	printf("%d %s", total, names[1]);
}

sample:mod:disk:write
{
	self->name = names[2] == "x" ? "y" : "z";
	@second = count();
}

sample:mod:net:send
{
	total = (int)arg0;
	names[1] = "one";
}
