//! What the completions of `dtrace` offer for the argument of each option, in every shell.

mod common;

use tracewell_cli::dtrace::options::{FLAGS, LONG_FLAGS};

fn printed(shell: &str) -> String {
    let ran = common::run(common::command("dtrace").args(["--completions", shell]));
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{shell}");
    ran.stdout
}

/// What kind of argument an option takes, by the manual.
fn kind(option: &str) -> &'static str {
    match option {
        "-E" | "-o" | "-s" | "--flame" | "--heat" | "--agg-out" => "file",
        "-I" | "-L" => "folder",
        "-c" => "command",
        "-x" => "setting",
        "--completions" => "shell",
        "-n" => "probe",
        "-P" => "provider",
        _ => "other",
    }
}

#[test]
fn arguments_are_completed_by_their_kind() {
    let [bash, zsh, fish, powershell] = ["bash", "zsh", "fish", "powershell"].map(printed);
    let letters = FLAGS.iter().filter(|flag| !flag.name.is_ascii_digit());
    let letters = letters.map(|flag| (format!("-{}", flag.name), format!("-s {}", flag.name), flag.arg));
    let words =
        LONG_FLAGS.iter().map(|flag| (format!("--{}", flag.name), format!("-l {}", flag.name), flag.arg));
    let mut kinds = std::collections::BTreeMap::<&str, usize>::new();
    for (option, in_fish, argument) in letters.chain(words) {
        let kind = kind(&option);
        let line = |text: &str, begin: String| {
            let found = text.lines().find(|line| line.trim_start().starts_with(&begin)).map(str::to_owned);
            found.unwrap_or_else(|| panic!("{begin} in\n{text}"))
        };
        let zsh =
            line(&zsh, if option.starts_with("--") { format!("'{option}[") } else { format!("'*{option}[") });
        let (_, zsh) = zsh.rsplit_once(']').unwrap();
        let fish = line(&fish, format!("complete -c dtrace {in_fish} "));
        // The cases of bash: `-a|--b) ... ;;`.
        let case = bash.lines().find_map(|line| {
            let (options, action) = line.trim_start().split_once(") ")?;
            options.split('|').any(|known| known == option).then_some(action)
        });
        // The cases of PowerShell: `'-a' { @(...); break }`. What offers no word leaves files to the shell.
        let in_powershell = powershell.lines().find_map(|line| {
            line.trim_start().strip_prefix(&format!("'{option}' {{ @("))?.strip_suffix("); break }")
        });
        assert!(
            powershell.contains(&format!("                ,@('{option}', '")),
            "{option} in\n{powershell}"
        );
        let Some(argument) = argument else {
            assert_eq!((kind, case, zsh, in_powershell), ("other", None, "' \\", None), "{option}");
            assert!(!fish.ends_with(" -r") && !fish.ends_with(" -x"), "{fish}");
            continue;
        };
        *kinds.entry(kind).or_default() += 1;
        let case = case.unwrap_or_else(|| panic!("{option} in\n{bash}"));
        let (in_bash, in_zsh, in_fish) = match kind {
            "file" => ("compgen -f --", ":file:_files' \\".to_owned(), " -r"),
            "folder" => ("compgen -d --", ":folder:_files -/' \\".to_owned(), " -r"),
            "command" => ("compgen -c --", ":command:_command_names' \\".to_owned(), " -r"),
            "shell" => (
                "compgen -W \"bash zsh fish powershell\"",
                ":shell:(bash zsh fish powershell)' \\".to_owned(),
                " -x -a 'bash zsh fish powershell'",
            ),
            "setting" => ("compgen -W \"$settings\"", String::new(), ""),
            "probe" => {
                ("_dtrace_probe;", ":probe:_dtrace_probes' \\".to_owned(), " -x -a '(__dtrace_probes)'")
            }
            "provider" => (
                "_dtrace_probes |",
                ":provider:_dtrace_providers' \\".to_owned(),
                " -r \":.*\" \"\" | sort -u)'",
            ),
            _ => ("COMPREPLY=()", format!(":{}: ' \\", argument.replace(['[', ']', ':'], " ")), " -x"),
        };
        assert!(case.contains(in_bash), "{option}: {case}");
        match (kind, in_powershell) {
            ("setting", Some(words)) => assert!(words.contains(", 'bufpolicy=ring', "), "{words}"),
            ("shell", words) => assert_eq!(words, Some("'bash', 'zsh', 'fish', 'powershell'")),
            (_, words) => assert_eq!(words, Some(""), "{option}"),
        }
        if kind == "setting" {
            assert!(zsh.starts_with(":option:(") && zsh.contains(" bufpolicy=ring "), "{zsh}");
            assert!(fish.contains(" -x -a '") && fish.contains(" bufpolicy=ring "), "{fish}");
        } else {
            // A help text may contain brackets; the argument is behind the last one.
            assert!(zsh == in_zsh || in_zsh.ends_with(zsh), "{option}: {zsh}");
            assert!(fish.ends_with(in_fish), "{option}: {fish}");
        }
    }
    assert_eq!((kinds["file"], kinds["folder"], kinds["command"]), (6, 2, 1));
    assert!(kinds["other"] > 5, "{kinds:?}");
}

/// Nothing here runs PowerShell, so this holds only what its grammar requires of every script: strings and brackets end.
#[test]
fn issue_21_the_script_of_powershell_is_balanced() {
    let script = printed("powershell");
    let mut open = Vec::new();
    let mut characters = script.lines().filter(|line| !line.starts_with('#')).flat_map(str::chars);
    while let Some(character) = characters.next() {
        match character {
            // Two quotes in a string are one of the text: the string ends and the next one begins.
            '\'' => assert!(characters.any(|c| c == '\''), "a string has no end"),
            '(' | '{' | '[' => open.push(character),
            ')' => assert_eq!(open.pop(), Some('(')),
            '}' => assert_eq!(open.pop(), Some('{')),
            ']' => assert_eq!(open.pop(), Some('[')),
            _ => {}
        }
    }
    assert_eq!(open, []);
    assert!(
        script.contains("Register-ArgumentCompleter -Native -CommandName 'dtrace', 'dtrace.exe'"),
        "{script}"
    );
    assert!(script.contains("'whorun', "), "{script}");
}
