//! Code generation, goldens and checks: `cargo run -p xtask -- help`.
//!
//! Each chore is one row of [`COMMANDS`]; the help text is printed from the same rows.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to its user")]

mod arrows;
mod book;
mod collect;
mod coverage;
mod figures;
mod goldens;
mod leaks;
mod licences;
mod mutants;
mod notices;
mod prose;
mod published;
mod schema;
mod targets;
mod workspace;

use std::process::ExitCode;

/// A chore: its name, its description, and the function that does it.
struct Command {
    name: &'static str,
    /// The arguments after the name, as the help text shows them.
    arguments: &'static str,
    summary: &'static str,
    /// Gets the arguments after the name. The error is a whole message for the user.
    run: fn(&[String]) -> Result<(), String>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "arrows",
        arguments: "",
        summary: "Check the arrows, invariants and unsafe files that docs/ARCHITECTURE.md declares.",
        run: |arguments| {
            no_arguments(arguments)?;
            all_clear("arrows", &arrows::check(&workspace::root())?)
        },
    },
    Command {
        name: "book",
        arguments: "FOLDER",
        summary: "Make the book of docs/SUMMARY.md in a folder with mdbook, and check every link in it.",
        run: |arguments| match arguments {
            [folder] => book::run(&workspace::root(), folder.as_ref()),
            _ => Err("the argument is a folder".to_owned()),
        },
    },
    Command {
        name: "collect",
        arguments: "[OSSEM-DD ETL-PARSER [MANIFESTS...]]",
        summary: "Make the table of collected providers from checkouts of the two collections, with published manifests \
                  (files), compared with registered manifests (folders); without arguments, end layouts of the \
                  existing table as tables/collected.ends says.",
        run: |arguments| match arguments {
            [] => collect::end(),
            [ossem, etl_parser, manifests @ ..] => {
                let manifests: Vec<_> = manifests.iter().map(Into::into).collect();
                collect::run(ossem.as_ref(), etl_parser.as_ref(), &manifests)
            }
            _ => Err("the arguments are two checkouts, and files and folders of manifests".to_owned()),
        },
    },
    Command {
        name: "coverage",
        arguments: "FOLDER [--check]",
        summary: "Measure how many events of the manifests in a folder (those of dissect.etl 3.14) the tables describe, and \
                  write docs/coverage.md; with --check, only compare it and the README.",
        run: |arguments| match arguments {
            [folder] => coverage::run(folder.as_ref(), false),
            [folder, flag] if flag == "--check" => coverage::run(folder.as_ref(), true),
            _ => Err("the arguments are a folder of manifests, and --check".to_owned()),
        },
    },
    Command {
        name: "figures",
        arguments: "[FOLDER]",
        summary: "Print figures of the source: lines by kind and crate, long functions, large structs, public items, \
                  repeated lines, and the files that each kind of change touches.",
        run: figures::run,
    },
    Command {
        name: "goldens",
        arguments: "[CARGO TEST ARGUMENTS]",
        summary: "Run the tests with the rewrite switch on, then list the expectations that changed.",
        run: goldens::run,
    },
    Command {
        name: "leaks",
        arguments: "",
        summary: "Check that no tracked file refers to one machine: absolute paths, registries, credentials.",
        run: |arguments| {
            no_arguments(arguments)?;
            all_clear("leaks", &leaks::check(&workspace::root())?)
        },
    },
    Command {
        name: "licences",
        arguments: "[FOLDER]",
        summary: "Check the licence and the source of every package the workspace, or another in a folder of it, is built from.",
        run: |arguments| {
            let root = workspace::root();
            let folder = match arguments {
                [] => root,
                [folder] => root.join(folder),
                _ => return Err("the argument is a folder".to_owned()),
            };
            all_clear("licences", &licences::check(&folder)?)
        },
    },
    Command {
        name: "mutants",
        arguments: "[--crate CRATE] [--sample N] [--seed S] [--changed-since REV] [--tests-of CRATE] [--jobs N] \
                    [--budget SECONDS] [--folder FOLDER] [--resume]",
        summary: "Break the code in one small place at a time, run the tests that reach it, and list the changes that no \
                  test notices.",
        run: mutants::run,
    },
    Command {
        name: "notices",
        arguments: "FOLDER",
        summary: "Write what comes with the packages: the licences of others' code (THIRD-PARTY.txt), and a list of all parts \
                  (sbom.cdx.json).",
        run: |arguments| match arguments {
            [folder] => notices::run(folder.as_ref()),
            _ => Err("the argument is a folder".to_owned()),
        },
    },
    Command {
        name: "prose",
        arguments: "[--count]",
        summary: "Check that no text has the phrases that docs/STYLE.md rules out; with --count, list how many each folder has.",
        run: |arguments| match arguments {
            [] => all_clear("prose", &prose::check(&workspace::root())?),
            [flag] if flag == "--count" => {
                print!("{}", prose::counts(&workspace::root())?);
                Ok(())
            }
            _ => Err("the argument is --count".to_owned()),
        },
    },
    Command {
        name: "published",
        arguments: "TRACE NAME=FOLDER...",
        summary: "Run published D scripts (original, toolkit, guide, samples: checkouts of their collections) with target/debug/dtrace over a \
                  trace and live, and write which run in docs/published.md.",
        run: published::run,
    },
    Command {
        name: "schema",
        arguments: "[--check | --against FOLDER]",
        summary: "Regenerate the event tables from their description; with --check, only compare; with --against, \
                  hold the bundled providers against a checkout of OSSEM-DD.",
        run: |arguments| match arguments {
            [] => schema::run(false),
            [flag] if flag == "--check" => schema::run(true),
            [flag, folder] if flag == "--against" => schema::against(folder.as_ref()),
            _ => Err("the arguments are --check or --against FOLDER".to_owned()),
        },
    },
    Command {
        name: "targets",
        arguments: "NAME=FOLDER... [--only WORD]",
        summary: "Run the tests of published D suites (illumos, oracle: extracted copies) that watch a program and that \
                  docs/d-class-c.tsv says apply, with target/debug/dtrace.",
        run: targets::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        eprint!("{}", help());
        return ExitCode::from(2);
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprint!("xtask: there is no command \"{name}\"\n\n{}", help());
        return ExitCode::from(2);
    };
    match (command.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {name}: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The help text, made from [`COMMANDS`].
fn help() -> String {
    let mut text = String::from("usage: cargo run -p xtask -- COMMAND\n\n");
    for command in COMMANDS {
        text.push_str(&format!(
            "  {}\n      {}\n",
            format!("{} {}", command.name, command.arguments).trim_end(),
            command.summary
        ));
    }
    text
}

fn no_arguments(arguments: &[String]) -> Result<(), String> {
    match arguments.first() {
        None => Ok(()),
        Some(argument) => Err(format!("takes no arguments, was given \"{argument}\"")),
    }
}

/// Turns the findings of a check into its outcome.
fn all_clear(check: &str, findings: &[String]) -> Result<(), String> {
    if findings.is_empty() {
        println!("{check}: nothing found");
        return Ok(());
    }
    for finding in findings {
        eprintln!("  {finding}");
    }
    Err(format!("{} found", findings.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_sorted_and_in_the_help_text() {
        assert!(COMMANDS.is_sorted_by_key(|command| command.name));
        let help = help();
        for command in COMMANDS {
            assert!(help.contains(&format!("  {}", command.name)), "{} is missing", command.name);
            assert!(command.summary.ends_with('.'), "{}: a summary is a sentence", command.name);
        }
    }
}
