//! The tables and the timeline over real traces: how much of what the trace knows is found.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a test reports what it measured")]

use std::collections::BTreeMap;

use tracewell_decode::Accessor;
use tracewell_etl::{Record, Trace};
use tracewell_schema::kernel;
use tracewell_state::{Machine, MachineBuilder, NameId, Timeline};

const SAMPLE: u16 = 0x0F2E;

fn machine(trace: &Trace<'_>) -> Machine {
    let mut builder = MachineBuilder::new();
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        builder.observe(&record);
    }
    assert_eq!(builder.unread(), 0, "defining events without the fields of their layout");
    builder.finish()
}

fn field(record: &Record<'_>, name: &str) -> Option<u64> {
    let layout = tracewell_decode::kernel_event(record)?.version;
    Accessor::new(layout, name, record.pointer_size())?.int(record.payload())
}

fn is(record: &Record<'_>, class: &str, opcodes: &[u8]) -> bool {
    let group = kernel::class(class).and_then(|class| class.group).unwrap();
    record.hook().is_some_and(|hook| hook >> 8 == u16::from(group) && opcodes.contains(&(hook as u8)))
}

#[derive(Default, Debug, PartialEq, Eq)]
struct Found {
    samples: u64,
    samples_unresolved: u64,
    /// Samples whose instruction lies in no image of the process and in no driver.
    samples_outside: u64,
    switches: u64,
    switches_inconsistent: u64,
    net: u64,
    net_unresolved: u64,
    disk: u64,
    disk_unnamed: u64,
    disk_unowned: u64,
    faults: u64,
    faults_unnamed: u64,
    /// Records of PERFINFO form that the running thread resolves.
    other_unresolved: u64,
    other: u64,
}

/// Measures one trace, if it is there, and hands the per-process sample counts on as well.
fn measure(name: &str) -> Option<(Found, BTreeMap<String, u64>)> {
    let bytes = std::fs::read(tracewell_corpus::folder()?.join(name)).unwrap();
    let trace = Trace::open(&bytes).unwrap();
    let machine = machine(&trace);
    let mut timeline = Timeline::new(&machine);
    let mut found = Found::default();
    let mut by_process = BTreeMap::new();
    let mut unresolved: BTreeMap<String, u64> = BTreeMap::new();
    let mut records = trace.by_time();
    while let Some(record) = records.next() {
        if let Some(switch) = timeline.apply(&record) {
            found.switches += 1;
            found.switches_inconsistent += u64::from(!switch.consistent);
            continue;
        }
        let who = timeline.who(&record);
        let process = who.process.and_then(|index| machine.process(index));
        let resolved = process.is_some();
        let mut miss = |what: &str| {
            *unresolved.entry(format!("{what} pid {:?} tid {:?}", who.pid, who.tid)).or_default() += 1;
        };
        if record.hook() == Some(SAMPLE) {
            found.samples += 1;
            let tid = field(&record, "ThreadId").unwrap() as u32;
            assert_eq!(who.tid, Some(tid));
            let address = field(&record, "InstructionPointer").unwrap();
            if machine.image_at(who.pid.unwrap_or(0), address, record.time()).is_none() {
                found.samples_outside += 1;
                miss(&format!("outside {:#x}", address >> 20));
            }
            match process {
                Some(process) => {
                    *by_process.entry(machine.name(process.value.image_lower).to_owned()).or_default() += 1;
                }
                None => {
                    found.samples_unresolved += 1;
                    miss("sample");
                }
            }
        } else if is(&record, "TcpIp", &[10, 11, 12, 13, 14, 15, 16, 18, 26, 27, 28, 29, 30, 31, 32, 34])
            || is(&record, "UdpIp", &[10, 11, 26, 27])
        {
            found.net += 1;
            found.net_unresolved += u64::from(!resolved);
            assert_eq!(who.pid.map(u64::from), field(&record, "PID"));
            if !resolved {
                miss("net");
            }
        } else if is(&record, "DiskIo", &[10, 11]) {
            found.disk += 1;
            let key = field(&record, "FileObject").unwrap();
            if machine.transferred_file_at(key, record.time()).is_none() {
                found.disk_unnamed += 1;
                miss(if key == 0 { "disk without a file" } else { "disk file" });
            }
            if !resolved {
                found.disk_unowned += 1;
                miss("disk");
            }
        } else if is(&record, "PageFault", &[32]) {
            found.faults += 1;
            let name = machine.transferred_file_at(field(&record, "FileObject").unwrap(), record.time());
            found.faults_unnamed += u64::from(name.is_none());
        } else if record.pid().is_none() && record.hook().is_some() {
            found.other += 1;
            found.other_unresolved += u64::from(!resolved);
        }
    }
    assert_eq!(found.switches_inconsistent, timeline.inconsistent_switches());
    println!("{name}: {found:#?}\nunresolved {unresolved:#?}\n{by_process:#?}");
    println!(
        "processes {} threads {} images {} files {} names {} ({} bytes) volumes {}",
        machine.processes().len(),
        machine.threads().len(),
        machine.images().len(),
        machine.files().len(),
        machine.names().len(),
        machine.names().bytes().len(),
        machine.volumes().len()
    );
    Some((found, by_process))
}

#[test]
fn slow_ppt() {
    let Some((found, by_process)) = measure("randomascii/slow-ppt.etl") else { return };
    let wanted = Found {
        samples: 136_370,
        samples_outside: 3,
        switches: 29_533,
        disk: 353,
        faults: 1,
        other: 306_927,
        ..Found::default()
    };
    assert_eq!(found, wanted, "everything resolves; context switches are a chain on every processor");
    assert_eq!(by_process.get("powerpnt.exe"), Some(&8_754));
    assert_eq!(by_process.values().sum::<u64>(), 136_370);
}

#[test]
fn net45_x86_win7() {
    let Some((found, _)) = measure("perfview/net45-x86-win7.etl") else { return };
    // Without context switches, the owner of records without ids is unknown.
    assert_eq!((found.other, found.other_unresolved), (26_353, 7_821));
    let (other, other_unresolved) = (found.other, found.other_unresolved);
    let wanted = Found {
        samples: 16_865,
        samples_outside: 110,
        net: 168,
        disk: 536,
        faults: 35,
        other,
        other_unresolved,
        ..Found::default()
    };
    assert_eq!(found, wanted);
}

#[test]
fn net452_x64() {
    let Some((found, _)) = measure("perfview/net.4.5.2.x64.etl") else { return };
    // Compiled at run time, for the most part: no image holds that code.
    assert_eq!((found.samples, found.samples_unresolved, found.samples_outside), (79_528, 0, 4_678));
    assert_eq!((found.net, found.net_unresolved), (526, 0));
    // One file that no event names is read once, by a page fault.
    assert_eq!((found.disk, found.disk_unnamed, found.disk_unowned), (1_229, 0, 0));
    assert_eq!((found.faults, found.faults_unnamed), (153, 0));
}

/// Properties of the tables over the whole corpus.
#[test]
fn tables_are_sound_everywhere() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let mut most = 0;
    for (name, bytes) in tracewell_corpus::contents(&folder) {
        let trace = Trace::open(&bytes).unwrap();
        if name.starts_with("sawbuck/") && name.contains("_64_") {
            // 64-bit payloads that a 32-bit test program logged under its own header.
            continue;
        }
        let machine = machine(&trace);
        let processes: Vec<_> = machine.processes().collect();
        for pair in processes.windows(2) {
            let [a, b] = pair else { continue };
            assert!(a.value.pid < b.value.pid || a.end < b.start, "{name}: {a:?} {b:?}");
        }
        for span in machine.processes() {
            assert!(span.start <= span.end, "{name}: {span:?}");
            assert_ne!(span.value.image, NameId::EMPTY, "{name}: {span:?}");
        }
        let threads: Vec<_> = machine.threads().collect();
        for pair in threads.windows(2) {
            let [a, b] = pair else { continue };
            assert!(a.value.tid < b.value.tid || a.end < b.start, "{name}: {a:?} {b:?}");
        }
        for span in machine.threads() {
            if let Some(process) = span.value.process.and_then(|index| machine.process(index)) {
                assert_eq!(process.value.pid, span.value.pid);
            }
        }
        for span in machine.images() {
            let at = span.start.max(0);
            if span.value.size > 0 && span.contains(at) {
                let found = machine.image_at(span.value.pid, span.value.base, at).unwrap();
                assert!(found.value.base <= span.value.base);
            }
        }
        most = most.max(machine.names().bytes().len());
        assert_eq!(
            machine.name(machine.process(machine.process_at(0, 0).unwrap()).unwrap().value.image_lower),
            "idle"
        );
    }
    assert!(most < 16 << 20, "{most} bytes of names");
}

/// Broken files give what they hold, and nothing panics.
#[test]
fn broken_traces_are_survived() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let mut records_seen = 0;
    for entry in std::fs::read_dir(folder.join("derived")).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let Ok(trace) = Trace::open(&bytes) else { continue };
        let mut builder = MachineBuilder::new();
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            builder.observe(&record);
        }
        let machine = builder.finish();
        let mut timeline = Timeline::new(&machine);
        let mut records = trace.by_time();
        while let Some(record) = records.next() {
            timeline.apply(&record);
            let who = timeline.who(&record);
            assert!(who.process.is_none() || who.pid.is_some());
            records_seen += 1;
        }
    }
    assert!(records_seen > 100, "{records_seen}");
}

/// Merged traces contain the drive letter of each volume; nearly every file is on one of them.
#[test]
fn paths_get_their_drive_letters() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    for (name, least) in [("randomascii/slow-ppt.etl", 99), ("perfview/net45-x86-win7.etl", 99)] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let trace = Trace::open(&bytes).unwrap();
        let machine = machine(&trace);
        let (mut mapped, mut all) = (0, 0);
        let mut left = BTreeMap::<String, u64>::new();
        let paths = machine.files().map(|span| span.value.path).chain(machine.images().map(|s| s.value.file));
        for path in paths {
            let path = machine.name(path);
            all += 1;
            match machine.volumes().to_dos(path) {
                Some((drive, rest)) => {
                    mapped += 1;
                    assert!(drive.is_empty() || drive.ends_with('\\'), "{drive} {rest}");
                }
                None => *left.entry(path.chars().take(24).collect()).or_default() += 1,
            }
        }
        println!("{name}: {mapped} of {all}; left {left:#?} {:?}", machine.volumes());
        assert!(mapped * 100 >= all * least, "{name}: {mapped} of {all}");
    }
}
