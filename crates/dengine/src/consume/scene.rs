//! The environment for displaying a record.

use crate::host::Names;
use crate::options::{FoundZone, RunOptions};

/// The environment for displaying a record.
pub(crate) struct Scene<'s> {
    pub(crate) names: &'s dyn Names,
    pub(crate) options: &'s RunOptions,
    pub(crate) zone: &'s FoundZone,
}
