/*
 * Native records of the probes over ETW events: what the probes pass, before translators.
 * Printed from the table in crates/probes/src/native.rs by `cargo run -p xtask -- goldens`.
 */

#pragma D depends_on library types.d

/* A process, as process events describe it. */
typedef struct etw_proc {
	uint32_t pid;	/* process id */
	uint32_t ppid;	/* id of the process that created it */
	uint32_t sessid;	/* terminal session */
	int32_t exitval;	/* exit status, once it has exited */
	uint32_t model;	/* pointer size in bits, 32 or 64; 0 when unknown */
	uint32_t flags;	/* flags of the process event; 0 in versions before 4, which have none */
	uint64_t addr;	/* address of the kernel's process object */
	uint64_t pageaddr;	/* page directory; 0 in versions 0 and 2, which have none, and for processes of Linux */
	char * name;	/* image name, lower case */
	char * cmdline;	/* command line */
	uint32_t uid;	/* real user; on Linux its number */
	uint32_t gid;	/* real group; 4294967295 if unknown */
	uint32_t euid;	/* effective user */
	uint32_t egid;	/* effective group */
	uint32_t pgid;	/* process group; 0 if unknown */
	uint32_t nlwp;	/* number of threads; 0 if unknown */
	uint32_t argc;	/* number of arguments; 0 if unknown */
	uint32_t reserved;	/* not used */
	uintptr_t argv;	/* address of the pointers to its arguments */
	uintptr_t envp;	/* address of the pointers to its environment */
} etw_proc_t;

/* A thread, with facts from its last context switches. */
typedef struct etw_thread {
	uint32_t tid;	/* thread id */
	uint32_t pid;	/* process id */
	uint32_t ppid;	/* parent process id */
	uint32_t flags;	/* flags of the thread event; 0 in versions before 3, which have none, and for threads of Linux */
	struct etw_proc * proc;	/* its process */
	uint64_t kbase;	/* kernel stack base */
	uint64_t klimit;	/* kernel stack limit */
	uint64_t ubase;	/* user stack base */
	uint64_t ulimit;	/* user stack limit */
	uint64_t start;	/* start address */
	uint64_t affinity;	/* processors it may run on */
	char * t_name;	/* name given to it */
	uint32_t waittm;	/* how long it waited, in ticks */
	uint32_t cpu;	/* processor it last ran on */
	int8_t pri;	/* priority */
	int8_t waitr;	/* wait reason */
	int8_t waitm;	/* wait mode, 0 kernel and 1 user */
	int8_t state;	/* thread state */
	int8_t wipr;	/* ideal processor of the wait */
	uint8_t iopri;	/* input and output priority */
	uint8_t pagepri;	/* page priority */
	uint8_t base_priority;	/* base priority */
} etw_thread_t;

/* A processor. */
typedef struct etw_cpu {
	uint32_t id;	/* its number */
	uint32_t group;	/* processor group */
} etw_cpu_t;

/* A wait that ended. */
typedef struct etw_wait {
	uint64_t start;	/* when it began, in nanoseconds as timestamp */
	uint64_t time;	/* how long it took, in nanoseconds */
	uint64_t ran;	/* how long the thread that it was for ran meanwhile, in nanoseconds */
	int64_t gap;	/* when that thread left its processor, in nanoseconds after the end of the wait */
	uint32_t confidence;	/* how sure it is that the wait was for that thread, in percent */
	int8_t inferred;	/* whether that is inferred */
	int8_t waitr;	/* wait reason */
	uint16_t reserved;	/* not used */
} etw_wait_t;

/* A disk transfer. */
typedef struct etw_disk {
	uint32_t flags;	/* B_READ, B_WRITE or B_FLUSH */
	uint32_t irp_flags;	/* flags of the request packet */
	uint32_t size;	/* bytes */
	uint32_t disk;	/* disk number */
	uint64_t offset;	/* byte offset on the disk */
	uint64_t irp;	/* address of the request packet */
	uint64_t file_object;	/* address of the file object */
	uint64_t response;	/* response time in nanoseconds */
	char * path;	/* path of the file, or `<none>` */
	uint32_t tid;	/* thread that issued it */
	uint32_t reserved;	/* not used */
} etw_disk_t;

/* A file operation. */
typedef struct etw_fileop {
	uint64_t offset;	/* offset of a read or write in the file, in bytes */
	uint64_t irp;	/* address of the request packet */
	uint64_t object;	/* address of the file object */
	uint64_t key;	/* address of the file's control block */
	uint64_t extra;	/* what comes with a class of information; bytes done when an operation is done */
	char * path;	/* path of the file, or `<none>` */
	char * pattern;	/* pattern of a listed folder */
	uint32_t tid;	/* thread that asked */
	uint32_t size;	/* bytes */
	uint32_t io_flags;	/* flags of the request packet */
	uint32_t options;	/* disposition and options of an opening */
	uint32_t attributes;	/* attributes of an opening */
	uint32_t share;	/* sharing of an opening */
	uint32_t info_class;	/* class of information */
	uint32_t index;	/* index of a listing */
	uint32_t status;	/* NTSTATUS, when done */
	uint32_t reserved;	/* not used */
} etw_fileop_t;

/* A registry operation. */
typedef struct etw_reg {
	uint64_t initial_time;	/* when it began, in nanoseconds as timestamp */
	uint64_t key;	/* handle, or control block, of the key */
	char * name;	/* name as the event gives it: of a value, or of a key below the key */
	char * path;	/* full path: of the key and what the event names below it */
	uint32_t status;	/* NTSTATUS */
	uint32_t index;	/* index of a listing */
	uint64_t elapsed;	/* how long it took, in nanoseconds */
} etw_reg_t;

/* A TCP or UDP transfer. */
typedef struct etw_net {
	uint32_t family;	/* address family: 2 or 23 */
	uint32_t size;	/* bytes */
	uint32_t pid;	/* process id */
	uint32_t seq;	/* sequence number */
	uint8_t saddr[16];	/* local address; of a datagram its sender's */
	uint8_t daddr[16];	/* remote address; of a datagram the one it was sent to */
	uint64_t connid;	/* connection; 0 on every Windows that we have seen */
	uint32_t start_time;	/* start time of a send, in ticks */
	uint32_t end_time;	/* end time of a send, in ticks */
	uint32_t window;	/* receive window */
	uint16_t sport;	/* local port; of a datagram its sender's */
	uint16_t dport;	/* remote port; of a datagram the one it was sent to */
	uint16_t mss;	/* largest segment */
	uint16_t sackopt;	/* selective acknowledgement */
	uint16_t tsopt;	/* time stamps */
	uint16_t wsopt;	/* window scaling */
	int16_t rcv_scale;	/* scale of the receive window */
	int16_t snd_scale;	/* scale of the send window */
	uint8_t state;	/* of a connection, on Linux: its state by the numbers of net/tcp_states.h */
	uint8_t oldstate;	/* the state before */
	uint8_t received;	/* whether it was received: then the source is the remote end */
	uint8_t proto;	/* protocol: 6 TCP, 17 UDP */
} etw_net_t;
