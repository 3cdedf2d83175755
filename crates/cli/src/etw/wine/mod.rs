//! `etw wine`: events of Windows programs under Wine.
//!
//! Wine's own functions for events claim success and do nothing. In a prefix, two small libraries take the place of Wine's
//! `sechost.dll` and `advapi32.dll`. They lead to copies of these, and have Wine load the library that logs events.

mod prefix;
mod proxy;
mod registry;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::out::say;
use prefix::{Folder, Prefix};

/// Arguments of `etw wine`.
#[derive(Debug, Args)]
pub(super) struct WineArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Have the Windows programs of a prefix log their events to sessions
    Install {
        /// Folder of the prefix, or of a game that Proton runs [default: $WINEPREFIX, or ~/.wine]
        prefix: Option<PathBuf>,
        /// Folder with the libraries tracewell_wine_pe.dll and libtracewell_wine_unix.so [default: that of etw, or
        /// ../lib/tracewell from there]
        #[arg(long, value_name = "DIR")]
        from: Option<PathBuf>,
        /// Folder of Wine's own libraries, with x86_64-windows in it [default: the usual ones, if Wine was updated]
        #[arg(long, value_name = "DIR")]
        wine: Option<PathBuf>,
    },
    /// Restore a prefix as it was before
    Remove {
        /// Folder of the prefix, or of a game that Proton runs [default: $WINEPREFIX, or ~/.wine]
        prefix: Option<PathBuf>,
    },
    /// Say whether the programs of a prefix log events. Exit status: 0 they do, 1 they do not
    Status {
        /// Folder of the prefix, or of a game that Proton runs [default: $WINEPREFIX, or ~/.wine]
        prefix: Option<PathBuf>,
    },
}

/// Libraries of Wine that are replaced.
const MODULES: [&str; 2] = ["sechost", "advapi32"];
/// The library that logs events, without its ending.
const HOOKS: &str = "tracewell";
/// Functions that Wine's libraries lack, that end the program, or that do nothing.
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
/// The order in which Wine looks for these libraries: in the prefix first.
const ORDER: &str = "native,builtin";
/// Bytes at this offset identify Wine's own libraries, which it loads from elsewhere.
const SIGNATURE_AT: usize = 0x40;
const SIGNATURE: &[u8] = b"Wine builtin DLL";
/// The folder in `drive_c/windows` with what was replaced, and its list.
const KEPT: &str = "tracewell";
const LIST: &str = "installed";
/// What both halves are called where they are built, and in the prefix.
const HALVES: [(&str, &str); 2] =
    [("tracewell_wine_pe.dll", "tracewell.dll"), ("libtracewell_wine_unix.so", "tracewell.so")];

pub(super) fn run(args: &WineArgs) -> ExitCode {
    let open = |prefix: &Option<PathBuf>| Prefix::open(&place(prefix.as_deref())?);
    let done = match &args.command {
        Command::Install { prefix, from, wine } => open(prefix).and_then(|prefix| {
            let halves = halves(from.as_deref())?;
            install(&prefix, &halves, wine.as_deref())
        }),
        Command::Remove { prefix } => open(prefix).and_then(|prefix| remove(&prefix)),
        Command::Status { prefix } => match open(prefix).and_then(|prefix| status(&prefix)) {
            Ok((text, true)) => Ok(text),
            Ok((text, false)) => {
                crate::write_stdout(&text);
                return ExitCode::FAILURE;
            }
            Err(error) => Err(error),
        },
    };
    match done {
        Ok(text) => {
            crate::write_stdout(&text);
            ExitCode::SUCCESS
        }
        Err(error) => {
            say!("etw: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the prefix that a command line means.
fn place(given: Option<&Path>) -> Result<PathBuf, String> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    given
        .map(Path::to_owned)
        .or_else(|| variable("WINEPREFIX"))
        .or_else(|| variable("HOME").map(|home| home.join(".wine")))
        .ok_or_else(|| "no prefix given, and neither WINEPREFIX nor HOME is set".into())
}

/// Both halves of the library, which are built beside `etw`.
fn halves(from: Option<&Path>) -> Result<[Vec<u8>; 2], String> {
    let program = std::env::current_exe().map_err(|error| format!("etw cannot find itself: {error}"))?;
    let own = program.parent().unwrap_or(Path::new("/"));
    let folders = match from {
        Some(folder) => vec![folder.to_owned()],
        None => vec![own.to_owned(), own.join("../lib/tracewell")],
    };
    let mut found = Vec::new();
    for (name, _) in HALVES {
        let path = folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file());
        let Some(path) = path else {
            let folder = folders.first().map(|folder| folder.display().to_string()).unwrap_or_default();
            return Err(format!(
                "{folder}: there is no {name}; --from names the folder of the libraries for Wine"
            ));
        };
        found.push(std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?);
    }
    found.try_into().map_err(|_| "a library is missing".into())
}

/// What the list says about an installation.
#[derive(Debug, Default)]
struct Installed {
    /// Of `ntdll.dll`: another one is there after an update of Wine.
    wine: String,
    /// Former orders in the registry.
    orders: Vec<registry::Override>,
    /// Of the files in the prefix.
    files: BTreeMap<String, String>,
}

impl Installed {
    /// Reads the list of a prefix; `None` if nothing is installed.
    fn of(prefix: &Prefix) -> Result<Option<(Folder, Installed)>, String> {
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

fn install(prefix: &Prefix, halves: &[Vec<u8>; 2], wine: Option<&Path>) -> Result<String, String> {
    prefix.expect_idle()?;
    let ntdll = prefix.system.read("ntdll.dll")?;
    let mut updated = false;
    if let Some((_, list)) = Installed::of(prefix)? {
        updated = list.wine != digest(&ntdll);
        remove(prefix)?;
    }
    // An update has renewed Wine's other libraries in the prefix, but not those that were replaced.
    let fresh = if updated || wine.is_some() { Some(libraries_of_wine(wine, &ntdll)?) } else { None };
    let mut made = Vec::new();
    for module in MODULES {
        let file = format!("{module}.dll");
        let original = match &fresh {
            Some(folder) => {
                let path = folder.join(&file);
                let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                prefix.system.replace(&file, &bytes)?;
                bytes
            }
            None => prefix.system.read(&file)?,
        };
        let path = prefix.path.join("drive_c/windows/system32").join(&file);
        if !is_of_wine(&original) {
            return Err(format!("{}: it is not Wine's own library, so it stays", path.display()));
        }
        let copy = format!("{module}_wine");
        let replaced = ADDED.iter().map(|name| (*name, HOOKS)).collect();
        let forwards = proxy::forwards(&original, &copy, &replaced)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let hooks = format!("{HOOKS}.dll");
        made.push((file.clone(), proxy::library(&file, (&hooks, "EventRegister"), &forwards)));
        made.push((format!("{copy}.dll"), without_signature(original)));
    }
    made.extend(HALVES.iter().zip(halves).map(|((_, name), bytes)| ((*name).to_owned(), bytes.clone())));
    put(prefix, &ntdll, &made)?;
    let kind = if prefix.is_proton { " (Proton)" } else { "" };
    Ok(format!("{}{kind}: Windows programs log their events to sessions\n", prefix.path.display()))
}

fn without_signature(mut library: Vec<u8>) -> Vec<u8> {
    if let Some(place) = library.get_mut(SIGNATURE_AT..SIGNATURE_AT + SIGNATURE.len()) {
        place.fill(0);
    }
    library
}

/// The folder of Wine's libraries whose version is that of the prefix.
fn libraries_of_wine(given: Option<&Path>, ntdll: &[u8]) -> Result<PathBuf, String> {
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
        Some(folder) => format!("{}: its x86_64-windows/ntdll.dll is not that of the prefix", folder.display()),
        None => "Wine was updated, and the libraries of its new version are in no usual folder: --wine names theirs".into(),
    })
}

/// Puts the files into the prefix; what they replace is kept. If one cannot be written, the prefix is as it was.
fn put(prefix: &Prefix, ntdll: &[u8], made: &[(String, Vec<u8>)]) -> Result<(), String> {
    for (name, _) in made {
        let is_module = MODULES.iter().any(|module| *name == format!("{module}.dll"));
        if !is_module && prefix.system.has(name) {
            let path = prefix.path.join("drive_c/windows/system32").join(name);
            return Err(format!("{}: it is there already, and was not installed by etw", path.display()));
        }
    }
    let kept = prefix.windows.make(KEPT)?;
    let wanted: Vec<registry::Override> =
        MODULES.iter().map(|module| ((*module).to_owned(), Some(ORDER.to_owned()))).collect();
    let registry_path = prefix.path.join("user.reg");
    let changed = prefix.registry().and_then(|text| {
        registry::with_overrides(&text, &wanted)
            .map_err(|error| format!("{}: {error}", registry_path.display()))
    });
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

fn remove(prefix: &Prefix) -> Result<String, String> {
    prefix.expect_idle()?;
    let Some((kept, list)) = Installed::of(prefix)? else {
        return Err(format!("{}: nothing of Tracewell is installed in this prefix", prefix.path.display()));
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
    let (text, _) = registry::with_overrides(&text, &orders)?;
    prefix.set_registry(&text)?;
    kept.remove(LIST)?;
    prefix.windows.remove_folder(KEPT)?;
    Ok(format!("{}: restored\n", prefix.path.display()))
}

/// A description, and whether the programs of the prefix log events.
fn status(prefix: &Prefix) -> Result<(String, bool), String> {
    let path = prefix.path.display();
    let kind = if prefix.is_proton { " (Proton)" } else { "" };
    let Some((_, list)) = Installed::of(prefix)? else {
        let text = format!("{path}{kind}: not installed; etw wine install {path}\n");
        return Ok((text, false));
    };
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
    let text = match &faults[..] {
        [] => format!(
            "{path}{kind}: installed; programs that load advapi32.dll or sechost.dll (64-bit) log their events to sessions\n"
        ),
        faults => format!("{path}{kind}: does not work: {}; etw wine install {path}\n", faults.join(", ")),
    };
    Ok((text, faults.is_empty()))
}
