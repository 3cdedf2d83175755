/*
 * Packets of TCP and UDP as DTrace scripts know them: the tcp, udp and ip providers. What the records do not have is 0.
 */

#pragma D depends_on library tcpip.d

inline int IPPROTO_TCP = 6;
inline int IPPROTO_UDP = 17;

/* tcp_flags: no record has them. */
inline uint8_t TH_FIN = 0x01;
inline uint8_t TH_SYN = 0x02;
inline uint8_t TH_RST = 0x04;
inline uint8_t TH_PUSH = 0x08;
inline uint8_t TH_ACK = 0x10;
inline uint8_t TH_URG = 0x20;
inline uint8_t TH_ECE = 0x40;
inline uint8_t TH_CWR = 0x80;

/* tcps_state: the numbers are those of Linux. */
inline int TCP_STATE_ESTABLISHED = 1;
inline int TCP_STATE_SYN_SENT = 2;
inline int TCP_STATE_SYN_RECEIVED = 3;
inline int TCP_STATE_FIN_WAIT_1 = 4;
inline int TCP_STATE_FIN_WAIT_2 = 5;
inline int TCP_STATE_TIME_WAIT = 6;
inline int TCP_STATE_CLOSED = 7;
inline int TCP_STATE_CLOSE_WAIT = 8;
inline int TCP_STATE_LAST_ACK = 9;
inline int TCP_STATE_LISTEN = 10;
inline int TCP_STATE_CLOSING = 11;

inline string tcp_state_string[int state] =
    state == TCP_STATE_ESTABLISHED ? "state-established" : state == TCP_STATE_SYN_SENT ? "state-syn-sent" :
    state == TCP_STATE_SYN_RECEIVED || state == 12 ? "state-syn-received" :
    state == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" : state == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2" :
    state == TCP_STATE_TIME_WAIT ? "state-time-wait" : state == TCP_STATE_CLOSED ? "state-closed" :
    state == TCP_STATE_CLOSE_WAIT ? "state-close-wait" : state == TCP_STATE_LAST_ACK ? "state-last-ack" :
    state == TCP_STATE_LISTEN ? "state-listen" : state == TCP_STATE_CLOSING ? "state-closing" : "<unknown>";

typedef struct pktinfo {
	uintptr_t pkt_addr;	/* not known, 0 */
} pktinfo_t;

translator pktinfo_t < struct etw_net *N > {
	pkt_addr = 0;
};

typedef struct csinfo {
	uintptr_t cs_addr;	/* connection; 0 on every Windows that we have seen */
	uint64_t cs_cid;	/* the same; where it is 0, made of both ports and the end of the remote address */
	int cs_pid;		/* process */
	int cs_zoneid;		/* not known, 0 */
} csinfo_t;

translator csinfo_t < struct etw_net *N > {
	cs_addr = N->connid;
	cs_cid = N->connid != 0 ? N->connid :
	    (uint64_t)(N->received ? N->dport : N->sport) << 48 | (uint64_t)(N->received ? N->sport : N->dport) << 32 |
	    *(uint32_t *)((uintptr_t)(N->received ? N->saddr : N->daddr) + (N->family == AF_INET ? 0 : 12));
	cs_pid = N->pid;
	cs_zoneid = 0;
};

typedef struct ifinfo {
	string if_name;		/* not known, "<null>" */
	int8_t if_local;	/* whether both addresses are the same, or the target is 127.x or ::1 */
	int if_ipstack;		/* not known, 0 */
	uintptr_t if_addr;	/* not known, 0 */
} ifinfo_t;

inline string ip_from[struct etw_net *N] =
    N->family == AF_INET ? inet_ntoa((ipaddr_t *)N->saddr) : inet_ntoa6((in6_addr_t *)N->saddr);
inline string ip_to[struct etw_net *N] =
    N->family == AF_INET ? inet_ntoa((ipaddr_t *)N->daddr) : inet_ntoa6((in6_addr_t *)N->daddr);

translator ifinfo_t < struct etw_net *N > {
	if_name = "<null>";
	if_local = ip_from[N] == ip_to[N] || ip_to[N] == "::1" || (N->family == AF_INET && N->daddr[0] == 127);
	if_ipstack = 0;
	if_addr = 0;
};

typedef struct ipv4info {
	uint8_t ipv4_ver;	/* 4, or 0 of a packet of version 6 */
	uint8_t ipv4_ihl;	/* not known, 0 */
	uint8_t ipv4_tos;	/* not known, 0 */
	uint16_t ipv4_length;	/* bytes, without headers */
	uint16_t ipv4_ident;	/* not known, 0 */
	uint8_t ipv4_flags;	/* not known, 0 */
	uint16_t ipv4_offset;	/* not known, 0 */
	uint8_t ipv4_ttl;	/* not known, 0 */
	uint8_t ipv4_protocol;	/* IPPROTO_TCP or IPPROTO_UDP */
	string ipv4_protostr;	/* TCP or UDP */
	uint16_t ipv4_checksum;	/* not known, 0 */
	ipaddr_t ipv4_src;	/* address of the sender, in network order */
	ipaddr_t ipv4_dst;	/* address that it was sent to */
	string ipv4_saddr;	/* the same as texts */
	string ipv4_daddr;
	uintptr_t ipv4_hdr;	/* not known, 0 */
} ipv4info_t;

translator ipv4info_t < struct etw_net *N > {
	ipv4_ver = N->family == AF_INET ? 4 : 0;
	ipv4_ihl = 0;
	ipv4_tos = 0;
	ipv4_length = N->family == AF_INET ? N->size : 0;
	ipv4_ident = 0;
	ipv4_flags = 0;
	ipv4_offset = 0;
	ipv4_ttl = 0;
	ipv4_protocol = N->family == AF_INET ? N->proto : 0;
	ipv4_protostr = N->family != AF_INET ? "<null>" : N->proto == IPPROTO_TCP ? "TCP" : "UDP";
	ipv4_checksum = 0;
	ipv4_src = N->family == AF_INET ? *(ipaddr_t *)N->saddr : 0;
	ipv4_dst = N->family == AF_INET ? *(ipaddr_t *)N->daddr : 0;
	ipv4_saddr = N->family == AF_INET ? ip_from[N] : "<null>";
	ipv4_daddr = N->family == AF_INET ? ip_to[N] : "<null>";
	ipv4_hdr = 0;
};

typedef struct ipv6info {
	uint8_t ipv6_ver;	/* 6, or 0 of a packet of version 4 */
	uint8_t ipv6_tclass;	/* not known, 0 */
	uint32_t ipv6_flow;	/* not known, 0 */
	uint16_t ipv6_plen;	/* bytes, without headers */
	uint8_t ipv6_nexthdr;	/* IPPROTO_TCP or IPPROTO_UDP */
	string ipv6_nextstr;	/* TCP or UDP */
	uint8_t ipv6_hlim;	/* not known, 0 */
	string ipv6_saddr;	/* address of the sender */
	string ipv6_daddr;	/* address that it was sent to */
	uintptr_t ipv6_hdr;	/* not known, 0 */
} ipv6info_t;

translator ipv6info_t < struct etw_net *N > {
	ipv6_ver = N->family == AF_INET ? 0 : 6;
	ipv6_tclass = 0;
	ipv6_flow = 0;
	ipv6_plen = N->family == AF_INET ? 0 : N->size;
	ipv6_nexthdr = N->family == AF_INET ? 0 : N->proto;
	ipv6_nextstr = N->family == AF_INET ? "<null>" : N->proto == IPPROTO_TCP ? "TCP" : "UDP";
	ipv6_hlim = 0;
	ipv6_saddr = N->family == AF_INET ? "<null>" : ip_from[N];
	ipv6_daddr = N->family == AF_INET ? "<null>" : ip_to[N];
	ipv6_hdr = 0;
};

typedef struct tcpsinfo {
	uintptr_t tcps_addr;	/* connection; 0 on every Windows that we have seen */
	int tcps_local;		/* whether both addresses are the same */
	int tcps_active;	/* not known, 0 */
	uint16_t tcps_lport;	/* local port */
	uint16_t tcps_rport;	/* remote port */
	string tcps_laddr;	/* local address */
	string tcps_raddr;	/* remote address */
	int tcps_state;		/* state, TCP_STATE_ */
	uint32_t tcps_iss;	/* not known, 0 */
	uint32_t tcps_suna;	/* not known, 0 */
	uint32_t tcps_snxt;	/* not known, 0 */
	uint32_t tcps_rack;	/* not known, 0 */
	uint32_t tcps_rnxt;	/* not known, 0 */
	uint32_t tcps_swnd;	/* not known, 0 */
	int32_t tcps_snd_ws;	/* scale of the send window */
	uint32_t tcps_rwnd;	/* receive window */
	int32_t tcps_rcv_ws;	/* scale of the receive window */
	uint32_t tcps_cwnd;	/* not known, 0 */
	uint32_t tcps_cwnd_ssthresh;	/* not known, 0 */
	uint32_t tcps_sack_fack;	/* not known, 0 */
	uint32_t tcps_sack_snxt;	/* not known, 0 */
	uint32_t tcps_rto;	/* not known, 0 */
	uint32_t tcps_mss;	/* largest segment */
	int tcps_retransmit;	/* not known, 0 */
} tcpsinfo_t;

translator tcpsinfo_t < struct etw_net *N > {
	tcps_addr = N->connid;
	tcps_local = ip_from[N] == ip_to[N];
	tcps_active = 0;
	tcps_lport = N->received ? N->dport : N->sport;
	tcps_rport = N->received ? N->sport : N->dport;
	tcps_laddr = N->received ? ip_to[N] : ip_from[N];
	tcps_raddr = N->received ? ip_from[N] : ip_to[N];
	tcps_state = N->state;
	tcps_iss = 0;
	tcps_suna = 0;
	tcps_snxt = 0;
	tcps_rack = 0;
	tcps_rnxt = 0;
	tcps_swnd = 0;
	tcps_snd_ws = N->snd_scale;
	tcps_rwnd = N->window;
	tcps_rcv_ws = N->rcv_scale;
	tcps_cwnd = 0;
	tcps_cwnd_ssthresh = 0;
	tcps_sack_fack = 0;
	tcps_sack_snxt = 0;
	tcps_rto = 0;
	tcps_mss = N->mss;
	tcps_retransmit = 0;
};

/* The state before. */
typedef struct tcplsinfo {
	int tcps_state;		/* TCP_STATE_ */
} tcplsinfo_t;

translator tcplsinfo_t < struct etw_net *N > {
	tcps_state = N->oldstate;
};

typedef struct udpsinfo {
	uintptr_t udps_addr;	/* 0 on every Windows that we have seen */
	uint16_t udps_lport;	/* local port */
	uint16_t udps_rport;	/* remote port */
	string udps_laddr;	/* local address */
	string udps_raddr;	/* remote address */
} udpsinfo_t;

translator udpsinfo_t < struct etw_net *N > {
	udps_addr = N->connid;
	udps_lport = N->received ? N->dport : N->sport;
	udps_rport = N->received ? N->sport : N->dport;
	udps_laddr = N->received ? ip_to[N] : ip_from[N];
	udps_raddr = N->received ? ip_from[N] : ip_to[N];
};
