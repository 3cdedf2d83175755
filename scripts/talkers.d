#!/usr/bin/env -S dtrace -s
/*
 * Who talked to whom: bytes sent and received over TCP and UDP by program and peer.
 *
 * Needs network events (kernel flag NETWORK_TCPIP).
 */

#pragma D option quiet

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
	@bytes[execname, "udp received", args[0]->udp_daddr, args[0]->udp_dport] = sum(args[0]->udp_plength);
}

END
{
	printf("%-20s %-13s %-39s %6s %12s\n", "PROGRAM", "", "PEER", "PORT", "BYTES");
	printa("%-20s %-13s %-39s %6d %@12d\n", @bytes);
}
