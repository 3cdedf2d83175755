//! Made from `tables/kernel.classes` by `cargo run -p xtask -- schema`. Do not edit.

use std::borrow::Cow;

use crate::flag::{self, Flag};
use crate::map::ValueMap;
use crate::model::{Count, Event, EventClass, Field, FieldType, Hint, Length, Version};

/// Every class, in the order of the table.
pub(crate) static CLASSES: [&EventClass; 36] = [
    &CLASS_0,
    &CLASS_1,
    &CLASS_2,
    &CLASS_3,
    &CLASS_4,
    &CLASS_5,
    &CLASS_6,
    &CLASS_7,
    &CLASS_8,
    &CLASS_9,
    &CLASS_10,
    &CLASS_11,
    &CLASS_12,
    &CLASS_13,
    &CLASS_14,
    &CLASS_15,
    &CLASS_16,
    &CLASS_17,
    &CLASS_18,
    &CLASS_19,
    &CLASS_20,
    &CLASS_21,
    &CLASS_22,
    &CLASS_23,
    &CLASS_24,
    &CLASS_25,
    &CLASS_26,
    &CLASS_27,
    &CLASS_28,
    &CLASS_29,
    &CLASS_30,
    &CLASS_31,
    &CLASS_32,
    &CLASS_33,
    &CLASS_34,
    &CLASS_35,
];

/// The class whose hooks have this group byte.
pub(crate) fn class_of_group(group: u8) -> Option<&'static EventClass> {
    match group {
        0 => Some(&CLASS_0),
        3 => Some(&CLASS_2),
        5 => Some(&CLASS_3),
        20 => Some(&CLASS_4),
        1 => Some(&CLASS_5),
        4 => Some(&CLASS_6),
        6 => Some(&CLASS_7),
        8 => Some(&CLASS_8),
        15 => Some(&CLASS_9),
        24 => Some(&CLASS_10),
        2 => Some(&CLASS_11),
        9 => Some(&CLASS_12),
        27 => Some(&CLASS_13),
        26 => Some(&CLASS_14),
        17 => Some(&CLASS_15),
        11 => Some(&CLASS_16),
        7 => Some(&CLASS_22),
        10 => Some(&CLASS_23),
        13 => Some(&CLASS_24),
        14 => Some(&CLASS_25),
        16 => Some(&CLASS_26),
        18 => Some(&CLASS_27),
        19 => Some(&CLASS_28),
        21 => Some(&CLASS_29),
        22 => Some(&CLASS_30),
        23 => Some(&CLASS_31),
        25 => Some(&CLASS_32),
        28 => Some(&CLASS_33),
        29 => Some(&CLASS_34),
        30 => Some(&CLASS_35),
        _ => None,
    }
}

/// The class of a hook outside the group of its class.
pub(crate) fn class_of_stray_hook(group: u8, opcode: u8) -> Option<&'static EventClass> {
    match (group, opcode) {
        (3, 10) => Some(&CLASS_4),
        _ => None,
    }
}

/// GUIDs of the classes.
pub mod guid {
    use tracewell_types::Guid;

    /// EventTrace.
    pub const EVENT_TRACE: Guid = Guid::parse("68fdd900-4a3e-11d1-84f4-0000f80464e3");
    /// Lost_Event.
    pub const LOST_EVENT: Guid = Guid::parse("6a399ae0-4bc6-4de9-870b-3657f8947e7e");
    /// Process.
    pub const PROCESS: Guid = Guid::parse("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");
    /// Thread.
    pub const THREAD: Guid = Guid::parse("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c");
    /// Image.
    pub const IMAGE: Guid = Guid::parse("2cb15d1d-5fc1-11d2-abe1-00a0c911f518");
    /// DiskIo.
    pub const DISK_IO: Guid = Guid::parse("3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c");
    /// FileIo.
    pub const FILE_IO: Guid = Guid::parse("90cbdc39-4a3e-11d1-84f4-0000f80464e3");
    /// TcpIp.
    pub const TCP_IP: Guid = Guid::parse("9a280ac0-c8e0-11d1-84e2-00c04fb998a2");
    /// UdpIp.
    pub const UDP_IP: Guid = Guid::parse("bf3a50c5-a9c9-4988-a005-2df0b7c80f80");
    /// PerfInfo.
    pub const PERF_INFO: Guid = Guid::parse("ce1dbfb4-137e-4da6-87b0-3f59aa102cbc");
    /// StackWalk.
    pub const STACK_WALK: Guid = Guid::parse("def2fe46-7bd6-4b80-bd94-f57fe20d0ce3");
    /// PageFault.
    pub const PAGE_FAULT: Guid = Guid::parse("3d6fa8d3-fe05-11d0-9dda-00c04fd7ba7c");
    /// Registry.
    pub const REGISTRY: Guid = Guid::parse("ae53722e-c863-11d2-8659-00c04fa321a1");
    /// SplitIo.
    pub const SPLIT_IO: Guid = Guid::parse("d837ca92-12b9-44a5-ad6a-3a65b3578aa8");
    /// ALPC.
    pub const ALPC: Guid = Guid::parse("45d8cccd-539f-4b72-a8b7-5c683142609a");
    /// Object.
    pub const OBJECT: Guid = Guid::parse("89497f50-effe-4440-8cf2-ce6b1cdcaca7");
    /// SystemConfig.
    pub const SYSTEM_CONFIG: Guid = Guid::parse("01853a65-418f-4f36-aefc-dc0f1d2fd235");
    /// KernelTraceControl.
    pub const KERNEL_TRACE_CONTROL: Guid = Guid::parse("b3e675d7-2554-4f18-830b-2762732560de");
    /// SystemConfigEx.
    pub const SYSTEM_CONFIG_EX: Guid = Guid::parse("9b79ee91-b5fd-41c0-a243-4248e266e9d0");
    /// EventMetadata.
    pub const EVENT_METADATA: Guid = Guid::parse("bbccf6c1-6cd1-48c4-80ff-839482e37671");
    /// WinSat.
    pub const WIN_SAT: Guid = Guid::parse("ed54dff8-c409-4cf6-bf83-05e1e61a09c4");
    /// PerfTrackMetadata.
    pub const PERF_TRACK_METADATA: Guid = Guid::parse("bf6ef1cb-89b5-490a-80ac-b180cfbcff0f");
    /// Job.
    pub const JOB: Guid = Guid::parse("3282fc76-feed-498e-8aa7-e70f459d430e");
    /// DbgPrint.
    pub const DBG_PRINT: Guid = Guid::parse("13976d09-a327-438c-950b-7f03192815c7");
    /// Wnf.
    pub const WNF: Guid = Guid::parse("42695762-ea50-497a-9068-5cbbb35e0b95");
    /// Pool.
    pub const POOL: Guid = Guid::parse("0268a8b6-74fd-4302-9dd0-6e8f1795c0cf");
    /// Heap.
    pub const HEAP: Guid = Guid::parse("222962ab-6180-4b88-a825-346b75f2a24a");
    /// Power.
    pub const POWER: Guid = Guid::parse("e43445e0-0903-48c3-b878-ff0fccebdd04");
    /// ModBound.
    pub const MOD_BOUND: Guid = Guid::parse("a9152f00-3f58-4bee-92a1-70c7d079d5dd");
    /// Dpc.
    pub const DPC: Guid = Guid::parse("b2d14872-7c5b-463d-8419-ee9bf7d23e04");
    /// Cc.
    pub const CC: Guid = Guid::parse("7687a439-f752-45b8-b741-321aec0f8df9");
    /// CritSec.
    pub const CRIT_SEC: Guid = Guid::parse("3ac66736-cc59-4cff-8115-8df50e39816b");
    /// Ums.
    pub const UMS: Guid = Guid::parse("9aec974b-5b8e-4118-9b92-3186d8002ce5");
    /// ThreadPool.
    pub const THREAD_POOL: Guid = Guid::parse("c861d0e2-a2c1-4d36-9f9c-970bab943a12");
    /// Hypervisor.
    pub const HYPERVISOR: Guid = Guid::parse("7f2a405c-69b5-4bf9-a1f5-30e8f1afab5e");
    /// HypervisorX.
    pub const HYPERVISOR_X: Guid = Guid::parse("2ce9a149-effe-42f0-a635-a1d39e26c8f2");
}

/// Hooks of kernel records: `group << 8 | opcode`.
pub mod hook {
    /// EventTrace Header.
    pub const EVENT_TRACE_HEADER: u16 = 0x0000;
    /// EventTrace Extension.
    pub const EVENT_TRACE_EXTENSION: u16 = 0x0005;
    /// EventTrace RundownComplete.
    pub const EVENT_TRACE_RUNDOWN_COMPLETE: u16 = 0x0008;
    /// EventTrace EndExtension.
    pub const EVENT_TRACE_END_EXTENSION: u16 = 0x0020;
    /// EventTrace RundownBegin.
    pub const EVENT_TRACE_RUNDOWN_BEGIN: u16 = 0x0030;
    /// EventTrace RundownEnd.
    pub const EVENT_TRACE_RUNDOWN_END: u16 = 0x0031;
    /// EventTrace DbgIdRSDS.
    pub const EVENT_TRACE_DBG_ID_RSDS: u16 = 0x0040;
    /// EventTrace DbgidNb10.
    pub const EVENT_TRACE_DBGID_NB10: u16 = 0x0041;
    /// EventTrace BuildLab.
    pub const EVENT_TRACE_BUILD_LAB: u16 = 0x0042;
    /// EventTrace BinaryPath.
    pub const EVENT_TRACE_BINARY_PATH: u16 = 0x0043;
    /// EventTrace HeaderPartitionInfo.
    pub const EVENT_TRACE_HEADER_PARTITION_INFO: u16 = 0x0050;
    /// Process Start.
    pub const PROCESS_START: u16 = 0x0301;
    /// Process End.
    pub const PROCESS_END: u16 = 0x0302;
    /// Process DCStart.
    pub const PROCESS_DCSTART: u16 = 0x0303;
    /// Process DCEnd.
    pub const PROCESS_DCEND: u16 = 0x0304;
    /// Process Terminate.
    pub const PROCESS_TERMINATE: u16 = 0x030b;
    /// Process PerfCtr.
    pub const PROCESS_PERF_CTR: u16 = 0x0320;
    /// Process PerfCtrRundown.
    pub const PROCESS_PERF_CTR_RUNDOWN: u16 = 0x0321;
    /// Process InSwapProcess.
    pub const PROCESS_IN_SWAP_PROCESS: u16 = 0x0323;
    /// Process Freeze.
    pub const PROCESS_FREEZE: u16 = 0x0324;
    /// Process Thaw.
    pub const PROCESS_THAW: u16 = 0x0325;
    /// Process BootPhaseStart.
    pub const PROCESS_BOOT_PHASE_START: u16 = 0x0326;
    /// Process Defunct.
    pub const PROCESS_DEFUNCT: u16 = 0x0327;
    /// Process SetAffinity.
    pub const PROCESS_SET_AFFINITY: u16 = 0x0328;
    /// Process ChargeWakeCounterUser.
    pub const PROCESS_CHARGE_WAKE_COUNTER_USER: u16 = 0x0330;
    /// Process ChargeWakeCounterExecution.
    pub const PROCESS_CHARGE_WAKE_COUNTER_EXECUTION: u16 = 0x0331;
    /// Process ChargeWakeCounterKernel.
    pub const PROCESS_CHARGE_WAKE_COUNTER_KERNEL: u16 = 0x0332;
    /// Process ChargeWakeCounterInstrumentation.
    pub const PROCESS_CHARGE_WAKE_COUNTER_INSTRUMENTATION: u16 = 0x0333;
    /// Process ChargeWakeCounterPreserveProcess.
    pub const PROCESS_CHARGE_WAKE_COUNTER_PRESERVE_PROCESS: u16 = 0x0334;
    /// Process ReleaseWakeCounterUser.
    pub const PROCESS_RELEASE_WAKE_COUNTER_USER: u16 = 0x0340;
    /// Process ReleaseWakeCounterExecution.
    pub const PROCESS_RELEASE_WAKE_COUNTER_EXECUTION: u16 = 0x0341;
    /// Process ReleaseWakeCounterKernel.
    pub const PROCESS_RELEASE_WAKE_COUNTER_KERNEL: u16 = 0x0342;
    /// Process ReleaseWakeCounterInstrumentation.
    pub const PROCESS_RELEASE_WAKE_COUNTER_INSTRUMENTATION: u16 = 0x0343;
    /// Process ReleaseWakeCounterPreserveProcess.
    pub const PROCESS_RELEASE_WAKE_COUNTER_PRESERVE_PROCESS: u16 = 0x0344;
    /// Process WakeDropUser.
    pub const PROCESS_WAKE_DROP_USER: u16 = 0x0350;
    /// Process WakeDropExecution.
    pub const PROCESS_WAKE_DROP_EXECUTION: u16 = 0x0351;
    /// Process WakeDropKernel.
    pub const PROCESS_WAKE_DROP_KERNEL: u16 = 0x0352;
    /// Process WakeDropInstrumentation.
    pub const PROCESS_WAKE_DROP_INSTRUMENTATION: u16 = 0x0353;
    /// Process WakeDropPreserveProcess.
    pub const PROCESS_WAKE_DROP_PRESERVE_PROCESS: u16 = 0x0354;
    /// Process WakeEventUser.
    pub const PROCESS_WAKE_EVENT_USER: u16 = 0x0360;
    /// Process WakeEventExecution.
    pub const PROCESS_WAKE_EVENT_EXECUTION: u16 = 0x0361;
    /// Process WakeEventKernel.
    pub const PROCESS_WAKE_EVENT_KERNEL: u16 = 0x0362;
    /// Process WakeEventInstrumentation.
    pub const PROCESS_WAKE_EVENT_INSTRUMENTATION: u16 = 0x0363;
    /// Process WakeEventPreserveProcess.
    pub const PROCESS_WAKE_EVENT_PRESERVE_PROCESS: u16 = 0x0364;
    /// Process DebugEvent.
    pub const PROCESS_DEBUG_EVENT: u16 = 0x0370;
    /// Process Signal.
    pub const PROCESS_SIGNAL: u16 = 0x0380;
    /// Process SignalHandled.
    pub const PROCESS_SIGNAL_HANDLED: u16 = 0x0381;
    /// Process SignalDiscarded.
    pub const PROCESS_SIGNAL_DISCARDED: u16 = 0x0382;
    /// Thread Start.
    pub const THREAD_START: u16 = 0x0501;
    /// Thread End.
    pub const THREAD_END: u16 = 0x0502;
    /// Thread DCStart.
    pub const THREAD_DCSTART: u16 = 0x0503;
    /// Thread DCEnd.
    pub const THREAD_DCEND: u16 = 0x0504;
    /// Thread CSwitch.
    pub const THREAD_CSWITCH: u16 = 0x0524;
    /// Thread CompCS.
    pub const THREAD_COMP_CS: u16 = 0x0525;
    /// Thread SpinLock.
    pub const THREAD_SPIN_LOCK: u16 = 0x0529;
    /// Thread Queue.
    pub const THREAD_QUEUE: u16 = 0x052a;
    /// Thread Resource.
    pub const THREAD_RESOURCE: u16 = 0x052b;
    /// Thread PushLock.
    pub const THREAD_PUSH_LOCK: u16 = 0x052c;
    /// Thread WaitSingle.
    pub const THREAD_WAIT_SINGLE: u16 = 0x052d;
    /// Thread WaitMultiple.
    pub const THREAD_WAIT_MULTIPLE: u16 = 0x052e;
    /// Thread DelayExecution.
    pub const THREAD_DELAY_EXECUTION: u16 = 0x052f;
    /// Thread SetPriority.
    pub const THREAD_SET_PRIORITY: u16 = 0x0530;
    /// Thread SetBasePriority.
    pub const THREAD_SET_BASE_PRIORITY: u16 = 0x0531;
    /// Thread ReadyThread.
    pub const THREAD_READY_THREAD: u16 = 0x0532;
    /// Thread SetPagePriority.
    pub const THREAD_SET_PAGE_PRIORITY: u16 = 0x0533;
    /// Thread SetIoPriority.
    pub const THREAD_SET_IO_PRIORITY: u16 = 0x0534;
    /// Thread ThreadSetAffinity.
    pub const THREAD_THREAD_SET_AFFINITY: u16 = 0x0535;
    /// Thread WorkerThread.
    pub const THREAD_WORKER_THREAD: u16 = 0x0539;
    /// Thread DfssStartNewInterval.
    pub const THREAD_DFSS_START_NEW_INTERVAL: u16 = 0x053a;
    /// Thread DfssProcessIdleOnlyQueue.
    pub const THREAD_DFSS_PROCESS_IDLE_ONLY_QUEUE: u16 = 0x053b;
    /// Thread AntiStarvationBoost.
    pub const THREAD_ANTI_STARVATION_BOOST: u16 = 0x053c;
    /// Thread ThreadMigration.
    pub const THREAD_THREAD_MIGRATION: u16 = 0x053d;
    /// Thread KQueueEnqueue.
    pub const THREAD_KQUEUE_ENQUEUE: u16 = 0x053e;
    /// Thread KQueueDequeue.
    pub const THREAD_KQUEUE_DEQUEUE: u16 = 0x053f;
    /// Thread WorkerThreadItemStart.
    pub const THREAD_WORKER_THREAD_ITEM_START: u16 = 0x0540;
    /// Thread WorkerThreadItemEnd.
    pub const THREAD_WORKER_THREAD_ITEM_END: u16 = 0x0541;
    /// Thread AutoBoostSetFloor.
    pub const THREAD_AUTO_BOOST_SET_FLOOR: u16 = 0x0542;
    /// Thread AutoBoostClearFloor.
    pub const THREAD_AUTO_BOOST_CLEAR_FLOOR: u16 = 0x0543;
    /// Thread AutoBoostNoEntries.
    pub const THREAD_AUTO_BOOST_NO_ENTRIES: u16 = 0x0544;
    /// Thread ThreadSubProcessTagChanged.
    pub const THREAD_THREAD_SUB_PROCESS_TAG_CHANGED: u16 = 0x0545;
    /// Thread SetName.
    pub const THREAD_SET_NAME: u16 = 0x0548;
    /// Image Unload.
    pub const IMAGE_UNLOAD: u16 = 0x1402;
    /// Image DCStart.
    pub const IMAGE_DCSTART: u16 = 0x1403;
    /// Image DCEnd.
    pub const IMAGE_DCEND: u16 = 0x1404;
    /// Image Load.
    pub const IMAGE_LOAD: u16 = 0x030a;
    /// Image Relocation.
    pub const IMAGE_RELOCATION: u16 = 0x1420;
    /// Image KernelBase.
    pub const IMAGE_KERNEL_BASE: u16 = 0x1421;
    /// Image HypercallPage.
    pub const IMAGE_HYPERCALL_PAGE: u16 = 0x1422;
    /// Image LdrLockAcquireAttempt.
    pub const IMAGE_LDR_LOCK_ACQUIRE_ATTEMPT: u16 = 0x1480;
    /// Image LdrLockAcquireSuccess.
    pub const IMAGE_LDR_LOCK_ACQUIRE_SUCCESS: u16 = 0x1481;
    /// Image LdrLockAcquireFail.
    pub const IMAGE_LDR_LOCK_ACQUIRE_FAIL: u16 = 0x1482;
    /// Image LdrLockAcquireWait.
    pub const IMAGE_LDR_LOCK_ACQUIRE_WAIT: u16 = 0x1483;
    /// Image LdrProcInitDone.
    pub const IMAGE_LDR_PROC_INIT_DONE: u16 = 0x1484;
    /// Image LdrCreateSection.
    pub const IMAGE_LDR_CREATE_SECTION: u16 = 0x1485;
    /// Image LdrSectionCreated.
    pub const IMAGE_LDR_SECTION_CREATED: u16 = 0x1486;
    /// Image LdrMapView.
    pub const IMAGE_LDR_MAP_VIEW: u16 = 0x1487;
    /// Image LdrRelocateImage.
    pub const IMAGE_LDR_RELOCATE_IMAGE: u16 = 0x1490;
    /// Image LdrImageRelocated.
    pub const IMAGE_LDR_IMAGE_RELOCATED: u16 = 0x1491;
    /// Image LdrHandleOldDescriptors.
    pub const IMAGE_LDR_HANDLE_OLD_DESCRIPTORS: u16 = 0x1492;
    /// Image LdrOldDescriptorsHandled.
    pub const IMAGE_LDR_OLD_DESCRIPTORS_HANDLED: u16 = 0x1493;
    /// Image LdrHandleNewDescriptors.
    pub const IMAGE_LDR_HANDLE_NEW_DESCRIPTORS: u16 = 0x1494;
    /// Image LdrNewDescriptorsHandled.
    pub const IMAGE_LDR_NEW_DESCRIPTORS_HANDLED: u16 = 0x1495;
    /// Image LdrDllMainExit.
    pub const IMAGE_LDR_DLL_MAIN_EXIT: u16 = 0x1496;
    /// Image LdrFindDll.
    pub const IMAGE_LDR_FIND_DLL: u16 = 0x14a0;
    /// Image LdrViewMapped.
    pub const IMAGE_LDR_VIEW_MAPPED: u16 = 0x14a1;
    /// Image LdrLockRelease.
    pub const IMAGE_LDR_LOCK_RELEASE: u16 = 0x14a2;
    /// Image LdrDllMainEnter.
    pub const IMAGE_LDR_DLL_MAIN_ENTER: u16 = 0x14a3;
    /// Image LdrError.
    pub const IMAGE_LDR_ERROR: u16 = 0x14a4;
    /// Image LdrViewMapping.
    pub const IMAGE_LDR_VIEW_MAPPING: u16 = 0x14a5;
    /// Image LdrSnapping.
    pub const IMAGE_LDR_SNAPPING: u16 = 0x14a6;
    /// Image LdrSnapped.
    pub const IMAGE_LDR_SNAPPED: u16 = 0x14a7;
    /// Image LdrLoading.
    pub const IMAGE_LDR_LOADING: u16 = 0x14a8;
    /// Image LdrLoaded.
    pub const IMAGE_LDR_LOADED: u16 = 0x14a9;
    /// Image LdrFoundKnownDll.
    pub const IMAGE_LDR_FOUND_KNOWN_DLL: u16 = 0x14aa;
    /// Image LdrAbnormal.
    pub const IMAGE_LDR_ABNORMAL: u16 = 0x14ab;
    /// Image LdrPlaceholder.
    pub const IMAGE_LDR_PLACEHOLDER: u16 = 0x14ac;
    /// Image LdrRdyToInit.
    pub const IMAGE_LDR_RDY_TO_INIT: u16 = 0x14ad;
    /// Image LdrRdyToRun.
    pub const IMAGE_LDR_RDY_TO_RUN: u16 = 0x14ae;
    /// Image LdrNewDllLoad.
    pub const IMAGE_LDR_NEW_DLL_LOAD: u16 = 0x14b0;
    /// Image LdrNewDllAsData.
    pub const IMAGE_LDR_NEW_DLL_AS_DATA: u16 = 0x14b1;
    /// Image LdrExternalPath.
    pub const IMAGE_LDR_EXTERNAL_PATH: u16 = 0x14c0;
    /// Image LdrGeneratedPath.
    pub const IMAGE_LDR_GENERATED_PATH: u16 = 0x14c1;
    /// Image LdrApiSetResolving.
    pub const IMAGE_LDR_API_SET_RESOLVING: u16 = 0x14d0;
    /// Image LdrApiSetHosted.
    pub const IMAGE_LDR_API_SET_HOSTED: u16 = 0x14d1;
    /// Image LdrApiSetUnhosted.
    pub const IMAGE_LDR_API_SET_UNHOSTED: u16 = 0x14d2;
    /// Image LdrApiSetUnresolved.
    pub const IMAGE_LDR_API_SET_UNRESOLVED: u16 = 0x14d3;
    /// Image LdrSearchSecurity.
    pub const IMAGE_LDR_SEARCH_SECURITY: u16 = 0x14d4;
    /// Image LdrSearchPathSecurity.
    pub const IMAGE_LDR_SEARCH_PATH_SECURITY: u16 = 0x14d5;
    /// DiskIo Read.
    pub const DISK_IO_READ: u16 = 0x010a;
    /// DiskIo Write.
    pub const DISK_IO_WRITE: u16 = 0x010b;
    /// DiskIo ReadInit.
    pub const DISK_IO_READ_INIT: u16 = 0x010c;
    /// DiskIo WriteInit.
    pub const DISK_IO_WRITE_INIT: u16 = 0x010d;
    /// DiskIo FlushBuffers.
    pub const DISK_IO_FLUSH_BUFFERS: u16 = 0x010e;
    /// DiskIo FlushInit.
    pub const DISK_IO_FLUSH_INIT: u16 = 0x010f;
    /// DiskIo IoRedirectedInit.
    pub const DISK_IO_IO_REDIRECTED_INIT: u16 = 0x0110;
    /// DiskIo DriverInit.
    pub const DISK_IO_DRIVER_INIT: u16 = 0x0120;
    /// DiskIo DriverInitComplete.
    pub const DISK_IO_DRIVER_INIT_COMPLETE: u16 = 0x0121;
    /// DiskIo DrvMjFnCall.
    pub const DISK_IO_DRV_MJ_FN_CALL: u16 = 0x0122;
    /// DiskIo DrvMjFnRet.
    pub const DISK_IO_DRV_MJ_FN_RET: u16 = 0x0123;
    /// DiskIo DriverCompletionRoutineCall.
    pub const DISK_IO_DRIVER_COMPLETION_ROUTINE_CALL: u16 = 0x0124;
    /// DiskIo DrvComplRout.
    pub const DISK_IO_DRV_COMPL_ROUT: u16 = 0x0125;
    /// DiskIo DriverAddDeviceCall.
    pub const DISK_IO_DRIVER_ADD_DEVICE_CALL: u16 = 0x0126;
    /// DiskIo DriverAddDeviceReturn.
    pub const DISK_IO_DRIVER_ADD_DEVICE_RETURN: u16 = 0x0127;
    /// DiskIo DriverStartIoCall.
    pub const DISK_IO_DRIVER_START_IO_CALL: u16 = 0x0128;
    /// DiskIo DriverStartIoReturn.
    pub const DISK_IO_DRIVER_START_IO_RETURN: u16 = 0x0129;
    /// DiskIo PrefetchAction.
    pub const DISK_IO_PREFETCH_ACTION: u16 = 0x0130;
    /// DiskIo PrefetchRequest.
    pub const DISK_IO_PREFETCH_REQUEST: u16 = 0x0131;
    /// DiskIo PrefetchReadList.
    pub const DISK_IO_PREFETCH_READ_LIST: u16 = 0x0132;
    /// DiskIo PrefetchRead.
    pub const DISK_IO_PREFETCH_READ: u16 = 0x0133;
    /// DiskIo DrvComplReq.
    pub const DISK_IO_DRV_COMPL_REQ: u16 = 0x0134;
    /// DiskIo DrvComplReqRet.
    pub const DISK_IO_DRV_COMPL_REQ_RET: u16 = 0x0135;
    /// DiskIo BootPrefetchInformation.
    pub const DISK_IO_BOOT_PREFETCH_INFORMATION: u16 = 0x0136;
    /// DiskIo OpticalIoRead.
    pub const DISK_IO_OPTICAL_IO_READ: u16 = 0x0137;
    /// DiskIo OpticalIoWrite.
    pub const DISK_IO_OPTICAL_IO_WRITE: u16 = 0x0138;
    /// DiskIo OpticalIoFlush.
    pub const DISK_IO_OPTICAL_IO_FLUSH: u16 = 0x0139;
    /// DiskIo OpticalIoReadInit.
    pub const DISK_IO_OPTICAL_IO_READ_INIT: u16 = 0x013a;
    /// DiskIo OpticalIoWriteInit.
    pub const DISK_IO_OPTICAL_IO_WRITE_INIT: u16 = 0x013b;
    /// DiskIo OpticalIoFlushInit.
    pub const DISK_IO_OPTICAL_IO_FLUSH_INIT: u16 = 0x013c;
    /// FileIo Name.
    pub const FILE_IO_NAME: u16 = 0x0400;
    /// FileIo FileCreate.
    pub const FILE_IO_FILE_CREATE: u16 = 0x0420;
    /// FileIo Same.
    pub const FILE_IO_SAME: u16 = 0x0421;
    /// FileIo Null.
    pub const FILE_IO_NULL: u16 = 0x0422;
    /// FileIo FileDelete.
    pub const FILE_IO_FILE_DELETE: u16 = 0x0423;
    /// FileIo FileRundown.
    pub const FILE_IO_FILE_RUNDOWN: u16 = 0x0424;
    /// FileIo MapFile.
    pub const FILE_IO_MAP_FILE: u16 = 0x0425;
    /// FileIo UnmapFile.
    pub const FILE_IO_UNMAP_FILE: u16 = 0x0426;
    /// FileIo MapFileDCStart.
    pub const FILE_IO_MAP_FILE_DCSTART: u16 = 0x0427;
    /// FileIo MapFileDCEnd.
    pub const FILE_IO_MAP_FILE_DCEND: u16 = 0x0428;
    /// FileIo Create.
    pub const FILE_IO_CREATE: u16 = 0x0440;
    /// FileIo Cleanup.
    pub const FILE_IO_CLEANUP: u16 = 0x0441;
    /// FileIo Close.
    pub const FILE_IO_CLOSE: u16 = 0x0442;
    /// FileIo Read.
    pub const FILE_IO_READ: u16 = 0x0443;
    /// FileIo Write.
    pub const FILE_IO_WRITE: u16 = 0x0444;
    /// FileIo SetInfo.
    pub const FILE_IO_SET_INFO: u16 = 0x0445;
    /// FileIo Delete.
    pub const FILE_IO_DELETE: u16 = 0x0446;
    /// FileIo Rename.
    pub const FILE_IO_RENAME: u16 = 0x0447;
    /// FileIo DirEnum.
    pub const FILE_IO_DIR_ENUM: u16 = 0x0448;
    /// FileIo Flush.
    pub const FILE_IO_FLUSH: u16 = 0x0449;
    /// FileIo QueryInfo.
    pub const FILE_IO_QUERY_INFO: u16 = 0x044a;
    /// FileIo FSControl.
    pub const FILE_IO_FSCONTROL: u16 = 0x044b;
    /// FileIo OperationEnd.
    pub const FILE_IO_OPERATION_END: u16 = 0x044c;
    /// FileIo DirNotify.
    pub const FILE_IO_DIR_NOTIFY: u16 = 0x044d;
    /// FileIo FileIoCreateNew.
    pub const FILE_IO_FILE_IO_CREATE_NEW: u16 = 0x044e;
    /// FileIo DeletePath.
    pub const FILE_IO_DELETE_PATH: u16 = 0x044f;
    /// FileIo RenamePath.
    pub const FILE_IO_RENAME_PATH: u16 = 0x0450;
    /// FileIo SetLinkPath.
    pub const FILE_IO_SET_LINK_PATH: u16 = 0x0451;
    /// FileIo FileIoSetLink.
    pub const FILE_IO_FILE_IO_SET_LINK: u16 = 0x0452;
    /// FileIo FltPreopInit.
    pub const FILE_IO_FLT_PREOP_INIT: u16 = 0x0460;
    /// FileIo FltPostopInit.
    pub const FILE_IO_FLT_POSTOP_INIT: u16 = 0x0461;
    /// FileIo FltPreopCompletion.
    pub const FILE_IO_FLT_PREOP_COMPLETION: u16 = 0x0462;
    /// FileIo FltPostopCompletion.
    pub const FILE_IO_FLT_POSTOP_COMPLETION: u16 = 0x0463;
    /// FileIo FltPreopFailure.
    pub const FILE_IO_FLT_PREOP_FAILURE: u16 = 0x0464;
    /// FileIo FltPostopFailure.
    pub const FILE_IO_FLT_POSTOP_FAILURE: u16 = 0x0465;
    /// TcpIp SendIPV4.
    pub const TCP_IP_SEND_IPV4: u16 = 0x060a;
    /// TcpIp RecvIPV4.
    pub const TCP_IP_RECV_IPV4: u16 = 0x060b;
    /// TcpIp ConnectIPV4.
    pub const TCP_IP_CONNECT_IPV4: u16 = 0x060c;
    /// TcpIp DisconnectIPV4.
    pub const TCP_IP_DISCONNECT_IPV4: u16 = 0x060d;
    /// TcpIp RetransmitIPV4.
    pub const TCP_IP_RETRANSMIT_IPV4: u16 = 0x060e;
    /// TcpIp AcceptIPV4.
    pub const TCP_IP_ACCEPT_IPV4: u16 = 0x060f;
    /// TcpIp ReconnectIPV4.
    pub const TCP_IP_RECONNECT_IPV4: u16 = 0x0610;
    /// TcpIp Fail.
    pub const TCP_IP_FAIL: u16 = 0x0611;
    /// TcpIp TCPCopyIPV4.
    pub const TCP_IP_TCPCOPY_IPV4: u16 = 0x0612;
    /// TcpIp SendIPV6.
    pub const TCP_IP_SEND_IPV6: u16 = 0x061a;
    /// TcpIp RecvIPV6.
    pub const TCP_IP_RECV_IPV6: u16 = 0x061b;
    /// TcpIp ConnectIPV6.
    pub const TCP_IP_CONNECT_IPV6: u16 = 0x061c;
    /// TcpIp DisconnectIPV6.
    pub const TCP_IP_DISCONNECT_IPV6: u16 = 0x061d;
    /// TcpIp RetransmitIPV6.
    pub const TCP_IP_RETRANSMIT_IPV6: u16 = 0x061e;
    /// TcpIp AcceptIPV6.
    pub const TCP_IP_ACCEPT_IPV6: u16 = 0x061f;
    /// TcpIp ReconnectIPV6.
    pub const TCP_IP_RECONNECT_IPV6: u16 = 0x0620;
    /// TcpIp FailIPV6.
    pub const TCP_IP_FAIL_IPV6: u16 = 0x0621;
    /// TcpIp TCPCopyIPV6.
    pub const TCP_IP_TCPCOPY_IPV6: u16 = 0x0622;
    /// TcpIp ArpcopyIPV6.
    pub const TCP_IP_ARPCOPY_IPV6: u16 = 0x0623;
    /// TcpIp FullackIPV6.
    pub const TCP_IP_FULLACK_IPV6: u16 = 0x0624;
    /// TcpIp PartackIPV6.
    pub const TCP_IP_PARTACK_IPV6: u16 = 0x0625;
    /// TcpIp DupackIPV6.
    pub const TCP_IP_DUPACK_IPV6: u16 = 0x0626;
    /// TcpIp StateIPV4.
    pub const TCP_IP_STATE_IPV4: u16 = 0x0680;
    /// TcpIp StateIPV6.
    pub const TCP_IP_STATE_IPV6: u16 = 0x0681;
    /// TcpIp ConnectRequestIPV4.
    pub const TCP_IP_CONNECT_REQUEST_IPV4: u16 = 0x0682;
    /// TcpIp ConnectRequestIPV6.
    pub const TCP_IP_CONNECT_REQUEST_IPV6: u16 = 0x0683;
    /// TcpIp ConnectRefusedIPV4.
    pub const TCP_IP_CONNECT_REFUSED_IPV4: u16 = 0x0684;
    /// TcpIp ConnectRefusedIPV6.
    pub const TCP_IP_CONNECT_REFUSED_IPV6: u16 = 0x0685;
    /// UdpIp SendIPV4.
    pub const UDP_IP_SEND_IPV4: u16 = 0x080a;
    /// UdpIp RecvIPV4.
    pub const UDP_IP_RECV_IPV4: u16 = 0x080b;
    /// UdpIp Fail.
    pub const UDP_IP_FAIL: u16 = 0x0811;
    /// UdpIp SendIPV6.
    pub const UDP_IP_SEND_IPV6: u16 = 0x081a;
    /// UdpIp RecvIPV6.
    pub const UDP_IP_RECV_IPV6: u16 = 0x081b;
    /// PerfInfo RundownCheckpoint.
    pub const PERF_INFO_RUNDOWN_CHECKPOINT: u16 = 0x0f20;
    /// PerfInfo Mark.
    pub const PERF_INFO_MARK: u16 = 0x0f22;
    /// PerfInfo AsyncMark.
    pub const PERF_INFO_ASYNC_MARK: u16 = 0x0f24;
    /// PerfInfo ImageName.
    pub const PERF_INFO_IMAGE_NAME: u16 = 0x0f26;
    /// PerfInfo DelaysCcCanIWrite.
    pub const PERF_INFO_DELAYS_CC_CAN_IWRITE: u16 = 0x0f27;
    /// PerfInfo SampleProfile.
    pub const PERF_INFO_SAMPLE_PROFILE: u16 = 0x0f2e;
    /// PerfInfo PmcCounterProf.
    pub const PERF_INFO_PMC_COUNTER_PROF: u16 = 0x0f2f;
    /// PerfInfo PmcCounterConfig.
    pub const PERF_INFO_PMC_COUNTER_CONFIG: u16 = 0x0f30;
    /// PerfInfo ISR-MSI.
    pub const PERF_INFO_ISR_MSI: u16 = 0x0f32;
    /// PerfInfo SysClEnter.
    pub const PERF_INFO_SYS_CL_ENTER: u16 = 0x0f33;
    /// PerfInfo SysClExit.
    pub const PERF_INFO_SYS_CL_EXIT: u16 = 0x0f34;
    /// PerfInfo BackTrace.
    pub const PERF_INFO_BACK_TRACE: u16 = 0x0f35;
    /// PerfInfo BackTraceUserStack.
    pub const PERF_INFO_BACK_TRACE_USER_STACK: u16 = 0x0f36;
    /// PerfInfo SampledProfileCache.
    pub const PERF_INFO_SAMPLED_PROFILE_CACHE: u16 = 0x0f37;
    /// PerfInfo ExceptionStack.
    pub const PERF_INFO_EXCEPTION_STACK: u16 = 0x0f38;
    /// PerfInfo BranchTrace.
    pub const PERF_INFO_BRANCH_TRACE: u16 = 0x0f39;
    /// PerfInfo DebuggerEnabled.
    pub const PERF_INFO_DEBUGGER_ENABLED: u16 = 0x0f3a;
    /// PerfInfo DebuggerExit.
    pub const PERF_INFO_DEBUGGER_EXIT: u16 = 0x0f3b;
    /// PerfInfo BranchTraceDebug.
    pub const PERF_INFO_BRANCH_TRACE_DEBUG: u16 = 0x0f40;
    /// PerfInfo BranchAddressDebug.
    pub const PERF_INFO_BRANCH_ADDRESS_DEBUG: u16 = 0x0f41;
    /// PerfInfo ThreadDPC.
    pub const PERF_INFO_THREAD_DPC: u16 = 0x0f42;
    /// PerfInfo ISR.
    pub const PERF_INFO_ISR: u16 = 0x0f43;
    /// PerfInfo DPC.
    pub const PERF_INFO_DPC: u16 = 0x0f44;
    /// PerfInfo TimerDPC.
    pub const PERF_INFO_TIMER_DPC: u16 = 0x0f45;
    /// PerfInfo IoTimerExpiration.
    pub const PERF_INFO_IO_TIMER_EXPIRATION: u16 = 0x0f46;
    /// PerfInfo SampledProfileNmi.
    pub const PERF_INFO_SAMPLED_PROFILE_NMI: u16 = 0x0f47;
    /// PerfInfo SetInterval.
    pub const PERF_INFO_SET_INTERVAL: u16 = 0x0f48;
    /// PerfInfo CollectionStart.
    pub const PERF_INFO_COLLECTION_START: u16 = 0x0f49;
    /// PerfInfo CollectionEnd.
    pub const PERF_INFO_COLLECTION_END: u16 = 0x0f4a;
    /// PerfInfo SpinLockDCStart.
    pub const PERF_INFO_SPIN_LOCK_DCSTART: u16 = 0x0f4b;
    /// PerfInfo SpinLockDCEnd.
    pub const PERF_INFO_SPIN_LOCK_DCEND: u16 = 0x0f4c;
    /// PerfInfo EResourceDCStart.
    pub const PERF_INFO_ERESOURCE_DCSTART: u16 = 0x0f4d;
    /// PerfInfo EResourceDCEnd.
    pub const PERF_INFO_ERESOURCE_DCEND: u16 = 0x0f4e;
    /// PerfInfo ClockInterrupt.
    pub const PERF_INFO_CLOCK_INTERRUPT: u16 = 0x0f4f;
    /// PerfInfo TimerExpirationStart.
    pub const PERF_INFO_TIMER_EXPIRATION_START: u16 = 0x0f50;
    /// PerfInfo TimerExpiration.
    pub const PERF_INFO_TIMER_EXPIRATION: u16 = 0x0f51;
    /// PerfInfo TimerSetPeriodic.
    pub const PERF_INFO_TIMER_SET_PERIODIC: u16 = 0x0f52;
    /// PerfInfo TimerSetOneShot.
    pub const PERF_INFO_TIMER_SET_ONE_SHOT: u16 = 0x0f53;
    /// PerfInfo TimerSetThread.
    pub const PERF_INFO_TIMER_SET_THREAD: u16 = 0x0f54;
    /// PerfInfo TimerCancel.
    pub const PERF_INFO_TIMER_CANCEL: u16 = 0x0f55;
    /// PerfInfo TimeAdjustment.
    pub const PERF_INFO_TIME_ADJUSTMENT: u16 = 0x0f56;
    /// PerfInfo ClockModeSwitch.
    pub const PERF_INFO_CLOCK_MODE_SWITCH: u16 = 0x0f57;
    /// PerfInfo ClockTimeUpdate.
    pub const PERF_INFO_CLOCK_TIME_UPDATE: u16 = 0x0f58;
    /// PerfInfo ClockDynamicTickVeto.
    pub const PERF_INFO_CLOCK_DYNAMIC_TICK_VETO: u16 = 0x0f59;
    /// PerfInfo ClockConfiguration.
    pub const PERF_INFO_CLOCK_CONFIGURATION: u16 = 0x0f5a;
    /// PerfInfo Ipi.
    pub const PERF_INFO_IPI: u16 = 0x0f5b;
    /// PerfInfo UnexpectedInterrupt.
    pub const PERF_INFO_UNEXPECTED_INTERRUPT: u16 = 0x0f5c;
    /// PerfInfo IoTimerStart.
    pub const PERF_INFO_IO_TIMER_START: u16 = 0x0f5d;
    /// PerfInfo IoTimerStop.
    pub const PERF_INFO_IO_TIMER_STOP: u16 = 0x0f5e;
    /// PerfInfo PassiveInterrupt.
    pub const PERF_INFO_PASSIVE_INTERRUPT: u16 = 0x0f5f;
    /// PerfInfo WdfInterrupt.
    pub const PERF_INFO_WDF_INTERRUPT: u16 = 0x0f60;
    /// PerfInfo WdfPassiveInterrupt.
    pub const PERF_INFO_WDF_PASSIVE_INTERRUPT: u16 = 0x0f61;
    /// PerfInfo WdfDpc.
    pub const PERF_INFO_WDF_DPC: u16 = 0x0f62;
    /// PerfInfo CpuCacheFlush.
    pub const PERF_INFO_CPU_CACHE_FLUSH: u16 = 0x0f63;
    /// PerfInfo DpcEnqueue.
    pub const PERF_INFO_DPC_ENQUEUE: u16 = 0x0f64;
    /// PerfInfo DpcExecution.
    pub const PERF_INFO_DPC_EXECUTION: u16 = 0x0f65;
    /// PerfInfo InterruptSteering.
    pub const PERF_INFO_INTERRUPT_STEERING: u16 = 0x0f66;
    /// PerfInfo WdfWorkItem.
    pub const PERF_INFO_WDF_WORK_ITEM: u16 = 0x0f67;
    /// PerfInfo KTimer2Set.
    pub const PERF_INFO_KTIMER2_SET: u16 = 0x0f68;
    /// PerfInfo KTimer2Expiration.
    pub const PERF_INFO_KTIMER2_EXPIRATION: u16 = 0x0f69;
    /// PerfInfo KTimer2Cancel.
    pub const PERF_INFO_KTIMER2_CANCEL: u16 = 0x0f6a;
    /// PerfInfo KTimer2Disable.
    pub const PERF_INFO_KTIMER2_DISABLE: u16 = 0x0f6b;
    /// PerfInfo KTimer2Finalization.
    pub const PERF_INFO_KTIMER2_FINALIZATION: u16 = 0x0f6c;
    /// PerfInfo ShouldYieldProcessor.
    pub const PERF_INFO_SHOULD_YIELD_PROCESSOR: u16 = 0x0f6d;
    /// PerfInfo FunctionCall.
    pub const PERF_INFO_FUNCTION_CALL: u16 = 0x0f80;
    /// PerfInfo FunctionReturn.
    pub const PERF_INFO_FUNCTION_RETURN: u16 = 0x0f81;
    /// PerfInfo FunctionEnter.
    pub const PERF_INFO_FUNCTION_ENTER: u16 = 0x0f82;
    /// PerfInfo FunctionExit.
    pub const PERF_INFO_FUNCTION_EXIT: u16 = 0x0f83;
    /// PerfInfo TailCall.
    pub const PERF_INFO_TAIL_CALL: u16 = 0x0f84;
    /// PerfInfo Trap.
    pub const PERF_INFO_TRAP: u16 = 0x0f85;
    /// PerfInfo SpinLockAcquire.
    pub const PERF_INFO_SPIN_LOCK_ACQUIRE: u16 = 0x0f86;
    /// PerfInfo SpinLockRelease.
    pub const PERF_INFO_SPIN_LOCK_RELEASE: u16 = 0x0f87;
    /// PerfInfo CapComment.
    pub const PERF_INFO_CAP_COMMENT: u16 = 0x0f88;
    /// PerfInfo CapRundown.
    pub const PERF_INFO_CAP_RUNDOWN: u16 = 0x0f89;
    /// PerfInfo CrossCall.
    pub const PERF_INFO_CROSS_CALL: u16 = 0x0fa0;
    /// StackWalk Stack.
    pub const STACK_WALK_STACK: u16 = 0x1820;
    /// StackWalk StackTraceCreate.
    pub const STACK_WALK_STACK_TRACE_CREATE: u16 = 0x1822;
    /// StackWalk KeyDelete.
    pub const STACK_WALK_KEY_DELETE: u16 = 0x1823;
    /// StackWalk KeyRundown.
    pub const STACK_WALK_KEY_RUNDOWN: u16 = 0x1824;
    /// StackWalk StackKeyKernel.
    pub const STACK_WALK_STACK_KEY_KERNEL: u16 = 0x1825;
    /// StackWalk StackKeyUser.
    pub const STACK_WALK_STACK_KEY_USER: u16 = 0x1826;
    /// PageFault TransitionFault.
    pub const PAGE_FAULT_TRANSITION_FAULT: u16 = 0x020a;
    /// PageFault DemandZeroFault.
    pub const PAGE_FAULT_DEMAND_ZERO_FAULT: u16 = 0x020b;
    /// PageFault CopyOnWrite.
    pub const PAGE_FAULT_COPY_ON_WRITE: u16 = 0x020c;
    /// PageFault GuardPageFault.
    pub const PAGE_FAULT_GUARD_PAGE_FAULT: u16 = 0x020d;
    /// PageFault HardPageFault.
    pub const PAGE_FAULT_HARD_PAGE_FAULT: u16 = 0x020e;
    /// PageFault AccessViolation.
    pub const PAGE_FAULT_ACCESS_VIOLATION: u16 = 0x020f;
    /// PageFault HardFault.
    pub const PAGE_FAULT_HARD_FAULT: u16 = 0x0220;
    /// PageFault RemovePageByColor.
    pub const PAGE_FAULT_REMOVE_PAGE_BY_COLOR: u16 = 0x0221;
    /// PageFault RemovePageFromList.
    pub const PAGE_FAULT_REMOVE_PAGE_FROM_LIST: u16 = 0x0222;
    /// PageFault PageInMemory.
    pub const PAGE_FAULT_PAGE_IN_MEMORY: u16 = 0x0223;
    /// PageFault InsertInFreeList.
    pub const PAGE_FAULT_INSERT_IN_FREE_LIST: u16 = 0x0224;
    /// PageFault InsertInModifiedList.
    pub const PAGE_FAULT_INSERT_IN_MODIFIED_LIST: u16 = 0x0225;
    /// PageFault InsertInList.
    pub const PAGE_FAULT_INSERT_IN_LIST: u16 = 0x0226;
    /// PageFault InsertAtFront.
    pub const PAGE_FAULT_INSERT_AT_FRONT: u16 = 0x0228;
    /// PageFault UnlinkFromStandby.
    pub const PAGE_FAULT_UNLINK_FROM_STANDBY: u16 = 0x0229;
    /// PageFault UnlinkFromFreeOrZero.
    pub const PAGE_FAULT_UNLINK_FROM_FREE_OR_ZERO: u16 = 0x022a;
    /// PageFault WorkingSetManager.
    pub const PAGE_FAULT_WORKING_SET_MANAGER: u16 = 0x022b;
    /// PageFault TrimProcess.
    pub const PAGE_FAULT_TRIM_PROCESS: u16 = 0x022c;
    /// PageFault ZeroShareCount.
    pub const PAGE_FAULT_ZERO_SHARE_COUNT: u16 = 0x022e;
    /// PageFault WsInfoProcess.
    pub const PAGE_FAULT_WS_INFO_PROCESS: u16 = 0x023c;
    /// PageFault FaultAddrWithIP.
    pub const PAGE_FAULT_FAULT_ADDR_WITH_IP: u16 = 0x0245;
    /// PageFault TrimSession.
    pub const PAGE_FAULT_TRIM_SESSION: u16 = 0x0246;
    /// PageFault MemorySnapLite.
    pub const PAGE_FAULT_MEMORY_SNAP_LITE: u16 = 0x0247;
    /// PageFault PfMappedSectionRundown.
    pub const PAGE_FAULT_PF_MAPPED_SECTION_RUNDOWN: u16 = 0x0248;
    /// PageFault PfMappedSectionCreate.
    pub const PAGE_FAULT_PF_MAPPED_SECTION_CREATE: u16 = 0x0249;
    /// PageFault WsInfoSession.
    pub const PAGE_FAULT_WS_INFO_SESSION: u16 = 0x024a;
    /// PageFault CreateSession.
    pub const PAGE_FAULT_CREATE_SESSION: u16 = 0x024b;
    /// PageFault SessionRundownDCEnd.
    pub const PAGE_FAULT_SESSION_RUNDOWN_DCEND: u16 = 0x024c;
    /// PageFault SessionRundownDCStart.
    pub const PAGE_FAULT_SESSION_RUNDOWN_DCSTART: u16 = 0x024d;
    /// PageFault SessionDelete.
    pub const PAGE_FAULT_SESSION_DELETE: u16 = 0x024e;
    /// PageFault PfMappedSectionDelete.
    pub const PAGE_FAULT_PF_MAPPED_SECTION_DELETE: u16 = 0x024f;
    /// PageFault VirtualAlloc.
    pub const PAGE_FAULT_VIRTUAL_ALLOC: u16 = 0x0262;
    /// PageFault VirtualFree.
    pub const PAGE_FAULT_VIRTUAL_FREE: u16 = 0x0263;
    /// PageFault HeapRangeRundown.
    pub const PAGE_FAULT_HEAP_RANGE_RUNDOWN: u16 = 0x0264;
    /// PageFault HeapRangeCreate.
    pub const PAGE_FAULT_HEAP_RANGE_CREATE: u16 = 0x0265;
    /// PageFault HeapRangeReserve.
    pub const PAGE_FAULT_HEAP_RANGE_RESERVE: u16 = 0x0266;
    /// PageFault HeapRangeRelease.
    pub const PAGE_FAULT_HEAP_RANGE_RELEASE: u16 = 0x0267;
    /// PageFault HeapRangeDestroy.
    pub const PAGE_FAULT_HEAP_RANGE_DESTROY: u16 = 0x0268;
    /// PageFault ImageLoadBacked.
    pub const PAGE_FAULT_IMAGE_LOAD_BACKED: u16 = 0x0269;
    /// PageFault MemInfo.
    pub const PAGE_FAULT_MEM_INFO: u16 = 0x0270;
    /// PageFault ContMemGenerate.
    pub const PAGE_FAULT_CONT_MEM_GENERATE: u16 = 0x0271;
    /// PageFault FileStoreFault.
    pub const PAGE_FAULT_FILE_STORE_FAULT: u16 = 0x0272;
    /// PageFault InMemoryStoreFault.
    pub const PAGE_FAULT_IN_MEMORY_STORE_FAULT: u16 = 0x0273;
    /// PageFault CompressedPage.
    pub const PAGE_FAULT_COMPRESSED_PAGE: u16 = 0x0274;
    /// PageFault PageInMemoryActive.
    pub const PAGE_FAULT_PAGE_IN_MEMORY_ACTIVE: u16 = 0x0275;
    /// PageFault PageAccess.
    pub const PAGE_FAULT_PAGE_ACCESS: u16 = 0x0276;
    /// PageFault PageRelease.
    pub const PAGE_FAULT_PAGE_RELEASE: u16 = 0x0277;
    /// PageFault PageRangeAccess.
    pub const PAGE_FAULT_PAGE_RANGE_ACCESS: u16 = 0x0278;
    /// PageFault PageRangeRelease.
    pub const PAGE_FAULT_PAGE_RANGE_RELEASE: u16 = 0x0279;
    /// PageFault PageCombine.
    pub const PAGE_FAULT_PAGE_COMBINE: u16 = 0x027a;
    /// PageFault KernelMemUsage.
    pub const PAGE_FAULT_KERNEL_MEM_USAGE: u16 = 0x027b;
    /// PageFault MmStats.
    pub const PAGE_FAULT_MM_STATS: u16 = 0x027c;
    /// PageFault MemInfoExWs.
    pub const PAGE_FAULT_MEM_INFO_EX_WS: u16 = 0x027d;
    /// PageFault MemInfoExSessionws.
    pub const PAGE_FAULT_MEM_INFO_EX_SESSIONWS: u16 = 0x027e;
    /// PageFault VirtualRotate.
    pub const PAGE_FAULT_VIRTUAL_ROTATE: u16 = 0x027f;
    /// PageFault VirtualAllocDCStart.
    pub const PAGE_FAULT_VIRTUAL_ALLOC_DCSTART: u16 = 0x0280;
    /// PageFault VirtualAllocDCEnd.
    pub const PAGE_FAULT_VIRTUAL_ALLOC_DCEND: u16 = 0x0281;
    /// PageFault PageAccessEx.
    pub const PAGE_FAULT_PAGE_ACCESS_EX: u16 = 0x0282;
    /// PageFault RemoveFromWs.
    pub const PAGE_FAULT_REMOVE_FROM_WS: u16 = 0x0283;
    /// PageFault WsShareableRundown.
    pub const PAGE_FAULT_WS_SHAREABLE_RUNDOWN: u16 = 0x0284;
    /// PageFault InMemoryActiveRundown.
    pub const PAGE_FAULT_IN_MEMORY_ACTIVE_RUNDOWN: u16 = 0x0285;
    /// PageFault MemResetInfo.
    pub const PAGE_FAULT_MEM_RESET_INFO: u16 = 0x0286;
    /// PageFault PfMappedSectionObjectCreate.
    pub const PAGE_FAULT_PF_MAPPED_SECTION_OBJECT_CREATE: u16 = 0x0287;
    /// PageFault PfMappedSectionObjectDelete.
    pub const PAGE_FAULT_PF_MAPPED_SECTION_OBJECT_DELETE: u16 = 0x0288;
    /// Registry Create.
    pub const REGISTRY_CREATE: u16 = 0x090a;
    /// Registry Open.
    pub const REGISTRY_OPEN: u16 = 0x090b;
    /// Registry Delete.
    pub const REGISTRY_DELETE: u16 = 0x090c;
    /// Registry Query.
    pub const REGISTRY_QUERY: u16 = 0x090d;
    /// Registry SetValue.
    pub const REGISTRY_SET_VALUE: u16 = 0x090e;
    /// Registry DeleteValue.
    pub const REGISTRY_DELETE_VALUE: u16 = 0x090f;
    /// Registry QueryValue.
    pub const REGISTRY_QUERY_VALUE: u16 = 0x0910;
    /// Registry EnumerateKey.
    pub const REGISTRY_ENUMERATE_KEY: u16 = 0x0911;
    /// Registry EnumerateValueKey.
    pub const REGISTRY_ENUMERATE_VALUE_KEY: u16 = 0x0912;
    /// Registry QueryMultipleValue.
    pub const REGISTRY_QUERY_MULTIPLE_VALUE: u16 = 0x0913;
    /// Registry SetInformation.
    pub const REGISTRY_SET_INFORMATION: u16 = 0x0914;
    /// Registry Flush.
    pub const REGISTRY_FLUSH: u16 = 0x0915;
    /// Registry KCBCreate.
    pub const REGISTRY_KCBCREATE: u16 = 0x0916;
    /// Registry KCBDelete.
    pub const REGISTRY_KCBDELETE: u16 = 0x0917;
    /// Registry KCBRundownBegin.
    pub const REGISTRY_KCBRUNDOWN_BEGIN: u16 = 0x0918;
    /// Registry KCBRundownEnd.
    pub const REGISTRY_KCBRUNDOWN_END: u16 = 0x0919;
    /// Registry Virtualize.
    pub const REGISTRY_VIRTUALIZE: u16 = 0x091a;
    /// Registry Close.
    pub const REGISTRY_CLOSE: u16 = 0x091b;
    /// Registry CellReferred.
    pub const REGISTRY_CELL_REFERRED: u16 = 0x0920;
    /// Registry RegSetValue.
    pub const REGISTRY_REG_SET_VALUE: u16 = 0x0921;
    /// Registry RegCounters.
    pub const REGISTRY_REG_COUNTERS: u16 = 0x0922;
    /// Registry RegConfig.
    pub const REGISTRY_REG_CONFIG: u16 = 0x0923;
    /// Registry RegHiveInitialize.
    pub const REGISTRY_REG_HIVE_INITIALIZE: u16 = 0x0924;
    /// Registry RegHiveDestroy.
    pub const REGISTRY_REG_HIVE_DESTROY: u16 = 0x0925;
    /// Registry RegHiveLink.
    pub const REGISTRY_REG_HIVE_LINK: u16 = 0x0926;
    /// Registry RegHiveRundownDCEnd.
    pub const REGISTRY_REG_HIVE_RUNDOWN_DCEND: u16 = 0x0927;
    /// Registry RegHiveDirty.
    pub const REGISTRY_REG_HIVE_DIRTY: u16 = 0x0928;
    /// Registry RegNotifRegister.
    pub const REGISTRY_REG_NOTIF_REGISTER: u16 = 0x0930;
    /// Registry RegNotifDeliver.
    pub const REGISTRY_REG_NOTIF_DELIVER: u16 = 0x0931;
    /// SplitIo VolMgr.
    pub const SPLIT_IO_VOL_MGR: u16 = 0x1b20;
    /// ALPC ALPC-Send-Message.
    pub const ALPC_ALPC_SEND_MESSAGE: u16 = 0x1a21;
    /// ALPC ALPC-Receive-Message.
    pub const ALPC_ALPC_RECEIVE_MESSAGE: u16 = 0x1a22;
    /// ALPC ALPC-Wait-For-Reply.
    pub const ALPC_ALPC_WAIT_FOR_REPLY: u16 = 0x1a23;
    /// ALPC ALPC-Wait-For-New-Message.
    pub const ALPC_ALPC_WAIT_FOR_NEW_MESSAGE: u16 = 0x1a24;
    /// ALPC ALPC-Unwait.
    pub const ALPC_ALPC_UNWAIT: u16 = 0x1a25;
    /// ALPC ConnectRequest.
    pub const ALPC_CONNECT_REQUEST: u16 = 0x1a26;
    /// ALPC ConnectSuccess.
    pub const ALPC_CONNECT_SUCCESS: u16 = 0x1a27;
    /// ALPC ConnectFail.
    pub const ALPC_CONNECT_FAIL: u16 = 0x1a28;
    /// ALPC ClosePort.
    pub const ALPC_CLOSE_PORT: u16 = 0x1a29;
    /// Object CreateHandle.
    pub const OBJECT_CREATE_HANDLE: u16 = 0x1120;
    /// Object CloseHandle.
    pub const OBJECT_CLOSE_HANDLE: u16 = 0x1121;
    /// Object DuplicateHandle.
    pub const OBJECT_DUPLICATE_HANDLE: u16 = 0x1122;
    /// Object TypeDCStart.
    pub const OBJECT_TYPE_DCSTART: u16 = 0x1124;
    /// Object TypeDCEnd.
    pub const OBJECT_TYPE_DCEND: u16 = 0x1125;
    /// Object ObjectHandleDCStart.
    pub const OBJECT_OBJECT_HANDLE_DCSTART: u16 = 0x1126;
    /// Object ObjectHandleDCEnd.
    pub const OBJECT_OBJECT_HANDLE_DCEND: u16 = 0x1127;
    /// Object CreateObject.
    pub const OBJECT_CREATE_OBJECT: u16 = 0x1130;
    /// Object DeleteObject.
    pub const OBJECT_DELETE_OBJECT: u16 = 0x1131;
    /// Object ReferenceObject.
    pub const OBJECT_REFERENCE_OBJECT: u16 = 0x1132;
    /// Object DereferenceObject.
    pub const OBJECT_DEREFERENCE_OBJECT: u16 = 0x1133;
    /// SystemConfig CPU.
    pub const SYSTEM_CONFIG_CPU: u16 = 0x0b0a;
    /// SystemConfig PhyDisk.
    pub const SYSTEM_CONFIG_PHY_DISK: u16 = 0x0b0b;
    /// SystemConfig LogDisk.
    pub const SYSTEM_CONFIG_LOG_DISK: u16 = 0x0b0c;
    /// SystemConfig NIC.
    pub const SYSTEM_CONFIG_NIC: u16 = 0x0b0d;
    /// SystemConfig Video.
    pub const SYSTEM_CONFIG_VIDEO: u16 = 0x0b0e;
    /// SystemConfig Services.
    pub const SYSTEM_CONFIG_SERVICES: u16 = 0x0b0f;
    /// SystemConfig Power.
    pub const SYSTEM_CONFIG_POWER: u16 = 0x0b10;
    /// SystemConfig Network.
    pub const SYSTEM_CONFIG_NETWORK: u16 = 0x0b11;
    /// SystemConfig OpticalMedia.
    pub const SYSTEM_CONFIG_OPTICAL_MEDIA: u16 = 0x0b12;
    /// SystemConfig PhysicalDiskEx.
    pub const SYSTEM_CONFIG_PHYSICAL_DISK_EX: u16 = 0x0b13;
    /// SystemConfig IRQ.
    pub const SYSTEM_CONFIG_IRQ: u16 = 0x0b15;
    /// SystemConfig PnP.
    pub const SYSTEM_CONFIG_PN_P: u16 = 0x0b16;
    /// SystemConfig IDEChannel.
    pub const SYSTEM_CONFIG_IDECHANNEL: u16 = 0x0b17;
    /// SystemConfig NumaNode.
    pub const SYSTEM_CONFIG_NUMA_NODE: u16 = 0x0b18;
    /// SystemConfig Platform.
    pub const SYSTEM_CONFIG_PLATFORM: u16 = 0x0b19;
    /// SystemConfig ProcessorGroup.
    pub const SYSTEM_CONFIG_PROCESSOR_GROUP: u16 = 0x0b1a;
    /// SystemConfig ProcessorNumber.
    pub const SYSTEM_CONFIG_PROCESSOR_NUMBER: u16 = 0x0b1b;
    /// SystemConfig DPI.
    pub const SYSTEM_CONFIG_DPI: u16 = 0x0b1c;
    /// SystemConfig CodeIntegrity.
    pub const SYSTEM_CONFIG_CODE_INTEGRITY: u16 = 0x0b1d;
    /// SystemConfig TelemetryInfo.
    pub const SYSTEM_CONFIG_TELEMETRY_INFO: u16 = 0x0b1e;
    /// SystemConfig Defrag.
    pub const SYSTEM_CONFIG_DEFRAG: u16 = 0x0b1f;
    /// SystemConfig DeviceFamily.
    pub const SYSTEM_CONFIG_DEVICE_FAMILY: u16 = 0x0b21;
    /// SystemConfig FlightIds.
    pub const SYSTEM_CONFIG_FLIGHT_IDS: u16 = 0x0b22;
    /// SystemConfig Processor.
    pub const SYSTEM_CONFIG_PROCESSOR: u16 = 0x0b23;
    /// SystemConfig Virtualization.
    pub const SYSTEM_CONFIG_VIRTUALIZATION: u16 = 0x0b24;
    /// SystemConfig Boot.
    pub const SYSTEM_CONFIG_BOOT: u16 = 0x0b25;
    /// Job Create.
    pub const JOB_CREATE: u16 = 0x0720;
    /// Job Terminate.
    pub const JOB_TERMINATE: u16 = 0x0721;
    /// Job Open.
    pub const JOB_OPEN: u16 = 0x0722;
    /// Job AssignProcess.
    pub const JOB_ASSIGN_PROCESS: u16 = 0x0723;
    /// Job RemoveProcess.
    pub const JOB_REMOVE_PROCESS: u16 = 0x0724;
    /// Job Set.
    pub const JOB_SET: u16 = 0x0725;
    /// Job Query.
    pub const JOB_QUERY: u16 = 0x0726;
    /// Job SetFailed.
    pub const JOB_SET_FAILED: u16 = 0x0727;
    /// Job QueryFailed.
    pub const JOB_QUERY_FAILED: u16 = 0x0728;
    /// Job SetNotification.
    pub const JOB_SET_NOTIFICATION: u16 = 0x0729;
    /// Job SendNotification.
    pub const JOB_SEND_NOTIFICATION: u16 = 0x072a;
    /// Job QueryViolation.
    pub const JOB_QUERY_VIOLATION: u16 = 0x072b;
    /// Job SetCpuRate.
    pub const JOB_SET_CPU_RATE: u16 = 0x072c;
    /// Job SetNetRate.
    pub const JOB_SET_NET_RATE: u16 = 0x072d;
    /// DbgPrint Print.
    pub const DBG_PRINT_PRINT: u16 = 0x0a20;
    /// Wnf Subscribe.
    pub const WNF_SUBSCRIBE: u16 = 0x0d20;
    /// Wnf Unsubscribe.
    pub const WNF_UNSUBSCRIBE: u16 = 0x0d21;
    /// Wnf Callback.
    pub const WNF_CALLBACK: u16 = 0x0d22;
    /// Wnf Publish.
    pub const WNF_PUBLISH: u16 = 0x0d23;
    /// Wnf NameSubRundown.
    pub const WNF_NAME_SUB_RUNDOWN: u16 = 0x0d24;
    /// Pool AllocatePool.
    pub const POOL_ALLOCATE_POOL: u16 = 0x0e20;
    /// Pool AllocatePoolSession.
    pub const POOL_ALLOCATE_POOL_SESSION: u16 = 0x0e21;
    /// Pool FreePool.
    pub const POOL_FREE_POOL: u16 = 0x0e22;
    /// Pool FreePoolSession.
    pub const POOL_FREE_POOL_SESSION: u16 = 0x0e23;
    /// Pool AddPoolPage.
    pub const POOL_ADD_POOL_PAGE: u16 = 0x0e24;
    /// Pool AddPoolPageSession.
    pub const POOL_ADD_POOL_PAGE_SESSION: u16 = 0x0e25;
    /// Pool BigPoolPage.
    pub const POOL_BIG_POOL_PAGE: u16 = 0x0e26;
    /// Pool BigPoolPageSession.
    pub const POOL_BIG_POOL_PAGE_SESSION: u16 = 0x0e27;
    /// Pool PoolSnapDCStart.
    pub const POOL_POOL_SNAP_DCSTART: u16 = 0x0e28;
    /// Pool PoolSnapDCEnd.
    pub const POOL_POOL_SNAP_DCEND: u16 = 0x0e29;
    /// Pool BigPoolSnapDCStart.
    pub const POOL_BIG_POOL_SNAP_DCSTART: u16 = 0x0e2a;
    /// Pool BigPoolSnapDCEnd.
    pub const POOL_BIG_POOL_SNAP_DCEND: u16 = 0x0e2b;
    /// Pool PoolSnapSessionDCStart.
    pub const POOL_POOL_SNAP_SESSION_DCSTART: u16 = 0x0e2c;
    /// Pool PoolSnapSessionDCEnd.
    pub const POOL_POOL_SNAP_SESSION_DCEND: u16 = 0x0e2d;
    /// Pool SessionBigPoolSnapDCStart.
    pub const POOL_SESSION_BIG_POOL_SNAP_DCSTART: u16 = 0x0e2e;
    /// Pool SessionBigPoolSnapDCEnd.
    pub const POOL_SESSION_BIG_POOL_SNAP_DCEND: u16 = 0x0e2f;
    /// Heap Create.
    pub const HEAP_CREATE: u16 = 0x1020;
    /// Heap Alloc.
    pub const HEAP_ALLOC: u16 = 0x1021;
    /// Heap Realloc.
    pub const HEAP_REALLOC: u16 = 0x1022;
    /// Heap Destroy.
    pub const HEAP_DESTROY: u16 = 0x1023;
    /// Heap Free.
    pub const HEAP_FREE: u16 = 0x1024;
    /// Heap Extend.
    pub const HEAP_EXTEND: u16 = 0x1025;
    /// Heap Snapshot.
    pub const HEAP_SNAPSHOT: u16 = 0x1026;
    /// Heap CreateSnapshot.
    pub const HEAP_CREATE_SNAPSHOT: u16 = 0x1027;
    /// Heap DestroySnapshot.
    pub const HEAP_DESTROY_SNAPSHOT: u16 = 0x1028;
    /// Heap ExtendSnapshot.
    pub const HEAP_EXTEND_SNAPSHOT: u16 = 0x1029;
    /// Heap Contract.
    pub const HEAP_CONTRACT: u16 = 0x102a;
    /// Heap Lock.
    pub const HEAP_LOCK: u16 = 0x102b;
    /// Heap Unlock.
    pub const HEAP_UNLOCK: u16 = 0x102c;
    /// Heap Validate.
    pub const HEAP_VALIDATE: u16 = 0x102d;
    /// Heap Walk.
    pub const HEAP_WALK: u16 = 0x102e;
    /// Heap SubSegmentAlloc.
    pub const HEAP_SUB_SEGMENT_ALLOC: u16 = 0x102f;
    /// Heap SubSegmentFree.
    pub const HEAP_SUB_SEGMENT_FREE: u16 = 0x1030;
    /// Heap SubSegmentAllocCache.
    pub const HEAP_SUB_SEGMENT_ALLOC_CACHE: u16 = 0x1031;
    /// Heap SubSegmentFreeCache.
    pub const HEAP_SUB_SEGMENT_FREE_CACHE: u16 = 0x1032;
    /// Heap Commit.
    pub const HEAP_COMMIT: u16 = 0x1033;
    /// Heap Decommit.
    pub const HEAP_DECOMMIT: u16 = 0x1034;
    /// Heap SubSegmentInit.
    pub const HEAP_SUB_SEGMENT_INIT: u16 = 0x1035;
    /// Heap AffinityEnable.
    pub const HEAP_AFFINITY_ENABLE: u16 = 0x1036;
    /// Heap SubSegmentActivated.
    pub const HEAP_SUB_SEGMENT_ACTIVATED: u16 = 0x1038;
    /// Heap AffinityAssign.
    pub const HEAP_AFFINITY_ASSIGN: u16 = 0x1039;
    /// Heap ReuseThresholdActivated.
    pub const HEAP_REUSE_THRESHOLD_ACTIVATED: u16 = 0x103a;
    /// Power BatteryLifeInfo.
    pub const POWER_BATTERY_LIFE_INFO: u16 = 0x1220;
    /// Power IdleStateChange.
    pub const POWER_IDLE_STATE_CHANGE: u16 = 0x1221;
    /// Power SetPowerAction.
    pub const POWER_SET_POWER_ACTION: u16 = 0x1222;
    /// Power SetPowerActionRet.
    pub const POWER_SET_POWER_ACTION_RET: u16 = 0x1223;
    /// Power SetDevicesState.
    pub const POWER_SET_DEVICES_STATE: u16 = 0x1224;
    /// Power SetDevicesStateRet.
    pub const POWER_SET_DEVICES_STATE_RET: u16 = 0x1225;
    /// Power PoNotifyDevice.
    pub const POWER_PO_NOTIFY_DEVICE: u16 = 0x1226;
    /// Power PoNotifyDeviceComplete.
    pub const POWER_PO_NOTIFY_DEVICE_COMPLETE: u16 = 0x1227;
    /// Power PoSessionCallout.
    pub const POWER_PO_SESSION_CALLOUT: u16 = 0x1228;
    /// Power PoSessionCalloutRet.
    pub const POWER_PO_SESSION_CALLOUT_RET: u16 = 0x1229;
    /// Power PoPresleep.
    pub const POWER_PO_PRESLEEP: u16 = 0x1230;
    /// Power PoPostsleep.
    pub const POWER_PO_POSTSLEEP: u16 = 0x1231;
    /// Power PoCalibratedPerfcounter.
    pub const POWER_PO_CALIBRATED_PERFCOUNTER: u16 = 0x1232;
    /// Power PpmPerfStateChange.
    pub const POWER_PPM_PERF_STATE_CHANGE: u16 = 0x1233;
    /// Power PpmThrottleStateChange.
    pub const POWER_PPM_THROTTLE_STATE_CHANGE: u16 = 0x1234;
    /// Power PpmIdleStateChange.
    pub const POWER_PPM_IDLE_STATE_CHANGE: u16 = 0x1235;
    /// Power PpmThermalConstraint.
    pub const POWER_PPM_THERMAL_CONSTRAINT: u16 = 0x1236;
    /// Power PoSignalResumeUi.
    pub const POWER_PO_SIGNAL_RESUME_UI: u16 = 0x1237;
    /// Power PoSignalVideoOn.
    pub const POWER_PO_SIGNAL_VIDEO_ON: u16 = 0x1238;
    /// Power PpmIdleStateEnter.
    pub const POWER_PPM_IDLE_STATE_ENTER: u16 = 0x1239;
    /// Power PpmIdleStateExit.
    pub const POWER_PPM_IDLE_STATE_EXIT: u16 = 0x123a;
    /// Power PpmPlatformIdleStateEnter.
    pub const POWER_PPM_PLATFORM_IDLE_STATE_ENTER: u16 = 0x123b;
    /// Power PpmIdleExitLatency.
    pub const POWER_PPM_IDLE_EXIT_LATENCY: u16 = 0x123c;
    /// Power PpmIdleProcessorSelection.
    pub const POWER_PPM_IDLE_PROCESSOR_SELECTION: u16 = 0x123d;
    /// Power PpmIdlePlatformSelection.
    pub const POWER_PPM_IDLE_PLATFORM_SELECTION: u16 = 0x123e;
    /// Power PpmCoordinatedIdleEnter.
    pub const POWER_PPM_COORDINATED_IDLE_ENTER: u16 = 0x123f;
    /// Power PpmCoordinatedIdleExit.
    pub const POWER_PPM_COORDINATED_IDLE_EXIT: u16 = 0x1240;
    /// ModBound CowHeader.
    pub const MOD_BOUND_COW_HEADER: u16 = 0x1318;
    /// ModBound CowBlob.
    pub const MOD_BOUND_COW_BLOB: u16 = 0x1319;
    /// ModBound CowBlobClosed.
    pub const MOD_BOUND_COW_BLOB_CLOSED: u16 = 0x131a;
    /// ModBound ModuleEnt.
    pub const MOD_BOUND_MODULE_ENT: u16 = 0x1320;
    /// ModBound ModuleJump.
    pub const MOD_BOUND_MODULE_JUMP: u16 = 0x1321;
    /// ModBound ModuleRet.
    pub const MOD_BOUND_MODULE_RET: u16 = 0x1322;
    /// ModBound ModuleCall.
    pub const MOD_BOUND_MODULE_CALL: u16 = 0x1323;
    /// ModBound ModuleCallRet.
    pub const MOD_BOUND_MODULE_CALL_RET: u16 = 0x1324;
    /// ModBound ModuleInt2e.
    pub const MOD_BOUND_MODULE_INT2E: u16 = 0x1325;
    /// ModBound ModuleInt2b.
    pub const MOD_BOUND_MODULE_INT2B: u16 = 0x1326;
    /// ModBound ModuleFullTrace.
    pub const MOD_BOUND_MODULE_FULL_TRACE: u16 = 0x1327;
    /// Cc WorkItemEnqueue.
    pub const CC_WORK_ITEM_ENQUEUE: u16 = 0x1600;
    /// Cc WorkItemDequeue.
    pub const CC_WORK_ITEM_DEQUEUE: u16 = 0x1601;
    /// Cc WorkItemComplete.
    pub const CC_WORK_ITEM_COMPLETE: u16 = 0x1602;
    /// Cc ReadAhead.
    pub const CC_READ_AHEAD: u16 = 0x1603;
    /// Cc WriteBehind.
    pub const CC_WRITE_BEHIND: u16 = 0x1604;
    /// Cc LazyWriteScan.
    pub const CC_LAZY_WRITE_SCAN: u16 = 0x1605;
    /// Cc CanIWriteFail.
    pub const CC_CAN_IWRITE_FAIL: u16 = 0x1606;
    /// Cc MapView.
    pub const CC_MAP_VIEW: u16 = 0x1607;
    /// Cc UnmapView.
    pub const CC_UNMAP_VIEW: u16 = 0x1608;
    /// Cc FlushCache.
    pub const CC_FLUSH_CACHE: u16 = 0x1609;
    /// Cc FlushSection.
    pub const CC_FLUSH_SECTION: u16 = 0x160a;
    /// Cc ReadAheadPrefetch.
    pub const CC_READ_AHEAD_PREFETCH: u16 = 0x160b;
    /// Cc ScheduleReadAhead.
    pub const CC_SCHEDULE_READ_AHEAD: u16 = 0x160c;
    /// Cc LoggedStreamInfo.
    pub const CC_LOGGED_STREAM_INFO: u16 = 0x160d;
    /// Cc ExtraWriteBehindThread.
    pub const CC_EXTRA_WRITE_BEHIND_THREAD: u16 = 0x160e;
    /// CritSec Enter.
    pub const CRIT_SEC_ENTER: u16 = 0x1720;
    /// CritSec Leave.
    pub const CRIT_SEC_LEAVE: u16 = 0x1721;
    /// CritSec Collision.
    pub const CRIT_SEC_COLLISION: u16 = 0x1722;
    /// CritSec Initialize.
    pub const CRIT_SEC_INITIALIZE: u16 = 0x1723;
    /// Ums DirectedSwitchStart.
    pub const UMS_DIRECTED_SWITCH_START: u16 = 0x1920;
    /// Ums DirectedSwitchEnd.
    pub const UMS_DIRECTED_SWITCH_END: u16 = 0x1921;
    /// Ums Park.
    pub const UMS_PARK: u16 = 0x1922;
    /// Ums Disassociate.
    pub const UMS_DISASSOCIATE: u16 = 0x1923;
    /// Ums ContextSwitch.
    pub const UMS_CONTEXT_SWITCH: u16 = 0x1924;
    /// ThreadPool CallbackEnqueue.
    pub const THREAD_POOL_CALLBACK_ENQUEUE: u16 = 0x1c20;
    /// ThreadPool CallbackDequeue.
    pub const THREAD_POOL_CALLBACK_DEQUEUE: u16 = 0x1c21;
    /// ThreadPool CallbackStart.
    pub const THREAD_POOL_CALLBACK_START: u16 = 0x1c22;
    /// ThreadPool CallbackStop.
    pub const THREAD_POOL_CALLBACK_STOP: u16 = 0x1c23;
    /// ThreadPool CallbackCancel.
    pub const THREAD_POOL_CALLBACK_CANCEL: u16 = 0x1c24;
    /// ThreadPool PoolCreate.
    pub const THREAD_POOL_POOL_CREATE: u16 = 0x1c25;
    /// ThreadPool PoolClose.
    pub const THREAD_POOL_POOL_CLOSE: u16 = 0x1c26;
    /// ThreadPool PoolThMinSet.
    pub const THREAD_POOL_POOL_TH_MIN_SET: u16 = 0x1c27;
    /// ThreadPool PoolThMaxSet.
    pub const THREAD_POOL_POOL_TH_MAX_SET: u16 = 0x1c28;
    /// ThreadPool WorkerNumaNodeSwitch.
    pub const THREAD_POOL_WORKER_NUMA_NODE_SWITCH: u16 = 0x1c29;
    /// ThreadPool TimerSet.
    pub const THREAD_POOL_TIMER_SET: u16 = 0x1c2a;
    /// ThreadPool TimerCancelled.
    pub const THREAD_POOL_TIMER_CANCELLED: u16 = 0x1c2b;
    /// ThreadPool TimerSetNtTimer.
    pub const THREAD_POOL_TIMER_SET_NT_TIMER: u16 = 0x1c2c;
    /// ThreadPool TimerCancelNtTimer.
    pub const THREAD_POOL_TIMER_CANCEL_NT_TIMER: u16 = 0x1c2d;
    /// ThreadPool TimerExpirationBegin.
    pub const THREAD_POOL_TIMER_EXPIRATION_BEGIN: u16 = 0x1c2e;
    /// ThreadPool TimerExpirationEnd.
    pub const THREAD_POOL_TIMER_EXPIRATION_END: u16 = 0x1c2f;
    /// ThreadPool TimerExpiration.
    pub const THREAD_POOL_TIMER_EXPIRATION: u16 = 0x1c30;
}

/// Whether other records cannot be understood without those of a hook.
pub(crate) const fn defines(hook: u16) -> bool {
    match hook {
        0x0000..=0x00ff => true, // EventTrace
        0x0301 => true, // Process
        0x0302 => true, // Process
        0x0303 => true, // Process
        0x0304 => true, // Process
        0x0327 => true, // Process
        0x0501 => true, // Thread
        0x0502 => true, // Thread
        0x0503 => true, // Thread
        0x0504 => true, // Thread
        0x0548 => true, // Thread
        0x1400..=0x14ff => true, // Image
        0x030a => true, // Image
        0x0400 => true, // FileIo
        0x0420 => true, // FileIo
        0x0423 => true, // FileIo
        0x0424 => true, // FileIo
        0x0f49 => true, // PerfInfo
        0x0f4a => true, // PerfInfo
        0x1823 => true, // StackWalk
        0x1824 => true, // StackWalk
        0x0916 => true, // Registry
        0x0917 => true, // Registry
        0x0918 => true, // Registry
        0x0919 => true, // Registry
        0x1124 => true, // Object
        0x1125 => true, // Object
        0x1126 => true, // Object
        0x1127 => true, // Object
        0x0b00..=0x0bff => true, // SystemConfig
        _ => false,
    }
}

/// Whether those of a hook list what was there before the trace or after it.
pub(crate) const fn lists(hook: u16) -> bool {
    match hook {
        0x0303 => true, // Process
        0x0304 => true, // Process
        0x0321 => true, // Process
        0x0327 => true, // Process
        0x0503 => true, // Thread
        0x0504 => true, // Thread
        0x1403 => true, // Image
        0x1404 => true, // Image
        0x1421 => true, // Image
        0x0400 => true, // FileIo
        0x0424 => true, // FileIo
        0x0918 => true, // Registry
        0x0919 => true, // Registry
        _ => false,
    }
}

/// The flags with which a session gets the records of a class, by its group.
pub(crate) const fn flags(group: u8, opcode: u8) -> &'static [Flag] {
    match (group, opcode) {
        (3, _) => &[flag::PROCESS], // Process
        (5, 36) => &[flag::CSWITCH], // Thread
        (5, 50) => &[flag::DISPATCHER], // Thread
        (5, 49 | 51..=52) => &[flag::PRIORITY], // Thread
        (5, 48) => &[flag::PRIORITY, flag::CSWITCH], // Thread
        (5, _) => &[flag::THREAD], // Thread
        (20, _) => &[flag::IMAGE_LOAD], // Image
        (1, 10..=11 | 14) => &[flag::DISK_IO], // DiskIo
        (1, 12..=13 | 15) => &[flag::DISK_IO_INIT], // DiskIo
        (4, 76) => &[flag::FILE_IO], // FileIo
        (4, 64..=75 | 77) => &[flag::FILE_IO_INIT], // FileIo
        (4, _) => &[flag::DISK_FILE_IO], // FileIo
        (6, _) => &[flag::NETWORK_TCPIP], // TcpIp
        (8, _) => &[flag::NETWORK_TCPIP], // UdpIp
        (15, 66 | 68..=69) => &[flag::DPC], // PerfInfo
        (15, 50 | 67 | 160) => &[flag::INTERRUPT], // PerfInfo
        (15, 47) => &[flag::PMC_PROFILE], // PerfInfo
        (15, 46) => &[flag::PROFILE], // PerfInfo
        (15, 72..=74) => &[flag::PROFILE, flag::PMC_PROFILE], // PerfInfo
        (15, 51..=52) => &[flag::SYSTEMCALL], // PerfInfo
        (2, 32) => &[flag::MEMORY_HARD_FAULTS], // PageFault
        (2, 98..=99) => &[flag::VIRTUAL_ALLOC], // PageFault
        (2, _) => &[flag::MEMORY_PAGE_FAULTS], // PageFault
        (9, _) => &[flag::REGISTRY], // Registry
        (27, _) => &[flag::SPLIT_IO], // SplitIo
        (26, _) => &[flag::ALPC], // ALPC
        (17, _) => &[flag::OB_HANDLE], // Object
        _ => &[],
    }
}

pub(crate) static CLASS_0: EventClass = EventClass {
    name: "EventTrace",
    guid: guid::EVENT_TRACE,
    group: Some(0),
    events: &[
        Event { opcode: 0, name: "Header", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_HEADER_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_HEADER_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_HEADER_V0) },
        ] },
        Event { opcode: 5, name: "Extension", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_EXTENSION_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_EXTENSION_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_EXTENSION_V0) },
        ] },
        Event { opcode: 8, name: "RundownComplete", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_RUNDOWN_COMPLETE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_RUNDOWN_COMPLETE_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_RUNDOWN_COMPLETE_V0) },
        ] },
        Event { opcode: 32, name: "EndExtension", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_EXTENSION_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_EXTENSION_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_EXTENSION_V0) },
        ] },
        Event { opcode: 48, name: "RundownBegin", versions: &[
        ] },
        Event { opcode: 49, name: "RundownEnd", versions: &[
        ] },
        Event { opcode: 64, name: "DbgIdRSDS", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_DBG_ID_RSDS_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_DBG_ID_RSDS_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_DBG_ID_RSDS_V0) },
        ] },
        Event { opcode: 65, name: "DbgidNb10", versions: &[
        ] },
        Event { opcode: 66, name: "BuildLab", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_BUILD_LAB_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_BUILD_LAB_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_BUILD_LAB_V0) },
        ] },
        Event { opcode: 67, name: "BinaryPath", versions: &[
        ] },
        Event { opcode: 80, name: "HeaderPartitionInfo", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_HEADER_PARTITION_INFO_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_HEADER_PARTITION_INFO_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_HEADER_PARTITION_INFO_V0) },
        ] },
    ],
};

pub(crate) static CLASS_1: EventClass = EventClass {
    name: "Lost_Event",
    guid: guid::LOST_EVENT,
    group: None,
    events: &[
        Event { opcode: 32, name: "RTLostEvent", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_RUNDOWN_COMPLETE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_RUNDOWN_COMPLETE_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_RUNDOWN_COMPLETE_V0) },
        ] },
        Event { opcode: 33, name: "RTLostBuffer", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_RUNDOWN_COMPLETE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_RUNDOWN_COMPLETE_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_RUNDOWN_COMPLETE_V0) },
        ] },
        Event { opcode: 34, name: "RTLostFile", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_RUNDOWN_COMPLETE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_RUNDOWN_COMPLETE_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_RUNDOWN_COMPLETE_V0) },
        ] },
    ],
};

pub(crate) static CLASS_2: EventClass = EventClass {
    name: "Process",
    guid: guid::PROCESS,
    group: Some(3),
    events: &[
        Event { opcode: 1, name: "Start", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V3) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V4) },
        ] },
        Event { opcode: 2, name: "End", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V3) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V4) },
        ] },
        Event { opcode: 3, name: "DCStart", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V3) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V4) },
        ] },
        Event { opcode: 4, name: "DCEnd", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V3) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V4) },
        ] },
        Event { opcode: 11, name: "Terminate", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_TERMINATE_V2) },
        ] },
        Event { opcode: 32, name: "PerfCtr", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_PERF_CTR_V2) },
        ] },
        Event { opcode: 33, name: "PerfCtrRundown", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_PERF_CTR_V2) },
        ] },
        Event { opcode: 35, name: "InSwapProcess", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_IN_SWAP_PROCESS_V2) },
        ] },
        Event { opcode: 36, name: "Freeze", versions: &[
        ] },
        Event { opcode: 37, name: "Thaw", versions: &[
        ] },
        Event { opcode: 38, name: "BootPhaseStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_BOOT_PHASE_START_V2) },
        ] },
        Event { opcode: 39, name: "Defunct", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V3) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_PROCESS_START_V4) },
            Version { number: 5, fields: Cow::Borrowed(&FIELDS_PROCESS_DEFUNCT_V5) },
        ] },
        Event { opcode: 40, name: "SetAffinity", versions: &[
        ] },
        Event { opcode: 48, name: "ChargeWakeCounterUser", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 49, name: "ChargeWakeCounterExecution", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 50, name: "ChargeWakeCounterKernel", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 51, name: "ChargeWakeCounterInstrumentation", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 52, name: "ChargeWakeCounterPreserveProcess", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 64, name: "ReleaseWakeCounterUser", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 65, name: "ReleaseWakeCounterExecution", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 66, name: "ReleaseWakeCounterKernel", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 67, name: "ReleaseWakeCounterInstrumentation", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 68, name: "ReleaseWakeCounterPreserveProcess", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 80, name: "WakeDropUser", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 81, name: "WakeDropExecution", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 82, name: "WakeDropKernel", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 83, name: "WakeDropInstrumentation", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 84, name: "WakeDropPreserveProcess", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 96, name: "WakeEventUser", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 97, name: "WakeEventExecution", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 98, name: "WakeEventKernel", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 99, name: "WakeEventInstrumentation", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 100, name: "WakeEventPreserveProcess", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2) },
        ] },
        Event { opcode: 112, name: "DebugEvent", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_DEBUG_EVENT_V2) },
        ] },
        Event { opcode: 128, name: "Signal", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_SIGNAL_V2) },
        ] },
        Event { opcode: 129, name: "SignalHandled", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_SIGNAL_HANDLED_V2) },
        ] },
        Event { opcode: 130, name: "SignalDiscarded", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PROCESS_SIGNAL_V2) },
        ] },
    ],
};

pub(crate) static CLASS_3: EventClass = EventClass {
    name: "Thread",
    guid: guid::THREAD,
    group: Some(5),
    events: &[
        Event { opcode: 1, name: "Start", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_THREAD_START_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_THREAD_START_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_START_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_THREAD_START_V3) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_THREAD_START_V4) },
        ] },
        Event { opcode: 2, name: "End", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_THREAD_START_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_THREAD_END_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_START_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_THREAD_START_V3) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_THREAD_START_V4) },
        ] },
        Event { opcode: 3, name: "DCStart", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_THREAD_START_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_THREAD_START_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_START_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_THREAD_START_V3) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_THREAD_START_V4) },
        ] },
        Event { opcode: 4, name: "DCEnd", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_THREAD_START_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_THREAD_END_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_START_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_THREAD_START_V3) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_THREAD_START_V4) },
        ] },
        Event { opcode: 36, name: "CSwitch", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_THREAD_CSWITCH_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_CSWITCH_V1) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_THREAD_CSWITCH_V1) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_THREAD_CSWITCH_V1) },
        ] },
        Event { opcode: 37, name: "CompCS", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_EVENT_TRACE_RUNDOWN_COMPLETE_V0) },
        ] },
        Event { opcode: 41, name: "SpinLock", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_SPIN_LOCK_V2) },
        ] },
        Event { opcode: 42, name: "Queue", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_QUEUE_V2) },
        ] },
        Event { opcode: 43, name: "Resource", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_RESOURCE_V2) },
        ] },
        Event { opcode: 44, name: "PushLock", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_PUSH_LOCK_V2) },
        ] },
        Event { opcode: 45, name: "WaitSingle", versions: &[
        ] },
        Event { opcode: 46, name: "WaitMultiple", versions: &[
        ] },
        Event { opcode: 47, name: "DelayExecution", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_DELAY_EXECUTION_V2) },
        ] },
        Event { opcode: 48, name: "SetPriority", versions: &[
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_THREAD_SET_PRIORITY_V3) },
        ] },
        Event { opcode: 49, name: "SetBasePriority", versions: &[
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_THREAD_SET_PRIORITY_V3) },
        ] },
        Event { opcode: 50, name: "ReadyThread", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_READY_THREAD_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_THREAD_READY_THREAD_V2) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_THREAD_READY_THREAD_V2) },
        ] },
        Event { opcode: 51, name: "SetPagePriority", versions: &[
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_THREAD_SET_PRIORITY_V3) },
        ] },
        Event { opcode: 52, name: "SetIoPriority", versions: &[
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_THREAD_SET_PRIORITY_V3) },
        ] },
        Event { opcode: 53, name: "ThreadSetAffinity", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_THREAD_SET_AFFINITY_V2) },
        ] },
        Event { opcode: 57, name: "WorkerThread", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_WORKER_THREAD_V2) },
        ] },
        Event { opcode: 58, name: "DfssStartNewInterval", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_DFSS_START_NEW_INTERVAL_V2) },
        ] },
        Event { opcode: 59, name: "DfssProcessIdleOnlyQueue", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_DFSS_PROCESS_IDLE_ONLY_QUEUE_V2) },
        ] },
        Event { opcode: 60, name: "AntiStarvationBoost", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_ANTI_STARVATION_BOOST_V2) },
        ] },
        Event { opcode: 61, name: "ThreadMigration", versions: &[
        ] },
        Event { opcode: 62, name: "KQueueEnqueue", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_KQUEUE_ENQUEUE_V2) },
        ] },
        Event { opcode: 63, name: "KQueueDequeue", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_KQUEUE_DEQUEUE_V2) },
        ] },
        Event { opcode: 64, name: "WorkerThreadItemStart", versions: &[
        ] },
        Event { opcode: 65, name: "WorkerThreadItemEnd", versions: &[
        ] },
        Event { opcode: 66, name: "AutoBoostSetFloor", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_AUTO_BOOST_SET_FLOOR_V2) },
        ] },
        Event { opcode: 67, name: "AutoBoostClearFloor", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_AUTO_BOOST_CLEAR_FLOOR_V2) },
        ] },
        Event { opcode: 68, name: "AutoBoostNoEntries", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_AUTO_BOOST_NO_ENTRIES_V2) },
        ] },
        Event { opcode: 69, name: "ThreadSubProcessTagChanged", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_THREAD_SUB_PROCESS_TAG_CHANGED_V2) },
        ] },
        Event { opcode: 72, name: "SetName", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_SET_NAME_V2) },
        ] },
    ],
};

pub(crate) static CLASS_4: EventClass = EventClass {
    name: "Image",
    guid: guid::IMAGE,
    group: Some(20),
    events: &[
        Event { opcode: 2, name: "Unload", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V3) },
        ] },
        Event { opcode: 3, name: "DCStart", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V3) },
        ] },
        Event { opcode: 4, name: "DCEnd", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V3) },
        ] },
        Event { opcode: 10, name: "Load", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_IMAGE_UNLOAD_V3) },
        ] },
        Event { opcode: 32, name: "Relocation", versions: &[
        ] },
        Event { opcode: 33, name: "KernelBase", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_IMAGE_KERNEL_BASE_V2) },
        ] },
        Event { opcode: 34, name: "HypercallPage", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_IMAGE_HYPERCALL_PAGE_V2) },
        ] },
        Event { opcode: 128, name: "LdrLockAcquireAttempt", versions: &[
        ] },
        Event { opcode: 129, name: "LdrLockAcquireSuccess", versions: &[
        ] },
        Event { opcode: 130, name: "LdrLockAcquireFail", versions: &[
        ] },
        Event { opcode: 131, name: "LdrLockAcquireWait", versions: &[
        ] },
        Event { opcode: 132, name: "LdrProcInitDone", versions: &[
        ] },
        Event { opcode: 133, name: "LdrCreateSection", versions: &[
        ] },
        Event { opcode: 134, name: "LdrSectionCreated", versions: &[
        ] },
        Event { opcode: 135, name: "LdrMapView", versions: &[
        ] },
        Event { opcode: 144, name: "LdrRelocateImage", versions: &[
        ] },
        Event { opcode: 145, name: "LdrImageRelocated", versions: &[
        ] },
        Event { opcode: 146, name: "LdrHandleOldDescriptors", versions: &[
        ] },
        Event { opcode: 147, name: "LdrOldDescriptorsHandled", versions: &[
        ] },
        Event { opcode: 148, name: "LdrHandleNewDescriptors", versions: &[
        ] },
        Event { opcode: 149, name: "LdrNewDescriptorsHandled", versions: &[
        ] },
        Event { opcode: 150, name: "LdrDllMainExit", versions: &[
        ] },
        Event { opcode: 160, name: "LdrFindDll", versions: &[
        ] },
        Event { opcode: 161, name: "LdrViewMapped", versions: &[
        ] },
        Event { opcode: 162, name: "LdrLockRelease", versions: &[
        ] },
        Event { opcode: 163, name: "LdrDllMainEnter", versions: &[
        ] },
        Event { opcode: 164, name: "LdrError", versions: &[
        ] },
        Event { opcode: 165, name: "LdrViewMapping", versions: &[
        ] },
        Event { opcode: 166, name: "LdrSnapping", versions: &[
        ] },
        Event { opcode: 167, name: "LdrSnapped", versions: &[
        ] },
        Event { opcode: 168, name: "LdrLoading", versions: &[
        ] },
        Event { opcode: 169, name: "LdrLoaded", versions: &[
        ] },
        Event { opcode: 170, name: "LdrFoundKnownDll", versions: &[
        ] },
        Event { opcode: 171, name: "LdrAbnormal", versions: &[
        ] },
        Event { opcode: 172, name: "LdrPlaceholder", versions: &[
        ] },
        Event { opcode: 173, name: "LdrRdyToInit", versions: &[
        ] },
        Event { opcode: 174, name: "LdrRdyToRun", versions: &[
        ] },
        Event { opcode: 176, name: "LdrNewDllLoad", versions: &[
        ] },
        Event { opcode: 177, name: "LdrNewDllAsData", versions: &[
        ] },
        Event { opcode: 192, name: "LdrExternalPath", versions: &[
        ] },
        Event { opcode: 193, name: "LdrGeneratedPath", versions: &[
        ] },
        Event { opcode: 208, name: "LdrApiSetResolving", versions: &[
        ] },
        Event { opcode: 209, name: "LdrApiSetHosted", versions: &[
        ] },
        Event { opcode: 210, name: "LdrApiSetUnhosted", versions: &[
        ] },
        Event { opcode: 211, name: "LdrApiSetUnresolved", versions: &[
        ] },
        Event { opcode: 212, name: "LdrSearchSecurity", versions: &[
        ] },
        Event { opcode: 213, name: "LdrSearchPathSecurity", versions: &[
        ] },
    ],
};

pub(crate) static CLASS_5: EventClass = EventClass {
    name: "DiskIo",
    guid: guid::DISK_IO,
    group: Some(1),
    events: &[
        Event { opcode: 10, name: "Read", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_DISK_IO_READ_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_DISK_IO_READ_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_READ_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_DISK_IO_READ_V3) },
        ] },
        Event { opcode: 11, name: "Write", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_DISK_IO_READ_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_DISK_IO_READ_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_READ_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_DISK_IO_READ_V3) },
        ] },
        Event { opcode: 12, name: "ReadInit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_READ_INIT_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_DISK_IO_READ_INIT_V3) },
        ] },
        Event { opcode: 13, name: "WriteInit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_READ_INIT_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_DISK_IO_READ_INIT_V3) },
        ] },
        Event { opcode: 14, name: "FlushBuffers", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_FLUSH_BUFFERS_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_DISK_IO_FLUSH_BUFFERS_V3) },
        ] },
        Event { opcode: 15, name: "FlushInit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_READ_INIT_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_DISK_IO_READ_INIT_V3) },
        ] },
        Event { opcode: 16, name: "IoRedirectedInit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_IO_REDIRECTED_INIT_V2) },
        ] },
        Event { opcode: 32, name: "DriverInit", versions: &[
        ] },
        Event { opcode: 33, name: "DriverInitComplete", versions: &[
        ] },
        Event { opcode: 34, name: "DrvMjFnCall", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_DRV_MJ_FN_CALL_V2) },
        ] },
        Event { opcode: 35, name: "DrvMjFnRet", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_DRV_MJ_FN_RET_V2) },
        ] },
        Event { opcode: 36, name: "DriverCompletionRoutineCall", versions: &[
        ] },
        Event { opcode: 37, name: "DrvComplRout", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_DRV_COMPL_ROUT_V2) },
        ] },
        Event { opcode: 38, name: "DriverAddDeviceCall", versions: &[
        ] },
        Event { opcode: 39, name: "DriverAddDeviceReturn", versions: &[
        ] },
        Event { opcode: 40, name: "DriverStartIoCall", versions: &[
        ] },
        Event { opcode: 41, name: "DriverStartIoReturn", versions: &[
        ] },
        Event { opcode: 48, name: "PrefetchAction", versions: &[
        ] },
        Event { opcode: 49, name: "PrefetchRequest", versions: &[
        ] },
        Event { opcode: 50, name: "PrefetchReadList", versions: &[
        ] },
        Event { opcode: 51, name: "PrefetchRead", versions: &[
        ] },
        Event { opcode: 52, name: "DrvComplReq", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_DRV_COMPL_REQ_V2) },
        ] },
        Event { opcode: 53, name: "DrvComplReqRet", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_DRV_MJ_FN_RET_V2) },
        ] },
        Event { opcode: 54, name: "BootPrefetchInformation", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_BOOT_PREFETCH_INFORMATION_V2) },
        ] },
        Event { opcode: 55, name: "OpticalIoRead", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_OPTICAL_IO_READ_V2) },
        ] },
        Event { opcode: 56, name: "OpticalIoWrite", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_OPTICAL_IO_READ_V2) },
        ] },
        Event { opcode: 57, name: "OpticalIoFlush", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_OPTICAL_IO_FLUSH_V2) },
        ] },
        Event { opcode: 58, name: "OpticalIoReadInit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_OPTICAL_IO_READ_INIT_V2) },
        ] },
        Event { opcode: 59, name: "OpticalIoWriteInit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_OPTICAL_IO_READ_INIT_V2) },
        ] },
        Event { opcode: 60, name: "OpticalIoFlushInit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DISK_IO_OPTICAL_IO_READ_INIT_V2) },
        ] },
    ],
};

pub(crate) static CLASS_6: EventClass = EventClass {
    name: "FileIo",
    guid: guid::FILE_IO,
    group: Some(4),
    events: &[
        Event { opcode: 0, name: "Name", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
        ] },
        Event { opcode: 32, name: "FileCreate", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
        ] },
        Event { opcode: 33, name: "Same", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_SAME_V2) },
        ] },
        Event { opcode: 34, name: "Null", versions: &[
        ] },
        Event { opcode: 35, name: "FileDelete", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
        ] },
        Event { opcode: 36, name: "FileRundown", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_NAME_V0) },
        ] },
        Event { opcode: 37, name: "MapFile", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_MAP_FILE_V2) },
        ] },
        Event { opcode: 38, name: "UnmapFile", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_MAP_FILE_V2) },
        ] },
        Event { opcode: 39, name: "MapFileDCStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_MAP_FILE_V2) },
        ] },
        Event { opcode: 40, name: "MapFileDCEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_MAP_FILE_V2) },
        ] },
        Event { opcode: 64, name: "Create", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_CREATE_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_CREATE_V3) },
        ] },
        Event { opcode: 65, name: "Cleanup", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_CLEANUP_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_CLEANUP_V3) },
        ] },
        Event { opcode: 66, name: "Close", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_CLEANUP_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_CLEANUP_V3) },
        ] },
        Event { opcode: 67, name: "Read", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_READ_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_READ_V3) },
        ] },
        Event { opcode: 68, name: "Write", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_READ_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_READ_V3) },
        ] },
        Event { opcode: 69, name: "SetInfo", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_SET_INFO_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_SET_INFO_V3) },
        ] },
        Event { opcode: 70, name: "Delete", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_SET_INFO_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_SET_INFO_V3) },
        ] },
        Event { opcode: 71, name: "Rename", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_SET_INFO_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_SET_INFO_V3) },
        ] },
        Event { opcode: 72, name: "DirEnum", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_DIR_ENUM_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_DIR_ENUM_V3) },
        ] },
        Event { opcode: 73, name: "Flush", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_CLEANUP_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_CLEANUP_V3) },
        ] },
        Event { opcode: 74, name: "QueryInfo", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_SET_INFO_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_SET_INFO_V3) },
        ] },
        Event { opcode: 75, name: "FSControl", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_FSCONTROL_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_FSCONTROL_V3) },
        ] },
        Event { opcode: 76, name: "OperationEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_OPERATION_END_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_OPERATION_END_V2) },
        ] },
        Event { opcode: 77, name: "DirNotify", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_FILE_IO_DIR_ENUM_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_DIR_ENUM_V3) },
        ] },
        Event { opcode: 78, name: "FileIoCreateNew", versions: &[
        ] },
        Event { opcode: 79, name: "DeletePath", versions: &[
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_DELETE_PATH_V3) },
        ] },
        Event { opcode: 80, name: "RenamePath", versions: &[
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_DELETE_PATH_V3) },
        ] },
        Event { opcode: 81, name: "SetLinkPath", versions: &[
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_FILE_IO_DELETE_PATH_V3) },
        ] },
        Event { opcode: 82, name: "FileIoSetLink", versions: &[
        ] },
        Event { opcode: 96, name: "FltPreopInit", versions: &[
        ] },
        Event { opcode: 97, name: "FltPostopInit", versions: &[
        ] },
        Event { opcode: 98, name: "FltPreopCompletion", versions: &[
        ] },
        Event { opcode: 99, name: "FltPostopCompletion", versions: &[
        ] },
        Event { opcode: 100, name: "FltPreopFailure", versions: &[
        ] },
        Event { opcode: 101, name: "FltPostopFailure", versions: &[
        ] },
    ],
};

pub(crate) static CLASS_7: EventClass = EventClass {
    name: "TcpIp",
    guid: guid::TCP_IP,
    group: Some(6),
    events: &[
        Event { opcode: 10, name: "SendIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V2) },
        ] },
        Event { opcode: 11, name: "RecvIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_RECV_IPV4_V2) },
        ] },
        Event { opcode: 12, name: "ConnectIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_CONNECT_IPV4_V2) },
        ] },
        Event { opcode: 13, name: "DisconnectIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_RECV_IPV4_V2) },
        ] },
        Event { opcode: 14, name: "RetransmitIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_RECV_IPV4_V2) },
        ] },
        Event { opcode: 15, name: "AcceptIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_CONNECT_IPV4_V2) },
        ] },
        Event { opcode: 16, name: "ReconnectIPV4", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_RECV_IPV4_V2) },
        ] },
        Event { opcode: 17, name: "Fail", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_TCP_IP_FAIL_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_FAIL_V1) },
        ] },
        Event { opcode: 18, name: "TCPCopyIPV4", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_RECV_IPV4_V2) },
        ] },
        Event { opcode: 26, name: "SendIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV6_V2) },
        ] },
        Event { opcode: 27, name: "RecvIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_RECV_IPV6_V2) },
        ] },
        Event { opcode: 28, name: "ConnectIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_CONNECT_IPV6_V2) },
        ] },
        Event { opcode: 29, name: "DisconnectIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_RECV_IPV6_V2) },
        ] },
        Event { opcode: 30, name: "RetransmitIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_RECV_IPV6_V2) },
        ] },
        Event { opcode: 31, name: "AcceptIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_CONNECT_IPV6_V2) },
        ] },
        Event { opcode: 32, name: "ReconnectIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_RECV_IPV6_V2) },
        ] },
        Event { opcode: 33, name: "FailIPV6", versions: &[
        ] },
        Event { opcode: 34, name: "TCPCopyIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_RECV_IPV6_V2) },
        ] },
        Event { opcode: 35, name: "ArpcopyIPV6", versions: &[
        ] },
        Event { opcode: 36, name: "FullackIPV6", versions: &[
        ] },
        Event { opcode: 37, name: "PartackIPV6", versions: &[
        ] },
        Event { opcode: 38, name: "DupackIPV6", versions: &[
        ] },
        Event { opcode: 128, name: "StateIPV4", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_STATE_IPV4_V2) },
        ] },
        Event { opcode: 129, name: "StateIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_STATE_IPV6_V2) },
        ] },
        Event { opcode: 130, name: "ConnectRequestIPV4", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_STATE_IPV4_V2) },
        ] },
        Event { opcode: 131, name: "ConnectRequestIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_STATE_IPV6_V2) },
        ] },
        Event { opcode: 132, name: "ConnectRefusedIPV4", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_STATE_IPV4_V2) },
        ] },
        Event { opcode: 133, name: "ConnectRefusedIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_STATE_IPV6_V2) },
        ] },
    ],
};

pub(crate) static CLASS_8: EventClass = EventClass {
    name: "UdpIp",
    guid: guid::UDP_IP,
    group: Some(8),
    events: &[
        Event { opcode: 10, name: "SendIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_UDP_IP_SEND_IPV4_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_RECV_IPV4_V2) },
        ] },
        Event { opcode: 11, name: "RecvIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_UDP_IP_SEND_IPV4_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_TCP_IP_SEND_IPV4_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_RECV_IPV4_V2) },
        ] },
        Event { opcode: 17, name: "Fail", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_TCP_IP_FAIL_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_FAIL_V1) },
        ] },
        Event { opcode: 26, name: "SendIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_RECV_IPV6_V2) },
        ] },
        Event { opcode: 27, name: "RecvIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_TCP_IP_RECV_IPV6_V2) },
        ] },
    ],
};

pub(crate) static CLASS_9: EventClass = EventClass {
    name: "PerfInfo",
    guid: guid::PERF_INFO,
    group: Some(15),
    events: &[
        Event { opcode: 32, name: "RundownCheckpoint", versions: &[
        ] },
        Event { opcode: 34, name: "Mark", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_PERF_INFO_MARK_V0) },
        ] },
        Event { opcode: 36, name: "AsyncMark", versions: &[
        ] },
        Event { opcode: 38, name: "ImageName", versions: &[
        ] },
        Event { opcode: 39, name: "DelaysCcCanIWrite", versions: &[
        ] },
        Event { opcode: 46, name: "SampleProfile", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SAMPLE_PROFILE_V2) },
        ] },
        Event { opcode: 47, name: "PmcCounterProf", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_PMC_COUNTER_PROF_V2) },
        ] },
        Event { opcode: 48, name: "PmcCounterConfig", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_PMC_COUNTER_CONFIG_V2) },
        ] },
        Event { opcode: 50, name: "ISR-MSI", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_ISR_MSI_V2) },
        ] },
        Event { opcode: 51, name: "SysClEnter", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SYS_CL_ENTER_V2) },
            Version { number: 128, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SYS_CL_ENTER_V128) },
            Version { number: 129, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SYS_CL_ENTER_V129) },
            Version { number: 130, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SYS_CL_ENTER_V130) },
        ] },
        Event { opcode: 52, name: "SysClExit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SYS_CL_EXIT_V2) },
            Version { number: 128, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SYS_CL_EXIT_V128) },
            Version { number: 129, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SYS_CL_EXIT_V129) },
            Version { number: 130, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SYS_CL_EXIT_V130) },
        ] },
        Event { opcode: 53, name: "BackTrace", versions: &[
        ] },
        Event { opcode: 54, name: "BackTraceUserStack", versions: &[
        ] },
        Event { opcode: 55, name: "SampledProfileCache", versions: &[
        ] },
        Event { opcode: 56, name: "ExceptionStack", versions: &[
        ] },
        Event { opcode: 57, name: "BranchTrace", versions: &[
        ] },
        Event { opcode: 58, name: "DebuggerEnabled", versions: &[
        ] },
        Event { opcode: 59, name: "DebuggerExit", versions: &[
        ] },
        Event { opcode: 64, name: "BranchTraceDebug", versions: &[
        ] },
        Event { opcode: 65, name: "BranchAddressDebug", versions: &[
        ] },
        Event { opcode: 66, name: "ThreadDPC", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_THREAD_DPC_V2) },
        ] },
        Event { opcode: 67, name: "ISR", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_ISR_V2) },
        ] },
        Event { opcode: 68, name: "DPC", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_THREAD_DPC_V2) },
        ] },
        Event { opcode: 69, name: "TimerDPC", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_THREAD_DPC_V2) },
        ] },
        Event { opcode: 70, name: "IoTimerExpiration", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_IO_TIMER_EXPIRATION_V2) },
        ] },
        Event { opcode: 71, name: "SampledProfileNmi", versions: &[
        ] },
        Event { opcode: 72, name: "SetInterval", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SET_INTERVAL_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SET_INTERVAL_V3) },
        ] },
        Event { opcode: 73, name: "CollectionStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SET_INTERVAL_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SET_INTERVAL_V3) },
        ] },
        Event { opcode: 74, name: "CollectionEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SET_INTERVAL_V2) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SET_INTERVAL_V3) },
        ] },
        Event { opcode: 75, name: "SpinLockDCStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SPIN_LOCK_DCSTART_V2) },
        ] },
        Event { opcode: 76, name: "SpinLockDCEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SPIN_LOCK_DCSTART_V2) },
        ] },
        Event { opcode: 77, name: "EResourceDCStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_ERESOURCE_DCSTART_V2) },
        ] },
        Event { opcode: 78, name: "EResourceDCEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_ERESOURCE_DCSTART_V2) },
        ] },
        Event { opcode: 79, name: "ClockInterrupt", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_CLOCK_INTERRUPT_V2) },
        ] },
        Event { opcode: 80, name: "TimerExpirationStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_TIMER_EXPIRATION_START_V2) },
        ] },
        Event { opcode: 81, name: "TimerExpiration", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_TIMER_EXPIRATION_V2) },
        ] },
        Event { opcode: 82, name: "TimerSetPeriodic", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_TIMER_SET_PERIODIC_V2) },
        ] },
        Event { opcode: 83, name: "TimerSetOneShot", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_TIMER_SET_PERIODIC_V2) },
        ] },
        Event { opcode: 84, name: "TimerSetThread", versions: &[
        ] },
        Event { opcode: 85, name: "TimerCancel", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_TIMER_CANCEL_V2) },
        ] },
        Event { opcode: 86, name: "TimeAdjustment", versions: &[
        ] },
        Event { opcode: 87, name: "ClockModeSwitch", versions: &[
        ] },
        Event { opcode: 88, name: "ClockTimeUpdate", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_CLOCK_TIME_UPDATE_V2) },
        ] },
        Event { opcode: 89, name: "ClockDynamicTickVeto", versions: &[
        ] },
        Event { opcode: 90, name: "ClockConfiguration", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_CLOCK_CONFIGURATION_V2) },
        ] },
        Event { opcode: 91, name: "Ipi", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_IPI_V2) },
        ] },
        Event { opcode: 92, name: "UnexpectedInterrupt", versions: &[
        ] },
        Event { opcode: 93, name: "IoTimerStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_IO_TIMER_EXPIRATION_V2) },
        ] },
        Event { opcode: 94, name: "IoTimerStop", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_IO_TIMER_EXPIRATION_V2) },
        ] },
        Event { opcode: 95, name: "PassiveInterrupt", versions: &[
        ] },
        Event { opcode: 96, name: "WdfInterrupt", versions: &[
        ] },
        Event { opcode: 97, name: "WdfPassiveInterrupt", versions: &[
        ] },
        Event { opcode: 98, name: "WdfDpc", versions: &[
        ] },
        Event { opcode: 99, name: "CpuCacheFlush", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_CPU_CACHE_FLUSH_V2) },
        ] },
        Event { opcode: 100, name: "DpcEnqueue", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_DPC_ENQUEUE_V2) },
        ] },
        Event { opcode: 101, name: "DpcExecution", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_DPC_EXECUTION_V2) },
        ] },
        Event { opcode: 102, name: "InterruptSteering", versions: &[
        ] },
        Event { opcode: 103, name: "WdfWorkItem", versions: &[
        ] },
        Event { opcode: 104, name: "KTimer2Set", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_KTIMER2_SET_V2) },
        ] },
        Event { opcode: 105, name: "KTimer2Expiration", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_KTIMER2_SET_V2) },
        ] },
        Event { opcode: 106, name: "KTimer2Cancel", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_KTIMER2_CANCEL_V2) },
        ] },
        Event { opcode: 107, name: "KTimer2Disable", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_KTIMER2_DISABLE_V2) },
        ] },
        Event { opcode: 108, name: "KTimer2Finalization", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_KTIMER2_FINALIZATION_V2) },
        ] },
        Event { opcode: 109, name: "ShouldYieldProcessor", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_SHOULD_YIELD_PROCESSOR_V2) },
        ] },
        Event { opcode: 128, name: "FunctionCall", versions: &[
        ] },
        Event { opcode: 129, name: "FunctionReturn", versions: &[
        ] },
        Event { opcode: 130, name: "FunctionEnter", versions: &[
        ] },
        Event { opcode: 131, name: "FunctionExit", versions: &[
        ] },
        Event { opcode: 132, name: "TailCall", versions: &[
        ] },
        Event { opcode: 133, name: "Trap", versions: &[
        ] },
        Event { opcode: 134, name: "SpinLockAcquire", versions: &[
        ] },
        Event { opcode: 135, name: "SpinLockRelease", versions: &[
        ] },
        Event { opcode: 136, name: "CapComment", versions: &[
        ] },
        Event { opcode: 137, name: "CapRundown", versions: &[
        ] },
        Event { opcode: 160, name: "CrossCall", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PERF_INFO_CROSS_CALL_V2) },
        ] },
    ],
};

pub(crate) static CLASS_10: EventClass = EventClass {
    name: "StackWalk",
    guid: guid::STACK_WALK,
    group: Some(24),
    events: &[
        Event { opcode: 32, name: "Stack", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_STACK_WALK_STACK_V2) },
        ] },
        Event { opcode: 34, name: "StackTraceCreate", versions: &[
        ] },
        Event { opcode: 35, name: "KeyDelete", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_STACK_WALK_KEY_DELETE_V2) },
        ] },
        Event { opcode: 36, name: "KeyRundown", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_STACK_WALK_KEY_DELETE_V2) },
        ] },
        Event { opcode: 37, name: "StackKeyKernel", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_STACK_WALK_STACK_KEY_KERNEL_V2) },
        ] },
        Event { opcode: 38, name: "StackKeyUser", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_STACK_WALK_STACK_KEY_KERNEL_V2) },
        ] },
    ],
};

pub(crate) static CLASS_11: EventClass = EventClass {
    name: "PageFault",
    guid: guid::PAGE_FAULT,
    group: Some(2),
    events: &[
        Event { opcode: 10, name: "TransitionFault", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_TRANSITION_FAULT_V2) },
        ] },
        Event { opcode: 11, name: "DemandZeroFault", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_TRANSITION_FAULT_V2) },
        ] },
        Event { opcode: 12, name: "CopyOnWrite", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_TRANSITION_FAULT_V2) },
        ] },
        Event { opcode: 13, name: "GuardPageFault", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_TRANSITION_FAULT_V2) },
        ] },
        Event { opcode: 14, name: "HardPageFault", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_TRANSITION_FAULT_V2) },
        ] },
        Event { opcode: 15, name: "AccessViolation", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_TRANSITION_FAULT_V2) },
        ] },
        Event { opcode: 32, name: "HardFault", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_HARD_FAULT_V2) },
        ] },
        Event { opcode: 33, name: "RemovePageByColor", versions: &[
        ] },
        Event { opcode: 34, name: "RemovePageFromList", versions: &[
        ] },
        Event { opcode: 35, name: "PageInMemory", versions: &[
        ] },
        Event { opcode: 36, name: "InsertInFreeList", versions: &[
        ] },
        Event { opcode: 37, name: "InsertInModifiedList", versions: &[
        ] },
        Event { opcode: 38, name: "InsertInList", versions: &[
        ] },
        Event { opcode: 40, name: "InsertAtFront", versions: &[
        ] },
        Event { opcode: 41, name: "UnlinkFromStandby", versions: &[
        ] },
        Event { opcode: 42, name: "UnlinkFromFreeOrZero", versions: &[
        ] },
        Event { opcode: 43, name: "WorkingSetManager", versions: &[
        ] },
        Event { opcode: 44, name: "TrimProcess", versions: &[
        ] },
        Event { opcode: 46, name: "ZeroShareCount", versions: &[
        ] },
        Event { opcode: 60, name: "WsInfoProcess", versions: &[
        ] },
        Event { opcode: 69, name: "FaultAddrWithIP", versions: &[
        ] },
        Event { opcode: 70, name: "TrimSession", versions: &[
        ] },
        Event { opcode: 71, name: "MemorySnapLite", versions: &[
        ] },
        Event { opcode: 72, name: "PfMappedSectionRundown", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_PF_MAPPED_SECTION_RUNDOWN_V2) },
        ] },
        Event { opcode: 73, name: "PfMappedSectionCreate", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_PF_MAPPED_SECTION_RUNDOWN_V2) },
        ] },
        Event { opcode: 74, name: "WsInfoSession", versions: &[
        ] },
        Event { opcode: 75, name: "CreateSession", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_CREATE_SESSION_V2) },
        ] },
        Event { opcode: 76, name: "SessionRundownDCEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_CREATE_SESSION_V2) },
        ] },
        Event { opcode: 77, name: "SessionRundownDCStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_CREATE_SESSION_V2) },
        ] },
        Event { opcode: 78, name: "SessionDelete", versions: &[
        ] },
        Event { opcode: 79, name: "PfMappedSectionDelete", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_PF_MAPPED_SECTION_RUNDOWN_V2) },
        ] },
        Event { opcode: 98, name: "VirtualAlloc", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_VIRTUAL_ALLOC_V2) },
        ] },
        Event { opcode: 99, name: "VirtualFree", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_VIRTUAL_ALLOC_V2) },
        ] },
        Event { opcode: 100, name: "HeapRangeRundown", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_HEAP_RANGE_RUNDOWN_V2) },
        ] },
        Event { opcode: 101, name: "HeapRangeCreate", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_HEAP_RANGE_CREATE_V2) },
        ] },
        Event { opcode: 102, name: "HeapRangeReserve", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_HEAP_RANGE_RESERVE_V2) },
        ] },
        Event { opcode: 103, name: "HeapRangeRelease", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_HEAP_RANGE_RESERVE_V2) },
        ] },
        Event { opcode: 104, name: "HeapRangeDestroy", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_HEAP_RANGE_DESTROY_V2) },
        ] },
        Event { opcode: 105, name: "ImageLoadBacked", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_IMAGE_LOAD_BACKED_V2) },
        ] },
        Event { opcode: 112, name: "MemInfo", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_MEM_INFO_V2) },
        ] },
        Event { opcode: 113, name: "ContMemGenerate", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_CONT_MEM_GENERATE_V2) },
        ] },
        Event { opcode: 114, name: "FileStoreFault", versions: &[
        ] },
        Event { opcode: 115, name: "InMemoryStoreFault", versions: &[
        ] },
        Event { opcode: 116, name: "CompressedPage", versions: &[
        ] },
        Event { opcode: 117, name: "PageInMemoryActive", versions: &[
        ] },
        Event { opcode: 118, name: "PageAccess", versions: &[
        ] },
        Event { opcode: 119, name: "PageRelease", versions: &[
        ] },
        Event { opcode: 120, name: "PageRangeAccess", versions: &[
        ] },
        Event { opcode: 121, name: "PageRangeRelease", versions: &[
        ] },
        Event { opcode: 122, name: "PageCombine", versions: &[
        ] },
        Event { opcode: 123, name: "KernelMemUsage", versions: &[
        ] },
        Event { opcode: 124, name: "MmStats", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_MM_STATS_V2) },
        ] },
        Event { opcode: 125, name: "MemInfoExWs", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_MEM_INFO_EX_WS_V2) },
        ] },
        Event { opcode: 126, name: "MemInfoExSessionws", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_MEM_INFO_EX_WS_V2) },
        ] },
        Event { opcode: 127, name: "VirtualRotate", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_VIRTUAL_ROTATE_V2) },
        ] },
        Event { opcode: 128, name: "VirtualAllocDCStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_VIRTUAL_ALLOC_DCSTART_V2) },
        ] },
        Event { opcode: 129, name: "VirtualAllocDCEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_VIRTUAL_ALLOC_DCSTART_V2) },
        ] },
        Event { opcode: 130, name: "PageAccessEx", versions: &[
        ] },
        Event { opcode: 131, name: "RemoveFromWs", versions: &[
        ] },
        Event { opcode: 132, name: "WsShareableRundown", versions: &[
        ] },
        Event { opcode: 133, name: "InMemoryActiveRundown", versions: &[
        ] },
        Event { opcode: 134, name: "MemResetInfo", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_VIRTUAL_ROTATE_V2) },
        ] },
        Event { opcode: 135, name: "PfMappedSectionObjectCreate", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_PF_MAPPED_SECTION_OBJECT_CREATE_V2) },
        ] },
        Event { opcode: 136, name: "PfMappedSectionObjectDelete", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_PAGE_FAULT_PF_MAPPED_SECTION_OBJECT_CREATE_V2) },
        ] },
    ],
};

pub(crate) static CLASS_12: EventClass = EventClass {
    name: "Registry",
    guid: guid::REGISTRY,
    group: Some(9),
    events: &[
        Event { opcode: 10, name: "Create", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 11, name: "Open", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 12, name: "Delete", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 13, name: "Query", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 14, name: "SetValue", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 15, name: "DeleteValue", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 16, name: "QueryValue", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 17, name: "EnumerateKey", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 18, name: "EnumerateValueKey", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 19, name: "QueryMultipleValue", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 20, name: "SetInformation", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 21, name: "Flush", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 22, name: "KCBCreate", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 23, name: "KCBDelete", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 24, name: "KCBRundownBegin", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 25, name: "KCBRundownEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 26, name: "Virtualize", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 27, name: "Close", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_CREATE_V2) },
        ] },
        Event { opcode: 32, name: "CellReferred", versions: &[
        ] },
        Event { opcode: 33, name: "RegSetValue", versions: &[
        ] },
        Event { opcode: 34, name: "RegCounters", versions: &[
        ] },
        Event { opcode: 35, name: "RegConfig", versions: &[
        ] },
        Event { opcode: 36, name: "RegHiveInitialize", versions: &[
        ] },
        Event { opcode: 37, name: "RegHiveDestroy", versions: &[
        ] },
        Event { opcode: 38, name: "RegHiveLink", versions: &[
        ] },
        Event { opcode: 39, name: "RegHiveRundownDCEnd", versions: &[
        ] },
        Event { opcode: 40, name: "RegHiveDirty", versions: &[
        ] },
        Event { opcode: 48, name: "RegNotifRegister", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_REGISTRY_REG_NOTIF_REGISTER_V2) },
        ] },
        Event { opcode: 49, name: "RegNotifDeliver", versions: &[
        ] },
    ],
};

pub(crate) static CLASS_13: EventClass = EventClass {
    name: "SplitIo",
    guid: guid::SPLIT_IO,
    group: Some(27),
    events: &[
        Event { opcode: 32, name: "VolMgr", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SPLIT_IO_VOL_MGR_V2) },
        ] },
    ],
};

pub(crate) static CLASS_14: EventClass = EventClass {
    name: "ALPC",
    guid: guid::ALPC,
    group: Some(26),
    events: &[
        Event { opcode: 33, name: "ALPC-Send-Message", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_ALPC_ALPC_SEND_MESSAGE_V2) },
        ] },
        Event { opcode: 34, name: "ALPC-Receive-Message", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_ALPC_ALPC_SEND_MESSAGE_V2) },
        ] },
        Event { opcode: 35, name: "ALPC-Wait-For-Reply", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_ALPC_ALPC_SEND_MESSAGE_V2) },
        ] },
        Event { opcode: 36, name: "ALPC-Wait-For-New-Message", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_ALPC_ALPC_WAIT_FOR_NEW_MESSAGE_V2) },
        ] },
        Event { opcode: 37, name: "ALPC-Unwait", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_ALPC_ALPC_UNWAIT_V2) },
        ] },
        Event { opcode: 38, name: "ConnectRequest", versions: &[
        ] },
        Event { opcode: 39, name: "ConnectSuccess", versions: &[
        ] },
        Event { opcode: 40, name: "ConnectFail", versions: &[
        ] },
        Event { opcode: 41, name: "ClosePort", versions: &[
        ] },
    ],
};

pub(crate) static CLASS_15: EventClass = EventClass {
    name: "Object",
    guid: guid::OBJECT,
    group: Some(17),
    events: &[
        Event { opcode: 32, name: "CreateHandle", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_OBJECT_CREATE_HANDLE_V2) },
        ] },
        Event { opcode: 33, name: "CloseHandle", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_OBJECT_CREATE_HANDLE_V2) },
        ] },
        Event { opcode: 34, name: "DuplicateHandle", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_OBJECT_DUPLICATE_HANDLE_V2) },
        ] },
        Event { opcode: 36, name: "TypeDCStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_OBJECT_TYPE_DCSTART_V2) },
        ] },
        Event { opcode: 37, name: "TypeDCEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_OBJECT_TYPE_DCSTART_V2) },
        ] },
        Event { opcode: 38, name: "ObjectHandleDCStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_OBJECT_OBJECT_HANDLE_DCSTART_V2) },
        ] },
        Event { opcode: 39, name: "ObjectHandleDCEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_OBJECT_OBJECT_HANDLE_DCSTART_V2) },
        ] },
        Event { opcode: 48, name: "CreateObject", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_OBJECT_CREATE_OBJECT_V2) },
        ] },
        Event { opcode: 49, name: "DeleteObject", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_OBJECT_CREATE_OBJECT_V2) },
        ] },
        Event { opcode: 50, name: "ReferenceObject", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_OBJECT_REFERENCE_OBJECT_V2) },
        ] },
        Event { opcode: 51, name: "DereferenceObject", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_OBJECT_REFERENCE_OBJECT_V2) },
        ] },
    ],
};

pub(crate) static CLASS_16: EventClass = EventClass {
    name: "SystemConfig",
    guid: guid::SYSTEM_CONFIG,
    group: Some(11),
    events: &[
        Event { opcode: 10, name: "CPU", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_CPU_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_CPU_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_CPU_V1) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_CPU_V3) },
        ] },
        Event { opcode: 11, name: "PhyDisk", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_PHY_DISK_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_PHY_DISK_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_PHY_DISK_V1) },
        ] },
        Event { opcode: 12, name: "LogDisk", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_LOG_DISK_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_LOG_DISK_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_LOG_DISK_V1) },
        ] },
        Event { opcode: 13, name: "NIC", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_NIC_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_NIC_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_NIC_V2) },
        ] },
        Event { opcode: 14, name: "Video", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_VIDEO_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_VIDEO_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_VIDEO_V0) },
        ] },
        Event { opcode: 15, name: "Services", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_SERVICES_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_SERVICES_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_SERVICES_V1) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_SERVICES_V3) },
        ] },
        Event { opcode: 16, name: "Power", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_POWER_V0) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_POWER_V0) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_POWER_V0) },
        ] },
        Event { opcode: 17, name: "Network", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_NETWORK_V2) },
        ] },
        Event { opcode: 18, name: "OpticalMedia", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_OPTICAL_MEDIA_V2) },
        ] },
        Event { opcode: 19, name: "PhysicalDiskEx", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_PHYSICAL_DISK_EX_V2) },
        ] },
        Event { opcode: 21, name: "IRQ", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_IRQ_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_IRQ_V1) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_IRQ_V3) },
        ] },
        Event { opcode: 22, name: "PnP", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_PN_P_V1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_PN_P_V1) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_PN_P_V3) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_PN_P_V4) },
            Version { number: 5, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_PN_P_V5) },
        ] },
        Event { opcode: 23, name: "IDEChannel", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_IDECHANNEL_V2) },
        ] },
        Event { opcode: 24, name: "NumaNode", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_NUMA_NODE_V2) },
        ] },
        Event { opcode: 25, name: "Platform", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_PLATFORM_V2) },
        ] },
        Event { opcode: 26, name: "ProcessorGroup", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_PROCESSOR_GROUP_V2) },
        ] },
        Event { opcode: 27, name: "ProcessorNumber", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_PROCESSOR_NUMBER_V2) },
        ] },
        Event { opcode: 28, name: "DPI", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_DPI_V2) },
        ] },
        Event { opcode: 29, name: "CodeIntegrity", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_CODE_INTEGRITY_V2) },
        ] },
        Event { opcode: 30, name: "TelemetryInfo", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_TELEMETRY_INFO_V2) },
        ] },
        Event { opcode: 31, name: "Defrag", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_DEFRAG_V2) },
        ] },
        Event { opcode: 33, name: "DeviceFamily", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_DEVICE_FAMILY_V2) },
        ] },
        Event { opcode: 34, name: "FlightIds", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_FLIGHT_IDS_V2) },
        ] },
        Event { opcode: 35, name: "Processor", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_PROCESSOR_V2) },
        ] },
        Event { opcode: 36, name: "Virtualization", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_VIRTUALIZATION_V2) },
        ] },
        Event { opcode: 37, name: "Boot", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_BOOT_V2) },
        ] },
    ],
};

pub(crate) static CLASS_17: EventClass = EventClass {
    name: "KernelTraceControl",
    guid: guid::KERNEL_TRACE_CONTROL,
    group: None,
    events: &[
        Event { opcode: 0, name: "ImageID", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_KERNEL_TRACE_CONTROL_IMAGE_ID_V2) },
        ] },
        Event { opcode: 32, name: "DbgIDNone", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_KERNEL_TRACE_CONTROL_DBG_IDNONE_V2) },
        ] },
        Event { opcode: 34, name: "DbgIDDbg", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_KERNEL_TRACE_CONTROL_DBG_IDDBG_V2) },
        ] },
        Event { opcode: 35, name: "DbgIDNB10", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_KERNEL_TRACE_CONTROL_DBG_IDNB10_V2) },
        ] },
        Event { opcode: 36, name: "DbgIDRSDS", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_KERNEL_TRACE_CONTROL_DBG_IDRSDS_V2) },
        ] },
        Event { opcode: 37, name: "DbgIDILRSDS", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_KERNEL_TRACE_CONTROL_DBG_IDRSDS_V2) },
        ] },
        Event { opcode: 38, name: "ImageTimeDateStamp", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_KERNEL_TRACE_CONTROL_IMAGE_TIME_DATE_STAMP_V2) },
        ] },
        Event { opcode: 39, name: "DbgIDPPDB", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_KERNEL_TRACE_CONTROL_DBG_IDPPDB_V1) },
        ] },
        Event { opcode: 40, name: "DbgIDEmbedded", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_KERNEL_TRACE_CONTROL_DBG_IDNONE_V2) },
        ] },
        Event { opcode: 41, name: "ImageError", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_KERNEL_TRACE_CONTROL_IMAGE_ERROR_V1) },
        ] },
        Event { opcode: 64, name: "FileVersion", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_KERNEL_TRACE_CONTROL_FILE_VERSION_V0) },
        ] },
    ],
};

pub(crate) static CLASS_18: EventClass = EventClass {
    name: "SystemConfigEx",
    guid: guid::SYSTEM_CONFIG_EX,
    group: None,
    events: &[
        Event { opcode: 32, name: "BuildInfo", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_EX_BUILD_INFO_V0) },
        ] },
        Event { opcode: 33, name: "SystemPaths", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_EX_SYSTEM_PATHS_V0) },
        ] },
        Event { opcode: 34, name: "UnknownVolume", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_EX_UNKNOWN_VOLUME_V0) },
        ] },
        Event { opcode: 35, name: "VolumeMapping", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_EX_VOLUME_MAPPING_V0) },
        ] },
        Event { opcode: 36, name: "NetworkInterface", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_EX_NETWORK_INTERFACE_V0) },
        ] },
        Event { opcode: 37, name: "DeviceFamily", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_DEVICE_FAMILY_V2) },
        ] },
    ],
};

pub(crate) static CLASS_19: EventClass = EventClass {
    name: "EventMetadata",
    guid: guid::EVENT_METADATA,
    group: None,
    events: &[
        Event { opcode: 32, name: "EventInfo", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_EVENT_METADATA_EVENT_INFO_V0) },
        ] },
        Event { opcode: 33, name: "EventMapInfo", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_EVENT_METADATA_EVENT_MAP_INFO_V0) },
        ] },
    ],
};

pub(crate) static CLASS_20: EventClass = EventClass {
    name: "WinSat",
    guid: guid::WIN_SAT,
    group: None,
    events: &[
        Event { opcode: 33, name: "WinSPR", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_WIN_SAT_WIN_SPR_V0) },
        ] },
        Event { opcode: 35, name: "Metrics", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_WIN_SAT_WIN_SPR_V0) },
        ] },
        Event { opcode: 37, name: "SystemConfig", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_WIN_SAT_WIN_SPR_V0) },
        ] },
    ],
};

pub(crate) static CLASS_21: EventClass = EventClass {
    name: "PerfTrackMetadata",
    guid: guid::PERF_TRACK_METADATA,
    group: None,
    events: &[
        Event { opcode: 33, name: "Scenario", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_PERF_TRACK_METADATA_SCENARIO_V0) },
        ] },
        Event { opcode: 34, name: "Threshold", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_PERF_TRACK_METADATA_THRESHOLD_V1) },
        ] },
    ],
};

pub(crate) static CLASS_22: EventClass = EventClass {
    name: "Job",
    guid: guid::JOB,
    group: Some(7),
    events: &[
        Event { opcode: 32, name: "Create", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_JOB_CREATE_V2) },
        ] },
        Event { opcode: 33, name: "Terminate", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_JOB_CREATE_V2) },
        ] },
        Event { opcode: 34, name: "Open", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_JOB_CREATE_V2) },
        ] },
        Event { opcode: 35, name: "AssignProcess", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_JOB_ASSIGN_PROCESS_V2) },
        ] },
        Event { opcode: 36, name: "RemoveProcess", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_JOB_REMOVE_PROCESS_V2) },
        ] },
        Event { opcode: 37, name: "Set", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_JOB_SET_V2) },
        ] },
        Event { opcode: 38, name: "Query", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_JOB_SET_V2) },
        ] },
        Event { opcode: 39, name: "SetFailed", versions: &[
        ] },
        Event { opcode: 40, name: "QueryFailed", versions: &[
        ] },
        Event { opcode: 41, name: "SetNotification", versions: &[
        ] },
        Event { opcode: 42, name: "SendNotification", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_JOB_SEND_NOTIFICATION_V2) },
        ] },
        Event { opcode: 43, name: "QueryViolation", versions: &[
        ] },
        Event { opcode: 44, name: "SetCpuRate", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_JOB_SET_CPU_RATE_V2) },
        ] },
        Event { opcode: 45, name: "SetNetRate", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_JOB_SET_NET_RATE_V2) },
        ] },
    ],
};

pub(crate) static CLASS_23: EventClass = EventClass {
    name: "DbgPrint",
    guid: guid::DBG_PRINT,
    group: Some(10),
    events: &[
        Event { opcode: 32, name: "Print", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_DBG_PRINT_PRINT_V2) },
        ] },
    ],
};

pub(crate) static CLASS_24: EventClass = EventClass {
    name: "Wnf",
    guid: guid::WNF,
    group: Some(13),
    events: &[
        Event { opcode: 32, name: "Subscribe", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_WNF_SUBSCRIBE_V2) },
        ] },
        Event { opcode: 33, name: "Unsubscribe", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_WNF_SUBSCRIBE_V2) },
        ] },
        Event { opcode: 34, name: "Callback", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_WNF_CALLBACK_V2) },
        ] },
        Event { opcode: 35, name: "Publish", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_WNF_PUBLISH_V2) },
        ] },
        Event { opcode: 36, name: "NameSubRundown", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_WNF_NAME_SUB_RUNDOWN_V2) },
        ] },
    ],
};

pub(crate) static CLASS_25: EventClass = EventClass {
    name: "Pool",
    guid: guid::POOL,
    group: Some(14),
    events: &[
        Event { opcode: 32, name: "AllocatePool", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POOL_ALLOCATE_POOL_V2) },
        ] },
        Event { opcode: 33, name: "AllocatePoolSession", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POOL_ALLOCATE_POOL_V2) },
        ] },
        Event { opcode: 34, name: "FreePool", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POOL_ALLOCATE_POOL_V2) },
        ] },
        Event { opcode: 35, name: "FreePoolSession", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POOL_ALLOCATE_POOL_V2) },
        ] },
        Event { opcode: 36, name: "AddPoolPage", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POOL_ALLOCATE_POOL_V2) },
        ] },
        Event { opcode: 37, name: "AddPoolPageSession", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POOL_ALLOCATE_POOL_V2) },
        ] },
        Event { opcode: 38, name: "BigPoolPage", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POOL_ALLOCATE_POOL_V2) },
        ] },
        Event { opcode: 39, name: "BigPoolPageSession", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POOL_ALLOCATE_POOL_V2) },
        ] },
        Event { opcode: 40, name: "PoolSnapDCStart", versions: &[
        ] },
        Event { opcode: 41, name: "PoolSnapDCEnd", versions: &[
        ] },
        Event { opcode: 42, name: "BigPoolSnapDCStart", versions: &[
        ] },
        Event { opcode: 43, name: "BigPoolSnapDCEnd", versions: &[
        ] },
        Event { opcode: 44, name: "PoolSnapSessionDCStart", versions: &[
        ] },
        Event { opcode: 45, name: "PoolSnapSessionDCEnd", versions: &[
        ] },
        Event { opcode: 46, name: "SessionBigPoolSnapDCStart", versions: &[
        ] },
        Event { opcode: 47, name: "SessionBigPoolSnapDCEnd", versions: &[
        ] },
    ],
};

pub(crate) static CLASS_26: EventClass = EventClass {
    name: "Heap",
    guid: guid::HEAP,
    group: Some(16),
    events: &[
        Event { opcode: 32, name: "Create", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_CREATE_V2) },
        ] },
        Event { opcode: 33, name: "Alloc", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_ALLOC_V2) },
        ] },
        Event { opcode: 34, name: "Realloc", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_REALLOC_V2) },
        ] },
        Event { opcode: 35, name: "Destroy", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_DESTROY_V2) },
        ] },
        Event { opcode: 36, name: "Free", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_FREE_V2) },
        ] },
        Event { opcode: 37, name: "Extend", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_EXTEND_V2) },
        ] },
        Event { opcode: 38, name: "Snapshot", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_SNAPSHOT_V2) },
        ] },
        Event { opcode: 39, name: "CreateSnapshot", versions: &[
        ] },
        Event { opcode: 40, name: "DestroySnapshot", versions: &[
        ] },
        Event { opcode: 41, name: "ExtendSnapshot", versions: &[
        ] },
        Event { opcode: 42, name: "Contract", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_CONTRACT_V2) },
        ] },
        Event { opcode: 43, name: "Lock", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_DESTROY_V2) },
        ] },
        Event { opcode: 44, name: "Unlock", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_DESTROY_V2) },
        ] },
        Event { opcode: 45, name: "Validate", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_DESTROY_V2) },
        ] },
        Event { opcode: 46, name: "Walk", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_DESTROY_V2) },
        ] },
        Event { opcode: 47, name: "SubSegmentAlloc", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_SUB_SEGMENT_ALLOC_V2) },
        ] },
        Event { opcode: 48, name: "SubSegmentFree", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_SUB_SEGMENT_ALLOC_V2) },
        ] },
        Event { opcode: 49, name: "SubSegmentAllocCache", versions: &[
        ] },
        Event { opcode: 50, name: "SubSegmentFreeCache", versions: &[
        ] },
        Event { opcode: 51, name: "Commit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_COMMIT_V2) },
        ] },
        Event { opcode: 52, name: "Decommit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_COMMIT_V2) },
        ] },
        Event { opcode: 53, name: "SubSegmentInit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_SUB_SEGMENT_INIT_V2) },
        ] },
        Event { opcode: 54, name: "AffinityEnable", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_AFFINITY_ENABLE_V2) },
        ] },
        Event { opcode: 56, name: "SubSegmentActivated", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_SUB_SEGMENT_ACTIVATED_V2) },
        ] },
        Event { opcode: 57, name: "AffinityAssign", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_AFFINITY_ASSIGN_V2) },
        ] },
        Event { opcode: 58, name: "ReuseThresholdActivated", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_HEAP_REUSE_THRESHOLD_ACTIVATED_V2) },
        ] },
    ],
};

pub(crate) static CLASS_27: EventClass = EventClass {
    name: "Power",
    guid: guid::POWER,
    group: Some(18),
    events: &[
        Event { opcode: 32, name: "BatteryLifeInfo", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_BATTERY_LIFE_INFO_V2) },
        ] },
        Event { opcode: 33, name: "IdleStateChange", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_IDLE_STATE_CHANGE_V2) },
        ] },
        Event { opcode: 34, name: "SetPowerAction", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_SET_POWER_ACTION_V2) },
        ] },
        Event { opcode: 35, name: "SetPowerActionRet", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_SET_POWER_ACTION_RET_V2) },
        ] },
        Event { opcode: 36, name: "SetDevicesState", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_SET_DEVICES_STATE_V2) },
        ] },
        Event { opcode: 37, name: "SetDevicesStateRet", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_ALPC_ALPC_UNWAIT_V2) },
        ] },
        Event { opcode: 38, name: "PoNotifyDevice", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_PO_NOTIFY_DEVICE_V2) },
        ] },
        Event { opcode: 39, name: "PoNotifyDeviceComplete", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_PO_NOTIFY_DEVICE_COMPLETE_V2) },
        ] },
        Event { opcode: 40, name: "PoSessionCallout", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_PO_SESSION_CALLOUT_V2) },
        ] },
        Event { opcode: 41, name: "PoSessionCalloutRet", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_ALPC_ALPC_UNWAIT_V2) },
        ] },
        Event { opcode: 48, name: "PoPresleep", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_PO_PRESLEEP_V2) },
        ] },
        Event { opcode: 49, name: "PoPostsleep", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_PO_POSTSLEEP_V2) },
        ] },
        Event { opcode: 50, name: "PoCalibratedPerfcounter", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_PO_POSTSLEEP_V2) },
        ] },
        Event { opcode: 51, name: "PpmPerfStateChange", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_PPM_PERF_STATE_CHANGE_V2) },
        ] },
        Event { opcode: 52, name: "PpmThrottleStateChange", versions: &[
        ] },
        Event { opcode: 53, name: "PpmIdleStateChange", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_PPM_IDLE_STATE_CHANGE_V2) },
        ] },
        Event { opcode: 54, name: "PpmThermalConstraint", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_PPM_THERMAL_CONSTRAINT_V2) },
        ] },
        Event { opcode: 55, name: "PoSignalResumeUi", versions: &[
        ] },
        Event { opcode: 56, name: "PoSignalVideoOn", versions: &[
        ] },
        Event { opcode: 57, name: "PpmIdleStateEnter", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_PPM_IDLE_STATE_ENTER_V2) },
        ] },
        Event { opcode: 58, name: "PpmIdleStateExit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_PPM_IDLE_STATE_EXIT_V2) },
        ] },
        Event { opcode: 59, name: "PpmPlatformIdleStateEnter", versions: &[
        ] },
        Event { opcode: 60, name: "PpmIdleExitLatency", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_PPM_IDLE_EXIT_LATENCY_V2) },
        ] },
        Event { opcode: 61, name: "PpmIdleProcessorSelection", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_PPM_IDLE_PROCESSOR_SELECTION_V2) },
        ] },
        Event { opcode: 62, name: "PpmIdlePlatformSelection", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_POWER_PPM_IDLE_PROCESSOR_SELECTION_V2) },
        ] },
        Event { opcode: 63, name: "PpmCoordinatedIdleEnter", versions: &[
        ] },
        Event { opcode: 64, name: "PpmCoordinatedIdleExit", versions: &[
        ] },
    ],
};

pub(crate) static CLASS_28: EventClass = EventClass {
    name: "ModBound",
    guid: guid::MOD_BOUND,
    group: Some(19),
    events: &[
        Event { opcode: 24, name: "CowHeader", versions: &[
        ] },
        Event { opcode: 25, name: "CowBlob", versions: &[
        ] },
        Event { opcode: 26, name: "CowBlobClosed", versions: &[
        ] },
        Event { opcode: 32, name: "ModuleEnt", versions: &[
        ] },
        Event { opcode: 33, name: "ModuleJump", versions: &[
        ] },
        Event { opcode: 34, name: "ModuleRet", versions: &[
        ] },
        Event { opcode: 35, name: "ModuleCall", versions: &[
        ] },
        Event { opcode: 36, name: "ModuleCallRet", versions: &[
        ] },
        Event { opcode: 37, name: "ModuleInt2e", versions: &[
        ] },
        Event { opcode: 38, name: "ModuleInt2b", versions: &[
        ] },
        Event { opcode: 39, name: "ModuleFullTrace", versions: &[
        ] },
    ],
};

pub(crate) static CLASS_29: EventClass = EventClass {
    name: "Dpc",
    guid: guid::DPC,
    group: Some(21),
    events: &[
    ],
};

pub(crate) static CLASS_30: EventClass = EventClass {
    name: "Cc",
    guid: guid::CC,
    group: Some(22),
    events: &[
        Event { opcode: 0, name: "WorkItemEnqueue", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_CC_WORK_ITEM_ENQUEUE_V2) },
        ] },
        Event { opcode: 1, name: "WorkItemDequeue", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_CC_WORK_ITEM_DEQUEUE_V2) },
        ] },
        Event { opcode: 2, name: "WorkItemComplete", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_CC_WORK_ITEM_DEQUEUE_V2) },
        ] },
        Event { opcode: 3, name: "ReadAhead", versions: &[
        ] },
        Event { opcode: 4, name: "WriteBehind", versions: &[
        ] },
        Event { opcode: 5, name: "LazyWriteScan", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_CC_LAZY_WRITE_SCAN_V2) },
        ] },
        Event { opcode: 6, name: "CanIWriteFail", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_CC_CAN_IWRITE_FAIL_V2) },
        ] },
        Event { opcode: 7, name: "MapView", versions: &[
        ] },
        Event { opcode: 8, name: "UnmapView", versions: &[
        ] },
        Event { opcode: 9, name: "FlushCache", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_CC_FLUSH_CACHE_V2) },
        ] },
        Event { opcode: 10, name: "FlushSection", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_CC_FLUSH_SECTION_V2) },
        ] },
        Event { opcode: 11, name: "ReadAheadPrefetch", versions: &[
        ] },
        Event { opcode: 12, name: "ScheduleReadAhead", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_CC_SCHEDULE_READ_AHEAD_V2) },
        ] },
        Event { opcode: 13, name: "LoggedStreamInfo", versions: &[
        ] },
        Event { opcode: 14, name: "ExtraWriteBehindThread", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_CC_EXTRA_WRITE_BEHIND_THREAD_V2) },
        ] },
    ],
};

pub(crate) static CLASS_31: EventClass = EventClass {
    name: "CritSec",
    guid: guid::CRIT_SEC,
    group: Some(23),
    events: &[
        Event { opcode: 32, name: "Enter", versions: &[
        ] },
        Event { opcode: 33, name: "Leave", versions: &[
        ] },
        Event { opcode: 34, name: "Collision", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_CRIT_SEC_COLLISION_V2) },
        ] },
        Event { opcode: 35, name: "Initialize", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_CRIT_SEC_INITIALIZE_V2) },
        ] },
    ],
};

pub(crate) static CLASS_32: EventClass = EventClass {
    name: "Ums",
    guid: guid::UMS,
    group: Some(25),
    events: &[
        Event { opcode: 32, name: "DirectedSwitchStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_UMS_DIRECTED_SWITCH_START_V2) },
        ] },
        Event { opcode: 33, name: "DirectedSwitchEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_UMS_DIRECTED_SWITCH_START_V2) },
        ] },
        Event { opcode: 34, name: "Park", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_UMS_PARK_V2) },
        ] },
        Event { opcode: 35, name: "Disassociate", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_UMS_DISASSOCIATE_V2) },
        ] },
        Event { opcode: 36, name: "ContextSwitch", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_UMS_CONTEXT_SWITCH_V2) },
        ] },
    ],
};

pub(crate) static CLASS_33: EventClass = EventClass {
    name: "ThreadPool",
    guid: guid::THREAD_POOL,
    group: Some(28),
    events: &[
        Event { opcode: 32, name: "CallbackEnqueue", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_CALLBACK_ENQUEUE_V2) },
        ] },
        Event { opcode: 33, name: "CallbackDequeue", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_CALLBACK_ENQUEUE_V2) },
        ] },
        Event { opcode: 34, name: "CallbackStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_CALLBACK_ENQUEUE_V2) },
        ] },
        Event { opcode: 35, name: "CallbackStop", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_CALLBACK_ENQUEUE_V2) },
        ] },
        Event { opcode: 36, name: "CallbackCancel", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_CALLBACK_CANCEL_V2) },
        ] },
        Event { opcode: 37, name: "PoolCreate", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_POOL_CREATE_V2) },
        ] },
        Event { opcode: 38, name: "PoolClose", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_POOL_CREATE_V2) },
        ] },
        Event { opcode: 39, name: "PoolThMinSet", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_POOL_TH_MIN_SET_V2) },
        ] },
        Event { opcode: 40, name: "PoolThMaxSet", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_POOL_TH_MIN_SET_V2) },
        ] },
        Event { opcode: 41, name: "WorkerNumaNodeSwitch", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_WORKER_NUMA_NODE_SWITCH_V2) },
        ] },
        Event { opcode: 42, name: "TimerSet", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_TIMER_SET_V2) },
        ] },
        Event { opcode: 43, name: "TimerCancelled", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_TIMER_CANCELLED_V2) },
        ] },
        Event { opcode: 44, name: "TimerSetNtTimer", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_TIMER_SET_NT_TIMER_V2) },
        ] },
        Event { opcode: 45, name: "TimerCancelNtTimer", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_TIMER_CANCEL_NT_TIMER_V2) },
        ] },
        Event { opcode: 46, name: "TimerExpirationBegin", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_TIMER_CANCEL_NT_TIMER_V2) },
        ] },
        Event { opcode: 47, name: "TimerExpirationEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_TIMER_CANCEL_NT_TIMER_V2) },
        ] },
        Event { opcode: 48, name: "TimerExpiration", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_THREAD_POOL_TIMER_EXPIRATION_V2) },
        ] },
    ],
};

pub(crate) static CLASS_34: EventClass = EventClass {
    name: "Hypervisor",
    guid: guid::HYPERVISOR,
    group: Some(29),
    events: &[
    ],
};

pub(crate) static CLASS_35: EventClass = EventClass {
    name: "HypervisorX",
    guid: guid::HYPERVISOR_X,
    group: Some(30),
    events: &[
    ],
};

static MAP_LOG_FILE_MODE: ValueMap = ValueMap {
    name: Cow::Borrowed("LogFileMode"),
    bits: true,
    entries: Cow::Borrowed(&[
        (0x1, Cow::Borrowed("sequential")),
        (0x2, Cow::Borrowed("circular")),
        (0x4, Cow::Borrowed("append")),
        (0x8, Cow::Borrowed("new-file")),
        (0x20, Cow::Borrowed("preallocate")),
        (0x40, Cow::Borrowed("non-stoppable")),
        (0x80, Cow::Borrowed("secure")),
        (0x100, Cow::Borrowed("real-time")),
        (0x200, Cow::Borrowed("delay-open")),
        (0x400, Cow::Borrowed("buffering")),
        (0x800, Cow::Borrowed("private")),
        (0x1000, Cow::Borrowed("add-header")),
        (0x2000, Cow::Borrowed("size-in-kib")),
        (0x4000, Cow::Borrowed("global-sequence")),
        (0x8000, Cow::Borrowed("local-sequence")),
        (0x10000, Cow::Borrowed("relog")),
        (0x20000, Cow::Borrowed("private-in-proc")),
        (0x400000, Cow::Borrowed("stop-on-hybrid-shutdown")),
        (0x800000, Cow::Borrowed("persist-on-hybrid-shutdown")),
        (0x1000000, Cow::Borrowed("paged-memory")),
        (0x2000000, Cow::Borrowed("system-logger")),
        (0x4000000, Cow::Borrowed("compressed")),
        (0x8000000, Cow::Borrowed("independent-session")),
        (0x10000000, Cow::Borrowed("no-per-processor-buffering")),
        (0x20000000, Cow::Borrowed("blocking")),
        (0x80000000, Cow::Borrowed("add-to-triage-dump")),
    ]),
};

static FIELDS_EVENT_TRACE_HEADER_V0_TIME_ZONE_INFORMATION: [Field; 8] = [
    Field::new("Bias", FieldType::I32),
    Field::new("StandardName", FieldType::Utf16(Length::Fixed(32))),
    Field::new("StandardDate", FieldType::SystemTime),
    Field::new("StandardBias", FieldType::I32),
    Field::new("DaylightName", FieldType::Utf16(Length::Fixed(32))),
    Field::new("DaylightDate", FieldType::SystemTime),
    Field::new("DaylightBias", FieldType::I32),
    Field::new("Padding", FieldType::Binary(Length::Fixed(4))).hint(Hint::Leftover),
];

static FIELDS_EVENT_TRACE_HEADER_V0: [Field; 23] = [
    Field::new("BufferSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("Version", FieldType::U32).hint(Hint::Hex),
    Field::new("ProviderVersion", FieldType::U32),
    Field::new("NumberOfProcessors", FieldType::U32),
    Field::new("EndTime", FieldType::FileTime),
    Field::new("TimerResolution", FieldType::U32),
    Field::new("MaxFileSize", FieldType::U32),
    Field::new("LogFileMode", FieldType::U32).hint(Hint::Hex).values(&MAP_LOG_FILE_MODE),
    Field::new("BuffersWritten", FieldType::U32),
    Field::new("StartBuffers", FieldType::U32),
    Field::new("PointerSize", FieldType::U32),
    Field::new("EventsLost", FieldType::U32),
    Field::new("CPUSpeed", FieldType::U32),
    Field::new("LoggerName", FieldType::Pointer).hint(Hint::Leftover),
    Field::new("LogFileName", FieldType::Pointer).hint(Hint::Leftover),
    Field::new("TimeZoneInformation", FieldType::Struct(Cow::Borrowed(&FIELDS_EVENT_TRACE_HEADER_V0_TIME_ZONE_INFORMATION))),
    Field::new("BootTime", FieldType::FileTime),
    Field::new("PerfFreq", FieldType::U64),
    Field::new("StartTime", FieldType::FileTime),
    Field::new("ReservedFlags", FieldType::U32),
    Field::new("BuffersLost", FieldType::U32),
    Field::new("SessionNameString", FieldType::Utf16(Length::Nul)).optional(),
    Field::new("LogFileNameString", FieldType::Utf16(Length::Nul)).optional(),
];

static FIELDS_EVENT_TRACE_EXTENSION_V0: [Field; 2] = [
    Field::new("GroupMasks", FieldType::U32).count(Count::Fixed(8)).hint(Hint::Hex),
    Field::new("KernelEventVersion", FieldType::U32),
];

static FIELDS_EVENT_TRACE_RUNDOWN_COMPLETE_V0: [Field; 0] = [
];

static FIELDS_EVENT_TRACE_DBG_ID_RSDS_V0: [Field; 3] = [
    Field::new("Guid", FieldType::Guid),
    Field::new("Age", FieldType::U32),
    Field::new("PdbName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_EVENT_TRACE_BUILD_LAB_V0: [Field; 1] = [
    Field::new("BuildLab", FieldType::Ansi(Length::Nul)),
];

static FIELDS_EVENT_TRACE_HEADER_PARTITION_INFO_V0: [Field; 5] = [
    Field::new("PartitionId", FieldType::Guid),
    Field::new("ParentId", FieldType::Guid),
    Field::new("QpcOffsetFromRoot", FieldType::I64),
    Field::new("PartitionType", FieldType::U32),
    Field::new("Padding", FieldType::Binary(Length::Fixed(4))).optional(),
];

static FIELDS_PROCESS_START_V0: [Field; 4] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ParentId", FieldType::U32).hint(Hint::Pid),
    Field::new("UserSID", FieldType::TokenUser),
    Field::new("ImageFileName", FieldType::Ansi(Length::Nul)),
];

static MAP_PROCESS_EXIT: ValueMap = ValueMap {
    name: Cow::Borrowed("ProcessExit"),
    bits: false,
    entries: Cow::Borrowed(&[
        (259, Cow::Borrowed("STILL_ACTIVE")),
        (1073807364, Cow::Borrowed("DBG_TERMINATE_PROCESS")),
        (2147483651, Cow::Borrowed("STATUS_BREAKPOINT")),
        (3221225477, Cow::Borrowed("STATUS_ACCESS_VIOLATION")),
        (3221225478, Cow::Borrowed("STATUS_IN_PAGE_ERROR")),
        (3221225501, Cow::Borrowed("STATUS_ILLEGAL_INSTRUCTION")),
        (3221225595, Cow::Borrowed("STATUS_INVALID_IMAGE_FORMAT")),
        (3221225620, Cow::Borrowed("STATUS_INTEGER_DIVIDE_BY_ZERO")),
        (3221225622, Cow::Borrowed("STATUS_PRIVILEGED_INSTRUCTION")),
        (3221225725, Cow::Borrowed("STATUS_STACK_OVERFLOW")),
        (3221225781, Cow::Borrowed("STATUS_DLL_NOT_FOUND")),
        (3221225784, Cow::Borrowed("STATUS_ORDINAL_NOT_FOUND")),
        (3221225785, Cow::Borrowed("STATUS_ENTRYPOINT_NOT_FOUND")),
        (3221225786, Cow::Borrowed("STATUS_CONTROL_C_EXIT")),
        (3221225794, Cow::Borrowed("STATUS_DLL_INIT_FAILED")),
        (3221226356, Cow::Borrowed("STATUS_HEAP_CORRUPTION")),
        (3221226505, Cow::Borrowed("STATUS_STACK_BUFFER_OVERRUN")),
        (3221226525, Cow::Borrowed("STATUS_FATAL_USER_CALLBACK_EXCEPTION")),
        (3221226528, Cow::Borrowed("STATUS_ASSERTION_FAILURE")),
        (3221227010, Cow::Borrowed("STATUS_FAIL_FAST_EXCEPTION")),
        (3762504530, Cow::Borrowed("CLR_EXCEPTION")),
    ]),
};

static FIELDS_PROCESS_START_V1: [Field; 7] = [
    Field::new("PageDirectoryBase", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ParentId", FieldType::U32).hint(Hint::Pid),
    Field::new("SessionId", FieldType::U32),
    Field::new("ExitStatus", FieldType::I32).hint(Hint::NtStatus).values(&MAP_PROCESS_EXIT),
    Field::new("UserSID", FieldType::TokenUser),
    Field::new("ImageFileName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_PROCESS_START_V2: [Field; 8] = [
    Field::new("UniqueProcessKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ParentId", FieldType::U32).hint(Hint::Pid),
    Field::new("SessionId", FieldType::U32),
    Field::new("ExitStatus", FieldType::I32).hint(Hint::NtStatus).values(&MAP_PROCESS_EXIT),
    Field::new("UserSID", FieldType::TokenUser),
    Field::new("ImageFileName", FieldType::Ansi(Length::Nul)),
    Field::new("CommandLine", FieldType::Utf16(Length::Nul)),
];

static FIELDS_PROCESS_START_V3: [Field; 9] = [
    Field::new("UniqueProcessKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ParentId", FieldType::U32).hint(Hint::Pid),
    Field::new("SessionId", FieldType::U32),
    Field::new("ExitStatus", FieldType::I32).hint(Hint::NtStatus).values(&MAP_PROCESS_EXIT),
    Field::new("DirectoryTableBase", FieldType::Pointer).hint(Hint::Hex),
    Field::new("UserSID", FieldType::TokenUser),
    Field::new("ImageFileName", FieldType::Ansi(Length::Nul)),
    Field::new("CommandLine", FieldType::Utf16(Length::Nul)),
];

static MAP_PROCESS_FLAGS: ValueMap = ValueMap {
    name: Cow::Borrowed("ProcessFlags"),
    bits: true,
    entries: Cow::Borrowed(&[
        (0x1, Cow::Borrowed("PackageFullName")),
        (0x2, Cow::Borrowed("Wow64")),
        (0x4, Cow::Borrowed("Protected")),
    ]),
};

static FIELDS_PROCESS_START_V4: [Field; 12] = [
    Field::new("UniqueProcessKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ParentId", FieldType::U32).hint(Hint::Pid),
    Field::new("SessionId", FieldType::U32),
    Field::new("ExitStatus", FieldType::I32).hint(Hint::NtStatus).values(&MAP_PROCESS_EXIT),
    Field::new("DirectoryTableBase", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex).values(&MAP_PROCESS_FLAGS),
    Field::new("UserSID", FieldType::TokenUser),
    Field::new("ImageFileName", FieldType::Ansi(Length::Nul)),
    Field::new("CommandLine", FieldType::Utf16(Length::Nul)),
    Field::new("PackageFullName", FieldType::Utf16(Length::Nul)),
    Field::new("ApplicationId", FieldType::Utf16(Length::Nul)),
];

static FIELDS_PROCESS_TERMINATE_V2: [Field; 1] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
];

static FIELDS_PROCESS_PERF_CTR_V2: [Field; 15] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("PageFaultCount", FieldType::U32),
    Field::new("HandleCount", FieldType::U32),
    Field::new("Reserved", FieldType::U32),
    Field::new("PeakVirtualSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("PeakWorkingSetSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("PeakPagefileUsage", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("QuotaPeakPagedPoolUsage", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("QuotaPeakNonPagedPoolUsage", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("VirtualSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("WorkingSetSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("PagefileUsage", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("QuotaPagedPoolUsage", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("QuotaNonPagedPoolUsage", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("PrivatePageCount", FieldType::Pointer).hint(Hint::Bytes),
];

static FIELDS_PROCESS_IN_SWAP_PROCESS_V2: [Field; 3] = [
    Field::new("DirectoryTableBase", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_PROCESS_BOOT_PHASE_START_V2: [Field; 1] = [
    Field::new("Phase", FieldType::I32),
];

static FIELDS_PROCESS_DEFUNCT_V5: [Field; 13] = [
    Field::new("UniqueProcessKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ParentId", FieldType::U32).hint(Hint::Pid),
    Field::new("SessionId", FieldType::U32),
    Field::new("ExitStatus", FieldType::I32).hint(Hint::NtStatus).values(&MAP_PROCESS_EXIT),
    Field::new("DirectoryTableBase", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex).values(&MAP_PROCESS_FLAGS),
    Field::new("UserSID", FieldType::TokenUser),
    Field::new("ImageFileName", FieldType::Ansi(Length::Nul)),
    Field::new("CommandLine", FieldType::Utf16(Length::Nul)),
    Field::new("PackageFullName", FieldType::Utf16(Length::Nul)),
    Field::new("ApplicationId", FieldType::Utf16(Length::Nul)),
    Field::new("ExitTime", FieldType::FileTime),
];

static FIELDS_PROCESS_CHARGE_WAKE_COUNTER_USER_V2: [Field; 4] = [
    Field::new("Object", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Tag", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("Count", FieldType::I32),
];

static FIELDS_PROCESS_DEBUG_EVENT_V2: [Field; 3] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("Reason", FieldType::U32),
];

static FIELDS_PROCESS_SIGNAL_V2: [Field; 4] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("Signal", FieldType::U32),
    Field::new("Result", FieldType::U32),
];

static FIELDS_PROCESS_SIGNAL_HANDLED_V2: [Field; 3] = [
    Field::new("Signal", FieldType::U32),
    Field::new("Code", FieldType::I32),
    Field::new("Handler", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_THREAD_START_V0: [Field; 2] = [
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
];

static FIELDS_THREAD_START_V1: [Field; 9] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("StackBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("StackLimit", FieldType::Pointer).hint(Hint::Address),
    Field::new("UserStackBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("UserStackLimit", FieldType::Pointer).hint(Hint::Address),
    Field::new("StartAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("Win32StartAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("WaitMode", FieldType::I8),
];

static FIELDS_THREAD_START_V2: [Field; 10] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("StackBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("StackLimit", FieldType::Pointer).hint(Hint::Address),
    Field::new("UserStackBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("UserStackLimit", FieldType::Pointer).hint(Hint::Address),
    Field::new("StartAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("Win32StartAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("TebBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("SubProcessTag", FieldType::U32).hint(Hint::Hex),
];

static MAP_IO_PRIORITY: ValueMap = ValueMap {
    name: Cow::Borrowed("IoPriority"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("VeryLow")),
        (1, Cow::Borrowed("Low")),
        (2, Cow::Borrowed("Normal")),
        (3, Cow::Borrowed("High")),
        (4, Cow::Borrowed("Critical")),
    ]),
};

static FIELDS_THREAD_START_V3: [Field; 15] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("StackBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("StackLimit", FieldType::Pointer).hint(Hint::Address),
    Field::new("UserStackBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("UserStackLimit", FieldType::Pointer).hint(Hint::Address),
    Field::new("Affinity", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Win32StartAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("TebBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("SubProcessTag", FieldType::U32).hint(Hint::Hex),
    Field::new("BasePriority", FieldType::U8),
    Field::new("PagePriority", FieldType::U8),
    Field::new("IoPriority", FieldType::U8).values(&MAP_IO_PRIORITY),
    Field::new("ThreadFlags", FieldType::U8).hint(Hint::Hex),
    Field::new("ThreadName", FieldType::Utf16(Length::Nul)).optional(),
];

static FIELDS_THREAD_START_V4: [Field; 15] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("StackBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("StackLimit", FieldType::Pointer).hint(Hint::Address),
    Field::new("UserStackBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("UserStackLimit", FieldType::Pointer).hint(Hint::Address),
    Field::new("Affinity", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Win32StartAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("TebBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("SubProcessTag", FieldType::U32).hint(Hint::Hex),
    Field::new("BasePriority", FieldType::U8),
    Field::new("PagePriority", FieldType::U8),
    Field::new("IoPriority", FieldType::U8).values(&MAP_IO_PRIORITY),
    Field::new("ThreadFlags", FieldType::U8).hint(Hint::Hex),
    Field::new("ThreadName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_THREAD_END_V1: [Field; 2] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
];

static MAP_WAIT_REASON: ValueMap = ValueMap {
    name: Cow::Borrowed("WaitReason"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Executive")),
        (1, Cow::Borrowed("FreePage")),
        (2, Cow::Borrowed("PageIn")),
        (3, Cow::Borrowed("PoolAllocation")),
        (4, Cow::Borrowed("DelayExecution")),
        (5, Cow::Borrowed("Suspended")),
        (6, Cow::Borrowed("UserRequest")),
        (7, Cow::Borrowed("WrExecutive")),
        (8, Cow::Borrowed("WrFreePage")),
        (9, Cow::Borrowed("WrPageIn")),
        (10, Cow::Borrowed("WrPoolAllocation")),
        (11, Cow::Borrowed("WrDelayExecution")),
        (12, Cow::Borrowed("WrSuspended")),
        (13, Cow::Borrowed("WrUserRequest")),
        (14, Cow::Borrowed("WrEventPair")),
        (15, Cow::Borrowed("WrQueue")),
        (16, Cow::Borrowed("WrLpcReceive")),
        (17, Cow::Borrowed("WrLpcReply")),
        (18, Cow::Borrowed("WrVirtualMemory")),
        (19, Cow::Borrowed("WrPageOut")),
        (20, Cow::Borrowed("WrRendezvous")),
        (21, Cow::Borrowed("WrKeyedEvent")),
        (22, Cow::Borrowed("WrTerminated")),
        (23, Cow::Borrowed("WrProcessInSwap")),
        (24, Cow::Borrowed("WrCpuRateControl")),
        (25, Cow::Borrowed("WrCalloutStack")),
        (26, Cow::Borrowed("WrKernel")),
        (27, Cow::Borrowed("WrResource")),
        (28, Cow::Borrowed("WrPushLock")),
        (29, Cow::Borrowed("WrMutex")),
        (30, Cow::Borrowed("WrQuantumEnd")),
        (31, Cow::Borrowed("WrDispatchInt")),
        (32, Cow::Borrowed("WrPreempted")),
        (33, Cow::Borrowed("WrYieldExecution")),
        (34, Cow::Borrowed("WrFastMutex")),
        (35, Cow::Borrowed("WrGuardedMutex")),
        (36, Cow::Borrowed("WrRundown")),
        (37, Cow::Borrowed("WrAlertByThreadId")),
        (38, Cow::Borrowed("WrDeferredPreempt")),
    ]),
};

static MAP_WAIT_MODE: ValueMap = ValueMap {
    name: Cow::Borrowed("WaitMode"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("KernelMode")),
        (1, Cow::Borrowed("UserMode")),
    ]),
};

static MAP_THREAD_STATE: ValueMap = ValueMap {
    name: Cow::Borrowed("ThreadState"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Initialized")),
        (1, Cow::Borrowed("Ready")),
        (2, Cow::Borrowed("Running")),
        (3, Cow::Borrowed("Standby")),
        (4, Cow::Borrowed("Terminated")),
        (5, Cow::Borrowed("Waiting")),
        (6, Cow::Borrowed("Transition")),
        (7, Cow::Borrowed("DeferredReady")),
    ]),
};

static FIELDS_THREAD_CSWITCH_V1: [Field; 12] = [
    Field::new("NewThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("OldThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("NewThreadPriority", FieldType::I8),
    Field::new("OldThreadPriority", FieldType::I8),
    Field::new("PreviousCState", FieldType::U8),
    Field::new("SpareByte", FieldType::I8),
    Field::new("OldThreadWaitReason", FieldType::I8).values(&MAP_WAIT_REASON),
    Field::new("OldThreadWaitMode", FieldType::I8).values(&MAP_WAIT_MODE),
    Field::new("OldThreadState", FieldType::I8).values(&MAP_THREAD_STATE),
    Field::new("OldThreadWaitIdealProcessor", FieldType::I8),
    Field::new("NewThreadWaitTime", FieldType::U32),
    Field::new("Reserved", FieldType::U32),
];

static FIELDS_THREAD_SPIN_LOCK_V2: [Field; 12] = [
    Field::new("SpinLockAddress", FieldType::Pointer).hint(Hint::Hex),
    Field::new("CallerAddress", FieldType::Pointer).hint(Hint::Address),
    Field::new("AcquireTime", FieldType::U64),
    Field::new("ReleaseTime", FieldType::U64),
    Field::new("WaitTimeInCycles", FieldType::U32),
    Field::new("SpinCount", FieldType::U32),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("InterruptCount", FieldType::U32),
    Field::new("Irql", FieldType::U8),
    Field::new("AcquireDepth", FieldType::U8),
    Field::new("Flags", FieldType::U8).hint(Hint::Hex),
    Field::new("Reserved", FieldType::Binary(Length::Fixed(5))),
];

static FIELDS_THREAD_QUEUE_V2: [Field; 4] = [
    Field::new("Queue", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("Action", FieldType::U8),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_THREAD_RESOURCE_V2: [Field; 9] = [
    Field::new("AcquireTime", FieldType::U64),
    Field::new("HoldTime", FieldType::U64),
    Field::new("WaitTime", FieldType::U64),
    Field::new("MaxRecursionDepth", FieldType::U32),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("Resource", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Action", FieldType::U32),
    Field::new("ContentionDelta", FieldType::U32),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_THREAD_PUSH_LOCK_V2: [Field; 4] = [
    Field::new("PushLock", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("Action", FieldType::U8),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_THREAD_DELAY_EXECUTION_V2: [Field; 3] = [
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("Padding1", FieldType::Binary(Length::Fixed(4))),
    Field::new("Delta", FieldType::U64),
];

static FIELDS_THREAD_SET_PRIORITY_V3: [Field; 4] = [
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("OldPriority", FieldType::U8),
    Field::new("NewPriority", FieldType::U8),
    Field::new("Reserved", FieldType::U16),
];

static MAP_ADJUST_REASON: ValueMap = ValueMap {
    name: Cow::Borrowed("AdjustReason"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("None")),
        (1, Cow::Borrowed("Unwait")),
        (2, Cow::Borrowed("Boost")),
    ]),
};

static MAP_READY_THREAD_FLAG: ValueMap = ValueMap {
    name: Cow::Borrowed("ReadyThreadFlag"),
    bits: true,
    entries: Cow::Borrowed(&[
        (0x1, Cow::Borrowed("ReadiedFromDpc")),
        (0x2, Cow::Borrowed("KernelStackSwappedOut")),
        (0x4, Cow::Borrowed("ProcessSwappedOut")),
    ]),
};

static FIELDS_THREAD_READY_THREAD_V2: [Field; 5] = [
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("AdjustReason", FieldType::I8).values(&MAP_ADJUST_REASON),
    Field::new("AdjustIncrement", FieldType::I8),
    Field::new("Flag", FieldType::I8).hint(Hint::Hex).values(&MAP_READY_THREAD_FLAG),
    Field::new("Reserved", FieldType::I8),
];

static FIELDS_THREAD_THREAD_SET_AFFINITY_V2: [Field; 4] = [
    Field::new("Mask", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("Group", FieldType::U16),
    Field::new("Reserved", FieldType::U16),
];

static FIELDS_THREAD_WORKER_THREAD_V2: [Field; 3] = [
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("StartTime", FieldType::U64).hint(Hint::TraceTime),
    Field::new("ThreadRoutine", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_THREAD_DFSS_START_NEW_INTERVAL_V2_SESSION_QUOTA: [Field; 4] = [
    Field::new("SessionId", FieldType::U32),
    Field::new("CpuShareWeight", FieldType::U32),
    Field::new("CapturedWeightData", FieldType::I64),
    Field::new("CyclesAccumulated", FieldType::U64),
];

static FIELDS_THREAD_DFSS_START_NEW_INTERVAL_V2: [Field; 5] = [
    Field::new("CurrentGeneration", FieldType::U32),
    Field::new("SessionCount", FieldType::U32),
    Field::new("TotalCycleCredit", FieldType::U64),
    Field::new("TotalCyclesAccumulated", FieldType::U64),
    Field::new("SessionQuota", FieldType::Struct(Cow::Borrowed(&FIELDS_THREAD_DFSS_START_NEW_INTERVAL_V2_SESSION_QUOTA))).count(Count::Field(1)),
];

static FIELDS_THREAD_DFSS_PROCESS_IDLE_ONLY_QUEUE_V2: [Field; 4] = [
    Field::new("CurrentGeneration", FieldType::U32),
    Field::new("SessionSelectedToRun", FieldType::U32),
    Field::new("CycleBaseAllowance", FieldType::U64),
    Field::new("CyclesRemaining", FieldType::I64),
];

static FIELDS_THREAD_ANTI_STARVATION_BOOST_V2: [Field; 4] = [
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("ProcessorIndex", FieldType::U16),
    Field::new("OldPriority", FieldType::I8),
    Field::new("SpareByte", FieldType::U8),
];

static FIELDS_THREAD_KQUEUE_ENQUEUE_V2: [Field; 3] = [
    Field::new("Entry", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_THREAD_KQUEUE_DEQUEUE_V2: [Field; 3] = [
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("EntryCount", FieldType::U32),
    Field::new("Entries", FieldType::Pointer).count(Count::Field(1)).hint(Hint::Hex),
];

static FIELDS_THREAD_AUTO_BOOST_SET_FLOOR_V2: [Field; 6] = [
    Field::new("Lock", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("NewCpuPriorityFloor", FieldType::I8),
    Field::new("OldCpuPriority", FieldType::I8),
    Field::new("IoPriorities", FieldType::I8),
    Field::new("Flags", FieldType::U8).hint(Hint::Hex),
];

static FIELDS_THREAD_AUTO_BOOST_CLEAR_FLOOR_V2: [Field; 4] = [
    Field::new("Lock", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("BoostBitmap", FieldType::U16).hint(Hint::Hex),
    Field::new("Reserved", FieldType::U16),
];

static FIELDS_THREAD_AUTO_BOOST_NO_ENTRIES_V2: [Field; 3] = [
    Field::new("Lock", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_THREAD_THREAD_SUB_PROCESS_TAG_CHANGED_V2: [Field; 2] = [
    Field::new("OldTag", FieldType::U32),
    Field::new("NewTag", FieldType::U32),
];

static FIELDS_THREAD_SET_NAME_V2: [Field; 3] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("ThreadName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_IMAGE_UNLOAD_V0: [Field; 3] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ImageSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_IMAGE_UNLOAD_V1: [Field; 4] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ImageSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_IMAGE_UNLOAD_V2: [Field; 12] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ImageSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ImageChecksum", FieldType::U32).hint(Hint::Hex),
    Field::new("TimeDateStamp", FieldType::U32).hint(Hint::Hex),
    Field::new("Reserved0", FieldType::U32),
    Field::new("DefaultBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("Reserved1", FieldType::U32),
    Field::new("Reserved2", FieldType::U32),
    Field::new("Reserved3", FieldType::U32),
    Field::new("Reserved4", FieldType::U32),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static MAP_SIGNING_LEVEL: ValueMap = ValueMap {
    name: Cow::Borrowed("SigningLevel"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Unchecked")),
        (1, Cow::Borrowed("Unsigned")),
        (2, Cow::Borrowed("Enterprise")),
        (3, Cow::Borrowed("Developer")),
        (4, Cow::Borrowed("Authenticode")),
        (5, Cow::Borrowed("Custom2")),
        (6, Cow::Borrowed("Store")),
        (7, Cow::Borrowed("Antimalware")),
        (8, Cow::Borrowed("Microsoft")),
        (9, Cow::Borrowed("Custom4")),
        (10, Cow::Borrowed("Custom5")),
        (11, Cow::Borrowed("DynamicCodegen")),
        (12, Cow::Borrowed("Windows")),
        (13, Cow::Borrowed("Custom7")),
        (14, Cow::Borrowed("WindowsTcb")),
        (15, Cow::Borrowed("Custom6")),
    ]),
};

static MAP_SIGNATURE_TYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("SignatureType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("None")),
        (1, Cow::Borrowed("Embedded")),
        (2, Cow::Borrowed("Cache")),
        (3, Cow::Borrowed("CatalogCached")),
        (4, Cow::Borrowed("CatalogNotCached")),
        (5, Cow::Borrowed("CatalogHint")),
        (6, Cow::Borrowed("PackageCatalog")),
        (7, Cow::Borrowed("PplMitigated")),
    ]),
};

static FIELDS_IMAGE_UNLOAD_V3: [Field; 14] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ImageSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ImageChecksum", FieldType::U32).hint(Hint::Hex),
    Field::new("TimeDateStamp", FieldType::U32).hint(Hint::Hex),
    Field::new("SignatureLevel", FieldType::U8).values(&MAP_SIGNING_LEVEL),
    Field::new("SignatureType", FieldType::U8).values(&MAP_SIGNATURE_TYPE),
    Field::new("Reserved0", FieldType::U16),
    Field::new("DefaultBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("Reserved1", FieldType::U32),
    Field::new("Reserved2", FieldType::U32),
    Field::new("Reserved3", FieldType::U32),
    Field::new("Reserved4", FieldType::U32),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_IMAGE_KERNEL_BASE_V2: [Field; 1] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_IMAGE_HYPERCALL_PAGE_V2: [Field; 1] = [
    Field::new("HypercallPageVa", FieldType::Pointer).hint(Hint::Address),
];

static MAP_IRP_FLAGS: ValueMap = ValueMap {
    name: Cow::Borrowed("IrpFlags"),
    bits: true,
    entries: Cow::Borrowed(&[
        (0x1, Cow::Borrowed("NoCache")),
        (0x2, Cow::Borrowed("PagingIo")),
        (0x4, Cow::Borrowed("SynchronousApi")),
        (0x8, Cow::Borrowed("AssociatedIrp")),
        (0x10, Cow::Borrowed("BufferedIo")),
        (0x20, Cow::Borrowed("DeallocateBuffer")),
        (0x40, Cow::Borrowed("SynchronousPagingIo")),
        (0x80, Cow::Borrowed("Create")),
        (0x100, Cow::Borrowed("Read")),
        (0x200, Cow::Borrowed("Write")),
        (0x400, Cow::Borrowed("Close")),
        (0x800, Cow::Borrowed("DeferCompletion")),
        (0x1000, Cow::Borrowed("ObQueryName")),
        (0x2000, Cow::Borrowed("HoldDeviceQueue")),
        (0xa0000, Cow::Borrowed("PriorityCritical")),
        (0x60000, Cow::Borrowed("PriorityNormal")),
        (0x80000, Cow::Borrowed("PriorityHigh")),
        (0x40000, Cow::Borrowed("PriorityLow")),
        (0x20000, Cow::Borrowed("PriorityVeryLow")),
    ]),
};

static FIELDS_DISK_IO_READ_V0: [Field; 7] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("IrpFlags", FieldType::U32).hint(Hint::Hex).values(&MAP_IRP_FLAGS),
    Field::new("TransferSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("ResponseTime", FieldType::U32),
    Field::new("ByteOffset", FieldType::U64),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("HighResResponseTime", FieldType::U64),
];

static FIELDS_DISK_IO_READ_V1: [Field; 8] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("IrpFlags", FieldType::U32).hint(Hint::Hex).values(&MAP_IRP_FLAGS),
    Field::new("TransferSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("ResponseTime", FieldType::U32),
    Field::new("ByteOffset", FieldType::U64),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("HighResResponseTime", FieldType::U64),
];

static FIELDS_DISK_IO_READ_V2: [Field; 8] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("IrpFlags", FieldType::U32).hint(Hint::Hex).values(&MAP_IRP_FLAGS),
    Field::new("TransferSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("Reserved", FieldType::U32),
    Field::new("ByteOffset", FieldType::I64),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("HighResResponseTime", FieldType::U64),
];

static FIELDS_DISK_IO_READ_V3: [Field; 9] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("IrpFlags", FieldType::U32).hint(Hint::Hex).values(&MAP_IRP_FLAGS),
    Field::new("TransferSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("Reserved", FieldType::U32),
    Field::new("ByteOffset", FieldType::I64),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("HighResResponseTime", FieldType::U64),
    Field::new("IssuingThreadId", FieldType::U32).hint(Hint::Tid),
];

static FIELDS_DISK_IO_READ_INIT_V2: [Field; 1] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_DISK_IO_READ_INIT_V3: [Field; 2] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("IssuingThreadId", FieldType::U32).hint(Hint::Tid),
];

static FIELDS_DISK_IO_FLUSH_BUFFERS_V2: [Field; 4] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("IrpFlags", FieldType::U32).hint(Hint::Hex).values(&MAP_IRP_FLAGS),
    Field::new("HighResResponseTime", FieldType::U64),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_DISK_IO_FLUSH_BUFFERS_V3: [Field; 5] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("IrpFlags", FieldType::U32).hint(Hint::Hex).values(&MAP_IRP_FLAGS),
    Field::new("HighResResponseTime", FieldType::U64),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("IssuingThreadId", FieldType::U32).hint(Hint::Tid),
];

static FIELDS_DISK_IO_IO_REDIRECTED_INIT_V2: [Field; 2] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_DISK_IO_DRV_MJ_FN_CALL_V2: [Field; 6] = [
    Field::new("MajorFunction", FieldType::U32),
    Field::new("MinorFunction", FieldType::U32),
    Field::new("RoutineAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("UniqMatchId", FieldType::U32),
];

static FIELDS_DISK_IO_DRV_MJ_FN_RET_V2: [Field; 2] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("UniqMatchId", FieldType::U32),
];

static FIELDS_DISK_IO_DRV_COMPL_ROUT_V2: [Field; 3] = [
    Field::new("Routine", FieldType::Pointer).hint(Hint::Address),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("UniqMatchId", FieldType::U32),
];

static FIELDS_DISK_IO_DRV_COMPL_REQ_V2: [Field; 3] = [
    Field::new("RoutineAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("UniqMatchId", FieldType::U32),
];

static FIELDS_DISK_IO_BOOT_PREFETCH_INFORMATION_V2: [Field; 3] = [
    Field::new("Action", FieldType::I32),
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
    Field::new("Pages", FieldType::I32),
];

static FIELDS_DISK_IO_OPTICAL_IO_READ_V2: [Field; 10] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("IrpFlags", FieldType::U32).hint(Hint::Hex).values(&MAP_IRP_FLAGS),
    Field::new("Size", FieldType::U32),
    Field::new("Reserved", FieldType::U32),
    Field::new("ByteOffset", FieldType::U64),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("IrpAddress", FieldType::Pointer).hint(Hint::Hex),
    Field::new("HighResResponseTime", FieldType::U64),
    Field::new("IssuingThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_DISK_IO_OPTICAL_IO_FLUSH_V2: [Field; 6] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("IrpFlags", FieldType::U32).hint(Hint::Hex).values(&MAP_IRP_FLAGS),
    Field::new("HighResResponseTime", FieldType::U64),
    Field::new("IrpAddress", FieldType::Pointer).hint(Hint::Hex),
    Field::new("IssuingThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_DISK_IO_OPTICAL_IO_READ_INIT_V2: [Field; 3] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("IssuingThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_FILE_IO_NAME_V0: [Field; 2] = [
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_FILE_IO_SAME_V2: [Field; 2] = [
    Field::new("OldFile", FieldType::Pointer).hint(Hint::Hex),
    Field::new("NewFile", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_FILE_IO_MAP_FILE_V2: [Field; 5] = [
    Field::new("ViewBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("MiscInfo", FieldType::U64).hint(Hint::Hex),
    Field::new("ViewSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
];

static MAP_CREATE_OPTIONS: ValueMap = ValueMap {
    name: Cow::Borrowed("CreateOptions"),
    bits: true,
    entries: Cow::Borrowed(&[
        (0x5000000, Cow::Borrowed("OverwriteIf")),
        (0x3000000, Cow::Borrowed("OpenIf")),
        (0x4000000, Cow::Borrowed("Overwrite")),
        (0x2000000, Cow::Borrowed("Create")),
        (0x1000000, Cow::Borrowed("Open")),
        (0x1, Cow::Borrowed("DirectoryFile")),
        (0x2, Cow::Borrowed("WriteThrough")),
        (0x4, Cow::Borrowed("SequentialOnly")),
        (0x8, Cow::Borrowed("NoIntermediateBuffering")),
        (0x10, Cow::Borrowed("SynchronousIoAlert")),
        (0x20, Cow::Borrowed("SynchronousIoNonAlert")),
        (0x40, Cow::Borrowed("NonDirectoryFile")),
        (0x80, Cow::Borrowed("CreateTreeConnection")),
        (0x100, Cow::Borrowed("CompleteIfOplocked")),
        (0x200, Cow::Borrowed("NoEaKnowledge")),
        (0x400, Cow::Borrowed("OpenRemoteInstance")),
        (0x800, Cow::Borrowed("RandomAccess")),
        (0x1000, Cow::Borrowed("DeleteOnClose")),
        (0x2000, Cow::Borrowed("OpenByFileId")),
        (0x4000, Cow::Borrowed("OpenForBackupIntent")),
        (0x8000, Cow::Borrowed("NoCompression")),
        (0x10000, Cow::Borrowed("OpenRequiringOplock")),
        (0x20000, Cow::Borrowed("DisallowExclusive")),
        (0x40000, Cow::Borrowed("SessionAware")),
        (0x100000, Cow::Borrowed("ReserveOpfilter")),
        (0x200000, Cow::Borrowed("OpenReparsePoint")),
        (0x400000, Cow::Borrowed("OpenNoRecall")),
        (0x800000, Cow::Borrowed("OpenForFreeSpaceQuery")),
    ]),
};

static MAP_FILE_ATTRIBUTES: ValueMap = ValueMap {
    name: Cow::Borrowed("FileAttributes"),
    bits: true,
    entries: Cow::Borrowed(&[
        (0x1, Cow::Borrowed("ReadOnly")),
        (0x2, Cow::Borrowed("Hidden")),
        (0x4, Cow::Borrowed("System")),
        (0x10, Cow::Borrowed("Directory")),
        (0x20, Cow::Borrowed("Archive")),
        (0x40, Cow::Borrowed("Device")),
        (0x80, Cow::Borrowed("Normal")),
        (0x100, Cow::Borrowed("Temporary")),
        (0x200, Cow::Borrowed("SparseFile")),
        (0x400, Cow::Borrowed("ReparsePoint")),
        (0x800, Cow::Borrowed("Compressed")),
        (0x1000, Cow::Borrowed("Offline")),
        (0x2000, Cow::Borrowed("NotContentIndexed")),
        (0x4000, Cow::Borrowed("Encrypted")),
        (0x8000, Cow::Borrowed("IntegrityStream")),
        (0x10000, Cow::Borrowed("Virtual")),
        (0x20000, Cow::Borrowed("NoScrubData")),
        (0x40000, Cow::Borrowed("RecallOnOpen")),
        (0x80000, Cow::Borrowed("Pinned")),
        (0x100000, Cow::Borrowed("Unpinned")),
        (0x400000, Cow::Borrowed("RecallOnDataAccess")),
    ]),
};

static MAP_SHARE_ACCESS: ValueMap = ValueMap {
    name: Cow::Borrowed("ShareAccess"),
    bits: true,
    entries: Cow::Borrowed(&[
        (0x1, Cow::Borrowed("Read")),
        (0x2, Cow::Borrowed("Write")),
        (0x4, Cow::Borrowed("Delete")),
    ]),
};

static FIELDS_FILE_IO_CREATE_V2: [Field; 7] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::Pointer).hint(Hint::Tid),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("CreateOptions", FieldType::U32).hint(Hint::Hex).values(&MAP_CREATE_OPTIONS),
    Field::new("FileAttributes", FieldType::U32).hint(Hint::Hex).values(&MAP_FILE_ATTRIBUTES),
    Field::new("ShareAccess", FieldType::U32).hint(Hint::Hex).values(&MAP_SHARE_ACCESS),
    Field::new("OpenPath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_FILE_IO_CREATE_V3: [Field; 7] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::U32).hint(Hint::Tid),
    Field::new("CreateOptions", FieldType::U32).hint(Hint::Hex).values(&MAP_CREATE_OPTIONS),
    Field::new("FileAttributes", FieldType::U32).hint(Hint::Hex).values(&MAP_FILE_ATTRIBUTES),
    Field::new("ShareAccess", FieldType::U32).hint(Hint::Hex).values(&MAP_SHARE_ACCESS),
    Field::new("OpenPath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_FILE_IO_CLEANUP_V2: [Field; 4] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::Pointer).hint(Hint::Tid),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_FILE_IO_CLEANUP_V3: [Field; 4] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::U32).hint(Hint::Tid),
];

static FIELDS_FILE_IO_READ_V2: [Field; 7] = [
    Field::new("Offset", FieldType::U64),
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::Pointer).hint(Hint::Tid),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("IoSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("IoFlags", FieldType::U32).hint(Hint::Hex),
];

static FIELDS_FILE_IO_READ_V3: [Field; 8] = [
    Field::new("Offset", FieldType::U64),
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::U32).hint(Hint::Tid),
    Field::new("IoSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("IoFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("ExtraFlags", FieldType::U32).hint(Hint::Hex).optional(),
];

static MAP_FILE_INFORMATION: ValueMap = ValueMap {
    name: Cow::Borrowed("FileInformation"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Directory")),
        (2, Cow::Borrowed("FullDirectory")),
        (3, Cow::Borrowed("BothDirectory")),
        (4, Cow::Borrowed("Basic")),
        (5, Cow::Borrowed("Standard")),
        (6, Cow::Borrowed("Internal")),
        (7, Cow::Borrowed("Ea")),
        (8, Cow::Borrowed("Access")),
        (9, Cow::Borrowed("Name")),
        (10, Cow::Borrowed("Rename")),
        (11, Cow::Borrowed("Link")),
        (12, Cow::Borrowed("Names")),
        (13, Cow::Borrowed("Disposition")),
        (14, Cow::Borrowed("Position")),
        (15, Cow::Borrowed("FullEa")),
        (16, Cow::Borrowed("Mode")),
        (17, Cow::Borrowed("Alignment")),
        (18, Cow::Borrowed("All")),
        (19, Cow::Borrowed("Allocation")),
        (20, Cow::Borrowed("EndOfFile")),
        (21, Cow::Borrowed("AlternateName")),
        (22, Cow::Borrowed("Stream")),
        (23, Cow::Borrowed("Pipe")),
        (24, Cow::Borrowed("PipeLocal")),
        (25, Cow::Borrowed("PipeRemote")),
        (26, Cow::Borrowed("MailslotQuery")),
        (27, Cow::Borrowed("MailslotSet")),
        (28, Cow::Borrowed("Compression")),
        (29, Cow::Borrowed("ObjectId")),
        (30, Cow::Borrowed("Completion")),
        (31, Cow::Borrowed("MoveCluster")),
        (32, Cow::Borrowed("Quota")),
        (33, Cow::Borrowed("ReparsePoint")),
        (34, Cow::Borrowed("NetworkOpen")),
        (35, Cow::Borrowed("AttributeTag")),
        (36, Cow::Borrowed("Tracking")),
        (37, Cow::Borrowed("IdBothDirectory")),
        (38, Cow::Borrowed("IdFullDirectory")),
        (39, Cow::Borrowed("ValidDataLength")),
        (40, Cow::Borrowed("ShortName")),
        (41, Cow::Borrowed("IoCompletionNotification")),
        (42, Cow::Borrowed("IoStatusBlockRange")),
        (43, Cow::Borrowed("IoPriorityHint")),
        (44, Cow::Borrowed("SfioReserve")),
        (45, Cow::Borrowed("SfioVolume")),
        (46, Cow::Borrowed("HardLink")),
        (47, Cow::Borrowed("ProcessIdsUsingFile")),
        (48, Cow::Borrowed("NormalizedName")),
        (49, Cow::Borrowed("NetworkPhysicalName")),
        (50, Cow::Borrowed("IdGlobalTxDirectory")),
        (51, Cow::Borrowed("IsRemoteDevice")),
        (53, Cow::Borrowed("NumaNode")),
        (54, Cow::Borrowed("StandardLink")),
        (55, Cow::Borrowed("RemoteProtocol")),
        (58, Cow::Borrowed("VolumeName")),
        (59, Cow::Borrowed("Id")),
        (60, Cow::Borrowed("IdExtdDirectory")),
        (61, Cow::Borrowed("ReplaceCompletion")),
        (62, Cow::Borrowed("HardLinkFullId")),
        (63, Cow::Borrowed("IdExtdBothDirectory")),
        (64, Cow::Borrowed("DispositionEx")),
        (65, Cow::Borrowed("RenameEx")),
        (67, Cow::Borrowed("DesiredStorageClass")),
        (68, Cow::Borrowed("Stat")),
        (69, Cow::Borrowed("MemoryPartition")),
        (70, Cow::Borrowed("StatLx")),
        (71, Cow::Borrowed("CaseSensitive")),
        (72, Cow::Borrowed("LinkEx")),
    ]),
};

static FIELDS_FILE_IO_SET_INFO_V2: [Field; 6] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::Pointer).hint(Hint::Tid),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ExtraInfo", FieldType::Pointer).hint(Hint::Hex),
    Field::new("InfoClass", FieldType::U32).values(&MAP_FILE_INFORMATION),
];

static FIELDS_FILE_IO_SET_INFO_V3: [Field; 6] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ExtraInfo", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::U32).hint(Hint::Tid),
    Field::new("InfoClass", FieldType::U32).values(&MAP_FILE_INFORMATION),
];

static FIELDS_FILE_IO_DIR_ENUM_V2: [Field; 8] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::Pointer).hint(Hint::Tid),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Length", FieldType::U32).hint(Hint::Bytes),
    Field::new("InfoClass", FieldType::U32).values(&MAP_FILE_INFORMATION),
    Field::new("FileIndex", FieldType::U32),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_FILE_IO_DIR_ENUM_V3: [Field; 8] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::U32).hint(Hint::Tid),
    Field::new("Length", FieldType::U32).hint(Hint::Bytes),
    Field::new("InfoClass", FieldType::U32).values(&MAP_FILE_INFORMATION),
    Field::new("FileIndex", FieldType::U32),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_FILE_IO_FSCONTROL_V2: [Field; 6] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::Pointer).hint(Hint::Tid),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ExtraInfo", FieldType::Pointer).hint(Hint::Hex),
    Field::new("InfoClass", FieldType::U32),
];

static FIELDS_FILE_IO_FSCONTROL_V3: [Field; 6] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ExtraInfo", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::U32).hint(Hint::Tid),
    Field::new("InfoClass", FieldType::U32),
];

static FIELDS_FILE_IO_OPERATION_END_V2: [Field; 3] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ExtraInfo", FieldType::Pointer).hint(Hint::Hex),
    Field::new("NtStatus", FieldType::U32).hint(Hint::NtStatus),
];

static FIELDS_FILE_IO_DELETE_PATH_V3: [Field; 7] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ExtraInfo", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::U32).hint(Hint::Tid),
    Field::new("InfoClass", FieldType::U32).values(&MAP_FILE_INFORMATION),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_TCP_IP_SEND_IPV4_V0: [Field; 6] = [
    Field::new("daddr", FieldType::Ipv4),
    Field::new("saddr", FieldType::Ipv4),
    Field::new("dport", FieldType::Port),
    Field::new("sport", FieldType::Port),
    Field::new("size", FieldType::U32).hint(Hint::Bytes),
    Field::new("PID", FieldType::U32).hint(Hint::Pid),
];

static FIELDS_TCP_IP_SEND_IPV4_V1: [Field; 6] = [
    Field::new("PID", FieldType::U32).hint(Hint::Pid),
    Field::new("size", FieldType::U32).hint(Hint::Bytes),
    Field::new("daddr", FieldType::Ipv4),
    Field::new("saddr", FieldType::Ipv4),
    Field::new("dport", FieldType::Port),
    Field::new("sport", FieldType::Port),
];

static FIELDS_TCP_IP_SEND_IPV4_V2: [Field; 10] = [
    Field::new("PID", FieldType::U32).hint(Hint::Pid),
    Field::new("size", FieldType::U32).hint(Hint::Bytes),
    Field::new("daddr", FieldType::Ipv4),
    Field::new("saddr", FieldType::Ipv4),
    Field::new("dport", FieldType::Port),
    Field::new("sport", FieldType::Port),
    Field::new("startime", FieldType::U32),
    Field::new("endtime", FieldType::U32),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_TCP_IP_RECV_IPV4_V2: [Field; 8] = [
    Field::new("PID", FieldType::U32).hint(Hint::Pid),
    Field::new("size", FieldType::U32).hint(Hint::Bytes),
    Field::new("daddr", FieldType::Ipv4),
    Field::new("saddr", FieldType::Ipv4),
    Field::new("dport", FieldType::Port),
    Field::new("sport", FieldType::Port),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_TCP_IP_CONNECT_IPV4_V2: [Field; 15] = [
    Field::new("PID", FieldType::U32).hint(Hint::Pid),
    Field::new("size", FieldType::U32).hint(Hint::Bytes),
    Field::new("daddr", FieldType::Ipv4),
    Field::new("saddr", FieldType::Ipv4),
    Field::new("dport", FieldType::Port),
    Field::new("sport", FieldType::Port),
    Field::new("mss", FieldType::U16),
    Field::new("sackopt", FieldType::U16),
    Field::new("tsopt", FieldType::U16),
    Field::new("wsopt", FieldType::U16),
    Field::new("rcvwin", FieldType::U32),
    Field::new("rcvwinscale", FieldType::I16),
    Field::new("sndwinscale", FieldType::I16),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_TCP_IP_FAIL_V1: [Field; 2] = [
    Field::new("Proto", FieldType::U16),
    Field::new("FailureCode", FieldType::U16),
];

static FIELDS_TCP_IP_SEND_IPV6_V2: [Field; 10] = [
    Field::new("PID", FieldType::U32).hint(Hint::Pid),
    Field::new("size", FieldType::U32).hint(Hint::Bytes),
    Field::new("daddr", FieldType::Ipv6),
    Field::new("saddr", FieldType::Ipv6),
    Field::new("dport", FieldType::Port),
    Field::new("sport", FieldType::Port),
    Field::new("startime", FieldType::U32),
    Field::new("endtime", FieldType::U32),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_TCP_IP_RECV_IPV6_V2: [Field; 8] = [
    Field::new("PID", FieldType::U32).hint(Hint::Pid),
    Field::new("size", FieldType::U32).hint(Hint::Bytes),
    Field::new("daddr", FieldType::Ipv6),
    Field::new("saddr", FieldType::Ipv6),
    Field::new("dport", FieldType::Port),
    Field::new("sport", FieldType::Port),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_TCP_IP_CONNECT_IPV6_V2: [Field; 15] = [
    Field::new("PID", FieldType::U32).hint(Hint::Pid),
    Field::new("size", FieldType::U32).hint(Hint::Bytes),
    Field::new("daddr", FieldType::Ipv6),
    Field::new("saddr", FieldType::Ipv6),
    Field::new("dport", FieldType::Port),
    Field::new("sport", FieldType::Port),
    Field::new("mss", FieldType::U16),
    Field::new("sackopt", FieldType::U16),
    Field::new("tsopt", FieldType::U16),
    Field::new("wsopt", FieldType::U16),
    Field::new("rcvwin", FieldType::U32),
    Field::new("rcvwinscale", FieldType::I16),
    Field::new("sndwinscale", FieldType::I16),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_TCP_IP_STATE_IPV4_V2: [Field; 11] = [
    Field::new("PID", FieldType::U32).hint(Hint::Pid),
    Field::new("size", FieldType::U32).hint(Hint::Bytes),
    Field::new("daddr", FieldType::Ipv4),
    Field::new("saddr", FieldType::Ipv4),
    Field::new("dport", FieldType::Port),
    Field::new("sport", FieldType::Port),
    Field::new("OldState", FieldType::U8),
    Field::new("NewState", FieldType::U8),
    Field::new("Reserved", FieldType::U16),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_TCP_IP_STATE_IPV6_V2: [Field; 11] = [
    Field::new("PID", FieldType::U32).hint(Hint::Pid),
    Field::new("size", FieldType::U32).hint(Hint::Bytes),
    Field::new("daddr", FieldType::Ipv6),
    Field::new("saddr", FieldType::Ipv6),
    Field::new("dport", FieldType::Port),
    Field::new("sport", FieldType::Port),
    Field::new("OldState", FieldType::U8),
    Field::new("NewState", FieldType::U8),
    Field::new("Reserved", FieldType::U16),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_UDP_IP_SEND_IPV4_V0: [Field; 7] = [
    Field::new("context", FieldType::U32).hint(Hint::Hex),
    Field::new("saddr", FieldType::Ipv4),
    Field::new("sport", FieldType::Port),
    Field::new("size", FieldType::U16).hint(Hint::Bytes),
    Field::new("daddr", FieldType::Ipv4),
    Field::new("dport", FieldType::Port),
    Field::new("dsize", FieldType::U16).hint(Hint::Bytes),
];

static FIELDS_PERF_INFO_MARK_V0: [Field; 1] = [
    Field::new("Message", FieldType::Ansi(Length::Nul)),
];

static FIELDS_PERF_INFO_SAMPLE_PROFILE_V2: [Field; 4] = [
    Field::new("InstructionPointer", FieldType::Pointer).hint(Hint::Address),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("Count", FieldType::U16),
    Field::new("Reserved", FieldType::U16).hint(Hint::Hex),
];

static FIELDS_PERF_INFO_PMC_COUNTER_PROF_V2: [Field; 4] = [
    Field::new("InstructionPointer", FieldType::Pointer).hint(Hint::Address),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("ProfileSource", FieldType::U16),
    Field::new("Reserved", FieldType::U16).hint(Hint::Hex),
];

static FIELDS_PERF_INFO_PMC_COUNTER_CONFIG_V2: [Field; 2] = [
    Field::new("CounterCount", FieldType::U32),
    Field::new("CounterName", FieldType::Utf16(Length::Nul)).count(Count::Field(0)),
];

static FIELDS_PERF_INFO_ISR_MSI_V2: [Field; 6] = [
    Field::new("InitialTime", FieldType::U64).hint(Hint::TraceTime),
    Field::new("Routine", FieldType::Pointer).hint(Hint::Address),
    Field::new("ReturnValue", FieldType::U8),
    Field::new("Vector", FieldType::U16),
    Field::new("Reserved", FieldType::U8),
    Field::new("MessageNumber", FieldType::U32),
];

static FIELDS_PERF_INFO_SYS_CL_ENTER_V2: [Field; 1] = [
    Field::new("SysCallAddress", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_PERF_INFO_SYS_CL_ENTER_V128: [Field; 9] = [
    Field::new("SysCallAddress", FieldType::Pointer).hint(Hint::Address),
    Field::new("Number", FieldType::U32),
    Field::new("Argument0", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument1", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument2", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument3", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument4", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument5", FieldType::U64).hint(Hint::Hex),
    Field::new("Name", FieldType::Ansi(Length::Nul)),
];

static FIELDS_PERF_INFO_SYS_CL_ENTER_V129: [Field; 10] = [
    Field::new("SysCallAddress", FieldType::Pointer).hint(Hint::Address),
    Field::new("Number", FieldType::U32),
    Field::new("Argument0", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument1", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument2", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument3", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument4", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument5", FieldType::U64).hint(Hint::Hex),
    Field::new("Count", FieldType::U64),
    Field::new("Name", FieldType::Ansi(Length::Nul)),
];

static FIELDS_PERF_INFO_SYS_CL_ENTER_V130: [Field; 10] = [
    Field::new("SysCallAddress", FieldType::Pointer).hint(Hint::Address),
    Field::new("Number", FieldType::U32),
    Field::new("Argument0", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument1", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument2", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument3", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument4", FieldType::U64).hint(Hint::Hex),
    Field::new("Argument5", FieldType::U64).hint(Hint::Hex),
    Field::new("Memory", FieldType::Binary(Length::Prefixed)),
    Field::new("Name", FieldType::Ansi(Length::Nul)),
];

static FIELDS_PERF_INFO_SYS_CL_EXIT_V2: [Field; 1] = [
    Field::new("SysCallNtStatus", FieldType::U32).hint(Hint::NtStatus),
];

static FIELDS_PERF_INFO_SYS_CL_EXIT_V128: [Field; 4] = [
    Field::new("SysCallNtStatus", FieldType::U32).hint(Hint::NtStatus),
    Field::new("Number", FieldType::U32),
    Field::new("Result", FieldType::I64),
    Field::new("Name", FieldType::Ansi(Length::Nul)),
];

static FIELDS_PERF_INFO_SYS_CL_EXIT_V129: [Field; 5] = [
    Field::new("SysCallNtStatus", FieldType::U32).hint(Hint::NtStatus),
    Field::new("Number", FieldType::U32),
    Field::new("Result", FieldType::I64),
    Field::new("Count", FieldType::U64),
    Field::new("Name", FieldType::Ansi(Length::Nul)),
];

static FIELDS_PERF_INFO_SYS_CL_EXIT_V130: [Field; 5] = [
    Field::new("SysCallNtStatus", FieldType::U32).hint(Hint::NtStatus),
    Field::new("Number", FieldType::U32),
    Field::new("Result", FieldType::I64),
    Field::new("Memory", FieldType::Binary(Length::Prefixed)),
    Field::new("Name", FieldType::Ansi(Length::Nul)),
];

static FIELDS_PERF_INFO_THREAD_DPC_V2: [Field; 2] = [
    Field::new("InitialTime", FieldType::U64).hint(Hint::TraceTime),
    Field::new("Routine", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_PERF_INFO_ISR_V2: [Field; 5] = [
    Field::new("InitialTime", FieldType::U64).hint(Hint::TraceTime),
    Field::new("Routine", FieldType::Pointer).hint(Hint::Address),
    Field::new("ReturnValue", FieldType::U8),
    Field::new("Vector", FieldType::U16),
    Field::new("Reserved", FieldType::U8),
];

static FIELDS_PERF_INFO_IO_TIMER_EXPIRATION_V2: [Field; 2] = [
    Field::new("DeviceObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("RoutineAddress", FieldType::Pointer).hint(Hint::Address),
];

static MAP_PROFILE_SOURCE: ValueMap = ValueMap {
    name: Cow::Borrowed("ProfileSource"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Time")),
        (1, Cow::Borrowed("AlignmentFixup")),
        (2, Cow::Borrowed("TotalIssues")),
        (3, Cow::Borrowed("PipelineDry")),
        (4, Cow::Borrowed("LoadInstructions")),
        (5, Cow::Borrowed("PipelineFrozen")),
        (6, Cow::Borrowed("BranchInstructions")),
        (7, Cow::Borrowed("TotalNonissues")),
        (8, Cow::Borrowed("DcacheMisses")),
        (9, Cow::Borrowed("IcacheMisses")),
        (10, Cow::Borrowed("CacheMisses")),
        (11, Cow::Borrowed("BranchMispredictions")),
        (12, Cow::Borrowed("StoreInstructions")),
        (13, Cow::Borrowed("FpInstructions")),
        (14, Cow::Borrowed("IntegerInstructions")),
        (15, Cow::Borrowed("2Issue")),
        (16, Cow::Borrowed("3Issue")),
        (17, Cow::Borrowed("4Issue")),
        (18, Cow::Borrowed("SpecialInstructions")),
        (19, Cow::Borrowed("TotalCycles")),
        (20, Cow::Borrowed("IcacheIssues")),
        (21, Cow::Borrowed("DcacheAccesses")),
        (22, Cow::Borrowed("MemoryBarrierCycles")),
        (23, Cow::Borrowed("LoadLinkedIssues")),
    ]),
};

static FIELDS_PERF_INFO_SET_INTERVAL_V2: [Field; 3] = [
    Field::new("Source", FieldType::U32).values(&MAP_PROFILE_SOURCE),
    Field::new("NewInterval", FieldType::U32),
    Field::new("OldInterval", FieldType::U32),
];

static FIELDS_PERF_INFO_SET_INTERVAL_V3: [Field; 4] = [
    Field::new("Source", FieldType::U32).values(&MAP_PROFILE_SOURCE),
    Field::new("NewInterval", FieldType::U32),
    Field::new("OldInterval", FieldType::U32),
    Field::new("SourceName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_PERF_INFO_SPIN_LOCK_DCSTART_V2: [Field; 4] = [
    Field::new("SpinLockSpinThreshold", FieldType::U32),
    Field::new("SpinLockContentionSampleRate", FieldType::U32),
    Field::new("SpinLockAcquireSampleRate", FieldType::U32),
    Field::new("SpinLockHoldThreshold", FieldType::U32),
];

static FIELDS_PERF_INFO_ERESOURCE_DCSTART_V2: [Field; 3] = [
    Field::new("ReleaseSamplingRate", FieldType::U32),
    Field::new("ContentionSamplingRate", FieldType::U32),
    Field::new("NumberOfExcessiveTimeouts", FieldType::U32),
];

static FIELDS_PERF_INFO_CLOCK_INTERRUPT_V2: [Field; 3] = [
    Field::new("InterruptTime", FieldType::U64),
    Field::new("Flags", FieldType::I16).hint(Hint::Hex),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_PERF_INFO_TIMER_EXPIRATION_START_V2: [Field; 1] = [
    Field::new("InterruptTime", FieldType::U64),
];

static FIELDS_PERF_INFO_TIMER_EXPIRATION_V2: [Field; 5] = [
    Field::new("ExpectedDueTime", FieldType::U64),
    Field::new("TimerAddress", FieldType::Pointer).hint(Hint::Hex),
    Field::new("DeferredRoutine", FieldType::Pointer).hint(Hint::Address),
    Field::new("EncodedDelay", FieldType::U8),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_PERF_INFO_TIMER_SET_PERIODIC_V2: [Field; 10] = [
    Field::new("ExpectedDueTime", FieldType::U64),
    Field::new("TimerAddress", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TargetProcessorGroup", FieldType::U16),
    Field::new("TargetProcessorIndex", FieldType::U8),
    Field::new("Flags", FieldType::U8).hint(Hint::Hex),
    Field::new("Period", FieldType::U32).optional(),
    Field::new("EncodedDelay", FieldType::U8).optional(),
    Field::new("Reserved0", FieldType::U8).optional(),
    Field::new("Reserved1", FieldType::U16).optional(),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_PERF_INFO_TIMER_CANCEL_V2: [Field; 1] = [
    Field::new("TimerAddress", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_PERF_INFO_CLOCK_TIME_UPDATE_V2: [Field; 3] = [
    Field::new("InterruptTime", FieldType::U64),
    Field::new("ClockOwner", FieldType::U32),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_PERF_INFO_CLOCK_CONFIGURATION_V2: [Field; 3] = [
    Field::new("KnownType", FieldType::U32),
    Field::new("Capabilities", FieldType::U32),
    Field::new("DisableReason", FieldType::U32),
];

static FIELDS_PERF_INFO_IPI_V2: [Field; 2] = [
    Field::new("RequestType", FieldType::U32),
    Field::new("TargetProcessor", FieldType::U32),
];

static FIELDS_PERF_INFO_CPU_CACHE_FLUSH_V2: [Field; 7] = [
    Field::new("Address", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Bytes", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("Clean", FieldType::Bool8),
    Field::new("FullFlush", FieldType::Bool8),
    Field::new("Rectangle", FieldType::Bool8),
    Field::new("Reserved0", FieldType::Bool8),
    Field::new("Reserved1", FieldType::U32),
];

static FIELDS_PERF_INFO_DPC_ENQUEUE_V2: [Field; 6] = [
    Field::new("Key", FieldType::Pointer).hint(Hint::Hex),
    Field::new("DpcQueueDepth", FieldType::I32),
    Field::new("DpcCount", FieldType::U32),
    Field::new("TargetProcessorIndex", FieldType::U32),
    Field::new("Importance", FieldType::U8),
    Field::new("Reserved", FieldType::Binary(Length::Fixed(3))),
];

static FIELDS_PERF_INFO_DPC_EXECUTION_V2: [Field; 2] = [
    Field::new("DpcRoutine", FieldType::Pointer).hint(Hint::Address),
    Field::new("Key", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_PERF_INFO_KTIMER2_SET_V2: [Field; 8] = [
    Field::new("DueTime", FieldType::U64),
    Field::new("MaximumDueTime", FieldType::U64),
    Field::new("Period", FieldType::U64),
    Field::new("TimerKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Callback", FieldType::Pointer).hint(Hint::Address),
    Field::new("CallbackContextKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Flags", FieldType::U8).hint(Hint::Hex),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_PERF_INFO_KTIMER2_CANCEL_V2: [Field; 1] = [
    Field::new("TimerKey", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_PERF_INFO_KTIMER2_DISABLE_V2: [Field; 5] = [
    Field::new("TimerKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("DisableCallback", FieldType::Pointer).hint(Hint::Address),
    Field::new("DisableContextKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Flags", FieldType::U8).hint(Hint::Hex),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_PERF_INFO_KTIMER2_FINALIZATION_V2: [Field; 3] = [
    Field::new("TimerKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("DisableCallback", FieldType::Pointer).hint(Hint::Address),
    Field::new("DisableContextKey", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_PERF_INFO_SHOULD_YIELD_PROCESSOR_V2: [Field; 3] = [
    Field::new("YieldReason", FieldType::U32),
    Field::new("DpcWatchdogCount", FieldType::U32),
    Field::new("DpcTimeCount", FieldType::U32),
];

static FIELDS_PERF_INFO_CROSS_CALL_V2: [Field; 2] = [
    Field::new("Routine", FieldType::Pointer).hint(Hint::Address),
    Field::new("Caller", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_STACK_WALK_STACK_V2: [Field; 4] = [
    Field::new("EventTimeStamp", FieldType::U64).hint(Hint::TraceTime),
    Field::new("StackProcess", FieldType::U32).hint(Hint::Pid),
    Field::new("StackThread", FieldType::U32).hint(Hint::Tid),
    Field::new("Stack", FieldType::Pointer).count(Count::Rest).hint(Hint::Address),
];

static FIELDS_STACK_WALK_KEY_DELETE_V2: [Field; 2] = [
    Field::new("StackKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Stack", FieldType::Pointer).count(Count::Rest).hint(Hint::Address),
];

static FIELDS_STACK_WALK_STACK_KEY_KERNEL_V2: [Field; 4] = [
    Field::new("EventTimeStamp", FieldType::U64).hint(Hint::TraceTime),
    Field::new("StackProcess", FieldType::U32).hint(Hint::Pid),
    Field::new("StackThread", FieldType::U32).hint(Hint::Tid),
    Field::new("StackKey", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_PAGE_FAULT_TRANSITION_FAULT_V2: [Field; 2] = [
    Field::new("VirtualAddress", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProgramCounter", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_PAGE_FAULT_HARD_FAULT_V2: [Field; 6] = [
    Field::new("InitialTime", FieldType::U64).hint(Hint::TraceTime),
    Field::new("ReadOffset", FieldType::U64).hint(Hint::Hex),
    Field::new("VirtualAddress", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("ByteCount", FieldType::U32).hint(Hint::Bytes),
];

static FIELDS_PAGE_FAULT_PF_MAPPED_SECTION_RUNDOWN_V2: [Field; 4] = [
    Field::new("RangeBase", FieldType::Pointer).hint(Hint::Hex),
    Field::new("RangeEnd", FieldType::Pointer).hint(Hint::Hex),
    Field::new("CreatingProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_PAGE_FAULT_CREATE_SESSION_V2: [Field; 3] = [
    Field::new("UniqueSessionId", FieldType::Pointer).hint(Hint::Hex),
    Field::new("SessionId", FieldType::U32),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static MAP_VIRTUAL_ALLOCATION: ValueMap = ValueMap {
    name: Cow::Borrowed("VirtualAllocation"),
    bits: true,
    entries: Cow::Borrowed(&[
        (0x1000, Cow::Borrowed("Commit")),
        (0x2000, Cow::Borrowed("Reserve")),
        (0x4000, Cow::Borrowed("Decommit")),
        (0x8000, Cow::Borrowed("Release")),
        (0x10000, Cow::Borrowed("Free")),
        (0x20000, Cow::Borrowed("Private")),
        (0x40000, Cow::Borrowed("Mapped")),
        (0x80000, Cow::Borrowed("Reset")),
        (0x100000, Cow::Borrowed("TopDown")),
        (0x200000, Cow::Borrowed("WriteWatch")),
        (0x400000, Cow::Borrowed("Physical")),
        (0x1000000, Cow::Borrowed("ResetUndo")),
        (0x20000000, Cow::Borrowed("LargePages")),
    ]),
};

static FIELDS_PAGE_FAULT_VIRTUAL_ALLOC_V2: [Field; 4] = [
    Field::new("BaseAddress", FieldType::Pointer).hint(Hint::Address),
    Field::new("RegionSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex).values(&MAP_VIRTUAL_ALLOCATION),
];

static FIELDS_PAGE_FAULT_HEAP_RANGE_RUNDOWN_V2_RANGES: [Field; 2] = [
    Field::new("Address", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Size", FieldType::Pointer).hint(Hint::Bytes),
];

static FIELDS_PAGE_FAULT_HEAP_RANGE_RUNDOWN_V2: [Field; 6] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("RangeCount", FieldType::U32),
    Field::new("Reserved", FieldType::U32),
    Field::new("Ranges", FieldType::Struct(Cow::Borrowed(&FIELDS_PAGE_FAULT_HEAP_RANGE_RUNDOWN_V2_RANGES))).count(Count::Field(3)),
];

static FIELDS_PAGE_FAULT_HEAP_RANGE_CREATE_V2: [Field; 4] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FirstRangeSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_PAGE_FAULT_HEAP_RANGE_RESERVE_V2: [Field; 3] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Address", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Size", FieldType::Pointer).hint(Hint::Bytes),
];

static FIELDS_PAGE_FAULT_HEAP_RANGE_DESTROY_V2: [Field; 1] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_PAGE_FAULT_IMAGE_LOAD_BACKED_V2: [Field; 4] = [
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("DeviceChar", FieldType::U32).hint(Hint::Hex),
    Field::new("FileChar", FieldType::U16).hint(Hint::Hex),
    Field::new("LoadFlags", FieldType::U16).hint(Hint::Hex),
];

static FIELDS_PAGE_FAULT_MEM_INFO_V2: [Field; 8] = [
    Field::new("ZeroPageCount", FieldType::Pointer),
    Field::new("FreePageCount", FieldType::Pointer),
    Field::new("ModifiedPageCount", FieldType::Pointer),
    Field::new("ModifiedNoWritePageCount", FieldType::Pointer),
    Field::new("BadPageCount", FieldType::Pointer),
    Field::new("PageCountByPriority", FieldType::Pointer).count(Count::Fixed(8)),
    Field::new("RepurposedPagesByPriority", FieldType::Pointer).count(Count::Fixed(8)),
    Field::new("ModifiedPageCountPageFile", FieldType::Pointer),
];

static FIELDS_PAGE_FAULT_CONT_MEM_GENERATE_V2: [Field; 2] = [
    Field::new("ThreadId", FieldType::U64),
    Field::new("NumberOfBytes", FieldType::U64),
];

static FIELDS_PAGE_FAULT_MM_STATS_V2: [Field; 4] = [
    Field::new("PagedPoolCommitPageCount", FieldType::Pointer),
    Field::new("NonPagedPoolPageCount", FieldType::Pointer),
    Field::new("MdlPageCount", FieldType::Pointer),
    Field::new("CommitPageCount", FieldType::Pointer),
];

static FIELDS_PAGE_FAULT_MEM_INFO_EX_WS_V2_WS_ENTRY: [Field; 9] = [
    Field::new("SessionId", FieldType::U32),
    Field::new("WorkingSetPageCount", FieldType::Pointer),
    Field::new("CommitPageCount", FieldType::Pointer),
    Field::new("VirtualSizeInPages", FieldType::Pointer),
    Field::new("PrivateWorkingSetPageCount", FieldType::Pointer),
    Field::new("StoreSizeInPages", FieldType::Pointer),
    Field::new("StoredPageCount", FieldType::Pointer),
    Field::new("CommitDebtInPages", FieldType::Pointer),
    Field::new("SharedCommitInPages", FieldType::Pointer),
];

static FIELDS_PAGE_FAULT_MEM_INFO_EX_WS_V2: [Field; 2] = [
    Field::new("Count", FieldType::U32),
    Field::new("WsEntry", FieldType::Struct(Cow::Borrowed(&FIELDS_PAGE_FAULT_MEM_INFO_EX_WS_V2_WS_ENTRY))).count(Count::Field(0)),
];

static FIELDS_PAGE_FAULT_VIRTUAL_ROTATE_V2: [Field; 4] = [
    Field::new("BaseAddress", FieldType::Pointer).hint(Hint::Hex),
    Field::new("SizeInBytes", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_PAGE_FAULT_VIRTUAL_ALLOC_DCSTART_V2: [Field; 4] = [
    Field::new("CapturedBase", FieldType::Pointer).hint(Hint::Hex),
    Field::new("CapturedRegionSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex).values(&MAP_VIRTUAL_ALLOCATION),
];

static FIELDS_PAGE_FAULT_PF_MAPPED_SECTION_OBJECT_CREATE_V2: [Field; 2] = [
    Field::new("SectionObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("RangeBase", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_REGISTRY_CREATE_V0: [Field; 4] = [
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
    Field::new("KeyHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ElapsedTime", FieldType::I64),
    Field::new("KeyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_REGISTRY_CREATE_V1: [Field; 5] = [
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
    Field::new("KeyHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ElapsedTime", FieldType::I64),
    Field::new("Index", FieldType::U32),
    Field::new("KeyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_REGISTRY_CREATE_V2: [Field; 5] = [
    Field::new("InitialTime", FieldType::I64).hint(Hint::TraceTime),
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
    Field::new("Index", FieldType::U32),
    Field::new("KeyHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("KeyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_REGISTRY_REG_NOTIF_REGISTER_V2: [Field; 6] = [
    Field::new("Notification", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Kcb", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Type", FieldType::U8),
    Field::new("WatchTree", FieldType::Bool8),
    Field::new("Primary", FieldType::Bool8),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_SPLIT_IO_VOL_MGR_V2: [Field; 2] = [
    Field::new("ParentIrp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ChildIrp", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_ALPC_ALPC_SEND_MESSAGE_V2: [Field; 1] = [
    Field::new("MessageID", FieldType::U32),
];

static FIELDS_ALPC_ALPC_WAIT_FOR_NEW_MESSAGE_V2: [Field; 2] = [
    Field::new("IsServerPort", FieldType::U32).hint(Hint::Boolean),
    Field::new("PortName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_ALPC_ALPC_UNWAIT_V2: [Field; 1] = [
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
];

static FIELDS_OBJECT_CREATE_HANDLE_V2: [Field; 4] = [
    Field::new("Object", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Handle", FieldType::U32).hint(Hint::Hex),
    Field::new("ObjectType", FieldType::U16),
    Field::new("ObjectName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_OBJECT_DUPLICATE_HANDLE_V2: [Field; 6] = [
    Field::new("Object", FieldType::Pointer).hint(Hint::Hex),
    Field::new("SourceHandle", FieldType::U32),
    Field::new("TargetHandle", FieldType::U32),
    Field::new("TargetProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ObjectType", FieldType::U16),
    Field::new("SourceProcessId", FieldType::U32).hint(Hint::Pid),
];

static FIELDS_OBJECT_TYPE_DCSTART_V2: [Field; 3] = [
    Field::new("ObjectType", FieldType::U16),
    Field::new("Reserved", FieldType::U16),
    Field::new("TypeName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_OBJECT_OBJECT_HANDLE_DCSTART_V2: [Field; 5] = [
    Field::new("Object", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("Handle", FieldType::U32),
    Field::new("ObjectType", FieldType::U16),
    Field::new("ObjectName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_OBJECT_CREATE_OBJECT_V2: [Field; 3] = [
    Field::new("Object", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ObjectType", FieldType::U16),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_OBJECT_REFERENCE_OBJECT_V2: [Field; 3] = [
    Field::new("Object", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Tag", FieldType::U32).hint(Hint::Hex),
    Field::new("Count", FieldType::U32),
];

static FIELDS_SYSTEM_CONFIG_CPU_V0: [Field; 7] = [
    Field::new("MHz", FieldType::U32),
    Field::new("NumberOfProcessors", FieldType::U32),
    Field::new("MemSize", FieldType::U32),
    Field::new("PageSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("AllocationGranularity", FieldType::U32).hint(Hint::Bytes),
    Field::new("ComputerName", FieldType::Utf16(Length::Fixed(256))),
    Field::new("DomainName", FieldType::Utf16(Length::Fixed(132))),
];

static FIELDS_SYSTEM_CONFIG_CPU_V1: [Field; 8] = [
    Field::new("MHz", FieldType::U32),
    Field::new("NumberOfProcessors", FieldType::U32),
    Field::new("MemSize", FieldType::U32),
    Field::new("PageSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("AllocationGranularity", FieldType::U32).hint(Hint::Bytes),
    Field::new("ComputerName", FieldType::Utf16(Length::Fixed(256))),
    Field::new("DomainName", FieldType::Utf16(Length::Fixed(134))),
    Field::new("HyperThreadingFlag", FieldType::Pointer).hint(Hint::Hex),
];

static MAP_PROCESSOR_ARCHITECTURE: ValueMap = ValueMap {
    name: Cow::Borrowed("ProcessorArchitecture"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("x86")),
        (5, Cow::Borrowed("ARM")),
        (6, Cow::Borrowed("IA64")),
        (9, Cow::Borrowed("x64")),
        (12, Cow::Borrowed("ARM64")),
    ]),
};

static FIELDS_SYSTEM_CONFIG_CPU_V3: [Field; 15] = [
    Field::new("MHz", FieldType::U32),
    Field::new("NumberOfProcessors", FieldType::U32),
    Field::new("MemSize", FieldType::U32),
    Field::new("PageSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("AllocationGranularity", FieldType::U32).hint(Hint::Bytes),
    Field::new("ComputerName", FieldType::Utf16(Length::Fixed(256))),
    Field::new("DomainName", FieldType::Utf16(Length::Fixed(134))),
    Field::new("HyperThreadingFlag", FieldType::Pointer).hint(Hint::Hex),
    Field::new("HighestUserAddress", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessorArchitecture", FieldType::U16).values(&MAP_PROCESSOR_ARCHITECTURE),
    Field::new("ProcessorLevel", FieldType::U16),
    Field::new("ProcessorRevision", FieldType::U16).hint(Hint::Hex),
    Field::new("PaeEnabled", FieldType::U8).hint(Hint::Boolean),
    Field::new("NxEnabled", FieldType::U8).hint(Hint::Boolean),
    Field::new("MemorySpeed", FieldType::U32),
];

static FIELDS_SYSTEM_CONFIG_PHY_DISK_V0: [Field; 14] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("BytesPerSector", FieldType::U32).hint(Hint::Bytes),
    Field::new("SectorsPerTrack", FieldType::U32),
    Field::new("TracksPerCylinder", FieldType::U32),
    Field::new("Cylinders", FieldType::U64),
    Field::new("SCSIPort", FieldType::U32),
    Field::new("SCSIPath", FieldType::U32),
    Field::new("SCSITarget", FieldType::U32),
    Field::new("SCSILun", FieldType::U32),
    Field::new("Manufacturer", FieldType::Utf16(Length::Fixed(256))),
    Field::new("PartitionCount", FieldType::U32),
    Field::new("WriteCacheEnabled", FieldType::U8).hint(Hint::Boolean),
    Field::new("Pad", FieldType::U8),
    Field::new("BootDriveLetter", FieldType::Utf16(Length::Fixed(3))),
];

static FIELDS_SYSTEM_CONFIG_PHY_DISK_V1: [Field; 15] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("BytesPerSector", FieldType::U32).hint(Hint::Bytes),
    Field::new("SectorsPerTrack", FieldType::U32),
    Field::new("TracksPerCylinder", FieldType::U32),
    Field::new("Cylinders", FieldType::U64),
    Field::new("SCSIPort", FieldType::U32),
    Field::new("SCSIPath", FieldType::U32),
    Field::new("SCSITarget", FieldType::U32),
    Field::new("SCSILun", FieldType::U32),
    Field::new("Manufacturer", FieldType::Utf16(Length::Fixed(256))),
    Field::new("PartitionCount", FieldType::U32),
    Field::new("WriteCacheEnabled", FieldType::U8).hint(Hint::Boolean),
    Field::new("Pad", FieldType::U8),
    Field::new("BootDriveLetter", FieldType::Utf16(Length::Fixed(3))),
    Field::new("Spare", FieldType::Utf16(Length::Fixed(2))),
];

static MAP_DRIVE_TYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("DriveType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Partition")),
        (2, Cow::Borrowed("Volume")),
        (3, Cow::Borrowed("ExtendedPartition")),
    ]),
};

static FIELDS_SYSTEM_CONFIG_LOG_DISK_V0: [Field; 14] = [
    Field::new("StartOffset", FieldType::U64),
    Field::new("PartitionSize", FieldType::U64).hint(Hint::Bytes),
    Field::new("DiskNumber", FieldType::U32),
    Field::new("Size", FieldType::U32),
    Field::new("DriveType", FieldType::U32).values(&MAP_DRIVE_TYPE),
    Field::new("DriveLetterString", FieldType::Utf16(Length::Fixed(4))),
    Field::new("Pad", FieldType::U32),
    Field::new("PartitionNumber", FieldType::U32),
    Field::new("SectorsPerCluster", FieldType::U32),
    Field::new("BytesPerSector", FieldType::U32).hint(Hint::Bytes),
    Field::new("NumberOfFreeClusters", FieldType::I64),
    Field::new("TotalNumberOfClusters", FieldType::I64),
    Field::new("FileSystem", FieldType::Utf16(Length::Fixed(16))),
    Field::new("VolumeExt", FieldType::U32),
];

static FIELDS_SYSTEM_CONFIG_LOG_DISK_V1: [Field; 16] = [
    Field::new("StartOffset", FieldType::U64),
    Field::new("PartitionSize", FieldType::U64).hint(Hint::Bytes),
    Field::new("DiskNumber", FieldType::U32),
    Field::new("Size", FieldType::U32),
    Field::new("DriveType", FieldType::U32).values(&MAP_DRIVE_TYPE),
    Field::new("DriveLetterString", FieldType::Utf16(Length::Fixed(4))),
    Field::new("Pad1", FieldType::U32),
    Field::new("PartitionNumber", FieldType::U32),
    Field::new("SectorsPerCluster", FieldType::U32),
    Field::new("BytesPerSector", FieldType::U32).hint(Hint::Bytes),
    Field::new("Pad2", FieldType::U32),
    Field::new("NumberOfFreeClusters", FieldType::I64),
    Field::new("TotalNumberOfClusters", FieldType::I64),
    Field::new("FileSystem", FieldType::Utf16(Length::Fixed(16))),
    Field::new("VolumeExt", FieldType::U32),
    Field::new("Pad3", FieldType::U32),
];

static FIELDS_SYSTEM_CONFIG_NIC_V0: [Field; 16] = [
    Field::new("NICName", FieldType::Utf16(Length::Fixed(256))),
    Field::new("Index", FieldType::U32),
    Field::new("PhysicalAddrLen", FieldType::U32),
    Field::new("PhysicalAddr", FieldType::Utf16(Length::Fixed(8))),
    Field::new("Size", FieldType::U32),
    Field::new("IpAddress", FieldType::Ipv4),
    Field::new("SubnetMask", FieldType::Ipv4),
    Field::new("DhcpServer", FieldType::Ipv4),
    Field::new("Gateway", FieldType::Ipv4),
    Field::new("PrimaryWinsServer", FieldType::Ipv4),
    Field::new("SecondaryWinsServer", FieldType::Ipv4),
    Field::new("DnsServer1", FieldType::Ipv4),
    Field::new("DnsServer2", FieldType::Ipv4),
    Field::new("DnsServer3", FieldType::Ipv4),
    Field::new("DnsServer4", FieldType::Ipv4),
    Field::new("Data", FieldType::U32),
];

static FIELDS_SYSTEM_CONFIG_NIC_V2: [Field; 7] = [
    Field::new("PhysicalAddr", FieldType::U64).hint(Hint::Hex),
    Field::new("PhysicalAddrLen", FieldType::U32),
    Field::new("Ipv4Index", FieldType::U32),
    Field::new("Ipv6Index", FieldType::U32),
    Field::new("NICDescription", FieldType::Utf16(Length::Nul)),
    Field::new("IpAddresses", FieldType::Utf16(Length::Nul)),
    Field::new("DnsServerAddresses", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_VIDEO_V0: [Field; 11] = [
    Field::new("MemorySize", FieldType::U32).hint(Hint::Bytes),
    Field::new("XResolution", FieldType::U32),
    Field::new("YResolution", FieldType::U32),
    Field::new("BitsPerPixel", FieldType::U32),
    Field::new("VRefresh", FieldType::U32),
    Field::new("ChipType", FieldType::Utf16(Length::Fixed(256))),
    Field::new("DACType", FieldType::Utf16(Length::Fixed(256))),
    Field::new("AdapterString", FieldType::Utf16(Length::Fixed(256))),
    Field::new("BiosString", FieldType::Utf16(Length::Fixed(256))),
    Field::new("DeviceId", FieldType::Utf16(Length::Fixed(256))),
    Field::new("StateFlags", FieldType::U32).hint(Hint::Hex),
];

static FIELDS_SYSTEM_CONFIG_SERVICES_V0: [Field; 4] = [
    Field::new("ServiceName", FieldType::Utf16(Length::Fixed(34))),
    Field::new("DisplayName", FieldType::Utf16(Length::Fixed(256))),
    Field::new("ProcessName", FieldType::Utf16(Length::Fixed(34))),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
];

static MAP_SERVICE_STATE: ValueMap = ValueMap {
    name: Cow::Borrowed("ServiceState"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Stopped")),
        (2, Cow::Borrowed("StartPending")),
        (3, Cow::Borrowed("StopPending")),
        (4, Cow::Borrowed("Running")),
        (5, Cow::Borrowed("ContinuePending")),
        (6, Cow::Borrowed("PausePending")),
        (7, Cow::Borrowed("Paused")),
    ]),
};

static FIELDS_SYSTEM_CONFIG_SERVICES_V1: [Field; 6] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ServiceState", FieldType::U32).hint(Hint::Hex).values(&MAP_SERVICE_STATE),
    Field::new("SubProcessTag", FieldType::U32).hint(Hint::Hex),
    Field::new("ServiceName", FieldType::Utf16(Length::Nul)),
    Field::new("DisplayName", FieldType::Utf16(Length::Nul)),
    Field::new("ProcessName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_SERVICES_V3: [Field; 8] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ServiceState", FieldType::U32).hint(Hint::Hex).values(&MAP_SERVICE_STATE),
    Field::new("SubProcessTag", FieldType::U32).hint(Hint::Hex),
    Field::new("ServiceName", FieldType::Utf16(Length::Nul)),
    Field::new("DisplayName", FieldType::Utf16(Length::Nul)),
    Field::new("ProcessName", FieldType::Utf16(Length::Nul)),
    Field::new("LoadOrderGroup", FieldType::Utf16(Length::Nul)),
    Field::new("SvchostGroup", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_POWER_V0: [Field; 8] = [
    Field::new("s1", FieldType::U8).hint(Hint::Boolean),
    Field::new("s2", FieldType::U8).hint(Hint::Boolean),
    Field::new("s3", FieldType::U8).hint(Hint::Boolean),
    Field::new("s4", FieldType::U8).hint(Hint::Boolean),
    Field::new("s5", FieldType::U8).hint(Hint::Boolean),
    Field::new("Pad1", FieldType::U8),
    Field::new("Pad2", FieldType::U8),
    Field::new("Pad3", FieldType::U8),
];

static FIELDS_SYSTEM_CONFIG_NETWORK_V2: [Field; 4] = [
    Field::new("TcbTablePartitions", FieldType::U32),
    Field::new("MaxHashTableSize", FieldType::U32),
    Field::new("MaxUserPort", FieldType::U32),
    Field::new("TcpTimedWaitDelay", FieldType::U32),
];

static MAP_STORAGE_BUS: ValueMap = ValueMap {
    name: Cow::Borrowed("StorageBus"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Unknown")),
        (1, Cow::Borrowed("SCSI")),
        (2, Cow::Borrowed("ATAPI")),
        (3, Cow::Borrowed("ATA")),
        (4, Cow::Borrowed("IEEE1394")),
        (5, Cow::Borrowed("SSA")),
        (6, Cow::Borrowed("Fibre")),
        (7, Cow::Borrowed("USB")),
        (8, Cow::Borrowed("RAID")),
        (9, Cow::Borrowed("iSCSI")),
        (10, Cow::Borrowed("SAS")),
        (11, Cow::Borrowed("SATA")),
        (12, Cow::Borrowed("SD")),
        (13, Cow::Borrowed("MMC")),
        (14, Cow::Borrowed("Virtual")),
        (15, Cow::Borrowed("FileBackedVirtual")),
        (16, Cow::Borrowed("Spaces")),
        (17, Cow::Borrowed("NVMe")),
        (18, Cow::Borrowed("SCM")),
        (19, Cow::Borrowed("UFS")),
    ]),
};

static FIELDS_SYSTEM_CONFIG_OPTICAL_MEDIA_V2: [Field; 18] = [
    Field::new("DiskNumber", FieldType::U16),
    Field::new("BusType", FieldType::U16).values(&MAP_STORAGE_BUS),
    Field::new("DeviceType", FieldType::U16),
    Field::new("MediaType", FieldType::U16),
    Field::new("StartingOffset", FieldType::U64),
    Field::new("Size", FieldType::U64).hint(Hint::Bytes),
    Field::new("NumberOfFreeBlocks", FieldType::U64),
    Field::new("TotalNumberOfBlocks", FieldType::U64),
    Field::new("NextWritableAddress", FieldType::U64),
    Field::new("NumberOfSessions", FieldType::U32),
    Field::new("NumberOfTracks", FieldType::U32),
    Field::new("BytesPerSector", FieldType::U32).hint(Hint::Bytes),
    Field::new("DiscStatus", FieldType::U16),
    Field::new("LastSessionStatus", FieldType::U16),
    Field::new("DriveLetter", FieldType::Utf16(Length::Nul)),
    Field::new("FileSystemName", FieldType::Utf16(Length::Nul)),
    Field::new("DeviceName", FieldType::Ansi(Length::Nul)),
    Field::new("ManufacturerName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_PHYSICAL_DISK_EX_V2: [Field; 2] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("Value", FieldType::U32),
];

static FIELDS_SYSTEM_CONFIG_IRQ_V1: [Field; 4] = [
    Field::new("IRQAffinity", FieldType::U64).hint(Hint::Hex),
    Field::new("IRQNum", FieldType::U32),
    Field::new("DeviceDescriptionLen", FieldType::U32),
    Field::new("DeviceDescription", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_IRQ_V3: [Field; 6] = [
    Field::new("IRQAffinity", FieldType::U64).hint(Hint::Hex),
    Field::new("IRQGroup", FieldType::U16),
    Field::new("Reserved", FieldType::U16),
    Field::new("IRQNum", FieldType::I32),
    Field::new("DeviceDescriptionLen", FieldType::U32),
    Field::new("DeviceDescription", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_PN_P_V1: [Field; 6] = [
    Field::new("IDLength", FieldType::U32),
    Field::new("DescriptionLength", FieldType::U32),
    Field::new("FriendlyNameLength", FieldType::U32),
    Field::new("DeviceID", FieldType::Utf16(Length::Nul)),
    Field::new("DeviceDescription", FieldType::Utf16(Length::Nul)),
    Field::new("FriendlyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_PN_P_V3: [Field; 7] = [
    Field::new("IDLength", FieldType::U32),
    Field::new("DescriptionLength", FieldType::U32),
    Field::new("FriendlyNameLength", FieldType::U32),
    Field::new("DeviceID", FieldType::Utf16(Length::Nul)),
    Field::new("DeviceDescription", FieldType::Utf16(Length::Nul)),
    Field::new("FriendlyName", FieldType::Utf16(Length::Nul)),
    Field::new("PdoName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_PN_P_V4: [Field; 10] = [
    Field::new("ClassGuid", FieldType::Guid),
    Field::new("UpperFiltersCount", FieldType::U32),
    Field::new("LowerFiltersCount", FieldType::U32),
    Field::new("DeviceID", FieldType::Utf16(Length::Nul)),
    Field::new("DeviceDescription", FieldType::Utf16(Length::Nul)),
    Field::new("FriendlyName", FieldType::Utf16(Length::Nul)),
    Field::new("PdoName", FieldType::Utf16(Length::Nul)),
    Field::new("ServiceName", FieldType::Utf16(Length::Nul)),
    Field::new("UpperFilters", FieldType::Utf16(Length::Nul)).count(Count::Field(1)),
    Field::new("LowerFilters", FieldType::Utf16(Length::Nul)).count(Count::Field(2)),
];

static MAP_DEVICE_STATUS: ValueMap = ValueMap {
    name: Cow::Borrowed("DeviceStatus"),
    bits: true,
    entries: Cow::Borrowed(&[
        (0x1, Cow::Borrowed("RootEnumerated")),
        (0x2, Cow::Borrowed("DriverLoaded")),
        (0x4, Cow::Borrowed("EnumLoaded")),
        (0x8, Cow::Borrowed("Started")),
        (0x10, Cow::Borrowed("Manual")),
        (0x20, Cow::Borrowed("NeedToEnum")),
        (0x40, Cow::Borrowed("NotFirstTime")),
        (0x80, Cow::Borrowed("HardwareEnum")),
        (0x100, Cow::Borrowed("Liar")),
        (0x200, Cow::Borrowed("HasMark")),
        (0x400, Cow::Borrowed("HasProblem")),
        (0x800, Cow::Borrowed("Filtered")),
        (0x1000, Cow::Borrowed("Moved")),
        (0x2000, Cow::Borrowed("Disableable")),
        (0x4000, Cow::Borrowed("Removable")),
        (0x8000, Cow::Borrowed("PrivateProblem")),
        (0x10000, Cow::Borrowed("MfParent")),
        (0x20000, Cow::Borrowed("MfChild")),
        (0x40000, Cow::Borrowed("WillBeRemoved")),
        (0x80000, Cow::Borrowed("NotFirstTimeE")),
        (0x100000, Cow::Borrowed("StopFreeRes")),
        (0x200000, Cow::Borrowed("RebalCandidate")),
        (0x400000, Cow::Borrowed("BadPartial")),
        (0x800000, Cow::Borrowed("NtEnumerator")),
        (0x1000000, Cow::Borrowed("NtDriver")),
        (0x2000000, Cow::Borrowed("NeedsLocking")),
        (0x4000000, Cow::Borrowed("ArmWakeup")),
        (0x8000000, Cow::Borrowed("DeviceDisconnected")),
        (0x10000000, Cow::Borrowed("ApmDriver")),
        (0x20000000, Cow::Borrowed("SilentInstall")),
        (0x40000000, Cow::Borrowed("NoShowInDm")),
        (0x80000000, Cow::Borrowed("BootLogProb")),
    ]),
};

static FIELDS_SYSTEM_CONFIG_PN_P_V5: [Field; 12] = [
    Field::new("ClassGuid", FieldType::Guid),
    Field::new("UpperFiltersCount", FieldType::U32),
    Field::new("LowerFiltersCount", FieldType::U32),
    Field::new("DevStatus", FieldType::U32).hint(Hint::Hex).values(&MAP_DEVICE_STATUS),
    Field::new("DevProblem", FieldType::U32),
    Field::new("DeviceID", FieldType::Utf16(Length::Nul)),
    Field::new("DeviceDescription", FieldType::Utf16(Length::Nul)),
    Field::new("FriendlyName", FieldType::Utf16(Length::Nul)),
    Field::new("PdoName", FieldType::Utf16(Length::Nul)),
    Field::new("ServiceName", FieldType::Utf16(Length::Nul)),
    Field::new("UpperFilters", FieldType::Utf16(Length::Nul)).count(Count::Field(1)),
    Field::new("LowerFilters", FieldType::Utf16(Length::Nul)).count(Count::Field(2)),
];

static MAP_IDE_DEVICE: ValueMap = ValueMap {
    name: Cow::Borrowed("IdeDevice"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("ATA")),
        (2, Cow::Borrowed("ATAPI")),
    ]),
};

static MAP_IDE_TIMING_MODE: ValueMap = ValueMap {
    name: Cow::Borrowed("IdeTimingMode"),
    bits: true,
    entries: Cow::Borrowed(&[
        (0x1, Cow::Borrowed("PIO0")),
        (0x2, Cow::Borrowed("PIO1")),
        (0x4, Cow::Borrowed("PIO2")),
        (0x8, Cow::Borrowed("PIO3")),
        (0x10, Cow::Borrowed("PIO4")),
        (0x20, Cow::Borrowed("SWDMA0")),
        (0x40, Cow::Borrowed("SWDMA1")),
        (0x80, Cow::Borrowed("SWDMA2")),
        (0x100, Cow::Borrowed("MWDMA0")),
        (0x200, Cow::Borrowed("MWDMA1")),
        (0x400, Cow::Borrowed("MWDMA2")),
        (0x800, Cow::Borrowed("UDMA0")),
        (0x1000, Cow::Borrowed("UDMA1")),
        (0x2000, Cow::Borrowed("UDMA2")),
        (0x4000, Cow::Borrowed("UDMA3")),
        (0x8000, Cow::Borrowed("UDMA4")),
        (0x10000, Cow::Borrowed("UDMA5")),
    ]),
};

static FIELDS_SYSTEM_CONFIG_IDECHANNEL_V2: [Field; 5] = [
    Field::new("TargetId", FieldType::U32),
    Field::new("DeviceType", FieldType::U32).hint(Hint::Hex).values(&MAP_IDE_DEVICE),
    Field::new("DeviceTimingMode", FieldType::U32).hint(Hint::Hex).values(&MAP_IDE_TIMING_MODE),
    Field::new("LocationInformationLen", FieldType::U32),
    Field::new("LocationInformation", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_NUMA_NODE_V2_NODE_MAP: [Field; 3] = [
    Field::new("Mask", FieldType::U64).hint(Hint::Hex),
    Field::new("Group", FieldType::U16),
    Field::new("Reserved", FieldType::U16).count(Count::Fixed(3)),
];

static FIELDS_SYSTEM_CONFIG_NUMA_NODE_V2: [Field; 2] = [
    Field::new("NodeCount", FieldType::U32),
    Field::new("NodeMap", FieldType::Struct(Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_NUMA_NODE_V2_NODE_MAP))).count(Count::Field(0)),
];

static FIELDS_SYSTEM_CONFIG_PLATFORM_V2: [Field; 4] = [
    Field::new("SystemManufacturer", FieldType::Utf16(Length::Nul)),
    Field::new("SystemProductName", FieldType::Utf16(Length::Nul)),
    Field::new("BiosDate", FieldType::Utf16(Length::Nul)),
    Field::new("BiosVersion", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_PROCESSOR_GROUP_V2: [Field; 2] = [
    Field::new("GroupCount", FieldType::U32),
    Field::new("Affinity", FieldType::U64).count(Count::Field(0)).hint(Hint::Hex),
];

static FIELDS_SYSTEM_CONFIG_PROCESSOR_NUMBER_V2_PROCESSOR_NUMBER: [Field; 3] = [
    Field::new("Group", FieldType::U16),
    Field::new("Number", FieldType::U8),
    Field::new("Reserved", FieldType::U8),
];

static FIELDS_SYSTEM_CONFIG_PROCESSOR_NUMBER_V2: [Field; 2] = [
    Field::new("ProcessorCount", FieldType::U32),
    Field::new("ProcessorNumber", FieldType::Struct(Cow::Borrowed(&FIELDS_SYSTEM_CONFIG_PROCESSOR_NUMBER_V2_PROCESSOR_NUMBER))).count(Count::Field(0)),
];

static FIELDS_SYSTEM_CONFIG_DPI_V2: [Field; 2] = [
    Field::new("MachineDPI", FieldType::U32),
    Field::new("UserDPI", FieldType::U32),
];

static FIELDS_SYSTEM_CONFIG_CODE_INTEGRITY_V2: [Field; 1] = [
    Field::new("CodeIntegrityInfo", FieldType::U32).hint(Hint::Hex),
];

static FIELDS_SYSTEM_CONFIG_TELEMETRY_INFO_V2: [Field; 1] = [
    Field::new("MachineId", FieldType::Guid),
];

static FIELDS_SYSTEM_CONFIG_DEFRAG_V2: [Field; 1] = [
    Field::new("DefragInfo", FieldType::Binary(Length::Rest)),
];

static MAP_DEVICE_FAMILY: ValueMap = ValueMap {
    name: Cow::Borrowed("DeviceFamily"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("UAP")),
        (1, Cow::Borrowed("Windows8x")),
        (2, Cow::Borrowed("WindowsPhone8x")),
        (3, Cow::Borrowed("Desktop")),
        (4, Cow::Borrowed("Mobile")),
        (5, Cow::Borrowed("Xbox")),
        (6, Cow::Borrowed("Team")),
        (7, Cow::Borrowed("IoT")),
        (8, Cow::Borrowed("IoTHeadless")),
        (9, Cow::Borrowed("Server")),
        (10, Cow::Borrowed("Holographic")),
        (11, Cow::Borrowed("XboxSra")),
        (12, Cow::Borrowed("XboxEra")),
        (13, Cow::Borrowed("ServerNano")),
    ]),
};

static FIELDS_SYSTEM_CONFIG_DEVICE_FAMILY_V2: [Field; 3] = [
    Field::new("UAPInfo", FieldType::U64).hint(Hint::Hex),
    Field::new("DeviceFamily", FieldType::U32).values(&MAP_DEVICE_FAMILY),
    Field::new("DeviceForm", FieldType::U32),
];

static FIELDS_SYSTEM_CONFIG_FLIGHT_IDS_V2: [Field; 2] = [
    Field::new("UpdateId", FieldType::Utf16(Length::Nul)),
    Field::new("FlightIdList", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_PROCESSOR_V2: [Field; 6] = [
    Field::new("ProcessorIndex", FieldType::U32),
    Field::new("FeatureSet", FieldType::U32).hint(Hint::Hex),
    Field::new("ProcessorSpeed", FieldType::U32),
    Field::new("ProcessorName", FieldType::Utf16(Length::Fixed(64))),
    Field::new("ProcessorIdentifier", FieldType::Utf16(Length::Fixed(128))),
    Field::new("VendorIdentifier", FieldType::Utf16(Length::Fixed(16))),
];

static FIELDS_SYSTEM_CONFIG_VIRTUALIZATION_V2: [Field; 4] = [
    Field::new("VbsEnabled", FieldType::U8).hint(Hint::Boolean),
    Field::new("HvciEnabled", FieldType::U8).hint(Hint::Boolean),
    Field::new("HyperVisorEnabled", FieldType::U8).hint(Hint::Boolean),
    Field::new("Reserved", FieldType::U8).hint(Hint::Hex),
];

static MAP_FIRMWARE_TYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("FirmwareType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Unknown")),
        (1, Cow::Borrowed("BIOS")),
        (2, Cow::Borrowed("UEFI")),
    ]),
};

static FIELDS_SYSTEM_CONFIG_BOOT_V2: [Field; 6] = [
    Field::new("BootFlags", FieldType::U64).hint(Hint::Hex),
    Field::new("FirmwareType", FieldType::U32).values(&MAP_FIRMWARE_TYPE),
    Field::new("SecureBootEnabled", FieldType::U8).hint(Hint::Boolean),
    Field::new("SecureBootCapable", FieldType::U8).hint(Hint::Boolean),
    Field::new("Reserved1", FieldType::U8).hint(Hint::Hex),
    Field::new("Reserved2", FieldType::U8).hint(Hint::Hex),
];

static FIELDS_KERNEL_TRACE_CONTROL_IMAGE_ID_V2: [Field; 5] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ImageSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("TimeDateStamp", FieldType::U32).hint(Hint::Hex),
    Field::new("OriginalFileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_KERNEL_TRACE_CONTROL_DBG_IDNONE_V2: [Field; 2] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
];

static FIELDS_KERNEL_TRACE_CONTROL_DBG_IDDBG_V2: [Field; 6] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ImageChecksum", FieldType::U32).hint(Hint::Hex),
    Field::new("TimeDateStamp", FieldType::U32).hint(Hint::Hex),
    Field::new("ImageSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("DbgFileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_KERNEL_TRACE_CONTROL_DBG_IDNB10_V2: [Field; 6] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("Offset", FieldType::U32),
    Field::new("Signature", FieldType::U32).hint(Hint::Hex),
    Field::new("Age", FieldType::U32),
    Field::new("PdbFileName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_KERNEL_TRACE_CONTROL_DBG_IDRSDS_V2: [Field; 5] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("GuidSig", FieldType::Guid),
    Field::new("Age", FieldType::U32),
    Field::new("PdbFileName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_KERNEL_TRACE_CONTROL_IMAGE_TIME_DATE_STAMP_V2: [Field; 4] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("TimeDateStamp", FieldType::U32).hint(Hint::Hex),
    Field::new("Reserved", FieldType::U32),
];

static FIELDS_KERNEL_TRACE_CONTROL_DBG_IDPPDB_V1: [Field; 5] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("GuidSig", FieldType::Guid),
    Field::new("Age", FieldType::U32),
];

static FIELDS_KERNEL_TRACE_CONTROL_IMAGE_ERROR_V1: [Field; 1] = [
    Field::new("Message", FieldType::Utf16(Length::Nul)),
];

static FIELDS_KERNEL_TRACE_CONTROL_FILE_VERSION_V0: [Field; 12] = [
    Field::new("ImageSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("TimeDateStamp", FieldType::U32).hint(Hint::Hex),
    Field::new("OrigFileName", FieldType::Utf16(Length::Nul)),
    Field::new("FileDescription", FieldType::Utf16(Length::Nul)),
    Field::new("FileVersion", FieldType::Utf16(Length::Nul)),
    Field::new("BinFileVersion", FieldType::Utf16(Length::Nul)),
    Field::new("VerLanguage", FieldType::Utf16(Length::Nul)),
    Field::new("ProductName", FieldType::Utf16(Length::Nul)),
    Field::new("CompanyName", FieldType::Utf16(Length::Nul)),
    Field::new("ProductVersion", FieldType::Utf16(Length::Nul)),
    Field::new("FileId", FieldType::Utf16(Length::Nul)),
    Field::new("ProgramId", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_EX_BUILD_INFO_V0: [Field; 3] = [
    Field::new("InstallDate", FieldType::FileTime),
    Field::new("BuildLab", FieldType::Utf16(Length::Nul)),
    Field::new("ProductName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_EX_SYSTEM_PATHS_V0: [Field; 2] = [
    Field::new("SystemDirectory", FieldType::Utf16(Length::Nul)),
    Field::new("SystemWindowsDirectory", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_EX_UNKNOWN_VOLUME_V0: [Field; 1] = [
    Field::new("VolumeName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_EX_VOLUME_MAPPING_V0: [Field; 2] = [
    Field::new("NtPath", FieldType::Utf16(Length::Nul)),
    Field::new("DosPath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_SYSTEM_CONFIG_EX_NETWORK_INTERFACE_V0: [Field; 1] = [
    Field::new("Interface", FieldType::Binary(Length::Rest)),
];

static FIELDS_EVENT_METADATA_EVENT_INFO_V0: [Field; 1] = [
    Field::new("TraceEventInfo", FieldType::Binary(Length::Rest)),
];

static FIELDS_EVENT_METADATA_EVENT_MAP_INFO_V0: [Field; 2] = [
    Field::new("ProviderId", FieldType::Guid),
    Field::new("EventMapInfo", FieldType::Binary(Length::Rest)),
];

static FIELDS_WIN_SAT_WIN_SPR_V0: [Field; 3] = [
    Field::new("Kind", FieldType::U32),
    Field::new("UncompressedSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("Data", FieldType::Binary(Length::Rest)),
];

static FIELDS_PERF_TRACK_METADATA_SCENARIO_V0: [Field; 2] = [
    Field::new("UncompressedSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("Data", FieldType::Binary(Length::Rest)),
];

static FIELDS_PERF_TRACK_METADATA_THRESHOLD_V1: [Field; 2] = [
    Field::new("Name", FieldType::Ansi(Length::Nul)),
    Field::new("Milliseconds", FieldType::U32),
];

static FIELDS_JOB_CREATE_V2: [Field; 4] = [
    Field::new("JobId", FieldType::Guid),
    Field::new("JobHandle", FieldType::U32),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
];

static FIELDS_JOB_ASSIGN_PROCESS_V2: [Field; 4] = [
    Field::new("JobId", FieldType::Guid),
    Field::new("JobHandle", FieldType::U32),
    Field::new("UniqueProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
];

static FIELDS_JOB_REMOVE_PROCESS_V2: [Field; 4] = [
    Field::new("JobId", FieldType::Guid),
    Field::new("UniqueProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("RemovalFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("ExitStatus", FieldType::U32).hint(Hint::NtStatus),
];

static FIELDS_JOB_SET_V2: [Field; 3] = [
    Field::new("JobId", FieldType::Guid),
    Field::new("JobHandle", FieldType::U32),
    Field::new("JobObjectInformationClass", FieldType::U32),
];

static FIELDS_JOB_SEND_NOTIFICATION_V2: [Field; 2] = [
    Field::new("JobId", FieldType::Guid),
    Field::new("NotificationId", FieldType::U32),
];

static FIELDS_JOB_SET_CPU_RATE_V2: [Field; 2] = [
    Field::new("AllFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("Value", FieldType::U32),
];

static FIELDS_JOB_SET_NET_RATE_V2: [Field; 5] = [
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("Padding1", FieldType::Binary(Length::Fixed(4))),
    Field::new("MaxBandwidth", FieldType::U64),
    Field::new("DscpTag", FieldType::U8),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_DBG_PRINT_PRINT_V2: [Field; 3] = [
    Field::new("Component", FieldType::U32),
    Field::new("Level", FieldType::U32),
    Field::new("Message", FieldType::Ansi(Length::Nul)),
];

static FIELDS_WNF_SUBSCRIBE_V2: [Field; 7] = [
    Field::new("StateName", FieldType::I64),
    Field::new("Subscription", FieldType::Pointer).hint(Hint::Hex),
    Field::new("NameSub", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Callback", FieldType::Pointer).hint(Hint::Address),
    Field::new("RefCount", FieldType::U32),
    Field::new("DeliveryFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_WNF_CALLBACK_V2: [Field; 8] = [
    Field::new("StateName", FieldType::I64),
    Field::new("Subscription", FieldType::Pointer).hint(Hint::Hex),
    Field::new("NameSub", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Callback", FieldType::Pointer).hint(Hint::Address),
    Field::new("ChangeStamp", FieldType::U32),
    Field::new("DeliveryFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("Return", FieldType::U32),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_WNF_PUBLISH_V2: [Field; 3] = [
    Field::new("StateName", FieldType::I64),
    Field::new("DataLength", FieldType::U32),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_WNF_NAME_SUB_RUNDOWN_V2: [Field; 3] = [
    Field::new("StateName", FieldType::I64),
    Field::new("NameSub", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_POOL_ALLOCATE_POOL_V2: [Field; 4] = [
    Field::new("PoolType", FieldType::U32),
    Field::new("Tag", FieldType::Ansi(Length::Fixed(4))),
    Field::new("NumberOfBytes", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("Entry", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_HEAP_CREATE_V2: [Field; 5] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("ReserveSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("CommitSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("AllocatedSize", FieldType::Pointer).hint(Hint::Bytes),
];

static FIELDS_HEAP_ALLOC_V2: [Field; 4] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Size", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("Address", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Source", FieldType::U32),
];

static FIELDS_HEAP_REALLOC_V2: [Field; 6] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("NewAddress", FieldType::Pointer).hint(Hint::Hex),
    Field::new("OldAddress", FieldType::Pointer).hint(Hint::Hex),
    Field::new("NewSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("OldSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("Source", FieldType::U32),
];

static FIELDS_HEAP_DESTROY_V2: [Field; 1] = [
    Field::new("Handle", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_HEAP_FREE_V2: [Field; 3] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Address", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Source", FieldType::U32),
];

static FIELDS_HEAP_EXTEND_V2: [Field; 8] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("CommittedSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("Address", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FreeSpace", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("CommittedSpace", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ReservedSpace", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("NoOfUCRs", FieldType::U32),
    Field::new("AllocatedSpace", FieldType::Pointer).hint(Hint::Bytes),
];

static FIELDS_HEAP_SNAPSHOT_V2: [Field; 10] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FreeSpace", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("CommittedSpace", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ReservedSpace", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("LargeUCRSpace", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("FreeListLength", FieldType::U32),
    Field::new("UCRLength", FieldType::U32),
    Field::new("AllocatedSpace", FieldType::Pointer).hint(Hint::Bytes),
];

static FIELDS_HEAP_CONTRACT_V2: [Field; 8] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("DeCommitSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("DeCommitAddress", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FreeSpace", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("CommittedSpace", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ReservedSpace", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("NoOfUCRs", FieldType::U32),
    Field::new("AllocatedSpace", FieldType::Pointer).hint(Hint::Bytes),
];

static FIELDS_HEAP_SUB_SEGMENT_ALLOC_V2: [Field; 4] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("SubSegment", FieldType::Pointer).hint(Hint::Hex),
    Field::new("SubSegmentSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("BlockSize", FieldType::Pointer).hint(Hint::Bytes),
];

static FIELDS_HEAP_COMMIT_V2: [Field; 5] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Block", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Size", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("Caller", FieldType::U32),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_HEAP_SUB_SEGMENT_INIT_V2: [Field; 5] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("SubSegment", FieldType::Pointer).hint(Hint::Hex),
    Field::new("BlockSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("BlockCount", FieldType::Pointer),
    Field::new("AffinityIndex", FieldType::U32),
];

static FIELDS_HEAP_AFFINITY_ENABLE_V2: [Field; 2] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("BucketIndex", FieldType::U32),
];

static FIELDS_HEAP_SUB_SEGMENT_ACTIVATED_V2: [Field; 2] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("SubSegment", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_HEAP_AFFINITY_ASSIGN_V2: [Field; 3] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("SubSegment", FieldType::Pointer).hint(Hint::Hex),
    Field::new("SlotIndex", FieldType::U32),
];

static FIELDS_HEAP_REUSE_THRESHOLD_ACTIVATED_V2: [Field; 3] = [
    Field::new("HeapHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("SubSegment", FieldType::Pointer).hint(Hint::Hex),
    Field::new("BucketIndex", FieldType::U32),
];

static FIELDS_POWER_BATTERY_LIFE_INFO_V2: [Field; 2] = [
    Field::new("RemainingCapacity", FieldType::U32),
    Field::new("Rate", FieldType::U32),
];

static FIELDS_POWER_IDLE_STATE_CHANGE_V2: [Field; 3] = [
    Field::new("State", FieldType::U32),
    Field::new("Throttle", FieldType::U32),
    Field::new("Direction", FieldType::U32),
];

static FIELDS_POWER_SET_POWER_ACTION_V2: [Field; 3] = [
    Field::new("Trigger", FieldType::Pointer).hint(Hint::Hex),
    Field::new("PowerAction", FieldType::U32),
    Field::new("LightestState", FieldType::U32),
];

static FIELDS_POWER_SET_POWER_ACTION_RET_V2: [Field; 3] = [
    Field::new("Trigger", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_POWER_SET_DEVICES_STATE_V2: [Field; 5] = [
    Field::new("SystemState", FieldType::U32),
    Field::new("Waking", FieldType::Bool8),
    Field::new("Shutdown", FieldType::Bool8),
    Field::new("IrpMinor", FieldType::U8),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_POWER_PO_NOTIFY_DEVICE_V2: [Field; 10] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("DriverStart", FieldType::Pointer).hint(Hint::Address),
    Field::new("OrderLevel", FieldType::U8),
    Field::new("MajorFunction", FieldType::U8),
    Field::new("MinorFunction", FieldType::U8),
    Field::new("Padding1", FieldType::Binary(Length::Fixed(1))),
    Field::new("Type", FieldType::U32),
    Field::new("State", FieldType::U32),
    Field::new("DeviceNameLength", FieldType::U32),
    Field::new("DeviceName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_POWER_PO_NOTIFY_DEVICE_COMPLETE_V2: [Field; 3] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_POWER_PO_SESSION_CALLOUT_V2: [Field; 4] = [
    Field::new("SystemAction", FieldType::U32),
    Field::new("MinSystemState", FieldType::U32),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("PowerStateTask", FieldType::U32),
];

static FIELDS_POWER_PO_PRESLEEP_V2: [Field; 2] = [
    Field::new("PerformanceCounter", FieldType::I64),
    Field::new("PerformanceFrequency", FieldType::I64),
];

static FIELDS_POWER_PO_POSTSLEEP_V2: [Field; 1] = [
    Field::new("PerformanceCounter", FieldType::I64),
];

static FIELDS_POWER_PPM_PERF_STATE_CHANGE_V2: [Field; 5] = [
    Field::new("Type", FieldType::U32),
    Field::new("NewState", FieldType::U32),
    Field::new("OldState", FieldType::U32),
    Field::new("Result", FieldType::U32).hint(Hint::NtStatus),
    Field::new("Processors", FieldType::U64),
];

static FIELDS_POWER_PPM_IDLE_STATE_CHANGE_V2: [Field; 3] = [
    Field::new("NewState", FieldType::U32),
    Field::new("OldState", FieldType::U32),
    Field::new("Processors", FieldType::U64),
];

static FIELDS_POWER_PPM_THERMAL_CONSTRAINT_V2: [Field; 3] = [
    Field::new("Constraint", FieldType::U32),
    Field::new("Padding1", FieldType::Binary(Length::Fixed(4))),
    Field::new("Processors", FieldType::U64),
];

static FIELDS_POWER_PPM_IDLE_STATE_ENTER_V2: [Field; 3] = [
    Field::new("State", FieldType::U32),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("ExpectedDuration", FieldType::U64),
];

static FIELDS_POWER_PPM_IDLE_STATE_EXIT_V2: [Field; 2] = [
    Field::new("State", FieldType::U32),
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
];

static FIELDS_POWER_PPM_IDLE_EXIT_LATENCY_V2: [Field; 5] = [
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("PlatformState", FieldType::U32),
    Field::new("ProcessorState", FieldType::U32),
    Field::new("ReturnLatency", FieldType::U32),
    Field::new("TotalLatency", FieldType::U32),
];

static FIELDS_POWER_PPM_IDLE_PROCESSOR_SELECTION_V2: [Field; 3] = [
    Field::new("SelectedState", FieldType::U32),
    Field::new("VetoedStates", FieldType::U32),
    Field::new("VetoReason", FieldType::U32).count(Count::Field(1)),
];

static FIELDS_CC_WORK_ITEM_ENQUEUE_V2: [Field; 7] = [
    Field::new("WorkItemKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObjectKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("QueueType", FieldType::U8),
    Field::new("WorkItemType", FieldType::U8),
    Field::new("Requeue", FieldType::Bool8),
    Field::new("Reserved", FieldType::U8),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_CC_WORK_ITEM_DEQUEUE_V2: [Field; 1] = [
    Field::new("WorkItemKey", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_CC_LAZY_WRITE_SCAN_V2: [Field; 12] = [
    Field::new("WorkItemKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ReasonForFlush", FieldType::U32),
    Field::new("PagesToWrite", FieldType::U32),
    Field::new("TotalDirtyPages", FieldType::Pointer),
    Field::new("AvailablePages", FieldType::Pointer),
    Field::new("DirtyPageThreshold", FieldType::Pointer),
    Field::new("NumberOfMappedVacbs", FieldType::Pointer),
    Field::new("TopDirtyPageThreshold", FieldType::Pointer),
    Field::new("BottomDirtyPageThreshold", FieldType::Pointer),
    Field::new("AverageAvailablePages", FieldType::Pointer),
    Field::new("AverageDirtyPages", FieldType::Pointer),
    Field::new("ConsecutiveWorklessLazywriteScans", FieldType::Pointer),
];

static FIELDS_CC_CAN_IWRITE_FAIL_V2: [Field; 5] = [
    Field::new("FileObjectKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TotalDirtyPages", FieldType::Pointer),
    Field::new("DirtyPageThreshold", FieldType::Pointer),
    Field::new("BytesToWrite", FieldType::U32),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_CC_FLUSH_CACHE_V2: [Field; 7] = [
    Field::new("WorkItemKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObjectKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Offset", FieldType::U64),
    Field::new("Length", FieldType::U32),
    Field::new("SharedCacheMapFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("Reserved", FieldType::U32),
];

static FIELDS_CC_FLUSH_SECTION_V2: [Field; 5] = [
    Field::new("WorkItemKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObjectKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Offset", FieldType::U64),
    Field::new("Length", FieldType::U32),
    Field::new("MmFlushFlags", FieldType::U32).hint(Hint::Hex),
];

static FIELDS_CC_SCHEDULE_READ_AHEAD_V2: [Field; 14] = [
    Field::new("WorkItemKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObjectKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileOffset", FieldType::U64),
    Field::new("Length", FieldType::U32),
    Field::new("ReadAheadUnit", FieldType::U32),
    Field::new("ReadAheadLength", FieldType::U32),
    Field::new("Padding1", FieldType::Binary(Length::Fixed(4))),
    Field::new("ReadAheadOffset", FieldType::U64),
    Field::new("ReadAheadBeyondLastByte", FieldType::U64),
    Field::new("ReadPattern", FieldType::U8),
    Field::new("Padding2", FieldType::Binary(Length::Fixed(3))),
    Field::new("SequentialReadCount", FieldType::U32),
    Field::new("SharedCacheMapFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_CC_EXTRA_WRITE_BEHIND_THREAD_V2: [Field; 5] = [
    Field::new("ThreadAction", FieldType::U32),
    Field::new("ActiveExtraWBThreads", FieldType::U32),
    Field::new("TotalDirtyPages", FieldType::Pointer),
    Field::new("DirtyPageThreshold", FieldType::Pointer),
    Field::new("AvailablePages", FieldType::Pointer),
];

static FIELDS_CRIT_SEC_COLLISION_V2: [Field; 4] = [
    Field::new("LockCount", FieldType::U32),
    Field::new("SpinCount", FieldType::U32),
    Field::new("OwningThread", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Address", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_CRIT_SEC_INITIALIZE_V2: [Field; 2] = [
    Field::new("SpinCount", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Address", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_UMS_DIRECTED_SWITCH_START_V2: [Field; 4] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ScheduledThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("PrimaryThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("SwitchFlags", FieldType::U32).hint(Hint::Hex),
];

static FIELDS_UMS_PARK_V2: [Field; 3] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ScheduledThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("ParkFlags", FieldType::U32).hint(Hint::Hex),
];

static FIELDS_UMS_DISASSOCIATE_V2: [Field; 5] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ScheduledThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("PrimaryThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("UmsApcControlFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
];

static FIELDS_UMS_CONTEXT_SWITCH_V2: [Field; 5] = [
    Field::new("ScheduledThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("SwitchCount", FieldType::U32),
    Field::new("KernelYieldCount", FieldType::U32),
    Field::new("MixedYieldCount", FieldType::U32),
    Field::new("YieldCount", FieldType::U32),
];

static FIELDS_THREAD_POOL_CALLBACK_ENQUEUE_V2: [Field; 5] = [
    Field::new("PoolId", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TaskId", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Callback", FieldType::Pointer).hint(Hint::Address),
    Field::new("Context", FieldType::Pointer).hint(Hint::Hex),
    Field::new("SubProcessTag", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_THREAD_POOL_CALLBACK_CANCEL_V2: [Field; 7] = [
    Field::new("PoolId", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TaskId", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Callback", FieldType::Pointer).hint(Hint::Address),
    Field::new("Context", FieldType::Pointer).hint(Hint::Hex),
    Field::new("SubProcessTag", FieldType::Pointer).hint(Hint::Hex),
    Field::new("CancelCount", FieldType::U32),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_THREAD_POOL_POOL_CREATE_V2: [Field; 1] = [
    Field::new("PoolId", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_THREAD_POOL_POOL_TH_MIN_SET_V2: [Field; 3] = [
    Field::new("PoolId", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ThreadNum", FieldType::U32),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_THREAD_POOL_WORKER_NUMA_NODE_SWITCH_V2: [Field; 8] = [
    Field::new("PoolId", FieldType::Pointer).hint(Hint::Hex),
    Field::new("CurrentNode", FieldType::U32),
    Field::new("NextNode", FieldType::U32),
    Field::new("CurrentGroup", FieldType::U16),
    Field::new("NextGroup", FieldType::U16),
    Field::new("CurrentWorkerCount", FieldType::U32),
    Field::new("NextWorkerCount", FieldType::U32),
    Field::new("Padding", FieldType::Binary(Length::Rest)).optional(),
];

static FIELDS_THREAD_POOL_TIMER_SET_V2: [Field; 6] = [
    Field::new("DueTime", FieldType::I64),
    Field::new("SubQueue", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Timer", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Period", FieldType::U32),
    Field::new("WindowLength", FieldType::U32),
    Field::new("Absolute", FieldType::U32),
];

static FIELDS_THREAD_POOL_TIMER_CANCELLED_V2: [Field; 2] = [
    Field::new("SubQueue", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Timer", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_THREAD_POOL_TIMER_SET_NT_TIMER_V2: [Field; 3] = [
    Field::new("DueTime", FieldType::I64),
    Field::new("SubQueue", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TolerableDelay", FieldType::U32),
];

static FIELDS_THREAD_POOL_TIMER_CANCEL_NT_TIMER_V2: [Field; 1] = [
    Field::new("SubQueue", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_THREAD_POOL_TIMER_EXPIRATION_V2: [Field; 5] = [
    Field::new("DueTime", FieldType::I64),
    Field::new("SubQueue", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Timer", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Period", FieldType::U32),
    Field::new("WindowLength", FieldType::U32),
];

