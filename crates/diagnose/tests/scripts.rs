//! What a process had a scanner read is shown as the text that it is.

use tracewell::open::TraceFile;
use tracewell_corpus::Scratch;
use tracewell_diagnose::Activity;
use tracewell_etl::write::PointerSize;
use tracewell_testkit::described::{self, Described};

#[test]
fn issue_23_scanned_scripts_are_text() {
    let script = "Invoke-Expression_$(Get-Content_payload.txt)";
    let size = 2 * (script.len() + 1);
    let line = format!(
        "Microsoft-Antimalware-Scan-Interface 1101 0 by 200/50 | ptr 5 u8 1 u32 32768 w PowerShell w C:\\tools\\run.ps1 \
         u32 {size} u32 {size} w {script}"
    );
    let bytes = described::trace(PointerSize::P64, &[Described::parse(&line).expect("a record")]);
    let folder = Scratch::new("scripts");
    let path = folder.write("scripts.etl", &bytes.expect("the trace is written"));
    let file = TraceFile::open(&path).expect("the trace opens");
    let trace = file.trace().expect("it is a trace");
    let activity = Activity::of(std::slice::from_ref(&trace), tracewell::Schemas::new(), |_| ());
    let collected = &activity.collected;
    let [act] = &collected.scripted[..] else { panic!("{:?}", collected.scripted) };
    let lines: Vec<&str> = act.text.lines().collect();
    assert!(lines.contains(&script.replace('_', " ").as_str()), "{lines:?}");
    assert!(lines.contains(&"PowerShell") && lines.contains(&"C:\\tools\\run.ps1"), "{lines:?}");
    assert!(!act.text.contains("49006E00") && !act.text.contains("49 00"), "no bytes: {}", act.text);
}
