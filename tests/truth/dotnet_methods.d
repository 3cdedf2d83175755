/* Methods compiled: how many, and the bytes of their code. */
microsoft-windows-dotnetruntime:::events
/arg0 == 143/
{
	@["count"] = sum(1);
	@["bytes"] = sum(*(uint32_t *)(arg2 + 24));
}
END { printa("%s\t%@d\n", @); }
