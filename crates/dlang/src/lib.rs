//! The D language: preprocessor, lexer, parser, types, checks, and the typed register IR it compiles
//! to. It knows no ETW, no files and no clock: probes come through [`catalog::Catalog`], texts as bytes.
#![forbid(unsafe_code)]

mod assigned;
pub mod ast;
pub mod ast_text;
pub mod builtins;
pub mod catalog;
mod clauses;
mod codegen;
pub mod compile;
pub mod cpp;
pub mod diag;
pub mod format;
pub mod header;
pub mod ir;
pub mod lex;
pub mod library;
mod likeness;
pub mod logged;
pub mod macros;
pub mod options;
pub mod oracle;
pub mod parse;
pub mod pragma;
pub mod program;
mod scoped;
mod sema;
pub use likeness::nearest;
pub use sema::{ACTION_NAMES, AGGREGATING_NAMES, EXTENSION_NAMES, STRFTIME_CONVERSIONS};
pub mod source;
pub mod tags;
pub mod types;
