//! Stacks in recordings that were made here: their addresses have the names of functions. Issue 6.
#![cfg(target_os = "linux")]
#![allow(missing_docs)]

use std::path::PathBuf;
use std::process::{Command, Stdio};

use tracewell_session::{ClassicDescriptor, event, provider};
use tracewell_types::Guid;

provider!(static MILL = "Contoso-Stacks-Mill");

const CLASS: ClassicDescriptor = ClassicDescriptor {
    class: Guid::parse("6f2d3a9c-4b10-4f4e-9c58-0d1f5a2b7c11"),
    opcode: 7,
    level: 4,
    version: 1,
    flags: 0,
};
/// Events of each kind that the program logs.
const ROUNDS: u32 = 20;

#[inline(never)]
fn grind_the_corn(round: u32) {
    let _ = event!(MILL, "Ground", level: 4, { round: u32 = round });
    std::hint::black_box(round);
}

#[inline(never)]
fn weigh_the_flour(round: u32) {
    let _ = MILL.write_classic(&CLASS, &(round,));
    std::hint::black_box(round);
}

/// A command for the tests below.
#[test]
#[ignore = "a command of other tests"]
fn a_mill() {
    MILL.register();
    mill_all_day(std::hint::black_box(ROUNDS));
}

#[inline(never)]
fn mill_all_day(rounds: u32) {
    for round in 0..rounds {
        grind_the_corn(round);
        weigh_the_flour(round);
    }
}

struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let folder = std::env::temp_dir().join(format!("tracewell-stacks-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Place(folder)
    }

    /// What a command prints that succeeds.
    fn ok(&self, program: &str, arguments: &[&str]) -> String {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.0).env("TRACEWELL_RUNTIME", self.0.join("run"));
        command.env("TRACEWELL_OWNER", std::process::id().to_string()).env_remove("_NT_SYMBOL_PATH");
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn etw(&self, arguments: &[&str]) -> String {
        self.ok(env!("CARGO_BIN_EXE_etw"), arguments)
    }

    /// Records the mill, in files that begin with `name`.
    fn record(&self, file: &str, more: &[&str]) {
        let mill = std::env::current_exe().unwrap();
        let fixed = ["record", "-q", "-o", file, "-p", "Contoso-Stacks-Mill", "--stacks"];
        let mill = ["--", mill.to_str().unwrap(), "--exact", "a_mill", "--ignored"];
        self.etw(&[&fixed[..], more, &mill].concat());
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = Command::new(env!("CARGO_BIN_EXE_etw"))
            .args(["daemon", "stop"])
            .env("TRACEWELL_RUNTIME", self.0.join("run"))
            .output();
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Counts how often a word occurs in a text.
fn count(text: &str, word: &str) -> usize {
    text.matches(word).count()
}

#[test]
fn both_kinds_of_events_have_stacks_with_names_after_the_program_has_ended() {
    let place = Place::new("names");
    place.record("mill.etl", &[]);
    let text = place.etw(&["dump", "--stacks", "mill.etl", "-p", "Contoso-Stacks-Mill"]);
    assert_eq!(count(&text, "recorded_stacks::grind_the_corn"), ROUNDS as usize, "{text}");
    let program = "contoso-stacks-mill:::Ground { @[ustack(2)] = count(); }";
    let answer = place.ok(env!("CARGO_BIN_EXE_dtrace"), &["-qn", program, "-E", "mill.etl"]);
    assert_eq!(count(&answer, "recorded_stacks::grind_the_corn"), 1, "{answer}");
    assert!(answer.contains("`recorded_stacks::mill_all_day"), "{answer}");
    assert!(answer.lines().any(|line| line.trim() == ROUNDS.to_string()), "{answer}");
    // The stack of a class event is a record behind it, with its time: the two are one.
    let text = place.etw(&["dump", "--stacks", "mill.etl", "--json"]);
    let events = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let class =
        events.filter(|event| event.to_string().contains(&CLASS.class.to_string())).collect::<Vec<_>>();
    assert_eq!(class.len(), ROUNDS as usize);
    for event in class {
        assert!(event.to_string().contains("recorded_stacks::weigh_the_flour"), "{event}");
    }
    let folded = place.ok(env!("CARGO_BIN_EXE_dtrace"), &["-qn", program, "-E", "mill.etl", "--folded"]);
    assert!(folded.contains("recorded_stacks::mill_all_day"), "{folded}");
    assert!(folded.contains("recorded_stacks::grind_the_corn"), "{folded}");
    let images = place.etw(&["symbols", "mill.etl", "--json"]);
    let images: serde_json::Value = serde_json::from_str(&images).unwrap();
    let names: Vec<&str> =
        images["images"].as_array().unwrap().iter().filter_map(|image| image["image"].as_str()).collect();
    let own = std::env::current_exe().unwrap().file_name().unwrap().to_str().unwrap().to_lowercase();
    assert!(names.contains(&own.as_str()), "{names:?}");
    // The records about images are not events of the session.
    let reported = place.etw(&["verify", "mill.etl"]);
    assert!(reported.contains("sound"), "{reported}");
}

/// Files in circular mode and in a series also list images.
#[test]
fn files_of_every_mode_list_images() {
    let place = Place::new("modes");
    let small = ["--buffer-size", "4", "--blocking"];
    let modes: [(&str, &[&str]); 4] = [
        ("sequential.etl", &["--max-size", "16K"]),
        ("circular.etl", &["--mode", "circular", "--max-size", "16K"]),
        ("append.etl", &["--mode", "append"]),
        ("series%d.etl", &["--mode", "new-file", "--max-size", "8K"]),
    ];
    for (file, mode) in modes {
        place.record(file, &[&small[..], mode].concat());
        let file = file.replace("%d", "1");
        assert!(place.etw(&["verify", &file]).contains("sound"), "{file}");
        let text = place.etw(&["dump", "--stacks", &file]);
        assert!(text.contains("recorded_stacks::grind_the_corn"), "{file}: {text}");
    }
    // The numbers of the buffers after the data do not indicate losses, also in the files of a series, whose second
    // starts with 2.
    for number in (1..).take_while(|number| place.0.join(format!("series{number}.etl")).exists()) {
        let reported = place.etw(&["verify", &format!("series{number}.etl")]);
        assert!(reported.contains("sound") && !reported.contains("lost"), "{number}: {reported}");
        assert!(number < 100);
    }
    assert!(place.0.join("series2.etl").exists());
    // Appended data follows the records about the images of the first program.
    place.record("append.etl", &[&small[..], &["--mode", "append"]].concat());
    let reported = place.etw(&["verify", "append.etl"]);
    assert!(reported.contains("sound") && !reported.contains("lost"), "{reported}");
    let text = place.etw(&["dump", "--stacks", "append.etl", "-p", "Contoso-Stacks-Mill"]);
    assert_eq!(count(&text, "recorded_stacks::grind_the_corn"), 2 * ROUNDS as usize, "{text}");
    // The stacks that events carry count where images are listed that stacks need.
    let used = place.etw(&["symbols", "--used", "append.etl"]);
    assert!(used.contains("recorded_stacks"), "{used}");
}
