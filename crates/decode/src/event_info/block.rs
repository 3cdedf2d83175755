//! Where the parts of `TRACE_EVENT_INFO`, `EVENT_PROPERTY_INFO` and `EVENT_MAP_INFO` are (`tdh.h`).

/// Bytes of `TRACE_EVENT_INFO` before its properties, and of each `EVENT_PROPERTY_INFO`.
pub(super) const HEAD: usize = 112;
pub(super) const PROPERTY: usize = 24;

/// Offsets in `TRACE_EVENT_INFO`. Those of texts and of the list of keywords are offsets of offsets.
pub(super) mod at {
    pub(in super::super) const PROVIDER: usize = 0;
    pub(in super::super) const CLASS: usize = 16;
    pub(in super::super) const ID: usize = 32;
    pub(in super::super) const VERSION: usize = 34;
    pub(in super::super) const CHANNEL: usize = 35;
    pub(in super::super) const LEVEL: usize = 36;
    pub(in super::super) const OPCODE: usize = 37;
    pub(in super::super) const TASK: usize = 38;
    pub(in super::super) const KEYWORD: usize = 40;
    pub(in super::super) const SOURCE: usize = 48;
    pub(in super::super) const PROVIDER_NAME: usize = 52;
    pub(in super::super) const LEVEL_NAME: usize = 56;
    pub(in super::super) const CHANNEL_NAME: usize = 60;
    pub(in super::super) const KEYWORD_NAMES: usize = 64;
    pub(in super::super) const TASK_NAME: usize = 68;
    pub(in super::super) const OPCODE_NAME: usize = 72;
    pub(in super::super) const MESSAGE: usize = 76;
    pub(in super::super) const PROPERTIES: usize = 100;
    pub(in super::super) const TOP_PROPERTIES: usize = 104;
    pub(in super::super) const FLAGS: usize = 108;
}

/// `DecodingSource`: from where a description comes.
pub(super) mod source {
    pub(in super::super) const MANIFEST: u32 = 0;
    pub(in super::super) const MOF: u32 = 1;
    pub(in super::super) const WPP: u32 = 2;
    pub(in super::super) const TRACE_LOGGING: u32 = 3;
}

/// Flags of a property.
pub(super) mod flag {
    pub(in super::super) const STRUCT: u32 = 0x1;
    pub(in super::super) const LENGTH_IN_FIELD: u32 = 0x2;
    pub(in super::super) const COUNT_IN_FIELD: u32 = 0x4;
    pub(in super::super) const FIXED_COUNT: u32 = 0x20;
}

/// Offsets in `EVENT_MAP_INFO`, and the flags of maps.
pub mod map {
    /// The offset of the name.
    pub const NAME: usize = 0;
    /// The flags.
    pub const FLAGS: usize = 4;
    /// The number of entries.
    pub const COUNT: usize = 8;
    /// The entries: each has the offset of its name, and its value.
    pub const ENTRIES: usize = 16;
    /// Bytes of an entry.
    pub const ENTRY: usize = 8;

    /// Values of a manifest.
    pub const VALUES: u32 = 0x1;
    /// A bitmap of a manifest.
    pub const BITMAP: u32 = 0x2;
    /// A pattern.
    pub const PATTERN: u32 = 0x4;
    /// A bitmap of a manifest, a bitmap of a class, and a value map of a class whose values are flags.
    pub const BITS: u32 = BITMAP | 0x10 | 0x20;
    /// A map of a class without values. Its names are in the order of the values from 0, or of the bits from the lowest.
    pub const NO_VALUES: u32 = 0x40;
}
