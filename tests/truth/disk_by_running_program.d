/* Disk transfers by the program that ran where the transfer completed. */
sched:::on-cpu { runs[cpu] = execname; }
sched:::off-cpu /runs[cpu] == NULL/ { runs[cpu] = execname; }
io:::done
{
	this->op = args[0]->b_flags == B_READ ? "read" : args[0]->b_flags == B_WRITE ? "write" : "flush";
	@n[runs[cpu], this->op] = count();
	@bytes[runs[cpu], this->op] = sum(args[0]->b_bcount);
	@time[runs[cpu], this->op] = sum(args[0]->b_resp);
	@slow[runs[cpu], this->op] = max(args[0]->b_resp);
}
END { printa("%s\t%s\t%@d\t%@d\t%@d\t%@d\n", @n, @bytes, @time, @slow); }
