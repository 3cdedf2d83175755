//! Windows' own event tracing behind the same types.

#[cfg(any(test, feature = "stand-in"))]
#[allow(unsafe_code, reason = "simulates functions that take pointers; see its conditions")]
pub mod fake;
mod layout;
mod live;
#[allow(unsafe_code, reason = "the one module that may; it states its conditions")]
pub(crate) mod sys;
#[cfg(test)]
mod tests;

use tracewell_etl::def::logfile::{ClockType, LogFileMode};
use tracewell_types::Guid;

use crate::controller::Controller;
use crate::error::{Code, Error};
use crate::evntrace::{ENABLED_ONLY, MS_FLUSH_TIMER, control, filter, request};
use crate::live::LiveSource;
use crate::properties::{
    Backlog, Counting, Enable, Enabling, Properties, ProviderStatus, SessionStatus, SystemTracing, Update,
};
use sys::{Block, System};

/// The sessions of Windows.
///
/// Under Wine every call is refused with error 120, because its functions for event tracing do nothing or end the process. In
/// a prefix with Tracewell's own functions, what concerns the kernel is refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct WindowsEtw;

/// `TRACE_QUERY_INFO_CLASS`.
mod information {
    pub(super) const STACK_TRACING: i32 = 3;
    pub(super) const SYSTEM_ENABLE_FLAGS: i32 = 4;
    pub(super) const SAMPLED_PROFILE_INTERVAL: i32 = 5;
    pub(super) const PROFILE_SOURCE_CONFIG: i32 = 6;
    pub(super) const PROFILE_SOURCE_LIST: i32 = 7;
    pub(super) const PMC_EVENT_LIST: i32 = 8;
    pub(super) const PMC_COUNTER_LIST: i32 = 9;
}

/// `EVENT_TRACE_FLAG_PROFILE`: samples, which a process must be allowed to ask for.
const FLAG_PROFILE: u32 = 0x0100_0000;

/// `PERF_PMC_PROFILE`, samples of hardware counters: a word of the flags of a system session, and the bit in it.
const PMC_PROFILE: (usize, u32) = (1, 0x400);

fn check(code: u32, what: &str) -> Result<(), Error> {
    match Code(code) {
        Code(0) => Ok(()),
        code => Err(Error::new(code, format!("{what}: {}", code.text()))),
    }
}

/// As [`check`], of a function that gives a block with names back.
fn check_block(code: u32, what: &str) -> Result<(), Error> {
    match Code(code) {
        // A name did not fit, everything else is there.
        Code::MORE_DATA => Ok(()),
        code => check(code.0, what),
    }
}

/// Refuses what only looks like Windows.
fn ask_windows() -> Result<(), Error> {
    match sys::system() {
        System::Windows | System::WineWithSessions => Ok(()),
        System::Wine => {
            let detail = "this is Wine, which has no event tracing: `etw wine install`, run on Linux, gives it sessions";
            Err(Error::new(Code::CALL_NOT_IMPLEMENTED, detail))
        }
    }
}

/// The same for functions that Wine lacks even with sessions.
fn ask_whole_windows() -> Result<(), Error> {
    ask_windows()?;
    if sys::system() == System::WineWithSessions {
        let detail = "under Wine, Windows programs have no events of the kernel yet: use `etw` and `dtrace` as Linux programs";
        return Err(Error::new(Code::CALL_NOT_IMPLEMENTED, detail));
    }
    Ok(())
}

impl WindowsEtw {
    fn control(&self, name: &str, control: u32) -> Result<SessionStatus, Error> {
        ask_windows()?;
        let mut block = Block::new();
        check_block(sys::control(name, &mut block, control), &format!("session {name:?}"))?;
        Ok(status(&mut block))
    }

    fn handle(&self, name: &str) -> Result<u64, Error> {
        ask_windows()?;
        let mut block = Block::new();
        check_block(sys::control(name, &mut block, control::QUERY), &format!("session {name:?}"))?;
        Ok(block.handle())
    }
}

impl Controller for WindowsEtw {
    fn start(&self, asked: &Properties) -> Result<SessionStatus, Error> {
        ask_windows()?;
        if asked.enable_flags & FLAG_PROFILE != 0 {
            // Administrators have the privilege, but it is off until it is asked for. Without it Windows refuses below.
            sys::enable_privilege("SeSystemProfilePrivilege");
        }
        let mut block = Block::new();
        if !asked.log_file.is_empty() && !block.set_log_file(&asked.log_file) {
            return Err(Error::new(Code::BAD_PATHNAME, "the path of the log file is too long"));
        }
        block.set_clock(asked.clock.0);
        let properties = block.properties();
        if asked.log_file.is_empty() {
            properties.LogFileNameOffset = 0;
        }
        properties.Wnode.Guid = sys::guid(asked.guid);
        properties.BufferSize = asked.buffer_size;
        properties.MinimumBuffers = asked.minimum_buffers;
        properties.MaximumBuffers = asked.maximum_buffers;
        properties.MaximumFileSize = asked.maximum_file_size;
        properties.LogFileMode = asked.mode.0;
        properties.EnableFlags = asked.enable_flags;
        set_flush_timer(properties, asked.flush_timer);
        check_block(sys::start(&asked.name, &mut block), &format!("cannot start session {:?}", asked.name))?;
        self.query(&asked.name)
    }

    fn query(&self, name: &str) -> Result<SessionStatus, Error> {
        self.control(name, control::QUERY)
    }

    fn counts_events(&self) -> bool {
        false
    }

    fn stop(&self, name: &str) -> Result<SessionStatus, Error> {
        self.control(name, control::STOP)
    }

    fn flush(&self, name: &str, file: Option<&str>) -> Result<SessionStatus, Error> {
        ask_windows()?;
        let mut block = Block::new();
        if let Some(file) = file
            && !block.set_log_file(file)
        {
            return Err(Error::new(Code::BAD_PATHNAME, "the path is too long"));
        }
        check_block(sys::control(name, &mut block, control::FLUSH), &format!("session {name:?}"))?;
        Ok(status(&mut block))
    }

    fn update(&self, name: &str, update: &Update) -> Result<SessionStatus, Error> {
        ask_windows()?;
        let mut block = Block::new();
        check_block(sys::control(name, &mut block, control::QUERY), &format!("session {name:?}"))?;
        match &update.log_file {
            Some(path) if !block.set_log_file(path) => {
                return Err(Error::new(Code::BAD_PATHNAME, "the path of the log file is too long"));
            }
            Some(_) => {}
            // With a name there, Windows would go on with another file of that name.
            None => block.properties().LogFileNameOffset = 0,
        }
        let properties = block.properties();
        if let Some(time) = update.flush_timer {
            set_flush_timer(properties, time);
        }
        if let Some(buffers) = update.maximum_buffers {
            properties.MaximumBuffers = buffers;
        }
        if let Some(flags) = update.enable_flags {
            properties.EnableFlags = flags;
        }
        if let Some(live) = update.real_time {
            let mode = LogFileMode(properties.LogFileMode);
            let real_time = LogFileMode::REAL_TIME;
            properties.LogFileMode = if live { mode.with(real_time) } else { mode.without(real_time) }.0;
        }
        check_block(sys::control(name, &mut block, control::UPDATE), &format!("session {name:?}"))?;
        self.query(name)
    }

    fn list(&self) -> Result<Vec<SessionStatus>, Error> {
        ask_windows()?;
        let blocks = sys::query_all().map_err(|code| Error::new(Code(code), "cannot list the sessions"))?;
        Ok(blocks.into_iter().map(|mut block| status(&mut block)).collect())
    }

    fn enable(&self, name: &str, enable: &Enable) -> Result<(), Error> {
        let session = self.handle(name)?;
        let mut filters = Vec::new();
        if !enable.processes.is_empty() {
            filters.push((filter::PID, enable.processes.iter().flat_map(|pid| pid.to_le_bytes()).collect()));
        }
        if let Some(ids) = &enable.ids {
            let count = u16::try_from(ids.ids.len()).unwrap_or(u16::MAX);
            let mut bytes = vec![u8::from(ids.include), 0];
            bytes.extend(count.to_le_bytes());
            bytes.extend(ids.ids.iter().flat_map(|id| id.to_le_bytes()));
            filters.push((filter::EVENT_ID, bytes));
        }
        let wanted = (if enable.level == 0 { u8::MAX } else { enable.level }, enable.any, enable.all);
        let code = sys::enable(
            session,
            enable.provider,
            request::ENABLE,
            wanted,
            enable.timeout,
            &filters,
            enable.stacks,
        );
        check(code, &format!("cannot enable {}", enable.provider))
    }

    fn disable(&self, name: &str, provider: Guid) -> Result<(), Error> {
        let session = self.handle(name)?;
        let code = sys::enable(session, provider, request::DISABLE, (0, 0, 0), 0, &[], false);
        check(code, &format!("cannot disable {provider}"))
    }

    fn capture_state(&self, name: &str, provider: Guid) -> Result<(), Error> {
        let session = self.handle(name)?;
        let code = sys::enable(session, provider, request::CAPTURE_STATE, (u8::MAX, 0, 0), 1000, &[], false);
        check(code, &format!("cannot ask {provider} for its state"))
    }

    fn providers(&self) -> Result<Vec<ProviderStatus>, Error> {
        ask_windows()?;
        let fail = |code| Error::new(Code(code), "cannot list the providers");
        let guids = sys::enumerate(0, None).map_err(fail)?;
        let guids = guids.chunks_exact(16).filter_map(<[u8]>::first_chunk).map(|b| Guid::from_bytes(*b));
        Ok(guids
            .map(|guid| provider_status(guid, &sys::enumerate(1, Some(guid)).unwrap_or_default()))
            .collect())
    }

    fn has_system_events(&self) -> bool {
        sys::system() == System::Windows
    }

    fn trace_system(&self, name: &str, tracing: &SystemTracing) -> Result<(), Error> {
        ask_whole_windows()?;
        let session = self.handle(name)?;
        if let Some(interval) = tracing.sample_interval {
            sys::enable_privilege("SeSystemProfilePrivilege");
            // TRACE_PROFILE_INTERVAL: source (0 is time) and interval. It is the machine's, and has no session.
            let bytes: Vec<u8> = [0, interval].iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
            let code = sys::set_information(0, information::SAMPLED_PROFILE_INTERVAL, &bytes);
            check(code, &format!("cannot sample every {} us", f64::from(interval) / 10.0))?;
        }
        if !tracing.stacks.is_empty() {
            let code =
                sys::set_information(session, information::STACK_TRACING, &classic_events(&tracing.stacks));
            check(code, "cannot have call stacks")?;
        }
        Ok(())
    }

    fn counters(&self) -> Result<Vec<String>, Error> {
        Ok(profile_sources()?.into_iter().map(|(name, _)| name).collect())
    }

    fn count(&self, name: &str, counting: &Counting) -> Result<(), Error> {
        ask_whole_windows()?;
        let session = self.handle(name)?;
        let known = profile_sources()?;
        let numbers = |names: &[String]| {
            let number = |name: &String| {
                let source = known.iter().find(|(known, _)| known == name);
                source.map(|(_, number)| number.to_le_bytes()).ok_or_else(|| {
                    Error::new(Code::INVALID_PARAMETER, format!("this machine has no counter {name}"))
                })
            };
            names.iter().map(number).collect::<Result<Vec<_>, _>>().map(|numbers| numbers.concat())
        };
        let set = |class, bytes: &[u8], what: &str| check(sys::set_information(session, class, bytes), what);
        sys::enable_privilege("SeSystemProfilePrivilege");
        if !counting.sampled.is_empty() {
            let failure = "cannot sample hardware counters";
            set(information::PROFILE_SOURCE_CONFIG, &numbers(&counting.sampled)?, failure)?;
            let mut flags = sys::query_information(session, information::SYSTEM_ENABLE_FLAGS)
                .map_err(|code| Error::new(Code(code), failure))?;
            let (word, bit) = PMC_PROFILE;
            flags.resize(flags.len().max(4 * (word + 1)), 0);
            for (byte, more) in flags.iter_mut().skip(4 * word).zip(bit.to_le_bytes()) {
                *byte |= more;
            }
            set(information::SYSTEM_ENABLE_FLAGS, &flags, failure)?;
        }
        if !counting.events.is_empty() {
            let failure = "cannot have hardware counters with events";
            set(information::PMC_COUNTER_LIST, &numbers(&counting.carried)?, failure)?;
            set(information::PMC_EVENT_LIST, &classic_events(&counting.events), failure)?;
        }
        Ok(())
    }

    fn attach(&self, name: &str, backlog: Backlog) -> Result<Box<dyn LiveSource>, Error> {
        ask_windows()?;
        if backlog == Backlog::Hold {
            let detail =
                "Windows drops what a consumer does not take in time: no consumer can hold a session up";
            return Err(Error::new(Code::NOT_SUPPORTED, detail));
        }
        Ok(Box::new(live::WindowsLive::open(name)?))
    }
}

/// Events as an array of `CLASSIC_EVENT_ID`: the class, the type, and seven bytes of nothing.
fn classic_events(events: &[(Guid, u8)]) -> Vec<u8> {
    let id = |(class, kind): &(Guid, u8)| {
        class.to_bytes().into_iter().chain([*kind]).chain([0; 7]).collect::<Vec<u8>>()
    };
    events.iter().flat_map(id).collect()
}

/// The sources of samples of this machine: names and numbers. Each is a `PROFILE_SOURCE_INFO`: the offset of the next (0 in the
/// last), the number, the shortest and the longest interval, eight reserved bytes, and the name up to a NUL.
fn profile_sources() -> Result<Vec<(String, u32)>, Error> {
    ask_whole_windows()?;
    let bytes = sys::query_information(0, information::PROFILE_SOURCE_LIST)
        .map_err(|code| Error::new(Code(code), "cannot list the hardware counters"))?;
    let mut sources = Vec::new();
    let mut rest = bytes.as_slice();
    loop {
        let word = |at: usize| rest.get(at..).and_then(<[u8]>::first_chunk).map(|b| u32::from_le_bytes(*b));
        let (Some(next), Some(number), Some(name)) = (word(0), word(4), rest.get(24..)) else { break };
        let units = name.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
        let name: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
        sources.push((String::from_utf16_lossy(&name), number));
        match rest.get(next as usize..) {
            Some(behind) if next != 0 => rest = behind,
            _ => break,
        }
    }
    Ok(sources)
}

fn set_flush_timer(
    properties: &mut windows_sys::Win32::System::Diagnostics::Etw::EVENT_TRACE_PROPERTIES,
    milliseconds: u32,
) {
    let mode = LogFileMode(properties.LogFileMode);
    if milliseconds.is_multiple_of(1000) {
        properties.FlushTimer = milliseconds / 1000;
        properties.LogFileMode = mode.without(MS_FLUSH_TIMER).0;
    } else {
        properties.FlushTimer = milliseconds;
        properties.LogFileMode = mode.with(MS_FLUSH_TIMER).0;
    }
}

fn status(block: &mut Block) -> SessionStatus {
    let (name, log_file) = (block.logger_name(), block.log_file());
    let (handle, logger_thread) = (block.handle(), block.logger_thread());
    let p = block.properties();
    let mode = LogFileMode(p.LogFileMode);
    let flush_timer = if mode.has(MS_FLUSH_TIMER) { p.FlushTimer } else { p.FlushTimer.saturating_mul(1000) };
    SessionStatus {
        properties: Properties {
            name,
            guid: sys::from_guid(&p.Wnode.Guid),
            log_file,
            buffer_size: p.BufferSize,
            minimum_buffers: p.MinimumBuffers,
            maximum_buffers: p.MaximumBuffers,
            maximum_file_size: p.MaximumFileSize,
            mode,
            flush_timer,
            enable_flags: p.EnableFlags,
            clock: ClockType(p.Wnode.ClientContext),
        },
        id: handle as u16,
        buffers: p.NumberOfBuffers,
        free_buffers: p.FreeBuffers,
        events_lost: p.EventsLost.into(),
        buffers_written: p.BuffersWritten.into(),
        log_buffers_lost: p.LogBuffersLost.into(),
        realtime_buffers_lost: p.RealTimeBuffersLost.into(),
        logger_thread,
        ..SessionStatus::default()
    }
}

/// Reads `TRACE_GUID_INFO` and the instances behind it.
fn provider_status(guid: Guid, bytes: &[u8]) -> ProviderStatus {
    let word =
        |at: usize| bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |b| u32::from_le_bytes(*b));
    let long =
        |at: usize| bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |b| u64::from_le_bytes(*b));
    let mut provider = ProviderStatus { guid, ..ProviderStatus::default() };
    let mut at = 8;
    for _ in 0..word(0) {
        let (next, enables) = (word(at) as usize, word(at + 4) as usize);
        if word(at + 12) & ENABLED_ONLY == 0 {
            provider.processes.push(word(at + 8));
        }
        for i in 0..enables.min(8) {
            let info = at + 16 + 32 * i;
            let enabling = Enabling {
                session: (word(info + 4) >> 16) as u16,
                level: word(info + 4) as u8,
                any: long(info + 16),
                all: long(info + 24),
            };
            if word(info) != 0 && !provider.enabled.contains(&enabling) {
                provider.enabled.push(enabling);
            }
        }
        if next == 0 || at + next >= bytes.len() {
            break;
        }
        at += next;
    }
    provider
}
