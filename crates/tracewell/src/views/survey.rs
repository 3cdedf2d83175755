//! The passes over traces before a timeline is written.

use tracewell_decode::Schemas;
use tracewell_etl::{Merge, Trace};
use tracewell_probes::replay;
use tracewell_state::{Machine, Needs, StackBuilder, Stacks};

use crate::account::Account;
use crate::progress::is_due;

/// The state that is known before the first moment is written.
#[derive(Debug)]
pub struct Survey {
    /// One for all traces when they share a clock, else one for each.
    pub machines: Vec<Machine>,
    /// The stacks of all traces.
    pub stacks: Stacks,
    /// Descriptions of events, also those that the traces contain.
    pub schemas: Schemas,
    /// Records about the machine that could not be read.
    pub unread: u64,
    /// Records of all traces.
    pub records: u64,
    /// What is missing from each trace.
    pub accounts: Vec<Account>,
}

impl Survey {
    /// Reads all records twice. `progress` is called with the bytes that are done, of twice `bytes`.
    #[must_use]
    pub fn of(traces: &[Trace<'_>], schemas: Schemas, bytes: u64, progress: impl FnMut(u64)) -> Survey {
        Survey::with(traces, schemas, bytes, StackBuilder::new(), progress)
    }

    /// The same, with a builder that may limit the stacks that are kept.
    #[must_use]
    pub fn with(
        traces: &[Trace<'_>],
        mut schemas: Schemas,
        bytes: u64,
        mut stacks: StackBuilder,
        mut progress: impl FnMut(u64),
    ) -> Survey {
        let needs = Needs { images: true, files: true, stacks: false };
        let views: Vec<&[Trace<'_>]> = if Merge::new(traces).is_by_raw_time() {
            vec![traces]
        } else {
            traces.iter().map(std::slice::from_ref).collect()
        };
        let (mut machines, mut unread) = (Vec::new(), 0);
        for view in views {
            let (machine, missed) = replay::survey(view, needs, &mut progress);
            machines.push(machine);
            unread += missed;
        }
        let (mut records, mut before) = (0, bytes);
        let mut accounts = Vec::with_capacity(traces.len());
        for trace in traces {
            let mut account = Account::new(trace);
            stacks.next_trace();
            let mut cursor = trace.file_order();
            while let Some(record) = cursor.next() {
                schemas.observe(&record);
                stacks.observe(&record);
                account.observe(&record);
                records += 1;
                if is_due(records) {
                    progress(before + cursor.bytes_done());
                }
            }
            before += trace.extent().end - trace.extent().start;
            account.read(trace, cursor.ledger());
            accounts.push(account);
        }
        Survey { machines, stacks: stacks.finish(), schemas, unread, records, accounts }
    }
}
