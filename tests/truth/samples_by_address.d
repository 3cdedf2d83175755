/* Samples by program and instruction: arg0 in the kernel, arg1 in user mode. */
profile:::sample-997 { @[execname, arg0 != 0 ? arg0 : arg1] = count(); }
END { printa("%s\t0x%x\t%@d\n", @); }
