BEGIN
{
	trace($7);
}
