#!/usr/bin/env -S dtrace -s
/*
 * packets.d: captured network packets: Ethernet, ARP, IPv4, IPv6, ICMP, TCP, UDP and the names in DNS requests.
 *
 *   dtrace packets trace.etl
 *
 * Needs Microsoft-Windows-NDIS-PacketCapture (`netsh trace start capture=yes`) or Microsoft-Windows-PktMon (`pktmon start --capture`).
 * Event 1001 of the first has three numbers, the last of which is the length of the packet behind them. Event 160 of the second
 * is logged by every component that a packet comes by: only its first appearance counts here. The detail of TCP is the flags, the
 * number of the first byte and that of the next one expected; `etw export --pcapng` has everything. Example:
 *
 *    SECONDS BYTES PROTO  FROM > TO                         DETAIL
 *      0.010    74 TCP    192.0.2.1:50000 > 203.0.113.2:443 S  1/0
 */
#pragma D option quiet
#pragma D option zdefs
#pragma D option lastcolumn=22

BEGIN
{
	begun = timestamp;
	printf("%8s %5s %-6s %-33s %s\n", "SECONDS", "BYTES", "PROTO", "FROM > TO", "DETAIL");
}

/* Where the packet and what follows it are, from the payload's address on; 0 when the event has none for us. */
microsoft-windows-ndis-packetcapture:::events
{
	this->frame = arg0 == 1001 && arg3 >= 12 + 14 ? arg2 + 12 : 0;
	this->length = this->frame ? *(uint32_t *)(arg2 + 8) : 0;
	this->end = arg2 + arg3;
	this->ethernet = 1;
	this->dropped = 0;
}

/* Before the packet: u64 group, u16 number, appearance, direction, type (1 Ethernet, 3 IP), component, edge and filter, u32 reason
   and place of dropping it, u16 its length and how much of it is here. */
microsoft-windows-pktmon:::events
{
	this->kind = arg0 == 160 && arg4 == 0 && arg3 >= 34 + 20 ? *(uint16_t *)(arg2 + 14) : 0;
	this->dropped = this->kind ? *(uint32_t *)(arg2 + 22) : 0;
	this->frame = (this->kind == 1 || this->kind == 3) && (*(uint16_t *)(arg2 + 10) == 1 || this->dropped) ?
	    arg2 + 34 : 0;
	this->length = this->frame ? *(uint16_t *)(arg2 + 30) : 0;
	this->end = this->frame ? arg2 + 34 + *(uint16_t *)(arg2 + 32) : 0;
	this->end = this->end > arg2 + arg3 ? arg2 + arg3 : this->end;
	this->ethernet = this->kind == 1;
}

/* Where the layers begin. */
microsoft-windows-ndis-packetcapture:::events,
microsoft-windows-pktmon:::events
/this->frame/
{
	this->ms = (timestamp - begun) / 1000000;
	this->type = this->ethernet ? ntohs(*(uint16_t *)(this->frame + 12)) :
	    *(uint8_t *)this->frame >> 4 == 4 ? 0x800 : 0x86dd;
	/* A tag of a virtual network comes first. */
	this->ip = this->frame + (!this->ethernet ? 0 : this->type == 0x8100 ? 18 : 14);
	this->type = this->type == 0x8100 && this->ip <= this->end ? ntohs(*(uint16_t *)(this->frame + 16)) : this->type;
	this->four = this->type == 0x800 && this->ip + 20 <= this->end;
	this->six = this->type == 0x86dd && this->ip + 40 <= this->end;
	this->protocol = this->four ? *(uint8_t *)(this->ip + 9) : this->six ? *(uint8_t *)(this->ip + 6) : 0;
	this->above = this->ip + (this->four ? (*(uint8_t *)this->ip & 15) * 4 : 40);
	this->from = this->four ? inet_ntoa((ipaddr_t *)(this->ip + 12)) :
	    this->six ? inet_ntoa6((in6_addr_t *)(this->ip + 8)) : "";
	this->to = this->four ? inet_ntoa((ipaddr_t *)(this->ip + 16)) :
	    this->six ? inet_ntoa6((in6_addr_t *)(this->ip + 24)) : "";
	this->name = this->type == 0x806 ? "ARP" : this->protocol == 6 ? "TCP" : this->protocol == 17 ? "UDP" :
	    this->protocol == 1 ? "ICMP" : this->protocol == 58 ? "ICMPv6" : this->four ? "IPv4" : this->six ? "IPv6" :
	    "Ether";
	this->ports = (this->protocol == 6 || this->protocol == 17) && this->above + 8 <= this->end;
	this->sport = this->ports ? ntohs(*(uint16_t *)this->above) : 0;
	this->dport = this->ports ? ntohs(*(uint16_t *)(this->above + 2)) : 0;
	printf("%4d.%03d %5d %-6s ", this->ms / 1000, this->ms % 1000, this->length, this->name);
	@packets[this->name] = count();
	@bytes[this->name] = sum(this->length);
}

microsoft-windows-ndis-packetcapture:::events,
microsoft-windows-pktmon:::events
/this->frame && (this->four || this->six)/
{
	@peers[this->name, this->from, this->to] = sum(this->length);
}

microsoft-windows-ndis-packetcapture:::events,
microsoft-windows-pktmon:::events
/this->frame && this->ports/
{
	printf("%-33s ", strjoin(strjoin(this->from, strjoin(":", lltostr(this->sport))),
	    strjoin(" > ", strjoin(this->to, strjoin(":", lltostr(this->dport))))));
}

microsoft-windows-ndis-packetcapture:::events,
microsoft-windows-pktmon:::events
/this->frame && !this->ports && (this->four || this->six)/
{
	printf("%-33s ", strjoin(this->from, strjoin(" > ", this->to)));
}

/* TCP: flags, numbers. */
microsoft-windows-ndis-packetcapture:::events,
microsoft-windows-pktmon:::events
/this->frame && this->protocol == 6 && this->above + 20 <= this->end/
{
	this->flags = *(uint8_t *)(this->above + 13);
	printf("%-2s %u/%u", strjoin(strjoin(strjoin(this->flags & 2 ? "S" : "", this->flags & 1 ? "F" : ""),
	    strjoin(this->flags & 4 ? "R" : "", this->flags & 8 ? "P" : "")),
	    strjoin(this->flags & 16 ? "A" : "", this->flags & 32 ? "U" : "")),
	    ntohl(*(uint32_t *)(this->above + 4)), ntohl(*(uint32_t *)(this->above + 8)));
}

/* UDP: the name that DNS is asked for, or its first three parts; each has its length before it. */
microsoft-windows-ndis-packetcapture:::events,
microsoft-windows-pktmon:::events
/this->frame && this->protocol == 17 && (this->sport == 53 || this->dport == 53) &&
    this->above + 22 <= this->end/
{
	this->a = this->above + 20;
	this->b = this->a + 1 + *(uint8_t *)this->a;
	this->c = this->b < this->end ? this->b + 1 + *(uint8_t *)this->b : this->b;
	this->d = this->c < this->end ? this->c + 1 + *(uint8_t *)this->c : this->c;
	printf("%s %s%s%s%s%s", this->sport == 53 ? "answer" : "question",
	    substr(stringof((char *)(this->a + 1)), 0, this->b - this->a - 1), this->c > this->b + 1 ? "." : "",
	    this->c > this->b + 1 ? substr(stringof((char *)(this->b + 1)), 0, this->c - this->b - 1) : "",
	    this->d > this->c + 1 ? "." : "",
	    this->d > this->c + 1 ? substr(stringof((char *)(this->c + 1)), 0, this->d - this->c - 1) : "");
}

microsoft-windows-ndis-packetcapture:::events,
microsoft-windows-pktmon:::events
/this->frame && (this->protocol == 1 || this->protocol == 58) && this->above + 2 <= this->end/
{
	printf("type %d code %d", *(uint8_t *)this->above, *(uint8_t *)(this->above + 1));
}

/* ARP: request and reply. */
microsoft-windows-ndis-packetcapture:::events,
microsoft-windows-pktmon:::events
/this->frame && this->type == 0x806 && this->ip + 28 <= this->end/
{
	printf("%-33s %s", strjoin(inet_ntoa((ipaddr_t *)(this->ip + 14)),
	    strjoin(" > ", inet_ntoa((ipaddr_t *)(this->ip + 24)))),
	    ntohs(*(uint16_t *)(this->ip + 6)) == 1 ? "who has it?" : "here");
}

microsoft-windows-ndis-packetcapture:::events,
microsoft-windows-pktmon:::events
/this->frame && this->dropped/
{
	printf(" dropped for reason %d", this->dropped);
	@drops[this->dropped] = count();
}

microsoft-windows-ndis-packetcapture:::events,
microsoft-windows-pktmon:::events
/this->frame/
{
	printf("\n");
}

END
{
	trunc(@peers, 20);
	printf("\n%-10s %10s %12s\n", "PROTOCOL", "PACKETS", "BYTES");
	printa("%-10s %@10d %@12d\n", @packets, @bytes);
	printf("\n%-10s %12s  %s\n", "PROTOCOL", "BYTES", "FROM > TO");
	printa("%-10s %@12d  %s > %s\n", @peers);
	printa("\n%@10d dropped for reason %d\n", @drops);
}
