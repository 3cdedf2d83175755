#pragma D option quiet

BEGIN
{
	@syms[sym((uintptr_t)0x10), mod((uintptr_t)0x10), func((uintptr_t)0x10)] = count();
	@user[usym((uintptr_t)0x10), umod((uintptr_t)0x10), ufunc((uintptr_t)0x10), uaddr((uintptr_t)0x10)] = count();
	exit(0);
}
