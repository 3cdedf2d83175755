//! Program databases (`.pdb`): with annotations and enumerations, or with the functions of an image.
//!
//! The form is the one that LLVM's documentation of the format has: a file of pages, whose streams are found by a
//! directory; stream 3 lists the modules, and each module has a stream of symbols.

use tracewell_types::Guid;

/// Bytes of a page.
const PAGE: usize = 512;

/// The stream of the one module's symbols.
const MODULE_STREAM: u16 = 5;

/// The number of the first type.
const FIRST_TYPE: u32 = 0x1000;

/// An enumeration: its name, and its members with their values.
pub type Enumeration<'a> = (&'a str, &'a [(&'a str, i32)]);

/// A program database whose one module carries these annotations, each a list of texts.
#[must_use]
pub fn program_database(annotations: &[&[&str]]) -> Vec<u8> {
    program_database_with(annotations, &[])
}

/// The same, with these enumerations among its types.
#[must_use]
pub fn program_database_with(annotations: &[&[&str]], enumerations: &[Enumeration<'_>]) -> Vec<u8> {
    let symbols = symbols(annotations);
    // The old directory, the header, types, modules, ids, the module's symbols.
    let mut header = u32s(&[20_000_404, 0, 1]);
    header.extend([7; 16]);
    header.extend(u32s(&[0, 0, 0, 0, 0]));
    file(&[Vec::new(), header, types(enumerations), modules(symbols.len()), Vec::new(), symbols])
}

/// The code of an image.
pub(crate) struct Code {
    /// Size of the image in memory.
    pub(crate) size: u32,
    /// Bytes of each function.
    pub(crate) stride: u32,
    /// Whether it is a 32-bit image.
    pub(crate) x86: bool,
}

/// A program database with the public symbols of an image: names and places of functions, in the order of their places.
/// Its age is 1.
pub(crate) fn functions_database(guid: Guid, code: &Code, functions: &[(&str, u32)]) -> Vec<u8> {
    const VERSION: u32 = 20_000_404;
    const TEXT: u32 = 0x1000;
    let mut header = u32s(&[VERSION, 0, 1]);
    header.extend(guid.as_bytes());
    // No named streams, in a table that has room for one.
    header.extend(u32s(&[0, 0, 1, 0, 0]));
    let last = functions.last().map_or(TEXT, |(_, start)| start + code.stride);
    let (symbols, places) = publics(TEXT, functions);
    let names: Vec<(&str, u32)> =
        functions.iter().map(|(name, _)| *name).zip(places.iter().copied()).collect();
    // The old directory, the header, types, modules, ids, symbols, sections, the indexes of public and other symbols.
    file(&[
        Vec::new(),
        header,
        no_types(),
        image_modules(code, last - TEXT),
        no_types(),
        symbols,
        text_section(TEXT, code.size - TEXT),
        public_index(&names),
        name_index(&[]),
    ])
}

/// A stream of types without any.
fn no_types() -> Vec<u8> {
    const VERSION: u32 = 20_040_203;
    const HEAD: u32 = 56;
    let mut stream = u32s(&[VERSION, HEAD, FIRST_TYPE, FIRST_TYPE, 0]);
    // No stream of hashes.
    stream.extend(u16s(&[0xFFFF, 0xFFFF]));
    stream.extend(u32s(&[4, 0x3_FFFF]));
    stream.resize(HEAD as usize, 0);
    stream
}

/// The stream of symbols: a record of a public function for each, and where each is.
fn publics(text: u32, functions: &[(&str, u32)]) -> (Vec<u8>, Vec<u32>) {
    const S_PUB32: u16 = 0x110E;
    const FUNCTION: u32 = 2;
    let mut stream = Vec::new();
    let mut places = Vec::new();
    for (name, start) in functions {
        places.push(stream.len() as u32);
        let mut symbol = u16s(&[S_PUB32]);
        symbol.extend(u32s(&[FUNCTION, start - text]));
        symbol.extend(u16s(&[1]));
        symbol.extend(name.bytes().chain([0]));
        symbol.resize((symbol.len() + 2).next_multiple_of(4) - 2, 0);
        stream.extend(u16s(&[symbol.len() as u16]));
        stream.extend(symbol);
    }
    (stream, places)
}

/// The index of public symbols: by name, and by address. Symbols are in the order of their addresses.
fn public_index(symbols: &[(&str, u32)]) -> Vec<u8> {
    let by_name = name_index(symbols);
    let addresses: Vec<u32> = symbols.iter().map(|(_, place)| *place).collect();
    let mut stream = u32s(&[by_name.len() as u32, 4 * addresses.len() as u32, 0, 0, 0, 0, 0]);
    stream.extend(by_name);
    stream.extend(u32s(&addresses));
    stream
}

/// A table of symbols by the hash of their names: where each is, a bit for each bucket that has any, and where each such bucket
/// begins, by entries of 12 bytes.
fn name_index(symbols: &[(&str, u32)]) -> Vec<u8> {
    const VERSION: u32 = 0xEFFE_0000 + 19_990_810;
    const BUCKETS: u32 = 4096;
    const WORDS: usize = BUCKETS as usize / 32 + 1;
    let mut hashed: Vec<(u32, u32)> =
        symbols.iter().map(|(name, place)| (name_hash(name.as_bytes()) % BUCKETS, *place)).collect();
    hashed.sort_unstable();
    let mut bits = [0; WORDS];
    let mut buckets = Vec::new();
    let mut records = Vec::new();
    for (number, (bucket, place)) in hashed.iter().enumerate() {
        if number == 0 || hashed[number - 1].0 != *bucket {
            bits[*bucket as usize / 32] |= 1 << (bucket % 32);
            buckets.push(12 * number as u32);
        }
        records.extend([place + 1, 1]);
    }
    let rest = if symbols.is_empty() { Vec::new() } else { [&bits[..], &buckets].concat() };
    let mut stream = u32s(&[u32::MAX, VERSION, 4 * records.len() as u32, 4 * rest.len() as u32]);
    stream.extend(u32s(&records));
    stream.extend(u32s(&rest));
    stream
}

/// The hash of a symbol's name, ignoring case.
fn name_hash(name: &[u8]) -> u32 {
    let (words, rest) = name.as_chunks::<4>();
    let mut hash = words.iter().fold(0, |hash, word| hash ^ u32::from_le_bytes(*word));
    let (pairs, last) = rest.as_chunks::<2>();
    hash = pairs.iter().fold(hash, |hash, pair| hash ^ u32::from(u16::from_le_bytes(*pair)));
    hash = last.iter().fold(hash, |hash, byte| hash ^ u32::from(*byte));
    hash |= 0x2020_2020;
    hash ^= hash >> 11;
    hash ^ (hash >> 16)
}

/// The header of the image's one section (`IMAGE_SECTION_HEADER`).
fn text_section(start: u32, size: u32) -> Vec<u8> {
    // It contains code, and may be executed and read.
    const CODE: u32 = 0x6000_0020;
    let mut header = b".text\0\0\0".to_vec();
    header.extend(u32s(&[size, start, size, 0x400, 0, 0, 0, CODE]));
    header
}

/// The stream of debug information of an image: one module without its own symbols, whose code is the section.
fn image_modules(code: &Code, length: u32) -> Vec<u8> {
    const VERSION: u32 = 19_990_903;
    const NONE: u16 = 0xFFFF;
    const CONTRIBUTIONS: u32 = 0xF12E_BA2D;
    const EXECUTABLE: u32 = 0x6000_0020;
    const SYMBOLS: u16 = 5;
    const SECTIONS: u16 = 6;
    const PUBLIC_INDEX: u16 = 7;
    const OTHER_INDEX: u16 = 8;
    // The form of this stream is that of version 14.
    const TOOLS: u16 = 0x8E00;
    // Section, place in it, length, what it is, module, no checksums.
    let mut part = u16s(&[1, 0]);
    part.extend(u32s(&[0, length, EXECUTABLE]));
    part.extend(u16s(&[0, 0]));
    part.extend(u32s(&[0, 0]));
    let mut module = u32s(&[0]);
    module.extend(&part);
    module.extend(u16s(&[0, NONE]));
    module.extend(u32s(&[0, 0, 0]));
    module.extend(u16s(&[0, 0]));
    module.extend(u32s(&[0, 0, 0]));
    module.extend(b"image.obj\0image.obj\0");
    module.resize(module.len().next_multiple_of(4), 0);
    let mut contributions = u32s(&[CONTRIBUTIONS]);
    contributions.extend(part);
    // One section, of code, with its length; and one module that has no source files.
    let mut map = u16s(&[1, 1, 0x10D, 0, 0, 1, NONE, NONE]);
    map.extend(u32s(&[0, length]));
    let files = u16s(&[1, 0, 0, 0]);
    // Streams of other facts: of eleven, that of the sections.
    let mut others = [NONE; 11];
    others[5] = SECTIONS;
    let machine = if code.x86 { 0x14C } else { 0x8664 };
    let mut stream = u32s(&[u32::MAX, VERSION, 1]);
    stream.extend(u16s(&[OTHER_INDEX, TOOLS, PUBLIC_INDEX, 0, SYMBOLS, 0]));
    let lengths = [module.len(), contributions.len(), map.len(), files.len(), 0, 0, 22, 0];
    stream.extend(u32s(&lengths.map(|length| length as u32)));
    stream.extend(u16s(&[0, machine]));
    stream.extend(u32s(&[0]));
    stream.extend(module);
    stream.extend(contributions);
    stream.extend(map);
    stream.extend(files);
    stream.extend(u16s(&others));
    stream
}

/// The stream of types: for each enumeration a list of all members but the last, which goes on with a list of that,
/// and the enumeration itself. Without any there are no types at all.
fn types(enumerations: &[Enumeration<'_>]) -> Vec<u8> {
    const VERSION: u32 = 20_040_203;
    const HEAD: u32 = 56;
    const INT: u32 = 0x74;
    const ENUM: u16 = 0x1507;
    const FIELD_LIST: u16 = 0x1203;
    const INDEX: u16 = 0x1404;
    if enumerations.is_empty() {
        return Vec::new();
    }
    let mut records = Vec::new();
    let mut next = FIRST_TYPE;
    let mut add = |kind: u16, content: &[u8]| {
        let mut record = u16s(&[kind]);
        record.extend(content);
        pad(&mut record);
        records.extend(u16s(&[record.len() as u16]));
        records.extend(record);
        next += 1;
        next - 1
    };
    for (name, members) in enumerations {
        let (last, first) = members
            .split_last()
            .map_or((&[][..], &[][..]), |(last, first)| (std::slice::from_ref(last), first));
        let more = add(FIELD_LIST, &member_list(last));
        let mut list = member_list(first);
        list.extend(u16s(&[INDEX, 0]));
        list.extend(u32s(&[more]));
        let list = add(FIELD_LIST, &list);
        let mut content = u16s(&[members.len() as u16, 0]);
        content.extend(u32s(&[INT, list]));
        content.extend(name.bytes().chain([0]));
        add(ENUM, &content);
    }
    let mut stream = u32s(&[VERSION, HEAD, FIRST_TYPE, next, records.len() as u32]);
    stream.resize(HEAD as usize, 0);
    stream.extend(records);
    stream
}

fn member_list(members: &[(&str, i32)]) -> Vec<u8> {
    const ENUMERATE: u16 = 0x1502;
    const PUBLIC: u16 = 3;
    const LONG: u16 = 0x8003;
    let mut list = Vec::new();
    for (name, value) in members {
        let mut member = u16s(&[ENUMERATE, PUBLIC]);
        match u16::try_from(*value) {
            Ok(small) if small < 0x8000 => member.extend(u16s(&[small])),
            _ => {
                member.extend(u16s(&[LONG]));
                member.extend(value.to_le_bytes());
            }
        }
        member.extend(name.bytes().chain([0]));
        pad(&mut member);
        list.extend(member);
    }
    list
}

/// Fills up to a multiple of four as compilers do: with the number of bytes left, in the low half of the byte.
fn pad(bytes: &mut Vec<u8>) {
    for left in (1..=(bytes.len().next_multiple_of(4) - bytes.len()) as u8).rev() {
        bytes.push(0xF0 | left);
    }
}

fn u32s(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

fn u16s(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

fn symbols(annotations: &[&[&str]]) -> Vec<u8> {
    const SIGNATURE: u32 = 4;
    const S_ANNOTATION: u16 = 0x1019;
    let mut stream = u32s(&[SIGNATURE]);
    for texts in annotations {
        let mut symbol = u16s(&[S_ANNOTATION]);
        // Where in the program: an offset in a section.
        symbol.extend(u32s(&[0x10]));
        symbol.extend(u16s(&[1, texts.len() as u16]));
        for text in *texts {
            symbol.extend(text.bytes().chain([0]));
        }
        symbol.resize((symbol.len() + 2).next_multiple_of(4) - 2, 0);
        stream.extend(u16s(&[symbol.len() as u16]));
        stream.extend(symbol);
    }
    stream
}

/// The stream of debug information, with one module.
fn modules(symbols: usize) -> Vec<u8> {
    const VERSION: u32 = 19_990_903;
    const NONE: u16 = 0xFFFF;
    let mut module = u32s(&[0]);
    // Where its code is.
    module.extend([0; 28]);
    module.extend(u16s(&[0, MODULE_STREAM]));
    module.extend(u32s(&[symbols as u32, 0, 0]));
    module.extend(u16s(&[0, 0]));
    module.extend(u32s(&[0, 0, 0]));
    module.extend(b"till.obj\0till.obj\0");
    module.resize(module.len().next_multiple_of(4), 0);
    let mut stream = u32s(&[u32::MAX, VERSION, 1]);
    stream.extend(u16s(&[NONE, 0, NONE, 0, NONE, 0]));
    stream.extend(u32s(&[module.len() as u32, 0, 0, 0, 0, 0, 0, 0]));
    stream.extend(u16s(&[0, 0x8664]));
    stream.extend(u32s(&[0]));
    stream.extend(module);
    stream
}

/// Lays streams out in pages: the first page, two for the map of free pages, then the streams, the directory and
/// the list of the directory's pages.
fn file(streams: &[Vec<u8>]) -> Vec<u8> {
    let mut pages: Vec<u8> = vec![0; 3 * PAGE];
    let mut put = |bytes: &[u8]| -> Vec<u32> {
        let first = pages.len() / PAGE;
        pages.extend(bytes);
        pages.resize(pages.len().next_multiple_of(PAGE), 0);
        (first as u32..(pages.len() / PAGE) as u32).collect()
    };
    let mut directory = u32s(&[streams.len() as u32]);
    let mut places = Vec::new();
    for stream in streams {
        directory.extend(u32s(&[stream.len() as u32]));
        places.extend(put(stream));
    }
    directory.extend(u32s(&places));
    let directory_pages = u32s(&put(&directory));
    let list = put(&directory_pages)[0];
    let count = (pages.len() / PAGE) as u32;
    let mut head = b"Microsoft C/C++ MSF 7.00\r\n\x1ADS\0\0\0".to_vec();
    head.extend(u32s(&[PAGE as u32, 1, count, directory.len() as u32, 0, list]));
    pages[..head.len()].copy_from_slice(&head);
    pages
}
