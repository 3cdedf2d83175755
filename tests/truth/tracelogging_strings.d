/* Texts in TraceLogging events, UTF-16 to UTF-8. */
contoso.shopapi.checkout:::events
/arg3 < 40/
{
	@["OrderFailed", "reason", wstringof((wchar_t *)(arg2 + 4))] = count();
}
contoso.shopapi.checkout:::events
/arg3 >= 40/
{
	@["OrderPlaced", "customer", wstringof((wchar_t *)(arg2 + 8))] = count();
}
END { printa("%s\t%s\t%s\t%@d\n", @); }
