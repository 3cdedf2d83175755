//! The kernel's own classes: lookup by group, hook, GUID and name.

use tracewell_types::Guid;

use crate::generated::kernel as tables;
use crate::{EventClass, EventMatch};

pub use crate::flag::{self, FLAGS, Flag, named as flag_named};
pub use tables::{guid, hook};

/// Returns `true` if other records cannot be understood without the records of a hook (`group << 8 | opcode`): names, lists
/// of what ran, settings.
#[must_use]
pub const fn defines(hook: u16) -> bool {
    tables::defines(hook)
}

/// Returns `true` if the records of a hook list what was there before the trace or after it.
#[must_use]
pub const fn lists(hook: u16) -> bool {
    tables::lists(hook)
}

/// Every class, in the order of `tables/kernel.classes`.
#[must_use]
pub fn classes() -> &'static [&'static EventClass] {
    &tables::CLASSES
}

/// The class whose short-header records have this group byte. See [`by_hook`] for records that use
/// the group of another class.
#[must_use]
pub fn by_group(group: u8) -> Option<&'static EventClass> {
    tables::class_of_group(group)
}

/// The class of the short-header records with this group and opcode.
///
/// Image loads are logged in the Process group; everything else follows its group.
#[must_use]
pub fn by_hook(group: u8, opcode: u8) -> Option<&'static EventClass> {
    tables::class_of_stray_hook(group, opcode).or_else(|| by_group(group))
}

/// The class with this event class GUID.
#[must_use]
pub fn by_guid(guid: &Guid) -> Option<&'static EventClass> {
    classes().iter().copied().find(|class| class.guid == *guid)
}

/// The class with this name, ignoring ASCII case.
#[must_use]
pub fn class(name: &str) -> Option<&'static EventClass> {
    classes().iter().copied().find(|class| class.name.eq_ignore_ascii_case(name))
}

/// The flags with which a session gets the records of a class and opcode: each is sufficient, and the most informative is first.
/// Empty for records that no flag alone asks for.
///
/// ```
/// use tracewell_schema::kernel::{self, flag};
///
/// let thread = kernel::class("Thread").expect("it is one of them");
/// assert_eq!(kernel::flags(thread, 36), [flag::CSWITCH]);
/// assert_eq!(kernel::flags(thread, 1), [flag::THREAD]);
/// ```
#[must_use]
pub fn flags(class: &EventClass, opcode: u8) -> &'static [Flag] {
    class.group.map_or(&[], |group| tables::flags(group, opcode))
}

/// The layout for a short-header record; see [`EventClass::event`].
#[must_use]
pub fn event_of_hook(group: u8, opcode: u8, version: u8) -> Option<EventMatch> {
    by_hook(group, opcode)?.event(opcode, version)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{Count, Field, FieldType, Length};

    #[test]
    fn classes_are_found_by_group_guid_and_name() {
        for class in classes() {
            assert!(std::ptr::eq(by_guid(&class.guid).unwrap(), *class));
            assert!(std::ptr::eq(self::class(&class.name.to_uppercase()).unwrap(), *class));
            if let Some(group) = class.group {
                assert!(std::ptr::eq(by_group(group).unwrap(), *class));
            }
        }
        assert!(by_group(0xFE).is_none() && class("none").is_none());
    }

    #[test]
    fn image_loads_are_in_the_process_group() {
        assert_eq!(by_hook(3, 10).unwrap().name, "Image");
        assert_eq!(by_hook(3, 1).unwrap().name, "Process");
        assert_eq!(by_hook(20, 3).unwrap().name, "Image");
        assert_eq!(event_of_hook(3, 10, 3).unwrap().event.name, "Load");
    }

    #[test]
    fn versions_degrade_to_the_nearest_lower_one() {
        let process = class("Process").unwrap();
        let number = |opcode, version| process.event(opcode, version).map(|m| (m.version.number, m.exact));
        assert_eq!(number(1, 4), Some((4, true)));
        assert_eq!(number(1, 9), Some((4, false)));
        assert_eq!(number(39, 9), Some((5, false)));
        assert_eq!(number(39, 0), Some((2, false)), "nothing lower: the lowest");
        assert_eq!(number(200, 4), None);
        assert_eq!(process.event_by_name("dcstart").unwrap().opcode, 3);
    }

    /// What the model promises of a layout; see [`every_table_is_well_formed`].
    pub(crate) fn check(fields: &[Field], place: &str) {
        let mut open_end = false;
        let mut optional = false;
        for (at, field) in fields.iter().enumerate() {
            let here = format!("{place}.{}", field.name);
            assert!(!open_end, "{here} follows the rest of the payload");
            assert!(field.optional || !optional, "{here} follows an optional field");
            optional = field.optional;
            assert!(fields[..at].iter().all(|f| !f.name.eq_ignore_ascii_case(&field.name)), "{here}");
            let back = |index: u16| {
                let target = &fields[..at][usize::from(index)];
                assert!(target.ty.is_integer() && target.count == Count::One, "{here}");
            };
            if let Count::Field(index) = field.count {
                back(index);
            }
            match &field.ty {
                FieldType::Utf16(l) | FieldType::Ansi(l) | FieldType::Binary(l) => {
                    if let Length::Field(index) = l {
                        back(*index);
                    }
                    open_end |= *l == Length::Rest;
                }
                FieldType::Struct(inner) => check(inner, &here),
                _ => {}
            }
            // Numbers leave what is less than one of them to the field behind.
            open_end |= field.count == Count::Rest
                && fields.get(at + 1).is_none_or(|next| {
                    let size = |field: &Field| field.ty.fixed_size(4);
                    next.fixed_size(4).is_none() || size(next) >= size(field)
                });
        }
    }

    /// What the model promises of every table: opcodes and versions ascend, names are unique inside a
    /// layout, references point backwards at integers, nothing follows a field that takes the rest,
    /// and after an optional field there are only optional ones.
    #[test]
    fn every_table_is_well_formed() {
        for class in classes() {
            assert!(class.events.is_sorted_by(|a, b| a.opcode < b.opcode), "{}", class.name);
            for event in class.events {
                assert!(!event.name.is_empty());
                assert!(event.versions.is_sorted_by(|a, b| a.number < b.number));
                for version in event.versions {
                    let place = format!("{}.{} v{}", class.name, event.name, version.number);
                    check(&version.fields, &place);
                }
            }
        }
    }

    #[test]
    fn fixed_sizes_follow_the_pointer_size() {
        let sum = |name: &str, opcode, version, pointer| -> Option<usize> {
            let layout = class(name)?.event(opcode, version)?.version;
            layout.fields.iter().map(|f| f.fixed_size(pointer)).sum()
        };
        assert_eq!(sum("Thread", 36, 2, 8), Some(24));
        assert_eq!(sum("DiskIo", 10, 3, 8), Some(52));
        assert_eq!(sum("DiskIo", 10, 3, 4), Some(44));
        assert_eq!(sum("PerfInfo", 46, 2, 4), Some(12));
        assert_eq!(sum("TcpIp", 28, 2, 8), Some(72));
        assert_eq!(sum("SystemConfig", 10, 3, 8), Some(828));
        assert_eq!(sum("Process", 1, 4, 8), None);
    }
}
