//! The permitted order of speculation, commit, and recording in a clause.

use crate::diag::{Result, fail};
use crate::program::ActionKind;
use crate::source::Span;
use crate::tags::{Dialect, Tag};

/// The actions of a clause so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Order {
    speculates: bool,
    commits: bool,
    records: bool,
    /// Whether a clause may contain several `commit()`.
    commits_again: bool,
}

impl Order {
    /// The start of a clause.
    pub(super) fn new(dialect: Dialect) -> Order {
        Order { commits_again: dialect == Dialect::Oracle, ..Order::default() }
    }

    /// Records an action, or rejects it at this position.
    pub(super) fn action(&mut self, kind: &ActionKind, span: Span) -> Result<()> {
        match kind {
            ActionKind::Expr | ActionKind::Discard => return Ok(()),
            ActionKind::Commit => {
                if self.commits && !self.commits_again {
                    return fail(Tag::CommComm, span, "commit() may occur once in a clause");
                }
                if self.records {
                    return fail(Tag::CommDrec, span, "commit() may not follow an action that records data");
                }
                self.commits = true;
                return Ok(());
            }
            ActionKind::Speculate => {
                if self.speculates {
                    return fail(Tag::SpecSpec, span, "speculate() may occur once in a clause");
                }
                if self.commits {
                    return fail(Tag::SpecComm, span, "speculate() may not follow commit()");
                }
                if self.records {
                    return fail(
                        Tag::SpecDrec,
                        span,
                        "speculate() must come before any action that records data",
                    );
                }
                self.speculates = true;
                return Ok(());
            }
            _ => {}
        }
        if kind.is_destructive() && self.speculates {
            return fail(Tag::ActSpec, span, "a destructive action may not follow speculate()");
        }
        if matches!(kind, ActionKind::Exit) && self.speculates {
            return fail(Tag::ExitSpec, span, "exit() may not follow speculate()");
        }
        // Actions that only affect the system record no data.
        if matches!(
            kind,
            ActionKind::Stop
                | ActionKind::Raise
                | ActionKind::Panic
                | ActionKind::Breakpoint
                | ActionKind::Chill
        ) {
            return Ok(());
        }
        if self.commits {
            return fail(Tag::DrecComm, span, "an action that records data may not follow commit()");
        }
        self.records = true;
        Ok(())
    }

    /// Records an aggregation, or rejects it at this position.
    pub(super) fn aggregation(&mut self, span: Span) -> Result<()> {
        if self.commits {
            return fail(Tag::AggComm, span, "an aggregation may not follow commit()");
        }
        if self.speculates {
            return fail(Tag::AggSpec, span, "an aggregation may not follow speculate()");
        }
        self.records = true;
        Ok(())
    }

    /// The combined actions of two branches.
    pub(super) fn merged(self, other: Order) -> Order {
        Order {
            speculates: self.speculates || other.speculates,
            commits: self.commits || other.commits,
            records: self.records || other.records,
            commits_again: self.commits_again,
        }
    }
}
