#pragma D depends_on library nosuch.d
BEGIN
{
	trace(1);
}
