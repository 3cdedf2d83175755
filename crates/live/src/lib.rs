//! Live runs of D programs: what this machine can log, the session that a program needs, and what surrounds the run.
//!
//! The loop is that of all runs, [`replay::run`](tracewell_probes::replay::run). Here is what it takes from this machine: the
//! session's events and how they are asked for ([`session`]), functions of processes ([`functions`]), what can fire at all
//! ([`reach`]), the command of the run ([`process`]), requests to stop ([`interrupt`]), and the run itself ([`run`]). Tables of
//! sessions without a file show the newest events ([`newest`], [`window`]). Nothing here prints.
#![forbid(unsafe_code)]

#[cfg(target_os = "linux")]
mod agent;
mod children;
pub mod functions;
pub mod interrupt;
mod kernel;
mod later;
pub mod loggers;
pub mod newest;
pub mod process;
pub mod reach;
pub mod run;
pub mod session;
#[cfg(test)]
mod stage;
pub mod tracepoints;
pub mod window;
