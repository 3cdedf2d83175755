//! The events of the kernel's network provider end in an identifier of pointer size (issue 3): each of the 8,923 events in a
//! real trace of Windows 7 says so, though the collections of manifests differ.

use tracewell_decode::{Decoder, Schemas};
use tracewell_etl::Trace;
use tracewell_etl::write::{Event, PointerSize, TraceConfig, TraceWriter};
use tracewell_types::{FileTime, Guid};

const PROVIDER: &str = "7dd42a49-5329-4832-8dfd-43d979153a88";

#[test]
fn a_connection_is_as_wide_as_a_pointer() {
    for (pointer_size, connection) in
        [(PointerSize::P32, &[0xEF, 0xBE, 0, 0][..]), (PointerSize::P64, &[0xEF, 0xBE, 0, 0, 1, 0, 0, 0])]
    {
        let config = TraceConfig { pointer_size, ..TraceConfig::default() };
        let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), config).expect("it begins");
        let header =
            Event { time: 1, provider: Guid::parse(PROVIDER), id: 11, pointer_size, ..Event::default() };
        // Process, size, addresses, ports, number in sequence.
        let mut payload =
            [7u32, 1460, 0x0100_007F, 0x0200_007F, 0x5000_901F, 9].map(u32::to_le_bytes).concat();
        payload.extend(connection);
        writer.event(0, &header, &[], &payload).expect("it fits");
        let bytes = writer.finish(FileTime::UNIX_EPOCH).expect("it ends").into_inner();
        let trace = Trace::open(&bytes).expect("it is a trace");
        let mut decoder = Decoder::new(Schemas::new());
        let mut records = trace.file_order();
        let mut shown = Vec::new();
        while let Some(record) = records.next() {
            if record.guid() == header.provider {
                let format = decoder.format(&record);
                let mut fields = format.fields(&record);
                shown.extend(
                    fields.by_ref().map(|f| format!("{}={}", f.field.name, f.value.display(f.field))),
                );
                assert!(fields.rest().is_empty(), "{shown:?}: {:?}", fields.rest());
            }
        }
        let wanted = if connection.len() == 4 { "connid=48879" } else { "connid=4295016175" };
        assert_eq!(shown.last().map(String::as_str), Some(wanted), "{shown:?}");
        assert_eq!(shown[0], "PID=7");
    }
}
