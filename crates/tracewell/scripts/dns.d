#!/usr/bin/env -S dtrace -s
/*
 * dns.d: which names were looked up, by which program, with which outcome and how fast.
 *
 *   dtrace dns trace.etl
 *
 * Needs Microsoft-Windows-DNS-Client. Status 0 is an answer; 9003 says there is no such name. Example:
 *
 *   PROGRAM          STATUS    TIMES  NAME
 *   browser.exe           0       12  www.contoso.com
 */
#pragma D option quiet
#pragma D option aggsortrev

microsoft-windows-dns-client:::event-3006
{
	asked[pid, args->QueryName] = timestamp;
}

microsoft-windows-dns-client:::event-3008
{
	@times[execname, args->QueryStatus, args->QueryName] = count();
}

microsoft-windows-dns-client:::event-3008
/asked[pid, args->QueryName]/
{
	@us["microseconds from question to answer"] =
	    quantize((timestamp - asked[pid, args->QueryName]) / 1000);
	asked[pid, args->QueryName] = 0;
}

END
{
	printf("%-20s %8s %8s  %s\n", "PROGRAM", "STATUS", "TIMES", "NAME");
	printa("%-20s %8u %@8d  %s\n", @times);
	printa("\n%s%@d", @us);
}
