/* Requested transfers by path. Size and path come from the done transfer; one that is not done in the trace has no size. */
io:::start
/args[0]->b_bcount != 0 || args[0]->b_flags == B_FLUSH/
{
	this->op = args[0]->b_flags == B_READ ? "read" : args[0]->b_flags == B_WRITE ? "write" : "flush";
	@n[args[2]->fi_pathname, this->op] = count();
	@bytes[args[2]->fi_pathname, this->op] = sum(args[0]->b_bcount);
}
END { printa("%s\t%s\t%@d\t%@d\n", @n, @bytes); }
