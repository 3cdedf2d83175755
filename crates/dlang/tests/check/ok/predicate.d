tick-1s
/pid == 12 && execname != "idle" || arg0 < 3/
{
	trace(probename);
}
