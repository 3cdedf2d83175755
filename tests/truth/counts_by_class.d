/* Kernel events that no probe of their own tells of, by class and event type. */
diag:::events /stringof(arg0) == "systemconfig"/ { @["hwconfig"] = count(); }
diag:::events /stringof(arg0) == "fileio" && (arg2 == 32 || arg2 == 36)/ { @["file-names"] = count(); }
END { printa("%s\t%@d\n", @); }
