//! From NT device paths to drive letters, as the traced machine had them.

/// Volume mappings from the trace, longest NT prefix first.
#[derive(Clone, Debug, Default)]
pub struct Volumes {
    /// NT prefix and DOS prefix, such as `\Device\HarddiskVolume2\` and `C:\`.
    mappings: Vec<(Box<str>, Box<str>)>,
    /// The root of the volume that Windows is on, and the name of its folder there: `C:\` and `Windows`.
    system: Option<(Box<str>, Box<str>)>,
}

/// The name that represents the folder of Windows.
pub(crate) const SYSTEM_ROOT: &str = "\\SystemRoot\\";

/// The prefix of what is on other machines; a mapping to it is one of a network's redirector.
const NETWORK: &str = "\\\\";
/// The kernel's path of such files, also without a mapping.
const PROVIDERS: &str = "\\Device\\Mup\\";

/// Folders that are beside that of Windows.
const SYSTEM_FOLDERS: [&str; 4] = ["Program Files", "Program Files (x86)", "ProgramData", "Users"];

impl Volumes {
    pub(crate) fn new(mut mappings: Vec<(Box<str>, Box<str>)>) -> Volumes {
        mappings.retain(|(nt, _)| !nt.is_empty());
        mappings.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        mappings.dedup();
        let windows = mappings.iter().find(|(nt, _)| nt.eq_ignore_ascii_case(SYSTEM_ROOT));
        let system = windows.and_then(|(_, dos)| {
            let folder = dos.trim_end_matches('\\');
            let at = folder.rfind('\\')? + 1;
            Some((folder.get(..at)?.into(), folder.get(at..)?.into()))
        });
        Volumes { mappings, system }
    }

    /// The mappings: NT prefix and DOS prefix.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.mappings.iter().map(|(nt, dos)| (&**nt, &**dos))
    }

    /// Returns the number of mappings in the trace.
    #[must_use]
    pub fn len(&self) -> usize {
        self.mappings.len()
    }

    /// Returns `true` if the trace has no mapping.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mappings.is_empty()
    }

    /// Splits an NT path into the DOS prefix that replaces its beginning and the rest; joined they are the DOS path.
    /// `None` if no mapping fits.
    ///
    /// Windows 7 and 8 log many images without their volume. Such a path gets the volume of Windows if it begins with
    /// the folder of Windows or a folder that is always beside it. A path on another machine becomes
    /// `\\SERVER\SHARE`, whatever redirector and drive letter it came from.
    #[must_use]
    pub fn to_dos<'a>(&'a self, path: &'a str) -> Option<(&'a str, &'a str)> {
        let mapped = self.mappings.iter().find_map(|(nt, dos)| Some((&**dos, without_prefix(path, nt)?)));
        match mapped {
            Some((NETWORK, rest)) => Some((NETWORK, on_server(rest))),
            Some(mapped) => Some(mapped),
            None => match without_prefix(path, PROVIDERS) {
                Some(rest) => Some((NETWORK, on_server(rest))),
                None => self.beside_windows(path),
            },
        }
    }

    /// The root of Windows' volume and the path, when its first folder is known to be there.
    fn beside_windows<'a>(&'a self, path: &'a str) -> Option<(&'a str, &'a str)> {
        let (root, windows) = self.system.as_ref()?;
        let rest = path.strip_prefix('\\')?;
        let (first, _) = rest.split_once('\\')?;
        let known = SYSTEM_FOLDERS.iter().copied().chain([&**windows]);
        known.into_iter().any(|folder| folder.eq_ignore_ascii_case(first)).then_some((root, rest))
    }
}

/// The part after a prefix, ignoring the case of the prefix.
fn without_prefix<'a>(path: &'a str, prefix: &str) -> Option<&'a str> {
    path.get(..prefix.len())?
        .eq_ignore_ascii_case(prefix)
        .then(|| path.get(prefix.len()..).unwrap_or_default())
}

/// Returns the part `SERVER\SHARE...` of a redirector's path. It may be preceded by the redirector's name and `;`, with a
/// drive letter and its session, as in `DfsClient\;Z:0000000000020d40\`.
fn on_server(rest: &str) -> &str {
    let mut after = rest;
    // The redirector's name, which may lack the `;`, then parts that begin with one.
    let mut unmarked = 1;
    let mut at = rest;
    while let Some((part, next)) = at.split_once('\\') {
        if part.starts_with(';') {
            after = next;
        } else if unmarked == 0 {
            break;
        } else {
            unmarked -= 1;
        }
        at = next;
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_wins() {
        let map = |a: &str, b: &str| (a.into(), b.into());
        let volumes = Volumes::new(vec![
            map("\\Device\\Vol1\\", "C:\\"),
            map("\\Device\\Vol1\\Mount\\", "D:\\"),
            map("\\Device\\Vol1\\", "C:\\"),
        ]);
        assert_eq!(volumes.len(), 2);
        assert_eq!(volumes.to_dos("\\DEVICE\\vol1\\a.txt"), Some(("C:\\", "a.txt")));
        assert_eq!(volumes.to_dos("\\Device\\Vol1\\mount\\x"), Some(("D:\\", "x")));
        assert_eq!(volumes.to_dos("\\Device\\Vol12\\x"), None);
        assert_eq!(volumes.to_dos("é"), None);
    }

    /// Issue 5: the same file had a path with a drive and one without, and one on a server had two.
    #[test]
    fn paths_without_a_volume_and_on_servers() {
        let map = |a: &str, b: &str| (a.into(), b.into());
        let volumes = Volumes::new(vec![
            map("\\SystemRoot\\", "E:\\WINNT\\"),
            map("\\Device\\HarddiskVolume3\\", "E:\\"),
            map("\\Device\\LanmanRedirector\\", "\\\\"),
        ]);
        for (path, want) in [
            ("\\WinNT\\System32\\a.dll", Some("E:\\WinNT\\System32\\a.dll")),
            ("\\Program Files\\A\\a.dll", Some("E:\\Program Files\\A\\a.dll")),
            ("\\SystemRoot\\system32\\a.sys", Some("E:\\WINNT\\system32\\a.sys")),
            ("\\Windows\\a.dll", None),
            ("\\Games\\a.dll", None),
            ("\\WINNT", None),
            ("\\Device\\Mup\\srv\\share\\a.exe", Some("\\\\srv\\share\\a.exe")),
            (
                "\\Device\\Mup\\DfsClient\\;Z:0000000000020d40\\srv\\share\\a.exe",
                Some("\\\\srv\\share\\a.exe"),
            ),
            ("\\Device\\Mup\\;LanmanRedirector\\;Z:00\\srv\\share\\a.exe", Some("\\\\srv\\share\\a.exe")),
            ("\\Device\\LanmanRedirector\\;Z:00\\srv\\share\\a;b.exe", Some("\\\\srv\\share\\a;b.exe")),
            ("\\Device\\Mup\\srv\\share\\odd\\;name\\a.exe", Some("\\\\srv\\share\\odd\\;name\\a.exe")),
        ] {
            let have = volumes.to_dos(path).map(|(drive, rest)| format!("{drive}{rest}"));
            assert_eq!(have.as_deref(), want, "{path}");
        }
    }
}
