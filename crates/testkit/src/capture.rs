//! Captured packets: the beginnings of Ethernet frames of connections with other machines.

use std::collections::BTreeMap;
use std::net::IpAddr;

use crate::moments::NetOp;
use crate::world::{Connection, Protocol};

/// Most packets that are captured besides those of DNS, and most bytes of each.
const MOST: usize = 72;
const MOST_BYTES: usize = 96;
/// Addresses of the machine's adapter and of the router, as a local administrator assigns them.
const OURS: [u8; 6] = [0x02, 0, 0, 0x20, 0x07, 0x10];
const ROUTER: [u8; 6] = [0x02, 0, 0, 0x20, 0x07, 0x01];
const DNS: u16 = 53;
/// Largest payload of a TCP packet.
const SEGMENT: u32 = 1460;

/// Flags of TCP.
mod flag {
    pub(super) const FIN: u8 = 1;
    pub(super) const SYN: u8 = 2;
    pub(super) const PUSH: u8 = 8;
    pub(super) const ACK: u8 = 16;
}

/// The state of the capture.
#[derive(Default)]
pub(crate) struct Capture {
    /// The name that was asked for last.
    pub(crate) asked: &'static str,
    count: usize,
    /// Of connections: the numbers of the next byte that is sent and that comes.
    sequences: BTreeMap<usize, [u32; 2]>,
}

impl Capture {
    /// The beginning of a packet's frame; none if it does not leave the machine, or enough are captured.
    pub(crate) fn packet(
        &mut self,
        (op, number, size): (NetOp, usize, u32),
        connection: &Connection,
    ) -> Option<Vec<u8>> {
        let (local, peer) = (connection.local, connection.peer);
        let is_dns = local.1 == DNS || peer.1 == DNS;
        if peer.0.is_loopback() || (self.count >= MOST && !is_dns) {
            return None;
        }
        self.count += 1;
        let comes = op == NetOp::Receive;
        let (from, to) = if comes { (peer, local) } else { (local, peer) };
        let mut data = if is_dns { self.question(comes) } else { vec![0; size.min(SEGMENT) as usize] };
        let (protocol, mut above) = match connection.protocol {
            Protocol::Tcp => (6, self.tcp((op, number, data.len() as u32), (from.1, to.1))),
            Protocol::Udp => (17, udp(data.len(), (from.1, to.1))),
        };
        above.append(&mut data);
        let mut frame = if comes { [OURS, ROUTER].concat() } else { [ROUTER, OURS].concat() };
        frame.extend(self.internet(
            (from.0, to.0),
            (protocol, if comes { 57 } else { 128 }),
            above.len() as u16,
        ));
        frame.extend(above);
        frame.truncate(MOST_BYTES);
        Some(frame)
    }

    /// The type of a frame, and the header of IPv4 or IPv6 with protocol and number of hops, before so many bytes.
    fn internet(&self, ends: (IpAddr, IpAddr), (protocol, hops): (u8, u8), length: u16) -> Vec<u8> {
        let mut header = Vec::new();
        match ends {
            (IpAddr::V4(from), IpAddr::V4(to)) => {
                header.extend([0x45, 0]);
                header.extend((20 + length).to_be_bytes());
                header.extend((self.count as u16).to_be_bytes());
                header.extend([0x40, 0, hops, protocol, 0, 0]);
                header.extend(from.octets());
                header.extend(to.octets());
                let sum = checksum(&header);
                header[10..12].copy_from_slice(&sum.to_be_bytes());
                header.splice(0..0, 0x0800_u16.to_be_bytes());
            }
            (from, to) => {
                header.extend(0x86DD_u16.to_be_bytes());
                header.extend([0x60, 0, 0, 0]);
                header.extend(length.to_be_bytes());
                header.extend([protocol, hops]);
                for address in [from, to] {
                    if let IpAddr::V6(address) = address {
                        header.extend(address.octets());
                    }
                }
            }
        }
        header
    }

    /// The question of DNS, also as the beginning of its answer.
    fn question(&self, is_answer: bool) -> Vec<u8> {
        let flags = if is_answer { 0x81 } else { 0x01 };
        let mut data = vec![0x2A, self.count as u8, flags, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        for part in self.asked.split('.') {
            data.push(part.len() as u8);
            data.extend(part.as_bytes());
        }
        data.extend([0, 0, 1, 0, 1]);
        data
    }

    /// The header of TCP; adapters fill in the sum.
    fn tcp(&mut self, (op, number, size): (NetOp, usize, u32), (from, to): (u16, u16)) -> Vec<u8> {
        let first = 0x1000_0000 + 0x0101_0101 * number as u32;
        let next = self.sequences.entry(number).or_insert([first, first ^ 0x5555_0000]);
        let way = usize::from(op == NetOp::Receive);
        let (sequence, acknowledged) = (next[way], next[1 - way]);
        let (flags, bytes) = match op {
            NetOp::Connect => (flag::SYN, 1),
            NetOp::Accept => (flag::SYN | flag::ACK, 1),
            NetOp::Disconnect => (flag::FIN | flag::ACK, 1),
            NetOp::Retransmit => (flag::PUSH | flag::ACK, 0),
            NetOp::Send | NetOp::Receive => (flag::PUSH | flag::ACK, size),
        };
        next[way] = sequence.wrapping_add(bytes);
        let mut header = Vec::new();
        header.extend(from.to_be_bytes());
        header.extend(to.to_be_bytes());
        header.extend(sequence.to_be_bytes());
        header.extend(if flags == flag::SYN { 0 } else { acknowledged }.to_be_bytes());
        header.extend([5 << 4, flags]);
        header.extend(64_240_u16.to_be_bytes());
        header.extend([0; 4]);
        header
    }
}

/// The header of UDP before so many bytes.
fn udp(bytes: usize, (from, to): (u16, u16)) -> Vec<u8> {
    let mut header = Vec::new();
    for number in [from, to, 8 + bytes as u16, 0] {
        header.extend(number.to_be_bytes());
    }
    header
}

/// The sum of a header of IPv4, whose own two bytes are 0.
fn checksum(header: &[u8]) -> u16 {
    let words = header.chunks(2).map(|word| u32::from(word[0]) << 8 | u32::from(word[1]));
    let sum: u32 = words.sum();
    !((sum & 0xFFFF) + (sum >> 16)) as u16
}
