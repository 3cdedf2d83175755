//! Why a session call was refused: the Win32 error numbers, with words that say what to do.

use std::fmt;

/// Declares the known codes with their names and texts.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $text:literal;)*) => {
        impl Code {
            $($(#[$doc])* pub const $name: Code = Code($number);)*

            /// The name of the code in winerror.h, without its prefix, where it is one of ours.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some(stringify!($name)),)*
                    _ => None,
                }
            }

            /// One line that says what the code means.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self.0 {
                    $($number => $text,)*
                    _ => "the call failed",
                }
            }
        }
    };
}

/// A Win32 error number: what the Windows functions return, and so what every back end reports.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Code(pub u32);

codes! {
    /// The file was not found.
    FILE_NOT_FOUND = 2, "the file does not exist";
    /// The folder was not found.
    PATH_NOT_FOUND = 3, "the folder does not exist";
    /// Not allowed.
    ACCESS_DENIED = 5, "this needs rights the caller does not have";
    /// Another writer has the file.
    SHARING_VIOLATION = 32, "another session writes to this file";
    /// Not supported.
    NOT_SUPPORTED = 50, "this back end cannot do that";
    /// The file is there already.
    FILE_EXISTS = 80, "the file exists";
    /// Bad parameter.
    INVALID_PARAMETER = 87, "a parameter does not fit the others";
    /// No space left.
    DISK_FULL = 112, "there is no space left where the file is";
    /// Not implemented.
    CALL_NOT_IMPLEMENTED = 120, "this system has no event tracing";
    /// Bad name.
    INVALID_NAME = 123, "the name is not one a file or session can have";
    /// Bad path.
    BAD_PATHNAME = 161, "the path is not one a log file can have";
    /// The name is taken.
    ALREADY_EXISTS = 183, "a session of this name is running";
    /// More records than fit.
    MORE_DATA = 234, "the record is larger than a buffer of the session";
    /// The wait is over.
    WAIT_TIMEOUT = 258, "there was no answer in time";
    /// The log file has reached its size.
    LOG_FILE_FULL = 1502, "the log file has reached its largest size";
    /// The log file is shorter than what was written to it.
    FILE_CORRUPT = 1392, "the log file was truncated";
    /// Sixty-four sessions run, or eight listen to the provider.
    NO_SYSTEM_RESOURCES = 1450, "there are as many sessions as there can be";
    /// Nothing is listening.
    SERVICE_NOT_ACTIVE = 1062, "no session daemon is running";
    /// No such session (or provider).
    WMI_INSTANCE_NOT_FOUND = 4201, "no session of this name is running";
    /// The GUID is not a provider's.
    WMI_GUID_NOT_FOUND = 4200, "no such provider is known";
    /// Already enabled.
    WMI_ALREADY_ENABLED = 4206, "that is enabled already";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (error {})", self.text(), self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} ({})", self.0),
            None => write!(f, "Code({})", self.0),
        }
    }
}

/// A refused or failed call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The Win32 error number.
    pub code: Code,
    /// What exactly was wrong, and what to do; may be empty.
    pub detail: String,
}

impl Error {
    /// An error with its detail.
    pub fn new(code: Code, detail: impl Into<String>) -> Error {
        Error { code, detail: detail.into() }
    }

    /// The code that comes nearest to a system error, with what was being done.
    #[must_use]
    pub fn io(error: &std::io::Error, doing: &str) -> Error {
        use std::io::ErrorKind as Kind;
        let code = match error.kind() {
            Kind::NotFound => Code::PATH_NOT_FOUND,
            Kind::PermissionDenied | Kind::ReadOnlyFilesystem => Code::ACCESS_DENIED,
            Kind::AlreadyExists => Code::ALREADY_EXISTS,
            Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => Code::DISK_FULL,
            Kind::InvalidFilename | Kind::NotADirectory | Kind::IsADirectory => Code::BAD_PATHNAME,
            Kind::OutOfMemory => Code::NO_SYSTEM_RESOURCES,
            Kind::TimedOut | Kind::WouldBlock => Code::WAIT_TIMEOUT,
            Kind::ConnectionRefused | Kind::ConnectionReset | Kind::BrokenPipe | Kind::UnexpectedEof => {
                Code::SERVICE_NOT_ACTIVE
            }
            _ => Code::INVALID_PARAMETER,
        };
        Error::new(code, format!("{doing}: {error}"))
    }
}

impl From<Code> for Error {
    fn from(code: Code) -> Error {
        Error { code, detail: String::new() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.detail.is_empty() {
            write!(f, "{}", self.code)
        } else {
            write!(f, "{} (error {})", self.detail, self.code.0)
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_the_numbers_of_windows() {
        assert_eq!(Code::ALREADY_EXISTS.0, 183);
        assert_eq!(Error::from(Code(4201)).to_string(), "no session of this name is running (error 4201)");
        assert_eq!(format!("{:?}", Code::BAD_PATHNAME), "BAD_PATHNAME (161)");
        assert_eq!(format!("{:?}", Code(7)), "Code(7)");
        let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
        assert_eq!(Error::io(&missing, "opening x").code, Code::PATH_NOT_FOUND);
    }
}
