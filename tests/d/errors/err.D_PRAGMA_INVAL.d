#pragma D nothing
BEGIN
{
	trace(1);
}
