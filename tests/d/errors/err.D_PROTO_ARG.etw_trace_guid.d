/* A provider has a GUID. */
BEGIN
{
	etw_trace("Tools", "aad330cc", "First", 1, 0);
}
