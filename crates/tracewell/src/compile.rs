//! From texts, macro arguments, options and libraries to a compiled program.

use std::fmt;
use std::path::{Path, PathBuf};

use tracewell_dengine::RunOptions;
use tracewell_dlang::ast::Item;
use tracewell_dlang::compile::{CompileOptions, Compiler, StabilityReport};
use tracewell_dlang::cpp;
use tracewell_dlang::diag::Diagnostic;
use tracewell_dlang::header::DeclaredProvider;
use tracewell_dlang::options::{Opt, OptionError, Options, Setter, parse_version};
use tracewell_dlang::parse::{ParseOptions, TypeNames, parse_each};
use tracewell_dlang::pragma::Attributes;
use tracewell_dlang::program::Program;
use tracewell_dlang::source::{Source, Sources};
use tracewell_dlang::tags::Dialect;
use tracewell_probes::catalog::ProbeCatalog;

pub use tracewell_dlang::compile::ProgramText;
pub use tracewell_dlang::cpp::CppError;
pub use tracewell_dlang::macros::MacroEnv;
pub use tracewell_dlang::parse::Naming;

use crate::libraries::{Libraries, LibraryError, LibraryFile};
use crate::restrict::{self, Forbidden, Includes};

/// What is compiled to one program.
#[derive(Clone, Copy, Debug)]
pub struct Sourced<'s> {
    /// The texts, in order.
    pub texts: &'s [ProgramText],
    /// Macro arguments and variables.
    pub macros: &'s MacroEnv,
    /// Options that are set before those that the texts set.
    pub options: &'s Options,
    /// Folders of libraries, beside those of the options.
    pub libraries: &'s [PathBuf],
    /// Bytes of a pointer: 8 or 4.
    pub pointer_bytes: u8,
    /// Descriptions may match no probe.
    pub unmatched: bool,
}

/// A compiled program.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// The options, with those that the program sets.
    pub options: Options,
    /// Providers that the texts declare.
    pub providers: Vec<DeclaredProvider>,
    /// Warnings, a line each.
    pub warnings: Vec<String>,
    /// The stability of each text.
    pub stability: Vec<StabilityReport>,
}

/// Why texts do not compile.
#[derive(Debug)]
#[non_exhaustive]
pub enum CompileError {
    /// An error in a text, and all texts.
    Text(Box<Diagnostic>, Sources),
    /// An option that a text sets is unknown or has an invalid value.
    Option(String, OptionError),
    /// The libraries cannot be used.
    Library(LibraryError),
    /// The option `restrict` forbids it.
    Forbidden(Forbidden),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Text(diagnostic, sources) => {
                f.write_str(&diagnostic.classic(sources, false))?;
                match &diagnostic.hint {
                    Some(hint) => write!(f, " ({hint})"),
                    None => Ok(()),
                }
            }
            CompileError::Option(_, error) => error.fmt(f),
            CompileError::Library(error) => error.fmt(f),
            CompileError::Forbidden(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CompileError {}

impl From<LibraryError> for CompileError {
    fn from(error: LibraryError) -> CompileError {
        CompileError::Library(error)
    }
}

impl From<Forbidden> for CompileError {
    fn from(error: Forbidden) -> CompileError {
        CompileError::Forbidden(error)
    }
}

impl Compiled {
    /// The options of a run of this program.
    #[must_use]
    pub fn run_options(&self, pointer_bytes: u8) -> RunOptions {
        let mut options = RunOptions::from(&self.options);
        options.pointer_width = 2 * u32::from(pointer_bytes);
        options
    }
}

impl Sourced<'_> {
    /// Compiles for the probes of a catalog.
    ///
    /// # Errors
    /// See [`CompileError`].
    pub fn compile(&self, catalog: &mut ProbeCatalog<'_>) -> Result<Compiled, CompileError> {
        restrict::check_options(self.options)?;
        if self.texts.iter().any(|text| text.naming == Naming::Id) {
            catalog.complete();
        }
        let libraries = self.libraries(catalog)?;
        let macros = self.macros.arguments().map(str::as_bytes);
        let naming: Vec<&[u8]> = self.texts.iter().map(|text| &*text.text).chain(macros).collect();
        let (named, all) = (libraries.named(&naming), libraries.all());
        let mut compiled = match self.compile_with(&named, catalog) {
            // What it lacks, or a name near to one that is wrong, may be in a library that it does not name.
            Err(_) if named.len() < all.len() => self.compile_with(&all, catalog),
            compiled => compiled,
        }?;
        restrict::check_program(self.options, &compiled.program)?;
        for (name, value) in &compiled.program.options {
            let set = compiled.options.set(name, value.as_deref(), Setter::Script);
            set.map_err(|error| CompileError::Option(name.clone(), error))?;
        }
        Ok(compiled)
    }

    /// Compiles the libraries alone.
    ///
    /// # Errors
    /// See [`CompileError`].
    pub fn compile_libraries(&self, catalog: &mut ProbeCatalog<'_>) -> Result<(), CompileError> {
        let libraries = self.libraries(catalog)?;
        let mut compiler = Compiler::new(catalog, CompileOptions::default());
        add(&mut compiler, &libraries.all());
        match compiler.compile(&[]) {
            Ok(_) => Ok(()),
            Err(diagnostic) => Err(CompileError::Text(diagnostic, compiler.sources().clone())),
        }
    }

    /// The providers that the descriptions name, in lower case; those with wildcards are left out. Of a text with an error
    /// those before it.
    #[must_use]
    pub fn named_providers(&self) -> Vec<String> {
        let mut providers = Vec::new();
        for (provider, _) in self.named_probes() {
            let is_pattern = provider.is_empty() || provider.contains(['*', '?', '[']);
            if !is_pattern && !providers.contains(&provider) {
                providers.push(provider);
            }
        }
        providers
    }

    /// Provider and name of each description that has a provider, in lower case and with their wildcards; the name is empty where
    /// none is given. Of a text with an error those before it.
    #[must_use]
    pub fn named_probes(&self) -> Vec<(String, String)> {
        let mut macros = self.macros();
        let mut sources = Sources::default();
        let mut probes = Vec::new();
        for text in self.texts {
            let id = sources.add(Source {
                name: text.name.clone(),
                origin: text.origin,
                text: text.text.clone().into(),
                marks: text.marks.clone(),
            });
            let parsing = ParseOptions {
                bare_descriptions: true,
                naming: text.naming,
                dx: self.options.flag(Opt::Dx),
                ..ParseOptions::default()
            };
            let mut each = |item: Item, _: &mut TypeNames| {
                let Item::Clause(clause) = item else { return Ok(()) };
                for probe in clause.descriptions() {
                    // `-P` names a provider, also without what follows.
                    let whole = text.naming == Naming::Provider && !probe.contains(':');
                    let (provider, rest) = match whole {
                        true => (probe, ""),
                        false => match probe.split_once(':') {
                            Some(parts) => parts,
                            None => continue,
                        },
                    };
                    let part = |text: &str| text.trim().to_ascii_lowercase();
                    let name = match text.naming {
                        Naming::Name => rest.rsplit(':').next().unwrap_or_default(),
                        _ => "",
                    };
                    probes.push((part(provider), part(name)));
                }
                Ok(())
            };
            // The compiler reports its own errors.
            let types = &mut TypeNames::default();
            let _ = parse_each(&mut sources, id, types, &mut macros, parsing, &mut each);
        }
        probes
    }

    fn macros(&self) -> MacroEnv {
        let mut macros = self.macros.clone();
        macros.default_args = self.options.flag(Opt::Defaultargs);
        macros
    }

    /// The libraries that are compiled in, then those of the folders.
    fn libraries(&self, catalog: &ProbeCatalog<'_>) -> Result<Libraries, LibraryError> {
        if self.options.flag(Opt::Nolibs) {
            return Ok(Libraries::default());
        }
        let mut folders = self.libraries.to_vec();
        folders.extend(self.options.list(Opt::Libdir).into_iter().map(PathBuf::from));
        Libraries::read(&folders, catalog)
    }

    /// Compiles the texts after the libraries that are given.
    fn compile_with(
        &self,
        libraries: &[&LibraryFile],
        catalog: &mut ProbeCatalog<'_>,
    ) -> Result<Compiled, CompileError> {
        let mut compiler = Compiler::new(catalog, self.compile_options());
        add(&mut compiler, libraries);
        match compiler.compile(self.texts) {
            Ok(program) => Ok(Compiled {
                program,
                options: self.options.clone(),
                providers: compiler.declared_providers().to_vec(),
                warnings: compiler.warnings().iter().map(|one| one.classic(compiler.sources())).collect(),
                stability: compiler.stability().to_vec(),
            }),
            Err(diagnostic) => Err(CompileError::Text(diagnostic, compiler.sources().clone())),
        }
    }

    fn compile_options(&self) -> CompileOptions {
        let options = self.options;
        CompileOptions {
            pointer_bytes: self.pointer_bytes,
            zdefs: options.flag(Opt::Zdefs) || self.unmatched,
            empty: options.flag(Opt::Empty),
            probes_only: options.flag(Opt::Pspec),
            macros: self.macros(),
            minimum: options.text(Opt::Amin).and_then(|text| Attributes::parse(&text)),
            unused_arguments: options.flag(Opt::Argref),
            version: options.text(Opt::Version).and_then(|text| parse_version(&text)),
            dialect: match options.text(Opt::Dialect).as_deref() {
                Some("oracle") => Dialect::Oracle,
                _ => Dialect::Illumos,
            },
            dx: options.flag(Opt::Dx),
            registers: options.int(Opt::Iregs).unwrap_or(Opt::Iregs.default_int()),
            key_registers: options.int(Opt::Tregs).unwrap_or(Opt::Tregs.default_int()),
        }
    }
}

fn add(compiler: &mut Compiler<'_>, libraries: &[&LibraryFile]) {
    for file in libraries {
        compiler.add_library(file.name(), file.text());
    }
}

/// What the preprocessor of C is given.
#[derive(Clone, Debug, Default)]
pub struct Preprocessor {
    /// Names to define, or `name=value`.
    pub defines: Vec<String>,
    /// Names to remove.
    pub undefines: Vec<String>,
    /// Folders of included files.
    pub folders: Vec<PathBuf>,
    /// The machine, whose macros are predefined.
    pub target: cpp::Target,
}

/// A text after the preprocessor.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Preprocessed {
    /// The text.
    pub text: ProgramText,
    /// Included files with their depths.
    pub included: Vec<(u32, String)>,
    /// Warnings.
    pub warnings: Vec<CppError>,
    /// A file that was included from elsewhere than the folder of the script, the folders given, and the system's.
    pub foreign: Option<String>,
}

/// Why a text could not be preprocessed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PreprocessError {
    /// The error.
    pub error: CppError,
    /// A file that was included from elsewhere before: the error may quote it.
    pub foreign: Option<String>,
}

impl Preprocessor {
    /// Preprocesses a script. With the options it takes what they define, and whether the script is restricted.
    ///
    /// # Errors
    /// A directive is invalid, or an included file is missing.
    pub fn run(&self, mut text: ProgramText, options: &Options) -> Result<Preprocessed, PreprocessError> {
        let mut config = cpp::Config {
            defines: self.defines.clone(),
            undefines: self.undefines.clone(),
            target: self.target,
            ..cpp::Config::default()
        };
        match options.text(Opt::Stdc).as_deref() {
            Some("a" | "t") => config.defines.push("__STDC__=0".to_owned()),
            Some("c") => config.defines.push("__STDC__=1".to_owned()),
            _ => {}
        }
        config.defines.extend(options.list(Opt::Define));
        config.undefines.extend(options.list(Opt::Undef));
        let mut folders = self.folders.clone();
        folders.extend(options.list(Opt::Incdir).into_iter().map(PathBuf::from));
        let restricted = options.flag(Opt::Restrict);
        let mut includes = Includes::new(Path::new(&text.name), folders, restricted, self.target.arch);
        let output = cpp::preprocess(&text.name, &text.text, &config, &mut |request| includes.find(request));
        let foreign = includes.foreign;
        match output {
            Err(error) => Err(PreprocessError { error, foreign }),
            Ok(output) => {
                (text.text, text.marks) = (output.text, output.marks);
                Ok(Preprocessed { text, included: output.included, warnings: output.warnings, foreign })
            }
        }
    }
}
