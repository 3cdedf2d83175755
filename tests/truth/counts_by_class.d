/* Kernel events without a specific probe, by class and event type. */
kernel::SystemConfig: { @["hwconfig"] = count(); }
kernel:::FileIo_FileCreate, kernel:::FileIo_FileRundown { @["file-names"] = count(); }
END { printa("%s\t%@d\n", @); }
