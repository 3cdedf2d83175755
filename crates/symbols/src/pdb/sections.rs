//! The line numbers of a module, function by function, in the order of the file.
//!
//! The layout is from the public sources of Microsoft's compiler tools (`cvinfo.h`, `CV_DebugSLinesHeader_t` and the
//! structures after it). The symbols of a module are followed by a list of subsections, each with a type and a length. A
//! subsection of type `DEBUG_S_LINES` describes one function, in blocks by source file.

use pdb2::PdbInternalSectionOffset;

/// Type of a subsection with line numbers.
const LINES: u32 = 0xf2;
/// The lines have columns too.
const HAS_COLUMNS: u16 = 1;
/// Line numbers that mark code without source: step into it always, or never.
const MARKERS: [u32; 2] = [0xfe_efee, 0xf0_0f00];

/// The lines of one function.
pub(super) struct LineSection<'d> {
    /// Start of the function.
    pub(super) start: PdbInternalSectionOffset,
    /// Bytes of its code.
    pub(super) size: u32,
    columns: bool,
    blocks: &'d [u8],
}

/// The place where the code of a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineStart {
    /// Bytes from the function's start.
    pub(super) offset: u32,
    pub(super) line: u32,
    /// Names the source file: where its entry is in the module's list of files.
    pub(super) file: u32,
}

fn take<'d>(data: &mut &'d [u8], length: usize) -> Option<&'d [u8]> {
    let (head, rest) = data.split_at_checked(length)?;
    *data = rest;
    Some(head)
}

fn number(data: &mut &[u8]) -> Option<u32> {
    let (head, rest) = data.split_first_chunk()?;
    *data = rest;
    Some(u32::from_le_bytes(*head))
}

/// All sections of a module, from what follows its symbols. What does not hold together ends them.
pub(super) fn line_sections(mut data: &[u8]) -> impl Iterator<Item = LineSection<'_>> {
    std::iter::from_fn(move || {
        loop {
            let kind = number(&mut data)?;
            let length = number(&mut data)? as usize;
            let mut content = take(&mut data, length)?;
            // The next one begins at a multiple of four.
            take(&mut data, length.wrapping_neg() & 3);
            if kind != LINES {
                continue;
            }
            let offset = number(&mut content)?;
            let place = number(&mut content)?;
            let size = number(&mut content)?;
            let [a, b, c, d] = place.to_le_bytes();
            let start = PdbInternalSectionOffset { offset, section: u16::from_le_bytes([a, b]) };
            let columns = u16::from_le_bytes([c, d]) & HAS_COLUMNS != 0;
            return Some(LineSection { start, size, columns, blocks: content });
        }
    })
}

impl LineSection<'_> {
    /// Its lines by where they begin. Of several that begin at one place the last is kept: it is the one that has code.
    pub(super) fn lines(&self) -> Vec<LineStart> {
        let mut lines = Vec::new();
        let mut data = self.blocks;
        while let Some(block) = block(&mut data, self.columns) {
            for entry in block.1.chunks_exact(8) {
                let word = |at: usize| entry.get(at..).and_then(|rest| rest.first_chunk().copied());
                let (Some(offset), Some(flags)) = (word(0), word(4)) else { break };
                // The lower 24 bits are the line number; the bits above are the number of lines of the
                // code.
                let line = u32::from_le_bytes(flags) & 0xff_ffff;
                if !MARKERS.contains(&line) {
                    lines.push(LineStart { offset: u32::from_le_bytes(offset), line, file: block.0 });
                }
            }
        }
        lines.reverse();
        lines.sort_by_key(|line| line.offset);
        lines.dedup_by_key(|line| line.offset);
        lines
    }
}

/// The next block: its file, and the bytes of its lines, eight for each.
fn block<'d>(data: &mut &'d [u8], columns: bool) -> Option<(u32, &'d [u8])> {
    let file = number(data)?;
    let count = number(data)? as usize;
    let size = (number(data)? as usize).checked_sub(12)?;
    let body = take(data, size)?;
    let each = if columns { 12 } else { 8 };
    (count.checked_mul(each)? <= body.len()).then(|| (file, body.get(..count * 8).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Two subsections: one of another type with a length that is not a multiple of four, and lines in two
    /// blocks.
    fn sample(columns: bool) -> Vec<u8> {
        let mut data = words(&[0xf3, 5, 0, 0]);
        let mut lines = words(&[0x10, 2 | u32::from(columns) << 16, 0x40]);
        let column = words(if columns { &[0, 0] } else { &[] });
        let block = |file: u32, entries: &[u32]| {
            let body = [words(entries), column.clone()].concat();
            [words(&[file, entries.len() as u32 / 2, 12 + body.len() as u32]), body].concat()
        };
        lines.extend(block(0x18, &[0, 0x8000_0007, 8, 0x8000_0009]));
        lines.extend(block(0x30, &[4, 100, 8, 0x80fe_efee]));
        data.extend(words(&[LINES, lines.len() as u32]));
        data.extend(lines);
        data
    }

    #[test]
    fn lines_are_listed_by_function() {
        for columns in [false, true] {
            let data = sample(columns);
            let sections: Vec<_> = line_sections(&data).collect();
            assert_eq!(sections.len(), 1);
            assert_eq!(sections[0].start, PdbInternalSectionOffset { offset: 0x10, section: 2 });
            assert_eq!(sections[0].size, 0x40);
            let line = |offset, line, file| LineStart { offset, line, file };
            assert_eq!(sections[0].lines(), [line(0, 7, 0x18), line(4, 100, 0x30), line(8, 9, 0x18)]);
        }
    }

    #[test]
    fn cut_sections_are_no_harm() {
        let data = sample(true);
        for length in 0..data.len() {
            let lines: usize = line_sections(&data[..length]).map(|section| section.lines().len()).sum();
            assert!(lines <= 3);
        }
        for at in 0..data.len() {
            let mut data = data.clone();
            data[at] ^= 0xff;
            let lines: usize = line_sections(&data).map(|section| section.lines().len()).sum();
            assert!(lines <= data.len() / 8);
        }
    }
}
