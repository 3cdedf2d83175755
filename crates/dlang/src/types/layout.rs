//! Sizes, alignment, and the layout of structs, unions and bit-fields.
//!
//! Plain members lie as the C ABI has them. Bit-fields follow D's own rule, which the published tests pin down
//! (`bitfields/tst.SizeofBitField`): each starts on a byte, in a unit of the smallest power-of-two size that
//! holds it, and a record with bit-fields has no padding at its end.

use super::{Field, LayoutError, MemberDef, STRING_BYTES, Type, TypeId, Types};

/// No object is larger than this: offsets stay within an instruction's immediate.
const LARGEST: u64 = i32::MAX as u64;

fn round_up(value: u64, to: u64) -> u64 {
    value.div_ceil(to.max(1)).saturating_mul(to.max(1))
}

impl Types {
    /// Size in bytes, when the type has one (not `void`, functions, incomplete and dynamic types).
    /// A `string` within a struct takes [`STRING_BYTES`].
    #[must_use]
    pub fn size(&self, id: TypeId) -> Option<u64> {
        self.size_and_align(id).map(|(size, _)| size)
    }

    /// Size and alignment in bytes.
    #[must_use]
    pub fn size_and_align(&self, id: TypeId) -> Option<(u64, u64)> {
        let mut id = id;
        let mut times: u64 = 1;
        loop {
            let unit = match *self.resolve(id) {
                Type::Array(element, count) => {
                    times = times.saturating_mul(count);
                    id = element;
                    continue;
                }
                Type::Int { bytes, .. } | Type::Float { bytes, .. } => (u64::from(bytes), u64::from(bytes)),
                Type::Enum(_) => {
                    self.enumeration(id)?.items.as_ref()?;
                    (4, 4)
                }
                Type::Pointer(_) => (u64::from(self.pointer_bytes()), u64::from(self.pointer_bytes())),
                Type::String => (STRING_BYTES, 1),
                Type::Record(_) => {
                    let record = self.record(id)?;
                    record.fields.as_ref()?;
                    (record.size, record.align)
                }
                Type::Void | Type::Function { .. } | Type::Dynamic(_) | Type::Typedef(..) => return None,
            };
            return Some((unit.0.saturating_mul(times), unit.1));
        }
    }

    /// Returns `true` if an array of that many elements can exist.
    #[must_use]
    pub fn array_fits(&self, element: TypeId, count: u64) -> bool {
        let unit = self.size(element).unwrap_or(1).max(1);
        unit.checked_mul(count).is_some_and(|n| n <= LARGEST)
    }

    /// Sets the members of a struct or union.
    ///
    /// # Errors
    /// If a member has no size, a name is duplicate, or the whole is too large. The type then remains
    /// incomplete.
    pub fn complete_record(&mut self, id: TypeId, members: Vec<MemberDef>) -> Result<(), LayoutError> {
        let Type::Record(number) = *self.resolve(id) else { return Ok(()) };
        let is_union = self.record(id).is_some_and(|r| r.is_union);
        let mut fields: Vec<Field> = Vec::with_capacity(members.len());
        let mut names = rustc_hash::FxHashSet::default();
        // The end of what is laid out, in bits.
        let mut end: u64 = 0;
        let mut align: u64 = 1;
        let mut size: u64 = 0;
        let mut has_bits = false;
        for (at, member) in members.into_iter().enumerate() {
            if !member.name.is_empty() && !names.insert(member.name.clone()) {
                return Err(LayoutError::Duplicate(at));
            }
            let (bytes, unit) = self.size_and_align(member.ty).ok_or(LayoutError::Incomplete(at))?;
            let mut reserved = 0;
            if member.bits.is_none() {
                align = align.max(unit);
            }
            let start = if is_union { 0 } else { end };
            let (offset, bits, stop) = match member.bits {
                Some(width) => {
                    let bytes = u64::from(width.div_ceil(8)).next_power_of_two();
                    has_bits = true;
                    let offset = round_up(start.div_ceil(8), bytes);
                    align = align.max(bytes);
                    reserved = offset + bytes;
                    (offset, Some((0, width)), offset * 8 + u64::from(width))
                }
                None => {
                    let offset = round_up(start.div_ceil(8), unit);
                    (offset, None, offset.saturating_add(bytes).saturating_mul(8))
                }
            };
            end = stop;
            size = size.max(stop.div_ceil(8)).max(reserved);
            if size > LARGEST {
                return Err(LayoutError::TooBig);
            }
            fields.push(Field { name: member.name, ty: member.ty, offset, bits });
        }
        if let Some(record) = self.records.get_mut(number.0 as usize) {
            record.size = if has_bits { size } else { round_up(size, align) };
            record.align = align;
            record.fields = Some(fields);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, ty: TypeId, bits: Option<u8>) -> MemberDef {
        MemberDef { name: name.to_owned(), ty, bits }
    }

    #[test]
    fn members_are_aligned_and_bits_are_packed() {
        let mut types = Types::new(8);
        let basic = types.basic();
        let s = types.add_record(false, "s");
        let members = vec![
            member("c", basic.char_, None),
            member("a", basic.int, Some(3)),
            member("b", basic.int, Some(30)),
            member("l", basic.long, None),
        ];
        types.complete_record(s, members).unwrap();
        assert_eq!(types.size(s), Some(16));
        let a = types.field(s, "a").unwrap();
        assert_eq!((a.offset, a.bits), (1, Some((0, 3))));
        let b = types.field(s, "b").unwrap();
        assert_eq!((b.offset, b.bits), (4, Some((0, 30))));
        assert_eq!(types.field(s, "l").unwrap().offset, 8);
    }

    #[test]
    fn records_of_bits_have_no_padding_at_their_end() {
        let mut types = Types::new(8);
        let basic = types.basic();
        for (widths, size) in
            [(&[1_u8][..], 1), (&[1, 3], 2), (&[12, 10, 3], 5), (&[20, 3, 12], 6), (&[30, 30, 32], 12)]
        {
            let s = types.add_record(false, "");
            let members =
                widths.iter().enumerate().map(|(i, &w)| member(&format!("m{i}"), basic.int, Some(w)));
            types.complete_record(s, members.collect()).unwrap();
            assert_eq!(types.size(s), Some(size), "{widths:?}");
        }
    }

    #[test]
    fn a_record_cannot_hold_itself() {
        let mut types = Types::new(8);
        let s = types.add_record(false, "s");
        assert_eq!(types.complete_record(s, vec![member("s", s, None)]), Err(LayoutError::Incomplete(0)));
    }

    #[test]
    fn a_union_is_as_long_as_its_longest() {
        let mut types = Types::new(8);
        let basic = types.basic();
        let u = types.add_record(true, "");
        let five = types.array(basic.char_, 5);
        types.complete_record(u, vec![member("i", basic.int, None), member("c", five, None)]).unwrap();
        assert_eq!(types.size_and_align(u), Some((8, 4)));
    }
}
