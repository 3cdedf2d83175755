extern int there;
BEGIN
{
	trace(there);
}
