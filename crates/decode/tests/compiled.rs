//! Compares manifests compiled by Microsoft's message compiler with their sources.
//!
//! `TRACEWELL_COMPILED` names a folder of pairs: `NAME.dll`, `NAME.exe` or `NAME.sys` with a compiled manifest, and
//! `NAME.man`. A library may be of another release than its manifest, so events that only one of them has, and events
//! with different field names, are skipped. Libraries without a manifest are compared with the bundled descriptions of
//! their providers.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a test reports what it measured")]

use std::path::Path;

use tracewell_decode::Description;
use tracewell_schema::{Count, Field, FieldType, Provider, ValueMap};

/// Fields as lines, down to the members of structs. Maps are compared on their own.
fn lines(fields: &[Field], depth: usize, into: &mut Vec<String>) {
    for field in fields {
        let map = field.map.as_ref().map(|map| (map.get().name.to_string(), map.get().bits));
        let ty =
            if let FieldType::Struct(_) = field.ty { "struct".into() } else { format!("{:?}", field.ty) };
        into.push(format!("{depth} {} {ty} {:?} {:?} {map:?}", field.name, field.count, field.hint));
        if let FieldType::Struct(members) = &field.ty {
            lines(members, depth + 1, into);
        }
    }
}

fn names(fields: &[Field]) -> Vec<String> {
    let members = |field: &Field| match &field.ty {
        FieldType::Struct(members) => names(members).concat(),
        _ => String::new(),
    };
    fields.iter().map(|field| format!("{}({})", field.name, members(field))).collect()
}

/// The maps of the fields, structs' members included.
fn maps<'f>(fields: &'f [Field], into: &mut Vec<&'f ValueMap>) {
    for field in fields {
        into.extend(field.map.as_ref().map(|map| map.get()));
        if let FieldType::Struct(members) = &field.ty {
            maps(members, into);
        }
    }
}

/// The numbers of events and of fields with maps that are the same; panics at the first that is not.
fn compare(place: &Path, compiled: &Provider, manifest: &Provider) -> (usize, usize) {
    let (mut events, mut with_map) = (0, 0);
    for event in compiled.events.iter() {
        let Some(twin) = manifest.event(event.id, event.layout.number) else { continue };
        let what = format!("{}: {} {} v{}", place.display(), compiled.name, event.id, event.layout.number);
        if names(&event.layout.fields) != names(&twin.layout.fields) {
            println!("{what} is of another release");
            continue;
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        lines(&event.layout.fields, 0, &mut left);
        lines(&twin.layout.fields, 0, &mut right);
        assert_eq!(left, right, "{what}");
        assert_eq!((&event.task, &event.opcode), (&twin.task, &twin.opcode), "{what}");
        let (mut left, mut right) = (Vec::new(), Vec::new());
        maps(&event.layout.fields, &mut left);
        maps(&twin.layout.fields, &mut right);
        for (left, right) in left.into_iter().zip(right) {
            let mut entries = [left.entries.to_vec(), right.entries.to_vec()];
            entries.iter_mut().for_each(|entries| entries.sort());
            assert!(!left.entries.is_empty(), "{what}: {}", left.name);
            if entries[0] == entries[1] {
                with_map += 1;
            } else {
                println!("{what}: the map {} is of another release", left.name);
            }
        }
        events += 1;
    }
    (events, with_map)
}

#[test]
fn compiled_manifests_say_what_their_manifests_say() {
    let Some(folder) = std::env::var_os("TRACEWELL_COMPILED") else {
        tracewell_corpus::skip("compiled", "set TRACEWELL_COMPILED to a folder of libraries");
        return;
    };
    if !std::fs::read_dir(&folder).unwrap().any(|entry| entry.unwrap().path().with_extension("man").exists())
    {
        tracewell_corpus::skip(
            "compiled-pairs",
            "put manifests (.man) beside the libraries of TRACEWELL_COMPILED",
        );
        return;
    }
    let mut pairs = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let manifest = path.with_extension("man");
        if path == manifest || !manifest.exists() {
            continue;
        }
        let read = |path: &Path| Description::parse(&std::fs::read(path).unwrap()).unwrap();
        let (compiled, manifest) = (read(&path), read(&manifest));
        assert_eq!(compiled.problems, []);
        for provider in &compiled.providers {
            let twin = manifest.providers.iter().find(|twin| twin.guid == provider.guid);
            let Some(twin) = twin else { continue };
            let (events, maps) = compare(&path, provider, twin);
            println!(
                "{}: {events} of {} events, {maps} fields with maps",
                provider.name,
                provider.events.len()
            );
            let other =
                |mask: u64| twin.keywords.iter().find(|(bits, _)| *bits == mask).map(|(_, name)| name);
            for (mask, name) in provider.keywords.iter() {
                assert!(other(*mask).is_none_or(|twin| twin == name), "{mask:#x} {name}");
            }
            assert!(events > 0);
            pairs += 1;
        }
    }
    assert!(pairs > 0, "no provider of a library has a manifest to compare with");
}

/// The libraries of the folder that have no manifest beside them.
fn alone(folder: &std::ffi::OsStr) -> impl Iterator<Item = std::path::PathBuf> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| {
        path.extension().is_some_and(|kind| ["dll", "exe", "sys"].iter().any(|known| kind == *known))
            && !path.with_extension("man").exists()
    })
}

#[test]
fn compiled_manifests_say_what_the_bundled_descriptions_say() {
    let Some(folder) = std::env::var_os("TRACEWELL_COMPILED") else {
        tracewell_corpus::skip("compiled", "set TRACEWELL_COMPILED to a folder of libraries");
        return;
    };
    assert!(alone(&folder).next().is_some(), "the folder has no library");
    for path in alone(&folder) {
        let compiled = Description::parse(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(compiled.problems, []);
        let (mut same, mut differ) = (0, Vec::new());
        for provider in &compiled.providers {
            let Some(twin) = tracewell_schema::bundled::provider(&provider.guid) else { continue };
            for event in provider.events.iter() {
                let Some(other) = twin.event(event.id, event.layout.number) else { continue };
                let what = format!("{} {} v{}", provider.name, event.id, event.layout.number);
                let (ours, theirs) = (names(&other.layout.fields), names(&event.layout.fields));
                if ours != theirs {
                    println!("{what} is of another release: {ours:?}, {theirs:?}");
                    continue;
                }
                for (our, their) in other.layout.fields.iter().zip(event.layout.fields.iter()) {
                    let alike = matches!(our.ty, FieldType::Struct(_)) || our.ty == their.ty;
                    // The stack of CLRStackWalk is declared with two addresses, and has as many as it counts before.
                    // And an array of one is laid out as the one is.
                    let one = (our.count, their.count) == (Count::One, Count::Fixed(1));
                    let counted = our.count == their.count || one || our.name == "Stack";
                    if !(alike && counted) {
                        differ.push(format!(
                            "{what} {}: {:?} {:?}, {:?} {:?}",
                            our.name, our.ty, our.count, their.ty, their.count
                        ));
                    }
                }
                same += 1;
            }
        }
        println!("{}: {same} events as the bundled ones", path.display());
        assert!(same > 0 && differ.is_empty(), "{}: {differ:#?}", path.display());
    }
}
