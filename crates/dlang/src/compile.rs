//! The compiler's driver: texts in, a program out.

use rustc_hash::FxHashSet;

use crate::ast::{Clause, Item};
use crate::catalog::{Catalog, Declaration, ProcessType, TEXT_TYPE};
use crate::codegen::Pools;
use crate::diag::{Diagnostic, Result, Warning};
use crate::header::DeclaredProvider;
use crate::macros::MacroEnv;
use crate::options::{self, Opt};
use crate::parse::{Naming, ParseOptions, TypeNames, parse_each};
use crate::pragma::{AttributeTarget, Attributes, Dependency, PragmaKind, interpret};
use crate::program::{Matched, Program};
use crate::scoped;
use crate::sema::Checker;
use crate::source::{LineMark, Origin, Source, Sources, Span, plain_text};
use crate::tags::{Dialect, Tag};

/// A program text to compile.
#[derive(Clone, Debug)]
pub struct ProgramText {
    /// The name that messages use: a script's path, or the argument itself.
    pub name: String,
    /// The source of the text.
    pub origin: Origin,
    /// The text, after preprocessing if there was any.
    pub text: Vec<u8>,
    /// Line markers that the preprocessor made.
    pub marks: Vec<LineMark>,
    /// The parts that its probe descriptions name: `-n` and scripts, `-P`, `-m`, `-f` or `-i`.
    pub naming: Naming,
}

impl ProgramText {
    /// A script: the bytes of a file in UTF-8, or in UTF-16 with a byte order mark.
    #[must_use]
    pub fn script(name: impl Into<String>, text: impl Into<Vec<u8>>) -> ProgramText {
        ProgramText {
            name: name.into(),
            origin: Origin::Script,
            text: plain_text(text.into()),
            marks: Vec::new(),
            naming: Naming::Name,
        }
    }

    /// A program given as an argument; its name is its text.
    #[must_use]
    pub fn argument(text: &str, naming: Naming) -> ProgramText {
        ProgramText {
            name: text.to_owned(),
            origin: Origin::Argument,
            text: text.as_bytes().to_vec(),
            marks: Vec::new(),
            naming,
        }
    }
}

/// Options of a compilation.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// Bytes of a pointer: 8, or 4 for `-32`.
    pub pointer_bytes: u8,
    /// A description that matches no probe is no error (`-Z`, `-x zdefs`).
    pub zdefs: bool,
    /// A program without a clause or a declaration is no error (`-x empty`).
    pub empty: bool,
    /// Every word at the top level is a probe description (`-x pspec`).
    pub probes_only: bool,
    /// The values of macro variables.
    pub macros: MacroEnv,
    /// The least stable interface that may be used (`-x amin`).
    pub minimum: Option<Attributes>,
    /// Arguments that the program does not use are no error (`-x argref`).
    pub unused_arguments: bool,
    /// The version of D, major and minor, whose later names are free (`-x version`).
    pub version: Option<(u16, u16)>,
    /// The implementation whose rules apply where implementations differ (`-x dialect`).
    pub dialect: Dialect,
    /// The extensions of the language are allowed (`-x dx`).
    pub dx: bool,
    /// Registers of the classic machine: an expression that would need more is refused (`-x iregs`).
    pub registers: u64,
    /// Keys that an associative array may have (`-x tregs`).
    pub key_registers: u64,
}

/// The least stability of what a text uses, for `-v`.
#[derive(Clone, Debug)]
pub struct StabilityReport {
    /// The text's name, as for messages.
    pub name: String,
    /// It came from a script file.
    pub script: bool,
    /// Of its probe descriptions.
    pub probes: Attributes,
    /// Of its predicates and statements.
    pub statements: Attributes,
}

impl Default for CompileOptions {
    fn default() -> CompileOptions {
        CompileOptions {
            pointer_bytes: 8,
            zdefs: false,
            empty: false,
            probes_only: false,
            macros: MacroEnv::default(),
            minimum: None,
            unused_arguments: false,
            version: None,
            dialect: Dialect::Illumos,
            dx: false,
            registers: Opt::Iregs.default_int(),
            key_registers: Opt::Tregs.default_int(),
        }
    }
}

/// Compiles D texts against a catalog of probes.
pub struct Compiler<'c> {
    pub(crate) checker: Checker<'c>,
    pub(crate) sources: Sources,
    type_names: TypeNames,
    pub(crate) options: CompileOptions,
    pub(crate) pools: Pools,
    libraries: Vec<(String, Vec<u8>)>,
    stability: Vec<StabilityReport>,
    /// Names of the declarations of probes that were compiled.
    pub(crate) declared: FxHashSet<String>,
}

impl<'c> Compiler<'c> {
    /// A compiler for one program.
    pub fn new(catalog: &'c mut dyn Catalog, options: CompileOptions) -> Compiler<'c> {
        let mut checker = Checker::new(catalog, options.pointer_bytes);
        checker.rules.zdefs = options.zdefs;
        checker.rules.minimum = options.minimum;
        checker.rules.dialect = options.dialect;
        checker.rules.dx = options.dx;
        checker.rules.key_registers = options.key_registers;
        if let Some(version) = options.version {
            checker.rules.version = version;
        }
        let text = checker.types.basic().char_;
        let text = checker.types.pointer(text);
        checker.types.define_typedef(TEXT_TYPE, text);
        let type_names = checker.types.typedef_names().map(str::to_owned).collect();
        Compiler {
            checker,
            sources: Sources::default(),
            type_names,
            options,
            pools: Pools::default(),
            libraries: Vec::new(),
            stability: Vec::new(),
            declared: FxHashSet::default(),
        }
    }

    /// Adds a D library, which is compiled before the program; libraries come in the order in which they depend
    /// on each other.
    pub fn add_library(&mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) {
        self.libraries.push((name.into(), text.into()));
    }

    /// The texts, for turning an error's place into a file and line.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The macro variables, of which the compilation notes those that are used.
    #[must_use]
    pub fn macros(&self) -> &MacroEnv {
        &self.options.macros
    }

    /// The providers that the texts declare, in order.
    #[must_use]
    pub fn declared_providers(&self) -> &[DeclaredProvider] {
        &self.checker.declared
    }

    /// Warnings about valid but suspicious code, in order.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.checker.warnings
    }

    /// The stability of what each text uses.
    #[must_use]
    pub fn stability(&self) -> &[StabilityReport] {
        &self.stability
    }

    /// Compiles the libraries and then the texts, in order, to one program.
    ///
    /// # Errors
    /// The first error.
    pub fn compile(&mut self, texts: &[ProgramText]) -> Result<Program> {
        let dialect = self.options.dialect;
        self.all(texts).map_err(|mut error| {
            error.tag = error.tag.in_dialect(dialect);
            if dialect == Dialect::Oracle {
                crate::oracle::reword(&mut error, &self.sources);
            }
            error
        })
    }

    fn all(&mut self, texts: &[ProgramText]) -> Result<Program> {
        for (name, text) in std::mem::take(&mut self.libraries) {
            let library = ProgramText { origin: Origin::Library, ..ProgramText::script(name, text) };
            self.text(&library)?;
        }
        let mut last = Span::default();
        for text in texts {
            last = self.text(text)?;
        }
        if let Some((number, argument)) = self.options.macros.unused()
            && !self.options.unused_arguments
        {
            let message = format!("the argument ${number} (\"{argument}\") is not used by the program");
            return Err(Diagnostic::new(Tag::MacroUnused, last, message));
        }
        Ok(std::mem::take(&mut self.checker.program))
    }

    /// Compiles one text; returns where it ends.
    pub(crate) fn text(&mut self, text: &ProgramText) -> Result<Span> {
        let id = self.sources.add(Source {
            name: text.name.clone(),
            origin: text.origin,
            text: text.text.clone().into(),
            marks: text.marks.clone(),
        });
        let span = Span { source: id, start: 0, end: 0 };
        if text.origin != Origin::Library {
            self.types_of_processes(&text.text)?;
        }
        self.checker.rules.in_library = text.origin == Origin::Library;
        let options = ParseOptions {
            probes_only: self.options.probes_only,
            bare_descriptions: text.origin == Origin::Argument,
            naming: text.naming,
            dx: self.checker.rules.dx,
        };
        let mut clauses: Vec<Clause> = Vec::new();
        let mut items = 0_usize;
        let known: Vec<String> = self
            .sources_of(Origin::Library)
            .map(|name| name.rsplit('/').next().unwrap_or(name).to_owned())
            .collect();
        let checker = &mut self.checker;
        let mut pending: Vec<(String, Span)> = Vec::new();
        parse_each(
            &mut self.sources,
            id,
            &mut self.type_names,
            &mut self.options.macros,
            options,
            &mut |item, _names| {
                items += 1;
                match item {
                    Item::Clause(clause) => {
                        clauses.push(clause);
                        Ok(())
                    }
                    Item::Declaration(d) => checker.declaration(&d),
                    Item::Inline(i) => checker.inline(&i),
                    Item::Translator(t) => checker.translator(&t),
                    Item::Provider(p) => checker.provider(&p),
                    Item::Function(f) => checker.define_function(f),
                    Item::Pragma(p) => {
                        items -= 1;
                        pragma(checker, &known, &mut pending, interpret(&p)?, p.span)
                    }
                }
            },
        )?;
        if items == 0 && text.origin != Origin::Library && !self.options.empty {
            return Err(Diagnostic::new(Tag::Empty, span, "the program is empty: it has no probe clause"));
        }
        if let Some((name, at)) = pending.iter().find(|(name, _)| !self.checker.has_attributes(name)) {
            let message = format!("the attributes of {name} are not used: nothing of this name is defined");
            return Err(Diagnostic::new(Tag::PragmaUnused, *at, message));
        }
        let mut described = Attributes::STABLE;
        for spec in clauses.iter().flat_map(|clause| &clause.probes) {
            let named = spec.text.matches(':').count() == 3 && !spec.text.starts_with(':');
            described = described.least(if named { Attributes::EVOLVING } else { Attributes::UNSTABLE });
        }
        self.checker.current.least_stable = Attributes::STABLE;
        let probes = self.clauses(&clauses)?;
        if text.origin != Origin::Library {
            self.checker.functions_never_called()?;
            self.stability.push(StabilityReport {
                name: text.name.clone(),
                script: text.origin == Origin::Script,
                probes: described,
                statements: self.checker.current.least_stable,
            });
        }
        if text.origin != Origin::Library {
            let script = text.origin == Origin::Script;
            self.checker.program.matched.push(Matched { name: text.name.clone(), script, probes });
        }
        Ok(span)
    }

    /// Declares the types of processes that a text names.
    fn types_of_processes(&mut self, text: &[u8]) -> Result<()> {
        for scoped::Name { word, scope, name } in scoped::names(text) {
            let scoped = format!("{scope}`{name}");
            let whole = if word.is_empty() { scoped.clone() } else { format!("{word} {scoped}") };
            if self.checker.of_processes.contains_key(&whole) {
                continue;
            }
            let Some(found) = self.checker.catalog.process_type(scope, word, name) else { continue };
            let found = match found {
                Ok(ProcessType { around: (before, after), mut declarations }) => {
                    let own = format!("type_of_process_{}", self.checker.of_processes.len());
                    let text = format!("typedef {before} {own}{after};\n");
                    declarations.push(Declaration { name: own.clone(), text, optional: false });
                    self.declare(declarations)?;
                    self.checker.types.typedef(&own).ok_or_else(|| "D has no such type".to_owned())
                }
                Err(why) => Err(why),
            };
            if word.is_empty() {
                self.type_names.insert(scoped);
            }
            self.checker.of_processes.insert(whole, found);
        }
        Ok(())
    }

    fn sources_of(&self, origin: Origin) -> impl Iterator<Item = &str> {
        (0..)
            .map_while(|id| self.sources.get(id))
            .filter(move |s| s.origin == origin)
            .map(|s| s.name.as_str())
    }
}

/// Does what a pragma asks.
fn pragma(
    checker: &mut Checker<'_>,
    libraries: &[String],
    pending: &mut Vec<(String, Span)>,
    kind: PragmaKind,
    span: Span,
) -> Result<()> {
    match kind {
        PragmaKind::Option { name, value } => {
            match name.as_str() {
                "zdefs" => checker.rules.zdefs = true,
                "tregs" => {
                    if let Some(n) = value.as_deref().and_then(|v| v.parse().ok()) {
                        checker.rules.key_registers = n;
                    }
                }
                "dx" => checker.rules.dx = value.as_deref().is_none_or(options::is_true),
                "version" => {
                    if let Some(version) = value.as_deref().and_then(options::parse_version) {
                        checker.rules.version = version;
                    }
                }
                "amin" => checker.rules.minimum = value.as_deref().and_then(Attributes::parse),
                _ => {}
            }
            checker.program.options.push((name, value));
        }
        PragmaKind::DependsOn(Dependency::Library(name)) => {
            if !checker.rules.in_library && !libraries.contains(&name) {
                let message = format!("the program depends on the library {name}, which is not there");
                return Err(Diagnostic::new(Tag::PragmaDepend, span, message));
            }
        }
        PragmaKind::Attributes { target: AttributeTarget::Name(name), attributes } => {
            checker.attributes.insert(name.clone(), attributes);
            pending.push((name, span));
        }
        PragmaKind::DependsOn(_)
        | PragmaKind::Attributes { .. }
        | PragmaKind::Binding { .. }
        | PragmaKind::Ignored => {}
    }
    Ok(())
}
