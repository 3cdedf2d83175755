//! Source lines of a module, of its functions and of those inlined into them.

use std::rc::Rc;

use pdb2::{FallibleIterator, FileIndex, IdData, IdIndex, LineProgram, StringTable, SymbolData};
use rustc_hash::FxHashMap;

use super::Inner;

/// Inlined functions deeper than this are left out.
const DEEPEST: usize = 64;
/// Kind of the record that ends an inlined function (S_INLINESITE_END).
const INLINED_END: u16 = 0x114e;

/// Code that belongs to one line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    start: u32,
    end: u32,
    pub(super) file: FileIndex,
    pub(super) line: u32,
    /// The function that is inlined here; meaningless for lines of a function itself.
    pub(super) function: IdIndex,
}

/// The lines of a module.
#[derive(Debug, Default)]
pub(super) struct Lines {
    lines: Vec<Line>,
    /// Lines of inlined functions, by depth: first those inlined into a function itself.
    inlined: Vec<Vec<Line>>,
    files: FxHashMap<u32, Rc<str>>,
    size: usize,
}

impl Lines {
    pub(super) fn read(inner: &mut Inner, module: u32) -> pdb2::Result<Lines> {
        let Some(module) = inner.modules.get(module) else { return Ok(Lines::default()) };
        let Some(info) = inner.pdb.module_info(module)? else { return Ok(Lines::default()) };
        // Without the table of strings lines have no files, and are of no use.
        if inner.strings.is_none() {
            inner.strings = inner.pdb.string_table().ok();
        }
        let Some(strings) = &inner.strings else { return Ok(Lines::default()) };
        let Ok(program) = info.line_program() else { return Ok(Lines::default()) };
        let mut made = Lines::default();
        let mut entries = program.lines();
        while let Some(line) = entries.next()? {
            let Some(start) = line.offset.to_rva(&inner.map) else { continue };
            let end = line.length.map_or(start.0, |length| start.0.saturating_add(length));
            made.note_file(line.file_index, &program, strings);
            let line = Line {
                start: start.0,
                end,
                file: line.file_index,
                line: line.line_start,
                function: IdIndex(0),
            };
            made.lines.push(line);
        }
        close(&mut made.lines, u32::MAX);

        let mut inlinees = FxHashMap::default();
        let mut known = info.inlinees()?;
        while let Some(inlinee) = known.next()? {
            inlinees.insert(inlinee.index(), inlinee);
        }
        let mut depth = 0usize;
        let mut function = None;
        let mut symbols = info.symbols()?;
        while let Some(symbol) = symbols.next()? {
            if symbol.raw_kind() == INLINED_END {
                depth = depth.saturating_sub(1);
                continue;
            }
            match symbol.parse() {
                Ok(SymbolData::Procedure(p)) => {
                    let end = p.offset.to_rva(&inner.map).map(|start| start.0.saturating_add(p.len));
                    function = end.map(|end| (p.offset, end));
                    depth = 0;
                }
                Ok(SymbolData::InlineSite(site)) => {
                    depth += 1;
                    let (Some((offset, end)), Some(inlinee)) = (function, inlinees.get(&site.inlinee)) else {
                        continue;
                    };
                    if depth > DEEPEST {
                        continue;
                    }
                    let mut lines = Vec::new();
                    let mut entries = inlinee.lines(offset, &site);
                    while let Some(line) = entries.next()? {
                        let Some(start) = line.offset.to_rva(&inner.map) else { continue };
                        let line_end = line.length.map_or(start.0, |length| start.0.saturating_add(length));
                        made.note_file(line.file_index, &program, strings);
                        lines.push(Line {
                            start: start.0,
                            end: line_end.min(end),
                            file: line.file_index,
                            line: line.line_start,
                            function: site.inlinee,
                        });
                    }
                    close(&mut lines, end);
                    if made.inlined.len() < depth {
                        made.inlined.resize_with(depth, Vec::new);
                    }
                    if let Some(level) = made.inlined.get_mut(depth - 1) {
                        level.extend(lines);
                    }
                }
                _ => {}
            }
        }
        for level in &mut made.inlined {
            level.sort_by_key(|l| l.start);
        }
        made.size = size_of::<Line>() * (made.lines.len() + made.inlined.iter().map(Vec::len).sum::<usize>())
            + made.files.values().map(|f| f.len()).sum::<usize>();
        Ok(made)
    }

    fn note_file(&mut self, file: FileIndex, program: &LineProgram<'_>, strings: &StringTable<'_>) {
        self.files.entry(file.0).or_insert_with(|| {
            let name = program.get_file_info(file).and_then(|info| info.name.to_string_lossy(strings));
            name.map_or_else(|_| Rc::from(""), |name| Rc::from(&*name))
        });
    }

    /// The line of the function that has its code at an address.
    pub(super) fn at(&self, address: u32) -> Option<Line> {
        find(&self.lines, address)
    }

    /// The functions that are inlined at an address, outermost first.
    pub(super) fn inlined(&self, address: u32) -> Vec<Line> {
        self.inlined.iter().filter_map(|level| find(level, address)).collect()
    }

    pub(super) fn file(&self, file: FileIndex) -> Option<Rc<str>> {
        self.files.get(&file.0).filter(|name| !name.is_empty()).cloned()
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }
}

fn find(lines: &[Line], address: u32) -> Option<Line> {
    let after = lines.partition_point(|l| l.start <= address);
    lines.get(after.checked_sub(1)?).filter(|l| address < l.end).copied()
}

/// Puts lines in order and ends those whose length is not told where the next begins.
fn close(lines: &mut Vec<Line>, end: u32) {
    // Of several lines that begin at one address the last is the one that has code.
    lines.reverse();
    lines.sort_by_key(|l| l.start);
    lines.dedup_by_key(|l| l.start);
    let mut next = end;
    for line in lines.iter_mut().rev() {
        if line.end == line.start {
            line.end = next;
        }
        next = line.start;
    }
}

/// Names of functions that are inlined somewhere, by the number that inline sites give.
#[derive(Debug, Default)]
pub(super) struct IdNames {
    names: FxHashMap<u32, Rc<str>>,
    size: usize,
}

/// What stands before a function's own name.
enum Scope {
    None,
    /// A namespace or function: a number of the same stream.
    Id(IdIndex),
    /// A class.
    Type(pdb2::TypeIndex),
}

impl IdNames {
    pub(super) fn read(inner: &mut Inner) -> pdb2::Result<IdNames> {
        let ids = inner.pdb.id_information()?;
        let mut functions: Vec<(u32, Scope, String)> = Vec::new();
        let mut spaces: FxHashMap<u32, String> = FxHashMap::default();
        let mut classes: FxHashMap<u32, Option<Rc<str>>> = FxHashMap::default();
        let mut entries = ids.iter();
        while let Some(id) = entries.next()? {
            match id.parse() {
                Ok(IdData::Function(f)) => {
                    let scope = f.scope.map_or(Scope::None, Scope::Id);
                    functions.push((id.index().0, scope, f.name.to_string().into_owned()));
                }
                Ok(IdData::MemberFunction(f)) => {
                    classes.insert(f.parent.0, None);
                    functions.push((id.index().0, Scope::Type(f.parent), f.name.to_string().into_owned()));
                }
                Ok(IdData::String(s)) => {
                    spaces.insert(id.index().0, s.name.to_string().into_owned());
                }
                _ => {}
            }
        }
        if !classes.is_empty() {
            let types = inner.pdb.type_information()?;
            let mut entries = types.iter();
            while let Some(item) = entries.next()? {
                if let Some(name) = classes.get_mut(&item.index().0)
                    && let Ok(data) = item.parse()
                {
                    *name = data.name().map(|n| Rc::from(&*n.to_string()));
                }
            }
        }
        let mut made = IdNames::default();
        for (id, scope, name) in functions {
            let scope = match scope {
                Scope::None => None,
                Scope::Id(id) => spaces.get(&id.0).map(String::as_str),
                Scope::Type(class) => classes.get(&class.0).and_then(|c| c.as_deref()),
            };
            let whole: Rc<str> = match scope {
                Some(scope) if !scope.is_empty() => format!("{scope}::{name}").into(),
                _ => name.into(),
            };
            made.size += whole.len() + 32;
            made.names.insert(id, whole);
        }
        Ok(made)
    }

    pub(super) fn name(&self, id: IdIndex) -> Option<Rc<str>> {
        self.names.get(&id.0).cloned()
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }
}
