#pragma error stop here
BEGIN
{
	trace(1);
}
