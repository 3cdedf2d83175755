/* Events of providers by id. */
*:::events /probeprov != "diag"/ { @[probeprov, arg0] = count(); }
END { printa("%s\t%d\t%@d\n", @); }
