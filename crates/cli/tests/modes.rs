//! Files of every logging mode, clock, pointer size and header type, from our writer through the commands: `etw verify`,
//! `etw info` and `etw dump` report exactly what was written (issue 3).

mod common;

use std::io::Cursor;
use std::path::{Path, PathBuf};

use common::{command, run};
use serde_json::{Value, json};
use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, CompressionFormat, at};
use tracewell_etl::def::logfile::{self, ClockType, LogFileMode};
use tracewell_etl::def::record::HeaderKind;
use tracewell_etl::write::{
    Event, Full, Instance, Message, PerfInfo, PointerSize, System, TraceConfig, TraceWriter,
};
use tracewell_etl::{FileTime, Guid, Trace};

/// Who logs.
const SHOP: Guid = Guid::parse("0d2a8c1e-3b1f-4c55-9d6a-6f1f5a2b7c01");
/// 2026-01-01 00:00:00 UTC.
const START: FileTime = FileTime(134_116_992_000_000_000);
const SECOND: i64 = FileTime::TICKS_PER_SECOND;
/// Bytes of a plain buffer.
const BUFFER: usize = 4096;

/// A folder for the files of one test, which goes with it.
struct Room(PathBuf);

impl Room {
    fn new(name: &str) -> Room {
        let room = std::env::temp_dir().join(format!("tracewell-modes-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&room).unwrap();
        Room(room)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The output of `etw` about files, and its exit status.
#[track_caller]
fn etw(status: i32, words: &[&str], files: &[&Path]) -> Vec<Value> {
    let ran = run(command("etw").args(words).args(files));
    assert_eq!(ran.status, Some(status), "{words:?}: {}{}", ran.stdout, ran.stderr);
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[track_caller]
fn verify(status: i32, file: &Path) -> Value {
    etw(status, &["verify", "--json"], &[file]).remove(0)
}

#[track_caller]
fn info(file: &Path) -> Value {
    etw(0, &["info", "--json"], &[file]).remove(0)
}

/// Number and wall-clock time of each event of the shop, in the order in which `etw dump` shows them.
#[track_caller]
fn sold(files: &[&Path]) -> Vec<(u64, String)> {
    let shown = etw(0, &["dump", "--json", "--utc", "--no-store", "-q"], files);
    let ours = shown.iter().filter(|event| event.to_string().contains(&SHOP.to_string()));
    ours.map(|event| (event["id"].as_u64().unwrap(), event["utc"].as_str().unwrap().to_owned())).collect()
}

fn config(mode: LogFileMode) -> TraceConfig {
    TraceConfig {
        session_name: "shop".into(),
        start_time: START,
        boot_time: FileTime(START.0 - 1_000 * SECOND),
        processors: 2,
        buffer_size: BUFFER as u32,
        mode,
        ..TraceConfig::default()
    }
}

/// An event with a number, at a raw time.
fn event(number: u16, time: i64) -> Event {
    Event { time, provider: SHOP, id: number, level: 4, pid: 100, tid: 200, ..Event::default() }
}

/// A trace of one buffer for each processor and list of numbered events that is given.
fn trace(config: TraceConfig, buffers: &[(u16, &[(u16, i64)])]) -> Vec<u8> {
    let end = FileTime(START.0 + 100 * SECOND);
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
    for &(cpu, events) in buffers {
        for &(number, time) in events {
            writer.event(cpu, &event(number, time), &[], &[]).unwrap();
        }
        writer.flush_cpu(cpu).unwrap();
    }
    writer.finish(end).unwrap().into_inner()
}

/// Sets the number of buffers in the log file header.
fn set_written(file: &mut [u8], count: u32) {
    let field = BUFFER_HEADER_SIZE + 32 + logfile::at::BUFFERS_WRITTEN;
    file[field..field + 4].copy_from_slice(&count.to_le_bytes());
}

/// Sets the number of the buffer that begins at a place of the file.
fn set_sequence(file: &mut [u8], start: usize, sequence: i64) {
    let field = start + at::SEQUENCE_NUMBER;
    file[field..field + 8].copy_from_slice(&sequence.to_le_bytes());
}

#[test]
fn a_circular_file_is_whole_and_in_order() {
    let room = Room::new("circular");
    // Six buffers were written, the first two of them overwritten by the last two.
    let buffers: Vec<(u16, Vec<(u16, i64)>)> =
        (0..6).map(|n| (n % 2, vec![(n, i64::from(n) * SECOND), (n, i64::from(n) * SECOND + 5)])).collect();
    let buffers: Vec<(u16, &[(u16, i64)])> =
        buffers.iter().map(|(cpu, events)| (*cpu, &events[..])).collect();
    let straight = trace(config(LogFileMode::CIRCULAR), &buffers);
    let part = |first: usize, count: usize| &straight[first * BUFFER..(first + count) * BUFFER];
    let file = room.put("circular.etl", &[part(0, 1), part(5, 2), part(3, 2)].concat());
    let said = verify(0, &file);
    assert_eq!((&said["status"], &said["records"]), (&json!("sound"), &json!(9)));
    assert_eq!((&said["buffers_missing"], &said["losses"]), (&json!(0), &json!([])));
    let said = info(&file);
    assert_eq!(said["mode_names"], json!(["circular"]));
    assert_eq!(said["duration"], json!(5.0000005), "from the header on");
    let numbers: Vec<u64> = sold(&[&file]).into_iter().map(|(number, _)| number).collect();
    assert_eq!(numbers, [2, 2, 3, 3, 4, 4, 5, 5]);
    // The same in a file that is cut to the buffers it had room for is no loss either.
    let straight = room.put("cut.etl", &straight[..4 * BUFFER]);
    assert_eq!(verify(0, &straight)["status"], "sound");
}

/// A session that goes on in the file of an earlier one, an hour later.
fn appended(clock: ClockType) -> Vec<u8> {
    let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::APPEND);
    let system = clock == ClockType::SYSTEM_TIME;
    let one = |start: i64, raw_start: i64, boot: i64, numbers: [u16; 2], lost: u32| {
        let raw_start = if system { start } else { raw_start };
        let config = TraceConfig {
            clock_type: clock,
            start_time: FileTime(start),
            boot_time: FileTime(boot),
            raw_start,
            ..config(mode)
        };
        let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
        for (place, number) in (1..).zip(numbers) {
            writer.event(0, &event(number, raw_start + place * SECOND), &[], &[]).unwrap();
        }
        writer.add_losses(lost, 0);
        writer.finish(FileTime(start + 10 * SECOND)).unwrap().into_inner()
    };
    let boot = START.0 - 1_000 * SECOND;
    let hour = 3_600 * SECOND;
    [one(START.0, 500, boot, [1, 2], 3), one(START.0 + hour, 70, boot + hour / 2, [3, 4], 4)].concat()
}

#[test]
fn an_appended_session_has_its_own_times_and_losses() {
    let room = Room::new("appended");
    let file = room.put("system.etl", &appended(ClockType::SYSTEM_TIME));
    let said = verify(0, &file);
    assert_eq!(
        (&said["status"], &said["records"], &said["events_lost"]),
        (&json!("sound"), &json!(6), &json!(7))
    );
    assert_eq!(said["remarks"], json!(["behind the first session the file holds 1 more"]));
    let loss = |after: Value, count: u32| json!({ "what": "events, by the log file header", "cpu": null, "after": after, "before": null, "count": count });
    assert_eq!(said["losses"], json!([loss(Value::Null, 3), loss(json!(3600.0), 4)]));
    let said = info(&file);
    assert_eq!((&said["duration"], &said["events_lost"]), (&json!(3602.0), &json!(7)));
    let other = json!({ "offset": 2 * BUFFER, "start_time": "2026-01-01T01:00:00Z" });
    assert_eq!(said["appended"], json!([other]));
    let wanted = ["00:00:01", "00:00:02", "01:00:01", "01:00:02"].map(|time| format!("2026-01-01T{time}"));
    let shown = sold(&[&file]);
    assert_eq!(shown.len(), 4);
    for ((place, (number, time)), wanted) in (1..).zip(&shown).zip(&wanted) {
        assert!(*number == place && time.starts_with(wanted), "{number} at {time}, not {wanted}");
    }
    // Cut to one of its buffers, it is not whole.
    let mut bytes = appended(ClockType::SYSTEM_TIME);
    bytes.truncate(bytes.len() - BUFFER);
    let said = verify(1, &room.put("cut.etl", &bytes));
    assert_eq!((&said["status"], &said["buffers_missing"]), (&json!("incomplete"), &json!(1)));
}

/// Issue 3: the first header cannot describe a counter that restarted. The sessions are separate traces, each with its clock,
/// and every command reads them so.
#[test]
fn appended_sessions_with_other_clocks_are_separate_traces() {
    let room = Room::new("own-clocks");
    let file = room.put("counter.etl", &appended(ClockType::PERFORMANCE_COUNTER));
    let path = file.display().to_string();
    let said = etw(0, &["verify", "--json"], &[&file]);
    let facts: Vec<_> = said.iter().map(|one| (&one["file"], &one["records"], &one["status"])).collect();
    let (first, second) = (json!(path), json!(format!("{path} (session 2)")));
    assert_eq!(facts, [(&first, &json!(3), &json!("sound")), (&second, &json!(3), &json!("sound"))]);
    let facts = |file: &Path| -> Vec<(Value, Value, Value)> {
        let fact =
            |said: Value| (said["start_time"].clone(), said["records"].clone(), said["events_lost"].clone());
        etw(0, &["info", "--json"], &[file]).into_iter().map(fact).collect()
    };
    let own = [("2026-01-01T00:00:00Z", 3), ("2026-01-01T01:00:00Z", 4)];
    let own = own.map(|(start, lost)| (json!(start), json!(3), json!(lost)));
    assert_eq!(facts(&file), own);
    let wanted = ["00:00:01", "00:00:02", "01:00:01", "01:00:02"].map(|time| format!("2026-01-01T{time}"));
    let right = |shown: &[(u64, String)]| {
        let fits = |((place, (number, time)), wanted): ((u64, &(u64, String)), &String)| {
            *number == place && time.starts_with(wanted)
        };
        shown.len() == 4 && (1..).zip(shown).zip(&wanted).all(fits)
    };
    let shown = sold(&[&file]);
    assert!(right(&shown), "{shown:?}");
    // So do scripts, whose clock goes on from one to the other.
    let script = format!("{SHOP}:::events {{ printf(\"%d %d\\n\", arg0, walltimestamp / 1000000000); }}");
    let ran = run(command("dtrace").args(["-q", "-n", &script, "-E"]).arg(&file));
    let seconds: Vec<i64> =
        ran.stdout.lines().filter_map(|line| line.split(' ').nth(1)?.parse().ok()).collect();
    let began = START.unix_ns() / 1_000_000_000;
    assert_eq!(seconds, [1, 2, 3601, 3602].map(|since| began + since), "{}{}", ran.stdout, ran.stderr);
    let window = ["--start", "2026-01-01T00:00:01.5Z", "--end", "2026-01-01T01:00:01.5Z"];
    let ran = run(command("dtrace").args(["-q", "-n", &script]).args(window).arg("-E").arg(&file));
    assert_eq!(
        ran.stdout.split_whitespace().count(),
        4,
        "two events, a place and a time each: {}",
        ran.stdout
    );
    let counted = etw(0, &["stats", "--json"], &[&file]);
    assert_eq!(counted.iter().map(|one| &one["records"]).collect::<Vec<_>>(), [&json!(3), &json!(3)]);
    // In an archive, too.
    let packed = room.0.join("packed.zip");
    let mut archive = zip::ZipWriter::new(std::fs::File::create(&packed).unwrap());
    archive.start_file("inner.etl", zip::write::SimpleFileOptions::default()).unwrap();
    std::io::Write::write_all(&mut archive, &std::fs::read(&file).unwrap()).unwrap();
    archive.finish().unwrap();
    assert!(right(&sold(&[&packed])));
    let said = etw(0, &["verify", "--json"], &[&packed]);
    assert!(said[1]["file"].as_str().unwrap().ends_with("packed.zip/inner.etl (session 2)"), "{said:?}");
    // A part of all is a part of all.
    let part = room.0.join("part.etl");
    etw_tool(
        &["slice", "--start", "2026-01-01T00:00:01.5Z", "--end", "2026-01-01T01:00:01.5Z"],
        &file,
        &part,
    );
    let numbers: Vec<u64> = sold(&[&part]).into_iter().map(|(number, _)| number).collect();
    assert_eq!(numbers, [2, 3]);
    // One trace can be made of them; what makes one file of one keeps them apart.
    let made = room.0.join("merged.etl");
    etw_tool(&["merge"], &file, &made);
    assert_eq!(verify(0, &made)["status"], "sound");
    assert!(right(&sold(&[&made])));
    for tool in [&["repair"][..], &["compress"], &["decompress"], &["redact", "--string", "shop"]] {
        let made = room.0.join(format!("{}.etl", tool[0]));
        etw_tool(tool, &file, &made);
        assert!(
            etw(0, &["verify", "--json"], &[&made]).iter().all(|one| one["status"] == "sound"),
            "{tool:?}"
        );
        assert_eq!(facts(&made), own, "{tool:?}");
        assert!(right(&sold(&[&made])), "{tool:?}");
    }
}

/// Makes a trace of another, which must succeed.
#[track_caller]
fn etw_tool(words: &[&str], from: &Path, to: &Path) {
    let ran = run(command("etw").args(words).arg("-o").arg(to).arg(from));
    assert_eq!(ran.status, Some(0), "{words:?}: {}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_series_of_files_is_one_trace() {
    let room = Room::new("series");
    let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::NEW_FILE);
    let mut paths = Vec::new();
    for part in 0..3_u16 {
        let number = |n: u16| part * 4 + n;
        let at = |n: u16| i64::from(number(n)) * SECOND;
        let (even, odd) = ([0, 2].map(|n| (number(n), at(n))), [1, 3].map(|n| (number(n), at(n))));
        let mut bytes = trace(config(mode), &[(0, &even), (1, &odd)]);
        // Each file begins with a header buffer; numbers go on through all files, and so does the count of buffers.
        for buffer in 1..=2 {
            set_sequence(&mut bytes, buffer * BUFFER, i64::from(part) * 2 + buffer as i64);
        }
        set_written(&mut bytes, u32::from(part) * 2 + 3);
        paths.push(room.put(&format!("shop_{part}.etl"), &bytes));
        let said = verify(0, &paths[usize::from(part)]);
        assert_eq!((&said["status"], &said["losses"]), (&json!("sound"), &json!([])), "{said}");
    }
    let files: Vec<&Path> = paths.iter().rev().map(PathBuf::as_path).collect();
    let numbers: Vec<u64> = sold(&files).into_iter().map(|(number, _)| number).collect();
    assert_eq!(numbers, (0..12).collect::<Vec<u64>>(), "whatever order the files are given in");
    // One that was cut misses its last buffer.
    let mut bytes = std::fs::read(files[0]).unwrap();
    bytes.truncate(2 * BUFFER);
    assert_eq!(verify(1, &room.put("cut.etl", &bytes))["status"], "incomplete");
}

#[test]
fn every_header_type_is_counted_and_shown_with_both_pointer_sizes() {
    let room = Room::new("headers");
    for pointer_size in [PointerSize::P32, PointerSize::P64] {
        for compression in [CompressionFormat::NONE, CompressionFormat::XPRESS] {
            let config = TraceConfig { pointer_size, compression, ..config(LogFileMode::SEQUENTIAL) };
            let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
            let system = System { time: 1, group: 3, opcode: 36, pointer_size, ..System::default() };
            writer.system(0, &system, &[0; 24]).unwrap();
            writer.compact(0, &System { time: 2, ..system }, &[0; 24]).unwrap();
            let short = PerfInfo { time: 3, group: 15, opcode: 46, pointer_size, ..PerfInfo::default() };
            writer.perfinfo(0, &short, &[0; 16]).unwrap();
            let full = Full { time: 4, guid: SHOP, opcode: 1, pointer_size, ..Full::default() };
            writer.full(0, &full, b"full").unwrap();
            let instance = Instance { id: 7, parent_id: 8, parent_class: SHOP };
            writer.instance(0, &Full { time: 5, ..full }, &instance, b"instance").unwrap();
            writer.event(0, &Event { pointer_size, ..event(6, 6) }, &[], b"event").unwrap();
            let message = Message {
                number: 7,
                guid: Some(SHOP),
                time: Some(7),
                ids: Some((200, 100)),
                pointer_size,
                ..Message::default()
            };
            writer.message(0, &message, b"message").unwrap();
            // TIMED: size, type, marker, id, time. ERROR: the same without a time. WNODE: size, type, marker, ..., GUID.
            let mut timed = vec![24, 0, HeaderKind::TIMED.0, 0xC0, 42, 0, 0, 0];
            timed.extend(8_i64.to_le_bytes());
            timed.extend(*b"timed...");
            writer.write_record(0, &timed).unwrap();
            writer
                .write_record(0, &[16, 0, HeaderKind::ERROR.0, 0xC0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
                .unwrap();
            let mut node = vec![48, 0, HeaderKind::WNODE.0, 0xC0, 0, 0, 0, 0];
            node.extend([0; 8]);
            node.extend(9_i64.to_le_bytes());
            node.extend(SHOP.to_bytes());
            node.extend([0; 8]);
            writer.write_record(0, &node).unwrap();
            let bytes = writer.finish(FileTime(START.0 + SECOND)).unwrap().into_inner();
            let file = room.put("headers.etl", &bytes);
            let said = verify(0, &file);
            let bits = if pointer_size == PointerSize::P32 { 32 } else { 64 };
            let mut wanted = serde_json::Map::new();
            for name in ["COMPACT", "PERFINFO", "FULL", "INSTANCE", "EVENT"] {
                wanted.insert(format!("{name}{bits}"), json!(1));
            }
            wanted.insert(format!("SYSTEM{bits}"), json!(2));
            for name in ["MESSAGE", "TIMED", "ERROR", "WNODE"] {
                wanted.insert(name.into(), json!(1));
            }
            assert_eq!(said["by_header_type"], Value::Object(wanted));
            assert_eq!((&said["status"], &said["records"]), (&json!("sound"), &json!(11)));
            assert_eq!(info(&file)["pointer_size"], json!(bits / 8));
            let shown = etw(0, &["dump", "--json", "--no-store", "-q"], &[&file]);
            assert_eq!(shown.len(), 11, "{shown:#?}");
            let times: Vec<f64> = shown.iter().map(|event| event["time"].as_f64().unwrap()).collect();
            // An ERROR record has no time: it takes that of the record before it.
            let wanted = [0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9].map(|ticks| f64::from(ticks) / 1e7);
            assert_eq!(times, wanted);
        }
    }
}

#[test]
fn every_clock_gives_the_same_times() {
    let room = Room::new("clocks");
    let clocks = [
        (ClockType::PERFORMANCE_COUNTER, 10_000_000, 2_000),
        (ClockType::PERFORMANCE_COUNTER, 3_579_545, 2_000),
        (ClockType::SYSTEM_TIME, 10_000_000, 2_000),
        // The frequency of the counter does not count here: that of the processor does.
        (ClockType::CPU_CYCLES, 10_000_000, 3_300),
    ];
    for pointer_size in [PointerSize::P32, PointerSize::P64] {
        for (clock_type, perf_freq, cpu_speed_mhz) in clocks {
            let (raw_start, rate) = match clock_type {
                ClockType::SYSTEM_TIME => (START.0, SECOND),
                ClockType::CPU_CYCLES => (77_777, i64::from(cpu_speed_mhz) * 1_000_000),
                _ => (5_000_000_000, perf_freq),
            };
            let config = TraceConfig {
                clock_type,
                perf_freq,
                cpu_speed_mhz,
                raw_start,
                pointer_size,
                ..config(LogFileMode::SEQUENTIAL)
            };
            let events: Vec<(u16, i64)> = (1..=3).map(|n| (n, raw_start + i64::from(n) * rate)).collect();
            let bytes = trace(config, &[(0, &events)]);
            assert_eq!(Trace::open(&bytes).unwrap().clock().kind(), clock_type);
            let file = room.put("clock.etl", &bytes);
            assert_eq!(verify(0, &file)["status"], "sound");
            assert_eq!(info(&file)["duration"], json!(3.0), "{clock_type}");
            let shown = sold(&[&file]);
            assert_eq!(shown.len(), 3);
            for (number, time) in shown {
                assert!(time.starts_with(&format!("2026-01-01T00:00:0{number}")), "{clock_type}: {time}");
            }
            // Intervals in D are those of the clock, too.
            let script = format!("{SHOP}:::events {{ printf(\"%d\\n\", timestamp); }}");
            let ran = run(command("dtrace").args(["-q", "-n", &script, "-E"]).arg(&file));
            let times: Vec<i64> = ran.stdout.lines().filter_map(|line| line.trim().parse().ok()).collect();
            assert_eq!(times.len(), 3, "{clock_type}: {}{}", ran.stdout, ran.stderr);
            assert!(
                times.windows(2).all(|pair| pair[1] - pair[0] == 1_000_000_000),
                "{clock_type}: {times:?}"
            );
        }
    }
}

/// Issue 3: a file whose header buffer alone is damaged was refused by everything, `etw repair` too.
#[test]
fn a_trace_without_a_header_gets_one() {
    let room = Room::new("headless");
    let events: Vec<(u16, i64)> = (1..=3).map(|n| (n, 5_000 * SECOND + i64::from(n) * SECOND)).collect();
    let config = TraceConfig { raw_start: 5_000 * SECOND, ..config(LogFileMode::SEQUENTIAL) };
    let whole = trace(config, &[(0, &events[..2]), (1, &events[2..])]);
    let original = room.put("whole.etl", &whole);
    let repaired = |status: i32, words: &[&str], file: &Path| {
        let made = room.0.join("made.etl");
        let ran = run(command("etw").args(["repair", "-f"]).args(words).arg("-o").arg(&made).arg(file));
        assert_eq!(ran.status, Some(status), "{}{}", ran.stdout, ran.stderr);
        (made, ran.stdout + &ran.stderr)
    };
    // The tail of a file, and a file whose header buffer contains only zeroes.
    let zeroed = [&[0; BUFFER][..], &whole[BUFFER..]].concat();
    for (name, bytes) in [("tail.etl", &whole[BUFFER..]), ("zeroed.etl", &zeroed)] {
        let file = room.put(name, bytes);
        let refused = run(command("etw").arg("dump").arg(&file));
        assert_eq!(refused.status, Some(1));
        let hint = "(it contains the rest of a trace; etw repair gives it a header)";
        assert!(refused.stderr.contains(hint), "{}", refused.stderr);
        let (made, said) = repaired(1, &[], &file);
        assert!(said.contains("clock is guessed: 10,000,000 Hz") && said.contains("with --like"), "{said}");
        assert!(said.contains("dates are unknown"), "{said}");
        assert_eq!(verify(0, &made)["records"], json!(4));
        let numbers: Vec<u64> = sold(&[&made]).into_iter().map(|(number, _)| number).collect();
        assert_eq!(numbers, [1, 2, 3]);
        // Another trace of the machine supplies the time.
        let (made, said) = repaired(0, &["--like", original.to_str().unwrap()], &file);
        assert!(said.contains("clock is that of the trace given"), "{said}");
        assert_eq!(sold(&[&made]), sold(&[&original]));
    }
    // A file whose first record is damaged still has its clock fields.
    let mut damaged = whole.clone();
    damaged[BUFFER_HEADER_SIZE..BUFFER_HEADER_SIZE + 4].fill(0xEE);
    let (made, said) = repaired(0, &[], &room.put("damaged.etl", &damaged));
    assert!(said.contains("clock is what the damaged header still says"), "{said}");
    assert_eq!(sold(&[&made]), sold(&[&original]));
    assert_eq!(info(&made)["session"], info(&original)["session"]);
    // A file that is not a trace at all is reported as usual.
    let other = room.put("other.etl", &[7; 10_000]);
    let (_, said) = repaired(2, &[], &other);
    assert!(said.contains("not an event trace: it does not begin with the header of a buffer"), "{said}");
}
