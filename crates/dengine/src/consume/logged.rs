//! What `etw_trace()` logs, and its line.

use super::float;
use super::scene::Scene;
use crate::host::Logged;
use crate::pack::{Reader, Value};
use std::io::Write as _;
use tracewell_dlang::logged::{LoggedEvent, LoggedField, LoggedValue};
use tracewell_dlang::program::Action;

/// Writes the line of an event, as `provider/event field=value group={member=value}`, and returns the event. [`None`] when its
/// values cannot be read.
pub(super) fn event<'e, 'r: 'e>(
    text: &mut Vec<u8>,
    (at, event): (u32, &'e LoggedEvent),
    action: &Action,
    reader: &mut Reader<'r>,
    scene: &Scene<'_>,
) -> Option<Logged<'e>> {
    let mut reprs = action.args.iter();
    let mut next = |reader: &mut Reader<'r>| reader.value(reprs.next()?);
    let mut number = || match next(reader)? {
        Value::Int { value, .. } => Some(value),
        _ => None,
    };
    let (level, keyword) = (number()? as u8, number()?);
    text.extend_from_slice(scene.name(&event.provider).as_bytes());
    text.push(b'/');
    text.extend_from_slice(scene.name(&event.name).as_bytes());
    let all = reader.rest();
    // How many members the structures around a field still have.
    let mut open: Vec<u8> = Vec::new();
    for field in &event.fields {
        if text.last() != Some(&b'{') {
            text.push(b' ');
        }
        let _ = write!(text, "{}=", scene.name(&field.name));
        if let Some(left) = open.last_mut() {
            *left = left.saturating_sub(1);
        }
        match field.ty.value {
            LoggedValue::Structure => {
                text.push(b'{');
                open.push(field.members);
            }
            _ => show(text, field, &next(reader)?, scene),
        }
        while open.pop_if(|left| *left == 0).is_some() {
            text.push(b'}');
        }
    }
    let payload = all.get(..all.len() - reader.rest().len())?;
    Some(Logged { at, event, level, keyword, payload })
}

/// Writes a value as the type of its field says.
fn show(text: &mut Vec<u8>, field: &LoggedField, value: &Value<'_>, scene: &Scene<'_>) {
    let _ = match *value {
        Value::Str(s) => {
            text.push(b'"');
            text.extend_from_slice(&scene.text(s));
            text.push(b'"');
            Ok(())
        }
        Value::Bytes(bytes) => write!(text, "{}", float::read(bytes)),
        Value::Int { value, .. } if field.ty.is_truth() => write!(text, "{}", value != 0),
        Value::Int { value, bytes, .. } if field.ty.is_hexadecimal() => {
            let unused = 64_u32.saturating_sub(8 * u32::from(bytes)).min(63);
            write!(text, "0x{:x}", value << unused >> unused)
        }
        Value::Int { value, signed: true, .. } => write!(text, "{}", value as i64),
        Value::Int { value, .. } => write!(text, "{value}"),
        _ => Ok(()),
    };
}
