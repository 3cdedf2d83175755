//! Finds the functions of programs and libraries of Linux: along the search path, in the system's folder of
//! separate symbols, and at the file's path in the trace.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use tracewell_state::Machine;

use crate::elf::ElfImage;
use crate::files::{FileStore, Origin, Resolution};
use crate::pdb::DatabaseError;
use crate::source::SymbolSource;
use crate::store::SymbolRequest;

/// The folder of distributions for symbols of stripped builds, by build id.
const SYSTEM: &str = "/usr/lib/debug/.build-id";
/// The extension of such files.
const KIND: &str = ".debug";

/// Returns `true` if a trace contains programs and libraries of Linux, which may also exist on this
/// machine.
#[must_use]
pub fn has_elf_images(machine: &Machine) -> bool {
    machine.images().any(|span| machine.name(span.value.file).starts_with('/'))
}

/// The whole build id of the requested image in hexadecimal digits, as in the name of its symbol file.
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
                    // Without a build id only the size can be compared.
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::path::SymbolPath;
    use crate::store::SymbolStore;
    use tracewell_types::Guid;

    /// The request for this program, with `id` as its build id.
    fn request(id: Option<&[u8]>) -> (SymbolRequest, ElfImage) {
        let program = std::env::current_exe().unwrap();
        let image = ElfImage::open(&program).unwrap();
        let digits = |id: &[u8]| id.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let id = id.or(Some(image.build_id.as_slice()).filter(|id| !id.is_empty()));
        let request = SymbolRequest {
            image: program.file_name().unwrap().to_str().unwrap().to_lowercase(),
            time_stamp: Some(0),
            size: image.size,
            database: id.map(|id| (format!("{}.debug", digits(id)), Guid::ZERO, 0)),
            unix_path: Some(program.to_str().unwrap().to_owned()),
        };
        (request, image)
    }

    /// Issue 6: functions of a recording that was made here.
    #[test]
    fn the_file_that_was_loaded_names_functions_when_it_is_of_that_build() {
        let here = the_file_that_was_loaded_names_functions_when_it_is_of_that_build as fn() as usize as u64;
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let (right, image) = request(None);
        let path = right.unix_path.clone().unwrap();
        let base = maps.lines().find(|line| line.ends_with(&path)).unwrap().split('-').next().unwrap();
        let distance = u32::try_from(here - u64::from_str_radix(base, 16).unwrap()).unwrap();
        let store = FileStore::new(SymbolPath::parse("", None), None);
        let function = store.symbols(&right).unwrap().function(distance).unwrap();
        assert!(function.name.contains("the_file_that_was_loaded"), "{}", function.name);
        assert_eq!(store.resolutions()[0].origin, Origin::Database(path.clone().into()));
        // Without a build id its size has to do.
        let unknown = SymbolRequest { database: None, ..right.clone() };
        assert!(store.symbols(&unknown).is_some());
        assert!(store.symbols(&SymbolRequest { size: image.size + 4096, ..unknown }).is_none());
        // A file of another build is rejected and reported.
        let (other, _) = request(Some(&[0x5A; 20]));
        assert!(store.symbols(&other).is_none());
        let last = store.resolutions().pop().unwrap();
        assert_eq!((last.origin, last.other_build), (Origin::None, Some(path.into())));
        assert!(store.problems().iter().all(|problem| problem.other_build));
    }

    #[test]
    fn a_file_along_the_search_path_comes_first() {
        let folder = std::env::temp_dir().join(format!("tracewell-elf-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let (mut request, image) = request(None);
        std::fs::copy(request.unix_path.as_deref().unwrap(), folder.join("program")).unwrap();
        // It was elsewhere on the machine where it ran.
        request.unix_path = Some("/nowhere/program".to_owned());
        let store = FileStore::new(SymbolPath::parse(folder.to_str().unwrap(), None), None);
        assert_eq!(store.symbols(&request).is_some(), !image.functions.is_empty());
        assert_eq!(store.resolutions()[0].image, Some(folder.join("program")));
        // Files that are not programs, and names that lead elsewhere, do no harm.
        for path in ["/dev/null", "/proc/self/mem", "/", "/etc", "/a/../../etc/passwd"] {
            let odd = SymbolRequest { unix_path: Some(path.to_owned()), ..request.clone() };
            assert!(store.symbols(&odd).is_none(), "{path}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
