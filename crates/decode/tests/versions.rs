//! Events of versions without a description (issue 3): a real trace of Windows 10 has presents of version 0, which lack a field
//! in the middle of version 1, and were shown with the values of one field under the name of another.

use tracewell_decode::{Decoder, Problem, Schemas, Source};
use tracewell_etl::Trace;
use tracewell_etl::write::{Event, TraceConfig, TraceWriter};
use tracewell_types::{FileTime, Guid};

const DXGKRNL: &str = "802ec45a-1e99-4b83-9920-87c98277ba9d";
const PRESENT: u16 = 184;

/// The fields of an event with that version and payload, and how many bytes are left over.
fn decoded(version: u8, payload: &[u8]) -> (Vec<String>, usize) {
    let mut writer =
        TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).expect("it begins");
    let header = Event { time: 1, provider: Guid::parse(DXGKRNL), id: PRESENT, version, ..Event::default() };
    writer.event(0, &header, &[], payload).expect("it fits");
    let bytes = writer.finish(FileTime::UNIX_EPOCH).expect("it ends").into_inner();
    let trace = Trace::open(&bytes).expect("it is a trace");
    let mut decoder = Decoder::new(Schemas::new());
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        if record.guid() == header.provider {
            let format = decoder.format(&record);
            assert_eq!((&*format.name, format.exact), ("Present", version == 1));
            let mut fields = format.fields(&record);
            let names = fields.by_ref().map(|f| f.field.name.to_string()).collect();
            return (names, fields.rest().len());
        }
    }
    panic!("the event is in the trace");
}

#[test]
fn an_older_version_is_decoded_only_where_it_ends_with_a_field() {
    let all = ["hContext", "hWindow", "VidPnSourceId", "FlipInterval", "Flags", "ReturnStatus"];
    let all = [&all[..], &["hSrcAllocHandle", "hDstAllocHandle"]].concat();
    assert_eq!(decoded(1, &[7; 44]).0, all);
    // A version to come has the fields that are sure, and a rest.
    assert_eq!(decoded(9, &[7; 50]), (all.iter().map(ToString::to_string).collect(), 6));
    // Version 0 as it is lacks the interval.
    assert_eq!(decoded(0, &[7; 40]), (Vec::new(), 40));
    // One that lacked the last field would be sure again.
    assert_eq!(decoded(0, &[7; 36]).0, all[..7]);
}

/// Issue 3: the tables have two versions of the end of a binding, whose newer one begins with another field.
#[test]
fn a_version_to_come_has_the_fields_that_no_version_has_moved() {
    let tcpip = Guid::parse("2f07e2ee-15db-40f1-90ef-9d7ba282188a");
    let mut writer =
        TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).expect("it begins");
    for version in [0, 1, 7] {
        let header = Event { time: 1, provider: tcpip, id: 1008, version, ..Event::default() };
        writer.event(0, &header, &[], &[0; 16]).expect("it fits");
    }
    let bytes = writer.finish(FileTime::UNIX_EPOCH).expect("it ends").into_inner();
    let trace = Trace::open(&bytes).expect("it is a trace");
    let mut decoder = Decoder::new(Schemas::new());
    let mut records = trace.file_order();
    let mut firsts = Vec::new();
    while let Some(record) = records.next() {
        if record.guid() == tcpip {
            let format = decoder.format(&record);
            firsts.push(format.fields(&record).next().map(|field| field.field.name.to_string()));
        }
    }
    assert_eq!(firsts, [Some("LocalAddressLength".into()), Some("Endpoint".into()), None]);
}

/// Issue 3: builds of Windows change events without a new version, so collections are not always right about them. Payloads that
/// do not fit their layout are not shown with it.
#[test]
fn what_does_not_fit_a_collected_layout_is_not_read_by_it() {
    let capture = Guid::parse("2ed6006e-4729-4609-b423-3ee7bcd678ef");
    let utf16 = |text: &str| text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let texts = ["A filter", "A#1", "afilter", "1.0"].map(utf16).concat();
    // A text of one byte a letter in the place of the last.
    let ansi = [&texts[..texts.len() - 8], b"1.0.22621.1\0\0"].concat();
    let cut = &texts[..texts.len() - 20];
    let more = [&texts[..], &[1, 2, 3]].concat();
    let mut writer =
        TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).expect("it begins");
    for payload in [&texts[..], &ansi, cut, &more] {
        let header = Event { time: 1, provider: capture, id: 1012, ..Event::default() };
        writer.event(0, &header, &[], payload).expect("it fits");
    }
    let bytes = writer.finish(FileTime::UNIX_EPOCH).expect("it ends").into_inner();
    let trace = Trace::open(&bytes).expect("it is a trace");
    let mut decoder = Decoder::new(Schemas::new());
    let mut records = trace.file_order();
    let mut found = Vec::new();
    while let Some(record) = records.next() {
        if record.guid() == capture {
            let format = decoder.format(&record);
            assert_eq!(format.source, Source::Collected);
            let mut fields = format.fields(&record);
            let count = fields.by_ref().count();
            found.push((count, fields.rest().len(), fields.error().map(|error| error.problem)));
        }
    }
    let unfit = Some(Problem::Unfit);
    assert_eq!(found, [(4, 0, None), (0, ansi.len(), unfit), (0, cut.len(), unfit), (4, 3, None)]);
}
