//! The root of the workspace, and the output of `cargo` and `git` about it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// The folder of the crate that has the tables of events.
pub(crate) fn schema_crate() -> PathBuf {
    root().join("crates").join("schema")
}

/// The text of a file.
pub(crate) fn text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The files under version control, as paths relative to `root`.
pub(crate) fn tracked_files(root: &Path) -> Result<Vec<String>, String> {
    let listing = output(Command::new("git").args(["ls-files", "-z"]).current_dir(root))?;
    Ok(listing.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// `cargo metadata` with the whole dependency graph, as the lock file has it.
pub(crate) fn locked_metadata(root: &Path) -> Result<serde_json::Value, String> {
    metadata(root, &[])
}

/// `cargo metadata` with what programs for Linux are built from, all features enabled.
pub(crate) fn linux_metadata(root: &Path) -> Result<serde_json::Value, String> {
    metadata(root, &["--all-features", "--filter-platform", "x86_64-unknown-linux-gnu"])
}

fn metadata(root: &Path, words: &[&str]) -> Result<serde_json::Value, String> {
    let command = ["metadata", "--format-version", "1", "--locked"];
    let text = output(cargo().args(command).args(words).current_dir(root))?;
    serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))
}

/// The `cargo` that runs this program, else the one in the path.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a command and returns what it wrote; its messages go to ours.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| format!("{name} cannot be started: {error}"))?;
    if !done.status.success() {
        return Err(format!("{name} failed: {}", done.status));
    }
    String::from_utf8(done.stdout).map_err(|error| format!("{name} wrote invalid UTF-8: {error}"))
}
