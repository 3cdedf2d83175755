//! TraceEvent's own baselines: the counts of every event, and every value of the events they print.
//!
//! `traceevent/names` lists the names that TraceEvent made up; `traceevent/differences` lists every kind of value and
//! every count that differs, with the reason.
//!
//! TraceEvent shows more than the payload: the process of the event, the names of files, and zero for fields that only
//! another version has. The values before every event are compared with the facts that the trace has about the machine,
//! and counted separately from the values of payloads. Values of missing fields are also counted separately, because there
//! is nothing to compare them with.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a test reports what it measured")]

use std::collections::{BTreeMap, HashMap};

use tracewell_decode::{Decoder, EventFormat, Schemas, Value};
use tracewell_etl::{Clock, Record, Trace};
use tracewell_state::{Machine, MachineBuilder, Timeline, Who};

const FILES: [&str; 4] = ["primitive-types", "gcevents", "net.4.5.2.x64", "net45-x86-win7"];

/// One `EVENT` line.
struct Line {
    /// Milliseconds since the first record.
    time: f64,
    name: String,
    fields: Vec<(String, String)>,
    found: bool,
}

struct Baseline {
    lines: HashMap<String, Vec<Line>>,
    counts: BTreeMap<String, u64>,
}

fn baseline(text: &str) -> Baseline {
    let (mut lines, mut counts) = (HashMap::<String, Vec<Line>>::new(), BTreeMap::new());
    for line in text.trim_start_matches('\u{FEFF}').lines() {
        if let Some(rest) = line.strip_prefix("COUNT ") {
            let (name, count) = rest.rsplit_once(':').unwrap();
            counts.insert(name.to_owned(), plain(count).parse().unwrap());
        } else if let Some(rest) = line.strip_prefix("EVENT ") {
            let (time, rest) = rest.split_once(": ").unwrap();
            let at = rest.find(" PID=").unwrap();
            let name = rest[..at].to_owned();
            let fields = rest[at + 1..].split("; ").filter_map(|part| part.split_once('='));
            let fields =
                fields.map(|(name, value)| (name.to_owned(), value.trim_end_matches(';').to_owned()));
            let line =
                Line { time: plain(time).parse().unwrap(), name, fields: fields.collect(), found: false };
            lines.entry(line.name.clone()).or_default().push(line);
        }
    }
    Baseline { lines, counts }
}

/// A number without the commas between thousands.
fn plain(number: &str) -> String {
    number.trim().replace(',', "")
}

/// Names by our own: of events, and of fields by event (or `*`) and their name; and TraceEvent's names for numbers, by
/// its name of the field.
struct Names {
    events: HashMap<String, String>,
    fields: HashMap<(String, String), String>,
    numbers: HashMap<String, Vec<(String, u64)>>,
}

impl Names {
    /// The number of one of TraceEvent's names. The text may be truncated within the last name.
    fn number(&self, field: &str, text: &str) -> Option<u64> {
        let known = self.numbers.get(field)?;
        let (text, is_cut) = text.strip_suffix("...").map_or((text, false), |text| (text, true));
        let mut sum = 0;
        for name in text.split(", ") {
            let is = |known: &&(String, u64)| known.0 == name || (is_cut && known.0.starts_with(name));
            sum |= known.iter().find(is)?.1;
        }
        Some(sum)
    }
}

fn names() -> Names {
    let mut names = Names { events: HashMap::new(), fields: HashMap::new(), numbers: HashMap::new() };
    for line in include_str!("traceevent/names").lines() {
        if let Some(rest) = line.strip_prefix("field ") {
            let (left, ours) = rest.split_once(" = ").unwrap();
            let (event, theirs) = left.rsplit_once(": ").unwrap();
            names.fields.insert((event.to_owned(), theirs.to_owned()), ours.to_owned());
        } else if let Some(rest) = line.strip_prefix("number ") {
            let (left, number) = rest.split_once(" = ").unwrap();
            let (field, name) = left.split_once(": ").unwrap();
            let number = u64::from_str_radix(number.trim_start_matches("0x"), 16).unwrap();
            names.numbers.entry(field.to_owned()).or_default().push((name.to_owned(), number));
        } else if let Some((ours, theirs)) = line.split_once(" = ") {
            names.events.insert(ours.to_owned(), theirs.to_owned());
        }
    }
    names
}

/// The families that TraceEvent's log drops, in whole or in part, as the MANIFEST beside the baselines names them: profile
/// samples of the idle process, the runtime's stack walks, most method load and rundown events, stack-walk records, and
/// events of "MSNT_SystemTrace".
fn is_dropped(name: &str) -> bool {
    const PARTS: [&str; 5] =
        ["/PerfInfo/Sample", "/ClrStack/Walk", "/Method/", "/StackWalk/", "MSNT_SystemTrace/"];
    const METHODS: [&str; 6] =
        ["MethodILToNativeMap", "MethodDCEndILToNativeMap", "DCStop", "DCStart", "Load", "Unload"];
    PARTS.iter().any(|part| name.contains(part))
        && (!name.contains("/Method/")
            || METHODS.iter().any(|method| {
                name.rsplit('/').next().is_some_and(|last| last.trim_end_matches("Verbose") == *method)
            }))
}

/// What TraceEvent shows before every event, whatever its payload.
const ENVELOPE: [&str; 5] = ["PID", "TID", "PName", "ProceNum", "DataLen"];

/// The result of comparing a value of TraceEvent with ours.
enum Found {
    Same,
    /// TraceEvent shows nothing in particular, because there is nothing: no such field in a payload of which we know every
    /// byte, or no process or thread.
    Nothing,
}

/// The values of one kind so far.
#[derive(Default)]
struct Tally {
    same: u64,
    nothing: u64,
    differ: u64,
}

impl Tally {
    fn compared(&self) -> u64 {
        self.same + self.differ
    }
}

#[test]
fn every_count_and_every_value_of_traceevents_baselines() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let names = names();
    let (mut envelope, mut payload) = (Tally::default(), Tally::default());
    let mut dropped: BTreeMap<String, String> = BTreeMap::new();
    let mut differing: BTreeMap<(String, String), (u64, String)> = BTreeMap::new();
    let (mut counted, mut lines_found) = (0, 0);
    for file in FILES {
        let bytes = std::fs::read(folder.join(format!("perfview/{file}.etl"))).unwrap();
        let text = std::fs::read(folder.join(format!("perfview/{file}.baseline.txt"))).unwrap();
        let mut baseline = baseline(&String::from_utf8_lossy(&text));
        let trace = Trace::open(&bytes).unwrap();
        let mut schemas = Schemas::new();
        let mut builder = MachineBuilder::new();
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            schemas.observe(&record);
            builder.observe(&record);
        }
        let mut decoder = Decoder::new(schemas);
        let machine = builder.finish();
        let mut timeline = Timeline::new(&machine);
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        let origin = trace.clock().unix_ns(trace.clock().raw_start());
        // When the last transfer of each disk was done, in milliseconds.
        let mut transfers: HashMap<u64, f64> = HashMap::new();
        let mut records = trace.by_time();
        while let Some(record) = records.next() {
            timeline.apply(&record);
            let format = decoder.format(&record);
            let ours = format!("{}/{}", format.provider, format.name);
            let mut name = names.events.get(&ours).cloned().unwrap_or(ours);
            if !baseline.counts.contains_key(&name) {
                // An event that TraceEvent has no name for.
                let nameless = format!("{}/EventID({})", format.provider, record.id());
                name = if baseline.counts.contains_key(&nameless) { nameless } else { name };
            }
            *counts.entry(name.clone()).or_default() += 1;
            let ms = (trace.clock().unix_ns(record.time()) - origin) as f64 / 1e6;
            let mut transferred = 0.0;
            if matches!(name.as_str(), "Windows Kernel/DiskIO/Read" | "Windows Kernel/DiskIO/Write") {
                let disk = format.fields(&record).find(|f| f.field.name == "DiskNumber");
                let disk = disk.and_then(|disk| disk.value.as_u64()).unwrap();
                transferred = transfers.insert(disk, ms).unwrap_or_default();
            }
            let Some(lines) = baseline.lines.get_mut(&name) else { continue };
            let wanted = |line: &&mut Line| {
                let number = |key: &str| line.fields.iter().find(|f| f.0 == key).map(|f| plain(&f.1));
                !line.found
                    && (line.time - ms).abs() < 0.001
                    && number("DataLen") == Some(record.payload().len().to_string())
                    && number("ProceNum") == Some(record.cpu().to_string())
            };
            let Some(line) = lines.iter_mut().find(wanted) else { continue };
            line.found = true;
            lines_found += 1;
            for (field, theirs) in &line.fields {
                let tally = if ENVELOPE.contains(&field.as_str()) { &mut envelope } else { &mut payload };
                let shown = Shown {
                    record,
                    format,
                    who: timeline.who(&record),
                    machine: &machine,
                    clock: *trace.clock(),
                    since_transfer: ms - transferred,
                };
                match shown.same(&names, &line.name, field, theirs) {
                    Ok(Found::Same) => tally.same += 1,
                    Ok(Found::Nothing) => tally.nothing += 1,
                    Err(ours) => {
                        tally.differ += 1;
                        let entry = differing.entry((line.name.clone(), field.clone())).or_default();
                        entry.0 += 1;
                        entry.1 = format!("`{theirs}`, ours `{ours}`");
                    }
                }
            }
        }
        for (name, count) in &baseline.counts {
            let ours = counts.get(name).copied().unwrap_or(0);
            if ours != *count && !(is_dropped(name) && ours > *count) {
                dropped.insert(name.clone(), format!("{file}: {count}, ours {ours}"));
            }
            counted += 1;
        }
        for (name, count) in counts.iter().filter(|(name, _)| !baseline.counts.contains_key(*name)) {
            if !is_dropped(name) {
                dropped.insert(name.clone(), format!("{file}: not in the baseline, ours {count}"));
            }
        }
        for line in baseline.lines.values().flatten().filter(|line| !line.found) {
            println!("{file}: not found: {} {}", line.time, line.name);
        }
    }
    println!(
        "{counted} counts, {} of them differ for reasons that are listed; {lines_found} lines",
        dropped.len()
    );
    for (what, tally) in [("payloads", &payload), ("values before payloads", &envelope)] {
        println!(
            "values of {what}: {} compared, {} differ; {} that TraceEvent shows of what is not there",
            tally.compared(),
            tally.differ,
            tally.nothing
        );
    }
    let mut reasons: BTreeMap<(String, String), &str> = BTreeMap::new();
    let mut count_reasons: BTreeMap<&str, &str> = BTreeMap::new();
    for line in
        include_str!("traceevent/differences").lines().filter(|l| !l.starts_with('#') && !l.is_empty())
    {
        let (place, reason) = line.split_once(" | ").unwrap();
        if let Some(event) = place.strip_prefix("count of ") {
            count_reasons.insert(event, reason);
            continue;
        }
        let (event, field) = place.rsplit_once(": ").unwrap();
        reasons.insert((event.to_owned(), field.to_owned()), reason);
    }
    for (name, example) in &dropped {
        println!("count of {name} | {example}");
    }
    for (place, (n, example)) in &differing {
        println!("{}: {} | {n} | {example}", place.0, place.1);
    }
    for name in dropped.keys() {
        assert!(
            count_reasons.contains_key(name.as_str()),
            "the count of {name} differs for no reason that is listed"
        );
    }
    for name in count_reasons.keys() {
        assert!(dropped.contains_key(*name), "the count of {name} does not differ any more");
    }
    for place in differing.keys() {
        assert!(reasons.contains_key(place), "{}: {} differs for no reason that is listed", place.0, place.1);
    }
    for place in reasons.keys() {
        assert!(differing.contains_key(place), "{}: {} does not differ any more", place.0, place.1);
    }
    assert!(lines_found >= 1033 && counted >= 304);
    assert!(payload.compared() >= PAYLOAD_VALUES && envelope.compared() >= ENVELOPE_VALUES);
    for tally in [&payload, &envelope] {
        assert!(
            tally.differ * 100 <= tally.compared(),
            "{} of {} values differ",
            tally.differ,
            tally.compared()
        );
    }
}

/// So many values are compared, so that none is lost by a change of the test.
const PAYLOAD_VALUES: u64 = 5_876;
const ENVELOPE_VALUES: u64 = 4_922;

/// A record with all that TraceEvent looks at.
struct Shown<'a> {
    record: Record<'a>,
    format: &'a EventFormat,
    who: Who,
    machine: &'a Machine,
    clock: Clock,
    /// Milliseconds since the transfer before of the same disk was done.
    since_transfer: f64,
}

impl Shown<'_> {
    /// Whether a value is the one that TraceEvent shows; else ours as text.
    fn same(&self, names: &Names, event: &str, field: &str, theirs: &str) -> Result<Found, String> {
        let (record, who) = (&self.record, self.who);
        let any = |ours: &[Option<u64>]| {
            let theirs = plain(theirs);
            let same = |n: &Option<u64>| n.map_or("-1".to_owned(), |n| n.to_string()) == theirs;
            if ours.iter().any(same) { Ok(Found::Same) } else { Err(format!("{ours:?}")) }
        };
        // An event about a process or thread counts as that process's own.
        let told = |names: &[&str]| {
            let mut fields = self.format.fields(record);
            fields
                .find(|f| names.iter().any(|name| f.field.name.eq_ignore_ascii_case(name)))
                .and_then(|f| f.value.as_u64())
        };
        let pid = [who.pid.map(u64::from), record.pid().map(u64::from), told(&["ProcessId", "PID"])];
        let tid = [who.tid.map(u64::from), record.tid().map(u64::from), told(&["TThreadId", "ThreadId"])];
        match field {
            "PID" | "TID" if plain(theirs) == "-1" => return Ok(Found::Nothing),
            "PID" => return any(&pid),
            "TID" => return any(&tid),
            "PName" if theirs.is_empty() || theirs.starts_with("Process(") => return Ok(Found::Nothing),
            "PName" => return self.process(&pid, theirs).map(|()| Found::Same),
            "ProceNum" | "ProcessorNumber" => return any(&[Some(record.cpu().into())]),
            "DataLen" => return any(&[Some(record.payload().len() as u64)]),
            "ParentProcessID" if plain(theirs) != "-1" => return any(&[record.pid().map(u64::from)]),
            "ParentThreadID" if plain(theirs) != "-1" => return any(&[record.tid().map(u64::from)]),
            "TotalHeapSize" => return any(&[Some(self.sum("GenerationSize"))]),
            "TotalPromoted" => return any(&[Some(self.sum("TotalPromotedSize"))]),
            "PayloadLength" => return any(&[Some(record.payload().len() as u64)]),
            "ElapsedTimeMSec" => {
                let told = (told(&["HighResResponseTime"]), told(&["InitialTime"]));
                return self.elapsed(theirs, told.0, told.1).map(|()| Found::Same);
            }
            "UtcOffsetMinutes" => {
                // The bias of the time zone block, in minutes, goes first.
                let mut fields = self.format.fields(record);
                let zone = fields.find(|f| f.field.name == "TimeZoneInformation");
                if let Some(Value::Struct(zone)) = zone.map(|f| f.value)
                    && let Some(Value::Signed(bias)) = zone.fields().next().map(|bias| bias.value)
                {
                    return if plain(theirs) == bias.to_string() {
                        Ok(Found::Same)
                    } else {
                        Err(bias.to_string())
                    };
                }
            }
            // As long as the disk had to do with this transfer: since it was begun, or the one before was done.
            "DiskServiceTimeMSec" => {
                let ticks = told(&["HighResResponseTime"]).unwrap_or_default();
                let elapsed = self.clock.duration_ns(ticks.cast_signed()) as f64 / 1e6;
                let ours = elapsed.min(self.since_transfer);
                let same = (ours - plain(theirs).parse::<f64>().unwrap()).abs() < 0.0015;
                return if same { Ok(Found::Same) } else { Err(format!("{ours:.3}")) };
            }
            // TraceEvent reads two fields as one number.
            "context" if event.starts_with("Windows Kernel/UdpIp/") && theirs != "0x0" => {
                let ours = told(&["size"]).unwrap_or_default() << 32 | told(&["PID"]).unwrap_or_default();
                return if theirs == format!("{ours:#x}") {
                    Ok(Found::Same)
                } else {
                    Err(format!("{ours:#x}"))
                };
            }
            // The names of the low bits; the high ones are the priority, which is shown apart.
            "IrpFlags" => {
                let bits = told(&["IrpFlags"]).unwrap_or(0) & 0x1FFFF;
                return any_flags(bits, theirs).map(|()| Found::Same);
            }
            _ => {}
        }
        // Parts of a number that we show as a whole.
        let part = |whole: &str, shift: u32, mask: u64| told(&[whole]).map(|number| number >> shift & mask);
        let of_number = match (event.rsplit_once('/').unwrap_or_default(), field) {
            ((_, "Create"), "CreateDisposition") => part("CreateOptions", 24, 0xFF),
            ((_, "Create"), "CreateOptions") => part("CreateOptions", 0, 0xFF_FFFF),
            (("Windows Kernel/DiskIO", _), "Priority") => part("IrpFlags", 17, 7),
            (("Windows Kernel/PerfInfo", "Sample"), "ExecutingDPC") => part("Reserved", 0, 1),
            (("Windows Kernel/PerfInfo", "Sample"), "ExecutingISR") => part("Reserved", 1, 1),
            (("Windows Kernel/PerfInfo", "Sample"), "Priority") => part("Reserved", 3, 0x1F),
            (("Windows Kernel/PerfInfo", "Sample"), "Rank") => part("Reserved", 8, 0xFF),
            (_, "ShareAccess") => part("ShareAccess", 0, u64::MAX),
            (("Windows Kernel/Process", _), "Flags") => part("Flags", 0, u64::MAX),
            _ => None,
        };
        if let Some(ours) = of_number {
            let theirs = names.number(field, theirs).or_else(|| plain(theirs).parse().ok());
            return if theirs == Some(ours) { Ok(Found::Same) } else { Err(format!("{ours:#x}")) };
        }
        let alias = |event: &str| names.fields.get(&(event.to_owned(), field.to_owned())).map(String::as_str);
        let wanted = alias(event).or_else(|| alias("*")).unwrap_or(field);
        let mut path = wanted.split(['[', ']', '.']).filter(|part| !part.is_empty());
        let first = bare(path.next().unwrap_or_default());
        let Some(found) = self.format.fields(record).find(|f| bare(&f.field.name) == first) else {
            if wanted == "FileName" {
                let path =
                    told(&["FileObject", "FileKey"]).and_then(|key| self.machine.file_at(key, record.time()));
                let path = self.dos_path(path.map_or("", |path| self.machine.name(path)));
                return if theirs.is_empty() && path.is_empty() {
                    Ok(Found::Nothing)
                } else if equal(&Value::Bool(false), &path, theirs) {
                    Ok(Found::Same)
                } else {
                    Err(path)
                };
            }
            // TraceEvent shows nought for what the payload does not have; that it has not is sure only where our layout
            // takes up all of it.
            const NOTHING: [&str; 9] =
                ["", "0", "0x0", "None", "Unknown", "-1", "False", "not_specified", "Normal"];
            let is_understood = matches!(self.format.fields(record).finish(), Ok([]));
            return match NOTHING.contains(&theirs) {
                true if is_understood => Ok(Found::Nothing),
                true => Err("(no such field, and the payload is not understood in full)".to_owned()),
                false => Err("(no such field)".to_owned()),
            };
        };
        let (mut field, mut value) = (found.field, found.value);
        for part in path {
            match value {
                Value::Array(array) => value = array.get(part.parse().unwrap()).ok_or("(no such element)")?,
                Value::Struct(members) => {
                    let member = members
                        .fields()
                        .find(|m| bare(&m.field.name) == bare(part))
                        .ok_or("(no such member)")?;
                    (field, value) = (member.field, member.value);
                }
                _ => return Err("(no such part)".to_owned()),
            }
        }
        if matches!(value, Value::Array(array) if array.clone().next().is_none()) && theirs.is_empty() {
            return Ok(Found::Nothing);
        }
        let ours = value.display(field).to_string();
        if ours.is_empty() && theirs == "Idle" {
            // No process: TraceEvent shows the name of number 0.
            return Ok(Found::Nothing);
        }
        let dos = self.dos_path(&ours);
        let unpathed = ours.rsplit('\\').next().unwrap_or_default();
        let program = ours.strip_suffix(".exe").unwrap_or(&ours);
        let candidates = [ours.as_str(), &dos, unpathed, program];
        if candidates.iter().any(|ours| equal(&value, ours, theirs)) || same_date(&value, theirs) {
            Ok(Found::Same)
        } else {
            Err(ours)
        }
    }

    /// The name of the process, without its extension. Where TraceEvent knows none it shows the number.
    fn process(&self, pids: &[Option<u64>], theirs: &str) -> Result<(), String> {
        let time = self.record.time();
        let mut names = pids.iter().flatten().filter_map(|pid| {
            let process = self.machine.process_at(u32::try_from(*pid).ok()?, time)?;
            let image = self.machine.name(self.machine.process(process)?.value.image);
            let name = image.rsplit('\\').next().unwrap_or_default();
            Some(name.strip_suffix(".exe").or(name.strip_suffix(".EXE")).unwrap_or(name).to_owned())
        });
        let whole = theirs.strip_suffix("...").unwrap_or(theirs);
        let same = |name: &String| {
            name.eq_ignore_ascii_case(theirs) || (whole.len() < theirs.len() && name.starts_with(whole))
        };
        if names.any(|name| same(&name)) { Ok(()) } else { Err("(another name)".to_owned()) }
    }

    /// A path as programs write it. One that names no volume is on the first.
    fn dos_path(&self, path: &str) -> String {
        match self.machine.volumes().to_dos(path) {
            Some((volume, rest)) => format!("{volume}{rest}"),
            None if path.starts_with('\\') => format!("C:{path}"),
            None => path.to_owned(),
        }
    }

    /// Milliseconds of an input or output: given in ticks of the clock, or by its start time.
    fn elapsed(&self, theirs: &str, ticks: Option<u64>, since: Option<u64>) -> Result<(), String> {
        let now = self.record.time().cast_unsigned();
        let ticks = ticks.or(since.map(|since| now.wrapping_sub(since))).ok_or("(not given)")?;
        let ours = format!("{:.3}", self.clock.duration_ns(ticks.cast_signed()) as f64 / 1e6);
        let (a, b): (f64, f64) = (ours.parse().unwrap(), plain(theirs).parse().unwrap());
        if (a - b).abs() < 0.0015 { Ok(()) } else { Err(ours) }
    }

    /// The sum of the fields with this name and a digit.
    fn sum(&self, name: &str) -> u64 {
        let fields = self.format.fields(&self.record);
        let wanted = fields.filter(|f| f.field.name.strip_prefix(name).is_some_and(|rest| rest.len() == 1));
        wanted.filter_map(|f| f.value.as_u64()).sum()
    }
}

/// Compares bits with TraceEvent's names for them, which may be cut.
fn any_flags(bits: u64, theirs: &str) -> Result<(), String> {
    const NAMES: [(u64, &str); 12] = [
        (0x1, "Nocache"),
        (0x2, "MountCompletion"),
        (0x4, "SynchronousApi"),
        (0x8, "AssociatedIrp"),
        (0x10, "BufferedIO"),
        (0x20, "DeallocateBuffer"),
        (0x40, "SynchronousPagingIO"),
        (0x80, "Create"),
        (0x100, "Read"),
        (0x200, "Write"),
        (0x400, "Close"),
        (0x800, "DeferIOCompletion"),
    ];
    let names: Vec<&str> = NAMES.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, name)| *name).collect();
    let ours = if names.is_empty() { "None".to_owned() } else { names.join(", ") };
    let same = match theirs.strip_suffix("...") {
        Some(start) => ours.starts_with(start),
        None => ours == theirs,
    };
    if same { Ok(()) } else { Err(ours) }
}

/// A name without punctuation, in lower case.
fn bare(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_ascii_lowercase()
}

/// Compares a date, `yy/MM/dd HH:mm:ss.ff`, truncated there, in the time zone of the machine that
/// wrote the baseline.
fn same_date(value: &Value<'_>, theirs: &str) -> bool {
    let Some(theirs) =
        theirs.strip_suffix("...").filter(|text| text.len() == 20 && text.as_bytes()[2] == b'/')
    else {
        return false;
    };
    let ticks = match value {
        Value::FileTime(time) => time.ticks(),
        Value::Unsigned(seconds) => 116_444_736_000_000_000 + (*seconds as i64) * 10_000_000,
        Value::SystemTime([year, month, _, day, hour, minute, second, _]) => {
            let shown = format!("{:02}/{month:02}/{day:02} {hour:02}:{minute:02}:{second:02}", year % 100);
            return theirs.starts_with(&shown);
        }
        _ => return false,
    };
    (-14 * 4..=14 * 4).any(|quarters: i64| {
        let local = tracewell_types::FileTime(ticks + quarters * 900 * 10_000_000).to_string();
        let shown = local.replace('-', "/").replace('T', " ");
        shown.get(2..22) == Some(theirs)
    })
}

/// Compares after undoing TraceEvent's formats: commas between thousands, hexadecimal, texts cut at twenty characters.
fn equal(value: &Value<'_>, ours: &str, theirs: &str) -> bool {
    let (theirs, ours) = (theirs.trim_end(), ours.trim_end());
    let starts = |start: &str| ours.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    if theirs.eq_ignore_ascii_case(ours) || theirs.strip_suffix("...").is_some_and(starts) {
        return true;
    }
    if let Some(number) = value.as_u64() {
        let text = plain(theirs);
        let parsed = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse::<u64>().ok().or_else(|| text.parse::<i64>().ok().map(i64::cast_unsigned)),
        };
        // A number of 32 bits may be shown with a sign on one side.
        let with_sign = |n: u64| i64::from((n as u32).cast_signed()).cast_unsigned();
        let is_same_word = |a: u64, b: u64| a >> 32 == 0 && b == with_sign(a);
        if let Some(parsed) = parsed {
            return parsed == number || is_same_word(number, parsed) || is_same_word(parsed, number);
        }
        match theirs {
            "True" => return number != 0,
            "False" | "None" | "not_specified" => return number == 0,
            _ => {}
        }
    }
    // "A, B" are bits; a long number is cut as well.
    let piped = theirs.replace(", ", "|");
    piped.eq_ignore_ascii_case(ours)
        || piped.strip_suffix("...").is_some_and(starts)
        || theirs.strip_suffix("...").is_some_and(|start| {
            let signed = value.as_u64().map(|n| n.cast_signed().to_string()).unwrap_or_default();
            plain(start).len() > 9 && (ours.starts_with(&plain(start)) || signed.starts_with(&plain(start)))
        })
}

/// The text between `name="` and the next quote, with XML escapes resolved; the last attribute of that name.
fn attribute(line: &str, name: &str) -> String {
    let at = line.rfind(&format!(" {name}=")).unwrap() + name.len() + 2;
    let rest = line[at..].trim_start().strip_prefix('"').unwrap();
    let text = &rest[..rest.find('"').unwrap()];
    text.replace("&gt;", ">")
        .replace("&lt;", "<")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

/// The four files of one session of the diagnostics hub, read as one stream: every activity in TraceEvent's order with
/// every value.
#[test]
fn the_diagnostics_hub_as_one_stream() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let folder = folder.join("perfview/diaghub");
    let names =
        ["diaghub.etl", "diaghub.kernel.1.etl", "diaghub.user_injected.1.etl", "diaghub.user_paged.1.etl"];
    let files: Vec<Vec<u8>> = names.iter().map(|name| std::fs::read(folder.join(name)).unwrap()).collect();
    let traces: Vec<Trace<'_>> = files.iter().map(|bytes| Trace::open(bytes).unwrap()).collect();
    let wanted = std::fs::read_to_string(folder.join("diaghub-etls.events.txt")).unwrap();
    let mut wanted = wanted.lines().filter(|line| line.starts_with("<Event"));
    let order = std::fs::read_to_string(folder.join("diaghub-etls.activity.txt")).unwrap();
    let mut order = order.lines().filter(|line| !line.is_empty());
    let mut schemas = Schemas::new();
    for trace in &traces {
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            schemas.observe(&record);
        }
    }
    let mut decoder = Decoder::new(schemas);
    let mut merge = tracewell_etl::Merge::new(&traces);
    let (mut found, mut origin) = (0, None);
    while let Some((at, record)) = merge.next() {
        let format = decoder.format(&record);
        if &*format.provider != "Microsoft-Diagnostics-DiagnosticSource"
            || !format.name.starts_with("Activity")
        {
            continue;
        }
        assert_eq!(order.next(), Some(&*format.name));
        let line = wanted.next().unwrap();
        let ms = traces[at].clock().unix_ns(record.time()) as f64 / 1e6;
        let theirs: f64 = attribute(line, "MSec").parse().unwrap();
        let offset = ms - theirs;
        assert!((offset - *origin.get_or_insert(offset)).abs() < 0.001, "{offset}");
        assert_eq!(attribute(line, "PID"), record.pid().unwrap().to_string());
        assert_eq!(attribute(line, "TID"), record.tid().unwrap().to_string());
        // TraceEvent leaves out an activity of zero.
        let activity = record.activity_id();
        let theirs = if activity.is_zero() { String::new() } else { attribute(line, "ActivityID") };
        assert_eq!(
            theirs,
            if activity.is_zero() { String::new() } else { activity.to_string().replace('-', "") }
        );
        assert_eq!(line.contains(" ActivityID="), !activity.is_zero());
        let shown = |name: &str| {
            let field = format.fields(&record).find(|f| &*f.field.name == name).unwrap();
            let Value::Array(array) = field.value else {
                return field.value.display(field.field).to_string();
            };
            let pairs = array.map(|element| {
                let Value::Struct(members) = element else { panic!("{element:?}") };
                let member = |name: &str| match members.get(name) {
                    Some(Value::Utf16(text)) => text.to_string(),
                    other => panic!("{other:?}"),
                };
                format!("{}->\"{}\"", member("Key"), member("Value"))
            });
            format!("[{}]", pairs.collect::<Vec<_>>().join(","))
        };
        assert_eq!(attribute(line, "SourceName"), shown("SourceName"));
        assert_eq!(attribute(line, "EventName"), shown("EventName"));
        let arguments = shown("Arguments").replace('\r', "").replace('\n', "\\n");
        assert_eq!(attribute(line, "Arguments"), arguments);
        found += 1;
    }
    assert_eq!((found, wanted.next(), order.next()), (168, None, None));
}
