//! Ids that are used again: the tables and the timeline over random histories, compared with naive models of them.

mod histories;

use std::collections::BTreeMap;

use histories::{Head, History, Life, Log, Random, at, events, lives};
use tracewell_etl::Trace;
use tracewell_state::{FOREVER, Machine, MachineBuilder, Needs, ONCE, Timeline};
use tracewell_types::Guid;

/// Seeds of the histories; each is made with pointers of both sizes.
const SEEDS: u64 = 8;
/// No event of a history is later.
const LATEST: i64 = 1_200;

const TRACE_CONTROL: Guid = Guid::parse("b3e675d7-2554-4f18-830b-2762732560de");
const CONFIGURATION: Guid = Guid::parse("9b79ee91-b5fd-41c0-a243-4248e266e9d0");
const RUNTIME: Guid = Guid::parse("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");

fn logs() -> impl Iterator<Item = (Log, Random)> {
    (0..SEEDS)
        .flat_map(|seed| [true, false].map(|wide| (Log { wide, records: Vec::new() }, Random::new(seed))))
}

/// Reads only the records that these needs select.
fn build(bytes: &[u8], needs: Needs) -> Machine {
    let trace = Trace::open(bytes).unwrap();
    let mut builder = MachineBuilder::new().only(needs);
    let mut records = trace.file_order().only(needs.records());
    while let Some(record) = records.next() {
        builder.observe(&record);
    }
    assert_eq!(builder.unread(), 0);
    builder.finish()
}

/// Times worth asking for: around each event, and the ends of time.
fn times<'l, T: 'l>(lives: impl Iterator<Item = &'l Life<T>>) -> Vec<i64> {
    let near = |time: i64| [time.saturating_sub(1), time, time.saturating_add(1)];
    let mut times: Vec<i64> = lives.flat_map(|life| [life.first(), life.last()]).flat_map(near).collect();
    times.extend([FOREVER, LATEST * 2, ONCE]);
    times
}

#[derive(Clone, Debug, PartialEq)]
struct Program {
    key: u64,
    parent: u32,
    session: u32,
    status: i32,
    flags: u32,
    user: Vec<u32>,
    image: &'static str,
    line: String,
    package: String,
    application: String,
}

/// Processes with few names, so that only their keys distinguish many of them.
fn programs(log: &mut Log, random: &mut Random) -> History<u32, Program> {
    let mut history = BTreeMap::new();
    let mut unique = 0;
    for pid in (1..12).map(|at| at * 4) {
        let program = |random: &mut Random| {
            unique += 0x40;
            let some = |random: &mut Random, text: &str| match random.below(3) {
                0 => String::new(),
                _ => format!("{text} {}", random.below(1000)),
            };
            Program {
                key: unique,
                parent: random.below(100) as u32,
                session: random.below(5) as u32,
                status: random.next() as i32,
                flags: random.below(4) as u32,
                user: (0..random.below(4)).map(|_| random.next() as u32).collect(),
                image: random.pick::<&str>(&["One.EXE", "two.exe"]),
                line: some(random, "line"),
                package: some(random, "package"),
                application: some(random, "application"),
            }
        };
        let of_pid = lives(random, program, |a, b| a.key == b.key);
        for life in &of_pid {
            for (opcode, time) in events(life, random, 1, [3, 4], 2) {
                let value = &life.value;
                let payload = log.payload().pointer(value.key).u32(pid).u32(value.parent).u32(value.session);
                // Only the status of an end is one.
                let status = if opcode == 2 { value.status } else { 259 };
                let payload = payload.u32(status as u32).pointer(0x1AB).u32(value.flags).user(&value.user);
                let payload = payload.ansi(value.image).utf16(&value.line);
                let payload = payload.utf16(&value.package).utf16(&value.application);
                log.add(time, Head::Short { group: 3, opcode, version: 4 }, payload);
            }
        }
        history.insert(pid, of_pid);
    }
    history
}

#[test]
fn processes_are_those_of_a_naive_model() {
    for (mut log, mut random) in logs() {
        let history = programs(&mut log, &mut random);
        log.shuffle(&mut random);
        let machine = build(&log.write(), Needs { images: false, files: false, stacks: false });
        assert_eq!(machine.processes().len(), 1 + history.values().map(Vec::len).sum::<usize>());
        for (&pid, of_pid) in &history {
            let spans: Vec<_> = machine.processes_of(pid).map(|span| (span.start, span.end)).collect();
            assert_eq!(spans, of_pid.iter().map(|life| life.span).collect::<Vec<_>>(), "{pid}: {of_pid:#?}");
            for (span, life) in machine.processes_of(pid).zip(of_pid) {
                let (have, want) = (&span.value, &life.value);
                let user = want.user.iter().fold(String::from("S-1-5"), |sid, part| format!("{sid}-{part}"));
                assert_eq!((have.pid, have.key, have.parent), (pid, Some(want.key), Some(want.parent)));
                assert_eq!((have.session, have.flags), (Some(want.session), Some(want.flags)));
                assert_eq!(have.exit_status, life.end.map(|_| want.status));
                assert_eq!(machine.name(have.image), want.image);
                assert_eq!(machine.name(have.image_lower), want.image.to_lowercase());
                assert_eq!(machine.name(have.command_line), want.line);
                assert_eq!(machine.name(have.package), want.package);
                assert_eq!(machine.name(have.application), want.application);
                assert_eq!(machine.name(have.user), if want.user.is_empty() { "" } else { &user });
            }
            for time in times(of_pid.iter()) {
                let found = machine.process_at(pid, time).and_then(|index| machine.process(index));
                let wanted = at(of_pid, time);
                assert_eq!(
                    found.map(|span| span.value.key),
                    wanted.map(|life| Some(life.value.key)),
                    "{pid}, {time}"
                );
                if let (Some(span), Some(life)) = (found, wanted) {
                    assert_eq!(span.contains(time), life.holds(time));
                }
            }
        }
    }
}

/// A thread by its process: pid and position among the lives of that pid.
#[derive(Clone, Debug)]
struct Worker {
    pid: u32,
    nth: usize,
    name: String,
    addresses: [u64; 6],
    priorities: [u8; 3],
}

/// Threads whose ids move between processes, and threads that no event defines.
fn workers(log: &mut Log, random: &mut Random, programs: &History<u32, Program>) -> History<u32, Worker> {
    let mut history: History<u32, Worker> = BTreeMap::new();
    let owners: Vec<(u32, usize, &Life<Program>)> = programs
        .iter()
        .flat_map(|(pid, lives)| lives.iter().enumerate().map(|(nth, life)| (*pid, nth, life)))
        .collect();
    for tid in (50..90).map(|at| at * 4) {
        let defined = !random.one_in(4);
        let mut lives: Vec<Life<Worker>> = Vec::new();
        let mut time = 1;
        while time < LATEST && lives.len() < 5 {
            let (from, length) = (time + random.time(90), 6);
            time = from + length;
            let last_pid = lives.last().map_or(0, |life| life.value.pid);
            let fits = |life: &Life<Program>| life.span.0 < from && life.span.1 >= time;
            let fitting: Vec<_> = owners.iter().filter(|(_, _, life)| fits(life)).collect();
            if fitting.is_empty() {
                continue;
            }
            let &&(pid, nth, _) = random.pick(&fitting);
            let alike = pid == last_pid;
            // Without definitions, a process that returns looks like one that never left.
            if !defined && lives.iter().any(|life| life.value.pid == pid) {
                continue;
            }
            let begin = (defined && (alike || random.one_in(2))).then_some(from);
            let mut alive: Vec<i64> = (1..4).map(|after| from + after).collect();
            alive.truncate(usize::from(begin.is_none() || !defined) + random.below(3));
            let end = (defined && random.one_in(2)).then_some(from + 5);
            let base = log.address(random.next() | 1);
            let value = Worker {
                pid,
                nth,
                name: (0..random.below(3)).map(|_| "Name").collect(),
                addresses: std::array::from_fn(|_| log.address(random.next())),
                priorities: std::array::from_fn(|_| random.next() as u8),
            };
            let value = Worker {
                addresses: [
                    base,
                    value.addresses[1],
                    value.addresses[2] | 1,
                    value.addresses[3],
                    value.addresses[4],
                    value.addresses[5],
                ],
                ..value
            };
            lives.push(Life { begin, alive, end, value, span: (0, 0) });
        }
        for at in 0..lives.len() {
            let start = match (lives[at].begin, at) {
                (Some(begin), _) => begin,
                (None, 0) => FOREVER,
                (None, _) if defined => lives[at - 1].span.1 + 1,
                (None, _) => lives[at].first(),
            };
            let until_next = lives.get(at + 1).map_or(ONCE, |next| next.first() - 1);
            lives[at].span = (start, lives[at].end.unwrap_or(until_next));
        }
        for life in &lives {
            let Worker { pid, ref name, addresses, priorities, .. } = life.value;
            if !defined {
                for &time in &life.alive {
                    let (group, payload) = (14, log.payload());
                    if random.one_in(2) {
                        log.add(time, Head::System { group, opcode: 1, version: 2, pid, tid }, payload);
                    } else {
                        let payload = payload.u64(time as u64 - 1).u32(pid).u32(tid);
                        log.add(time, Head::Short { group: 24, opcode: 32, version: 2 }, payload);
                    }
                }
                continue;
            }
            for (opcode, time) in events(life, random, 1, [3, 4], 2) {
                let payload = addresses[..4]
                    .iter()
                    .fold(log.payload().u32(pid).u32(tid), |out, address| out.pointer(*address));
                let payload = payload.pointer(addresses[4]).pointer(addresses[5]).pointer(0x7EB).u32(3);
                let payload = priorities.iter().fold(payload, |out, priority| out.u8(*priority)).u8(0xF0);
                log.add(time, Head::Short { group: 5, opcode, version: 3 }, payload.utf16(name));
            }
            // A header that names the owner adds nothing.
            let head = Head::System { group: 14, opcode: 1, version: 2, pid, tid };
            log.add(life.first(), head, log.payload());
        }
        if !lives.is_empty() {
            history.insert(tid, lives);
        }
    }
    history
}

#[test]
fn threads_and_their_processes_are_those_of_a_naive_model() {
    let mut compared = 0;
    for (mut log, mut random) in logs() {
        let programs = programs(&mut log, &mut random);
        let history = workers(&mut log, &mut random, &programs);
        log.shuffle(&mut random);
        let machine = build(&log.write(), Needs { images: false, files: false, stacks: true });
        assert_eq!(machine.threads().len(), 1 + history.values().map(Vec::len).sum::<usize>());
        for (&tid, of_tid) in &history {
            let spans: Vec<_> = machine.threads().filter(|span| span.value.tid == tid).collect();
            let have: Vec<_> = spans.iter().map(|span| (span.value.pid, span.start, span.end)).collect();
            let want: Vec<_> = of_tid.iter().map(|life| (life.value.pid, life.span.0, life.span.1)).collect();
            assert_eq!(have, want, "{tid}: {of_tid:#?}");
            for (span, life) in spans.iter().zip(of_tid) {
                let (have, want) = (&span.value, &life.value);
                let process = machine.process(have.process.unwrap()).unwrap();
                let owner = &programs[&want.pid][want.nth];
                assert_eq!(
                    (process.start, process.value.key),
                    (owner.span.0, Some(owner.value.key)),
                    "{tid} {life:?}"
                );
                if have.win32_start.is_none() {
                    continue;
                }
                let [base, limit, user_base, user_limit, affinity, start] = want.addresses;
                assert_eq!(machine.name(have.name), want.name);
                assert_eq!(have.kernel_stack, Some((base, limit)));
                assert_eq!(have.user_stack, Some((user_base, user_limit)));
                assert_eq!((have.affinity, have.win32_start), (Some(affinity), Some(start)));
                let priorities = [have.base_priority, have.page_priority, have.io_priority];
                assert_eq!(priorities, want.priorities.map(Some));
                compared += 1;
            }
            for time in times(of_tid.iter()) {
                let found = machine.thread_at(tid, time).and_then(|index| machine.thread(index));
                let wanted = at(of_tid, time).map(|life| life.value.pid);
                assert_eq!(found.map(|span| span.value.pid), wanted, "{tid}, {time}");
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

/// Names of files and of registry keys by their address.
#[test]
fn files_and_keys_are_those_of_a_naive_model() {
    let name = |random: &mut Random| *random.pick(&["\\a", "\\b", "\\Device\\é", "\\A"]);
    for (mut log, mut random) in logs() {
        let (mut files, mut keys) = (BTreeMap::new(), BTreeMap::new());
        for at in 1..20u64 {
            let address = log.address(0xFFFF_A000_0000_0000 + at * 0x10);
            let of_file = lives(&mut random, name, |a, b| a == b);
            for life in &of_file {
                for (opcode, time) in events(life, &mut random, 32, [0, 36], 35) {
                    let payload = log.payload().pointer(address).utf16(life.value);
                    log.add(time, Head::Short { group: 4, opcode, version: 2 }, payload);
                }
            }
            let of_key = lives(&mut random, name, |a, b| a == b);
            for life in &of_key {
                for (opcode, time) in events(life, &mut random, 22, [24, 25], 23) {
                    let payload = log.payload().u64(0).u32(7).u32(9).pointer(address).utf16(life.value);
                    log.add(time, Head::Short { group: 9, opcode, version: 2 }, payload);
                }
            }
            files.insert(address, of_file);
            keys.insert(address, of_key);
        }
        log.shuffle(&mut random);
        let machine = build(&log.write(), Needs { images: false, files: true, stacks: false });
        assert_eq!(machine.files().len(), files.values().map(Vec::len).sum::<usize>());
        for (&address, of_file) in &files {
            let have: Vec<_> = machine.files().filter(|span| span.value.key == address).collect();
            let have: Vec<_> = have.iter().map(|s| (s.start, s.end, machine.name(s.value.path))).collect();
            let want: Vec<_> = of_file.iter().map(|life| (life.span.0, life.span.1, life.value)).collect();
            assert_eq!(have, want);
            for time in times(of_file.iter()) {
                let want = at(of_file, time).map(|life| life.value);
                assert_eq!(machine.file_at(address, time).map(|name| machine.name(name)), want);
                let read = machine.transferred_file_at(address, time).map(|name| machine.name(name));
                assert_eq!(read, want.or(Some(of_file[0].value)), "before its first name, too");
            }
            for time in times(keys[&address].iter()) {
                let want = at(&keys[&address], time).map(|life| life.value);
                assert_eq!(machine.registry_key_at(address, time).map(|name| machine.name(name)), want);
            }
        }
        let none = build(&log.write(), Needs { images: true, files: false, stacks: false });
        assert_eq!(none.files().len(), 0);
        assert!(keys.keys().all(|&address| none.registry_key_at(address, ONCE).is_none()));
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Module {
    size: u64,
    name: &'static str,
    stamp: u32,
    checksum: u32,
    preferred: u64,
}

/// Images whose ranges overlap, in processes and in the kernel.
#[test]
fn images_are_those_of_a_naive_model() {
    for (mut log, mut random) in logs() {
        let mut history: History<(u32, u64), Module> = BTreeMap::new();
        let mut files: BTreeMap<(u32, u64, usize), String> = BTreeMap::new();
        let mut added: BTreeMap<(u32, u64), (u32, Guid, u32)> = BTreeMap::new();
        for pid in [0, 4, 8] {
            for at in 0..12u64 {
                let base = 0x1_0000 + at * 0x1000;
                let module = |random: &mut Random| Module {
                    size: 0x800 + 0x800 * random.below(6) as u64,
                    name: random.pick::<&str>(&["Kernel.DLL", "user.dll"]),
                    stamp: random.below(2) as u32 * random.next() as u32,
                    checksum: random.next() as u32,
                    preferred: u64::from(random.next() as u32),
                };
                let of_base = lives(&mut random, module, |a, b| a.size == b.size && a.name == b.name);
                for (nth, life) in of_base.iter().enumerate() {
                    let Module { size, name, stamp, checksum, preferred } = life.value;
                    let mut file = String::new();
                    for (opcode, time) in events(life, &mut random, 10, [3, 4], 2) {
                        let volume = random.pick(&["\\Device\\HarddiskVolume3", ""]);
                        let path = format!("{volume}\\Windows\\{name}");
                        if file.is_empty() || !file.starts_with("\\Device") && !volume.is_empty() {
                            file.clone_from(&path);
                        }
                        let payload =
                            log.payload().pointer(base).pointer(size).u32(pid).u32(checksum).u32(stamp);
                        let payload =
                            payload.u32(0x66).pointer(preferred).u32(1).u32(2).u32(3).u32(4).utf16(&path);
                        let group = if opcode == 10 { 3 } else { 20 };
                        log.add(
                            time,
                            Head::Short { group, opcode, version: 2 + random.below(2) as u8 },
                            payload,
                        );
                    }
                    files.insert((pid, base, nth), file);
                }
                history.insert((pid, base), of_base);
                if random.one_in(2) {
                    // Merge tools add both, for the process or for all of them.
                    let pid = if random.one_in(2) { 0 } else { pid };
                    let (stamp, age) = (random.next() as u32, random.below(9) as u32);
                    let guid = Guid::from_bytes(std::array::from_fn(|_| random.next() as u8));
                    added.insert((pid, base), (stamp, guid, age));
                    let payload = log.payload().pointer(base).u32(pid).guid(guid).u32(age).ansi("a.pdb");
                    log.add(LATEST, Head::Class { guid: TRACE_CONTROL, opcode: 36, version: 2 }, payload);
                    let payload = log.payload().pointer(base).pointer(1).u32(pid).u32(stamp).utf16("a.dll");
                    log.add(LATEST, Head::Class { guid: TRACE_CONTROL, opcode: 0, version: 2 }, payload);
                }
            }
        }
        let machine = build(&log.write(), Needs { images: true, files: false, stacks: false });
        let all: Vec<_> = history
            .iter()
            .flat_map(|(&(pid, base), lives)| {
                lives.iter().enumerate().map(move |(nth, life)| (pid, base, nth, life))
            })
            .collect();
        assert_eq!(machine.images().len(), all.len());
        for (span, &(pid, base, nth, life)) in machine.images().zip(&all) {
            let (have, want) = (&span.value, &life.value);
            assert_eq!((have.pid, have.base, span.start, span.end), (pid, base, life.span.0, life.span.1));
            assert_eq!(machine.name(have.file), files[&(pid, base, nth)]);
            assert_eq!(machine.name(have.module), want.name.to_lowercase());
            let added = added.get(&(pid, base)).or_else(|| added.get(&(0, base)));
            let stamp = Some(want.stamp).filter(|stamp| *stamp != 0).or(added.map(|(stamp, ..)| *stamp));
            assert_eq!((have.size, have.checksum, have.time_stamp), (want.size, Some(want.checksum), stamp));
            assert_eq!(have.default_base, Some(want.preferred));
            let identity = have.identity.map(|identity| (identity.guid, identity.age));
            assert_eq!(identity, added.map(|(_, guid, age)| (*guid, *age)));
            assert!(have.identity.is_none_or(|identity| machine.name(identity.pdb) == "a.pdb"));
        }
        // Of overlapping images the one with the highest base counts, and of those the latest.
        let naive = |pid: u32, address: u64, time: Option<i64>| {
            let inside = |life: &Life<Module>, base: u64| {
                address >= base
                    && address < base + life.value.size
                    && time.is_none_or(|time| life.holds(time))
            };
            let of = |pid: u32| all.iter().rev().find(|(p, base, _, life)| *p == pid && inside(life, *base));
            of(pid).or_else(|| of(0)).map(|(pid, base, nth, _)| (*pid, *base, *nth))
        };
        for _ in 0..400 {
            let (pid, time) = (*random.pick(&[0, 4, 8, 12]), random.time(LATEST / 3));
            let address = 0xF800 + random.below(0x1_0000) as u64 / 0x100 * 0x100 - random.below(2) as u64;
            let place = |span: &tracewell_state::Span<tracewell_state::Image>| {
                let (pid, base) = (span.value.pid, span.value.base);
                let nth = history[&(pid, base)].iter().position(|life| life.span == (span.start, span.end));
                (pid, base, nth.unwrap())
            };
            let found = machine.image_at(pid, address, time).map(place);
            assert_eq!(found, naive(pid, address, Some(time)), "{pid} {address:#x} {time}");
            assert_eq!(machine.image_ever(pid, address).map(place), naive(pid, address, None));
            let base = address & !0xFFF;
            let at_base = history.get(&(pid, base)).and_then(|lives| at(lives, time)).map(|life| life.span);
            assert_eq!(machine.image_at_base(pid, base, time).map(|s| (s.start, s.end)), at_base);
        }
    }
}

/// The .NET runtime's methods: code that is discarded makes room for other code.
#[test]
fn methods_are_those_of_a_naive_model() {
    for (mut log, mut random) in logs() {
        let mut all = Vec::new();
        for _ in 0..60 {
            let (pid, time) = (random.below(3) as u32, random.time(LATEST));
            let (start, size) =
                (0x5000 + 0x40 * random.below(20) as u64, 0x10 + 0x10 * random.below(5) as u32);
            let head = Head::Event {
                provider: RUNTIME,
                id: 143 + random.below(2) as u16,
                version: random.below(2) as u8,
                pid,
                tid: 4,
            };
            let name = format!("method {}", all.len());
            let payload = log.payload().u64(1).u64(2).u64(start).u32(size).u32(5).u32(6);
            let payload = payload.utf16("space").utf16(&name).utf16("void()").bytes;
            let last = Head::Event { provider: RUNTIME, id: 145, version: 0, pid, tid: 4 };
            log.add(time, head, histories::Payload::of(&log, payload));
            log.add(time, last, log.payload());
            all.push((pid, start, size, time, name));
        }
        let machine = build(&log.write(), Needs { images: true, files: false, stacks: false });
        assert_eq!(machine.methods().all().len(), all.len());
        all.sort_by_key(|(pid, start, _, time, _)| (*pid, *start, *time));
        for _ in 0..300 {
            let (pid, address) = (random.below(4) as u32, 0x4FF0 + random.below(0x600) as u64);
            let time = random.time(LATEST);
            // The nearest start before the address decides.
            let nearest = all.iter().filter(|m| m.0 == pid && m.1 <= address).map(|m| m.1).max();
            let holds = |m: &&(u32, u64, u32, i64, String)| {
                m.0 == pid && Some(m.1) == nearest && address < m.1 + u64::from(m.2)
            };
            let next = all.iter().filter(holds).find(|m| m.3 >= time);
            let want = next.or_else(|| all.iter().rfind(holds)).map(|m| m.4.as_str());
            let have = machine.methods().at(pid, address, time);
            assert_eq!(have.map(|m| machine.name(m.name)), want, "{pid} {address:#x} {time}");
            assert!(have.is_none_or(|m| machine.name(m.namespace) == "space" && m.pid == pid));
        }
        let none = build(&log.write(), Needs { images: false, files: true, stacks: true });
        assert!(none.methods().all().is_empty());
    }
}

#[test]
fn volumes_are_those_of_the_trace() {
    for (mut log, _) in logs().take(2) {
        let payload = log.payload().utf16("\\Device\\HarddiskVolume3\\").utf16("D:\\");
        log.add(5, Head::Class { guid: CONFIGURATION, opcode: 35, version: 0 }, payload);
        let payload = log.payload().utf16("E:\\WIN\\system32").utf16("E:\\WIN\\");
        log.add(6, Head::Class { guid: CONFIGURATION, opcode: 33, version: 0 }, payload);
        log.add(7, Head::Class { guid: CONFIGURATION, opcode: 34, version: 0 }, log.payload().utf16("x"));
        let bytes = log.write();
        let machine = build(&bytes, Needs { images: false, files: true, stacks: false });
        let dos = |path| machine.volumes().to_dos(path).map(|(volume, rest)| format!("{volume}{rest}"));
        assert_eq!(dos("\\Device\\HarddiskVolume3\\a").as_deref(), Some("D:\\a"));
        assert_eq!(dos("\\SystemRoot\\b").as_deref(), Some("E:\\WIN\\b"));
        assert_eq!((machine.volumes().len(), machine.volumes().is_empty()), (2, false));
        let none = build(&bytes, Needs { images: true, files: false, stacks: false });
        assert!(none.volumes().is_empty());
    }
}

/// Ids as a naive timeline knows them: tid and position among its lives.
type Naive = Option<(u32, Option<usize>)>;

/// Context switches between threads whose ids are used again, followed at once, and with interruptions over
/// tables that are built anew each time.
#[test]
fn the_timeline_is_that_of_a_naive_model() {
    for (mut log, mut random) in logs() {
        let programs = programs(&mut log, &mut random);
        let history = workers(&mut log, &mut random, &programs);
        let definitions = log.write();
        let machine = build(&definitions, Needs { images: false, files: false, stacks: true });
        let tids: Vec<u32> = history.keys().copied().chain([0, 9_999]).collect();

        let mut cpus = [0u32; 4].map(|_| *random.pick(&tids));
        let first = cpus;
        let mut switches = Log { wide: log.wide, records: Vec::new() };
        for made in std::mem::take(&mut log.records) {
            switches.records.push(made);
        }
        for time in 1..LATEST {
            let cpu = random.below(3);
            let (new, old) =
                (*random.pick(&tids), if random.one_in(20) { *random.pick(&tids) } else { cpus[cpu] });
            let numbers: [u8; 8] = std::array::from_fn(|_| random.next() as u8);
            let payload =
                numbers.iter().fold(switches.payload().u32(new).u32(old), |out, number| out.u8(*number));
            let payload = payload.u32(random.next() as u32).u32(0);
            switches.on(cpu as u16, time, Head::Short { group: 5, opcode: 36, version: 4 }, payload);
            cpus[cpu] = new;
            // An event without ids, one with a thread in its payload, and one with a process.
            let payload = switches.payload().u64(0).u64(0);
            switches.on(
                random.below(4) as u16,
                time,
                Head::Short { group: 15, opcode: 68, version: 2 },
                payload,
            );
            let payload = switches.payload().pointer(0x77).u32(*random.pick(&tids)).u32(1);
            switches.on(cpu as u16, time, Head::Short { group: 15, opcode: 46, version: 2 }, payload);
        }
        switches.records.sort_by_key(|made| (made.time, made.head_is_switch()));
        let bytes = switches.write();
        let trace = Trace::open(&bytes).unwrap();
        let mut builder = MachineBuilder::new();
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            builder.observe(&record);
        }
        let machine_of_all = builder.finish();
        assert_eq!(machine_of_all.threads().len(), machine.threads().len());
        let machine = machine_of_all;

        let place = |tid: u32, time: i64| -> (u32, Option<usize>) {
            if tid == 0 {
                return (0, Some(0));
            }
            let lives = history.get(&tid).map_or(&[][..], |lives| lives);
            (tid, lives.iter().rposition(|life| life.span.0 <= time))
        };
        let index = |thread: (u32, Option<usize>)| {
            let before = machine.threads().position(|span| span.value.tid == thread.0)?;
            Some(tracewell_state::ThreadIndex((before + thread.1?) as u32))
        };
        let first_time = |cpu: u16| {
            let of_cpu = switches.records.iter().filter(|made| made.cpu == cpu && made.head_is_switch());
            of_cpu.map(|made| made.time).next()
        };
        let mut running: [Naive; 4] = std::array::from_fn(|cpu| {
            Some(place(first_old(&switches, cpu as u16)?, first_time(cpu as u16)?))
        });
        assert!(first.len() == running.len());
        let mut told: BTreeMap<(u32, usize), tracewell_state::Scheduling> = BTreeMap::new();
        let mut timeline = Timeline::new(&machine);
        let mut wrong = 0;
        let mut records = trace.by_time();
        while let Some(record) = records.next() {
            let (time, cpu, payload) = (record.time(), usize::from(record.cpu()), record.payload());
            let word = |at: usize| u32::from_le_bytes(payload[at..at + 4].try_into().unwrap());
            let switch = timeline.apply(&record);
            match record.hook() {
                Some(0x0524) => {
                    let switch = switch.unwrap();
                    let (new, old) = (word(0), word(4));
                    let before = running[cpu];
                    let left = before.filter(|thread| thread.0 == old).unwrap_or_else(|| place(old, time));
                    let comes = place(new, time);
                    let consistent = before.is_none_or(|thread| thread.0 == old);
                    wrong += u64::from(!consistent);
                    assert_eq!(switch.consistent, consistent);
                    assert_eq!((switch.old.tid, switch.old.thread), (old, index(left)));
                    assert_eq!((switch.new.tid, switch.new.thread), (new, index(comes)));
                    let signed = |at: usize| Some(payload[at] as i8);
                    if let (tid, Some(nth)) = left {
                        let known = told.entry((tid, nth)).or_default();
                        (known.priority, known.wait_reason, known.wait_mode) =
                            (signed(9), signed(12), signed(13));
                        (known.state, known.ideal_cpu, known.cpu) =
                            (signed(14), signed(15), Some(cpu as u16));
                    }
                    if let (tid, Some(nth)) = comes {
                        let known = told.entry((tid, nth)).or_default();
                        (known.priority, known.state, known.cpu) = (signed(8), Some(2), Some(cpu as u16));
                        known.wait_time = Some(word(16));
                    }
                    for thread in [left, comes] {
                        let Some(index) = index(thread) else { continue };
                        assert_eq!(timeline.scheduling(index), told.get(&(thread.0, thread.1.unwrap())));
                    }
                    running[cpu] = Some(comes);
                    assert_eq!(timeline.current(cpu as u16).map(|thread| thread.tid), Some(new));
                }
                Some(hook @ (0x0F44 | 0x0F2E)) => {
                    assert_eq!(switch, None);
                    let who = timeline.who(&record);
                    let thread = match hook {
                        0x0F44 => running[cpu],
                        _ => {
                            let tid = word(if log.wide { 8 } else { 4 });
                            Some(
                                running[cpu]
                                    .filter(|thread| thread.0 == tid)
                                    .unwrap_or_else(|| place(tid, time)),
                            )
                        }
                    };
                    let life = thread.and_then(|(tid, nth)| history.get(&tid)?.get(nth?));
                    let pid =
                        if thread == Some((0, Some(0))) { Some(0) } else { life.map(|life| life.value.pid) };
                    assert_eq!((who.tid, who.thread), (thread.map(|t| t.0), thread.and_then(index)));
                    assert_eq!(who.pid, pid);
                    let process = who.process.and_then(|process| machine.process(process));
                    let key = life.map(|life| programs[&life.value.pid][life.value.nth].value.key);
                    assert_eq!(process.and_then(|span| span.value.key), key);
                }
                _ => assert_eq!(switch, None),
            }
            // Going on later changes nothing: no thread that ran has lost its id since.
            if random.one_in(40) {
                let suspended = timeline.suspend();
                assert_eq!(suspended.inconsistent_switches(), wrong);
                let again = |thread: (u32, Option<usize>)| place(thread.0, time);
                running = running.map(|thread| thread.map(again));
                told = told.into_iter().rev().fold(BTreeMap::new(), |mut kept, ((tid, _), known)| {
                    let (_, Some(now)) = place(tid, time) else { return kept };
                    kept.entry((tid, now)).or_insert(known);
                    kept
                });
                timeline = Timeline::resume(&machine, suspended, time);
            }
        }
        assert_eq!(timeline.inconsistent_switches(), wrong);
        assert!(wrong > 0);
    }
}

fn first_old(log: &Log, cpu: u16) -> Option<u32> {
    let switch = log.records.iter().find(|made| made.cpu == cpu && made.head_is_switch())?;
    Some(u32::from_le_bytes(switch.payload[4..8].try_into().unwrap()))
}
