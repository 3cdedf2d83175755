sample:mod:disk:read
{
	trace(args[1]->m);
}
