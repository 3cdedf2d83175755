//! Walking the records of one buffer, and of all buffers in file order.

use crate::compress::{self, ExpandError};
use crate::def::buffer::{BUFFER_HEADER_SIZE, CompressionFormat, FILLER, RECORD_ALIGNMENT};
use crate::head::{self, Head};
use crate::memory;
use crate::read::buffers::BufferInfo;
use crate::read::ledger::{DamageReason, Ledger};
use crate::read::limits::PagesRead;
use crate::read::trace::Trace;
use crate::record::Record;
use crate::wanted::{Choice, Wanted};
use bytes::BytesMut;
use std::ops::Range;

/// The records of one buffer at a time: borrowed from the file, or expanded into the cursor's own
/// memory.
#[derive(Debug, Default)]
pub(crate) struct Lane<'a> {
    content: Content<'a>,
    /// Whether positions of records are not positions in the file.
    compressed: bool,
    /// Offset of the next record.
    at: usize,
    /// The first bytes of the record at `at`, and while one is at the head those of the record after it. They are read
    /// that early so that the memory has time to arrive: with many processors a lane is touched rarely.
    word: u64,
    /// The next record, unless the lane is at its end.
    pub(crate) head: Head,
    pub(crate) cpu: u16,
    /// Start of the buffer in the file, for the ledger.
    offset: u64,
}

/// The bytes of the records of a buffer.
#[derive(Debug, Default)]
struct Content<'a> {
    /// Records in the file, when the buffer is not compressed.
    borrowed: &'a [u8],
    /// Room for expanded records; kept from buffer to buffer. May be a part of what was allocated for several lanes.
    room: BytesMut,
    /// Bytes of `room` that hold records; meaningless while `expanded` is false.
    filled: usize,
    /// Whether the records are in `room` rather than `borrowed`.
    expanded: bool,
}

impl Content<'_> {
    #[inline(always)]
    fn records(&self) -> &[u8] {
        if self.expanded { self.room.get(..self.filled).unwrap_or_default() } else { self.borrowed }
    }
}

/// Memory is asked for so far before a record is read from it: an access to memory takes as long as some ten records do,
const ASKED: Range<usize> = 2048..2048 + 6 * LINE;

/// and brings so many bytes. Records are small, so most of their lines are asked for even though the longer of them
/// go beyond what is asked for with each.
const LINE: usize = 64;

impl<'a> Lane<'a> {
    /// A lane with room for expanded records.
    pub(crate) fn with_room(room: BytesMut) -> Lane<'a> {
        Lane { content: Content { room, ..Content::default() }, ..Lane::default() }
    }

    /// Starts on a buffer. Returns `true` if it has a record, which then is at [`Lane::head`].
    ///
    /// `body` is the buffer's bytes after its header; `default_time` goes to records that have no time and follow none
    /// that has.
    pub(crate) fn open(
        &mut self,
        info: &BufferInfo,
        body: &'a [u8],
        format: CompressionFormat,
        default_time: i64,
        ledger: &mut Ledger,
    ) -> bool {
        if info.compressed() {
            return self.open_copy(info, body, format, default_time, ledger);
        }
        self.start(info, default_time);
        self.content.expanded = false;
        self.content.borrowed = body.get(..info.records_size()).unwrap_or(body);
        self.word = word_at(self.content.records(), 0);
        self.peek(ledger)
    }

    /// As [`Lane::open`], but holds the records itself, compressed or not.
    pub(crate) fn open_copy(
        &mut self,
        info: &BufferInfo,
        body: &[u8],
        format: CompressionFormat,
        default_time: i64,
        ledger: &mut Ledger,
    ) -> bool {
        self.start(info, default_time);
        let content = &mut self.content;
        content.expanded = true;
        let need = info.records_size();
        if content.room.len() < need {
            content.room = BytesMut::zeroed(need);
        }
        let room = &mut content.room[..need];
        content.filled = if info.compressed() {
            match compress::expand(format, body, room) {
                Ok(()) => need,
                Err(error) => salvage(info, error, need, ledger),
            }
        } else {
            let count = need.min(body.len());
            room[..count].copy_from_slice(&body[..count]);
            count
        };
        self.word = word_at(self.content.records(), 0);
        self.peek(ledger)
    }

    fn start(&mut self, info: &BufferInfo, default_time: i64) {
        self.at = 0;
        self.cpu = info.cpu;
        self.offset = info.offset;
        self.compressed = info.compressed();
        self.head = Head { time: info.first_time.unwrap_or(default_time), ..Head::default() };
    }

    /// Bytes of room for expanded records.
    pub(crate) fn room(&self) -> usize {
        self.content.room.len()
    }

    /// Releases the memory for expanded records.
    pub(crate) fn release(&mut self) {
        self.content = Content::default();
    }

    /// Reads the head of the record at `at`, whose first bytes are `word`. Returns `true` if there is
    /// one.
    #[inline(always)]
    fn peek(&mut self, ledger: &mut Ledger) -> bool {
        if self.word as u32 == u32::from_le_bytes([FILLER; 4]) {
            return self.end(ledger);
        }
        let records = self.content.records();
        let rest = records.get(self.at..).unwrap_or_default();
        match Head::read_from(self.word, rest, self.head.time) {
            Ok(head) => {
                for line in ASKED.step_by(LINE) {
                    memory::ask(rest, line);
                }
                self.head = head;
                self.word = word_at(rest, head.step());
                true
            }
            Err(fault) => {
                let position = self.at as u32;
                let length = rest.len() as u64;
                ledger.enter(self.place(), length, DamageReason::Record { position, fault });
                false
            }
        }
    }

    /// Handles the end of the records, also if only filler follows.
    #[cold]
    fn end(&self, ledger: &mut Ledger) -> bool {
        let rest = self.content.records().get(self.at..).unwrap_or_default();
        if rest.len() >= RECORD_ALIGNMENT && rest.iter().any(|byte| *byte != FILLER) {
            let position = self.at as u32;
            ledger.enter(self.place(), rest.len() as u64, DamageReason::Filler { position });
        }
        false
    }

    /// Steps over the record at the head. Returns `true` if there is another.
    #[inline(always)]
    pub(crate) fn advance(&mut self, ledger: &mut Ledger) -> bool {
        self.at += self.head.step();
        self.peek(ledger)
    }

    /// The offset of the record at the head, from the end of the buffer header.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Returns the number of bytes still to be read of a buffer that occupies `size` bytes in the
    /// file.
    pub(crate) fn unread(&self, size: u32) -> u64 {
        let whole = self.content.records().len().max(1) as u64;
        u64::from(size) * whole.saturating_sub(self.at as u64) / whole
    }

    /// Steps from the record at the head to the first wanted one, itself included. Returns `true` if there is
    /// one. With `CHECK` the extended items of the others are looked into, too; see [`Lane::check`].
    #[inline]
    pub(crate) fn seek<const CHECK: bool>(&mut self, wanted: &Choice, ledger: &mut Ledger) -> bool {
        wanted.has(self.head.kind, self.head.hook) || self.seek_on::<CHECK>(wanted, ledger)
    }

    /// As [`Lane::seek`], from a record that is not wanted.
    #[inline(never)]
    fn seek_on<const CHECK: bool>(&mut self, wanted: &Choice, ledger: &mut Ledger) -> bool {
        loop {
            if CHECK {
                self.check(ledger);
            }
            self.at += self.head.step();
            self.skip::<CHECK>(wanted);
            if !self.peek(ledger) {
                return false;
            }
            if wanted.has(self.head.kind, self.head.hook) {
                return true;
            }
        }
    }

    /// Steps over valid unwanted records from `at` on, reading only their first bytes. Stops at every record that
    /// needs a closer look.
    #[inline]
    fn skip<const CHECK: bool>(&mut self, wanted: &Choice) {
        let (mut at, mut word) = (self.at, self.word);
        let mut last = None;
        let records = self.content.records();
        while let Some(step) = Head::step_over(word, wanted, records.len().saturating_sub(at)) {
            if CHECK && Head::is_extended(word) {
                break;
            }
            last = Some(at);
            memory::ask(records, at + ASKED.start);
            at += step;
            word = word_at(records, at);
        }
        // Records without a time take that of the record before them. Only others have none.
        if wanted.has_untimed()
            && let Some(time) = last.and_then(|last| Head::first_time(records.get(last..)?))
        {
            self.head.time = time;
        }
        (self.at, self.word) = (at, word);
    }

    /// As [`Lane::advance`], but also steps over kernel records whose first bytes `is_known` accepts, and adds their sizes to
    /// `passed` until that is `most`.
    #[inline]
    fn advance_past(
        &mut self,
        (passed, most): (&mut u64, u64),
        is_known: impl Fn(u64) -> bool,
        ledger: &mut Ledger,
    ) -> bool {
        self.at += self.head.step();
        let (mut at, mut word) = (self.at, self.word);
        let mut last = None;
        let records = self.content.records();
        while *passed < most
            && is_known(word)
            && let Some(size) = Head::sound_size(word, records.len().saturating_sub(at))
        {
            last = Some(at);
            *passed += u64::from(size);
            at += head::step(size);
            word = word_at(records, at);
        }
        if let Some(time) = last.and_then(|last| Head::first_time(records.get(last..)?)) {
            self.head.time = time;
        }
        (self.at, self.word) = (at, word);
        self.peek(ledger)
    }

    /// Enters the record at the head in the ledger if the part between its header and its payload is damaged, and returns
    /// `true` if it is valid. A damaged record can still be delivered, with an empty payload; see [`Record::fault`].
    #[inline]
    pub(crate) fn check(&self, ledger: &mut Ledger) -> bool {
        let bytes = self.content.records().get(self.at..).unwrap_or_default();
        !Record::may_have_fault(self.head.kind, bytes) || self.enter_fault(ledger)
    }

    #[inline(never)]
    fn enter_fault(&self, ledger: &mut Ledger) -> bool {
        let fault = self.record().fault();
        if let Some(fault) = fault {
            let reason = DamageReason::Record { position: self.at as u32, fault };
            ledger.enter(self.place(), self.head.size.into(), reason);
        }
        fault.is_none()
    }

    /// The position of the record at the head in the file; for an expanded buffer, the position of
    /// the buffer.
    fn place(&self) -> u64 {
        self.offset + if self.compressed { 0 } else { (BUFFER_HEADER_SIZE + self.at) as u64 }
    }

    /// The record at the head.
    #[inline]
    pub(crate) fn record(&self) -> Record<'_> {
        Record::of(&self.head, self.content.records().get(self.at..).unwrap_or_default(), self.cpu)
    }
}

/// The first 8 bytes of a record at `at`; filler when there is no room for one.
#[inline(always)]
fn word_at(records: &[u8], at: usize) -> u64 {
    match records.get(at..at.wrapping_add(8)).and_then(<[u8]>::first_chunk) {
        Some(word) => u64::from_le_bytes(*word),
        None => u64::MAX,
    }
}

/// Returns the usable part of a buffer that could not be expanded: the part before the cut if the file is cut,
/// otherwise nothing.
#[cold]
fn salvage(info: &BufferInfo, error: ExpandError, need: usize, ledger: &mut Ledger) -> usize {
    let sound = match error {
        ExpandError::Truncated { produced } | ExpandError::TooShort { produced } if info.truncated => {
            produced
        }
        // The start of the damage is unknown, so none of the buffer is trusted.
        _ => 0,
    };
    ledger.enter(info.offset, (need - sound) as u64, DamageReason::Compression(error));
    sound
}

/// All records of a trace, or of some of its buffers, in the order of the file. Made by [`Trace::file_order`] and
/// [`Trace::records_of`].
///
/// A lending cursor: `while let Some(record) = cursor.next()`. Uncompressed buffers are not copied; one
/// compressed buffer at a time is expanded.
#[derive(Debug)]
pub struct FileOrder<'t> {
    trace: &'t Trace<'t>,
    next_buffer: usize,
    end: usize,
    lane: Lane<'t>,
    in_record: bool,
    read: PagesRead,
    wanted: Option<Choice>,
    ledger: Ledger,
}

impl Trace<'_> {
    /// All records in the order of the file.
    #[must_use]
    pub fn file_order(&self) -> FileOrder<'_> {
        self.records_of(0..self.buffers.len())
    }

    /// The records of some buffers, given by their index in [`Trace::buffers`], in the order of the file. Invalid
    /// indexes are ignored.
    ///
    /// Several threads may read parts of one trace at the same time, each with a separate cursor.
    #[must_use]
    pub fn records_of(&self, buffers: Range<usize>) -> FileOrder<'_> {
        FileOrder::new(self, buffers)
    }
}

impl<'t> FileOrder<'t> {
    fn new(trace: &'t Trace<'_>, buffers: Range<usize>) -> FileOrder<'t> {
        FileOrder {
            trace,
            next_buffer: buffers.start,
            end: buffers.end.min(trace.buffers.len()),
            lane: Lane::default(),
            in_record: false,
            read: PagesRead::default(),
            wanted: None,
            ledger: Ledger::default(),
        }
    }

    /// Delivers only the wanted records; the others are stepped over. Call it before the first
    /// [`FileOrder::next`].
    #[must_use]
    pub fn only(mut self, wanted: Wanted) -> FileOrder<'t> {
        self.wanted = Some(Choice::of(wanted));
        self
    }

    /// The next record, or `None` at the end.
    #[allow(clippy::should_implement_trait, reason = "lends: the record lives until the next call")]
    #[inline]
    pub fn next(&mut self) -> Option<Record<'_>> {
        let has_next = self.in_record
            && self.lane.advance(&mut self.ledger)
            && self.wanted.as_ref().is_none_or(|wanted| self.lane.seek::<true>(wanted, &mut self.ledger));
        if !has_next {
            self.in_record = self.open_next();
            if !self.in_record {
                return None;
            }
        }
        self.lane.check(&mut self.ledger);
        // Nothing may refer to the record here: it would be built in memory and copied, which takes longer than all of the above.
        if self.trace.readings.is_empty() {
            return Some(self.lane.record());
        }
        Some(self.trace.readings.apply(self.lane.record()))
    }

    /// As [`FileOrder::next`] of a cursor that delivers all records, but steps over those behind the last one whose first 8 bytes,
    /// as a little-endian number, `is_known` accepts. Their sizes are added to `passed` until that is `most`. Damage inside
    /// them is not entered in the ledger.
    #[inline]
    pub fn next_past(
        &mut self,
        (passed, most): (&mut u64, u64),
        is_known: impl Fn(u64) -> bool,
    ) -> Option<Record<'_>> {
        if !self.in_record || !self.lane.advance_past((passed, most), is_known, &mut self.ledger) {
            self.in_record = self.open_next();
            if !self.in_record {
                return None;
            }
        }
        self.lane.check(&mut self.ledger);
        match self.trace.readings.is_empty() {
            true => Some(self.lane.record()),
            false => Some(self.trace.readings.apply(self.lane.record())),
        }
    }

    /// Opens the next buffer that has a record.
    #[inline(never)]
    fn open_next(&mut self) -> bool {
        while self.next_buffer < self.end {
            let info = &self.trace.buffers[self.next_buffer];
            self.next_buffer += 1;
            self.trace.note_read(&mut self.read, info);
            let body = info.body(self.trace.file);
            let default_time = self.trace.header().raw_time;
            if self.lane.open(info, body, self.trace.format, default_time, &mut self.ledger)
                && self.wanted.as_ref().is_none_or(|wanted| self.lane.seek::<true>(wanted, &mut self.ledger))
            {
                return true;
            }
        }
        false
    }

    /// Index (in [`Trace::buffers`]) of the buffer the last record came from.
    #[must_use]
    pub fn buffer(&self) -> usize {
        self.next_buffer.saturating_sub(1)
    }

    /// The offset of the last record in its buffer, from the end of the buffer header (after expansion).
    #[must_use]
    pub fn position(&self) -> usize {
        self.lane.position()
    }

    /// Bytes of the trace before the buffer that is being read: how far the reading is.
    #[must_use]
    pub fn bytes_done(&self) -> u64 {
        let offset = self.trace.buffers.get(self.buffer()).map_or(0, |info| info.offset);
        offset.saturating_sub(self.trace.extent().start)
    }

    /// The damage so far, in all the buffers that were read, including records that are not wanted.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }
}
