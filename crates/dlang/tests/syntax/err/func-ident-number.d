BEGIN
{
	@c = tick-1();
}
