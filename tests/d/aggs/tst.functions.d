#pragma D option quiet

BEGIN
{
	@count[1] = count();
	@sum[1] = sum(10);
	@min[1] = min(10);
	@max[1] = max(10);
	@avg[1] = avg(10);
	@stddev[1] = stddev(10);
	@count[1] = count();
	@sum[1] = sum(-3);
	@min[1] = min(-3);
	@max[1] = max(-3);
	@avg[1] = avg(-3);
	@stddev[1] = stddev(-3);
	@count[2] = count();
	@sum[2] = sum(4);
	@min[2] = min(4);
	@max[2] = max(4);
	@avg[2] = avg(4);
	@stddev[2] = stddev(4);
	exit(0);
}
