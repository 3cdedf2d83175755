int *p;
int a[5];

BEGIN
{
	p = &a[1];
	*p = 4;
	p[1] = *p + 1;
	this->q = (int *)alloca(sizeof (int) * 2);
	*(this->q + 1) = p - &a[0];
	p++;
	trace(stringof((char *)arg0));
}
