//! Program databases (`.pdb`) with nothing in them but annotations and enumerations.
//!
//! The form is the one that LLVM's documentation of the format has: a file of pages, whose streams are found by a
//! directory; stream 3 lists the modules, and each module has a stream of symbols.

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
