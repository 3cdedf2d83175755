//! Mappings of programs and libraries of all processes, which wait until a program in the kernel confirms that they are of the
//! processes of a user.
//!
//! Performance events report the mappings of every process, and do not say whose these are. What is reported between the moment at
//! which a thread begins to run a program and the sample about that is of this program; what is reported of a place is of the call
//! that has just mapped a file there. Both samples are made of processes of the user alone. A mapping that no sample confirms is not
//! handed out.

use rustc_hash::FxHashMap;
use zerocopy::FromBytes;

use crate::sample::{Exec, Head, Memory, Sample};
use crate::translate::Image;

/// Most threads of which mappings wait, and most mappings of each.
const MOST_THREADS: usize = 4096;
const MOST: usize = 16;
/// The last 4095 numbers are errors of calls.
const LAST_ADDRESS: u64 = u64::MAX - 4095;

/// What waits.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// Of threads: when the last one came, and the mappings in their order.
    threads: FxHashMap<u32, (u64, Vec<Image>)>,
    /// Up to when reports may be missing.
    gap: u64,
}

impl Waiting {
    /// Forgets all: up to a time, reports may be missing, so that older ones may seem to be of newer programs.
    pub(crate) fn distrust(&mut self, until: u64) {
        self.threads.clear();
        self.gap = until;
    }

    /// A thread runs another program.
    pub(crate) fn begins(&mut self, tid: u32) {
        self.threads.remove(&tid);
    }

    /// A thread has mapped a part of a file, or memory without one.
    pub(crate) fn add(&mut self, time: u64, tid: u32, image: Image) {
        if time <= self.gap {
            return;
        }
        if self.threads.len() >= MOST_THREADS && !self.threads.contains_key(&tid) {
            let oldest = self.threads.iter().min_by_key(|(_, (last, _))| *last).map(|(tid, _)| *tid);
            oldest.and_then(|oldest| self.threads.remove(&oldest));
        }
        let (last, images) = self.threads.entry(tid).or_default();
        *last = time;
        if images.len() >= MOST {
            images.remove(0);
        }
        images.push(image);
    }

    /// The mappings that a sample confirms, with process and thread. Only those of files are images.
    pub(crate) fn confirmed(&mut self, sample: &[u8]) -> Option<((u32, u32), Vec<Image>)> {
        let (head, _) = Head::ref_from_prefix(sample).ok()?;
        let (kind, tid, ids) = (head.kind, head.tid, (head.pid, head.tid));
        let images = match kind {
            Exec::KIND => self.threads.remove(&tid).map(|(_, images)| images)?,
            Memory::KIND => {
                let (memory, _) = Memory::read_from_prefix(sample).ok()?;
                let place = place(&memory)?;
                let (_, images) = self.threads.get_mut(&tid)?;
                let holds = |image: &Image| {
                    place.checked_sub(image.base).is_some_and(|distance| distance < image.size)
                };
                // What was there before is not what this call has mapped.
                let last = images.iter().rposition(holds)?;
                let image = images.remove(last);
                images.retain(|image| !holds(image));
                vec![image]
            }
            _ => return None,
        };
        let is_file = |image: &Image| image.path.starts_with('/') && !image.path.starts_with("//");
        Some((ids, images.into_iter().filter(is_file).collect()))
    }
}

/// Where a call has mapped a file whose code may be executed.
fn place(memory: &Memory) -> Option<u64> {
    let [_, _, protection, flags] = memory.arguments;
    let is_code = protection & libc::PROT_EXEC as u64 != 0 && flags & libc::MAP_ANONYMOUS as u64 == 0;
    let is_map = i64::from(memory.number) == libc::SYS_mmap;
    (is_map && is_code && memory.result <= LAST_ADDRESS).then_some(memory.result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerocopy::IntoBytes;

    const CODE: u64 = libc::PROT_EXEC as u64;

    fn image(base: u64, path: &str) -> Image {
        Image { base, size: 0x2000, path: path.to_owned(), ..Image::default() }
    }

    fn head(kind: u32, tid: u32) -> Head {
        Head { kind, tid, pid: 7, ..Head::default() }
    }

    fn runs(tid: u32) -> Vec<u8> {
        Exec { head: head(Exec::KIND, tid), ..Exec::default() }.as_bytes().to_vec()
    }

    fn maps(tid: u32, result: u64, protection: u64, flags: i32) -> Memory {
        let arguments = [0, 0x1000, protection, flags as u64];
        let number = libc::SYS_mmap as u32;
        Memory { head: head(Memory::KIND, tid), number, result, arguments, ..Memory::default() }
    }

    fn paths(found: Option<((u32, u32), Vec<Image>)>) -> Vec<String> {
        found.into_iter().flat_map(|(_, images)| images).map(|image| image.path).collect()
    }

    #[test]
    fn issue_16_a_program_that_begins_has_what_was_mapped_since() {
        let mut waiting = Waiting::default();
        waiting.add(1, 70, image(0x1000, "/of/another/user"));
        waiting.begins(70);
        waiting.add(2, 70, image(0x1000, "/program"));
        waiting.add(2, 71, image(0x1000, "/other"));
        waiting.add(3, 70, image(0x9000, "[vdso]"));
        waiting.add(4, 70, image(0x5000, "/lib/ld.so"));
        let found = waiting.confirmed(&runs(70));
        assert_eq!(found.as_ref().map(|(ids, _)| *ids), Some((7, 70)));
        assert_eq!(paths(found), ["/program", "/lib/ld.so"]);
        assert_eq!(waiting.confirmed(&runs(70)), None, "each is handed out once");
        assert_eq!(waiting.confirmed(&runs(72)), None);
    }

    #[test]
    fn issue_16_a_call_confirms_what_it_has_mapped_alone() {
        let mut waiting = Waiting::default();
        waiting.add(1, 70, image(0x1000, "/before"));
        waiting.add(2, 70, image(0x1000, "/now"));
        waiting.add(3, 70, image(0x4000, "/elsewhere"));
        let mut found = |memory: Memory| paths(waiting.confirmed(memory.as_bytes()));
        let file = libc::MAP_PRIVATE;
        for other in [
            maps(71, 0x1000, CODE, file),
            maps(70, 0x0FFF, CODE, file),
            maps(70, 0x3000, CODE, file),
            maps(70, 0x1000, CODE ^ CODE, file),
            maps(70, 0x1000, CODE, file | libc::MAP_ANONYMOUS),
            maps(70, (-12_i64).cast_unsigned(), CODE, file),
            Memory { number: libc::SYS_munmap as u32, ..maps(70, 0x1000, CODE, file) },
        ] {
            assert_eq!(found(other), [""; 0], "{other:?}");
        }
        // The kernel may have merged it with what is before it.
        assert_eq!(found(maps(70, 0x2FFF, CODE | 1, file)), ["/now"]);
        assert_eq!(found(maps(70, 0x1000, CODE, file)), [""; 0], "what was there before is gone");
        assert_eq!(found(maps(70, 0x4000, CODE, file)), ["/elsewhere"]);
    }

    /// A place that has memory without a file now is not what it was.
    #[test]
    fn issue_16_memory_without_a_file_takes_the_place_of_one() {
        let mut waiting = Waiting::default();
        for (time, path) in [(1, "/of/another/user"), (2, "//enomem")] {
            waiting.add(time, 70, image(0x1000, path));
        }
        let maps = maps(70, 0x1000, CODE, libc::MAP_PRIVATE);
        assert_eq!(paths(waiting.confirmed(maps.as_bytes())), [""; 0]);
        assert_eq!(paths(waiting.confirmed(maps.as_bytes())), [""; 0]);
    }

    #[test]
    fn issue_16_what_was_reported_before_a_gap_is_of_no_program() {
        let mut waiting = Waiting::default();
        waiting.add(1, 70, image(0x1000, "/before"));
        waiting.distrust(5);
        waiting.add(5, 70, image(0x1000, "/in/the/gap"));
        waiting.add(6, 70, image(0x1000, "/after"));
        assert_eq!(paths(waiting.confirmed(&runs(70))), ["/after"]);
    }

    #[test]
    fn issue_16_what_waits_is_bounded() {
        let mut waiting = Waiting::default();
        for tid in 0..=MOST_THREADS as u32 {
            for number in 0..MOST as u64 + 1 {
                waiting.add(u64::from(tid) + 1, tid, image(0x1_0000 * number, &format!("/{number}")));
            }
        }
        assert_eq!(waiting.threads.len(), MOST_THREADS);
        assert_eq!(waiting.confirmed(&runs(0)), None, "the oldest thread is gone");
        let last = paths(waiting.confirmed(&runs(MOST_THREADS as u32)));
        assert_eq!((last.len(), last[0].as_str()), (MOST, "/1"));
    }

    #[test]
    fn issue_16_a_sample_that_is_cut_confirms_nothing() {
        let mut waiting = Waiting::default();
        waiting.add(1, 70, image(0x1000, "/program"));
        let memory = maps(70, 0x1000, CODE, libc::MAP_PRIVATE);
        let bytes = memory.as_bytes();
        for cut in 0..bytes.len() {
            assert_eq!(waiting.confirmed(&bytes[..cut]), None);
        }
        assert_eq!(paths(waiting.confirmed(bytes)), ["/program"]);
    }
}
