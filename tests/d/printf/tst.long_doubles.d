/* Numbers of 80 bits, which take 16 bytes. */
#pragma D option quiet

BEGIN
{
	this->x = (uint64_t *)alloca(16);
	this->x[0] = 0xc000000000000000;
	this->x[1] = 0x3fff;
	printf("%Lf ", *(long double *)this->x);
	this->x[1] = 0xbffe;
	printf("%Lf ", *(long double *)this->x);
	this->x[0] = 0;
	this->x[1] = 0x8000;
	printf("%Lg ", *(long double *)this->x);
	this->x[0] = 0x8000000000000000;
	this->x[1] = 0x7fff;
	printf("%Lf ", *(long double *)this->x);
	this->x[0] = 0xc000000000000000;
	printf("%Lf\n", *(long double *)this->x);
	exit(0);
}
