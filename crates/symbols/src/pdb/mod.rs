//! Program databases: which function, inlined functions and source line an address belongs to.
//!
//! A database is a file of streams. What maps addresses to modules, and the public symbols, is read when it
//! is opened; the functions of a module when an address of it is first asked for; lines and inlined
//! functions when those are asked for. Only what answers questions is kept: sorted ranges and one block
//! of names for each module.
//!
//! The file may be damaged or made to do harm. Every use of the parser is guarded; what is kept has a
//! bound that follows from the file's length.

mod functions;
mod ids;
mod lines;
mod modules;
mod parser;
mod sections;
mod source;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::io;
use std::path::Path;
use std::rc::Rc;

use pdb2::{FallibleIterator, MachineType, PDB, PDBInformation};
use rustc_hash::FxHashMap;
use tracewell_types::Guid;

use crate::demangle::demangle;
use crate::file;
use crate::guard::guarded;
use crate::source::{Function, SourceFrame, SymbolSource};
use functions::{Functions, Publics};
use lines::{IdNames, Lines};
use modules::Modules;
use parser::Parser;
use source::{Bounded, ReadAt};

/// Why a file gives no symbols.
#[derive(Debug)]
pub enum DatabaseError {
    /// The system refused.
    Io(io::Error),
    /// It is another kind of file: what it is.
    Kind(&'static str),
    /// It is a database that does not hold together.
    Damaged(String),
}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot be read: {error}"),
            Self::Kind(kind) => write!(f, "is {kind}"),
            Self::Damaged(why) => write!(f, "is damaged: {why}"),
        }
    }
}

impl std::error::Error for DatabaseError {}

/// The first bytes of files of other types that are found in place of databases.
const OTHER_KINDS: &[(&[u8], &str)] = &[
    (b"MSCF", "compressed (a cabinet): expand it first"),
    (b"Microsoft MSFZ Container", "compressed (MSFZ), which is not read"),
    (b"BSJB", "a portable database of .NET, which has no addresses"),
    (b"Microsoft C/C++ program database 2.00", "a database older than version 7, which is not read"),
    (b"MZ", "an image, not a database"),
    (b"<", "a web page or XML, not a database"),
];

/// Functions are aligned to no more than this.
const FILLING: u32 = 64;

/// A part of the image that one module made.
#[derive(Clone, Copy, Debug)]
struct Contribution {
    start: u32,
    end: u32,
    module: u32,
}

/// A program database.
pub struct ProgramDatabase {
    guid: Guid,
    ages: [u32; 2],
    x86: bool,
    contributions: Vec<Contribution>,
    publics: Publics,
    parser: RefCell<Parser>,
    /// Functions by module.
    functions: RefCell<FxHashMap<u32, Rc<Functions>>>,
    /// Readable names of public symbols, by where they start.
    readable: RefCell<FxHashMap<u32, Rc<str>>>,
    lines: RefCell<FxHashMap<u32, Rc<Lines>>>,
    ids: RefCell<Option<Rc<IdNames>>>,
    /// Bytes that may still be kept.
    budget: Cell<u64>,
    damage: RefCell<Option<String>>,
}

impl fmt::Debug for ProgramDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgramDatabase").field("guid", &self.guid).finish_non_exhaustive()
    }
}

/// The signature of a database.
fn signature(info: &PDBInformation<'_>) -> Guid {
    let (d1, d2, d3, d4) = info.guid.as_fields();
    Guid::new(d1, d2, d3, *d4)
}

/// Reads a database by a function of the source and its length.
fn read_by<T>(
    mut reader: Box<dyn ReadAt>,
    assemble: impl FnOnce(Bounded, u64) -> pdb2::Result<T>,
) -> Result<T, DatabaseError> {
    let mut head = [0; 48];
    let mut got = 0;
    while let Some(rest) = head.get_mut(got..).filter(|rest| !rest.is_empty()) {
        match reader.read(rest).map_err(DatabaseError::Io)? {
            0 => break,
            n => got += n,
        }
    }
    let head = head.get(..got).unwrap_or_default();
    if head.is_empty() {
        return Err(DatabaseError::Kind("empty"));
    }
    if let Some((_, kind)) = OTHER_KINDS.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Err(DatabaseError::Kind(kind));
    }
    if !head.starts_with(b"Microsoft C/C++ MSF 7.00") {
        return Err(DatabaseError::Kind("no program database"));
    }
    let source = Bounded::new(reader).map_err(DatabaseError::Io)?;
    let length = source.length();
    let opened = guarded(|| assemble(source, length));
    match opened {
        Some(Ok(database)) => Ok(database),
        Some(Err(pdb2::Error::IoError(e))) => Err(match e.kind() {
            io::ErrorKind::UnexpectedEof => DatabaseError::Damaged("it is cut short".to_owned()),
            io::ErrorKind::InvalidData => DatabaseError::Damaged(e.to_string()),
            _ => DatabaseError::Io(e),
        }),
        Some(Err(error)) => Err(DatabaseError::Damaged(error.to_string())),
        None => Err(DatabaseError::Damaged("its streams contradict each other".to_owned())),
    }
}

impl ProgramDatabase {
    /// Opens a file.
    ///
    /// # Errors
    /// It cannot be read, is no database, or its directory is damaged.
    pub fn open(path: &Path) -> Result<ProgramDatabase, DatabaseError> {
        let file = file::open(path).map_err(DatabaseError::Io)?.ok_or(DatabaseError::Kind("no file"))?;
        ProgramDatabase::read(Box::new(file))
    }

    /// Reads a database that is in memory.
    ///
    /// # Errors
    /// It is no database, or its directory is damaged.
    pub fn parse(bytes: Vec<u8>) -> Result<ProgramDatabase, DatabaseError> {
        ProgramDatabase::read(Box::new(io::Cursor::new(bytes)))
    }

    fn read(reader: Box<dyn ReadAt>) -> Result<ProgramDatabase, DatabaseError> {
        read_by(reader, ProgramDatabase::assemble)
    }

    /// Returns `true` if the file is the database with this signature and age, whatever it contains. Only its heads are read.
    pub(crate) fn is_file(path: &Path, guid: Guid, age: u32) -> bool {
        let Ok(Some(file)) = file::open(path) else { return false };
        let identity = |source: Bounded, _: u64| -> pdb2::Result<_> {
            let mut pdb = PDB::open(source)?;
            let info = pdb.pdb_information()?;
            Ok((signature(&info), [pdb.debug_information()?.age().unwrap_or(info.age), info.age]))
        };
        read_by(Box::new(file), identity).is_ok_and(|(known, ages)| known == guid && ages.contains(&age))
    }

    fn assemble(source: Bounded, length: u64) -> pdb2::Result<ProgramDatabase> {
        let mut pdb = PDB::open(source)?;
        let info = pdb.pdb_information()?;
        let guid = signature(&info);
        let debug = pdb.debug_information()?;
        let ages = [debug.age().unwrap_or(info.age), info.age];
        let x86 = matches!(debug.machine_type(), Ok(MachineType::X86));
        let map = pdb.address_map()?;
        let mut contributions = Vec::new();
        let mut parts = debug.section_contributions()?;
        while let Some(part) = parts.next()? {
            let Some(start) = part.offset.to_rva(&map) else { continue };
            if part.size == 0 || !part.characteristics.executable() {
                continue;
            }
            let end = start.0.saturating_add(part.size);
            contributions.push(Contribution { start: start.0, end, module: part.module as u32 });
        }
        contributions.sort_unstable_by_key(|c| c.start);
        let budget = length.saturating_mul(4).saturating_add(1 << 20);
        let sections = pdb.sections()?.unwrap_or_default();
        let publics = Publics::read(&pdb.global_symbols()?, &map, &sections)?;
        let (modules, damage) = Modules::read(debug);
        Ok(ProgramDatabase {
            guid,
            ages,
            x86,
            contributions,
            publics,
            parser: RefCell::new(Parser { pdb, modules, strings: None, map }),
            functions: RefCell::default(),
            readable: RefCell::default(),
            lines: RefCell::default(),
            ids: RefCell::default(),
            budget: Cell::new(budget),
            damage: RefCell::new(damage.map(|error| error.to_string())),
        })
    }

    /// Its signature.
    #[must_use]
    pub fn guid(&self) -> Guid {
        self.guid
    }

    /// Its age, as an image's record names it.
    #[must_use]
    pub fn age(&self) -> u32 {
        self.ages[0]
    }

    /// Returns `true` if it belongs to an image with that record. Tools that add to a finished database
    /// count one of its two ages on, so either will do.
    #[must_use]
    pub fn belongs_to(&self, guid: Guid, age: u32) -> bool {
        self.guid == guid && self.ages.contains(&age)
    }

    /// The parts of the image that hold code, in order: from, and up to.
    #[must_use]
    pub fn code(&self) -> Vec<(u32, u32)> {
        self.contributions.iter().map(|part| (part.start, part.end)).collect()
    }

    /// Returns `true` if the database describes any function.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.contributions.is_empty() && self.publics.is_empty()
    }

    /// The part of the image that holds an address.
    fn contribution(&self, address: u32) -> Option<Contribution> {
        let after = self.contributions.partition_point(|c| c.start <= address);
        let part = *self.contributions.get(after.checked_sub(1)?)?;
        (address < part.end).then_some(part)
    }

    /// Notes damage met on the way; only the first is kept.
    fn damaged(&self, why: impl FnOnce() -> String) {
        self.damage.borrow_mut().get_or_insert_with(why);
    }

    /// Runs a parser over the parser parts. What it makes may take as many bytes as it says.
    fn parse_with<T: Default>(
        &self,
        parse: impl FnOnce(&mut Parser) -> pdb2::Result<T>,
        size: impl Fn(&T) -> usize,
    ) -> T {
        let Ok(mut parser) = self.parser.try_borrow_mut() else { return T::default() };
        let made = match guarded(|| parse(&mut parser)) {
            Some(Ok(made)) => made,
            Some(Err(error)) => {
                self.damaged(|| error.to_string());
                return T::default();
            }
            None => {
                self.damaged(|| "a stream contradicts itself".to_owned());
                return T::default();
            }
        };
        match self.budget.get().checked_sub(size(&made) as u64) {
            Some(left) => {
                self.budget.set(left);
                made
            }
            None => {
                self.damaged(|| "its streams overlap".to_owned());
                T::default()
            }
        }
    }

    fn functions(&self, module: u32) -> Rc<Functions> {
        if let Some(known) = self.functions.borrow().get(&module) {
            return Rc::clone(known);
        }
        let made = Rc::new(self.parse_with(|parser| Functions::read(parser, module), Functions::size));
        self.functions.borrow_mut().insert(module, Rc::clone(&made));
        made
    }

    fn lines(&self, module: u32) -> Rc<Lines> {
        if let Some(known) = self.lines.borrow().get(&module) {
            return Rc::clone(known);
        }
        let made = Rc::new(self.parse_with(|parser| Lines::read(parser, module), Lines::size));
        self.lines.borrow_mut().insert(module, Rc::clone(&made));
        made
    }

    fn ids(&self) -> Rc<IdNames> {
        if let Some(known) = &*self.ids.borrow() {
            return Rc::clone(known);
        }
        let made = Rc::new(self.parse_with(IdNames::read, IdNames::size));
        *self.ids.borrow_mut() = Some(Rc::clone(&made));
        made
    }

    /// The public symbol that covers an address.
    fn public(&self, address: u32) -> Option<Function> {
        let (start, name) = self.publics.at(address)?;
        // A function that only its module knows has its own part of the image: the public symbol before
        // that is not its name. Beyond a part only what fills up to the next one still belongs to it.
        let after = self.contributions.partition_point(|c| c.start <= address);
        match after.checked_sub(1).and_then(|last| self.contributions.get(last)) {
            Some(part) if start < part.start || address >= part.end.saturating_add(FILLING) => return None,
            None if !self.contributions.is_empty() => return None,
            _ => {}
        }
        if let Some(known) = self.readable.borrow().get(&start) {
            return Some(Function { name: Rc::clone(known), start });
        }
        let readable: Rc<str> = demangle(name, self.x86).into();
        self.readable.borrow_mut().insert(start, Rc::clone(&readable));
        Some(Function { name: readable, start })
    }
}

impl SymbolSource for ProgramDatabase {
    fn function(&self, address: u32) -> Option<Function> {
        let part = self.contribution(address);
        if let Some(part) = part
            && let Some(function) = self.functions(part.module).at(address)
        {
            return Some(function);
        }
        self.public(address)
    }

    fn frames(&self, address: u32) -> Vec<SourceFrame> {
        let Some(part) = self.contribution(address) else { return Vec::new() };
        let own = self.functions(part.module).at(address);
        let lines = self.lines(part.module);
        // Code in assembler may have lines beyond what its function's record says.
        let Some(function) = own.or_else(|| lines.at(address).and_then(|_| self.public(address))) else {
            return Vec::new();
        };
        let mut frames: Vec<SourceFrame> = Vec::new();
        let inlined = lines.inlined(address);
        if !inlined.is_empty() {
            let ids = self.ids();
            for site in inlined.iter().rev() {
                frames.push(SourceFrame {
                    function: ids.name(site.function).unwrap_or_else(|| Rc::from("(inlined)")),
                    inlined: true,
                    line: lines.file(site.file).map(|file| (file, site.line)),
                });
            }
        }
        let line = lines.at(address).and_then(|line| Some((lines.file(line.file)?, line.line)));
        frames.push(SourceFrame { function: function.name, inlined: false, line });
        frames
    }

    fn damage(&self) -> Option<String> {
        self.damage.borrow().clone()
    }
}
