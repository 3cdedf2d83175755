//! The programs and libraries of a process.

use std::path::{Path, PathBuf};

/// A program or library that a process has mapped, or will map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The file's name without its folders.
    pub name: String,
    /// A path by which this process can open the file.
    pub path: PathBuf,
    /// The program itself, not a library.
    pub program: bool,
    /// Where a part of the file is mapped for execution, if it is: address and offset in the file.
    pub mapped: Option<(u64, u64)>,
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The programs and libraries that a process has mapped.
///
/// # Errors
/// The process is gone or has ended, is part of the kernel, or may not be looked at.
pub fn mapped(pid: u32) -> Result<Vec<Module>, String> {
    let folder = PathBuf::from(format!("/proc/{pid}"));
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            without_program(pid, std::fs::read_to_string(folder.join("status")).ok().as_deref())
        }
        std::io::ErrorKind::PermissionDenied => {
            format!(
                "process {pid} may not be examined: {error}; use root, or run as the user who started the process"
            )
        }
        _ => format!("cannot read the mappings of process {pid}: {error}"),
    };
    let maps = std::fs::read_to_string(folder.join("maps")).map_err(failed)?;
    let program = std::fs::read_link(folder.join("exe")).map_err(failed)?;
    let modules = parse(&maps, &folder, &program);
    if modules.is_empty() {
        return Err(format!("process {pid} has mapped no program: it is part of the kernel, or has ended"));
    }
    Ok(modules)
}

/// A line of `/proc/PID/status`; empty if it is absent.
pub(crate) fn status_line<'s>(status: &'s str, name: &str) -> &'s str {
    status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).unwrap_or_default().trim()
}

/// Why a process has no program. `status` is its `/proc/PID/status`, if there is one.
fn without_program(pid: u32, status: Option<&str>) -> String {
    let Some(status) = status else { return format!("there is no process {pid}") };
    if status_line(status, "State").starts_with(['Z', 'X']) {
        return format!("process {pid} has ended, and its parent has not asked for its exit status yet");
    }
    format!(
        "process {pid} is part of the kernel and has no program: use kernel probes, such as sched:::on-cpu"
    )
}

/// Reads `/proc/PID/maps`.
fn parse(maps: &str, folder: &Path, program: &Path) -> Vec<Module> {
    let mut modules: Vec<Module> = Vec::new();
    for line in maps.lines() {
        let mut words = line.splitn(6, ' ');
        let (Some(range), Some(rights), Some(offset)) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        let Some(path) = words.nth(2).map(str::trim_start).filter(|path| path.starts_with('/')) else {
            continue;
        };
        let start = range.split('-').next().and_then(|start| u64::from_str_radix(start, 16).ok());
        let (Some(start), Ok(offset)) = (start, u64::from_str_radix(offset, 16)) else { continue };
        if rights.as_bytes().get(2) != Some(&b'x') {
            continue;
        }
        let name = name_of(Path::new(path.strip_suffix(" (deleted)").unwrap_or(path)));
        // The file is reached through the process: it may have another root, and the path may name another file now.
        let inside = folder.join("root").join(path.trim_start_matches('/'));
        let path_now = if path.ends_with(" (deleted)") || !inside.exists() {
            folder.join("map_files").join(range)
        } else {
            inside
        };
        if !modules.iter().any(|module| module.path == path_now) {
            modules.push(Module {
                program: Path::new(path) == program,
                name,
                path: path_now,
                mapped: Some((start, offset)),
            });
        }
    }
    modules
}

/// The program and libraries of a command that has not begun, as its loader lists them.
#[must_use]
pub fn of_command(program: &Path, listed: &str) -> Vec<Module> {
    let module =
        |path: &Path, program| Module { name: name_of(path), path: path.to_owned(), program, mapped: None };
    let mut modules = vec![module(program, true)];
    for line in listed.lines() {
        // `libc.so.6 => /lib/libc.so.6 (0x7f...)`, `/lib64/ld-linux-x86-64.so.2 (0x7f...)`
        let line = line.trim();
        let path = line.split_once(" => ").map_or(line, |(_, path)| path);
        let path = path.rsplit_once(" (").map_or(path, |(path, _)| path);
        if path.starts_with('/') && !modules.iter().any(|known| known.path == Path::new(path)) {
            modules.push(module(Path::new(path), false));
        }
    }
    modules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_17_mappings_are_read() {
        let maps = "\
55d000000000-55d000001000 r--p 00000000 08:01 12 /usr/bin/a program
55d000001000-55d000002000 r-xp 00001000 08:01 12 /usr/bin/a program
7f0000000000-7f0000001000 r-xp 00028000 08:01 13 /lib/libc.so.6 (deleted)
7f0000001000-7f0000002000 r-xp 00000000 00:00 0 
7ffd00000000-7ffd00001000 r-xp 00000000 00:00 0 [vdso]
damaged
";
        let modules = parse(maps, Path::new("/proc/0"), Path::new("/usr/bin/a program"));
        let names: Vec<_> = modules.iter().map(|m| (m.name.as_str(), m.program, m.mapped)).collect();
        assert_eq!(
            names,
            [
                ("a program", true, Some((0x55d0_0000_1000, 0x1000))),
                ("libc.so.6", false, Some((0x7f00_0000_0000, 0x28000)))
            ]
        );
        assert_eq!(modules[1].path, Path::new("/proc/0/map_files/7f0000000000-7f0000001000"));
    }

    #[test]
    fn issue_17_why_a_process_has_no_program() {
        for (status, why) in [
            (None, "there is no process 7"),
            (
                Some("Name:\ta\nState:\tZ (zombie)\n"),
                "process 7 has ended, and its parent has not asked for its exit status yet",
            ),
            (
                Some("Name:\ta\nState:\tX (dead)\n"),
                "process 7 has ended, and its parent has not asked for its exit status yet",
            ),
            (
                Some("Name:\tZ\nState:\tS (sleeping)\n"),
                "process 7 is part of the kernel and has no program: use kernel probes, such as sched:::on-cpu",
            ),
        ] {
            assert_eq!(without_program(7, status), why);
        }
    }

    #[test]
    fn issue_17_a_process_that_has_ended_is_no_missing_process() {
        let mut child = std::process::Command::new("/bin/true").spawn().expect("a program");
        let pid = child.id();
        let status = format!("/proc/{pid}/status");
        let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while !std::fs::read_to_string(&status)
            .expect("a child that is not waited for")
            .contains("\nState:\tZ")
        {
            assert!(std::time::Instant::now() < end, "the program does not end");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let why = mapped(pid).expect_err("it has no program any more");
        assert!(why.contains("has ended, and its parent"), "{why}");
        child.wait().expect("its status");
        assert_eq!(mapped(pid).expect_err("it is gone"), format!("there is no process {pid}"));
    }

    #[test]
    fn issue_17_what_a_loader_lists_is_read() {
        let listed = "\tlinux-vdso.so.1 (0x00007ffd)\n\tlibc.so.6 => /lib/x/libc.so.6 (0x00007f)\n\t\
                      /lib64/ld-linux-x86-64.so.2 (0x00007f)\n\tlibno.so => not found\n";
        let modules = of_command(Path::new("/bin/a"), listed);
        let names: Vec<_> = modules.iter().map(|m| (m.name.as_str(), m.program)).collect();
        assert_eq!(names, [("a", true), ("libc.so.6", false), ("ld-linux-x86-64.so.2", false)]);
    }
}
