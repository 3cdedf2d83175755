/* Network events by name and family. */
tcpip:::send, tcpip:::receive, tcpip:::connect, tcpip:::accept, tcpip:::disconnect, tcpip:::retransmit, tcpip:::reconnect, tcpip:::copy
{
	@n["tcp", probename, args[0]->ip_ver] = count();
	@bytes["tcp", probename, args[0]->ip_ver] = sum(args[0]->ip_plength);
}
udpip:::send, udpip:::receive
{
	this->family = strchr(args[0]->udp_daddr, ':') != NULL ? 6 : 4;
	@n["udp", probename, this->family] = count();
	@bytes["udp", probename, this->family] = sum(args[0]->udp_plength);
}
END { printa("%s\t%s\t%d\t%@d\t%@d\n", @n, @bytes); }
