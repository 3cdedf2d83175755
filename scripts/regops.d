/*
 * regops.d: registry operations by program, kind and full path of the key.
 *
 *   dtrace -s scripts/regops.d -E trace.etl
 *
 * Needs REGISTRY.
 */
#pragma D option quiet

reg:::
{
	@[execname, probename, args[0]->r_rname] = count();
}
