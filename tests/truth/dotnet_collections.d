/* Garbage collections by generation: the second number of GCStart. */
microsoft-windows-dotnetruntime:::events /arg0 == 1/ { @[*(uint32_t *)(arg2 + 4)] = count(); }
END { printa("%d\t%@d\n", @); }
