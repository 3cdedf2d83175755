/* An event of etw_trace() is a line too: values as the types of their fields say. */
#pragma D option quiet

BEGIN
{
	etw_trace("Tools.DTrace.Platform", "AAD330CC-4BB9-588A-B252-08276853AF02", "First", 1, 0x20,
	    "etw_int32", "PID", (int32_t)-4, "etw_string", "Execname", "a b", "etw_bool8", "Yes", 3,
	    "etw_hexint8", "Hex", -1, "etw_hresult", "Result", 0x80004005);
	etw_trace("Tools.DTrace.Platform", "{aad330cc-4bb9-588a-b252-08276853af02}",
	    "aad330cc-4bb9-588a-b252-08276853af03", "Second", 5, 0,
	    "etw_struct", "Both", 2, "etw_struct", "Inner", 1, "etw_uint16", "A", 70000, "etw_int8", "B", 255,
	    "etw_pointer", "Address", (void *)0xfeed, "etw_bool32", "No", 0);
	etw_trace("Tools.DTrace.Platform", "aad330cc-4bb9-588a-b252-08276853af02", "Third", 4, 1);
	exit(0);
}
