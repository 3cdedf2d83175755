//! Writes the packets that Windows captured with `pktmon` or `netsh trace` to a file for Wireshark.
//!
//! Records with packets are recognized by the names of their fields, whatever their number and version: records of
//! Microsoft-Windows-PktMon with a `PacketType` and a `Payload`, and records of Microsoft-Windows-NDIS-PacketCapture with a
//! `Fragment`.

use std::collections::BTreeMap;
use std::hash::Hasher;
use std::io::{self, Write};

use rustc_hash::{FxHashMap, FxHasher};
use tracewell_decode::{Accessor, Decoder, EventFormat, FormatId, Schemas};
use tracewell_etl::{Merge, Record, Trace};
use tracewell_export::pcapng::{Direction, Interface, InterfaceId, LinkType, Packet, Pcapng};
use tracewell_types::Guid;

use crate::account::Account;
use crate::progress::is_due;

const PKTMON: Guid = Guid::parse("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");
const NDIS: Guid = Guid::parse("2ed6006e-4729-4609-b423-3ee7bcd678ef");

/// Its events that hold packets: of adapters, and of virtual switches.
const NDIS_PACKETS: [u16; 2] = [1001, 1003];

/// Keywords of Microsoft-Windows-NDIS-PacketCapture.
mod keyword {
    pub(super) const WIRELESS_WAN: u64 = 0x200;
    pub(super) const NATIVE_802_11: u64 = 0x1_0000;
    /// The record has the first bytes of a packet,
    pub(super) const PACKET_START: u64 = 0x4000_0000;
    /// or the last.
    pub(super) const PACKET_END: u64 = 0x8000_0000;
    pub(super) const SEND: u64 = 0x1_0000_0000;
    pub(super) const RECEIVE: u64 = 0x2_0000_0000;
}

/// A packet in several records may have so many bytes.
const LONGEST: usize = 1 << 20;

/// Bytes put together before they are written.
const CHUNK: usize = 1 << 18;

/// What most records of a trace are left out for.
pub const NO_PACKET: &str = "records that hold no packet";

/// Why a record is not in the capture.
mod reason {
    pub(super) const OTHER: &str = super::NO_PACKET;
    pub(super) const OUTSIDE: &str = "records outside the time asked for";
    pub(super) const OTHERS: &str = "records of other processes";
    pub(super) const LAYER: &str = "packets that begin with neither an Ethernet, an 802.11 nor an IP header";
    pub(super) const UNREAD: &str = "packets that could not be read";
    pub(super) const PIECE: &str = "pieces of packets whose beginning or end is not in the trace";
}

/// The part of the traces that a capture contains.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'c> {
    /// First time, in nanoseconds since 1970.
    pub start: i64,
    /// Time of the end, which is not part of it.
    pub end: i64,
    /// Only packets of these processes; empty: all.
    pub pids: &'c [u32],
}

/// What a capture contains.
#[derive(Debug, Default)]
pub struct Written {
    /// Packets.
    pub packets: u64,
    /// The components and adapters that packets passed.
    pub interfaces: u64,
    /// Frames whose mark of encryption was taken away, since they are not encrypted.
    pub unmarked: u64,
    /// Frames that the trace calls 802.11, and whose bytes had passed as an Ethernet frame before or cannot be 802.11.
    pub renamed: u64,
    /// Records that are not in the capture, by reason.
    pub left_out: BTreeMap<&'static str, u64>,
}

/// The state that is collected before the first packet is written.
#[derive(Debug)]
pub struct Survey {
    decoder: Decoder,
    roles: FxHashMap<(FormatId, u8), Role>,
    /// Names and descriptions of what packets pass, by trace and number.
    components: FxHashMap<(usize, u64), (String, String)>,
    /// What is missing from each trace.
    pub accounts: Vec<Account>,
}

/// What the records of a kind have for a capture.
#[derive(Clone, Debug)]
enum Role {
    Packet(Box<PacketFields>),
    Fragment(Box<FragmentFields>),
    /// A packet whose description ends before its bytes.
    Unread,
    Component {
        id: Accessor,
        kind: Option<Accessor>,
        name: Accessor,
        description: Option<Accessor>,
    },
    Other,
}

/// Fields of a packet of `pktmon`.
#[derive(Clone, Debug)]
struct PacketFields {
    payload: Accessor,
    kind: Accessor,
    size: Option<Accessor>,
    group: Option<Accessor>,
    number: Option<Accessor>,
    component: Option<Accessor>,
    direction: Option<Accessor>,
    drop_reason: Option<Accessor>,
    drop_location: Option<Accessor>,
}

/// Fields of a packet, or a part of one, of `netsh trace`.
#[derive(Clone, Debug)]
struct FragmentFields {
    bytes: Accessor,
    interface: Option<Accessor>,
}

impl Role {
    fn of(record: &Record<'_>, format: &EventFormat) -> Role {
        let field = |name| Accessor::new(format.layout.as_ref()?, name, record.pointer_size());
        let role = match record.guid() {
            _ if !record.is_event() => None,
            PKTMON => packet(field).or_else(|| component(field)),
            NDIS => match field("Fragment") {
                Some(bytes) => {
                    let interface = field("MiniportIfIndex");
                    Some(Role::Fragment(Box::new(FragmentFields { bytes, interface })))
                }
                None => NDIS_PACKETS.contains(&record.id()).then_some(Role::Unread),
            },
            _ => None,
        };
        role.unwrap_or(Role::Other)
    }
}

fn packet(field: impl Fn(&'static str) -> Option<Accessor>) -> Option<Role> {
    Some(Role::Packet(Box::new(PacketFields {
        payload: field("Payload")?,
        kind: field("PacketType")?,
        size: field("OriginalPayloadSize"),
        group: field("PktGroupId"),
        number: field("PktNumber"),
        component: field("ComponentId"),
        direction: field("DirTag"),
        drop_reason: field("DropReason"),
        drop_location: field("DropLocation"),
    })))
}

fn component(field: impl Fn(&'static str) -> Option<Accessor>) -> Option<Role> {
    Some(Role::Component {
        id: field("Id")?,
        name: field("Name")?,
        kind: field("Type"),
        description: field("Description"),
    })
}

/// A field as text; empty where there is none.
fn text(field: Option<&Accessor>, payload: &[u8]) -> String {
    let shown = |field: &Accessor| Some(field.value(payload)?.display(field.field()?).to_string());
    field.and_then(shown).unwrap_or_default()
}

impl Survey {
    /// Reads descriptions, and the names of the components that packets pass; these are usually at the ends
    /// of traces.
    #[must_use]
    pub fn of(traces: &[Trace<'_>], mut schemas: Schemas, mut progress: impl FnMut(u64)) -> Survey {
        let mut accounts = Vec::with_capacity(traces.len());
        let (mut seen, mut before) = (0_u64, 0);
        for trace in traces {
            let mut account = Account::new(trace);
            let mut cursor = trace.file_order();
            while let Some(record) = cursor.next() {
                schemas.observe(&record);
                account.observe(&record);
                seen += 1;
                if is_due(seen) {
                    progress(before + cursor.bytes_done());
                }
            }
            before += trace.buffers().last().map_or(0, |info| info.offset + u64::from(info.size));
            account.read(trace, cursor.ledger());
            accounts.push(account);
        }
        let mut survey = Survey {
            decoder: Decoder::new(schemas),
            roles: FxHashMap::default(),
            components: FxHashMap::default(),
            accounts,
        };
        for (at, trace) in traces.iter().enumerate() {
            let mut cursor = trace.file_order();
            while let Some(record) = cursor.next() {
                if !record.is_event() || record.guid() != PKTMON {
                    continue;
                }
                let Role::Component { id, kind, name, description } = survey.role(&record) else { continue };
                let payload = record.payload();
                let Some(number) = id.int(payload) else { continue };
                let name = text(Some(name), payload);
                let what = [text(kind.as_ref(), payload), text(description.as_ref(), payload)];
                let what = what.iter().filter(|part| !part.is_empty()).map(String::as_str);
                let what = what.collect::<Vec<_>>().join(": ");
                survey.components.insert((at, number), (name, what));
            }
        }
        survey
    }

    fn role(&mut self, record: &Record<'_>) -> &Role {
        let id = self.decoder.id(record);
        let format = self.decoder.get(id);
        self.roles.entry((id, record.pointer_size())).or_insert_with(|| Role::of(record, format))
    }
}

/// Where a packet was seen: the trace, the number of what it passed there, and how its bytes begin.
type Seen = (usize, Passed, LinkType);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Passed {
    Component(u64),
    Miniport(u64),
}

/// The state of a packet from the components that it passed before.
struct Known {
    number: u64,
    /// Length and digest of its bytes when it last was an Ethernet frame.
    ethernet: Option<(usize, u64)>,
}

struct Teller<'s> {
    components: &'s FxHashMap<(usize, u64), (String, String)>,
    capture: Pcapng,
    interfaces: FxHashMap<Seen, InterfaceId>,
    /// Packets that `pktmon` saw in several places, by trace, group and number in it.
    known: FxHashMap<(usize, u64, u64), Known>,
    /// Packets that are not whole yet, by trace and processor: records of one follow each other there.
    pieces: FxHashMap<(usize, u16), (i64, Vec<u8>)>,
    written: Written,
    /// A copy of a frame that is modified before it is written.
    frame: Vec<u8>,
    out: Vec<u8>,
}

/// Writes all packets of the traces, in order of time.
///
/// # Errors
/// The sink cannot be written.
pub fn write_to(
    traces: &[Trace<'_>],
    mut survey: Survey,
    choice: &Choice<'_>,
    system: &str,
    sink: &mut dyn Write,
    progress: impl Fn(u64),
) -> io::Result<Written> {
    let mut out = Vec::with_capacity(CHUNK * 2);
    let capture = Pcapng::begin(system, &mut out);
    let components = std::mem::take(&mut survey.components);
    let mut teller = Teller {
        components: &components,
        capture,
        interfaces: FxHashMap::default(),
        known: FxHashMap::default(),
        pieces: FxHashMap::default(),
        written: Written::default(),
        frame: Vec::new(),
        out,
    };
    let mut records = Merge::new(traces);
    let mut seen = 0_u64;
    while let Some((at, record)) = records.next() {
        seen += 1;
        if is_due(seen) {
            progress(seen);
        }
        let Some(trace) = traces.get(at) else { continue };
        let time = trace.clock().unix_ns(record.time());
        let written = match survey.role(&record) {
            Role::Packet(_) | Role::Fragment(_) if time < choice.start || time >= choice.end => {
                Err(reason::OUTSIDE)
            }
            Role::Packet(_) | Role::Fragment(_)
                if !choice.pids.is_empty() && record.pid().is_none_or(|pid| !choice.pids.contains(&pid)) =>
            {
                Err(reason::OTHERS)
            }
            Role::Packet(fields) => teller.packet(at, time, &record, fields),
            Role::Fragment(fields) => teller.fragment(at, time, &record, fields),
            Role::Unread => Err(reason::UNREAD),
            Role::Component { .. } | Role::Other => Err(reason::OTHER),
        };
        if let Err(why) = written {
            *teller.written.left_out.entry(why).or_default() += 1;
        }
        if teller.out.len() >= CHUNK {
            sink.write_all(&teller.out)?;
            teller.out.clear();
        }
    }
    if !teller.pieces.is_empty() {
        *teller.written.left_out.entry(reason::PIECE).or_default() += teller.pieces.len() as u64;
    }
    sink.write_all(&teller.out)?;
    teller.written.interfaces = teller.interfaces.len() as u64;
    Ok(teller.written)
}

impl Teller<'_> {
    fn packet(
        &mut self,
        trace: usize,
        time: i64,
        record: &Record<'_>,
        fields: &PacketFields,
    ) -> Result<(), &'static str> {
        let payload = record.payload();
        let data = fields.payload.bytes(payload).ok_or(reason::UNREAD)?;
        let mut link = match text(Some(&fields.kind), payload).as_str() {
            "Ethernet" | "1" => LinkType::ETHERNET,
            "WiFi" | "2" => LinkType::WIFI,
            "IP" | "4" => LinkType::IP,
            _ => return Err(reason::LAYER),
        };
        let int = |field: &Option<Accessor>| field.as_ref().and_then(|field| field.int(payload));
        let passed = Passed::Component(int(&fields.component).unwrap_or(0));
        let mut number = None;
        if let Some((group, in_group)) = int(&fields.group).zip(int(&fields.number)) {
            let next = self.known.len() as u64 + 1;
            let known =
                self.known.entry((trace, group, in_group)).or_insert(Known { number: next, ethernet: None });
            number = Some(known.number);
            // Some builds of Windows 10 call a frame 802.11 where it leaves a driver that will make one of it.
            let bytes = Some((data.len(), digest(data)));
            if link == LinkType::ETHERNET {
                known.ethernet = bytes;
            } else if link == LinkType::WIFI && known.ethernet == bytes {
                link = LinkType::ETHERNET;
                self.written.renamed += 1;
            }
        }
        // They also call those so that they drop, of which nothing passed before.
        if link == LinkType::WIFI && !may_be_wifi(data) {
            link = LinkType::ETHERNET;
            self.written.renamed += 1;
        }
        let direction = match text(fields.direction.as_ref(), payload).as_str() {
            "Rx" | "In" | "Ingress" => Some(Direction::Inbound),
            "Tx" | "Out" | "Egress" => Some(Direction::Outbound),
            _ => None,
        };
        let comment = if int(&fields.drop_reason).is_some_and(|reason| reason != 0) {
            let reason = text(fields.drop_reason.as_ref(), payload);
            format!("dropped: {reason} at {}", text(fields.drop_location.as_ref(), payload))
        } else {
            String::new()
        };
        let interface = self.interface((trace, passed, link));
        let size = int(&fields.size).unwrap_or(0) as u32;
        let packet = Packet { interface, unix_ns: time, data, size, direction, number, comment: &comment };
        self.write(packet, link);
        Ok(())
    }

    fn fragment(
        &mut self,
        trace: usize,
        time: i64,
        record: &Record<'_>,
        fields: &FragmentFields,
    ) -> Result<(), &'static str> {
        let payload = record.payload();
        let data = fields.bytes.bytes(payload).ok_or(reason::UNREAD)?;
        let has = |bits: u64| record.keyword() & bits != 0;
        let place = (trace, record.cpu());
        let (is_start, is_end) = (has(keyword::PACKET_START), has(keyword::PACKET_END));
        let mut whole = None;
        if !(is_start && is_end) {
            if is_start {
                let cut = self.pieces.insert(place, (time, data.to_vec()));
                return if cut.is_some() { Err(reason::PIECE) } else { Ok(()) };
            }
            let (begun, mut bytes) = self.pieces.remove(&place).ok_or(reason::PIECE)?;
            if bytes.len() + data.len() > LONGEST {
                return Err(reason::PIECE);
            }
            bytes.extend(data);
            if !is_end {
                self.pieces.insert(place, (begun, bytes));
                return Ok(());
            }
            whole = Some((begun, bytes));
        }
        let (time, data) = whole.as_ref().map_or((time, data), |(begun, bytes)| (*begun, bytes.as_slice()));
        let link = if has(keyword::NATIVE_802_11) {
            LinkType::WIFI
        } else if has(keyword::WIRELESS_WAN) {
            LinkType::IP
        } else {
            LinkType::ETHERNET
        };
        let direction = if has(keyword::SEND) {
            Some(Direction::Outbound)
        } else if has(keyword::RECEIVE) {
            Some(Direction::Inbound)
        } else {
            None
        };
        let passed = fields.interface.as_ref().and_then(|field| field.int(payload)).unwrap_or(0);
        let interface = self.interface((trace, Passed::Miniport(passed), link));
        let size = data.len() as u32;
        let packet = Packet { interface, unix_ns: time, data, size, direction, number: None, comment: "" };
        self.write(packet, link);
        Ok(())
    }

    fn interface(&mut self, seen: Seen) -> InterfaceId {
        if let Some(known) = self.interfaces.get(&seen) {
            return *known;
        }
        let (trace, passed, link) = seen;
        let (name, description) = match passed {
            Passed::Component(number) => match self.components.get(&(trace, number)) {
                Some((name, what)) => (format!("{number} {name}"), what.as_str()),
                None => (format!("{number}"), ""),
            },
            Passed::Miniport(number) => (format!("interface {number}"), ""),
        };
        let interface = Interface { name: &name, description, link };
        let id = self.capture.interface(&interface, &mut self.out);
        self.interfaces.insert(seen, id);
        id
    }

    fn write(&mut self, packet: Packet<'_>, link: LinkType) {
        let mut packet = packet;
        if link == LinkType::WIFI && is_marked_but_plain(packet.data) {
            self.written.unmarked += 1;
            self.frame.clear();
            self.frame.extend(packet.data);
            if let Some(flags) = self.frame.get_mut(1) {
                *flags &= !PROTECTED;
            }
            packet.data = &self.frame;
        }
        self.capture.packet(&packet, &mut self.out);
        self.written.packets += 1;
    }
}

fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// Returns `true` if a frame may be one of 802.11: these begin with the version of the protocol, 0, in the two lowest bits. A
/// broadcast in an Ethernet frame has ones there, as any multicast has one.
fn may_be_wifi(frame: &[u8]) -> bool {
    frame.first().is_none_or(|control| control & 3 == 0)
}

/// The flag of an 802.11 frame whose body is encrypted, in the second byte.
const PROTECTED: u8 = 0x40;

/// Returns `true` if an 802.11 frame says that it is encrypted, and is not: Windows sees frames when the adapter has decrypted
/// them and leaves the mark, by which readers take them for unreadable. Such a frame goes on with the header of a known protocol
/// (LLC with SNAP).
fn is_marked_but_plain(frame: &[u8]) -> bool {
    const DATA: u8 = 0x08;
    const QUALITY: u8 = 0x80;
    const SNAP: [u8; 3] = [0xAA, 0xAA, 0x03];
    let &[control, flags, ..] = frame else { return false };
    if control & 0x0C != DATA || flags & PROTECTED == 0 {
        return false;
    }
    // Four addresses between two access points, two bytes more with quality of service, four more with the flag of order.
    let mut header = if flags & 3 == 3 { 30 } else { 24 };
    if control & QUALITY != 0 {
        header += if flags & 0x80 != 0 { 6 } else { 2 };
    }
    frame.get(header..header + SNAP.len()) == Some(&SNAP)
}

#[cfg(test)]
mod tests {
    use super::is_marked_but_plain;

    #[test]
    fn plain_frames_are_distinguished_from_encrypted_ones() {
        let frame = |control: u8, flags: u8, header: usize, body: &[u8]| {
            let mut frame = vec![control, flags];
            frame.resize(header, 0);
            frame.extend(body);
            frame
        };
        let plain = [0xAA, 0xAA, 3, 0, 0, 0, 8, 0];
        assert!(is_marked_but_plain(&frame(0x08, 0x42, 24, &plain)));
        assert!(is_marked_but_plain(&frame(0x88, 0x41, 26, &plain)));
        assert!(is_marked_but_plain(&frame(0x88, 0x43, 32, &plain)));
        assert!(is_marked_but_plain(&frame(0x88, 0xC1, 30, &plain)));
        assert!(!is_marked_but_plain(&frame(0x08, 0x02, 24, &plain)), "no mark");
        assert!(!is_marked_but_plain(&frame(0x08, 0x42, 24, &[1, 2, 3, 4])), "really encrypted");
        assert!(!is_marked_but_plain(&frame(0x80, 0x42, 24, &plain)), "a beacon");
        assert!(!is_marked_but_plain(&frame(0x88, 0x42, 26, &plain[..2])), "cut");
        assert!(!is_marked_but_plain(&[8]));
    }
}
