//! What a live run finds out before it begins: which events there are of providers whose events describe themselves. It
//! listens to them, and where no program has one yet it waits.

use tracewell_dlang::options::{Opt, Options};
use tracewell_probes::catalog::{Kind, ProbeCatalog};
use tracewell_probes::events::Sightings;
use tracewell_probes::functions::is_of_process;

use super::compile::{self, Prepared};
use super::fatal::Fatal;
use super::options::Invocation;
use super::stored::stored_schemas;
use crate::out::say;
use tracewell_live::functions::Functions;
use tracewell_live::interrupt::Interrupt;
use tracewell_live::{process, reach, session, tracepoints};

/// The catalog of a live run, with what was seen of providers.
pub(super) fn live_catalog(
    system: &session::System,
    seen: impl Fn() -> Sightings + 'static,
    functions: &Functions,
) -> ProbeCatalog<'static> {
    let mut catalog = ProbeCatalog::new();
    let of_linux = system.is_linux();
    if system.samples() {
        catalog.sample_profiles();
    }
    catalog.survey_by(system.survey(seen));
    catalog.survey_provider_by(tracewell_kernel_linux::PROVIDER_NAME, system.survey_tracepoints());
    catalog.name_providers_by(session::guid_of_name);
    // Where there are no events of the kernel, the probes are known all the same, with what they need.
    if of_linux || cfg!(target_os = "linux") && !system.has_system_events() {
        catalog.name_calls_by(tracepoints::call_names);
    }
    if of_linux {
        for provider in tracewell_kernel_linux::providers() {
            catalog.add_system_provider(provider);
        }
    }
    catalog.find_functions_by(functions.clone());
    catalog
}

/// Listens briefly to the providers that a listing names, if running programs registered them: their events contain their
/// names.
pub(super) fn hear_what_is_listed(
    inv: &Invocation,
    options: &Options,
    catalog: &mut ProbeCatalog<'_>,
    system: &mut session::System,
    functions: &Functions,
    interrupt: &Interrupt,
) {
    let named = compile::named_providers(inv, options, None);
    let has_events = |name: &str| {
        catalog.iter().any(|(info, kind)| info.provider == name && matches!(kind, Kind::Event(_)))
    };
    let named: Vec<String> =
        named.into_iter().filter(|name| may_describe(name, catalog) && !has_events(name)).collect();
    if named.is_empty() {
        return;
    }
    let tell = |_: session::Stage<'_>| {
        say!("dtrace: listening to {} for {} s, to learn its events", named.join(", "), LISTING.as_secs());
    };
    let mut seen = None;
    let whom =
        session::Listening { providers: &named, stacks: false, time: LISTING, waits: false, target: None };
    let heard = system.learn(whom, stored_schemas(), interrupt, tell, |_, lookout| {
        seen = Some(lookout.sightings());
        false
    });
    // That it cannot listen is no matter: what is known is listed.
    if let (Ok(Some(_)), Some(seen)) = (heard, seen) {
        *catalog = live_catalog(system, move || seen.clone(), functions);
    }
}

/// How long to listen for what is to be listed.
const LISTING: std::time::Duration = std::time::Duration::from_secs(2);
/// How long to listen for what the events of a provider are called.
const LEARNING: std::time::Duration = std::time::Duration::from_secs(10);

/// Compiles again with the descriptions in the providers' events: descriptions that matched nothing may name events that
/// describe themselves. `error` is the compiler's previous error; it remains if no such event arrives.
pub(super) fn learn(
    (inv, options): (&Invocation, &Options),
    catalog: &mut ProbeCatalog<'_>,
    system: &mut session::System,
    functions: &Functions,
    interrupt: &Interrupt,
    mut target: Option<&mut process::Target>,
    error: Fatal,
) -> Result<(Prepared, Option<session::Lesson>), Fatal> {
    if let Some(named) = named_in(&error.0)
        && system.is_linux()
        && tracepoints::are_unreadable(&named)
    {
        let line =
            format!("dtrace: the probes of {named} need root, which alone may read the names of tracepoints");
        return Err(Fatal(line));
    }
    let Some(provider) = unmatched(&error.0, catalog) else { return Err(error) };
    if system.withholds_provider(&session::guid_of_name(&provider)) {
        return Err(Fatal(format!("dtrace: the probes of {provider}: {}", reach::WITHHELD)));
    }
    // What the process does not contain it will not log either, unless a program has a provider of this very name.
    if functions.is_of_target(&provider) && !system.has_programs(&session::guid_of_name(&provider)) {
        return Err(error);
    }
    let pid = target.as_ref().map(|target| target.pid());
    // The events of others that the program names may come before it is known that they are asked for.
    let others = compile::named_providers(inv, options, pid);
    let others = others.into_iter().filter(|other| *other != provider && may_describe(other, catalog));
    let providers: Vec<String> = std::iter::once(provider.clone()).chain(others).collect();
    let waits = options.flag(Opt::Await);
    let result = std::cell::RefCell::new(Err(error));
    let tell = |stage: session::Stage<'_>| {
        let listened = providers.join(", ");
        match stage {
            session::Stage::Absent => {
                say!("dtrace: waiting for a program to register provider {provider} (^C ends)")
            }
            session::Stage::Begun { command: true } => say!(
                "dtrace: listening to {listened} while the command runs, to learn its events; what comes meanwhile is kept"
            ),
            session::Stage::Begun { command: false } => {
                say!("dtrace: listening to {listened}, to learn its events; what comes meanwhile is kept")
            }
            session::Stage::Unheard { events, stop } => {
                let message = result.borrow().as_ref().err().map(|error: &Fatal| error.0.clone());
                // A name near to one that came was meant for that.
                let Some(description) = message.as_deref().and_then(missing).filter(|_| waits) else {
                    *stop = true;
                    return;
                };
                let heard = tracewell::text::counted(events, "event", "events");
                say!(
                    "dtrace: {heard} came, and none is {description}: listening on until one does (^C ends)"
                );
            }
        }
    };
    let whom = session::Listening {
        providers: &providers,
        stacks: true,
        time: LEARNING,
        waits,
        target: target.as_deref_mut(),
    };
    let heard = system.learn(whom, stored_schemas(), interrupt, tell, |system, seen| {
        let seen = seen.sightings();
        let mut known = live_catalog(system, move || seen.clone(), functions);
        let compiled = compile::compile(inv, options, &mut known, pid);
        let over = compiled.as_ref().err().and_then(|error| unmatched(&error.0, &known)).is_none();
        *result.borrow_mut() = compiled;
        *catalog = known;
        over
    });
    let result = result.into_inner();
    // That it cannot listen is no answer: the compiler's is.
    let lesson = heard.unwrap_or_default();
    if result.is_err()
        && let Some(target) = target
    {
        target.abandon();
    }
    match result {
        Ok(prepared) => {
            if let Some(lesson) = lesson.as_ref().filter(|lesson| lesson.forgotten > 0) {
                let events = tracewell::text::counted(lesson.forgotten, "event", "events");
                say!("dtrace: {events} came before all names were known and were too many to keep");
            }
            Ok((prepared, lesson))
        }
        Err(Fatal(line)) => Err(Fatal(match (lesson, unmatched(&line, catalog)) {
            (Some(lesson), Some(provider)) => {
                let heard = tracewell::text::counted(lesson.events, "event was", "events were");
                format!("{line} ({heard} heard while listening to {provider})")
            }
            (None, Some(provider)) if !compile::is_compared(options) => format!(
                "{line}; no running program has registered provider {provider}: start it first, let dtrace start it (-c), or wait for it (-x await)"
            ),
            _ => line,
        })),
    }
}

/// The provider of a description that matched nothing, by the compiler's message.
fn named_in(message: &str) -> Option<String> {
    let (before, _) = message.split_once(" does not match any probes")?;
    let (_, description) = before.rsplit_once("probe description ")?;
    Some(description.split_once(':')?.0.trim().to_ascii_lowercase())
}

/// The same, if events of it can come.
fn unmatched(message: &str, catalog: &ProbeCatalog<'_>) -> Option<String> {
    let provider = named_in(message)?;
    let plain = !provider.is_empty() && !provider.contains(['*', '?', '[']);
    let known = catalog.iter().any(|(info, _)| info.provider == provider);
    // An unknown provider with a name similar to a known one is probably a typing error.
    let mistyped = !known && message.contains("did you mean");
    (plain && !mistyped && may_describe(&provider, catalog)).then_some(provider)
}

/// The description that matched nothing, by the compiler's message; [`None`] when it names one that is near.
fn missing(message: &str) -> Option<&str> {
    let (before, after) = message.split_once(" does not match any probes")?;
    (!after.contains("did you mean")).then_some(before.rsplit_once("probe description ")?.1)
}

/// Returns `true` if a name is that of a provider of events, which may describe themselves.
fn may_describe(provider: &str, catalog: &ProbeCatalog<'_>) -> bool {
    let other = |kind: Kind| {
        !matches!(
            kind,
            Kind::Events(_) | Kind::Event(_) | Kind::Keyword(..) | Kind::CaptureState(_) | Kind::Span(_)
        )
    };
    provider != "kernel"
        && provider != tracewell_kernel_linux::PROVIDER_NAME
        && !is_of_process(provider)
        && !catalog.iter().any(|(info, kind)| info.provider == provider && other(kind))
}
