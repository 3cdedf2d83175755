/* Response times in microseconds, by powers of two: the classic layout is read. */
io:::done
{
	@[args[0]->b_flags == B_READ ? "read" : args[0]->b_flags == B_WRITE ? "write" : "flush"] =
	    quantize(args[0]->b_resp / 1000);
}
