//! Events whose payload identifies the actor: the field with the thread or the process.

use tracewell_decode::Accessor;
use tracewell_etl::Record;
use tracewell_schema::{EventClass, Version, kernel};

/// The actor according to a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Actor {
    Thread(u32),
    Process(u32),
}

/// The fields by class: every event that has the field in some version. All else is taken from the schema.
const FIELDS: [(&str, &str, bool); 7] = [
    ("PerfInfo", "ThreadId", true),
    ("DiskIo", "IssuingThreadId", true),
    ("FileIo", "TTID", true),
    ("PageFault", "TThreadId", true),
    ("StackWalk", "StackThread", true),
    ("TcpIp", "PID", false),
    ("UdpIp", "PID", false),
];

/// Number of versions that are distinguished; later ones use the layout of the last.
const VERSIONS: usize = 8;

/// Number of groups that are distinguished.
const GROUPS: usize = 32;

/// The accessors of all these fields, found by hook, version and pointer size.
#[derive(Debug)]
pub(crate) struct Actors {
    /// For each (group, opcode) a slot number, or zero.
    slots: Box<[u8; GROUPS * 256]>,
    fields: Vec<ActorField>,
}

#[derive(Debug)]
struct ActorField {
    is_thread: bool,
    /// By pointer size (4, 8) and version.
    accessors: [[Option<Accessor>; VERSIONS]; 2],
}

impl Actors {
    pub(crate) fn new() -> Actors {
        let mut actors = Actors { slots: Box::new([0; GROUPS * 256]), fields: Vec::new() };
        for (class, field, is_thread) in FIELDS {
            let Some(class) = kernel::class(class) else { continue };
            let has = |version: &Version| version.fields.iter().any(|of_event| of_event.name == field);
            for event in class.events.iter().filter(|event| event.versions.iter().any(has)) {
                actors.add(class, event.opcode, field, is_thread);
            }
        }
        actors
    }

    fn add(&mut self, class: &EventClass, opcode: u8, field: &str, is_thread: bool) -> Option<()> {
        let slot = usize::from(class.group?) << 8 | usize::from(opcode);
        let accessors = [4, 8].map(|pointer_size| {
            std::array::from_fn(|version| {
                let layout = class.event(opcode, u8::try_from(version).ok()?)?.version;
                Accessor::new(layout, field, pointer_size)
            })
        });
        self.fields.push(ActorField { is_thread, accessors });
        *self.slots.get_mut(slot)? = u8::try_from(self.fields.len()).ok()?;
        Some(())
    }

    /// Returns the actor, if the payload of this event type contains it.
    #[inline]
    pub(crate) fn of(&self, hook: u16, record: &Record<'_>) -> Option<Actor> {
        let slot = usize::from(*self.slots.get(usize::from(hook))?);
        let field = self.fields.get(slot.checked_sub(1)?)?;
        let version = usize::from(record.layout_version()).min(VERSIONS - 1);
        let accessor =
            field.accessors.get(usize::from(record.pointer_size() == 8))?.get(version)?.as_ref()?;
        let id = accessor.int(record.payload())? as u32;
        match (field.is_thread, id) {
            // Events logged outside any thread have this id.
            (_, u32::MAX) => None,
            (true, tid) => Some(Actor::Thread(tid)),
            (false, pid) => Some(Actor::Process(pid)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_etl::Trace;
    use tracewell_etl::write::{PointerSize, System, TraceConfig, TraceWriter};
    use tracewell_schema::kernel::hook;
    use tracewell_types::FileTime;

    /// Which events contain their actor, and which do not.
    #[test]
    fn events_with_an_actor() {
        let actors = Actors::new();
        let has = |hook: u16| actors.slots[usize::from(hook)] != 0;
        for with in [
            hook::PERF_INFO_SAMPLE_PROFILE,
            hook::PERF_INFO_PMC_COUNTER_PROF,
            hook::DISK_IO_READ,
            hook::DISK_IO_FLUSH_INIT,
            hook::FILE_IO_CREATE,
            hook::FILE_IO_DIR_NOTIFY,
            hook::FILE_IO_SET_LINK_PATH,
            hook::PAGE_FAULT_HARD_FAULT,
            hook::STACK_WALK_STACK,
            hook::STACK_WALK_STACK_KEY_USER,
            hook::TCP_IP_SEND_IPV4,
            hook::UDP_IP_RECV_IPV6,
        ] {
            assert!(has(with), "{with:#x}");
        }
        for without in [
            hook::THREAD_CSWITCH,
            hook::PERF_INFO_SYS_CL_ENTER,
            hook::FILE_IO_OPERATION_END,
            hook::FILE_IO_NAME,
            hook::STACK_WALK_KEY_RUNDOWN,
            hook::TCP_IP_FAIL,
        ] {
            assert!(!has(without), "{without:#x}");
        }
    }

    /// Every event of these classes, in every version and pointer size: the actor is what the event's own field says.
    #[test]
    fn the_actor_is_in_the_field_that_the_schema_names() {
        let actors = Actors::new();
        let config = TraceConfig { buffer_size: 64 << 10, ..TraceConfig::default() };
        let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), config).unwrap();
        // Each word of the payload is another number.
        let payload: Vec<u8> = (1..=40u32).flat_map(|word| (0x100 + word).to_le_bytes()).collect();
        let mut all = Vec::new();
        for (name, field, is_thread) in FIELDS {
            let class = kernel::class(name).unwrap();
            for event in class.events {
                for version in event.versions {
                    for (pointer_size, size) in [(PointerSize::P32, 4), (PointerSize::P64, 8)] {
                        let (group, opcode) = (class.group.unwrap(), event.opcode);
                        let time = all.len() as i64;
                        let header = System {
                            time,
                            group,
                            opcode,
                            version: u16::from(version.number),
                            pointer_size,
                            ..System::default()
                        };
                        writer.system(0, &header, &payload).unwrap();
                        let accessor = Accessor::new(version, field, size);
                        let own = accessor.and_then(|accessor| accessor.int(&payload)).map(|id| id as u32);
                        all.push((own, is_thread, format!("{name} {opcode} v{} {size}", version.number)));
                    }
                }
            }
        }
        let file = writer.finish(FileTime(1)).unwrap().into_inner();
        let trace = Trace::open(&file).unwrap();
        let mut records = trace.by_time();
        let (mut found, mut checked) = (0, 0);
        while let Some(record) = records.next() {
            let hook = record.hook().unwrap();
            // The log file header.
            if hook == 0 {
                continue;
            }
            let (own, is_thread, name) = &all[record.time() as usize];
            let actor = |id| if *is_thread { Actor::Thread(id) } else { Actor::Process(id) };
            assert_eq!(actors.of(hook, &record), own.map(actor), "{name}");
            (found, checked) = (found + u32::from(own.is_some()), checked + 1);
        }
        assert!(checked == all.len() && found > 100, "{found} of {checked}, {}", all.len());
    }
}
