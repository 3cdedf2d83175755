/* Stacks as keys, ports and addresses by number. */
#pragma D option quiet

BEGIN
{
	@frames[stack()] = count();
	printa("frames:%k%@d\n", @frames);
	this->port = (uint16_t *)alloca(2);
	*this->port = htons(65001);
	printf("%P\n", *this->port);
	printf("%I\n", "192.0.2.1");
	exit(0);
}
