//! Functions of single values.

use tracewell_schema::providers;
use tracewell_types::Guid;

use super::scalar::Values;

/// A number from the arguments of a row, or why there is none.
pub(super) type Number = fn(&Values, usize) -> Result<Option<i64>, String>;
/// A text likewise.
pub(super) type Text = fn(&Values, usize) -> Result<Option<String>, String>;

pub(super) fn duration_text(values: &Values, row: usize) -> Result<Option<String>, String> {
    Ok(Some(tracewell::text::duration(values.integer(0, row))))
}

pub(super) fn bucket(values: &Values, row: usize) -> Result<Option<i64>, String> {
    let (value, width) = (values.integer(0, row), values.integer(1, row));
    if width < 1 {
        return Err(format!("the width is {width}, but must be at least 1"));
    }
    let bucket = value.checked_sub(value.rem_euclid(width));
    bucket.map(Some).ok_or_else(|| format!("the bucket of {value} with a width of {width} is out of range"))
}

pub(super) fn power_bucket(values: &Values, row: usize) -> Result<Option<i64>, String> {
    Ok(Some(tracewell_dengine::Histogram::bucket(values.integer(0, row))))
}

pub(super) fn guid_name(values: &Values, row: usize) -> Result<Option<String>, String> {
    let text = values.text(0, row);
    let guid = Guid::try_parse(text.as_bytes()).ok_or_else(|| format!("'{text}' is not a GUID"))?;
    Ok(providers::known_name(&guid).map(str::to_owned))
}

pub(super) fn provider_guid(values: &Values, row: usize) -> Result<Option<String>, String> {
    Ok(providers::known_guid(values.text(0, row)).map(|guid| guid.to_string()))
}
