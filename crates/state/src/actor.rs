//! Events whose payload tells who acted: which field holds the thread or the process.

use tracewell_decode::Accessor;
use tracewell_etl::Record;
use tracewell_schema::kernel;

/// Who acted, as a payload tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Actor {
    Thread(u32),
    Process(u32),
}

/// The fields, by class and event; everything else is taken from the schema.
const FIELDS: [(&str, &[u8], &str, bool); 7] = [
    ("PerfInfo", &[46, 47], "ThreadId", true),
    ("DiskIo", &[10, 11, 12, 13, 14, 15], "IssuingThreadId", true),
    ("FileIo", &[64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 77, 79, 80, 81], "TTID", true),
    ("PageFault", &[32], "TThreadId", true),
    ("StackWalk", &[32, 37, 38], "StackThread", true),
    ("TcpIp", &[10, 11, 12, 13, 14, 15, 16, 18, 26, 27, 28, 29, 30, 31, 32, 34], "PID", false),
    ("UdpIp", &[10, 11, 26, 27], "PID", false),
];

/// Versions told apart; later ones read like the last.
const VERSIONS: usize = 8;

/// Groups told apart.
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
        for (class, opcodes, field, is_thread) in FIELDS {
            for &opcode in opcodes {
                actors.add(class, opcode, field, is_thread);
            }
        }
        actors
    }

    fn add(&mut self, class: &str, opcode: u8, field: &str, is_thread: bool) -> Option<()> {
        let class = kernel::class(class)?;
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

    /// Who acted, when the payload of this kind of event tells it.
    #[inline]
    pub(crate) fn of(&self, hook: u16, record: &Record<'_>) -> Option<Actor> {
        let slot = usize::from(*self.slots.get(usize::from(hook))?);
        let field = self.fields.get(slot.checked_sub(1)?)?;
        let version = usize::from(record.version()).min(VERSIONS - 1);
        let accessor =
            field.accessors.get(usize::from(record.pointer_size() == 8))?.get(version)?.as_ref()?;
        let id = accessor.int(record.payload())? as u32;
        match (field.is_thread, id) {
            // What was logged outside any thread has this id.
            (_, u32::MAX) => None,
            (true, tid) => Some(Actor::Thread(tid)),
            (false, pid) => Some(Actor::Process(pid)),
        }
    }
}
