/*
 * fileops.d: file operations by program, kind and file.
 *
 *   dtrace -s scripts/fileops.d -E trace.etl
 *
 * Needs FILE_IO_INIT, and DISK_FILE_IO for the names.
 */
#pragma D option quiet

fsinfo:::
/args[0]->fi_pathname != "<none>"/
{
	@[execname, probename, args[0]->fi_pathname] = count();
}
