BEGIN
{
	trace((char)1);
	trace((short)2);
	trace(3);
	trace((long long)-4);
	trace("text");
	exit(0);
}
