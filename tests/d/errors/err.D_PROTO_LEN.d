BEGIN
{
	trace(strlen());
}
