//! The forms that scripts in the field are written in, each over records that it is about, and over real traces that
//! have such. Without the traces the second test says that it is skipped.

mod described;

use described::{ran, run};
use tracewell_etl::write::PointerSize;
use tracewell_schema::providers;
use tracewell_testkit::described::{Described, Kind, trace};

fn event(provider: &str, id: u16, payload: &str) -> Described {
    let guid = providers::guid(provider).expect("a registered provider");
    Described::new(Kind::Event(guid, id, 0x8000_0000_0000_0000, 4), 0, payload)
}

fn kernel(class: &str, opcode: u8, version: u8, payload: &str) -> Described {
    Described::kernel(class, opcode, version, payload).expect("a class")
}

fn records() -> Vec<Described> {
    let mut switch =
        kernel("Thread", 36, 4, "u32 50 u32 40 i8 8 i8 9 u8 0 i8 0 i8 6 i8 1 i8 5 i8 0 u32 3 u32 0");
    switch.counters = vec![5000, 66];
    let mut isr = kernel("PerfInfo", 67, 2, "u64 1000099000 ptr 0x80123456 u8 1 u16 0xb1 u8 0");
    isr.counters = vec![7000, 88];
    vec![
        kernel(
            "Image",
            10,
            2,
            "ptr 0x400000 ptr 0x10000 u32 100 u32 1 u32 2 u32 0 ptr 0 u32 0 u32 0 u32 0 u32 0 w \\x\\app.exe",
        ),
        kernel("PerfInfo", 46, 2, "ptr 0x401000 u32 40 u16 1 u16 0"),
        kernel("PerfInfo", 46, 2, "ptr 0x402000 u32 40 u16 1 u16 0"),
        kernel(
            "DiskIo",
            10,
            3,
            "u32 0 u32 0x43 u32 4096 u32 0 i64 0x5000 ptr 0xaa00 ptr 0xfe00 u64 25 u32 44",
        ),
        kernel("PerfInfo", 51, 2, "ptr 0x402222"),
        kernel("PerfInfo", 52, 2, "u32 0"),
        kernel("PerfInfo", 68, 2, "u64 1000099000 ptr 0x80123456"),
        isr,
        event("Microsoft-Windows-Win32k", 38, "u32 5 u32 700"),
        event(
            "Microsoft-Windows-DNS-Client",
            3006,
            "w www.example.com u32 1 u64 2 w \"\" u32 0 u32 0 u32 0 u32 0",
        ),
        event("Microsoft-Windows-PowerShell", 7937, "w context w user_data w payload_text"),
        event(
            "Microsoft-Windows-NDIS-PacketCapture",
            1001,
            "u32 1 u32 2 u32 6 u8 1 u8 2 u8 3 u8 4 u8 0x45 u8 6",
        ),
        kernel("TcpIp", 11, 2, "u32 200 u32 512 ip 192.0.2.2 ip 192.0.2.1 port 80 port 5000 u32 1 ptr 1"),
        kernel("PerfInfo", 48, 2, "u32 2 w TotalCycles w InstructionRetired"),
        kernel("Thread", 50, 4, "u32 50 i8 1 i8 2 i8 0 i8 0"),
        switch,
        kernel(
            "SystemConfig",
            10,
            2,
            "u32 2600 u32 4 u32 8192 u32 4096 u32 65536 w256 HOST w134 DOMAIN ptr 1",
        ),
        kernel("SystemConfig", 28, 2, "u32 96 u32 120"),
    ]
}

/// Script, and what it prints.
const FORMS: &[(&str, &str)] = &[
    ("BEGIN { printf(\"hello\"); } END { printf(\" world\"); }", "hello world"),
    // 16-bit strings, and both clocks.
    ("proc:::module-load { printf(\"%s %d\", wstringof(args[0]), wstrlen(args[0])); }", "\\x\\app.exe 10"),
    (
        "proc:::module-load { printf(\"%ws|%-12ws|\", args[0], (wchar_t *)arg0); }",
        "\\x\\app.exe|\\x\\app.exe  |",
    ),
    (
        "tick-100ms { printf(\"%d\", etwtimestamp == timestamp); } tick-20ms { printf(\"%d%d;\", etwwalltimestamp == walltimestamp, probeprov == \"profile\"); }",
        "11;11;11;11;111;11;11;11;11;",
    ),
    // The trace's header among all that arrives, by its class.
    (
        "diag:::events /stringof(arg0) == \"{68fdd900-4a3e-11d1-84f40000f80464e3}\" && arg2 == 0/ { printf(\"%d %d\", arg1, arg3 > 200); }",
        "0 1",
    ),
    ("diag:::events { @[stringof(arg0)] = count(); } END { printa(\"%s %@d;\", @); }", "{01853a65"),
    ("diag:::ignored { @n = count(); } profile:::sample-997 { } END { printa(\"%@d;\", @n); }", "26;"),
    // Where time goes: modules and symbols, user and kernel.
    (
        "profile:::profile-1234hz { @[umod(arg1)] = count(); } profile:::sample-1999 { @u[umod(arg1)] = count(); } END { trunc(@); printa(\"%A %@d;\", @u); trunc(@u); }",
        "app 2;",
    ),
    (
        "profile:::sample-999 { @[execname, ustack(5)] = count(); @c[caller, ucaller] = count(); } END { printf(\"ok\"); clear(@); trunc(@); trunc(@c); }",
        "ok",
    ),
    (
        "profile:::sample-999 { @[tid] = lquantize((timestamp / 1000000) % 10, 0, 10, 1); } END { trunc(@); printf(\"ok\"); }",
        "ok",
    ),
    // Input and output by file, with the names of flags.
    (
        "io:::done /args[0]->b_flags & B_READ/ { printf(\"%s %s %s %d %d\", execname, args[1]->dev_statname, args[2]->fi_pathname, args[0]->b_bcount, args[0]->b_irpflags & IRP_PAGING_IO); }",
        "app.exe C: C:\\dir\\file.txt 4096 2",
    ),
    (
        "io::: { @[probename, args[2]->fi_name] = sum(args[0]->b_bcount); } END { printa(\"%s %s %@d;\", @); }",
        "done file.txt 4096;",
    ),
    // System calls, deferred calls and interrupts by routine.
    (
        "syscall:::entry { self->at = arg0; } syscall:::return /self->at/ { printf(\"%x %d\", self->at, args[0]); self->at = 0; }",
        "402222 0",
    ),
    (
        "dpc:::, isr::: { @[probeprov, probename, sym(arg1)] = count(); } END { printa(\"%s %s %@d;\", @); }",
        "dpc dpc 1;isr isr 1;",
    ),
    // Providers by name, whatever the case; ids, and payloads by hand.
    (
        "microsoft-windows-win32k:::events /arg0 == 38/ { printf(\"%d %d %d\", *(uint32_t *)arg2, *(uint32_t *)(arg2 + 4), arg3); }",
        "5 700 8",
    ),
    (
        "Microsoft-Windows-Win32k::: /arg0 == 38/ { printf(\"%s %s\", probeprov, probename); }",
        "microsoft-windows-win32k MessageCheckDelay",
    ),
    (
        "microsoft-windows-dns-client:::events /arg0 == 3006/ { printf(\"%s %d\", wstringof((wchar_t *)arg2), arg4); }",
        "www.example.com 0",
    ),
    (
        "microsoft-windows-powershell:::events /arg0 == 7937/ { this->next = arg2 + 2 * (wstrlen((wchar_t *)arg2) + 1); this->last = this->next + 2 * (wstrlen((wchar_t *)this->next) + 1); printf(\"%s\", wstringof((wchar_t *)this->last)); }",
        "payload text",
    ),
    (
        "microsoft-windows-ndis-packetcapture:::events { this->data = (uint8_t *)(arg2 + 12); printf(\"%d %d %x\", *(uint32_t *)(arg2 + 8), ntohs(*(uint16_t *)this->data), this->data[4]); }",
        "6 258 45",
    ),
    (
        "microsoft-windows-ndis-packetcapture:::capturestate, microsoft-windows-ndis-packetcapture:::events { printf(\"%d %d\", *(uint16_t *)(arg2 - 4), *(uint8_t *)(arg2 - 2)); }",
        "1001 0",
    ),
    // Packets, and who they are for.
    (
        "tcpip:::receive { printf(\"%s %s:%d > %s:%d %d\", execname, args[0]->ip_saddr, args[1]->tcp_sport, args[0]->ip_daddr, args[1]->tcp_dport, args[0]->ip_plength); }",
        "svc.exe 192.0.2.1:5000 > 192.0.2.2:80 512",
    ),
    // Who wakes whom, and how long it waited.
    (
        "sched:::wakeup { self->woke = 1; printf(\"%s>%s;\", execname, args[1]->pr_fname); } sched:::off-cpu /pid == 100/ { printf(\"%d %d\", curlwpsinfo->pr_waitr, args[0]->pr_lwpid); }",
        "app.exe>svc.exe;6 50",
    ),
    // Counters of an interval.
    (
        "sched::pmc:on-cpu { this->c = (etw_pmc_t *)arg4; printf(\"%d %d\", this->c->pmc_size, this->c->pmc_counters[1]); }",
        "16 66",
    ),
    ("isr::pmc:isr-totalcycles { printf(\"%d %x\", arg4, arg1); }", "7000 80123456"),
    ("pmc:::counter-src { printf(\"%d %s\", args[0], wstringof(*args[1])); }", "2 TotalCycles"),
    // Types of a script's own where the library has such: with a translator from the bytes, laid over them, and by
    // the name of the type only; the library's are there for all others.
    (
        "typedef struct hwcpu { uint32_t mhz; uint32_t n; string computer; } hwcpu_t; translator hwcpu_t < uintptr_t P > { mhz = *(uint32_t *)P; n = *(uint32_t *)(P + 4); computer = wstringof((wchar_t *)(P + 20)); }; hwconfig:::cpu { printf(\"%d %d %s\", xlate <hwcpu_t> ((uintptr_t)arg0).mhz, xlate <hwcpu_t> ((uintptr_t)arg0).n, xlate <hwcpu_t> ((uintptr_t)arg0).computer); } hwconfig:::dpi { printf(\" %d\", args[0]->hw_user); }",
        "2600 4 HOST 120",
    ),
    (
        "typedef struct hwcpu { uint32_t mhz; uint32_t n; uint32_t memsz; uint32_t pagesz; uint32_t granularity; wchar_t computer[256]; wchar_t domain[132]; } hwcpu_t; hwconfig:::cpu { printf(\"%d %d %ws %ws\", args[0]->mhz, args[0]->n, args[0]->computer, args[0]->domain); }",
        "2600 4 HOST DOMAIN",
    ),
    (
        "typedef struct cpus { uint32_t mhz; uint32_t n; } hwcpu_t; hwconfig:::cpu { printf(\"%d %d\", args[0]->n, ((hwcpu_t *)arg0)->mhz); }",
        "4 2600",
    ),
    (
        "struct mine { uint32_t mhz; }; typedef struct mine hwcpu_t; translator hwcpu_t < etw_systemconfig_10_t *R > { mhz = R->MHz + 1; }; hwconfig:::cpu { printf(\"%d\", args[0]->mhz); }",
        "2601",
    ),
    // A translator of the script's own reads the event's bytes, whatever it calls these.
    (
        "typedef struct hwcpu { uint32_t mhz; string computer; int wide; } hwcpu_t; translator hwcpu_t < char *P > { mhz = *(uint32_t *)P; computer = wstringof((wchar_t *)(P + 20)); wide = *(uint8_t *)(P - 1); }; hwconfig:::cpu { printf(\"%d %s %d %d\", args[0]->mhz, args[0]->computer, args[0]->wide, *(uint8_t *)(arg0 - 2)); }",
        "2600 HOST 1 2",
    ),
    (
        "struct raw { uint32_t mhz; uint32_t n; }; typedef struct hwcpu { uint32_t all; } hwcpu_t; translator hwcpu_t < struct raw *R > { all = R->mhz * R->n; }; hwconfig:::cpu { printf(\"%d %d %d\", args[0]->all, arg1 > 700, arg2); }",
        "10400 1 1",
    ),
    // Modules of older versions, constants and members under the names of the originals.
    ("proc:MSNT_SystemTrace::module-load { printf(\"%s\", probename); }", "module-load"),
    ("isr:systemtrace:event:isr { printf(\"%d\", arg3); }", "177"),
    (
        "io:::done { printf(\"%d %d %d\", args[0]->resp == args[0]->b_resp, args[2]->fi_sflags & FILE_SHARE_READ, FILE_ATTRIBUTE_HIDDEN); }",
        "1 0 2",
    ),
    (
        "sched:::on-cpu { printf(\"%d %d %s %s\", curthread->tid, curthread->waitr, stringof(curthread->proc->name), stringof(curthread->t_name)); }",
        "40 0 app.exe 50 0 svc.exe ",
    ),
    (
        "sched::pmc:on-cpu { this->p = (etwext_t *)arg4; printf(\"%d %d %d\", xlate <etw_pmc_t> (this->p).pmc_type, xlate <etw_pmc_t> (this->p).pmc_size, xlate <etw_pmc_t *> (this->p)->pmc_counters[0]); }",
        "1 16 5000",
    ),
    // A profile shows where the last sample found the processor.
    (
        "profile-100hz { @[umod(arg1), arg0] = count(); } END { printa(\"%A %x;\", @); trunc(@); }",
        "app 0;0x0 0;",
    ),
    // A record as a whole: its texts are shown as such.
    (
        "hwconfig:::dpi { print(*args[0]); }",
        "hwdpi_t {\n    uint64_t hw_machine = 0x60\n    uint64_t hw_user = 0x78\n}",
    ),
    (
        "microsoft-windows-dns-client:::event-3006 { print(*args[0]); }",
        "microsoft_windows_dns_client_event_3006_t {\n    string QueryName = [ \"www.example.com\" ]\n    uint64_t QueryType = 0x1\n    uint64_t QueryOptions = 0x2\n    string ServerList = [ \"\" ]\n    uint64_t IsNetworkQuery = 0\n    uint64_t NetworkQueryIndex = 0\n    uint64_t InterfaceIndex = 0\n    uint64_t IsAsyncQuery = 0\n}",
    ),
    // An empty clause on one provider.
    ("microsoft-windows-win32k::: { }", ""),
];

#[test]
fn forms_in_the_field_run() {
    let mut wrong = Vec::new();
    let bytes = trace(PointerSize::P64, &records()).expect("the trace is written");
    for (program, want) in FORMS {
        match run(program, &bytes) {
            // What is shown in full is held by other tests.
            Ok((have, 0))
                if have == *want
                    || want.starts_with("{01853a65") && have.contains("microsoft-windows-win32k 1;") => {}
            other => wrong.push(format!("{program}\n want {want:?}\n have {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Real traces, and the forms whose events they contain, by words that occur in them.
const REAL: &[(&str, &[&str])] = &[
    (
        "perfview/net45-x86-win7.etl",
        &[
            "wstringof(args[0])",
            "%ws|%-12ws",
            "arg2 == 0",
            "@[stringof(arg0)]",
            "profile-1234hz",
            "ustack(5)",
            "lquantize",
            "B_READ",
            "sum(args[0]->b_bcount)",
            "tcpip:::receive",
            "dns-client:::events",
            "dns-client:::event-3006",
            "xlate <hwcpu_t>",
            "computer[256]",
            "struct cpus",
            "struct mine",
        ],
    ),
    (
        "randomascii/slow-ppt.etl",
        &["dpc:::, isr:::", "win32k:::events /arg0 == 38/", "win32k::: { }", "sched:::wakeup"],
    ),
    ("krabsetw/powershell.etl", &["powershell:::events"]),
];

#[test]
fn forms_in_the_field_run_over_real_traces() {
    let Some(corpus) = tracewell_corpus::folder() else { return };
    let mut wrong = Vec::new();
    for (trace, forms) in REAL {
        let bytes = std::fs::read(corpus.join(trace)).expect("the trace is readable");
        for words in *forms {
            let mut matching = FORMS.iter().filter(|(program, _)| program.contains(words));
            let (Some((program, _)), None) = (matching.next(), matching.next()) else {
                panic!("{words} is in one form");
            };
            match ran(program, &bytes) {
                Ok(done) if done.unread == 0 && done.firings > 0 && !done.text.contains("error: ") => {}
                Ok(done) => wrong.push(format!(
                    "{trace}: {} firings, {} unread, {:?}\n {program}",
                    done.firings,
                    done.unread,
                    done.text.lines().find(|line| line.contains("error: "))
                )),
                Err(why) => wrong.push(format!("{trace}: {why}\n {program}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
