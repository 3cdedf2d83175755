BEGIN
{
	x = 0; x = 1; x = 10u; x = 10U; x = 10l; x = 10L; x = 10ul; x = 10ULL; x = 10ll; x = 10Ul;
	x = 0x0; x = 0xdeadBEEF; x = 0XfFul; x = 0777; x = 00; x = 0l;
	x = 0x7fffffffffffffff; x = 0xffffffffffffffff; x = 18446744073709551615u; x = 9223372036854775807;
	x = 01777777777777777777777;
	x = 'a'; x = '\n'; x = '\0'; x = '\377'; x = '\x41'; x = '\''; x = '"'; x = 'ab'; x = 'abcdefgh'; x = '\\';
	x = ""; x = "a"; x = "\a\b\f\n\r\t\v\\\"\'\?\e"; x = "\0\12\1234\x7e\xff"; x = "/* no comment */";
	x = "joined \
line"; x = "é ∑";
	x = a\
+ b;
}
