/*
 * Events as records: what args[0] of the hwconfig and dnet probes points at. A number takes eight bytes
 * whatever its size in the event; a field that is not a number is text.
 * Printed from the event tables by a test of crates/probes (TRACEWELL_BLESS=1).
 */

#pragma D depends_on library types.d

/* hwconfig:::cpu */
typedef struct etw_systemconfig_10 {
	uint64_t MHz;
	uint64_t NumberOfProcessors;
	uint64_t MemSize;
	uint64_t PageSize;
	uint64_t AllocationGranularity;
	trace_text_t ComputerName;
	trace_text_t DomainName;
	uint64_t HyperThreadingFlag;
	uint64_t HighestUserAddress;
	uint64_t ProcessorArchitecture;
	uint64_t ProcessorLevel;
	uint64_t ProcessorRevision;
	uint64_t PaeEnabled;
	uint64_t NxEnabled;
	uint64_t MemorySpeed;
	trace_text_t ProcessorArchitecture_str;
} etw_systemconfig_10_t;

/* hwconfig:::disk-phy */
typedef struct etw_systemconfig_11 {
	uint64_t DiskNumber;
	uint64_t BytesPerSector;
	uint64_t SectorsPerTrack;
	uint64_t TracksPerCylinder;
	uint64_t Cylinders;
	uint64_t SCSIPort;
	uint64_t SCSIPath;
	uint64_t SCSITarget;
	uint64_t SCSILun;
	trace_text_t Manufacturer;
	uint64_t PartitionCount;
	uint64_t WriteCacheEnabled;
	uint64_t Pad;
	trace_text_t BootDriveLetter;
	trace_text_t Spare;
} etw_systemconfig_11_t;

/* hwconfig:::disk-log */
typedef struct etw_systemconfig_12 {
	uint64_t StartOffset;
	uint64_t PartitionSize;
	uint64_t DiskNumber;
	uint64_t Size;
	uint64_t DriveType;
	trace_text_t DriveLetterString;
	uint64_t Pad1;
	uint64_t PartitionNumber;
	uint64_t SectorsPerCluster;
	uint64_t BytesPerSector;
	uint64_t Pad2;
	int64_t NumberOfFreeClusters;
	int64_t TotalNumberOfClusters;
	trace_text_t FileSystem;
	uint64_t VolumeExt;
	uint64_t Pad3;
	uint64_t Pad;
	trace_text_t DriveType_str;
} etw_systemconfig_12_t;

/* hwconfig:::nic */
typedef struct etw_systemconfig_13 {
	uint64_t PhysicalAddr;
	uint64_t PhysicalAddrLen;
	uint64_t Ipv4Index;
	uint64_t Ipv6Index;
	trace_text_t NICDescription;
	trace_text_t IpAddresses;
	trace_text_t DnsServerAddresses;
	trace_text_t NICName;
	uint64_t Index;
	uint64_t Size;
	trace_text_t IpAddress;
	trace_text_t SubnetMask;
	trace_text_t DhcpServer;
	trace_text_t Gateway;
	trace_text_t PrimaryWinsServer;
	trace_text_t SecondaryWinsServer;
	trace_text_t DnsServer1;
	trace_text_t DnsServer2;
	trace_text_t DnsServer3;
	trace_text_t DnsServer4;
	uint64_t Data;
	trace_text_t PhysicalAddr_str;
} etw_systemconfig_13_t;

/* hwconfig:::video */
typedef struct etw_systemconfig_14 {
	uint64_t MemorySize;
	uint64_t XResolution;
	uint64_t YResolution;
	uint64_t BitsPerPixel;
	uint64_t VRefresh;
	trace_text_t ChipType;
	trace_text_t DACType;
	trace_text_t AdapterString;
	trace_text_t BiosString;
	trace_text_t DeviceId;
	uint64_t StateFlags;
} etw_systemconfig_14_t;

/* hwconfig:::service */
typedef struct etw_systemconfig_15 {
	uint64_t ProcessId;
	uint64_t ServiceState;
	uint64_t SubProcessTag;
	trace_text_t ServiceName;
	trace_text_t DisplayName;
	trace_text_t ProcessName;
	trace_text_t LoadOrderGroup;
	trace_text_t SvchostGroup;
	trace_text_t ServiceState_str;
} etw_systemconfig_15_t;

/* hwconfig:::power */
typedef struct etw_systemconfig_16 {
	uint64_t s1;
	uint64_t s2;
	uint64_t s3;
	uint64_t s4;
	uint64_t s5;
	uint64_t Pad1;
	uint64_t Pad2;
	uint64_t Pad3;
} etw_systemconfig_16_t;

/* hwconfig:::network */
typedef struct etw_systemconfig_17 {
	uint64_t TcbTablePartitions;
	uint64_t MaxHashTableSize;
	uint64_t MaxUserPort;
	uint64_t TcpTimedWaitDelay;
} etw_systemconfig_17_t;

/* hwconfig:::disk-optical */
typedef struct etw_systemconfig_18 {
	uint64_t DiskNumber;
	uint64_t BusType;
	uint64_t DeviceType;
	uint64_t MediaType;
	uint64_t StartingOffset;
	uint64_t Size;
	uint64_t NumberOfFreeBlocks;
	uint64_t TotalNumberOfBlocks;
	uint64_t NextWritableAddress;
	uint64_t NumberOfSessions;
	uint64_t NumberOfTracks;
	uint64_t BytesPerSector;
	uint64_t DiscStatus;
	uint64_t LastSessionStatus;
	trace_text_t DriveLetter;
	trace_text_t FileSystemName;
	trace_text_t DeviceName;
	trace_text_t ManufacturerName;
	trace_text_t BusType_str;
} etw_systemconfig_18_t;

/* hwconfig:::irq */
typedef struct etw_systemconfig_21 {
	uint64_t IRQAffinity;
	uint64_t IRQGroup;
	uint64_t Reserved;
	int64_t IRQNum;
	uint64_t DeviceDescriptionLen;
	trace_text_t DeviceDescription;
} etw_systemconfig_21_t;

/* hwconfig:::pnp */
typedef struct etw_systemconfig_22 {
	trace_text_t ClassGuid;
	uint64_t UpperFiltersCount;
	uint64_t LowerFiltersCount;
	uint64_t DevStatus;
	uint64_t DevProblem;
	trace_text_t DeviceID;
	trace_text_t DeviceDescription;
	trace_text_t FriendlyName;
	trace_text_t PdoName;
	trace_text_t ServiceName;
	trace_text_t *UpperFilters;
	trace_text_t *LowerFilters;
	uint64_t IDLength;
	uint64_t DescriptionLength;
	uint64_t FriendlyNameLength;
	trace_text_t DevStatus_str;
	uint64_t UpperFilters_count;
	trace_text_t UpperFilters_str;
	uint64_t LowerFilters_count;
	trace_text_t LowerFilters_str;
} etw_systemconfig_22_t;

/* hwconfig:::ide */
typedef struct etw_systemconfig_23 {
	uint64_t TargetId;
	uint64_t DeviceType;
	uint64_t DeviceTimingMode;
	uint64_t LocationInformationLen;
	trace_text_t LocationInformation;
	trace_text_t DeviceType_str;
	trace_text_t DeviceTimingMode_str;
} etw_systemconfig_23_t;

/* hwconfig:::platform */
typedef struct etw_systemconfig_25 {
	trace_text_t SystemManufacturer;
	trace_text_t SystemProductName;
	trace_text_t BiosDate;
	trace_text_t BiosVersion;
} etw_systemconfig_25_t;

/* hwconfig:::dpi */
typedef struct etw_systemconfig_28 {
	uint64_t MachineDPI;
	uint64_t UserDPI;
} etw_systemconfig_28_t;

/* hwconfig:::code-integrity */
typedef struct etw_systemconfig_29 {
	uint64_t CodeIntegrityInfo;
} etw_systemconfig_29_t;

/* hwconfig:::telemetry */
typedef struct etw_systemconfig_30 {
	trace_text_t MachineId;
} etw_systemconfig_30_t;

/* hwconfig:::defrag */
typedef struct etw_systemconfig_31 {
	trace_text_t DefragInfo;
	void *DefragInfo_raw;
	uint64_t DefragInfo_size;
} etw_systemconfig_31_t;

/* hwconfig:::dev-family */
typedef struct etw_systemconfig_33 {
	uint64_t UAPInfo;
	uint64_t DeviceFamily;
	uint64_t DeviceForm;
	trace_text_t DeviceFamily_str;
} etw_systemconfig_33_t;

/* hwconfig:::flight-ids */
typedef struct etw_systemconfig_34 {
	trace_text_t UpdateId;
	trace_text_t FlightIdList;
} etw_systemconfig_34_t;

/* hwconfig:::processor */
typedef struct etw_systemconfig_35 {
	uint64_t ProcessorIndex;
	uint64_t FeatureSet;
	uint64_t ProcessorSpeed;
	trace_text_t ProcessorName;
	trace_text_t ProcessorIdentifier;
	trace_text_t VendorIdentifier;
} etw_systemconfig_35_t;

/* hwconfig:::virtualization */
typedef struct etw_systemconfig_36 {
	uint64_t VbsEnabled;
	uint64_t HvciEnabled;
	uint64_t HyperVisorEnabled;
	uint64_t Reserved;
} etw_systemconfig_36_t;

/* hwconfig:::boot */
typedef struct etw_systemconfig_37 {
	uint64_t BootFlags;
	uint64_t FirmwareType;
	uint64_t SecureBootEnabled;
	uint64_t SecureBootCapable;
	uint64_t Reserved1;
	uint64_t Reserved2;
	trace_text_t FirmwareType_str;
} etw_systemconfig_37_t;

/* dnet:::runtime */
typedef struct etw_dotnet_187 {
	uint64_t ClrInstanceID;
	uint64_t Sku;
	uint64_t BclMajorVersion;
	uint64_t BclMinorVersion;
	uint64_t BclBuildNumber;
	uint64_t BclQfeNumber;
	uint64_t VMMajorVersion;
	uint64_t VMMinorVersion;
	uint64_t VMBuildNumber;
	uint64_t VMQfeNumber;
	uint64_t StartupFlags;
	uint64_t StartupMode;
	trace_text_t CommandLine;
	trace_text_t ComObjectGuid;
	trace_text_t RuntimeDllPath;
	trace_text_t Sku_str;
	trace_text_t StartupFlags_str;
	trace_text_t StartupMode_str;
} etw_dotnet_187_t;

/* dnet:::excp */
typedef struct etw_dotnet_80 {
	trace_text_t ExceptionType;
	trace_text_t ExceptionMessage;
	uint64_t ExceptionEIP;
	uint64_t ExceptionHRESULT;
	uint64_t ExceptionFlags;
	uint64_t ClrInstanceID;
	trace_text_t ExceptionHRESULT_str;
	trace_text_t ExceptionFlags_str;
} etw_dotnet_80_t;

/* dnet:::lck-wait, dnet:::lck-done */
typedef struct etw_dotnet_lock {
	uint64_t ContentionFlags;
	uint64_t ClrInstanceID;
	trace_text_t DurationNs;
	trace_text_t ContentionFlags_str;
} etw_dotnet_lock_t;

/* dnet:::thr-start, dnet:::io-start */
typedef struct etw_dotnet_pool {
	uint64_t IOThreadCount;
	uint64_t RetiredIOThreads;
	uint64_t ClrInstanceID;
	uint64_t ActiveWorkerThreadCount;
	uint64_t RetiredWorkerThreadCount;
} etw_dotnet_pool_t;

/* dnet:::thr-stop */
typedef struct etw_dotnet_51 {
	uint64_t ActiveWorkerThreadCount;
	uint64_t RetiredWorkerThreadCount;
	uint64_t ClrInstanceID;
} etw_dotnet_51_t;

/* dnet:::thr-retire */
typedef struct etw_dotnet_52 {
	uint64_t ActiveWorkerThreadCount;
	uint64_t RetiredWorkerThreadCount;
	uint64_t ClrInstanceID;
} etw_dotnet_52_t;

/* dnet:::thr-unretire */
typedef struct etw_dotnet_53 {
	uint64_t ActiveWorkerThreadCount;
	uint64_t RetiredWorkerThreadCount;
	uint64_t ClrInstanceID;
} etw_dotnet_53_t;

/* dnet:::io-exit */
typedef struct etw_dotnet_45 {
	uint64_t IOThreadCount;
	uint64_t RetiredIOThreads;
	uint64_t ClrInstanceID;
} etw_dotnet_45_t;

/* dnet:::io-retire */
typedef struct etw_dotnet_46 {
	uint64_t IOThreadCount;
	uint64_t RetiredIOThreads;
	uint64_t ClrInstanceID;
} etw_dotnet_46_t;

/* dnet:::io-unretire */
typedef struct etw_dotnet_47 {
	uint64_t IOThreadCount;
	uint64_t RetiredIOThreads;
	uint64_t ClrInstanceID;
} etw_dotnet_47_t;

/* dnet:::adj */
typedef struct etw_dotnet_54 {
	trace_text_t Throughput;
	uint64_t ClrInstanceID;
} etw_dotnet_54_t;

/* dnet:::adj-adj */
typedef struct etw_dotnet_55 {
	trace_text_t AverageThroughput;
	uint64_t NewWorkerThreadCount;
	uint64_t Reason;
	uint64_t ClrInstanceID;
	trace_text_t Reason_str;
} etw_dotnet_55_t;

/* dnet:::adj-stats */
typedef struct etw_dotnet_56 {
	trace_text_t Duration;
	trace_text_t Throughput;
	trace_text_t ThreadWave;
	trace_text_t ThroughputWave;
	trace_text_t ThroughputErrorEstimate;
	trace_text_t AverageThroughputErrorEstimate;
	trace_text_t ThroughputRatio;
	trace_text_t Confidence;
	trace_text_t NewControlSetting;
	uint64_t NewThreadWaveMagnitude;
	uint64_t ClrInstanceID;
} etw_dotnet_56_t;

/* dnet:::method-jit-begin */
typedef struct etw_dotnet_145 {
	uint64_t MethodID;
	uint64_t ModuleID;
	uint64_t MethodToken;
	uint64_t MethodILSize;
	trace_text_t MethodNamespace;
	trace_text_t MethodName;
	trace_text_t MethodSignature;
	uint64_t ClrInstanceID;
} etw_dotnet_145_t;

/* dnet:::method-load */
typedef struct etw_dotnet_143 {
	uint64_t MethodID;
	uint64_t ModuleID;
	uint64_t MethodStartAddress;
	uint64_t MethodSize;
	uint64_t MethodToken;
	uint64_t MethodFlags;
	trace_text_t MethodNamespace;
	trace_text_t MethodName;
	trace_text_t MethodSignature;
	uint64_t ClrInstanceID;
	uint64_t ReJITID;
	trace_text_t MethodFlags_str;
} etw_dotnet_143_t;

/* dnet:::method-unload */
typedef struct etw_dotnet_144 {
	uint64_t MethodID;
	uint64_t ModuleID;
	uint64_t MethodStartAddress;
	uint64_t MethodSize;
	uint64_t MethodToken;
	uint64_t MethodFlags;
	trace_text_t MethodNamespace;
	trace_text_t MethodName;
	trace_text_t MethodSignature;
	uint64_t ClrInstanceID;
	uint64_t ReJITID;
	trace_text_t MethodFlags_str;
} etw_dotnet_144_t;

/* dnet:::static-method-load */
typedef struct etw_dotnet_136 {
	uint64_t none;
} etw_dotnet_136_t;

/* dnet:::static-method-unload */
typedef struct etw_dotnet_137 {
	uint64_t MethodID;
	uint64_t ModuleID;
	uint64_t MethodStartAddress;
	uint64_t MethodSize;
	uint64_t MethodToken;
	uint64_t MethodFlags;
	trace_text_t MethodFlags_str;
} etw_dotnet_137_t;

/* dnet:::inline-fail */
typedef struct etw_dotnet_186 {
	trace_text_t MethodBeingCompiledNamespace;
	trace_text_t MethodBeingCompiledName;
	trace_text_t MethodBeingCompiledNameSignature;
	trace_text_t InlinerNamespace;
	trace_text_t InlinerName;
	trace_text_t InlinerNameSignature;
	trace_text_t InlineeNamespace;
	trace_text_t InlineeName;
	trace_text_t InlineeNameSignature;
	uint64_t FailAlways;
	trace_text_t FailReason;
	uint64_t ClrInstanceID;
} etw_dotnet_186_t;

/* dnet:::inline-success */
typedef struct etw_dotnet_185 {
	trace_text_t MethodBeingCompiledNamespace;
	trace_text_t MethodBeingCompiledName;
	trace_text_t MethodBeingCompiledNameSignature;
	trace_text_t InlinerNamespace;
	trace_text_t InlinerName;
	trace_text_t InlinerNameSignature;
	trace_text_t InlineeNamespace;
	trace_text_t InlineeName;
	trace_text_t InlineeNameSignature;
	uint64_t ClrInstanceID;
} etw_dotnet_185_t;

/* dnet:::tailcall-fail */
typedef struct etw_dotnet_189 {
	trace_text_t MethodBeingCompiledNamespace;
	trace_text_t MethodBeingCompiledName;
	trace_text_t MethodBeingCompiledNameSignature;
	trace_text_t CallerNamespace;
	trace_text_t CallerName;
	trace_text_t CallerNameSignature;
	trace_text_t CalleeNamespace;
	trace_text_t CalleeName;
	trace_text_t CalleeNameSignature;
	uint64_t TailPrefix;
	trace_text_t FailReason;
	uint64_t ClrInstanceID;
} etw_dotnet_189_t;

/* dnet:::tailcall-success */
typedef struct etw_dotnet_188 {
	trace_text_t MethodBeingCompiledNamespace;
	trace_text_t MethodBeingCompiledName;
	trace_text_t MethodBeingCompiledNameSignature;
	trace_text_t CallerNamespace;
	trace_text_t CallerName;
	trace_text_t CallerNameSignature;
	trace_text_t CalleeNamespace;
	trace_text_t CalleeName;
	trace_text_t CalleeNameSignature;
	uint64_t TailPrefix;
	uint64_t TailCallType;
	uint64_t ClrInstanceID;
	trace_text_t TailCallType_str;
} etw_dotnet_188_t;

/* dnet:::stub-gen */
typedef struct etw_dotnet_88 {
	uint64_t ClrInstanceID;
	uint64_t ModuleID;
	uint64_t StubMethodID;
	uint64_t StubFlags;
	uint64_t ManagedInteropMethodToken;
	trace_text_t ManagedInteropMethodNamespace;
	trace_text_t ManagedInteropMethodName;
	trace_text_t ManagedInteropMethodSignature;
	trace_text_t NativeMethodSignature;
	trace_text_t StubMethodSignature;
	trace_text_t StubMethodILCode;
	trace_text_t StubFlags_str;
} etw_dotnet_88_t;

/* dnet:::stub-hit */
typedef struct etw_dotnet_89 {
	uint64_t ClrInstanceID;
	uint64_t ModuleID;
	uint64_t StubMethodID;
	uint64_t ManagedInteropMethodToken;
	trace_text_t ManagedInteropMethodNamespace;
	trace_text_t ManagedInteropMethodName;
	trace_text_t ManagedInteropMethodSignature;
} etw_dotnet_89_t;

/* dnet:::thr-create */
typedef struct etw_dotnet_85 {
	uint64_t ManagedThreadID;
	uint64_t AppDomainID;
	uint64_t Flags;
	uint64_t ManagedThreadIndex;
	uint64_t OSThreadID;
	uint64_t ClrInstanceID;
	trace_text_t Flags_str;
} etw_dotnet_85_t;

/* dnet:::mem-allocate */
typedef struct etw_dotnet_83 {
	uint64_t AppDomainID;
	uint64_t Allocated;
	uint64_t ClrInstanceID;
} etw_dotnet_83_t;

/* dnet:::mem-survive */
typedef struct etw_dotnet_84 {
	uint64_t AppDomainID;
	uint64_t Survived;
	uint64_t ProcessSurvived;
	uint64_t ClrInstanceID;
} etw_dotnet_84_t;

/* dnet:::thr-enter */
typedef struct etw_dotnet_87 {
	uint64_t ManagedThreadID;
	uint64_t AppDomainID;
	uint64_t ClrInstanceID;
} etw_dotnet_87_t;

/* dnet:::thr-exit */
typedef struct etw_dotnet_86 {
	uint64_t ManagedThreadID;
	uint64_t AppDomainID;
	uint64_t ClrInstanceID;
} etw_dotnet_86_t;

/* dnet:::strongname-start */
typedef struct etw_dotnet_181 {
	uint64_t VerificationFlags;
	uint64_t ErrorCode;
	trace_text_t FullyQualifiedAssemblyName;
	uint64_t ClrInstanceID;
	trace_text_t ErrorCode_str;
} etw_dotnet_181_t;

/* dnet:::strongname-end */
typedef struct etw_dotnet_182 {
	uint64_t VerificationFlags;
	uint64_t ErrorCode;
	trace_text_t FullyQualifiedAssemblyName;
	uint64_t ClrInstanceID;
	trace_text_t ErrorCode_str;
} etw_dotnet_182_t;

/* dnet:::authcode-start */
typedef struct etw_dotnet_183 {
	uint64_t VerificationFlags;
	uint64_t ErrorCode;
	trace_text_t ModulePath;
	uint64_t ClrInstanceID;
	trace_text_t ErrorCode_str;
} etw_dotnet_183_t;

/* dnet:::authcode-end, dnet:::authocode-end */
typedef struct etw_dotnet_184 {
	uint64_t VerificationFlags;
	uint64_t ErrorCode;
	trace_text_t ModulePath;
	uint64_t ClrInstanceID;
	trace_text_t ErrorCode_str;
} etw_dotnet_184_t;

/* dnet:::appdomain-load */
typedef struct etw_dotnet_156 {
	uint64_t AppDomainID;
	uint64_t AppDomainFlags;
	trace_text_t AppDomainName;
	uint64_t AppDomainIndex;
	uint64_t ClrInstanceID;
	trace_text_t AppDomainFlags_str;
} etw_dotnet_156_t;

/* dnet:::appdomain-unload */
typedef struct etw_dotnet_157 {
	uint64_t AppDomainID;
	uint64_t AppDomainFlags;
	trace_text_t AppDomainName;
	uint64_t AppDomainIndex;
	uint64_t ClrInstanceID;
	trace_text_t AppDomainFlags_str;
} etw_dotnet_157_t;

/* dnet:::assembly-load */
typedef struct etw_dotnet_154 {
	uint64_t AssemblyID;
	uint64_t AppDomainID;
	uint64_t BindingID;
	uint64_t AssemblyFlags;
	trace_text_t FullyQualifiedAssemblyName;
	uint64_t ClrInstanceID;
	trace_text_t AssemblyFlags_str;
} etw_dotnet_154_t;

/* dnet:::assembly-unload */
typedef struct etw_dotnet_155 {
	uint64_t AssemblyID;
	uint64_t AppDomainID;
	uint64_t BindingID;
	uint64_t AssemblyFlags;
	trace_text_t FullyQualifiedAssemblyName;
	uint64_t ClrInstanceID;
	trace_text_t AssemblyFlags_str;
} etw_dotnet_155_t;

/* dnet:::module-load */
typedef struct etw_dotnet_152 {
	uint64_t ModuleID;
	uint64_t AssemblyID;
	uint64_t ModuleFlags;
	uint64_t Reserved1;
	trace_text_t ModuleILPath;
	trace_text_t ModuleNativePath;
	uint64_t ClrInstanceID;
	trace_text_t ManagedPdbSignature;
	uint64_t ManagedPdbAge;
	trace_text_t ManagedPdbBuildPath;
	trace_text_t NativePdbSignature;
	uint64_t NativePdbAge;
	trace_text_t NativePdbBuildPath;
	trace_text_t ModuleFlags_str;
} etw_dotnet_152_t;

/* dnet:::module-unload */
typedef struct etw_dotnet_153 {
	uint64_t ModuleID;
	uint64_t AssemblyID;
	uint64_t ModuleFlags;
	uint64_t Reserved1;
	trace_text_t ModuleILPath;
	trace_text_t ModuleNativePath;
	uint64_t ClrInstanceID;
	trace_text_t ManagedPdbSignature;
	uint64_t ManagedPdbAge;
	trace_text_t ManagedPdbBuildPath;
	trace_text_t NativePdbSignature;
	uint64_t NativePdbAge;
	trace_text_t NativePdbBuildPath;
	trace_text_t ModuleFlags_str;
} etw_dotnet_153_t;

/* dnet:::module-range */
typedef struct etw_dotnet_158 {
	uint64_t ClrInstanceID;
	uint64_t ModuleID;
	uint64_t RangeBegin;
	uint64_t RangeSize;
	uint64_t RangeType;
	trace_text_t RangeType_str;
} etw_dotnet_158_t;

/* dnet:::gc-start, dnet:::suspend-start, dnet:::finalizer-end */
typedef struct etw_dotnet_gc {
	uint64_t Count;
	uint64_t ClrInstanceID;
	uint64_t Reason;
	uint64_t Depth;
	uint64_t Type;
	uint64_t ClientSequenceNumber;
	trace_text_t Reason_str;
	trace_text_t Type_str;
} etw_dotnet_gc_t;

/* dnet:::gc-end */
typedef struct etw_dotnet_2 {
	uint64_t Count;
	uint64_t Depth;
	uint64_t ClrInstanceID;
} etw_dotnet_2_t;

/* dnet:::resume-end */
typedef struct etw_dotnet_3 {
	uint64_t ClrInstanceID;
} etw_dotnet_3_t;

/* dnet:::heapstat */
typedef struct etw_dotnet_4 {
	uint64_t GenerationSize0;
	uint64_t TotalPromotedSize0;
	uint64_t GenerationSize1;
	uint64_t TotalPromotedSize1;
	uint64_t GenerationSize2;
	uint64_t TotalPromotedSize2;
	uint64_t GenerationSize3;
	uint64_t TotalPromotedSize3;
	uint64_t FinalizationPromotedSize;
	uint64_t FinalizationPromotedCount;
	uint64_t PinnedObjectCount;
	uint64_t SinkBlockCount;
	uint64_t GCHandleCount;
	uint64_t ClrInstanceID;
	uint64_t GenerationSize4;
	uint64_t TotalPromotedSize4;
} etw_dotnet_4_t;

/* dnet:::seg-create, dnet:::seg-free */
typedef struct etw_dotnet_segment {
	uint64_t Address;
	uint64_t ClrInstanceID;
	uint64_t Size;
	uint64_t Type;
	trace_text_t Type_str;
} etw_dotnet_segment_t;

/* dnet:::resume-begin */
typedef struct etw_dotnet_7 {
	uint64_t ClrInstanceID;
} etw_dotnet_7_t;

/* dnet:::suspend-end */
typedef struct etw_dotnet_8 {
	uint64_t ClrInstanceID;
} etw_dotnet_8_t;

/* dnet:::allocate-tick */
typedef struct etw_dotnet_10 {
	uint64_t AllocationAmount;
	uint64_t AllocationKind;
	uint64_t ClrInstanceID;
	uint64_t AllocationAmount64;
	uint64_t TypeID;
	trace_text_t TypeName;
	uint64_t HeapIndex;
	uint64_t Address;
	uint64_t ObjectSize;
	trace_text_t AllocationKind_str;
} etw_dotnet_10_t;

/* dnet:::conc-thr-create */
typedef struct etw_dotnet_11 {
	uint64_t ClrInstanceID;
} etw_dotnet_11_t;

/* dnet:::conc-thr-exit */
typedef struct etw_dotnet_12 {
	uint64_t ClrInstanceID;
} etw_dotnet_12_t;

/* dnet:::finalizer-begin */
typedef struct etw_dotnet_14 {
	uint64_t ClrInstanceID;
} etw_dotnet_14_t;
