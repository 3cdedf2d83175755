//! The processes that log: what the system reports about a process while it runs.

/// A process of this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessStatus {
    /// Process id.
    pub pid: u32,
    /// Id of the process that created it.
    pub parent: Option<u32>,
    /// The name of its program, without a path.
    pub name: String,
    /// Command line, its words joined by blanks; empty if the system does not report it.
    pub command_line: String,
    /// The number of its real user; `None` if the system does not report it.
    pub uid: Option<u32>,
}

/// A program or library that a process has mapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedImage {
    /// Address of its first byte.
    pub base: u64,
    /// Bytes from there to its end.
    pub size: u64,
    /// The file.
    pub path: String,
}

/// The programs and libraries that a process has mapped now; empty if the system does not report
/// them.
#[cfg(target_os = "linux")]
#[must_use]
pub fn images(pid: u32) -> Vec<MappedImage> {
    images_of(&std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default())
}

/// Most images of a process.
#[cfg(target_os = "linux")]
const MOST_IMAGES: usize = 1 << 14;

#[cfg(target_os = "linux")]
fn images_of(maps: &str) -> Vec<MappedImage> {
    let mut images: Vec<(MappedImage, bool)> = Vec::new();
    let mut count = 0;
    for line in maps.lines() {
        // START-END RIGHTS OFFSET DEVICE INODE PATH
        let mut words = line.splitn(6, ' ');
        let (Some(range), Some(rights), Some(offset)) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        let path = words.nth(2).unwrap_or_default().trim_start();
        let path = path.strip_suffix(" (deleted)").unwrap_or(path);
        let hex = |word: &str| u64::from_str_radix(word, 16).ok();
        let range = range.split_once('-').and_then(|(start, end)| Some((hex(start)?, hex(end)?)));
        let (Some((start, end)), true) = (range, path.starts_with('/')) else { continue };
        let code = rights.contains('x');
        match images.last_mut() {
            Some((image, has_code)) if image.path == path && hex(offset) != Some(0) => {
                image.size = end.saturating_sub(image.base);
                *has_code |= code;
            }
            _ if hex(offset) == Some(0) && count < MOST_IMAGES => {
                count += 1;
                let image =
                    MappedImage { base: start, size: end.saturating_sub(start), path: path.to_owned() };
                images.push((image, code));
            }
            _ => {}
        }
    }
    images.into_iter().filter(|(_, has_code)| *has_code).map(|(image, _)| image).collect()
}

/// Linux only. On other systems the kernel's events carry this.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn images(_pid: u32) -> Vec<MappedImage> {
    Vec::new()
}

/// Queries the system for a process; [`None`] if no process with that id runs, or the system does
/// not report it.
#[cfg(target_os = "linux")]
#[must_use]
pub fn process(pid: u32) -> Option<ProcessStatus> {
    let read = |what: &str| std::fs::read(format!("/proc/{pid}/{what}"));
    let text = |what: &str| String::from_utf8_lossy(&read(what).unwrap_or_default()).into_owned();
    let name = String::from_utf8_lossy(&read("comm").ok()?).trim_end().to_owned();
    // After the name in brackets: state, parent.
    let parent =
        text("stat").rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)?.parse().ok());
    let words = read("cmdline").unwrap_or_default();
    let words = words.split(|&byte| byte == 0).filter(|word| !word.is_empty());
    let words: Vec<_> = words.map(String::from_utf8_lossy).collect();
    let uid = text("status")
        .lines()
        .find_map(|line| line.strip_prefix("Uid:")?.split_whitespace().next()?.parse().ok());
    Some(ProcessStatus { pid, parent, name, command_line: words.join(" "), uid })
}

/// Queries the system for a process; [`None`] if no process with that id runs. Its command line is
/// not available.
#[cfg(windows)]
#[must_use]
pub fn process(pid: u32) -> Option<ProcessStatus> {
    let (parent, name) = crate::windows::sys::process(pid)?;
    Some(ProcessStatus { pid, parent: Some(parent), name, command_line: String::new(), uid: None })
}

/// Lets a process run that was started suspended (`CREATE_SUSPENDED`).
#[cfg(windows)]
pub fn resume(pid: u32) {
    crate::windows::sys::resume(pid);
}

/// Ends a process, with status 1. Does nothing if there is none, or if it is not ours to end.
#[cfg(windows)]
pub fn terminate(pid: u32) {
    crate::windows::sys::terminate(pid);
}

/// Processes of other systems cannot be queried.
#[cfg(not(any(target_os = "linux", windows)))]
#[must_use]
pub fn process(_pid: u32) -> Option<ProcessStatus> {
    None
}

#[cfg(all(test, any(target_os = "linux", windows)))]
mod tests {
    #[test]
    fn the_system_knows_this_process() {
        let me = super::process(std::process::id()).unwrap();
        assert_eq!(me.pid, std::process::id());
        let program = std::env::current_exe().unwrap();
        let program = program.file_name().unwrap().to_string_lossy().to_ascii_lowercase();
        // Linux keeps the first 15 characters, of the thread's own name.
        assert!(cfg!(target_os = "linux") || program == me.name.to_ascii_lowercase(), "{me:?}");
        assert!(!me.name.is_empty() && me.parent.is_some(), "{me:?}");
        assert_eq!(super::process(u32::MAX - 8), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn images_are_those_with_code() {
        let maps = "\
5000-6000 r--p 00000000 fe:01 10                  /opt/a shop
6000-9000 r-xp 00001000 fe:01 10                  /opt/a shop
9000-a000 rw-p 00000000 00:00 0                   [heap]
b000-c000 r--p 00000000 fe:01 11                  /usr/share/locale.mo
d000-e000 r--p 00000000 fe:01 12                  /lib/libc.so.6
e000-f000 r-xp 00001000 fe:01 12                  /lib/libc.so.6 (deleted)
f000-f800 r-xp zz 1
";
        let image = |base, size, path: &str| super::MappedImage { base, size, path: path.to_owned() };
        let wanted = [image(0x5000, 0x4000, "/opt/a shop"), image(0xd000, 0x2000, "/lib/libc.so.6")];
        assert_eq!(super::images_of(maps), wanted);
        let here = images_are_those_with_code as fn() as usize as u64;
        let mine = super::images(std::process::id());
        assert!(mine.iter().any(|image| (image.base..image.base + image.size).contains(&here)), "{mine:?}");
    }

    /// An image begins with the part of its file at offset 0; a part of a file that has no beginning here is none.
    #[test]
    #[cfg(target_os = "linux")]
    fn issue_23_images_begin_at_the_beginning_of_their_files() {
        let image = |base, size, path: &str| super::MappedImage { base, size, path: path.to_owned() };
        for (maps, wanted) in [
            ("5000-6000 r-xp 00000000 fe:01 10 /a", vec![image(0x5000, 0x1000, "/a")]),
            ("5000-6000 r-xp 00001000 fe:01 10 /a", vec![]),
            ("5000-6000 r-xp zz fe:01 10 /a", vec![]),
            ("5000-6000 r--p 00000000 fe:01 10 /a", vec![]),
            ("5000-6000 r-xp 00000000 fe:01 10 a", vec![]),
            ("5000 r-xp 00000000 fe:01 10 /a", vec![]),
            ("5000-x r-xp 00000000 fe:01 10 /a", vec![]),
            (
                "5000-6000 r-xp 00000000 fe:01 10 /a\n6000-7000 r-xp 00001000 fe:01 11 /b",
                vec![image(0x5000, 0x1000, "/a")],
            ),
            // The same file twice.
            (
                "5000-6000 r-xp 00000000 fe:01 10 /a\n9000-a000 r-xp 00000000 fe:01 10 /a\na000-c000 rw-p 00001000 fe:01 10 /a",
                vec![image(0x5000, 0x1000, "/a"), image(0x9000, 0x3000, "/a")],
            ),
        ] {
            assert_eq!(super::images_of(maps), wanted, "{maps}");
        }
        let many = |count: usize| {
            let line =
                |at: usize| format!("{:x}-{:x} r-xp 00000000 fe:01 10 /{at}\n", at << 12, (at + 1) << 12);
            super::images_of(&(0..count).map(line).collect::<String>()).len()
        };
        let most = super::MOST_IMAGES;
        assert_eq!([most - 1, most, most + 1].map(many), [most - 1, most, most]);
    }
}
