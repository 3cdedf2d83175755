//! Bodies of the fuzz targets: each takes any bytes and must neither panic nor break the rule it states.
//!
//! Ordinary functions, so that the tests run them over the kept corpora, and `fuzz/` over whatever a fuzzer makes up.
#![allow(dead_code, reason = "each user takes a part")]

use tracewell_decode::{Accessor, Description, Fields, event_info, manifest, mof, pdb, tmf, tracelogging};
use tracewell_schema::{Provider, Version, kernel, text};

/// A body.
pub(crate) type Body = fn(&[u8]);

/// The bodies by name; the name is also that of the corpus.
pub(crate) const TARGETS: [(&str, Body); 10] = [
    ("tracelogging", tracelogging_target),
    ("event_info", event_info_target),
    ("manifest", manifest_target),
    ("wevt", wevt_target),
    ("mof", mof_target),
    ("bmof", bmof_target),
    ("tmf", tmf_target),
    ("table", table_target),
    ("pdb", pdb_target),
    ("payload", payload_target),
];

/// A description and a payload in one input: the first two bytes are the length of the description.
fn parts(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.split_first_chunk::<2>() {
        Some((size, rest)) => rest.split_at(usize::from(u16::from_le_bytes(*size)).min(rest.len())),
        None => (bytes, &[]),
    }
}

/// Decodes and shows every field. What was taken up and what was left is the payload, in order, and an accessor
/// finds what the walk found.
fn walk(layout: &Version, payload: &[u8], pointer_size: u8) {
    let mut fields = Fields::new(layout, payload, pointer_size);
    let mut before = payload.len();
    let mut text = String::new();
    let mut shown = 0;
    while let Some(named) = fields.next() {
        assert!(fields.rest().len() <= before, "fields go forwards");
        before = fields.rest().len();
        if text.len() < 1 << 16 {
            use std::fmt::Write;
            text.clear();
            write!(text, "{}", named.value.display(named.field)).expect("text takes everything");
        }
        if let Some(number) = named.value.as_u64()
            && shown < 64
            && let Some(accessor) = Accessor::at(layout, shown, pointer_size)
            && let Some(again) = accessor.int(payload)
        {
            assert_eq!(again, number, "{}", named.field.name);
        }
        shown += 1;
    }
    assert!(shown <= layout.fields.len());
    assert_eq!(fields.error().is_some(), fields.clone().finish().is_err());
}

/// Decodes a payload by every layout of some providers.
fn walk_all(providers: &[Provider], payload: &[u8]) {
    let payload = &payload[..payload.len().min(300)];
    for event in providers.iter().flat_map(|provider| provider.events.iter()).take(200) {
        walk(&event.layout, payload, 8);
    }
}

/// The description a TraceLogging event carries, and its payload.
pub(crate) fn tracelogging_target(bytes: &[u8]) {
    let (blob, payload) = parts(bytes);
    if let Ok(schema) = tracelogging::parse(blob) {
        walk(&schema.layout, payload, 8);
    }
    let _ = tracelogging::ProviderTraits::parse(blob);
}

/// A `TRACE_EVENT_INFO` block, and the payload of such an event.
pub(crate) fn event_info_target(bytes: &[u8]) {
    let (block, payload) = parts(bytes);
    if let Ok(description) = event_info::parse(block) {
        walk(&description.layout, payload, 4);
    }
}

/// An instrumentation manifest.
pub(crate) fn manifest_target(bytes: &[u8]) {
    if let Ok(found) = manifest::parse(&String::from_utf8_lossy(bytes)) {
        walk_all(&found.providers, bytes);
    }
}

/// MOF text.
pub(crate) fn mof_target(bytes: &[u8]) {
    if let Ok(found) = mof::parse(&String::from_utf8_lossy(bytes)) {
        walk_all(&found.classes, bytes);
    }
}

/// Compiled MOF; bytes that do not begin as it does are the compressed part of it.
pub(crate) fn bmof_target(bytes: &[u8]) {
    let mut file = b"FOMB\x01\0\0\0".to_vec();
    if bytes.starts_with(b"FOMB") {
        file = bytes.to_vec();
    } else if let Some((size, stream)) = bytes.split_first_chunk::<2>() {
        file.extend((stream.len() as u32 + 4).to_le_bytes());
        file.extend(u32::from(u16::from_le_bytes(*size)).to_le_bytes());
        file.extend(b"DS\0\x01");
        file.extend(stream);
    }
    if let Ok(found) = mof::parse_binary(&file) {
        walk_all(&found.classes, bytes);
    }
}

/// A program database.
pub(crate) fn pdb_target(bytes: &[u8]) {
    if let Ok(found) = pdb::parse(bytes) {
        walk_all(&found.messages, bytes);
    }
}

/// A trace message format file.
pub(crate) fn tmf_target(bytes: &[u8]) {
    if let Ok(found) = tmf::parse(&String::from_utf8_lossy(bytes)) {
        walk_all(&found.messages, bytes);
    }
}

/// A table. What was read is written so that it is read again.
pub(crate) fn table_target(bytes: &[u8]) {
    if let Ok(found) = text::parse(&String::from_utf8_lossy(bytes)) {
        let total: usize = found.iter().map(|one| one.provider.events.len()).sum();
        if total < 1000 {
            assert_eq!(text::parse(&text::write(&found)).as_ref(), Ok(&found));
        }
        for described in found {
            walk_all(&[described.provider], bytes);
        }
    }
}

/// A compiled manifest: the bytes are a whole image, or the resource, which is then put into an image.
pub(crate) fn wevt_target(bytes: &[u8]) {
    let image = if bytes.starts_with(b"MZ") { bytes.to_vec() } else { image("WEVT_TEMPLATE", bytes) };
    if let Ok(found) = Description::parse(&image) {
        walk_all(&found.providers, bytes);
        walk_all(&found.classes, bytes);
    }
}

/// A Windows image of one section that holds one resource of a type with a name, or with a number behind a `#`.
pub(crate) fn image(kind: &str, resource: &[u8]) -> Vec<u8> {
    const HEAD: usize = 0x200;
    const ADDRESS: u32 = 0x1000;
    let mut file = vec![0; HEAD];
    let put = |file: &mut Vec<u8>, at: usize, bytes: &[u8]| file[at..at + bytes.len()].copy_from_slice(bytes);
    put(&mut file, 0, b"MZ");
    put(&mut file, 0x3C, &0x40u32.to_le_bytes());
    put(&mut file, 0x40, b"PE\0\0");
    // One section; an optional header of 64-bit form with three data directories.
    put(&mut file, 0x46, &1u16.to_le_bytes());
    put(&mut file, 0x54, &136u16.to_le_bytes());
    put(&mut file, 0x58, &0x20Bu16.to_le_bytes());
    put(&mut file, 0x58 + 112 + 16, &ADDRESS.to_le_bytes());
    let section = 0x58 + 136;
    // Three directories of one entry each: type, name, language. Then the data entry, the name and the data.
    let mut tree = Vec::new();
    let name_at = 3 * 24 + 16;
    let name: Vec<u8> = kind.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let data_at = (name_at + 2 + name.len()).next_multiple_of(8);
    let kind = match kind.strip_prefix('#').and_then(|number| number.parse().ok()) {
        Some(number) => (0u16, number, 1 << 31 | 24u32),
        None => (1, 1 << 31 | name_at as u32, 1 << 31 | 24),
    };
    for (named, id, target) in [kind, (0, 1, 1 << 31 | 48), (0, 0x409, 72)] {
        tree.extend([0; 12]);
        tree.extend([named, 1 - named].iter().flat_map(|n| n.to_le_bytes()));
        tree.extend([id, target].iter().flat_map(|n| n.to_le_bytes()));
    }
    tree.extend([ADDRESS + data_at as u32, resource.len() as u32, 0, 0].iter().flat_map(|n| n.to_le_bytes()));
    tree.extend(((name.len() / 2) as u16).to_le_bytes());
    tree.extend(name);
    tree.resize(data_at, 0);
    tree.extend(resource);
    let size = tree.len() as u32;
    for (at, number) in [(8, size), (12, ADDRESS), (16, size), (20, HEAD as u32)] {
        put(&mut file, section + at, &number.to_le_bytes());
    }
    file.extend(tree);
    file
}

/// A payload of a kernel event: the first bytes choose its layout and the size of pointers.
pub(crate) fn payload_target(bytes: &[u8]) {
    let Some((&[group, opcode, version, pointer], payload)) = bytes.split_first_chunk::<4>() else { return };
    let pointer_size = if pointer & 1 == 0 { 8 } else { 4 };
    if let Some(found) = kernel::event_of_hook(group, opcode, version) {
        walk(found.version, payload, pointer_size);
    }
}
