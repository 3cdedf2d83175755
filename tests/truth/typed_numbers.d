/* Numbers in TraceLogging events, by their names. */
#define TAKE(event, field, value) \
	@n[event, field] = count(); @least[event, field] = min(value); @most[event, field] = max(value); \
	@total[event, field] = sum(value)

contoso.shopapi.checkout:::OrderFailed { TAKE("OrderFailed", "orderId", args->orderId); }
contoso.shopapi.checkout:::OrderPlaced
{
	TAKE("OrderPlaced", "amountCents", args->amountCents);
	TAKE("OrderPlaced", "shipping.days", args->shipping.days);
	TAKE("OrderPlaced", "articles", args->articles[0]);
}
contoso.shopapi.checkout:::OrderPlaced /args->articles_count > 1/ { TAKE("OrderPlaced", "articles", args->articles[1]); }
contoso.shopapi.checkout:::OrderPlaced /args->articles_count > 2/ { TAKE("OrderPlaced", "articles", args->articles[2]); }
contoso.shopapi.checkout:::OrderPlaced /args->articles_count > 3/ { TAKE("OrderPlaced", "articles", args->articles[3]); }
contoso.invoicer:::InvoicePrinted
{
	TAKE("InvoicePrinted", "invoice", args->invoice);
	TAKE("InvoicePrinted", "pages", args->pages);
}
END { printa("%s\t%s\t%@d\t%@d\t%@d\t%@d\n", @n, @most, @least, @total); }
