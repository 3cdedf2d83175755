/* Disk transfers by path. */
io:::done
{
	this->op = args[0]->b_flags == B_READ ? "read" : args[0]->b_flags == B_WRITE ? "write" : "flush";
	@n[args[2]->fi_pathname, this->op] = count();
	@bytes[args[2]->fi_pathname, this->op] = sum(args[0]->b_bcount);
	@time[args[2]->fi_pathname, this->op] = sum(args[0]->b_resp);
	@slow[args[2]->fi_pathname, this->op] = max(args[0]->b_resp);
}
END { printa("%s\t%s\t%@d\t%@d\t%@d\t%@d\n", @n, @bytes, @time, @slow); }
