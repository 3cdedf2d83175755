/*
 * Thread states and wait reasons of Windows, for lwpsinfo_t's pr_state and pr_waitr, and waits that ended.
 */

#pragma D depends_on library psinfo.d

inline char THREAD_INITIALIZED = 0;
inline char THREAD_READY = 1;
inline char THREAD_RUNNING = 2;
inline char THREAD_STANDBY = 3;
inline char THREAD_TERMINATED = 4;
inline char THREAD_WAITING = 5;
inline char THREAD_TRANSITION = 6;
inline char THREAD_DEFERRED_READY = 7;

inline string waitreason[int r] =
    r == 0 ? "Executive" : r == 1 ? "FreePage" : r == 2 ? "PageIn" : r == 3 ? "PoolAllocation" :
    r == 4 ? "DelayExecution" : r == 5 ? "Suspended" : r == 6 ? "UserRequest" : r == 7 ? "WrExecutive" :
    r == 8 ? "WrFreePage" : r == 9 ? "WrPageIn" : r == 10 ? "WrPoolAllocation" :
    r == 11 ? "WrDelayExecution" : r == 12 ? "WrSuspended" : r == 13 ? "WrUserRequest" :
    r == 14 ? "WrEventPair" : r == 15 ? "WrQueue" : r == 16 ? "WrLpcReceive" : r == 17 ? "WrLpcReply" :
    r == 18 ? "WrVirtualMemory" : r == 19 ? "WrPageOut" : r == 20 ? "WrRendezvous" :
    r == 21 ? "WrKeyedEvent" : r == 22 ? "WrTerminated" : r == 23 ? "WrProcessInSwap" :
    r == 24 ? "WrCpuRateControl" : r == 25 ? "WrCalloutStack" : r == 26 ? "WrKernel" :
    r == 27 ? "WrResource" : r == 28 ? "WrPushLock" : r == 29 ? "WrMutex" : r == 30 ? "WrQuantumEnd" :
    r == 31 ? "WrDispatchInt" : r == 32 ? "WrPreempted" : r == 33 ? "WrYieldExecution" :
    r == 34 ? "WrFastMutex" : r == 35 ? "WrGuardedMutex" : r == 36 ? "WrRundown" :
    r == 37 ? "WrAlertByThreadId" : r == 38 ? "WrDeferredPreempt" : "?";

typedef struct waitinfo {
	uint64_t wt_start;	/* when it began, in nanoseconds as timestamp */
	uint64_t wt_time;	/* how long it took, in nanoseconds */
	char wt_waitr;		/* wait reason, above */
	int wt_confidence;	/* how sure its cause is, in percent: 100 is a recorded wake-up, 0 no known cause */
	int wt_inferred;	/* whether the cause is inferred */
	uint64_t wt_ran;	/* how long the likely cause ran meanwhile, in nanoseconds; 0 of a recorded wake-up */
	int64_t wt_gap;		/* when that left its processor, in nanoseconds after the end of the wait; negative if before */
} waitinfo_t;

translator waitinfo_t < struct etw_wait *W > {
	wt_start = W->start;
	wt_time = W->time;
	wt_waitr = W->waitr;
	wt_confidence = W->confidence;
	wt_inferred = W->inferred;
	wt_ran = W->ran;
	wt_gap = W->gap;
};
