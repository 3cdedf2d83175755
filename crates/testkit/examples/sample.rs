//! Writes `testdata/sample.etl`, its truth and its symbols, or the same files into the folder given:
//! `cargo run -p tracewell-testkit --example sample [FOLDER]`.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = std::env::args_os()
        .nth(1)
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata")), PathBuf::from);
    match write(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "a program, not a library")]
            {
                eprintln!("cannot make the sample: {error}");
            }
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
    let sample = tracewell_testkit::sample()?;
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("sample.etl"), sample.trace)?;
    std::fs::write(folder.join("sample.truth.json"), sample.truth)?;
    for (path, bytes) in sample.databases {
        let file = folder.join("sample.symbols").join(path);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(file, bytes)?;
    }
    Ok(())
}
