#!/usr/bin/env -S dtrace -s
/*
 * talkers.d: who talked to whom: bytes sent and received over TCP and UDP by program and peer.
 *
 *   dtrace talkers trace.etl
 *
 * Needs network events (NETWORK_TCPIP). Of TCP the remote end is in ip_daddr, whichever way the bytes went. A datagram has its
 * sender in udp_saddr and where it was sent to in udp_daddr: so the peer of a received one is its sender. Example:
 *
 *        BYTES  PROGRAM         WHAT         PEER                              PORT
 *        92160  browser.exe     tcp received 203.0.113.2                        443
 */
#pragma D option quiet
#pragma D option aggsortrev

tcpip:::send
{
	@bytes[execname, "tcp sent", args[0]->ip_daddr, args[1]->tcp_dport] = sum(args[0]->ip_plength);
}

tcpip:::receive
{
	@bytes[execname, "tcp received", args[0]->ip_daddr, args[1]->tcp_dport] = sum(args[0]->ip_plength);
}

udpip:::send
{
	@bytes[execname, "udp sent", args[0]->udp_daddr, args[0]->udp_dport] = sum(args[0]->udp_plength);
}

udpip:::receive
{
	@bytes[execname, "udp received", args[0]->udp_saddr, args[0]->udp_sport] = sum(args[0]->udp_plength);
}

END
{
	printf("%10s  %-15s %-12s %-31s %6s\n", "BYTES", "PROGRAM", "WHAT", "PEER", "PORT");
	printa("%@10d  %-15s %-12s %-31s %6d\n", @bytes);
}
