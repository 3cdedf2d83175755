//! Images on disk: what identifies them, which database belongs to them, and what they export.

use std::path::Path;

use object::read::pe::{ExportTarget, ImageNtHeaders, ImageOptionalHeader, PeFile};
use object::{LittleEndian as LE, Object, pe};
use tracewell_types::Guid;

use crate::demangle::{LONGEST_NAME, demangle};
use crate::file;
use crate::guard::guarded;
use crate::pdb::DatabaseError;
use crate::table::{SymbolTable, TableEntry};

/// Larger images are not read: Windows itself does not load any beyond 2 GB.
const LARGEST: u64 = 2 << 30;

/// An executable, library or driver, as far as symbols need it.
#[derive(Clone, Debug)]
pub struct PeImage {
    /// Link time stamp of the header.
    pub time_stamp: u32,
    /// Size of the image in memory.
    pub size: u32,
    /// Path, signature and age of its program database.
    pub database: Option<(String, Guid, u32)>,
    /// Exported functions. Functions without a name are called after their ordinal number, `#7`.
    pub exports: SymbolTable,
}

impl PeImage {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, is no image, or its headers are damaged.
    pub fn open(path: &Path) -> Result<PeImage, DatabaseError> {
        let bytes = file::read(path, LARGEST).map_err(DatabaseError::Io)?;
        PeImage::parse(&bytes.ok_or(DatabaseError::Kind("no image"))?)
    }

    /// Reads an image that is in memory.
    ///
    /// # Errors
    /// It is no image, or its headers are damaged.
    pub fn parse(bytes: &[u8]) -> Result<PeImage, DatabaseError> {
        if bytes.starts_with(b"MSCF") {
            return Err(DatabaseError::Kind("compressed (a cabinet): expand it first"));
        }
        if !bytes.starts_with(b"MZ") {
            return Err(DatabaseError::Kind("no image"));
        }
        let read = guarded(|| {
            let kind = object::read::pe::optional_header_magic(bytes)?;
            if kind == pe::IMAGE_NT_OPTIONAL_HDR64_MAGIC {
                read::<pe::ImageNtHeaders64>(bytes)
            } else {
                read::<pe::ImageNtHeaders32>(bytes)
            }
        });
        match read {
            Some(Ok(image)) => Ok(image),
            Some(Err(error)) => Err(DatabaseError::Damaged(error.to_string())),
            None => Err(DatabaseError::Damaged("its tables contradict each other".to_owned())),
        }
    }
}

fn read<Pe: ImageNtHeaders>(bytes: &[u8]) -> object::Result<PeImage> {
    let file = PeFile::<Pe>::parse(bytes)?;
    let headers = file.nt_headers();
    let x86 = headers.file_header().machine.get(LE) == pe::IMAGE_FILE_MACHINE_I386;
    let database = file.pdb_info().ok().flatten().map(|view| {
        let path = String::from_utf8_lossy(view.path()).into_owned();
        (path, Guid::from_bytes(view.guid()), view.age())
    });
    Ok(PeImage {
        time_stamp: headers.file_header().time_date_stamp.get(LE),
        size: headers.optional_header().size_of_image(),
        database,
        exports: exports(&file, x86).unwrap_or_default(),
    })
}

/// The exported functions: what is exported from data sections or forwarded to other images is none.
fn exports<Pe: ImageNtHeaders>(file: &PeFile<'_, Pe>, x86: bool) -> Option<SymbolTable> {
    let table = file.export_table().ok()??;
    let sections = file.section_table();
    let code: Vec<(u32, u32)> = sections
        .iter()
        .filter(|s| s.characteristics.get(LE).contains(pe::IMAGE_SCN_MEM_EXECUTE))
        .map(|s| {
            let start = s.virtual_address.get(LE);
            (start, start.saturating_add(s.virtual_size.get(LE).max(s.size_of_raw_data.get(LE))))
        })
        .collect();
    let mut entries = Vec::new();
    for export in table.exports().ok()? {
        let ExportTarget::Address(start) = export.target else { continue };
        let Some(section) = code.iter().find(|(from, to)| (*from..*to).contains(&start)) else { continue };
        let name = match export.name {
            Some(name) if name.len() <= LONGEST_NAME => demangle(&String::from_utf8_lossy(name), x86),
            Some(_) => continue,
            None => format!("#{}", export.ordinal.0),
        };
        // No export reaches beyond its section.
        entries
            .push((TableEntry { start, size: section.1 - start, name: name.into() }, export.name.is_none()));
    }
    // At one address a name goes before a number.
    entries.sort_by_key(|(entry, number)| (entry.start, *number));
    Some(SymbolTable::new(entries.into_iter().map(|(entry, _)| entry).collect()))
}
