//! The symbols to which the names of a program refer.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::tree::Node;
use crate::ast::Function;
use crate::source::Span;
use crate::types::TypeId;

/// A variable as the checker knows it.
#[derive(Clone, Debug)]
pub(crate) struct VarInfo {
    /// Index into the program's variables.
    pub(crate) index: u32,
    /// Its type; of an element when it is associative.
    pub(crate) ty: TypeId,
    /// Key types, when it is associative.
    pub(crate) keys: Option<Vec<TypeId>>,
}

/// An inline.
#[derive(Debug)]
pub(crate) struct InlineInfo {
    /// Type of its value.
    pub(crate) ty: TypeId,
    /// Slots and types of its parameters, when it has a list of them.
    pub(crate) params: Option<Vec<(u32, TypeId)>>,
    /// Its value.
    pub(crate) value: Node,
    /// Number of its nodes.
    pub(crate) weight: u32,
}

/// The symbol of a name at the top level.
#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    /// A variable.
    Var(VarInfo),
    /// An inline.
    Inline(Rc<InlineInfo>),
    /// An enumerator or a constant of the language. A core constant may be declared anew.
    Constant {
        /// Its value.
        value: i64,
        /// Its type.
        ty: TypeId,
        /// It comes with the language.
        core: bool,
    },
    /// A function of the program.
    Function(Rc<FunctionInfo>),
    /// A declared function or external object of the traced system: nothing that can be reached here.
    External,
}

/// A function as the checker knows it.
#[derive(Debug)]
pub(crate) struct FunctionInfo {
    /// The definition.
    pub(super) text: Function,
    /// The type it returns.
    pub(super) ty: TypeId,
    /// Its parameters' types.
    pub(super) params: Vec<TypeId>,
}

/// An aggregation as the checker knows it.
#[derive(Clone, Debug)]
pub(crate) struct AggInfo {
    /// Index into the program's aggregations.
    pub(crate) index: u32,
    /// Types of its keys.
    pub(crate) keys: Vec<TypeId>,
    /// The statement that used it first.
    pub(crate) first: Span,
}

/// A declared provider.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProviderInfo {
    /// Its probes: native types, and for each argument that scripts see its type and native number.
    pub(crate) probes: FxHashMap<String, (Vec<TypeId>, Vec<TypeId>)>,
}

/// A translator.
#[derive(Clone, Debug)]
pub(crate) struct TranslatorInfo {
    /// The type of its result.
    pub(crate) output: TypeId,
    /// The type of its input.
    pub(crate) input: TypeId,
    /// The slot of its input.
    pub(crate) slot: u32,
    /// Members with their values.
    pub(crate) members: Vec<(String, Node)>,
}
