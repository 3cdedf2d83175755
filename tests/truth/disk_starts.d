/* Disk transfers asked for, by program. */
io:::start
{
	@[execname, args[0]->b_flags == B_READ ? "read" : args[0]->b_flags == B_WRITE ? "write" : "flush"] = count();
}
END { printa("%s\t%s\t%@d\n", @); }
