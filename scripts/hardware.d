/*
 * hardware.d: the computer that a trace was recorded on.
 *
 *   dtrace -s scripts/hardware.d -E trace.etl
 *
 * Any kernel session logs this.
 */
#pragma D option quiet

hwconfig:::platform
{
	printf("computer   %s %s, firmware %s of %s\n", args[0]->hw_manufacturer, args[0]->hw_product,
	    args[0]->hw_biosversion, args[0]->hw_biosdate);
}

hwconfig:::cpu
{
	printf("processors %d at %d MHz, %d MB of memory\n", args[0]->hw_cpus, args[0]->hw_mhz,
	    args[0]->hw_memsz);
}

hwconfig:::disk-phy
{
	printf("disk %d     %s, %d partitions\n", args[0]->hw_disk, args[0]->hw_manufacturer,
	    args[0]->hw_partitions);
}

hwconfig:::nic
{
	printf("network    %s: %s\n", args[0]->hw_description, args[0]->hw_addresses);
}

hwconfig:::video
{
	printf("display    %s %dx%d\n", args[0]->hw_adapter, args[0]->hw_xres, args[0]->hw_yres);
}
