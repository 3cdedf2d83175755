//! The resources of a Windows program or library (PE/COFF, as Microsoft's public specification has it).

use tracewell_types::Utf16Str;

/// A resource directory and the sections it lies in.
pub(crate) struct Resources<'a> {
    file: &'a [u8],
    /// Where the directory begins in the file, and its address.
    at: usize,
    sections: Vec<Section>,
}

struct Section {
    address: u32,
    size: u32,
    at: u32,
}

/// The type of a resource.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type<'n> {
    Number(u32),
    Name(&'n str),
}

/// `RT_MESSAGETABLE`.
pub(crate) const MESSAGE_TABLE: Type<'static> = Type::Number(11);

/// Most entries of one directory, and resources of one type, that are followed.
const MAX_ENTRIES: usize = 4096;

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

impl<'a> Resources<'a> {
    /// The resources of an image; `None` when the bytes are no image or it has none.
    pub(crate) fn of_image(file: &'a [u8]) -> Option<Resources<'a>> {
        if file.get(..2)? != b"MZ" {
            return None;
        }
        let pe = u32_at(file, 0x3C)? as usize;
        if file.get(pe..pe.checked_add(4)?)? != b"PE\0\0" {
            return None;
        }
        let count = usize::from(u16_at(file, pe + 6)?);
        let optional = pe + 24;
        let table = optional + usize::from(u16_at(file, pe + 20)?);
        let directories = match u16_at(file, optional)? {
            0x10B => optional + 96,
            0x20B => optional + 112,
            _ => return None,
        };
        let address = u32_at(file, directories + 2 * 8)?;
        let mut sections = Vec::new();
        for at in (0..count).map(|index| table + index * 40) {
            let (virtual_size, raw_size) = (u32_at(file, at + 8)?, u32_at(file, at + 16)?);
            let size = virtual_size.max(raw_size);
            sections.push(Section { address: u32_at(file, at + 12)?, size, at: u32_at(file, at + 20)? });
        }
        let mut resources = Resources { file, at: 0, sections };
        resources.at = resources.place(address)?;
        Some(resources)
    }

    /// Where an address lies in the file.
    fn place(&self, address: u32) -> Option<usize> {
        let inside = |s: &&Section| address >= s.address && address - s.address < s.size;
        let section = self.sections.iter().find(inside)?;
        Some(section.at as usize + (address - section.address) as usize)
    }

    /// The data of every resource of a type, in any name and language.
    pub(crate) fn of_type(&self, wanted: Type<'_>) -> Vec<&'a [u8]> {
        self.with_languages(wanted).into_iter().map(|(_, data)| data).collect()
    }

    /// The data of the resources of a type in one language: American English, else another English, else none in
    /// particular, else the first that there is.
    pub(crate) fn of_one_language(&self, wanted: Type<'_>) -> Vec<&'a [u8]> {
        const AMERICAN: u32 = 0x409;
        const ENGLISH: u32 = 0x09;
        let rank = |language: u32| match language {
            AMERICAN => 0,
            language if language & 0x3FF == ENGLISH => 1,
            0 => 2,
            _ => 3,
        };
        let found = self.with_languages(wanted);
        let best = found.iter().map(|(language, _)| *language).min_by_key(|language| rank(*language));
        found.into_iter().filter(|(language, _)| Some(*language) == best).map(|(_, data)| data).collect()
    }

    /// The resources of a type with their languages, as Windows numbers these (`LANGID`).
    fn with_languages(&self, wanted: Type<'_>) -> Vec<(u32, &'a [u8])> {
        let mut found = Vec::new();
        for (name, target) in self.entries(0) {
            if self.is(name, wanted) {
                self.collect((name, target), 0, &mut found);
            }
        }
        found
    }

    /// The last directory above the data is that of languages.
    fn collect(&self, (name, target): (u32, u32), depth: u8, found: &mut Vec<(u32, &'a [u8])>) {
        const DIRECTORY: u32 = 1 << 31;
        if found.len() >= MAX_ENTRIES || depth > 2 {
            return;
        }
        if target & DIRECTORY != 0 {
            for inner in self.entries((target & !DIRECTORY) as usize) {
                self.collect(inner, depth + 1, found);
            }
        } else if let Some(data) = self.data(target as usize) {
            found.push((name, data));
        }
    }

    fn data(&self, offset: usize) -> Option<&'a [u8]> {
        let at = self.at.checked_add(offset)?;
        let (address, size) = (u32_at(self.file, at)?, u32_at(self.file, at + 4)? as usize);
        let at = self.place(address)?;
        self.file.get(at..at.checked_add(size)?)
    }

    fn entries(&self, offset: usize) -> Vec<(u32, u32)> {
        let read = || {
            let at = self.at.checked_add(offset)?;
            let named = usize::from(u16_at(self.file, at + 12)?);
            let count = (named + usize::from(u16_at(self.file, at + 14)?)).min(MAX_ENTRIES);
            let entry = |index: usize| {
                let at = at + 16 + index * 8;
                Some((u32_at(self.file, at)?, u32_at(self.file, at + 4)?))
            };
            Some((0..count).map_while(entry).collect())
        };
        read().unwrap_or_default()
    }

    fn is(&self, name: u32, wanted: Type<'_>) -> bool {
        const TEXT: u32 = 1 << 31;
        match wanted {
            Type::Number(number) => name == number,
            Type::Name(text) => {
                let read = || {
                    let at = self.at.checked_add((name & !TEXT) as usize)?;
                    let length = usize::from(u16_at(self.file, at)?) * 2;
                    Some(Utf16Str::from_bytes(self.file.get(at + 2..at + 2 + length)?))
                };
                name & TEXT != 0 && read().is_some_and(|found| found.eq_str_ignore_ascii_case(text))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An image with code in its first section and one resource in its second.
    fn image(of_type: u32, language: u32, data: &[u8]) -> Vec<u8> {
        const TABLE: usize = 0x58 + 136;
        const RESOURCES: u32 = 0x2000;
        let mut file = vec![0xEE; 0x400];
        file[..TABLE + 80].fill(0);
        let mut put = |at: usize, bytes: &[u8]| file[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, b"MZ");
        put(0x3C, &0x40_u32.to_le_bytes());
        put(0x40, b"PE\0\0");
        put(0x46, &2_u16.to_le_bytes());
        put(0x54, &136_u16.to_le_bytes());
        put(0x58, &0x20B_u16.to_le_bytes());
        put(0x58 + 112 + 16, &RESOURCES.to_le_bytes());
        // Virtual size, address, size and place in the file.
        let size = 3 * 24 + 16 + data.len() as u32;
        for (section, numbers) in
            [[0x20_u32, 0x1000, 0x20, 0x200], [size, RESOURCES, size, 0x300]].iter().enumerate()
        {
            for (at, number) in (8..).step_by(4).zip(numbers) {
                put(TABLE + 40 * section + at, &number.to_le_bytes());
            }
        }
        // Directories of one entry each: type, name, language; then the data entry and the data.
        for (at, id, target) in [(0, of_type, 1 << 31 | 24_u32), (24, 1, 1 << 31 | 48), (48, language, 72)] {
            put(0x300 + at, &[0; 12]);
            put(0x300 + at + 12, &[0, 0, 1, 0]);
            put(0x300 + at + 16, &[id.to_le_bytes(), target.to_le_bytes()].concat());
        }
        put(0x300 + 72, &[RESOURCES + 88, data.len() as u32, 0, 0].map(u32::to_le_bytes).concat());
        put(0x300 + 88, data);
        file
    }

    #[test]
    fn issue_23_resources_of_a_later_section_are_found() {
        let file = image(11, 0x409, b"the texts");
        let resources = Resources::of_image(&file).expect("an image with resources");
        assert_eq!(resources.of_one_language(MESSAGE_TABLE), [b"the texts"]);
        assert!(resources.of_one_language(Type::Number(12)).is_empty());
        // Cut anywhere, it has the same or nothing.
        for end in 0..file.len() {
            let found = Resources::of_image(&file[..end]).map(|found| found.of_one_language(MESSAGE_TABLE));
            assert!(found.is_none_or(|found| found.is_empty() || found == [b"the texts"]), "{end}");
        }
    }

    /// A directory of resources, as the types, names and languages of the leaves have it: keys that are no numbers are texts.
    fn directory(file: &mut Vec<u8>, leaves: &[([&str; 3], &str)], depth: usize) -> u32 {
        let at = file.len();
        let mut keys: Vec<&str> = leaves.iter().map(|(path, _)| path[depth]).collect();
        keys.dedup();
        let named = keys.iter().filter(|key| key.parse::<u32>().is_err()).count() as u16;
        file.extend([0; 12]);
        file.extend([named, keys.len() as u16 - named].iter().flat_map(|n| n.to_le_bytes()));
        let entries = file.len();
        file.resize(entries + 8 * keys.len(), 0xEE);
        for (number, key) in keys.iter().enumerate() {
            let of_key: Vec<_> = leaves.iter().filter(|(path, _)| path[depth] == *key).copied().collect();
            let name = key.parse().unwrap_or_else(|_| {
                let at = file.len() as u32;
                file.extend((key.len() as u16).to_le_bytes());
                file.extend(key.encode_utf16().flat_map(u16::to_le_bytes));
                1 << 31 | at
            });
            let target = if depth < 2 {
                1 << 31 | directory(file, &of_key, depth + 1)
            } else {
                let (at, data) = (file.len() as u32, of_key[0].1);
                file.extend([at + 16, data.len() as u32, 0, 0].iter().flat_map(|n| n.to_le_bytes()));
                file.extend(data.bytes());
                at
            };
            let entry = entries + 8 * number;
            file[entry..entry + 8].copy_from_slice(&[name, target].map(u32::to_le_bytes).concat());
        }
        at as u32
    }

    #[test]
    fn issue_23_resources_are_found_by_type_and_language() {
        const AMERICAN: &str = "1033";
        const BRITISH: &str = "2057";
        const GERMAN: &str = "1031";
        let mut file = Vec::new();
        let leaves = [
            (["WEVT_TEMPLATE", "1", AMERICAN], "wevt"),
            (["Wevt", "1", AMERICAN], "other"),
            (["11", "1", GERMAN], "ein"),
            (["11", "1", BRITISH], "one"),
            (["11", "one more", GERMAN], "zwei"),
            (["11", "7", AMERICAN], "two"),
            (["11", "8", GERMAN], "drei"),
            (["11", "8", AMERICAN], "three"),
            (["12", "1", BRITISH], "colour"),
            (["12", "1", "0"], "any"),
            (["13", "1", GERMAN], "farbe"),
            (["13", "2", "0"], "none"),
            (["14", "1", GERMAN], "nur"),
        ];
        assert_eq!(directory(&mut file, &leaves, 0), 0);
        let size = file.len() as u32;
        // In a section that lies elsewhere.
        let whole = [&[0; 5][..], &file].concat();
        let sections = vec![Section { address: 0, size, at: 5 }];
        let resources = Resources { file: &whole, at: 5, sections };
        let of_type =
            |wanted| resources.of_type(wanted).into_iter().map(<[u8]>::to_vec).collect::<Vec<_>>().concat();
        for (wanted, expected) in [
            (Type::Name("WEVT_TEMPLATE"), "wevt"),
            (Type::Name("wevt_template"), "wevt"),
            (Type::Name("WEVT"), "other"),
            (Type::Name("11"), ""),
            (Type::Number(11), "einonezweitwodreithree"),
            (Type::Number(1), ""),
        ] {
            assert_eq!(String::from_utf8(of_type(wanted)).unwrap(), expected);
        }
        for (number, expected) in [(11, "twothree"), (12, "colour"), (13, "none"), (14, "nur"), (15, "")] {
            let found = resources.of_one_language(Type::Number(number)).concat();
            assert_eq!(String::from_utf8(found).unwrap(), expected, "{number}");
        }
    }
}
