/* Who talked to whom: network events by program, protocol, family, peer and port. */
tcpip:::send, tcpip:::receive, tcpip:::connect, tcpip:::accept, tcpip:::disconnect, tcpip:::retransmit
{
	this->family = args[0]->ip_ver == AF_INET6 ? 6 : 4;
	@n[execname, "tcp", probename, this->family, args[0]->ip_daddr, args[1]->tcp_dport] = count();
	@bytes[execname, "tcp", probename, this->family, args[0]->ip_daddr, args[1]->tcp_dport] =
	    sum(args[0]->ip_plength);
}
udpip:::send, udpip:::receive
{
	this->family = strchr(args[0]->udp_daddr, ':') != NULL ? 6 : 4;
	@n[execname, "udp", probename, this->family, args[0]->udp_daddr, args[0]->udp_dport] = count();
	@bytes[execname, "udp", probename, this->family, args[0]->udp_daddr, args[0]->udp_dport] =
	    sum(args[0]->udp_plength);
}
END { printa("%s\t%s\t%s\t%d\t%s\t%d\t%@d\t%@d\n", @n, @bytes); }
