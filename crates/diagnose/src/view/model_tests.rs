//! The table over made facts: keys, and what is drawn after them.

use super::*;
use crate::pivot::Weight;

/// Facts of so many seconds from a time on, with samples or without.
struct Made {
    origin: i64,
    has_samples: bool,
    asked: Vec<Asked>,
}

const SECOND: i64 = 1_000_000_000;

impl Facts for Made {
    fn origin(&self) -> i64 {
        self.origin
    }

    fn length(&self) -> i64 {
        60 * SECOND
    }

    fn pivot(&mut self, asked: &Asked) -> Pivot {
        self.asked.push(asked.clone());
        let weight = if asked.weight == Weight::Count && !self.has_samples { 0 } else { 7 };
        let row = |name: &str| Row { name: name.to_owned(), weight, below: Vec::new() };
        // The heaviest is another one each time.
        let first = format!("at {}", self.origin);
        Pivot { total: weight, rows: vec![row(&first), row("b"), row("c")] }
    }

    fn strips(&self, _: usize, _: usize) -> Vec<Strip> {
        Vec::new()
    }

    fn stacks(&mut self, _: &Asked, _: &[String], _: usize) -> Vec<(u64, Vec<String>)> {
        Vec::new()
    }

    fn events(&mut self, _: &Asked, _: &[String], _: usize) -> Vec<String> {
        Vec::new()
    }
}

fn made(origin: i64, has_samples: bool) -> Made {
    Made { origin, has_samples, asked: Vec::new() }
}

fn selected(model: &Model<Made>) -> String {
    let rows = model.picture(9).rows;
    rows.iter().find(|row| row.is_selected).map_or(String::new(), |row| row.name.clone())
}

/// The chosen time stays the same time when the start is dropped, and ends when all of it is.
#[test]
fn issue_20_a_chosen_time_follows_the_start() {
    let mut model = Model::new(made(100 * SECOND, true));
    for key in [Key::Char('t'), Key::Right, Key::Right, Key::Char(' '), Key::Right, Key::Enter] {
        model.key(key, 9);
    }
    assert_eq!(model.time, Some((2 * SECOND, 4 * SECOND)));
    let model = model.put_aside().take_up(made(101 * SECOND, true));
    assert_eq!(model.time, Some((SECOND, 3 * SECOND)));
    let last = model.facts.asked.last().expect("it asked");
    assert_eq!((last.start, last.end), (SECOND, 3 * SECOND));
    let model = model.put_aside().take_up(made(105 * SECOND, true));
    assert_eq!(model.time, None);
    // Up to the end stays up to the end.
    let mut model = model.put_aside().take_up(made(105 * SECOND, true));
    for key in [Key::Char('t'), Key::End, Key::Enter] {
        model.key(key, 9);
    }
    let model = model.put_aside().take_up(made(107 * SECOND, true));
    assert_eq!(model.time, Some((57 * SECOND, i64::MAX)));
}

/// Facts whose rows have rows below them, and which note what they are asked for.
struct Tree(Vec<Asked>, Vec<Vec<String>>);

fn row(name: &str, weight: u64, below: Vec<Row>) -> Row {
    Row { name: name.to_owned(), weight, below }
}

impl Facts for Tree {
    fn origin(&self) -> i64 {
        0
    }

    fn length(&self) -> i64 {
        60 * SECOND
    }

    fn pivot(&mut self, asked: &Asked) -> Pivot {
        self.0.push(asked.clone());
        let long = row("long", 4, vec![row("fast", 3, vec![]), row("Core", 1, vec![])]);
        let first = row("shop", 6, vec![long, row("brief", 2, vec![])]);
        Pivot {
            total: 10,
            rows: vec![first, row("bank", 3, vec![row("core", 3, vec![])]), row("apps", 1, vec![])],
        }
    }

    fn strips(&self, most: usize, parts: usize) -> Vec<Strip> {
        vec![Strip { name: format!("{most} of {parts}"), busy: Vec::new() }]
    }

    fn stacks(&mut self, _: &Asked, path: &[String], most: usize) -> Vec<(u64, Vec<String>)> {
        self.1.push(path.to_vec());
        vec![(1200, vec!["inner".to_owned(), "outer".to_owned()]), (most as u64, vec!["other".to_owned()])]
    }

    fn events(&mut self, _: &Asked, path: &[String], most: usize) -> Vec<String> {
        self.1.push(path.to_vec());
        // Of the first row there are more than are listed.
        let count = if path == ["shop"] { most } else { 5 };
        (0..count).map(|number| format!("event {number}")).collect()
    }
}

/// What is drawn, one line each: the rows or the list, then the status.
fn drawn<F: Facts>(model: &Model<F>, height: usize) -> Vec<String> {
    let picture = model.picture(height);
    let of_row = |row: &PictureRow| {
        let sign = if row.is_selected { '>' } else { ' ' };
        format!("{sign}{}{}{} {} {}", "  ".repeat(row.depth), row.mark, row.name, row.weight, row.share)
    };
    let rows = picture.rows.iter().map(of_row);
    let (title, lines) =
        picture.list.map_or((Vec::new(), rows.collect()), |(title, lines)| (vec![title], lines));
    [title, lines, vec![picture.status]].concat()
}

const HELP: &str = "? lists the keys";

/// Keys by letters: arrows `^v<>`, `U` and `D` for pages, `1` and `9` for the ends, `.` Enter, `!` Escape, `~` Backspace.
fn press<F: Facts>(model: &mut Model<F>, keys: &str, height: usize) {
    for letter in keys.chars() {
        let key = match letter {
            '^' => Key::Up,
            'v' => Key::Down,
            '<' => Key::Left,
            '>' => Key::Right,
            'U' => Key::PageUp,
            'D' => Key::PageDown,
            '1' => Key::Home,
            '9' => Key::End,
            '.' => Key::Enter,
            '!' => Key::Escape,
            '~' => Key::Backspace,
            other => Key::Char(other),
        };
        model.key(key, height);
    }
}

#[test]
fn issue_23_keys_move_open_and_close_rows() {
    for (keys, expected) in [
        ("", [">+shop 6 60", " +bank 3 30", "  apps 1 10", HELP]),
        ("^", [">+shop 6 60", " +bank 3 30", "  apps 1 10", HELP]),
        ("v", [" +shop 6 60", ">+bank 3 30", "  apps 1 10", HELP]),
        ("vvvv", [" +shop 6 60", " +bank 3 30", "> apps 1 10", HELP]),
        ("vvv^", [" +shop 6 60", ">+bank 3 30", "  apps 1 10", HELP]),
        (">", [">-shop 6 60", "   +long 4 40", "    brief 2 20", HELP]),
        (".v.", [" -shop 6 60", ">  -long 4 40", "      fast 3 30", HELP]),
        (">v>v", [" -shop 6 60", "   -long 4 40", ">     fast 3 30", HELP]),
        (">v>vv", ["   -long 4 40", "      fast 3 30", ">     Core 1 10", HELP]),
        (">v>vvv^", ["      fast 3 30", ">     Core 1 10", "    brief 2 20", HELP]),
        (">v>vvvUU", [">-shop 6 60", "   -long 4 40", "      fast 3 30", HELP]),
        (">v>D", ["      fast 3 30", "      Core 1 10", ">   brief 2 20", HELP]),
        (">v>9", ["    brief 2 20", " +bank 3 30", "> apps 1 10", HELP]),
        (">v>91", [">-shop 6 60", "   -long 4 40", "      fast 3 30", HELP]),
        // To the left is the row above, or the row closes.
        (">v>v<", [" -shop 6 60", ">  -long 4 40", "      fast 3 30", HELP]),
        (">v>v<<", [" -shop 6 60", ">  +long 4 40", "    brief 2 20", HELP]),
        (">v<<", [">+shop 6 60", " +bank 3 30", "  apps 1 10", HELP]),
        ("vv<", [" +shop 6 60", " +bank 3 30", "> apps 1 10", HELP]),
        // By name, and by weight again.
        ("s", ["> apps 1 10", " +bank 3 30", " +shop 6 60", HELP]),
        ("ss", [">+shop 6 60", " +bank 3 30", "  apps 1 10", HELP]),
        // Another grouping has other rows.
        (">gG", [">+shop 6 60", " +bank 3 30", "  apps 1 10", HELP]),
    ] {
        let mut model = Model::new(Tree(Vec::new(), Vec::new()));
        press(&mut model, keys, 3);
        assert_eq!(drawn(&model, 3), expected, "{keys}");
    }
}

#[test]
fn issue_23_a_text_chooses_rows_and_those_above_them() {
    for (keys, expected) in [
        ("/", &[">+shop 6 60", " +bank 3 30", "  apps 1 10", "/"][..]),
        ("/core", &[">+shop 6 60", " +bank 3 30", "/core"]),
        ("/coreX", &["/coreX"]),
        ("/coreX~", &[">+shop 6 60", " +bank 3 30", "/core"]),
        ("/core.", &[">+shop 6 60", " +bank 3 30", "rows with 'core' (Escape shows all)"]),
        (
            "/core.>v>v",
            &[" -shop 6 60", "   -long 4 40", ">     Core 1 10", "rows with 'core' (Escape shows all)"],
        ),
        ("/core.!", &[">+shop 6 60", " +bank 3 30", "  apps 1 10", HELP]),
        ("/core!", &[">+shop 6 60", " +bank 3 30", "  apps 1 10", HELP]),
        ("/core./a.", &[">+shop 6 60", " +bank 3 30", "  apps 1 10", "rows with 'a' (Escape shows all)"]),
        ("vv/BANK", &[">+bank 3 30", "/BANK"]),
    ] {
        let mut model = Model::new(Tree(Vec::new(), Vec::new()));
        press(&mut model, keys, 3);
        assert_eq!(drawn(&model, 3), expected, "{keys}");
    }
}

#[test]
fn issue_23_lists_scroll_within_their_lines() {
    let (last, more) = ("5 of 5 lines; Escape goes back", "3 of 5 lines; Escape goes back");
    let four = "4 of 5 lines; Escape goes back";
    for (keys, title, first, status) in [
        ("ve", "5 events of bank", "event 0", more),
        ("vev", "5 events of bank", "event 1", four),
        ("vevvvv", "5 events of bank", "event 2", last),
        ("vevvv^", "5 events of bank", "event 1", four),
        ("veD", "5 events of bank", "event 2", last),
        ("veDU", "5 events of bank", "event 0", more),
        ("ve9", "5 events of bank", "event 2", last),
        ("ve91", "5 events of bank", "event 0", more),
        ("e", "the first 500 events of shop", "event 0", "3 of 500 lines; Escape goes back"),
        ("vk", "stacks of bank", "1,200 samples", more),
        ("vkv", "stacks of bank", "    inner", four),
        ("vk9", "stacks of bank", "    outer", last),
        (">vk", "stacks of shop, long", "1,200 samples", more),
        ("wk", "stacks of shop", "1,200 ns", more),
        ("?", "Keys", "up, down, page up, page down, home, end  move", "3 of 12 lines; Escape goes back"),
    ] {
        let mut model = Model::new(Tree(Vec::new(), Vec::new()));
        press(&mut model, keys, 3);
        let lines = drawn(&model, 3);
        let shown = (lines[0].as_str(), lines[1].as_str(), lines[4].as_str());
        assert_eq!(shown, (title, first, status), "{keys}");
        for back in ["!", "<", "q"] {
            let mut model = Model::new(Tree(Vec::new(), Vec::new()));
            press(&mut model, &format!("{keys}{back}"), 3);
            assert!(model.picture(3).list.is_none() && !model.is_over(), "{keys}{back}");
        }
    }
    let mut model = Model::new(Tree(Vec::new(), Vec::new()));
    press(&mut model, ">ve!k!", 3);
    assert_eq!(model.facts.1, [["shop", "long"], ["shop", "long"]]);
    press(&mut model, "q", 3);
    assert!(model.is_over());
}

#[test]
fn issue_23_a_part_of_the_time_is_chosen_by_both_ends() {
    let all = (i64::MIN, i64::MAX);
    let seconds = |from: i64, to: i64| (from * SECOND, to * SECOND);
    for (keys, chosen, time, status) in [
        ("", (0, 59), all, HELP),
        ("t", (0, 0), all, "0.000 to 1.000 s: left, right, space for the other end, Enter"),
        ("t>>", (2, 2), all, "2.000 to 3.000 s: left, right, space for the other end, Enter"),
        ("t>><", (1, 1), all, "1.000 to 2.000 s: left, right, space for the other end, Enter"),
        ("t<", (0, 0), all, "0.000 to 1.000 s: left, right, space for the other end, Enter"),
        ("t9>", (59, 59), all, "59.000 to 60.000 s: left, right, space for the other end, Enter"),
        ("t91", (0, 0), all, "0.000 to 1.000 s: left, right, space for the other end, Enter"),
        ("t>> >", (2, 3), all, "2.000 to 4.000 s: left, right, space for the other end, Enter"),
        ("t>> <<", (0, 2), all, "0.000 to 3.000 s: left, right, space for the other end, Enter"),
        ("t>>.", (2, 2), seconds(2, 3), HELP),
        ("t>> >.", (2, 3), seconds(2, 4), HELP),
        ("t>> <<.", (0, 2), seconds(0, 3), HELP),
        ("t>>!", (0, 59), all, HELP),
        ("t>>q", (0, 59), all, HELP),
        ("t9<< >>.", (57, 59), (57 * SECOND, i64::MAX), HELP),
        ("t>> >.a", (0, 59), all, HELP),
        // What was chosen before is where it begins.
        ("t>> >.t", (2, 3), seconds(2, 4), "2.000 to 4.000 s: left, right, space for the other end, Enter"),
        ("t>> >.t>.", (2, 4), seconds(2, 5), HELP),
    ] {
        let mut model = Model::new(Tree(Vec::new(), Vec::new()));
        press(&mut model, keys, 3);
        let picture = model.picture(3);
        let asked = model.facts.0.last().expect("it asked");
        let shown = (picture.chosen, (asked.start, asked.end), picture.status.as_str());
        assert_eq!(shown, (chosen, time, status), "{keys}");
    }
}

#[test]
fn issue_23_the_title_says_what_is_shown() {
    for (keys, title, grouping, weight, inclusive) in [
        ("", "count by process, thread, function  all 60.000 s  10 samples", 0, 0, false),
        ("g", "count by process, module, function  all 60.000 s  10 samples", 1, 0, false),
        ("G", "count by event, process  all 60.000 s  10 samples", 5, 0, false),
        ("gggggg", "count by process, thread, function  all 60.000 s  10 samples", 0, 0, false),
        ("i", "count by process, thread, function, inclusive  all 60.000 s  10 samples", 0, 0, true),
        ("ii", "count by process, thread, function  all 60.000 s  10 samples", 0, 0, false),
        ("t>> >.", "count by process, thread, function  2.000 to 4.000 s  10 samples", 0, 0, false),
        ("t9.", "count by process, thread, function  59.000 to 60.000 s  10 samples", 0, 0, false),
        ("wwwww", "count by process, thread, function  all 60.000 s  10 samples", 0, 0, false),
    ] {
        let mut model = Model::new(Tree(Vec::new(), Vec::new()));
        press(&mut model, keys, 3);
        let picture = model.picture(3);
        assert_eq!(picture.title, title, "{keys}");
        assert_eq!((picture.unit, picture.strips[0].name.as_str()), ("samples", "5 of 60"));
        let asked = model.facts.0.last().expect("it asked");
        assert_eq!((asked.by, asked.weight), (GROUPINGS[grouping].1, WEIGHTS[weight].1), "{keys}");
        assert_eq!(asked.inclusive, inclusive, "{keys}");
    }
    // Another question begins at the first row, and only a grouping closes the rows.
    for (keys, selected, is_open) in
        [(">vw", "shop", true), (">vi", "shop", true), (">vg", "shop", false), (">v", "long", true)]
    {
        let mut model = Model::new(Tree(Vec::new(), Vec::new()));
        press(&mut model, keys, 9);
        let picture = model.picture(9);
        let at = picture.rows.iter().find(|row| row.is_selected).expect("a row is selected");
        assert_eq!((at.name.as_str(), picture.rows[0].mark == '-'), (selected, is_open), "{keys}");
    }
}

/// Samples are shown as soon as there are some, unless a key has chosen; the first row stays the first.
#[test]
fn issue_20_a_table_follows_what_comes() {
    let weight = |model: &Model<Made>| WEIGHTS[model.weight].1;
    let mut model = Model::new(made(1, false));
    assert_eq!(weight(&model), Weight::Events);
    let next = model.put_aside().take_up(made(2, true));
    assert_eq!((weight(&next), selected(&next).as_str()), (Weight::Count, "at 2"));
    model = next.put_aside().take_up(made(3, false));
    assert_eq!(weight(&model), Weight::Events);
    (0..WEIGHTS.len()).for_each(|_| model.key(Key::Char('w'), 9));
    model.key(Key::Down, 9);
    let model = model.put_aside().take_up(made(4, true));
    assert_eq!((weight(&model), selected(&model).as_str()), (Weight::Events, "b"));
}
