/* Arrays and thread variables that later clauses assign, one through the other. */
sample:mod:disk:read
/total[0] > 10 && self->name != 0/
{
	@first = count();
	printf("%d %s", total[1], names[1]);
}

sample:mod:disk:write
{
	self->name = names[2] == "x" ? "y" : "z";
	@second = count();
}

sample:mod:net:send
{
	total[0] = (int)arg0;
	names[1] = "one";
}

/* A step creates its variable, too: these wait for the clause after them. */
sample:mod:disk:read
/!stepped[pid] && !self->stepped && !this->stepped/
{
	trace(1);
}

sample:mod:disk:read
{
	stepped[pid]++;
	++self->stepped;
	this->stepped--;
}
