//! TCP and UDP over IPv4 and IPv6.

use crate::emit::{Header, Payload, group};
use crate::machine::Machine;
use crate::moments::NetOp;
use crate::moments::Seen;
use crate::world::Protocol;
use std::net::IpAddr;

/// The offset of the opcodes of IPv6 records from those of IPv4.
const IPV6_OPCODES: u8 = 16;

impl Machine {
    pub(crate) fn network(&mut self, cpu: usize, op: NetOp, connection: usize, size: u32) {
        let number = connection;
        let connection = &mut self.world.connections[number];
        match op {
            NetOp::Connect | NetOp::Accept => connection.open = true,
            NetOp::Disconnect => connection.open = false,
            NetOp::Send | NetOp::Receive | NetOp::Retransmit => {}
        }
        let process = &self.world.processes[connection.process];
        let tcp = connection.protocol == Protocol::Tcp;
        // As Windows logs it: of TCP the peer is first, whichever way the bytes went; a datagram has where it goes to first,
        // and then its sender.
        let ends = match op {
            NetOp::Receive if !tcp => [connection.local, connection.peer],
            _ => [connection.peer, connection.local],
        };
        let mut payload = Payload::new().u32(process.pid).u32(size);
        for (address, _) in ends {
            payload = match address {
                IpAddr::V4(address) => payload.bytes(&address.octets()),
                IpAddr::V6(address) => payload.bytes(&address.octets()),
            };
        }
        payload = payload.port(ends[0].1).port(ends[1].1);
        payload = match op {
            NetOp::Send if tcp => {
                let clock = (self.now / 156_250) as u32;
                payload.u32(clock).u32(clock)
            }
            NetOp::Connect | NetOp::Accept => {
                payload.u16(1460).u16(1).u16(0).u16(1).u32(65_535).u16(8).u16(8)
            }
            _ => payload,
        };
        // Sequence number and connection: no Windows that we have traces of fills them in.
        payload = payload.u32(0).u64(0);
        let base = match op {
            NetOp::Send => 10,
            NetOp::Receive => 11,
            NetOp::Connect => 12,
            NetOp::Disconnect => 13,
            NetOp::Retransmit => 14,
            NetOp::Accept => 15,
        };
        let v6 = connection.peer.0.is_ipv6();
        let opcode = base + if v6 { IPV6_OPCODES } else { 0 };
        let group = if tcp { group::TCP_IP } else { group::UDP_IP };
        let protocol = if tcp { "tcp" } else { "udp" };
        self.tally.network(op.name(), process.program(), protocol, connection.peer, size);
        let time = self.log(cpu, Header::PerfInfo { group, opcode, version: 2 }, payload.0);
        self.seen(time, cpu, self.cpus[cpu].current, Seen::Packet { op, connection: number, size });
        if op == NetOp::Receive {
            self.seen(time, cpu, self.cpus[cpu].current, Seen::Received);
        }
    }
}
