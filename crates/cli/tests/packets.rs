//! `etw export --pcapng`: packets that `pktmon` and `netsh trace` captured, in made traces and real ones; read back by hand, and by
//! Wireshark's `tshark` where that is installed (issue 3).

mod common;

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;

use tracewell_etl::write::{Event, TraceConfig, TraceWriter};
use tracewell_types::{FileTime, Guid};

const PKTMON: Guid = Guid::parse("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");
const NDIS: Guid = Guid::parse("2ed6006e-4729-4609-b423-3ee7bcd678ef");
const START: i64 = 1_000_000;
/// 2020-02-10 12:15:00 UTC.
const STARTED: i64 = 132_258_105_000_000_000;
const STARTED_UNIX_NS: u64 = 1_581_336_900_000_000_000;

const MANIFEST: &str = r#"<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><events>
<provider name="Microsoft-Windows-PktMon" guid="{4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac}" symbol="P">
<maps><valueMap name="Kind"><map value="1" message="$(string.ethernet)"/><map value="2" message="$(string.wifi)"/><map value="4" message="$(string.ip)"/><map value="5" message="$(string.http)"/></valueMap>
<valueMap name="Tag"><map value="1" message="$(string.rx)"/><map value="2" message="$(string.tx)"/></valueMap>
<valueMap name="Why"><map value="0" message="$(string.none)"/><map value="9" message="$(string.full)"/></valueMap></maps>
<templates><template tid="Packet">
<data name="PktGroupId" inType="win:UInt64"/><data name="PktNumber" inType="win:UInt16"/><data name="DirTag" inType="win:UInt16" map="Tag"/>
<data name="PacketType" inType="win:UInt16" map="Kind"/><data name="ComponentId" inType="win:UInt16"/><data name="DropReason" inType="win:UInt32" map="Why"/>
<data name="DropLocation" inType="win:UInt32" outType="win:HexInt32"/><data name="OriginalPayloadSize" inType="win:UInt16"/>
<data name="LoggedPayloadSize" inType="win:UInt16"/><data name="Payload" inType="win:Binary" length="LoggedPayloadSize"/></template>
<template tid="Component"><data name="Id" inType="win:UInt16"/><data name="Name" inType="win:UnicodeString"/><data name="Description" inType="win:UnicodeString"/></template></templates>
<events><event value="160" template="Packet" symbol="A"/><event value="20" template="Component" symbol="B"/></events></provider>
<provider name="Microsoft-Windows-NDIS-PacketCapture" guid="{2ed6006e-4729-4609-b423-3ee7bcd678ef}" symbol="N">
<templates><template tid="Fragment"><data name="MiniportIfIndex" inType="win:UInt32"/><data name="LowerIfIndex" inType="win:UInt32"/>
<data name="FragmentSize" inType="win:UInt32"/><data name="Fragment" inType="win:Binary" length="FragmentSize"/></template></templates>
<events><event value="1001" template="Fragment" symbol="C"/></events></provider></events></instrumentation>
<localization><resources culture="en-US"><stringTable><string id="ethernet" value="Ethernet"/><string id="wifi" value="WiFi"/><string id="ip" value="IP"/>
<string id="http" value="HTTP"/><string id="rx" value="Rx"/><string id="tx" value="Tx"/><string id="none" value="Unspecified"/>
<string id="full" value="The queue is full"/></stringTable></resources></localization></instrumentationManifest>"#;

/// A folder of one test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tracewell-packets-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("packets.man"), MANIFEST).unwrap();
        Folder(path)
    }

    /// A trace of these events: number, time in 100 ns, processor, keyword, payload.
    fn trace(&self, provider: Guid, events: &[(u16, i64, u16, u64, Vec<u8>)]) -> PathBuf {
        let start_time = FileTime(STARTED);
        let config = TraceConfig { raw_start: START, start_time, processors: 2, ..TraceConfig::default() };
        let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
        for (id, time, cpu, keyword, payload) in events {
            let event = Event {
                time: START + time,
                provider,
                id: *id,
                keyword: *keyword,
                pid: 4,
                ..Event::default()
            };
            writer.event(*cpu, &event, &[], payload).unwrap();
        }
        let path = self.0.join("packets.etl");
        std::fs::write(&path, writer.finish(FileTime(STARTED + 10_000_000)).unwrap().into_inner()).unwrap();
        path
    }

    fn export(&self, trace: &Path, options: &[&str]) -> (common::Ran, Vec<(u32, Vec<u8>)>) {
        let to = self.0.join("packets.pcapng");
        let mut command = common::command("etw");
        command.args(["export", "--pcapng", "--force", "--manifest"]).arg(self.0.join("packets.man"));
        let ran = common::run(command.arg("-o").arg(&to).arg(trace).args(options));
        let blocks = std::fs::read(&to).map(|bytes| blocks(&bytes)).unwrap_or_default();
        (ran, blocks)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// The blocks of a capture: kind and body.
fn blocks(mut bytes: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let length = word(bytes, 4) as usize;
        assert_eq!(word(bytes, length - 4) as usize, length);
        found.push((word(bytes, 0), bytes[8..length - 4].to_vec()));
        bytes = &bytes[length..];
    }
    found
}

/// The option of that number in a list of options.
fn option(mut list: &[u8], number: u16) -> Option<Vec<u8>> {
    while list.len() >= 4 {
        let (kind, length) = (word(list, 0) as u16, (word(list, 0) >> 16) as usize);
        if kind == number {
            return Some(list[4..4 + length].to_vec());
        }
        list = &list[4 + length.next_multiple_of(4)..];
    }
    None
}

/// A packet: interface, nanoseconds since the trace started, bytes, size, direction, number, comment.
#[derive(Debug, PartialEq, Eq)]
struct Seen(u32, u64, Vec<u8>, u32, u32, u64, String);

fn packets(blocks: &[(u32, Vec<u8>)]) -> Vec<Seen> {
    let packet = |(_, body): &(u32, Vec<u8>)| {
        let time = u64::from(word(body, 4)) << 32 | u64::from(word(body, 8));
        let length = word(body, 12) as usize;
        let options = &body[20 + length.next_multiple_of(4)..];
        Seen(
            word(body, 0),
            time.wrapping_sub(STARTED_UNIX_NS),
            body[20..20 + length].to_vec(),
            word(body, 16),
            option(options, 2).map_or(0, |flags| word(&flags, 0)),
            option(options, 5).map_or(0, |number| u64::from(word(&number, 0))),
            option(options, 1).map_or(String::new(), |text| String::from_utf8(text).unwrap()),
        )
    };
    blocks.iter().filter(|block| block.0 == 6).map(packet).collect()
}

/// Link type, name and description of each interface.
fn interfaces(blocks: &[(u32, Vec<u8>)]) -> Vec<(u16, String, String)> {
    let text = |body: &[u8], number| {
        option(&body[8..], number).map_or(String::new(), |text| String::from_utf8(text).unwrap())
    };
    let found = blocks.iter().filter(|block| block.0 == 1);
    found.map(|(_, body)| (word(body, 0) as u16, text(body, 2), text(body, 3))).collect()
}

/// A packet of `pktmon`: group, tag, kind, component, reason of a drop, size, bytes.
fn packet(group: u64, tag: u16, kind: u16, component: u16, why: u32, size: u16, bytes: &[u8]) -> Vec<u8> {
    let mut payload = group.to_le_bytes().to_vec();
    payload.extend([1_u16, tag, kind, component].into_iter().flat_map(u16::to_le_bytes));
    payload.extend([why, 0xE0].into_iter().flat_map(u32::to_le_bytes));
    payload.extend([size, bytes.len() as u16].into_iter().flat_map(u16::to_le_bytes));
    payload.extend(bytes);
    payload
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect()
}

/// An Ethernet frame with a datagram of IP version 4 that holds nothing.
const FRAME: [u8; 34] = [
    2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45, 0, 0, 20, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0,
    0, 2,
];

/// The same in an 802.11 frame whose mark says that it is encrypted, though it is not.
fn wifi(flags: u8) -> Vec<u8> {
    let mut frame = vec![0x08, flags];
    frame.resize(24, 1);
    frame.extend([0xAA, 0xAA, 3, 0, 0, 0, 8, 0]);
    frame.extend(&FRAME[14..]);
    frame
}

#[test]
fn packets_of_pktmon_have_interfaces_directions_numbers_and_drops() {
    let folder = Folder::new("pktmon");
    let named = [12_u16.to_le_bytes().to_vec(), utf16("nic.sys"), utf16("An adapter")].concat();
    let broadcast = [&[0xFF; 6], &FRAME[6..]].concat();
    let trace = folder.trace(
        PKTMON,
        &[
            (160, 10, 0, 0, packet(5, 2, 1, 12, 0, 60, &FRAME)),
            // Called 802.11, and the same frame; then what was made of it.
            (160, 20, 1, 0, packet(5, 2, 2, 12, 0, 60, &FRAME)),
            (160, 30, 0, 0, packet(5, 2, 2, 7, 0, 52, &wifi(0x41))),
            (160, 40, 0, 0, packet(6, 1, 4, 9, 9, 20, &FRAME[14..])),
            (160, 50, 0, 0, packet(7, 0, 5, 9, 0, 3, b"GET")),
            (160, 60, 0, 0, packet(8, 0, 1, 7, 0, 34, &FRAME)[..20].to_vec()),
            (20, 70, 0, 0, named),
            // Called 802.11 as well, and a broadcast that passed nowhere before (issue 3).
            (160, 80, 0, 0, packet(9, 1, 2, 12, 9, 60, &broadcast)),
        ],
    );
    let (ran, blocks) = folder.export(&trace, &[]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let text = str::to_owned;
    assert_eq!(
        interfaces(&blocks),
        [
            (1, text("12 nic.sys"), text("An adapter")),
            (105, text("7"), String::new()),
            (101, text("9"), String::new())
        ]
    );
    let dropped = text("dropped: The queue is full at 0xe0");
    assert_eq!(
        packets(&blocks),
        [
            Seen(0, 1_000, FRAME.to_vec(), 60, 2, 1, String::new()),
            Seen(0, 2_000, FRAME.to_vec(), 60, 2, 1, String::new()),
            Seen(1, 3_000, wifi(0x01), 52, 2, 1, String::new()),
            Seen(2, 4_000, FRAME[14..].to_vec(), 20, 1, 2, dropped.clone()),
            Seen(0, 8_000, broadcast, 60, 1, 3, dropped),
        ]
    );
    for said in [
        "5 packets on 3 interfaces",
        "1 packets that begin with neither",
        "1 packets that could not be read",
        "1 802.11 frame marked as encrypted",
        "2 frames called 802.11 in the trace",
    ] {
        assert!(ran.stderr.contains(said), "{said}: {}", ran.stderr);
    }
    // A stretch of time is asked for as everywhere.
    let (ran, blocks) = folder.export(&trace, &["--start", "0.0000025", "--end", "0.0000035"]);
    assert_eq!((packets(&blocks).len(), ran.status), (1, Some(0)), "{}", ran.stderr);
    assert!(ran.stderr.contains("6 records outside the time asked for"), "{}", ran.stderr);
}

#[test]
fn packets_of_netsh_are_put_together() {
    const SEND: u64 = 0x1_0000_0000;
    const RECEIVE: u64 = 0x2_0000_0000;
    const START_OF: u64 = 0x4000_0000;
    const END_OF: u64 = 0x8000_0000;
    let folder = Folder::new("netsh");
    let part = |bytes: &[u8]| {
        let words = [6, 6, bytes.len() as u32].into_iter().flat_map(u32::to_le_bytes);
        words.chain(bytes.iter().copied()).collect::<Vec<u8>>()
    };
    let trace = folder.trace(
        NDIS,
        &[
            (1001, 10, 0, START_OF | SEND, part(&FRAME[..10])),
            // On another processor, between the parts of the first.
            (1001, 20, 1, START_OF | END_OF | RECEIVE, part(&FRAME)),
            (1001, 30, 0, SEND, part(&FRAME[10..20])),
            (1001, 40, 0, END_OF | SEND, part(&FRAME[20..])),
            (1001, 50, 0, END_OF, part(&FRAME)),
            (1001, 60, 1, START_OF | END_OF | 0x1_0000, part(&wifi(0x42))),
            (1001, 70, 1, START_OF, part(&FRAME)),
            // Switch packets have no description.
            (1003, 80, 1, START_OF | END_OF, part(&FRAME)),
        ],
    );
    let (ran, blocks) = folder.export(&trace, &[]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let name = || "interface 6".to_owned();
    assert_eq!(interfaces(&blocks), [(1, name(), String::new()), (105, name(), String::new())]);
    assert_eq!(
        packets(&blocks),
        [
            Seen(0, 2_000, FRAME.to_vec(), 34, 1, 0, String::new()),
            Seen(0, 1_000, FRAME.to_vec(), 34, 2, 0, String::new()),
            Seen(1, 6_000, wifi(0x02), 52, 0, 0, String::new()),
        ]
    );
    for said in ["2 pieces of packets whose beginning or end", "1 packets that could not be read"] {
        assert!(ran.stderr.contains(said), "{said}: {}", ran.stderr);
    }
}

#[test]
fn a_trace_without_packets_is_no_capture() {
    let folder = Folder::new("none");
    let trace = folder.trace(PKTMON, &[(20, 10, 0, 0, vec![0; 6])]);
    let (ran, blocks) = folder.export(&trace, &[]);
    assert_eq!((ran.status, blocks.len()), (Some(1), 0));
    assert!(ran.stderr.contains("there are no packets in it: `pktmon start --capture`"), "{}", ran.stderr);
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 2, "only the manifest and the trace");
}

/// The packets of the sample are those that its events of connections are about.
#[test]
fn issue_21_packets_of_the_sample_fit_its_connections() {
    let folder = Folder::new("sample");
    let (ran, blocks) = folder.export(&common::sample(), &[]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let truth = std::fs::read(common::root().join("testdata/sample.truth.json")).unwrap();
    let truth: serde_json::Value = serde_json::from_slice(&truth).unwrap();
    let events = truth["events"]["by_id"].as_array().expect("events by number");
    let captured = events.iter().find(|row| row["guid"] == NDIS.to_string()).expect("packets");
    let packets = packets(&blocks);
    assert_eq!(captured["count"], packets.len());
    let peers: Vec<&str> = truth["network"]["by_peer"].as_array().expect("peers").iter().map(peer).collect();
    for Seen(_, _, bytes, size, direction, ..) in packets {
        // Ethernet with IPv4 or IPv6; the peer sent what comes (1), and what is sent (2) is for it.
        let from = direction == 1;
        let peer = match bytes[12..14] {
            [0x08, 0x00] => std::net::IpAddr::from(
                <[u8; 4]>::try_from(&bytes[if from { 26..30 } else { 30..34 }]).unwrap(),
            ),
            [0x86, 0xDD] => std::net::IpAddr::from(
                <[u8; 16]>::try_from(&bytes[if from { 22..38 } else { 38..54 }]).unwrap(),
            ),
            ref other => panic!("type {other:?}"),
        };
        assert!(peers.contains(&peer.to_string().as_str()), "{peer}");
        assert!((42..=96).contains(&size), "{size}");
    }
}

fn peer(row: &serde_json::Value) -> &str {
    row["peer"].as_str().expect("an address")
}

/// A real capture of pings, as Wireshark reads what is made of it.
#[test]
fn tshark_reads_a_real_capture() {
    let Some(corpus) = tracewell_corpus::folder() else { return };
    let folder = Folder::new("real");
    let to = folder.0.join("pings.pcapng");
    let mut command = common::command("etw");
    command.args(["export", "--pcapng", "-o"]).arg(&to).arg(corpus.join("demikernel/PktMon.etl"));
    let ran = common::run(&mut command);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("114 packets on 4 interfaces"), "{}", ran.stderr);
    let blocks = blocks(&std::fs::read(&to).unwrap());
    assert!(blocks.iter().filter(|block| block.0 == 6).all(|block| word(&block.1, 12) == 98));
    let fields = ["-T", "fields", "-e", "frame.interface_name", "-e", "ip.src", "-e", "icmp.type"];
    let Ok(read) = Command::new("tshark").arg("-r").arg(&to).args(fields).output() else {
        tracewell_corpus::skip("tshark", "install tshark");
        return;
    };
    let text = String::from_utf8(read.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 114, "{}", String::from_utf8_lossy(&read.stderr));
    assert_eq!(lines[0], "59 netvsc.sys\t10.9.1.14\t8");
    assert!(lines.iter().all(|line| line.ends_with("\t8") || line.ends_with("\t0")), "{text}");
}
