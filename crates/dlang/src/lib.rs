//! The D language: preprocessor, lexer, parser, types, checks, and the typed register IR it compiles
//! to. It knows no ETW, no files and no clock: probes come through [`catalog::Catalog`], texts as bytes.
#![forbid(unsafe_code)]

pub mod ast;
pub mod builtins;
pub mod catalog;
pub mod diag;
pub mod format;
pub mod ir;
pub mod program;
pub mod source;
pub mod tags;
