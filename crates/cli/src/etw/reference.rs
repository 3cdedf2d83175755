//! The manual pages and the shells' completions, made from the definition that reads the command line.

use clap::Command;

/// Completions for a shell.
#[must_use]
pub(super) fn completions(mut command: Command, shell: clap_complete::Shell) -> String {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut command, "etw", &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The page of the whole command, or of one of its commands; [`None`] if there is no such command.
#[must_use]
pub(super) fn man(mut whole: Command, name: Option<&str>) -> Option<String> {
    whole.build();
    let (command, title) = match name {
        None => (whole, "etw".to_owned()),
        Some(name) => {
            let found = whole.find_subcommand(name)?.clone();
            let title = format!("etw-{}", found.get_name());
            (found, title)
        }
    };
    let mut out = Vec::new();
    // Writing to memory does not fail.
    clap_mangen::Man::new(command).title(title).render(&mut out).ok()?;
    let page = String::from_utf8_lossy(&out).into_owned();
    Some(if name.is_none() { page + &crate::status::section(false) } else { page })
}
