//! Heat maps: how a distribution changes over time, as one self-contained SVG.
//!
//! A column is a step of time, a row a bucket of values, and the darker a cell the more values fell there.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::xml::escape;

/// Counts by time and bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeatMap {
    columns: BTreeMap<i64, BTreeMap<i64, u64>>,
    /// Buckets double: those between two that are in use are drawn too.
    doubled: bool,
}

/// The appearance of a heat map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeatOptions {
    /// Heading.
    pub title: String,
    /// The label below the columns: the steps of time.
    pub across: String,
    /// The label beside the rows: the unit of the buckets.
    pub up: String,
    /// The duration of the steps of time, if they are shown in seconds.
    pub scale: Option<TimeScale>,
}

/// The duration of steps of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeScale {
    /// Nanoseconds of one.
    pub nanoseconds: u64,
    /// Nanoseconds at which seconds are counted from.
    pub zero: i64,
}

impl TimeScale {
    /// A time in seconds, with as many places as steps need, up to microseconds.
    fn seconds(self, time: i128) -> String {
        let step = i128::from(self.nanoseconds.max(1));
        let since = time.saturating_mul(step).saturating_sub(self.zero.into());
        // The step in which counting begins may have begun before.
        let since = if (-step..0).contains(&since) { 0 } else { since };
        let places = 9_usize.saturating_sub(step.ilog10() as usize).min(6);
        format!("{:.places$} s", since as f64 / 1e9)
    }
}

/// Begins the document: its style, its title and the line of information. `most` is the largest count of a cell.
fn head(svg: &mut String, (width, height): (f64, f64), most: u64, options: &HeatOptions) {
    let _ = write!(
        svg,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"100%\" \
         font-family=\"ui-monospace, Consolas, monospace\" font-size=\"12\" data-most=\"{most}\">\n\
         <style>.bg {{ fill: #fbfbf8; }} text {{ fill: #1c1c1c; }} .c:hover {{ stroke: #1c1c1c; }}\n\
         @media (prefers-color-scheme: dark) {{ .bg {{ fill: #16181b; }} text {{ fill: #e6e6e6; }} \
         .c:hover {{ stroke: #e6e6e6; }} }}</style>\n\
         <rect class=\"bg\" width=\"{width:.0}\" height=\"{height:.0}\"/>\n\
         <text x=\"8\" y=\"20\" font-size=\"15\">{}</text>\n\
         <text id=\"info\" x=\"8\" y=\"38\">{}</text>\n",
        escape(&options.title),
        escape(&options.up),
    );
}

/// Draws the marks of the times below the cells, which lie between `left` and `right` and end at `floor`.
fn axis(
    svg: &mut String,
    (left, right, floor): (f64, f64, f64),
    (first, last): (i64, i64),
    options: &HeatOptions,
) {
    // As many times between as there is room for.
    let marks = if right - left > 400.0 { 4 } else { 1 };
    for mark in 0..=marks {
        let time = i128::from(first) + (i128::from(last) - i128::from(first)) * mark / marks;
        let (x, anchor) = match mark {
            0 => (left, "start"),
            _ if mark == marks => (right, "end"),
            _ => (left + (right - left) * mark as f64 / marks as f64, "middle"),
        };
        let _ = writeln!(
            svg,
            "<text x=\"{x:.0}\" y=\"{:.0}\" text-anchor=\"{anchor}\">{}</text>",
            floor + 16.0,
            label(time, options.scale),
        );
    }
    let _ =
        writeln!(svg, "<text x=\"{left:.0}\" y=\"{:.0}\">{}</text>", floor + 34.0, escape(&options.across));
}

/// The colour of a cell. Small counts must remain visible beside large ones, so the shade is logarithmic.
fn colour(count: u64, most: u64) -> String {
    let shade = ((count as f64) + 1.0).ln() / ((most as f64) + 1.0).ln().max(f64::MIN_POSITIVE);
    format!("hsl({:.0},85%,{:.0}%)", 48.0 - 44.0 * shade, 86.0 - 48.0 * shade)
}

/// Draws which colour means how many values: up to five counts from 1 to the largest, at equal steps of the shade.
fn legend(svg: &mut String, (left, floor): (f64, f64), most: u64) {
    let counts = (0..5).map(|step| ((most as f64).powf(f64::from(step) / 4.0)).round() as u64);
    let mut counts: Vec<u64> = counts.filter(|count| (1..=most).contains(count)).collect();
    counts.dedup();
    let _ = writeln!(svg, "<text x=\"{left:.0}\" y=\"{floor:.0}\">values:</text>");
    let mut x = left + 64.0;
    for count in counts {
        let _ = writeln!(
            svg,
            "<rect class=\"k\" x=\"{x:.0}\" y=\"{:.0}\" width=\"12\" height=\"12\" fill=\"{}\"/>\
             <text x=\"{:.0}\" y=\"{floor:.0}\">{count}</text>",
            floor - 10.0,
            colour(count, most),
            x + 17.0,
        );
        x += 34.0 + 7.5 * count.to_string().len() as f64;
    }
}

/// Formats a time.
fn label(time: i128, scale: Option<TimeScale>) -> String {
    scale.map_or_else(|| time.to_string(), |scale| scale.seconds(time))
}

/// Columns and rows that are drawn at most; beyond that neighbours are put together.
const MOST_COLUMNS: i128 = 240;
const MOST_ROWS: usize = 128;

impl HeatMap {
    /// No value yet.
    #[must_use]
    pub fn new() -> HeatMap {
        HeatMap::default()
    }

    /// Adds `count` values at a time, in the bucket that begins at `bucket`.
    pub fn add(&mut self, time: i64, bucket: i64, count: u64) {
        if count > 0 {
            let cell = self.columns.entry(time).or_default().entry(bucket).or_default();
            *cell = cell.saturating_add(count);
        }
    }

    /// Says that each bucket begins at twice the last one: rows without values between others are then drawn.
    pub fn double_rows(&mut self) {
        self.doubled = true;
    }

    /// The lower bounds of the rows, lowest first.
    fn rows(&self) -> Vec<i64> {
        let mut rows: Vec<i64> = self.cells().map(|(_, bucket, _)| bucket).collect();
        if self.doubled {
            let (first, last) = (rows.iter().min().copied(), rows.iter().max().copied());
            if let (Some(first), Some(last)) = (first, last) {
                let powers = (0..63).map(|n| 1i64 << n);
                rows.extend(powers.flat_map(|p| [p, -p]).filter(|p| (first..=last).contains(p)));
                if (first..=last).contains(&0) {
                    rows.push(0);
                }
            }
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// Returns `true` if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Every cell: time, bucket, count.
    pub fn cells(&self) -> impl Iterator<Item = (i64, i64, u64)> {
        self.columns.iter().flat_map(|(t, column)| column.iter().map(|(b, n)| (*t, *b, *n)))
    }

    /// Draws it as an SVG document.
    #[must_use]
    pub fn svg(&self, options: &HeatOptions) -> String {
        let rows = self.rows();
        // Beyond a visible resolution, several buckets share a row, and several times a column.
        let per_row = rows.len().div_ceil(MOST_ROWS).max(1);
        let first = self.columns.keys().next().copied().unwrap_or(0);
        let last = self.columns.keys().next_back().copied().unwrap_or(0);
        let step = self.step();
        let steps = (i128::from(last) - i128::from(first)) / i128::from(step) + 1;
        let per_column = (steps + MOST_COLUMNS - 1) / MOST_COLUMNS;
        let (columns, shown_rows) = ((steps + per_column - 1) / per_column, rows.len().div_ceil(per_row));
        let mut cells: BTreeMap<(i128, usize), u64> = BTreeMap::new();
        for (time, bucket, count) in self.cells() {
            let column = (i128::from(time) - i128::from(first)) / i128::from(step) / per_column;
            let row = rows.partition_point(|known| *known < bucket) / per_row;
            let cell = cells.entry((column, row)).or_default();
            *cell = cell.saturating_add(count);
        }
        let most = cells.values().copied().max().unwrap_or(0);
        let (left, top, cell_height) = (90.0, 48.0, 16.0);
        let cell_width = (1080.0 / columns.max(1) as f64).clamp(2.0, 40.0);
        let width = left + cell_width * columns as f64 + 20.0;
        let width = width.max(480.0);
        let height = top + cell_height * shown_rows as f64 + 64.0;
        let floor = top + cell_height * shown_rows as f64;
        let mut svg = String::new();
        head(&mut svg, (width, height), most, options);
        for (at, bucket) in rows.iter().enumerate().step_by(per_row) {
            let y = floor - cell_height * (at / per_row) as f64 - 4.0;
            let _ = writeln!(
                svg,
                "<text x=\"{:.0}\" y=\"{y:.0}\" text-anchor=\"end\">{bucket}</text>",
                left - 6.0
            );
        }
        for ((column, row), count) in &cells {
            let x = left + cell_width * *column as f64;
            let y = floor - cell_height * (row + 1) as f64;
            let time = i128::from(first) + column * per_column * i128::from(step);
            let bucket = rows.get(row * per_row).copied().unwrap_or(0);
            let _ = writeln!(
                svg,
                "<rect class=\"c\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                 fill=\"{}\"><title>{}, from {bucket} on: {count}</title></rect>",
                cell_width - 0.5,
                cell_height - 0.5,
                colour(*count, most),
                match options.scale {
                    Some(scale) => scale.seconds(time),
                    None => format!("{} {time}", escape(&options.across)),
                },
            );
        }
        let right = left + cell_width * columns as f64;
        axis(&mut svg, (left, right, floor), (first, last), options);
        legend(&mut svg, (left, floor + 54.0), most);
        svg.push_str(SCRIPT);
        svg.push_str("</svg>\n");
        svg
    }

    /// The time between two columns: the smallest distance that occurs.
    fn step(&self) -> i64 {
        let times: Vec<i64> = self.columns.keys().copied().collect();
        times.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).min().unwrap_or(1).max(1)
    }

    /// The same with characters, newest column last: what fits into `width` columns, a darker character for more
    /// values. `paint` gets the character of a cell and its shade from 0 to 4.
    #[must_use]
    pub fn text(
        &self,
        width: usize,
        scale: Option<TimeScale>,
        paint: impl Fn(char, usize) -> String,
    ) -> String {
        const SHADES: [char; 5] = ['\u{b7}', '\u{2591}', '\u{2592}', '\u{2593}', '\u{2588}'];
        let rows = self.rows();
        let first = self.columns.keys().next().copied().unwrap_or(0);
        let last = self.columns.keys().next_back().copied().unwrap_or(0);
        let step = i128::from(self.step());
        let steps = (i128::from(last) - i128::from(first)) / step + 1;
        let room = width.saturating_sub(24).max(10) as i128;
        let per_column = (steps + room - 1) / room;
        let columns = ((steps + per_column - 1) / per_column) as usize;
        let mut cells = vec![vec![0u64; columns]; rows.len()];
        for (time, bucket, count) in self.cells() {
            let column = ((i128::from(time) - i128::from(first)) / step / per_column) as usize;
            let row = rows.partition_point(|known| *known < bucket);
            if let Some(cell) = cells.get_mut(row).and_then(|row| row.get_mut(column)) {
                *cell = cell.saturating_add(count);
            }
        }
        let most = cells.iter().flatten().copied().max().unwrap_or(0);
        let mut out = String::new();
        for (row, bucket) in cells.iter().zip(&rows).rev() {
            let _ = write!(out, "{bucket:>16} |");
            for &count in row {
                if count == 0 {
                    out.push(' ');
                    continue;
                }
                let share = ((count as f64) + 1.0).ln() / ((most as f64) + 1.0).ln().max(f64::MIN_POSITIVE);
                let shade = ((share * 5.0) as usize).min(4);
                out.push_str(&paint(SHADES[shade], shade));
            }
            out.push_str("|\n");
        }
        let (first, last) = (label(first.into(), scale), label(last.into(), scale));
        let pad = columns.saturating_sub(first.len()).max(last.len() + 1);
        let _ = writeln!(out, "{:>16}  {first}{last:>pad$}", "");
        out
    }
}

/// Shows the cell under the pointer.
const SCRIPT: &str = r##"<script><![CDATA[
(function () {
  var info = document.getElementById("info"), plain = info.textContent;
  document.querySelectorAll(".c").forEach(function (cell) {
    cell.addEventListener("mouseover", function () { info.textContent = cell.querySelector("title").textContent; });
    cell.addEventListener("mouseout", function () { info.textContent = plain; });
  });
})();
]]></script>
"##;

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> HeatMap {
        let mut map = HeatMap::new();
        for (time, bucket, count) in [(10, 4, 1), (10, 8, 7), (30, 4, 100), (20, 8, 0)] {
            map.add(time, bucket, count);
        }
        map
    }

    /// Three times are marked between the ends where there is room for them, at equal distances.
    #[test]
    fn issue_23_marks_of_time_need_room() {
        for (columns, between) in
            [(1, &[][..]), (2, &[]), (10, &[]), (11, &["2", "5", "7"]), (13, &["3", "6", "9"])]
        {
            let mut map = HeatMap::new();
            (0..columns).for_each(|time| map.add(time, 1, 1));
            let svg = map.svg(&HeatOptions::default());
            let marks: Vec<(f64, &str)> = svg
                .lines()
                .filter_map(|line| {
                    let (at, rest) = line.strip_prefix("<text x=\"")?.split_once('"')?;
                    let label = rest.split_once("text-anchor=\"middle\">")?.1;
                    Some((at.parse().unwrap(), label.strip_suffix("</text>")?))
                })
                .collect();
            assert_eq!(marks.iter().map(|(_, label)| *label).collect::<Vec<_>>(), between, "{columns}");
            for (at, (x, _)) in marks.iter().enumerate() {
                let expected = 90.0 + 40.0 * columns as f64 * (at + 1) as f64 / 4.0;
                assert!((x - expected).abs() <= 0.5, "{columns} {x} {expected}");
            }
        }
    }

    /// The legend goes from 1 to the largest count, in the colours of cells with these counts.
    #[test]
    fn issue_21_a_legend_says_what_colours_mean() {
        let legend = |counts: &[u64]| {
            let mut map = HeatMap::new();
            (0..).zip(counts).for_each(|(time, count)| map.add(time, 1, *count));
            let svg = map.svg(&HeatOptions::default());
            let fill =
                |line: &str| line.split_once("fill=\"").unwrap().1.split_once('"').unwrap().0.to_owned();
            let cells: Vec<String> =
                svg.lines().filter(|line| line.starts_with("<rect class=\"c\"")).map(fill).collect();
            let rows = svg.lines().filter(|line| line.starts_with("<rect class=\"k\"")).map(|line| {
                let (_, text) = line.strip_suffix("</text>").unwrap().rsplit_once('>').unwrap();
                (text.parse::<u64>().unwrap(), fill(line))
            });
            (rows.collect::<Vec<_>>(), cells)
        };
        let (rows, cells) = legend(&[1, 10, 100, 1000, 10_000]);
        assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), [1, 10, 100, 1000, 10_000]);
        assert_eq!(rows.into_iter().map(|row| row.1).collect::<Vec<_>>(), cells);
        assert_eq!(legend(&[1]).0.len(), 1);
        assert_eq!(legend(&[3]).0.iter().map(|row| row.0).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(legend(&[]).0, []);
    }

    #[test]
    fn cells_are_placed_by_time_and_bucket() {
        let map = map();
        assert_eq!(map.cells().collect::<Vec<_>>(), [(10, 4, 1), (10, 8, 7), (30, 4, 100)]);
        let text = map.text(80, None, |c, _| c.to_string());
        assert_eq!(
            text,
            "               8 |\u{2592} |\n               4 |\u{b7}\u{2588}|\n                  10 30\n"
        );
        let svg = map.svg(&HeatOptions {
            title: "<disk>".to_owned(),
            across: "seconds".to_owned(),
            up: "ns".to_owned(),
            scale: None,
        });
        assert_eq!(svg.matches("class=\"c\"").count(), 3);
        let mut wide = HeatMap::new();
        wide.double_rows();
        wide.add(0, -2, 1);
        wide.add(0, 4, 1);
        assert_eq!(wide.rows(), [-2, -1, 0, 1, 2, 4]);
        assert!(svg.contains("<title>seconds 30, from 4 on: 100</title>"));
        assert!(svg.contains("&lt;disk&gt;") && !svg.contains("<disk>"));
    }

    /// Every cell is inside its picture, none overlaps another, and the rows fill the height between the axes.
    #[test]
    fn pictures_have_room_for_every_cell() {
        let number = |tag: &str, name: &str| -> f64 {
            let (_, rest) = tag.split_once(&format!(" {name}=\"")).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        for (columns, rows) in [(1i64, 1i64), (3, 2), (7, 20), (40, 5), (2, 64)] {
            let mut map = HeatMap::new();
            for time in 0..columns {
                (0..rows).for_each(|row| map.add(time, row, 1 + row as u64));
            }
            let svg = map.svg(&HeatOptions::default());
            let head = svg.split_once("<rect class=\"bg\"").unwrap().1.split('>').next().unwrap();
            let (width, height) = (number(head, "width"), number(head, "height"));
            let cells: Vec<(f64, f64, f64, f64)> = svg
                .split('<')
                .filter(|tag| tag.contains("class=\"c\""))
                .map(|tag| (number(tag, "x"), number(tag, "y"), number(tag, "width"), number(tag, "height")))
                .collect();
            assert_eq!(cells.len() as i64, columns * rows);
            let first = cells[0];
            for (x, y, w, h) in &cells {
                assert!(
                    *x >= 0.0 && x + w <= width && *y >= 0.0 && y + h <= height,
                    "{x} {y} {w} {h} in {width} {height}"
                );
                assert!((w - first.2).abs() < 0.2 && (h - first.3).abs() < 0.2, "{w} {h}, {first:?}");
            }
            for (at, a) in cells.iter().enumerate() {
                for b in &cells[at + 1..] {
                    let apart = |p: f64, size: f64, q: f64| (p - q).abs() >= size - 0.2;
                    assert!(apart(a.0, a.2, b.0) || apart(a.1, a.3, b.1), "{a:?} {b:?}");
                }
            }
        }
    }

    /// The colour of a cell follows from the logarithm of its count: the largest is the darkest and reddest.
    #[test]
    fn cells_are_darker_the_more_they_count() {
        let counts = [1_u64, 2, 3, 10, 99, 100, 5_000, 1 << 40];
        for most in 1..=counts.len() {
            let mut map = HeatMap::new();
            (0..).zip(&counts[..most]).for_each(|(time, count)| map.add(time, 1, *count));
            let svg = map.svg(&HeatOptions::default());
            let largest = (counts[most - 1] as f64 + 1.0).log2();
            let cells = svg.lines().filter(|line| line.starts_with("<rect class=\"c\""));
            let shown: Vec<&str> =
                cells.map(|line| line.split_once("hsl(").unwrap().1.split(')').next().unwrap()).collect();
            assert_eq!(shown.len(), most);
            for (text, count) in shown.iter().zip(counts) {
                let share = (count as f64 + 1.0).log2() / largest;
                assert_eq!(*text, format!("{:.0},85%,{:.0}%", 48.0 - 44.0 * share, 86.0 - 48.0 * share));
            }
            assert_eq!(shown[most - 1], "4,85%,38%");
            // Characters, of five shades.
            let text = map.text(80, None, |_, shade| shade.to_string());
            let row = text.split('|').nth(1).unwrap();
            for (shade, count) in row.chars().zip(counts) {
                let share = (count as f64 + 1.0).log2() / largest;
                assert_eq!(shade.to_digit(10), Some(((share * 5.0 + 1e-9) as u32).min(4)), "{count} {most}");
            }
        }
    }

    /// A narrow terminal gets at least ten columns.
    #[test]
    fn text_fits_the_width() {
        let mut map = HeatMap::new();
        (0..1000).for_each(|time| map.add(time, 1, 1));
        for (width, columns) in
            [(0, 10), (34, 10), (35, 11), (44, 20), (124, 100), (1024, 1000), (4000, 1000)]
        {
            let text = map.text(width, None, |c, _| c.to_string());
            let row = text.lines().next().unwrap();
            let cells = row.split('|').nth(1).unwrap().chars().count();
            // Each column has as many steps as any other.
            let steps = 1000usize.div_ceil(columns);
            assert_eq!(cells, 1000usize.div_ceil(steps), "{width}: {row}");
        }
    }

    #[test]
    fn steps_that_are_times_are_shown_in_seconds() {
        let scale = TimeScale { nanoseconds: 100_000_000, zero: 900_000_000 };
        let text = map().text(80, Some(scale), |c, _| c.to_string());
        assert!(text.ends_with("                  0.1 s 2.1 s\n"), "{text}");
        let options = HeatOptions { scale: Some(scale), ..HeatOptions::default() };
        let svg = map().svg(&options);
        assert!(svg.contains(">0.1 s</text>") && svg.contains(">2.1 s</text>"), "{svg}");
        assert!(svg.contains("<title>2.1 s, from 4 on: 100</title>"), "{svg}");
        assert_eq!(scale.seconds(9), "0.0 s", "the step in which the trace begins");
        assert_eq!(TimeScale { nanoseconds: 2_000_000_000, zero: 0 }.seconds(3), "6 s");
        assert_eq!(TimeScale { nanoseconds: 1, zero: 0 }.seconds(1_500), "0.000002 s");
    }

    #[test]
    fn any_numbers_are_drawn_within_bounds() {
        let mut map = HeatMap::new();
        for n in 0..1000 {
            map.add(n * 3, n, 1);
        }
        map.add(i64::MIN, i64::MIN, u64::MAX);
        map.add(i64::MAX, i64::MAX, u64::MAX);
        let svg = map.svg(&HeatOptions::default());
        assert!(svg.len() < 100_000, "{}", svg.len());
        assert!(map.text(80, None, |c, _| c.to_string()).lines().all(|line| line.chars().count() < 120));
        assert!(!HeatMap::new().svg(&HeatOptions::default()).is_empty());
    }
}
