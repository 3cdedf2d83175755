//! Values as bytes in records and keys. Writing and reading are side by side here.
//!
//! A key is padded with zero bytes to whole words. An integer takes 8 bytes in a key, and its own size in a record. A string is
//! its bytes and a NUL. Bytes by value are stored unchanged. A stack is a count (4 bytes), the process (8) and the frames (8
//! each). A symbol is the address and the process, 8 bytes each. All numbers are little endian.

use crate::fault::Fault;
use crate::host::{Host, is_user};
use crate::state::State;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::{Repr, StackPart, SymbolKind};

/// Extends the low `bytes` of a register as its type says.
#[inline]
pub(crate) fn extend(value: u64, bytes: u8, signed: bool) -> u64 {
    match (bytes, signed) {
        (1, true) => value as i8 as u64,
        (1, false) => u64::from(value as u8),
        (2, true) => value as i16 as u64,
        (2, false) => u64::from(value as u16),
        (4, true) => value as i32 as u64,
        (4, false) => u64::from(value as u32),
        _ => value,
    }
}

/// Fills a key up to whole words, so that hashing and comparing go word by word. Keys stay distinct: each
/// value of one says itself where it ends.
#[inline]
pub(crate) fn pad_key(key: &mut Vec<u8>) {
    key.resize(key.len().next_multiple_of(8), 0);
}

/// The destination of a packed value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Into {
    Key,
    Record,
}

/// Packs the values of `regs` by their layouts; returns the registers used.
#[inline]
pub(crate) fn pack<H: Host>(
    state: &mut State,
    host: &mut H,
    reprs: &[Repr],
    regs: &[u64],
    into: Into,
) -> Result<usize, Fault> {
    let mut used = 0;
    for repr in reprs {
        if let Repr::Stack { part, frames, .. } = repr {
            stack(state, host, *part, *frames, into);
            continue;
        }
        let value = regs.get(used).copied().unwrap_or(0);
        used += 1;
        let out = if into == Into::Key { &mut state.key } else { &mut state.record };
        match repr {
            Repr::Int { bytes, signed } => match into {
                Into::Key => out.extend_from_slice(&extend(value, *bytes, *signed).to_le_bytes()),
                Into::Record => {
                    out.extend_from_slice(&value.to_le_bytes()[..usize::from(*bytes).min(8)]);
                }
            },
            Repr::Str => {
                if value == 0 {
                    out.push(0);
                } else {
                    state.memory.append_string(host, value, out)?;
                }
            }
            Repr::Bytes(n) => {
                if value == 0 {
                    out.resize(out.len() + *n as usize, 0);
                } else {
                    out.extend_from_slice(state.memory.bytes(host, value, *n as usize)?);
                }
            }
            Repr::Symbol(kind) => {
                let pid = if is_user(*kind) { host.builtin(state.firing.probe, BuiltinVar::Pid) } else { 0 };
                out.extend_from_slice(&value.to_le_bytes());
                out.extend_from_slice(&pid.to_le_bytes());
            }
            Repr::Stack { .. } => {}
        }
    }
    Ok(used)
}

fn stack<H: Host>(state: &mut State, host: &mut H, part: StackPart, frames: u32, into: Into) {
    let max = match (frames, part) {
        (0, StackPart::Kernel) => state.stackframes,
        (0, StackPart::User) => state.ustackframes,
        (0, StackPart::Whole) => state.stackframes.saturating_add(state.ustackframes),
        (n, _) => n,
    }
    .min(state.firing.most_frames) as usize;
    let pid = if part.has_user() { host.builtin(state.firing.probe, BuiltinVar::Pid) } else { 0 };
    state.frames.clear();
    host.stack(part, max, &mut state.frames);
    state.frames.truncate(max);
    let out = if into == Into::Key { &mut state.key } else { &mut state.record };
    out.extend_from_slice(&(state.frames.len() as u32).to_le_bytes());
    out.extend_from_slice(&pid.to_le_bytes());
    for frame in &state.frames {
        out.extend_from_slice(&frame.to_le_bytes());
    }
}

/// A value read back from a record or a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'d> {
    /// An integer.
    Int {
        /// Extended to 64 bits as its type says.
        value: u64,
        /// Size of its type in bytes.
        bytes: u8,
        /// Whether its type is signed.
        signed: bool,
    },
    /// A string's bytes.
    Str(&'d [u8]),
    /// Bytes by value.
    Bytes(&'d [u8]),
    /// A stack trace.
    Stack {
        /// The process of user frames; [`None`] if all are the kernel's.
        pid: Option<u64>,
        /// Frames, innermost first, 8 bytes each, little endian.
        frames: &'d [u8],
    },
    /// An address to be shown as a symbol.
    Symbol {
        /// The part to show.
        kind: SymbolKind,
        /// The process of a user address; [`None`] for the kernel.
        pid: Option<u64>,
        /// The address.
        address: u64,
    },
}

impl Value<'_> {
    /// The frames of a stack.
    pub fn frames(&self) -> impl Iterator<Item = u64> {
        let bytes: &[u8] = if let Value::Stack { frames, .. } = self { frames } else { &[] };
        bytes.as_chunks::<8>().0.iter().map(|c| u64::from_le_bytes(*c))
    }
}

/// Reads packed bytes from the front.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'d> {
    bytes: &'d [u8],
    key: bool,
}

impl<'d> Reader<'d> {
    pub(crate) fn record(bytes: &'d [u8]) -> Reader<'d> {
        Reader { bytes, key: false }
    }

    pub(crate) fn key(bytes: &'d [u8]) -> Reader<'d> {
        Reader { bytes, key: true }
    }

    pub(crate) fn take(&mut self, n: usize) -> Option<&'d [u8]> {
        let (head, rest) = self.bytes.split_at_checked(n)?;
        self.bytes = rest;
        Some(head)
    }

    /// The unread rest.
    pub(crate) fn rest(&self) -> &'d [u8] {
        self.bytes
    }

    pub(crate) fn word16(&mut self) -> Option<u16> {
        self.take(2).and_then(|b| b.first_chunk()).map(|c| u16::from_le_bytes(*c))
    }

    pub(crate) fn word32(&mut self) -> Option<u32> {
        self.take(4).and_then(|b| b.first_chunk()).map(|c| u32::from_le_bytes(*c))
    }

    pub(crate) fn word64(&mut self) -> Option<u64> {
        self.take(8).and_then(|b| b.first_chunk()).map(|c| u64::from_le_bytes(*c))
    }

    /// The text of a string.
    #[inline]
    pub(crate) fn text(&mut self) -> Option<&'d [u8]> {
        let n = crate::memory::find_nul(self.bytes)?;
        let text = self.bytes.get(..n)?;
        self.bytes = self.bytes.get(n + 1..)?;
        Some(text)
    }

    /// An integer of a record, of 1, 2, 4 or 8 bytes, not extended.
    #[inline]
    pub(crate) fn integer(&mut self, bytes: u8) -> Option<u64> {
        let (value, rest) = match bytes {
            1 => self.bytes.split_first().map(|(b, rest)| (u64::from(*b), rest))?,
            2 => self.bytes.split_first_chunk().map(|(b, rest)| (u64::from(u16::from_le_bytes(*b)), rest))?,
            4 => self.bytes.split_first_chunk().map(|(b, rest)| (u64::from(u32::from_le_bytes(*b)), rest))?,
            _ => self.bytes.split_first_chunk().map(|(b, rest)| (u64::from_le_bytes(*b), rest))?,
        };
        self.bytes = rest;
        Some(value)
    }

    pub(crate) fn value(&mut self, repr: &Repr) -> Option<Value<'d>> {
        Some(match repr {
            Repr::Int { bytes, signed } => {
                let n = if self.key { 8 } else { usize::from(*bytes).min(8) };
                let mut word = [0u8; 8];
                word[..n].copy_from_slice(self.take(n)?);
                let value = extend(u64::from_le_bytes(word), *bytes, *signed);
                Value::Int { value, bytes: *bytes, signed: *signed }
            }
            Repr::Str => Value::Str(self.text()?),
            Repr::Bytes(n) => Value::Bytes(self.take(*n as usize)?),
            Repr::Stack { part, .. } => {
                let count = self.word32()? as usize;
                let pid = self.word64()?;
                Value::Stack {
                    pid: part.has_user().then_some(pid),
                    frames: self.take(count.checked_mul(8)?)?,
                }
            }
            Repr::Symbol(kind) => {
                let address = self.word64()?;
                let pid = self.word64()?;
                Value::Symbol { kind: *kind, pid: is_user(*kind).then_some(pid), address }
            }
        })
    }
}
