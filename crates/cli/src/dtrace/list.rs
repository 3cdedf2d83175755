//! `-l`: the probes that match.

use std::collections::{HashMap, HashSet};

use tracewell_dlang::catalog::{Catalog, ProbeDesc, ProbeInfo};
use tracewell_dlang::options::Options;
use tracewell_dlang::pragma::Attributes;
use tracewell_dlang::program::ProbeId;
use tracewell_etl::Trace;
use tracewell_probes::catalog::{Kind, ProbeCatalog};
use tracewell_probes::needs::Need;
use tracewell_probes::replay::EventCounts;

use crate::out::say;
use tracewell::lacks::{self, Lack};
use tracewell::text::grouped;

use super::fatal::Fatal;
use super::options::{Invocation, Program};
use super::{compile, messages};
use tracewell_live::reach;
use tracewell_live::session::System;

/// Lists the probes that the descriptions of the command line match, or all.
pub(super) fn list(
    inv: &Invocation,
    options: &Options,
    catalog: &mut ProbeCatalog<'_>,
    traces: &[Trace<'_>],
    system: Option<&System>,
    target: Option<u32>,
) -> Result<i32, Fatal> {
    // A listing by number may name any probe, so all there are must be known.
    catalog.complete();
    let scripts = inv.programs.iter().any(|p| matches!(p, Program::Script(_)));
    let Chosen { mut wanted, general, missing } = if scripts {
        let prepared = compile::compile(inv, options, catalog, target)?;
        let clauses = prepared.program.clauses.iter();
        Chosen { wanted: clauses.flat_map(|c| c.probes.iter().copied()).collect(), ..Chosen::default() }
    } else {
        chosen(inv, catalog, !traces.is_empty(), target)
    };
    wanted.sort_unstable();
    wanted.dedup();
    // Live only what can fire is listed; of what was asked for by name it is said what cannot.
    let mut asleep = 0;
    if traces.is_empty() && !scripts {
        if inv.programs.is_empty() {
            asleep = reach::keep_able(&mut wanted, catalog, system);
        } else {
            asleep = wanted.iter().filter(|&&id| !reach::can_fire(catalog, system, id)).count();
        }
    }
    if inv.verbose {
        catalog.find_arguments(&wanted);
    }
    let counts = (!traces.is_empty()).then(|| EventCounts::of(traces, catalog));
    let count = |id: ProbeId| counts.as_ref().map(|counts| counts.probe(catalog, id));
    let mut unable = Vec::new();
    if !scripts {
        // What was asked for by a script is shown whether or not it can fire.
        wanted.retain(|&id| {
            let able = count(id) != Some(Some(0));
            if !able {
                unable.push(id);
            }
            able
        });
    }
    if counts.is_some() {
        by_provider(&mut wanted, catalog);
    }
    let (general, matched): (Vec<ProbeId>, Vec<ProbeId>) =
        wanted.iter().partition(|&id| general.contains(id));
    let room = crate::term::width();
    let mut text = String::new();
    if !matched.is_empty() || general.is_empty() {
        text.push_str(&table(&matched, catalog, inv.verbose, room, count));
    }
    if !general.is_empty() {
        text.push_str(if matched.is_empty() { "" } else { "\n" });
        text.push_str("These match only descriptions that name them:\n");
        text.push_str(&table(&general, catalog, inv.verbose, room, count));
    }
    // In front of the table, where it is seen.
    report_missing(&missing);
    crate::write_stdout(&text);
    if inv.programs.is_empty() {
        // Of all that there is, what descriptions know beyond the trace would be too much to say.
        unable.retain(|&id| matches!(catalog.kind(id), Some(Kind::Fixed(_))));
    }
    crate::out::write_stderr(&cannot_fire(&unable, &wanted, catalog));
    report_asleep(asleep, inv.programs.is_empty());
    Ok(i32::from(!missing.is_empty() && wanted.is_empty()))
}

/// The probes that the descriptions of a command line match.
#[derive(Default)]
struct Chosen {
    wanted: Vec<ProbeId>,
    /// Probes that only descriptions that name them match.
    general: HashSet<ProbeId>,
    missing: Vec<Missing>,
}

/// Looks for the descriptions of a command line; without any, all probes are chosen.
fn chosen(
    inv: &Invocation,
    catalog: &mut ProbeCatalog<'_>,
    over_traces: bool,
    target: Option<u32>,
) -> Chosen {
    let mut chosen = Chosen::default();
    if inv.programs.is_empty() {
        match over_traces {
            false => catalog.matches(&ProbeDesc::default(), &mut chosen.wanted),
            true => catalog.listed(&ProbeDesc::default(), &mut chosen.wanted),
        }
    }
    for program in &inv.programs {
        let Program::Spec(letter, text) = program else { continue };
        let before = chosen.wanted.len();
        let text = &match target {
            Some(pid) => text.replace("$target", &pid.to_string()),
            None => text.clone(),
        };
        match describe(*letter, text) {
            Some(Err(id)) => chosen.wanted.extend(catalog.probe(id).map(|p| p.id)),
            // Who asks what a provider has in a trace wants all of it. What a program has to name is listed separately.
            Some(Ok(desc)) if *letter == 'P' && over_traces => {
                let mut all = Vec::new();
                catalog.matches(&desc, &mut chosen.wanted);
                catalog.listed(&desc, &mut all);
                let matched: HashSet<ProbeId> = chosen.wanted[before..].iter().copied().collect();
                chosen.general.extend(all.iter().filter(|id| !matched.contains(id)));
                chosen.wanted.extend(all);
            }
            Some(Ok(desc)) => catalog.matches(&desc, &mut chosen.wanted),
            None => {}
        }
        if chosen.wanted.len() == before {
            let (near, why) = match describe(*letter, text) {
                Some(Ok(desc)) => (catalog.suggest(&desc), catalog.explain(&desc).map(|(_, why)| why)),
                _ => (Vec::new(), None),
            };
            // All parts are shown, where an option names one.
            let whole = match letter {
                'P' => format!("{text}:::"),
                'm' => format!(":{text}::"),
                'f' => format!("::{text}:"),
                _ => text.clone(),
            };
            chosen.missing.push((whole, near, why));
        }
    }
    chosen
}

/// Reports how many probes cannot fire live, of all or of those that were named.
fn report_asleep(asleep: usize, of_all: bool) {
    if asleep > 0 {
        let count = grouped(asleep as u64);
        match of_all {
            true => say!(
                "dtrace: {count} more probes cannot fire live on this system, only over a trace (-E); -P PROVIDER lists \
                 them all the same"
            ),
            false => {
                say!("dtrace: of these {count} cannot fire live on this system, only over a trace (-E)");
            }
        }
    }
}

/// A description that matches no probe, near ones, and the reason.
type Missing = (String, Vec<String>, Option<String>);

/// Reports the descriptions that match no probe.
fn report_missing(missing: &[Missing]) {
    for (text, near, why) in missing {
        let meant = match why {
            Some(why) if near.is_empty() => format!(" ({why})"),
            _ if near.is_empty() => String::new(),
            _ => format!(" (did you mean {}?)", near.join(" or ")),
        };
        say!("dtrace: failed to match {text}: No probe matches description{meant}");
    }
}

/// Puts the fixed probes first, then the kernel's own events, then each provider with its events and keywords.
fn by_provider(probes: &mut [ProbeId], catalog: &ProbeCatalog<'_>) {
    let mut providers: Vec<&str> = Vec::new();
    let mut ranks: HashMap<ProbeId, usize> = HashMap::new();
    for &id in probes.iter() {
        let rank = match (catalog.kind(id), catalog.probe(id)) {
            (Some(Kind::Class(..)), _) => 1,
            (
                Some(
                    Kind::Events(_)
                    | Kind::Event(_)
                    | Kind::Keyword(..)
                    | Kind::CaptureState(_)
                    | Kind::Span(_),
                ),
                Some(probe),
            ) => {
                let at = providers.iter().position(|known| *known == probe.provider).unwrap_or_else(|| {
                    providers.push(&probe.provider);
                    providers.len() - 1
                });
                2 + at
            }
            _ => 0,
        };
        ranks.insert(id, rank);
    }
    probes.sort_by_key(|id| (ranks.get(id).copied().unwrap_or(0), *id));
}

/// Which of the probes that were asked for a trace cannot fire, and what recording their events needs: probes of one
/// provider and need share a line. Where one of the probes that can fire shows that this was recorded, it just did not
/// happen. Events that descriptions know and the trace lacks are counted only.
fn cannot_fire(unable: &[ProbeId], able: &[ProbeId], catalog: &ProbeCatalog<'_>) -> String {
    let recorded: HashSet<Need> = able.iter().filter_map(|&id| catalog.needs(id)).collect();
    let mut needs: Vec<(&str, Need, Vec<&str>)> = Vec::new();
    let mut events: Vec<(&str, usize)> = Vec::new();
    for &id in unable {
        let (Some(probe), Some(kind)) = (catalog.probe(id), catalog.kind(id)) else { continue };
        match kind {
            Kind::CaptureState(_) => {}
            Kind::Events(_)
            | Kind::Event(_)
            | Kind::Class(..)
            | Kind::Keyword(..)
            | Kind::Span(_)
            | Kind::Call(..) => match events.iter_mut().find(|(provider, _)| *provider == probe.provider) {
                Some((_, count)) => *count += 1,
                None => events.push((&probe.provider, 1)),
            },
            _ => {
                let Some(need) = catalog.needs(id) else { continue };
                let known = |(provider, known, _): &&mut (&str, Need, _)| {
                    *provider == probe.provider && *known == need
                };
                match needs.iter_mut().find(known) {
                    Some((.., names)) => names.push(&probe.name),
                    None => needs.push((&probe.provider, need, vec![&probe.name])),
                }
            }
        }
    }
    let count = needs.iter().map(|(.., names)| names.len()).sum::<usize>();
    let mut text = String::new();
    if count > 0 {
        let probes = if count == 1 { "1 probe".to_owned() } else { format!("{count} probes") };
        text = format!(
            "dtrace: {probes} cannot fire here: the trace has no such events, whose recording needs\n"
        );
    }
    let lacks: Vec<Lack> = needs
        .into_iter()
        .map(|(provider, need, names)| Lack {
            was_on: recorded.contains(&need),
            probes: format!("{provider}:::{}", names.join(" ")),
            need,
        })
        .collect();
    text.push_str(&lacks::lines(&lacks));
    if !events.is_empty() {
        let each: Vec<String> =
            events.iter().map(|(provider, count)| format!("{provider} ({count})")).collect();
        text.push_str(&format!(
            "dtrace: probes on single events, known by descriptions only: {}\n",
            each.join(", ")
        ));
    }
    text
}

/// No column of a listing is made wider than this.
const WIDEST: usize = 36;

/// The columns of a listing.
struct Layout<'p> {
    /// Width of the number of firings; 0 without any.
    count: usize,
    id: usize,
    /// Widths of provider, module and function; [`None`] if a probe is one column.
    parts: Option<[usize; 3]>,
    /// Provider and name of probes that differ in module or function.
    doubles: HashSet<(&'p str, &'p str)>,
}

impl<'p> Layout<'p> {
    fn of(probes: &[&'p ProbeInfo], counts: &[Option<String>], room: Option<usize>) -> Layout<'p> {
        // The columns' classic widths, or wider where names are.
        let wide = |least: usize, part: fn(&ProbeInfo) -> &str| {
            let longest = probes.iter().map(|p| part(p).len()).max();
            least.max(longest.unwrap_or(0).min(WIDEST))
        };
        let parts = [wide(10, |p| &p.provider), wide(17, |p| &p.module), wide(33, |p| &p.function)];
        let name = probes.iter().map(|probe| probe.name.len()).max().unwrap_or(0);
        let is_counted = counts.first().is_some_and(Option::is_some);
        let (count, id) = (if is_counted { 10 } else { 0 }, 5);
        let whole = count + id + parts.iter().sum::<usize>() + name + 5;
        if room.is_none_or(|room| whole <= room) {
            return Layout { count, id, parts: Some(parts), doubles: HashSet::new() };
        }
        let longest = counts.iter().flatten().map(String::len).max();
        let count = if is_counted { longest.unwrap_or(0).max("COUNT".len()) } else { 0 };
        let id = probes.iter().map(|probe| probe.id.0.to_string().len()).max().unwrap_or(0).max(2);
        let (mut seen, mut doubles) = (HashSet::new(), HashSet::new());
        for probe in probes {
            let key = (&*probe.provider, &*probe.name);
            if !seen.insert(key) {
                doubles.insert(key);
            }
        }
        Layout { count, id, parts: None, doubles }
    }

    fn heading(&self) -> String {
        let (count, id) = (self.count, self.id);
        let counted = if count > 0 { format!("{:>count$} ", "COUNT") } else { String::new() };
        match self.parts {
            None => format!("{counted}{:>id$} PROBE\n", "ID"),
            Some([a, b, c]) => {
                format!(
                    "{counted}{:>id$} {:>a$} {:>b$} {:>c$} NAME\n",
                    "ID", "PROVIDER", "MODULE", "FUNCTION"
                )
            }
        }
    }

    fn row(&self, count: Option<&str>, probe: &ProbeInfo) -> String {
        let ProbeInfo { id, provider, module, function, name, .. } = probe;
        let (wide, number) = (self.count, id.0);
        let counted = count.map_or(String::new(), |count| format!("{count:>wide$} "));
        let wide = self.id;
        match self.parts {
            Some([a, b, c]) => {
                format!("{counted}{number:>wide$} {provider:>a$} {module:>b$} {function:>c$} {name}\n")
            }
            None if self.doubles.contains(&(&**provider, &**name)) => {
                format!("{counted}{number:>wide$} {provider}:{module}:{function}:{name}\n")
            }
            None => format!("{counted}{number:>wide$} {provider}:::{name}\n"),
        }
    }
}

/// Probes by number and name, with the number of times a trace can fire each (`count`: [`None`] without a trace,
/// `Some(None)` if the number does not depend on events), and with the types of their arguments on request. Where the columns are
/// wider than the terminal (`room`), a probe is one column, as it is typed.
fn table(
    probes: &[ProbeId],
    catalog: &ProbeCatalog<'_>,
    verbose: bool,
    room: Option<usize>,
    count: impl Fn(ProbeId) -> Option<Option<u64>>,
) -> String {
    let counts: Vec<Option<String>> = probes
        .iter()
        .map(|&id| count(id).map(|count| count.map_or("-".to_owned(), |count| count.to_string())))
        .collect();
    let listed: Vec<&ProbeInfo> = probes.iter().filter_map(|&id| catalog.probe(id)).collect();
    let layout = Layout::of(&listed, &counts, room);
    let mut text = layout.heading();
    for (id, count) in probes.iter().zip(counts) {
        let Some(p) = catalog.probe(*id) else { continue };
        text.push_str(&layout.row(count.as_deref(), p));
        if verbose {
            text.push('\n');
            text.push_str(&messages::attribute_lines(
                "Probe Description Attributes",
                "",
                Attributes::EVOLVING,
            ));
            text.push_str("\n\tArgument Types\n");
            if p.args.is_empty() {
                text.push_str("\t\tNone\n");
            }
            for (n, arg) in p.args.iter().enumerate() {
                let shown = arg.translated.as_ref().unwrap_or(&arg.native);
                let gloss = match catalog.gloss(*id, n) {
                    "" => String::new(),
                    gloss => format!(" ({gloss})"),
                };
                text.push_str(&format!("\t\targs[{n}]: {shown}{gloss}\n"));
            }
            for (name, ty) in catalog.fields(*id).into_iter().flatten() {
                text.push_str(&format!("\t\t\t{ty} {name}\n"));
            }
            for (n, gloss) in catalog.untyped(*id).iter().enumerate() {
                text.push_str(&format!("\t\targ{n}: {gloss}\n"));
            }
            text.push('\n');
        }
    }
    text
}

/// A description as an option letter reads it: a probe's number, or up to four parts filled from the right.
fn describe(letter: char, text: &str) -> Option<Result<ProbeDesc, ProbeId>> {
    if letter == 'i' {
        return text.trim().parse().ok().map(|id| Err(ProbeId(id)));
    }
    let head = text.split('{').next().unwrap_or_default().trim();
    let is_name = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.*?".contains(c))
    };
    let head = match head.split_once('/') {
        // An event as other tools write it: no predicate begins so, which would end with a slash.
        Some((before, after)) if is_name(after) && before.ends_with(|c: char| !c.is_whitespace()) => {
            format!("{before}_{after}")
        }
        Some((before, _)) => before.trim_end().to_owned(),
        None => head.to_owned(),
    };
    let mut desc = ProbeDesc::default();
    let mut parts = head.split(':').rev();
    let mut fields = [&mut desc.name, &mut desc.function, &mut desc.module, &mut desc.provider];
    let skip = match letter {
        'f' => 1,
        'm' => 2,
        'P' => 3,
        _ => 0,
    };
    for field in fields.iter_mut().skip(skip) {
        if let Some(part) = parts.next() {
            **field = part.to_owned();
        }
    }
    parts.next().is_none().then_some(Ok(desc))
}
