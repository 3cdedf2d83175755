/*
 * Hardware and configuration, as every kernel session logs them: the hwconfig probes.
 */

#pragma D depends_on library records.d

/* The processors and the computer. */
typedef struct hwcpu {
	uint64_t hw_mhz;
	uint64_t hw_cpus;
	uint64_t hw_memsz;
	uint64_t hw_pagesz;
	uint64_t hw_granularity;
	string hw_computer;
	string hw_domain;
	uint64_t hw_hyperthread;
	uint64_t hw_maxuseraddr;
	uint64_t hw_arch;
	uint64_t hw_level;
	uint64_t hw_revision;
	uint64_t hw_pae;
	uint64_t hw_nx;
	uint64_t hw_memmhz;
} hwcpu_t;

translator hwcpu_t < struct etw_systemconfig_10 *R > {
	hw_mhz = R->MHz;
	hw_cpus = R->NumberOfProcessors;
	hw_memsz = R->MemSize;
	hw_pagesz = R->PageSize;
	hw_granularity = R->AllocationGranularity;
	hw_computer = stringof(R->ComputerName);
	hw_domain = stringof(R->DomainName);
	hw_hyperthread = R->HyperThreadingFlag;
	hw_maxuseraddr = R->HighestUserAddress;
	hw_arch = R->ProcessorArchitecture;
	hw_level = R->ProcessorLevel;
	hw_revision = R->ProcessorRevision;
	hw_pae = R->PaeEnabled;
	hw_nx = R->NxEnabled;
	hw_memmhz = R->MemorySpeed;
};

/* A service. */
typedef struct hwservice {
	uint64_t hw_pid;
	uint64_t hw_state;
	uint64_t hw_tag;
	string hw_name;
	string hw_display;
	string hw_process;
	string hw_group;
	string hw_svchost;
} hwservice_t;

translator hwservice_t < struct etw_systemconfig_15 *R > {
	hw_pid = R->ProcessId;
	hw_state = R->ServiceState;
	hw_tag = R->SubProcessTag;
	hw_name = stringof(R->ServiceName);
	hw_display = stringof(R->DisplayName);
	hw_process = stringof(R->ProcessName);
	hw_group = stringof(R->LoadOrderGroup);
	hw_svchost = stringof(R->SvchostGroup);
};

/* Virtualization. */
typedef struct hwvirt {
	uint64_t hw_vbs;
	uint64_t hw_hvci;
	uint64_t hw_hypervisor;
} hwvirt_t;

translator hwvirt_t < struct etw_systemconfig_36 *R > {
	hw_vbs = R->VbsEnabled;
	hw_hvci = R->HvciEnabled;
	hw_hypervisor = R->HyperVisorEnabled;
};

/* An interrupt line. */
typedef struct hwirq {
	uint64_t hw_affinity;
	uint64_t hw_group;
	int64_t hw_number;
	string hw_description;
} hwirq_t;

translator hwirq_t < struct etw_systemconfig_21 *R > {
	hw_affinity = R->IRQAffinity;
	hw_group = R->IRQGroup;
	hw_number = R->IRQNum;
	hw_description = stringof(R->DeviceDescription);
};

/* A display adapter. */
typedef struct hwvideo {
	uint64_t hw_memsz;
	uint64_t hw_xres;
	uint64_t hw_yres;
	uint64_t hw_bpp;
	uint64_t hw_refresh;
	string hw_chip;
	string hw_dac;
	string hw_adapter;
	string hw_bios;
	string hw_devid;
	uint64_t hw_state;
} hwvideo_t;

translator hwvideo_t < struct etw_systemconfig_14 *R > {
	hw_memsz = R->MemorySize;
	hw_xres = R->XResolution;
	hw_yres = R->YResolution;
	hw_bpp = R->BitsPerPixel;
	hw_refresh = R->VRefresh;
	hw_chip = stringof(R->ChipType);
	hw_dac = stringof(R->DACType);
	hw_adapter = stringof(R->AdapterString);
	hw_bios = stringof(R->BiosString);
	hw_devid = stringof(R->DeviceId);
	hw_state = R->StateFlags;
};

/* One processor. */
typedef struct hwprocs {
	uint64_t hw_index;
	uint64_t hw_features;
	uint64_t hw_mhz;
	string hw_name;
	string hw_vendor;
	string hw_identifier;
} hwprocs_t;

translator hwprocs_t < struct etw_systemconfig_35 *R > {
	hw_index = R->ProcessorIndex;
	hw_features = R->FeatureSet;
	hw_mhz = R->ProcessorSpeed;
	hw_name = stringof(R->ProcessorName);
	hw_vendor = stringof(R->VendorIdentifier);
	hw_identifier = stringof(R->ProcessorIdentifier);
};

/* A disk. */
typedef struct hwdphy {
	uint64_t hw_disk;
	uint64_t hw_bytespersector;
	uint64_t hw_sectorspertrack;
	uint64_t hw_trackspercyl;
	uint64_t hw_cylinders;
	uint64_t hw_port;
	uint64_t hw_path;
	uint64_t hw_target;
	uint64_t hw_lun;
	string hw_manufacturer;
	uint64_t hw_partitions;
	uint64_t hw_writecache;
	string hw_bootdrive;
} hwdphy_t;

translator hwdphy_t < struct etw_systemconfig_11 *R > {
	hw_disk = R->DiskNumber;
	hw_bytespersector = R->BytesPerSector;
	hw_sectorspertrack = R->SectorsPerTrack;
	hw_trackspercyl = R->TracksPerCylinder;
	hw_cylinders = R->Cylinders;
	hw_port = R->SCSIPort;
	hw_path = R->SCSIPath;
	hw_target = R->SCSITarget;
	hw_lun = R->SCSILun;
	hw_manufacturer = stringof(R->Manufacturer);
	hw_partitions = R->PartitionCount;
	hw_writecache = R->WriteCacheEnabled;
	hw_bootdrive = stringof(R->BootDriveLetter);
};

/* A volume. */
typedef struct hwdlog {
	uint64_t hw_start;
	uint64_t hw_partsize;
	uint64_t hw_disk;
	uint64_t hw_size;
	uint64_t hw_type;
	string hw_drive;
	uint64_t hw_partition;
	uint64_t hw_sectorspercluster;
	uint64_t hw_bytespersector;
	uint64_t hw_freeclusters;
	uint64_t hw_clusters;
	string hw_fs;
	uint64_t hw_volext;
} hwdlog_t;

translator hwdlog_t < struct etw_systemconfig_12 *R > {
	hw_start = R->StartOffset;
	hw_partsize = R->PartitionSize;
	hw_disk = R->DiskNumber;
	hw_size = R->Size;
	hw_type = R->DriveType;
	hw_drive = stringof(R->DriveLetterString);
	hw_partition = R->PartitionNumber;
	hw_sectorspercluster = R->SectorsPerCluster;
	hw_bytespersector = R->BytesPerSector;
	hw_freeclusters = R->NumberOfFreeClusters;
	hw_clusters = R->TotalNumberOfClusters;
	hw_fs = stringof(R->FileSystem);
	hw_volext = R->VolumeExt;
};

/* An optical drive. */
typedef struct hwopt {
	uint64_t hw_disk;
	uint64_t hw_bus;
	uint64_t hw_device;
	uint64_t hw_media;
	uint64_t hw_start;
	uint64_t hw_size;
	uint64_t hw_freeblocks;
	uint64_t hw_blocks;
	uint64_t hw_nextwrite;
	uint64_t hw_sessions;
	uint64_t hw_tracks;
	uint64_t hw_bytespersector;
	uint64_t hw_status;
	uint64_t hw_sessionstatus;
	string hw_drive;
	string hw_fs;
	string hw_devname;
	string hw_manufacturer;
} hwopt_t;

translator hwopt_t < struct etw_systemconfig_18 *R > {
	hw_disk = R->DiskNumber;
	hw_bus = R->BusType;
	hw_device = R->DeviceType;
	hw_media = R->MediaType;
	hw_start = R->StartingOffset;
	hw_size = R->Size;
	hw_freeblocks = R->NumberOfFreeBlocks;
	hw_blocks = R->TotalNumberOfBlocks;
	hw_nextwrite = R->NextWritableAddress;
	hw_sessions = R->NumberOfSessions;
	hw_tracks = R->NumberOfTracks;
	hw_bytespersector = R->BytesPerSector;
	hw_status = R->DiscStatus;
	hw_sessionstatus = R->LastSessionStatus;
	hw_drive = stringof(R->DriveLetter);
	hw_fs = stringof(R->FileSystemName);
	hw_devname = stringof(R->DeviceName);
	hw_manufacturer = stringof(R->ManufacturerName);
};

/* A device. */
typedef struct hwpnp {
	string hw_class;
	uint64_t hw_status;
	uint64_t hw_problem;
	string hw_id;
	string hw_description;
	string hw_friendly;
	string hw_pdo;
	string hw_service;
	string hw_upper;
	string hw_lower;
} hwpnp_t;

translator hwpnp_t < struct etw_systemconfig_22 *R > {
	hw_class = stringof(R->ClassGuid);
	hw_status = R->DevStatus;
	hw_problem = R->DevProblem;
	hw_id = stringof(R->DeviceID);
	hw_description = stringof(R->DeviceDescription);
	hw_friendly = stringof(R->FriendlyName);
	hw_pdo = stringof(R->PdoName);
	hw_service = stringof(R->ServiceName);
	hw_upper = stringof(R->UpperFilters_str);
	hw_lower = stringof(R->LowerFilters_str);
};

/* Resolution of the screen. */
typedef struct hwdpi {
	uint64_t hw_machine;
	uint64_t hw_user;
} hwdpi_t;

translator hwdpi_t < struct etw_systemconfig_28 *R > {
	hw_machine = R->MachineDPI;
	hw_user = R->UserDPI;
};

/* Settings of the network. */
typedef struct hwnw {
	uint64_t hw_tcbpartitions;
	uint64_t hw_hashsize;
	uint64_t hw_maxuserport;
	uint64_t hw_timedwait;
} hwnw_t;

translator hwnw_t < struct etw_systemconfig_17 *R > {
	hw_tcbpartitions = R->TcbTablePartitions;
	hw_hashsize = R->MaxHashTableSize;
	hw_maxuserport = R->MaxUserPort;
	hw_timedwait = R->TcpTimedWaitDelay;
};

/* A network adapter. */
typedef struct hwnic {
	uint64_t hw_mac;
	uint64_t hw_maclen;
	uint64_t hw_ipv4index;
	uint64_t hw_ipv6index;
	string hw_description;
	string hw_addresses;
	string hw_dns;
} hwnic_t;

translator hwnic_t < struct etw_systemconfig_13 *R > {
	hw_mac = R->PhysicalAddr;
	hw_maclen = R->PhysicalAddrLen;
	hw_ipv4index = R->Ipv4Index;
	hw_ipv6index = R->Ipv6Index;
	hw_description = stringof(R->NICDescription);
	hw_addresses = stringof(R->IpAddresses);
	hw_dns = stringof(R->DnsServerAddresses);
};

/* The computer and its firmware. */
typedef struct hwplat {
	string hw_manufacturer;
	string hw_product;
	string hw_biosdate;
	string hw_biosversion;
} hwplat_t;

translator hwplat_t < struct etw_systemconfig_25 *R > {
	hw_manufacturer = stringof(R->SystemManufacturer);
	hw_product = stringof(R->SystemProductName);
	hw_biosdate = stringof(R->BiosDate);
	hw_biosversion = stringof(R->BiosVersion);
};
