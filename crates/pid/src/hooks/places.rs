//! Places whose code was replaced by jumps to hooks, and how the code is put back.

use std::io;

use tracewell_types::hook::{PLACE, data};

use super::process::Memory;
use super::thunks::ENTER;
use crate::moved::JUMP;

/// A place, and the code that was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Replaced {
    pub(crate) address: u64,
    pub(crate) code: [u8; JUMP],
}

/// The list of places in the shared memory.
pub(crate) fn listed(places: &[Replaced]) -> Vec<u8> {
    let entry = |place: &Replaced| {
        let mut bytes = [0; PLACE as usize];
        let (address, code) = bytes.split_at_mut(8);
        address.copy_from_slice(&place.address.to_le_bytes());
        code[..JUMP].copy_from_slice(&place.code);
        bytes
    };
    places.iter().flat_map(entry).collect()
}

/// Reads such a list.
pub(crate) fn parse(bytes: &[u8]) -> Vec<Replaced> {
    let entry = |bytes: &[u8; PLACE as usize]| {
        let (address, code) = bytes.split_first_chunk()?;
        Some(Replaced { address: u64::from_le_bytes(*address), code: *code.first_chunk()? })
    };
    bytes.as_chunks().0.iter().filter_map(entry).collect()
}

/// Puts the code back at all places that still have a jump to a hook.
///
/// # Errors
/// The memory cannot be written.
pub(crate) fn put_back(memory: &Memory, places: &[Replaced]) -> io::Result<()> {
    for place in places {
        if has_jump(memory, place.address) {
            memory.write(place.address, &place.code)?;
        }
    }
    Ok(())
}

/// Returns `true` if there is a jump to the thunk of a hook: another library may be there by now.
fn has_jump(memory: &Memory, address: u64) -> bool {
    let mut jump = [0; JUMP];
    if memory.read(address, &mut jump).is_err() {
        return false;
    }
    let [0xE9, a, b, c, d] = jump else { return false };
    let distance = i64::from(i32::from_le_bytes([a, b, c, d]));
    let code = address.wrapping_add(JUMP as u64).wrapping_add_signed(distance);
    let mut go_on = [0; 8];
    let found = memory.read(code.wrapping_sub(data::SIZE) + data::CONTINUE, &mut go_on);
    // The thunk goes on behind its first three instructions.
    found.is_ok() && u64::from_le_bytes(go_on).wrapping_sub(code) == ENTER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_17_places_are_listed_with_their_code() {
        let places = [
            Replaced { address: 0x1122_3344_5566, code: [1, 2, 3, 4, 5] },
            Replaced { address: 7, code: [9; JUMP] },
        ];
        let list = listed(&places);
        assert_eq!(list.len() as u64, 2 * PLACE);
        assert_eq!(parse(&list), places);
        assert_eq!(parse(&list[..20]), places[..1]);
    }
}
