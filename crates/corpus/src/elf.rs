//! Programs and libraries for x86-64 Linux that tests make up, byte by byte.

use std::path::PathBuf;

use crate::Scratch;

/// Where the code is in the file, and which address it has.
pub const CODE: (u64, u64) = (0x1000, 0x7000);
/// The same of data.
pub const DATA: (u64, u64) = (0x3000, 0xB000);
/// Bytes of the data.
const DATA_SIZE: u64 = 0x100;

/// The kind of a symbol that names a function, as its entry in the table has it.
pub const FUNCTION: u8 = 2;
/// The same of a function that chooses another.
pub const INDIRECT: u8 = 10;
/// The same of a variable.
pub const VARIABLE: u8 = 1;

/// A program or library.
#[derive(Clone, Debug, Default)]
pub struct Made {
    code: Vec<u8>,
    /// Name, kind, address and size.
    symbols: Vec<(String, u8, u64, u64)>,
    /// Provider, name, address of the instruction and of the counter, and arguments.
    pub probes: Vec<(&'static str, &'static str, u64, u64, &'static str)>,
    /// The path of its loader.
    pub interpreter: Option<&'static str>,
    /// The address at which it begins.
    pub entry: u64,
    /// For another machine than x86-64.
    pub foreign: bool,
    /// Only what others may call has a name.
    pub stripped: bool,
}

impl Made {
    /// Appends a function. Returns its address.
    pub fn function(&mut self, name: &str, code: &[u8]) -> u64 {
        self.sized(name, code, code.len() as u64)
    }

    /// Appends a function that has another size in the table.
    pub fn sized(&mut self, name: &str, code: &[u8], size: u64) -> u64 {
        let address = self.here();
        self.symbol(name, FUNCTION, address, size);
        self.code.extend(code);
        address
    }

    /// The address of what is appended next.
    #[must_use]
    pub fn here(&self) -> u64 {
        CODE.1 + self.code.len() as u64
    }

    /// Appends bytes without a name.
    pub fn bytes(&mut self, code: &[u8]) {
        self.code.extend(code);
    }

    /// Names an address.
    pub fn symbol(&mut self, name: &str, kind: u8, address: u64, size: u64) {
        self.symbols.push((name.to_owned(), kind, address, size));
    }

    /// Writes the file and returns its path.
    #[must_use]
    pub fn write(&self, folder: &Scratch, name: &str) -> PathBuf {
        folder.write(name, &self.file())
    }

    /// The bytes of the file.
    fn file(&self) -> Vec<u8> {
        let (mut names, mut symbols) = (vec![0], vec![0; 24]);
        for (name, kind, address, size) in &self.symbols {
            symbols.extend((names.len() as u32).to_le_bytes());
            // Global, of the first section.
            symbols.extend([0x10 | kind, 0, 1, 0]);
            symbols.extend([address, size].iter().flat_map(|word| word.to_le_bytes()));
            names.extend(name.bytes().chain([0]));
        }
        let mut notes = Vec::new();
        for (provider, name, address, counter, arguments) in &self.probes {
            let texts = format!("{provider}\0{name}\0{arguments}\0");
            let head = [8, 24 + texts.len() as u32, 3];
            notes.extend(head.iter().flat_map(|word| word.to_le_bytes()));
            notes.extend(b"stapsdt\0");
            notes.extend([*address, 0, *counter].iter().flat_map(|word| word.to_le_bytes()));
            notes.extend(texts.bytes());
            notes.resize(notes.len().next_multiple_of(4), 0);
        }
        let loader = self.interpreter.map(|path| format!("{path}\0")).unwrap_or_default();
        let titles = b"\0.text\0.symtab\0.strtab\0.note.stapsdt\0.shstrtab\0";
        let title = |text: &str| {
            titles.windows(text.len()).position(|part| part == text.as_bytes()).unwrap_or_default() as u32
        };
        let mut file = vec![0; (DATA.0 + DATA_SIZE) as usize];
        file[CODE.0 as usize..][..self.code.len()].copy_from_slice(&self.code);
        let mut put = |bytes: &[u8]| {
            let at = file.len() as u64;
            file.extend(bytes);
            file.resize(file.len().next_multiple_of(8), 0);
            (at, bytes.len() as u64)
        };
        let (loader, symbols, names, notes, titled) =
            (put(loader.as_bytes()), put(&symbols), put(&names), put(&notes), put(titles));
        let symbols_kind = if self.stripped { 11 } else { 2 };
        let code = (CODE.0, self.code.len() as u64);
        let sections = [
            (0, 0, 0, (0, 0), 0, 0),
            (title(".text"), 1, CODE.1, code, 0, 0),
            (title(".symtab"), symbols_kind, 0, symbols, 3, 24),
            (title(".strtab"), 3, 0, names, 0, 0),
            (title(".note.stapsdt"), 7, 0, notes, 0, 0),
            (title(".shstrtab"), 3, 0, titled, 0, 0),
        ];
        let at = file.len() as u64;
        for (name, kind, address, (offset, size), link, entry) in sections {
            file.extend([name, kind].iter().flat_map(|word: &u32| word.to_le_bytes()));
            file.extend([0, address, offset, size].iter().flat_map(|word| word.to_le_bytes()));
            file.extend([link, 1u32].iter().flat_map(|word| word.to_le_bytes()));
            file.extend([8u64, entry].iter().flat_map(|word| word.to_le_bytes()));
        }
        let mut head = b"\x7fELF\x02\x01\x01".to_vec();
        head.resize(16, 0);
        let machine: u16 = if self.foreign { 183 } else { 62 };
        head.extend([3u16, machine].iter().flat_map(|word| word.to_le_bytes()));
        head.extend(1u32.to_le_bytes());
        head.extend([self.entry, 64, at].iter().flat_map(|word| word.to_le_bytes()));
        head.extend(0u32.to_le_bytes());
        let parts = 2 + u16::from(self.interpreter.is_some());
        head.extend([64, 56, parts, 64, 6, 5].iter().flat_map(|word| word.to_le_bytes()));
        for (kind, rights, offset, address, size) in [
            (1u32, 5u32, CODE.0, CODE.1, code.1),
            (1, 6, DATA.0, DATA.1, DATA_SIZE),
            (3, 4, loader.0, 0, loader.1),
        ] {
            head.extend([kind, rights].iter().flat_map(|word| word.to_le_bytes()));
            head.extend(
                [offset, address, address, size, size, 4096].iter().flat_map(|word| word.to_le_bytes()),
            );
        }
        file[..head.len()].copy_from_slice(&head);
        file
    }
}
