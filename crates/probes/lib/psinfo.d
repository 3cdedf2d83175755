/*
 * The current process, thread and processor, as DTrace scripts know them.
 */

#pragma D depends_on library native.d

/* What the built-in variables curthread and curcpu_native point at. */
typedef etw_thread_t kthread_t;
typedef etw_cpu_t cpu_t;

/* Sizes of pointers: pr_dmodel. */
inline char PR_MODEL_UNKNOWN = 0;
inline char PR_MODEL_ILP32 = 1;
inline char PR_MODEL_LP64 = 2;

typedef struct psinfo {
	int pr_ppid;		/* process that created it */
	int pr_pid;		/* process */
	int pr_pgid;		/* process group; 0 when not known */
	int pr_sid;		/* terminal session */
	int pr_nlwp;		/* number of threads; 0 when not known */
	uid_t pr_uid;		/* real user */
	uid_t pr_euid;		/* effective user */
	gid_t pr_gid;		/* real group */
	gid_t pr_egid;		/* effective group */
	int pr_argc;		/* number of arguments; 0 when not known */
	uintptr_t pr_argv;	/* address of the pointers to them */
	uintptr_t pr_envp;	/* address of the pointers to the environment */
	char pr_dmodel;		/* PR_MODEL_ILP32 or PR_MODEL_LP64 */
	uint32_t pr_arch;	/* 32 or 64 */
	uintptr_t pr_addr;	/* kernel object */
	string pr_fname;	/* program, lower case */
	string pr_psargs;	/* command line */
	uint_t pr_arglen;	/* its length */
	int pr_projid;		/* project, task, zone and pool: not known, 0; only Solaris has them */
	int pr_taskid;
	int pr_zoneid;
	int pr_poolid;
} psinfo_t;

translator psinfo_t < struct etw_proc *P > {
	pr_ppid = P->ppid;
	pr_pid = P->pid;
	pr_pgid = P->pgid;
	pr_sid = P->sessid;
	pr_nlwp = P->nlwp;
	pr_uid = P->uid;
	pr_euid = P->euid;
	pr_gid = P->gid;
	pr_egid = P->egid;
	pr_argc = P->argc;
	pr_argv = P->argv;
	pr_envp = P->envp;
	pr_dmodel = P->model == 32 ? PR_MODEL_ILP32 : P->model == 64 ? PR_MODEL_LP64 :
	    PR_MODEL_UNKNOWN;
	pr_arch = P->model;
	pr_addr = P->addr;
	pr_fname = stringof(P->name);
	pr_psargs = stringof(P->cmdline);
	pr_arglen = strlen(stringof(P->cmdline));
	pr_projid = 0;
	pr_taskid = 0;
	pr_zoneid = 0;
	pr_poolid = 0;
};

/* Thread states by DTrace's names: pr_state. The values are those of Windows. */
inline char SIDL = 0;
inline char SRUN = 1;
inline char SONPROC = 2;
inline char SZOMB = 4;
inline char SSLEEP = 5;
inline char SSTOP = 6;

/* What a thread waits for, as far as its wait reason says: pr_stype. */
inline char SOBJ_NONE = 0;
inline char SOBJ_MUTEX = 1;	/* WrMutex, WrFastMutex, WrGuardedMutex */
inline char SOBJ_RWLOCK = 2;	/* WrResource, WrPushLock */
inline char SOBJ_CV = 3;	/* all others, and every wait on Linux */
inline char SOBJ_SEMA = 4;	/* never: no reason says so */
inline char SOBJ_USER = 5;	/* WrKeyedEvent, WrAlertByThreadId */
inline char SOBJ_USER_PI = 6;	/* never */
inline char SOBJ_SHUTTLE = 7;	/* WrLpcReceive, WrLpcReply */

/* Bits of pr_flag, beside those of its event. */
inline int PR_IDLE = 0x10000000;	/* the idle thread of a processor */
inline int PR_ISSYS = 0x20000000;	/* a thread of the system: of the process System, or of Linux's kthreadd */

typedef struct lwpsinfo {
	int pr_lwpid;		/* thread */
	int pr_flag;		/* flags of its event, and PR_ bits */
	int pr_pri;		/* priority */
	char pr_state;		/* thread state, below */
	char pr_sname;		/* the same as a letter */
	short pr_syscall;	/* not known, 0 */
	char pr_stype;		/* what it waits for, SOBJ_ */
	string pr_clname;	/* scheduling class: RT of priorities from 16 on, else TS */
	uintptr_t pr_addr;	/* start address; where none is known, as on Linux, the thread id */
	uintptr_t pr_wchan;	/* not known, 0 */
	char pr_waitr;		/* wait reason, below */
	char pr_waitm;		/* wait mode: 0 kernel, 1 user */
	char pr_wipr;		/* ideal processor of the wait */
	uint32_t pr_waittm;	/* how long it waited, in ticks */
	int pr_cpu;		/* processor it last ran on */
	uint64_t pr_affinity;	/* processors it may run on */
	uint8_t pr_iopri;	/* input and output priority */
	uint8_t pr_pagepri;	/* page priority */
	string pr_tname;	/* name given to it */
} lwpsinfo_t;

translator lwpsinfo_t < struct etw_thread *T > {
	pr_lwpid = T->tid;
	pr_flag = T->flags | (T->tid == 0 ? PR_IDLE : 0) | (T->pid == 0 || T->pid == 2 || T->ppid == 2 ||
	    (T->pid == 4 && T->ppid == 0) ? PR_ISSYS : 0);
	pr_pri = T->pri;
	pr_state = T->state;
	pr_sname = T->state == 2 ? 'O' : T->state == 1 || T->state == 3 || T->state == 7 ? 'R' :
	    T->state == 4 ? 'Z' : 'S';
	pr_syscall = 0;
	pr_stype = T->state != SSLEEP ? SOBJ_NONE :
	    T->waitr == 29 || T->waitr == 34 || T->waitr == 35 ? SOBJ_MUTEX :
	    T->waitr == 27 || T->waitr == 28 ? SOBJ_RWLOCK :
	    T->waitr == 21 || T->waitr == 37 ? SOBJ_USER :
	    T->waitr == 16 || T->waitr == 17 ? SOBJ_SHUTTLE : SOBJ_CV;
	pr_clname = T->pri >= 16 ? "RT" : "TS";
	pr_addr = T->start != 0 ? T->start : T->tid;
	pr_wchan = 0;
	pr_waitr = T->waitr;
	pr_waitm = T->waitm;
	pr_wipr = T->wipr;
	pr_waittm = T->waittm;
	pr_cpu = T->cpu;
	pr_affinity = T->affinity;
	pr_iopri = T->iopri;
	pr_pagepri = T->pagepri;
	pr_tname = stringof(T->t_name);
};

/* A thread's process: args[1] of the probes that pass a thread. */
translator psinfo_t < struct etw_thread *T > {
	pr_ppid = T->proc->ppid;
	pr_pid = T->proc->pid;
	pr_pgid = T->proc->pgid;
	pr_sid = T->proc->sessid;
	pr_nlwp = T->proc->nlwp;
	pr_uid = T->proc->uid;
	pr_euid = T->proc->euid;
	pr_gid = T->proc->gid;
	pr_egid = T->proc->egid;
	pr_argc = T->proc->argc;
	pr_argv = T->proc->argv;
	pr_envp = T->proc->envp;
	pr_dmodel = T->proc->model == 32 ? PR_MODEL_ILP32 : T->proc->model == 64 ? PR_MODEL_LP64 :
	    PR_MODEL_UNKNOWN;
	pr_arch = T->proc->model;
	pr_addr = T->proc->addr;
	pr_fname = stringof(T->proc->name);
	pr_psargs = stringof(T->proc->cmdline);
	pr_arglen = strlen(stringof(T->proc->cmdline));
	pr_projid = 0;
	pr_taskid = 0;
	pr_zoneid = 0;
	pr_poolid = 0;
};

typedef struct cpuinfo {
	int cpu_id;		/* processor */
	int cpu_pset;		/* processor group */
	int cpu_chip;		/* not known, 0 */
	int cpu_lgrp;		/* not known, 0 */
} cpuinfo_t;

translator cpuinfo_t < struct etw_cpu *C > {
	cpu_id = C->id;
	cpu_pset = C->group;
	cpu_chip = 0;
	cpu_lgrp = 0;
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread->proc);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
inline cpuinfo_t *curcpu = xlate <cpuinfo_t *> (curcpu_native);
/* Chip, locality group and processor set: not known. */
inline int chip = 0;
inline int lgrp = 0;
inline int pset = 0;

/* The command line of the current process, by the name that DTrace on Windows has for it. */
inline string execargs = curpsinfo->pr_psargs;

/* The interrupt level, by the name that it has there. */
inline uint_t irql = ipl;
