//! The process that runs a program.

/// The process that runs the program, where it runs on the traced machine. Probes that no event fires belong to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Myself {
    /// Process id.
    pub pid: u32,
    /// Id of the parent process.
    pub ppid: u32,
    /// Real user.
    pub uid: u32,
    /// Real group.
    pub gid: u32,
    /// Effective user.
    pub euid: u32,
    /// Effective group.
    pub egid: u32,
    /// Process group.
    pub pgid: u32,
    /// Terminal session.
    pub sid: u32,
    /// Number of threads.
    pub threads: u32,
    /// The processes that it descends from: its parent first.
    pub ancestors: Vec<u32>,
    /// Arguments and environment as the program found them.
    pub start: StartMemory,
    /// Program name.
    pub name: String,
    /// Current directory.
    pub cwd: String,
    /// An address in the program's code: what a timed probe interrupts.
    pub address: u64,
}

/// The memory that a program finds when it starts: pointers to its arguments and to its environment, and these texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartMemory {
    /// The address of its first byte, at which the number of arguments is; 0 if it is unknown.
    pub base: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl StartMemory {
    /// The bytes from an address on.
    #[must_use]
    pub fn at(&self, address: u64) -> Option<&[u8]> {
        let offset = usize::try_from(address.checked_sub(self.base)?).ok()?;
        self.bytes.get(offset..).filter(|rest| !rest.is_empty())
    }

    /// The number of arguments, and the addresses of the pointers to arguments and to environment.
    #[must_use]
    pub fn vectors(&self) -> Option<(u32, u64, u64)> {
        const WORD: u64 = size_of::<usize>() as u64;
        let (first, _) = self.bytes.split_first_chunk()?;
        let count = usize::from_ne_bytes(*first) as u64;
        let arguments = self.base.checked_add(WORD)?;
        // The pointers to arguments end with a null pointer.
        let environment = arguments.checked_add(count.checked_add(1)?.checked_mul(WORD)?)?;
        self.at(environment)?;
        Some((u32::try_from(count).ok()?, arguments, environment))
    }
}

#[cfg(test)]
mod tests {
    use super::StartMemory;

    #[test]
    fn issue_16_the_start_of_a_program_has_its_vectors() {
        let word = |number: usize| number.to_ne_bytes().to_vec();
        let words = [2, 0x1100, 0x1105, 0, 0x110A, 0].map(word).concat();
        let size = size_of::<usize>() as u64;
        let memory = StartMemory { base: 0x1000, bytes: words };
        assert_eq!(memory.vectors(), Some((2, 0x1000 + size, 0x1000 + 4 * size)));
        assert_eq!(memory.at(0x1000 + 4 * size).unwrap()[0], 0x0A_usize.to_ne_bytes()[0]);
        assert_eq!((memory.at(0xFFF), memory.at(0x1000 + 6 * size)), (None, None));
        // A count that leads beyond the memory is damaged.
        for damaged in [usize::MAX, 6] {
            let memory = StartMemory { base: 0x1000, bytes: word(damaged) };
            assert_eq!(memory.vectors(), None);
        }
        assert_eq!(StartMemory::default().vectors(), None);
    }
}
