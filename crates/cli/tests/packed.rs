//! Archives of traces are read like the traces in them: there is no need to unpack files of `PerfView` or a log rotation (issue
//! 3).

#![allow(missing_docs)]

mod common;

use std::io::{Cursor, Write};
use std::path::Path;

use common::Ran;
use tracewell_corpus::Scratch;
use zip::write::SimpleFileOptions;

fn folder(name: &str) -> Scratch {
    Scratch::new(name)
}

fn sample() -> Vec<u8> {
    std::fs::read(common::sample()).expect("the sample can be read")
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, SimpleFileOptions::default()).expect("it begins");
        archive.write_all(bytes).expect("it is written");
    }
    archive.finish().expect("it ends").into_inner()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).expect("it is written");
    packed.finish().expect("it ends")
}

fn in_cabinet(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut builder = cab::CabinetBuilder::new();
    builder.add_folder(cab::CompressionType::MsZip).add_file(name);
    let mut cabinet = builder.build(Cursor::new(Vec::new())).expect("it begins");
    while let Some(mut file) = cabinet.next_file().expect("there is room") {
        file.write_all(bytes).expect("it is written");
    }
    cabinet.finish().expect("it ends").into_inner()
}

fn run(program: &str, words: &[&str]) -> Ran {
    common::run(common::command(program).args(words))
}

/// What a command answers of a file, without the file's name.
fn answer(words: &[&str], path: &Path) -> (Option<i32>, String) {
    let path = path.display().to_string();
    let ran = run("etw", &[words, &[&path]].concat());
    (ran.status, ran.stdout.replace(&path, "FILE") + &ran.stderr.replace(&path, "FILE"))
}

#[test]
fn a_packed_trace_answers_what_the_trace_answers() {
    let folder = folder("answers");
    let plain = folder.join("plain.etl");
    std::fs::write(&plain, sample()).expect("it can be written");
    let packed = [
        (
            "sample.etl.zip",
            zipped(&[("symbols/a.pdb", b"no trace"), ("logs/Sample.ETL", &sample())]),
            "/logs/Sample.ETL",
        ),
        ("sample.etl.gz", gzipped(&sample()), ""),
        ("sample.cab", in_cabinet("sample.etl", &sample()), "/sample.etl"),
    ];
    for (name, bytes, member) in packed {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("it can be written");
        for words in [&["verify"][..], &["stats"], &["dump", "--limit", "20"], &["info", "--json"]] {
            let (status, text) = answer(words, &path);
            let wanted = answer(words, &plain);
            assert_eq!((status, text.replace(&format!("FILE{member}"), "FILE")), wanted, "{name}: {words:?}");
        }
        let count = "profile:::sample-997,proc:::start { @[execname] = count(); }";
        let question = |path: &Path| run("dtrace", &["-qn", count, "-E", &path.display().to_string()]);
        let (ours, wanted) = (question(&path), question(&plain));
        assert_eq!((ours.status, &ours.stdout), (Some(0), &wanted.stdout), "{name}: {}", ours.stderr);
        assert!(wanted.stdout.lines().count() > 1, "{}", wanted.stdout);
        // What makes one file of one takes an archive of one.
        let made = folder.join(format!("{name}.made.etl"));
        let ran = run("etw", &["compress", "-o", &made.display().to_string(), &path.display().to_string()]);
        assert_eq!(ran.status, Some(0), "{name}: {}", ran.stderr);
        assert_eq!(answer(&["verify"], &made).0, Some(0));
    }
}

#[test]
fn all_traces_of_an_archive_are_read() {
    let folder = folder("several");
    let path = folder.join("two.zip");
    std::fs::write(&path, zipped(&[("a.etl", &sample()), ("b.etl", &sample())])).expect("it can be written");
    let path = path.display().to_string();
    let ran = run("etw", &["verify", "--json", &path]);
    let names: Vec<String> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["file"].to_string())
        .collect();
    assert_eq!(names, [format!("\"{path}/a.etl\""), format!("\"{path}/b.etl\"")]);
    let made = folder.join("made.etl").display().to_string();
    let ran = run("etw", &["decompress", "-o", &made, &path]);
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.stderr.contains("holds 2 traces, and one is wanted (etw merge makes one of them)"),
        "{}",
        ran.stderr
    );
    assert_eq!(run("etw", &["merge", "-o", &made, &path]).status, Some(0));
}

#[test]
fn damaged_archives_are_reported() {
    let folder = folder("damaged");
    let whole = zipped(&[("a.etl", &sample())]);
    // The size of the member, once in its own header and once in the list at the end.
    let size = u32::try_from(sample().len()).expect("it is small").to_le_bytes();
    let places: Vec<usize> = (0..whole.len() - 4).filter(|at| whole[*at..at + 4] == size).collect();
    assert_eq!(places.len(), 2, "{places:?}");
    let resized = |size: u32| {
        let mut bytes = whole.clone();
        places.iter().for_each(|at| bytes[*at..at + 4].copy_from_slice(&size.to_le_bytes()));
        bytes
    };
    let mut flipped = gzipped(&sample());
    let middle = flipped.len() / 2;
    flipped[middle..middle + 64].fill(0xFF);
    let cases = [
        ("cut.zip", whole[..whole.len() / 2].to_vec(), "the archive is damaged"),
        ("empty.zip", zipped(&[("readme.txt", b"nothing here")]), "this archive contains no trace (.etl)"),
        ("more.zip", resized(1000), "larger than its declared uncompressed size"),
        ("less.zip", resized(0x7000_0000), "a member is shorter than declared"),
        ("flipped.gz", flipped, "flipped.gz"),
        ("cut.gz", gzipped(&sample())[..1000].to_vec(), "cut.gz"),
        ("cut.cab", in_cabinet("a.etl", &sample())[..50].to_vec(), "the archive is damaged"),
        ("twice.gz", gzipped(&gzipped(&sample())), "it is compressed twice"),
    ];
    for (name, bytes, why) in cases {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("it can be written");
        let ran = run("etw", &["verify", &path.display().to_string()]);
        assert_eq!(ran.status, Some(2), "{name}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(why) && ran.stderr.contains(name), "{name}: {}", ran.stderr);
    }
}

/// A gigabyte of zeros in a megabyte.
fn bomb() -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let zeros = vec![0; 1 << 20];
    (0..1024).for_each(|_| packed.write_all(&zeros).expect("it is written"));
    packed.finish().expect("it ends")
}

/// Archives filled the temporary folder, and what a signal interrupted stayed there.
#[test]
fn issue_14_archives_expand_no_further_than_the_limit() {
    let folder = folder("bombs");
    let temporary = folder.join("tmp");
    std::fs::create_dir_all(&temporary).expect("a folder can be made");
    let zeros = vec![0; 40 << 20];
    // Each below the limit, and both together above.
    let two = zipped(&[("a.etl", &zeros), ("b.etl", &zeros)]);
    let many = zipped(&[("a.etl", &sample()), ("b.etl", &vec![0; 80 << 20])]);
    let cases = [
        ("bomb.gz", bomb(), "bomb.gz"),
        ("two.zip", two, "b.etl"),
        ("many.zip", many, "b.etl"),
        ("bomb.cab", in_cabinet("a.etl", &vec![0; 80 << 20]), "a.etl"),
    ];
    for (name, bytes, place) in cases {
        assert!(bytes.len() < 8 << 20, "{name} is a bomb");
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("it can be written");
        let ran =
            |command: &mut std::process::Command| common::run(command.arg(&path).env("TMPDIR", &temporary));
        let etw = ran(common::command("etw").args(["--expand-limit", "64m", "verify"]));
        let dtrace = ran(common::command("dtrace").args(["-x", "expandlimit=64m", "-n", "BEGIN", "-E"]));
        for (ran, status) in [(etw, 2), (dtrace, 1)] {
            assert_eq!(ran.status, Some(status), "{name}: {}{}", ran.stdout, ran.stderr);
            let why = ran.stderr.lines().find(|line| line.contains("67.1 MB")).unwrap_or_default();
            assert!(why.contains(place) && why.contains("--expand-limit"), "{name}: {}", ran.stderr);
        }
        let left = std::fs::read_dir(&temporary).expect("it is there").count();
        assert_eq!(left, 0, "{name} leaves files");
    }
    let path = folder.join("bomb.gz").display().to_string();
    let ran = run("etw", &["verify", "--expand-time", "1ms", &path]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("--expand-time"), "{}", ran.stderr);
    // A pipe that never ends, as a file and as standard input; and one for which no time is too long.
    #[cfg(unix)]
    for (program, words) in [
        ("etw", &["verify", "--expand-limit", "8m", "/dev/stdin"][..]),
        ("etw", &["verify", "--expand-limit", "8m", "-"]),
        ("dtrace", &["-x", "expandlimit=8m", "-n", "BEGIN", "-E", "/dev/stdin"]),
    ] {
        let mut zeros = std::process::Command::new("cat");
        let mut zeros =
            zeros.arg("/dev/zero").stdout(std::process::Stdio::piped()).spawn().expect("it starts");
        let endless = zeros.stdout.take().expect("it is a pipe");
        let ran = common::run(common::command(program).args(words).stdin(endless));
        assert!(ran.status != Some(0) && ran.stderr.contains("8.4 MB"), "{words:?}: {}", ran.stderr);
        zeros.wait().expect("it ends, because nothing reads it");
    }
    // Devices are not read: some never end.
    #[cfg(unix)]
    for (program, words) in
        [("etw", &["verify", "/dev/zero"][..]), ("dtrace", &["-n", "BEGIN", "-E", "/dev/zero"])]
    {
        let ran = run(program, words);
        assert!(ran.status != Some(0), "{program}: {ran:?}");
        assert!(ran.stderr.contains("/dev/zero: it is neither a file nor a pipe"), "{program}: {ran:?}");
    }
    #[cfg(unix)]
    {
        let pipe = folder.join("slow").display().to_string();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("there is mkfifo").success());
        let bytes = sample();
        let writer = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::write(pipe, bytes)
        });
        let ran = run("etw", &["verify", "--expand-limit", "8m", "--expand-time", "1ms", &pipe]);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        writer.join().expect("it ends").expect("all is read");
    }
    // What is within the limits is read as before.
    std::fs::write(folder.join("sound.gz"), gzipped(&sample())).expect("it can be written");
    let path = folder.join("sound.gz").display().to_string();
    assert_eq!(run("etw", &["verify", "--expand-limit", "64m", &path]).status, Some(0));
    assert_eq!(run("etw", &["verify", "--expand-limit", "1x", &path]).status, Some(2));
}

/// A trace in a temporary file stayed there when the process was killed.
#[cfg(unix)]
#[test]
fn issue_14_a_killed_command_leaves_no_temporary_files() {
    let folder = folder("killed");
    let (temporary, pipe) = (folder.join("tmp"), folder.join("pipe"));
    std::fs::create_dir_all(&temporary).expect("a folder can be made");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("there is mkfifo");
    assert!(made.success());
    let mut child = common::command("etw")
        .args(["verify", &pipe.display().to_string()])
        .env("TMPDIR", &temporary)
        .spawn()
        .expect("it starts");
    let mut writer = std::fs::File::options().write(true).open(&pipe).expect("the command reads");
    writer.write_all(&sample()[..1 << 16]).expect("the command reads");
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    assert_eq!(std::fs::read_dir(&temporary).expect("it is there").count(), 0);
}
