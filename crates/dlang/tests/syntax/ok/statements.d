BEGIN
{
	if (x)
		trace(1);
	if (x) { trace(1); } else { trace(2) }
	if (x == 1) trace(1); else if (x == 2) { trace(2); trace(3); } else trace(4);
	if (a) if (b) trace(1); else trace(2);
	if (a) { }
	if (a) ; else trace(3);
	if (a, b) { if (c) { if (d) { trace(4) } } };
	trace(5)
}
