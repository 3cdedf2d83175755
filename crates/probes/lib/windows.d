/*
 * Constants of Windows' headers, under their names there: what fileinfo_t's fi_cflags, fi_sflags and fi_aflags hold.
 */

/* fi_sflags: what others may do meanwhile. */
inline int FILE_SHARE_READ = 0x1;
inline int FILE_SHARE_WRITE = 0x2;
inline int FILE_SHARE_DELETE = 0x4;

/* fi_cflags >> 24: what to do when the file is there, or is not. */
inline int FILE_SUPERSEDE = 0;
inline int FILE_OPEN = 1;
inline int FILE_CREATE = 2;
inline int FILE_OPEN_IF = 3;
inline int FILE_OVERWRITE = 4;
inline int FILE_OVERWRITE_IF = 5;

/* fi_cflags: how to open it. */
inline int FILE_DIRECTORY_FILE = 0x1;
inline int FILE_WRITE_THROUGH = 0x2;
inline int FILE_SEQUENTIAL_ONLY = 0x4;
inline int FILE_NO_INTERMEDIATE_BUFFERING = 0x8;
inline int FILE_SYNCHRONOUS_IO_ALERT = 0x10;
inline int FILE_SYNCHRONOUS_IO_NONALERT = 0x20;
inline int FILE_NON_DIRECTORY_FILE = 0x40;
inline int FILE_CREATE_TREE_CONNECTION = 0x80;
inline int FILE_COMPLETE_IF_OPLOCKED = 0x100;
inline int FILE_NO_EA_KNOWLEDGE = 0x200;
inline int FILE_OPEN_REMOTE_INSTANCE = 0x400;
inline int FILE_RANDOM_ACCESS = 0x800;
inline int FILE_DELETE_ON_CLOSE = 0x1000;
inline int FILE_OPEN_BY_FILE_ID = 0x2000;
inline int FILE_OPEN_FOR_BACKUP_INTENT = 0x4000;
inline int FILE_NO_COMPRESSION = 0x8000;
inline int FILE_OPEN_REQUIRING_OPLOCK = 0x10000;
inline int FILE_DISALLOW_EXCLUSIVE = 0x20000;
inline int FILE_SESSION_AWARE = 0x40000;
inline int FILE_RESERVE_OPFILTER = 0x100000;
inline int FILE_OPEN_REPARSE_POINT = 0x200000;
inline int FILE_OPEN_NO_RECALL = 0x400000;
inline int FILE_OPEN_FOR_FREE_SPACE_QUERY = 0x800000;

/* fi_aflags: what kind of file it is. */
inline int FILE_ATTRIBUTE_READONLY = 0x1;
inline int FILE_ATTRIBUTE_HIDDEN = 0x2;
inline int FILE_ATTRIBUTE_SYSTEM = 0x4;
inline int FILE_ATTRIBUTE_DIRECTORY = 0x10;
inline int FILE_ATTRIBUTE_ARCHIVE = 0x20;
inline int FILE_ATTRIBUTE_DEVICE = 0x40;
inline int FILE_ATTRIBUTE_NORMAL = 0x80;
inline int FILE_ATTRIBUTE_TEMPORARY = 0x100;
inline int FILE_ATTRIBUTE_SPARSE_FILE = 0x200;
inline int FILE_ATTRIBUTE_REPARSE_POINT = 0x400;
inline int FILE_ATTRIBUTE_COMPRESSED = 0x800;
inline int FILE_ATTRIBUTE_OFFLINE = 0x1000;
inline int FILE_ATTRIBUTE_NOT_CONTENT_INDEXED = 0x2000;
inline int FILE_ATTRIBUTE_ENCRYPTED = 0x4000;
inline int FILE_ATTRIBUTE_INTEGRITY_STREAM = 0x8000;
inline int FILE_ATTRIBUTE_VIRTUAL = 0x10000;
inline int FILE_ATTRIBUTE_NO_SCRUB_DATA = 0x20000;
inline int FILE_ATTRIBUTE_EA = 0x40000;
inline int FILE_ATTRIBUTE_PINNED = 0x80000;
inline int FILE_ATTRIBUTE_UNPINNED = 0x100000;
inline int FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS = 0x400000;
