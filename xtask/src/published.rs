//! Runs published D scripts, which are fetched and never copied here, and writes which run: `docs/published.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::workspace;

/// The page.
const PAGE: &str = "docs/published.md";
/// A run over a trace ends by itself within this time.
const LIMIT: Duration = Duration::from_secs(60);
/// A live run is interrupted after this time.
const LIVE: Duration = Duration::from_secs(3);

/// A program that scripts watch, in place of the program of Windows for which they were written.
struct Target {
    /// Its name, which is the name of its module.
    name: &'static str,
    source: &'static str,
}

/// In the words of a script, the name of one of these is its path.
const TARGETS: &[Target] = &[
    // A program whose functions have names.
    Target {
        name: "target",
        source: "#include <stdlib.h>\n\
                 __attribute__((noinline)) int work(int a) { void *p = malloc(a + 1); free(p); return a + 1; }\n\
                 int main(void) { int s = 0; for (int i = 0; i < 100; i++) s += work(i); return s == 0; }\n",
    },
    // Functions `args`, with five numbers, and `str`, with a text in bytes and one in UTF-16, which it returns.
    Target {
        name: "t_c_args",
        source: "#define SEEN __attribute__((noinline, noipa))\n\
                 typedef unsigned short wide;\n\
                 SEEN int args(int a, int b, int c, int d, int e) { return a + b + c + d + e; }\n\
                 SEEN const wide *str(const char *narrow, const wide *text) { return narrow[0] ? text : 0; }\n\
                 static const wide text[200] = { 'w', 'i', 'd', 'e' };\n\
                 static const char narrow[300] = \"narrow\";\n\
                 int main(void) { int s = 0; for (int i = 0; i < 5; i++) { s += args(i, 2, 3, 4, -5); str(narrow, text); } return s == 0; }\n",
    },
    // Windows' function that sleeps.
    Target {
        name: "t_c_sim",
        source: "#include <unistd.h>\n\
                 __attribute__((noinline)) unsigned SleepEx(unsigned ms, int alertable) { usleep(ms * 1000); return alertable ? 0 : 0; }\n\
                 int main(void) { for (int i = 0; i < 5; i++) SleepEx(10, 0); return 0; }\n",
    },
    // The types and functions of Windows that a script on the types of programs names.
    Target {
        name: "t_c_userctf",
        source: "#define SEEN __attribute__((noinline, noipa))\n\
                 typedef struct { unsigned short Length, MaximumLength; unsigned short *Buffer; } UNICODE_STRING;\n\
                 typedef struct _TEB { unsigned pid, tid; int error; } TEB;\n\
                 typedef struct { int numbers[4]; } list;\n\
                 SEEN int arrayfunc(list *a, list *b) { return a->numbers[0] + b->numbers[3]; }\n\
                 SEEN int dummyfunc(TEB *block) { return block->error; }\n\
                 SEEN int RtlHashUnicodeString(UNICODE_STRING *text, int fold, int kind, unsigned *hash) { *hash = text->Length + fold + kind; return 0; }\n\
                 int main(void) { static unsigned short wide[20] = { 't', 'e', 'x', 't' }; UNICODE_STRING text = { 8, 10, wide };\n\
                 list a = { { 1, 2, 3, 4 } }; TEB block = { 1, 2, 3 }; unsigned hash = 0;\n\
                 arrayfunc(&a, &a); dummyfunc(&block); return RtlHashUnicodeString(&text, 0, 0, &hash); }\n",
    },
];

/// A collection of scripts.
struct Collection {
    /// The word before `=FOLDER`.
    name: &'static str,
    title: &'static str,
    /// Folders with scripts, below that of the collection.
    folders: &'static [&'static str],
    /// Scripts of these folders end so.
    ending: &'static str,
    /// Words for all scripts.
    words: &'static [&'static str],
    /// They are run over a trace.
    over: bool,
    /// They are run live.
    live: bool,
}

const COLLECTIONS: &[Collection] = &[
    Collection {
        name: "original",
        title: "Dtrace-ETW, demonstrations and commands",
        folders: &["dscripts/bin", "dscripts/demo"],
        ending: "",
        words: &[],
        over: true,
        live: false,
    },
    Collection {
        name: "toolkit",
        title: "DTraceToolkit, without its scripts for interpreters",
        folders: &[
            "Apps", "Cpu", "Disk", "FS", "Kernel", "Locks", "Mem", "Misc", "Net", "Proc", "System", "User",
        ],
        ending: ".d",
        // Its scripts are for Solaris: some of their probes and variables are elsewhere, too.
        words: &["-Z", "-C", "-x", "argref", "-x", "defaultargs"],
        over: true,
        live: true,
    },
    Collection {
        name: "guide",
        title: "The guide, examples by chapter",
        folders: &[
            "act", "agg", "anon", "buf", "dtrace", "fbt", "intro", "io", "ip", "lockstat", "out", "proc",
            "profile", "sched", "script", "sdt", "spec", "struct", "sysinfo", "tcp", "udp", "user", "vars",
            "vminfo",
        ],
        ending: ".d",
        words: &[],
        over: false,
        live: true,
    },
    Collection {
        name: "samples",
        title: "Microsoft's samples for Windows",
        folders: &[
            "samples/windows/disk",
            "samples/windows/etw",
            "samples/windows/file",
            "samples/windows/livedump",
            "samples/windows/memory",
            "samples/windows/pooltracking",
            "samples/windows/speculativetracing",
            "samples/windows/widestring",
        ],
        ending: ".d",
        // Probes on single calls exist only in traces that contain those calls.
        words: &["-Z", "-w"],
        over: true,
        live: false,
    },
];

/// In the words of a script, the number of this process.
const PID: &str = "PID";

/// What single scripts of a collection need beside: arguments, or a command.
const WORDS: &[(&str, &str, &[&str])] = &[
    ("guide", "errorpath.d", &[PID, "main"]),
    ("guide", "kstat.d", &[PID]),
    ("guide", "libc.d", &["-c", "target"]),
    ("guide", "pritime.d", &[PID, "1"]),
    ("guide", "ring.d", &["\"bash\""]),
    ("guide", "rwinfo.d", &[PID]),
    ("guide", "rwtime.d", &[PID]),
    ("guide", "profpri.d", &[PID]),
    ("guide", "badopen.d", &[PID]),
    ("guide", "syscall.d", &["-c", "target"]),
    ("guide", "tracewrite.d", &[PID]),
    ("guide", "trussrw.d", &[PID]),
    ("guide", "userfunc.d", &[PID, "main", "-x", "pidlimit=20000"]),
    ("guide", "whererun.d", &["xtask"]),
    ("original", "fpid_args.d", &["-c", "t_c_args"]),
    ("original", "fpid_*", &["-c", "target"]),
    ("original", "gpuview.d", &["\"powerpnt.exe\""]),
    ("original", "iotop.d", &["-C", "1", "2"]),
    ("original", "perf.d", &["\"powerpnt.exe\""]),
    ("original", "pid_args.d", &["-c", "t_c_args"]),
    ("original", "pid_functime.d", &["-c", "t_c_sim"]),
    ("original", "pid_userctf.d", &["-c", "t_c_userctf"]),
    ("original", "pid_*", &["-c", "target"]),
    ("original", "ustacks_exe.d", &["powerpnt.exe"]),
    ("original", "wakeup.d", &["powerpnt.exe"]),
    ("original", "whererun.d", &["powerpnt.exe"]),
    ("samples", "PoolTracking*", &["\"120s\"", "0x6365734b"]),
    ("samples", "anyPoolTracking.d", &["5", "120"]),
    ("samples", "svchostrpcleak.d", &[PID]),
    ("samples", "fileiorwbypid.d", &[]),
    ("samples", "*bypid.d", &["4"]),
    ("samples", "*byexecname.d", &["\"notepad.exe\""]),
    ("samples", "*virtualmemoryallocfree.d", &["\"notepad.exe\""]),
    ("toolkit", "cpuwalk.d", &["1"]),
    ("toolkit", "iotop.d", &["5", "5"]),
    ("toolkit", "wpm.d", &["true"]),
];

/// Scripts that need what only the kernel for which they were written has, and what that is.
const INTERNALS: &[(&str, &str, &str)] = &[
    ("guide", "anon/iprb.d", "functions of Solaris' kernel (fbt), before it has started"),
    ("guide", "fbt/delay.d", "functions of Solaris' kernel (fbt: delay, drv_usecwait)"),
    ("guide", "fbt/putnext.d", "a function of Solaris' kernel (fbt: putnext) and its type queue_t"),
    ("guide", "fbt/ssd.d", "functions of a driver of Solaris (fbt: ssd)"),
    ("guide", "fbt/xioctl.d", "all functions of the kernel (fbt)"),
    (
        "guide",
        "ip/tcprst.d",
        "probes inside Solaris' TCP (sdt: tcp-trace-*) and its types mblk_t, tcp_t, conn_t",
    ),
    (
        "guide",
        "lockstat/whatlock.d",
        "locks of the kernel (lockstat), which neither Windows nor Linux logs when they are free",
    ),
    ("guide", "sdt/callout.d", "the kernel's type callout_t and its probes (sdt)"),
    ("guide", "sdt/interval.d", "the kernel's type callout_t, its probes (sdt) and functions (fbt: timeout)"),
    ("guide", "sdt/intr.d", "the kernel's types and variables (struct dev_info, `devnamesp)"),
    ("guide", "spec/specopen.d", "all functions of the kernel (fbt)"),
    ("guide", "struct/kstat.d", "kstat_named_t, the type of Solaris' kernel statistics, and its library"),
    ("guide", "struct/ksyms.d", "a function of Solaris' kernel (fbt: uiomove) and its type uio_t"),
    ("guide", "tcp/tcptop.d", "a variable of Solaris' kernel (`hp_avenrun)"),
    ("guide", "udp/udptop.d", "a variable of Solaris' kernel (`hp_avenrun); and a quote is missing in it"),
];

/// What a script needs of the inside of a kernel.
fn internals(collection: &str, script: &str) -> Option<&'static str> {
    INTERNALS.iter().find(|(of, name, _)| (*of, *name) == (collection, script)).map(|(.., what)| *what)
}

/// Runs the collections `NAME=FOLDER` with the development build of `dtrace`, over a trace.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let usage = || {
        "the arguments are a trace, and collections as NAME=FOLDER (original, toolkit, guide, samples)"
            .to_owned()
    };
    let (trace, given) = words.split_first().filter(|(_, given)| !given.is_empty()).ok_or_else(usage)?;
    let root = workspace::root();
    let dtrace = root.join("target/debug/dtrace");
    let path = root.join(PAGE);
    let mut page = String::from(
        "# Published scripts\n\nGenerated by `cargo run -p xtask -- published TRACE NAME=FOLDER...`; do not edit it. The scripts \
         belong to others: they are fetched, run unchanged, and never copied here. A script runs if its run ends with status 0: after -Z, probes that this system does not have do not fire.\n",
    );
    for given in given {
        let (name, folder) = given.split_once('=').ok_or_else(usage)?;
        let collection = COLLECTIONS.iter().find(|known| known.name == name).ok_or_else(usage)?;
        page.push_str(&collection.rows(&dtrace, Path::new(trace), Path::new(folder))?);
    }
    std::fs::write(&path, page).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{PAGE}");
    Ok(())
}

impl Collection {
    /// The scripts below a folder, by name.
    fn scripts(&self, folder: &Path) -> Result<BTreeMap<String, PathBuf>, String> {
        let mut scripts = BTreeMap::new();
        for below in self.folders {
            let folder = folder.join(below);
            let files =
                std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            for file in files.flatten().map(|file| file.path()).filter(|file| file.is_file()) {
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if name.ends_with(self.ending) && !name.ends_with(".bat") {
                    scripts.insert(format!("{below}/{name}"), file);
                }
            }
        }
        Ok(scripts)
    }

    /// The part of the page on this collection.
    fn rows(&self, dtrace: &Path, trace: &Path, folder: &Path) -> Result<String, String> {
        let scripts = self.scripts(folder)?;
        let (mut table, mut counts, mut inside) = (String::new(), [0; 3], 0);
        for (name, script) in &scripts {
            let over = match self.over {
                true => {
                    let (command, interrupt) = self.command(dtrace, script, Some(trace))?;
                    Some(finished(command, LIMIT, interrupt)?)
                }
                false => None,
            };
            let live = match self.live {
                true => Some(finished(self.command(dtrace, script, None)?.0, LIVE + LIMIT, Some(LIVE))?),
                false => None,
            };
            let ran = [over.as_ref(), live.as_ref()].map(|ran| ran.is_some_and(Result::is_ok));
            for (count, ran) in counts.iter_mut().zip([ran[0], ran[1], ran[0] || ran[1]]) {
                *count += usize::from(ran);
            }
            let needs = internals(self.name, name);
            inside += usize::from(needs.is_some() && !(ran[0] || ran[1]));
            let cell = |ran: &Result<(), String>| match ran {
                Ok(()) => "runs".to_owned(),
                Err(_) if let Some(what) = needs => format!("kernel internals: {what}"),
                Err(why) => {
                    without_pids(why).replace('|', "\\|").replace(&script.display().to_string(), "SCRIPT")
                }
            };
            let cells: String =
                [&over, &live].into_iter().flatten().map(|ran| format!(" {} |", cell(ran))).collect();
            let _ = writeln!(table, "| `{name}` |{cells}");
        }
        let [over, live, any] = counts;
        let all = scripts.len();
        let (columns, rule, figures) = match (self.over, self.live) {
            (true, true) => {
                let figures = format!("{over} over a trace, {live} live, {any} in one of the two");
                (" over a trace | live |", "---|---|", figures)
            }
            (true, false) => (" over a trace |", "---|", format!("{over}")),
            (false, _) => (" live |", "---|", format!("{live}")),
        };
        let others = match inside {
            0 => String::new(),
            _ => format!(" {inside} need the inside of a kernel; of the other {} run {any}.", all - inside),
        };
        Ok(format!(
            "\n## {}\n\nOf {all} scripts run: {figures}.{others}\n\n| script |{columns}\n|---|{rule}\n{table}",
            self.title
        ))
    }

    /// The command line of a script, and when to interrupt a run that does not end by itself. What is not a D script is for
    /// the shell.
    fn command(
        &self,
        dtrace: &Path,
        script: &Path,
        trace: Option<&Path>,
    ) -> Result<(Command, Option<Duration>), String> {
        let text = std::fs::read(script).map_err(|error| format!("{}: {error}", script.display()))?;
        let name = script.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let first = String::from_utf8_lossy(text.split(|byte| *byte == b'\n').next().unwrap_or_default())
            .into_owned();
        let of_shell = first.starts_with("#!") && first.trim_end().ends_with("sh");
        // bash understands what these scripts use of ksh.
        let shell = if first.trim_end().ends_with("ksh") { "bash" } else { "sh" };
        let mut command = Command::new(if of_shell { Path::new(shell) } else { dtrace });
        if of_shell {
            // The shell lives on to report how the command ended that was interrupted.
            command.args(["-c", "trap : TERM; . \"$0\""]).arg(script);
        } else {
            command.args(self.words).arg("-s").arg(script);
        }
        let words = WORDS.iter().find(|(of, script, _)| {
            *of == self.name
                && match (script.strip_suffix('*'), script.strip_prefix('*')) {
                    (Some(begin), _) => name.starts_with(begin),
                    (_, Some(end)) => name.ends_with(end),
                    _ => *script == name,
                }
        });
        let words = words.map_or(&[][..], |(.., words)| words);
        // A command is for a live run, and so are scripts for a shell.
        let takes_trace = !of_shell && !words.contains(&"-c");
        if let Some(trace) = trace.filter(|_| takes_trace) {
            command.arg("-E").arg(trace);
        }
        for word in words {
            match *word {
                PID => command.arg(std::process::id().to_string()),
                word if let Some(target) = TARGETS.iter().find(|target| target.name == word) => {
                    command.arg(target.built()?)
                }
                word => command.arg(word),
            };
        }
        let known = std::env::var_os("PATH").unwrap_or_default();
        let folders = [names(dtrace)?].into_iter().chain(dtrace.parent().map(Path::to_owned));
        let folders = folders.chain(std::env::split_paths(&known));
        let path = std::env::join_paths(folders).map_err(|error| error.to_string())?;
        command.env("PATH", path).stdin(Stdio::null()).stdout(Stdio::null());
        Ok((command, of_shell.then_some(LIVE)))
    }
}

impl Target {
    /// The program, built from its source.
    fn built(&self) -> Result<PathBuf, String> {
        let folder = made()?;
        let (source, program) = (folder.join(format!("{}.c", self.name)), folder.join(self.name));
        if std::fs::read_to_string(&source).ok().as_deref() != Some(self.source) || !program.exists() {
            std::fs::write(&source, self.source).map_err(|error| format!("{}: {error}", source.display()))?;
            let mut cc = Command::new("cc");
            cc.args(["-O1", "-g", "-fno-omit-frame-pointer", "-o"]).arg(&program).arg(&source);
            workspace::output(&mut cc)?;
        }
        Ok(program)
    }
}

/// The folder for programs that this tool makes.
fn made() -> Result<PathBuf, String> {
    let folder = workspace::root().join("target/published");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// A folder in which `dtrace` has the name that it has on Windows, too: scripts for a shell start it by that name.
fn names(dtrace: &Path) -> Result<PathBuf, String> {
    let folder = made()?;
    let name = folder.join("dtrace.exe");
    if !name.exists() {
        std::os::unix::fs::symlink(dtrace, &name).map_err(|error| format!("{}: {error}", name.display()))?;
    }
    Ok(folder)
}

/// The text without the numbers of processes, which differ each time.
fn without_pids(text: &str) -> String {
    let mut pieces = text.split("pid");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let rest = piece.trim_start_matches(|letter: char| letter.is_ascii_digit());
        out.push_str(if rest.len() < piece.len() { "pidN" } else { "pid" });
        out.push_str(rest);
    }
    out
}

/// Runs a command to its end, and interrupts it after a time. Returns the reason if it did not end well.
fn finished(
    mut command: Command,
    limit: Duration,
    interrupt: Option<Duration>,
) -> Result<Result<(), String>, String> {
    let errors = std::env::temp_dir().join(format!("tracewell-published-{}", std::process::id()));
    command.process_group(0);
    let file = File::create(&errors).map_err(|error| format!("{}: {error}", errors.display()))?;
    let mut child =
        command.stderr(file).spawn().map_err(|error| format!("cannot start {command:?}: {error}"))?;
    let begun = Instant::now();
    let mut interrupted = false;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break Some(status);
        }
        if interrupt.is_some_and(|after| !interrupted && begun.elapsed() > after) {
            interrupted = true;
            // To the command that it waits for, too.
            let _ = Command::new("kill").args(["-TERM", "--", &format!("-{}", child.id())]).status();
        }
        if begun.elapsed() > limit {
            let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let said = std::fs::read_to_string(&errors).unwrap_or_default();
    let _ = std::fs::remove_file(&errors);
    Ok(match status {
        None => Err(format!("does not end in {} s", limit.as_secs())),
        Some(status) if status.success() => Ok(()),
        Some(status) => {
            let line = said.lines().rfind(|line| {
                line.contains("error") || line.contains("failed") || line.contains("could not")
            });
            let line = line.or_else(|| said.lines().rfind(|line| !line.trim().is_empty()));
            Err(line.map_or_else(|| status.to_string(), |line| line.trim().chars().take(200).collect()))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_19_pages_have_no_numbers_of_processes() {
        assert_eq!(without_pids("pid12:a fpid3 of pid, pids 4"), "pidN:a fpidN of pid, pids 4");
    }

    #[test]
    fn issue_19_what_needs_the_inside_of_a_kernel_is_a_script_of_a_collection() {
        for (of, script, what) in INTERNALS {
            let collection = COLLECTIONS.iter().find(|known| known.name == *of).expect("a collection");
            let (folder, _) = script.rsplit_once('/').expect("a folder");
            assert!(collection.folders.contains(&folder) && !what.is_empty(), "{script}");
        }
        assert_eq!(internals("guide", "sched/qlen.d"), None);
    }

    #[test]
    fn issue_19_a_run_ends_well_or_says_why() {
        let sh = |text: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", text]);
            command
        };
        let minute = Duration::from_secs(60);
        assert_eq!(finished(sh("exit 0"), minute, None), Ok(Ok(())));
        let failed = sh("echo one >&2; echo failed to two >&2; echo three >&2; exit 1");
        assert_eq!(finished(failed, minute, None), Ok(Err("failed to two".to_owned())));
        let forever = finished(sh("sleep 60"), Duration::from_millis(50), None);
        assert_eq!(forever, Ok(Err("does not end in 0 s".to_owned())));
        let interrupted = sh("trap 'exit 0' TERM; while :; do sleep 0.05; done");
        assert_eq!(finished(interrupted, minute, Some(Duration::from_millis(200))), Ok(Ok(())));
    }
}
