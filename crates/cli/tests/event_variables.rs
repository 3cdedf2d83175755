//! The variables of D about the current event (issue 19): `eventlevel`, `eventactivity`, `eventmessage` and the rest have, for every
//! event, the value that `etw dump` prints in its own way.

#![allow(missing_docs)]

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A line per event: what the header has, and the provider.
const HEADERS: &str = "diag:::events { printf(\"%s,%s,%d,%d,%d,%d,%d,%d,0x%x,%s,%s\\n\", eventprovider, eventguid, eventid, \
                       eventversion, eventlevel, eventopcode, eventtask, eventchannel, eventkeyword, eventactivity, eventrelated); }";

/// The same columns of `etw dump`.
const COLUMNS: &str = "provider,guid,id,version,level,opcode,task_id,channel,keyword,activity,related";

/// The column of the task, which only some forms of headers have.
const TASK: usize = 6;

/// A line per event with a message.
const MESSAGES: &str = "diag:::events /eventmessage != \"\"/ { printf(\"%S\\n\", eventmessage); }";

fn lines(name: &str, words: &[&str], path: &Path) -> Vec<String> {
    let out = common::command(name).args(words).arg(path).output().expect("it runs");
    assert!(out.status.success(), "{words:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).lines().map(str::to_owned).collect()
}

fn dtrace(program: &str, path: &Path) -> Vec<String> {
    let options = ["-q", "-x", "bufsize=256m", "-x", "strsize=64k", "-n", program, "-E"];
    let mut found = lines("dtrace", &options, path);
    // The end of the output is an empty line.
    assert_eq!(found.pop().as_deref(), Some(""));
    found
}

fn traces() -> Vec<PathBuf> {
    let mut list = vec![common::sample()];
    let Some(folder) = tracewell_corpus::folder() else { return list };
    // Events with activities, with messages, of classes, and trace messages.
    for name in ["dotnet-performance", "ebpf-for-windows", "tx", "krabsetw"] {
        let small = tracewell_corpus::traces(&folder.join(name)).into_iter();
        list.extend(small.filter(|path| path.metadata().is_ok_and(|file| file.len() < 4 << 20)));
    }
    list
}

#[test]
fn issue_19_variables_have_the_values_of_the_event() {
    let mut kinds = [false; 3];
    for path in traces() {
        let of_d = dtrace(HEADERS, &path);
        let of_dump = lines("etw", &["dump", "--csv", "--fields", COLUMNS], &path);
        let (_, of_dump) = of_dump.split_first().expect("a line of headings");
        assert_eq!(of_d.len(), of_dump.len(), "{}", path.display());
        for (d, dump) in of_d.iter().zip(of_dump) {
            let mut of_d: Vec<&str> = d.split(',').collect();
            let of_dump: Vec<&str> = dump.split(',').collect();
            kinds[0] |= !matches!(of_dump[TASK], "" | "0");
            kinds[1] |= !of_dump[9].is_empty();
            kinds[2] |= !of_dump[10].is_empty();
            if of_dump[TASK].is_empty() {
                assert_eq!(std::mem::take(&mut of_d[TASK]), "0", "{}: {d}", path.display());
            }
            assert_eq!(of_d, of_dump, "{}", path.display());
        }
    }
    if tracewell_corpus::folder().is_some() {
        assert_eq!(kinds, [true; 3], "events with a task, an activity, and a related one");
    }
}

#[test]
fn issue_19_messages_are_those_of_the_events() {
    let path = common::sample();
    let of_dump: Vec<String> = lines("etw", &["dump", "--json", "--messages"], &path)
        .iter()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("an object"))
        .filter_map(|event| event.get("message").and_then(|text| text.as_str()).map(str::to_owned))
        .collect();
    let shown = |text: &str| {
        text.replace("\\r\\n", "\r\n").replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")
    };
    let of_d: Vec<String> = dtrace(MESSAGES, &path).iter().map(|line| shown(line)).collect();
    assert!(of_dump.iter().collect::<BTreeSet<_>>().len() > 10, "{} messages", of_dump.len());
    assert_eq!(of_d, of_dump);
}
