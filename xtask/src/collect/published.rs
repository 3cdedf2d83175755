//! Manifests that their makers publish under a licence: used unchanged, except for messages; and headers with descriptors of events,
//! which give names but no fields.

use std::collections::BTreeMap;
use std::path::Path;

use tracewell_decode::manifest;
use tracewell_schema::{Provider, ProviderEvent, Version};
use tracewell_types::Guid;

const SYSMON: &str = "Microsoft-Windows-Sysmon";
const SYSMON_GUID: &str = "5770385f-c22a-43e0-bf4c-06f5698ffbd9";

/// The providers of the files, each once. If several files describe a version of an event, the
/// first one applies.
pub(super) fn read(files: &[impl AsRef<Path>]) -> Result<BTreeMap<Guid, Provider>, String> {
    let mut all: BTreeMap<Guid, Provider> = BTreeMap::new();
    for path in files.iter().map(AsRef::as_ref) {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}');
        let texts =
            if text.contains("<manifest schemaversion") { sysmon(text) } else { vec![text.to_owned()] };
        for text in texts {
            let found = manifest::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
            for problem in &found.problems {
                println!("{}: {problem}", path.display());
            }
            for provider in found.providers {
                let known = all.get(&provider.guid).into_iter().flat_map(|known| known.events.iter());
                let events = known.chain(provider.events.iter()).map(without_message).collect();
                let merged = Provider::new(provider.name.to_string(), provider.guid, events)
                    .with_keywords(provider.keywords.to_vec())
                    .with_levels(provider.levels.to_vec())
                    .with_channels(provider.channels.to_vec());
                all.insert(merged.guid, merged);
            }
        }
    }
    Ok(all)
}

/// The events in the headers of C++ that PresentMon generates from registered manifests: names without fields.
pub(super) fn headers(files: &[impl AsRef<Path>]) -> Result<BTreeMap<Guid, Vec<ProviderEvent>>, String> {
    let mut all = BTreeMap::new();
    for path in files.iter().map(AsRef::as_ref) {
        let (guid, events) = header(&crate::workspace::text(path)?)
            .ok_or_else(|| format!("{}: no descriptors", path.display()))?;
        all.insert(guid, events);
    }
    Ok(all)
}

/// The GUID of a header's provider and its events. A descriptor has a name of task and opcode, the id and the version.
fn header(text: &str) -> Option<(Guid, Vec<ProviderEvent>)> {
    let guid = text.split_once("uuid(\"{")?.1.split('}').next()?;
    let number = |text: &str| u16::from_str_radix(text.trim().trim_start_matches("0x"), 16).ok();
    let event = |line: &str| {
        let mut words = line.strip_prefix("EVENT_DESCRIPTOR_DECL(")?.split(',');
        let name = words.next()?.trim().trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
        let (id, version) = (number(words.next()?)?, number(words.next()?)?);
        let (task, opcode) = name.rsplit_once('_').unwrap_or((name, ""));
        Some(ProviderEvent {
            id,
            task: task.to_owned().into(),
            opcode: if opcode == "Info" { "" } else { opcode }.to_owned().into(),
            message: "".into(),
            enabling: None,
            layout: Version::from_fields(version.try_into().ok()?, Vec::new()),
        })
    };
    Some((Guid::try_parse(guid.as_bytes())?, text.lines().filter_map(event).collect()))
}

fn without_message(event: &ProviderEvent) -> ProviderEvent {
    ProviderEvent { message: "".into(), ..event.clone() }
}

/// The file that Sysmon's manifests are generated from (`manifest.xml` of Sysinternals/SysmonCommon), as manifests: there every
/// schema Sysmon has had is an element, in which events hold their fields themselves.
fn sysmon(text: &str) -> Vec<String> {
    text.split("<manifest schemaversion").skip(1).map(sysmon_schema).collect()
}

fn sysmon_schema(text: &str) -> String {
    let attribute = |tag: &str, name: &str| {
        let after = tag.split_once(&format!(" {name}=\""))?.1;
        Some(after.split_once('"')?.0.to_owned())
    };
    let (mut events, mut templates) = (String::new(), String::new());
    for (index, event) in text.split("<event ").skip(1).enumerate() {
        let (tag, body) = event.split_once('>').unwrap_or_default();
        let tag = format!(" {tag}");
        let of = |name| attribute(&tag, name).unwrap_or_default();
        let body = body.split("</event>").next().unwrap_or_default();
        events.push_str(&format!(
            "<event value=\"{}\" version=\"{}\" level=\"win:{}\" task=\"T{index}\" template=\"T{index}\"/>",
            of("value"),
            of("version"),
            of("level")
        ));
        templates
            .push_str(&format!("<task name=\"T{index}\" value=\"{index}\" message=\"{}\"/>", of("template")));
        templates.push_str(&format!("<template tid=\"T{index}\">{body}</template>"));
    }
    format!(
        "<instrumentationManifest><provider name=\"{SYSMON}\" guid=\"{{{SYSMON_GUID}}}\">{templates}{events}</provider>\
         </instrumentationManifest>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_name_events() {
        let text = "struct __declspec(uuid(\"{5D8087DD-3A9B-4F56-90DF-49196CDC4F11}\")) GUID_STRUCT;\n#define \
                    EVENT_DESCRIPTOR_DECL(name_, id_)\nEVENT_DESCRIPTOR_DECL(CreateState_Start , 0x009b, 0x00, 0x12, 0x04, \
                    0x01, 0x0042, 0x1);\nEVENT_DESCRIPTOR_DECL(QueuePacket_Info_2, 0x00f4, 0x01, 0x11, 0x00);\n";
        let (guid, events) = header(text).expect("a header");
        assert_eq!(guid.to_string(), "5d8087dd-3a9b-4f56-90df-49196cdc4f11");
        let names: Vec<_> = events
            .iter()
            .map(|event| (event.id, event.layout.number, &*event.task, &*event.opcode))
            .collect();
        assert_eq!(names, [(155, 0, "CreateState", "Start"), (244, 1, "QueuePacket", "")]);
        assert!(header("struct S;").is_none());
    }

    #[test]
    fn every_schema_of_sysmon_is_a_manifest() {
        let text = "<manifests><manifest schemaversion=\"4.8\"><events><event name=\"E\" value=\"1\" template=\"Process \
                    Create\" version=\"5\"><data name=\"Image\" inType=\"win:UnicodeString\" /></event></events></manifest>\
                    <manifest schemaversion=\"3.0\"><events><event name=\"E\" value=\"1\" version=\"3\"></event></events>\
                    </manifest></manifests>";
        let parsed: Vec<Provider> = sysmon(text)
            .iter()
            .flat_map(|text| manifest::parse(text).expect("it is a manifest").providers)
            .collect();
        assert_eq!(parsed.len(), 2);
        let event = parsed[0].event(1, 5).expect("it has the event");
        assert_eq!((event.layout.fields.len(), &*event.layout.fields[0].name), (1, "Image"));
        assert!(parsed[1].event(1, 3).is_some());
    }
}
