#pragma D attributes Stable/Stable/Common nosuch
BEGIN
{
	trace(1);
}
