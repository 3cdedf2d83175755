//! The code between a function and the agent: one thunk for each hook, near the function.

use tracewell_types::hook::{agent, data};

use crate::moved::{JUMP, relocated};

/// Bytes before the thunks: the addresses of the agent's code.
pub(crate) const HEAD: u64 = 64;
/// Bytes of a thunk: what belongs to the hook, then its code.
pub(crate) const THUNK: u64 = 160;

/// Addresses of the agent's code.
pub(crate) type Agent = [u64; agent::COUNT_OF_ADDRESSES as usize];

/// A hook in a function of a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'m> {
    /// The address of the function.
    pub(crate) address: u64,
    /// Its first instructions.
    pub(crate) moved: &'m [u8],
    /// Which of the agent's code it runs: a place in [`agent`].
    pub(crate) code: u64,
    /// The address of its counters.
    pub(crate) counter: u64,
    pub(crate) number: u32,
    pub(crate) flags: u32,
}

/// The bytes that come before thunks.
pub(crate) fn head(agent: &Agent) -> Vec<u8> {
    let mut bytes: Vec<u8> = agent.iter().flat_map(|address| address.to_le_bytes()).collect();
    bytes.resize(HEAD as usize, 0);
    bytes
}

/// The bytes of a thunk at an address, in a block of thunks that begins at `block`.
///
/// # Errors
/// Why the instructions cannot be moved there.
pub(crate) fn thunk(place: &Place<'_>, block: u64, at: u64) -> Result<Vec<u8>, String> {
    let mut bytes = vec![0; data::SIZE as usize];
    let begin = at + data::SIZE;
    // mov %rax,-8(%rsp); lea hook(%rip),%rax; jmp *agent(%rip)
    let mut code = vec![0x48, 0x89, 0x44, 0x24, 0xF8, 0x48, 0x8D, 0x05];
    code.extend(at.wrapping_sub(begin + 12).to_le_bytes().iter().take(4));
    code.extend([0xFF, 0x25]);
    code.extend((block + place.code).wrapping_sub(begin + 18).to_le_bytes().iter().take(4));
    let go_on = begin + code.len() as u64;
    code.extend(relocated(place.moved, place.address, go_on)?);
    let mut put = |at: u64, value: &[u8]| {
        let at = at as usize;
        if let Some(place) = bytes.get_mut(at..at + value.len()) {
            place.copy_from_slice(value);
        }
    };
    put(data::CONTINUE, &go_on.to_le_bytes());
    put(data::COUNTER, &place.counter.to_le_bytes());
    put(data::NUMBER, &place.number.to_le_bytes());
    put(data::FLAGS, &place.flags.to_le_bytes());
    bytes.extend(code);
    if bytes.len() as u64 > THUNK {
        return Err("its first instructions are too long".to_owned());
    }
    bytes.resize(THUNK as usize, 0xCC);
    Ok(bytes)
}

/// The jump from a function to its thunk.
pub(crate) fn jump(from: u64, thunk: u64) -> [u8; JUMP] {
    let distance = (thunk + data::SIZE).wrapping_sub(from + JUMP as u64).to_le_bytes();
    let [a, b, c, d, ..] = distance;
    [0xE9, a, b, c, d]
}
