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
