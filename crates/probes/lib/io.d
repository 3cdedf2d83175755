/*
 * Disk transfers: io:::start and io:::done.
 */

#pragma D depends_on library native.d

inline int B_READ = 1;
inline int B_WRITE = 2;
inline int B_FLUSH = 4;

inline int IRP_NOCACHE = 0x1;
inline int IRP_PAGING_IO = 0x2;
inline int IRP_MOUNT_COMPLETION = 0x2;
inline int IRP_SYNCHRONOUS_API = 0x4;
inline int IRP_ASSOCIATED_IRP = 0x8;
inline int IRP_BUFFERED_IO = 0x10;
inline int IRP_DEALLOCATE_BUFFER = 0x20;
inline int IRP_INPUT_OPERATION = 0x40;
inline int IRP_SYNCHRONOUS_PAGING_IO = 0x40;
inline int IRP_CREATE_OPERATION = 0x80;
inline int IRP_READ_OPERATION = 0x100;
inline int IRP_READ = 0x100;
inline int IRP_WRITE_OPERATION = 0x200;
inline int IRP_WRITE = 0x200;
inline int IRP_CLOSE_OPERATION = 0x400;
inline int IRP_CLOSE = 0x400;
inline int IRP_DEFER_IO_COMPLETION = 0x800;
inline int IRP_OB_QUERY_NAME = 0x1000;
inline int IRP_HOLD_DEVICE_QUEUE = 0x2000;
inline int IRP_RETRY_IO_COMPLETION = 0x4000;

typedef struct bufinfo {
	int b_flags;		/* B_READ, B_WRITE or B_FLUSH */
	int b_irpflags;		/* IRP_ flags */
	size_t b_bcount;	/* bytes */
	uintptr_t b_addr;	/* request packet */
	uint64_t b_blkno;	/* byte offset on the disk */
	uint64_t b_lblkno;	/* the same */
	size_t b_resid;		/* not known, 0 */
	size_t b_bufsize;	/* bytes */
	uintptr_t b_iodone;	/* not known, 0 */
	int b_error;		/* not known, 0 */
	int b_edev;		/* disk number */
	uint64_t b_resp;	/* response time in nanoseconds (done) */
	uint64_t resp;		/* the same */
	int b_tid;		/* thread that issued it */
} bufinfo_t;

translator bufinfo_t < struct etw_disk *B > {
	b_flags = B->flags;
	b_irpflags = B->irp_flags;
	b_bcount = B->size;
	b_addr = B->irp;
	b_blkno = B->offset;
	b_lblkno = B->offset;
	b_resid = 0;
	b_bufsize = B->size;
	b_iodone = 0;
	b_error = 0;
	b_edev = B->disk;
	b_resp = B->response;
	resp = B->response;
	b_tid = B->tid;
};

typedef struct devinfo {
	int dev_major;		/* not known, 0 */
	int dev_minor;		/* disk number */
	int dev_instance;	/* disk number */
	string dev_name;	/* disk0, disk1, ... */
	string dev_statname;	/* first two characters of the path (C:), or disk0 where it is not known */
	string dev_pathname;	/* not known, "?" */
} devinfo_t;

translator devinfo_t < struct etw_disk *B > {
	dev_major = 0;
	dev_minor = B->disk;
	dev_instance = B->disk;
	dev_name = strjoin("disk", lltostr(B->disk));
	dev_statname = stringof(B->path) == "<none>" ? strjoin("disk", lltostr(B->disk)) :
	    substr(stringof(B->path), 0, 2);
	dev_pathname = "?";
};

typedef struct fileinfo {
	string fi_name;		/* last part of the path */
	string fi_dirname;	/* the rest of it */
	string fi_pathname;	/* all of it */
	uint64_t fi_offset;	/* byte offset */
	string fi_fs;		/* not known, "?" */
	string fi_mount;	/* not known, "?" */
	int fi_oflags;		/* flags of the request packet */
	uint64_t fi_bcount;	/* bytes */
	uintptr_t fi_irp;	/* request packet */
	uint32_t fi_cflags;	/* disposition and options of an opening; not known for disks, 0 */
	uint32_t fi_aflags;	/* attributes of an opening; not known for disks, 0 */
	uint32_t fi_sflags;	/* sharing of an opening; not known for disks, 0 */
	uint64_t fi_extinfo;	/* what comes with a class of information, or bytes done; not known for disks, 0 */
	uint32_t fi_class;	/* class of information; not known for disks, 0 */
	uint32_t fi_rstatus;	/* NTSTATUS of what is done; not known for disks, 0 */
	uint32_t fi_dbuflen;	/* size of a listing's buffer; not known for disks, 0 */
	string fi_dpattern;	/* pattern of a listing; not known for disks, empty */
	uintptr_t fi_object;	/* file object */
	int fi_tid;		/* thread that asked */
} fileinfo_t;

/* Paths of Linux begin with a slash, and may have a backslash in a name. */
inline string wbasename[string p] =
    index(p, "/") == 0 ? basename(p) :
    strrchr(p, '\\') != NULL ? substr(p, rindex(p, "\\") + 1) : p;
inline string wdirname[string p] =
    index(p, "/") == 0 ? dirname(p) :
    strrchr(p, '\\') != NULL ? substr(p, 0, rindex(p, "\\")) : "";

translator fileinfo_t < struct etw_disk *B > {
	fi_name = wbasename[stringof(B->path)];
	fi_dirname = wdirname[stringof(B->path)];
	fi_pathname = stringof(B->path);
	fi_offset = B->offset;
	fi_fs = "?";
	fi_mount = "?";
	fi_oflags = B->irp_flags;
	fi_bcount = B->size;
	fi_irp = B->irp;
	fi_cflags = 0;
	fi_aflags = 0;
	fi_sflags = 0;
	fi_extinfo = 0;
	fi_class = 0;
	fi_rstatus = 0;
	fi_dbuflen = 0;
	fi_dpattern = "";
	fi_object = B->file_object;
	fi_tid = B->tid;
};

translator fileinfo_t < struct etw_fileop *F > {
	fi_name = wbasename[stringof(F->path)];
	fi_dirname = wdirname[stringof(F->path)];
	fi_pathname = stringof(F->path);
	fi_offset = F->offset;
	fi_fs = "?";
	fi_mount = "?";
	fi_oflags = F->io_flags;
	fi_bcount = F->size;
	fi_irp = F->irp;
	fi_cflags = F->options;
	fi_aflags = F->attributes;
	fi_sflags = F->share;
	fi_extinfo = F->extra;
	fi_class = F->info_class;
	fi_rstatus = F->status;
	fi_dbuflen = F->size;
	fi_dpattern = stringof(F->pattern);
	fi_object = F->object;
	fi_tid = F->tid;
};
