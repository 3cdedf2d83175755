//! The checker itself: what is known while one compilation runs, and the bounds that it keeps.

use rustc_hash::{FxHashMap, FxHashSet};

use super::progress::{Calling, Progress};
use super::symbol::{AggInfo, ProviderInfo, Symbol, TranslatorInfo, VarInfo};
use super::tree::Node;
use crate::ast::Expr;
use crate::catalog::{Catalog, ProbeArg, ProbeInfo};
use crate::diag::{Diagnostic, Result, Warning, fail};
use crate::pragma::Attributes;
use crate::program::{Program, Uses};
use crate::source::Span;
use crate::tags::{Dialect, Tag};
use crate::types::{TypeId, Types};

/// Expressions nested deeper than this are refused, so that no input exhausts the stack.
const DEEPEST: u32 = 600;

/// The maximum number of nodes, and the maximum depth, of the tree of an inline or of a
/// translator's member.
const LARGEST_INLINE: u32 = 20_000;
const HIGHEST_INLINE: u32 = 250;

/// All inlines and translators together put no more nodes than this into a program.
const MOST_EXPANDED: u64 = 2_000_000;

/// The rules that a compilation follows.
pub(crate) struct Rules {
    /// Translate nothing that matches no probe into an error.
    pub(crate) zdefs: bool,
    /// The text being checked is a library.
    pub(crate) in_library: bool,
    /// The implementation whose rules apply where implementations differ.
    pub(crate) dialect: Dialect,
    /// The version of the language, whose later names are free.
    pub(crate) version: (u16, u16),
    /// Keys that an associative array may have (`tregs`).
    pub(crate) key_registers: u64,
    /// The extensions of the language are allowed.
    pub(crate) dx: bool,
    /// `amin`, when it is set.
    pub(crate) minimum: Option<Attributes>,
}

/// What the checker knows about the clause being checked.
pub(crate) struct Current {
    /// Its probes.
    pub(crate) probes: Vec<ProbeInfo>,
    /// The common type of `args[0]` for all of them.
    pub(crate) common_argument: Option<ProbeArg>,
    /// The parts of its host that it reads.
    pub(crate) uses: Uses,
    /// The least stability of all that was used since this was last set.
    pub(crate) least_stable: Attributes,
}

/// What a compilation has used of its bounds.
#[derive(Default)]
struct Bounds {
    /// Nodes that inlines and translators have put into the program so far.
    expanded: u64,
    next_slot: u32,
    depth: u32,
}

/// The state of a compilation.
pub(crate) struct Checker<'c> {
    /// All types.
    pub(crate) types: Types,
    /// The program as far as it is made: variables, aggregations, formats.
    pub(crate) program: Program,
    /// The probes.
    pub(crate) catalog: &'c mut dyn Catalog,
    /// Names at the top level.
    pub(crate) globals: FxHashMap<String, Symbol>,
    /// `self->` variables.
    pub(crate) threads: FxHashMap<String, VarInfo>,
    /// `this->` variables.
    pub(crate) locals: FxHashMap<String, VarInfo>,
    /// Aggregations.
    pub(crate) aggs: FxHashMap<String, AggInfo>,
    /// Translators in order.
    pub(crate) translators: Vec<TranslatorInfo>,
    /// Declared providers: argument types by provider and probe.
    pub(crate) providers: FxHashMap<String, ProviderInfo>,
    /// Declared providers of the program, in order, as C sees them.
    pub(crate) declared: Vec<crate::header::DeclaredProvider>,
    /// Names that represent a slot while an inline or a translator is checked; the innermost last.
    pub(crate) params: Vec<(String, Node)>,
    /// Types that libraries define, which a program may define anew: names, and tags as `struct foo`.
    pub(crate) library_types: FxHashSet<String>,
    /// Warnings about valid but suspicious code.
    pub(crate) warnings: Vec<Warning>,
    /// Attributes that the program gives to names.
    pub(crate) attributes: FxHashMap<String, Attributes>,
    /// The rules that the compilation follows.
    pub(crate) rules: Rules,
    /// The clause being checked.
    pub(crate) current: Current,
    /// The checker's position in a clause.
    pub(super) progress: Progress,
    /// Functions being checked, the innermost last.
    pub(super) calling: Vec<Calling>,
    /// Variables of blocks and functions by where they are declared.
    pub(super) block_variables: FxHashMap<(u32, u32), VarInfo>,
    /// Functions that have been called.
    pub(super) called: FxHashSet<String>,
    /// The types of processes that the program names, by words and scope: the type, or why there is none.
    pub(crate) of_processes: FxHashMap<String, std::result::Result<TypeId, String>>,
    bounds: Bounds,
}

impl<'c> Checker<'c> {
    /// A checker for an empty program.
    pub(crate) fn new(catalog: &'c mut dyn Catalog, pointer_bytes: u8) -> Checker<'c> {
        let mut checker = Checker {
            types: Types::new(pointer_bytes),
            program: Program::default(),
            catalog,
            globals: FxHashMap::default(),
            threads: FxHashMap::default(),
            locals: FxHashMap::default(),
            aggs: FxHashMap::default(),
            translators: Vec::new(),
            providers: FxHashMap::default(),
            declared: Vec::new(),
            params: Vec::new(),
            library_types: FxHashSet::default(),
            warnings: Vec::new(),
            attributes: FxHashMap::default(),
            rules: Rules {
                zdefs: false,
                in_library: false,
                dialect: Dialect::Illumos,
                version: (u16::MAX, 0),
                key_registers: crate::options::Opt::Tregs.default_int(),
                dx: false,
                minimum: None,
            },
            current: Current {
                probes: Vec::new(),
                common_argument: None,
                uses: Uses::default(),
                least_stable: Attributes::HIGHEST,
            },
            progress: Progress::new(Dialect::Illumos),
            calling: Vec::new(),
            block_variables: FxHashMap::default(),
            called: FxHashSet::default(),
            of_processes: FxHashMap::default(),
            bounds: Bounds::default(),
        };
        checker.define_constants();
        checker
    }

    /// A slot number that is not used by another binding.
    pub(crate) fn fresh_slot(&mut self) -> u32 {
        let slot = self.bounds.next_slot;
        self.bounds.next_slot += 1;
        slot
    }

    /// Runs a step one level deeper, or refuses.
    pub(crate) fn deeper<T>(&mut self, span: Span, step: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.bounds.depth >= DEEPEST {
            return Err(Diagnostic::new(Tag::Unknown, span, "the expression is nested too deeply")
                .with_hint("split it: assign parts of it to this-> variables"));
        }
        self.bounds.depth += 1;
        let result = step(self);
        self.bounds.depth -= 1;
        result
    }

    /// The size of the tree that a name represents, if it is within the limits.
    pub(crate) fn weighed(&self, value: &Node, span: Span) -> Result<u32> {
        let (height, count) = value.measure();
        if count > LARGEST_INLINE || height > HIGHEST_INLINE {
            return fail(Tag::Unknown, span, "the definition grows too large once what it uses is put in");
        }
        Ok(count)
    }

    /// Takes note that so many nodes are put into the program, or refuses.
    pub(crate) fn expand(&mut self, nodes: u32, span: Span) -> Result<()> {
        self.bounds.expanded += u64::from(nodes);
        if self.bounds.expanded > MOST_EXPANDED {
            return fail(Tag::Unknown, span, "the inlines and translators of the program grow too large");
        }
        Ok(())
    }

    /// The name of a type, quoted for a message.
    pub(crate) fn quoted(&self, ty: TypeId) -> String {
        format!("\"{}\"", self.types.name(ty))
    }

    /// The type of an expression as [`Self::quoted`]; empty if the expression is in error itself.
    pub(crate) fn type_of(&mut self, expression: &Expr) -> String {
        self.expr(expression).map_or_else(|_| String::new(), |node| self.quoted(node.ty))
    }
}
