//! The events of Windows' providers that are kernel records with another header.

use rustc_hash::FxHashMap;
use tracewell_etl::def::record::{HeaderKind, MARKER_TRACE_HEADER};
use tracewell_etl::write::Event;
use tracewell_schema::bundled;
use tracewell_schema::kernel::hook;
use tracewell_session::Enable;
use tracewell_types::Guid;

use crate::flags as flag;
use crate::provider::NETWORK;
use crate::table::ROWS;

/// The channel of Microsoft-Windows-Kernel-Network, with the keyword that its events have, and its tasks.
const ANALYTIC: u8 = 16;
const ANALYTIC_KEYWORD: u64 = 1 << 63;
const TCP_IP: u16 = 10;
const UDP_IP: u16 = 11;

/// A kernel record that is also an event of a provider. The layouts of both are the same; a test compares their descriptions.
struct Twin {
    hook: u16,
    provider: Guid,
    /// The id, which is also the opcode.
    id: u16,
    task: u16,
    /// The group of kernel events that has it.
    flags: u32,
}

const fn network(hook: u16, id: u16, task: u16) -> Twin {
    Twin { hook, provider: NETWORK, id, task, flags: flag::NETWORK_TCPIP }
}

const TWINS: &[Twin] = &[
    network(hook::TCP_IP_SEND_IPV4, 10, TCP_IP),
    network(hook::TCP_IP_RECV_IPV4, 11, TCP_IP),
    network(hook::TCP_IP_CONNECT_IPV4, 12, TCP_IP),
    network(hook::TCP_IP_DISCONNECT_IPV4, 13, TCP_IP),
    network(hook::TCP_IP_RETRANSMIT_IPV4, 14, TCP_IP),
    network(hook::TCP_IP_ACCEPT_IPV4, 15, TCP_IP),
    network(hook::TCP_IP_SEND_IPV6, 26, TCP_IP),
    network(hook::TCP_IP_RECV_IPV6, 27, TCP_IP),
    network(hook::TCP_IP_CONNECT_IPV6, 28, TCP_IP),
    network(hook::TCP_IP_DISCONNECT_IPV6, 29, TCP_IP),
    network(hook::TCP_IP_RETRANSMIT_IPV6, 30, TCP_IP),
    network(hook::TCP_IP_ACCEPT_IPV6, 31, TCP_IP),
    network(hook::UDP_IP_SEND_IPV4, 42, UDP_IP),
    network(hook::UDP_IP_RECV_IPV4, 43, UDP_IP),
    network(hook::UDP_IP_SEND_IPV6, 58, UDP_IP),
    network(hook::UDP_IP_RECV_IPV6, 59, UDP_IP),
];

/// The groups of kernel events that a session needs for its providers.
pub(crate) fn flags_of(providers: &[Enable]) -> u32 {
    let is_enabled = |twin: &&Twin| providers.iter().any(|enable| enable.provider == twin.provider);
    TWINS.iter().filter(is_enabled).fold(0, |flags, twin| flags | twin.flags)
}

/// What becomes of the kernel records of a session.
#[derive(Debug, Default)]
pub(crate) struct Twins {
    /// Events by the hook of their records, without time and ids.
    events: FxHashMap<u16, Event>,
    /// The hooks of records that the session does not want.
    hidden: Vec<u16>,
    bytes: Vec<u8>,
}

impl Twins {
    /// Of a session that wants these groups of kernel events, and these providers.
    pub(crate) fn new(kernel_flags: u32, providers: &[Enable]) -> Twins {
        let mut twins = Twins::default();
        for twin in TWINS {
            let enables = providers.iter().filter(|enable| enable.provider == twin.provider);
            let event = twin.event();
            if enables.clone().any(|enable| takes(enable, &event)) {
                twins.events.insert(twin.hook, event);
            }
        }
        if flags_of(providers) & !kernel_flags != 0 {
            let wanted = |hook: u16| {
                ROWS.iter().any(|row| row.flags & kernel_flags != 0 && row.hooks().any(|of| of == hook))
            };
            twins.hidden =
                ROWS.iter().flat_map(crate::table::Row::hooks).filter(|hook| !wanted(*hook)).collect();
        }
        twins
    }

    /// Gives what becomes of a record: the record itself, unless the session does not want it, and the event that it is, too.
    pub(crate) fn each(&mut self, record: &[u8], mut take: impl FnMut(&[u8])) {
        let hook = if self.events.is_empty() && self.hidden.is_empty() { None } else { hook_of(record) };
        let Some(hook) = hook else { return take(record) };
        if !self.hidden.contains(&hook) {
            take(record);
        }
        let Some(event) = self.events.get(&hook) else { return };
        let Ok(kernel) = tracewell_etl::Record::parse(record, 0) else { return };
        let payload = kernel.payload();
        // The process is the first field of all of them.
        let pid = payload.first_chunk().map_or(u32::MAX, |pid| u32::from_le_bytes(*pid));
        let event = Event { time: kernel.time(), pid, tid: u32::MAX, ..*event };
        self.bytes.clear();
        if event.append(&[], payload, &mut self.bytes) {
            take(&self.bytes);
        }
    }
}

impl Twin {
    /// The event without time and ids. Level and keywords are those of its description.
    fn event(&self) -> Event {
        let described = bundled::provider(&self.provider)
            .and_then(|provider| provider.events.iter().find(|event| event.id == self.id))
            .and_then(|event| event.enabling)
            .unwrap_or_default();
        Event {
            provider: self.provider,
            id: self.id,
            opcode: self.id as u8,
            task: self.task,
            level: described.level,
            channel: ANALYTIC,
            keyword: described.keyword | ANALYTIC_KEYWORD,
            ..Event::default()
        }
    }
}

/// Returns `true` if a provider is enabled for an event.
fn takes(enable: &Enable, event: &Event) -> bool {
    let by_level = enable.level == 0 || event.level <= enable.level;
    let by_keyword = event.keyword == 0
        || (enable.any == 0 || event.keyword & enable.any != 0) && event.keyword & enable.all == enable.all;
    let by_id = enable.ids.as_ref().is_none_or(|filter| filter.ids.contains(&event.id) == filter.include);
    by_level && by_keyword && by_id
}

/// Group and type of a kernel record; [`None`] for others.
fn hook_of(record: &[u8]) -> Option<u16> {
    let head: &[u8; 8] = record.first_chunk()?;
    let is_kernel = matches!(
        HeaderKind(head[2]),
        HeaderKind::PERFINFO32 | HeaderKind::PERFINFO64 | HeaderKind::SYSTEM32 | HeaderKind::SYSTEM64
    );
    (is_kernel && head[3] & MARKER_TRACE_HEADER != 0).then(|| u16::from_be_bytes([head[7], head[6]]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::{PROVIDER, providers};
    use tracewell_etl::write::PerfInfo;
    use tracewell_schema::{FieldType, kernel};
    use tracewell_session::IdFilter;

    /// A record of a kernel event, for process 64.
    fn record(hook: u16) -> Vec<u8> {
        let [group, opcode] = hook.to_be_bytes();
        let mut bytes = Vec::new();
        let header = PerfInfo { time: 1234, group, opcode, version: 2, ..PerfInfo::default() };
        assert!(header.append(&[64, 0, 0, 0, 1, 2, 3, 4], &mut bytes));
        bytes
    }

    /// What becomes of a record: `kernel`, or id, process, keyword and level of the event.
    fn becomes(twins: &mut Twins, record: &[u8]) -> Vec<String> {
        let mut all = Vec::new();
        twins.each(record, |bytes| {
            let read = tracewell_etl::Record::parse(bytes, 0).unwrap();
            assert_eq!((read.time(), read.payload()), (1234, [64, 0, 0, 0, 1, 2, 3, 4].as_slice()));
            all.push(if read.is_event() {
                assert_eq!((read.guid(), read.opcode(), read.channel()), (NETWORK, read.id() as u8, 16));
                format!("{} pid {:?} {:#x} {}", read.id(), read.pid(), read.keyword(), read.level())
            } else {
                "kernel".to_owned()
            });
        });
        all
    }

    #[test]
    fn issue_16_events_of_the_network_have_the_layouts_of_kernel_records() {
        let provider = bundled::provider(&NETWORK).unwrap();
        for twin in TWINS {
            let [group, opcode] = twin.hook.to_be_bytes();
            let class = kernel::by_group(group).unwrap();
            let event = class.events.iter().find(|event| event.opcode == opcode).unwrap();
            let layout = event.versions.iter().find(|version| version.number == 2).unwrap();
            let described = provider.events.iter().find(|event| event.id == twin.id).unwrap();
            // Only signs of shifts differ, which are 0.
            let unsigned = |ty: &FieldType| if *ty == FieldType::I16 { FieldType::U16 } else { ty.clone() };
            let shape = |fields: &[tracewell_schema::Field]| -> Vec<_> {
                fields.iter().map(|field| (field.name.clone(), unsigned(&field.ty))).collect()
            };
            assert_eq!(shape(&layout.fields), shape(&described.layout.fields), "{}", twin.id);
            let event = twin.event();
            let is_six =
                layout.fields.iter().any(|field| field.name == "daddr" && field.ty == FieldType::Ipv6);
            let keyword = if is_six { 0x20 } else { 0x10 };
            assert_eq!((event.keyword, event.level), (keyword | 1 << 63, 4), "{}", twin.id);
            assert_eq!(described.task.ends_with("TCPIP"), twin.task == TCP_IP, "{}", twin.id);
        }
    }

    #[test]
    fn issue_16_a_session_gets_what_it_wants_of_kernel_records() {
        let (send, receive_six) = (record(hook::TCP_IP_SEND_IPV4), record(hook::UDP_IP_RECV_IPV6));
        let start = record(u16::from_be_bytes([3, 1]));
        let all = Enable::all_of(NETWORK);
        let (first, last) = ("10 pid Some(64) 0x8000000000000010 4", "59 pid Some(64) 0x8000000000000020 4");
        let none: &[&str] = &[];
        let enabled = |kernel_flags: u32, enables: &[Enable]| {
            let mut twins = Twins::new(kernel_flags, enables);
            [&send, &receive_six, &start].map(|record| becomes(&mut twins, record))
        };
        let both = flag::NETWORK_TCPIP | flag::PROCESS;
        assert_eq!(enabled(both, &[]), [["kernel"], ["kernel"], ["kernel"]]);
        assert_eq!(enabled(0, std::slice::from_ref(&all)), [&[first][..], &[last], none]);
        let beside = [&["kernel", first][..], &["kernel", last], &["kernel"]];
        assert_eq!(enabled(both, std::slice::from_ref(&all)), beside);
        assert_eq!(enabled(flag::PROCESS, std::slice::from_ref(&all)), [&[first][..], &[last], &["kernel"]]);
        let part = |change: fn(&mut Enable)| {
            let mut enable = all.clone();
            change(&mut enable);
            enabled(0, &[enable])
        };
        let only_first = [&[first][..], none, none];
        assert_eq!(part(|enable| enable.any = 0x10), only_first);
        assert_eq!(part(|enable| enable.all = 0x10), only_first);
        assert_eq!(part(|enable| (enable.any, enable.all) = (0x30, 0x10)), only_first);
        assert_eq!(part(|enable| enable.ids = Some(IdFilter { ids: vec![10], include: true })), only_first);
        assert_eq!(part(|enable| enable.ids = Some(IdFilter { ids: vec![59], include: false })), only_first);
        assert_eq!(part(|enable| enable.level = 3), [none; 3]);
        assert_eq!(part(|enable| enable.level = 4), [&[first][..], &[last], none]);
        // The tracepoints need no group, and hide nothing.
        assert_eq!(flags_of(&[Enable::all_of(PROVIDER)]), 0);
        assert_eq!(flags_of(&[all]), flag::NETWORK_TCPIP);
        assert!(TWINS.iter().all(|twin| providers().contains(&twin.provider)));
    }
}
