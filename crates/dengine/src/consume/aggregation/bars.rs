//! The bars of histograms.

use crate::consume::value;
use crate::options::{Encoding, RunOptions};

/// Columns of a bar.
const BAR: usize = 40;
/// The share of the bar that the tallest bucket fills when bars are scaled to it.
pub(super) const ZOOM: f64 = 0.95;
pub(super) const TITLE: &str = "------------- Distribution -------------";

/// The scale of a histogram's bars.
pub(crate) struct Bars {
    total: f64,
    /// Part of the bar that `total` fills.
    zoom: f64,
    positive: bool,
    negative: bool,
    encoding: Encoding,
    colour: bool,
}

/// Colour of what is above nothing: cyan; below: red; and back to none (ECMA-48, SGR).
const ABOVE: &[u8] = b"\x1b[36m";
const BELOW: &[u8] = b"\x1b[31m";
const PLAIN: &[u8] = b"\x1b[39m";

impl Bars {
    pub(crate) fn new<'c>(counts: impl Iterator<Item = &'c i64> + Clone, options: &RunOptions) -> Bars {
        let sizes = counts.clone().map(|n| n.unsigned_abs() as f64);
        let (total, zoom) =
            if options.aggs.zoom { (sizes.fold(0.0, f64::max), ZOOM) } else { (sizes.sum::<f64>(), 1.0) };
        Bars {
            total,
            zoom,
            positive: counts.clone().any(|n| *n > 0),
            negative: counts.clone().any(|n| *n < 0),
            encoding: options.aggs.encoding,
            colour: options.colour,
        }
    }

    /// As for plain values: those that are all positive fill the bar when zoomed.
    pub(super) fn full(mut self) -> Bars {
        if !self.negative {
            self.zoom = 1.0;
        }
        self
    }

    /// Bar and axis, 41 columns.
    pub(crate) fn bar(&self, text: &mut Vec<u8>, count: i64) {
        let size = count.unsigned_abs() as f64;
        let length = |columns: usize| {
            let length = if self.total > 0.0 {
                (size * columns as f64 * self.zoom / self.total + 0.5) as usize
            } else {
                0
            };
            length.min(columns)
        };
        let paint = |text: &mut Vec<u8>, fill: &dyn Fn(&mut Vec<u8>)| {
            let colour = self.colour && count != 0;
            if colour {
                text.extend_from_slice(if count < 0 { BELOW } else { ABOVE });
            }
            fill(text);
            if colour {
                text.extend_from_slice(PLAIN);
            }
        };
        let ats = |text: &mut Vec<u8>, n: usize| {
            paint(text, &|text| text.resize(text.len() + n, b'@'));
        };
        match (self.negative, self.positive) {
            (false, _) if self.encoding == Encoding::Utf8 => {
                text.push(b'|');
                let eighths = if self.total > 0.0 {
                    (size * (BAR * 8) as f64 * self.zoom / self.total) as usize
                } else {
                    0
                };
                paint(text, &|text| blocks(text, eighths.min(BAR * 8)));
            }
            (false, _) => {
                text.push(b'|');
                ats(text, length(BAR));
                value::blanks(text, BAR - length(BAR));
            }
            (true, false) => {
                value::blanks(text, BAR - length(BAR));
                ats(text, length(BAR));
                text.push(b'|');
            }
            (true, true) => {
                let half = BAR / 2;
                let n = length(half);
                if count < 0 {
                    value::blanks(text, half - n);
                    ats(text, n);
                    text.push(b'|');
                    value::blanks(text, half);
                } else {
                    value::blanks(text, half);
                    text.push(b'|');
                    ats(text, n);
                    value::blanks(text, half - n);
                }
            }
        }
    }
}

/// A bar of whole and eighth blocks.
fn blocks(text: &mut Vec<u8>, eighths: usize) {
    const PARTS: [&str; 8] =
        ["", "\u{258f}", "\u{258e}", "\u{258d}", "\u{258c}", "\u{258b}", "\u{258a}", "\u{2589}"];
    for _ in 0..eighths / 8 {
        text.extend_from_slice("\u{2588}".as_bytes());
    }
    text.extend_from_slice(PARTS[eighths % 8].as_bytes());
    value::blanks(text, BAR - eighths.div_ceil(8));
}
