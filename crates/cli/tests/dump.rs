//! `etw dump` over a real trace: what is written is well-formed and complete in every form.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What the command writes, to its output and its error output.
fn dump(trace: &Path, arguments: &[&str]) -> (String, String) {
    let out =
        Command::new(env!("CARGO_BIN_EXE_etw")).arg("dump").args(arguments).arg(trace).output().unwrap();
    let errors = String::from_utf8(out.stderr).unwrap();
    assert!(out.status.success(), "{errors}");
    (String::from_utf8(out.stdout).unwrap(), errors)
}

#[test]
fn every_form_has_every_event() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let trace = folder.join("perfview/gcevents.etl");
    let (json, errors) = dump(&trace, &["--json"]);
    assert_eq!(errors, "", "everything is decoded");
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 71);
    let times: Vec<f64> = lines.iter().map(|line| line["time"].as_f64().unwrap()).collect();
    assert!(times.is_sorted());
    let segment = lines.iter().find(|line| line["event"] == "GC/CreateSegment").unwrap();
    assert_eq!(segment["fields"]["Type"], "PinnedObjectHeap");
    for form in ["--list", "--csv"] {
        let (text, _) = dump(&trace, &[form]);
        assert_eq!(text.lines().count(), 71 + usize::from(form == "--csv"), "{form}");
    }
    let (text, _) = dump(&trace, &[]);
    assert_eq!(text.lines().count(), 71);
    assert!(!text.contains('\x1b'), "no colour in a pipe");
}

#[test]
fn events_are_chosen_by_every_option() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let trace = folder.join("perfview/gcevents.etl");
    let count = |arguments: &[&str]| dump(&trace, arguments).0.lines().count();
    assert_eq!(count(&["--provider", "*DotNETRuntime"]), 69);
    assert_eq!(count(&["--provider", "{e13c0d23-ccbc-4e12-931b-d9cc2eee27e4}"]), 69);
    assert_eq!(count(&["--pid", "179596"]), 69);
    assert_eq!(count(&["--limit", "5"]), 5);
    assert_eq!(count(&["--end", "1"]), 2);
    assert_eq!(count(&["--start", "1"]), 69);
    assert_eq!(count(&["--where", "event == 'gc/createsegment' && Type =~ 'Small*'"]), 4);
    assert_eq!(count(&["--where", "Type == 0 && event =~ /segment$/"]), 4);
    let (columns, _) =
        dump(&trace, &["--fields", "event,Type,.ClrInstanceID", "--where", "Type == 1", "--limit", "1"]);
    assert_eq!(columns, "GC/CreateSegment\tLargeObjectHeap\t8\n");
}

/// The sample needs no corpus: half of its stacks are separate records, as in any kernel trace.
#[test]
fn stacks_are_printed_under_their_events() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.etl");
    let chosen =
        ["--stacks", "--where", "event == 'PerfInfo/SampleProfile' || event == 'Thread/ReadyThread'"];
    let (json, errors) = dump(&sample, &[&["--json"][..], &chosen].concat());
    assert!(!errors.contains("stacks"), "{errors}");
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (with, without): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line["stack"].is_array());
    assert!(with.len() > 20_000 && !without.is_empty(), "{} {}", with.len(), without.len());
    assert!(with.iter().all(|line| line["event"] == "PerfInfo/SampleProfile"));
    assert!(without.iter().all(|line| line["event"] == "Thread/ReadyThread"));
    // The innermost frame of a sampled stack is where the sample was taken, except on an idle processor. If one
    // thread has two events at one time, the stack cannot be assigned to either.
    let busy = with.iter().filter(|line| line["process"] != "Idle");
    let odd = busy.filter(|line| line["stack"][0] != line["fields"]["InstructionPointer"]).count();
    assert!(odd * 500 < with.len(), "{odd} of {}", with.len());
    let (text, _) = dump(&sample, &chosen);
    let frames = |line: &&str| line.starts_with("        0x");
    assert!(text.lines().filter(frames).any(|line| line.contains("+0x")), "images are named");
    let addresses: usize = with.iter().map(|line| line["stack"].as_array().unwrap().len()).sum();
    assert_eq!(text.lines().filter(frames).count(), addresses);
    let (list, _) = dump(&sample, &[&["--fields", "event,stack", "--list"][..], &chosen].concat());
    assert_eq!(
        list.lines().filter(|line| line.starts_with("PerfInfo/SampleProfile {0x")).count(),
        with.len()
    );
}

/// What columns leave out is still counted when it is not understood.
#[test]
fn columns_do_not_hide_what_was_not_decoded() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.etl");
    let (_, all) = dump(&sample, &["--json"]);
    for form in [&["--fields", "time"][..], &["--fields", "time", "--csv"], &["--fields", "time", "--list"]] {
        assert_eq!(dump(&sample, form).1, all, "{form:?}");
    }
}

/// Text and tables have the values of the objects, event by event: time, processor, actor, name, and the names of the fields.
#[test]
fn issue_23_all_forms_have_the_same_head() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.etl");
    let form = |more: &[&str]| dump(&sample, &[&["-q", "--limit", "3000"][..], more].concat()).0;
    let (text, json, csv) = (form(&[]), form(&["--json"]), form(&["--csv"]));
    let mut rows = csv.lines();
    let names: Vec<&str> = rows.next().unwrap().split(',').take(7).collect();
    assert_eq!(names, ["time", "cpu", "pid", "tid", "process", "provider", "event"]);
    assert_eq!((text.lines().count(), json.lines().count()), (3000, 3000));
    for ((line, row), object) in text.lines().zip(rows).zip(json.lines()) {
        let object: Value = serde_json::from_str(object).unwrap();
        let of = |name: &str| match &object[name] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Number(number) if name == "time" => format!("{:.9}", number.as_f64().unwrap()),
            other => other.to_string(),
        };
        let head: Vec<String> = names.iter().map(|name| of(name)).collect();
        assert_eq!(row.split(',').take(7).collect::<Vec<_>>(), head, "{row}");
        let words: Vec<&str> = line.split_whitespace().take(4).collect();
        let shown: Vec<&str> =
            head[..4].iter().map(|word| if word.is_empty() { "-" } else { word }).collect();
        assert_eq!(words, shown, "{line}");
        let process = if head[4].is_empty() { "-" } else { &head[4] };
        let (before, fields) = line.split_once(&format!(" {}/{}", head[5], head[6])).expect("the event");
        assert!(before.trim_end().ends_with(&format!(" {process}")), "{line}");
        for (name, value) in object["fields"].as_object().unwrap() {
            if !fields.contains(&format!(" {name}=")) {
                let is_reserve =
                    ["Reserved", "Padding", "Pad", "SpareByte"].iter().any(|of| name.starts_with(of));
                let is_empty = value.is_null()
                    || value == 0
                    || value.as_str().is_some_and(|text| text.trim_matches(['0', 'x']).is_empty());
                assert!(is_empty && (is_reserve || value.is_null()), "{name} is not in {line}");
            }
        }
    }
}
