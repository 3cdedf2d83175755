#pragma D option quiet

BEGIN
{
	printf("%x %x %llx\n", htons(0x1234), htonl(0x12345678), htonll(0x123456789abcdef0));
	printf("%x %x %llx\n", ntohs(0x1234), ntohl(0x12345678), ntohll(0x123456789abcdef0));
	this->v4 = (uint32_t *)alloca(4);
	*this->v4 = htonl(0x7f000001);
	printf("%s\n", inet_ntoa((ipaddr_t *)this->v4));
	printf("%s\n", inet_ntop(AF_INET, (void *)this->v4));
	this->v6 = (uint8_t *)alloca(16);
	this->v6[0] = 0xfe;
	this->v6[1] = 0x80;
	this->v6[15] = 1;
	printf("%s\n", inet_ntop(AF_INET6, (void *)this->v6));
	printf("%s\n", inet_ntoa6((in6_addr_t *)this->v6));
	exit(0);
}
