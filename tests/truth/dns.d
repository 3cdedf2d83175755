/* Answers of the DNS client by name and status. */
microsoft-windows-dns-client:::events
/arg0 == 3008/
{
	this->after = arg2 + 2 * (wstrlen((wchar_t *)arg2) + 1);
	@[wstringof((wchar_t *)arg2), *(uint32_t *)(this->after + 12)] = count();
}
END { printa("%s\t%d\t%@d\n", @); }
