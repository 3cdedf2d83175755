//! Where the functions of programs and libraries of Linux are found: along the search path, where the system keeps
//! symbols apart, and where the trace says the file was.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use tracewell_state::Machine;

use crate::elf::ElfImage;
use crate::files::{FileStore, Origin, Resolution};
use crate::pdb::DatabaseError;
use crate::source::SymbolSource;
use crate::store::SymbolRequest;

/// Where distributions keep the symbols of the builds they strip, by build id.
const SYSTEM: &str = "/usr/lib/debug/.build-id";
/// What the name of such a file ends with.
const KIND: &str = ".debug";

/// Whether a trace tells of programs and libraries of Linux, whose names files of this machine may have.
#[must_use]
pub fn has_elf_images(machine: &Machine) -> bool {
    machine.images().any(|span| machine.name(span.value.file).starts_with('/'))
}

/// The whole build id of the image that is asked for, in hexadecimal digits: it stands in the name of its file of symbols.
fn build_id(request: &SymbolRequest) -> Option<&str> {
    let id = request.database.as_ref()?.0.strip_suffix(KIND)?;
    (id.len() >= 2 && id.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(id)
}

impl FileStore<'_> {
    /// The functions of an image of Linux that was loaded from `path`.
    pub(crate) fn elf(
        &self,
        request: &SymbolRequest,
        path: &str,
    ) -> (Resolution, Option<Rc<dyn SymbolSource>>) {
        let mut resolution =
            Resolution { request: request.clone(), origin: Origin::None, image: None, other_build: None };
        let id = build_id(request);
        let other_build = std::cell::RefCell::default();
        let accept = |file: &Path| self.this_build(file, request, id, &other_build);
        let key = request.database_key();
        let apart = id.and_then(|id| {
            let name = format!("{id}{KIND}");
            self.find(&name, key.as_deref(), accept).or_else(|| {
                let (folder, rest) = id.split_at_checked(2)?;
                let file = PathBuf::from(format!("{SYSTEM}/{folder}/{rest}{KIND}"));
                Some((file.clone(), accept(&file)?))
            })
        });
        let image = || {
            let base = path.rsplit('/').next().unwrap_or_default();
            self.find(base, None, accept).or_else(|| Some((path.into(), accept(Path::new(path))?)))
        };
        let Some((file, found)) = apart.or_else(image) else {
            resolution.other_build = other_build.into_inner();
            return (resolution, None);
        };
        if !found.functions.is_empty() {
            resolution.origin = match found.exports_only {
                true => Origin::Exports(file.clone()),
                false => Origin::Database(file.clone()),
            };
        }
        resolution.image = Some(file);
        (resolution, Some(Rc::new(found.functions)))
    }

    /// A file when it is of the build that is asked for.
    fn this_build(
        &self,
        file: &Path,
        request: &SymbolRequest,
        id: Option<&str>,
        other_build: &std::cell::RefCell<Option<PathBuf>>,
    ) -> Option<ElfImage> {
        let place = file.display().to_string();
        match ElfImage::open(file) {
            Ok(image) => {
                let same = match id {
                    Some(id) => {
                        let bytes = image.build_id.iter().map(|byte| format!("{byte:02x}"));
                        bytes.collect::<String>().eq_ignore_ascii_case(id)
                    }
                    // Nothing better tells.
                    None => image.size == request.size,
                };
                if !same {
                    self.problem(&place, "is another build of the image", true);
                    other_build.borrow_mut().get_or_insert_with(|| file.to_owned());
                }
                same.then_some(image)
            }
            Err(DatabaseError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                self.problem(&place, &error.to_string(), false);
                None
            }
        }
    }
}
