//! Packets for Wireshark and its relatives, in the pcapng form.
//!
//! Sources: the Internet-Draft "PCAP Next Generation (pcapng) Capture File Format" for blocks and options, and the list of link types
//! that tcpdump.org keeps. Everything is little-endian, times are in nanoseconds.

/// The link-layer header of an interface's packets, by the numbers assigned by tcpdump.org.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkType(pub u16);

impl LinkType {
    /// With an Ethernet header.
    pub const ETHERNET: LinkType = LinkType(1);
    /// With a header of IP, version 4 or 6.
    pub const IP: LinkType = LinkType(101);
    /// With an 802.11 header.
    pub const WIFI: LinkType = LinkType(105);
}

/// The component that captured packets.
#[derive(Clone, Copy, Debug)]
pub struct Interface<'a> {
    /// A short name.
    pub name: &'a str,
    /// A description; may be empty.
    pub description: &'a str,
    /// The link-layer header of its packets.
    pub link: LinkType,
}

/// The number of an interface in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterfaceId(u32);

/// The direction of a packet, as seen from the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the machine.
    Inbound,
    /// From it.
    Outbound,
}

/// A packet.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    /// The interface that captured it.
    pub interface: InterfaceId,
    /// When, in nanoseconds of the Unix epoch; earlier times are shown as its beginning.
    pub unix_ns: i64,
    /// Its bytes, or the first of them.
    pub data: &'a [u8],
    /// The original number of bytes.
    pub size: u32,
    /// The direction, if known.
    pub direction: Option<Direction>,
    /// The same number for the same packet wherever it is seen.
    pub number: Option<u64>,
    /// A comment on the packet; may be empty.
    pub comment: &'a str,
}

/// Kinds of blocks.
mod block {
    pub(super) const SECTION: u32 = 0x0A0D_0D0A;
    pub(super) const INTERFACE: u32 = 1;
    pub(super) const PACKET: u32 = 6;
}

/// Kinds of options: the first of any block, the others of those blocks that they are named after.
mod option {
    pub(super) const COMMENT: u16 = 1;
    pub(super) const SECTION_SYSTEM: u16 = 3;
    pub(super) const SECTION_PROGRAM: u16 = 4;
    pub(super) const INTERFACE_NAME: u16 = 2;
    pub(super) const INTERFACE_DESCRIPTION: u16 = 3;
    pub(super) const INTERFACE_RESOLUTION: u16 = 9;
    pub(super) const PACKET_FLAGS: u16 = 2;
    pub(super) const PACKET_NUMBER: u16 = 5;
}

/// Identifies the byte order of a section.
const BYTE_ORDER: u32 = 0x1A2B_3C4D;

/// Times count units of 10 to the minus ninth of a second.
const NANOSECONDS: u8 = 9;

/// The maximum size of an option in bytes, whose length field has 16 bits.
const LONGEST_OPTION: usize = u16::MAX as usize;

/// A capture in the making. Bytes are appended to what the caller gives, to be written whenever that suits.
#[derive(Debug)]
pub struct Pcapng {
    interfaces: u32,
}

impl Pcapng {
    /// Begins a capture that was made on a `system`.
    #[must_use]
    pub fn begin(system: &str, out: &mut Vec<u8>) -> Pcapng {
        put_block(block::SECTION, out, |out| {
            put_u32(out, BYTE_ORDER);
            // Version 1.0, of unspecified length.
            put_u16(out, 1);
            put_u16(out, 0);
            out.extend(u64::MAX.to_le_bytes());
            put_option(out, option::SECTION_SYSTEM, system.as_bytes());
            put_option(out, option::SECTION_PROGRAM, b"Tracewell");
            put_end(out);
        });
        Pcapng { interfaces: 0 }
    }

    /// Writes the description of an interface. Call it before the first packet of the interface.
    pub fn interface(&mut self, interface: &Interface<'_>, out: &mut Vec<u8>) -> InterfaceId {
        put_block(block::INTERFACE, out, |out| {
            put_u16(out, interface.link.0);
            put_u16(out, 0);
            // Packets may be of any length.
            put_u32(out, 0);
            put_option(out, option::INTERFACE_NAME, interface.name.as_bytes());
            if !interface.description.is_empty() {
                put_option(out, option::INTERFACE_DESCRIPTION, interface.description.as_bytes());
            }
            put_option(out, option::INTERFACE_RESOLUTION, &[NANOSECONDS]);
            put_end(out);
        });
        self.interfaces += 1;
        InterfaceId(self.interfaces - 1)
    }

    /// Writes a packet.
    pub fn packet(&self, packet: &Packet<'_>, out: &mut Vec<u8>) {
        put_block(block::PACKET, out, |out| {
            let time = u64::try_from(packet.unix_ns).unwrap_or(0);
            put_u32(out, packet.interface.0);
            put_u32(out, (time >> 32) as u32);
            put_u32(out, time as u32);
            put_u32(out, packet.data.len() as u32);
            put_u32(out, packet.size.max(packet.data.len() as u32));
            out.extend(packet.data);
            pad(out);
            let any = out.len();
            if !packet.comment.is_empty() {
                put_option(out, option::COMMENT, packet.comment.as_bytes());
            }
            if let Some(direction) = packet.direction {
                let flags: u32 = match direction {
                    Direction::Inbound => 1,
                    Direction::Outbound => 2,
                };
                put_option(out, option::PACKET_FLAGS, &flags.to_le_bytes());
            }
            if let Some(number) = packet.number {
                put_option(out, option::PACKET_NUMBER, &number.to_le_bytes());
            }
            if out.len() > any {
                put_end(out);
            }
        });
    }
}

/// A block: its kind and its length, its body, its length again. All of them begin at multiples of four bytes.
fn put_block(kind: u32, out: &mut Vec<u8>, body: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    put_u32(out, kind);
    put_u32(out, 0);
    body(out);
    let length = (out.len() - start + size_of::<u32>()) as u32;
    put_u32(out, length);
    if let Some(place) = out.get_mut(start + 4..start + 8) {
        place.copy_from_slice(&length.to_le_bytes());
    }
}

/// Text that is too long for an option ends where it has to, between two characters.
fn put_option(out: &mut Vec<u8>, kind: u16, value: &[u8]) {
    let mut length = value.len().min(LONGEST_OPTION);
    if length < value.len() {
        while length > 0 && value[length] & 0xC0 == 0x80 {
            length -= 1;
        }
    }
    put_u16(out, kind);
    put_u16(out, length as u16);
    out.extend(&value[..length]);
    pad(out);
}

/// The end of a list of options.
fn put_end(out: &mut Vec<u8>) {
    put_u32(out, 0);
}

/// What was put together is whole blocks and parts of one, so its length counts from a multiple of four.
fn pad(out: &mut Vec<u8>) {
    while !out.len().is_multiple_of(size_of::<u32>()) {
        out.push(0);
    }
}

fn put_u16(out: &mut Vec<u8>, value: u16) {
    out.extend(value.to_le_bytes());
}

fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend(value.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads what was written: of each block its kind and body.
    fn blocks(mut bytes: &[u8]) -> Vec<(u32, &[u8])> {
        let mut found = Vec::new();
        let word = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        while !bytes.is_empty() {
            let length = word(bytes, 4) as usize;
            assert_eq!(length % 4, 0);
            assert_eq!(word(bytes, length - 4) as usize, length, "a block has its length at both ends");
            found.push((word(bytes, 0), &bytes[8..length - 4]));
            bytes = &bytes[length..];
        }
        found
    }

    #[test]
    fn blocks_have_their_lengths_and_packets_their_values() {
        let mut out = Vec::new();
        let mut capture = Pcapng::begin("Windows", &mut out);
        let interface = Interface { name: "1", description: "", link: LinkType::WIFI };
        let interface = capture.interface(&interface, &mut out);
        for length in 0..6 {
            let packet = Packet {
                interface,
                unix_ns: 0x1_2345_6789,
                data: &[7; 6][..length],
                size: 60,
                direction: (length > 2).then_some(Direction::Outbound),
                number: None,
                comment: if length > 4 { "dropped" } else { "" },
            };
            capture.packet(&packet, &mut out);
        }
        let blocks = blocks(&out);
        assert_eq!(
            blocks.iter().map(|block| block.0).collect::<Vec<_>>(),
            [0x0A0D_0D0A, 1, 6, 6, 6, 6, 6, 6]
        );
        assert_eq!(blocks[1].1[..2], [105, 0]);
        // Name and resolution: without a description there is no option for it.
        assert_eq!(blocks[1].1[8..], [2, 0, 1, 0, b'1', 0, 0, 0, 9, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0]);
        let mut described = Vec::new();
        let interface = Interface { name: "1", description: "LAN", link: LinkType::WIFI };
        capture.interface(&interface, &mut described);
        let options = &self::blocks(&described)[0].1[8..];
        assert_eq!(options[8..16], [3, 0, 3, 0, b'L', b'A', b'N', 0]);
        assert_eq!([&options[..8], &options[16..]].concat(), blocks[1].1[8..]);
        let packet = blocks[7].1;
        assert_eq!(packet[4..12], [1, 0, 0, 0, 0x89, 0x67, 0x45, 0x23]);
        assert_eq!((packet[12], packet[16], &packet[20..28]), (5, 60, &[7, 7, 7, 7, 7, 0, 0, 0][..]));
        assert_eq!(packet[28..40], [1, 0, 7, 0, b'd', b'r', b'o', b'p', b'p', b'e', b'd', 0]);
        assert_eq!(packet[40..], [2, 0, 4, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(blocks[2].1.len(), 20, "a packet without further facts has no options");
    }

    #[test]
    fn long_text_ends_between_characters() {
        let mut out = Vec::new();
        let _ = Pcapng::begin(&"ä".repeat(40_000), &mut out);
        let length = usize::from(u16::from_le_bytes([out[26], out[27]]));
        assert_eq!(length, 65_534);
        assert!(std::str::from_utf8(&out[28..28 + length]).is_ok());
        assert_eq!(blocks(&out).len(), 1);
    }
}
