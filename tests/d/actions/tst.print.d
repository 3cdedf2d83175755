#pragma D option quiet


enum colour { RED, GREEN = 5 };
struct point { int x; short y; };
struct shape { char name[8]; struct point at; enum colour c; int bits : 3; int list[3]; };
struct shape s;

BEGIN
{
	s.name[0] = 'o';
	s.name[1] = 'k';
	s.at.x = 7;
	s.at.y = -1;
	s.c = GREEN;
	s.bits = 2;
	s.list[1] = 9;
	print(s);
	printf("\n");
	print(s.at);
	printf("\n");
	print(12);
	printf("\n");
	print("text");
	printf("\n");
	exit(0);
}
