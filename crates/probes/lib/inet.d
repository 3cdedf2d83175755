/*
 * Internet addresses. (in6_addr_t is built in.)
 */

inline int AF_INET = 2;
inline int AF_INET6 = 23;
