//! What is installed in a prefix, and removed from it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::folder::Folder;
use crate::prefix::{Prefix, REGISTRY};
use crate::proxy;
use crate::registry::{self, Override};

/// Libraries of Wine that are replaced.
const MODULES: [&str; 3] = ["sechost", "advapi32", DESCRIBING];
/// The one with the functions that describe events.
const DESCRIBING: &str = "tdh";
/// The library that logs events, without its ending.
const HOOKS: &str = "tracewell";
/// Functions of the others that Wine's libraries lack, that end the program, or that do nothing.
const ADDED: [&str; 26] = [
    "CloseTrace",
    "ControlTraceA",
    "ControlTraceW",
    "CreateTraceInstanceId",
    "EnableTrace",
    "EnableTraceEx",
    "EnableTraceEx2",
    "EnumerateTraceGuids",
    "EnumerateTraceGuidsEx",
    "EventWriteEx",
    "FlushTraceA",
    "FlushTraceW",
    "OpenTraceA",
    "OpenTraceW",
    "ProcessTrace",
    "QueryAllTracesA",
    "QueryAllTracesW",
    "QueryTraceA",
    "QueryTraceW",
    "StartTraceA",
    "StartTraceW",
    "StopTraceA",
    "StopTraceW",
    "TraceEventInstance",
    "UpdateTraceA",
    "UpdateTraceW",
];
/// The same of the one that describes events.
const ADDED_TO_DESCRIBING: [&str; 8] = [
    "TdhEnumerateManifestProviderEvents",
    "TdhEnumerateProviders",
    "TdhFormatProperty",
    "TdhGetEventInformation",
    "TdhGetEventMapInformation",
    "TdhGetManifestEventInformation",
    "TdhGetProperty",
    "TdhGetPropertySize",
];
/// The order in which Wine looks for these libraries: in the prefix first.
const ORDER: &str = "native,builtin";
/// Bytes at this offset identify Wine's own libraries, which it loads from elsewhere.
const SIGNATURE_AT: usize = 0x40;
const SIGNATURE: &[u8] = b"Wine builtin DLL";
/// The folder in `drive_c/windows` with what was replaced, and its list.
const KEPT: &str = "tracewell";
const LIST: &str = "installed";
/// What both halves of the library are called where they are built, and in the prefix.
pub const HALVES: [(&str, &str); 2] =
    [("tracewell_wine_pe.dll", "tracewell.dll"), ("libtracewell_wine_unix.so", "tracewell.so")];

/// The functions of a library that lead to ours.
fn added(module: &str) -> &'static [&'static str] {
    if module == DESCRIBING { &ADDED_TO_DESCRIBING } else { &ADDED }
}

/// What the list says about an installation.
#[derive(Debug, Default)]
struct Installed {
    /// Of `ntdll.dll`: another one is there after an update of Wine.
    wine: String,
    /// Former orders in the registry.
    orders: Vec<Override>,
    /// Of the files in the prefix.
    files: BTreeMap<String, String>,
}

impl Installed {
    /// Reads the list of a prefix; `None` if nothing is installed.
    fn of(prefix: &Prefix) -> Result<Option<(Folder, Installed)>, Error> {
        if !prefix.windows.has(KEPT) {
            return Ok(None);
        }
        let kept = prefix.windows.folder(KEPT)?;
        if !kept.has(LIST) {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&kept.read(LIST)?).into_owned();
        let mut list = Installed::default();
        for line in text.lines() {
            match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
                ["wine", digest] => list.wine = digest.to_owned(),
                ["order", name] => list.orders.push((name.to_owned(), None)),
                ["order", name, order] => list.orders.push((name.to_owned(), Some(order.to_owned()))),
                ["file", name, digest] => drop(list.files.insert(name.to_owned(), digest.to_owned())),
                _ => {}
            }
        }
        Ok(Some((kept, list)))
    }

    fn text(&self) -> String {
        let mut text = format!("wine {}\n", self.wine);
        for (name, order) in &self.orders {
            let _ = writeln!(text, "order {name} {}", order.as_deref().unwrap_or_default());
        }
        for (name, digest) in &self.files {
            let _ = writeln!(text, "file {name} {digest}");
        }
        text
    }
}

/// Distinguishes versions of a file (FNV-1a).
fn digest(bytes: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
    format!("{:016x}-{}", bytes.iter().fold(0xCBF2_9CE4_8422_2325, step), bytes.len())
}

fn is_of_wine(bytes: &[u8]) -> bool {
    bytes.get(SIGNATURE_AT..).is_some_and(|rest| rest.starts_with(SIGNATURE))
}

/// Has the Windows programs of a prefix log their events to sessions. What an earlier version installed is replaced.
///
/// `halves` are the contents of the files of [`HALVES`]. `wine` is the folder of Wine's own libraries, with `x86_64-windows` in
/// it; without it, the usual folders are searched where an update of Wine makes them necessary.
///
/// # Errors
/// Programs of Wine run in the prefix, a library in it is not Wine's own, or a file cannot be read or written. Nothing new
/// is then in the prefix.
pub fn install(prefix: &Prefix, halves: &[Vec<u8>; 2], wine: Option<&Path>) -> Result<(), Error> {
    prefix.expect_idle()?;
    let ntdll = prefix.system.read("ntdll.dll")?;
    let former = Installed::of(prefix)?;
    let updated = former.as_ref().is_some_and(|(_, list)| list.wine != digest(&ntdll));
    // An update has renewed Wine's other libraries in the prefix, but not those that were replaced.
    let fresh = if updated || wine.is_some() { Some(libraries_of_wine(prefix, wine, &ntdll)?) } else { None };
    if former.is_some() {
        remove(prefix)?;
    }
    let mut made = Vec::new();
    for module in MODULES {
        let file = format!("{module}.dll");
        let original = match &fresh {
            Some(folder) => {
                let path = folder.join(&file);
                let bytes = std::fs::read(&path).map_err(|error| Error::new(&path, error))?;
                prefix.system.replace(&file, &bytes)?;
                bytes
            }
            None => prefix.system.read(&file)?,
        };
        let path = prefix.system_path(&file);
        if !is_of_wine(&original) {
            return Err(Error::new(&path, "it is not Wine's own library, so it stays"));
        }
        let copy = format!("{module}_wine");
        let replaced = added(module).iter().map(|name| (*name, HOOKS)).collect();
        let forwards =
            proxy::forwards(&original, &copy, &replaced).map_err(|error| Error::new(&path, error))?;
        let hooks = format!("{HOOKS}.dll");
        made.push((file.clone(), proxy::library(&file, (&hooks, "EventRegister"), &forwards)));
        made.push((format!("{copy}.dll"), without_signature(original)));
    }
    made.extend(HALVES.iter().zip(halves).map(|((_, name), bytes)| ((*name).to_owned(), bytes.clone())));
    put(prefix, &ntdll, &made)
}

fn without_signature(mut library: Vec<u8>) -> Vec<u8> {
    if let Some(place) = library.get_mut(SIGNATURE_AT..SIGNATURE_AT + SIGNATURE.len()) {
        place.fill(0);
    }
    library
}

/// The folder of Wine's libraries whose version is that of the prefix.
fn libraries_of_wine(prefix: &Prefix, given: Option<&Path>, ntdll: &[u8]) -> Result<PathBuf, Error> {
    const USUAL: [&str; 5] = [
        "/usr/lib/x86_64-linux-gnu/wine",
        "/usr/lib/wine",
        "/usr/lib64/wine",
        "/opt/wine-stable/lib/wine",
        "/opt/wine-stable/lib64/wine",
    ];
    let folders = given.map_or_else(|| USUAL.map(PathBuf::from).to_vec(), |folder| vec![folder.to_owned()]);
    let folders = folders.into_iter().map(|folder| folder.join("x86_64-windows"));
    let of_version =
        |folder: &PathBuf| std::fs::read(folder.join("ntdll.dll")).is_ok_and(|bytes| bytes == ntdll);
    folders.into_iter().find(of_version).ok_or_else(|| match given {
        Some(folder) => Error::new(folder, "its x86_64-windows/ntdll.dll is not that of the prefix"),
        None => Error::new(
            prefix.path(),
            "Wine was updated, and the libraries of its new version are in no usual folder: --wine names theirs",
        ),
    })
}

/// Puts the files into the prefix; what they replace is kept. If one cannot be written, the prefix is as it was.
fn put(prefix: &Prefix, ntdll: &[u8], made: &[(String, Vec<u8>)]) -> Result<(), Error> {
    for (name, _) in made {
        let is_module = MODULES.iter().any(|module| *name == format!("{module}.dll"));
        if !is_module && prefix.system.has(name) {
            return Err(Error::new(
                &prefix.system_path(name),
                "it is there already, and was not installed by etw",
            ));
        }
    }
    let kept = prefix.windows.make(KEPT)?;
    let wanted: Vec<Override> =
        MODULES.iter().map(|module| ((*module).to_owned(), Some(ORDER.to_owned()))).collect();
    let changed = prefix.registry().and_then(|text| with_overrides(prefix, &text, &wanted));
    let done = changed.and_then(|(registry, orders)| {
        let files = made.iter().map(|(name, bytes)| (name.clone(), digest(bytes))).collect();
        let list = Installed { wine: digest(ntdll), orders, files };
        // First of all, so that a command that is interrupted can be undone.
        kept.replace(LIST, list.text().as_bytes())?;
        for module in MODULES {
            prefix.system.move_to(&format!("{module}.dll"), &kept)?;
        }
        for (name, bytes) in made {
            prefix.system.replace(name, bytes)?;
        }
        prefix.set_registry(&registry)
    });
    if done.is_err() {
        // What is there of it is taken back; the first error is the one to report.
        let _ = if kept.has(LIST) { remove(prefix).map(drop) } else { prefix.windows.remove_folder(KEPT) };
    }
    done
}

/// The registry with these orders, and those that were there.
fn with_overrides(
    prefix: &Prefix,
    text: &str,
    wanted: &[Override],
) -> Result<(String, Vec<Override>), Error> {
    registry::with_overrides(text, wanted).map_err(|error| Error::new(&prefix.path().join(REGISTRY), error))
}

/// Restores a prefix as it was before [`install`].
///
/// # Errors
/// Nothing is installed, programs of Wine run in the prefix, or a file cannot be moved or written.
pub fn remove(prefix: &Prefix) -> Result<(), Error> {
    prefix.expect_idle()?;
    let Some((kept, list)) = Installed::of(prefix)? else {
        return Err(Error::new(prefix.path(), "nothing of Tracewell is installed in this prefix"));
    };
    for module in MODULES {
        let name = format!("{module}.dll");
        if kept.has(&name) {
            kept.move_to(&name, &prefix.system)?;
        }
    }
    let others =
        list.files.keys().filter(|name| MODULES.iter().all(|module| **name != format!("{module}.dll")));
    for name in others.filter(|name| !name.contains('/')) {
        prefix.system.remove(name)?;
    }
    // An order that the user has changed since stays.
    let text = prefix.registry()?;
    let orders: Vec<_> =
        list.orders.into_iter().filter(|(name, _)| registry::prefers_native(&text, name)).collect();
    let (text, _) = with_overrides(prefix, &text, &orders)?;
    prefix.set_registry(&text)?;
    kept.remove(LIST)?;
    prefix.windows.remove_folder(KEPT)
}

/// Whether the programs of a prefix log their events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nothing is installed.
    Absent,
    /// All that was installed is in its place.
    Works,
    /// What is wrong: why some programs log no events.
    Faulty(Vec<String>),
}

/// Compares a prefix with what [`install`] noted in it.
///
/// # Errors
/// A file of the prefix cannot be read.
pub fn status(prefix: &Prefix) -> Result<Status, Error> {
    let Some((_, list)) = Installed::of(prefix)? else { return Ok(Status::Absent) };
    let mut faults = Vec::new();
    if list.wine != digest(&prefix.system.read("ntdll.dll")?) {
        faults.push("Wine was updated since".to_owned());
    }
    for (name, known) in &list.files {
        match prefix.system.read(name) {
            Ok(bytes) if digest(&bytes) == *known => {}
            Ok(_) => faults.push(format!("{name} was replaced")),
            Err(_) => faults.push(format!("{name} is missing")),
        }
    }
    let registry = prefix.registry()?;
    for module in MODULES.iter().filter(|module| !registry::prefers_native(&registry, module)) {
        faults.push(format!("the registry does not prefer {module}.dll of the prefix"));
    }
    Ok(if faults.is_empty() { Status::Works } else { Status::Faulty(faults) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proxy::{Forward, library};
    use std::fs;
    use tracewell_corpus::Scratch;

    const REGISTRY_TEXT: &str = "WINE REGISTRY Version 2\n\n[Software\\\\Wine] 12\n\"x\"=\"y\"\n";

    /// A library with one function, which says that it is one of Wine's own.
    fn of_wine(name: &str, function: &str) -> Vec<u8> {
        let forward =
            Forward { ordinal: 3, name: Some(function.into()), target: format!("ntdll.{function}") };
        let mut bytes = library(&format!("{name}.dll"), ("ntdll.dll", "Start"), &[forward]);
        bytes[SIGNATURE_AT..SIGNATURE_AT + SIGNATURE.len()].copy_from_slice(SIGNATURE);
        bytes
    }

    fn halves() -> [Vec<u8>; 2] {
        [b"for windows".to_vec(), b"for linux".to_vec()]
    }

    /// A prefix as Wine makes it, in the folder `inner` of a folder.
    fn prefix(inner: &str) -> (Scratch, Prefix) {
        let scratch = Scratch::new("wine-prefix");
        let root = scratch.join(inner);
        let system = root.join("drive_c/windows/system32");
        fs::create_dir_all(&system).unwrap();
        fs::write(root.join("system.reg"), "WINE REGISTRY Version 2\n").unwrap();
        fs::write(root.join(REGISTRY), REGISTRY_TEXT).unwrap();
        fs::write(system.join("ntdll.dll"), "version 1").unwrap();
        for module in MODULES {
            fs::write(system.join(format!("{module}.dll")), of_wine(module, "EventWrite")).unwrap();
        }
        let prefix = Prefix::open(&scratch).unwrap_or_else(|_| Prefix::open(&root).unwrap());
        (scratch, prefix)
    }

    /// Each file of a prefix, by its path.
    fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.extend(files(&path));
            } else {
                found.insert(path.clone(), fs::read(&path).unwrap());
            }
        }
        found
    }

    fn system(prefix: &Prefix, name: &str) -> PathBuf {
        prefix.system_path(name)
    }

    #[test]
    fn issue_18_a_prefix_is_restored_exactly() {
        for (inner, is_proton) in [("", false), ("pfx", true)] {
            let (_scratch, prefix) = prefix(inner);
            assert_eq!(prefix.is_proton(), is_proton);
            let before = files(prefix.path());
            assert_eq!(status(&prefix).unwrap(), Status::Absent);
            // A second installation replaces the first.
            for _ in 0..2 {
                install(&prefix, &halves(), None).unwrap();
                assert_eq!(status(&prefix).unwrap(), Status::Works);
            }
            for ((_, name), bytes) in HALVES.iter().zip(halves()) {
                assert_eq!(fs::read(system(&prefix, name)).unwrap(), bytes);
            }
            remove(&prefix).unwrap();
            assert_eq!(files(prefix.path()), before);
            assert_eq!(status(&prefix).unwrap(), Status::Absent);
            let error = remove(&prefix).unwrap_err();
            assert_eq!(error.path(), prefix.path());
            assert!(
                error.to_string().ends_with(": nothing of Tracewell is installed in this prefix"),
                "{error}"
            );
        }
    }

    #[test]
    fn issue_18_functions_of_the_library_lead_to_ours_or_to_the_copy() {
        let (_scratch, prefix) = prefix("");
        install(&prefix, &halves(), None).unwrap();
        for module in MODULES {
            let made = fs::read(system(&prefix, &format!("{module}.dll"))).unwrap();
            assert!(!is_of_wine(&made), "{module}");
            let found = proxy::forwards(&made, "x", &BTreeMap::new()).unwrap();
            let text = String::from_utf8_lossy(&made).into_owned();
            for name in added(module) {
                assert!(
                    found.iter().any(|forward| forward.name.as_deref() == Some(*name)),
                    "{module} {name}"
                );
                assert!(text.contains(&format!("\0tracewell.{name}\0")), "{module} {name}");
            }
            // No library gets the functions of another one.
            assert_eq!(text.contains("tracewell.TdhGetProperty"), module == "tdh", "{module}");
            assert_eq!(text.contains("tracewell.OpenTraceW"), module != "tdh", "{module}");
            assert!(text.contains(&format!("\0{module}_wine.EventWrite\0")), "{module}");
            // Wine takes a library with its signature from elsewhere, so the copy has none.
            let copy = fs::read(system(&prefix, &format!("{module}_wine.dll"))).unwrap();
            assert!(!is_of_wine(&copy));
            let mut with_signature = copy;
            with_signature[SIGNATURE_AT..SIGNATURE_AT + SIGNATURE.len()].copy_from_slice(SIGNATURE);
            assert_eq!(with_signature, of_wine(module, "EventWrite"));
        }
    }

    #[test]
    fn issue_18_the_status_lists_what_was_changed_since() {
        let faults = |prefix: &Prefix| match status(prefix).unwrap() {
            Status::Faulty(faults) => faults.join(", "),
            other => panic!("{other:?}"),
        };
        let (_scratch, prefix) = prefix("");
        install(&prefix, &halves(), None).unwrap();
        fs::write(system(&prefix, "ntdll.dll"), "version 2").unwrap();
        assert_eq!(faults(&prefix), "Wine was updated since");
        fs::write(system(&prefix, "ntdll.dll"), "version 1").unwrap();
        fs::write(system(&prefix, "tracewell.so"), "another").unwrap();
        fs::remove_file(system(&prefix, "tracewell.dll")).unwrap();
        assert_eq!(faults(&prefix), "tracewell.dll is missing, tracewell.so was replaced");
        install(&prefix, &halves(), None).unwrap();
        // An order that the user has chosen since is kept when the prefix is restored.
        let text =
            prefix.registry().unwrap().replace("\"sechost\"=\"native,builtin\"", "\"sechost\"=\"builtin\"");
        prefix.set_registry(&text).unwrap();
        assert_eq!(faults(&prefix), "the registry does not prefer sechost.dll of the prefix");
        remove(&prefix).unwrap();
        let text = prefix.registry().unwrap();
        assert!(text.contains("\"sechost\"=\"builtin\"") && !text.contains("advapi32"), "{text}");
    }

    #[test]
    fn issue_18_after_an_update_the_new_libraries_are_taken() {
        let (scratch, prefix) = prefix("");
        install(&prefix, &halves(), None).unwrap();
        fs::write(system(&prefix, "ntdll.dll"), "version 2").unwrap();
        let error = install(&prefix, &halves(), None).unwrap_err().to_string();
        assert!(error.contains("Wine was updated") && error.contains("--wine names theirs"), "{error}");
        // What was installed is still there.
        assert!(matches!(status(&prefix).unwrap(), Status::Faulty(faults) if faults.len() == 1));
        let wine = scratch.join("lib/wine");
        let libraries = wine.join("x86_64-windows");
        fs::create_dir_all(&libraries).unwrap();
        for module in MODULES {
            fs::write(libraries.join(format!("{module}.dll")), of_wine(module, "EventNew")).unwrap();
        }
        fs::write(libraries.join("ntdll.dll"), "version 3").unwrap();
        let error = install(&prefix, &halves(), Some(&wine)).unwrap_err();
        assert_eq!(error.path(), wine);
        fs::write(libraries.join("ntdll.dll"), "version 2").unwrap();
        install(&prefix, &halves(), Some(&wine)).unwrap();
        assert_eq!(status(&prefix).unwrap(), Status::Works);
        remove(&prefix).unwrap();
        for module in MODULES {
            let restored = fs::read(system(&prefix, &format!("{module}.dll"))).unwrap();
            assert_eq!(restored, of_wine(module, "EventNew"), "{module}");
        }
    }

    #[test]
    fn issue_18_what_cannot_be_installed_leaves_the_prefix_as_it_was() {
        let (_scratch, prefix) = prefix("");
        let refused = |path: &str, contents: &[u8], text: &str| {
            let path = prefix.path().join(path);
            let former = fs::read(&path).ok();
            fs::write(&path, contents).unwrap();
            let before = files(prefix.path());
            let error = install(&prefix, &halves(), None).unwrap_err();
            assert_eq!((error.path(), error.to_string().contains(text)), (&*path, true), "{error}");
            assert_eq!(files(prefix.path()), before, "{text}");
            match former {
                Some(former) => fs::write(&path, former).unwrap(),
                None => fs::remove_file(&path).unwrap(),
            }
        };
        let in_system = |name: &str| format!("drive_c/windows/system32/{name}");
        refused(&in_system("advapi32.dll"), b"of a game", "it is not Wine's own library");
        let signed = [&[0; SIGNATURE_AT][..], SIGNATURE].concat();
        refused(&in_system("advapi32.dll"), &signed, "advapi32.dll: ");
        for name in ["tracewell.dll", "tracewell.so", "sechost_wine.dll"] {
            refused(&in_system(name), b"of a user", "it is there already");
        }
        refused(REGISTRY, b"REGEDIT4\n", "it is not a registry of Wine");
        refused(REGISTRY, b"WINE REGISTRY Version 2\n\xFF", "it is not text in UTF-8");
        install(&prefix, &halves(), None).unwrap();
    }

    #[test]
    fn issue_18_a_folder_that_is_no_prefix_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let (scratch, prefix) = prefix("p");
        let root = scratch.join("p");
        let error = |path: &Path| Prefix::open(path).unwrap_err().to_string();
        assert!(error(&scratch).contains("no prefix of Wine: it has no system.reg"));
        assert!(error(&scratch.join("none")).contains("No such file"));
        fs::set_permissions(&root, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(error(&root).contains("every user can change this folder"));
        fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).unwrap();
        let file = system(&prefix, "ntdll.dll");
        fs::remove_file(&file).unwrap();
        assert_eq!(install(&prefix, &halves(), None).unwrap_err().path(), file);
        // A pipe would be waited for.
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &file,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o644),
            0,
        )
        .unwrap();
        let error = install(&prefix, &halves(), None).unwrap_err().to_string();
        assert!(error.ends_with("it is not an ordinary file, or too long"), "{error}");
    }
}
