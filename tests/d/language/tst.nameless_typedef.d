/*
 * A typedef of a struct with a tag and without a name defines the struct; boolean_t is known (scripts of the toolkit).
 */
#pragma D option quiet

typedef struct pair {
	int first;
	string second;
};

struct pair p;

BEGIN
{
	p.first = 7;
	self->yes = (boolean_t)(p.first == 7);
	printf("%d %d %d\n", p.first, self->yes == B_TRUE, sizeof (boolean_t));
	exit(0);
}
