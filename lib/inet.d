/*
 * Internet addresses.
 */

#pragma D depends_on library types.d

typedef uint32_t ipaddr_t;
typedef uint32_t in_addr_t;
typedef struct in6_addr { uint8_t _S6_u8[16]; } in6_addr_t;

inline int AF_INET = 2;
inline int AF_INET6 = 23;
