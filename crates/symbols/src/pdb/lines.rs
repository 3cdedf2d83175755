//! Source lines of a module, of its functions and of those inlined into them.

use std::rc::Rc;

use pdb2::{
    DBIModuleInfo, FallibleIterator, FileIndex, IdData, IdIndex, LineProgram, StringTable, SymbolData,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ids::GlobalIds;
use super::parser::Parser;
use super::sections::{LineSection, line_sections};

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
    pub(super) fn read(parser: &mut Parser, module: u32) -> pdb2::Result<Lines> {
        let Some(module) = parser.modules.get(module) else { return Ok(Lines::default()) };
        let Some(info) = parser.pdb.module_info(module)? else { return Ok(Lines::default()) };
        // Without the table of strings lines have no files, and are of no use.
        if parser.strings.is_none() {
            parser.strings = parser.pdb.string_table().ok();
        }
        let Some(strings) = &parser.strings else { return Ok(Lines::default()) };
        let Ok(program) = info.line_program() else { return Ok(Lines::default()) };
        let mut made = Lines::default();
        // The linker merges functions with the same code. The first of them gives the name; lines and inlined functions
        // of the others belong to other source.
        let mut starts = FxHashSet::default();
        let stream = parser.pdb.raw_stream(module.info().stream)?;
        let DBIModuleInfo { symbols_size, lines_size, c13_lines_size, .. } = *module.info();
        let tables = stream.as_deref().and_then(|stream| {
            let from = (symbols_size as usize).checked_add(lines_size as usize)?;
            stream.get(from..from.checked_add(c13_lines_size as usize)?)
        });
        for section in line_sections(tables.unwrap_or_default()) {
            let Some(start) = section.start.to_rva(&parser.map).filter(|start| starts.insert(start.0)) else {
                continue;
            };
            made.add_section(&section, start.0, &program, strings);
        }
        made.lines.sort_by_key(|line| line.start);

        let mut inlinees = FxHashMap::default();
        let mut known = info.inlinees()?;
        while let Some(inlinee) = known.next()? {
            inlinees.insert(inlinee.index(), inlinee);
        }
        let mut ids = GlobalIds::new(info.imports().ok());
        starts.clear();
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
                    let start = p.offset.to_rva(&parser.map).filter(|start| starts.insert(start.0));
                    function = start.map(|start| (p.offset, start.0.saturating_add(p.len)));
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
                    let inlined = ids.global(site.inlinee, &mut parser.pdb, &parser.modules, strings);
                    let mut lines = Vec::new();
                    let mut entries = inlinee.lines(offset, &site);
                    while let Some(line) = entries.next()? {
                        let Some(start) = line.offset.to_rva(&parser.map) else { continue };
                        let line_end = line.length.map_or(start.0, |length| start.0.saturating_add(length));
                        made.note_file(line.file_index, &program, strings);
                        lines.push(Line {
                            start: start.0,
                            end: line_end.min(end),
                            file: line.file_index,
                            line: line.line_start,
                            function: inlined,
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

    /// Adds the lines of a section that begins at this address.
    fn add_section(
        &mut self,
        section: &LineSection<'_>,
        start: u32,
        program: &LineProgram<'_>,
        strings: &StringTable<'_>,
    ) {
        let lines = section.lines();
        let ends = lines.iter().skip(1).map(|next| next.offset).chain([section.size]);
        for (line, end) in lines.iter().zip(ends) {
            let file = FileIndex(line.file);
            self.note_file(file, program, strings);
            self.lines.push(Line {
                start: start.saturating_add(line.offset),
                end: start.saturating_add(end),
                file,
                line: line.line,
                function: IdIndex(0),
            });
        }
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

/// Sorts lines, and ends those without a length at the start of the next line.
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

/// The name of a function in its scope. In these records constructors and destructors have no names, and anonymous
/// namespaces have numbers.
fn readable(scope: &str, name: &str) -> Rc<str> {
    let class = || last_part(scope);
    let name = match name {
        "{ctor}" => class().to_owned(),
        "{dtor}" => format!("~{}", class()),
        _ => name.to_owned(),
    };
    let whole = if scope.is_empty() { name } else { format!("{scope}::{name}") };
    let mut text = String::new();
    let mut rest = whole.as_str();
    while let Some((before, after)) = rest.split_once("?A0x") {
        text.push_str(before);
        text.push_str("`anonymous namespace'");
        rest = after.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    text.push_str(rest);
    text.into()
}

/// The part after the last `::` of a name that is not inside a template's arguments.
fn last_part(name: &str) -> &str {
    let (mut depth, mut last) = (0i32, 0);
    let mut before = 0;
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = (depth - 1).max(0),
            b':' if before == b':' && depth == 0 => last = at + 1,
            _ => {}
        }
        before = byte;
    }
    name.get(last..).unwrap_or(name)
}

/// Names of functions that are inlined somewhere, by the number that inline sites give.
#[derive(Debug, Default)]
pub(super) struct IdNames {
    names: FxHashMap<u32, Rc<str>>,
    size: usize,
}

/// The prefix of a function's name.
enum Scope {
    None,
    /// A namespace or function: a number of the same stream.
    Id(IdIndex),
    /// A class.
    Type(pdb2::TypeIndex),
}

impl IdNames {
    pub(super) fn read(parser: &mut Parser) -> pdb2::Result<IdNames> {
        let ids = parser.pdb.id_information()?;
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
            let types = parser.pdb.type_information()?;
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
            let whole = readable(scope.unwrap_or_default(), &name);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_source() {
        for (scope, name, want) in [
            ("", "main", "main"),
            ("shop::Basket", "total", "shop::Basket::total"),
            ("shop::Basket", "{ctor}", "shop::Basket::Basket"),
            ("std::pair<a::b,c::d<e::f> >", "{dtor}", "std::pair<a::b,c::d<e::f> >::~pair<a::b,c::d<e::f> >"),
            ("?A0xc60ee810", "has_surrogate", "`anonymous namespace'::has_surrogate"),
            ("a::?A0x12345678::B", "{ctor}", "a::`anonymous namespace'::B::B"),
            ("", "{ctor}", ""),
        ] {
            assert_eq!(&*readable(scope, name), want);
        }
        assert_eq!(last_part("<>::x>::y<"), "y<");
    }
}
