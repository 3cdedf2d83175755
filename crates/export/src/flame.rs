//! Flame graphs: one self-contained SVG with search and zoom, no code from anywhere else.
//!
//! Every frame is a box as wide as the weight of the stacks that go through it, above its caller. Its colour shows what kind of
//! code it is, or in a difference how it has changed; a legend names the colours.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::folded::{Folded, Frame, Kind};
use crate::xml::escape;
use tracewell_types::number::grouped;

/// The appearance of a flame graph.
#[derive(Clone, Debug)]
pub struct FlameOptions {
    /// Heading.
    pub title: String,
    /// The unit of weights: `samples`, `ns`…
    pub unit: String,
    /// What follows the total, such as a weight that is not in the picture.
    pub note: String,
    /// Width in pixels.
    pub width: u32,
}

impl Default for FlameOptions {
    fn default() -> FlameOptions {
        FlameOptions {
            title: "Flame graph".to_owned(),
            unit: "samples".to_owned(),
            note: String::new(),
            width: 1200,
        }
    }
}

/// Height of a box in pixels.
const ROW: u32 = 17;
/// Room above the boxes.
const HEAD: u32 = 66;
const FOOT: u32 = 24;
const MARGIN: f64 = 8.0;
/// Width of a letter, and of one of the title.
const LETTER: f64 = 7.3;
const HEADING: f64 = 9.2;
/// Room for the buttons beside the title.
const BUTTONS: f64 = 120.0;
/// Boxes narrower than this many pixels are not drawn, because they would be invisible.
const NARROWEST: f64 = 0.15;

/// A box: depth, start and weight on the scale of all weights, name. Of two sides, `before` is the part of the first.
struct Block<'f> {
    depth: usize,
    start: u64,
    weight: u64,
    before: u64,
    frame: &'f Frame,
}

/// Boxes of all stacks with their weights and the parts of the first side, callers first.
fn blocks<'f>(stacks: impl Iterator<Item = (&'f [Frame], u64, u64)>) -> (Vec<Block<'f>>, u64) {
    let mut done: Vec<Block<'_>> = Vec::new();
    // Boxes of the stack before this one, as positions in `done`.
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0u64;
    for (stack, weight, before) in stacks {
        let same = open
            .iter()
            .zip(stack)
            .take_while(|(at, frame)| done.get(**at).is_some_and(|block| block.frame == *frame))
            .count();
        open.truncate(same);
        for (depth, frame) in stack.iter().enumerate().skip(same) {
            open.push(done.len());
            done.push(Block { depth, start: at, weight: 0, before: 0, frame });
        }
        for block in &open {
            if let Some(block) = done.get_mut(*block) {
                block.weight = block.weight.saturating_add(weight);
                block.before = block.before.saturating_add(before);
            }
        }
        at = at.saturating_add(weight);
    }
    (done, at)
}

/// Draws stacks as an SVG document, coloured by kind.
#[must_use]
pub fn flame(folded: &Folded, options: &FlameOptions) -> String {
    let boxes = blocks(folded.iter().map(|(stack, weight)| (stack, weight, 0)));
    let legend: Vec<_> = Kind::ALL
        .into_iter()
        .filter(|kind| boxes.0.iter().any(|block| block.frame.kind == *kind))
        .map(|kind| (shade(kind, 0), kind.name()))
        .collect();
    draw(boxes, options, &legend, |block, total, unit| {
        let share = 100.0 * block.weight as f64 / total.max(1) as f64;
        (format!("{} ({}{unit}, {share:.2}%)", block.frame.name, block.weight), colour(block.frame))
    })
}

/// Draws the stacks of two sides as one SVG document: a box is as wide as the weights of both sides together, red where there is
/// more of it in the second, blue where there is less.
#[must_use]
pub fn flame_difference(before: &Folded, after: &Folded, options: &FlameOptions) -> String {
    let mut both: BTreeMap<&[Frame], (u64, u64)> = BTreeMap::new();
    before.iter().for_each(|(stack, weight)| both.entry(stack).or_default().0 += weight);
    after.iter().for_each(|(stack, weight)| both.entry(stack).or_default().1 += weight);
    let stacks = both.into_iter().map(|(stack, (a, b))| (stack, a.saturating_add(b), a));
    let legend = [(heat(0, 1), "more after"), (heat(1, 1), "the same"), (heat(1, 0), "less after")];
    draw(blocks(stacks), options, &legend, |block, _, unit| {
        let after = block.weight - block.before;
        let change = match block.before {
            0 => "new".to_owned(),
            before => format!("{:+.1}%", 100.0 * (after as f64 - before as f64) / before as f64),
        };
        (
            format!("{} ({} to {after}{unit}, {change})", block.frame.name, block.before),
            heat(block.before, after),
        )
    })
}

/// Red for more, blue for less, nearly white for the same.
fn heat(before: u64, after: u64) -> String {
    let change = (after as f64 - before as f64) / (before.saturating_add(after)).max(1) as f64;
    let hue = if change < 0.0 { 215 } else { 5 };
    format!("hsl({hue},{:.0}%,{:.0}%)", 20.0 + 70.0 * change.abs(), 90.0 - 28.0 * change.abs())
}

/// Draws boxes, each with the title and colour that `describe` gives it, and a legend of colours.
fn draw(
    (blocks, total): (Vec<Block<'_>>, u64),
    options: &FlameOptions,
    legend: &[(String, &str)],
    describe: impl Fn(&Block<'_>, u64, &str) -> (String, String),
) -> String {
    let width = f64::from(options.width.max(200));
    let scale = (width - 2.0 * MARGIN) / (total.max(1) as f64);
    // Deep stacks of few weights would leave most of the picture blank.
    let drawn: Vec<&Block<'_>> =
        blocks.iter().filter(|block| block.weight as f64 * scale >= NARROWEST).collect();
    let depth = drawn.iter().map(|f| f.depth + 1).max().unwrap_or(0) as u32;
    let height = HEAD + depth * ROW + FOOT;
    // Behind a number, as the script in the picture writes it too.
    let unit = if options.unit.is_empty() { String::new() } else { format!(" {}", options.unit) };
    let title = escape(&options.title);
    let whole = escape(&format!("{}{unit}{}", grouped(total), options.note));
    let mut svg = String::new();
    let _ = write!(
        svg,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"100%\" \
         font-family=\"ui-monospace, Consolas, monospace\" font-size=\"12\" data-total=\"{total}\" \
         data-unit=\"{}\" data-whole=\"{whole}\">\n\
         <title>{title}</title>\n\
         <style>\n\
         .bg {{ fill: #fbfbf8; }} text {{ fill: #1c1c1c; }} .f rect {{ stroke: #fbfbf8; stroke-width: 0.6; }}\n\
         .f {{ cursor: pointer; }} .f:hover rect {{ stroke: #1c1c1c; }} .f.hit rect {{ fill: #b14cc9; }}\n\
         .dim {{ opacity: 0.45; }} .button {{ cursor: pointer; text-decoration: underline; }}\n\
         @media (prefers-color-scheme: dark) {{ .bg {{ fill: #16181b; }} .plain {{ fill: #e6e6e6; }} }}\n\
         </style>\n\
         <rect class=\"bg\" width=\"{width}\" height=\"{height}\"/>\n\
         <text class=\"plain\" x=\"{MARGIN}\" y=\"20\" font-size=\"15\">{}</text>\n\
         <text class=\"plain\" id=\"info\" x=\"{MARGIN}\" y=\"38\">{whole}</text>\n\
         <text class=\"plain button\" id=\"search\" x=\"{}\" y=\"20\" text-anchor=\"end\">search</text>\n\
         <text class=\"plain button\" id=\"reset\" x=\"{}\" y=\"38\" text-anchor=\"end\">whole graph</text>\n",
        escape(&options.unit),
        escape(&short(&options.title, ((width - BUTTONS) / HEADING) as usize)),
        width - MARGIN,
        width - MARGIN,
    );
    let mut x = MARGIN;
    for (colour, name) in legend {
        let _ = writeln!(
            svg,
            "<rect class=\"key\" x=\"{x:.1}\" y=\"46\" width=\"11\" height=\"11\" fill=\"{colour}\"/>\
             <text class=\"plain\" x=\"{:.1}\" y=\"56\">{}</text>",
            x + 15.0,
            escape(name),
        );
        x += 15.0 + LETTER * (name.chars().count() as f64 + 2.0);
    }
    for block in drawn {
        let box_width = block.weight as f64 * scale;
        let x = MARGIN + block.start as f64 * scale;
        let y = HEAD + (depth - 1 - block.depth as u32) * ROW;
        let (title, colour) = describe(block, total, &unit);
        let letters = ((box_width - 4.0) / LETTER) as usize;
        let _ = writeln!(
            svg,
            "<g class=\"f\" data-s=\"{}\" data-w=\"{}\" data-d=\"{}\"><title>{}</title>\
             <rect x=\"{x:.2}\" y=\"{y}\" width=\"{box_width:.2}\" height=\"{}\" fill=\"{}\"/>\
             <text x=\"{:.2}\" y=\"{}\">{}</text></g>",
            block.start,
            block.weight,
            block.depth,
            escape(&title),
            ROW - 1,
            colour,
            x + 2.0,
            y + 12,
            escape(&short(&block.frame.name, letters)),
        );
    }
    svg.push_str(SCRIPT);
    svg.push_str("</svg>\n");
    svg
}

/// A name cut to so many letters; nothing when not even three fit.
fn short(name: &str, letters: usize) -> String {
    if name.chars().count() <= letters {
        return name.to_owned();
    }
    if letters < 3 {
        return String::new();
    }
    name.chars().take(letters - 1).chain(['\u{2026}']).collect()
}

/// The colour of a frame: that of its kind, in a shade that is always the same for a module.
fn colour(frame: &Frame) -> String {
    let module = frame.name.split('`').next().unwrap_or(&frame.name);
    shade(frame.kind, module.bytes().fold(0x811c_9dc5, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193)))
}

/// One of 96 shades of a kind's colour.
fn shade(kind: Kind, number: u32) -> String {
    let (hue, full) = kind.tone();
    format!("hsl({},{full}%,{}%)", hue + number % 12, 66 + number / 12 % 8 * 2)
}

/// Zoom on a click, search by a pattern.
const SCRIPT: &str = r##"<script><![CDATA[
(function () {
  var svg = document.documentElement, view = svg.viewBox.baseVal, margin = 8;
  var total = Number(svg.dataset.total), unit = svg.dataset.unit ? " " + svg.dataset.unit : "";
  var boxes = Array.from(svg.querySelectorAll("g.f")), info = svg.querySelector("#info");
  var at = { start: 0, weight: total, depth: -1 };
  function number(g, key) { return Number(g.dataset[key]); }
  function show() {
    var scale = (view.width - 2 * margin) / Math.max(at.weight, 1);
    boxes.forEach(function (g) {
      var s = number(g, "s"), w = number(g, "w"), end = Math.min(s + w, at.start + at.weight);
      var from = Math.max(s, at.start), width = (end - from) * scale;
      if (width < 0.15) { g.style.display = "none"; return; }
      g.style.display = "";
      var x = margin + (from - at.start) * scale, rect = g.querySelector("rect"), text = g.querySelector("text");
      rect.setAttribute("x", x); rect.setAttribute("width", width); text.setAttribute("x", x + 2);
      var name = g.querySelector("title").textContent.replace(/ \([^()]*\)$/, "");
      var letters = Math.floor((width - 4) / 7.3);
      text.textContent = name.length <= letters ? name : letters < 3 ? "" : name.slice(0, letters - 1) + "\u2026";
      g.classList.toggle("dim", number(g, "d") < at.depth);
    });
  }
  function search(pattern) {
    var match = null;
    try { match = pattern ? new RegExp(pattern, "i") : null; } catch (e) { info.textContent = String(e); return; }
    var spans = [];
    boxes.forEach(function (g) {
      var hit = match !== null && match.test(g.querySelector("title").textContent);
      g.classList.toggle("hit", hit);
      if (hit) { spans.push([number(g, "s"), number(g, "s") + number(g, "w")]); }
    });
    spans.sort(function (a, b) { return a[0] - b[0]; });
    var sum = 0, reach = 0;
    spans.forEach(function (p) { sum += Math.max(0, p[1] - Math.max(p[0], reach)); reach = Math.max(reach, p[1]); });
    info.textContent = match === null ? svg.dataset.whole
      : sum + " of " + total + unit + " (" + (100 * sum / Math.max(total, 1)).toFixed(2) + "%) match " + pattern;
  }
  // The place that is zoomed to is in the address, so that it can be passed on and the browser goes back.
  function recall() {
    var place = (/^#zoom=(\d+),(\d+),(\d+)$/.exec(location.hash) || []).slice(1).map(Number);
    var fits = place.length === 3 && place[1] > 0 && place[0] + place[1] <= total;
    at = fits ? { start: place[0], weight: place[1], depth: place[2] } : { start: 0, weight: total, depth: -1 };
    show();
  }
  window.addEventListener("hashchange", recall);
  boxes.forEach(function (g) {
    g.addEventListener("click", function () {
      location.hash = "#zoom=" + [number(g, "s"), number(g, "w"), number(g, "d")].join(","); recall();
    });
    g.addEventListener("mouseover", function () { info.textContent = g.querySelector("title").textContent; });
  });
  svg.querySelector("#reset").addEventListener("click", function () {
    location.hash = ""; recall(); search("");
  });
  svg.querySelector("#search").addEventListener("click", function () { search(prompt("Regular expression:") || ""); });
  recall();
})();
]]></script>
"##;

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(stacks: &[(&[&str], u64)]) -> Folded {
        let mut folded = Folded::new();
        for (frames, weight) in stacks {
            folded.add(frames.iter().map(|&f| f.to_owned()).collect(), *weight);
        }
        folded
    }

    #[test]
    fn callers_are_as_wide_as_what_they_call() {
        let folded = folded(&[(&["main", "a", "x"], 3), (&["main", "a", "y"], 4), (&["main", "b"], 5)]);
        let (blocks, total) = blocks(folded.iter().map(|(stack, weight)| (stack, weight, 0)));
        let shown: Vec<_> =
            blocks.iter().map(|b| (b.depth, b.start, b.weight, b.frame.name.as_str())).collect();
        assert_eq!(total, 12);
        assert_eq!(
            shown,
            [(0, 0, 12, "main"), (1, 0, 7, "a"), (2, 0, 3, "x"), (2, 3, 4, "y"), (1, 7, 5, "b")]
        );
    }

    /// The picture is as high as the deepest box that is drawn.
    #[test]
    fn issue_21_stacks_too_narrow_to_see_take_no_room() {
        let height = |stacks: &[(&[&str], u64)]| {
            let svg = flame(&folded(stacks), &FlameOptions::default());
            let (_, rest) = svg.split_once("viewBox=\"0 0 1200 ").unwrap();
            rest.split_once('"').unwrap().0.parse::<u32>().unwrap()
        };
        let deep: Vec<&str> = std::iter::repeat_n("f", 50).collect();
        assert_eq!(height(&[(&["a", "b"], 100_000)]), HEAD + 2 * ROW + FOOT);
        assert_eq!(height(&[(&["a", "b"], 100_000), (&deep, 1)]), HEAD + 2 * ROW + FOOT);
        // 0.15 of 1,184 pixels is one in 7,893.
        assert_eq!(height(&[(&["a", "b"], 7_891), (&deep, 1)]), HEAD + 50 * ROW + FOOT);
        assert_eq!(height(&[]), HEAD + FOOT);
    }

    #[test]
    fn names_cannot_end_the_document() {
        let svg = flame(&folded(&[(&["<script>\"&\u{1}]]>"], 1)]), &FlameOptions::default());
        assert!(svg.contains("&lt;script&gt;&quot;&amp;\u{fffd}]]&gt;"));
        assert_eq!(svg.matches("<script>").count(), 1);
        assert!(svg.ends_with("</svg>\n"));
    }

    /// The value of an attribute.
    fn attribute<'t>(tag: &'t str, name: &str) -> &'t str {
        let (_, rest) = tag.split_once(&format!(" {name}=\"")).unwrap();
        rest.split('"').next().unwrap()
    }

    /// Every box of a picture, read back: its place, width, share and label are those of its frame, and all are inside.
    #[test]
    fn boxes_are_where_their_frames_are() {
        let stacks: &[(&[&str], u64)] = &[
            (&["main", "parse", "next_token"], 40),
            (&["main", "parse", "a_name_that_is_much_longer_than_its_box"], 9),
            (&["main", "x"], 1),
            (&["main", "emit", "write", "flush", "sync"], 450),
            (&["idle"], 100_000),
            (&["idle", "wait"], 399_500),
        ];
        let folded = folded(stacks);
        assert!(!folded.is_empty() && Folded::new().is_empty());
        for (width, unit) in [(1200, "ms"), (200, ""), (100, "")] {
            let options = FlameOptions { width, unit: unit.to_owned(), ..FlameOptions::default() };
            let svg = flame(&folded, &options);
            let (all, total) = blocks(folded.iter().map(|(stack, weight)| (stack, weight, 0)));
            assert_eq!(attribute(&svg, "data-total").parse(), Ok(total));
            let size: Vec<f64> =
                attribute(&svg, "viewBox").split(' ').map(|part| part.parse().unwrap()).collect();
            assert_eq!(size[2], f64::from(width.max(200)));
            let depth = all.iter().map(|block| block.depth).max().unwrap();
            assert_eq!(size[3], f64::from(HEAD + (depth as u32 + 1) * ROW + FOOT));
            let scale = (size[2] - 2.0 * MARGIN) / total as f64;
            let shown: Vec<_> = all.iter().filter(|block| block.weight as f64 * scale >= NARROWEST).collect();
            let boxes: Vec<&str> = svg.split("<g class=\"f\"").skip(1).collect();
            assert_eq!(boxes.len(), shown.len());
            assert!(shown.len() < all.len(), "one is too narrow");
            for (text, block) in boxes.iter().zip(shown) {
                let number = |name: &str| attribute(text, name).parse::<u64>().unwrap();
                assert_eq!((number("data-s"), number("data-w")), (block.start, block.weight));
                assert_eq!(number("data-d"), block.depth as u64);
                let share = block.weight as f64 * 100.0 / total as f64;
                let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
                let title =
                    format!("<title>{} ({}{unit}, {share:.2}%)</title>", block.frame.name, block.weight);
                assert!(text.contains(&title), "{text}");
                let (_, rect) = text.split_once("<rect").unwrap();
                let place = |name: &str| attribute(rect, name).parse::<f64>().unwrap();
                assert!((place("x") - MARGIN - block.start as f64 * scale).abs() < 0.01, "{text}");
                assert!((place("width") - block.weight as f64 * scale).abs() < 0.01, "{text}");
                assert!(place("x") >= MARGIN && place("x") + place("width") <= size[2] - MARGIN + 0.02);
                // The outermost frame is at the bottom.
                let from_floor = size[3] - f64::from(FOOT) - place("y");
                assert_eq!(from_floor, f64::from((block.depth as u32 + 1) * ROW));
                assert_eq!(place("height"), f64::from(ROW - 1));
                let label = text.rsplit_once("</text>").unwrap().0.rsplit('>').next().unwrap();
                let (letters, room) = (label.chars().count(), ((place("width") - 4.0) / 7.3) as usize);
                assert!(letters <= room, "{text}");
                let whole = block.frame.name.chars().count() <= room;
                assert_eq!(label == block.frame.name, whole, "{text}");
                assert_eq!(label.is_empty(), !whole && room < 3, "{text}");
                assert!(whole || letters == 0 || letters == room && label.ends_with('\u{2026}'), "{text}");
            }
        }
    }

    /// The shade follows from the published hash (FNV-1a) of the module, and functions of one module share it.
    #[test]
    fn issue_21_modules_have_shades_of_their_kind() {
        for (name, hash) in [("", 0x811c_9dc5_u32), ("a", 0xe40c_292c), ("foobar", 0xbf9c_f968)] {
            for (kind, hue, full) in [
                (Kind::Group, 205, 40),
                (Kind::Kernel, 10, 78),
                (Kind::Native, 40, 82),
                (Kind::Managed, 105, 45),
                (Kind::Unknown, 0, 0),
            ] {
                let want = format!("hsl({},{full}%,{}%)", hue + hash % 12, 66 + 2 * (hash / 12 % 8));
                assert_eq!(colour(&Frame::new(name, kind)), want);
                assert_eq!(colour(&Frame::new(format!("{name}`f+0x10"), kind)), want);
            }
        }
    }

    /// The names in a picture's legend, with their colours.
    fn legend(svg: &str) -> Vec<(&str, &str)> {
        svg.split("<rect class=\"key\"")
            .skip(1)
            .map(|key| {
                let (rect, text) = key.split_once("<text").unwrap();
                let text = text.split_once('>').unwrap().1.split_once("</text>").unwrap().0;
                (text, attribute(rect, "fill"))
            })
            .collect()
    }

    /// The hue and saturation of a colour.
    fn tone(colour: &str) -> (u32, &str) {
        let mut parts = colour.trim_start_matches("hsl(").split(',');
        (parts.next().unwrap().parse().unwrap(), parts.next().unwrap())
    }

    #[test]
    fn issue_21_a_legend_names_the_kinds_that_are_drawn() {
        let mut folded = Folded::new();
        folded.add(
            vec![
                Frame::new("a.exe", Kind::Group),
                Frame::new("a", Kind::Native),
                Frame::new("jit`Main", Kind::Managed),
                Frame::new("ntoskrnl`Wait", Kind::Kernel),
            ],
            7,
        );
        let svg = flame(&folded, &FlameOptions::default());
        let names: Vec<&str> = legend(&svg).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["group", "kernel", "native", ".NET"]);
        // Each box has the hue of its kind in the legend, give or take its shade.
        let boxes: Vec<(&str, &str)> = svg
            .split("<g class=\"f\"")
            .skip(1)
            .map(|text| {
                let (_, rest) = text.split_once("<title>").unwrap();
                (rest.split_once(' ').unwrap().0, attribute(rest.split_once("<rect").unwrap().1, "fill"))
            })
            .collect();
        for (kind, name) in
            [("group", "a.exe"), ("kernel", "ntoskrnl`Wait"), ("native", "a"), (".NET", "jit`Main")]
        {
            let key = legend(&svg).into_iter().find(|(known, _)| *known == kind).unwrap().1;
            let fill = boxes.iter().find(|(known, _)| *known == name).unwrap().1;
            let ((base, full), (hue, also)) = (tone(key), tone(fill));
            assert!(full == also && (base..base + 12).contains(&hue), "{name}: {fill}, not {key}");
        }
        let tones: std::collections::BTreeSet<_> = Kind::ALL.iter().map(|kind| shade(*kind, 0)).collect();
        assert_eq!(tones.len(), Kind::ALL.len());
        folded = Folded::new();
        folded.add(vec![Frame::new("x", Kind::Unknown)], 1);
        let svg = flame(&folded, &FlameOptions::default());
        assert_eq!(legend(&svg).into_iter().map(|(name, _)| name).collect::<Vec<_>>(), ["unknown"]);
    }

    /// The title is in the picture and is the document's, and the note follows the total.
    #[test]
    fn issue_21_a_picture_has_a_title_and_a_note() {
        let options = FlameOptions {
            title: "a & b".to_owned(),
            note: ", <9> left out".to_owned(),
            ..FlameOptions::default()
        };
        let one = folded(&[(&["main"], 4)]);
        for (svg, whole) in [(flame(&one, &options), 4), (flame_difference(&one, &one, &options), 8)] {
            assert_eq!(svg.matches(">a &amp; b</t").count(), 2, "{svg}");
            assert_eq!(svg.find("<title>a &amp; b</title>"), svg.find("<title>"));
            let note = format!("{whole} samples, &lt;9&gt; left out");
            assert_eq!(attribute(&svg, "data-whole"), note, "{svg}");
        }
        let svg = flame(&folded(&[(&["main"], 1_234_567)]), &options);
        assert!(svg.contains(">1,234,567 samples, &lt;9&gt; left out</text>"), "{svg}");
        // One that is too long for the picture is cut there.
        let options = FlameOptions { title: "x".repeat(500), ..FlameOptions::default() };
        let svg = flame(&one, &options);
        let shown = svg.split_once("font-size=\"15\">").unwrap().1.split_once("</text>").unwrap().0;
        assert!(shown.ends_with('\u{2026}') && shown.chars().count() < 120, "{shown}");
        assert!(svg.contains(&format!("<title>{}</title>", options.title)));
    }

    #[test]
    fn a_difference_has_both_sides_and_their_change() {
        let before = folded(&[(&["main", "old"], 10), (&["main", "same"], 20)]);
        let after = folded(&[(&["main", "new"], 5), (&["main", "same"], 20)]);
        let svg = flame_difference(&before, &after, &FlameOptions::default());
        let titles: Vec<&str> =
            svg.split("<title>").skip(2).map(|rest| rest.split("</title>").next().unwrap()).collect();
        assert_eq!(
            titles,
            [
                "main (30 to 25 samples, -16.7%)",
                "new (0 to 5 samples, new)",
                "old (10 to 0 samples, -100.0%)",
                "same (20 to 20 samples, +0.0%)"
            ]
        );
        assert_eq!(attribute(&svg, "data-total"), "55");
        assert_eq!((heat(0, 5).as_str(), heat(5, 5).as_str()), ("hsl(5,90%,62%)", "hsl(5,20%,90%)"));
        assert_eq!(heat(10, 0), "hsl(215,90%,62%)");
        let keys = [("more after", heat(0, 1)), ("the same", heat(1, 1)), ("less after", heat(1, 0))];
        assert_eq!(legend(&svg), keys.each_ref().map(|(name, colour)| (*name, colour.as_str())));
    }

    #[test]
    fn a_graph_of_nothing_is_a_document_too() {
        let svg = flame(&Folded::new(), &FlameOptions::default());
        assert!(svg.contains(">0 samples<") && svg.contains("</svg>"));
    }
}
