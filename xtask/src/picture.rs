//! Pictures of real output for the documentation: a command is run on the sample trace and what it prints
//! becomes an SVG that looks like a terminal, or it draws the picture itself.

use std::fmt::Write as _;
use std::process::Command;

/// Name of the picture, and the `dtrace` arguments that make it, from the workspace's root.
const PICTURES: &[(&str, &[&str])] =
    &[("whorun", &["whorun", "testdata/sample.etl"]), ("diskresp", &["diskresp", "testdata/sample.etl"])];

/// Commands that draw a picture themselves: its name, the option that takes the file, and the other arguments.
const DRAWN: &[(&str, &str, &[&str])] = &[
    (
        "flame",
        "--flame",
        &["-qn", "profile:::sample-997 /pid/ { @[execname, ustack(), stack()] = count(); }"],
    ),
    (
        "heat",
        "--heat",
        &["-qn", "io:::done { @[timestamp / 100000000] = quantize(args[0]->b_resp / 1000); }"],
    ),
];

/// Most lines of a picture; the rest is said to be more.
const LINES: usize = 28;

/// Draws all pictures into `docs/img`.
pub(crate) fn run() -> Result<(), String> {
    let root = crate::workspace::root();
    let folder = root.join("docs/img");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for (name, arguments) in PICTURES {
        let out = Command::new("cargo")
            .args(["run", "--quiet", "--bin", "dtrace", "--"])
            .args(*arguments)
            .current_dir(&root)
            .output()
            .map_err(|e| format!("cargo: {e}"))?;
        if !out.status.success() {
            return Err(format!("{name}: {}", String::from_utf8_lossy(&out.stderr)));
        }
        let text = String::from_utf8_lossy(&out.stdout);
        let prompt = format!("$ dtrace {}", arguments.join(" "));
        let path = folder.join(format!("{name}.svg"));
        std::fs::write(&path, svg(&prompt, text.trim_end()))
            .map_err(|e| format!("{}: {e}", path.display()))?;
        println!("{}", path.strip_prefix(&root).unwrap_or(&path).display());
    }
    for (name, option, arguments) in DRAWN {
        let path = folder.join(format!("{name}.svg"));
        let status = Command::new("cargo")
            .args(["run", "--quiet", "--bin", "dtrace", "--"])
            .args(*arguments)
            .args(["-E", "testdata/sample.etl", option])
            .arg(&path)
            .current_dir(&root)
            .status()
            .map_err(|e| format!("cargo: {e}"))?;
        if !status.success() {
            return Err(format!("{name} could not be drawn"));
        }
        println!("{}", path.strip_prefix(&root).unwrap_or(&path).display());
    }
    Ok(())
}

fn svg(prompt: &str, text: &str) -> String {
    const CHAR: f64 = 8.4;
    const LINE: usize = 19;
    let mut lines: Vec<String> = vec![prompt.to_owned()];
    lines.extend(text.lines().take(LINES).map(str::to_owned));
    let more = text.lines().count().saturating_sub(LINES);
    if more > 0 {
        lines.push(format!("… {more} more lines"));
    }
    let columns = lines.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let width = (columns as f64 * CHAR) as usize + 40;
    let height = lines.len() * LINE + 56;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         font-family=\"ui-monospace,Menlo,Consolas,monospace\" font-size=\"14\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#1b1f27\"/>\n"
    );
    for (n, colour) in ["#ff5f57", "#febc2e", "#28c840"].iter().enumerate() {
        let _ = writeln!(out, "<circle cx=\"{}\" cy=\"18\" r=\"6\" fill=\"{colour}\"/>", 22 + n * 20);
    }
    for (n, line) in lines.iter().enumerate() {
        let colour = if n == 0 { "#7fd1b9" } else { "#d7dce5" };
        let line = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            out,
            "<text x=\"20\" y=\"{}\" fill=\"{colour}\" xml:space=\"preserve\">{line}</text>",
            52 + n * LINE
        );
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn text_is_escaped_and_cut() {
        let picture = super::svg("$ x", &"a<b\n".repeat(40));
        assert!(picture.contains("a&lt;b") && picture.contains("… 12 more lines"));
    }
}
