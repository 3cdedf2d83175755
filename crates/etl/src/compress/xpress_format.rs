//! Facts about the format that both loops of the XPRESS decoder and the encoder share.

/// Shortest match.
pub(super) const MIN_MATCH: usize = 3;

/// Matches reach back this far.
pub(super) const WINDOW: usize = 8192;

/// The position of the decoder: before a group of flags.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// Bytes of input used.
    pub(super) from: usize,
    /// Bytes of output made.
    pub(super) to: usize,
    /// Half a byte of length that waits for its user.
    pub(super) half: Option<u8>,
}
