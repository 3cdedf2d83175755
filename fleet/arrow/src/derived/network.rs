//! Traffic of TCP and UDP.

use tracewell_decode::EventFormat;

use crate::cells::Cell;
use crate::derived::follow::{Follow, Now, kernel_event};
use crate::derived::out::{Each, Out, columns, number, text};

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct About {
    protocol: &'static str,
    family: u8,
    operation: &'static str,
}

/// An event about a connection or a datagram.
pub(crate) struct Row<'r> {
    now: &'r Now<'r>,
    about: About,
    /// Address and port of this end and of the other.
    local: (String, Option<u64>),
    remote: (String, Option<u64>),
}

columns! { Row;
    "time" Time always Header "ns" "When it was logged." = |row| Cell::Number(row.now.time.into());
    "cpu" U16 always Header "" "The processor." = |row| Cell::Number(row.now.record.cpu().into());
    "pid" U32 null State "" "The id of the process that the traffic belongs to." = |row| number(row.now.who.pid);
    "process" Name null State "" "The name of the process." = |row| text(row.now.process());
    "protocol" Name always Names "" "`tcp` or `udp`." = |row| Cell::Text(row.about.protocol);
    "family" U8 always Names "" "The version of IP, 4 or 6." = |row| Cell::Number(row.about.family.into());
    "operation" Name always Names "" "`send`, `receive`, `connect`, `disconnect`, `retransmit`, `accept`, `reconnect` or `copy`." = |row| Cell::Text(row.about.operation);
    "local_address" Text null Payload "" "The address of this end." = |row| text(&row.local.0);
    "local_port" U16 null Payload "" "The port of this end." = |row| number(row.local.1);
    "remote_address" Text null Payload "" "The address of the other end." = |row| text(&row.remote.0);
    "remote_port" U16 null Payload "" "The port of the other end." = |row| number(row.remote.1);
    "size" U32 null Payload "bytes" "The bytes that were moved; NULL if the event is not about bytes." = |row| {
        let moves = matches!(row.about.operation, "send" | "receive" | "retransmit" | "copy");
        number(row.now.number("size").filter(|_| moves))
    };
    "file" Name always File "" "The trace." = |row| Cell::Text(row.now.file);
}

/// What an event is about, by its name.
fn about(event: &str) -> Option<About> {
    let (class, name) = event.split_once('/')?;
    let protocol = match class {
        "TcpIp" => "tcp",
        "UdpIp" => "udp",
        _ => return None,
    };
    let (name, family) = match (name.strip_suffix("IPV4"), name.strip_suffix("IPV6")) {
        (Some(name), _) => (name, 4),
        (None, name) => (name?, 6),
    };
    let operation = match name {
        "Send" => "send",
        "Recv" => "receive",
        "Connect" => "connect",
        "Disconnect" => "disconnect",
        "Retransmit" => "retransmit",
        "Accept" => "accept",
        "Reconnect" => "reconnect",
        "TCPCopy" => "copy",
        _ => return None,
    };
    Some(About { protocol, family, operation })
}

/// Makes the rows.
#[derive(Debug)]
pub(crate) struct Network;

impl Follow for Network {
    fn takes(&self, format: &EventFormat) -> bool {
        about(kernel_event(format)).is_some()
    }

    fn observe(&mut self, now: &Now<'_>, out: &mut Out<'_>, each: &mut Each<'_>) {
        let Some(about) = about(kernel_event(now.format)) else { return };
        let source = (now.text("saddr"), now.number("sport"));
        let destination = (now.text("daddr"), now.number("dport"));
        // The other end of TCP is the destination, whichever way the bytes went; a datagram that came in is from its source.
        let (local, remote) = match (about.protocol, about.operation) {
            ("udp", "receive") => (destination, source),
            _ => (source, destination),
        };
        out.row(&Row { now, about, local, remote }, each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_22_events_of_the_network_say_what_they_are_about() {
        let of = |protocol, family, operation| Some(About { protocol, family, operation });
        assert_eq!(about("TcpIp/SendIPV4"), of("tcp", 4, "send"));
        assert_eq!(about("UdpIp/RecvIPV6"), of("udp", 6, "receive"));
        assert_eq!(about("TcpIp/TCPCopyIPV4"), of("tcp", 4, "copy"));
        for other in ["TcpIp/Fail", "UdpIp/Fail", "DiskIo/Read", "SendIPV4", "TcpIp/OtherIPV4", ""] {
            assert_eq!(about(other), None, "{other}");
        }
    }
}
