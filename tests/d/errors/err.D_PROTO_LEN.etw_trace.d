/* A field is a type, a name and a value. */
BEGIN
{
	etw_trace("Tools", "aad330cc-4bb9-588a-b252-08276853af02", "First", 1, 0, "etw_int8", "One");
}
