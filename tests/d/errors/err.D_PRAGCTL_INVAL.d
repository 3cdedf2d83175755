#nothing
BEGIN
{
	trace(1);
}
