//! The checker: from the syntax tree to a typed tree, with every rule of the language applied.
//!
//! Declarations, inlines and translators of a text are taken in order first, then its clauses, each with its
//! predicate before its statements. Variables come into being by declaration or by first assignment. The first
//! error ends the compilation.

mod action;
mod agg;
mod assign;
mod call;
mod checker;
mod clause;
mod conv;
mod decl;
mod declarator;
mod expr;
mod extension;
mod foreign;
mod function;
mod inline;
mod logged;
mod member;
mod operator;
mod ordering;
mod printf;
mod probe;
mod progress;
mod provider;
mod scope;
mod show;
mod stability;
mod subr;
mod symbol;
mod translate;
pub(crate) mod tree;
mod words;

pub(crate) use checker::Checker;
pub(crate) use clause::ClauseTarget;
pub use extension::{NAMES as EXTENSION_NAMES, STRFTIME_CONVERSIONS};
pub use words::{ACTION_NAMES, AGG_NAMES as AGGREGATING_NAMES};
