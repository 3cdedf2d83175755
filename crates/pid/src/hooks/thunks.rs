//! The code between a function and the agent: one thunk for each hook, near the function.

use tracewell_types::hook::{agent, data};

use crate::moved::{JUMP, relocated};

/// Bytes before the thunks: the addresses of the agent's code.
pub(crate) const HEAD: u64 = 64;
/// Bytes of a thunk: what belongs to the hook, then its code.
pub(crate) const THUNK: u64 = 160;

/// Bytes of a thunk's code before the instructions of the function.
pub(crate) const ENTER: u64 = 18;

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

#[cfg(test)]
mod tests {
    use iced_x86::{Code, Decoder, DecoderOptions};
    use tracewell_types::hook::flag;

    use super::*;

    #[test]
    fn issue_23_a_jump_leads_to_the_code_of_the_thunk_which_runs_the_agent_and_then_the_function() {
        let agent: Agent = [0x1122_3344_5566_7788, 2, 3, 4, 5];
        let bytes = head(&agent);
        assert_eq!(bytes.len() as u64, HEAD);
        let words: Vec<u64> = bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        assert_eq!(words, [agent[0], 2, 3, 4, 5, 0, 0, 0]);

        let (address, block) = (0x40_1000, 0x50_0000);
        for (from, to) in [(address, block), (block, address), (1 << 40, (1 << 40) + 5)] {
            let bytes = jump(from, to);
            let jump = Decoder::with_ip(64, &bytes, from, DecoderOptions::NONE).decode();
            assert_eq!((jump.len(), jump.near_branch_target()), (JUMP, to + data::SIZE));
        }
        // push %rbp; mov %rsp,%rbp; nop
        let moved = [0x55, 0x48, 0x89, 0xE5, 0x90];
        let flags = flag::ENTRY | flag::ARGUMENTS;
        for (code, at) in [(agent::COUNT, block + HEAD), (agent::ENTER, block + HEAD + 3 * THUNK)] {
            let place = Place { address, moved: &moved, code, counter: 0x7700_0010, number: 9, flags };
            let bytes = thunk(&place, block, at).unwrap();
            assert_eq!(bytes.len() as u64, THUNK);
            let word = |place: u64| u64::from_le_bytes(*bytes[place as usize..].first_chunk().unwrap());
            let decoder =
                Decoder::with_ip(64, &bytes[data::SIZE as usize..], at + data::SIZE, DecoderOptions::NONE);
            let code_of = decoder.into_iter().take(7).collect::<Vec<_>>();
            let [save, hook, enter, push, set, nop, back] = code_of[..] else { panic!() };
            assert_eq!(bytes[data::SIZE as usize..][..save.len()], [0x48, 0x89, 0x44, 0x24, 0xF8]);
            assert_eq!(hook.ip_rel_memory_address(), at);
            assert_eq!((enter.code(), enter.ip_rel_memory_address()), (Code::Jmp_rm64, block + code));
            assert_eq!(word(data::CONTINUE), push.ip());
            let moved_now = &bytes[(push.ip() - at) as usize..(back.ip() - at) as usize];
            assert_eq!((moved_now, set.len(), nop.len()), (&moved[..], 3, 1));
            assert_eq!(back.near_branch_target(), address + moved.len() as u64);
            assert_eq!(word(data::COUNTER), 0x7700_0010);
            assert_eq!(word(data::NUMBER), 9 | u64::from(flags) << 32);
            assert_eq!(bytes.last(), Some(&0xCC));
        }
        let long = Place { address, moved: &[0x90; 128], code: 0, counter: 0, number: 0, flags };
        assert_eq!(thunk(&long, block, block + HEAD).unwrap_err(), "its first instructions are too long");
    }
}
