/*
 * The .NET runtime: the dnet probes.
 */

#pragma D depends_on library records.d

inline int NET_GC_SMALL_OBJ_HEAP_ALLOC = 0;
inline int NET_GC_INDUCED = 1;
inline int NET_GC_LOW_MEMORY = 2;
inline int NET_GC_LARGE_OBJ_HEAP_ALLOC = 4;
inline int NET_GC_OOS_SMALL = 5;
inline int NET_GC_OOS_LARGE = 6;
inline int NET_GC_INDUCED_NFBLK = 7;
inline int NET_GC_TYPE_BLKING_O = 0;
inline int NET_GC_TYPE_BG = 1;
inline int NET_GC_TYPE_BLKING_D = 2;
inline int NET_GC_ALLOC_SMALL_OBJ = 0;
inline int NET_GC_ALLOC_LARGE_OBJ = 1;
inline int NET_GC_ALLOC_RD_ONLY = 3;
inline int NET_GC_NATIVE_THR = 1;
inline int NET_GC_MANG_THR = 0;

/* The runtime started. */
typedef struct netrt {
	uint64_t clr_instid;
	uint64_t clr_sku;
	uint64_t clr_ms_maj;
	uint64_t clr_ms_min;
	uint64_t clr_ms_bld;
	uint64_t clr_ms_fix;
	uint64_t clr_msmaj;	/* the same once more, by shorter names */
	uint64_t clr_msmin;
	uint64_t clr_msbld;
	uint64_t clr_msfix;
	uint64_t clr_clr_maj;
	uint64_t clr_clr_min;
	uint64_t clr_clr_bld;
	uint64_t clr_clr_fix;
	uint64_t clr_clrmaj;
	uint64_t clr_clrmin;
	uint64_t clr_clrbld;
	uint64_t clr_clrfix;
	uint64_t clr_startflags;
	uint64_t clr_startmode;
	string clr_cmdline;
	string clr_guid;
	string clr_clrpath;
} netrt_t;

translator netrt_t < struct etw_dotnet_187 *R > {
	clr_instid = R->ClrInstanceID;
	clr_sku = R->Sku;
	clr_ms_maj = R->BclMajorVersion;
	clr_msmaj = R->BclMajorVersion;
	clr_ms_min = R->BclMinorVersion;
	clr_msmin = R->BclMinorVersion;
	clr_ms_bld = R->BclBuildNumber;
	clr_msbld = R->BclBuildNumber;
	clr_ms_fix = R->BclQfeNumber;
	clr_msfix = R->BclQfeNumber;
	clr_clr_maj = R->VMMajorVersion;
	clr_clrmaj = R->VMMajorVersion;
	clr_clr_min = R->VMMinorVersion;
	clr_clrmin = R->VMMinorVersion;
	clr_clr_bld = R->VMBuildNumber;
	clr_clrbld = R->VMBuildNumber;
	clr_clr_fix = R->VMQfeNumber;
	clr_clrfix = R->VMQfeNumber;
	clr_startflags = R->StartupFlags;
	clr_startmode = R->StartupMode;
	clr_cmdline = stringof(R->CommandLine);
	clr_guid = stringof(R->ComObjectGuid);
	clr_clrpath = stringof(R->RuntimeDllPath);
};

/* An exception. */
typedef struct netexcp {
	string clr_excep;
	string clr_excepmsg;
	uint64_t clr_ip;
	uint64_t clr_res;
	uint64_t clr_flags;
	uint64_t clr_instid;
} netexcp_t;

translator netexcp_t < struct etw_dotnet_80 *R > {
	clr_excep = stringof(R->ExceptionType);
	clr_excepmsg = stringof(R->ExceptionMessage);
	clr_ip = R->ExceptionEIP;
	clr_res = R->ExceptionHRESULT;
	clr_flags = R->ExceptionFlags;
	clr_instid = R->ClrInstanceID;
};

/* A stub between managed and native code. */
typedef struct netirop {
	uint64_t clr_modid;
	uint64_t clr_stubid;
	uint64_t clr_stubflags;
	uint64_t clr_mngitoken;
	string clr_mim_namespace;
	string clr_mim_name;
	string clr_mim_sig;
	string clr_nm_sig;
	string clr_stub_sig;
	string clr_stub_code;
	uint64_t clr_instid;
} netirop_t;

translator netirop_t < struct etw_dotnet_88 *R > {
	clr_modid = R->ModuleID;
	clr_stubid = R->StubMethodID;
	clr_stubflags = R->StubFlags;
	clr_mngitoken = R->ManagedInteropMethodToken;
	clr_mim_namespace = stringof(R->ManagedInteropMethodNamespace);
	clr_mim_name = stringof(R->ManagedInteropMethodName);
	clr_mim_sig = stringof(R->ManagedInteropMethodSignature);
	clr_nm_sig = stringof(R->NativeMethodSignature);
	clr_stub_sig = stringof(R->StubMethodSignature);
	clr_stub_code = stringof(R->StubMethodILCode);
	clr_instid = R->ClrInstanceID;
};

/* An application domain. */
typedef struct netappdom {
	uint64_t clr_appdomid;
	uint64_t clr_appdomflgs;
	string clr_appdomname;
	uint64_t clr_appdomindex;
	uint64_t clr_instid;
} netappdom_t;

translator netappdom_t < struct etw_dotnet_156 *R > {
	clr_appdomid = R->AppDomainID;
	clr_appdomflgs = R->AppDomainFlags;
	clr_appdomname = stringof(R->AppDomainName);
	clr_appdomindex = R->AppDomainIndex;
	clr_instid = R->ClrInstanceID;
};

/* An assembly. */
typedef struct netassm {
	uint64_t clr_assmid;
	uint64_t clr_appdmid;
	uint64_t clr_bindid;
	uint64_t clr_assmflgs;
	string clr_assmname;
	uint64_t clr_instid;
} netassm_t;

translator netassm_t < struct etw_dotnet_154 *R > {
	clr_assmid = R->AssemblyID;
	clr_appdmid = R->AppDomainID;
	clr_bindid = R->BindingID;
	clr_assmflgs = R->AssemblyFlags;
	clr_assmname = stringof(R->FullyQualifiedAssemblyName);
	clr_instid = R->ClrInstanceID;
};

/* A module. */
typedef struct netmodule {
	uint64_t clr_modid;
	uint64_t clr_assmid;
	uint64_t clr_modflgs;
	uint64_t clr_reserved;
	string clr_modilpath;
	string clr_modnativepath;
	uint64_t clr_instid;
	string clr_mngpdb_guid;
	uint64_t clr_mngpdb_age;
	string clr_mngpdb_path;
	string clr_nativepdb_guid;
	uint64_t clr_nativepdb_age;
	string clr_nativepdb_path;
} netmodule_t;

translator netmodule_t < struct etw_dotnet_152 *R > {
	clr_modid = R->ModuleID;
	clr_assmid = R->AssemblyID;
	clr_modflgs = R->ModuleFlags;
	clr_reserved = R->Reserved1;
	clr_modilpath = stringof(R->ModuleILPath);
	clr_modnativepath = stringof(R->ModuleNativePath);
	clr_instid = R->ClrInstanceID;
	clr_mngpdb_guid = stringof(R->ManagedPdbSignature);
	clr_mngpdb_age = R->ManagedPdbAge;
	clr_mngpdb_path = stringof(R->ManagedPdbBuildPath);
	clr_nativepdb_guid = stringof(R->NativePdbSignature);
	clr_nativepdb_age = R->NativePdbAge;
	clr_nativepdb_path = stringof(R->NativePdbBuildPath);
};

/* Sizes of the heap after a collection. */
typedef struct netgcheapstat {
	uint64_t gc_gensz0;
	uint64_t gc_gensz1;
	uint64_t gc_gensz2;
	uint64_t gc_gensz3;
	uint64_t gc_gensz4;
	uint64_t gc_totpromsize0;
	uint64_t gc_totpromsize1;
	uint64_t gc_totpromsize2;
	uint64_t gc_totpromsize3;
	uint64_t gc_totpromsize4;
	uint64_t gc_finpromsz;
	uint64_t gc_finpromcount;
	uint64_t gc_pinnedobjco;
	uint64_t gc_sinkblkcount;
	uint64_t gc_gchandcount;
	uint64_t clr_instid;
} netgcheapstat_t;

translator netgcheapstat_t < struct etw_dotnet_4 *R > {
	gc_gensz0 = R->GenerationSize0;
	gc_gensz1 = R->GenerationSize1;
	gc_gensz2 = R->GenerationSize2;
	gc_gensz3 = R->GenerationSize3;
	gc_gensz4 = R->GenerationSize4;
	gc_totpromsize0 = R->TotalPromotedSize0;
	gc_totpromsize1 = R->TotalPromotedSize1;
	gc_totpromsize2 = R->TotalPromotedSize2;
	gc_totpromsize3 = R->TotalPromotedSize3;
	gc_totpromsize4 = R->TotalPromotedSize4;
	gc_finpromsz = R->FinalizationPromotedSize;
	gc_finpromcount = R->FinalizationPromotedCount;
	gc_pinnedobjco = R->PinnedObjectCount;
	gc_sinkblkcount = R->SinkBlockCount;
	gc_gchandcount = R->GCHandleCount;
	clr_instid = R->ClrInstanceID;
};

/* A hundred kilobytes or so were allocated. */
typedef struct netgcalloctick {
	uint64_t gc_amt;
	uint64_t gc_kind;
	uint64_t clr_instid;
	uint64_t gc_amt64;
	uint64_t gc_typeid;
	string gc_typename;
	uint64_t gc_heapindex;
	uint64_t gc_addr;
} netgcalloctick_t;

translator netgcalloctick_t < struct etw_dotnet_10 *R > {
	gc_amt = R->AllocationAmount;
	gc_kind = R->AllocationKind;
	clr_instid = R->ClrInstanceID;
	gc_amt64 = R->AllocationAmount64;
	gc_typeid = R->TypeID;
	gc_typename = stringof(R->TypeName);
	gc_heapindex = R->HeapIndex;
	gc_addr = R->Address;
};

/* A collection. */
typedef struct netgc {
	uint64_t clr_instid;
	uint64_t gc_count;
	uint64_t gc_depth;
	uint64_t gc_reason;
	uint64_t gc_type;
	uint64_t gc_addr;	/* not known, 0: only segments have one */
	uint64_t gc_size;	/* not known, 0 */
} netgc_t;

translator netgc_t < struct etw_dotnet_gc *R > {
	clr_instid = R->ClrInstanceID;
	gc_count = R->Count;
	gc_depth = R->Depth;
	gc_reason = R->Reason;
	gc_type = R->Type;
	gc_addr = 0;
	gc_size = 0;
};

/* A segment of the heap. */
typedef struct netgcseg {
	uint64_t gc_addr;
	uint64_t gc_size;
	uint64_t gc_type;
	uint64_t clr_instid;
} netgcseg_t;

translator netgcseg_t < struct etw_dotnet_segment *R > {
	gc_addr = R->Address;
	gc_size = R->Size;
	gc_type = R->Type;
	clr_instid = R->ClrInstanceID;
};

/* A contended lock. */
typedef struct netlck {
	uint64_t lck_flags;
	uint64_t clr_instid;
} netlck_t;

translator netlck_t < struct etw_dotnet_lock *R > {
	lck_flags = R->ContentionFlags;
	clr_instid = R->ClrInstanceID;
};

/* A managed thread. */
typedef struct netthr {
	uint64_t clr_thrid;
	uint64_t clr_appdmid;
	uint64_t clr_flgs;
	uint64_t clr_mngthrindex;
	uint64_t clr_osthrid;
	uint64_t clr_instid;
} netthr_t;

translator netthr_t < struct etw_dotnet_85 *R > {
	clr_thrid = R->ManagedThreadID;
	clr_appdmid = R->AppDomainID;
	clr_flgs = R->Flags;
	clr_mngthrindex = R->ManagedThreadIndex;
	clr_osthrid = R->OSThreadID;
	clr_instid = R->ClrInstanceID;
};

/* Threads of the pool. */
typedef struct netthrinfo {
	uint64_t clr_thrco;
	uint64_t clr_retireco;
	uint64_t clr_instid;
} netthrinfo_t;

translator netthrinfo_t < struct etw_dotnet_pool *R > {
	clr_thrco = R->ActiveWorkerThreadCount + R->IOThreadCount;
	clr_retireco = R->RetiredWorkerThreadCount + R->RetiredIOThreads;
	clr_instid = R->ClrInstanceID;
};
