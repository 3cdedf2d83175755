/* Disk transfers by the program that issued them. */
io:::done
{
	this->op = args[0]->b_flags == B_READ ? "read" : args[0]->b_flags == B_WRITE ? "write" : "flush";
	@n[execname, this->op] = count();
	@bytes[execname, this->op] = sum(args[0]->b_bcount);
	@time[execname, this->op] = sum(args[0]->b_resp);
	@slow[execname, this->op] = max(args[0]->b_resp);
}
END { printa("%s\t%s\t%@d\t%@d\t%@d\t%@d\n", @n, @bytes, @time, @slow); }
