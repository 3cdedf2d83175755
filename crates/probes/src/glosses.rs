//! What the arguments of probes are, in words: listings show them.

use tracewell_dlang::program::ProbeId;

use crate::calls::CallEnd;
use crate::catalog::{Kind, ProbeCatalog};
use crate::table::{
    CALL_ARGUMENTS, ERROR_ARGUMENTS, EVENT_ARGUMENTS, Fire, RECORD_ARGUMENTS, RESULT_ARGUMENTS,
    SPAN_ARGUMENTS, SPAN_RECORDS,
};

impl ProbeCatalog<'_> {
    /// What `args[number]` of a probe is, with its unit; empty where its type says it.
    #[must_use]
    pub fn gloss(&self, id: ProbeId, number: usize) -> &'static str {
        match self.base_kind(id) {
            Some(Kind::Fixed(def)) => def.args.get(number).map_or("", |arg| arg.gloss),
            Some(Kind::Span(_)) => SPAN_RECORDS.get(number).copied().unwrap_or_default(),
            _ => "",
        }
    }

    /// The meaning of untyped arguments (`arg0` and following) of a probe.
    #[must_use]
    pub fn untyped(&self, id: ProbeId) -> &'static [&'static str] {
        match self.base_kind(id) {
            Some(Kind::Events(_) | Kind::Keyword(..) | Kind::Event(_) | Kind::Class(..)) => &EVENT_ARGUMENTS,
            Some(Kind::Span(_)) => &SPAN_ARGUMENTS,
            Some(Kind::Call(_, CallEnd::Fails)) => &ERROR_ARGUMENTS,
            Some(Kind::Call(_, end)) if end.returns() => &RESULT_ARGUMENTS,
            Some(Kind::Call(..)) => &CALL_ARGUMENTS,
            Some(Kind::Fixed(def)) if def.fire == Fire::Record => &RECORD_ARGUMENTS,
            _ => &[],
        }
    }
}
