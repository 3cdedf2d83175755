//! Hand-made payloads for the layouts that are easy to get wrong, for both pointer sizes.

use tracewell_decode::{Accessor, Fields, Problem, Value};
use tracewell_schema::{Count, Field, FieldType, Length, Version, kernel};

fn layout(class: &str, opcode: u8, version: u8) -> &'static Version {
    let found = kernel::class(class).unwrap().event(opcode, version).unwrap();
    assert!(found.exact);
    found.version
}

fn pointer(value: u64, size: u8) -> Vec<u8> {
    value.to_le_bytes()[..usize::from(size)].to_vec()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect()
}

/// Structs may be nested to a bounded depth; what is deeper is refused, wherever it lies.
#[test]
fn issue_23_structs_nest_to_a_depth() {
    let nested = |depth: usize| {
        let byte = Field::named("x", FieldType::Sid);
        (0..depth).fold(byte, |inner, _| Field::named("s", FieldType::Struct(vec![inner].into())))
    };
    for (depth, is_read) in [(1, true), (31, true), (32, true), (33, false), (40, false)] {
        let layout = Version { number: 0, fields: vec![nested(depth)].into() };
        let mut fields = Fields::new(&layout, &SYSTEM_SID, 8);
        let first = fields.next();
        assert_eq!(first.is_some() && fields.rest().is_empty(), is_read, "{depth}");
        let problem = fields.error().map(|error| error.problem);
        assert_eq!(problem, (!is_read).then_some(Problem::Degenerate), "{depth}");
    }
}

/// S-1-5-18, the local system.
const SYSTEM_SID: [u8; 12] = [1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0];

/// A Process payload of any version with pid 7, parent 8, session 2, exit status -1.
fn process(version: u8, size: u8, user: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    if version >= 1 {
        bytes.extend(pointer(0xFFFF_8000_1234_5678, size));
    }
    bytes.extend(7u32.to_le_bytes());
    bytes.extend(8u32.to_le_bytes());
    if version >= 1 {
        bytes.extend(2u32.to_le_bytes());
        bytes.extend((-1i32).to_le_bytes());
    }
    if version >= 3 {
        bytes.extend(pointer(0x1000, size));
    }
    if version >= 4 {
        bytes.extend(2u32.to_le_bytes());
    }
    bytes.extend(user);
    bytes.extend(b"App.exe\0");
    if version >= 2 {
        bytes.extend(utf16("app /x"));
    }
    if version >= 4 {
        bytes.extend(utf16("pkg"));
        bytes.extend(utf16("id"));
    }
    if version >= 5 {
        bytes.extend(133_000_000_000_000_000u64.to_le_bytes());
    }
    bytes
}

#[test]
fn process_in_every_version_size_and_form_of_identifier() {
    for (version, opcode) in [(0, 1), (1, 1), (2, 2), (3, 3), (4, 4), (5, 39)] {
        for size in [4, 8] {
            let mut block = pointer(0xFFFF_F8A0_0000_1000, size);
            block.extend(pointer(0, size));
            block.extend(SYSTEM_SID);
            let mut zeroed = vec![0; 2 * usize::from(size)];
            zeroed.extend(SYSTEM_SID);
            for (user, has_sid) in [(block, true), (zeroed, true), (vec![0; 4], false)] {
                let bytes = process(version, size, &user);
                let layout = layout("Process", opcode, version);
                let place = format!("v{version} p{size} {user:?}");
                assert_eq!(Fields::new(layout, &bytes, size).finish(), Ok(&[][..]), "{place}");
                let read = |name| Accessor::new(layout, name, size).unwrap();
                assert_eq!(read("ProcessId").int(&bytes), Some(7), "{place}");
                assert_eq!(read("parentid").int(&bytes), Some(8), "{place}");
                assert_eq!(read("ImageFileName").ansi(&bytes), Some(&b"App.exe"[..]), "{place}");
                let sid = read("UserSID").sid(&bytes).map(|sid| sid.to_string());
                assert_eq!(sid.as_deref(), has_sid.then_some("S-1-5-18"), "{place}");
                if version >= 1 {
                    assert_eq!(read("ExitStatus").int(&bytes), Some(u64::MAX), "sign-extended");
                }
                if version >= 2 {
                    assert!(read("CommandLine").str16(&bytes).unwrap().eq_str("app /x"), "{place}");
                }
                if version >= 5 {
                    assert_eq!(read("ExitTime").int(&bytes), Some(133_000_000_000_000_000));
                }
                // A cut after a zero word leaves what may be read as "no identifier".
                let cuts = if user[..4] == [0; 4] { 0..0 } else { 0..bytes.len() };
                for cut in cuts {
                    let fields = Fields::new(layout, &bytes[..cut], size);
                    // Only a cut inside the last text passes: a text may end with the payload.
                    if let Ok(rest) = fields.finish() {
                        assert!(rest.is_empty() && cut + 14 >= bytes.len(), "{place} cut at {cut}");
                    }
                }
            }
        }
    }
}

#[test]
fn thread_version_zero_has_the_thread_first() {
    let bytes = [[9u32.to_le_bytes(), 7u32.to_le_bytes()]].concat().concat();
    let read = |version, name| Accessor::new(layout("Thread", 2, version), name, 8).unwrap().int(&bytes);
    assert_eq!((read(0, "TThreadId"), read(0, "ProcessId")), (Some(9), Some(7)));
    assert_eq!((read(1, "TThreadId"), read(1, "ProcessId")), (Some(7), Some(9)));
}

#[test]
fn a_thread_name_may_be_missing() {
    let layout = layout("Thread", 3, 3);
    let name = Accessor::new(layout, "ThreadName", 8).unwrap();
    let mut bytes = vec![0; 72];
    assert_eq!(Fields::new(layout, &bytes, 8).finish(), Ok(&[][..]));
    assert_eq!(Fields::new(layout, &bytes, 8).count(), 14);
    assert!(name.str16(&bytes).is_none() && name.value(&bytes).is_none());
    bytes.extend(utf16("worker"));
    assert_eq!(Fields::new(layout, &bytes, 8).finish(), Ok(&[][..]));
    assert!(name.str16(&bytes).unwrap().eq_str("worker"));
}

#[test]
fn file_operations_moved_the_thread_id_in_version_three() {
    for size in [4, 8] {
        let (irp, object, key) = (pointer(1, size), pointer(2, size), pointer(3, size));
        let tid = 77u32.to_le_bytes().to_vec();
        let v2 = [irp.clone(), pointer(77, size), object.clone(), key.clone()].concat();
        let v3 = [irp, object, key, tid].concat();
        for (version, bytes) in [(2, v2), (3, v3)] {
            let layout = layout("FileIo", 65, version);
            assert_eq!(Fields::new(layout, &bytes, size).finish(), Ok(&[][..]));
            let read = |name| Accessor::new(layout, name, size).unwrap().int(&bytes);
            assert_eq!((read("TTID"), read("FileObject"), read("FileKey")), (Some(77), Some(2), Some(3)));
        }
    }
}

#[test]
fn network_addresses_and_ports_are_in_network_order() {
    for size in [4, 8] {
        let mut bytes = Vec::new();
        bytes.extend(7u32.to_le_bytes());
        bytes.extend(100u32.to_le_bytes());
        bytes.extend([10, 0, 0, 1, 192, 168, 1, 2]);
        bytes.extend([0x01, 0xBB, 0xC0, 0x00]);
        bytes.extend([0; 4]);
        bytes.extend(pointer(0xABCD, size));
        let layout = layout("TcpIp", 11, 2);
        let shown: Vec<String> =
            Fields::new(layout, &bytes, size).map(|f| f.value.display(f.field).to_string()).collect();
        assert_eq!(shown, ["7", "100", "10.0.0.1", "192.168.1.2", "443", "49152", "0", "0xabcd"]);
        assert_eq!(Accessor::new(layout, "dport", size).unwrap().int(&bytes), Some(443));
        assert_eq!(Accessor::new(layout, "dport", size).unwrap().fixed_offset(), Some(16));
    }
}

#[test]
fn arrays_take_the_rest_or_a_counted_number() {
    for size in [4u8, 8] {
        let mut bytes = vec![0; 16];
        bytes.extend(pointer(0x1111, size));
        bytes.extend(pointer(0x2222, size));
        let layout = layout("StackWalk", 32, 2);
        let stack = Accessor::new(layout, "Stack", size).unwrap();
        let Some(Value::Array(frames)) = stack.value(&bytes) else { panic!("no array") };
        assert_eq!(frames.filter_map(|f| f.as_u64()).collect::<Vec<_>>(), [0x1111, 0x2222]);
        assert_eq!(frames.get(1).and_then(|f| f.as_u64()), Some(0x2222));
        assert!(frames.get(2).is_none());
        assert_eq!(stack.bytes(&bytes), Some(&bytes[16..]));
        bytes.push(0);
        assert_eq!(Fields::new(layout, &bytes, size).finish(), Ok(&[0][..]), "half a frame is left over");
    }
    let layout = layout("PerfInfo", 48, 2);
    let bytes = [2u32.to_le_bytes().to_vec(), utf16("One"), utf16("Two")].concat();
    let value = Accessor::new(layout, "CounterName", 8).unwrap();
    let text = value.value(&bytes).unwrap().display(value.field().unwrap()).to_string();
    assert_eq!(text, "[One, Two]");
    let lying = [u32::MAX.to_le_bytes().to_vec(), utf16("One")].concat();
    let error = Fields::new(layout, &lying, 8).finish().unwrap_err();
    assert_eq!((error.field, error.offset, error.problem), (1, 4, Problem::Truncated));
    assert!(value.value(&lying).is_none());
}

#[test]
fn structs_show_their_members() {
    let mut bytes = 1u32.to_le_bytes().to_vec();
    bytes.extend(0xFFu64.to_le_bytes());
    bytes.extend([3, 0, 0, 0, 0, 0, 0, 0]);
    let shown: Vec<String> = Fields::new(layout("SystemConfig", 24, 2), &bytes, 8)
        .map(|f| f.value.display(f.field).to_string())
        .collect();
    assert_eq!(shown, ["1", "[{Mask=0xff, Group=3, Reserved=[0, 0, 0]}]"]);
}

/// No payload of any content may make any layout panic or run on.
#[test]
fn noise_is_survived_by_every_layout() {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut noise = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut read = 0usize;
    for class in kernel::classes() {
        for event in class.events {
            for version in event.versions {
                for size in [4, 8] {
                    for _ in 0..24 {
                        let length = (noise() % 200) as usize;
                        let mask = if noise() % 3 == 0 { 0x01 } else { 0xFF };
                        let bytes: Vec<u8> = (0..length).map(|_| noise() as u8 & mask).collect();
                        for field in Fields::new(version, &bytes, size) {
                            read += field.value.display(field.field).to_string().len();
                        }
                        for at in 0..version.fields.len() {
                            let accessor = Accessor::at(version, at, size).unwrap();
                            read += usize::from(accessor.int(&bytes).is_some());
                            read += accessor.bytes(&bytes).map_or(0, <[u8]>::len);
                        }
                    }
                }
            }
        }
    }
    assert!(read > 0);
}

/// An accessor finds the same bytes as the walk over all fields.
#[test]
fn accessors_agree_with_the_walk() {
    let bytes: Vec<u8> = (0..700u32).map(|i| (i % 7) as u8).collect();
    let mut compared = 0;
    for class in kernel::classes() {
        for event in class.events {
            for version in event.versions {
                for size in [4, 8] {
                    for (at, walked) in Fields::new(version, &bytes, size).enumerate() {
                        let accessor = Accessor::at(version, at, size).unwrap();
                        if let Some(number) = walked.value.as_u64() {
                            assert_eq!(accessor.int(&bytes), Some(number), "{}", walked.field.name);
                            compared += 1;
                        }
                        let text = accessor.value(&bytes).unwrap().display(walked.field).to_string();
                        assert_eq!(text, walked.value.display(walked.field).to_string());
                    }
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// The map of a field of a kernel event.
fn map_of(class: &str, opcode: u8, version: u8, field: &str) -> &'static tracewell_schema::ValueMap {
    let field = layout(class, opcode, version).fields.iter().find(|known| known.name == field).unwrap();
    match field.map.as_ref().unwrap() {
        tracewell_schema::MapRef::Static(map) => map,
        tracewell_schema::MapRef::Shared(_) => panic!("the kernel's tables have static maps"),
    }
}

/// Issue 3: flags and enumerations of the kernel's events were numbers.
#[test]
fn values_of_the_kernels_events_have_names() {
    for (class, opcode, version, field, value, name) in [
        ("Thread", 36, 4, "OldThreadWaitReason", 15, "WrQueue"),
        ("Thread", 36, 2, "OldThreadState", 5, "Waiting"),
        ("Thread", 36, 2, "OldThreadWaitMode", 1, "UserMode"),
        ("Thread", 50, 2, "AdjustReason", 2, "Boost"),
        ("DiskIo", 10, 3, "IrpFlags", 0x60043, "NoCache|PagingIo|SynchronousPagingIo|PriorityNormal"),
        ("DiskIo", 10, 3, "IrpFlags", 0x20002, "PagingIo|PriorityVeryLow"),
        ("DiskIo", 10, 3, "IrpFlags", 0xA0000, "PriorityCritical"),
        ("DiskIo", 10, 3, "IrpFlags", 0x8_0000, "PriorityHigh"),
        (
            "FileIo",
            64,
            3,
            "CreateOptions",
            0x0320_0060,
            "OpenIf|SynchronousIoNonAlert|NonDirectoryFile|OpenReparsePoint",
        ),
        ("FileIo", 64, 3, "ShareAccess", 5, "Read|Delete"),
        ("FileIo", 74, 3, "InfoClass", 5, "Standard"),
        ("PageFault", 98, 2, "Flags", 0x3000, "Commit|Reserve"),
        ("EventTrace", 0, 2, "LogFileMode", 0x0801_0001, "sequential|relog|independent-session"),
    ] {
        let map = map_of(class, opcode, version, field);
        assert_eq!(map.show(value).map(|text| text.to_string()).as_deref(), Some(name), "{class} {field}");
    }
    assert!(
        layout("FileIo", 75, 3).fields.iter().all(|field| field.map.is_none()),
        "a control code is no class"
    );
}

/// The modes of sessions have one set of names.
#[test]
fn modes_are_called_as_the_header_calls_them() {
    let map = map_of("EventTrace", 0, 2, "LogFileMode");
    for bit in (0..u32::BITS).map(|bit| 1u32 << bit) {
        let header = tracewell_etl::def::logfile::LogFileMode(bit).to_string();
        let ours = map.name_of(bit.into());
        match ours {
            Some(name) => assert!(header.contains(name), "{bit:#x}: {header}, {name}"),
            None => assert!(header.contains("0x"), "{bit:#x}: {header} has no name in the table"),
        }
    }
}

fn shown(fields: Vec<Field>, payload: &[u8]) -> (Vec<String>, Option<Problem>) {
    let layout = Version { number: 0, fields: fields.into() };
    let mut fields = Fields::new(&layout, payload, 8);
    let values = fields.by_ref().map(|field| field.value.display(field.field).to_string()).collect();
    (values, fields.error().map(|error| error.problem))
}

/// Counts and lengths are in unsigned integers before the field, in the same list. No other field is read as a number.
#[test]
fn issue_23_counts_and_lengths_are_in_integers_before_the_field() {
    let (text, bytes) = (FieldType::Ansi(Length::Field(0)), FieldType::Binary(Length::Field(0)));
    for (first, payload, is_number) in [
        (Field::named("n", FieldType::U8), &[2, b'o', b'k'][..], true),
        (Field::named("n", FieldType::U16), &[2, 0, b'o', b'k'], true),
        (Field::named("n", FieldType::U32), &[2, 0, 0, 0, b'o', b'k'], true),
        (Field::named("n", FieldType::U64), &[2, 0, 0, 0, 0, 0, 0, 0, b'o', b'k'], true),
        (Field::named("n", FieldType::I8), &[2, b'o', b'k'], false),
        (Field::named("n", FieldType::I32), &[2, 0, 0, 0, b'o', b'k'], false),
        (Field::named("n", FieldType::F32), &[2, 0, 0, 0, b'o', b'k'], false),
        (Field::named("n", FieldType::U8).count(Count::Fixed(1)), &[2, b'o', b'k'], false),
        (Field::named("n", FieldType::Ansi(Length::Nul)), &[2, 0, b'o', b'k'], false),
    ] {
        for second in [
            Field::named("t", text.clone()),
            Field::named("t", bytes.clone()),
            Field::named("t", FieldType::U8).count(Count::Field(0)),
        ] {
            let what = format!("{first:?} {second:?}");
            let fields = vec![first.clone(), second.clone()];
            let (values, problem) = shown(fields.clone(), payload);
            assert_eq!(problem, (!is_number).then_some(Problem::BadReference), "{what}");
            assert_eq!(values.len(), 1 + usize::from(is_number), "{what}");
            // The same in a struct, whose list begins elsewhere.
            let mut inside = vec![7; 3];
            inside.extend(payload);
            let members = Field::named("s", FieldType::Struct(fields.into()));
            let before = Field::named("b", FieldType::U8).count(Count::Fixed(3));
            let (within, problem) = shown(vec![before, members], &inside);
            assert_eq!(problem, (!is_number).then_some(Problem::BadReference), "{what}");
            let last = values.last().filter(|_| is_number);
            assert!(last.is_none_or(|last| within[1].contains(last.as_str())), "{within:?} {values:?}");
        }
    }
    // Neither itself nor what comes later.
    for at in [0, 1, 2, 9] {
        let fields =
            vec![Field::named("t", FieldType::Binary(Length::Field(at))), Field::named("n", FieldType::U8)];
        assert_eq!(shown(fields, &[1, 1, 1]), (Vec::new(), Some(Problem::BadReference)), "{at}");
    }
}

/// Fields whose lengths are in others cost no time that multiplies with their number: 60 of these took longer than anyone waits.
#[test]
fn issue_23_lengths_in_fields_are_found_at_once() {
    let mut fields = Vec::new();
    let (mut payload, mut expected) = (Vec::new(), Vec::new());
    for at in 0..60_u16 {
        fields.push(Field::named("n", FieldType::U8));
        fields.push(Field::named("t", FieldType::Ansi(Length::Field(2 * at))));
        let text =
            "abcde".chars().cycle().skip(usize::from(at)).take(usize::from(at) % 4).collect::<String>();
        payload.push(text.len() as u8);
        payload.extend(text.bytes());
        expected.extend([text.len().to_string(), text]);
    }
    assert_eq!(shown(fields.clone(), &payload), (expected.clone(), None));
    let layout = Version { number: 0, fields: fields.clone().into() };
    let last = Field { name: "last".into(), ..Field::named("t", FieldType::Ansi(Length::Field(118))) };
    let mut named = fields.clone();
    *named.last_mut().unwrap() = last;
    let named = Version { fields: named.into(), ..layout };
    let accessor = Accessor::new(&named, "last", 8).unwrap();
    assert_eq!(accessor.ansi(&payload), Some(expected[119].as_bytes()));
    // Structs in structs, each with lengths behind the one inside.
    let (mut inner, mut nested) = (Field::named("x", FieldType::U8), vec![1]);
    for _ in 0..30 {
        let text = || Field::named("t", FieldType::Ansi(Length::Field(1)));
        let members = vec![inner, Field::named("n", FieldType::U8), text(), text(), text()];
        inner = Field::named("s", FieldType::Struct(members.into()));
        nested.extend([1, b'a', b'b', b'c']);
    }
    let (values, problem) =
        shown(vec![inner, Field::named("y", FieldType::U8)], &[&nested[..], &[9]].concat());
    assert_eq!((values.len(), values.last().map(String::as_str), problem), (2, Some("9"), None));
}

/// Lengths may be far before their fields: behind a field of variable size those of the last 32 integers.
#[test]
fn issue_23_lengths_may_be_far_before_their_fields() {
    let integers = |count: usize| vec![Field::named("n", FieldType::U8); count];
    let text = |at: usize| Field::named("t", FieldType::Ansi(Length::Field(at as u16)));
    for (variable, between, is_found) in [(false, 500, true), (true, 32, true), (true, 33, false)] {
        let (before, mut payload) = match variable {
            true => (Field::named("v", FieldType::Ansi(Length::Nul)), b"v\0".to_vec()),
            false => (Field::named("v", FieldType::U16).count(Count::Fixed(3)), vec![9; 6]),
        };
        let (mut fields, first) = (vec![before], 1);
        fields.extend(integers(between));
        fields.extend([text(first), text(first)]);
        payload.extend(vec![2; between]);
        payload.extend(b"abcd");
        // The walk to the second text passes the first one.
        let members = Field::named("s", FieldType::Struct(fields.into()));
        let (_, problem) =
            shown(vec![members, Field::named("end", FieldType::U8)], &[&payload[..], &[5]].concat());
        assert_eq!(problem, (!is_found).then_some(Problem::Degenerate), "{variable} {between}");
    }
}
