/* Distributions in one line each, by keys of every type, with positive and negative counts. */
#pragma D option quiet
#pragma D option aggpack

struct key { char name[4]; int n; };
struct key k;

BEGIN
{
	k.name[0] = 'k';
	k.n = 3;
	@a[1, "one"] = quantize(1, 5);
	@a[1, "one"] = quantize(1024, 50);
	@a[-20, "two"] = quantize(-4, 7);
	@a[-20, "two"] = quantize(4, -2);
	@b[(char)'c', (short)-7] = lquantize(5, 0, 10, 2);
	@b[(char)'c', (short)-7] = lquantize(-5, 0, 10, 2);
	@b[(char)'c', (short)-7] = lquantize(50, 0, 10, 2, 9);
	@c[func((uintptr_t)0x1234)] = quantize(3);
	@d[stack()] = quantize(2);
	@e[k.name] = llquantize(300, 10, 0, 3, 20);
	exit(0);
}
