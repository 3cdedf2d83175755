/* Events of providers by id. */
*:::events { @[probeprov, arg0] = count(); }
END { printa("%s\t%d\t%@d\n", @); }
