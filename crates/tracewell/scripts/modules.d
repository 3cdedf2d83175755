#!/usr/bin/env -S dtrace -s
/*
 * modules.d: which modules were loaded, and by how many processes; an example of texts with 16-bit characters.
 *
 *   dtrace modules trace.etl
 *
 * Needs image events (IMAGE_LOAD; most kernel sessions have them). Texts of events are wchar_t *: %ws prints one,
 * wstringof() makes a string of it, wstrlen() counts its characters. Example:
 *
 *      TIMES  MODULE
 *         12  c:\windows\system32\ntdll.dll
 */
#pragma D option quiet
#pragma D option aggsortrev

proc:::module-load
{
	@times[tolower(wstringof(args[0]))] = count();
	@longest["characters of the longest path"] = max(wstrlen(args[0]));
}

END
{
	trunc(@times, 40);
	printf("%8s  %s\n", "TIMES", "MODULE");
	printa("%@8d  %s\n", @times);
	printa("\n%@8d  %s\n", @longest);
}
