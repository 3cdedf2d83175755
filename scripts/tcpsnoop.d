#!/usr/bin/env -S dtrace -s
/*
 * tcpsnoop.d: TCP connections as they come and go, and what they carried.
 *
 *   dtrace -s scripts/tcpsnoop.d -E trace.etl
 *
 * Needs network events (NETWORK_TCPIP). Bytes are those since the connection was first seen. Example:
 *
 *      SECONDS  PROGRAM            PID  WHAT         LOCAL                  REMOTE                       SENT   RECEIVED
 *        0.102  browser.exe       4120  disconnect   192.0.2.1:50000        203.0.113.2:443              1460      92160
 */
#pragma D option quiet

uint64_t sent[uintptr_t], received[uintptr_t];

BEGIN
{
	begun = timestamp;
	printf("%10s  %-16s %7s  %-11s %-22s %-22s %10s %10s\n", "SECONDS", "PROGRAM", "PID", "WHAT", "LOCAL", "REMOTE",
	    "SENT", "RECEIVED");
}

tcpip:::send
{
	sent[args[0]->ip_connid] += args[0]->ip_plength;
}

tcpip:::receive
{
	received[args[0]->ip_connid] += args[0]->ip_plength;
}

tcpip:::connect,
tcpip:::accept,
tcpip:::reconnect,
tcpip:::retransmit,
tcpip:::disconnect
{
	this->ms = (timestamp - begun) / 1000000;
	printf("%6d.%03d  %-16s %7d  %-11s %-22s %-22s %10d %10d\n", this->ms / 1000, this->ms % 1000, execname, pid,
	    probename, strjoin(args[0]->ip_saddr, strjoin(":", lltostr(args[1]->tcp_sport))),
	    strjoin(args[0]->ip_daddr, strjoin(":", lltostr(args[1]->tcp_dport))), sent[args[0]->ip_connid],
	    received[args[0]->ip_connid]);
}

tcpip:::disconnect
{
	sent[args[0]->ip_connid] = 0;
	received[args[0]->ip_connid] = 0;
}
