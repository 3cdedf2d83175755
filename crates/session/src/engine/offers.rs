//! Which sources a daemon has, and the one place that decides what cannot be delivered.

use std::sync::Arc;

pub(crate) use tracewell_etl::def::guid::SYSTEM_TRACE;
use tracewell_etl::def::logfile::LogFileMode;

use super::source::{Offers, Source};
use crate::error::{Code, Error};
use crate::properties::Properties;

/// The name of the session with this GUID.
pub(crate) const KERNEL_LOGGER: &str = "NT Kernel Logger";

/// The sources of a daemon, other than programs. Programs offer every provider but the kernel's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources(pub(crate) Vec<Arc<dyn Source>>);

/// Returns `true` if a session asks for events of the kernel: by its name or GUID, by flags, or by its mode.
pub(crate) fn is_kernel_logger(properties: &Properties) -> bool {
    [KERNEL_LOGGER, "Circular Kernel Context Logger"]
        .iter()
        .any(|name| properties.name.eq_ignore_ascii_case(name))
        || properties.guid == SYSTEM_TRACE
        || properties.enable_flags != 0
        || properties.mode.has(LogFileMode::SYSTEM_LOGGER)
}

impl Sources {
    /// What all of them offer together.
    pub(crate) fn offers(&self) -> Offers {
        let mut all = Offers::default();
        for offers in self.0.iter().map(|source| source.offers()) {
            all.kernel_flags |= offers.kernel_flags;
            all.providers.extend(offers.providers);
        }
        all
    }

    /// The kernel flags whose events every source that has them can limit to the processes of one user.
    pub(crate) fn owned_flags(&self) -> u32 {
        let all = self.0.iter().fold(0, |all, source| all | source.owned_flags());
        self.0.iter().fold(all, |all, source| all & (source.owned_flags() | !source.offers().kernel_flags))
    }

    /// Kernel flags for messages: their names, or a number.
    pub(crate) fn named(&self, flags: u32) -> String {
        let name = |source: &Arc<dyn Source>| source.flag_names(flags);
        self.0.iter().find_map(name).unwrap_or_else(|| format!("{flags:#x}"))
    }

    /// Decides whether a session can have the kernel events that it asks for. Returns a warning if a part is missing.
    ///
    /// # Errors
    ///
    /// 50 if nothing of it can be delivered.
    pub(crate) fn kernel(&self, asked: &Properties) -> Result<Option<String>, Error> {
        if !is_kernel_logger(asked) {
            return Ok(None);
        }
        let (flags, offered) = (asked.enable_flags, self.offers().kernel_flags);
        if offered == 0 {
            return Err(Error::new(
                Code::NOT_SUPPORTED,
                "the session daemon has no source of kernel events: sessions take the events of programs (`etw \
                 providers` lists them); to look into this kernel use its own tools, such as perf or bpftrace",
            ));
        }
        if flags != 0 && flags & offered == 0 {
            let (flags, offered) = (self.named(flags), self.named(offered));
            let detail = format!("no source of the kernel flags {flags}: this system offers {offered}");
            return Err(Error::new(Code::NOT_SUPPORTED, detail));
        }
        let private = asked.mode.has(LogFileMode::PRIVATE) || asked.mode.has(LogFileMode::PRIVATE_IN_PROC);
        if flags != 0 && private {
            let detail = "a private session takes the events of programs only, not those of the kernel";
            return Err(Error::new(Code::NOT_SUPPORTED, detail));
        }
        let missing = flags & !offered;
        Ok((missing != 0).then(|| {
            let (missing, offered) = (self.named(missing), self.named(offered & flags));
            format!("no source of the kernel flags {missing}: of those that are asked for, this system offers {offered}")
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::{Opened, Opening};
    use super::*;
    use tracewell_types::Guid;

    #[derive(Debug)]
    struct Kernel(u32);

    impl Source for Kernel {
        fn name(&self) -> &str {
            "kernel"
        }
        fn offers(&self) -> Offers {
            Offers { kernel_flags: self.0, providers: Vec::new() }
        }
        fn open(&self, _: Opening) -> Result<Opened, Error> {
            Err(Code::NOT_SUPPORTED.into())
        }
    }

    #[test]
    fn issue_13_what_no_source_delivers_is_refused_or_warned_of() {
        let asked = |name: &str, mode: u32, flags: u32| Properties {
            name: name.into(),
            mode: LogFileMode(mode),
            enable_flags: flags,
            ..Properties::default()
        };
        let none = Sources::default();
        for kernel in [asked("nt kernel logger", 1, 0), asked("s", 1, 1), asked("s", 0x0200_0100, 0)] {
            let error = none.kernel(&kernel).unwrap_err();
            assert_eq!(error.code, Code::NOT_SUPPORTED);
            assert!(error.detail.contains("no source of kernel events"), "{error}");
        }
        assert_eq!(none.kernel(&asked("s", 1, 0)), Ok(None));
        let some = Sources(vec![Arc::new(Kernel(0b011)), Arc::new(Kernel(0b100))]);
        assert_eq!(some.kernel(&asked("s", 1, 0b101)), Ok(None));
        assert_eq!(some.kernel(&asked("s", 1, 0b1000)).unwrap_err().code, Code::NOT_SUPPORTED);
        assert_eq!(some.kernel(&asked("s", 0x800, 1)).unwrap_err().code, Code::NOT_SUPPORTED);
        let warning = some.kernel(&asked("s", 1, 0b1001)).unwrap().unwrap();
        assert!(warning.contains("flags 0x8:") && warning.ends_with("offers 0x1"), "{warning}");
    }

    /// All flags, modes and names, against the three questions: is anything of the kernel asked for, is any of it there, and may
    /// this session have it.
    #[test]
    fn every_request_is_granted_refused_or_warned_of() {
        let private = [LogFileMode(0), LogFileMode::PRIVATE, LogFileMode::PRIVATE_IN_PROC];
        for offered in [0, 0b0110] {
            let sources = Sources(vec![Arc::new(Kernel(offered))]);
            assert_eq!(sources.offers().kernel_flags, offered);
            for flags in 0..16 {
                for mode in private {
                    for (named, name, guid, logger) in [
                        (false, "s", Guid::ZERO, LogFileMode(0)),
                        (true, "NT KERNEL LOGGER", Guid::ZERO, LogFileMode(0)),
                        (true, "circular kernel context logger", Guid::ZERO, LogFileMode(0)),
                        (true, "s", SYSTEM_TRACE, LogFileMode(0)),
                        (true, "s", Guid::ZERO, LogFileMode::SYSTEM_LOGGER),
                    ] {
                        let asked = Properties {
                            name: name.into(),
                            guid,
                            mode: mode.with(logger),
                            enable_flags: flags,
                            ..Properties::default()
                        };
                        assert_eq!(is_kernel_logger(&asked), named || flags != 0);
                        let is_refused = (named || flags != 0) && offered == 0
                            || flags != 0 && (flags & offered == 0 || mode != LogFileMode(0));
                        let is_missing = flags & !offered != 0;
                        let got = sources.kernel(&asked);
                        match got {
                            Err(error) => {
                                assert!(is_refused && error.code == Code::NOT_SUPPORTED, "{asked:?}")
                            }
                            Ok(warning) => {
                                assert_eq!((warning.is_some(), is_refused), (is_missing, false), "{asked:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}
