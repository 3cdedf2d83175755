//! Live runs on a system that has events of the kernel: the records of the sample trace come as those of a session, and the
//! answers are those over the file. Issue 6.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tracewell_etl::write::{Full, PointerSize};
use tracewell_etl::{Clock, Identity, LogFileHeader, Record, Trace};
use tracewell_schema::kernel::{self, hook};
use tracewell_session::{
    Backlog, Batch, Code, Controller, Counting, Enable, Error, LiveLosses, LiveSource, LogFileMode,
    Properties, ProviderStatus, SessionStatus, SystemTracing, Update,
};
use tracewell_testkit::described::{self, Described};
use tracewell_types::Guid;

use super::fatal::Fatal;
use super::{options, run};
use tracewell_live::session::System;

/// A provider of the sample whose events describe themselves.
const SHOP: &str = "Contoso.ShopApi.Checkout";

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.etl")
}

/// The records of a trace as a session of Windows hands them over: those of the kernel as events of their classes.
fn as_classes(record: &Record<'_>, keys: &Keys) -> Option<Vec<u8>> {
    let payload = keys.list(record);
    let Identity::Kernel { group, opcode } = record.identity() else { return Some(record.bytes().to_vec()) };
    let (kernel_time, user_time) = record.cpu_times().unwrap_or_default();
    let full = Full {
        time: record.time(),
        guid: kernel::by_hook(group, opcode)?.guid,
        opcode: if payload.is_some() { hook::STACK_WALK_STACK as u8 } else { opcode },
        level: 0,
        version: record.version().into(),
        pid: record.pid().unwrap_or(u32::MAX),
        tid: record.tid().unwrap_or(u32::MAX),
        kernel_time,
        user_time,
        pointer_size: if record.pointer_size() == 4 { PointerSize::P32 } else { PointerSize::P64 },
    };
    let mut bytes = Vec::new();
    full.append(payload.as_deref().unwrap_or(record.payload()), &mut bytes).then_some(bytes)
}

/// The stacks that keys of a trace mean: of each key the times of its definitions, and their frames.
#[derive(Default)]
struct Keys(HashMap<u64, Vec<(i64, Vec<u8>)>>);

impl Keys {
    fn of(trace: &Trace<'_>) -> Keys {
        let mut keys = Keys::default();
        let mut records = trace.by_time();
        while let Some(record) = records.next() {
            if let Some(hook::STACK_WALK_KEY_DELETE | hook::STACK_WALK_KEY_RUNDOWN) = record.hook() {
                let (key, frames) = record.payload().split_first_chunk().unwrap();
                keys.0.entry(u64::from_le_bytes(*key)).or_default().push((record.time(), frames.to_vec()));
            }
        }
        keys
    }

    /// The payload of a stack that is a list, as sessions that do not share stacks have it; [`None`] for other records.
    fn list(&self, record: &Record<'_>) -> Option<Vec<u8>> {
        let Some(hook::STACK_WALK_STACK_KEY_KERNEL | hook::STACK_WALK_STACK_KEY_USER) = record.hook() else {
            return None;
        };
        let (head, key) = record.payload().split_at(16);
        let of_key = self.0.get(&u64::from_le_bytes(key.try_into().unwrap()))?;
        // A definition ends a key.
        let (_, frames) = of_key.iter().find(|(time, _)| *time >= record.time()).unwrap();
        Some([head, frames].concat())
    }
}

/// A sample of a hardware counter, as a session of Windows hands it over.
fn counter_sample(time: i64, ip: u64, source: u16) -> Vec<u8> {
    let full = Full {
        time,
        guid: kernel::class("PerfInfo").unwrap().guid,
        opcode: 47,
        level: 0,
        version: 2,
        pid: u32::MAX,
        tid: u32::MAX,
        kernel_time: 0,
        user_time: 0,
        pointer_size: PointerSize::P64,
    };
    let payload = [&ip.to_le_bytes()[..], &0u32.to_le_bytes(), &source.to_le_bytes(), &[0; 2]].concat();
    let mut bytes = Vec::new();
    assert!(full.append(&payload, &mut bytes));
    bytes
}

/// What a session was asked for.
#[derive(Clone, Debug, Default)]
struct Asked {
    properties: Properties,
    enabled: Vec<Enable>,
    states: Vec<Guid>,
    tracing: Option<SystemTracing>,
    counting: Option<Counting>,
    stopped: bool,
}

/// A system whose sessions all give the records of one trace, and then end.
#[derive(Default)]
struct Stage {
    asked: Arc<Mutex<Asked>>,
    /// It has no events of the kernel.
    plain: bool,
    /// It has no hardware counters.
    countless: bool,
    /// Its stacks are lists, not keys that are defined at the end.
    lists_stacks: bool,
    /// Samples of hardware counters that follow the trace: instruction pointer and source.
    counted: Vec<(u64, u16)>,
    /// The trace, if it is not the sample.
    trace: Option<Vec<u8>>,
}

impl Stage {
    fn status(&self) -> SessionStatus {
        SessionStatus {
            properties: self.asked.lock().unwrap().properties.clone(),
            ..SessionStatus::default()
        }
    }
}

impl Controller for Stage {
    fn start(&self, properties: &Properties) -> Result<SessionStatus, Error> {
        self.asked.lock().unwrap().properties = properties.clone();
        Ok(self.status())
    }
    fn query(&self, _: &str) -> Result<SessionStatus, Error> {
        Ok(self.status())
    }
    fn stop(&self, _: &str) -> Result<SessionStatus, Error> {
        self.asked.lock().unwrap().stopped = true;
        Ok(self.status())
    }
    fn flush(&self, _: &str, _: Option<&str>) -> Result<SessionStatus, Error> {
        Ok(self.status())
    }
    fn update(&self, _: &str, _: &Update) -> Result<SessionStatus, Error> {
        Ok(self.status())
    }
    fn list(&self) -> Result<Vec<SessionStatus>, Error> {
        Ok(Vec::new())
    }
    fn enable(&self, _: &str, enable: &Enable) -> Result<(), Error> {
        self.asked.lock().unwrap().enabled.push(enable.clone());
        Ok(())
    }
    fn disable(&self, _: &str, _: Guid) -> Result<(), Error> {
        Ok(())
    }
    fn capture_state(&self, _: &str, provider: Guid) -> Result<(), Error> {
        self.asked.lock().unwrap().states.push(provider);
        Ok(())
    }
    fn providers(&self) -> Result<Vec<ProviderStatus>, Error> {
        // Windows does not report names.
        let guid = tracewell_session::provider::guid_of_name(SHOP);
        Ok(vec![ProviderStatus { guid, processes: vec![4], ..ProviderStatus::default() }])
    }
    fn has_system_events(&self) -> bool {
        !self.plain
    }
    fn counters(&self) -> Result<Vec<String>, Error> {
        let counters = ["Timer", "TotalCycles", "Cache Misses"].map(str::to_owned).to_vec();
        Ok(if self.countless { Vec::new() } else { counters })
    }
    fn count(&self, _: &str, counting: &Counting) -> Result<(), Error> {
        self.asked.lock().unwrap().counting = Some(counting.clone());
        Ok(())
    }
    fn trace_system(&self, _: &str, tracing: &SystemTracing) -> Result<(), Error> {
        self.asked.lock().unwrap().tracing = Some(tracing.clone());
        Ok(())
    }
    fn attach(&self, _: &str, _: Backlog) -> Result<Box<dyn LiveSource>, Error> {
        let bytes = self.trace.clone().unwrap_or_else(|| std::fs::read(sample()).unwrap());
        let trace = Trace::open(&bytes).map_err(|e| Error::new(Code::INVALID_PARAMETER, e.to_string()))?;
        let mut batches = VecDeque::new();
        let keys = if self.lists_stacks { Keys::of(&trace) } else { Keys::default() };
        let mut records = trace.by_time();
        let mut batch = Batch::default();
        while let Some(record) = records.next() {
            let bytes = as_classes(&record, &keys).unwrap();
            batch.push(&Record::parse(&bytes, record.cpu()).unwrap());
            if batch.len() == 1000 {
                batches.push_back(std::mem::take(&mut batch));
            }
        }
        for (ip, source) in &self.counted {
            let bytes = counter_sample(trace.clock().raw_at(trace.header().end_time.unix_ns()), *ip, *source);
            batch.push(&Record::parse(&bytes, 0).unwrap());
        }
        batches.push_back(batch);
        Ok(Box::new(Played { header: trace.header().clone(), clock: *trace.clock(), batches }))
    }
}

struct Played {
    header: LogFileHeader,
    clock: Clock,
    batches: VecDeque<Batch>,
}

impl LiveSource for Played {
    fn header(&self) -> &LogFileHeader {
        &self.header
    }
    fn clock(&self) -> &Clock {
        &self.clock
    }
    fn losses(&self) -> LiveLosses {
        LiveLosses::default()
    }
    fn next(&mut self, _: Duration) -> Result<Option<Batch>, Error> {
        Ok(self.batches.pop_front())
    }
}

/// What a command line writes; live where it names no trace.
fn answer(words: &[&str], system: Option<System>) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("answer");
    let words = words.iter().map(|word| (*word).to_owned());
    let words: Vec<String> = words.chain(["-o".to_owned(), output.display().to_string()]).collect();
    let inv = options::read(&words).unwrap();
    match run(&inv, || system) {
        Ok(_) => Ok(std::fs::read_to_string(output).unwrap()),
        Err(Fatal(line)) => Err(line),
    }
}

/// Runs a program live on the stage; yields what it wrote and what the session was asked for.
fn live(program: &str) -> (String, Asked) {
    live_on(Stage::default(), program)
}

fn live_on(stage: Stage, program: &str) -> (String, Asked) {
    let asked = Arc::clone(&stage.asked);
    let text = answer(&["-qn", program], Some(System::over(Arc::new(stage)))).unwrap();
    let asked = asked.lock().unwrap().clone();
    assert!(asked.stopped, "the session ends with the run");
    (text, asked)
}

fn flags(names: &[&str]) -> u32 {
    names.iter().map(|name| kernel::flag_named(name).and_then(kernel::Flag::bit).unwrap()).sum()
}

const ALWAYS: [&str; 2] = ["PROCESS", "THREAD"];

/// One service host of the sample appears only at the end of the trace, so a live reader cannot know it.
const KNOWN: &str = "execname != \"svchost.exe\" && execname != \"<unknown>\"";

#[test]
fn live_answers_are_those_over_the_file() {
    let trace = sample().display().to_string();
    let questions: &[(&str, &[&str])] = &[
        ("proc:::start { @[args[0]->pr_fname] = count(); }", &["DISK_FILE_IO"]),
        ("sched:::off-cpu /KNOWN/ { @[execname] = count(); }", &["CSWITCH"]),
        (
            "sched:::on-cpu { self->at = timestamp; } sched:::off-cpu /self->at && KNOWN/ { @[execname] = sum(timestamp - self->at); self->at = 0; }",
            &["CSWITCH"],
        ),
        ("profile:::sample-997 /KNOWN/ { @[execname, cpu] = count(); }", &["PROFILE"]),
        (
            "io:::done /KNOWN/ { @[execname, args[0]->b_flags] = sum(args[0]->b_bcount); }",
            &["DISK_IO", "DISK_FILE_IO"],
        ),
        (
            "tcpip:::send /KNOWN/ { @[execname, args[0]->ip_daddr] = count(); }",
            &["NETWORK_TCPIP", "DISK_FILE_IO"],
        ),
        // Of its two events each hangs on another flag.
        ("fsinfo:::create /KNOWN/ { @[execname] = count(); }", &["FILE_IO_INIT", "DISK_FILE_IO"]),
        ("kernel:::Process_Start { printf(\"%s \", args->CommandLine); }", &["DISK_FILE_IO"]),
        (
            "sched:::wakeup /KNOWN && args[1]->pr_fname != \"svchost.exe\" && args[1]->pr_fname != \"<unknown>\"/ { @[execname, args[1]->pr_fname] = count(); }",
            &["DISPATCHER", "DISK_FILE_IO"],
        ),
    ];
    for (program, groups) in questions {
        let program = &program.replace("KNOWN", KNOWN);
        let (text, asked) = live(program);
        let file = answer(&["-qn", program, "-E", &trace], None).unwrap();
        assert!(file.trim().len() > 5, "{program}: {file:?}");
        assert_eq!(text, file, "{program}");
        let wanted = flags(&ALWAYS) | flags(groups);
        assert_eq!(asked.properties.enable_flags, wanted, "{program}: {:#x}", asked.properties.enable_flags);
        let mode = LogFileMode::REAL_TIME.with(LogFileMode::SYSTEM_LOGGER);
        assert_eq!((asked.properties.mode, asked.enabled.len()), (mode, 0), "{program}");
    }
}

/// A clause on several events of the kernel reads the record that these share.
#[test]
fn issue_13_events_share_a_record_live_too() {
    let trace = sample().display().to_string();
    let program = "kernel:::Process_Start, kernel:::Thread_Start { @[probename] = sum(args->ProcessId); }";
    let text = live(program).0;
    assert_eq!(
        text.split_whitespace().collect::<Vec<_>>(),
        ["Process_Start", "112580", "Thread_Start", "210816"]
    );
    assert_eq!(text, answer(&["-qn", program, "-E", &trace], None).unwrap());
}

#[test]
fn stacks_of_the_kernel_wait_for_their_events() {
    // Without the symbols beside the sample, which a live run does not have.
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("sample.etl");
    std::fs::copy(sample(), &trace).unwrap();
    let trace = trace.display().to_string();
    let class = |name| kernel::class(name).unwrap().guid;
    let questions: &[(&str, (Guid, u8), Option<u32>)] = &[
        (
            "profile:::sample-997 /KNOWN/ { @[execname, ustack(), stack()] = count(); }",
            (class("PerfInfo"), 46),
            Some(10030),
        ),
        (
            "profile:::sample-100 /KNOWN && ustackdepth > 2/ { @[execname, stackdepth, ucaller] = count(); }",
            (class("PerfInfo"), 46),
            Some(100_000),
        ),
    ];
    for (program, event, interval) in questions {
        let program = &program.replace("KNOWN", KNOWN);
        let (text, asked) = live_on(Stage { lists_stacks: true, ..Stage::default() }, program);
        let file = answer(&["-qn", program, "-E", &trace], None).unwrap();
        assert!(file.lines().count() > 20, "{program}: {file:.400}");
        assert_eq!(text, file, "{program}");
        assert_eq!(asked.tracing, Some(SystemTracing { stacks: vec![*event], sample_interval: *interval }));
        let images = asked.properties.enable_flags & flags(&["IMAGE_LOAD"]) != 0;
        assert_eq!(images, program.contains("stack()"), "{program}");
    }
}

#[test]
fn providers_beside_the_kernel() {
    let trace = sample().display().to_string();
    let program = "contoso.shopapi.checkout:::OrderPlaced { @[execname, args->shipping.carrier] = sum(args->amountCents); } \
                   proc:::start { @starts[args[0]->pr_fname] = count(); }";
    let (text, asked) = live(program);
    let file = answer(&["-qn", program, "-E", &trace], None).unwrap();
    assert_eq!(text, file);
    let guid = tracewell_session::provider::guid_of_name(SHOP);
    assert_eq!(asked.enabled.last(), Some(&Enable::all_of(guid)));
    // A keyword of a provider that is known without events, its stacks and its state.
    let program = "microsoft-windows-dotnetruntime:::gc { @[ustackdepth] = count(); } \
                   microsoft-windows-dotnetruntime:::capturestate, tick-1s {}";
    let asked = live(program).1;
    let runtime = tracewell_schema::providers::guid("Microsoft-Windows-DotNETRuntime").unwrap();
    let last = asked.enabled.last().unwrap();
    assert_eq!((last.provider, last.any, last.stacks), (runtime, 0, true));
    assert_eq!((asked.states, asked.properties.enable_flags), (vec![runtime], 0));
}

#[test]
fn what_no_session_logs_is_refused() {
    let refused =
        |program| answer(&["-qn", program], Some(System::over(Arc::new(Stage::default())))).unwrap_err();
    for program in ["pmc:::LlcMisses { @ = count(); }", "sched::pmc:on-cpu-llcmisses { @ = count(); }"] {
        let line = refused(program);
        assert!(line.contains("cannot fire live") && line.contains("llcmisses"), "{line}");
    }
    let line = refused("pmc:::LlcMisses { @ = count(); }");
    assert!(line.contains("cannot fire live") && line.contains("PMC_PROFILE"), "{line}");
    assert!(line.contains("what the kernel's sessions log"), "{line}");
    let line = refused("sched:::on-cup { @ = count(); }");
    assert!(line.contains("does not match any probes"), "{line}");
}

/// Probes on whatever a session logs: on what other probes asked for, else on the processes and threads of the machine.
#[test]
fn issue_13_diag_fires_live() {
    let trace = sample().display().to_string();
    let questions: &[(&str, &[&str])] = &[
        ("diag:::events { @[arg1, arg2] = sum(arg3); }", &[]),
        ("diag:::ignored { @[arg1] = count(); } sched:::on-cpu { @switches = count(); }", &["CSWITCH"]),
    ];
    for (program, groups) in questions {
        let (text, asked) = live(program);
        let file = answer(&["-qn", program, "-E", &trace], None).unwrap();
        assert!(text.lines().count() > 5, "{text}");
        assert_eq!(text, file, "{program}");
        let asked = asked.properties.enable_flags & !flags(&["DISK_FILE_IO"]);
        assert_eq!(asked, flags(&ALWAYS) | flags(groups), "{program}");
    }
    // Beside providers, it asks for nothing.
    let asked =
        live("diag:::events { @ = count(); } contoso.shopapi.checkout:::events { @others = count(); }").1;
    assert_eq!((asked.properties.enable_flags, asked.enabled.len()), (0, 1));
    // Where no session logs anything for the program, they cannot fire.
    let plain = || Some(System::over(Arc::new(Stage { plain: true, ..Stage::default() })));
    let line = answer(&["-qn", "diag:::events { @ = count(); }"], plain()).unwrap_err();
    assert!(line.contains("diag:::events (needs a probe on events that a session logs)"), "{line}");
    let program = "diag:::events { @ = count(); } contoso.shopapi.checkout:::events { @others = count(); }";
    assert!(answer(&["-qn", program], plain()).is_ok());
}

/// The answers to programs over records, live and over a file of them.
fn both(records: &[&str], programs: &[&str]) -> Vec<String> {
    let records = records.iter().map(|line| {
        let mut record = Described::parse(line).unwrap();
        // Of the events here, those that end a collection carry the first half of their stack.
        record.stack = (record.version == 1).then(|| (0x1234, vec![0x40_1000]));
        record
    });
    let bytes = described::trace(PointerSize::P64, &records.collect::<Vec<_>>()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("records.etl");
    std::fs::write(&path, &bytes).unwrap();
    let path = path.display().to_string();
    let each = programs.iter().map(|program| {
        let text = live_on(Stage { trace: Some(bytes.clone()), ..Stage::default() }, program).0;
        assert_eq!(text, answer(&["-qn", program, "-E", &path], None).unwrap(), "{program}");
        text.trim().to_owned()
    });
    each.collect()
}

/// Stacks whose event does not come are reported as they are over a file.
#[test]
fn issue_13_stacks_without_an_event_fire_live() {
    let start = described::START;
    let stack = |opcode: u8, steps: i64, tid: u32, rest: &str| {
        let time = start + steps * described::STEP;
        format!("StackWalk {opcode} 2 | u64 {time} u32 100 u32 {tid} {rest}")
    };
    let lines = [
        "PerfInfo 46 2 | ptr 0x401000 u32 50 u16 1 u16 0".to_owned(),
        stack(32, 1, 50, "ptr 0x401000"),
        stack(32, 1, 44, "ptr 0x401000 ptr 0x402000"),
        stack(38, 2, 44, "ptr 0x77"),
        "StackWalk 36 2 | ptr 0x77 ptr 0x403000 ptr 0x404000 ptr 0x405000".to_owned(),
        "Microsoft-Windows-DotNETRuntime 82 0 by 100/40 | u16 9 u16 0 u32 1 u64 0x404000".to_owned(),
        "Microsoft-Windows-DotNETRuntime 2 1 by 100/44 | u32 3 u32 2 u16 9".to_owned(),
        "Microsoft-Windows-DotNETRuntime 82 0 by 100/44 | u16 9 u16 0 u32 1 u64 0x404000".to_owned(),
        "Microsoft-Windows-Kernel-EventTracing 18 0 | u64 0x1234 u64 0x402000".to_owned(),
        "Microsoft-Windows-Kernel-EventTracing 18 0 | u64 0x9999 u64 0x402000".to_owned(),
        stack(32, 3, 40, "ptr 0x401000"),
    ];
    let lines = lines.each_ref().map(String::as_str);
    let program = |name: &str| {
        format!("diag:::{name} {{ printf(\"%x %d %s %d;\", arg0, tid, execname, ustackdepth); }}")
    };
    let programs = ["missed-stack", "missed-ustack", "missed-dnet-stack"].map(program);
    let answers = both(&lines, &programs.each_ref().map(String::as_str));
    let at = |steps: i64| start + steps * described::STEP;
    let stacks = format!("{:x} 44 app.exe 2;{:x} 44 app.exe 3;{:x} 40 app.exe 1;", at(1), at(2), at(3));
    assert_eq!(answers, [&stacks, "9999 44 app.exe 1;", "9 40 app.exe 1;"]);
}

/// Events of providers fire for the counters that they carry, as over a file, and no session is asked to count.
#[test]
fn issue_13_counters_of_events_of_providers_fire_live() {
    let gc = "u32 2 u32 1 u32 0 u16 9 u64 0";
    let lines = [
        "PerfInfo 48 2 | u32 2 w TotalCycles w Cache_Misses".to_owned(),
        format!("Microsoft-Windows-DotNETRuntime 1 2 keyword 1 | u32 1 {gc}"),
        format!("Microsoft-Windows-DotNETRuntime 1 2 keyword 1 counters 1000,77 | u32 2 {gc}"),
        format!("Microsoft-Windows-DotNETRuntime 1 2 keyword 1 counters 3000,99 | u32 3 {gc}"),
    ];
    let lines = lines.each_ref().map(String::as_str);
    let answers = both(
        &lines,
        &[
            "microsoft-windows-dotnetruntime::pmc:GC_Start { printf(\"%d %d;\", *(uint64_t *)(arg4 + 8), args->Count); }",
            "microsoft-windows-dotnetruntime::pmc:GC_Start-cachemisses { printf(\"%d %d;\", arg4, args->Count); }",
            "microsoft-windows-dotnetruntime::pmc:gckeyword-totalcycles { printf(\"%d;\", arg4); }",
        ],
    );
    assert_eq!(answers, ["1000 2;3000 3;", "77 2;99 3;", "1000;3000;"]);
    // A keyword's counters need the events of that keyword only. Those of self-describing events are not refused either.
    let runtime = tracewell_schema::providers::guid("Microsoft-Windows-DotNETRuntime").unwrap();
    let asked = live("microsoft-windows-dotnetruntime::pmc:gckeyword { @ = count(); }").1;
    assert_eq!(asked.enabled.last(), Some(&Enable { any: 1, ..Enable::all_of(runtime) }));
    assert_eq!((asked.counting, asked.properties.enable_flags), (None, 0));
    let (text, asked) = live("contoso.shopapi.checkout::pmc:OrderPlaced { @ = count(); }");
    assert_eq!((text.trim(), asked.counting), ("", None));
}

/// The session counts what the probes name, and samples of other counters do not fire.
#[test]
fn issue_13_hardware_counters_fire_live() {
    let stage =
        || Stage { counted: vec![(0x40_1234, 19), (0x40_5678, 10), (0x40_1234, 19)], ..Stage::default() };
    let (text, asked) = live_on(stage(), "pmc:::totalcycles { @[arg0] = count(); }");
    assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["4198964", "2"]);
    let cycles = || vec!["TotalCycles".to_owned()];
    assert_eq!(asked.counting, Some(Counting { sampled: cycles(), ..Counting::default() }));
    assert_eq!(asked.properties.enable_flags & !flags(&["DISK_FILE_IO"]), flags(&ALWAYS));
    let switch = (kernel::class("Thread").unwrap().guid, 36);
    let misses = || vec!["Cache Misses".to_owned()];
    let asked_for = |program| live_on(stage(), program).1.counting;
    assert_eq!(
        asked_for(
            "sched::pmc:on-cpu-cachemisses { @ = sum(arg4); } pmc:::cachemisses-10000 { @s = count(); }"
        ),
        Some(Counting { sampled: misses(), carried: misses(), events: vec![switch] })
    );
    // A probe that names no counter gets those of the machine.
    assert_eq!(
        asked_for("sched::pmc:on-cpu { @ = count(); }"),
        Some(Counting {
            carried: [cycles(), misses()].concat(),
            events: vec![switch],
            ..Counting::default()
        })
    );
    assert_eq!(asked_for("sched:::on-cpu { @ = count(); }"), None);
}

/// The same over Windows' own event tracing, whose functions a stand-in takes the place of: the session is found to have been
/// asked for what the script needs, and is played the sample.
#[cfg(all(windows, feature = "stand-in"))]
#[test]
fn the_back_end_of_windows() {
    use tracewell_session::windows::{WindowsEtw, fake};
    // Without the symbols beside the sample, which a live run does not have.
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("sample.etl");
    std::fs::copy(sample(), &trace).unwrap();
    let trace = trace.display().to_string();
    let name = format!("dtrace-{}", std::process::id());
    let shop = tracewell_session::provider::guid_of_name(SHOP);
    let questions: &[(&str, u32, Option<Guid>)] = &[
        (
            "sched:::off-cpu /KNOWN/ { @[execname] = count(); }",
            flags(&["PROCESS", "THREAD", "CSWITCH"]),
            None,
        ),
        (
            "profile:::sample-997 /KNOWN/ { @[execname, ustack()] = count(); }",
            flags(&["PROCESS", "THREAD", "PROFILE", "IMAGE_LOAD"]),
            None,
        ),
        ("contoso.shopapi.checkout:::events { @[arg0, arg3] = count(); }", 0, Some(shop)),
        (
            "proc:::start { @[args[0]->pr_fname] = count(); } contoso.shopapi.checkout:::0xffffffff { @others[probename] = count(); }",
            flags(&["PROCESS", "THREAD", "DISK_FILE_IO"]),
            Some(shop),
        ),
    ];
    for (program, groups, provider) in questions {
        let program = &program.replace("KNOWN", KNOWN);
        let ran = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                // The program attaches, then enables.
                let ready = || match provider {
                    Some(guid) => fake::asked(&name, *guid).is_some(),
                    None => fake::started(&name).is_some() && fake::any_consumer(&name),
                };
                while !ready() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                let started = fake::started(&name).unwrap();
                let bytes = std::fs::read(sample()).unwrap();
                let trace = Trace::open(&bytes).unwrap();
                let keys = Keys::of(&trace);
                let mut records = trace.by_time();
                while let Some(record) = records.next() {
                    if keys.list(&record).is_some() {
                        let bytes = as_classes(&record, &keys).unwrap();
                        fake::play_record(&name, &Record::parse(&bytes, record.cpu()).unwrap(), None);
                        continue;
                    }
                    let class = match record.identity() {
                        Identity::Kernel { group, opcode } => {
                            Some(kernel::by_hook(group, opcode).unwrap().guid)
                        }
                        _ => None,
                    };
                    fake::play_record(&name, &record, class);
                }
                WindowsEtw.stop(&name).unwrap();
                started
            });
            let text = answer(&["-qn", program], Some(System::over(Arc::new(WindowsEtw))));
            (text.unwrap(), other.join().unwrap())
        });
        let (text, (mode, enabled)) = ran;
        assert_eq!(enabled, *groups, "{program}");
        // EVENT_TRACE_REAL_TIME_MODE, EVENT_TRACE_SYSTEM_LOGGER_MODE, EVENT_TRACE_USE_MS_FLUSH_TIMER
        assert_eq!(mode, 0x110 | if *groups == 0 { 0 } else { 0x0200_0000 }, "{program}");
        assert_eq!(text, answer(&["-qn", program, "-E", &trace], None).unwrap(), "{program}");
    }
    assert_eq!(fake::sample_interval(), Some(10_030));
}

/// Providers that only Windows has are not waited for where their events cannot come.
#[test]
fn issue_23_events_may_come_of_what_is_known_or_may_run_here() {
    let linux = tracewell_kernel_linux::PROVIDER;
    let shop = tracewell_session::provider::guid_of_name(SHOP);
    let tcpip = Guid::parse("2f07e2ee-15db-40f1-90ef-9d7ba282188a");
    let other = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ac");
    for (is_linux, plain) in [(false, false), (false, true), (true, false), (true, true)] {
        let system = System::over(Arc::new(Stage { plain, ..Stage::default() })).of_linux(is_linux);
        // (provider, whether its events may come, a program has it, it is known)
        for (guid, may_log, has_programs, knows) in [
            (linux, is_linux, is_linux, false),
            (shop, true, true, true),
            (tcpip, !is_linux && !plain, false, false),
            (other, true, false, false),
        ] {
            let found = (system.may_log(&guid), system.has_programs(&guid), system.knows(&guid));
            assert_eq!(found, (may_log, has_programs, knows), "{guid}, Linux: {is_linux}, plain: {plain}");
        }
        assert_eq!(system.has_system_events(), !plain);
        assert_eq!(system.has_groups(0), !plain);
        let offered = tracewell_kernel_linux::flags::all();
        assert_eq!(system.has_groups(offered), !plain);
        assert_eq!(system.has_groups(!offered), !plain && !is_linux);
        assert_eq!((system.has_tracepoints(), system.samples()), (is_linux, is_linux));
        let counters = ["timer", "totalcycles", "cachemisses", "cache-misses", "cycles"];
        let known = counters.map(|name| system.has_counter(Some(name)));
        assert_eq!((known, system.has_counter(None)), ([true, true, true, false, false], true));
        let countless = Stage { plain, countless: true, ..Stage::default() };
        let none = System::over(Arc::new(countless)).of_linux(is_linux);
        assert!(!none.has_counter(None) && !none.has_counter(Some("timer")));
    }
}
