//! What `-h` shows.

use super::options;

/// How it is called: with all options, and by a script's name.
pub(super) fn usage_lines() -> [String; 3] {
    let letters: String = options::FLAGS.iter().filter(|f| f.arg.is_none()).map(|f| f.name).collect();
    let mut text = format!("[-32|-64] [-{letters}]");
    for flag in options::FLAGS.iter().filter(|f| !f.name.is_ascii_digit()) {
        if let Some(arg) = flag.arg {
            text.push_str(&format!(" [-{} {arg}]", flag.name));
        }
    }
    text.push_str(" [args ...]");
    [text, "[options] SCRIPT [trace.etl ...] [args ...]".to_owned(), "scripts [show SCRIPT]".to_owned()]
}

/// Everything.
pub(super) fn help() -> String {
    let mut text = String::from(
        "dtrace answers D questions over Windows event traces (-E), or live over this machine.\n\n",
    );
    for (line, lead) in usage_lines().iter().zip(["Usage:", "      ", "      "]) {
        text.push_str(&format!("{lead} dtrace {line}\n"));
    }
    text.push_str("\nOptions:\n");
    for flag in options::FLAGS {
        let left = match (flag.name, flag.arg) {
            ('3', _) => "-32".to_owned(),
            ('6', _) => "-64".to_owned(),
            (letter, Some(arg)) => format!("-{letter} {arg}"),
            (letter, None) => format!("-{letter}"),
        };
        text.push_str(&format!("  {left:<16} {}\n", flag.help));
    }
    for flag in options::LONG_FLAGS {
        let left = match flag.arg {
            Some(arg) => format!("--{} {arg}", flag.name),
            None => format!("--{}", flag.name),
        };
        text.push_str(&format!("  {left:<16} {}\n", flag.help));
    }
    text.push_str(
        "\n\
         Examples:
  \
         dtrace -n 'profile:::sample-997 { @[execname] = count(); }' -E trace.etl\n  \
         dtrace scripts                               list the scripts that come with the command\n  \
         dtrace whorun trace.etl                      run one: which programs got the processors\n  \
         dtrace -l -P sched                           list the probes of a provider\n  \
         dtrace -n 'shop:::events { @[execname] = count(); }' -c ./shop    live, what a program logs\n  \
         dtrace -n 'tick-1s { printf(\"%Y\", walltimestamp); }'\n",
    );
    text
}
