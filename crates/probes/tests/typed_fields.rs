//! Typed fields: on events written for the test, and on those of real traces against what TraceEvent prints of them.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a test reports what it measured")]

mod described;

use std::collections::{BTreeMap, HashMap};

use described::{ran, run};
use tracewell_decode::Schemas;
use tracewell_dlang::catalog::{Catalog, ProbeDesc};
use tracewell_etl::Trace;
use tracewell_etl::write::PointerSize;
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::events::Sightings;
use tracewell_schema::providers;
use tracewell_testkit::described::{Described, Kind, trace};

const CLR: &str = "Microsoft-Windows-DotNETRuntime";

fn event(provider: &str, id: u16, version: u8, keyword: u64, payload: &str) -> Described {
    let guid = providers::guid(provider).expect("a registered provider");
    Described::new(Kind::Event(guid, id, keyword, 4), version, payload)
}

/// A trace with some events of the .NET runtime, and of others.
fn sample(pointer: PointerSize) -> Vec<u8> {
    let gc = |count: u32| format!("u32 {count} u32 2 u32 1 u32 0 u16 9 u64 0");
    let mut counted = event(CLR, 1, 2, 1, &gc(3));
    counted.counters = vec![1000, 77];
    let mut stacked = event(CLR, 2, 1, 1, "u32 3 u32 2 u16 9");
    stacked.stack = Some((0x1234, vec![0x401000]));
    let late =
        |id: u64| event("Microsoft-Windows-Kernel-EventTracing", 18, 0, 0, &format!("u64 {id} u64 0x402000"));
    let mut switch = Described::kernel(
        "Thread",
        36,
        4,
        "u32 50 u32 40 i8 8 i8 9 u8 0 i8 0 i8 6 i8 1 i8 5 i8 0 u32 3 u32 0",
    )
    .expect("a class");
    switch.counters = vec![5000, 66];
    let records = [
        event(CLR, 1, 2, 1, &gc(1)),
        event(CLR, 1, 2, 1, &gc(2)),
        counted,
        event(
            CLR,
            143,
            1,
            0x30,
            "u64 1 u64 2 u64 0x5000 u32 64 u32 7 u32 9 w Name.Space w Method w sig u16 9",
        ),
        event(CLR, 143, 0, 0x30, "u64 1 u64 2 u64 0x6000 u32 64 u32 7 u32 9 w Old.Space w Older w sig"),
        event(CLR, 999, 0, 1 << 62, "u32 5"),
        event(CLR, 998, 0, 1 << 48, "u32 6"),
        stacked,
        late(0x1234),
        late(0x9999),
        Described::kernel("PerfInfo", 48, 2, "u32 2 w TotalCycles w Cache_Misses").expect("a class"),
        Described::kernel("PerfInfo", 73, 3, "u32 19 u32 65536 u32 10000 w TotalCycles").expect("a class"),
        Described::kernel("PerfInfo", 47, 2, "ptr 0x401234 u32 50 u16 19 u16 0").expect("a class"),
        Described::kernel("PerfInfo", 47, 2, "ptr 0x401299 u32 50 u16 10 u16 0").expect("a class"),
        switch,
        Described::kernel(
            "SystemConfig",
            22,
            4,
            "guid 4d36e972-e325-11ce-bfc1-08002be10318 u32 1 u32 2 w ID w T w F w P w drv w up w lo1 w lo2",
        )
        .expect("a class"),
    ];
    trace(pointer, &records).expect("the trace is written")
}

/// Program and what it prints.
const ROWS: &[(&str, &str)] = &[
    // By name, by task and opcode, ignoring case, by number.
    ("microsoft-windows-dotnetruntime:::GC_Start { printf(\"%d;\", args->Count); }", "1;2;3;"),
    ("Microsoft-Windows-DotNETRuntime::gc:start { printf(\"%d;\", args[0]->Count); }", "1;2;3;"),
    ("microsoft-windows-dotnetruntime:::event-1 { printf(\"%d;\", args->Depth); }", "2;2;2;"),
    ("microsoft-windows-dotnetruntime:::event-999 { printf(\"%d;\", arg3); }", "4;"),
    // The name of a value, all versions of an event, fields that a version lacks.
    (
        "microsoft-windows-dotnetruntime:::GC_Start { @[args->Reason_str] = count(); }",
        "\n  Induced                                                           3",
    ),
    (
        "microsoft-windows-dotnetruntime:::Method_LoadVerbose { printf(\"%s.%s %x %d;\", args->MethodNamespace, args->MethodName, args->MethodStartAddress, args->ClrInstanceID); }",
        "Name.Space.Method 5000 9;Old.Space.Older 6000 0;",
    ),
    // Keywords by name and by bits.
    ("microsoft-windows-dotnetruntime:::gc { printf(\"%d;\", arg0); }", "1;1;1;2;"),
    ("microsoft-windows-dotnetruntime:::jit { printf(\"%d;\", arg0); }", "143;143;"),
    ("microsoft-windows-dotnetruntime:::0x31 { printf(\"%d;\", arg0); }", "1;1;1;143;143;2;"),
    // As they are registered, and those that every manifest has: issue 5.
    ("microsoft-windows-dotnetruntime:::gckeyword { printf(\"%d;\", arg0); }", "1;1;1;2;"),
    ("microsoft-windows-dotnetruntime:::JitKeyword { printf(\"%d;\", arg0); }", "143;143;"),
    ("microsoft-windows-dotnetruntime:::win_responsetime { printf(\"%d;\", arg0); }", "998;"),
    ("microsoft-windows-win32k:::win_responsetime { printf(\"no\"); }", ""),
    ("microsoft-windows-dns-client:::global { printf(\"no\"); }", ""),
    // Several events as one record: by several descriptions, a pattern, a keyword, all of a provider. What one lacks is 0.
    (
        "microsoft-windows-dotnetruntime:::GC_Start,microsoft-windows-dotnetruntime:::GC_Stop { printf(\"%s %d %d;\", probename, args->Count, args->Reason); }",
        "GC_Start 1 1;GC_Start 2 1;GC_Start 3 1;GC_Stop 3 0;",
    ),
    (
        "microsoft-windows-dotnetruntime:::GC_* { printf(\"%d %s;\", args->ClrInstanceID, args->Reason_str); }",
        "9 Induced;9 Induced;9 Induced;9 ;",
    ),
    ("microsoft-windows-dotnetruntime:::gckeyword { printf(\"%d;\", args->Count); }", "1;2;3;3;"),
    (
        "microsoft-windows-dotnetruntime:::events { printf(\"%d %d %s;\", arg0, args->ClrInstanceID, args[0]->MethodName); } \
         dtrace:::ERROR { printf(\"E%d;\", arg4); }",
        "1 9 ;1 9 ;1 9 ;143 9 Method;143 0 Older;E1;E1;2 9 ;",
    ),
    ("etw:e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:4_0x1:* { printf(\"%d;\", args->Count); }", "1;2;3;3;"),
    (
        "kernel:::Thread_CSwitch,kernel:::SystemConfig_PnP { printf(\"%d %s;\", args->NewThreadId, args->FriendlyName); }",
        "40 ;50 ;0 F;",
    ),
    // One event in clauses of both kinds, and in two that are not the same.
    (
        "microsoft-windows-dotnetruntime:::GC_Start { printf(\"%d,\", args->Depth); } microsoft-windows-dotnetruntime:::GC_* { printf(\"%d,\", args->Count); } microsoft-windows-dotnetruntime:::events { printf(\"%d;\", args->Count); } \
         dtrace:::ERROR { printf(\"E;\"); }",
        "1;2,1,2;2,2,3;2,3,0;0;E;E;3;3,",
    ),
    // Microsoft's notation: the header, and the fields if the number is given.
    (
        "etw:e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:0xff_0xffffffffffffffff:1 { printf(\"%d %d %d;\", *(uint16_t *)(arg0 + 40), *(uint32_t *)(arg0 + 80), args->Count); }",
        "1 1 1;1 2 2;1 3 3;",
    ),
    (
        "etw:e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:4_0x10:* { printf(\"%d;\", *(uint16_t *)(arg0 + 40)); }",
        "143;143;",
    ),
    (
        "etw:e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:3_0xffffffffffffffff:generic_event { printf(\"%d;\", arg0); }",
        "",
    ),
    // Hardware counters.
    ("pmc:::totalcycles { printf(\"%x;\", arg0); }", "401234;"),
    ("pmc:::cachemisses-10000 { printf(\"%x;\", arg0); }", "401299;"),
    (
        "sched::pmc:on-cpu { printf(\"%d %d %d %d;\", *(uint32_t *)arg4, *(uint32_t *)(arg4 + 4), *(uint64_t *)(arg4 + 8), *(uint64_t *)(arg4 + 16)); }",
        "1 16 5000 66;",
    ),
    ("sched::pmc:on-cpu-cachemisses { printf(\"%d %d;\", arg4, tid); }", "66 50;"),
    ("sched::pmc:off-cpu-totalcycles { printf(\"%d %d;\", arg4, args[0]->pr_lwpid); }", "5000 50;"),
    ("microsoft-windows-dotnetruntime:pmc:GC_Start { printf(\"no\"); }", "(error)"),
    (
        "microsoft-windows-dotnetruntime::pmc:GC_Start { printf(\"%d %d;\", *(uint64_t *)(arg4 + 8), args->Count); }",
        "1000 3;",
    ),
    ("microsoft-windows-dotnetruntime::pmc:0x1 { printf(\"%d;\", *(uint64_t *)(arg4 + 16)); }", "77;"),
    ("microsoft-windows-dotnetruntime::pmc:0x1-totalcycles { printf(\"%d;\", arg4); }", "1000;"),
    ("microsoft-windows-dotnetruntime::pmc:events-totalcycles { printf(\"%d;\", arg4); }", "1000;"),
    ("microsoft-windows-dotnetruntime::pmc:gckeyword-cachemisses { printf(\"%d;\", arg4); }", "77;"),
    // The kernel's own: arrays of texts.
    (
        "kernel:::SystemConfig_PnP { printf(\"%s %d %s %s;\", args->UpperFilters[0], args->LowerFilters_count, args->LowerFilters[1], args->ClassGuid); }",
        "up 2 lo2 4d36e972-e325-11ce-bfc1-08002be10318;",
    ),
    (
        "kernel:::Thread_CSwitch /args->NewThreadId == 50/ { printf(\"%d %d %d;\", args->NewThreadPriority, args->OldThreadWaitReason, tid); }",
        "8 6 50;",
    ),
    ("kernel::Thread:cswitch { printf(\"%d;\", args->NewThreadId); }", "40;50;"),
    // A late half of a stack whose event is not in the trace.
    ("diag:::missed-ustack { printf(\"%x;\", arg0); }", "9999;"),
    // Registered, but not in the trace: it compiles, and does not fire.
    ("microsoft-windows-dxgkrnl:::events { printf(\"no\"); }", ""),
    ("microsoft-windows-dns-client:::event-3006 { printf(\"%s\", args->QueryName); }", ""),
];

/// Issue 3: providers that no trace describes and no common table has are known by the collected ones, when a trace holds an event of
/// theirs; those that it holds none of make no probes.
#[test]
fn events_of_collected_providers_have_probes_and_fields() {
    let registry = "Microsoft-Windows-Kernel-Registry";
    for pointer in [PointerSize::P32, PointerSize::P64] {
        let created = event(registry, 1, 0, 0, "ptr 0x10 ptr 0x20 u32 0 u32 1 w Base w Some\\Key");
        let bytes = trace(pointer, &[created]).expect("the trace is written");
        let program = "microsoft-windows-kernel-registry:::CreateKey { \
                       printf(\"%x %d %s\", args->KeyObject, args->Disposition, args->RelativeName); }";
        assert_eq!(run(program, &bytes).expect("it compiles").0, "20 1 Some\\Key");
        let traces = [Trace::open(&bytes).expect("a trace")];
        let mut catalog = ProbeCatalog::new();
        catalog.survey_by(|| Sightings::of(&traces, Schemas::new()));
        let mut keys = |provider: &str| {
            let mut found = Vec::new();
            let desc = ProbeDesc { provider: provider.into(), name: "*Key".into(), ..ProbeDesc::default() };
            catalog.matches(&desc, &mut found);
            found.len()
        };
        let known = keys("microsoft-windows-kernel-registry");
        assert!(known > 8, "{known}: also what is only described");
        assert_eq!(keys("microsoft-windows-winsock-afd"), 0);
    }
}

/// Issue 5: the events' own descriptions say what would have had to be enabled.
#[test]
fn what_recording_needs() {
    let bytes = sample(PointerSize::P64);
    let trace = Trace::open(&bytes).expect("a trace");
    let traces = [trace];
    let mut catalog = ProbeCatalog::new();
    catalog.survey_by(|| Sightings::of(&traces, Schemas::new()));
    let mut needs = |provider: &str, name: &str| {
        let mut found = Vec::new();
        let desc = ProbeDesc { provider: provider.into(), name: name.into(), ..ProbeDesc::default() };
        catalog.matches(&desc, &mut found);
        let id = *found.first().unwrap_or_else(|| panic!("{provider}:::{name} is there"));
        catalog.needs(id).map(|need| need.to_string()).unwrap_or_default()
    };
    let clr = "microsoft-windows-dotnetruntime";
    for (provider, name, want) in [
        ("dnet", "runtime", "the provider Microsoft-Windows-DotNETRuntime, level 4"),
        (
            "dnet",
            "excp",
            "the provider Microsoft-Windows-DotNETRuntime, keyword ExceptionKeyword 0x8000, level 4",
        ),
        (
            "dnet",
            "method-load",
            "the provider Microsoft-Windows-DotNETRuntime, keyword JitKeyword or NGenKeyword 0x30, level 4",
        ),
        (
            clr,
            "GC_SuspendEEStart",
            "the provider Microsoft-Windows-DotNETRuntime, keyword GCKeyword 0x1, level 4",
        ),
        (
            clr,
            "GC_AllocationTick",
            "the provider Microsoft-Windows-DotNETRuntime, keyword GCKeyword 0x1, level 5",
        ),
        // As it was logged.
        (
            clr,
            "event-998",
            "the provider Microsoft-Windows-DotNETRuntime, keyword win:ResponseTime 0x1000000000000, level 4",
        ),
        ("pmc", "sample", "PMC_PROFILE"),
        ("pmc", "sample-src", "PROFILE or PMC_PROFILE"),
        // Events of one probe that hang on different flags.
        ("fsinfo", "create", "FILE_IO_INIT or DISK_FILE_IO"),
        ("kernel", "FileIo_Create", "FILE_IO_INIT"),
        ("kernel", "FileIo_FileDelete", "DISK_FILE_IO"),
    ] {
        assert_eq!(needs(provider, name), want, "{provider}:::{name}");
    }
}

#[test]
fn a_wrong_field_of_several_events_is_reported_with_the_right_ones() {
    let bytes = sample(PointerSize::P64);
    let error = run("microsoft-windows-dotnetruntime:::GC_* { trace(args->Contt); }", &bytes)
        .expect_err("no such field");
    assert!(error.contains("Contt is not a member") && error.contains("Count"), "{error}");
    let error = run("microsoft-windows-dotnetruntime:::events { trace(args[1]); }", &bytes)
        .expect_err("one argument");
    assert!(error.contains("the probe has 1 argument"), "{error}");
}

#[test]
fn events_by_name_number_keyword_and_counter() {
    let mut wrong = Vec::new();
    for pointer in [PointerSize::P32, PointerSize::P64] {
        let bytes = sample(pointer);
        for (program, want) in ROWS {
            match run(program, &bytes) {
                Ok((have, _)) if without_errors(&have) == want.trim_end_matches('\n') => {}
                Err(_) if *want == "(error)" => {}
                other => wrong.push(format!("{pointer:?} {program}\n want {want:?}\n have {other:?}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Bytes of an event have an address and a size; a text is also made of them.
#[test]
fn issue_23_bytes_have_an_address_and_a_size() {
    let packet = |payload: &str| event("Microsoft-Windows-NDIS-PacketCapture", 1001, 0, 0, payload);
    let records = [
        packet("u32 1 u32 2 u32 5 a5 hello u64 7 u64 8"),
        packet("u32 3 u32 4 u32 2 a2 go u64 9 u64 10"),
        packet("u32 5 u32 6 u32 0 u64 11 u64 12"),
    ];
    let program = "microsoft-windows-ndis-packetcapture:::event-1001 /args->Fragment_size > 0/ {
            this->bytes = (uint8_t *)args->Fragment_raw;
            printf(\"%d %d %c%c %d;\", args->FragmentSize, args->Fragment_size, this->bytes[0],
                this->bytes[args->Fragment_size - 1], args->GftFlowEntryId);
        }
        microsoft-windows-ndis-packetcapture:::event-1001 /args->Fragment_size == 0/ {
            printf(\"%d empty %d;\", args->MiniportIfIndex, args->GftFlowEntryId);
        }";
    for pointer in [PointerSize::P32, PointerSize::P64] {
        let bytes = trace(pointer, &records).expect("the trace is written");
        let (text, unread) = run(program, &bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            (without_errors(&text).as_str(), unread),
            ("5 5 ho 7;2 2 go 9;5 empty 11;", 0),
            "{pointer:?}"
        );
    }
}

/// The fields of a span are those of the event that began it, also where that event takes the place of another in memory.
#[test]
fn issue_23_fields_of_a_span_are_those_of_its_start() {
    let http = |id: u16, payload: &str| event("Microsoft-Windows-HttpService", id, 0, 0, payload);
    let records = [
        http(1, "u64 5 u64 77 u32 0"),
        http(12, "u64 5 u16 200"),
        http(1, "u64 6 u64 78 u32 0"),
        http(1, "u64 7 u64 79 u32 0"),
        http(12, "u64 7 u16 404"),
        http(12, "u64 6 u16 500"),
        http(1, "u64 8 u64 80 u32 0"),
        http(12, "u64 8 u16 201"),
        http(12, "u64 8 u16 202"),
    ];
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let program = "microsoft-windows-httpservice::span:request {
        printf(\"%d %d %d;\", arg0, args[2]->ConnectionId, args[3]->HttpStatus); }";
    let (text, _) = run(program, &bytes).unwrap_or_else(|error| panic!("{error}"));
    let step = 10_000_000;
    let want = [(1, 77, 200), (1, 79, 404), (3, 78, 500), (1, 80, 201)]
        .map(|(steps, connection, status)| format!("{} {connection} {status};", steps * step));
    assert_eq!(text, want.concat());
}

/// An event of the kernel.
fn kernel(class: &str, opcode: u8, version: u8, payload: &str) -> Described {
    Described::kernel(class, opcode, version, payload).expect("a class")
}

/// What a program prints; faults are shown by an ERROR probe.
fn with_errors(program: &str, bytes: &[u8]) -> String {
    let program = format!("{program} dtrace:::ERROR {{ printf(\"E%d;\", arg4); }}");
    let text = run(&program, bytes).unwrap_or_else(|error| panic!("{program}: {error}")).0;
    without_errors(&text)
}

/// What a program prints, without the messages on its faults.
fn without_errors(text: &str) -> String {
    let mut left = String::new();
    let mut parts = text.split("error: dtrace: ");
    left.extend(parts.next());
    for part in parts {
        left.push_str(part.split_once('\n').map_or("", |(_, rest)| rest));
    }
    left
}

/// No field reads as 0 unless it was decoded: an event of a version that no description fits, one without a description,
/// and one whose payload ends early are faults where their fields are read, and only there. A field that the event's version
/// does not have is 0; so is each field of an event without a payload.
#[test]
fn issue_15_no_field_reads_as_0_unless_it_was_decoded() {
    const GRAPHICS: &str = "Microsoft-Windows-DxgKrnl";
    let present = |version: u8, payload: &str| event(GRAPHICS, 184, version, 1, payload);
    let known = |version| {
        let shape = Schemas::new().bundled_of(&providers::guid(GRAPHICS).expect("a registered provider"));
        shape
            .into_iter()
            .any(|(_, id, format)| id == 184 && format.layout.is_some_and(|layout| layout.number == version))
    };
    let unknown = (0..=u8::MAX).rev().find(|&version| !known(version)).expect("not all are described");
    let records = [
        // An odd size, so that no layout of another version ends with it.
        present(unknown, "u8 1 u8 2 u8 3"),
        present(unknown, ""),
        event(CLR, 1, 2, 1, "u32 7 u32 2 u32 1 u32 0 u16 9 u64 0"),
        event(CLR, 1, 2, 1, "u32 8 u32 2"),
        event(CLR, 999, 0, 1, "u32 5"),
        event(CLR, 999, 0, 1, ""),
    ];
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let rows = [
        ("microsoft-windows-dxgkrnl:::Present { printf(\"%x;\", args->Flags); }", "E1;0;"),
        // Reading no field is no fault.
        ("microsoft-windows-dxgkrnl:::Present { printf(\"%d;\", arg3); }", "3;0;"),
        ("microsoft-windows-dxgkrnl:::Present /args->Flags == 0/ { printf(\"zero;\"); }", "E1;zero;"),
        ("microsoft-windows-dotnetruntime:::GC_Start { printf(\"%d;\", args->Count); }", "7;8;"),
        ("microsoft-windows-dotnetruntime:::GC_Start { printf(\"%d;\", args->ClrInstanceID); }", "9;E1;"),
        ("microsoft-windows-dotnetruntime:::GC_Start { printf(\"%s;\", args->Reason_str); }", "Induced;E1;"),
        ("microsoft-windows-dotnetruntime:::events { printf(\"%d;\", args->Count); }", "7;8;E1;0;"),
        ("microsoft-windows-dotnetruntime:::GC_Start { print(*args[0]); }", ""),
    ];
    for (program, want) in rows {
        let have = with_errors(program, &bytes);
        if want.is_empty() {
            assert!(have.contains("Count = 0x7") && have.ends_with("E1;"), "{program}: {have}");
        } else {
            assert_eq!(have, want, "{program}");
        }
    }
}

/// A request has size, place and file from the transfer that follows it with the same packet and kind, whichever order the
/// transfers are done in.
#[test]
fn issue_19_requests_of_disks_know_their_transfers() {
    let done = |opcode: u8, irp: u32, size: u32, offset: u32, file: u32| {
        let payload =
            format!("u32 3 u32 0x43 u32 {size} u32 0 i64 {offset} ptr {file} ptr {irp} u64 10 u32 44");
        kernel("DiskIo", opcode, 3, &payload)
    };
    let request = |opcode: u8, irp: u32| kernel("DiskIo", opcode, 3, &format!("ptr {irp} u32 44"));
    let records = [
        kernel("FileIo", 0, 2, "ptr 0x900 w \\one.txt"),
        request(12, 1),
        request(13, 2),
        done(11, 2, 4096, 700, 0x900),
        done(10, 1, 512, 100, 0x900),
        // The packets are used again; the kind of a transfer is that of its request.
        request(12, 2),
        request(13, 1),
        done(10, 1, 99, 9, 0x900),
        done(10, 2, 1024, 300, 0x800),
        kernel("DiskIo", 15, 3, "ptr 3 u32 44"),
        kernel("DiskIo", 14, 3, "u32 5 u32 0x11 u64 10 ptr 3 u32 44"),
        request(12, 1),
        // A record that ends behind the packet has all that is wanted; one that ends before it is nobody's.
        request(12, 4),
        kernel("DiskIo", 10, 3, "u32 3 u32 0x43 u32 8 u32 0 i64 9 ptr 0x900"),
        kernel("DiskIo", 10, 3, "u32 3 u32 0x43 u32 64 u32 0 i64 9 ptr 0x800 ptr 4"),
    ];
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let rows = [
        ("args[0]->b_bcount", "512;4096;1024;0;0;0;64;"),
        ("args[0]->b_blkno", "100;700;300;0;0;0;9;"),
        ("args[1]->dev_minor", "3;3;3;0;5;0;3;"),
        ("args[0]->b_irpflags", "67;67;67;0;17;0;67;"),
        ("args[0]->b_resp", "0;0;0;0;0;0;0;"),
        ("stringof(args[2]->fi_pathname)", "\\one.txt;\\one.txt;<none>;<none>;<none>;<none>;<none>;"),
    ];
    for (argument, want) in rows {
        let conversion = if argument.starts_with("stringof") { "%s" } else { "%d" };
        let program = format!("io:::start {{ printf(\"{conversion};\", {argument}); }}");
        assert_eq!(with_errors(&program, &bytes), want, "{argument}");
    }
}

/// A thread that goes to wait while its transfer is not done waits for that; one that is preempted does not.
#[test]
fn issue_19_threads_wait_for_the_transfers_that_they_asked_for() {
    let switch = |new: u32, old: u32, state: u32| {
        let rest = format!("i8 6 i8 1 i8 {state} i8 0 u32 3 u32 0");
        kernel("Thread", 36, 3, &format!("u32 {new} u32 {old} i8 8 i8 9 u8 0 i8 0 {rest}"))
    };
    let records = [
        kernel("FileIo", 0, 2, "ptr 0x900 w \\one.txt"),
        kernel("DiskIo", 12, 3, "ptr 1 u32 40"),
        switch(50, 40, 1),
        switch(40, 50, 5),
        switch(50, 40, 5),
        kernel("DiskIo", 10, 3, "u32 3 u32 0x43 u32 512 u32 0 i64 100 ptr 0x900 ptr 1 u64 10 u32 40"),
        switch(40, 50, 5),
        switch(50, 40, 5),
    ];
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let program = "io:::wait-start { printf(\"%d waits for %d;\", tid, args[0]->b_addr); }
        io:::wait-done { printf(\"%d has %d of %s;\", tid, args[0]->b_bcount, args[2]->fi_pathname); }
        sched:::off-cpu /tid == 40/ { printf(\"off;\"); } sched:::on-cpu /tid == 40/ { printf(\"on;\"); }";
    // A wait begins before the processor is left, and ends after it is there again.
    let want = "on;off;on;40 waits for 1;off;on;40 has 512 of \\one.txt;off;";
    assert_eq!(with_errors(program, &bytes), want);
}

/// The arguments of fixed probes follow the same rule: what the payload does not hold, in a translated record or as a plain
/// argument, is a fault where it is read, and only there. What the version does not have is 0.
#[test]
fn issue_15_arguments_of_fixed_probes_are_faults_unless_decoded() {
    let records = [
        kernel("DiskIo", 10, 3, "u32 7 u32 0x100 u32 512 u32 0 u64 4096 ptr 0x10 ptr 0x20 u64 30 u32 44"),
        kernel("DiskIo", 10, 3, "u32 7 u32 0x100"),
        kernel("DiskIo", 10, 3, ""),
        // A version that no table has, with what all versions begin with.
        kernel("DiskIo", 10, 99, "u32 8 u32 0x100 u32 513 u32 0 u64 4096 ptr 0x10 ptr 0x20 u64 30 u32 45"),
        // The start has no size.
        kernel("DiskIo", 12, 3, "ptr 0x10 u32 44"),
        kernel("TcpIp", 10, 2, "u32 9 u32 100"),
        kernel("PageFault", 32, 2, "ptr 0x1000"),
        kernel("Registry", 10, 2, "i64 5 u32 3"),
        kernel("FileIo", 67, 2, "ptr 0 u32 1"),
        kernel("Process", 2, 3, "ptr 0x10 u32 77"),
    ];
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let rows = [
        ("io:::done { printf(\"%d;\", args[0]->b_edev); }", "7;7;E1;8;"),
        ("io:::done { printf(\"%d;\", args[0]->b_bcount); }", "512;E1;E1;513;"),
        ("io:::done { printf(\"%s;\", args[2]->fi_pathname); }", "<none>;E1;E1;<none>;"),
        ("io:::done /args[0]->b_bcount == 0/ { printf(\"zero;\"); }", "E1;E1;"),
        ("io:::done { printf(\"%d;\", args[0]->b_flags); }", "1;1;1;1;"),
        ("io:::start { printf(\"%d %d;\", args[0]->b_bcount, args[0]->b_tid); }", "0 44;"),
        ("tcpip:::send { printf(\"%d;\", args[0]->ip_plength); }", "100;"),
        ("tcpip:::send { printf(\"%s;\", args[0]->ip_saddr); }", "E1;"),
        ("tcpip:::send { printf(\"%d;\", args[0]->ip_ver); }", "E1;"),
        ("pf:::hardflt { printf(\"%d;\", arg0); }", "E1;"),
        ("pf:::hardflt /arg0 == 0/ { printf(\"zero;\"); }", "E1;"),
        ("pf:::hardflt { printf(\"fired;\"); }", "fired;"),
        ("reg:::create { printf(\"%s;\", args[0]->r_rname); }", "E1;"),
        ("reg:::create { printf(\"%d;\", args[0]->r_status); }", "3;"),
        ("fsinfo:::read { printf(\"%d;\", args[0]->fi_bcount); }", "E1;"),
        ("proc:::exit { printf(\"%d;\", arg0); }", "E1;"),
        ("proc:::exit { printf(\"%d;\", args[0]); }", "E1;"),
    ];
    let wrong: Vec<_> = rows
        .iter()
        .map(|(program, want)| (program, *want, with_errors(program, &bytes)))
        .filter(|(_, want, have)| want != have)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let counts = |program: &str| -> Vec<_> {
        let ran = ran(program, &bytes).expect("the program runs");
        ran.undecoded.kinds().map(|(kind, count)| (kind.version, count.read, count.failed)).collect()
    };
    assert_eq!(counts("io:::done { @ = sum(args[0]->b_bcount); }"), [(3, 2, 2), (99, 1, 0)]);
    assert_eq!(counts("pf:::hardflt { @ = sum(arg0); }"), [(2, 1, 1)]);
    assert_eq!(
        counts("io:::done { @a = sum(args[0]->b_flags); } pf:::hardflt { @b = count(); }"),
        [(99, 1, 0)]
    );
}

/// A run reports the types of events whose fields were decoded in part, by another version, or not at all.
#[test]
fn issue_15_a_run_counts_what_it_could_not_decode() {
    let records = [
        event(CLR, 1, 2, 1, "u32 7 u32 2 u32 1 u32 0 u16 9 u64 0"),
        event(CLR, 1, 2, 1, "u32 8 u32 2"),
        event(CLR, 1, 9, 1, "u32 8 u32 2 u32 1 u32 0 u16 9 u64 0 u64 1"),
        event(CLR, 999, 3, 1, "u32 5"),
        event(CLR, 999, 3, 1, "u32 5"),
    ];
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let program = "microsoft-windows-dotnetruntime:::events { @[args->ClrInstanceID] = count(); }";
    let lacks: Vec<_> = ran(program, &bytes)
        .expect("the program runs")
        .undecoded
        .kinds()
        .map(|(kind, count)| (kind.number, kind.version, kind.lack.to_string(), count.read, count.failed))
        .collect();
    let row = |number, version, lack: &str, read, failed| (number, version, lack.to_owned(), read, failed);
    assert_eq!(
        lacks,
        [
            row(999, 3, "no description", 2, 2),
            row(1, 2, "the payload does not follow its description", 1, 1),
            row(1, 9, "decoded by the description of version 2", 1, 1),
        ]
    );
    // What all versions begin with is read in a version that is not described.
    let program = "microsoft-windows-dotnetruntime:::GC_Start { @[args->Count] = count(); }";
    let ran_well = ran(program, &bytes).expect("the program runs");
    let lacks: Vec<_> =
        ran_well.undecoded.kinds().map(|(kind, count)| (kind.version, count.read, count.failed)).collect();
    assert_eq!(lacks, [(9, 1, 0)]);
    let silent = ran("microsoft-windows-dotnetruntime:::events { @ = count(); }", &bytes);
    assert!(silent.expect("the program runs").undecoded.is_empty(), "no field was read");
}

/// A pattern fires once for an event: probes on all events of a provider and on its keywords match only descriptions that name
/// them, and a description without a name is the pattern `*`.
#[test]
fn issue_15_a_pattern_fires_once_per_event() {
    let records: Vec<_> =
        (0..21).map(|n| event(CLR, 1, 2, 1, &format!("u32 {n} u32 2 u32 1 u32 0 u16 9 u64 0"))).collect();
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let rows = [
        ("microsoft-windows-dotnetruntime:::*", 21),
        ("microsoft-windows-dotnetruntime:::", 21),
        ("microsoft-windows-dotnetruntime:::g*", 21),
        ("microsoft-windows-dotnetruntime:::events", 21),
        ("microsoft-windows-dotnetruntime:::gckeyword", 21),
        ("microsoft-windows-dotnetruntime:::e*", 0),
    ];
    for (description, want) in rows {
        let program = format!("{description} {{ @ = count(); }}");
        let (text, _) = match run(&program, &bytes) {
            Ok(ran) => ran,
            Err(error) if want == 0 && error.contains("does not match any probes") => continue,
            Err(error) => panic!("{description}: {error}"),
        };
        assert_eq!(text.trim(), if want == 0 { String::new() } else { want.to_string() }, "{description}");
    }
}

/// A wrong field name is refused with the right ones, the likest first.
#[test]
fn wrong_names_are_refused_with_the_right_ones() {
    let bytes = sample(PointerSize::P64);
    let refused = |program: &str| run(program, &bytes).expect_err("the program is refused");
    let error = refused("microsoft-windows-dotnetruntime:::GC_Start { trace(args->reson); }");
    assert_eq!(
        error,
        "reson is not a member of \"microsoft_windows_dotnetruntime_GC_Start_t\" (did you mean Reason? its \
         members are Reason, Depth, Count, Type, Reason_str, Type_str, ClrInstanceID, ClientSequenceNumber)"
    );
    let error = refused("kernel:::DiskIo_Read { trace(args->TransferSiz); }");
    assert!(error.contains("(did you mean TransferSize? its members are TransferSize, "), "{error}");
    let error = refused("kernel:::Proces_Start { }");
    assert!(error.contains("kernel:::Process_Start"), "{error}");
    let error = refused("kernel:::Process_Start, sched:::off-cpu { trace(args[0]->ProcessId); }");
    let expected = "ProcessId is not a member of \"lwpsinfo_t\" (in the description sched:::off-cpu)";
    assert!(error.starts_with(expected), "{error}");
}

/// A number without the commas between thousands.
fn plain(number: &str) -> String {
    number.trim().replace(',', "")
}

/// A name without punctuation, in lower case.
fn bare(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_ascii_lowercase()
}

/// Compares what a program printed with what TraceEvent shows: numbers with commas or hexadecimal, texts cut.
fn same(ours: &str, theirs: &str) -> bool {
    let (ours, theirs) = (ours.trim(), theirs.trim());
    // A path that names no volume is on the first; a program goes without its extension.
    let path = match ours.strip_prefix("\\Device\\HarddiskVolume") {
        Some(rest) => format!("C:{}", rest.trim_start_matches(|c: char| c.is_ascii_digit())),
        None if ours.starts_with("\\Device\\Mup\\") => ours.replacen("\\Device\\Mup", "\\", 1),
        None if ours.is_empty() => "Idle".to_owned(),
        None if ours.starts_with("\\SystemRoot") => ours.replacen("\\SystemRoot", "C:\\Windows", 1),
        None if ours.starts_with('\\') => format!("C:{ours}"),
        None => ours.strip_suffix(".exe").unwrap_or(ours).to_owned(),
    };
    let signed = ours.parse::<u64>().map_or(String::new(), |n| n.cast_signed().to_string());
    [ours, &path, &signed].iter().any(|ours| same_value(ours, theirs)) || same_date(ours, theirs)
}

/// A date, in the time zone of the machine that wrote the baseline: minutes and seconds are the same
/// everywhere.
fn same_date(ours: &str, theirs: &str) -> bool {
    let theirs = theirs.as_bytes();
    theirs.len() > 17
        && theirs[2] == b'/'
        && ours.as_bytes().get(10) == Some(&b'T')
        && ours.as_bytes().get(14..19) == theirs.get(12..17)
}

fn same_value(ours: &str, theirs: &str) -> bool {
    let cut = |theirs: &str| {
        theirs.strip_suffix("...").is_some_and(|start| {
            ours.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
                || plain(start).len() > 9 && ours.starts_with(&plain(start))
        })
    };
    if ours.eq_ignore_ascii_case(theirs) || cut(theirs) || cut(&theirs.replace(", ", "|")) {
        return true;
    }
    if theirs.replace(", ", "|").eq_ignore_ascii_case(ours) {
        return true;
    }
    let number = ours.parse::<u64>().ok().or_else(|| ours.parse::<i64>().ok().map(i64::cast_unsigned));
    let Some(number) = number else { return false };
    match theirs {
        "True" => return number != 0,
        "False" | "None" | "not_specified" => return number == 0,
        _ => {}
    }
    let text = plain(theirs);
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse::<u64>().ok().or_else(|| text.parse::<i64>().ok().map(i64::cast_unsigned)),
    };
    parsed.is_some_and(|parsed| {
        parsed == number || parsed as u32 == number as u32 && (parsed >> 32 == 0 || number >> 32 == 0)
    })
}

struct Line {
    ms: f64,
    cpu: String,
    fields: Vec<(String, String)>,
}

/// Every value that TraceEvent's baselines print under a field's own name, by a D script.
#[test]
fn arguments_equal_traceevents_values() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let mut ours_of = HashMap::new();
    // Values that TraceEvent shows under the name of another field, or formats differently, are
    // listed there.
    let mut others: Vec<(String, String)> = Vec::new();
    let differences = include_str!("../../cli/tests/traceevent/differences").lines();
    let places = differences.filter_map(|line| Some(line.split_once(" | ")?.0));
    let named = include_str!("../../cli/tests/traceevent/names").lines();
    let places =
        places.chain(named.filter_map(|line| Some(line.strip_prefix("field ")?.split_once(" = ")?.0)));
    // Comments and counts aside.
    for place in places.filter(|place| !place.starts_with('#') && !place.starts_with("count of ")) {
        let (event, field) = place.rsplit_once(": ").expect("an event and a field");
        others.push((event.to_owned(), field.to_owned()));
    }
    // TraceEvent has names for the numbers and bits of these, and reads one where another field is: compared there.
    for (event, field) in [
        ("*", "IrpFlags"),
        ("Microsoft-Windows-Kernel-File/Create", "CreateOptions"),
        ("Microsoft-Windows-Kernel-File/Create", "ShareAccess"),
        ("Windows Kernel/Process/DCStart", "Flags"),
        ("Windows Kernel/Process/DCStop", "Flags"),
        ("Windows Kernel/UdpIp/Recv", "context"),
        ("Windows Kernel/UdpIp/Send", "context"),
    ] {
        others.push((event.to_owned(), field.to_owned()));
    }
    let is_other =
        |event: &str, field: &str| others.iter().any(|(e, f)| (e == "*" || e == event) && f == field);
    for line in include_str!("../../cli/tests/traceevent/names").lines() {
        if let Some((ours, theirs)) = line.split_once(" = ").filter(|_| !line.starts_with("field ")) {
            ours_of.insert(theirs, ours);
        }
    }
    let (mut values, mut events, mut differing) = (0, 0, BTreeMap::<(String, String), String>::new());
    for file in ["primitive-types", "gcevents", "net.4.5.2.x64", "net45-x86-win7"] {
        let bytes = std::fs::read(folder.join(format!("perfview/{file}.etl"))).expect("a trace");
        let text = std::fs::read(folder.join(format!("perfview/{file}.baseline.txt"))).expect("a baseline");
        let text = String::from_utf8_lossy(&text).into_owned();
        let mut lines: BTreeMap<String, Vec<Line>> = BTreeMap::new();
        for line in text.lines().filter_map(|line| line.strip_prefix("EVENT ")) {
            let (ms, rest) = line.split_once(": ").expect("a time");
            let at = rest.find(" PID=").expect("fields");
            let fields: Vec<(String, String)> = rest[at + 1..]
                .split("; ")
                .filter_map(|part| part.split_once('='))
                .map(|(name, value)| (name.to_owned(), value.trim_end_matches(';').to_owned()))
                .collect();
            let cpu = fields.iter().find(|f| f.0 == "ProceNum").map_or(String::new(), |f| plain(&f.1));
            let line = Line { ms: plain(ms).parse().expect("milliseconds"), cpu, fields };
            lines.entry(rest[..at].to_owned()).or_default().push(line);
        }
        // One clause for each event that has a probe, printing every field that a line names.
        let traces = [Trace::open(&bytes).expect("the trace opens")];
        let mut catalog = ProbeCatalog::new();
        catalog.survey_by(|| Sightings::of(&traces, Schemas::new()));
        let mut program = String::from("BEGIN { start = timestamp; }\n");
        let mut asked: HashMap<String, Vec<String>> = HashMap::new();
        for (name, lines) in &lines {
            let ours = ours_of.get(name.as_str()).copied().unwrap_or(name);
            let Some((provider, event)) = ours.split_once('/') else { continue };
            let provider = match provider {
                "Windows Kernel" => "kernel".to_owned(),
                other => tracewell_probes::events::provider_name(other),
            };
            let event = event.replace('/', "_").replace("EventID(", "event-").replace(')', "");
            let desc = ProbeDesc { provider: provider.clone(), name: event.clone(), ..ProbeDesc::default() };
            let mut ids = Vec::new();
            catalog.matches(&desc, &mut ids);
            let Some(fields) = ids.iter().find_map(|&id| catalog.fields(id)) else { continue };
            let named =
                |field: &str| lines.iter().any(|l| l.fields.iter().any(|f| bare(&f.0) == bare(field)));
            let wanted: Vec<(String, String)> = fields
                .into_iter()
                .filter(|(f, _)| {
                    !f.contains(['[', '.']) && (named(f) || f.strip_suffix("_str").is_some_and(named))
                })
                .collect();
            let mut format = format!("E\\t{name}\\t%d\\t%d");
            let mut arguments = String::from("timestamp - start, cpu");
            for (field, ty) in &wanted {
                format.push_str(if ty.contains("text") || ty.contains("char") { "\\t%s" } else { "\\t%d" });
                arguments.push_str(&format!(", args->{field}"));
            }
            program.push_str(&format!("{provider}:::{event} {{ printf(\"{format}\\n\", {arguments}); }}\n"));
            asked.insert(name.clone(), wanted.into_iter().map(|(field, _)| field).collect());
        }
        let (printed, _) = run(&program, &bytes).expect("the program compiles");
        for shown in printed.lines() {
            let parts: Vec<&str> = shown.split('\t').collect();
            let ["E", name, ns, cpu, shown @ ..] = &parts[..] else { continue };
            let ms = ns.parse::<f64>().expect("nanoseconds") / 1e6;
            let Some(fields) = asked.get(*name) else { continue };
            let known = lines.get_mut(*name).expect("the event was asked for");
            let Some(at) = known.iter().position(|l| (l.ms - ms).abs() < 0.001 && l.cpu == *cpu) else {
                continue;
            };
            let line = known.remove(at);
            events += 1;
            for (theirs_name, theirs) in &line.fields {
                let of = |suffix: &str| {
                    let wanted = bare(&format!("{theirs_name}{suffix}"));
                    fields.iter().position(|f| bare(f) == wanted).and_then(|at| shown.get(at)).copied()
                };
                let candidates: Vec<&str> = [of(""), of("_str")].into_iter().flatten().collect();
                if candidates.is_empty() || is_other(name, theirs_name) {
                    continue;
                }
                values += 1;
                if !candidates.iter().any(|ours| same(ours, theirs)) {
                    let what = format!("{file}: theirs `{theirs}`, ours {candidates:?}");
                    differing.insert(((*name).to_owned(), theirs_name.clone()), what);
                }
            }
        }
    }
    println!("{events} events, {values} values, {} kinds of values differ", differing.len());
    for ((event, field), what) in &differing {
        println!("{event} {field}: {what}");
    }
    assert!(events >= 1033 && values >= 5379, "{events} events, {values} values");
    assert!(differing.is_empty(), "{differing:#?}");
}
