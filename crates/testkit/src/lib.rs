//! Makes the sample trace, and the truth it was made from.
//!
//! [`sample`] simulates six and a half seconds of a small Windows machine, tick by tick from a fixed seed: a build that
//! keeps three compilers busy, a browser that talks a lot, a shop written in .NET over a database, a backup
//! onto a slow disk. What happens is logged as Windows would log it, and counted at the same time. The counts
//! are the *truth* that tests hold the reader and the engine to: they never went through a file.
//!
//! The same source always makes the same bytes; there is no clock and no outside input. This crate writes traces
//! and must not read them.

#![forbid(unsafe_code)]

mod additions;
mod capture;
mod config;
pub mod described;
mod disk;
mod dotnet;
mod emit;
mod file;
mod functions;
mod images;
#[cfg(test)]
mod layouts;
mod machine;
mod manifest;
mod moments;
mod net;
mod pdb;
mod plain;
mod profiled;
mod random;
mod sched;
mod script;
mod setup;
mod stacks;
mod switching;
mod tally;
mod tracelog;
mod truth;
mod world;

use machine::{ACTIVITY_END, MICROSECOND, Machine, RAW_START};
use world::Role;

pub use pdb::{Enumeration, program_database, program_database_with};
pub use profiled::{PROFILED_PID, PROFILED_TID, ProfiledImage, profiled};
pub use switching::{Switching, switching};
pub use tracewell_etl::write::WriteError;

/// The seed of the checked-in sample.
const SEED: u64 = 0x7472_6163_6577_656C;

/// A trace and what is true of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The trace file.
    pub trace: Vec<u8>,
    /// The truth: UTF-8 JSON text.
    pub truth: String,
    /// The program databases of the trace's images: the path of each in a symbol store, and its bytes.
    pub databases: Vec<(String, Vec<u8>)>,
}

/// Makes the sample.
///
/// # Errors
///
/// When a record does not fit the format, which would be a mistake in the simulation.
pub fn sample() -> Result<Sample, WriteError> {
    let machine = simulate();
    Ok(Sample {
        trace: file::bytes(&machine.log)?,
        truth: truth::text(&machine),
        databases: functions::databases(),
    })
}

/// The machine after everything that the trace shows.
fn simulate() -> Machine {
    let mut machine = Machine::new(SEED);
    // The log file header itself, which the writer makes.
    machine.tally.record("SYSTEM64", RAW_START);
    machine.header_extras();
    machine.rundown(0, true);
    machine.file_rundown(0, true);
    machine.run();
    let cpu = 2;
    machine.now = machine.now.max(ACTIVITY_END);
    if let Some(tracer) = machine.world.thread_with(Role::Tracer) {
        machine.force(cpu, tracer);
    }
    machine.remaining_user_stacks();
    machine.add_records();
    machine.rundown(cpu, false);
    machine.file_rundown(cpu, false);
    machine.stack_rundown(cpu);
    machine.added_rundown(cpu);
    machine.system_configuration(cpu);
    machine.merge_records(cpu);
    machine.now += 50 * MICROSECOND;
    machine.trailer(cpu);
    machine
}
