/* Events of providers by program. */
*:::events /probeprov != "diag"/ { @[probeprov, execname] = count(); }
END { printa("%s\t%s\t%@d\n", @); }
