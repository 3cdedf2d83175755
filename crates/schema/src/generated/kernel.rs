//! Made from `tables/kernel.classes` by `cargo run -p xtask -- schema`. Do not edit.

use std::borrow::Cow;

use tracewell_types::Guid;

use crate::model::{Count, Event, EventClass, Field, FieldType, Hint, Length, Version};

/// Every class, in the order of the table.
pub(crate) static CLASSES: [&EventClass; 22] = [
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
        _ => None,
    }
}

/// The class of a hook that stands outside the group of its class.
pub(crate) fn class_of_stray_hook(group: u8, opcode: u8) -> Option<&'static EventClass> {
    match (group, opcode) {
        (3, 10) => Some(&CLASS_4),
        _ => None,
    }
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
    /// EventTrace DbgIdRSDS.
    pub const EVENT_TRACE_DBG_ID_RSDS: u16 = 0x0040;
    /// EventTrace BuildLab.
    pub const EVENT_TRACE_BUILD_LAB: u16 = 0x0042;
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
    /// Process Defunct.
    pub const PROCESS_DEFUNCT: u16 = 0x0327;
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
    /// Thread WorkerThread.
    pub const THREAD_WORKER_THREAD: u16 = 0x0539;
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
    /// Image KernelBase.
    pub const IMAGE_KERNEL_BASE: u16 = 0x1421;
    /// Image HypercallPage.
    pub const IMAGE_HYPERCALL_PAGE: u16 = 0x1422;
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
    /// DiskIo DrvMjFnCall.
    pub const DISK_IO_DRV_MJ_FN_CALL: u16 = 0x0122;
    /// DiskIo DrvMjFnRet.
    pub const DISK_IO_DRV_MJ_FN_RET: u16 = 0x0123;
    /// DiskIo DrvComplRout.
    pub const DISK_IO_DRV_COMPL_ROUT: u16 = 0x0125;
    /// DiskIo DrvComplReq.
    pub const DISK_IO_DRV_COMPL_REQ: u16 = 0x0134;
    /// DiskIo DrvComplReqRet.
    pub const DISK_IO_DRV_COMPL_REQ_RET: u16 = 0x0135;
    /// FileIo Name.
    pub const FILE_IO_NAME: u16 = 0x0400;
    /// FileIo FileCreate.
    pub const FILE_IO_FILE_CREATE: u16 = 0x0420;
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
    /// FileIo DeletePath.
    pub const FILE_IO_DELETE_PATH: u16 = 0x044f;
    /// FileIo RenamePath.
    pub const FILE_IO_RENAME_PATH: u16 = 0x0450;
    /// FileIo SetLinkPath.
    pub const FILE_IO_SET_LINK_PATH: u16 = 0x0451;
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
    /// TcpIp TCPCopyIPV6.
    pub const TCP_IP_TCPCOPY_IPV6: u16 = 0x0622;
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
    /// PerfInfo Mark.
    pub const PERF_INFO_MARK: u16 = 0x0f22;
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
    /// PerfInfo ThreadDPC.
    pub const PERF_INFO_THREAD_DPC: u16 = 0x0f42;
    /// PerfInfo ISR.
    pub const PERF_INFO_ISR: u16 = 0x0f43;
    /// PerfInfo DPC.
    pub const PERF_INFO_DPC: u16 = 0x0f44;
    /// PerfInfo TimerDPC.
    pub const PERF_INFO_TIMER_DPC: u16 = 0x0f45;
    /// PerfInfo SetInterval.
    pub const PERF_INFO_SET_INTERVAL: u16 = 0x0f48;
    /// PerfInfo CollectionStart.
    pub const PERF_INFO_COLLECTION_START: u16 = 0x0f49;
    /// PerfInfo CollectionEnd.
    pub const PERF_INFO_COLLECTION_END: u16 = 0x0f4a;
    /// StackWalk Stack.
    pub const STACK_WALK_STACK: u16 = 0x1820;
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
    /// PageFault VirtualAlloc.
    pub const PAGE_FAULT_VIRTUAL_ALLOC: u16 = 0x0262;
    /// PageFault VirtualFree.
    pub const PAGE_FAULT_VIRTUAL_FREE: u16 = 0x0263;
    /// PageFault ImageLoadBacked.
    pub const PAGE_FAULT_IMAGE_LOAD_BACKED: u16 = 0x0269;
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
    /// Object CreateHandle.
    pub const OBJECT_CREATE_HANDLE: u16 = 0x1120;
    /// Object CloseHandle.
    pub const OBJECT_CLOSE_HANDLE: u16 = 0x1121;
    /// Object TypeDCStart.
    pub const OBJECT_TYPE_DCSTART: u16 = 0x1124;
    /// Object TypeDCEnd.
    pub const OBJECT_TYPE_DCEND: u16 = 0x1125;
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
}

pub(crate) static CLASS_0: EventClass = EventClass {
    name: "EventTrace",
    guid: Guid::parse("68fdd900-4a3e-11d1-84f4-0000f80464e3"),
    group: Some(0),
    events: &[
        Event { opcode: 0, name: "Header", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_1) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_1) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_1) },
        ] },
        Event { opcode: 5, name: "Extension", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_2) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_2) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_2) },
        ] },
        Event { opcode: 8, name: "RundownComplete", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_3) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_3) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_3) },
        ] },
        Event { opcode: 32, name: "EndExtension", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_2) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_2) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_2) },
        ] },
        Event { opcode: 64, name: "DbgIdRSDS", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_4) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_4) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_4) },
        ] },
        Event { opcode: 66, name: "BuildLab", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_5) },
        ] },
        Event { opcode: 80, name: "HeaderPartitionInfo", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_6) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_6) },
        ] },
    ],
};

pub(crate) static CLASS_1: EventClass = EventClass {
    name: "Lost_Event",
    guid: Guid::parse("6a399ae0-4bc6-4de9-870b-3657f8947e7e"),
    group: None,
    events: &[
        Event { opcode: 32, name: "RTLostEvent", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_3) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_3) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_3) },
        ] },
        Event { opcode: 33, name: "RTLostBuffer", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_3) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_3) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_3) },
        ] },
        Event { opcode: 34, name: "RTLostFile", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_3) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_3) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_3) },
        ] },
    ],
};

pub(crate) static CLASS_2: EventClass = EventClass {
    name: "Process",
    guid: Guid::parse("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c"),
    group: Some(3),
    events: &[
        Event { opcode: 1, name: "Start", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_7) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_8) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_9) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_10) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_11) },
        ] },
        Event { opcode: 2, name: "End", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_7) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_8) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_9) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_10) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_11) },
        ] },
        Event { opcode: 3, name: "DCStart", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_7) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_8) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_9) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_10) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_11) },
        ] },
        Event { opcode: 4, name: "DCEnd", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_7) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_8) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_9) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_10) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_11) },
        ] },
        Event { opcode: 11, name: "Terminate", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_12) },
        ] },
        Event { opcode: 32, name: "PerfCtr", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_13) },
        ] },
        Event { opcode: 33, name: "PerfCtrRundown", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_13) },
        ] },
        Event { opcode: 39, name: "Defunct", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_9) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_10) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_11) },
            Version { number: 5, fields: Cow::Borrowed(&FIELDS_14) },
        ] },
    ],
};

pub(crate) static CLASS_3: EventClass = EventClass {
    name: "Thread",
    guid: Guid::parse("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c"),
    group: Some(5),
    events: &[
        Event { opcode: 1, name: "Start", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_15) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_16) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_17) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_18) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_19) },
        ] },
        Event { opcode: 2, name: "End", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_15) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_20) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_17) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_18) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_19) },
        ] },
        Event { opcode: 3, name: "DCStart", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_15) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_16) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_17) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_18) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_19) },
        ] },
        Event { opcode: 4, name: "DCEnd", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_15) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_20) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_17) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_18) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_19) },
        ] },
        Event { opcode: 36, name: "CSwitch", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_21) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_21) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_21) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_21) },
        ] },
        Event { opcode: 37, name: "CompCS", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_3) },
        ] },
        Event { opcode: 48, name: "SetPriority", versions: &[
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_22) },
        ] },
        Event { opcode: 49, name: "SetBasePriority", versions: &[
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_22) },
        ] },
        Event { opcode: 50, name: "ReadyThread", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_23) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_23) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_23) },
        ] },
        Event { opcode: 51, name: "SetPagePriority", versions: &[
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_22) },
        ] },
        Event { opcode: 52, name: "SetIoPriority", versions: &[
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_22) },
        ] },
        Event { opcode: 57, name: "WorkerThread", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_24) },
        ] },
        Event { opcode: 72, name: "SetName", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_25) },
        ] },
    ],
};

pub(crate) static CLASS_4: EventClass = EventClass {
    name: "Image",
    guid: Guid::parse("2cb15d1d-5fc1-11d2-abe1-00a0c911f518"),
    group: Some(20),
    events: &[
        Event { opcode: 2, name: "Unload", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_26) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_27) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_28) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_29) },
        ] },
        Event { opcode: 3, name: "DCStart", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_26) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_27) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_28) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_29) },
        ] },
        Event { opcode: 4, name: "DCEnd", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_26) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_27) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_28) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_29) },
        ] },
        Event { opcode: 10, name: "Load", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_26) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_27) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_28) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_29) },
        ] },
        Event { opcode: 33, name: "KernelBase", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_30) },
        ] },
        Event { opcode: 34, name: "HypercallPage", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_31) },
        ] },
    ],
};

pub(crate) static CLASS_5: EventClass = EventClass {
    name: "DiskIo",
    guid: Guid::parse("3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c"),
    group: Some(1),
    events: &[
        Event { opcode: 10, name: "Read", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_32) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_33) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_34) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_35) },
        ] },
        Event { opcode: 11, name: "Write", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_32) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_33) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_34) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_35) },
        ] },
        Event { opcode: 12, name: "ReadInit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_36) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_37) },
        ] },
        Event { opcode: 13, name: "WriteInit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_36) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_37) },
        ] },
        Event { opcode: 14, name: "FlushBuffers", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_38) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_39) },
        ] },
        Event { opcode: 15, name: "FlushInit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_36) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_37) },
        ] },
        Event { opcode: 34, name: "DrvMjFnCall", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_40) },
        ] },
        Event { opcode: 35, name: "DrvMjFnRet", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_41) },
        ] },
        Event { opcode: 37, name: "DrvComplRout", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_42) },
        ] },
        Event { opcode: 52, name: "DrvComplReq", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_43) },
        ] },
        Event { opcode: 53, name: "DrvComplReqRet", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_41) },
        ] },
    ],
};

pub(crate) static CLASS_6: EventClass = EventClass {
    name: "FileIo",
    guid: Guid::parse("90cbdc39-4a3e-11d1-84f4-0000f80464e3"),
    group: Some(4),
    events: &[
        Event { opcode: 0, name: "Name", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_44) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_44) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_44) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_44) },
        ] },
        Event { opcode: 32, name: "FileCreate", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_44) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_44) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_44) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_44) },
        ] },
        Event { opcode: 35, name: "FileDelete", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_44) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_44) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_44) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_44) },
        ] },
        Event { opcode: 36, name: "FileRundown", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_44) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_44) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_44) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_44) },
        ] },
        Event { opcode: 37, name: "MapFile", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_45) },
        ] },
        Event { opcode: 38, name: "UnmapFile", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_45) },
        ] },
        Event { opcode: 39, name: "MapFileDCStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_45) },
        ] },
        Event { opcode: 40, name: "MapFileDCEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_45) },
        ] },
        Event { opcode: 64, name: "Create", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_46) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_47) },
        ] },
        Event { opcode: 65, name: "Cleanup", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_48) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_49) },
        ] },
        Event { opcode: 66, name: "Close", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_48) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_49) },
        ] },
        Event { opcode: 67, name: "Read", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_50) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_51) },
        ] },
        Event { opcode: 68, name: "Write", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_50) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_51) },
        ] },
        Event { opcode: 69, name: "SetInfo", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_52) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_53) },
        ] },
        Event { opcode: 70, name: "Delete", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_52) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_53) },
        ] },
        Event { opcode: 71, name: "Rename", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_52) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_53) },
        ] },
        Event { opcode: 72, name: "DirEnum", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_54) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_55) },
        ] },
        Event { opcode: 73, name: "Flush", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_48) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_49) },
        ] },
        Event { opcode: 74, name: "QueryInfo", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_52) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_53) },
        ] },
        Event { opcode: 75, name: "FSControl", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_52) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_53) },
        ] },
        Event { opcode: 76, name: "OperationEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_56) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_56) },
        ] },
        Event { opcode: 77, name: "DirNotify", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_54) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_55) },
        ] },
        Event { opcode: 79, name: "DeletePath", versions: &[
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_57) },
        ] },
        Event { opcode: 80, name: "RenamePath", versions: &[
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_57) },
        ] },
        Event { opcode: 81, name: "SetLinkPath", versions: &[
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_57) },
        ] },
    ],
};

pub(crate) static CLASS_7: EventClass = EventClass {
    name: "TcpIp",
    guid: Guid::parse("9a280ac0-c8e0-11d1-84e2-00c04fb998a2"),
    group: Some(6),
    events: &[
        Event { opcode: 10, name: "SendIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_58) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_59) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_60) },
        ] },
        Event { opcode: 11, name: "RecvIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_58) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_59) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_61) },
        ] },
        Event { opcode: 12, name: "ConnectIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_58) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_59) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_62) },
        ] },
        Event { opcode: 13, name: "DisconnectIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_58) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_59) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_61) },
        ] },
        Event { opcode: 14, name: "RetransmitIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_58) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_59) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_61) },
        ] },
        Event { opcode: 15, name: "AcceptIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_58) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_59) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_62) },
        ] },
        Event { opcode: 16, name: "ReconnectIPV4", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_59) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_61) },
        ] },
        Event { opcode: 17, name: "Fail", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_63) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_63) },
        ] },
        Event { opcode: 18, name: "TCPCopyIPV4", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_61) },
        ] },
        Event { opcode: 26, name: "SendIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_64) },
        ] },
        Event { opcode: 27, name: "RecvIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_65) },
        ] },
        Event { opcode: 28, name: "ConnectIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_66) },
        ] },
        Event { opcode: 29, name: "DisconnectIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_65) },
        ] },
        Event { opcode: 30, name: "RetransmitIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_65) },
        ] },
        Event { opcode: 31, name: "AcceptIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_66) },
        ] },
        Event { opcode: 32, name: "ReconnectIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_65) },
        ] },
        Event { opcode: 34, name: "TCPCopyIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_65) },
        ] },
    ],
};

pub(crate) static CLASS_8: EventClass = EventClass {
    name: "UdpIp",
    guid: Guid::parse("bf3a50c5-a9c9-4988-a005-2df0b7c80f80"),
    group: Some(8),
    events: &[
        Event { opcode: 10, name: "SendIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_67) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_59) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_61) },
        ] },
        Event { opcode: 11, name: "RecvIPV4", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_67) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_59) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_61) },
        ] },
        Event { opcode: 17, name: "Fail", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_63) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_63) },
        ] },
        Event { opcode: 26, name: "SendIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_65) },
        ] },
        Event { opcode: 27, name: "RecvIPV6", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_65) },
        ] },
    ],
};

pub(crate) static CLASS_9: EventClass = EventClass {
    name: "PerfInfo",
    guid: Guid::parse("ce1dbfb4-137e-4da6-87b0-3f59aa102cbc"),
    group: Some(15),
    events: &[
        Event { opcode: 34, name: "Mark", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_68) },
        ] },
        Event { opcode: 46, name: "SampleProfile", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_69) },
        ] },
        Event { opcode: 47, name: "PmcCounterProf", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_70) },
        ] },
        Event { opcode: 48, name: "PmcCounterConfig", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_71) },
        ] },
        Event { opcode: 50, name: "ISR-MSI", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_72) },
        ] },
        Event { opcode: 51, name: "SysClEnter", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_73) },
        ] },
        Event { opcode: 52, name: "SysClExit", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_74) },
        ] },
        Event { opcode: 66, name: "ThreadDPC", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_75) },
        ] },
        Event { opcode: 67, name: "ISR", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_76) },
        ] },
        Event { opcode: 68, name: "DPC", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_75) },
        ] },
        Event { opcode: 69, name: "TimerDPC", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_75) },
        ] },
        Event { opcode: 72, name: "SetInterval", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_77) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_78) },
        ] },
        Event { opcode: 73, name: "CollectionStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_77) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_78) },
        ] },
        Event { opcode: 74, name: "CollectionEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_77) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_78) },
        ] },
    ],
};

pub(crate) static CLASS_10: EventClass = EventClass {
    name: "StackWalk",
    guid: Guid::parse("def2fe46-7bd6-4b80-bd94-f57fe20d0ce3"),
    group: Some(24),
    events: &[
        Event { opcode: 32, name: "Stack", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_79) },
        ] },
        Event { opcode: 35, name: "KeyDelete", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_80) },
        ] },
        Event { opcode: 36, name: "KeyRundown", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_80) },
        ] },
        Event { opcode: 37, name: "StackKeyKernel", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_81) },
        ] },
        Event { opcode: 38, name: "StackKeyUser", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_81) },
        ] },
    ],
};

pub(crate) static CLASS_11: EventClass = EventClass {
    name: "PageFault",
    guid: Guid::parse("3d6fa8d3-fe05-11d0-9dda-00c04fd7ba7c"),
    group: Some(2),
    events: &[
        Event { opcode: 10, name: "TransitionFault", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_82) },
        ] },
        Event { opcode: 11, name: "DemandZeroFault", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_82) },
        ] },
        Event { opcode: 12, name: "CopyOnWrite", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_82) },
        ] },
        Event { opcode: 13, name: "GuardPageFault", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_82) },
        ] },
        Event { opcode: 14, name: "HardPageFault", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_82) },
        ] },
        Event { opcode: 15, name: "AccessViolation", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_82) },
        ] },
        Event { opcode: 32, name: "HardFault", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_83) },
        ] },
        Event { opcode: 98, name: "VirtualAlloc", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_84) },
        ] },
        Event { opcode: 99, name: "VirtualFree", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_84) },
        ] },
        Event { opcode: 105, name: "ImageLoadBacked", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_85) },
        ] },
    ],
};

pub(crate) static CLASS_12: EventClass = EventClass {
    name: "Registry",
    guid: Guid::parse("ae53722e-c863-11d2-8659-00c04fa321a1"),
    group: Some(9),
    events: &[
        Event { opcode: 10, name: "Create", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_86) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_87) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 11, name: "Open", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_86) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_87) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 12, name: "Delete", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_86) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_87) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 13, name: "Query", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_86) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_87) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 14, name: "SetValue", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_86) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_87) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 15, name: "DeleteValue", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_86) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_87) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 16, name: "QueryValue", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_86) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_87) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 17, name: "EnumerateKey", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_86) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_87) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 18, name: "EnumerateValueKey", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_86) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_87) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 19, name: "QueryMultipleValue", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_86) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_87) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 20, name: "SetInformation", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_86) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_87) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 21, name: "Flush", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_86) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_87) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 22, name: "KCBCreate", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_87) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 23, name: "KCBDelete", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 24, name: "KCBRundownBegin", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 25, name: "KCBRundownEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 26, name: "Virtualize", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
        Event { opcode: 27, name: "Close", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_88) },
        ] },
    ],
};

pub(crate) static CLASS_13: EventClass = EventClass {
    name: "SplitIo",
    guid: Guid::parse("d837ca92-12b9-44a5-ad6a-3a65b3578aa8"),
    group: Some(27),
    events: &[
        Event { opcode: 32, name: "VolMgr", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_89) },
        ] },
    ],
};

pub(crate) static CLASS_14: EventClass = EventClass {
    name: "ALPC",
    guid: Guid::parse("45d8cccd-539f-4b72-a8b7-5c683142609a"),
    group: Some(26),
    events: &[
        Event { opcode: 33, name: "ALPC-Send-Message", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_90) },
        ] },
        Event { opcode: 34, name: "ALPC-Receive-Message", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_90) },
        ] },
        Event { opcode: 35, name: "ALPC-Wait-For-Reply", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_90) },
        ] },
        Event { opcode: 36, name: "ALPC-Wait-For-New-Message", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_91) },
        ] },
        Event { opcode: 37, name: "ALPC-Unwait", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_92) },
        ] },
    ],
};

pub(crate) static CLASS_15: EventClass = EventClass {
    name: "Object",
    guid: Guid::parse("89497f50-effe-4440-8cf2-ce6b1cdcaca7"),
    group: Some(17),
    events: &[
        Event { opcode: 32, name: "CreateHandle", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_93) },
        ] },
        Event { opcode: 33, name: "CloseHandle", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_93) },
        ] },
        Event { opcode: 36, name: "TypeDCStart", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_94) },
        ] },
        Event { opcode: 37, name: "TypeDCEnd", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_94) },
        ] },
    ],
};

pub(crate) static CLASS_16: EventClass = EventClass {
    name: "SystemConfig",
    guid: Guid::parse("01853a65-418f-4f36-aefc-dc0f1d2fd235"),
    group: Some(11),
    events: &[
        Event { opcode: 10, name: "CPU", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_95) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_96) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_96) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_97) },
        ] },
        Event { opcode: 11, name: "PhyDisk", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_98) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_99) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_99) },
        ] },
        Event { opcode: 12, name: "LogDisk", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_100) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_101) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_101) },
        ] },
        Event { opcode: 13, name: "NIC", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_102) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_102) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_103) },
        ] },
        Event { opcode: 14, name: "Video", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_104) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_104) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_104) },
        ] },
        Event { opcode: 15, name: "Services", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_105) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_106) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_106) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_107) },
        ] },
        Event { opcode: 16, name: "Power", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_108) },
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_108) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_108) },
        ] },
        Event { opcode: 17, name: "Network", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_109) },
        ] },
        Event { opcode: 18, name: "OpticalMedia", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_110) },
        ] },
        Event { opcode: 19, name: "PhysicalDiskEx", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_111) },
        ] },
        Event { opcode: 21, name: "IRQ", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_112) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_112) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_113) },
        ] },
        Event { opcode: 22, name: "PnP", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_114) },
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_114) },
            Version { number: 3, fields: Cow::Borrowed(&FIELDS_115) },
            Version { number: 4, fields: Cow::Borrowed(&FIELDS_116) },
            Version { number: 5, fields: Cow::Borrowed(&FIELDS_117) },
        ] },
        Event { opcode: 23, name: "IDEChannel", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_118) },
        ] },
        Event { opcode: 24, name: "NumaNode", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_120) },
        ] },
        Event { opcode: 25, name: "Platform", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_121) },
        ] },
        Event { opcode: 26, name: "ProcessorGroup", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_122) },
        ] },
        Event { opcode: 27, name: "ProcessorNumber", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_124) },
        ] },
        Event { opcode: 28, name: "DPI", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_125) },
        ] },
        Event { opcode: 29, name: "CodeIntegrity", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_126) },
        ] },
        Event { opcode: 30, name: "TelemetryInfo", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_127) },
        ] },
        Event { opcode: 31, name: "Defrag", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_128) },
        ] },
        Event { opcode: 33, name: "DeviceFamily", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_129) },
        ] },
        Event { opcode: 34, name: "FlightIds", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_130) },
        ] },
        Event { opcode: 35, name: "Processor", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_131) },
        ] },
        Event { opcode: 36, name: "Virtualization", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_132) },
        ] },
        Event { opcode: 37, name: "Boot", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_133) },
        ] },
    ],
};

pub(crate) static CLASS_17: EventClass = EventClass {
    name: "KernelTraceControl",
    guid: Guid::parse("b3e675d7-2554-4f18-830b-2762732560de"),
    group: None,
    events: &[
        Event { opcode: 0, name: "ImageID", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_134) },
        ] },
        Event { opcode: 32, name: "DbgIDNone", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_135) },
        ] },
        Event { opcode: 34, name: "DbgIDDbg", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_136) },
        ] },
        Event { opcode: 35, name: "DbgIDNB10", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_137) },
        ] },
        Event { opcode: 36, name: "DbgIDRSDS", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_138) },
        ] },
        Event { opcode: 37, name: "DbgIDILRSDS", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_138) },
        ] },
        Event { opcode: 38, name: "ImageTimeDateStamp", versions: &[
            Version { number: 2, fields: Cow::Borrowed(&FIELDS_139) },
        ] },
        Event { opcode: 39, name: "DbgIDPPDB", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_140) },
        ] },
        Event { opcode: 40, name: "DbgIDEmbedded", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_135) },
        ] },
        Event { opcode: 41, name: "ImageError", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_141) },
        ] },
        Event { opcode: 64, name: "FileVersion", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_142) },
        ] },
    ],
};

pub(crate) static CLASS_18: EventClass = EventClass {
    name: "SystemConfigEx",
    guid: Guid::parse("9b79ee91-b5fd-41c0-a243-4248e266e9d0"),
    group: None,
    events: &[
        Event { opcode: 32, name: "BuildInfo", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_143) },
        ] },
        Event { opcode: 33, name: "SystemPaths", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_144) },
        ] },
        Event { opcode: 34, name: "UnknownVolume", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_145) },
        ] },
        Event { opcode: 35, name: "VolumeMapping", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_146) },
        ] },
        Event { opcode: 36, name: "NetworkInterface", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_147) },
        ] },
        Event { opcode: 37, name: "DeviceFamily", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_129) },
        ] },
    ],
};

pub(crate) static CLASS_19: EventClass = EventClass {
    name: "EventMetadata",
    guid: Guid::parse("bbccf6c1-6cd1-48c4-80ff-839482e37671"),
    group: None,
    events: &[
        Event { opcode: 32, name: "EventInfo", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_148) },
        ] },
        Event { opcode: 33, name: "EventMapInfo", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_149) },
        ] },
    ],
};

pub(crate) static CLASS_20: EventClass = EventClass {
    name: "WinSat",
    guid: Guid::parse("ed54dff8-c409-4cf6-bf83-05e1e61a09c4"),
    group: None,
    events: &[
        Event { opcode: 33, name: "WinSPR", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) },
        ] },
        Event { opcode: 35, name: "Metrics", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) },
        ] },
        Event { opcode: 37, name: "SystemConfig", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) },
        ] },
    ],
};

pub(crate) static CLASS_21: EventClass = EventClass {
    name: "PerfTrackMetadata",
    guid: Guid::parse("bf6ef1cb-89b5-490a-80ac-b180cfbcff0f"),
    group: None,
    events: &[
        Event { opcode: 33, name: "Scenario", versions: &[
            Version { number: 0, fields: Cow::Borrowed(&FIELDS_151) },
        ] },
        Event { opcode: 34, name: "Threshold", versions: &[
            Version { number: 1, fields: Cow::Borrowed(&FIELDS_152) },
        ] },
    ],
};

static FIELDS_0: [Field; 8] = [
    Field::new("Bias", FieldType::I32),
    Field::new("StandardName", FieldType::Utf16(Length::Fixed(32))),
    Field::new("StandardDate", FieldType::SystemTime),
    Field::new("StandardBias", FieldType::I32),
    Field::new("DaylightName", FieldType::Utf16(Length::Fixed(32))),
    Field::new("DaylightDate", FieldType::SystemTime),
    Field::new("DaylightBias", FieldType::I32),
    Field::new("Padding", FieldType::Binary(Length::Fixed(4))),
];

static FIELDS_1: [Field; 23] = [
    Field::new("BufferSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("Version", FieldType::U32).hint(Hint::Hex),
    Field::new("ProviderVersion", FieldType::U32),
    Field::new("NumberOfProcessors", FieldType::U32),
    Field::new("EndTime", FieldType::FileTime),
    Field::new("TimerResolution", FieldType::U32),
    Field::new("MaxFileSize", FieldType::U32),
    Field::new("LogFileMode", FieldType::U32).hint(Hint::Hex),
    Field::new("BuffersWritten", FieldType::U32),
    Field::new("StartBuffers", FieldType::U32),
    Field::new("PointerSize", FieldType::U32),
    Field::new("EventsLost", FieldType::U32),
    Field::new("CPUSpeed", FieldType::U32),
    Field::new("LoggerName", FieldType::Pointer).hint(Hint::Hex),
    Field::new("LogFileName", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TimeZoneInformation", FieldType::Struct(Cow::Borrowed(&FIELDS_0))),
    Field::new("BootTime", FieldType::FileTime),
    Field::new("PerfFreq", FieldType::U64),
    Field::new("StartTime", FieldType::FileTime),
    Field::new("ReservedFlags", FieldType::U32),
    Field::new("BuffersLost", FieldType::U32),
    Field::new("SessionNameString", FieldType::Utf16(Length::Nul)).optional(),
    Field::new("LogFileNameString", FieldType::Utf16(Length::Nul)).optional(),
];

static FIELDS_2: [Field; 2] = [
    Field::new("GroupMasks", FieldType::U32).count(Count::Fixed(8)).hint(Hint::Hex),
    Field::new("KernelEventVersion", FieldType::U32),
];

static FIELDS_3: [Field; 0] = [
];

static FIELDS_4: [Field; 3] = [
    Field::new("Guid", FieldType::Guid),
    Field::new("Age", FieldType::U32),
    Field::new("PdbName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_5: [Field; 1] = [
    Field::new("BuildLab", FieldType::Ansi(Length::Nul)),
];

static FIELDS_6: [Field; 1] = [
    Field::new("PartitionInfo", FieldType::Binary(Length::Rest)),
];

static FIELDS_7: [Field; 4] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ParentId", FieldType::U32).hint(Hint::Pid),
    Field::new("UserSID", FieldType::TokenUser),
    Field::new("ImageFileName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_8: [Field; 7] = [
    Field::new("PageDirectoryBase", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ParentId", FieldType::U32).hint(Hint::Pid),
    Field::new("SessionId", FieldType::U32),
    Field::new("ExitStatus", FieldType::I32),
    Field::new("UserSID", FieldType::TokenUser),
    Field::new("ImageFileName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_9: [Field; 8] = [
    Field::new("UniqueProcessKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ParentId", FieldType::U32).hint(Hint::Pid),
    Field::new("SessionId", FieldType::U32),
    Field::new("ExitStatus", FieldType::I32),
    Field::new("UserSID", FieldType::TokenUser),
    Field::new("ImageFileName", FieldType::Ansi(Length::Nul)),
    Field::new("CommandLine", FieldType::Utf16(Length::Nul)),
];

static FIELDS_10: [Field; 9] = [
    Field::new("UniqueProcessKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ParentId", FieldType::U32).hint(Hint::Pid),
    Field::new("SessionId", FieldType::U32),
    Field::new("ExitStatus", FieldType::I32),
    Field::new("DirectoryTableBase", FieldType::Pointer).hint(Hint::Hex),
    Field::new("UserSID", FieldType::TokenUser),
    Field::new("ImageFileName", FieldType::Ansi(Length::Nul)),
    Field::new("CommandLine", FieldType::Utf16(Length::Nul)),
];

static FIELDS_11: [Field; 12] = [
    Field::new("UniqueProcessKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ParentId", FieldType::U32).hint(Hint::Pid),
    Field::new("SessionId", FieldType::U32),
    Field::new("ExitStatus", FieldType::I32),
    Field::new("DirectoryTableBase", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("UserSID", FieldType::TokenUser),
    Field::new("ImageFileName", FieldType::Ansi(Length::Nul)),
    Field::new("CommandLine", FieldType::Utf16(Length::Nul)),
    Field::new("PackageFullName", FieldType::Utf16(Length::Nul)),
    Field::new("ApplicationId", FieldType::Utf16(Length::Nul)),
];

static FIELDS_12: [Field; 1] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
];

static FIELDS_13: [Field; 15] = [
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

static FIELDS_14: [Field; 13] = [
    Field::new("UniqueProcessKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ParentId", FieldType::U32).hint(Hint::Pid),
    Field::new("SessionId", FieldType::U32),
    Field::new("ExitStatus", FieldType::I32),
    Field::new("DirectoryTableBase", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("UserSID", FieldType::TokenUser),
    Field::new("ImageFileName", FieldType::Ansi(Length::Nul)),
    Field::new("CommandLine", FieldType::Utf16(Length::Nul)),
    Field::new("PackageFullName", FieldType::Utf16(Length::Nul)),
    Field::new("ApplicationId", FieldType::Utf16(Length::Nul)),
    Field::new("ExitTime", FieldType::FileTime),
];

static FIELDS_15: [Field; 2] = [
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
];

static FIELDS_16: [Field; 9] = [
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

static FIELDS_17: [Field; 10] = [
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

static FIELDS_18: [Field; 15] = [
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
    Field::new("IoPriority", FieldType::U8),
    Field::new("ThreadFlags", FieldType::U8).hint(Hint::Hex),
    Field::new("ThreadName", FieldType::Utf16(Length::Nul)).optional(),
];

static FIELDS_19: [Field; 15] = [
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
    Field::new("IoPriority", FieldType::U8),
    Field::new("ThreadFlags", FieldType::U8).hint(Hint::Hex),
    Field::new("ThreadName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_20: [Field; 2] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
];

static FIELDS_21: [Field; 12] = [
    Field::new("NewThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("OldThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("NewThreadPriority", FieldType::I8),
    Field::new("OldThreadPriority", FieldType::I8),
    Field::new("PreviousCState", FieldType::U8),
    Field::new("SpareByte", FieldType::I8),
    Field::new("OldThreadWaitReason", FieldType::I8),
    Field::new("OldThreadWaitMode", FieldType::I8),
    Field::new("OldThreadState", FieldType::I8),
    Field::new("OldThreadWaitIdealProcessor", FieldType::I8),
    Field::new("NewThreadWaitTime", FieldType::U32),
    Field::new("Reserved", FieldType::U32),
];

static FIELDS_22: [Field; 4] = [
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("OldPriority", FieldType::U8),
    Field::new("NewPriority", FieldType::U8),
    Field::new("Reserved", FieldType::U16),
];

static FIELDS_23: [Field; 5] = [
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("AdjustReason", FieldType::I8),
    Field::new("AdjustIncrement", FieldType::I8),
    Field::new("Flag", FieldType::I8).hint(Hint::Hex),
    Field::new("Reserved", FieldType::I8),
];

static FIELDS_24: [Field; 3] = [
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("StartTime", FieldType::U64).hint(Hint::TraceTime),
    Field::new("ThreadRoutine", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_25: [Field; 3] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("ThreadName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_26: [Field; 3] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ImageSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_27: [Field; 4] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ImageSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_28: [Field; 12] = [
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

static FIELDS_29: [Field; 14] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ImageSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ImageChecksum", FieldType::U32).hint(Hint::Hex),
    Field::new("TimeDateStamp", FieldType::U32).hint(Hint::Hex),
    Field::new("SignatureLevel", FieldType::U8),
    Field::new("SignatureType", FieldType::U8),
    Field::new("Reserved0", FieldType::U16),
    Field::new("DefaultBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("Reserved1", FieldType::U32),
    Field::new("Reserved2", FieldType::U32),
    Field::new("Reserved3", FieldType::U32),
    Field::new("Reserved4", FieldType::U32),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_30: [Field; 1] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_31: [Field; 1] = [
    Field::new("HypercallPageVa", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_32: [Field; 7] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("IrpFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("TransferSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("ResponseTime", FieldType::U32),
    Field::new("ByteOffset", FieldType::U64),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("HighResResponseTime", FieldType::U64),
];

static FIELDS_33: [Field; 8] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("IrpFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("TransferSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("ResponseTime", FieldType::U32),
    Field::new("ByteOffset", FieldType::U64),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("HighResResponseTime", FieldType::U64),
];

static FIELDS_34: [Field; 8] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("IrpFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("TransferSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("Reserved", FieldType::U32),
    Field::new("ByteOffset", FieldType::I64),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("HighResResponseTime", FieldType::U64),
];

static FIELDS_35: [Field; 9] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("IrpFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("TransferSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("Reserved", FieldType::U32),
    Field::new("ByteOffset", FieldType::I64),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("HighResResponseTime", FieldType::U64),
    Field::new("IssuingThreadId", FieldType::U32).hint(Hint::Tid),
];

static FIELDS_36: [Field; 1] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_37: [Field; 2] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("IssuingThreadId", FieldType::U32).hint(Hint::Tid),
];

static FIELDS_38: [Field; 4] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("IrpFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("HighResResponseTime", FieldType::U64),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_39: [Field; 5] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("IrpFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("HighResResponseTime", FieldType::U64),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("IssuingThreadId", FieldType::U32).hint(Hint::Tid),
];

static FIELDS_40: [Field; 6] = [
    Field::new("MajorFunction", FieldType::U32),
    Field::new("MinorFunction", FieldType::U32),
    Field::new("RoutineAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("UniqMatchId", FieldType::U32),
];

static FIELDS_41: [Field; 2] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("UniqMatchId", FieldType::U32),
];

static FIELDS_42: [Field; 3] = [
    Field::new("Routine", FieldType::Pointer).hint(Hint::Address),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("UniqMatchId", FieldType::U32),
];

static FIELDS_43: [Field; 3] = [
    Field::new("RoutineAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("UniqMatchId", FieldType::U32),
];

static FIELDS_44: [Field; 2] = [
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_45: [Field; 5] = [
    Field::new("ViewBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("MiscInfo", FieldType::U64).hint(Hint::Hex),
    Field::new("ViewSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
];

static FIELDS_46: [Field; 7] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::Pointer).hint(Hint::Tid),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("CreateOptions", FieldType::U32).hint(Hint::Hex),
    Field::new("FileAttributes", FieldType::U32).hint(Hint::Hex),
    Field::new("ShareAccess", FieldType::U32).hint(Hint::Hex),
    Field::new("OpenPath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_47: [Field; 7] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::U32).hint(Hint::Tid),
    Field::new("CreateOptions", FieldType::U32).hint(Hint::Hex),
    Field::new("FileAttributes", FieldType::U32).hint(Hint::Hex),
    Field::new("ShareAccess", FieldType::U32).hint(Hint::Hex),
    Field::new("OpenPath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_48: [Field; 4] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::Pointer).hint(Hint::Tid),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_49: [Field; 4] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::U32).hint(Hint::Tid),
];

static FIELDS_50: [Field; 7] = [
    Field::new("Offset", FieldType::U64),
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::Pointer).hint(Hint::Tid),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("IoSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("IoFlags", FieldType::U32).hint(Hint::Hex),
];

static FIELDS_51: [Field; 8] = [
    Field::new("Offset", FieldType::U64),
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::U32).hint(Hint::Tid),
    Field::new("IoSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("IoFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("ExtraFlags", FieldType::U32).hint(Hint::Hex).optional(),
];

static FIELDS_52: [Field; 6] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::Pointer).hint(Hint::Tid),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ExtraInfo", FieldType::Pointer).hint(Hint::Hex),
    Field::new("InfoClass", FieldType::U32),
];

static FIELDS_53: [Field; 6] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ExtraInfo", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::U32).hint(Hint::Tid),
    Field::new("InfoClass", FieldType::U32),
];

static FIELDS_54: [Field; 8] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::Pointer).hint(Hint::Tid),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Length", FieldType::U32).hint(Hint::Bytes),
    Field::new("InfoClass", FieldType::U32),
    Field::new("FileIndex", FieldType::U32),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_55: [Field; 8] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::U32).hint(Hint::Tid),
    Field::new("Length", FieldType::U32).hint(Hint::Bytes),
    Field::new("InfoClass", FieldType::U32),
    Field::new("FileIndex", FieldType::U32),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_56: [Field; 3] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ExtraInfo", FieldType::Pointer).hint(Hint::Hex),
    Field::new("NtStatus", FieldType::U32).hint(Hint::NtStatus),
];

static FIELDS_57: [Field; 7] = [
    Field::new("IrpPtr", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ExtraInfo", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TTID", FieldType::U32).hint(Hint::Tid),
    Field::new("InfoClass", FieldType::U32),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_58: [Field; 6] = [
    Field::new("daddr", FieldType::Ipv4),
    Field::new("saddr", FieldType::Ipv4),
    Field::new("dport", FieldType::Port),
    Field::new("sport", FieldType::Port),
    Field::new("size", FieldType::U32).hint(Hint::Bytes),
    Field::new("PID", FieldType::U32).hint(Hint::Pid),
];

static FIELDS_59: [Field; 6] = [
    Field::new("PID", FieldType::U32).hint(Hint::Pid),
    Field::new("size", FieldType::U32).hint(Hint::Bytes),
    Field::new("daddr", FieldType::Ipv4),
    Field::new("saddr", FieldType::Ipv4),
    Field::new("dport", FieldType::Port),
    Field::new("sport", FieldType::Port),
];

static FIELDS_60: [Field; 10] = [
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

static FIELDS_61: [Field; 8] = [
    Field::new("PID", FieldType::U32).hint(Hint::Pid),
    Field::new("size", FieldType::U32).hint(Hint::Bytes),
    Field::new("daddr", FieldType::Ipv4),
    Field::new("saddr", FieldType::Ipv4),
    Field::new("dport", FieldType::Port),
    Field::new("sport", FieldType::Port),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_62: [Field; 15] = [
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

static FIELDS_63: [Field; 2] = [
    Field::new("Proto", FieldType::U16),
    Field::new("FailureCode", FieldType::U16),
];

static FIELDS_64: [Field; 10] = [
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

static FIELDS_65: [Field; 8] = [
    Field::new("PID", FieldType::U32).hint(Hint::Pid),
    Field::new("size", FieldType::U32).hint(Hint::Bytes),
    Field::new("daddr", FieldType::Ipv6),
    Field::new("saddr", FieldType::Ipv6),
    Field::new("dport", FieldType::Port),
    Field::new("sport", FieldType::Port),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_66: [Field; 15] = [
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

static FIELDS_67: [Field; 7] = [
    Field::new("context", FieldType::U32).hint(Hint::Hex),
    Field::new("saddr", FieldType::Ipv4),
    Field::new("sport", FieldType::Port),
    Field::new("size", FieldType::U16).hint(Hint::Bytes),
    Field::new("daddr", FieldType::Ipv4),
    Field::new("dport", FieldType::Port),
    Field::new("dsize", FieldType::U16).hint(Hint::Bytes),
];

static FIELDS_68: [Field; 1] = [
    Field::new("Message", FieldType::Ansi(Length::Nul)),
];

static FIELDS_69: [Field; 4] = [
    Field::new("InstructionPointer", FieldType::Pointer).hint(Hint::Address),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("Count", FieldType::U16),
    Field::new("Reserved", FieldType::U16).hint(Hint::Hex),
];

static FIELDS_70: [Field; 4] = [
    Field::new("InstructionPointer", FieldType::Pointer).hint(Hint::Address),
    Field::new("ThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("ProfileSource", FieldType::U16),
    Field::new("Reserved", FieldType::U16).hint(Hint::Hex),
];

static FIELDS_71: [Field; 2] = [
    Field::new("CounterCount", FieldType::U32),
    Field::new("CounterName", FieldType::Utf16(Length::Nul)).count(Count::Field(0)),
];

static FIELDS_72: [Field; 6] = [
    Field::new("InitialTime", FieldType::U64).hint(Hint::TraceTime),
    Field::new("Routine", FieldType::Pointer).hint(Hint::Address),
    Field::new("ReturnValue", FieldType::U8),
    Field::new("Vector", FieldType::U16),
    Field::new("Reserved", FieldType::U8),
    Field::new("MessageNumber", FieldType::U32),
];

static FIELDS_73: [Field; 1] = [
    Field::new("SysCallAddress", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_74: [Field; 1] = [
    Field::new("SysCallNtStatus", FieldType::U32).hint(Hint::NtStatus),
];

static FIELDS_75: [Field; 2] = [
    Field::new("InitialTime", FieldType::U64).hint(Hint::TraceTime),
    Field::new("Routine", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_76: [Field; 5] = [
    Field::new("InitialTime", FieldType::U64).hint(Hint::TraceTime),
    Field::new("Routine", FieldType::Pointer).hint(Hint::Address),
    Field::new("ReturnValue", FieldType::U8),
    Field::new("Vector", FieldType::U16),
    Field::new("Reserved", FieldType::U8),
];

static FIELDS_77: [Field; 3] = [
    Field::new("Source", FieldType::U32),
    Field::new("NewInterval", FieldType::U32),
    Field::new("OldInterval", FieldType::U32),
];

static FIELDS_78: [Field; 4] = [
    Field::new("Source", FieldType::U32),
    Field::new("NewInterval", FieldType::U32),
    Field::new("OldInterval", FieldType::U32),
    Field::new("SourceName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_79: [Field; 4] = [
    Field::new("EventTimeStamp", FieldType::U64).hint(Hint::TraceTime),
    Field::new("StackProcess", FieldType::U32).hint(Hint::Pid),
    Field::new("StackThread", FieldType::U32).hint(Hint::Tid),
    Field::new("Stack", FieldType::Pointer).count(Count::Rest).hint(Hint::Address),
];

static FIELDS_80: [Field; 2] = [
    Field::new("StackKey", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Stack", FieldType::Pointer).count(Count::Rest).hint(Hint::Address),
];

static FIELDS_81: [Field; 4] = [
    Field::new("EventTimeStamp", FieldType::U64).hint(Hint::TraceTime),
    Field::new("StackProcess", FieldType::U32).hint(Hint::Pid),
    Field::new("StackThread", FieldType::U32).hint(Hint::Tid),
    Field::new("StackKey", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_82: [Field; 2] = [
    Field::new("VirtualAddress", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProgramCounter", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_83: [Field; 6] = [
    Field::new("InitialTime", FieldType::U64).hint(Hint::TraceTime),
    Field::new("ReadOffset", FieldType::U64).hint(Hint::Hex),
    Field::new("VirtualAddress", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("TThreadId", FieldType::U32).hint(Hint::Tid),
    Field::new("ByteCount", FieldType::U32).hint(Hint::Bytes),
];

static FIELDS_84: [Field; 4] = [
    Field::new("BaseAddress", FieldType::Pointer).hint(Hint::Address),
    Field::new("RegionSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
];

static FIELDS_85: [Field; 4] = [
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("DeviceChar", FieldType::U32).hint(Hint::Hex),
    Field::new("FileChar", FieldType::U16).hint(Hint::Hex),
    Field::new("LoadFlags", FieldType::U16).hint(Hint::Hex),
];

static FIELDS_86: [Field; 4] = [
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
    Field::new("KeyHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ElapsedTime", FieldType::I64),
    Field::new("KeyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_87: [Field; 5] = [
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
    Field::new("KeyHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ElapsedTime", FieldType::I64),
    Field::new("Index", FieldType::U32),
    Field::new("KeyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_88: [Field; 5] = [
    Field::new("InitialTime", FieldType::I64).hint(Hint::TraceTime),
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
    Field::new("Index", FieldType::U32),
    Field::new("KeyHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("KeyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_89: [Field; 2] = [
    Field::new("ParentIrp", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ChildIrp", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_90: [Field; 1] = [
    Field::new("MessageID", FieldType::U32),
];

static FIELDS_91: [Field; 2] = [
    Field::new("IsServerPort", FieldType::U32).hint(Hint::Boolean),
    Field::new("PortName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_92: [Field; 1] = [
    Field::new("Status", FieldType::U32).hint(Hint::NtStatus),
];

static FIELDS_93: [Field; 4] = [
    Field::new("Object", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Handle", FieldType::U32).hint(Hint::Hex),
    Field::new("ObjectType", FieldType::U16),
    Field::new("ObjectName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_94: [Field; 3] = [
    Field::new("ObjectType", FieldType::U16),
    Field::new("Reserved", FieldType::U16),
    Field::new("TypeName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_95: [Field; 7] = [
    Field::new("MHz", FieldType::U32),
    Field::new("NumberOfProcessors", FieldType::U32),
    Field::new("MemSize", FieldType::U32),
    Field::new("PageSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("AllocationGranularity", FieldType::U32).hint(Hint::Bytes),
    Field::new("ComputerName", FieldType::Utf16(Length::Fixed(256))),
    Field::new("DomainName", FieldType::Utf16(Length::Fixed(132))),
];

static FIELDS_96: [Field; 8] = [
    Field::new("MHz", FieldType::U32),
    Field::new("NumberOfProcessors", FieldType::U32),
    Field::new("MemSize", FieldType::U32),
    Field::new("PageSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("AllocationGranularity", FieldType::U32).hint(Hint::Bytes),
    Field::new("ComputerName", FieldType::Utf16(Length::Fixed(256))),
    Field::new("DomainName", FieldType::Utf16(Length::Fixed(134))),
    Field::new("HyperThreadingFlag", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_97: [Field; 15] = [
    Field::new("MHz", FieldType::U32),
    Field::new("NumberOfProcessors", FieldType::U32),
    Field::new("MemSize", FieldType::U32),
    Field::new("PageSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("AllocationGranularity", FieldType::U32).hint(Hint::Bytes),
    Field::new("ComputerName", FieldType::Utf16(Length::Fixed(256))),
    Field::new("DomainName", FieldType::Utf16(Length::Fixed(134))),
    Field::new("HyperThreadingFlag", FieldType::Pointer).hint(Hint::Hex),
    Field::new("HighestUserAddress", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessorArchitecture", FieldType::U16),
    Field::new("ProcessorLevel", FieldType::U16),
    Field::new("ProcessorRevision", FieldType::U16).hint(Hint::Hex),
    Field::new("PaeEnabled", FieldType::U8).hint(Hint::Boolean),
    Field::new("NxEnabled", FieldType::U8).hint(Hint::Boolean),
    Field::new("MemorySpeed", FieldType::U32),
];

static FIELDS_98: [Field; 14] = [
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

static FIELDS_99: [Field; 15] = [
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

static FIELDS_100: [Field; 14] = [
    Field::new("StartOffset", FieldType::U64),
    Field::new("PartitionSize", FieldType::U64).hint(Hint::Bytes),
    Field::new("DiskNumber", FieldType::U32),
    Field::new("Size", FieldType::U32),
    Field::new("DriveType", FieldType::U32),
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

static FIELDS_101: [Field; 16] = [
    Field::new("StartOffset", FieldType::U64),
    Field::new("PartitionSize", FieldType::U64).hint(Hint::Bytes),
    Field::new("DiskNumber", FieldType::U32),
    Field::new("Size", FieldType::U32),
    Field::new("DriveType", FieldType::U32),
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

static FIELDS_102: [Field; 16] = [
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

static FIELDS_103: [Field; 7] = [
    Field::new("PhysicalAddr", FieldType::U64).hint(Hint::Hex),
    Field::new("PhysicalAddrLen", FieldType::U32),
    Field::new("Ipv4Index", FieldType::U32),
    Field::new("Ipv6Index", FieldType::U32),
    Field::new("NICDescription", FieldType::Utf16(Length::Nul)),
    Field::new("IpAddresses", FieldType::Utf16(Length::Nul)),
    Field::new("DnsServerAddresses", FieldType::Utf16(Length::Nul)),
];

static FIELDS_104: [Field; 11] = [
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

static FIELDS_105: [Field; 4] = [
    Field::new("ServiceName", FieldType::Utf16(Length::Fixed(34))),
    Field::new("DisplayName", FieldType::Utf16(Length::Fixed(256))),
    Field::new("ProcessName", FieldType::Utf16(Length::Fixed(34))),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
];

static FIELDS_106: [Field; 6] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ServiceState", FieldType::U32).hint(Hint::Hex),
    Field::new("SubProcessTag", FieldType::U32).hint(Hint::Hex),
    Field::new("ServiceName", FieldType::Utf16(Length::Nul)),
    Field::new("DisplayName", FieldType::Utf16(Length::Nul)),
    Field::new("ProcessName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_107: [Field; 8] = [
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ServiceState", FieldType::U32).hint(Hint::Hex),
    Field::new("SubProcessTag", FieldType::U32).hint(Hint::Hex),
    Field::new("ServiceName", FieldType::Utf16(Length::Nul)),
    Field::new("DisplayName", FieldType::Utf16(Length::Nul)),
    Field::new("ProcessName", FieldType::Utf16(Length::Nul)),
    Field::new("LoadOrderGroup", FieldType::Utf16(Length::Nul)),
    Field::new("SvchostGroup", FieldType::Utf16(Length::Nul)),
];

static FIELDS_108: [Field; 8] = [
    Field::new("s1", FieldType::U8).hint(Hint::Boolean),
    Field::new("s2", FieldType::U8).hint(Hint::Boolean),
    Field::new("s3", FieldType::U8).hint(Hint::Boolean),
    Field::new("s4", FieldType::U8).hint(Hint::Boolean),
    Field::new("s5", FieldType::U8).hint(Hint::Boolean),
    Field::new("Pad1", FieldType::U8),
    Field::new("Pad2", FieldType::U8),
    Field::new("Pad3", FieldType::U8),
];

static FIELDS_109: [Field; 4] = [
    Field::new("TcbTablePartitions", FieldType::U32),
    Field::new("MaxHashTableSize", FieldType::U32),
    Field::new("MaxUserPort", FieldType::U32),
    Field::new("TcpTimedWaitDelay", FieldType::U32),
];

static FIELDS_110: [Field; 18] = [
    Field::new("DiskNumber", FieldType::U16),
    Field::new("BusType", FieldType::U16),
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

static FIELDS_111: [Field; 2] = [
    Field::new("DiskNumber", FieldType::U32),
    Field::new("Value", FieldType::U32),
];

static FIELDS_112: [Field; 4] = [
    Field::new("IRQAffinity", FieldType::U64).hint(Hint::Hex),
    Field::new("IRQNum", FieldType::U32),
    Field::new("DeviceDescriptionLen", FieldType::U32),
    Field::new("DeviceDescription", FieldType::Utf16(Length::Nul)),
];

static FIELDS_113: [Field; 6] = [
    Field::new("IRQAffinity", FieldType::U64).hint(Hint::Hex),
    Field::new("IRQGroup", FieldType::U16),
    Field::new("Reserved", FieldType::U16),
    Field::new("IRQNum", FieldType::I32),
    Field::new("DeviceDescriptionLen", FieldType::U32),
    Field::new("DeviceDescription", FieldType::Utf16(Length::Nul)),
];

static FIELDS_114: [Field; 6] = [
    Field::new("IDLength", FieldType::U32),
    Field::new("DescriptionLength", FieldType::U32),
    Field::new("FriendlyNameLength", FieldType::U32),
    Field::new("DeviceID", FieldType::Utf16(Length::Nul)),
    Field::new("DeviceDescription", FieldType::Utf16(Length::Nul)),
    Field::new("FriendlyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_115: [Field; 7] = [
    Field::new("IDLength", FieldType::U32),
    Field::new("DescriptionLength", FieldType::U32),
    Field::new("FriendlyNameLength", FieldType::U32),
    Field::new("DeviceID", FieldType::Utf16(Length::Nul)),
    Field::new("DeviceDescription", FieldType::Utf16(Length::Nul)),
    Field::new("FriendlyName", FieldType::Utf16(Length::Nul)),
    Field::new("PdoName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_116: [Field; 10] = [
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

static FIELDS_117: [Field; 12] = [
    Field::new("ClassGuid", FieldType::Guid),
    Field::new("UpperFiltersCount", FieldType::U32),
    Field::new("LowerFiltersCount", FieldType::U32),
    Field::new("DevStatus", FieldType::U32).hint(Hint::Hex),
    Field::new("DevProblem", FieldType::U32),
    Field::new("DeviceID", FieldType::Utf16(Length::Nul)),
    Field::new("DeviceDescription", FieldType::Utf16(Length::Nul)),
    Field::new("FriendlyName", FieldType::Utf16(Length::Nul)),
    Field::new("PdoName", FieldType::Utf16(Length::Nul)),
    Field::new("ServiceName", FieldType::Utf16(Length::Nul)),
    Field::new("UpperFilters", FieldType::Utf16(Length::Nul)).count(Count::Field(1)),
    Field::new("LowerFilters", FieldType::Utf16(Length::Nul)).count(Count::Field(2)),
];

static FIELDS_118: [Field; 5] = [
    Field::new("TargetId", FieldType::U32),
    Field::new("DeviceType", FieldType::U32).hint(Hint::Hex),
    Field::new("DeviceTimingMode", FieldType::U32).hint(Hint::Hex),
    Field::new("LocationInformationLen", FieldType::U32),
    Field::new("LocationInformation", FieldType::Utf16(Length::Nul)),
];

static FIELDS_119: [Field; 3] = [
    Field::new("Mask", FieldType::U64).hint(Hint::Hex),
    Field::new("Group", FieldType::U16),
    Field::new("Reserved", FieldType::U16).count(Count::Fixed(3)),
];

static FIELDS_120: [Field; 2] = [
    Field::new("NodeCount", FieldType::U32),
    Field::new("NodeMap", FieldType::Struct(Cow::Borrowed(&FIELDS_119))).count(Count::Field(0)),
];

static FIELDS_121: [Field; 4] = [
    Field::new("SystemManufacturer", FieldType::Utf16(Length::Nul)),
    Field::new("SystemProductName", FieldType::Utf16(Length::Nul)),
    Field::new("BiosDate", FieldType::Utf16(Length::Nul)),
    Field::new("BiosVersion", FieldType::Utf16(Length::Nul)),
];

static FIELDS_122: [Field; 2] = [
    Field::new("GroupCount", FieldType::U32),
    Field::new("Affinity", FieldType::U64).count(Count::Field(0)).hint(Hint::Hex),
];

static FIELDS_123: [Field; 3] = [
    Field::new("Group", FieldType::U16),
    Field::new("Number", FieldType::U8),
    Field::new("Reserved", FieldType::U8),
];

static FIELDS_124: [Field; 2] = [
    Field::new("ProcessorCount", FieldType::U32),
    Field::new("ProcessorNumber", FieldType::Struct(Cow::Borrowed(&FIELDS_123))).count(Count::Field(0)),
];

static FIELDS_125: [Field; 2] = [
    Field::new("MachineDPI", FieldType::U32),
    Field::new("UserDPI", FieldType::U32),
];

static FIELDS_126: [Field; 1] = [
    Field::new("CodeIntegrityInfo", FieldType::U32).hint(Hint::Hex),
];

static FIELDS_127: [Field; 1] = [
    Field::new("MachineId", FieldType::Guid),
];

static FIELDS_128: [Field; 1] = [
    Field::new("DefragInfo", FieldType::Binary(Length::Rest)),
];

static FIELDS_129: [Field; 3] = [
    Field::new("UAPInfo", FieldType::U64).hint(Hint::Hex),
    Field::new("DeviceFamily", FieldType::U32),
    Field::new("DeviceForm", FieldType::U32),
];

static FIELDS_130: [Field; 2] = [
    Field::new("UpdateId", FieldType::Utf16(Length::Nul)),
    Field::new("FlightIdList", FieldType::Utf16(Length::Nul)),
];

static FIELDS_131: [Field; 6] = [
    Field::new("ProcessorIndex", FieldType::U32),
    Field::new("FeatureSet", FieldType::U32).hint(Hint::Hex),
    Field::new("ProcessorSpeed", FieldType::U32),
    Field::new("ProcessorName", FieldType::Utf16(Length::Fixed(64))),
    Field::new("ProcessorIdentifier", FieldType::Utf16(Length::Fixed(128))),
    Field::new("VendorIdentifier", FieldType::Utf16(Length::Fixed(16))),
];

static FIELDS_132: [Field; 4] = [
    Field::new("VbsEnabled", FieldType::U8).hint(Hint::Boolean),
    Field::new("HvciEnabled", FieldType::U8).hint(Hint::Boolean),
    Field::new("HyperVisorEnabled", FieldType::U8).hint(Hint::Boolean),
    Field::new("Reserved", FieldType::U8).hint(Hint::Hex),
];

static FIELDS_133: [Field; 6] = [
    Field::new("BootFlags", FieldType::U64).hint(Hint::Hex),
    Field::new("FirmwareType", FieldType::U32),
    Field::new("SecureBootEnabled", FieldType::U8).hint(Hint::Boolean),
    Field::new("SecureBootCapable", FieldType::U8).hint(Hint::Boolean),
    Field::new("Reserved1", FieldType::U8).hint(Hint::Hex),
    Field::new("Reserved2", FieldType::U8).hint(Hint::Hex),
];

static FIELDS_134: [Field; 5] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ImageSize", FieldType::Pointer).hint(Hint::Bytes),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("TimeDateStamp", FieldType::U32).hint(Hint::Hex),
    Field::new("OriginalFileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_135: [Field; 2] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
];

static FIELDS_136: [Field; 6] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("ImageChecksum", FieldType::U32).hint(Hint::Hex),
    Field::new("TimeDateStamp", FieldType::U32).hint(Hint::Hex),
    Field::new("ImageSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("DbgFileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_137: [Field; 6] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("Offset", FieldType::U32),
    Field::new("Signature", FieldType::U32).hint(Hint::Hex),
    Field::new("Age", FieldType::U32),
    Field::new("PdbFileName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_138: [Field; 5] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("GuidSig", FieldType::Guid),
    Field::new("Age", FieldType::U32),
    Field::new("PdbFileName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_139: [Field; 4] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("TimeDateStamp", FieldType::U32).hint(Hint::Hex),
    Field::new("Reserved", FieldType::U32),
];

static FIELDS_140: [Field; 5] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessId", FieldType::U32).hint(Hint::Pid),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
    Field::new("GuidSig", FieldType::Guid),
    Field::new("Age", FieldType::U32),
];

static FIELDS_141: [Field; 1] = [
    Field::new("Message", FieldType::Utf16(Length::Nul)),
];

static FIELDS_142: [Field; 12] = [
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

static FIELDS_143: [Field; 3] = [
    Field::new("InstallDate", FieldType::FileTime),
    Field::new("BuildLab", FieldType::Utf16(Length::Nul)),
    Field::new("ProductName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_144: [Field; 2] = [
    Field::new("SystemDirectory", FieldType::Utf16(Length::Nul)),
    Field::new("SystemWindowsDirectory", FieldType::Utf16(Length::Nul)),
];

static FIELDS_145: [Field; 1] = [
    Field::new("VolumeName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_146: [Field; 2] = [
    Field::new("NtPath", FieldType::Utf16(Length::Nul)),
    Field::new("DosPath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_147: [Field; 1] = [
    Field::new("Interface", FieldType::Binary(Length::Rest)),
];

static FIELDS_148: [Field; 1] = [
    Field::new("TraceEventInfo", FieldType::Binary(Length::Rest)),
];

static FIELDS_149: [Field; 2] = [
    Field::new("ProviderId", FieldType::Guid),
    Field::new("EventMapInfo", FieldType::Binary(Length::Rest)),
];

static FIELDS_150: [Field; 3] = [
    Field::new("Kind", FieldType::U32),
    Field::new("UncompressedSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("Data", FieldType::Binary(Length::Rest)),
];

static FIELDS_151: [Field; 2] = [
    Field::new("UncompressedSize", FieldType::U32).hint(Hint::Bytes),
    Field::new("Data", FieldType::Binary(Length::Rest)),
];

static FIELDS_152: [Field; 2] = [
    Field::new("Name", FieldType::Ansi(Length::Nul)),
    Field::new("Milliseconds", FieldType::U32),
];

