//! The descriptions that a trace brings along: manifests of EventSources, those that merge tools put in, and those
//! that TraceLogging events carry.

use std::collections::BTreeMap;

use tracewell_decode::Schemas;
use tracewell_decode::tracelogging::{ProviderTraits, SchemaCache};
use tracewell_etl::Trace;
use tracewell_schema::text::{Described, Kind};
use tracewell_schema::{Provider, ProviderEvent};
use tracewell_types::Guid;

/// The descriptions in a trace.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TraceSchemas {
    /// The places where the descriptions were found, in words, and what they describe.
    pub found: Vec<(&'static str, Described)>,
    /// The texts of manifests, by provider; of several of one provider the last is the newest.
    pub manifests: Vec<(Guid, String)>,
    /// Number of descriptions that could not be used completely.
    pub unread: u64,
    /// The problems with them.
    pub problems: Vec<String>,
}

impl TraceSchemas {
    /// Reads the descriptions of a trace.
    #[must_use]
    pub fn of(trace: &Trace<'_>) -> TraceSchemas {
        let mut schemas = Schemas::new();
        schemas.keep_texts();
        let mut cache = SchemaCache::new();
        let mut own: BTreeMap<[u8; 16], (String, Vec<ProviderEvent>)> = BTreeMap::new();
        let mut unread = 0;
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            schemas.observe(&record);
            let held = cache.len();
            match cache.of_record(&record) {
                Some(Ok(schema)) if cache.len() > held => {
                    unread += u64::from(schema.stopped.is_some());
                    let (name, events) = own.entry(record.guid().to_bytes()).or_default();
                    if let Some(traits) = ProviderTraits::of_record(&record) {
                        *name = String::from_utf8_lossy(traits.name).into_owned();
                    }
                    // These events have no ids; a made-up number distinguishes them.
                    events.push(ProviderEvent {
                        id: u16::try_from(events.len()).unwrap_or(u16::MAX),
                        task: schema.name.to_string().into(),
                        opcode: "".into(),
                        message: "".into(),
                        enabling: None,
                        layout: schema.layout.clone(),
                    });
                }
                Some(Err(_)) => unread += 1,
                _ => {}
            }
        }
        let of_events = |provider| Described { kind: Kind::Events, provider };
        let logged = schemas.manifests().providers();
        let logged = logged.map(|p| ("manifest in the trace", of_events(Provider::clone(p))));
        let merged = schemas.merged().described().into_iter().map(|d| ("description in the trace", d));
        let carried = own.into_iter().map(|(guid, (name, events))| {
            let guid = Guid::from_bytes(guid);
            let name = if name.is_empty() { guid.to_string() } else { name };
            ("TraceLogging", of_events(Provider::new(name, guid, events)))
        });
        let mut found: Vec<_> = logged.chain(merged).chain(carried).collect();
        found.sort_by(|a, b| (a.0, &a.1.provider.name).cmp(&(b.0, &b.1.provider.name)));
        TraceSchemas {
            found,
            manifests: schemas.manifests().texts().to_vec(),
            unread: unread + schemas.unread(),
            problems: schemas.manifests().problems().to_vec(),
        }
    }
}
