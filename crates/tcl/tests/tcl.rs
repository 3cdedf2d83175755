//! Runs the Tcl tests on both majors of Tcl: the shells that `TRACEWELL_TCLSH8` and `TRACEWELL_TCLSH9` name, else
//! `tclsh8.6` and `tclsh9.0` on the path. Skips loudly the one that is not there.
//!
//! With `TRACEWELL_VALGRIND` in the environment the scripts run under valgrind, and fail on the first error of it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "tests say what they skip")]

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Builds the library: `cargo test` alone makes test programs only. Quick when it is there.
fn build() {
    static BUILT: std::sync::Once = std::sync::Once::new();
    BUILT.call_once(|| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--quiet", "--locked", "--lib", "-p", "tracewell-tcl"]);
        if !cfg!(debug_assertions) {
            command.arg("--release");
        }
        let done = command.current_dir(env!("CARGO_MANIFEST_DIR")).status();
        assert!(done.is_ok_and(|status| status.success()), "the library cannot be built");
    });
}

/// A folder with the package installed in it, removed at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let folder = std::env::temp_dir().join(format!("tracewell-tcl-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let package = folder.join("lib/twapi_etw");
        std::fs::create_dir_all(&package).unwrap();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tcl/twapi_etw");
        for entry in std::fs::read_dir(sources).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), package.join(entry.file_name())).unwrap();
        }
        let name = if cfg!(windows) { "twapi_etw.dll" } else { "libtwapi_etw.so" };
        let program = std::env::current_exe().unwrap();
        let built = program.parent().unwrap().parent().unwrap().join(name);
        build();
        std::fs::copy(&built, package.join(name)).unwrap_or_else(|e| panic!("{}: {e}", built.display()));
        Place(folder)
    }

    fn tclsh(&self, shell: &OsStr) -> Command {
        let mut command = if std::env::var_os("TRACEWELL_VALGRIND").is_some() {
            let mut command = Command::new("valgrind");
            let suppressions = here().join("valgrind.supp");
            command.args(["-q", "--error-exitcode=99", "--leak-check=full", "--num-callers=30"]);
            command.args(["--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"]);
            command.arg(format!("--suppressions={}", suppressions.display())).arg(shell);
            command
        } else {
            Command::new(shell)
        };
        let run = self.0.join("run");
        command.current_dir(&self.0).env("TCLLIBPATH", self.0.join("lib")).env("TRACEWELL_RUNTIME", run);
        // The daemon ends with this test, even when that is killed.
        command.env("TRACEWELL_OWNER", std::process::id().to_string());
        command.env_remove("TRACEWELL_DAEMON").env("LC_ALL", "C.UTF-8");
        command
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The Tcl shells of this machine: what to call each, and its program.
fn shells() -> Vec<(&'static str, OsString)> {
    let mut found = Vec::new();
    for (name, variable, program) in
        [("tcl8", "TRACEWELL_TCLSH8", "tclsh8.6"), ("tcl9", "TRACEWELL_TCLSH9", "tclsh9.0")]
    {
        let given = std::env::var_os(variable);
        let shell = given.clone().unwrap_or_else(|| program.into());
        let works = Command::new(&shell).arg("/dev/null").output().is_ok_and(|o| o.status.success());
        // Shells that were named must exist; default shells may be missing.
        assert!(works || given.is_none(), "{variable} names no Tcl shell");
        if works {
            found.push((name, shell));
        } else {
            tracewell_corpus::skip(name, &format!("no {program} on the path, and {variable} is not set"));
        }
    }
    found
}

/// Runs a script of tests and holds that all of them passed, and that there were some.
fn run(place: &Place, shell: &OsStr, script: &Path, arguments: &[&str]) {
    let output = place.tclsh(shell).arg(script).args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let totals = text.lines().find(|line| line.contains("\tTotal\t"));
    let number = |name: &str| -> Option<u32> {
        let mut words = totals?.split('\t').skip_while(|word| *word != name);
        words.nth(1)?.parse().ok()
    };
    println!("{} {}: {}", shell.display(), script.display(), totals.unwrap_or("no totals"));
    assert!(output.status.success(), "{text}");
    assert_eq!(number("Failed"), Some(0), "{text}");
    assert!(number("Passed").is_some_and(|passed| passed > 0), "{text}");
}

fn script(name: &str) {
    for (version, shell) in shells() {
        let place = Place::new(&format!("{name}-{version}"));
        run(&place, &shell, &here().join("scripts").join(format!("{name}.tcl")), &[]);
    }
}

#[test]
fn arguments() {
    script("arguments");
}

#[test]
fn records() {
    script("records");
}

#[test]
fn sessions() {
    script("sessions");
}

#[test]
fn live() {
    script("live");
}

#[test]
fn walkthrough() {
    script("walkthrough");
}

/// A real SIGINT ends a shell that reads, in the foreground and by the event loop, as it ends any tclsh; the session it
/// started goes on, and another process can stop it.
#[cfg(target_os = "linux")]
#[test]
fn interrupted() {
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;

    const SIGINT: i32 = 2;
    for (version, shell) in shells() {
        let place = Place::new(&format!("interrupted-{version}"));
        for (name, read) in [
            ("front", "etw_process_events -callback take $c"),
            ("back", "etw_process_events -background 1 -callback take $c; vwait forever"),
        ] {
            let reader = format!(
                "package require twapi_etw; namespace path twapi\n\
                 proc take args {{puts reading; flush stdout}}\n\
                 set p [etw_twapi_provider_register]; set h [etw_start_trace {name} -realtime 1 -flushtimer 1]\n\
                 etw_enable_provider $h [etw_twapi_provider_guid] -1 5; set c [etw_open_session {name}]\n\
                 etw_log_message $p hello; etw_flush_trace {name}\n{read}\nputs over\n"
            );
            let file = place.0.join("reader.tcl");
            std::fs::write(&file, reader).unwrap();
            let mut child =
                interruptible(&place.tclsh(&shell)).arg(&file).stdout(Stdio::piped()).spawn().unwrap();
            let mut output = BufReader::new(child.stdout.take().unwrap());
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            assert_eq!(line, "reading\n", "{version} {name}");
            let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
            assert!(sent.success());
            assert_eq!(child.wait().unwrap().signal(), Some(SIGINT), "{version} {name}");
            let after = place.0.join("after.tcl");
            std::fs::write(
                &after,
                format!(
                    "package require twapi_etw; namespace path twapi\n\
                 puts [etw_get_traces]; etw_stop_trace {name}; puts <[etw_get_traces]>\n"
                ),
            )
            .unwrap();
            let reported = place.tclsh(&shell).arg(&after).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&reported.stdout), format!("{name}\n<>\n"), "{reported:?}");
        }
    }
}

/// The command with the default handling of Ctrl-C, regardless of how the test process was started: background processes of a
/// script ignore it, and so do their children.
#[cfg(target_os = "linux")]
fn interruptible(command: &Command) -> Command {
    let mut wrapped = Command::new("env");
    wrapped.arg("--default-signal=INT").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => wrapped.env(name, value),
            None => wrapped.env_remove(name),
        };
    }
    wrapped
}

/// The property `_partial` says why an event was not decoded by its own description (issue 15): a payload that is too short, and
/// a layout that was inferred from many payloads. Undescribed bytes are hexadecimal digits.
#[test]
fn issue_15_events_that_were_decoded_in_part_say_so() {
    use tracewell_etl::write::PointerSize;
    use tracewell_testkit::described::{Described, Kind, trace};
    use tracewell_types::Guid;

    let runtime = tracewell_schema::providers::guid("Microsoft-Windows-DotNETRuntime").unwrap();
    let unknown = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
    let image = Described::kernel("Image", 10, 1, "u64 4096 u64 8192 u32 100 w C:\\wide.dll").unwrap();
    let mut records = vec![
        Described::new(Kind::Event(runtime, 1, 1, 4), 2, "u32 7 u32 2 u32 1 u32 0 u16 9 u64 0"),
        Described::new(Kind::Event(runtime, 1, 1, 4), 2, "u32 8 u32 2"),
        Described::new(Kind::Event(unknown, 7, 0, 4), 0, "u32 10 u16 0"),
    ];
    records.extend(vec![image; 8]);
    // A 64-bit payload under a 32-bit header, of a provider.
    let tick = "u32 1 u32 0 u16 9 u64 1 u64 0x7ff812345678 w Wide u32 0";
    records.extend(vec![Described::new(Kind::Event(runtime, 10, 1, 4), 2, tick); 8]);
    for (version, shell) in shells() {
        let place = Place::new(&format!("partial-{version}"));
        std::fs::write(place.0.join("partial.etl"), trace(PointerSize::P32, &records).unwrap()).unwrap();
        let script = "package require twapi_etw; namespace path twapi\n\
            foreach e [recordarray getlist [etw_dump partial.etl] -format dict] {\n\
            set p [dict get $e -properties]\n\
            foreach k {Count FileName TypeName _partial _userdata} {\n\
            if {[dict exists $p $k] && [dict get $e -eventid] in {1 7 0 10}} {puts \"$k [dict get $p $k]\"}}}\n";
        let file = place.0.join("partial.tcl");
        std::fs::write(&file, script).unwrap();
        let output = place.tclsh(&shell).arg(&file).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let image =
            "FileName {C:\\wide.dll}\n_partial {inferred from payloads: version 1 with pointers of 8 bytes}";
        assert_eq!(text.matches(image).count(), 8, "{version}: {output:?}");
        let tick = "TypeName Wide\n_partial {inferred from payloads: version 2 with pointers of 8 bytes}";
        assert_eq!(text.matches(tick).count(), 8, "{version}: {output:?}");
        let short = "Count 8\n_partial {the payload does not follow its description}\n";
        assert!(text.contains("Count 7\nCount 8\n") && text.contains(short), "{version}: {output:?}");
        assert!(text.contains("_userdata 0a0000000000\n"), "{version}: {output:?}");
    }
}

/// A script takes less than 100 MB, mapped files included, over each of the largest traces, whose events made 4.6 GB when all were
/// made at once (issue 15): a consumer with a callback, and one that holds all events and reads columns of them.
#[cfg(target_os = "linux")]
#[test]
fn issue_15_memory_of_a_consumer_is_bounded() {
    const MOST_KB: u64 = 100_000;
    const CALLED: &str = "
        set formatter [etw_open_formatter]; set calls 0
        proc take {buffer list} {
            incr ::events [llength $list]
            if {[incr ::calls] % 128 == 1} {
                recordarray iterate e [etw_format_events $::formatter $buffer $list] {
                    incr ::shown [string length $e(-properties)]
                }
            }
        }
        set session [etw_open_file [lindex $argv 0]]
        etw_process_events -callback take $session
        etw_close_session $session
    ";
    const HELD: &str = "
        set all [etw_dump [lindex $argv 0]]
        set events [recordarray size $all]
        set at 0
        recordarray iterate e $all -slice {-properties} {
            incr shown [string length $e(-properties)]
            if {[incr at] == 100000} break
        }
    ";
    let Some(folder) = tracewell_corpus::folder() else { return };
    let mut traces = tracewell_corpus::traces(&folder);
    traces.sort_by_key(|path| std::cmp::Reverse(path.metadata().map_or(0, |data| data.len())));
    for (version, shell) in shells() {
        let place = Place::new(&format!("memory-{version}"));
        for (name, body) in [("called", CALLED), ("held", HELD)] {
            let script = format!(
                "package require twapi_etw; namespace path twapi; set events 0; set shown 0\n{body}\n\
                 set f [open /proc/self/status]; regexp {{VmHWM:\\s+(\\d+)}} [read $f] - peak\n\
                 puts [list $events $shown $peak]\n"
            );
            let file = place.0.join("memory.tcl");
            std::fs::write(&file, script).unwrap();
            for trace in traces.iter().take(3) {
                let output = place.tclsh(&shell).arg(&file).arg(trace).output().unwrap();
                let text = String::from_utf8_lossy(&output.stdout);
                let numbers: Vec<u64> =
                    text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
                let [events, shown, peak] = numbers[..] else { panic!("{}: {output:?}", trace.display()) };
                println!("{version} {name} {}: {events} events, {peak} kB", trace.display());
                assert!(events > 100_000 && shown > 0, "{}: {text}", trace.display());
                assert!(peak < MOST_KB, "{name} {}: {peak} kB", trace.display());
            }
        }
    }
}

/// `-channelname` is the name that a description gives, and the number where there is none.
#[test]
fn issue_15_channels_have_their_names() {
    const SCRIPT: &str = "package require twapi_etw; namespace path twapi
        set all [etw_dump [lindex $argv 0]]
        foreach number [recordarray column $all -channel] name [recordarray column $all -channelname] {
            dict set names $number $name 1
        }
        foreach number [lsort -integer [dict keys $names]] {
            puts \"$number [join [dict keys [dict get $names $number]] ,]\"
        }
    ";
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.etl");
    for (version, shell) in shells() {
        let place = Place::new(&format!("channels-{version}"));
        let file = place.0.join("channels.tcl");
        std::fs::write(&file, SCRIPT).unwrap();
        let output = place.tclsh(&shell).arg(&file).arg(&sample).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        // The description of captured packets has no channels.
        let want = "0 0\n11 TraceLogging\n\
                    16 Microsoft-Windows-DNS Client Events/Operational,16,Microsoft-Windows-PowerShell/Operational\n\
                    17 Microsoft-Windows-PowerShell/Analytic\n";
        assert_eq!(text, want, "{version}: {output:?}");
    }
}

/// An event that a script takes apart as a list is the same as its columns one by one, however it was read. An event whose
/// file was replaced is empty and counted, not something else.
#[test]
fn issue_15_lazy_events_are_the_same_in_every_form() {
    const SCRIPT: &str = "package require twapi_etw; namespace path twapi
        proc check {what have want} {if {$have ne $want} {error \"$what: <$have> is not <$want>\"}}
        file copy -force [lindex $argv 0] copy.etl
        set c [etw_open_file copy.etl]
        set all [lmap {buffer events} [etw_process_events $c] {list $buffer $events}]
        etw_close_session $c
        # Of the first buffers, since there are many events.
        set all [concat {*}[lrange $all 0 2]]
        set f [etw_open_formatter]
        set rows [etw_format_events $f {*}$all]
        set last [expr {[recordarray size $rows] - 1}]
        set dumped [recordarray range [etw_dump copy.etl] 0 $last]
        set plain [lrange [etw_dump_to_list copy.etl] 0 $last]
        check size [recordarray size $rows] [recordarray size $dumped]
        set names [recordarray fields $rows]
        set size 0
        # Before any of them was taken apart.
        set dicts [recordarray getlist $rows -format dict]
        set columns [lmap name $names {recordarray column $rows $name}]
        set kept [recordarray getlist $dumped]
        set sliced [recordarray getlist $dumped -slice {-pid -properties} -format flat]
        # As lists, which also makes strings of them.
        set copies [recordarray getlist $rows]
        foreach row $copies dict $dicts other $plain one $kept {pid properties} $sliced {
            check length [llength $row] [llength $names]
            set at -1
            foreach name $names value $row {
                check $name $value [dict get $dict $name]
                check $name [lindex $columns [incr at] $size] $value
            }
            check plain $other $row
            check kept $one $row
            check sliced [list $pid $properties] [list [dict get $dict -pid] [dict get $dict -properties]]
            check again [list {*}$row] $row
            incr size
        }
        # Raw events as lists, and rows that are made of these.
        set lists [lmap {buffer events} $all {list $buffer [lmap event $events {lrange $event 0 end}]}]
        foreach {buffer events} [concat {*}$lists] {
            foreach row [lindex [etw_format_events $f $buffer $events] 1] {lappend made $row}
        }
        foreach row $copies other $made {check made $other $row}
        # Another file in the place of the first.
        set late [etw_dump copy.etl]
        set before [dict get [etw_errors] error_count]
        set out [open copy.etl r+]; fconfigure $out -translation binary
        set length [file size copy.etl]
        puts -nonewline $out [string repeat \\1 $length]; close $out
        recordarray iterate e $late -slice {-timecreated -properties} {lappend lost $e(-timecreated)$e(-properties)}
        check lost [lsort -unique $lost] {{}}
        # Each event was asked for two columns.
        check counted [expr {[dict get [etw_errors] error_count] - $before}] [expr {2 * [recordarray size $late]}]
        puts \"good $size\"
    ";
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.etl");
    for (version, shell) in shells() {
        let place = Place::new(&format!("lazy-{version}"));
        let file = place.0.join("lazy.tcl");
        std::fs::write(&file, SCRIPT).unwrap();
        let output = place.tclsh(&shell).arg(&file).arg(&sample).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let size = text.trim().strip_prefix("good ").and_then(|size| size.parse::<u64>().ok());
        assert!(size.is_some_and(|size| size > 100), "{version}: {output:?}");
    }
}

/// Class events hold the processor time that their thread has used, so that TWAPI's own events have `-usertime` and `-kerneltime`
/// (issue 15).
#[cfg(target_os = "linux")]
#[test]
fn issue_15_events_of_classes_have_processor_times() {
    // Ends when the thread has used ten ticks of the timer, however slow the machine is.
    const SCRIPT: &str = "package require twapi_etw; namespace path twapi
        proc used {} {
            set f [open /proc/self/stat]; set stat [read $f]; close $f
            set after [lrange [string range $stat [string last ) $stat] end] 1 end]
            expr {[lindex $after 11] + [lindex $after 12]}
        }
        while {[used] < 20} {for {set i 0} {$i < 20000} {incr i} {}}
        set p [etw_twapi_provider_register]
        set h [etw_start_trace times -logfile times.etl -filemode sequential]
        etw_enable_provider $h [etw_twapi_provider_guid] -1 5
        etw_log_message $p one; etw_log_message $p two
        etw_stop_trace $h
        foreach e [recordarray getlist [etw_dump times.etl] -format dict -filter {{-providername eq TwapiETWProvider}}] {
            puts [expr {[dict get $e -usertime] + [dict get $e -kerneltime]}]
        }
    ";
    for (version, shell) in shells() {
        let place = Place::new(&format!("times-{version}"));
        let file = place.0.join("times.tcl");
        std::fs::write(&file, SCRIPT).unwrap();
        let output = place.tclsh(&shell).arg(&file).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let times: Vec<u64> = text.lines().filter_map(|line| line.parse().ok()).collect();
        // Both counts are rounded down, and in the units of two clocks.
        assert!(times.len() == 2 && times.iter().all(|time| *time >= 1_000_000), "{version}: {output:?}");
    }
}

/// The one provider of Tcl programs is enabled by its name before the first of them registers it, and after (issue 15).
#[cfg(target_os = "linux")]
#[test]
fn issue_15_tcl_programs_are_recorded_by_name() {
    const SCRIPT: &str = "package require twapi_etw; namespace path twapi
        set p [etw_twapi_provider_register]
        etw_log_message $p [lindex $argv 0]
    ";
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--locked", "-p", "tracewell-cli", "--bin", "etw"]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    assert!(command.current_dir(env!("CARGO_MANIFEST_DIR")).status().is_ok_and(|status| status.success()));
    let program = std::env::current_exe().unwrap();
    let etw = program.parent().unwrap().parent().unwrap().join("etw");
    for (version, shell) in shells() {
        let place = Place::new(&format!("named-{version}"));
        let file = place.0.join("log.tcl");
        std::fs::write(&file, SCRIPT).unwrap();
        for (trace, name) in [("first.etl", "TwapiETWProvider"), ("again.etl", "twapietwprovider")] {
            let mut recorded = place.tclsh(etw.as_os_str());
            recorded.args(["record", "-o", trace, "-p", name, "--"]).arg(&shell).arg(&file).arg(trace);
            let recorded = recorded.output().unwrap();
            assert!(recorded.status.success(), "{version}: {recorded:?}");
            let shown = place.tclsh(etw.as_os_str()).args(["dump", trace]).output().unwrap();
            let text = String::from_utf8_lossy(&shown.stdout).into_owned();
            let is_it = |line: &&str| line.contains("TwapiETWProvider") && line.contains(trace);
            assert_eq!(text.lines().filter(is_it).count(), 1, "{version}: {recorded:?}{text}");
        }
    }
}

/// TWAPI's own tests, where their folder is given; they are not part of this tree.
#[test]
fn upstream() {
    let Some(tests) = std::env::var_os("TRACEWELL_TWAPI_TESTS").map(PathBuf::from) else {
        tracewell_corpus::skip("twapi-tests", "set TRACEWELL_TWAPI_TESTS to the folder of TWAPI's tests");
        return;
    };
    for (version, shell) in shells() {
        let place = Place::new(&format!("upstream-{version}"));
        for (file, select) in [("parseargs.test", "*"), ("base.test", "recordarray*"), ("etw.test", "*")] {
            let prelude = here().join("upstream/prelude.tcl");
            let tests = tests.to_str().unwrap();
            run(&place, &shell, &prelude, &[tests, file, "-match", select]);
        }
    }
}
