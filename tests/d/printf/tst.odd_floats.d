/* What is no usual number: infinities, no number at all, zeros, and both ends of the range. */
#pragma D option quiet

BEGIN
{
	this->d = (uint64_t *)alloca(8);
	this->f = (uint32_t *)alloca(4);
	*this->d = 0x7ff0000000000000;
	printf("%f %E [%8g] ", *(double *)this->d, *(double *)this->d, *(double *)this->d);
	*this->d = 0xfff0000000000000;
	printf("%f %g ", *(double *)this->d, *(double *)this->d);
	*this->d = 0x7ff8000000000000;
	printf("%f %G\n", *(double *)this->d, *(double *)this->d);
	*this->d = 0;
	printf("%f %g %e ", *(double *)this->d, *(double *)this->d, *(double *)this->d);
	*this->d = 0x8000000000000000;
	printf("%f %g\n", *(double *)this->d, *(double *)this->d);
	*this->d = 1;
	printf("%g %e ", *(double *)this->d, *(double *)this->d);
	*this->d = 0x7fefffffffffffff;
	printf("%g %e\n", *(double *)this->d, *(double *)this->d);
	*this->f = 0x7f800000;
	printf("%f ", *(float *)this->f);
	*this->f = 0xffc00000;
	printf("%f ", *(float *)this->f);
	*this->f = 0x00000001;
	printf("%g\n", *(float *)this->f);
	*this->d = 0x3ff8000000000000;
	print(*(double *)this->d);
	trace(*(double *)this->d);
	printf("\n");
	exit(0);
}
