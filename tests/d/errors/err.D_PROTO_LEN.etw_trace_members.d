/* A structure has all its members. */
BEGIN
{
	etw_trace("Tools", "aad330cc-4bb9-588a-b252-08276853af02", "First", 1, 0,
	    "etw_struct", "Two", 2, "etw_int8", "One", 1);
}
