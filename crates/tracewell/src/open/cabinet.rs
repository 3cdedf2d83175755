//! The structure of a cabinet, checked before its files are read: [MS-CAB], section 2.
//!
//! The library that expands cabinets trusts offsets and sizes: it panics if a file begins behind the blocks of its folder, or if
//! a block is shorter than it says. It also expands everything before a file, which counts towards the limits here.

use std::io::{BufReader, Error, Read, Result, Seek, SeekFrom};

/// Where a file is in the expanded blocks of its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Expanded bytes before it.
    pub(super) before: u64,
    pub(super) size: u64,
}

/// Flags of the header: the cabinet continues another one, is continued, has reserved areas.
const PREVIOUS: u16 = 1;
const NEXT: u16 = 2;
const RESERVED: u16 = 4;

/// A folder: its expanded bytes, and its files.
#[derive(Debug, Default)]
struct Folder {
    total: u64,
    files: Vec<Place>,
}

fn wrong(what: &str) -> Error {
    Error::other(format!("the archive is damaged: {what}"))
}

fn bytes<const N: usize>(from: &mut impl Read) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn half(from: &mut impl Read) -> Result<u16> {
    bytes(from).map(u16::from_le_bytes)
}

fn word(from: &mut impl Read) -> Result<u64> {
    bytes(from).map(|bytes| u32::from_le_bytes(bytes).into())
}

/// Skips a text and the zero at its end.
fn text(from: &mut impl Read) -> Result<()> {
    while bytes::<1>(from)? != [0] {}
    Ok(())
}

/// Returns the places of all files, folder by folder.
///
/// # Errors
/// A part is outside the cabinet, or does not fit the others.
pub(super) fn places(file: impl Read + Seek) -> Result<Vec<Place>> {
    let mut from = BufReader::new(file);
    let length = from.seek(SeekFrom::End(0))?;
    from.seek(SeekFrom::Start(16))?;
    let first_file = word(&mut from)?;
    from.seek_relative(6)?;
    let (folders, files, flags) = (half(&mut from)?, half(&mut from)?, half(&mut from)?);
    from.seek_relative(4)?;
    let (mut of_folder, mut of_block) = (0, 0);
    if flags & RESERVED != 0 {
        let of_header = half(&mut from)?;
        [of_folder, of_block] = bytes::<2>(&mut from)?.map(i64::from);
        from.seek_relative(of_header.into())?;
    }
    for _ in 0..2 * (u16::from(flags & PREVIOUS != 0) + u16::from(flags & NEXT != 0)) {
        text(&mut from)?;
    }
    let mut heads = Vec::new();
    for _ in 0..folders {
        heads.push((word(&mut from)?, half(&mut from)?, half(&mut from)?));
        from.seek_relative(of_folder)?;
    }
    // Each block has a header of 8 bytes; folders that share blocks would be expanded again and again.
    let mut blocks_left = length / 8;
    let mut all = Vec::new();
    for (start, blocks, packing) in heads {
        blocks_left =
            blocks_left.checked_sub(blocks.into()).ok_or_else(|| wrong("its folders do not fit into it"))?;
        let mut folder = Folder::default();
        let mut at = from.seek(SeekFrom::Start(start))?;
        for _ in 0..blocks {
            from.seek_relative(4)?;
            let (packed, expanded) = (half(&mut from)?, half(&mut from)?);
            if packing & 15 == 0 && packed != expanded {
                return Err(wrong("a block that is not compressed has two sizes"));
            }
            let rest = of_block + i64::from(packed);
            from.seek_relative(rest)?;
            at = at.saturating_add(8).saturating_add(rest.unsigned_abs());
            folder.total += u64::from(expanded);
        }
        if at > length {
            return Err(wrong("a block is outside of it"));
        }
        all.push(folder);
    }
    from.seek(SeekFrom::Start(first_file))?;
    for _ in 0..files {
        let (size, before, index) = (word(&mut from)?, word(&mut from)?, half(&mut from)?);
        from.seek_relative(6)?;
        text(&mut from)?;
        let folder =
            all.get_mut(usize::from(index)).ok_or_else(|| wrong("a file belongs to none of its folders"))?;
        if before + size > folder.total {
            return Err(wrong("a file is outside of its folder"));
        }
        folder.files.push(Place { before, size });
    }
    Ok(all.into_iter().flat_map(|folder| folder.files).collect())
}
