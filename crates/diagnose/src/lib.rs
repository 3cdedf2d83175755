#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod activity;
pub mod collect;
pub mod diff;
mod dotnet;
pub mod durations;
pub mod ledger;
pub mod limits;
pub mod page;
pub mod people;
pub mod pivot;
pub mod places;
pub mod recorded;
pub mod recorder;
pub mod report;
pub mod rules;
pub mod scripts;
pub mod section;
pub mod slots;
pub mod suspect;
pub mod text;
pub mod view;
pub mod windows;
pub mod words;

pub use activity::Activity;
pub use report::Report;
pub use rules::Finding;
