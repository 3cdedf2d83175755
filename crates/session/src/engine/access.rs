//! Who may control sessions, read them live, and log to them.
//!
//! Root and the user of the daemon may do everything, the user of a session everything with that session. The rest is in the
//! access file, one rule a line; what follows a `#` is a remark:
//!
//! ```text
//! control  *         @tracewell        these may start sessions, which have their own rights to files
//! read     SESSION   alice @staff      these may also query the session and watch it live
//! log      SESSION   @staff            only these may log to the session
//! enable   PROVIDER  alice             only these may enable the provider (a GUID) in their sessions
//! kernel   *         alice             these may also have events of the kernel
//! register PROVIDER  bob               only programs of these may log as the provider
//! ```
//!
//! `*` names every session or provider, or every user. If the file is invalid, or writable by users other than root, only
//! root and the user of the daemon have rights.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use tracewell_types::Guid;

use super::socket::Peer;

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    Control,
    Read,
    Log,
    Enable,
    Kernel,
    Register,
}

const RIGHTS: [(&str, Right); 6] = [
    ("control", Right::Control),
    ("read", Right::Read),
    ("log", Right::Log),
    ("enable", Right::Enable),
    ("kernel", Right::Kernel),
    ("register", Right::Register),
];

/// Whom a rule names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Everyone,
    User(u32),
    Group(u32),
}

#[derive(Clone, Debug)]
struct Rule {
    right: Right,
    /// `*`, the name of a session, or a GUID.
    object: String,
    who: Vec<Who>,
}

/// The rules as they were read.
#[derive(Clone, Debug, Default)]
struct Rules {
    all: Vec<Rule>,
    /// Why they are not to be had.
    fault: Option<String>,
}

/// The access file of a daemon.
#[derive(Debug, Default)]
pub(crate) struct Access {
    file: Option<PathBuf>,
    read: Mutex<Option<(Option<SystemTime>, Rules)>>,
}

/// A line of `/etc/passwd` or `/etc/group` with this name: its number.
fn number_of(name: &str, list: &str) -> Option<u32> {
    if let Ok(number) = name.parse() {
        return Some(number);
    }
    let text = std::fs::read_to_string(list).ok()?;
    text.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next() == Some(name)).then(|| fields.nth(1)?.parse().ok())?
    })
}

/// The number of a group, by its name or number.
pub(crate) fn group(name: &str) -> Option<u32> {
    number_of(name, "/etc/group")
}

fn who(word: &str) -> Option<Who> {
    match word.strip_prefix('@') {
        _ if word == "*" => Some(Who::Everyone),
        Some(name) => group(name).map(Who::Group),
        None => number_of(word, "/etc/passwd").map(Who::User),
    }
}

impl Rules {
    fn parse(text: &str) -> Result<Rules, String> {
        let mut all = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
            let Some(word) = words.next() else { continue };
            let number = index + 1;
            let right = RIGHTS.iter().find(|(name, _)| *name == word);
            let Some((_, right)) = right else { return Err(format!("line {number}: {word:?} is no right")) };
            let Some(object) = words.next() else {
                return Err(format!("line {number}: which session or provider?"));
            };
            let of_provider = matches!(right, Right::Enable | Right::Register);
            let guid = Guid::try_parse(object.trim_matches(['{', '}']).as_bytes());
            let object = match guid {
                Some(guid) if of_provider => guid.to_string(),
                _ if of_provider && object != "*" => {
                    return Err(format!("line {number}: {object:?} is no GUID"));
                }
                _ => object.to_lowercase(),
            };
            let mut named = Vec::new();
            for word in words {
                // An unknown user or group matches no peer.
                named.extend(who(word));
            }
            all.push(Rule { right: *right, object, who: named });
        }
        Ok(Rules { all, fault: None })
    }

    /// Whether a rule for this names the peer; `None` if there is no rule.
    fn says(&self, right: Right, object: &str, peer: Peer) -> Option<bool> {
        let object = object.to_lowercase();
        let mut rules =
            self.all.iter().filter(|r| r.right == right && (r.object == object || r.object == "*"));
        let first = rules.next()?;
        let mut groups = None;
        let mut names = |rule: &Rule| {
            rule.who.iter().any(|who| match who {
                Who::Everyone => true,
                Who::User(uid) => *uid == peer.uid,
                Who::Group(gid) => groups.get_or_insert_with(|| groups_of(peer)).contains(gid),
            })
        };
        Some(names(first) || rules.any(names))
    }
}

/// The groups of a process at the other end. One that has ended may have left its id to a process of another user, and one
/// that runs a program with raised rights is no longer what the peer was: their groups do not count.
fn groups_of(peer: Peer) -> Vec<u32> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", peer.pid)).unwrap_or_default();
    let numbers = |name: &str| -> Vec<u32> {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.split_whitespace().filter_map(|number| number.parse().ok()).collect()
    };
    let is_theirs = numbers("Uid:").iter().all(|uid| *uid == peer.uid);
    let groups = if is_theirs { numbers("Groups:") } else { Vec::new() };
    groups.into_iter().chain([peer.gid]).collect()
}

impl Access {
    pub(crate) fn new(file: Option<PathBuf>) -> Access {
        Access { file, read: Mutex::default() }
    }

    /// Whether a peer may do something by the rules; `default` where there is none.
    pub(crate) fn may(&self, right: Right, object: &str, peer: Peer, default: bool) -> bool {
        let Some(file) = &self.file else { return default };
        let changed = std::fs::metadata(file).and_then(|facts| facts.modified()).ok();
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.as_ref().is_none_or(|(time, _)| *time != changed) {
            *read = Some((changed, load(file)));
        }
        let rules = read.as_ref().map(|(_, rules)| rules);
        match rules {
            Some(Rules { fault: Some(_), .. }) => false,
            Some(rules) => rules.says(right, object, peer).unwrap_or(default),
            None => default,
        }
    }

    /// Why the file permits nothing.
    pub(crate) fn fault(&self) -> Option<String> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.as_ref().and_then(|(_, rules)| rules.fault.clone())
    }
}

fn load(file: &Path) -> Rules {
    use std::os::unix::fs::MetadataExt;
    let fault = |why: String| Rules { all: Vec::new(), fault: Some(format!("{}: {why}", file.display())) };
    let daemon = rustix::process::geteuid().as_raw();
    let facts = match std::fs::metadata(file) {
        Ok(facts) => facts,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Rules::default(),
        Err(error) => return fault(error.to_string()),
    };
    if ![0, daemon].contains(&facts.uid()) || facts.mode() & 0o022 != 0 {
        return fault("can be written by others than root".to_owned());
    }
    match std::fs::read_to_string(file) {
        Ok(text) => Rules::parse(&text).unwrap_or_else(fault),
        Err(error) => fault(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_14_rules_name_users_and_groups() {
        let rules = Rules::parse(
            "# remark\ncontrol * @54399\nread shop 7 # one\nread * 9\nlog SHOP *\n\
             enable 7ace0001-0001-0002-0303-030303030303 8 root\nregister * no-such-user\nkernel * 8\n",
        )
        .unwrap();
        let peer = |uid, gid| Peer { pid: 0, uid, gid };
        let says = |right, object: &str, uid, gid| rules.says(right, object, peer(uid, gid));
        assert_eq!(says(Right::Control, "", 1, 54399), Some(true));
        assert_eq!(says(Right::Control, "", 1, 1), Some(false));
        assert_eq!(says(Right::Read, "Shop", 7, 1), Some(true));
        assert_eq!(says(Right::Read, "other", 7, 1), Some(false));
        assert_eq!(says(Right::Read, "other", 9, 1), Some(true));
        assert_eq!((says(Right::Log, "shop", 1, 1), says(Right::Log, "other", 1, 1)), (Some(true), None));
        let made = "7ace0001-0001-0002-0303-030303030303";
        assert_eq!(
            (says(Right::Enable, made, 8, 1), says(Right::Enable, made, 0, 0)),
            (Some(true), Some(true))
        );
        assert_eq!(says(Right::Enable, made, 9, 1), Some(false));
        assert_eq!(
            (says(Right::Kernel, "*", 8, 1), says(Right::Kernel, "*", 9, 1)),
            (Some(true), Some(false))
        );
        assert_eq!(says(Right::Register, made, 9, 1), Some(false), "an unknown user matches no peer");
        for bad in ["own x y", "read", "enable shop alice"] {
            assert!(Rules::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn issue_14_groups_are_those_of_the_peer_and_not_of_who_has_its_id_now() {
        let (pid, uid) = (std::process::id(), rustix::process::geteuid().as_raw());
        let own: Vec<u32> =
            rustix::process::getgroups().unwrap().iter().map(|group| group.as_raw()).collect();
        assert_eq!(groups_of(Peer { pid, uid, gid: 54399 }), [own, vec![54399]].concat());
        assert_eq!(groups_of(Peer { pid, uid: 54321, gid: 54399 }), [54399]);
    }

    #[test]
    fn issue_14_a_file_that_others_can_write_permits_nothing() {
        use std::os::unix::fs::PermissionsExt;
        let file = std::env::temp_dir().join(format!("tracewell-access-{}", std::process::id()));
        let peer = Peer { pid: 0, uid: 7, gid: 7 };
        let may = |default| Access::new(Some(file.clone())).may(Right::Control, "", peer, default);
        assert!(may(true) && !may(false), "without a file the default holds");
        let mode = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        std::fs::write(&file, "control * 7").unwrap();
        mode(0o644);
        assert!(may(false));
        mode(0o666);
        assert!(!may(true));
        mode(0o644);
        std::fs::write(&file, "nonsense").unwrap();
        assert!(!may(true));
        std::fs::remove_file(&file).unwrap();
    }
}
