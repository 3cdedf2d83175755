//! The compression formats the buffers of a trace may use (Microsoft Open Specifications, MS-XCA).
//!
//! Every decoder writes into a slice the caller sized, so output is capped by construction, and reports damage as
//! an error instead of output.

mod error;
pub mod huffman;
pub mod lznt1;
pub mod xpress;
mod xpress_blocks;
mod xpress_format;

use crate::def::buffer::CompressionFormat;

pub use error::ExpandError;

/// Expands `input` into exactly the whole of `output`.
///
/// # Errors
///
/// When the data is damaged, expands to another length, or the format is unknown. `output` then holds
/// nothing of use but the sound bytes the error names.
pub fn expand(format: CompressionFormat, input: &[u8], output: &mut [u8]) -> Result<(), ExpandError> {
    let produced = expand_any(format, input, output)?;
    if produced == output.len() { Ok(()) } else { Err(ExpandError::TooShort { produced }) }
}

fn expand_any(format: CompressionFormat, input: &[u8], output: &mut [u8]) -> Result<usize, ExpandError> {
    match format {
        CompressionFormat::XPRESS => xpress::expand(input, output),
        CompressionFormat::LZNT1 => lznt1::expand(input, output),
        CompressionFormat::XPRESS_HUFFMAN => huffman::expand(input, output),
        other => Err(ExpandError::Format(other)),
    }
}

/// Expands the beginning of `input`, as much as `output` has room for, and returns the number of sound bytes.
///
/// Damage ends the output early.
#[must_use]
pub fn expand_prefix(format: CompressionFormat, input: &[u8], output: &mut [u8]) -> usize {
    let room = output.len();
    match expand_any(format, input, output) {
        Ok(produced)
        | Err(
            ExpandError::Truncated { produced }
            | ExpandError::BadOffset { produced }
            | ExpandError::BadCode { produced }
            | ExpandError::TooShort { produced },
        ) => produced,
        Err(ExpandError::TooLong) => room,
        Err(ExpandError::Format(_)) => 0,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::ExpandError;

    /// Checks that `packed` expands to exactly `plain`, with room to spare, with none, and with too little.
    pub(crate) fn check(
        expand: fn(&[u8], &mut [u8]) -> Result<usize, ExpandError>,
        packed: &[u8],
        plain: &[u8],
    ) {
        let mut room = vec![0xEE; plain.len()];
        assert_eq!(expand(packed, &mut room), Ok(plain.len()));
        assert!(room == plain, "{room:x?}");
        for short in [0, 1, plain.len() / 2, plain.len() - 1] {
            let mut room = vec![0xEE; short];
            let result = expand(packed, &mut room);
            assert!(result == Err(ExpandError::TooLong) || result == Ok(short), "{result:?} for {short}");
            assert!(room == plain[..short], "the output is sound up to its end");
        }
    }
}
