/* Exceptions by type. */
microsoft-windows-dotnetruntime:::events /arg0 == 80/ { @[wstringof((wchar_t *)arg2)] = count(); }
END { printa("%s\t%@d\n", @); }
