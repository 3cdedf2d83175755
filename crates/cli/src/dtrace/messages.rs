//! Compile errors: one classic line for tools, and on a terminal the place in the source below it.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use tracewell_dlang::diag::Diagnostic;
use tracewell_dlang::source::{Origin, Source, Sources};

/// The classic line, without its newline.
#[must_use]
pub(super) fn classic(diagnostic: &Diagnostic, sources: &Sources, errtags: bool) -> String {
    let text = diagnostic.classic(sources, errtags);
    let Some(source) = sources.get(diagnostic.span.source) else {
        return format!("dtrace: failed to compile: {text}");
    };
    match source.origin {
        Origin::Script => format!("dtrace: failed to compile script {}: {text}", source.name),
        Origin::Library => format!("dtrace: failed to compile library {}: {text}", source.name),
        Origin::Argument => format!("dtrace: invalid probe specifier {}: {text}", one_line(&source.name)),
    }
}

/// A program of several lines as one, so that the message is one.
fn one_line(program: &str) -> String {
    if program.contains('\n') {
        program.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        program.to_owned()
    }
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
