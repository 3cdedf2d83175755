//! Names for the values of integers.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Names for the values of a field: one for each value, or one for each bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueMap {
    /// The name of the map itself.
    pub name: Cow<'static, str>,
    /// Whether each entry names bits, several of which may be set at a time.
    pub bits: bool,
    /// The values with their names, in the order of the source.
    pub entries: Cow<'static, [MapEntry]>,
}

/// A value with its name.
pub type MapEntry = (u32, Cow<'static, str>);

/// A map that a field refers to: of a generated table, or shared by the fields of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapRef {
    /// Of a generated table.
    Static(&'static ValueMap),
    /// Built at run time.
    Shared(Arc<ValueMap>),
}

impl MapRef {
    /// The map.
    #[must_use]
    pub fn get(&self) -> &ValueMap {
        match self {
            MapRef::Static(map) => map,
            MapRef::Shared(map) => map,
        }
    }
}

impl ValueMap {
    /// A map built at run time.
    #[must_use]
    pub fn new(name: String, bits: bool, entries: Vec<MapEntry>) -> ValueMap {
        ValueMap { name: name.into(), bits, entries: entries.into() }
    }

    /// The name of exactly this value.
    #[must_use]
    pub fn name_of(&self, value: u64) -> Option<&str> {
        // Most maps have a name for each number from zero on.
        let at = usize::try_from(value).ok().and_then(|at| self.entries.get(at));
        if let Some((known, name)) = at
            && u64::from(*known) == value
        {
            return Some(name);
        }
        self.entries.iter().find(|(known, _)| u64::from(*known) == value).map(|(_, name)| &**name)
    }

    /// The value as names; `None` if the map has no name for it.
    #[must_use]
    pub fn show(&self, value: u64) -> Option<MapText<'_>> {
        let known = if self.bits {
            self.name_of(value).is_some()
                || self
                    .entries
                    .iter()
                    .any(|(bits, _)| *bits != 0 && value & u64::from(*bits) == u64::from(*bits))
        } else {
            self.name_of(value).is_some()
        };
        known.then_some(MapText { map: self, value })
    }
}

/// A value shown by the names of its map: one name, or the names of the bits with `|` between them and
/// what has no name in hexadecimal at the end.
#[derive(Clone, Copy, Debug)]
pub struct MapText<'a> {
    map: &'a ValueMap,
    value: u64,
}

impl fmt::Display for MapText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.map.name_of(self.value) {
            return f.write_str(name);
        }
        let mut left = self.value;
        let mut first = true;
        for (bits, name) in self.map.entries.iter() {
            let bits = u64::from(*bits);
            if bits != 0 && self.value & bits == bits && left & bits != 0 {
                if !first {
                    f.write_str("|")?;
                }
                f.write_str(name)?;
                left &= !bits;
                first = false;
            }
        }
        if left != 0 || first {
            write!(f, "{}{left:#x}", if first { "" } else { "|" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_bits_have_names() {
        let entries = vec![(0, "None".into()), (1, "Read".into()), (2, "Write".into()), (6, "Both".into())];
        let values = ValueMap::new("V".into(), false, entries.clone());
        let shown = |map: &ValueMap, value| map.show(value).map(|text| text.to_string());
        assert_eq!(shown(&values, 2), Some("Write".into()));
        assert_eq!(shown(&values, 3), None);
        let bits = ValueMap::new("B".into(), true, entries);
        assert_eq!(shown(&bits, 3), Some("Read|Write".into()));
        assert_eq!(shown(&bits, 0), Some("None".into()));
        assert_eq!(shown(&bits, 0x19), Some("Read|0x18".into()));
        assert_eq!(shown(&bits, 0x10), None);
    }
}
