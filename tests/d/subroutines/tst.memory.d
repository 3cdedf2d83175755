#pragma D option quiet

BEGIN
{
	this->from = (char *)alloca(8);
	this->to = (char *)alloca(8);
	this->from[0] = 'o';
	this->from[1] = 'k';
	bcopy(this->from, this->to, 8);
	printf("%s %d\n", stringof(this->to), rand() == rand());
	printf("%d\n", progenyof(1) == 0 || progenyof(1) == 1);
	exit(0);
}
