//! A name that one command writes, the others take (issue 3).

mod common;

use std::collections::BTreeMap;

use serde_json::Value;

fn etw(arguments: &[&str]) -> String {
    let ran = common::run(common::command("etw").args(arguments));
    assert_eq!(ran.status, Some(0), "etw {arguments:?}: {}", ran.stderr);
    ran.stdout
}

/// Provider, event and how many, as `etw stats` counts them.
fn counted(trace: &str) -> BTreeMap<(String, String), u64> {
    let stats: Value = serde_json::from_str(&etw(&["stats", "--json", trace])).unwrap();
    let mut counts = BTreeMap::new();
    for row in stats["events"].as_array().unwrap() {
        let text = |key: &str| row[key].as_str().unwrap().to_owned();
        *counts.entry((text("provider"), text("event"))).or_default() += row["events"].as_u64().unwrap();
    }
    counts
}

/// How many events each provider and event has among the lines of `etw dump`.
fn shown(arguments: &[&str]) -> BTreeMap<(String, String), u64> {
    let text = etw(&[&["dump", "-q", "--no-store", "--fields", "provider,event"], arguments].concat());
    let mut counts = BTreeMap::new();
    for (provider, event) in text.lines().filter_map(|line| line.split_once('\t')) {
        *counts.entry((provider.to_owned(), event.to_owned())).or_default() += 1;
    }
    counts
}

#[test]
fn events_are_called_alike_by_every_command() {
    let trace = common::sample().display().to_string();
    let counts = counted(&trace);
    assert!(counts.len() > 60, "{counts:?}");
    assert_eq!(shown(&[&trace]), counts, "dump and stats");
    // By all their names at once: nothing is refused, and nothing is missing.
    for name_of in [
        |_: &str, event: &str| event.to_owned(),
        |provider: &str, event: &str| format!("{provider}/{event}"),
        |_: &str, event: &str| event.replace('/', "_").to_lowercase(),
    ] {
        let names: Vec<String> = counts.keys().map(|(provider, event)| name_of(provider, event)).collect();
        let mut arguments: Vec<&str> = names.iter().flat_map(|name| ["--event", name]).collect();
        arguments.push(&trace);
        assert_eq!(shown(&arguments), counts, "{names:?}");
    }
    // One by one, where two kinds share a number or an opcode, too.
    let folder = tracewell_corpus::Scratch::new("names");
    let part = folder.join("part.etl").display().to_string();
    for (provider, event) in [
        ("Windows Kernel", "DiskIo/Read"),
        ("Windows Kernel", "Image/Load"),
        ("Contoso.ShopApi.Checkout", "OrderFailed"),
        ("Microsoft-Windows-DotNETRuntime", "GC/Start"),
        ("Microsoft-Windows-DNS-Client", "task_0"),
    ] {
        let key = (provider.to_owned(), event.to_owned());
        let wanted = BTreeMap::from([(key.clone(), counts[&key])]);
        for condition in [
            format!("event == '{event}' && provider == '{provider}'"),
            format!("event == '{provider}/{event}'"),
            format!("event =~ '{}'", event.replace('/', "_")),
            format!("'{}' == event", event.replace('/', "_")),
        ] {
            assert_eq!(shown(&["--where", &condition, &trace]), wanted, "{condition}");
        }
        etw(&["slice", "--exact", "-f", "-o", &part, "-p", provider, "--event", event, &trace]);
        let mut sliced = counted(&part);
        sliced.remove(&("Windows Kernel".to_owned(), "EventTrace/Header".to_owned()));
        assert_eq!(sliced, wanted, "{event}");
    }
}

/// Classes of the kernel are taken as providers, by name and by GUID, and by what D calls them.
#[test]
fn providers_are_called_alike_by_every_command() {
    let trace = common::sample().display().to_string();
    let counts = counted(&trace);
    let of_kernel = |class: &str| -> BTreeMap<(String, String), u64> {
        let is_it = |event: &str| class.is_empty() || event.starts_with(&format!("{class}/"));
        counts
            .iter()
            .filter(|((provider, event), _)| provider == "Windows Kernel" && is_it(event))
            .map(|(key, count)| (key.clone(), *count))
            .collect()
    };
    let folder = tracewell_corpus::Scratch::new("names");
    let part = folder.join("class.etl").display().to_string();
    for (name, class) in [
        ("DiskIo", "DiskIo"),
        ("diskio", "DiskIo"),
        ("{3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c}", "DiskIo"),
        // Loads of images have the hook of another class.
        ("Image", "Image"),
        ("2cb15d1d-5fc1-11d2-abe1-00a0c911f518", "Image"),
        ("KernelTraceControl", "KernelTraceControl"),
        ("Windows Kernel", ""),
        ("kernel", ""),
    ] {
        let wanted = of_kernel(class);
        assert!(!wanted.is_empty());
        assert_eq!(shown(&["-p", name, &trace]), wanted, "{name}");
        assert_eq!(shown(&["--where", &format!("provider == '{name}'"), &trace]), wanted, "{name}");
        etw(&["slice", "--exact", "-f", "-o", &part, "-p", name, &trace]);
        let mut sliced = counted(&part);
        sliced.entry(("Windows Kernel".to_owned(), "EventTrace/Header".to_owned())).and_modify(|n| *n -= 1);
        sliced.retain(|_, n| *n > 0);
        let mut wanted = wanted;
        wanted.remove(&("Windows Kernel".to_owned(), "EventTrace/Header".to_owned()));
        assert_eq!(sliced, wanted, "{name}");
    }
    assert_eq!(
        shown(&["--where", "guid == '3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c'", &trace]),
        of_kernel("DiskIo")
    );
}

/// Who lists a provider sees its general probes, too, which descriptions without a name do not match.
#[test]
fn issue_23_general_probes_are_listed_apart() {
    let trace = common::sample().display().to_string();
    let ran =
        common::run(common::command("dtrace").args(["-l", "-P", "contoso.shopapi.checkout", "-E", &trace]));
    let (matched, general) = ran
        .stdout
        .split_once("\n\nThese match only descriptions that name them:\n")
        .unwrap_or_else(|| panic!("no heading: {}", ran.stdout));
    let names = |text: &str| {
        let lines = text.lines().skip(1).map(|line| line.rsplit(' ').next().unwrap_or_default().to_owned());
        lines.collect::<Vec<_>>()
    };
    assert_eq!(names(matched), ["OrderPlaced", "OrderFailed"]);
    assert_eq!(names(general), ["events"]);
}

/// What `dtrace -l` lists, `etw` takes; what `etw` writes for `dtrace` leads to the probe.
#[test]
fn probes_and_events_lead_to_each_other() {
    let trace = common::sample().display().to_string();
    let counts = counted(&trace);
    let mut looked_at = 0;
    for provider in ["kernel", "microsoft-windows-dotnetruntime", "contoso.shopapi.checkout"] {
        let probes = format!("{provider}:::");
        let ran = common::run(common::command("dtrace").args(["-l", "-n", &probes, "-E", &trace]));
        let mut events: Vec<&str> = Vec::new();
        for line in ran.stdout.lines().skip(1) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [_, _, of, .., task, name] = words.as_slice() else { continue };
            if *of == provider && name.starts_with(task) && *name != "events" {
                events.push(name);
            }
        }
        let mut arguments: Vec<&str> = events.iter().flat_map(|name| ["--event", name]).collect();
        arguments.extend(["-p", provider, &trace]);
        let found = shown(&arguments);
        let wanted: BTreeMap<_, _> = counts
            .iter()
            .filter(|((known, _), _)| {
                known.to_lowercase() == provider || (known == "Windows Kernel" && provider == "kernel")
            })
            .map(|(key, count)| (key.clone(), *count))
            .collect();
        assert_eq!(found, wanted, "{provider}: {events:?}");
        looked_at += events.len();
    }
    assert!(looked_at > 60, "{looked_at}");
    for name in ["GC/Start", "gc_start"] {
        let name = format!("Microsoft-Windows-DotNETRuntime:::{name}");
        let ran = common::run(common::command("dtrace").args(["-l", "-n", &name, "-E", &trace]));
        assert!(ran.status == Some(0) && ran.stdout.contains(" GC_Start"), "{name}: {}", ran.stderr);
    }
    let ran = common::run(common::command("dtrace").args(["-l", "-n", "GC/Start", "-E", &trace]));
    assert!(ran.stderr.contains("did you mean microsoft-windows-dotnetruntime:::GC_Start"), "{}", ran.stderr);
    for (name, hint) in [
        ("GC_Start", "did you mean microsoft-windows-dotnetruntime:::GC_Start"),
        ("DiskIo/Read", "the probe of an event has \"_\" for \"/\": DiskIo_Read"),
    ] {
        let ran = common::run(common::command("dtrace").args(["-n", name, "-E", &trace]));
        assert!(ran.stderr.contains(hint), "{name}: {}", ran.stderr);
    }
}
