/* Numbers in TraceLogging events. The shop's two kinds of event differ in size. */
#define TAKE(event, field, value) \
	@n[event, field] = count(); @least[event, field] = min(value); @most[event, field] = max(value); \
	@total[event, field] = sum(value)

contoso.shopapi.checkout:::events
/arg3 < 40/
{
	TAKE("OrderFailed", "orderId", *(uint32_t *)arg2);
}
contoso.shopapi.checkout:::events
/arg3 >= 40/
{
	this->articles = arg2 + 8 + 2 * (wstrlen((wchar_t *)(arg2 + 8)) + 1) + 4;
	this->n = *(uint16_t *)this->articles;
	this->carrier = this->articles + 2 + 4 * this->n;
	TAKE("OrderPlaced", "amountCents", *(uint32_t *)(arg2 + 4));
	TAKE("OrderPlaced", "shipping.days", *(uint8_t *)(this->carrier + 2 + *(uint16_t *)this->carrier));
	TAKE("OrderPlaced", "articles", *(uint32_t *)(this->articles + 2));
}
contoso.shopapi.checkout:::events
/arg3 >= 40 && this->n > 1/
{
	TAKE("OrderPlaced", "articles", *(uint32_t *)(this->articles + 6));
}
contoso.shopapi.checkout:::events
/arg3 >= 40 && this->n > 2/
{
	TAKE("OrderPlaced", "articles", *(uint32_t *)(this->articles + 10));
}
contoso.shopapi.checkout:::events
/arg3 >= 40 && this->n > 3/
{
	TAKE("OrderPlaced", "articles", *(uint32_t *)(this->articles + 14));
}
contoso.invoicer:::events
{
	TAKE("InvoicePrinted", "invoice", *(uint32_t *)arg2);
	TAKE("InvoicePrinted", "pages", *(uint16_t *)(arg2 + 4));
}
END { printa("%s\t%s\t%@d\t%@d\t%@d\t%@d\n", @n, @most, @least, @total); }
