//! Flame graphs of `dtrace` and `etw diff`: what is in them, and their colours (issue 21).

mod common;

use common::{Ran, command, run, sample};
use serde_json::Value;

const SAMPLES: &str = "profile:::sample-997 { @[execname, callstack()] = count(); }";

fn dtrace(words: &[&str]) -> Ran {
    run(command("dtrace").args(words).arg("-E").arg(sample()))
}

fn truth() -> Value {
    let text = std::fs::read_to_string(common::root().join("testdata/sample.truth.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The value of a picture's attribute.
fn attribute<'t>(tag: &'t str, name: &str) -> &'t str {
    let (_, rest) =
        tag.split_once(&format!(" {name}=\"")).unwrap_or_else(|| panic!("no {name} in {tag:.300}"));
    rest.split('"').next().unwrap()
}

fn total(svg: &str) -> u64 {
    attribute(svg, "data-total").parse().unwrap()
}

/// All samples of the sample trace, and those of idle processors.
fn samples() -> (u64, u64) {
    let truth = truth();
    let programs = truth["samples_by_program"].as_array().unwrap();
    let idle = programs.iter().find(|row| row["program"] == "idle").unwrap();
    (truth["counts"]["sample"].as_u64().unwrap(), idle["count"].as_u64().unwrap())
}

#[test]
fn issue_21_flame_graphs_leave_out_idle_processors_unless_asked() {
    let (all, idle) = samples();
    assert!(idle > 1000 && idle < all);
    let drawn = dtrace(&["-qn", SAMPLES, "--flame", "-"]);
    assert_eq!((drawn.status, total(&drawn.stdout)), (Some(0), all - idle), "{}", drawn.stderr);
    assert!(drawn.stdout.contains(">cl.exe (") && !drawn.stdout.contains(">idle ("));
    assert_eq!(
        drawn.stderr,
        "dtrace: 6,033 of 26,000 are of idle processors, and not in the picture (--idle draws them)\n"
    );
    assert!(attribute(&drawn.stdout, "data-whole").ends_with(", 6,033 of idle processors left out"));

    let drawn = dtrace(&["-qn", SAMPLES, "--flame", "-", "--idle"]);
    assert_eq!((drawn.status, total(&drawn.stdout), drawn.stderr.as_str()), (Some(0), all, ""));
    assert!(drawn.stdout.contains(&format!("<title>idle ({idle} events, ")), "{:.300}", drawn.stdout);
    assert!(!attribute(&drawn.stdout, "data-whole").contains("left out"));
}

/// The kernel's part of a stack does not show whose thread it is, and a sum may have other weights than counts.
#[test]
fn issue_21_idle_processors_are_known_by_the_firing_and_not_by_the_key() {
    let (all, idle) = samples();
    for (program, busy) in [
        ("profile:::sample-997 { @[stack()] = count(); }", all - idle),
        ("profile:::sample-997 { @[ustack()] = sum(3); }", 3 * (all - idle)),
        // Only threads that leave a processor to do something else later.
        ("sched:::off-cpu { @[stack()] = count(); }", switches(true)),
        // What an idle processor is interrupted for is work.
        ("io:::done { @[stack()] = count(); }", truth()["counts"]["disk-done"].as_u64().unwrap()),
    ] {
        assert_eq!(weights(&dtrace(&["-qn", program, "--folded"]).stdout), busy, "{program}");
    }
    let program = "sched:::off-cpu { @[stack()] = count(); }";
    assert_eq!(weights(&dtrace(&["-qn", program, "--folded", "--idle"]).stdout), switches(false));
}

/// The sum of the weights of folded lines.
fn weights(folded: &str) -> u64 {
    let lines = folded.lines().filter_map(|line| line.rsplit_once(' '));
    lines.map(|(_, weight)| weight.parse::<u64>().unwrap()).sum()
}

/// Switches away from threads: from those that are not idle, or from all.
fn switches(busy: bool) -> u64 {
    let program = format!("sched:::off-cpu {} {{ @ = count(); }}", if busy { "/tid != 0/" } else { "" });
    dtrace(&["-qn", &program]).stdout.trim().parse().unwrap()
}

/// What a program prints is not what is drawn: it has all samples.
#[test]
fn issue_21_tables_beside_a_flame_graph_have_idle_processors() {
    let (all, _) = samples();
    let program = "profile:::sample-997 { @s[stack()] = count(); @n = count(); } END { trunc(@s, 1); printa(\"%@d\\n\", @s); }";
    let drawn = dtrace(&["-qn", program, "--folded"]);
    let first = |text: &str| text.lines().next().unwrap_or_default().trim().parse::<u64>().unwrap();
    let plain = dtrace(&["-qn", program]);
    assert_eq!(first(&drawn.stdout), first(&plain.stdout), "{}{}", drawn.stdout, drawn.stderr);
    assert!(drawn.stdout.contains(&all.to_string()), "{}", drawn.stdout);
}

#[test]
fn issue_21_a_picture_of_idle_processors_alone_is_refused() {
    let program = "profile:::sample-997 /tid == 0/ { @[stack()] = count(); }";
    let ran = dtrace(&["-qn", program, "--flame", "-"]);
    assert_eq!((ran.status, ran.stdout.trim()), (Some(1), ""));
    assert_eq!(
        ran.stderr,
        "dtrace: nothing to draw: all that has a stack is of idle processors (--idle draws them)\n"
    );
    let (_, idle) = samples();
    let ran = dtrace(&["-qn", program, "--flame", "-", "--idle"]);
    assert_eq!((ran.status, total(&ran.stdout)), (Some(0), idle));
}

/// The hues of boxes whose title begins so, and the hue of a kind in the legend.
fn hues<'s>(svg: &'s str, name: &str) -> Vec<&'s str> {
    let boxes = svg.split("<title>").filter(|text| text.starts_with(name));
    boxes.map(|text| attribute(text.split_once("<rect").unwrap().1, "fill")).collect()
}

#[test]
fn issue_21_frames_have_the_colour_of_their_kind() {
    let svg = dtrace(&["-qn", SAMPLES, "--flame", "-"]).stdout;
    let keys: Vec<(String, String)> = svg
        .split("<rect class=\"key\"")
        .skip(1)
        .map(|key| {
            let name = key.split_once("\">").unwrap().1.split_once('<').unwrap().0;
            (name.to_owned(), attribute(key, "fill").to_owned())
        })
        .collect();
    let names: Vec<&str> = keys.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["group", "kernel", "native", ".NET"]);
    // "hsl(HUE,SATURATION%,LIGHTNESS%)"; shades add up to 11 degrees.
    let hue = |colour: &str| colour[4..].split(',').next().unwrap().parse::<u32>().unwrap();
    for (kind, frame) in [
        ("group", "cl.exe ("),
        ("kernel", "ntoskrnl`"),
        ("native", "ntdll`"),
        ("native", "c2`"),
        (".NET", "jit`"),
    ] {
        let base = hue(&keys.iter().find(|(name, _)| name == kind).unwrap().1);
        let found = hues(&svg, frame);
        assert!(!found.is_empty(), "{frame}");
        for colour in found {
            assert!((base..base + 12).contains(&hue(colour)), "{frame} {colour} is not {kind} ({base})");
        }
    }
    assert!(svg.contains("<title>sample.etl</title>"));
}

#[test]
fn issue_21_a_difference_has_idle_processors_where_asked() {
    let (all, idle) = samples();
    let folder = std::env::temp_dir().join(format!("tracewell-flame-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let trace = sample();
    let svg = folder.join("d.svg");
    let draw = |idle: &[&str]| {
        let ran = run(command("etw")
            .arg("diff")
            .args([&trace, &trace])
            .arg("-f")
            .arg("--flame")
            .arg(&svg)
            .args(idle));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        std::fs::read_to_string(&svg).unwrap()
    };
    let (without, with) = (draw(&[]), draw(&["--idle"]));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!((total(&without), total(&with)), (2 * (all - idle), 2 * all));
    assert!(with.contains(&format!("<title>idle ({idle} to {idle} samples, +0.0%)</title>")), "{with:.500}");
    assert!(without.contains("<title>sample.etl compared with sample.etl</title>"), "{without:.500}");
    assert!(without.contains(">more after</text>") && without.contains(">less after</text>"));
}

#[test]
fn issue_21_existing_files_are_replaced_only_by_force() {
    let folder = tracewell_corpus::Scratch::new("existing");
    let outputs = [
        ("--flame", SAMPLES),
        ("--heat", "io:::done { @[timestamp / 100000000] = quantize(args[0]->b_resp / 1000); }"),
        ("--agg-out", "io:::done { @ = count(); }"),
    ];
    for (option, script) in outputs {
        let file = folder.write(option, b"old");
        let file = file.to_str().unwrap();
        let ran = dtrace(&["-qn", script, option, file]);
        let refused = format!("dtrace: {file} exists: give another name, or --force to replace it\n");
        assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (Some(1), "", refused.as_str()));
        assert_eq!(std::fs::read(file).unwrap(), b"old", "{option}");
        let ran = dtrace(&["-qn", script, option, file, "--force"]);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert!(std::fs::read(file).unwrap().len() > 20, "{option}");
        // Devices hold nothing that could be lost.
        #[cfg(unix)]
        assert_eq!(dtrace(&["-qn", script, option, "/dev/null"]).status, Some(0), "{option}");
    }
}
