//! Carries the losses that a trace reports over to a trace whose buffers are numbered and filled
//! anew.

use std::io::{Seek, Write};

use tracewell_etl::Trace;
use tracewell_etl::def::buffer::BufferFlags;
use tracewell_etl::write::TraceWriter;

/// Buffers that a trace leaves out and its header does not count: to be added to those of the new header, for in the new numbers
/// there is no gap.
pub(crate) fn untold_buffers(trace: &Trace<'_>) -> u32 {
    u32::try_from(trace.buffers_left_out_untold()).unwrap_or(u32::MAX)
}

/// The buffers of a trace whose flags report a loss, in time order. In the new trace, the flag goes to the buffer that the
/// processor is filling at that time.
#[derive(Debug)]
pub(crate) struct FlaggedBuffers {
    /// Raw time of the first record, processor, flags; the next one last.
    left: Vec<(i64, u16, BufferFlags)>,
}

impl FlaggedBuffers {
    /// Selects the buffers of a trace that have a record before `end` and may have one from `start`
    /// on.
    pub(crate) fn new(trace: &Trace<'_>, start: Option<i64>, end: Option<i64>) -> FlaggedBuffers {
        let mut all: Vec<_> = trace.buffers().iter().collect();
        all.sort_by_key(|info| (info.cpu, info.first_time, info.sequence));
        let mut left = Vec::new();
        for (place, info) in all.iter().enumerate() {
            let Some(time) = info.first_time else { continue };
            let flagged =
                info.flags.has(BufferFlags::EVENTS_LOST) || info.flags.has(BufferFlags::BUFFER_LOST);
            let next = all.get(place + 1).filter(|next| next.cpu == info.cpu);
            let over = next.and_then(|next| next.first_time);
            let in_time = end.is_none_or(|end| time < end)
                && start.is_none_or(|start| over.is_none_or(|over| over > start));
            if flagged && in_time {
                left.push((time, info.cpu, info.flags));
            }
        }
        left.sort_by_key(|(time, cpu, _)| std::cmp::Reverse((*time, *cpu)));
        FlaggedBuffers { left }
    }

    /// Reports the losses up to the raw time of the next record.
    #[inline]
    pub(crate) fn pass<W: Write + Seek>(&mut self, time: i64, writer: &mut TraceWriter<W>) {
        while let Some((_, cpu, flags)) = self.left.pop_if(|(first, ..)| *first <= time) {
            writer.mark_lost(cpu, flags);
        }
    }
}
