BEGIN
{
	u8 = (uint8_t)0x1ff;
	s8 = (int8_t)arg0;
	wide = (int64_t)s8;
	mix = (unsigned)1 + s8;
	div = arg0 / 3 + (uint64_t)arg1 % 5;
	sh = arg0 >> 3 | (uint32_t)arg0 >> 3 | 1 << arg1;
	neg = -arg0 ^ ~arg1;
	big = 0x123456789abcdef0;
	folded = (2 + 3) * 4 - 10 / 3;
}
