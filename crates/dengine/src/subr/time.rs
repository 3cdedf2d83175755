//! `strftime()`: wall time as text.

use std::fmt::Write;

use jiff::Timestamp;
use jiff::fmt::StdFmtWrite;
use jiff::fmt::strtime::BrokenDownTime;

use crate::fault::{Fault, FaultKind};
use crate::host::Host;
use crate::state::State;

/// Text that ends, rather than grows, when it is full.
struct Bounded<'b> {
    bytes: &'b mut Vec<u8>,
    most: usize,
}

impl Write for Bounded<'_> {
    fn write_str(&mut self, s: &str) -> std::fmt::Result {
        let room = self.most.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&s.as_bytes()[..s.len().min(room)]);
        if s.len() > room { Err(std::fmt::Error) } else { Ok(()) }
    }
}

/// The time `ns` nanoseconds after 1970 began, in the form that the string at `format` asks for, in the
/// zone of the run, cut to `strsize`. A form that is not one is an illegal operation.
pub(super) fn strftime<H: Host>(state: &mut State, host: &H, format: u64, ns: i64) -> Result<u64, Fault> {
    let State { memory, temp, zone, .. } = state;
    let most = memory.strsize;
    let illegal = || Fault::new(FaultKind::IllegalOp);
    let at = Timestamp::from_nanosecond(i128::from(ns)).map_err(|_| illegal())?.to_zoned(zone.get().clone());
    let form = memory.string_or_empty(host, format)?;
    temp.clear();
    let mut out = Bounded { bytes: temp, most };
    let written = BrokenDownTime::from(&at).format(form, StdFmtWrite(&mut out));
    // Full is not wrong: strings are cut to their size.
    if written.is_err() && out.bytes.len() < most {
        return Err(illegal());
    }
    memory.note_cut(written.is_err());
    memory.put_string(temp)
}

#[cfg(test)]
mod tests {
    use jiff::fmt::strtime::BrokenDownTime;
    use tracewell_dlang::STRFTIME_CONVERSIONS;

    #[test]
    fn every_conversion_that_the_checker_lets_pass_is_known() {
        let at = jiff::Timestamp::UNIX_EPOCH.to_zoned(jiff::tz::TimeZone::UTC);
        for &letter in STRFTIME_CONVERSIONS {
            let form = [b'%', letter];
            let mut text = String::new();
            BrokenDownTime::from(&at)
                .format(form, jiff::fmt::StdFmtWrite(&mut text))
                .unwrap_or_else(|e| panic!("%{}: {e}", letter as char));
        }
    }
}
