/* Who talked to whom: network events by program, protocol, family, peer and port. */
tcpip:::send, tcpip:::receive, tcpip:::connect, tcpip:::accept, tcpip:::disconnect, tcpip:::retransmit
{
	@n[execname, "tcp", probename, args[0]->ip_ver, args[0]->ip_daddr, args[1]->tcp_dport] = count();
	@bytes[execname, "tcp", probename, args[0]->ip_ver, args[0]->ip_daddr, args[1]->tcp_dport] =
	    sum(args[0]->ip_plength);
}
udpip:::send, udpip:::receive
{
	this->family = strchr(args[0]->udp_daddr, ':') != NULL ? 6 : 4;
	/* The source of a datagram is its sender, also when it is received. */
	this->peer = probename == "send" ? args[0]->udp_daddr : args[0]->udp_saddr;
	this->port = probename == "send" ? args[0]->udp_dport : args[0]->udp_sport;
	@n[execname, "udp", probename, this->family, this->peer, this->port] = count();
	@bytes[execname, "udp", probename, this->family, this->peer, this->port] = sum(args[0]->udp_plength);
}
END { printa("%s\t%s\t%s\t%d\t%s\t%d\t%@d\t%@d\n", @n, @bytes); }
