BEGIN
{
	if (pid > 1) {
		trace(1);
	} else if (pid == 1) {
		trace("one");
	} else {
		exit(1);
	}
	trace(2);
}
