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

    type Change<'c> = &'c dyn Fn(&mut Properties);

    /// Each rule refuses what it is about, with its words, and nothing beside it.
    #[test]
    fn each_rule_refuses_what_it_is_about() {
        use LogFileMode as Mode;
        let of = |modes: &[Mode], change: Change<'_>| {
            let mode = modes.iter().fold(Mode(0), |all, mode| all.with(*mode));
            let mut asked = Properties { maximum_file_size: 1, ..properties(mode, "a%d.etl") };
            change(&mut asked);
            made(&asked, 2).map_err(|error| error.detail)
        };
        let same = |_: &mut Properties| ();
        let system_time = |asked: &mut Properties| asked.clock = ClockType::SYSTEM_TIME;
        let no_file = |asked: &mut Properties| asked.log_file.clear();
        let no_size = |asked: &mut Properties| asked.maximum_file_size = 0;
        let no_number = |asked: &mut Properties| asked.log_file = "a.etl".into();
        let named = |name: &'static str| move |asked: &mut Properties| asked.name = name.into();
        let long = |length: usize| move |asked: &mut Properties| asked.name = "n".repeat(length);
        let clock = |clock: u32| move |asked: &mut Properties| asked.clock = ClockType(clock);
        let buffers = |least: u32, most: u32| {
            move |asked: &mut Properties| (asked.minimum_buffers, asked.maximum_buffers) = (least, most)
        };
        let allowed: [(&[Mode], Change<'_>); 24] = [
            (&[Mode::SEQUENTIAL], &same),
            (&[Mode::CIRCULAR], &same),
            (&[Mode::NEW_FILE], &same),
            (&[Mode::APPEND], &system_time),
            (&[Mode::SEQUENTIAL, Mode::APPEND], &system_time),
            (&[], &no_size),
            (&[Mode::SEQUENTIAL], &no_number),
            (&[Mode::SEQUENTIAL, Mode::PREALLOCATE], &same),
            (&[Mode::REAL_TIME], &no_file),
            (&[Mode::REAL_TIME, Mode::CIRCULAR], &same),
            (&[Mode::BUFFERING], &no_file),
            (&[Mode::PRIVATE], &same),
            (&[Mode::PRIVATE_IN_PROC, Mode::PRIVATE], &same),
            (&[Mode::PRIVATE, Mode::LOCAL_SEQUENCE], &same),
            (&[Mode::GLOBAL_SEQUENCE], &same),
            (&[Mode::LOCAL_SEQUENCE], &same),
            (&[], &long(LONGEST_NAME)),
            (&[], &clock(0)),
            (&[], &clock(1)),
            (&[], &clock(3)),
            (&[], &buffers(4, 4)),
            (&[], &buffers(5, 0)),
            (&[], &buffers(0, 5)),
            (&[Mode::REAL_TIME, Mode::SEQUENTIAL], &same),
        ];
        for (at, (modes, change)) in allowed.into_iter().enumerate() {
            assert!(of(modes, change).is_ok(), "{at}: {:?}", of(modes, change));
        }
        let refused: [(&str, &[Mode], Change<'_>); 28] = [
            ("is one of sequential", &[Mode::SEQUENTIAL, Mode::CIRCULAR], &same),
            ("is one of sequential", &[Mode::CIRCULAR, Mode::APPEND], &system_time),
            ("is one of sequential", &[Mode::SEQUENTIAL, Mode::APPEND, Mode::NEW_FILE], &system_time),
            ("rewrite or compress", &[Mode::RELOG], &same),
            ("rewrite or compress", &[Mode::COMPRESSED], &same),
            ("private session has a file", &[Mode::PRIVATE, Mode::REAL_TIME], &same),
            ("private session has a file", &[Mode::PRIVATE_IN_PROC, Mode::REAL_TIME], &same),
            ("numbers its messages", &[Mode::PRIVATE, Mode::GLOBAL_SEQUENCE], &same),
            ("only buffers", &[Mode::BUFFERING, Mode::REAL_TIME], &same),
            ("needs a log file", &[], &no_file),
            ("needs a log file", &[Mode::SEQUENTIAL], &no_file),
            ("needs a log file", &[Mode::PRIVATE], &no_file),
            ("new-file mode needs", &[Mode::NEW_FILE], &no_number),
            ("new-file mode needs", &[Mode::NEW_FILE], &no_size),
            ("circular mode needs", &[Mode::CIRCULAR], &no_size),
            ("reserve its space", &[Mode::PREALLOCATE], &no_size),
            ("clock must be", &[], &clock(4)),
            ("append mode cannot", &[Mode::APPEND, Mode::REAL_TIME], &system_time),
            ("system-time clock", &[Mode::APPEND], &same),
            ("system-time clock", &[Mode::APPEND], &clock(3)),
            ("global or local", &[Mode::GLOBAL_SEQUENCE, Mode::LOCAL_SEQUENCE], &same),
            ("fewer buffers", &[], &buffers(5, 4)),
            ("control characters", &[], &named("")),
            ("control characters", &[], &named("a\nb")),
            ("control characters", &[], &long(LONGEST_NAME + 1)),
            ("more than 8 GiB", &[], &|asked: &mut Properties| {
                (asked.buffer_size, asked.maximum_buffers) = (u32::MAX, u32::MAX);
            }),
            ("needs a log file", &[Mode::APPEND], &no_file),
            ("private session has a file", &[Mode::PRIVATE, Mode::REAL_TIME], &no_file),
        ];
        for (at, (words, modes, change)) in refused.into_iter().enumerate() {
            let error = of(modes, change).expect_err(words);
            assert!(error.contains(words), "{at}: {error}");
        }
    }

    /// Sizes of buffers, in KiB, are whole pages within the limits.
    #[test]
    fn sizes_of_buffers_are_whole_pages() {
        let (least, most) = (*BUFFER_SIZES.start(), *BUFFER_SIZES.end());
        for (asked, bytes) in [
            (0, 65536),
            (1, 4096.max(least)),
            (4, 4096.max(least)),
            (5, 8192),
            (64, 65536),
            (65, 69632),
            (most >> 10, most),
            ((most >> 10) + 1, most),
            (u32::MAX, most),
        ] {
            let asked = Properties { buffer_size: asked, ..properties(LogFileMode::SEQUENTIAL, "a") };
            let (plan, geometry) = made(&asked, 1).unwrap();
            assert_eq!((geometry.buffer_size, plan.buffer_size), (bytes, bytes >> 10));
        }
        for (timer, live, kept) in [(0, true, 1000), (0, false, 0), (1, true, 1), (7, false, 7)] {
            assert_eq!(flush_timer(timer, live), kept);
        }
        let timer = |mode, timer| {
            made(&Properties { flush_timer: timer, ..properties(mode, "a") }, 1).unwrap().0.flush_timer
        };
        assert_eq!((timer(LogFileMode::REAL_TIME, 0), timer(LogFileMode::SEQUENTIAL, 0)), (1000, 0));
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
