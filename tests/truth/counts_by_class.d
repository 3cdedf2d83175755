/* Kernel events that no probe of their own tells of, by class and event type. */
kernel::SystemConfig: { @["hwconfig"] = count(); }
kernel:::FileIo_FileCreate, kernel:::FileIo_FileRundown { @["file-names"] = count(); }
END { printa("%s\t%@d\n", @); }
