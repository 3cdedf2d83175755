//! Events as Tcl sees them: raw ones, and the records that `etw_format_events` makes of them.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tracewell_decode::{Decoder, EventFormat, Fields, Schemas, Source};
use tracewell_etl::def::event::{EventFlags, ExtendedKind};
use tracewell_etl::{Identity, LogFileHeader, Record};
use tracewell_schema::{Keyword, ProviderEvent, classes, kernel};
use tracewell_types::{Guid, Sid, Utf16Str};

use crate::controller::{KERNEL_GUID, guid_obj};
use crate::failure::{boolean, words};
use crate::message;
use crate::property;
use crate::provider::{CLASS_GUID, CLASS_NAME, PROVIDER_GUID, PROVIDER_NAME};
use crate::sys::{Interp, Obj, Outcome};

/// Whether the layout of TWAPI's own events is registered. It is from the start, which is more than Windows gives.
static INSTALLED: AtomicBool = AtomicBool::new(true);

/// Whether classic events are shown as TWAPI shows them by way of WMI's class registry, before it used TDH.
static BY_CLASS: AtomicBool = AtomicBool::new(false);

/// Returns `true` if `etw_force_mof` is on.
pub(crate) fn is_by_class() -> bool {
    BY_CLASS.load(Ordering::Relaxed)
}

/// `etw_force_mof ?BOOL?`: gives what it was.
pub(crate) fn force_mof(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 1, 2, "?BOOL?")?;
    let before = is_by_class();
    if let Some(word) = args.get(1) {
        BY_CLASS.store(boolean(word)?, Ordering::Relaxed);
    }
    Ok(Obj::int(before))
}

/// How events are shown, as scripts set it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    by_class: bool,
    installed: bool,
}

impl Manner {
    /// As it is now.
    pub(crate) fn now() -> Manner {
        Manner { by_class: is_by_class(), installed: INSTALLED.load(Ordering::Relaxed) }
    }
}

/// Properties that could not be decoded, and events of which nothing could.
pub(crate) static PROPERTY_ERRORS: AtomicU64 = AtomicU64::new(0);
pub(crate) static EVENT_ERRORS: AtomicU64 = AtomicU64::new(0);

/// `etw_install_twapi_mof`
pub(crate) fn install(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 1, 1, "")?;
    INSTALLED.store(true, Ordering::Relaxed);
    Ok(Obj::empty())
}

/// `etw_uninstall_twapi_mof`
pub(crate) fn uninstall(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 1, 1, "")?;
    INSTALLED.store(false, Ordering::Relaxed);
    Ok(Obj::empty())
}

/// A field of the record that represents an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    EventId,
    Version,
    Channel,
    Level,
    Opcode,
    Task,
    KeywordMask,
    TimeCreated,
    Tid,
    Pid,
    ProviderGuid,
    UserTime,
    KernelTime,
    ProviderName,
    EventGuid,
    ChannelName,
    LevelName,
    OpcodeName,
    TaskName,
    Keywords,
    Properties,
    Message,
    Sid,
}

/// All columns, in order, with the names Tcl knows them by.
pub(crate) const COLUMNS: [(&str, Column); 23] = [
    ("-eventid", Column::EventId),
    ("-version", Column::Version),
    ("-channel", Column::Channel),
    ("-level", Column::Level),
    ("-opcode", Column::Opcode),
    ("-task", Column::Task),
    ("-keywordmask", Column::KeywordMask),
    ("-timecreated", Column::TimeCreated),
    ("-tid", Column::Tid),
    ("-pid", Column::Pid),
    ("-providerguid", Column::ProviderGuid),
    ("-usertime", Column::UserTime),
    ("-kerneltime", Column::KernelTime),
    ("-providername", Column::ProviderName),
    ("-eventguid", Column::EventGuid),
    ("-channelname", Column::ChannelName),
    ("-levelname", Column::LevelName),
    ("-opcodename", Column::OpcodeName),
    ("-taskname", Column::TaskName),
    ("-keywords", Column::Keywords),
    ("-properties", Column::Properties),
    ("-message", Column::Message),
    ("-sid", Column::Sid),
];

/// `tracewell::fields`: the names of the columns.
pub(crate) fn fields(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 1, 1, "")?;
    Ok(Obj::texts(COLUMNS.map(|(name, _)| name)))
}

/// Describes events, and caches the keyword names of each provider.
pub(crate) struct Names {
    decoder: Decoder,
    keywords: HashMap<Guid, Rc<[Keyword]>>,
}

impl Names {
    pub(crate) fn new(schemas: Schemas) -> Names {
        Names { decoder: Decoder::new(schemas), keywords: HashMap::new() }
    }

    fn keywords(&mut self, record: &Record<'_>) -> Option<Rc<[Keyword]>> {
        if !record.is_event() || record.keyword() == 0 {
            return None;
        }
        let guid = record.guid();
        let known =
            self.keywords.entry(guid).or_insert_with(|| self.decoder.schemas().keywords(&guid).into());
        Some(Rc::clone(known))
    }
}

/// An event with its description.
pub(crate) struct Event<'a> {
    record: Record<'a>,
    format: &'a EventFormat,
    /// The names of its provider's keywords; `None` when it has none.
    keywords: Option<Rc<[Keyword]>>,
    header: &'a LogFileHeader,
    /// File time.
    time: i64,
    /// The description of TWAPI's own events; `None` for others, and while it is not installed.
    own: Option<&'static ProviderEvent>,
    /// Whether it is one of TWAPI's own of which nothing is to be known.
    hidden: bool,
    manner: Manner,
    /// Whether it is shown for the first time, and counted if it cannot be decoded.
    counts: bool,
}

impl<'a> Event<'a> {
    pub(crate) fn new(
        record: Record<'a>,
        names: &'a mut Names,
        header: &'a LogFileHeader,
        time: i64,
    ) -> Event<'a> {
        Event { counts: true, ..Event::again(record, names, header, time, Manner::now()) }
    }

    /// An event that was counted before, as it was shown then.
    pub(crate) fn again(
        record: Record<'a>,
        names: &'a mut Names,
        header: &'a LogFileHeader,
        time: i64,
        manner: Manner,
    ) -> Event<'a> {
        let class = matches!(record.identity(), Identity::Class { guid: CLASS_GUID, .. });
        let installed = manner.installed;
        let own = classes::class(&CLASS_GUID)
            .filter(|_| class && installed)
            .and_then(|class| class.event(record.opcode().into(), 0));
        let keywords = names.keywords(&record);
        let format = names.decoder.format(&record);
        // Descriptions given by the user are always used.
        let hidden = class && !installed && format.source == Source::Bundled;
        Event { record, format, keywords, header, time, own, hidden, manner, counts: false }
    }

    /// Returns `true` if it is shown by its class alone; see [`force_mof`].
    fn by_class(&self) -> bool {
        self.is_classic() && self.manner.by_class
    }

    /// The source of the event's description.
    fn source(&self) -> Source {
        if self.hidden { Source::None } else { self.format.source }
    }

    pub(crate) fn record(&self) -> &Record<'a> {
        &self.record
    }

    /// Returns `true` if the record is of the old kind, which has a class.
    fn is_classic(&self) -> bool {
        !self.record.is_event()
    }

    /// The class of a classic event.
    fn class(&self) -> Guid {
        match self.record.identity() {
            Identity::Kernel { group, .. } => kernel::by_group(group).map_or(KERNEL_GUID, |class| class.guid),
            _ => self.record.guid(),
        }
    }

    fn provider_guid(&self) -> Guid {
        match (self.own, self.source()) {
            (Some(_), _) => PROVIDER_GUID,
            (None, Source::Kernel) => KERNEL_GUID,
            _ if self.record.hook().is_some() => KERNEL_GUID,
            _ => self.record.guid(),
        }
    }

    fn provider_name(&self) -> Obj {
        match (self.own, self.provider_guid()) {
            (Some(_), _) if self.by_class() => Obj::new(CLASS_NAME),
            (None, _) if self.by_class() && !self.format.task.is_empty() => Obj::new(&self.format.task),
            (Some(_), _) => Obj::new(PROVIDER_NAME),
            (None, KERNEL_GUID) => Obj::new("MSNT_SystemTrace"),
            _ => Obj::new(&self.format.provider),
        }
    }

    /// A name, or the number where there is none.
    fn name_or(name: &str, number: u64) -> Obj {
        match name.trim_end() {
            "" => Obj::unsigned(number),
            name => Obj::new(name),
        }
    }

    fn level_name(&self) -> Obj {
        let level = self.record.level();
        if self.by_class() {
            const NAMES: [&str; 6] = ["Log Always", "Critical", "Error", "Warning", "Informational", "Debug"];
            return Event::name_or(NAMES.get(usize::from(level)).unwrap_or(&""), level.into());
        }
        let described = !self.is_classic() && self.source() != Source::None;
        let name = match level {
            1 if described => "Critical",
            2 if described => "Error",
            3 if described => "Warning",
            4 if described => "Information",
            5 if described => "Verbose",
            _ => "",
        };
        Event::name_or(name, level.into())
    }

    /// The name of the channel that a description gives; 0 is no channel.
    fn channel_name(&self) -> Obj {
        let described = !self.is_classic() && self.source() != Source::None;
        let name = if described { self.format.channel_name(&self.record) } else { None };
        Event::name_or(name.unwrap_or_default(), self.record.channel().into())
    }

    fn opcode_name(&self) -> Obj {
        let opcode = self.record.opcode();
        let name = match self.own {
            Some(own) => &own.opcode,
            None if self.source() == Source::None => "",
            None if self.format.opcode.is_empty() && opcode == 0 && !self.is_classic() => "Info",
            None => &self.format.opcode,
        };
        Event::name_or(name, opcode.into())
    }

    fn task_name(&self) -> Obj {
        let name = if self.own.is_some() || self.source() == Source::None && self.record.hook().is_none() {
            ""
        } else {
            &self.format.task
        };
        Event::name_or(name, self.record.task().into())
    }

    fn properties(&self) -> Obj {
        let dict = Obj::dict();
        let payload = self.record.payload();
        let pointer_size = self.record.pointer_size();
        if self.record.flags().has(EventFlags::STRING_ONLY) {
            let text = Obj::utf16(Utf16Str::until_nul(payload).0.units());
            dict.put(&Obj::new("_stringdata"), &Obj::list(&[text]));
            return dict;
        }
        let Some(fields) = self.fields() else {
            if !payload.is_empty() {
                let key = if self.by_class() { "_mofdata" } else { "_userdata" };
                let digits = payload.iter().fold(String::new(), |mut digits, byte| {
                    let _ = write!(digits, "{byte:02x}");
                    digits
                });
                dict.put(&Obj::new(key), &Obj::new(&digits));
                self.count(&EVENT_ERRORS, 1);
            }
            return dict;
        };
        let lack = fields.clone().lack(self.format).filter(|_| self.own.is_none());
        let errors = property::put_all(fields, pointer_size, self.by_class(), &dict);
        if let Some(lack) = lack {
            dict.put(&Obj::new("_partial"), &Obj::list(&[Obj::new(&lack.to_string())]));
        }
        self.count(&PROPERTY_ERRORS, errors);
        dict
    }

    /// The fields of the payload, if something describes them.
    fn fields(&self) -> Option<Fields<'_>> {
        match self.own {
            Some(own) => Some(Fields::new(&own.layout, self.record.payload(), self.record.pointer_size())),
            None if self.format.layout.is_some() && !self.hidden => Some(self.format.fields(&self.record)),
            None => None,
        }
    }

    fn count(&self, errors: &AtomicU64, number: u64) {
        if self.counts && number > 0 {
            errors.fetch_add(number, Ordering::Relaxed);
        }
    }

    /// Counts what cannot be decoded, as its properties would.
    pub(crate) fn count_faults(&self) {
        if self.record.flags().has(EventFlags::STRING_ONLY) {
            return;
        }
        match self.fields() {
            Some(mut fields) => {
                fields.by_ref().for_each(drop);
                self.count(&PROPERTY_ERRORS, fields.error().is_some().into());
            }
            None => self.count(&EVENT_ERRORS, u64::from(!self.record.payload().is_empty())),
        }
    }

    /// Kernel and user time in ticks of the timer, and whether they are one count of cycles.
    fn times(&self) -> (u32, u32, bool) {
        let (kernel, user) = self.record.cpu_times().unwrap_or((0, 0));
        (kernel, user, self.record.flags().has(EventFlags::PRIVATE_SESSION))
    }

    /// User and kernel time in 100 ns.
    fn elapsed(&self) -> (u64, u64) {
        let (kernel, user, private) = self.times();
        let scale = |ticks: u64| ticks.saturating_mul(u64::from(self.header.timer_resolution));
        if private {
            (scale(u64::from(kernel) | u64::from(user) << 32), 0)
        } else {
            (scale(user.into()), scale(kernel.into()))
        }
    }

    fn sid(&self) -> Obj {
        let item = self.record.extended().find(|item| item.kind == ExtendedKind::SID);
        let sid = item.and_then(|item| Sid::parse(item.data));
        sid.map_or_else(Obj::empty, |sid| Obj::new(&sid.to_string()))
    }

    /// The value of a column.
    pub(crate) fn cell(&self, column: Column) -> Obj {
        let record = &self.record;
        match column {
            Column::EventId => Obj::int(record.id()),
            Column::Version => Obj::int(record.version()),
            Column::Channel => Obj::int(record.channel()),
            Column::Level => Obj::int(record.level()),
            Column::Opcode => Obj::int(record.opcode()),
            Column::Task => Obj::int(record.task()),
            Column::KeywordMask => Obj::unsigned(record.keyword()),
            Column::TimeCreated => Obj::int(self.time),
            Column::Tid => Obj::int(record.tid().map_or(-1, u32::cast_signed)),
            Column::Pid => Obj::int(record.pid().map_or(-1, u32::cast_signed)),
            Column::ProviderGuid => guid_obj(&self.provider_guid()),
            Column::UserTime => Obj::unsigned(self.elapsed().0),
            Column::KernelTime => Obj::unsigned(self.elapsed().1),
            Column::ProviderName => self.provider_name(),
            Column::EventGuid if self.is_classic() => guid_obj(&self.class()),
            Column::EventGuid => Obj::empty(),
            Column::Keywords => {
                let mask = record.keyword();
                let set = |(bits, _): &&Keyword| *bits != 0 && mask & *bits == *bits;
                Obj::texts(
                    self.keywords.iter().flat_map(|all| all.iter()).filter(set).map(|(_, name)| &**name),
                )
            }
            Column::ChannelName => self.channel_name(),
            Column::LevelName => self.level_name(),
            Column::OpcodeName => self.opcode_name(),
            Column::TaskName => self.task_name(),
            Column::Properties => self.properties(),
            Column::Message => Obj::new(&self.format.message),
            Column::Sid => self.sid(),
        }
    }

    /// The message with its inserts; where there is none, the properties.
    pub(crate) fn message_or_properties(&self) -> Obj {
        let properties = self.properties();
        if self.format.message.is_empty() {
            Obj::new(&format!("Properties: {}", properties.text()))
        } else {
            Obj::new(&message::format(&self.format.message, &properties))
        }
    }

    /// The raw form: header, buffer context, extended data, data.
    pub(crate) fn raw(&self) -> Obj {
        let record = &self.record;
        let (kernel, user, private) = self.times();
        let processor = if private { u64::from(kernel) | u64::from(user) << 32 } else { 0 };
        let mut flags = record.flags().0;
        if self.is_classic() {
            flags |= EventFlags::CLASSIC_HEADER.0;
        }
        flags |=
            if record.pointer_size() == 4 { EventFlags::HEADER_32_BIT } else { EventFlags::HEADER_64_BIT }.0;
        let descriptor = [
            Column::EventId,
            Column::Version,
            Column::Channel,
            Column::Level,
            Column::Opcode,
            Column::Task,
            Column::KeywordMask,
        ];
        let header_guid = if self.is_classic() { self.class() } else { record.guid() };
        let header = Obj::list(&[
            Obj::int(flags),
            Obj::int(record.event_property()),
            self.cell(Column::Tid),
            self.cell(Column::Pid),
            Obj::int(self.time),
            Obj::int(kernel),
            Obj::int(user),
            Obj::unsigned(processor),
            guid_obj(&record.activity_id()),
            Obj::list(&descriptor.map(|column| self.cell(column))),
            guid_obj(&header_guid),
        ]);
        let related = record.related_activity_id();
        let decoder = match self.source() {
            _ if self.is_classic() => 1,
            Source::TraceLogging => 3,
            _ => 0,
        };
        let data = Obj::list(&[
            self.cell(Column::ProviderGuid),
            self.cell(Column::EventGuid),
            Obj::int(decoder),
            self.provider_name(),
            self.level_name(),
            self.cell(Column::ChannelName),
            self.cell(Column::Keywords),
            self.task_name(),
            self.opcode_name(),
            self.cell(Column::Message),
            self.provider_name(),
            guid_obj(&record.activity_id()),
            related.map_or_else(Obj::empty, |guid| guid_obj(&guid)),
            self.properties(),
            Obj::int(0),
        ]);
        let context = Obj::list(&[Obj::int(record.cpu()), Obj::int(0)]);
        Obj::list(&[header, context, self.extended(), data])
    }

    /// The extended data of the raw form, as a dictionary.
    fn extended(&self) -> Obj {
        let record = &self.record;
        let extended = Obj::dict();
        for item in record.extended() {
            let words = |at: usize| {
                let bytes = item.data.get(at..).and_then(<[u8]>::first_chunk);
                Obj::int(bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes)))
            };
            match item.kind {
                ExtendedKind::RELATED_ACTIVITY => {
                    if let Some(guid) = record.related_activity_id() {
                        extended.put(&Obj::new("relatedactivity"), &guid_obj(&guid));
                    }
                }
                ExtendedKind::SID => extended.put(&Obj::new("sid"), &self.sid()),
                ExtendedKind::TERMINAL_SESSION => extended.put(&Obj::new("tssession"), &words(0)),
                ExtendedKind::INSTANCE_INFO => {
                    let parent = item.data.get(8..).and_then(<[u8]>::first_chunk).copied();
                    let guid = guid_obj(&Guid::from_bytes(parent.unwrap_or_default()));
                    extended.put(&Obj::new("iteminstance"), &Obj::list(&[words(0), words(4), guid]));
                }
                _ => {}
            }
        }
        extended
    }
}
