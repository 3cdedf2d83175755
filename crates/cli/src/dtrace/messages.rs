//! Compile errors: one classic line for tools, and on a terminal the place in the source below it.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use tracewell_dlang::compile::StabilityReport;
use tracewell_dlang::diag::Diagnostic;
use tracewell_dlang::pragma::Attributes;
use tracewell_dlang::source::{Origin, Source, Sources};
use tracewell_dlang::tags::Tag;

/// The classic line, without its newline.
#[must_use]
pub(super) fn classic(diagnostic: &Diagnostic, sources: &Sources, errtags: bool) -> String {
    let text = diagnostic.classic(sources, errtags);
    let Some(source) = sources.get(diagnostic.span.source) else {
        return format!("dtrace: failed to compile: {text}");
    };
    match source.origin {
        Origin::Script => {
            let usage = match usage(source) {
                Some(usage) if diagnostic.tag == Tag::MacroUndef => format!(" (usage: {usage})"),
                _ => String::new(),
            };
            format!("dtrace: failed to compile script {}: {text}{usage}", source.name)
        }
        Origin::Library => format!("dtrace: failed to compile library {}: {text}", source.name),
        Origin::Argument => format!("dtrace: invalid probe specifier {}: {text}", one_line(&source.name)),
    }
}

/// How a script is run, as the comment at its top says: the first line of it that begins with the command and `-s`, or with the
/// command and the script's name.
fn usage(script: &Source) -> Option<String> {
    let text = String::from_utf8_lossy(&script.text);
    let name = std::path::Path::new(&script.name).file_stem().unwrap_or_default().to_string_lossy();
    let by_name = format!("dtrace {name} ");
    let comment = text.split("*/").next().unwrap_or_default();
    let mut lines = comment.lines().map(|line| line.trim_start_matches([' ', '\t', '*', '/']).trim_end());
    lines.find(|line| line.starts_with("dtrace -s ") || line.starts_with(&by_name)).map(str::to_owned)
}

/// A program of several lines as one, so that the message is one.
fn one_line(program: &str) -> String {
    if program.contains('\n') {
        program.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        program.to_owned()
    }
}

/// The output of `-v` for a program: the minimum stability of its descriptions and of its
/// statements.
#[must_use]
pub(super) fn stability(report: &StabilityReport) -> String {
    let what = if report.script { "script" } else { "description" };
    // Of a program on the command line only its description names it.
    let end = if report.script { None } else { report.name.find(['{', '/', ';']) };
    let name = report.name.get(..end.unwrap_or(report.name.len())).unwrap_or_default().trim_end();
    let mut text = format!("\nStability attributes for {what} {name}:\n\n");
    for (title, attributes) in [
        ("Minimum Probe Description Attributes", report.probes),
        ("Minimum Statement Attributes", report.statements),
    ] {
        text.push_str(&attribute_lines(title, "", attributes));
        text.push('\n');
    }
    text
}

/// Stability attributes as a titled list.
#[must_use]
pub(super) fn attribute_lines(title: &str, indent: &str, attributes: Attributes) -> String {
    format!(
        "{indent}\t{title}\n{indent}\t\tIdentifier Names: {}\n{indent}\t\tData Semantics:   {}\n\
         {indent}\t\tDependency Class: {}\n",
        attributes.name.text(),
        attributes.data.text(),
        attributes.class.text()
    )
}

/// The source at the error, with the place marked and the hint; empty when there is nothing to show.
#[must_use]
pub(super) fn excerpt(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let Some(source) = sources.get(diagnostic.span.source) else { return String::new() };
    let (text, start, end, line) = window(source, sources, diagnostic);
    let label = diagnostic.hint.as_deref().unwrap_or("");
    let snippet = Snippet::source(&text)
        .line_start(line)
        .path(&source.name)
        .annotation(AnnotationKind::Primary.span(start..end).label(label));
    let report = [Level::ERROR.primary_title(diagnostic.message.as_str()).element(snippet)];
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut text = renderer.render(&report).to_string();
    text.push('\n');
    text
}

/// A few lines around the error: text, the marked stretch in it, and the first line's number.
fn window(source: &Source, sources: &Sources, diagnostic: &Diagnostic) -> (String, usize, usize, usize) {
    const AROUND: usize = 2;
    let bytes = &source.text;
    let start = (diagnostic.span.start as usize).min(bytes.len());
    let end = (diagnostic.span.end as usize).clamp(start, bytes.len());
    let mut from = start;
    let mut above = 0;
    while from > 0 {
        if bytes[from - 1] == b'\n' {
            if above == AROUND {
                break;
            }
            above += 1;
        }
        from -= 1;
    }
    let to = bytes[end..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |p| end + p);
    // Positions are counted in the text as shown, where what is not UTF-8 has been replaced.
    let head = String::from_utf8_lossy(&bytes[from..start]).into_owned();
    let body = String::from_utf8_lossy(&bytes[start..end]).into_owned();
    let tail = String::from_utf8_lossy(&bytes[end..to]).into_owned();
    let lines_above = head.bytes().filter(|&b| b == b'\n').count();
    let line = (sources.locate(diagnostic.span).line as usize).saturating_sub(lines_above).max(1);
    let (a, b) = (head.len(), head.len() + body.len());
    (format!("{head}{body}{tail}"), a, b.max(a), line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_dlang::compile::{CompileOptions, Compiler, ProgramText};
    use tracewell_dlang::parse::Naming;
    use tracewell_probes::catalog::ProbeCatalog;

    /// The line and the excerpt for a program that is refused.
    fn refused(text: &ProgramText, errtags: bool) -> (String, String) {
        let mut catalog = ProbeCatalog::new();
        let mut compiler = Compiler::new(&mut catalog, CompileOptions::default());
        let diagnostic = compiler.compile(std::slice::from_ref(text)).expect_err("the program is refused");
        let sources = compiler.sources();
        (classic(&diagnostic, sources, errtags), excerpt(&diagnostic, sources, false))
    }

    #[test]
    fn a_script_is_named_with_its_line_and_tag() {
        let text = b"BEGIN\n{\n\tx = 1;\n\ty = x +;\n}\n";
        let (line, shown) = refused(&ProgramText::script("a.d", text.to_vec()), true);
        assert_eq!(
            line,
            "dtrace: failed to compile script a.d: [D_SYNTAX] line 4: syntax error near \";\": expected an expression"
        );
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[1].trim_start().starts_with("--> a.d:4:"), "{shown}");
        let marked = lines.iter().position(|l| l.starts_with("4 |")).expect("the line is shown");
        assert!(lines[marked].ends_with("y = x +;"), "{shown}");
        // The mark is below the semicolon.
        assert_eq!(lines[marked + 1].find('^'), lines[marked].find(';'), "{shown}");
    }

    #[test]
    fn a_missing_argument_is_reported_with_the_usage() {
        let script = b"/*\n * Who.\n *\n *   dtrace -s who.d -E FILE PID\n */\nBEGIN { x = $1; }\n";
        let (line, _) = refused(&ProgramText::script("who.d", script.to_vec()), false);
        assert!(line.ends_with("$1 is not defined (usage: dtrace -s who.d -E FILE PID)"), "{line}");
        assert_eq!(line.lines().count(), 1);
        // By its name too, but not what only begins with the command.
        let named = b"/* dtrace counts.\n *   dtrace who trace.etl PID\n */\nBEGIN { x = $1; }\n";
        let (line, _) = refused(&ProgramText::script("scripts/who.d", named.to_vec()), false);
        assert!(line.ends_with("(usage: dtrace who trace.etl PID)"), "{line}");
        // Another error is not about its use.
        let script = String::from_utf8_lossy(script).replace("$1", "+").into_bytes();
        let (line, _) = refused(&ProgramText::script("who.d", script), false);
        assert!(!line.contains("usage"), "{line}");
    }

    #[test]
    fn a_program_of_several_lines_is_refused_in_one() {
        let text = ProgramText::argument("BEGIN\n{\n\ttrace(nothing);\n}", Naming::Name);
        let (line, _) = refused(&text, false);
        assert!(
            line.starts_with("dtrace: invalid probe specifier BEGIN { trace(nothing); }: line 3, column 8: "),
            "{line}"
        );
        assert_eq!(line.lines().count(), 1);
    }

    #[test]
    fn text_that_is_not_utf8_is_shown_all_the_same() {
        let (line, shown) =
            refused(&ProgramText::script("b.d", b"BEGIN { x = \"\xff\xfe\" + ; }".to_vec()), false);
        assert!(line.starts_with("dtrace: failed to compile script b.d: line 1, column 20: "), "{line}");
        assert!(shown.contains('^'), "{shown}");
    }
}
