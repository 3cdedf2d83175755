/* Floating numbers by each conversion, of both sizes. */
#pragma D option quiet

BEGIN
{
	this->d = (uint64_t *)alloca(8);
	this->f = (uint32_t *)alloca(4);
	*this->d = 0x4002666666666666;
	*this->f = 0xbf400000;
	printf("%f %e %E %g %G\n", *(double *)this->d, *(double *)this->d, *(double *)this->d,
	    *(double *)this->d, *(double *)this->d);
	printf("[%8.2f] [%-8.1f] [%+g] [%.0f]\n", *(float *)this->f, *(float *)this->f, *(double *)this->d,
	    *(double *)this->d);
	*this->d = 0x7e37e43c8800759c;
	printf("%g %G\n", *(double *)this->d, *(double *)this->d);
	exit(0);
}
