/*
 * TCP and UDP transfers: the tcpip and udpip providers.
 */

#pragma D depends_on library native.d
#pragma D depends_on library inet.d

typedef struct ipinfo {
	uint8_t ip_ver;		/* 4 or 6 */
	uint32_t ip_plength;	/* bytes */
	string ip_saddr;	/* local address, whichever way the bytes went */
	string ip_daddr;	/* remote address */
	uintptr_t ip_connid;	/* connection; 0 on every Windows that we have seen */
	uint32_t ip_stime;	/* start of a send, in ticks */
	uint32_t ip_etime;	/* end of a send, in ticks */
} ipinfo_t;

translator ipinfo_t < struct etw_net *N > {
	ip_ver = N->family == AF_INET ? 4 : 6;
	ip_plength = N->size;
	ip_saddr = N->family == AF_INET ? inet_ntoa((ipaddr_t *)N->saddr) : inet_ntoa6((in6_addr_t *)N->saddr);
	ip_daddr = N->family == AF_INET ? inet_ntoa((ipaddr_t *)N->daddr) : inet_ntoa6((in6_addr_t *)N->daddr);
	ip_connid = N->connid;
	ip_stime = N->start_time;
	ip_etime = N->end_time;
};

typedef struct tcpinfo {
	uint16_t tcp_sport;	/* local port */
	uint16_t tcp_dport;	/* remote port */
	uint32_t tcp_seq;	/* sequence number */
	uint32_t tcp_ack;	/* not known, 0 */
	uint8_t tcp_offset;	/* not known, 0 */
	uint8_t tcp_flags;	/* not known, 0 */
	uint32_t tcp_window;	/* receive window */
	uint16_t tcp_checksum;	/* not known, 0 */
	uint16_t tcp_urgent;	/* not known, 0 */
	uintptr_t tcp_hdr;	/* not known, 0 */
	uint16_t tcp_mss;	/* largest segment */
	uint16_t tcp_sackopt;	/* selective acknowledgement */
	uint16_t tcp_tsopt;	/* time stamps */
	uint16_t tcp_wsopt;	/* window scaling */
	int16_t tcp_rcvws;	/* scale of the receive window */
	int16_t tcp_sndws;	/* scale of the send window */
} tcpinfo_t;

translator tcpinfo_t < struct etw_net *N > {
	tcp_sport = N->sport;
	tcp_dport = N->dport;
	tcp_seq = N->seq;
	tcp_ack = 0;
	tcp_offset = 0;
	tcp_flags = 0;
	tcp_window = N->window;
	tcp_checksum = 0;
	tcp_urgent = 0;
	tcp_hdr = 0;
	tcp_mss = N->mss;
	tcp_sackopt = N->sackopt;
	tcp_tsopt = N->tsopt;
	tcp_wsopt = N->wsopt;
	tcp_rcvws = N->rcv_scale;
	tcp_sndws = N->snd_scale;
};

typedef struct udpinfo {
	uintptr_t udp_connid;	/* 0 on every Windows that we have seen */
	uint32_t udp_seq;	/* sequence number */
	uint32_t udp_plength;	/* bytes */
	uint32_t udp_length;	/* the same */
	uint16_t udp_checksum;	/* not known, 0 */
	uintptr_t udp_hdr;	/* not known, 0 */
	uint16_t udp_sport;	/* port of the sender: the remote one of what is received */
	uint16_t udp_dport;	/* port that it was sent to */
	string udp_saddr;	/* address of the sender */
	string udp_daddr;	/* address that it was sent to: one's own, or that of a group */
} udpinfo_t;

translator udpinfo_t < struct etw_net *N > {
	udp_connid = N->connid;
	udp_seq = N->seq;
	udp_plength = N->size;
	udp_length = N->size;
	udp_checksum = 0;
	udp_hdr = 0;
	udp_sport = N->sport;
	udp_dport = N->dport;
	udp_saddr = N->family == AF_INET ? inet_ntoa((ipaddr_t *)N->saddr) : inet_ntoa6((in6_addr_t *)N->saddr);
	udp_daddr = N->family == AF_INET ? inet_ntoa((ipaddr_t *)N->daddr) : inet_ntoa6((in6_addr_t *)N->daddr);
};
