/* Answers of the DNS client by name and status: the fields of an event of a manifest. */
microsoft-windows-dns-client:::event-3008 { @[args->QueryName, args->QueryStatus] = count(); }
END { printa("%s\t%d\t%@d\n", @); }
