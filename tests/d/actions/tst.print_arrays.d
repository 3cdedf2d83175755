/* Arrays of numbers, characters, structs and pointers, and what is nested too deeply. */
#pragma D option quiet

enum state { IDLE, BUSY = 3 };
struct inner { char tag; short list[2]; };
struct row { struct inner cells[2]; char name[6]; char raw[3]; enum state states[2]; double ratio; int *at; };
struct a { int leaf; };
struct b { struct a one; };
struct c { struct b one; };
struct d { struct c one; };
struct e { struct d one; };
struct f { struct e one; };
struct g { struct f one; };
struct h { struct g one; };
struct i { struct h one; };
struct j { struct i one; };

struct row r;
struct j deep;

BEGIN
{
	r.cells[0].tag = 'x';
	r.cells[0].list[0] = -1;
	r.cells[1].tag = '\'';
	r.cells[1].list[1] = 300;
	r.name[0] = 'n';
	r.name[1] = ' ';
	r.name[2] = 'm';
	r.raw[0] = 1;
	r.raw[1] = '"';
	r.states[1] = BUSY;
	r.at = (int *)0x1234;
	print(r);
	printf("\n");
	print(r.cells);
	print(r.cells[1].list);
	print(r.name);
	print(r.raw);
	print(r.states);
	print(r.states[1]);
	print(r.ratio);
	print(r.at);
	print((char)'q');
	print((short)-2);
	deep.one.one.one.one.one.one.one.one.one.leaf = 1;
	print(deep);
	printf("\n");
	exit(0);
}
