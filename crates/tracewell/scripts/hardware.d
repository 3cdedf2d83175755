#!/usr/bin/env -S dtrace -s
/*
 * hardware.d: the computer that a trace was recorded on: an inventory.
 *
 *   dtrace hardware trace.etl
 *
 * Any kernel session logs this; `dtrace -l -n hwconfig::: -E trace.etl` says what. Example:
 *
 *   computer    Contoso Model 7, firmware 1.02 of 01/02/2020
 *   processors  8 at 2600 MHz, 16384 MB of memory; HOST in DOMAIN
 */
#pragma D option quiet
#pragma D option zdefs

hwconfig:::platform
{
	printf("computer    %s %s, firmware %s of %s\n", args[0]->hw_manufacturer, args[0]->hw_product,
	    args[0]->hw_biosversion, args[0]->hw_biosdate);
}

hwconfig:::cpu
{
	printf("processors  %d at %d MHz, %d MB of memory; %s%s%s\n", args[0]->hw_cpus, args[0]->hw_mhz,
	    args[0]->hw_memsz, args[0]->hw_computer, args[0]->hw_domain == "" ? "" : " in ", args[0]->hw_domain);
}

hwconfig:::processor
{
	printf("processor   %d: %s at %d MHz\n", args[0]->hw_index, args[0]->hw_name, args[0]->hw_mhz);
}

hwconfig:::virtualization
{
	printf("security    virtualization-based %s, code integrity %s, hypervisor %s\n",
	    args[0]->hw_vbs ? "on" : "off", args[0]->hw_hvci ? "on" : "off", args[0]->hw_hypervisor ? "on" : "off");
}

hwconfig:::disk-phy
{
	printf("disk %-6d %s, %d partitions, %d GB, write cache %s\n", args[0]->hw_disk, args[0]->hw_manufacturer,
	    args[0]->hw_partitions, args[0]->hw_cylinders * args[0]->hw_trackspercyl * args[0]->hw_sectorspertrack *
	    args[0]->hw_bytespersector / 1000000000, args[0]->hw_writecache ? "on" : "off");
}

hwconfig:::disk-log
{
	printf("volume      %s %s on disk %d, %d MB of %d MB free\n", args[0]->hw_drive, args[0]->hw_fs,
	    args[0]->hw_disk, args[0]->hw_freeclusters * args[0]->hw_sectorspercluster * args[0]->hw_bytespersector /
	    1000000, args[0]->hw_clusters * args[0]->hw_sectorspercluster * args[0]->hw_bytespersector / 1000000);
}

hwconfig:::disk-optical
{
	printf("optical     %s %s %s\n", args[0]->hw_drive, args[0]->hw_manufacturer, args[0]->hw_devname);
}

hwconfig:::nic
{
	printf("network     %s: %s%s%s\n", args[0]->hw_description,
	    args[0]->hw_addresses == "" ? "no address" : args[0]->hw_addresses,
	    args[0]->hw_dns == "" ? "" : "\n            name servers ", args[0]->hw_dns);
}

hwconfig:::network
{
	printf("TCP         ports up to %d, timed wait %d\n", args[0]->hw_maxuserport, args[0]->hw_timedwait);
}

hwconfig:::video
{
	printf("display     %s %dx%d, %d bits, %d Hz\n", args[0]->hw_adapter, args[0]->hw_xres, args[0]->hw_yres,
	    args[0]->hw_bpp, args[0]->hw_refresh);
}

hwconfig:::dpi
{
	printf("resolution  %d of the machine, %d of the user\n", args[0]->hw_machine, args[0]->hw_user);
}

hwconfig:::service
/args[0]->hw_pid != 0/
{
	@services[args[0]->hw_process, args[0]->hw_pid] = count();
}

hwconfig:::irq
{
	@irqs[args[0]->hw_number, args[0]->hw_description] = count();
}

hwconfig:::pnp
{
	@devices[args[0]->hw_service, args[0]->hw_friendly == "" ? args[0]->hw_description : args[0]->hw_friendly] =
	    count();
}

END
{
	trunc(@devices, 60);
	printf("\n%-24s %8s %9s\n", "SERVICE PROCESS", "PID", "SERVICES");
	printa("%-24s %8d %@9d\n", @services);
	printf("\n%-24s %8s  DEVICE\n", "DRIVER", "TIMES");
	printa("%-24s %@8d  %s\n", @devices);
	printf("\n%9s  %s\n", "INTERRUPT", "DEVICE");
	printa("%9d  %s\n", @irqs);
}
