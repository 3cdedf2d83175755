/* Disk transfers by disk. */
io:::done
{
	this->op = args[0]->b_flags == B_READ ? "read" : args[0]->b_flags == B_WRITE ? "write" : "flush";
	@n[args[1]->dev_minor, this->op] = count();
	@bytes[args[1]->dev_minor, this->op] = sum(args[0]->b_bcount);
	@time[args[1]->dev_minor, this->op] = sum(args[0]->b_resp);
	@slow[args[1]->dev_minor, this->op] = max(args[0]->b_resp);
}
END { printa("%d\t%s\t%@d\t%@d\t%@d\t%@d\n", @n, @bytes, @time, @slow); }
