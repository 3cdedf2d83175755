#pragma D option quiet


union u { uint32_t whole; uint8_t bytes[4]; };
struct bits { unsigned a : 3; unsigned b : 7; int c : 4; };
union u v;
struct bits w;

BEGIN
{
	v.whole = 0x01020304;
	w.a = 9;
	w.b = 100;
	w.c = -3;
	printf("%d %d %d %d %d\n", v.bytes[0], v.bytes[3], w.a, w.b, w.c);
	exit(0);
}
