string s;
BEGIN
/s/
{
	trace(1);
}
