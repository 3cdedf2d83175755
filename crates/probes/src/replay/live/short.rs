//! Events of the kernel as a session of Windows hands them over: as events of their classes. In buffers they have short
//! headers, and by those everything here knows them.

use rustc_hash::FxHashMap;
use tracewell_etl::Record;
use tracewell_etl::write::{PerfInfo, PointerSize, System};
use tracewell_schema::kernel;
use tracewell_types::Guid;

/// The short headers of the kernel's classes.
#[derive(Debug)]
pub struct ShortForms {
    /// By class and event type: group and type of the short header.
    hooks: FxHashMap<(Guid, u8), u16>,
}

impl Default for ShortForms {
    fn default() -> ShortForms {
        ShortForms::new()
    }
}

impl ShortForms {
    /// The forms of all classes.
    #[must_use]
    pub fn new() -> ShortForms {
        let mut hooks = FxHashMap::default();
        for hook in 0..=u16::MAX {
            let (group, opcode) = ((hook >> 8) as u8, hook as u8);
            if let Some(class) = kernel::by_hook(group, opcode) {
                // A record type in the group of another class occurs only there.
                let own = kernel::by_group(group).is_some_and(|of_group| of_group.guid == class.guid);
                if !own || !hooks.contains_key(&(class.guid, opcode)) {
                    hooks.insert((class.guid, opcode), hook);
                }
            }
        }
        ShortForms { hooks }
    }

    /// Appends the record with the short header that it has in a buffer, if it is one of the kernel's. What names neither a
    /// process nor a thread gets a header without them.
    pub fn append(&self, record: &Record<'_>, out: &mut Vec<u8>) -> bool {
        if !record.is_class() {
            return false;
        }
        let Some(&hook) = self.hooks.get(&(record.guid(), record.opcode())) else { return false };
        let (group, opcode) = ((hook >> 8) as u8, hook as u8);
        let pointer_size = if record.pointer_size() == 4 { PointerSize::P32 } else { PointerSize::P64 };
        let (time, version) = (record.time(), record.version());
        if record.pid().is_none() && record.tid().is_none() {
            let header =
                PerfInfo { time, group, opcode, version, pebs_index: None, counters: &[], pointer_size };
            return header.append(record.payload(), out);
        }
        let none = u32::MAX;
        let (kernel_time, user_time) = record.cpu_times().unwrap_or_default();
        let header = System {
            time,
            group,
            opcode,
            version: version.into(),
            pid: record.pid().unwrap_or(none),
            tid: record.tid().unwrap_or(none),
            kernel_time,
            user_time,
            pointer_size,
        };
        header.append(record.payload(), out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_etl::HeaderKind;
    use tracewell_etl::write::{Event, Full};

    /// Every event of the kernel's classes gets the short header that it has in buffers, with all that its own header says.
    #[test]
    fn issue_23_events_of_the_kernel_have_their_short_headers() {
        let forms = ShortForms::new();
        let own_group = |hook: u16| kernel::by_group((hook >> 8) as u8).map(|class| class.guid);
        let of = |hook: u16| kernel::by_hook((hook >> 8) as u8, hook as u8).map(|class| class.guid);
        let mut known: FxHashMap<(Guid, u8), Vec<u16>> = FxHashMap::default();
        for hook in 0..=u16::MAX {
            if let Some(guid) = of(hook) {
                known.entry((guid, hook as u8)).or_default().push(hook);
            }
        }
        assert!(known.len() > 300, "{}", known.len());
        for (&(guid, opcode), hooks) in &known {
            for (pid, tid, pointer_size) in [
                (5, 6, PointerSize::P64),
                (5, u32::MAX, PointerSize::P32),
                (u32::MAX, u32::MAX, PointerSize::P64),
            ] {
                let full =
                    Full { time: 77, guid, opcode, version: 3, pid, tid, pointer_size, ..Full::default() };
                let full = Full { kernel_time: 8, user_time: 9, ..full };
                let (mut long, mut short) = (Vec::new(), vec![0xEE; 8]);
                assert!(full.append(&[1, 2, 3], &mut long));
                let long = Record::parse(&long, 0).unwrap();
                assert!(forms.append(&long, &mut short));
                let short = Record::parse(&short[8..], 0).unwrap();
                let hook = short.hook().unwrap();
                assert!(hooks.contains(&hook), "{guid} {opcode}: {hook:#06x}");
                // One in the group of another class is the only one there is.
                if let Some(foreign) = hooks.iter().find(|hook| own_group(**hook) != Some(guid)) {
                    assert_ne!(own_group(hook), Some(guid), "{guid} {opcode}: {foreign:#06x}");
                }
                assert_eq!((short.time(), short.version(), short.payload()), (77, 3, &[1, 2, 3][..]));
                assert_eq!(short.pointer_size(), long.pointer_size());
                let is_bare = matches!(short.kind(), HeaderKind::PERFINFO32 | HeaderKind::PERFINFO64);
                assert_eq!(is_bare, pid == u32::MAX);
                if !is_bare {
                    assert_eq!((short.pid(), short.tid()), (long.pid(), long.tid()));
                    assert_eq!(short.cpu_times(), Some((8, 9)));
                }
            }
        }
        // Other classes, and events of providers, have none.
        let (&(guid, opcode), _) = known.iter().next().unwrap();
        let other = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
        let (mut long, mut short) = (Vec::new(), Vec::new());
        assert!(Full { guid: other, opcode, ..Full::default() }.append(&[], &mut long));
        assert!(!forms.append(&Record::parse(&long, 0).unwrap(), &mut short) && short.is_empty());
        let (mut long, mut short) = (Vec::new(), Vec::new());
        assert!(Event { provider: guid, opcode, ..Event::default() }.append(&[], &[], &mut long));
        assert!(!forms.append(&Record::parse(&long, 0).unwrap(), &mut short) && short.is_empty());
    }
}
