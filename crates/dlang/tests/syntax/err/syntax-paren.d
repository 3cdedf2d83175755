BEGIN
{
	trace((1);
}
