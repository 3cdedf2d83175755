#!/usr/bin/env -S dtrace -s
/*
 * tcpsnoop.d: TCP connections as they come and go, and what each carried; in the end all that carried something.
 *
 *   dtrace tcpsnoop trace.etl
 *
 * Needs network events (NETWORK_TCPIP). A connection is known by its two addresses and ports: the number that events have for
 * it (ip_connid) is 0 on every Windows that we have seen. Bytes are those of the connection so far, as far as the trace
 * has them. Example:
 *
 *    SECONDS PROGRAM           PID WHAT           SENT RECEIVED LOCAL > REMOTE
 *      0.102 browser.exe      4120 disconnect     1460    92160 192.0.2.1:50000 > 203.0.113.2:443
 */
#pragma D option quiet
#pragma D option lastcolumn=60

uint64_t sent[string], received[string];

BEGIN
{
	begun = timestamp;
	printf("%8s %-15s %5s %-10s %8s %8s %s\n", "SECONDS", "PROGRAM", "PID", "WHAT", "SENT", "RECEIVED",
	    "LOCAL > REMOTE");
}

tcpip:::send,
tcpip:::receive,
tcpip:::connect,
tcpip:::accept,
tcpip:::reconnect,
tcpip:::retransmit,
tcpip:::disconnect
{
	this->ends = strjoin(strjoin(args[0]->ip_saddr, strjoin(":", lltostr(args[1]->tcp_sport))),
	    strjoin(" > ", strjoin(args[0]->ip_daddr, strjoin(":", lltostr(args[1]->tcp_dport)))));
}

tcpip:::send
{
	sent[this->ends] += args[0]->ip_plength;
	@sent[execname, this->ends] = sum(args[0]->ip_plength);
}

tcpip:::receive
{
	received[this->ends] += args[0]->ip_plength;
	@received[execname, this->ends] = sum(args[0]->ip_plength);
}

tcpip:::connect,
tcpip:::accept,
tcpip:::reconnect,
tcpip:::retransmit,
tcpip:::disconnect
{
	this->ms = (timestamp - begun) / 1000000;
	printf("%4d.%03d %-15s %5d %-10s %8d %8d %s\n", this->ms / 1000, this->ms % 1000, execname, pid, probename,
	    sent[this->ends], received[this->ends], this->ends);
}

/* The same ends may be those of another connection later. */
tcpip:::disconnect
{
	sent[this->ends] = 0;
	received[this->ends] = 0;
}

END
{
	printf("\n%-15s %10s %10s %s\n", "PROGRAM", "SENT", "RECEIVED", "LOCAL > REMOTE");
	printa("%-15s %@10d %@10d %s\n", @sent, @received);
}
