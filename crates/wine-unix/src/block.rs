//! `EVENT_TRACE_PROPERTIES` (evntrace.h) of a program for 64-bit Windows, with the texts behind it.

use tracewell_session::evntrace::{MS_FLUSH_TIMER, properties as at};
use tracewell_session::{ClockType, LogFileMode, Properties, SessionStatus, Update};
use tracewell_types::Guid;
use tracewell_wine_pe::{call, codes};

// The half for Windows imports nothing.
const _: () = assert!(call::PROPERTIES == at::BYTES && call::LOG_FILE_NAME == at::LOG_FILE_NAME);

/// The block that a program hands over.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    bytes: &'a mut [u8],
    /// Whether its texts have units of 16 bits.
    wide: bool,
}

impl<'a> Block<'a> {
    /// Fails with the error code of Windows if it is too short.
    pub(crate) fn new(bytes: &'a mut [u8], wide: bool) -> Result<Block<'a>, u32> {
        let block = Block { bytes, wide };
        // What lies between the fields and the end are texts.
        if block.bytes.len() < at::BYTES || block.bytes.len() != block.u32(at::SIZE) as usize {
            return Err(codes::BAD_LENGTH);
        }
        Ok(block)
    }

    fn u32(&self, at: usize) -> u32 {
        let bytes = self.bytes.get(at..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) {
        if let Some(place) = self.bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            *place = bytes;
        }
    }

    fn mode(&self) -> LogFileMode {
        LogFileMode(self.u32(at::MODE))
    }

    /// The flush timer in milliseconds.
    fn flush_timer(&self) -> u32 {
        let timer = self.u32(at::FLUSH_TIMER);
        if self.mode().has(MS_FLUSH_TIMER) { timer } else { timer.saturating_mul(1000) }
    }

    /// What a session is to be started with, under a name and with a log file.
    pub(crate) fn asked(&self, name: String, log_file: String) -> Properties {
        let guid = self.bytes.get(at::GUID..).and_then(<[u8]>::first_chunk);
        let clock = match self.u32(at::CLOCK) {
            0 => ClockType::PERFORMANCE_COUNTER,
            clock => ClockType(clock),
        };
        Properties {
            name,
            guid: guid.map_or(Guid::ZERO, |bytes| Guid::from_bytes(*bytes)),
            log_file,
            buffer_size: self.u32(at::BUFFER_SIZE),
            minimum_buffers: self.u32(at::MINIMUM_BUFFERS),
            maximum_buffers: self.u32(at::MAXIMUM_BUFFERS),
            maximum_file_size: self.u32(at::MAXIMUM_FILE_SIZE),
            mode: self.mode().without(MS_FLUSH_TIMER),
            flush_timer: self.flush_timer(),
            enable_flags: self.u32(at::ENABLE_FLAGS),
            clock,
        }
    }

    /// How a session that runs is to change. A value of 0, and the file that it has, change nothing.
    pub(crate) fn changes(&self, log_file: &str, present: &Properties) -> Update {
        let changed = |value: u32, present: u32| (value != 0 && value != present).then_some(value);
        let real_time = self.mode().has(LogFileMode::REAL_TIME);
        Update {
            log_file: (!log_file.is_empty() && log_file != present.log_file).then(|| log_file.to_owned()),
            flush_timer: changed(self.flush_timer(), present.flush_timer),
            maximum_buffers: changed(self.u32(at::MAXIMUM_BUFFERS), present.maximum_buffers),
            enable_flags: changed(self.u32(at::ENABLE_FLAGS), present.enable_flags),
            real_time: (real_time != present.mode.has(LogFileMode::REAL_TIME)).then_some(real_time),
        }
    }

    /// Fills in what a session is and has done, except the name of its log file. Fails if its name does not fit.
    pub(crate) fn fill(&mut self, status: &SessionStatus) -> Result<(), u32> {
        let SessionStatus { properties, .. } = status;
        let whole_seconds = properties.flush_timer.is_multiple_of(1000) && !self.mode().has(MS_FLUSH_TIMER);
        let (timer, mode) = match whole_seconds {
            true => (properties.flush_timer / 1000, properties.mode.without(MS_FLUSH_TIMER)),
            false => (properties.flush_timer, properties.mode.with(MS_FLUSH_TIMER)),
        };
        let few = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        self.put(at::HANDLE, u64::from(status.id).to_le_bytes());
        self.put(at::GUID, properties.guid.to_bytes());
        for (at, value) in [
            (at::CLOCK, properties.clock.0),
            (at::BUFFER_SIZE, properties.buffer_size),
            (at::MINIMUM_BUFFERS, properties.minimum_buffers),
            (at::MAXIMUM_BUFFERS, properties.maximum_buffers),
            (at::MAXIMUM_FILE_SIZE, properties.maximum_file_size),
            (at::MODE, mode.0),
            (at::FLUSH_TIMER, timer),
            (at::ENABLE_FLAGS, properties.enable_flags),
            (at::BUFFERS, status.buffers),
            (at::FREE_BUFFERS, status.free_buffers),
            (at::EVENTS_LOST, few(status.events_lost)),
            (at::BUFFERS_WRITTEN, few(status.buffers_written)),
            (at::LOG_BUFFERS_LOST, few(status.log_buffers_lost)),
            (at::REALTIME_BUFFERS_LOST, few(status.realtime_buffers_lost)),
        ] {
            self.put(at, value.to_le_bytes());
        }
        self.put(at::LOGGER_THREAD, u64::from(status.logger_thread).to_le_bytes());
        self.put_name(&properties.name)
    }

    /// Writes the name where the program has room for it, up to the name of the file if that is behind it.
    fn put_name(&mut self, name: &str) -> Result<(), u32> {
        let (start, file) = (self.u32(at::NAME) as usize, self.u32(at::LOG_FILE_NAME) as usize);
        if start == 0 {
            return Ok(());
        }
        let end = if file > start { file } else { self.bytes.len() };
        let text = text_of(name, self.wide);
        let room = self.bytes.get_mut(start..end.min(self.bytes.len())).filter(|_| start >= at::BYTES);
        let place = room.and_then(|room| room.get_mut(..text.len())).ok_or(codes::MORE_DATA)?;
        place.copy_from_slice(&text);
        Ok(())
    }
}

/// A text as Windows programs have it, with its zero.
fn text_of(text: &str, wide: bool) -> Vec<u8> {
    if wide {
        text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect()
    } else {
        // The letters that all code pages of western languages share.
        let letter = |letter| u8::try_from(u32::from(letter)).unwrap_or(b'?');
        text.chars().map(letter).chain([0]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block for texts of so many bytes each, the name first.
    fn made(room: usize) -> Vec<u8> {
        let mut bytes = vec![0; at::BYTES + 2 * room];
        let size = bytes.len() as u32;
        for (at, word) in [
            (at::SIZE, size),
            (at::CLOCK, 2),
            (at::BUFFER_SIZE, 128),
            (at::MINIMUM_BUFFERS, 4),
            (at::MAXIMUM_BUFFERS, 16),
            (at::MAXIMUM_FILE_SIZE, 9),
            (at::MODE, LogFileMode::REAL_TIME.0),
            (at::FLUSH_TIMER, 3),
            (at::ENABLE_FLAGS, 5),
            (at::NAME, at::BYTES as u32),
            (at::LOG_FILE_NAME, (at::BYTES + room) as u32),
        ] {
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        bytes[at::GUID..at::GUID + 16].copy_from_slice(&[7; 16]);
        bytes
    }

    #[test]
    fn issue_18_a_block_says_what_is_asked_for() {
        let mut bytes = made(64);
        let asked = Block::new(&mut bytes, true).unwrap().asked("s".into(), "/tmp/s.etl".into());
        let wanted = Properties {
            name: "s".into(),
            guid: Guid::from_bytes([7; 16]),
            log_file: "/tmp/s.etl".into(),
            buffer_size: 128,
            minimum_buffers: 4,
            maximum_buffers: 16,
            maximum_file_size: 9,
            mode: LogFileMode::REAL_TIME,
            flush_timer: 3000,
            enable_flags: 5,
            clock: ClockType::SYSTEM_TIME,
        };
        assert_eq!(asked, wanted);
        bytes[at::MODE] = 0x11;
        bytes[at::CLOCK] = 0;
        let asked = Block::new(&mut bytes, true).unwrap().asked(String::new(), String::new());
        let clock = ClockType::PERFORMANCE_COUNTER;
        assert_eq!((asked.flush_timer, asked.mode, asked.clock), (3, LogFileMode(0x101), clock));
    }

    #[test]
    fn issue_18_a_block_shorter_than_it_says_is_refused() {
        for (size, said) in [(0, 0), (119, 119), (120, 119), (120, 121), (64, 120)] {
            let mut bytes = vec![0; size];
            if let Some(place) = bytes.first_chunk_mut() {
                *place = u32::to_le_bytes(said);
            }
            assert_eq!(Block::new(&mut bytes, true).err(), Some(codes::BAD_LENGTH), "{size} {said}");
        }
    }

    #[test]
    fn issue_18_only_what_differs_is_changed() {
        let mut bytes = made(64);
        let block = Block::new(&mut bytes, true).unwrap();
        let present = block.asked("s".into(), "/tmp/a.etl".into());
        assert_eq!(block.changes("/tmp/a.etl", &present), Update::default());
        assert_eq!(block.changes("", &present), Update::default());
        let other = Properties { flush_timer: 1, maximum_buffers: 8, mode: LogFileMode(0), ..present };
        let update = Update {
            log_file: Some("/tmp/b.etl".into()),
            flush_timer: Some(3000),
            maximum_buffers: Some(16),
            enable_flags: None,
            real_time: Some(true),
        };
        assert_eq!(block.changes("/tmp/b.etl", &other), update);
    }

    #[test]
    fn issue_18_a_status_fills_the_block() {
        let status = SessionStatus {
            properties: Properties {
                name: "sess".into(),
                buffer_size: 64,
                minimum_buffers: 2,
                maximum_buffers: 3,
                maximum_file_size: 11,
                mode: LogFileMode::CIRCULAR,
                flush_timer: 2000,
                enable_flags: 6,
                ..Properties::default()
            },
            id: 12,
            buffers: 21,
            free_buffers: 20,
            events_lost: 1 << 40,
            buffers_written: 31,
            log_buffers_lost: 32,
            realtime_buffers_lost: 33,
            logger_thread: 34,
            ..SessionStatus::default()
        };
        let mut bytes = made(64);
        Block::new(&mut bytes, true).unwrap().fill(&status).unwrap();
        let block = Block::new(&mut bytes, true).unwrap();
        let fields = [1, 64, 2, 3, 11, 2, 2, 6];
        let places = [
            at::CLOCK,
            at::BUFFER_SIZE,
            at::MINIMUM_BUFFERS,
            at::MAXIMUM_BUFFERS,
            at::MAXIMUM_FILE_SIZE,
            at::MODE,
            at::FLUSH_TIMER,
            at::ENABLE_FLAGS,
        ];
        assert_eq!(places.map(|at| block.u32(at)), fields);
        let counts = [12, 21, 20, u32::MAX, 31, 32, 33, 34];
        let places = [
            at::HANDLE,
            at::BUFFERS,
            at::FREE_BUFFERS,
            at::EVENTS_LOST,
            at::BUFFERS_WRITTEN,
            at::LOG_BUFFERS_LOST,
            at::REALTIME_BUFFERS_LOST,
            at::LOGGER_THREAD,
        ];
        assert_eq!(places.map(|at| block.u32(at)), counts);
        assert_eq!(&bytes[at::BYTES..at::BYTES + 10], b"s\0e\0s\0s\0\0\0");
        let millis = SessionStatus {
            properties: Properties { flush_timer: 1500, ..status.properties.clone() },
            ..status
        };
        Block::new(&mut bytes, false).unwrap().fill(&millis).unwrap();
        assert_eq!(&bytes[at::BYTES..at::BYTES + 6], b"sess\0\0");
        let block = Block::new(&mut bytes, false).unwrap();
        assert_eq!((block.u32(at::FLUSH_TIMER), block.mode().has(MS_FLUSH_TIMER)), (1500, true));
    }

    #[test]
    fn issue_18_a_name_is_written_only_where_there_is_room() {
        let status = SessionStatus {
            properties: Properties { name: "session".into(), ..Properties::default() },
            ..SessionStatus::default()
        };
        // Eight letters with the zero: 8 bytes fit them, 15 do not fit units of 16 bits.
        for (room, wide, fits) in [(8, false, true), (7, false, false), (16, true, true), (15, true, false)] {
            let mut bytes = made(room);
            let former = bytes[at::BYTES..].to_vec();
            let filled = Block::new(&mut bytes, wide).unwrap().fill(&status);
            assert_eq!(filled.is_ok(), fits, "{room} {wide}");
            assert_eq!(bytes[at::BYTES..] == former, !fits, "{room} {wide}");
        }
        // Offsets that are not behind the fields.
        for start in [4_u32, 119, 4000, u32::MAX] {
            let mut bytes = made(64);
            bytes[at::NAME..at::NAME + 4].copy_from_slice(&start.to_le_bytes());
            bytes[at::LOG_FILE_NAME..at::LOG_FILE_NAME + 4].copy_from_slice(&[0; 4]);
            let filled = Block::new(&mut bytes, true).unwrap().fill(&status);
            assert_eq!(filled, Err(codes::MORE_DATA), "{start}");
            assert_eq!(bytes[..4], (at::BYTES as u32 + 128).to_le_bytes());
        }
        let mut bytes = made(64);
        bytes[at::NAME..at::NAME + 4].copy_from_slice(&[0; 4]);
        assert_eq!(Block::new(&mut bytes, true).unwrap().fill(&status), Ok(()), "no name is wanted");
    }
}
