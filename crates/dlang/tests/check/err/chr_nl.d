BEGIN
{
	trace('a
b');
}
