sample:mod:net:send
{
	trace(args[9]);
}
