/* The memory that memref() names, up to its own size and the size in printm(). */
#pragma D option quiet

BEGIN
{
	this->p = (char *)alloca(20);
	this->p[0] = 'A';
	this->p[17] = 0x7f;
	printm(20, memref(this->p, 20));
	printm(20, memref(this->p, 4));
	exit(0);
}
