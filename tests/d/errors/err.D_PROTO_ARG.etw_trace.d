/* Types of fields are those of the table. */
BEGIN
{
	etw_trace("Tools", "aad330cc-4bb9-588a-b252-08276853af02", "First", 1, 0, "etw_sid", "Who", 1);
}
