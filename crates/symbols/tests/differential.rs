//! Compares our reader of program databases with another one, `pdb-addr2line`, at every few bytes of code, over
//! our own databases and over databases written by Microsoft's tools.
//!
//! `tests/symbols/fetch.sh FOLDER` brings some of the latter from packages; `TRACEWELL_PDBS` names that folder.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pdb_addr2line::pdb::{FallibleIterator, PDB, SymbolData};
use pdb_addr2line::{ContextPdbData, Frame, TypeFormatterFlags};
use tracewell_symbols::{ProgramDatabase, SourceFrame, SymbolSource, demangle};

/// The agreement of the two readers about addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Same,
    /// Nothing is there for either, or code without a name: there ours says nothing.
    Nothing,
    /// The other reader extends the previous line; ours knows where lines end.
    OnlyTheirLine,
    Function,
    Start,
    Depth,
    Line,
    InlinedName,
    OnlyTheirs,
}

fn plain(name: &str) -> String {
    name.replace(' ', "")
}

/// Returns `true` if a name of the other reader, with types of results and parameters, is this
/// name.
fn is_name(ours: &str, theirs: &str) -> bool {
    if [false, true].iter().any(|&x86| demangle(theirs, x86) == ours) {
        return true;
    }
    let (ours, mut theirs) = (plain(ours), plain(theirs));
    // It leaves constructors and destructors as their records name them.
    for (record, sign) in [("::{ctor}", "::"), ("::{dtor}", "::~")] {
        if let Some((scope, rest)) = theirs.split_once(record) {
            let class = ours.match_indices(sign).find_map(|(at, _)| {
                let (before, after) = ours.split_at(at);
                (!before.is_empty() && scope.ends_with(before)).then(|| &after[sign.len()..])
            });
            let class = class.unwrap_or_default();
            theirs = format!("{scope}{sign}{class}{rest}");
            break;
        }
    }
    theirs == ours || theirs.contains(&format!("{ours}("))
}

fn compare(ours: &ProgramDatabase, address: u32, theirs: Option<(u32, Vec<Frame<'_>>)>) -> Outcome {
    let function = ours.function(address);
    let (function, start, frames) = match (function, theirs) {
        (None, None) => return Outcome::Nothing,
        (Some(_), None) => return Outcome::Same,
        (None, Some((_, frames))) => {
            let named = frames.iter().any(|f| f.function.as_deref().is_some_and(|name| !name.is_empty()));
            return if named { Outcome::OnlyTheirs } else { Outcome::Nothing };
        }
        (Some(function), Some((start, frames))) => (function, start, frames),
    };
    let their_name = |frame: &Frame<'_>| frame.function.clone().unwrap_or_default();
    if function.start != start {
        return Outcome::Start;
    }
    if !frames.last().is_some_and(|outer| is_name(&function.name, &their_name(outer))) {
        return Outcome::Function;
    }
    let own: Vec<SourceFrame> = ours.frames(address);
    if own.is_empty() && frames.len() == 1 {
        return if frames[0].line.is_none() { Outcome::Same } else { Outcome::OnlyTheirLine };
    }
    if own.len() != frames.len() {
        return Outcome::Depth;
    }
    let mut outcome = Outcome::Same;
    for (own, their) in own.iter().zip(&frames) {
        if own.inlined && !is_name(&own.function, &their_name(their)) {
            return Outcome::InlinedName;
        }
        outcome = outcome.max(match (&own.line, their.line) {
            (Some((file, line)), Some(their_line)) => {
                let same = *line == their_line && their.file.as_deref() == Some(&**file);
                if same { Outcome::Same } else { Outcome::Line }
            }
            (None, Some(_)) => Outcome::OnlyTheirLine,
            (Some(_), None) => Outcome::Line,
            (None, None) => Outcome::Same,
        });
    }
    outcome
}

/// Outcomes over the code of a database, with the first address of each.
fn outcomes(path: &Path) -> BTreeMap<Outcome, (u32, u32)> {
    let ours = ProgramDatabase::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file = std::fs::File::open(path).expect("the file is there");
    let data = ContextPdbData::try_from_pdb(PDB::open(file).expect("it is a database")).expect("it is sound");
    let flags = TypeFormatterFlags::NO_MEMBER_FUNCTION_STATIC | TypeFormatterFlags::NAME_ONLY;
    let theirs = data.make_context_with_formatter_flags(flags).expect("it is sound");
    let mut counts: BTreeMap<Outcome, (u32, u32)> = BTreeMap::new();
    for (from, to) in ours.code() {
        let mut address = from;
        while address < to {
            let found = theirs.find_frames(address).ok().flatten();
            let outcome = compare(&ours, address, found.map(|found| (found.start_rva, found.frames)));
            counts.entry(outcome).or_insert((0, address)).0 += 1;
            address += 1 + address % 7;
        }
    }
    assert_eq!(ours.damage(), None, "{}", path.display());
    counts
}

#[test]
fn our_own_databases_say_the_same_to_both() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/symbols");
    for name in ["demo.pdb", "bare.pdb"] {
        let outcomes = outcomes(&folder.join(name));
        let wrong: Vec<_> = outcomes.iter().filter(|(outcome, _)| **outcome >= Outcome::Function).collect();
        assert!(wrong.is_empty(), "{name}: {outcomes:x?}");
        assert!(outcomes[&Outcome::Same].0 > 80, "{name}: {outcomes:?}");
    }
}

/// Databases below a folder.
fn databases(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder can be read") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            databases(&path, found);
        } else if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("pdb")) {
            found.push(path);
        }
    }
}

/// The databases of the sample trace: both readers find the same functions, and each is in its place of the store.
#[test]
fn issue_21_the_databases_of_the_sample_say_the_same_to_both() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.symbols");
    let mut paths = Vec::new();
    databases(&folder, &mut paths);
    assert!(paths.len() > 30, "{paths:?}");
    for path in paths {
        let ours = ProgramDatabase::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let key: String = ours.guid().to_string().chars().filter(char::is_ascii_hexdigit).collect();
        let key = format!("{}{:X}", key.to_uppercase(), ours.age());
        assert!(path.parent().is_some_and(|parent| parent.ends_with(&key)), "{}: {key}", path.display());
        let mut theirs = PDB::open(std::fs::File::open(&path).expect("a file")).expect("it is a database");
        let map = theirs.address_map().expect("it is sound");
        let table = theirs.global_symbols().expect("it is sound");
        let mut symbols = table.iter();
        let mut functions = 0;
        while let Some(symbol) = symbols.next().expect("it is sound") {
            let Ok(SymbolData::Public(public)) = symbol.parse() else { panic!("{}", path.display()) };
            let start = public.offset.to_rva(&map).expect("it is in the section").0;
            for address in [start, start + 0x40] {
                let found =
                    ours.function(address).map(|function| (function.name.to_string(), function.start));
                let name = public.name.to_string().into_owned();
                // A leading underscore is the C compiler's on 32 bits.
                assert!(
                    found.as_ref().is_some_and(|(ours, at)| name.ends_with(ours.as_str()) && *at == start),
                    "{}: {name} {found:?}",
                    path.display()
                );
            }
            functions += 1;
        }
        assert!(functions > 0, "{}", path.display());
        assert_eq!(ours.damage(), None, "{}", path.display());
    }
}

#[test]
fn databases_of_microsofts_tools_say_the_same_to_both() {
    let Some(folder) = std::env::var_os("TRACEWELL_PDBS") else {
        tracewell_corpus::skip("pdbs", "set TRACEWELL_PDBS to a folder that tests/symbols/fetch.sh filled");
        return;
    };
    let mut paths = Vec::new();
    databases(Path::new(&folder), &mut paths);
    assert!(!paths.is_empty(), "the folder has databases");
    paths.sort();
    for path in paths {
        let outcomes = outcomes(&path);
        let count = |outcome: Outcome| outcomes.get(&outcome).map_or(0, |found| found.0);
        let all: u32 = outcomes.values().map(|found| found.0).sum();
        eprintln!("{}: {all} addresses, {outcomes:x?}", path.display());
        for never in [Outcome::Start, Outcome::Depth, Outcome::OnlyTheirs] {
            assert_eq!(count(never), 0, "{}: {never:?} {outcomes:x?}", path.display());
        }
        // Thunks of virtual bases it does not demangle; of functions that are one it may take another's lines.
        let rare = [Outcome::Function, Outcome::Line].map(count).iter().sum::<u32>();
        assert!(rare <= all / 500, "{}: {outcomes:x?}", path.display());
        // In code that is generated for the program as a whole it takes numbers of one module for those of another.
        assert!(count(Outcome::InlinedName) <= all / 8, "{}: {outcomes:x?}", path.display());
        assert!(count(Outcome::Same) >= all * 3 / 4, "{}: {outcomes:x?}", path.display());
    }
}
