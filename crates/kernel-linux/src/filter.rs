//! Tests of the fields of tracepoints as filters of the kernel (Documentation/trace/events.rst, "Event filtering"), which performance
//! events take.
//!
//! A filter compares a field as the number that it is: so only numbers that its type has, and relations with the same sign. A test that
//! cannot be said so is left out, and events pass that a reader leaves out.

use std::ffi::CString;

use tracewell_types::call::{CallTest, NeededTrace, Relation, Subject};

use crate::limits::{Limits, MOST};
use crate::provider::PROVIDER;
use crate::tracepoint::Tracepoint;

/// Longest text of a filter: the kernel takes less than a page.
const LONGEST: usize = 4000;
/// What a reader has for a thread that is no longer there: its number is not that which a filter sees.
const GONE: u64 = u32::MAX as u64;

/// Which events of a tracepoint a processor logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Filter {
    All,
    Nothing,
    Where(CString),
}

/// A list of tests, as far as it is the same on each processor.
#[derive(Debug, PartialEq, Eq)]
struct Needed {
    /// Tests of the processor.
    processor: Vec<CallTest>,
    /// The others, joined.
    text: String,
}

/// The filters of a tracepoint.
#[derive(Debug)]
pub(crate) struct Filters(Vec<Needed>);

impl Filters {
    /// Makes the filters of a tracepoint. The numbers of threads are compared if they are the same for the kernel as for a reader.
    pub(crate) fn new(point: &Tracepoint, limits: &Limits, has_initial_ids: bool) -> Filters {
        let is_of = |trace: &&NeededTrace| trace.provider == PROVIDER && trace.id == point.id();
        let mut all: Vec<Needed> = Vec::new();
        for trace in limits.traces.iter().filter(is_of) {
            let (processor, others): (Vec<CallTest>, Vec<CallTest>) =
                trace.tests.iter().partition(|test| test.subject == Subject::Processor);
            let texts = others.iter().filter_map(|test| match test.subject {
                Subject::Thread if has_initial_ids && !test.passes(GONE) => {
                    comparison("common_pid", (0, i32::MAX.into()), test)
                }
                Subject::Field(number) => {
                    let name = limits.fields.get(usize::from(number))?;
                    comparison(name, point.range(name)?, test)
                }
                _ => None,
            });
            let text = texts.collect::<Vec<_>>().join(" && ");
            let needed = Needed { processor, text };
            if !all.contains(&needed) {
                all.push(needed);
            }
        }
        Filters(all)
    }

    /// The filter for a processor.
    pub(crate) fn on(&self, cpu: u16) -> Filter {
        let Filters(all) = self;
        if all.is_empty() || all.len() > MOST {
            return Filter::All;
        }
        let on_it = all.iter().filter(|needed| needed.processor.iter().all(|test| test.passes(cpu.into())));
        let mut texts: Vec<&str> = on_it.map(|needed| needed.text.as_str()).collect();
        texts.dedup();
        let whole = match texts.as_slice() {
            [] => return Filter::Nothing,
            [one] => (*one).to_owned(),
            some => some.iter().map(|text| format!("({text})")).collect::<Vec<_>>().join(" || "),
        };
        let is_whole = texts.iter().any(|text| text.is_empty()) || whole.len() > LONGEST;
        CString::new(whole).ok().filter(|_| !is_whole).map_or(Filter::All, Filter::Where)
    }
}

/// The text of a test of a field with values in a range; nothing if the filter would compare other numbers.
fn comparison(name: &str, (least, most): (i128, i128), test: &CallTest) -> Option<String> {
    let number = i128::from(test.number);
    if !(least..=most).contains(&number) {
        return None;
    }
    let (is_signed, fits) = (least < 0, most <= i64::MAX.into());
    let operator = match (test.relation, test.holds) {
        (Relation::Equal, true) => "==",
        (Relation::Equal, false) => "!=",
        // A number without a sign that has 64 bits may be negative to a test.
        (Relation::Less, true) if fits => "<",
        (Relation::Less, false) if fits => ">=",
        (Relation::LessOrEqual, true) if fits => "<=",
        (Relation::LessOrEqual, false) if fits => ">",
        (Relation::Below, true) if !is_signed => "<",
        (Relation::Below, false) if !is_signed => ">=",
        (Relation::BelowOrEqual, true) if !is_signed => "<=",
        (Relation::BelowOrEqual, false) if !is_signed => ">",
        _ => return None,
    };
    Some(format!("{name} {operator} {number}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Relation::{Below, BelowOrEqual, Equal, Less, LessOrEqual};

    const FORMAT: &str = "name: made\nID: 372\nformat:\n\
        \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
        \tfield:s16 small;\toffset:8;\tsize:2;\tsigned:1;\n\
        \tfield:u8 byte;\toffset:10;\tsize:1;\tsigned:0;\n\
        \tfield:unsigned long wide;\toffset:16;\tsize:8;\tsigned:0;\n\
        \tfield:void * place;\toffset:24;\tsize:8;\tsigned:0;\n\
        \tfield:int fd;\toffset:32;\tsize:8;\tsigned:0;\n\
        \tfield:char comm[16];\toffset:40;\tsize:16;\tsigned:0;\n\
        \tfield:int twice;\toffset:56;\tsize:4;\tsigned:1;\n\
        \tfield:int Twice;\toffset:60;\tsize:4;\tsigned:1;\n";
    const FIELDS: [&str; 8] = ["small", "byte", "wide", "place", "fd", "comm", "twice", "missing"];

    fn test(name: &str, relation: Relation, number: i32) -> CallTest {
        let subject = match name {
            "tid" => Subject::Thread,
            "cpu" => Subject::Processor,
            "pid" => Subject::Process,
            name => Subject::Field(FIELDS.iter().position(|known| *known == name).unwrap() as u16),
        };
        CallTest { subject, relation, holds: true, number }
    }

    fn not(test: CallTest) -> CallTest {
        CallTest { holds: false, ..test }
    }

    fn shown(lists: &[&[CallTest]], cpu: u16, has_initial_ids: bool) -> String {
        let trace = |tests: &&[CallTest]| NeededTrace { provider: PROVIDER, id: 372, tests: tests.to_vec() };
        let other = NeededTrace { provider: PROVIDER, id: 373, tests: Vec::new() };
        let fields = FIELDS.map(str::to_owned).to_vec();
        let traces = lists.iter().map(trace).chain([other]).collect();
        let limits = Limits { traces, fields, ..Limits::default() };
        let point = Tracepoint::parse("group", "made", FORMAT).unwrap();
        match Filters::new(&point, &limits, has_initial_ids).on(cpu) {
            Filter::All => "all".to_owned(),
            Filter::Nothing => "nothing".to_owned(),
            Filter::Where(text) => text.into_string().unwrap(),
        }
    }

    #[test]
    fn issue_16_tests_are_filters_where_the_kernel_compares_the_same_numbers() {
        for (test, expected) in [
            (test("small", Equal, -7), "small == -7"),
            (not(test("small", Equal, 7)), "small != 7"),
            (test("small", Less, 7), "small < 7"),
            (not(test("small", Less, 7)), "small >= 7"),
            (test("small", LessOrEqual, 7), "small <= 7"),
            (not(test("small", LessOrEqual, -7)), "small > -7"),
            (test("byte", Below, 7), "byte < 7"),
            (not(test("byte", Below, 7)), "byte >= 7"),
            (test("byte", BelowOrEqual, 7), "byte <= 7"),
            (not(test("byte", BelowOrEqual, 7)), "byte > 7"),
            (not(test("byte", Less, 7)), "byte >= 7"),
            (test("wide", Below, 70_000), "wide < 70000"),
            (test("place", Equal, 0), "place == 0"),
            (test("tid", Equal, 7), "common_pid == 7"),
            (test("tid", Below, 7), "common_pid < 7"),
            // Numbers that the type does not have.
            (test("small", Equal, 40_000), "all"),
            (test("byte", Less, 256), "all"),
            (test("byte", Equal, -1), "all"),
            (test("wide", Below, -1), "all"),
            // Another sign.
            (test("small", Below, 7), "all"),
            (test("small", BelowOrEqual, 7), "all"),
            (test("wide", Less, 7), "all"),
            (test("wide", LessOrEqual, 7), "all"),
            // A thread that is gone has another number to a reader.
            (not(test("tid", Equal, 7)), "all"),
            (not(test("tid", Less, 7)), "all"),
            // The register has more bits than the value, or the field is text, missing, or one of two with a name.
            (test("fd", Equal, 7), "all"),
            (test("comm", Equal, 7), "all"),
            (test("twice", Equal, 7), "all"),
            (test("missing", Equal, 7), "all"),
            (test("pid", Equal, 7), "all"),
        ] {
            assert_eq!(shown(&[&[test]], 0, true), expected, "{test:?}");
        }
        assert_eq!(shown(&[&[test("tid", Equal, 7)]], 0, false), "all");
    }

    #[test]
    fn issue_16_each_list_of_tests_lets_events_through() {
        let (small, byte, first) = (test("small", Equal, 1), test("byte", Equal, 2), test("cpu", Equal, 0));
        for (lists, on_first, on_second) in [
            (&[][..], "all", "all"),
            (&[&[small, byte][..]], "small == 1 && byte == 2", "small == 1 && byte == 2"),
            (&[&[small], &[byte]], "(small == 1) || (byte == 2)", "(small == 1) || (byte == 2)"),
            (&[&[small], &[small]], "small == 1", "small == 1"),
            (&[&[small], &[]], "all", "all"),
            (&[&[first]], "all", "nothing"),
            (&[&[first, small]], "small == 1", "nothing"),
            (&[&[first, small], &[byte]], "(small == 1) || (byte == 2)", "byte == 2"),
            (&[&[test("pid", Equal, 7), small]], "small == 1", "small == 1"),
        ] {
            assert_eq!(shown(lists, 0, true), on_first, "{lists:?}");
            assert_eq!(shown(lists, 1, true), on_second, "{lists:?}");
        }
        let many: Vec<[CallTest; 1]> = (0..65).map(|number| [test("small", Equal, number)]).collect();
        let lists: Vec<&[CallTest]> = many.iter().map(|list| &list[..]).collect();
        assert_eq!(shown(&lists, 0, true), "all", "too many");
        assert!(shown(&lists[1..], 0, true).ends_with(" || (small == 64)"));
        let long = [not(test("place", Equal, 1_000_000_000)); 200];
        assert_eq!(shown(&[&long], 0, true), "all", "too long");
    }
}
