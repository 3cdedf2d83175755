//! Network traffic: who sent what to whom.

use std::net::IpAddr;

use tracewell_decode::Accessor;

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Protocol {
    /// TCP.
    Tcp,
    /// UDP.
    Udp,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Act {
    /// Bytes were sent.
    Send,
    /// Bytes were received.
    Receive,
    /// A connection was made.
    Connect,
    /// A connection was accepted.
    Accept,
    /// A connection ended.
    Disconnect,
    /// Bytes were sent again.
    Retransmit,
    /// A connection was tried again.
    Reconnect,
}

impl Act {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Act::Send => "sent",
            Act::Receive => "received",
            Act::Connect => "connected to",
            Act::Accept => "accepted",
            Act::Disconnect => "disconnected",
            Act::Retransmit => "sent again",
            Act::Reconnect => "reconnected",
        }
    }
}

/// The other end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Peer {
    /// Address.
    pub address: IpAddr,
    /// Port.
    pub port: u16,
}

/// Traffic of one kind between a process and a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Flow {
    /// The process by number.
    pub process: u32,
    /// The protocol.
    pub protocol: Protocol,
    /// What happened.
    pub act: Act,
    /// The other end.
    pub peer: Peer,
}

/// What is read from an event about the network.
#[derive(Clone, Debug)]
pub(crate) struct Packet {
    pub(crate) protocol: Protocol,
    pub(crate) act: Act,
    address: Accessor,
    port: Accessor,
    size: Option<Accessor>,
}

/// Number of the first event about IPv6 after that about IPv4, and of UDP after TCP in the provider.
const V6: u16 = 16;
const UDP: u16 = 32;

impl Packet {
    /// Of the kernel's class of a protocol, by event type.
    pub(crate) fn of_kernel(
        protocol: Protocol,
        number: u16,
        field: &impl Fn(&'static str) -> Option<Accessor>,
    ) -> Option<Packet> {
        let act = match if number >= 10 + V6 { number - V6 } else { number } {
            10 => Act::Send,
            11 => Act::Receive,
            12 => Act::Connect,
            13 => Act::Disconnect,
            14 => Act::Retransmit,
            15 => Act::Accept,
            16 => Act::Reconnect,
            _ => return None,
        };
        // The peer of TCP is the destination, whichever way the bytes went; the sender of a datagram is its source.
        let (address, port) = match (protocol, act) {
            (Protocol::Udp, Act::Receive) => ("saddr", "sport"),
            _ => ("daddr", "dport"),
        };
        Some(Packet { protocol, act, address: field(address)?, port: field(port)?, size: field("size") })
    }

    /// Of the provider Microsoft-Windows-Kernel-Network, by id.
    pub(crate) fn of_provider(id: u16, field: &impl Fn(&'static str) -> Option<Accessor>) -> Option<Packet> {
        match id.checked_sub(UDP).filter(|number| *number >= 10) {
            Some(number) => Packet::of_kernel(Protocol::Udp, number, field),
            None => Packet::of_kernel(Protocol::Tcp, id, field),
        }
    }

    /// The peer and the bytes.
    pub(crate) fn read(&self, payload: &[u8]) -> Option<(Peer, u64)> {
        let address = self.address.bytes(payload)?;
        let address = match <[u8; 4]>::try_from(address) {
            Ok(short) => IpAddr::from(short),
            Err(_) => IpAddr::from(<[u8; 16]>::try_from(address).ok()?),
        };
        let port = u16::from_be_bytes(self.port.bytes(payload)?.try_into().ok()?);
        // A connection moves no bytes itself: some versions have others of its numbers there.
        let size = match self.act {
            Act::Send | Act::Receive | Act::Retransmit => {
                self.size.as_ref().and_then(|size| size.int(payload))
            }
            _ => None,
        };
        Some((Peer { address, port }, size.unwrap_or(0)))
    }
}
