//! Messages between the processes, as bytes: little-endian fields in order, text and lists with a `u32` count.
//!
//! What arrives is hostile: reading gives `None` at anything that does not fit, counts never allocate more than the
//! message has bytes, and bytes that are left over make the message bad.

use tracewell_etl::def::logfile::{ClockType, LogFileMode};
use tracewell_types::Guid;

use super::layout::Geometry;
use super::source::Offers;
use super::status::DaemonStatus;
use super::sys::LoadedImage;
use super::writers::Told;
use crate::properties::{
    Enable, Enabling, IdFilter, Properties, ProviderStatus, SessionStatus, SystemTracing, Update,
    WriterStatus,
};

/// A value that can be sent.
pub(crate) trait Wire: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn get(input: &mut &[u8]) -> Option<Self>;

    /// The value as a whole message.
    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(&mut out);
        out
    }

    /// The value that a message is, and nothing more.
    fn decode(mut input: &[u8]) -> Option<Self> {
        let value = Self::get(&mut input)?;
        input.is_empty().then_some(value)
    }
}

macro_rules! number {
    ($($int:ty)*) => {$(
        impl Wire for $int {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
            fn get(input: &mut &[u8]) -> Option<$int> {
                let (head, rest) = input.split_first_chunk()?;
                *input = rest;
                Some(<$int>::from_le_bytes(*head))
            }
        }
    )*};
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }
    fn get(input: &mut &[u8]) -> Option<(A, B)> {
        Some((A::get(input)?, B::get(input)?))
    }
}

number! { u8 u16 u32 u64 i64 }

impl Wire for bool {
    fn put(&self, out: &mut Vec<u8>) {
        u8::from(*self).put(out);
    }
    fn get(input: &mut &[u8]) -> Option<bool> {
        match u8::get(input)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Wire for String {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        out.extend(self.as_bytes());
    }
    fn get(input: &mut &[u8]) -> Option<String> {
        let length = u32::get(input)? as usize;
        let (text, rest) = input.split_at_checked(length)?;
        *input = rest;
        String::from_utf8(text.to_vec()).ok()
    }
}

impl Wire for Guid {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend(self.to_bytes());
    }
    fn get(input: &mut &[u8]) -> Option<Guid> {
        let (head, rest) = input.split_first_chunk()?;
        *input = rest;
        Some(Guid::from_bytes(*head))
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        self.iter().for_each(|item| item.put(out));
    }
    fn get(input: &mut &[u8]) -> Option<Vec<T>> {
        let count = u32::get(input)? as usize;
        if count > input.len() {
            return None;
        }
        (0..count).map(|_| T::get(input)).collect()
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        self.iter().for_each(|value| value.put(out));
    }
    fn get(input: &mut &[u8]) -> Option<Option<T>> {
        if bool::get(input)? { T::get(input).map(Some) } else { Some(None) }
    }
}

impl Wire for LogFileMode {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }
    fn get(input: &mut &[u8]) -> Option<LogFileMode> {
        u32::get(input).map(LogFileMode)
    }
}

impl Wire for ClockType {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }
    fn get(input: &mut &[u8]) -> Option<ClockType> {
        u32::get(input).map(ClockType)
    }
}

/// Sends a structure field by field.
macro_rules! structure {
    ($name:ty { $($field:ident),* $(,)? }) => {
        impl Wire for $name {
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)*
            }
            fn get(input: &mut &[u8]) -> Option<Self> {
                $(let $field = Wire::get(input)?;)*
                Some(Self { $($field),* })
            }
        }
    };
}

/// Declares an enumeration whose variants are sent with a number in front.
macro_rules! messages {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $number:literal $variant:ident { $($field:ident: $type:ty),* $(,)? })* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(crate) enum $name {
            $($(#[$vdoc])* $variant { $($field: $type),* },)*
        }

        impl Wire for $name {
            fn put(&self, out: &mut Vec<u8>) {
                match self {
                    $($name::$variant { $($field),* } => {
                        u8::put(&$number, out);
                        $($field.put(out);)*
                    })*
                }
            }
            fn get(input: &mut &[u8]) -> Option<Self> {
                Some(match u8::get(input)? {
                    $($number => $name::$variant { $($field: <$type>::get(input)?),* },)*
                    _ => return None,
                })
            }
        }
    };
}

structure!(Geometry { buffer_size, buffers, cpus, overwrite });
structure!(KeptSession {
    generation,
    uid,
    pid,
    raw_start,
    start_time,
    frequency,
    geometry,
    properties,
    tracing
});
structure!(KeptRing { uid, space, only, geometry });
structure!(KeptProvider { slot, uid, name });
structure!(KeptTap { first, feeds });
structure!(Told { key, user, time, whole, bare });
structure!(SystemTracing { stacks, sample_interval });
structure!(Offers { kernel_flags, providers });
structure!(KeptListening { place, session, generation, enable });
structure!(DaemonStatus { pid, sessions, processes, refused, former, kept, version, strangers, stranger });
structure!(LoadedImage { base, size, path, build_id });
structure!(Properties {
    name,
    guid,
    log_file,
    buffer_size,
    minimum_buffers,
    maximum_buffers,
    maximum_file_size,
    mode,
    flush_timer,
    enable_flags,
    clock,
});
structure!(SessionStatus {
    properties,
    id,
    buffers,
    free_buffers,
    events,
    events_lost,
    buffers_written,
    log_buffers_lost,
    realtime_buffers_lost,
    logger_thread,
    rings_closed,
    consumers,
    refused,
    fault,
    warnings,
    forged,
    writers,
});
structure!(WriterStatus { user, namespace, events, lost, forged, closed });
structure!(Enable { provider, level, any, all, ids, processes, stacks, timeout });
structure!(IdFilter { include, ids });
structure!(Enabling { session, level, any, all });
structure!(ProviderStatus { guid, name, processes, enabled });
structure!(Update { log_file, flush_timer, maximum_buffers, enable_flags, real_time });

messages! {
    /// What a controller asks.
    Request {
        /// `empty_kernel_logger`: see [`super::Engine::with_empty_kernel_logger`].
        1 Start { properties: Properties, empty_kernel_logger: bool }
        2 Query { name: String }
        3 Stop { name: String }
        4 Flush { name: String, file: Option<String> }
        5 Update { name: String, update: Update }
        6 List {}
        7 Enable { name: String, enable: Enable }
        8 Disable { name: String, provider: Guid }
        9 CaptureState { name: String, provider: Guid }
        10 Providers {}
        /// The answer comes with one end of a stream of [`super::live`] frames.
        11 Attach { name: String, hold: bool }
        12 Status {}
        /// Stops all sessions, and the daemon.
        13 End {}
        /// What the events of the system have with them in a session.
        14 TraceSystem { name: String, tracing: SystemTracing }
        /// What the sources of the daemon offer the controller.
        15 Offers {}
        /// As `Enable`, and also for providers that register by this name with other GUIDs.
        16 EnableNamed { name: String, provider: String, enable: Enable }
    }
}

messages! {
    /// What the daemon answers. Lists come in as many messages as they take; the last says that it is.
    Answer {
        1 Sessions { sessions: Vec<SessionStatus>, last: bool }
        2 Providers { providers: Vec<ProviderStatus>, last: bool }
        3 Done {}
        4 Refused { code: u32, detail: String }
        5 Daemon { status: DaemonStatus }
        /// Whether kernel events are only those of processes that the controller's user owns.
        6 Offers { offers: Offers, own_processes: bool }
    }
}

messages! {
    /// Messages from a provider's process to the daemon.
    FromProcess {
        /// First of all: whether its writers use restartable sequences. Its first two fields are those of every version, see
        /// [`version_of_process`].
        1 Hello { version: u32, restartable: bool }
        2 Register { guid: Guid, name: String }
        3 Unregister { guid: Guid }
        /// All orders up to this number are done.
        4 Done { order: u64 }
        /// An image that stacks of its events in a session may lead to. Since version 6.
        5 Image { session: u32, generation: u32, image: LoadedImage }
    }
}

messages! {
    /// Messages from the daemon to a provider's process.
    ToProcess {
        /// Comes with the enable table. The version is that of the process.
        1 Welcome { version: u32 }
        /// A provider has this slot of the table; 0 when there is none left for it.
        2 Registered { guid: Guid, slot: u32 }
        /// Comes with the memory of a ring set, to write the events of a session to.
        3 Ring { order: u64, session: u32, generation: u32, buffer_size: u32, buffers: u32, cpus: u32,
                 overwrite: bool, modes: u32, cycles: bool }
        /// A session has ended.
        4 Drop { order: u64, session: u32, generation: u32 }
        /// The request of a session to a provider has changed. `control`: 0 disable, 1 enable, 2 capture
        /// state.
        5 Control { order: u64, guid: Guid, session: u32, generation: u32, control: u8, enable: Enable }
        /// Follows the welcome, with the memory that messages get their numbers from.
        6 Numbers {}
        /// In place of the welcome: the daemon, of that version, does not serve this process.
        7 Refused { version: u32, detail: String }
    }
}

/// What the keeper needs for a session to go on; comes with the memory of its journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptSession {
    pub(crate) generation: u32,
    pub(crate) uid: u32,
    /// The process that started it.
    pub(crate) pid: u32,
    /// The start of the clock, see [`super::clock::Calibration`].
    pub(crate) raw_start: i64,
    pub(crate) start_time: i64,
    pub(crate) frequency: i64,
    pub(crate) geometry: Geometry,
    pub(crate) properties: Properties,
    pub(crate) tracing: SystemTracing,
}

/// A ring set; comes with its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptRing {
    pub(crate) uid: u32,
    /// The PID namespace of its writers; 0 for that of the daemon.
    pub(crate) space: u64,
    /// The process it belongs to, by its own id, if it belongs to one.
    pub(crate) only: Option<u32>,
    pub(crate) geometry: Geometry,
}

/// A provider that has a slot in the enable table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptProvider {
    pub(crate) slot: u32,
    /// The user whose program or session made it known.
    pub(crate) uid: u32,
    pub(crate) name: String,
}

/// A source other than programs that serves a session: the number of its first feed, and how many it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeptTap {
    pub(crate) first: u32,
    pub(crate) feeds: u32,
}

/// The request of a session to a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptListening {
    /// Its place among the listeners of the provider.
    pub(crate) place: u8,
    pub(crate) session: u32,
    pub(crate) generation: u32,
    pub(crate) enable: Enable,
}

messages! {
    /// What a thing is that is kept. In the order in which a new daemon needs them.
    Key {
        1 Session { number: u32 }
        2 Ring { session: u32, set: u32 }
        3 Provider { guid: Guid }
        4 Listening { guid: Guid, session: u32 }
        /// A source, by its place among those of the daemon, that serves a session.
        5 Tap { session: u32, source: u32 }
        /// What such a source keeps, under a number of its choice.
        6 OfTap { session: u32, source: u32, number: u32 }
        /// The name by which a session has enabled a provider; the value is the name.
        7 Named { guid: Guid, session: u32 }
        /// A process that may log to a session, by its key: its name is known to the successor, too, when it has ended.
        8 Writer { session: u32, process: u64 }
    }
}

messages! {
    /// Messages from a daemon to its keeper.
    ToKeeper {
        1 Keep { key: Key, value: Vec<u8> }
        2 Forget { key: Key }
        /// All that is kept for one source of a session, or for all of them.
        3 ForgetTaps { session: u32, source: Option<u32> }
        /// All processes of a session.
        4 ForgetWriters { session: u32 }
    }
}

/// Version of the messages.
pub(crate) const VERSION: u32 = 10;
/// The oldest version of processes that this daemon serves: what came since then are messages they are never sent.
pub(crate) const OLDEST_PROCESS: u32 = 4;
/// The oldest version of daemons that programs of this version log to. Since then programs send the same messages.
pub(crate) const OLDEST_DAEMON: u32 = 6;
/// The last version of controllers that did not say which one they are.
const UNTOLD: u32 = 4;
/// What a request starts with whose controller says its version. No request of the old form does.
const TELLS_VERSION: u8 = 0xFF;

/// What a daemon answers to what it does not know, since the first version.
pub(crate) const NOT_KNOWN: &str = "the daemon does not know this request";

/// The version of the process whose first message this is: whatever else a version may say, first comes the number of the
/// message and then its version.
pub(crate) fn version_of_process(message: &[u8]) -> Option<u32> {
    let (&1, rest) = message.split_first()? else { return None };
    rest.first_chunk().map(|version| u32::from_le_bytes(*version))
}

/// A request as a controller of a version sends it.
pub(crate) fn ask(request: &Request, version: u32) -> Vec<u8> {
    let mut bytes = vec![TELLS_VERSION];
    version.put(&mut bytes);
    request.put(&mut bytes);
    bytes
}

/// What a controller has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Request(Request),
    /// It is of this other version.
    Stranger(u32),
    Nonsense,
}

impl Asked {
    pub(crate) fn of(message: &[u8]) -> Asked {
        let (version, request) = match message.split_first() {
            Some((&TELLS_VERSION, mut rest)) => match u32::get(&mut rest) {
                Some(version) => (version, rest),
                None => return Asked::Nonsense,
            },
            Some((1..=13, _)) => (UNTOLD, message),
            _ => return Asked::Nonsense,
        };
        // That everything is to end can be said in every version: it is the way out of having two.
        match Request::decode(request) {
            Some(request) if version == VERSION || request == Request::End {} => Asked::Request(request),
            _ if version != VERSION => Asked::Stranger(version),
            _ => Asked::Nonsense,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Issue 6: a controller or process of another version is distinguished from invalid data, and can end the
    /// daemon.
    #[test]
    fn versions_are_distinguished() {
        let query = Request::Query { name: "x".into() };
        assert_eq!(Asked::of(&ask(&query, VERSION)), Asked::Request(query.clone()));
        assert_eq!(Asked::of(&ask(&query, 99)), Asked::Stranger(99));
        assert_eq!(Asked::of(&query.encode()), Asked::Stranger(4), "one that did not say its version");
        for version in [4, VERSION, 99] {
            assert_eq!(Asked::of(&ask(&Request::End {}, version)), Asked::Request(Request::End {}));
        }
        assert_eq!(Asked::of(&Request::End {}.encode()), Asked::Request(Request::End {}));
        // A request that only a later version knows.
        assert_eq!(Asked::of(&[0xFF, 99, 0, 0, 0, 77, 1, 2]), Asked::Stranger(99));
        for nonsense in [&[][..], &[0xFF], &[0xFF, 5, 0, 0], &[77], &ask(&query, VERSION)[..8]] {
            assert_eq!(Asked::of(nonsense), Asked::Nonsense, "{nonsense:?}");
        }
        let hello = FromProcess::Hello { version: 77, restartable: true }.encode();
        assert_eq!(version_of_process(&hello), Some(77));
        assert_eq!(version_of_process(&[&hello[..], b"and more"].concat()), Some(77));
        assert_eq!(version_of_process(&hello[..4]), None);
        assert_eq!(version_of_process(&FromProcess::Done { order: 1 }.encode()), None);
    }

    /// Issue 14: programs and daemons since version 6 exchange these bytes and share this memory, in both directions of an
    /// upgrade. What changes here needs a new version, and [`OLDEST_DAEMON`] and [`OLDEST_PROCESS`] exclude those that cannot
    /// work with it.
    #[test]
    fn issue_14_what_programs_and_daemons_exchange_stays_the_same() {
        let guid = Guid::from_bytes(*b"0123456789abcdef");
        let from: [(FromProcess, &[u8]); 5] = [
            (FromProcess::Hello { version: 6, restartable: true }, b"\x01\x06\0\0\0\x01"),
            (FromProcess::Register { guid, name: "ab".into() }, b"\x020123456789abcdef\x02\0\0\0ab"),
            (FromProcess::Unregister { guid }, b"\x030123456789abcdef"),
            (FromProcess::Done { order: 258 }, b"\x04\x02\x01\0\0\0\0\0\0"),
            (
                FromProcess::Image {
                    session: 1,
                    generation: 2,
                    image: LoadedImage { base: 3, size: 4, path: "/a".into(), build_id: vec![5] },
                },
                b"\x05\x01\0\0\0\x02\0\0\0\x03\0\0\0\0\0\0\0\x04\0\0\0\0\0\0\0\x02\0\0\0/a\x01\0\0\0\x05",
            ),
        ];
        for (message, bytes) in from {
            assert_eq!((message.encode(), FromProcess::decode(bytes)), (bytes.to_vec(), Some(message)));
        }
        let enable = Enable {
            provider: guid,
            level: 4,
            any: 5,
            all: 6,
            ids: Some(IdFilter { include: true, ids: vec![7] }),
            processes: vec![8],
            stacks: true,
            timeout: 9,
        };
        let to: [(ToProcess, &[u8]); 7] = [
            (ToProcess::Welcome { version: 6 }, b"\x01\x06\0\0\0"),
            (ToProcess::Registered { guid, slot: 1 }, b"\x020123456789abcdef\x01\0\0\0"),
            (
                ToProcess::Ring {
                    order: 1,
                    session: 2,
                    generation: 3,
                    buffer_size: 4,
                    buffers: 5,
                    cpus: 6,
                    overwrite: false,
                    modes: 7,
                    cycles: true,
                },
                b"\x03\x01\0\0\0\0\0\0\0\x02\0\0\0\x03\0\0\0\x04\0\0\0\x05\0\0\0\x06\0\0\0\0\x07\0\0\0\x01",
            ),
            (
                ToProcess::Drop { order: 1, session: 2, generation: 3 },
                b"\x04\x01\0\0\0\0\0\0\0\x02\0\0\0\x03\0\0\0",
            ),
            (
                ToProcess::Control { order: 1, guid, session: 2, generation: 3, control: 1, enable },
                b"\x05\x01\0\0\0\0\0\0\x000123456789abcdef\x02\0\0\0\x03\0\0\0\x010123456789abcdef\x04\
                  \x05\0\0\0\0\0\0\0\x06\0\0\0\0\0\0\0\x01\x01\x01\0\0\0\x07\0\x01\0\0\0\x08\0\0\0\x01\x09\0\0\0",
            ),
            (ToProcess::Numbers {}, b"\x06"),
            (
                ToProcess::Refused { version: 6, detail: "no".into() },
                b"\x07\x06\0\0\0\x02\0\0\0no",
            ),
        ];
        for (message, bytes) in to {
            assert_eq!((message.encode(), ToProcess::decode(bytes)), (bytes.to_vec(), Some(message)));
        }
    }

    /// The same for the memory that they share: rings, the enable table, the numbers of messages.
    #[test]
    fn issue_14_memory_that_programs_and_daemons_share_stays_the_same() {
        use super::super::layout::{CPU_STRIDE, at};
        use super::super::{numbers, table};
        use std::mem::offset_of;
        let control = [at::CURSOR, at::LOST, at::CONSUMED, at::SLEEPING, at::FILLED];
        assert_eq!((control, at::FIRST_RECORD, CPU_STRIDE), ([0, 16, 64, 68, 1024], 72, 4096));
        let geometry = Geometry { buffer_size: 4096, buffers: 4, cpus: 2, overwrite: false };
        assert_eq!((geometry.size(), geometry.buffer_offset(1, 7)), (45_056, 36_864));
        let slot = [
            offset_of!(table::Slot, threshold),
            offset_of!(table::Slot, listeners),
            offset_of!(table::Slot, any),
            offset_of!(table::Slot, listener),
            size_of::<table::Slot>(),
        ];
        assert_eq!((slot, table::SLOTS), ([0, 4, 8, 16, 320], 16_384));
        let listener = [
            offset_of!(table::Listener, session),
            offset_of!(table::Listener, level),
            offset_of!(table::Listener, any),
            offset_of!(table::Listener, all),
            size_of::<table::Listener>(),
        ];
        assert_eq!((listener, table::FILTERED, table::STACKS), ([0, 8, 16, 24, 32], 0x1_0000, 0x2_0000));
        assert_eq!((numbers::GLOBAL, numbers::place(1), numbers::SIZE), (0, Some(64), 8192));
    }

    #[test]
    fn messages_survive_the_wire() {
        let enable = Enable {
            ids: Some(IdFilter { include: true, ids: vec![1, 65535] }),
            processes: vec![7],
            ..Enable::all_of(Guid::new(1, 2, 3, [4; 8]))
        };
        let request = Request::Enable { name: "naïve".into(), enable };
        assert_eq!(Request::decode(&request.encode()), Some(request.clone()));
        let Request::Enable { name, enable } = request else { unreachable!("it was made above") };
        let request = Request::EnableNamed { name, provider: "Bäcker".into(), enable };
        assert_eq!(Request::decode(&request.encode()), Some(request));
        let answer = Answer::Sessions { sessions: vec![SessionStatus::default(); 3], last: true };
        assert_eq!(Answer::decode(&answer.encode()), Some(answer));
    }

    #[test]
    fn cut_long_and_absurd_messages_are_refused() {
        let whole = Request::Flush { name: "x".into(), file: Some("y".into()) }.encode();
        for end in 0..whole.len() {
            assert_eq!(Request::decode(&whole[..end]), None, "cut at {end}");
        }
        assert_eq!(Request::decode(&[&whole[..], &[0]].concat()), None);
        assert_eq!(Request::decode(&[99]), None);
        // A list that claims four billion entries.
        assert_eq!(Answer::decode(&[1, 0xFF, 0xFF, 0xFF, 0xFF, 0]), None);
        assert_eq!(Request::decode(&[2, 1, 0, 0, 0, 0xFF]), None, "not UTF-8");
    }
}
