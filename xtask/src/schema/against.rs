//! Compares the bundled tables with an independent collection: `windows/etw-providers` of OSSEM-DD.
//!
//! [`ossem`] describes what the collection contains.

use std::fmt::Write;
use std::path::Path;

use tracewell_schema::{Field, FieldType, bundled};

use crate::collect::ossem;

/// Compares every bundled provider that the collection has; the error counts the layouts that differ, after they have
/// been printed.
pub(crate) fn run(folder: &Path) -> Result<(), String> {
    let providers = ossem::folder(folder)?;
    let mut differ = 0;
    let mut report = String::new();
    for provider in bundled::common() {
        let Some(events) = ossem::provider(&providers.join(&*provider.name))? else { continue };
        let (mut same, mut missing) = (0, 0);
        for other in events.into_values() {
            let Some(own) = provider.event(other.id, other.version) else {
                missing += 1;
                continue;
            };
            if agree(&own.layout.fields, &other.fields) {
                same += 1;
            } else {
                differ += 1;
                let own: Vec<String> =
                    own.layout.fields.iter().map(|field| format!("{} {:?}", field.name, field.ty)).collect();
                let _ = writeln!(
                    report,
                    "{} {} v{}\n  here  {own:?}\n  there {:?}",
                    provider.name, other.id, other.version, other.fields
                );
            }
        }
        // A provider of the same name with another GUID has nothing in common.
        if same > 0 {
            println!("{}: {same} layouts are the same, {missing} are not bundled", provider.name);
        } else {
            println!("{} {{{}}}: another provider there", provider.name, provider.guid);
            differ -= report.lines().count() / 3;
            report.clear();
        }
        print!("{}", std::mem::take(&mut report));
    }
    if differ == 0 { Ok(()) } else { Err(format!("{differ} layouts differ")) }
}

fn agree(own: &[Field], other: &[(String, String)]) -> bool {
    // Two fields of one name have a number here, and PresentMon's names keep the parts of rectangles apart.
    let bare = |name: &str| name.to_ascii_lowercase().replace([' ', ',', '_'], "");
    let same_name = |own: &str, other: &str| {
        let (own, other) = (bare(own), bare(other));
        own == other || own.trim_end_matches(|c: char| c.is_ascii_digit()) == other
    };
    // Ours may end before what is not sure.
    own.len() <= other.len()
        && own.iter().zip(other).all(|(own, (name, ty))| same_name(&own.name, name) && is_a(&own.ty, ty))
}

/// Returns `true` if a field is stored as the other collection says. Addresses and ports are numbers and bytes to it,
/// and structs are whatever their flags happen to mean as a type.
fn is_a(own: &FieldType, other: &str) -> bool {
    match other {
        _ if matches!(own, FieldType::Struct(_)) => true,
        "Int8" => *own == FieldType::I8,
        "UInt8" => matches!(own, FieldType::U8 | FieldType::Bool8),
        "Int16" => *own == FieldType::I16,
        "UInt16" => matches!(own, FieldType::U16 | FieldType::Port),
        "Int32" => *own == FieldType::I32,
        "UInt32" | "HexInt32" => matches!(own, FieldType::U32 | FieldType::Ipv4),
        "Int64" => *own == FieldType::I64,
        "UInt64" | "HexInt64" => *own == FieldType::U64,
        "Pointer" => *own == FieldType::Pointer,
        "Boolean" => *own == FieldType::Bool32,
        "Float" => *own == FieldType::F32,
        "Double" => *own == FieldType::F64,
        "GUID" => *own == FieldType::Guid,
        "FILETIME" => *own == FieldType::FileTime,
        "SYSTEMTIME" => *own == FieldType::SystemTime,
        "SID" => *own == FieldType::Sid,
        "UnicodeString" | "CountedUtf16String" => matches!(own, FieldType::Utf16(_)),
        "AnsiString" | "CountedMbcsString" => matches!(own, FieldType::Ansi(_)),
        "Binary" => matches!(own, FieldType::Binary(_) | FieldType::Ipv6),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_schema::Length;

    #[test]
    fn layouts_are_compared() {
        let fields = [("Src Rect".to_owned(), "UInt16".to_owned()), ("Data".to_owned(), "Binary".to_owned())];
        let own = [
            Field::new("Src_Rect", FieldType::Port),
            Field::new("Data2", FieldType::Binary(Length::Fixed(3))),
        ];
        assert!(agree(&own, &fields));
        assert!(agree(&own[..1], &fields));
        assert!(!agree(&own, &fields[..1]));
        assert!(!agree(&[own[1].clone(), own[0].clone()], &fields));
    }
}
