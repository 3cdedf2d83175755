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

#[cfg(test)]
mod tests {
    use super::*;

    use std::borrow::Cow;

    use tracewell_schema::{Count, Field, FieldType, Hint, Version};

    fn layout() -> Version {
        let field = |name: &'static str, ty| Field {
            name: name.into(),
            ty,
            count: Count::One,
            hint: Hint::None,
            optional: false,
            map: None,
        };
        let fields = vec![
            field("size", FieldType::U32),
            field("daddr", FieldType::U32),
            field("saddr", FieldType::U32),
            field("dport", FieldType::U16),
            field("sport", FieldType::U16),
        ];
        Version { number: 0, fields: Cow::Owned(fields) }
    }

    /// Bytes, the two addresses and the two ports.
    const PAYLOAD: [u8; 16] = [7, 1, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 0, 80, 1, 187];

    #[test]
    fn issue_23_every_event_of_the_network_has_its_act_peer_and_bytes() {
        let layout = layout();
        let field = |name: &'static str| Accessor::new(&layout, name, 8);
        let acts = [
            Act::Send,
            Act::Receive,
            Act::Connect,
            Act::Disconnect,
            Act::Retransmit,
            Act::Accept,
            Act::Reconnect,
        ];
        // By number: those of IPv6 come 16 after those of IPv4.
        let act = |number: u16| {
            let of = |number: u16| acts.get(usize::from(number.checked_sub(10)?)).copied();
            of(number).or_else(|| of(number.checked_sub(16)?))
        };
        let seen = |packet: Option<Packet>| {
            packet.map(|packet| (packet.protocol, packet.act, packet.read(&PAYLOAD).unwrap()))
        };
        for number in 0..100 {
            for protocol in [Protocol::Tcp, Protocol::Udp] {
                let expected = act(number).map(|act| {
                    let from_source = (protocol, act) == (Protocol::Udp, Act::Receive);
                    let (last, port) = if from_source { (2, 443) } else { (1, 80) };
                    let bytes =
                        if matches!(act, Act::Send | Act::Receive | Act::Retransmit) { 263 } else { 0 };
                    (protocol, act, (Peer { address: IpAddr::from([10, 0, 0, last]), port }, bytes))
                });
                assert_eq!(
                    seen(Packet::of_kernel(protocol, number, &field)),
                    expected,
                    "{protocol:?} {number}"
                );
                // The provider has UDP 32 after TCP.
                let id = if protocol == Protocol::Udp { number + 32 } else { number };
                if (10..42).contains(&number) {
                    assert_eq!(seen(Packet::of_provider(id, &field)), expected, "{protocol:?} {id}");
                }
            }
        }
        assert!(
            Packet::of_kernel(Protocol::Tcp, 10, &|name| field(name).filter(|_| name != "dport")).is_none()
        );
        let sizeless = Packet::of_kernel(Protocol::Tcp, 10, &|name| field(name).filter(|_| name != "size"));
        assert_eq!(seen(sizeless).map(|(.., (_, bytes))| bytes), Some(0));
        let packet = Packet::of_kernel(Protocol::Tcp, 10, &field).unwrap();
        assert!((0..14).all(|end| packet.read(&PAYLOAD[..end]).is_none()));
        let names = [acts.map(Act::name).join(", ")];
        assert_eq!(names, ["sent, received, connected to, disconnected, sent again, accepted, reconnected"]);
    }
}
