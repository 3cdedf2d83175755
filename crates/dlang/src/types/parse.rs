//! Type names given as text by the supplier of probes: words, a tag or a typedef, and stars.

use super::{Type, TypeId, Types};

impl Types {
    /// The type that a text such as `unsigned int`, `struct foo *` or `etw_disk_t *` names; `None` when there is
    /// no such type.
    pub fn parse_name(&mut self, text: &str) -> Option<TypeId> {
        let text = text.trim();
        let base = text.trim_end_matches(['*', ' ', '\t']);
        let stars = text.get(base.len()..)?.bytes().filter(|&b| b == b'*').count();
        let words: Vec<&str> =
            base.split_whitespace().filter(|w| *w != "const" && *w != "volatile").collect();
        let mut ty = self.named_by(&words)?;
        // A text with more stars than any program needs is no type name.
        if stars > 8 {
            return None;
        }
        for _ in 0..stars {
            ty = self.pointer(ty);
        }
        Some(ty)
    }

    fn named_by(&mut self, words: &[&str]) -> Option<TypeId> {
        let basic = self.basic();
        if let [word @ ("struct" | "union" | "enum"), tag] = words {
            return self.tagged(&format!("{word} {tag}"));
        }
        if let [name] = words
            && let Some(ty) = self.typedef(name)
        {
            return Some(ty);
        }
        let mut words = words.to_vec();
        words.sort_unstable();
        Some(match words.as_slice() {
            ["void"] => basic.void,
            ["string"] => basic.string,
            ["char"] => basic.char_,
            ["char", "signed"] => self.typedef("int8_t")?,
            ["char", "unsigned"] => self.typedef("uint8_t")?,
            ["short"] | ["int", "short"] => self.typedef("int16_t")?,
            ["short", "unsigned"] | ["int", "short", "unsigned"] => self.typedef("uint16_t")?,
            ["int"] | ["signed"] | ["int", "signed"] => basic.int,
            ["unsigned"] | ["int", "unsigned"] => basic.unsigned,
            ["long"] | ["int", "long"] => basic.long,
            ["long", "unsigned"] | ["int", "long", "unsigned"] => basic.ulong,
            ["long", "long"] | ["int", "long", "long"] => basic.longlong,
            ["long", "long", "unsigned"] | ["int", "long", "long", "unsigned"] => basic.ulonglong,
            ["float"] => self.add(Type::Float { bytes: 4, name: "float" }),
            ["double"] => self.add(Type::Float { bytes: 8, name: "double" }),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each name, in every order of its words, with qualifiers and stars.
    #[test]
    fn every_name_of_a_type() {
        let mut types = Types::new(8);
        for (names, bytes, signed) in [
            (&["char", "signed char"][..], 1, Some(true)),
            (&["unsigned char"], 1, Some(false)),
            (&["short", "short int"], 2, Some(true)),
            (&["unsigned short", "unsigned short int"], 2, Some(false)),
            (&["int", "signed", "signed int"], 4, Some(true)),
            (&["unsigned", "unsigned int"], 4, Some(false)),
            (&["long", "long int", "long long", "long long int"], 8, Some(true)),
            (
                &["unsigned long", "unsigned long int", "unsigned long long", "unsigned long long int"],
                8,
                Some(false),
            ),
            (&["float"], 4, None),
            (&["double"], 8, None),
        ] {
            for name in names {
                let reversed: Vec<&str> = name.split(' ').rev().collect();
                for name in [
                    (*name).to_owned(),
                    reversed.join(" "),
                    format!("const {name} "),
                    format!("{name} volatile"),
                ] {
                    let ty = types.parse_name(&name).unwrap_or_else(|| panic!("{name}"));
                    assert_eq!(
                        (types.size(ty), types.integer(ty)),
                        (Some(bytes), signed.map(|signed| (bytes as u8, signed))),
                        "{name}"
                    );
                    for stars in 1..=8 {
                        let pointer = types.parse_name(&format!("{name}{}", "*".repeat(stars))).unwrap();
                        assert_eq!(types.size(pointer), Some(8), "{name} with {stars} stars");
                        let mut base = pointer;
                        for _ in 0..stars {
                            let Type::Pointer(inner) = *types.resolve(base) else { panic!("{name}") };
                            base = inner;
                        }
                        assert_eq!(types.size(base), Some(bytes), "{name} with {stars} stars");
                    }
                    assert_eq!(types.parse_name(&format!("{name} * ********")), None, "{name}");
                }
            }
        }
        for unknown in
            ["", "*", "nonsense", "char int", "unsigned double", "struct nonsense", "long long long"]
        {
            assert_eq!(types.parse_name(unknown), None, "{unknown}");
        }
    }
}
