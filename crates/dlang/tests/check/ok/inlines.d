inline int base = 10;
inline int twice[int n] = n * 2 + base;
inline string who = execname;

BEGIN
{
	trace(twice[twice[pid]]);
	trace(who);
}
