//! What showing a record needs of the world.

use crate::host::Names;
use crate::options::{FoundZone, RunOptions};

/// What showing a record needs of the world.
pub(crate) struct Scene<'s> {
    pub(crate) names: &'s dyn Names,
    pub(crate) options: &'s RunOptions,
    pub(crate) zone: &'s FoundZone,
}
