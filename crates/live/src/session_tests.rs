//! Sessions of runs over a controller that notes what it is asked for.

use super::Stage as Said;
use super::*;
use crate::stage::{Asked, Stage, batch, ids, sized_batch};
use tracewell_kernel_linux::flags;

const SHOP: Guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
const BANK: Guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ac");
/// A provider that comes with Windows.
const TCPIP: Guid = Guid::parse("2f07e2ee-15db-40f1-90ef-9d7ba282188a");
/// A long time: only an event ends a wait for so long.
const DAY: Duration = Duration::from_secs(86_400);

/// Providers that are registered join those that were seen; none is there twice, and each has a name.
#[test]
fn issue_23_registered_providers_join_those_seen() {
    let nameless = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ad");
    let seen = Sightings { providers: vec![(SHOP, "shop".to_owned())], ..Sightings::default() };
    let stage = Arc::new(Stage::default());
    for (guid, name) in [(SHOP, "Other"), (BANK, "The Bank"), (TCPIP, ""), (nameless, "")] {
        stage.register(guid, name, &[]);
    }
    let found = System::over(stage).survey(move || seen.clone())().providers;
    let named = |guid: Guid, name: &str| (guid, name.to_owned());
    let expected = [
        named(SHOP, "shop"),
        named(BANK, "the-bank"),
        named(TCPIP, "microsoft-windows-tcpip"),
        named(nameless, &nameless.to_string()),
    ];
    assert_eq!(found, expected);
}

/// The name of our session.
fn name() -> String {
    format!("dtrace-{}", std::process::id())
}

/// A system with a daemon, and one with a kernel in this process if `own` is given.
fn system(daemon: &Arc<Stage>, own: Option<&Arc<Stage>>) -> System {
    let mut system = System::over(Arc::clone(daemon) as Arc<dyn Controller>);
    system.own = own.map(|own| Arc::clone(own) as Arc<dyn Controller>);
    if own.is_some() {
        system.offered = u32::MAX;
    }
    system
}

fn needs(guid: Guid) -> NeededProvider {
    NeededProvider { guid, any: 0, stacks: false, state: false, ids: None }
}

fn enabled(guid: Guid) -> Asked {
    Asked::Enable(name(), Enable::all_of(guid))
}

#[test]
fn issue_23_the_kernel_is_that_of_this_process_or_of_the_daemon() {
    for (of_daemon, of_process) in [(false, false), (true, false), (false, true), (true, true)] {
        let daemon = Arc::new(Stage { has_system_events: of_daemon, ..Stage::default() });
        let own = Arc::new(Stage::default());
        let system = system(&daemon, of_process.then_some(&own));
        assert_eq!(system.has_system_events(), of_daemon || of_process);
        assert_eq!(system.has_groups(0), of_daemon || of_process);
        assert_eq!(system.has_groups(flags::CSWITCH), of_daemon || of_process);
    }
}

#[test]
fn issue_23_groups_are_those_that_the_rights_allow() {
    let daemon = Arc::new(Stage { has_system_events: true, ..Stage::default() });
    // Bit 31 is no group of Linux.
    for (is_linux, offered, group, has, lacks) in [
        (false, u32::MAX, 1 << 31, true, false),
        (true, u32::MAX, 1 << 31, false, false),
        (true, u32::MAX, flags::CSWITCH, true, false),
        (true, flags::CSWITCH, flags::CSWITCH, true, true),
        (true, flags::CSWITCH, flags::SYSTEMCALL, false, true),
        (true, flags::CSWITCH, flags::SYSTEMCALL | flags::CSWITCH, true, true),
        (true, flags::CSWITCH, 0, true, true),
        (true, flags::all(), flags::SYSTEMCALL, true, false),
        (false, flags::CSWITCH, flags::CSWITCH, true, false),
    ] {
        let mut system = system(&daemon, None).of_linux(is_linux);
        system.offered = offered;
        let case = (is_linux, offered, group);
        assert_eq!((system.has_groups(group), system.lacks_programs()), (has, lacks), "{case:?}");
        assert_eq!((system.has_tracepoints(), system.samples()), (is_linux, is_linux));
    }
}

#[test]
fn issue_23_events_of_the_kernel_are_those_that_it_logs() {
    let threads = tracewell_schema::kernel::class("Thread").unwrap().guid;
    // Of Linux, a spin lock has no counterpart, and a wake-up needs a program.
    let (switch, wakes, lock) = ((threads, 36), (threads, 50), (threads, 37));
    let daemon = Arc::new(Stage { has_system_events: true, ..Stage::default() });
    for (is_linux, offered, events, has) in [
        (true, u32::MAX, &[][..], true),
        (true, u32::MAX, &[switch], true),
        (true, u32::MAX, &[lock], false),
        (true, u32::MAX, &[lock, wakes], true),
        (true, flags::CSWITCH, &[wakes], false),
        (true, flags::CSWITCH, &[wakes, switch], true),
        (false, u32::MAX, &[lock], true),
        (false, flags::CSWITCH, &[wakes], true),
    ] {
        let mut system = system(&daemon, None).of_linux(is_linux);
        system.offered = offered;
        assert_eq!(system.has_kernel_events(events), has, "{is_linux} {offered:#x} {events:?}");
    }
}

/// Events of the processes that the user owns come without what shows others, and from the daemon that has them.
#[test]
fn issue_16_events_of_own_processes_are_asked_for_as_such() {
    let flags = flags::PROCESS | flags::THREAD | flags::SYSTEMCALL;
    let owned =
        || Arc::new(Stage { has_system_events: true, of_own_processes: Some(flags), ..Stage::default() });
    let (plain, shared) = (Arc::new(Stage::default()), owned());
    let nothing = system(&plain, None).beside(Some(Arc::new(Stage::default())));
    assert!(!nothing.has_system_events() && nothing.offered == 0);
    let daemon = owned();
    let kernel = tracewell_kernel_linux::PROVIDER;
    for (asked, mut system) in [
        (&daemon, system(&daemon, None).of_linux(true)),
        (&shared, system(&plain, None).beside(Some(Arc::clone(&shared) as _)).of_linux(true)),
    ] {
        assert!(system.has_own_processes_only() && system.has_system_events() && !system.lacks_programs());
        assert!(system.is_linux() && !system.samples() && !system.has_tracepoints());
        assert!(system.has_groups(flags::SYSTEMCALL) && !system.has_groups(flags::CSWITCH));
        assert!(!system.may_log(&kernel) && system.withholds_provider(&kernel));
        assert!(!system.withholds_provider(&SHOP));
        let threads = tracewell_schema::kernel::class("Thread").unwrap().guid;
        // A spin lock has no counterpart for any user.
        let (start, wakes, lock) = ((threads, 1), (threads, 50), (threads, 37));
        assert_eq!([start, wakes].map(|event| system.has_kernel_events(&[event])), [true, false]);
        assert!(system.withholds(flags::DISPATCHER, &[wakes]) && !system.withholds(flags::CSWITCH, &[lock]));
        assert!(!system.withholds(1 << 31, &[wakes]));
        let group = NeededSystem { flags: flags::SYSTEMCALL | flags::CSWITCH, ..NeededSystem::default() };
        let needed = Needed { providers: Vec::new(), system: Some(group) };
        drop(system.listen(&needed, &Interrupt::default()).unwrap());
        let asked = asked.asked();
        let Asked::Start(properties) = &asked[0] else { panic!("{asked:?}") };
        assert_eq!(properties.enable_flags, flags::SYSTEMCALL);
        assert!(!properties.mode.has(LogFileMode::SYSTEM_LOGGER), "{:?}", properties.mode);
    }
    // Where only programs are asked for, these log to the user's own daemon.
    let mut system = system(&plain, None).beside(Some(Arc::clone(&shared) as _));
    drop(plain.asked());
    drop(system.listen(&Needed { providers: vec![needs(SHOP)], system: None }, &Interrupt::default()));
    assert!(!plain.asked().is_empty() && shared.asked().is_empty());
    // Who may see all processes withholds nothing.
    let all = Arc::new(Stage { has_system_events: true, ..Stage::default() });
    let all = System::over(all as Arc<dyn Controller>).of_linux(true);
    assert!(!all.withholds(flags::CSWITCH, &[]) && !all.withholds_provider(&kernel));
    assert!(all.has_tracepoints() && all.samples() && !all.has_own_processes_only());
}

#[test]
fn issue_23_providers_may_log_where_they_are_known_or_not_foreign() {
    let kernel = tracewell_kernel_linux::PROVIDER;
    let stage = Arc::new(Stage::default());
    stage.register(SHOP, "Shop", &[7]);
    stage.register(BANK, "Bank", &[]);
    let other = Guid::parse("0ad614c4-0ef4-4225-8000-00000000000f");
    for is_linux in [false, true] {
        let system = system(&stage, None).of_linux(is_linux);
        assert_eq!([SHOP, BANK, other].map(|guid| system.knows(&guid)), [true, true, false]);
        assert_eq!([SHOP, BANK, other].map(|guid| system.has_programs(&guid)), [true, false, false]);
        assert_eq!(system.has_programs(&kernel), is_linux);
        assert_eq!([SHOP, BANK, other].map(|guid| system.may_log(&guid)), [true; 3]);
        assert_eq!(system.may_log(&kernel), is_linux);
        assert!(!system.may_log(&TCPIP), "only Windows has it");
    }
    // On Windows it runs, even if it is not registered; on Linux it may be.
    let windows = Arc::new(Stage { has_system_events: true, ..Stage::default() });
    assert!(system(&windows, None).may_log(&TCPIP));
    assert!(!system(&windows, None).of_linux(true).may_log(&TCPIP));
    stage.register(TCPIP, "", &[]);
    assert!(system(&stage, None).may_log(&TCPIP));
    assert!(system(&stage, None).of_linux(true).may_log(&TCPIP));
}

#[test]
fn issue_23_providers_have_the_number_that_programs_registered() {
    let stage = Arc::new(Stage::default());
    stage.register(SHOP, "The Shop", &[7]);
    let system = system(&stage, None);
    assert_eq!(system.guid("the-shop"), SHOP);
    assert_eq!(system.guid("microsoft-windows-tcpip"), TCPIP);
    assert_eq!(system.guid(&BANK.to_string()), BANK);
    assert_eq!(system.guid("Some.Name"), tracewell_session::provider::guid_of_name("Some.Name"));
}

#[test]
fn issue_23_counters_are_found_by_their_plain_names() {
    let all = ["Timer", "TotalCycles", "Cache Misses", "More"].map(str::to_owned);
    let stage = Arc::new(Stage { counters: all.to_vec(), ..Stage::default() });
    let counts = system(&stage, None);
    assert!(counts.has_counter(None) && counts.has_counter(Some("cachemisses")));
    assert!(!counts.has_counter(Some("Cache Misses")) && !counts.has_counter(Some("none")));
    let none = system(&Arc::default(), None);
    assert!(!none.has_counter(None) && !none.has_counter(Some("timer")));

    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let events = vec![(SHOP, 3)];
    for (sampled, carried, events, expected_sampled, expected_carried) in [
        (
            names(&["totalcycles", "none"]),
            names(&["cachemisses"]),
            &events,
            &["TotalCycles"][..],
            &["Cache Misses"][..],
        ),
        // If no probe names any, events carry the first two that are no timers.
        (names(&[]), names(&[]), &events, &[], &["TotalCycles", "Cache Misses"]),
        (names(&["timer"]), names(&["none"]), &events, &["Timer"], &["TotalCycles", "Cache Misses"]),
        (names(&["timer"]), names(&[]), &Vec::new(), &["Timer"], &[]),
    ] {
        let events = events.clone();
        let counting = counts.counting(&NeededCounters { sampled, carried, events: events.clone() });
        let expected =
            Counting { sampled: names(expected_sampled), carried: names(expected_carried), events };
        assert_eq!(counting, expected);
    }
}

#[test]
fn issue_23_a_session_runs_where_all_that_is_needed_is_offered() {
    let (daemon, own) = (Arc::new(Stage::default()), Arc::new(Stage::default()));
    own.register(SHOP, "", &[]);
    let kernel = || Some(NeededSystem::default());
    for (providers, system_events, is_own) in [
        (vec![], None, false),
        (vec![], kernel(), true),
        (vec![SHOP], None, true),
        (vec![SHOP], kernel(), true),
        (vec![SHOP, BANK], kernel(), false),
        (vec![BANK], None, false),
    ] {
        let providers = providers.into_iter().map(needs).collect();
        let needed = Needed { providers, system: system_events };
        let (ours, its) =
            (Arc::clone(&own) as Arc<dyn Controller>, Arc::clone(&daemon) as Arc<dyn Controller>);
        let expected = if is_own { ours } else { its };
        assert!(Arc::ptr_eq(system(&daemon, Some(&own)).controller_for(&needed), &expected), "{needed:?}");
        let alone = system(&daemon, None);
        assert!(!Arc::ptr_eq(alone.controller_for(&needed), &(Arc::clone(&own) as Arc<dyn Controller>)));
    }
}

/// What a session requests of the controller until it has begun, and then.
fn asks(is_own: bool, needed: &Needed, file: Option<&str>, live: bool) -> (Vec<Asked>, Vec<Asked>) {
    let (daemon, own) = (Arc::new(Stage::default()), Arc::new(Stage::default()));
    let mut system = system(&daemon, is_own.then_some(&own));
    system.counters = vec!["Cycles".to_owned()];
    if let Some(file) = file {
        system.record_into(Path::new(file));
    }
    let used = if is_own { &own } else { &daemon };
    let interrupt = Interrupt::default();
    let asked = if live {
        let session = system.listen(needed, &interrupt).unwrap();
        let asked = used.asked();
        drop(session);
        asked
    } else {
        let recording = system.record(needed, &interrupt).unwrap();
        let asked = used.asked();
        assert_eq!(system.recorded(), None);
        drop(recording);
        asked
    };
    let status = SessionStatus { events: 77, ..SessionStatus::default() };
    assert_eq!(system.recorded(), file.map(|_| status));
    assert_eq!(system.recorded(), None, "it is taken");
    (asked, used.asked())
}

#[test]
fn issue_23_a_session_asks_for_what_the_program_needs() {
    let stacks = vec![(SHOP, 36)];
    let counters = NeededCounters { sampled: vec!["cycles".to_owned()], ..NeededCounters::default() };
    let whole = NeededSystem {
        flags: 0x110,
        stacks: stacks.clone(),
        sample_interval: Some(1_000_000),
        counters,
        ..NeededSystem::default()
    };
    let plain = NeededSystem { flags: 0x10, ..NeededSystem::default() };
    let shop = NeededProvider { any: 6, stacks: true, state: true, ids: Some(vec![4, 5]), ..needs(SHOP) };
    let mode = |modes: &[LogFileMode]| modes.iter().fold(LogFileMode(0), |all, one| all.with(*one));
    let (live, file, kernel) = (LogFileMode::REAL_TIME, LogFileMode::SEQUENTIAL, LogFileMode::SYSTEM_LOGGER);
    let enable_shop = Enable {
        any: 6,
        stacks: true,
        ids: Some(IdFilter { include: true, ids: vec![4, 5] }),
        ..Enable::all_of(SHOP)
    };
    let start = |modes: &[LogFileMode], flush_timer, enable_flags, log_file: &str| {
        let (mode, log_file) = (mode(modes), log_file.to_owned());
        Asked::Start(Properties {
            name: name(),
            mode,
            flush_timer,
            enable_flags,
            log_file,
            ..Properties::default()
        })
    };
    let attach = || Asked::Attach(name(), Backlog::Lose);
    let flags = |flags| Asked::Update(name(), Update { enable_flags: Some(flags), ..Update::default() });
    let traced =
        || Asked::Trace(name(), SystemTracing { stacks: stacks.clone(), sample_interval: Some(10_000) });
    let counted =
        || Asked::Count(name(), Counting { sampled: vec!["Cycles".to_owned()], ..Counting::default() });
    let of = |providers: &[NeededProvider], system: Option<&NeededSystem>| Needed {
        providers: providers.to_vec(),
        system: system.cloned(),
    };
    let cases = [
        (
            false,
            of(&[needs(BANK)], None),
            None,
            true,
            vec![start(&[live], 50, 0, ""), attach(), enabled(BANK)],
        ),
        (
            false,
            of(&[shop, needs(BANK)], None),
            Some("/tmp/made.etl"),
            true,
            vec![
                start(&[live, file], 500, 0, "/tmp/made.etl"),
                attach(),
                Asked::Enable(name(), enable_shop),
                Asked::State(name(), SHOP),
                enabled(BANK),
            ],
        ),
        (
            false,
            of(&[needs(BANK)], None),
            Some("/tmp/made.etl"),
            false,
            vec![start(&[file], 500, 0, "/tmp/made.etl"), enabled(BANK)],
        ),
        (false, of(&[], Some(&plain)), None, true, vec![start(&[live, kernel], 50, 0x10, ""), attach()]),
        (
            false,
            of(&[], Some(&whole)),
            None,
            true,
            vec![start(&[live, kernel], 50, 0x110, ""), attach(), traced(), counted()],
        ),
        // The kernel is attached to once, when all that is wanted of it is known.
        (
            true,
            of(&[], Some(&whole)),
            None,
            true,
            vec![start(&[live, kernel], 10, 0, ""), attach(), traced(), flags(0x110), counted()],
        ),
        (
            true,
            of(&[], Some(&plain)),
            Some("/tmp/made.etl"),
            false,
            vec![start(&[file, kernel], 500, 0, "/tmp/made.etl"), flags(0x10)],
        ),
    ];
    for (is_own, needed, file, live, expected) in cases {
        let (asked, ended) = asks(is_own, &needed, file, live);
        assert_eq!(asked, expected, "{is_own} {needed:?} {file:?} {live}");
        assert_eq!(ended, [Asked::Stop(name())]);
    }
}

/// Half of the size of the kernel's ring is that of the session's buffers, 64 KiB each, for every processor.
#[test]
fn issue_16_bufsize_is_the_size_of_a_sessions_buffers() {
    let sizes = kernel::buffer_sizes(false);
    let owned = kernel::buffer_sizes(true);
    assert!(owned.end() <= sizes.end() && sizes.contains(&(4 << 20)), "{sizes:?} {owned:?}");
    let (most, most_owned) = (u64::from(*sizes.end()), u64::from(*owned.end()));
    for (bufsize, own_processes, buffers, lowered) in [
        (None, false, 0, None),
        (Some(0), false, 8, None),
        (Some(1 << 20), false, 8, None),
        (Some((1 << 20) + 1), false, 16, None),
        (Some(4 << 20), false, 32, None),
        (Some(most), false, most >> 17, None),
        (Some(most + 1), false, most >> 17, Some(most)),
        (Some(u64::MAX), false, most >> 17, Some(most)),
        (Some(most_owned), true, most_owned >> 17, None),
        (Some(most_owned + 1), true, most_owned >> 17, Some(most_owned)),
    ] {
        let daemon = Arc::new(Stage::default());
        let mut system = system(&daemon, None);
        system.own_processes = own_processes;
        if let Some(bytes) = bufsize {
            system.size_buffers(bytes);
        }
        assert_eq!(system.lowered_buffers(), lowered, "{bufsize:?}");
        let needed = Needed { providers: vec![needs(SHOP)], system: None };
        let session = system.listen(&needed, &Interrupt::default()).unwrap();
        let asked = daemon.asked();
        let Some(Asked::Start(properties)) = asked.first() else { panic!("{asked:?}") };
        let expected = buffers as u32 * kernel::processors();
        assert_eq!((properties.maximum_buffers, properties.buffer_size), (expected, 0), "{bufsize:?}");
        // A session that goes on has its buffers already, unless the script sets their size.
        drop(system.go_on(session, &needed, &Interrupt::default()).unwrap());
        assert_eq!(daemon.asked(), [enabled(SHOP), Asked::Stop(name())]);
    }
    let daemon = Arc::new(Stage::default());
    let mut system = system(&daemon, None);
    let needed = Needed { providers: vec![needs(SHOP)], system: None };
    let session = system.listen(&needed, &Interrupt::default()).unwrap();
    daemon.asked();
    system.size_buffers(8 << 20);
    drop(system.go_on(session, &needed, &Interrupt::default()).unwrap());
    let update = Update { maximum_buffers: Some(64 * kernel::processors()), ..Update::default() };
    assert_eq!(daemon.asked(), [Asked::Update(name(), update), enabled(SHOP), Asked::Stop(name())]);
}

#[test]
fn issue_23_a_long_interval_is_the_longest_there_is() {
    let system = NeededSystem { sample_interval: Some(i64::MAX), ..NeededSystem::default() };
    let (asked, _) = asks(false, &Needed { providers: Vec::new(), system: Some(system) }, None, true);
    let tracing = SystemTracing { sample_interval: Some(u32::MAX), ..SystemTracing::default() };
    assert!(asked.contains(&Asked::Trace(name(), tracing)), "{asked:?}");
}

#[test]
fn issue_23_only_sessions_of_killed_runs_are_ended() {
    let session = |name: &str, consumers| SessionStatus {
        properties: Properties { name: name.to_owned(), ..Properties::default() },
        consumers,
        ..SessionStatus::default()
    };
    // No process has this number.
    let gone = "dtrace-4294967294";
    let sessions = vec![
        session(gone, 0),
        session("dtrace-4294967293", 1),
        session(&format!("dtrace-{}", std::process::id()), 0),
        session("dtrace-x", 0),
        session("other-4294967294", 0),
    ];
    let daemon = Arc::new(Stage { sessions, ..Stage::default() });
    let mut system = system(&daemon, None);
    let needed = Needed { providers: vec![needs(SHOP)], system: None };
    let session = system.listen(&needed, &Interrupt::default()).unwrap();
    let asked = daemon.asked();
    assert_eq!(asked[0], Asked::Stop(gone.to_owned()));
    assert!(matches!(asked[1], Asked::Start(_)), "{asked:?}");
    drop(session);
    assert_eq!(daemon.asked(), [Asked::Stop(name())], "a session ends once");
}

/// The batches that come until there is none, or the end.
fn all(session: &mut Session) -> Vec<Vec<u16>> {
    let mut all = Vec::new();
    while let Some(batch) = session.wait(DAY).unwrap() {
        all.push(ids(&batch));
    }
    all
}

#[test]
fn issue_23_a_session_delivers_until_its_end() {
    let stage = Arc::new(Stage { has_32_bits: true, ..Stage::default() });
    let needed = Needed { providers: vec![needs(SHOP)], system: None };
    let mut session = system(&stage, None).listen(&needed, &Interrupt::default()).unwrap();
    assert_eq!(session.pointer_bits(), 32);
    assert_ne!(session.clock().raw_start(), 0);
    assert!(session.next_batch().unwrap().is_none() && !session.is_over());
    stage.lose(LiveLosses { session_events: 3, consumer_events: 4, consumer_buffers: 9, damaged: 1 });
    // An empty batch is no news.
    for ids in [&[1, 2][..], &[], &[3]] {
        stage.deliver(Ok(Some(batch(SHOP, ids))));
    }
    assert_eq!(ids(&session.wait(DAY).unwrap().unwrap()), [1, 2]);
    assert_eq!(session.lost(), 7);
    stage.deliver(Ok(None));
    assert_eq!(all(&mut session), [[3]]);
    assert!(session.is_over());
    assert!(session.next_batch().unwrap().is_none() && session.last().unwrap().is_none());
}

#[test]
fn issue_23_what_was_heard_comes_first() {
    let stage = Arc::new(Stage::default());
    let needed = Needed::default();
    let interrupt = Interrupt::default();
    let mut session = system(&stage, None).listen(&needed, &interrupt).unwrap();
    assert_eq!(session.pointer_bits(), 64);
    session.heard.extend([batch(SHOP, &[1]), batch(SHOP, &[2])]);
    stage.deliver(Ok(Some(batch(SHOP, &[3]))));
    assert_eq!(ids(&session.next_batch().unwrap().unwrap()), [1]);
    session.end();
    session.over = true;
    assert!(!session.is_over(), "one is left");
    session.over = false;
    assert_eq!(ids(&session.last().unwrap().unwrap()), [2]);
    assert_eq!(ids(&session.last().unwrap().unwrap()), [3]);
    assert!(session.last().unwrap().is_none() && session.is_over());
}

#[test]
fn issue_23_a_session_that_fails_says_why_and_ends() {
    let stage = Arc::new(Stage::default());
    let mut session = system(&stage, None).listen(&Needed::default(), &Interrupt::default()).unwrap();
    stage.deliver(Err(Error::new(Code::INVALID_PARAMETER, "made to fail")));
    let error = session.wait(DAY).unwrap_err();
    assert!(error.to_string().contains("made to fail"), "{error}");
    assert!(session.wait(DAY).unwrap().is_none() && session.is_over());
}

#[test]
fn issue_23_what_is_needed_later_is_requested_from_the_same_session() {
    let stage = Arc::new(Stage::default());
    let mut system = system(&stage, None);
    let interrupt = Interrupt::default();
    let session = system.listen(&Needed { providers: vec![needs(SHOP)], system: None }, &interrupt).unwrap();
    stage.asked();
    let needed = Needed { providers: vec![needs(BANK)], system: None };
    let session = system.go_on(session, &needed, &interrupt).unwrap();
    assert_eq!(stage.asked(), [enabled(BANK)]);
    // The kernel's events are taken from the start of a session or not at all.
    let needed = Needed { system: Some(NeededSystem::default()), ..needed };
    let mut session = system.go_on(session, &needed, &interrupt).unwrap();
    let asked = stage.asked();
    assert_eq!(asked[0], Asked::Stop(name()));
    assert!(matches!(asked[1], Asked::Start(_)) && asked.last() == Some(&enabled(BANK)), "{asked:?}");
    // One that has ended needs nothing more.
    session.end();
    stage.asked();
    let needed = Needed { system: None, ..needed };
    drop(system.go_on(session, &needed, &interrupt).unwrap());
    assert_eq!(stage.asked(), []);
}

/// Listens to a provider.
fn learn(
    stage: &Arc<Stage>,
    (time, waits): (Duration, bool),
    interrupt: &Interrupt,
    tell: impl FnMut(Said<'_>),
    enough: impl FnMut(&System, &Lookout) -> bool,
) -> Option<Lesson> {
    let providers = ["shop".to_owned(), BANK.to_string()];
    let listening = Listening { providers: &providers, stacks: true, time, waits, target: None };
    let mut system = system(stage, None);
    system.learn(listening, Schemas::default(), interrupt, tell, enough).unwrap()
}

#[test]
fn issue_23_listening_ends_when_it_has_heard_enough() {
    let stage = Arc::new(Stage::default());
    stage.register(SHOP, "Shop", &[7]);
    for ids in [&[1, 1][..], &[1], &[2, 3], &[4]] {
        stage.deliver(Ok(Some(batch(SHOP, ids))));
    }
    let (mut begun, mut asked) = (0, 0);
    let tell = |said: Said<'_>| match said {
        Said::Begun { command: false } => begun += 1,
        _ => panic!("the provider is there"),
    };
    let enough = |_: &System, _: &Lookout| {
        asked += 1;
        asked == 2
    };
    let lesson = learn(&stage, (DAY, false), &Interrupt::default(), tell, enough).unwrap();
    // Batches without a new kind are not asked about.
    assert_eq!((begun, asked, lesson.events, lesson.forgotten), (1, 2, 5, 0));
    let mut session = lesson.session;
    let stacks = |guid| Asked::Enable(name(), Enable { stacks: true, ..Enable::all_of(guid) });
    assert_eq!(stage.asked()[2..], [stacks(SHOP), stacks(BANK)]);
    session.end();
    let mut heard = Vec::new();
    while let Some(batch) = session.last().unwrap() {
        heard.extend(ids(&batch));
    }
    assert_eq!(heard, [1, 1, 1, 2, 3, 4], "what was heard is not lost");
}

#[test]
fn issue_23_listening_ends_with_the_session() {
    let stage = Arc::new(Stage::default());
    stage.register(SHOP, "Shop", &[7]);
    stage.deliver(Ok(Some(batch(SHOP, &[1]))));
    stage.deliver(Ok(None));
    let lesson = learn(&stage, (DAY, true), &Interrupt::default(), |_| {}, |_, _| false).unwrap();
    assert_eq!(lesson.events, 1);
}

#[test]
fn issue_23_listening_without_a_program_ends_or_waits() {
    let stage = Arc::new(Stage::default());
    // Only the controller knows it; no process has it.
    stage.register(SHOP, "Shop", &[]);
    let none = |_: Said<'_>| panic!("it does not wait");
    assert!(learn(&stage, (DAY, false), &Interrupt::default(), none, |_, _| true).is_none());
    assert_eq!(stage.asked().last(), Some(&Asked::Stop(name())));

    // A program comes while it waits.
    let mut said = Vec::new();
    let tell = |stage_of: Said<'_>| match stage_of {
        Said::Absent => {
            said.push("absent");
            stage.register(SHOP, "Shop", &[8]);
            stage.registered.lock().unwrap().remove(0);
            stage.deliver(Ok(Some(batch(SHOP, &[5]))));
        }
        Said::Begun { command } => said.push(if command { "command" } else { "begun" }),
        Said::Unheard { .. } => panic!("there is an event"),
    };
    let lesson = learn(&stage, (DAY, true), &Interrupt::default(), tell, |_, _| true).unwrap();
    assert_eq!((said, lesson.events), (vec!["absent", "begun"], 1));

    // The user does not wait any longer.
    stage.registered.lock().unwrap().clear();
    let interrupt = Interrupt::default();
    let tell = |_: Said<'_>| {
        interrupt.raise();
    };
    assert!(learn(&stage, (DAY, true), &interrupt, tell, |_, _| true).is_none());
}

#[test]
fn issue_23_listening_in_vain_asks_whether_to_go_on() {
    for goes_on in [false, true] {
        let stage = Arc::new(Stage::default());
        stage.register(SHOP, "Shop", &[7]);
        let mut unheard = Vec::new();
        let tell = |said: Said<'_>| {
            if let Said::Unheard { events, stop } = said {
                unheard.push(events);
                *stop = !goes_on;
                stage.deliver(Ok(Some(batch(SHOP, &[1]))));
                stage.deliver(Ok(None));
            }
        };
        let lesson =
            learn(&stage, (Duration::ZERO, true), &Interrupt::default(), tell, |_, _| false).unwrap();
        assert_eq!((unheard, lesson.events), (vec![0], u64::from(goes_on)));
    }
    // Without waiting the time is the end.
    let stage = Arc::new(Stage::default());
    stage.register(SHOP, "Shop", &[7]);
    let only_begun = |said: Said<'_>| assert!(matches!(said, Said::Begun { command: false }));
    let lesson = learn(&stage, (Duration::ZERO, false), &Interrupt::default(), only_begun, |_, _| false);
    assert_eq!(lesson.unwrap().events, 0);
}

#[test]
fn issue_23_who_waits_for_a_rare_event_keeps_the_newest() {
    let stage = Arc::new(Stage::default());
    stage.register(SHOP, "Shop", &[7]);
    // Each has some 24 MB: three of them are more than is kept.
    let large = sized_batch(SHOP, &[1; 380], 64_000);
    let tell = |said: Said<'_>| {
        if let Said::Unheard { .. } = said {
            for _ in 0..3 {
                stage.deliver(Ok(Some(large.clone())));
            }
            stage.deliver(Ok(Some(batch(SHOP, &[2]))));
        }
    };
    let mut asked = 0;
    let enough = |_: &System, _: &Lookout| {
        asked += 1;
        asked == 2
    };
    let lesson = learn(&stage, (Duration::ZERO, true), &Interrupt::default(), tell, enough).unwrap();
    assert_eq!((lesson.events, lesson.forgotten), (3 * 380 + 1, 380));
    assert_eq!(lesson.session.heard.len(), 3);
}
