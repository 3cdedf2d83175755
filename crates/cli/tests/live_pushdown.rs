//! What the kernel leaves out changes no answer: two runs watch the same work at once, one of which has every event logged. Issue 16.
#![cfg(target_os = "linux")]
#![allow(missing_docs)]

#[path = "common/place.rs"]
mod place;

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use place::{Place, lacks_kernel};

/// Probes on events that the kernel may leave out, some that depend on others, and some for which all are needed.
const PROBES: &[&str] = &[
    "sched:::on-cpu",
    "sched:::off-cpu",
    "sched:::sleep",
    "sched:::preempt",
    "sched:::wakeup",
    "sysinfo:::pswitch",
    "kernel:::Thread_CSwitch",
    "pf:::dzero_flt",
    "vminfo:::as_fault",
    "pf:::cow_flt",
    "pf:::valloc",
    "pf:::vfree",
    "syscall::read:entry",
];
const OF_NETWORK: &[&str] =
    &["tcpip:::send", "tcpip:::receive", "udpip:::send", "udpip:::receive", "tcp:::send", "udp:::receive"];
/// Probes of which one is in some of the programs.
const WHOLE: &[&str] = &["sched:::change-pri", "sched:::dequeue", "sched:::waited", "tcpip:::connect"];
/// Predicates that hold for the thread that works, for the other process, or for both. `PID` is the process of the thread `TID`,
/// `OTHER` the other one, whose program `NAME` is.
const PREDICATES: &[&str] = &[
    "tid == TID",
    "pid == PID && tid == TID",
    "TID == tid && pid != OTHER",
    "pid == OTHER",
    "OTHER == pid && cpu < 1",
    "tid == TID && cpu >= 1",
    "pid != PID && execname == \"NAME\"",
    "tid != TID && cpu != 0 && execname == \"NAME\"",
    "tid == OTHER && pid < AFTER",
    "pid >= OTHER && pid < AFTER",
    "pid == OTHER || tid == TID",
    "tid == TID && stackdepth >= 0",
    "execname == \"NAME\"",
    "\"NAME\" == execname && uid == USER && cpu >= 0",
    "execname != \"NAME\" && tid == TID",
    "uid == USER && tid == TID",
    "uid != USER && pid == OTHER",
];
/// The same of events that name a process, but no thread.
const OF_PROCESSES: &[&str] = &[
    "pid == PID",
    "PID == pid && cpu < 1",
    "pid != OTHER && pid == PID",
    "tid != TID && pid == PID",
    "tid == TID",
    "execname == \"NAME\"",
    "execname != \"NAME\" && uid == USER && pid == PID",
];
const KEYS: &[&str] =
    &["execname", "probename", "pid == PID", "tid == TID", "cpu", "uid", "ppid", "stackdepth"];
const FUNCTIONS: &[&str] = &["count()", "sum(cpu + 1)", "max(pid)", "quantize(tid)"];

/// Numbers by chance.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }
}

/// Clauses put together by chance from the lists above, which end when the thread makes a certain call.
fn program(random: &mut Random) -> String {
    let mut text = "BEGIN { printf(\"ready\\n\"); }\n".to_owned();
    let whole = random.below(4) == 0;
    // Few probes in a program: what it needs of one depends on the others.
    let probes: Vec<_> = (0..3).map(|_| random.of(PROBES)).collect();
    let of_network = random.of(OF_NETWORK);
    for number in 0..10 {
        let (probe, predicates) = match random.below(4) {
            0 => (of_network, OF_PROCESSES),
            1 if whole => (random.of(WHOLE), PREDICATES),
            _ => (random.of(&probes), PREDICATES),
        };
        let keys: Vec<&str> = (0..random.below(3)).map(|_| random.of(KEYS)).collect();
        let key = if keys.is_empty() { String::new() } else { format!("[{}]", keys.join(", ")) };
        let (predicate, function) = (random.of(predicates), random.of(FUNCTIONS));
        text += &format!("{probe} /{predicate}/ {{ @a{number}{key} = {function}; }}\n");
    }
    // Clauses that always have something to count.
    text += "sched:::on-cpu /pid == OTHER/ { @other = count(); }\npf:::dzero_flt /tid == TID/ { @faults = count(); }\n";
    // Without the end it would wait for ever.
    text + "syscall::getppid:entry /tid == TID/ { exit(0); }\ntick-300s { exit(1); }\n"
}

/// What a thread works with: another process, and what it reads and writes.
type With = (u32, ChildStdin, Box<dyn Read + Send>);

/// Says which thread it is, and works when it has what it needs.
fn worker(says: &Sender<String>, start: &Receiver<With>) {
    let path = std::fs::read_link("/proc/thread-self").unwrap();
    says.send(path.file_name().unwrap().to_str().unwrap().to_owned()).unwrap();
    let Ok((other, mut to, mut from)) = start.recv() else { return };
    for _ in 0..20 {
        to.write_all(b"word\n").unwrap();
        from.read_exact(&mut [0; 5]).unwrap();
    }
    drop(to);
    from.read_to_end(&mut Vec::new()).unwrap();
    for _ in 0..5 {
        // Allocations of this size are separate mappings.
        let mut memory: Vec<u8> = Vec::with_capacity(40 << 20);
        memory.resize(1 << 16, 1);
        std::hint::black_box(&memory);
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut server, _) = listener.accept().unwrap();
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(socket.local_addr().unwrap()).unwrap();
    for _ in 0..10 {
        client.write_all(&[7; 100]).unwrap();
        server.read_exact(&mut [0; 100]).unwrap();
        socket.send(b"word").unwrap();
        socket.recv(&mut [0; 8]).unwrap();
        std::thread::sleep(Duration::from_micros(300));
    }
    // The other process has ended, and what other processors log late is before the end, too.
    wait_until(&format!("/proc/{other}/stat"), |stat| stat.contains(") Z "));
    std::thread::sleep(Duration::from_millis(100));
    let _ = std::os::unix::process::parent_id();
}

/// Waits until a file of `/proc` has what is asked for.
fn wait_until(path: &str, is_so: impl Fn(&str) -> bool) {
    while !is_so(&std::fs::read_to_string(path).unwrap_or_default()) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until a thread waits in a system call.
fn wait_until_it_waits(task: &str) {
    wait_until(&format!("/proc/{task}/stat"), |stat| stat.contains(") S "));
    wait_until(&format!("/proc/{task}/syscall"), |call| {
        call.starts_with(|first: char| first.is_ascii_digit())
    });
}

/// The real user of this process.
fn own_user() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:")).unwrap();
    line.split_whitespace().next().unwrap().to_owned()
}

/// A run of `dtrace` that has begun.
fn begin(place: &Place, text: &str, options: &[&str]) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut command = place.dtrace(&[&["-qn", text, "-x", "aggsortkey"], options].concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while line.trim() != "ready" {
        line.clear();
        if output.read_line(&mut line).unwrap() == 0 {
            panic!("{text}{}", stderr(&mut child));
        }
    }
    (child, output)
}

fn stderr(child: &mut Child) -> String {
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    text
}

/// The answers of both runs; [`None`] if one of them has lost events, and says so.
fn answers(place: &Place, name: &str, text: &str) -> Option<([String; 2], String)> {
    let mut other = Command::new(place.0.join(name));
    other.args(["-c", "while read word; do echo $word; done; exit 0"]);
    let mut other = other.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (says, said) = channel();
    let (start, started) = channel();
    let thread = std::thread::spawn(move || worker(&says, &started));
    let tid = said.recv().unwrap();
    let id = other.id();
    let text = text
        .replace("TID", &tid)
        .replace("PID", &std::process::id().to_string())
        .replace("OTHER", &id.to_string())
        .replace("AFTER", &(id + 1).to_string())
        .replace("USER", &own_user())
        .replace("NAME", name);
    wait_until_it_waits(&id.to_string());
    wait_until_it_waits(&format!("self/task/{tid}"));
    let from = Box::new(other.stdout.take().unwrap());
    let input = other.stdin.take().unwrap();
    let answers = both(place, &text, || {
        start.send((id, input, from)).unwrap();
        thread.join().unwrap();
        other.wait().unwrap();
    });
    answers.map(|answers| (answers, text))
}

/// The answers of two runs that watch the same work, of which the second has all events logged; [`None`] if one of them has lost
/// events, and says so.
fn both(place: &Place, text: &str, work: impl FnOnce()) -> Option<[String; 2]> {
    let runs = [&[][..], &["-x", "nopushdown"]].map(|options| begin(place, text, options));
    work();
    let mut lost = false;
    let answers = runs.map(|(mut child, mut output)| {
        let mut answer = String::new();
        output.read_to_string(&mut answer).unwrap();
        let said = stderr(&mut child);
        lost |= said.contains("lost");
        assert!(child.wait().unwrap().success(), "{text}{said}");
        if lost { answer } else { answer + &said }
    });
    (!lost).then_some(answers)
}

/// Fields of tracepoints at which a thread makes known events, and numbers with which they are compared: those that they have, others,
/// and some that their types do not have. The fields have 8, 16, 32 and 64 bits, with and without a sign.
const FIELDS: &[(&str, &str, &[&str])] = &[
    ("net_dev_start_xmit", "len", &["43", "46", "50", "61", "0", "-1"]),
    ("net_dev_start_xmit", "network_offset", &["14", "0", "-1"]),
    ("net_dev_start_xmit", "protocol", &["2048", "70000", "-1"]),
    ("net_dev_start_xmit", "ip_summed", &["0", "3", "256"]),
    ("net_dev_start_xmit", "skbaddr", &["0", "-1"]),
    ("sys_enter_write", "count", &["1", "7", "12", "0", "-5", "2147483647"]),
    ("sys_enter_write", "fd", &["0", "20"]),
    ("sys_exit_write", "ret", &["1", "7", "12", "-9", "-10"]),
    ("sys_exit_lseek", "ret", &["-22", "0", "5", "1000"]),
    ("mm_page_alloc", "order", &["0", "1"]),
    ("mm_page_alloc", "migratetype", &["0", "1", "2"]),
    ("sched_switch", "prev_prio", &["120", "121", "0"]),
    ("sched_switch", "prev_state", &["0", "1"]),
];
const RELATIONS: &[&str] = &["==", "!=", "<", "<=", ">", ">="];

/// Clauses on tracepoints, put together by chance.
fn program_of_fields(random: &mut Random) -> String {
    let mut text = "BEGIN { printf(\"ready\\n\"); }\n".to_owned();
    for number in 0..8 {
        let (point, ..) = FIELDS[random.below(FIELDS.len())];
        let fields: Vec<_> = FIELDS.iter().filter(|(of, ..)| *of == point).collect();
        let mut tests: Vec<String> = (0..1 + random.below(2))
            .map(|_| {
                let (_, field, numbers) = fields[random.below(fields.len())];
                let (relation, number) = (random.of(RELATIONS), random.of(numbers));
                match random.below(4) {
                    0 => format!("{number} {relation} args->{field}"),
                    _ => format!("args->{field} {relation} {number}"),
                }
            })
            .collect();
        match random.below(4) {
            0 => tests.push("cpu == 0".to_owned()),
            1 => tests.insert(0, "cpu >= 1".to_owned()),
            _ => {}
        }
        // Only this thread does the same for both runs, whenever they begin.
        tests.insert(random.below(2) * tests.len(), "tid == TID".to_owned());
        let (_, field, _) = fields[random.below(fields.len())];
        let function = match random.below(3) {
            0 => "count()".to_owned(),
            1 => format!("sum(args->{field})"),
            _ => format!("quantize(args->{field})"),
        };
        let key = random.of(&["", "[cpu]", "[probename]", "[execname, tid == TID]"]);
        text += &format!("linux:::{point} /{}/ {{ @a{number}{key} = {function}; }}\n", tests.join(" && "));
    }
    // Clauses that always have something to count.
    text += "linux:::sys_enter_write /args->count > 10 && tid == TID/ { @writes = count(); }\n";
    text += "linux:::net_dev_start_xmit /args->len < 50 && tid == TID/ { @sent = sum(args->len); }\n";
    text += "linux:::sys_exit_lseek /args->ret == -22 && tid == TID/ { @failed = count(); }\n";
    text + "linux:::sys_enter_getppid /tid == TID/ { exit(0); }\ntick-300s { exit(1); }\n"
}

/// Sends, writes, seeks and takes memory, and says at the end that it has done so.
fn work_for_fields() {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(socket.local_addr().unwrap()).unwrap();
    let mut null = std::fs::File::options().read(true).write(true).open("/dev/null").unwrap();
    let mut file = std::fs::File::open("/proc/self/exe").unwrap();
    for size in 1..=20_usize {
        socket.send(&[7; 20][..size]).unwrap();
        null.write_all(&[7; 20][..size]).unwrap();
        file.seek(SeekFrom::Start(size as u64 * 100)).unwrap();
        // Before its start is no place.
        file.seek(SeekFrom::Current(-100_000_000)).unwrap_err();
        let mut memory: Vec<u8> = Vec::with_capacity(4 << 20);
        memory.resize(1 << 14, 1);
        std::hint::black_box(&memory);
        std::thread::sleep(Duration::from_micros(300));
    }
    // What other processors log late is before the end, too.
    std::thread::sleep(Duration::from_millis(100));
    let _ = std::os::unix::process::parent_id();
}

/// The kernel compares integer fields of tracepoints by its filters.
#[test]
fn issue_16_fields_that_the_kernel_compares_change_no_answer() {
    if lacks_kernel() || tracewell_corpus::has_other_ids() {
        return;
    }
    let place = Place::new("left-out-fields");
    let mut random = Random(61);
    for _ in 0..10 {
        let text = program_of_fields(&mut random);
        let found = (0..20).find_map(|_| {
            let (says, said) = channel();
            let (start, started) = channel::<()>();
            let thread = std::thread::spawn(move || {
                let path = std::fs::read_link("/proc/thread-self").unwrap();
                says.send(path.file_name().unwrap().to_str().unwrap().to_owned()).unwrap();
                if started.recv().is_ok() {
                    work_for_fields();
                }
            });
            let text = text.replace("TID", &said.recv().unwrap());
            let answers = both(&place, &text, || {
                start.send(()).unwrap();
                thread.join().unwrap();
            });
            answers.map(|answers| (answers, text))
        });
        // A machine that is busy with other things may lose events, and says so.
        let ([limited, whole], text) = found.unwrap_or_else(|| panic!("events are lost every time: {text}"));
        assert!(whole.lines().filter(|line| !line.trim().is_empty()).count() >= 3, "{text}{whole}");
        assert_eq!(limited, whole, "{text}");
    }
}

#[test]
fn issue_16_what_the_kernel_leaves_out_changes_no_answer() {
    if lacks_kernel() || tracewell_corpus::has_other_ids() {
        return;
    }
    let place = Place::new("left-out");
    let name = format!("sh{}left", std::process::id());
    place.copy("/bin/sh", &name);
    let mut random = Random(16);
    for _ in 0..12 {
        let text = program(&mut random);
        // A machine that is busy with other things may lose events, and says so.
        let found = (0..20).find_map(|_| answers(&place, &name, &text));
        let ([limited, whole], text) = found.unwrap_or_else(|| panic!("events are lost every time: {text}"));
        assert!(whole.lines().count() > 2, "{text}{whole}");
        assert_eq!(limited, whole, "{text}");
    }
}

/// A process that takes another name keeps `execname`; one that runs another program does not, nor do children that do. Each sends so
/// many signals.
#[test]
fn issue_16_names_and_users_are_those_of_the_program_that_runs() {
    if lacks_kernel() || tracewell_corpus::has_other_ids() {
        return;
    }
    let place = Place::new("left-out-names");
    let [first, second] = ["a", "b"].map(|end| format!("sh{}name{end}", std::process::id()));
    place.copy("/bin/sh", &first);
    place.copy("/bin/sh", &second);
    let path = |name: &str| place.0.join(name).display().to_string();
    let script = place.0.join("work");
    // Between the signals there is time to find out who the processes are.
    let work = format!(
        "for round in 1 2 3; do for time in 1 2 3 4 5 6 7; do kill -0 $$; done; sleep 0.05; \
         printf {second} > /proc/$$/comm; {} -c 'kill -0 $$; sleep 0.05; kill -0 $$; kill -0 $$'; done; \
         exec {} -c 'kill -0 $$; sleep 0.05; kill -0 $$'\n",
        path(&second),
        path(&second)
    );
    std::fs::write(&script, work).unwrap();
    let user = own_user();
    let text = format!(
        "syscall::kill:entry /execname == \"{first}\"/ {{ @first = count(); }}
         syscall::kill:entry /\"{second}\" == execname && uid == {user}/ {{ @second = count(); }}
         syscall::kill:return /execname == \"{first}\" && errno == 0/ {{ trace(execname); }}
         syscall::kill:entry /execname != \"{first}\" && execname == \"{second}\" && uid != {user}/ {{ @none = count(); }}
         END {{ printa(\" %@d\", @first); printa(\" %@d\", @second); printa(\" %@d\", @none); }}"
    );
    let command = format!("{} {}", path(&first), script.display());
    for options in [&[][..], &["-x", "nopushdown"]] {
        let arguments = [&["-qn", &text, "-c", &command], options].concat();
        let output = place.dtrace(&arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(answer.trim_end(), first.repeat(21) + " 21 11", "{options:?} {said}");
    }
}
