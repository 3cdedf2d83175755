//! Checks what a session is asked to be, and fills in what was left open.

use tracewell_etl::def::logfile::{ClockType, LogFileMode};

use super::layout::{BUFFER_SIZES, Geometry, MOST_BUFFERS};
use super::offers::{KERNEL_LOGGER, SYSTEM_TRACE};
use crate::error::{Code, Error};
use crate::properties::Properties;

/// Default KiB of a buffer.
const BUFFER_KIB: u32 = 64;
/// Default buffers of a processor.
const BUFFERS: u32 = 32;
/// Default flush timer of a real-time session, in milliseconds.
const REAL_TIME_FLUSH: u32 = 1000;
/// Longest name of a session.
const LONGEST_NAME: usize = 1024;

fn refuse(detail: &str) -> Error {
    Error::new(Code::INVALID_PARAMETER, detail)
}

/// Buffers of a processor, so that there are `most` over all processors, or fewer: a power of two, at least two, and enough
/// for `least`.
pub(crate) fn buffers_of(least: u32, most: u32, cpus: u32) -> u32 {
    let power = |most: u32| 1 << most.max(1).ilog2();
    power(most / cpus).max(least.div_ceil(cpus).min(MOST_BUFFERS).next_power_of_two()).clamp(2, MOST_BUFFERS)
}

/// The flush timer of a session that was given one: who watches live cannot be kept waiting for ever.
pub(crate) fn flush_timer(asked: u32, live: bool) -> u32 {
    if live && asked == 0 { REAL_TIME_FLUSH } else { asked }
}

/// The properties with their defaults filled in, and the sizes of its ring sets.
///
/// # Errors
///
/// 87 for properties that contradict each other, 161 for a missing path, 123 for a bad name.
pub(crate) fn plan(asked: &Properties, cpus: u32) -> Result<(Properties, Geometry), Error> {
    let mut plan = asked.clone();
    let mode = plan.mode;
    if plan.name.is_empty() || plan.name.len() > LONGEST_NAME || plan.name.chars().any(char::is_control) {
        return Err(Error::new(Code::INVALID_NAME, "a session needs a name without control characters"));
    }
    if plan.guid.is_zero() && plan.name.eq_ignore_ascii_case(KERNEL_LOGGER) {
        plan.guid = SYSTEM_TRACE;
    }
    let kinds = [LogFileMode::SEQUENTIAL, LogFileMode::CIRCULAR, LogFileMode::APPEND, LogFileMode::NEW_FILE];
    let kinds = kinds.into_iter().filter(|kind| mode.has(*kind)).count();
    let sequential_append = mode.has(LogFileMode::SEQUENTIAL) && mode.has(LogFileMode::APPEND);
    if kinds > 1 && !(sequential_append && kinds == 2) {
        return Err(refuse("a log file is one of sequential, circular, append and new-file"));
    }
    if mode.has(LogFileMode::RELOG) || mode.has(LogFileMode::COMPRESSED) {
        return Err(Error::new(
            Code::NOT_SUPPORTED,
            "sessions do not rewrite or compress files as they go: `etw compress` does it afterwards",
        ));
    }
    let memory_only = mode.has(LogFileMode::BUFFERING);
    let live = mode.has(LogFileMode::REAL_TIME);
    let private = mode.has(LogFileMode::PRIVATE) || mode.has(LogFileMode::PRIVATE_IN_PROC);
    if private && live {
        return Err(refuse("a private session has a file and no consumers"));
    }
    if private && mode.has(LogFileMode::GLOBAL_SEQUENCE) {
        return Err(refuse("a private session numbers its messages by itself"));
    }
    if memory_only && live {
        return Err(refuse("a session that only buffers delivers nothing in real time"));
    }
    if plan.log_file.is_empty() && !memory_only && !live {
        return Err(Error::new(
            Code::BAD_PATHNAME,
            "a session needs a log file, or the real-time or the buffering mode",
        ));
    }
    let has_number = plan.log_file.contains("%d");
    if mode.has(LogFileMode::NEW_FILE) && (!has_number || plan.maximum_file_size == 0) {
        return Err(refuse("the new-file mode needs %d in the path and a largest file size"));
    }
    if mode.has(LogFileMode::CIRCULAR) && plan.maximum_file_size == 0 {
        return Err(refuse("the circular mode needs a largest file size"));
    }
    if mode.has(LogFileMode::PREALLOCATE) && plan.maximum_file_size == 0 {
        return Err(refuse("to reserve its space a log file needs a largest size"));
    }
    if plan.clock == ClockType::UNSET {
        plan.clock = ClockType::PERFORMANCE_COUNTER;
    }
    if plan.clock.0 > ClockType::CPU_CYCLES.0 {
        return Err(refuse("the clock must be performance counter, system time or cycles"));
    }
    if mode.has(LogFileMode::APPEND) {
        if live {
            return Err(refuse("append mode cannot be combined with real-time delivery"));
        }
        if plan.clock != ClockType::SYSTEM_TIME {
            return Err(refuse("append mode needs the system-time clock; other clocks restart"));
        }
    }
    if mode.has(LogFileMode::GLOBAL_SEQUENCE) && mode.has(LogFileMode::LOCAL_SEQUENCE) {
        return Err(refuse("sequence numbers are global or local"));
    }
    if plan.buffer_size == 0 {
        plan.buffer_size = BUFFER_KIB;
    }
    let bytes = u64::from(plan.buffer_size).saturating_mul(1024).next_multiple_of(4096);
    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX).clamp(*BUFFER_SIZES.start(), *BUFFER_SIZES.end());
    plan.buffer_size = bytes >> 10;
    if plan.minimum_buffers > plan.maximum_buffers && plan.maximum_buffers > 0 {
        return Err(refuse("there are fewer buffers at most than at least"));
    }
    let buffers = match (plan.minimum_buffers, plan.maximum_buffers) {
        (0, 0) => BUFFERS,
        (least, most) => buffers_of(least, most, cpus),
    };
    plan.maximum_buffers = plan.maximum_buffers.max(buffers * cpus);
    if plan.minimum_buffers == 0 {
        plan.minimum_buffers = (2 * cpus).min(plan.maximum_buffers);
    }
    plan.flush_timer = flush_timer(plan.flush_timer, live);
    let geometry = Geometry { buffer_size: bytes, buffers, cpus, overwrite: memory_only };
    if !geometry.is_valid() {
        return Err(Error::new(
            Code::NO_SYSTEM_RESOURCES,
            format!("{cpus} processors with {buffers} buffers of {bytes} bytes are more than 8 GiB"),
        ));
    }
    Ok((plan, geometry))
}

#[cfg(test)]
mod tests {
    use super::{plan as made, *};

    fn properties(mode: LogFileMode, file: &str) -> Properties {
        Properties { name: "s".into(), mode, log_file: file.into(), ..Properties::default() }
    }

    #[test]
    fn contradictions_have_the_numbers_of_windows() {
        let m = |bits| LogFileMode(bits);
        for (mode, file, code) in [
            (m(1), "", 161),
            (m(2), "a.etl", 87),
            (m(8), "a.etl", 87),
            (m(3), "a.etl", 87),
            (m(4), "a.etl", 87),
            (m(0x500), "", 87),
            (m(0xC001), "a.etl", 87),
            (m(0x0800 | 0x100), "a.etl", 87),
            (m(0x2_0000 | 0x4001), "a.etl", 87),
            (m(0x0400_0001), "a.etl", 50),
        ] {
            assert_eq!(made(&properties(mode, file), 2).unwrap_err().code, Code(code), "{mode:?} {file}");
        }
        let named =
            Properties { name: "nt kernel logger".into(), ..properties(LogFileMode::SEQUENTIAL, "a") };
        assert_eq!(made(&named, 2).unwrap().0.guid, SYSTEM_TRACE, "as on Windows");
        let unnamed = Properties { log_file: "a".into(), ..Properties::default() };
        assert_eq!(made(&unnamed, 2).unwrap_err().code, Code::INVALID_NAME);
    }

    #[test]
    fn defaults_and_limits() {
        let (plan, geometry) = made(&properties(LogFileMode::SEQUENTIAL, "a.etl"), 2).unwrap();
        assert_eq!((plan.buffer_size, plan.maximum_buffers, plan.minimum_buffers), (64, 64, 4));
        assert_eq!((geometry.buffer_size, geometry.buffers, geometry.overwrite), (65536, 32, false));
        let asked =
            Properties { buffer_size: 5, maximum_buffers: 9, ..properties(LogFileMode::REAL_TIME, "") };
        let (plan, geometry) = made(&asked, 2).unwrap();
        assert_eq!((plan.buffer_size, geometry.buffers, plan.flush_timer), (8, 4, 1000));
        assert_eq!(plan.maximum_buffers, 9, "of which there are 8");
        // Issue 6: the number of buffers is within the limits, but at least two per processor.
        for (least, most, cpus, of_each, at_most) in [
            (0, 9, 1, 8, 9),
            (3, 9, 2, 4, 9),
            (9, 12, 2, 8, 16),
            (0, 64, 2, 32, 64),
            (0, 3, 8, 2, 16),
            (0, 1000, 1, 512, 1000),
            (6, 0, 2, 4, 8),
            (u32::MAX, 0, 1, 512, 512),
        ] {
            let asked = Properties {
                minimum_buffers: least,
                maximum_buffers: most,
                ..properties(LogFileMode::SEQUENTIAL, "a")
            };
            let (plan, geometry) = made(&asked, cpus).unwrap();
            assert_eq!((geometry.buffers, plan.maximum_buffers), (of_each, at_most), "{least} {most} {cpus}");
        }
        let huge = Properties {
            buffer_size: u32::MAX,
            maximum_buffers: u32::MAX,
            ..properties(LogFileMode(1), "a")
        };
        assert_eq!(made(&huge, 1).unwrap_err().code, Code::NO_SYSTEM_RESOURCES);
    }
}
