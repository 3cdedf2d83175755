#pragma D option quiet

BEGIN
{
	this->p = (char *)alloca(20);
	this->p[0] = 'A';
	this->p[17] = 0x7f;
	tracemem(this->p, 20);
	tracemem(this->p, 20, 4);
	exit(0);
}
