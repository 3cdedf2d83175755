//! Descriptions of events that the user gives: MOF texts, manifests, programs that hold one, TMF files.
//!
//! On Windows TWAPI asks the system's registry of classes and manifests. Elsewhere there is none, so a script says what it
//! has. What was given holds for everything that is opened afterwards in this process.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use tracewell_decode::{Description, Schemas};

use crate::failure::{bad_arguments, file_error, words};
use crate::sys::{Interp, Obj, Outcome};

static GIVEN: LazyLock<Mutex<Schemas>> = LazyLock::new(|| Mutex::new(Schemas::new()));

fn given_now() -> MutexGuard<'static, Schemas> {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The descriptions loaded so far.
pub(crate) fn given() -> Schemas {
    given_now().clone()
}

/// Maximum size of a description file; programs store descriptions at their end.
const LONGEST: u64 = 1 << 30;

/// `etw_load_descriptions FILE ?FILE ...?`: gives the names of the providers and classes that the files describe. Nothing is
/// taken of a file that describes none.
pub(crate) fn load(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 2, usize::MAX, "FILE ?FILE ...?")?;
    let mut names = Vec::new();
    for word in &args[1..] {
        let path = word.text();
        let failed = |error: std::io::Error| file_error(&error, &path);
        if std::fs::metadata(&path).map_err(failed)?.len() > LONGEST {
            return Err(bad_arguments(format!("{path} is too long for a description.")));
        }
        let bytes = std::fs::read(&path).map_err(failed)?;
        let description =
            Description::parse(&bytes).map_err(|error| bad_arguments(format!("{path}: {error}")))?;
        let all = [&description.providers, &description.classes, &description.messages];
        names.extend(all.into_iter().flatten().map(|provider| provider.name.to_string()));
        given_now().add_description(description);
    }
    Ok(Obj::texts(names.iter().map(String::as_str)))
}
