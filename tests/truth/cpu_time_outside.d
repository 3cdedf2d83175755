/* Time before a processor's first switch and after its last one. */
BEGIN { start = timestamp; }
sched:::on-cpu /!seen[cpu]/ { seen[cpu] = 1; first[cpu] = timestamp - start; }
sched:::on-cpu { last[cpu] = timestamp; }
END
{
	printf("0\t%d\t%d\n", first[0], timestamp - last[0]);
	printf("1\t%d\t%d\n", first[1], timestamp - last[1]);
	printf("2\t%d\t%d\n", first[2], timestamp - last[2]);
	printf("3\t%d\t%d\n", first[3], timestamp - last[3]);
}
