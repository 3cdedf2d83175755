#pragma D option quiet

BEGIN
{
	n = 0;
	this->x = 0 && n++;
	this->x = 1 || n++;
	this->x = 1 ? 0 : n++;
	printf("%d\n", n);
	this->x = 1 && n++;
	this->x = 0 || n++;
	printf("%d %d\n", n, !!this->x);
	exit(0);
}
