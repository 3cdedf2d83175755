/* Sampled allocations by type: AllocationTick. */
microsoft-windows-dotnetruntime:::events
/arg0 == 10/
{
	@n[wstringof((wchar_t *)(arg2 + 26))] = count();
	@bytes[wstringof((wchar_t *)(arg2 + 26))] = sum(*(uint32_t *)arg2);
}
END { printa("%s\t%@d\t%@d\n", @n, @bytes); }
