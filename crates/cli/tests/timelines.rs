//! Values in exported timelines and folded stacks, compared with the records of the trace. The exports and the records are read here, by the
//! documentation of their formats, so that nothing is compared with itself (issue 23).

mod common;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tracewell_etl::{Record, Trace};

/// A record of the sample: time in nanoseconds since the start of the trace, processor, hook, and payload.
struct Raw {
    ns: i64,
    cpu: u16,
    hook: u16,
    payload: Vec<u8>,
}

impl Raw {
    fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.payload[at..at + 4].try_into().unwrap())
    }

    fn u64(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.payload[at..at + 8].try_into().unwrap())
    }

    fn i8(&self, at: usize) -> i8 {
        self.payload[at].cast_signed()
    }
}

/// Start, end, and listings at the start and at the end of the trace.
const THREAD: [u16; 4] = [0x0501, 0x0502, 0x0503, 0x0504];
const SWITCH: u16 = 0x0524;
const DISK: [(u16, &str); 3] = [(0x010A, "Read"), (0x010B, "Write"), (0x010E, "Flush")];
const PROCESS: [u16; 4] = [0x0301, 0x0302, 0x0303, 0x0304];

/// The kernel records of the sample in order of time. Its clock ticks every 100 ns.
fn records() -> Vec<Raw> {
    let bytes = std::fs::read(common::sample()).unwrap();
    let trace = Trace::open(&bytes).unwrap();
    let start = trace.header().raw_time;
    let mut all = Vec::new();
    let mut cursor = trace.by_time();
    let raw = |record: &Record<'_>, hook| Raw {
        ns: (record.time() - start) * 100,
        cpu: record.cpu(),
        hook,
        payload: record.payload().to_vec(),
    };
    while let Some(record) = cursor.next() {
        all.extend(record.hook().map(|hook| raw(&record, hook)));
    }
    all
}

fn export(options: &[&str]) -> Vec<u8> {
    let mut command = common::command("etw");
    let out =
        command.args(["export", "testdata/sample.etl", "-q", "-o", "-"]).args(options).output().unwrap();
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    out.stdout
}

/// Milliseconds of the Firefox Profiler in nanoseconds.
fn ns(ms: &Value) -> Option<i64> {
    ms.as_f64().map(|ms| (ms * 1e6).round() as i64)
}

/// Start and end of a process or thread, where the trace has them.
type Life = (Option<i64>, Option<i64>);

#[test]
fn processes_and_threads_begin_and_end_as_recorded() {
    let records = records();
    let mut threads: BTreeMap<(u32, u32), Vec<Life>> = BTreeMap::new();
    let mut processes: BTreeMap<u32, Vec<Life>> = BTreeMap::new();
    for record in &records {
        let lives = match record.hook {
            hook if PROCESS.contains(&hook) => processes.entry(record.u32(8)).or_default(),
            hook if THREAD.contains(&hook) => threads.entry((record.u32(0), record.u32(4))).or_default(),
            _ => continue,
        };
        // A start begins a new life of the number; an end and a listing belong to the current one.
        if lives.is_empty() || record.hook & 0xFF == 1 {
            lives.push((None, None));
        }
        let life = lives.last_mut().unwrap();
        match record.hook & 0xFF {
            1 => life.0 = Some(record.ns),
            2 => life.1 = Some(record.ns),
            _ => {}
        }
    }
    // The same from what the sample was made from.
    let truth: Value =
        serde_json::from_slice(&std::fs::read(common::root().join("testdata/sample.truth.json")).unwrap())
            .unwrap();
    for (list, is_start) in [("process_starts", true), ("process_exits", false)] {
        for row in truth[list].as_array().unwrap() {
            let lives = &processes[&(row["pid"].as_u64().unwrap() as u32)];
            let found =
                lives.iter().any(|life| row["at_ns"].as_i64() == if is_start { life.0 } else { life.1 });
            assert!(found, "{row}: {lives:?}");
        }
    }
    let file: Value = serde_json::from_slice(&export(&["--firefox"])).unwrap();
    let (mut ended, mut begun) = (0, 0);
    for thread in file["threads"].as_array().unwrap() {
        let number =
            |value: &Value| value.as_u64().or_else(|| value.as_str()?.split('.').next()?.parse().ok());
        let (pid, tid) = (number(&thread["pid"]).unwrap() as u32, number(&thread["tid"]).unwrap() as u32);
        if thread["processName"] == "Machine" || !threads.contains_key(&(pid, tid)) {
            continue;
        }
        // What began before the trace is shown from its start.
        let shown = |life: &Life| (life.0.or(Some(0)), life.1);
        let from = (ns(&thread["processStartupTime"]), ns(&thread["processShutdownTime"]));
        assert!(processes[&pid].iter().any(|life| shown(life) == from), "process {pid}: {from:?}");
        let from = (ns(&thread["registerTime"]), ns(&thread["unregisterTime"]));
        assert!(
            threads[&(pid, tid)].iter().any(|life| shown(life) == from),
            "thread {tid} of {pid}: {from:?}"
        );
        ended += u32::from(from.1.is_some());
        begun += u32::from(from.0 != Some(0));
    }
    assert!(ended > 5 && begun > 5, "{begun} begun, {ended} ended");
}

/// Each transfer has its name, duration, size, offset and file.
#[test]
fn transfers_have_their_values() {
    let mut want = BTreeMap::new();
    for record in records() {
        let Some((_, name)) = DISK.iter().find(|(hook, _)| *hook == record.hook) else { continue };
        let (took, details) = match *name {
            "Flush" => (record.u64(8), String::new()),
            _ => (record.u64(40), format!("bytes={}, offset={}", record.u32(8), record.u64(16))),
        };
        let start = record.ns - took as i64 * 100;
        *want.entry((start, record.ns, (*name).to_owned(), details)).or_insert(0) += 1;
    }
    assert!(want.len() > 50, "{}", want.len());
    let mut files = BTreeSet::new();
    let mut have = BTreeMap::new();
    let file: Value = serde_json::from_slice(&export(&["--firefox"])).unwrap();
    for thread in file["threads"].as_array().unwrap() {
        let strings = thread["stringArray"].as_array().or(file["shared"]["stringArray"].as_array()).unwrap();
        let text = |value: &Value| match value.as_u64() {
            Some(at) => strings[at as usize].as_str().unwrap().to_owned(),
            None => value.as_str().unwrap_or_default().to_owned(),
        };
        let marks = &thread["markers"];
        for at in 0..marks["length"].as_u64().unwrap() as usize {
            let name = text(&marks["name"][at]);
            if !DISK.iter().any(|(_, known)| *known == name) {
                continue;
            }
            let data = marks["data"][at].as_object().unwrap();
            let texts: Vec<String> = data.values().map(text).collect();
            let details = texts.iter().find(|text| text.contains('=')).cloned().unwrap_or_default();
            let (values, path) = match details.split_once("file=") {
                Some((values, path)) => (values.trim_end_matches(", ").to_owned(), path),
                None => (details.clone(), ""),
            };
            files.insert(path.to_owned());
            let key =
                (ns(&marks["startTime"][at]).unwrap(), ns(&marks["endTime"][at]).unwrap(), name, values);
            *have.entry(key).or_insert(0) += 1;
        }
    }
    assert_eq!(have, want);
    let truth: Value =
        serde_json::from_slice(&std::fs::read(common::root().join("testdata/sample.truth.json")).unwrap())
            .unwrap();
    // Paths as logged begin with a device, which the trace maps to a drive.
    let mut volumes: Vec<(&str, &str)> = truth["volumes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["nt"].as_str().unwrap(), row["dos"].as_str().unwrap()))
        .collect();
    volumes.sort_by_key(|(nt, _)| std::cmp::Reverse(nt.len()));
    let shown = |path: &str| {
        let found = volumes.iter().find_map(|(nt, dos)| Some(format!("{dos}{}", path.strip_prefix(nt)?)));
        found.unwrap_or_else(|| path.to_owned())
    };
    let named =
        truth["disk"]["by_file"].as_array().unwrap().iter().map(|row| shown(row["path"].as_str().unwrap()));
    assert_eq!(files, named.collect::<BTreeSet<String>>());
}

/// Fields of a protobuf message: number and value; that of a nested message is its bytes.
fn fields(mut bytes: &[u8]) -> Vec<(u64, u64, &[u8])> {
    fn varint(bytes: &mut &[u8]) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let (first, rest) = bytes.split_first().unwrap();
            *bytes = rest;
            value |= u64::from(first & 0x7f) << shift;
            shift += 7;
            if first & 0x80 == 0 {
                return value;
            }
        }
    }
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        match key & 7 {
            0 => found.push((key >> 3, varint(&mut bytes), &[][..])),
            2 => {
                let length = varint(&mut bytes) as usize;
                let (inside, rest) = bytes.split_at(length);
                found.push((key >> 3, 0, inside));
                bytes = rest;
            }
            kind => panic!("wire type {kind}"),
        }
    }
    found
}

/// A context switch: time, processor, new and old thread, their priorities, why, in which mode and in which state the old one
/// left.
type Switch = (i64, u16, [u32; 2], [i8; 2], i8, bool, i8);

fn switches(trace: &[u8]) -> Vec<Switch> {
    let mut all = Vec::new();
    for (_, _, packet) in fields(trace) {
        for (_, _, bundle) in fields(packet).into_iter().filter(|(number, ..)| *number == 95) {
            for (_, _, event) in fields(bundle).into_iter().filter(|(number, ..)| *number == 2) {
                let event = fields(event);
                let get = |list: &[(u64, u64, &[u8])], wanted| {
                    list.iter().find(|(number, ..)| *number == wanted).map(|(_, value, _)| *value)
                };
                let Some((.., inside)) = event.iter().find(|(number, ..)| *number == 2) else { continue };
                let inside = fields(inside);
                let of = |number| get(&inside, number).unwrap_or(0);
                // Signed numbers are 0, -1, 1, -2 and so on.
                let signed = |value: u64| (value >> 1).cast_signed() ^ -((value & 1).cast_signed());
                let state = get(&inside, 8).unwrap_or_else(|| signed(of(13)).cast_unsigned()) as i8;
                all.push((
                    get(&event, 1).unwrap() as i64,
                    get(&event, 4).unwrap() as u16,
                    [of(1) as u32, of(2) as u32],
                    // Priorities of Linux above those of real-time threads.
                    [3, 4].map(|number| (signed(of(number)) - 100) as i8),
                    of(11) as i8,
                    of(7) != 0,
                    state,
                ));
            }
        }
    }
    all.sort_unstable();
    all
}

/// With `--pid`, the switches to and from the threads of these processes, and no others; without it, all of them. All values are
/// those of the record.
#[test]
fn switches_of_chosen_processes_are_those_recorded() {
    let records = records();
    let mut listed: BTreeMap<u32, Vec<(i64, u32)>> = BTreeMap::new();
    for record in &records {
        if THREAD.contains(&record.hook) {
            listed.entry(record.u32(4)).or_default().push((record.ns, record.u32(0)));
        }
    }
    // The owner is that of the last event about the thread, or else of the first.
    let owner = |tid: u32, time: i64| {
        let of = listed.get(&tid)?;
        of.iter().rev().find(|(at, _)| *at <= time).or(of.first()).map(|(_, pid)| *pid)
    };
    let mut busiest: BTreeMap<u32, u32> = BTreeMap::new();
    for record in records.iter().filter(|record| record.hook == SWITCH) {
        if let Some(pid) = owner(record.u32(0), record.ns).filter(|pid| *pid != 0) {
            *busiest.entry(pid).or_default() += 1;
        }
    }
    let mut pids: Vec<(u32, u32)> = busiest.into_iter().map(|(pid, count)| (count, pid)).collect();
    pids.sort_unstable();
    let (first, second) = (pids[pids.len() - 1].1, pids[pids.len() / 2].1);
    for chosen in [vec![], vec![first], vec![second], vec![first, second]] {
        let is_chosen = |tid: u32, time: i64| {
            chosen.is_empty() || owner(tid, time).is_some_and(|pid| chosen.contains(&pid))
        };
        let mut want: Vec<Switch> = Vec::new();
        for record in records.iter().filter(|record| record.hook == SWITCH) {
            let threads = [record.u32(0), record.u32(4)];
            if threads.iter().any(|tid| is_chosen(*tid, record.ns)) {
                let priorities = [record.i8(8).max(0), record.i8(9).max(0)];
                let (reason, mode, state) = (record.i8(12), record.i8(13) != 0, record.i8(14));
                want.push((record.ns, record.cpu, threads, priorities, reason, mode, state));
            }
        }
        want.sort_unstable();
        let words: Vec<String> = chosen.iter().map(u32::to_string).collect();
        let mut options = vec!["--perfetto"];
        for word in &words {
            options.extend(["--pid", word]);
        }
        let have = switches(&export(&options));
        assert!(!have.is_empty() && have.len() == want.len(), "{chosen:?}: {} of {}", have.len(), want.len());
        for (have, want) in have.iter().zip(&want) {
            assert_eq!(have, want, "{chosen:?}");
        }
    }
}

/// A function that calls itself is a frame for each call; adjacent addresses of which nothing is known are one frame.
#[test]
fn recursion_stays_in_folded_stacks() {
    use tracewell_etl::write::PointerSize;
    use tracewell_testkit::described::{Described, Kind, trace};
    let clr = |id, version, payload: &str| {
        let guid = tracewell_schema::providers::guid("Microsoft-Windows-DotNETRuntime").unwrap();
        Described::new(Kind::Event(guid, id, 1, 4), version, payload)
    };
    let method = |start: u32, name: &str| {
        clr(143, 1, &format!("u64 1 u64 2 u64 {start} u32 256 u32 7 u32 9 w Space w {name} w sig u16 9"))
    };
    let stacked = |frames: &[u64]| {
        let mut gc = clr(1, 2, "u32 1 u32 2 u32 1 u32 0 u16 9 u64 0");
        gc.stack = Some((0, frames.to_vec()));
        gc
    };
    let records = [
        method(0x5000, "Leaf"),
        method(0x6000, "Again"),
        method(0x7000, "Main"),
        stacked(&[0x5010, 0x6010, 0x6020, 0x6020, 0x9100, 0x9200, 0x9300, 0x7010]),
        stacked(&[0x6010, 0x7010]),
        stacked(&[0x9100, 0x9100]),
    ];
    let folder = tracewell_corpus::Scratch::new("recursion");
    let path = folder.write("recursion.etl", &trace(PointerSize::P64, &records).unwrap());
    let program = "microsoft-windows-dotnetruntime:::GC_Start { @[ustack()] = count(); }";
    let mut command = common::command("dtrace");
    let ran = common::run(command.args(["-q", "--folded", "-n", program, "-E"]).arg(&path));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let lines: BTreeSet<&str> = ran.stdout.lines().filter(|line| !line.is_empty()).collect();
    let want = [
        "jit`Space.Main;[unknown];jit`Space.Again;jit`Space.Again;jit`Space.Again;jit`Space.Leaf 1",
        "jit`Space.Main;jit`Space.Again 1",
        "[unknown] 1",
    ];
    assert_eq!(lines, want.into());
}

/// Events of processes that are too short to be read are counted on the terminal, and nothing is said where there is none.
#[test]
fn issue_23_an_export_counts_the_facts_that_could_not_be_read() {
    use tracewell_etl::write::{System, TraceConfig, TraceWriter};
    use tracewell_types::FileTime;
    let folder = tracewell_corpus::Scratch::new("unread-facts");
    for (count, said) in [(0, None), (1, Some("1 event with facts of")), (2, Some("2 events with facts of"))]
    {
        let config = TraceConfig { start_time: FileTime(132_257_925_005_000_000), ..TraceConfig::default() };
        let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), config).unwrap();
        let switch = System { time: 1, group: 5, opcode: 36, version: 2, ..System::default() };
        writer.system(0, &switch, &[0; 24]).unwrap();
        for time in 0..count {
            let header = System { time: 10 + time, group: 3, opcode: 1, version: 3, ..System::default() };
            writer.system(0, &header, &[1, 2, 3]).unwrap();
        }
        let bytes = writer.finish(FileTime(132_257_925_015_000_000)).unwrap().into_inner();
        let trace = folder.write(&format!("{count}.etl"), &bytes);
        let out =
            common::run(common::command("etw").arg("export").arg(&trace).args(["--firefox", "-o", "-"]));
        assert_eq!(out.status, Some(0), "{}", out.stderr);
        let told: Vec<&str> = out.stderr.lines().filter(|line| line.contains("with facts")).collect();
        let expected = said.map(|said| format!("etw: {said} processes, images or files could not be read"));
        assert_eq!(told, Vec::from_iter(expected.as_deref()), "{}", out.stderr);
    }
}
