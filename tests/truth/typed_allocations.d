/* Allocations of .NET programs by type: the fields of an event that the schema tables describe. */
microsoft-windows-dotnetruntime:::GC_AllocationTick
{
	@n[args->TypeName] = count();
	@bytes[args->TypeName] = sum(args->AllocationAmount64);
}
END { printa("%s\t%@d\t%@d\n", @n, @bytes); }
