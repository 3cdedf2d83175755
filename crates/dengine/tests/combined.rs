//! Aggregations of several runs are those of one run over all events, in whatever order and groups they are combined.
#![allow(missing_docs)]

mod support;

use std::collections::BTreeMap;

use serde_json::Value as Json;
use support::{TestHost, TestNames, TestOutput, few, options};
use tracewell_dengine::Engine;
use tracewell_dengine::combine::aggregations::Aggregations;
use tracewell_dengine::combine::clauses::{lost, once};
use tracewell_dengine::host::{Names, ProbeNames, SourceFrame, Symbol};
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::compile::{CompileOptions, Compiler, ProgramText};
use tracewell_dlang::program::{ProbeId, Program};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n
    }
}

/// The names of a run whose modules all lie this much higher than in another.
struct Shifted(u64);

impl Names for Shifted {
    fn probe(&self, id: ProbeId) -> ProbeNames<'_> {
        TestNames.probe(id)
    }

    fn symbol(&self, pid: Option<u64>, address: u64) -> Option<Symbol<'_>> {
        TestNames.symbol(pid, address.checked_sub(self.0)?)
    }

    fn source(&self, _: Option<u64>, address: u64, called: bool) -> Vec<SourceFrame<'_>> {
        let Some(line) = address.checked_sub(self.0).map(|line| line as u32) else { return Vec::new() };
        let frame = |inlined| SourceFrame {
            function: "f".into(),
            inlined,
            line: called.then_some(("a.c".into(), line)),
        };
        vec![frame(true), frame(false)]
    }
}

fn compile(source: &str) -> Program {
    let mut catalog = few();
    let mut compiler = Compiler::new(&mut catalog, CompileOptions::default());
    compiler
        .compile(&[ProgramText::script("test.d", source)])
        .unwrap_or_else(|e| panic!("{}\n{source}", e.classic(compiler.sources(), true)))
}

/// An event: two numbers, and where it happened.
type Event = (u64, u64, u64);

fn events(random: &mut Random, count: u64) -> Vec<Event> {
    let value = |random: &mut Random| match random.below(8) {
        0 => random.next(),
        1 => 0,
        2 => (random.below(100)).wrapping_neg(),
        _ => random.below(5000),
    };
    (0..count)
        .map(|_| {
            (random.below(7), value(random), [0x1000, 0x1020, 0x2040, 0x2041, 0x30][random.below(5) as usize])
        })
        .collect()
}

/// Runs a program whose clauses on BEGIN have the events, in a process whose modules lie `shift` higher.
fn run(program: &Program, list: &[(&str, &str)], events: &[Event], shift: u64) -> (Aggregations, TestOutput) {
    let mut engine = Engine::new(program.clone(), options(list)).unwrap();
    engine.keep_aggregations();
    let mut host = TestHost::default();
    host.set(BuiltinVar::Pid, 70 + shift);
    for &(key, value, address) in events {
        // What has no name lies at one address everywhere.
        let place = |address: u64| if address < 0x1000 { address } else { address + shift };
        (host.args[0], host.args[1], host.args[2]) = (key, value, place(address));
        host.user_stack = vec![place(address), place(0x1010), place(0x2222)];
        engine.fire(ProbeId::BEGIN, 0, &mut host);
    }
    let (names, mut out) = (Shifted(shift), TestOutput::default());
    engine.drain(&names, &mut out);
    engine.fire(ProbeId::END, 0, &mut host);
    assert!(!engine.drains_now(), "END waits until the aggregations are kept");
    engine.finish(&names, &mut out);
    assert_eq!(out.errors, [""; 0]);
    (engine.take_kept().unwrap(), out)
}

/// All rows, with what lies at their places in place of numbers.
fn rows(all: &Aggregations) -> BTreeMap<String, String> {
    let text = String::from_utf8(all.to_file().unwrap()).unwrap();
    let (mut places, mut name, mut rows) = (Vec::new(), String::new(), BTreeMap::new());
    for line in text.lines() {
        let mut line: Json = serde_json::from_str(line).unwrap();
        if let Some(number) = line.get("place") {
            assert_eq!(number.as_u64(), Some(places.len() as u64));
            line.as_object_mut().unwrap().remove("place");
            places.push(line);
        } else if line.get("aggregation").is_some() {
            name = line.to_string();
        } else if let Some(key) = line.get_mut("key") {
            let types: Json = serde_json::from_str(&name).unwrap();
            for (key, of) in key.as_array_mut().unwrap().iter_mut().zip(types["keys"].as_array().unwrap()) {
                let place = |number: &Json| places[number.as_u64().unwrap() as usize].clone();
                match of["type"].as_str().unwrap() {
                    "symbol" => *key = place(key),
                    "stack" => *key = key.as_array().unwrap().iter().map(place).collect(),
                    _ => {}
                }
            }
            let before = rows.insert(format!("{name} {}", line["key"]), line["value"].to_string());
            assert_eq!(before, None, "a key has one row");
        }
    }
    rows
}

/// All functions, with all types of keys.
const ALL: &str = "BEGIN {
    @c = count();
    @s[arg0] = sum(arg1);
    @lo[(char)arg0, (short)arg1] = min((int64_t)arg1);
    @hi[arg0 == 3 ? \"three\" : \"other\"] = max((int64_t)arg1);
    @a[usym(arg2)] = avg(arg1);
    @d[umod(arg2), uaddr(arg2)] = stddev((int)arg1);
    @q[ustack()] = quantize(arg1);
    @l[arg0] = lquantize((int)arg1, -50, 1000, 100);
    @ll[arg0, ustack(2)] = llquantize(arg1, 10, 0, 6, 20);
    @n[arg0] = quantize(arg1, -2);
}";

#[test]
fn issue_22_parts_combine_to_the_whole() {
    let program = compile(ALL);
    for (seed, count) in [(5, 0), (6, 1), (7, 40), (8, 3000)] {
        let all = events(&mut Random(seed), count);
        let (whole, _) = run(&program, &[], &all, 0);
        assert_eq!(whole.runs(), 1);
        for parts in [1, 2, 3, 7] {
            let mut total = Aggregations::default();
            for (n, part) in all.chunks((all.len() / parts).max(1)).enumerate() {
                let (one, _) = run(&program, &[], part, n as u64 * 0x10_0000);
                total.combine(&one).unwrap();
            }
            let expected = if count == 0 { BTreeMap::new() } else { rows(&whole) };
            assert_eq!(rows(&total), expected, "{count} events in {parts} parts");
        }
    }
}

#[test]
fn issue_22_combining_has_neither_order_nor_groups() {
    let program = compile(ALL);
    let mut random = Random(99);
    for _ in 0..20 {
        let runs: Vec<Aggregations> = (0..3)
            .map(|_| {
                let (count, shift) = (random.below(60), random.below(4) * 0x1_0000);
                let events = events(&mut random, count);
                run(&program, &[], &events, shift).0
            })
            .collect();
        let combined = |order: &[&Aggregations]| {
            let mut total = Aggregations::default();
            order.iter().for_each(|one| total.combine(one).unwrap());
            total
        };
        let [a, b, c] = [&runs[0], &runs[1], &runs[2]];
        let expected = rows(&combined(&[a, b, c]));
        assert_eq!(rows(&combined(&[c, a, b])), expected);
        assert_eq!(rows(&combined(&[b, a, c])), expected);
        assert_eq!(rows(&combined(&[a, &combined(&[b, c])])), expected);
        assert_eq!(rows(&combined(&[&combined(&[a, b]), c])), expected);
        let apart = [&combined(&[a]), &combined(&[]), &combined(&[b, c])];
        assert_eq!(combined(&apart).runs(), 3);
        assert_eq!(rows(&combined(&apart)), expected);
    }
}

#[test]
fn issue_22_files_have_all_of_the_aggregations() {
    let program = compile(ALL);
    let (whole, _) = run(&program, &[], &events(&mut Random(3), 500), 0x5000);
    let (lines, _) =
        run(&program, &[("stacklines", "on"), ("stackinlines", "on")], &events(&mut Random(4), 20), 0x7000);
    assert!(String::from_utf8(lines.to_file().unwrap()).unwrap().contains("\"file\":\"a.c\",\"line\":4112}"));
    for all in [whole, lines, Aggregations::default()] {
        let bytes = all.to_file().unwrap();
        let read = Aggregations::from_file(&bytes).unwrap();
        assert_eq!(read.to_file().unwrap(), bytes);
        assert_eq!((read.runs(), read.left_out(), read.len()), (all.runs(), 0, all.len()));
        for end in (0..bytes.len()).rev().take(3000).chain(0..200.min(bytes.len())) {
            let error = Aggregations::from_file(&bytes[..end]).unwrap_err();
            assert!(error.offset <= end && error.line >= 1, "{error}");
        }
    }
}

const STRING: &str = "{\"aggregation\":\"a\",\"function\":\"count\",\"keys\":[{\"type\":\"string\"}]}";

fn file(lines: &[&str]) -> Vec<u8> {
    let head = "{\"format\":\"tracewell-aggregations\",\"version\":1,\"runs\":1,\"left_out\":0}";
    std::iter::once(head)
        .chain(lines.iter().copied())
        .map(|line| format!("{line}\n"))
        .collect::<String>()
        .into()
}

#[test]
fn issue_22_errors_of_files_have_their_place() {
    let integer = "{\"aggregation\":\"i\",\"function\":\"min\",\"keys\":[{\"type\":\"integer\",\"bytes\":1,\"signed\":true}]}";
    let histogram = "{\"aggregation\":\"h\",\"function\":\"lquantize\",\"parameters\":[0,20,10],\"keys\":[]}";
    let stack = "{\"aggregation\":\"s\",\"function\":\"sum\",\"keys\":[{\"type\":\"stack\",\"of\":\"user\",\"frames\":0}]}";
    let bytes = "{\"aggregation\":\"b\",\"function\":\"sum\",\"keys\":[{\"type\":\"bytes\",\"bytes\":2}]}";
    let place = "{\"place\":0,\"address\":7}";
    for (lines, expected) in [
        (&["[]"][..], "the line is not a JSON object"),
        (&["{\"x\":1}"], "the line has none of"),
        (&["{\"key\":[],\"value\":1}"], "a row comes before its aggregation"),
        (&[STRING, STRING], "@a is there twice"),
        (&[STRING, "{\"key\":[],\"value\":1}"], "the row has 0 keys in place of 1"),
        (&[STRING, "{\"key\":[1],\"value\":1}"], "a key is not a string"),
        (&[STRING, "{\"key\":[\"a\\u0000b\"],\"value\":1}"], "a key is not a string"),
        (&[STRING, "{\"key\":[{\"hex\":\"41\"}],\"value\":1}"], "a key is not a string of bytes"),
        (&[STRING, "{\"key\":[\"a\"],\"value\":1.5}"], "the value is not one of the function"),
        (&[STRING, "{\"key\":[\"a\"],\"value\":1,\"more\":2}"], "\"more\" is unknown here"),
        (
            &[STRING, "{\"key\":[\"a\"],\"value\":1}", "{\"key\":[\"a\"],\"value\":1}"],
            "the key has a row already",
        ),
        (&[integer, "{\"key\":[128],\"value\":1}"], "a key is not an integer of its type"),
        (&[integer, "{\"key\":[1],\"value\":[1,2]}"], "the value is not one of the function"),
        (&[histogram, "{\"key\":[],\"value\":[[5,1]]}"], "no bucket begins at the bound of one"),
        (&[histogram, "{\"key\":[],\"value\":[[10,1],[10,1]]}"], "a bucket is there twice"),
        (&[histogram, "{\"key\":[],\"value\":[[10,0]]}"], "the count of a bucket is not"),
        (&[stack, "{\"key\":[[0]],\"value\":1}"], "place 0 is not there"),
        (&["{\"place\":1,\"address\":7}"], "place 1 is not the next"),
        (&[place, "{\"place\":1,\"address\":7}"], "place 1 is the same as one before"),
        (
            &[bytes, "{\"key\":[\"4142\"],\"value\":1}", "{\"key\":[\"41\"],\"value\":1}"],
            "a key does not have 2 bytes",
        ),
        (
            &["{\"aggregation\":\"x\",\"function\":\"median\",\"keys\":[]}"],
            "median() with 0 parameters is unknown",
        ),
        (
            &[
                "{\"aggregation\":\"x\",\"function\":\"lquantize\",\"parameters\":[0,2000000000,1],\"keys\":[]}",
            ],
            "the histogram has too many buckets",
        ),
        (
            &["{\"end\":true,\"aggregations\":0,\"places\":0,\"rows\":1}"],
            "the file has 0 rows, and its last line counts 1",
        ),
        (
            &["{\"end\":true,\"aggregations\":0,\"places\":0,\"rows\":0}", place],
            "a line follows the last line",
        ),
        (&[STRING, "{\"key\":[\"a\"] \"value\":1}"], "invalid JSON"),
    ] {
        let bytes = file(lines);
        let error = Aggregations::from_file(&bytes).unwrap_err();
        assert!(error.what.starts_with(expected), "{error} in place of {expected}");
        assert_eq!(error.line, lines.len() + 1, "{error}");
        let (last, start) = (lines[lines.len() - 1], file(&lines[..lines.len() - 1]).len());
        assert!((start..=start + last.len()).contains(&error.offset), "{error}");
    }
    for (text, expected) in [
        ("", "not a file of aggregations"),
        ("hello\n", "not a file of aggregations"),
        (
            "{\"format\":\"tracewell-aggregations\",\"version\":2,\"later\":1}\n",
            "version 2 of the format is unknown",
        ),
    ] {
        let error = Aggregations::from_file(text.as_bytes()).unwrap_err();
        assert!(error.what.starts_with(expected), "{error}");
        assert_eq!(error.line, 1);
    }
    let cut = Aggregations::from_file(&file(&[STRING])).unwrap_err();
    assert_eq!((cut.line, &*cut.what), (3, "the last line is missing: the file was cut"));
}

#[test]
fn issue_22_only_aggregations_of_one_kind_are_combined() {
    let read = |line: &str, row: &str| {
        let last = format!(
            "{{\"end\":true,\"aggregations\":1,\"places\":0,\"rows\":{}}}",
            u8::from(!row.is_empty())
        );
        let lines: Vec<&str> = [line, row, &last].into_iter().filter(|line| !line.is_empty()).collect();
        Aggregations::from_file(&file(&lines)).unwrap()
    };
    let integer = |bytes: u8, signed: bool| {
        format!(
            "{{\"aggregation\":\"a\",\"function\":\"count\",\"keys\":[{{\"type\":\"integer\",\"bytes\":{bytes},\"signed\":{signed}}}]}}"
        )
    };
    let mut total = read(STRING, "{\"key\":[\"a\"],\"value\":1}");
    let before = total.to_file().unwrap();
    let sum = STRING.replace("count", "sum");
    for (other, kind) in [(sum, "sum(string)"), (integer(4, true), "count(int32)")] {
        let error = total.combine(&read(&other, "")).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("@a is {kind}, and count(string) in the files before: it cannot be combined with them")
        );
        assert_eq!(total.to_file().unwrap(), before, "nothing is combined");
    }
    // An integer may be wider in one trace than in another.
    let mut total = read(&integer(2, false), "{\"key\":[65535],\"value\":1}");
    total.combine(&read(&integer(4, false), "{\"key\":[65535],\"value\":2}")).unwrap();
    total.combine(&read(&integer(4, true), "{\"key\":[-1],\"value\":4}")).unwrap();
    let text = String::from_utf8(total.to_file().unwrap()).unwrap();
    assert!(text.contains("\"bytes\":8,\"signed\":true"), "{text}");
    assert!(text.contains("{\"key\":[65535],\"value\":3}\n{\"key\":[-1],\"value\":4}\n"), "{text}");
}

fn shown(total: Aggregations, program: &Program, list: &[(&str, &str)]) -> (String, Option<i32>) {
    let mut out = TestOutput::default();
    let status = total.show(once(program), options(list), &mut out).unwrap();
    assert_eq!(out.errors, [""; 0]);
    (out.text(), status)
}

/// What is printed of combined aggregations is what one run over all events prints.
#[test]
fn issue_22_combined_aggregations_are_shown_as_those_of_one_run() {
    let source = "BEGIN {
        @c[arg0] = count();
        @s[usym(arg2), umod(arg2)] = sum(arg0);
        @q[ustack()] = quantize(arg0);
        @t[arg0] = sum(arg0 * arg0 * 100);
        @z[arg0] = sum(arg0 * arg0);
    }
    END { printf(\"first %d\\n\", 6); trunc(@t, 2); printa(\"%d %@d\\n\", @t); normalize(@z, 10); printa(@c, @z); exit(3); }";
    let program = compile(source);
    let all = events(&mut Random(11), 400);
    for list in [
        &[("quiet", "on")][..],
        &[],
        &[("quiet", "on"), ("aggsortrev", "on"), ("stacklines", "on"), ("stackinlines", "on")],
    ] {
        let (_, whole) = run(&program, list, &all, 0);
        let mut total = Aggregations::default();
        for (n, part) in all.chunks(90).enumerate() {
            total.combine(&run(&program, list, part, n as u64 * 0x10_0000).0).unwrap();
        }
        let (text, status) = shown(total, &program, list);
        // The clauses that feed the aggregations are not repeated, so that only their empty records are missing.
        let whole: String = whole
            .text()
            .lines()
            .filter(|line| !line.ends_with(":BEGIN "))
            .map(|line| format!("{line}\n"))
            .collect();
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&text), sorted(&whole), "{list:?}");
        assert_eq!(status, Some(3));
        assert!(text.contains("first 6"), "{text}");
    }
}

#[test]
fn issue_22_what_single_runs_print_is_lost_and_reported() {
    let source = "BEGIN { n = 0; }
    BEGIN { printf(\"heading\\n\"); }
    BEGIN { @a[arg0] = count(); n++; trace(arg1); }
    BEGIN { @a[arg0] = count(); clear(@a); }
    END { printf(\"%d\", n); }
    END { printf(\"end\\n\"); @a[100] = count(); }
    END { @total = sum(n); }";
    let program = compile(source);
    let (one, _) = run(&program, &[("quiet", "on")], &[(1, 2, 3)], 0);
    let mut total = one.clone();
    total.combine(&one).unwrap();
    let (text, status) = shown(total, &program, &[("quiet", "on")]);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    // What END feeds is of each run, and not fed once more.
    assert_eq!(lines[..2], ["heading", "end"], "{text}");
    assert!(lines.contains(&"2"), "{text}");
    assert_eq!(status, None);
    let kinds = |quiet| {
        lost(&program, quiet)
            .into_iter()
            .map(|lost| (lost.line, lost.prints, lost.changes))
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(true), [(3, true, false), (4, false, true), (5, true, false)]);
    assert_eq!(kinds(false), kinds(true), "no clause has the default action");
    // Variables that no event has changed are the same in every run.
    let source = "BEGIN { top = 1; n = 1; m = top; } BEGIN { @a[arg0] = count(); n = arg1; }
    END { trunc(@a, top); printf(\"%d\\n\", m + 5); } END /n/ { printf(\"no\\n\"); } END { k = n; } END /k/ { printf(\"no\\n\"); }";
    let program = compile(source);
    let (mut total, _) = run(&program, &[("quiet", "on")], &[(1, 2, 3), (2, 2, 3), (2, 2, 3)], 0);
    total.combine(&total.clone()).unwrap();
    let (text, _) = shown(total, &program, &[("quiet", "on")]);
    assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["6", "2", "4"]);
    let lines: Vec<_> = lost(&program, true).into_iter().map(|lost| (lost.line, lost.is_end)).collect();
    assert_eq!(lines, [(2, true), (2, true)]);
    let plain = compile("BEGIN /arg0/");
    assert_eq!(
        (lost(&plain, false).len(), lost(&plain, true).len()),
        (1, 0),
        "one without braces prints a record"
    );
}

#[test]
fn issue_22_addresses_without_names_are_counted() {
    let program = compile("BEGIN { @a[usym(arg2)] = count(); @b[arg0] = count(); @c[ustack()] = count(); }");
    let (all, _) = run(&program, &[], &[(0, 0, 0x30), (0, 0, 0x31), (1, 0, 0x1000)], 0);
    assert_eq!(all.nameless(), [("a", 2), ("c", 2)]);
}
