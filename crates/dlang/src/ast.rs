//! The syntax tree: what was written, with positions, before any meaning.
//!
//! The parser decides only what C-like grammar needs: which words are type names. Everything else
//! (which identifier is a variable, an action or an aggregating function; whether types agree) is the
//! business of the checker.

use crate::source::Span;

/// An identifier. A back-quoted scope stays in the text: ``genunix`foo``, `` `foo ``.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The text.
    pub(crate) name: String,
    /// Its position in the source.
    pub(crate) span: Span,
}

/// A whole program text.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Its parts in order.
    pub items: Vec<Item>,
}

/// An item of a program.
#[derive(Clone, Debug)]
pub enum Item {
    /// Probe descriptions with predicate and statements.
    Clause(Clause),
    /// A declaration: variables, typedefs, or a bare `struct S { … };`.
    Declaration(Declaration),
    /// `inline TYPE name = expr;`
    Inline(Inline),
    /// `translator OUT < IN name > { … };`
    Translator(Translator),
    /// `provider NAME { … };`
    Provider(Provider),
    /// `#pragma …`
    Pragma(Pragma),
    /// `TYPE name(params) { … }` (only with the extensions of `-x dx`).
    Function(Function),
}

/// Probe descriptions, `/predicate/`, `{ statements }`.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The probes that enable it; never empty.
    pub(crate) probes: Vec<ProbeSpec>,
    /// The predicate.
    pub(crate) predicate: Option<Expr>,
    /// The statements; `None` when there are no braces (the default action).
    pub(crate) body: Option<Vec<Stmt>>,
    /// From the first description to the closing brace.
    pub(crate) span: Span,
}

impl Clause {
    /// Its probe descriptions as they are written.
    pub fn descriptions(&self) -> impl Iterator<Item = &str> {
        self.probes.iter().map(|probe| probe.text.as_str())
    }
}

/// A probe description, with macro variables replaced.
#[derive(Clone, Debug)]
pub struct ProbeSpec {
    /// The text: `a:b:c:d` with any part missing, or a number.
    pub(crate) text: String,
    /// Its position in the source.
    pub(crate) span: Span,
}

/// A statement of a clause.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// An expression, an action call, or `@agg[keys] = func(args)` (as an assignment).
    Expr(Expr),
    /// `if (cond) … else …`
    If {
        /// The condition.
        cond: Expr,
        /// Statements when it holds.
        then: Vec<Stmt>,
        /// Statements when it does not.
        otherwise: Vec<Stmt>,
        /// The whole statement.
        span: Span,
    },
    /// `while`, `do … while` and `for` (this and all below only with the extensions of `-x dx`).
    Loop(Box<Loop>),
    /// `break;`
    Break(Span),
    /// `continue;`
    Continue(Span),
    /// `return [value];`
    Return(Option<Expr>, Span),
    /// A declaration within a block: specifiers, then declarators with the values they begin with.
    Local(Box<Specs>, Vec<(Declarator, Option<Expr>)>),
    /// A nested block of statements.
    Block(Vec<Stmt>),
}

/// A loop of any form.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The first part of a `for`.
    pub(crate) init: Vec<Stmt>,
    /// The condition to go on; none in `for (;;)`.
    pub(crate) cond: Option<Expr>,
    /// The last part of a `for`.
    pub(crate) step: Option<Expr>,
    /// The statements.
    pub(crate) body: Vec<Stmt>,
    /// The condition is looked at before the first round: not so in `do … while`.
    pub(crate) test_first: bool,
    /// The whole statement.
    pub(crate) span: Span,
}

/// A function of the program's own.
#[derive(Clone, Debug)]
pub struct Function {
    /// Specifiers of what it returns.
    pub(crate) specs: Specs,
    /// Its name, and the rest of the type that it returns.
    pub(crate) declarator: Declarator,
    /// Its parameters.
    pub(crate) params: Vec<Param>,
    /// Its statements.
    pub(crate) body: Vec<Stmt>,
    /// All of it.
    pub(crate) span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The expression.
    pub(crate) kind: ExprKind,
    /// Its position in the source.
    pub(crate) span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer constant.
    Int(IntLit),
    /// A string constant, escapes undone.
    Str(Vec<u8>),
    /// A variable, function, enumerator or inline; may carry a back-quoted scope.
    Ident(String),
    /// `self->name` or `this->name`.
    Scoped(VarScope, Ident),
    /// `@name` or `@name[keys]`; the bare `@` has the name `_`.
    Agg {
        /// Name without the `@`.
        name: String,
        /// The key expressions; `None` when there are no brackets.
        keys: Option<Vec<Expr>>,
    },
    /// `base[i, j]`.
    Index(Box<Expr>, Vec<Expr>),
    /// `name(args)`: a subroutine, an action or an aggregating function.
    Call(Ident, Vec<Expr>),
    /// `base.member`
    Member(Box<Expr>, Ident),
    /// `base->member`
    Arrow(Box<Expr>, Ident),
    /// A prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// `e++`, `e--`, `++e`, `--e`.
    Step {
        /// `++` rather than `--`.
        up: bool,
        /// Whether the operator precedes its operand.
        prefix: bool,
        /// The operand.
        operand: Box<Expr>,
    },
    /// A binary operator.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a = b`, or `a op= b`.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// `(type) e`
    Cast(Box<TypeName>, Box<Expr>),
    /// `sizeof e`
    SizeofExpr(Box<Expr>),
    /// `sizeof (type)`
    SizeofType(Box<TypeName>),
    /// `offsetof (type, member)`
    Offsetof(Box<TypeName>, Ident),
    /// `stringof e`
    Stringof(Box<Expr>),
    /// `xlate <type> (e)`
    Xlate(Box<TypeName>, Box<Expr>),
}

/// An integer or character constant as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntLit {
    /// Its bits.
    pub(crate) value: u64,
    /// A character constant (type `int`).
    pub(crate) is_char: bool,
    /// Written in decimal (its unsuffixed type is never unsigned).
    pub(crate) decimal: bool,
    /// Suffix `u`.
    pub(crate) unsigned: bool,
    /// Number of `l` suffixes, 0 to 2.
    pub(crate) longs: u8,
}

/// `self->` or `this->`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VarScope {
    /// Thread-local.
    SelfThread,
    /// Clause-local.
    ThisClause,
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `+`
    Plus,
    /// `!`
    Not,
    /// `~`
    BitNot,
    /// `*`
    Deref,
    /// `&`
    AddrOf,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Xor,
    Or,
}

impl BinaryOp {
    /// As written.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Mod => "%",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::BitAnd => "&",
            Self::BitXor => "^",
            Self::BitOr => "|",
            Self::And => "&&",
            Self::Xor => "^^",
            Self::Or => "||",
        }
    }
}

/// Declaration specifiers: storage class, qualifiers, and the type words.
#[derive(Clone, Debug)]
pub struct Specs {
    /// Storage class, if any.
    pub(crate) class: Option<(StorageClass, Span)>,
    /// More than one storage class was written (an error for the checker, with its place).
    pub(crate) extra_class: Option<Span>,
    /// `const`, `volatile`, `restrict` need no memory; `userland` does.
    pub(crate) userland: bool,
    /// `const` was written.
    pub(crate) is_const: bool,
    /// The basic type words in the order written (`unsigned`, `long`, `int`…), for the checker to combine.
    pub(crate) words: Vec<(BasicWord, Span)>,
    /// A named, struct, union or enum type; at most one is legal.
    pub(crate) named: Vec<TypeSpec>,
    /// All of it.
    pub(crate) span: Span,
}

/// Storage classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum StorageClass {
    Auto,
    Extern,
    Register,
    Static,
    Typedef,
    /// `self`
    SelfThread,
    /// `this`
    ThisClause,
}

/// Words that combine to a basic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BasicWord {
    Void,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Signed,
    Unsigned,
    String,
}

/// A type named or built in place.
#[derive(Clone, Debug)]
pub enum TypeSpec {
    /// A typedef name, may carry a back-quoted scope.
    Name(Ident),
    /// `struct tag`, `struct tag { … }`, `struct { … }`; likewise `union`.
    Aggregate {
        /// `union` rather than `struct`.
        is_union: bool,
        /// The tag.
        tag: Option<Ident>,
        /// The members, when they are given.
        members: Option<Vec<Member>>,
        /// All of it.
        span: Span,
    },
    /// `enum tag { … }`
    Enum {
        /// The tag.
        tag: Option<Ident>,
        /// Names with their optional values, when they are given.
        items: Option<Vec<(Ident, Option<Expr>)>>,
        /// All of it.
        span: Span,
    },
}

/// A member declaration of a struct or union: `int a, *b, c : 3;`
#[derive(Clone, Debug)]
pub struct Member {
    /// Its specifiers.
    pub(crate) specs: Specs,
    /// Its declarators with optional bit-field widths; empty for an unnamed struct member.
    pub(crate) declarators: Vec<(Declarator, Option<Expr>)>,
}

/// The declarator around a name, from the name outwards: `*a[3]` is `[Array(3), Pointer]`.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name; none in a type name or an abstract parameter.
    pub(crate) name: Option<Ident>,
    /// Derivations, the one nearest to the name first.
    pub(crate) derive: Vec<Derive>,
    /// All of it (the place of the specifiers when nothing was written).
    pub(crate) span: Span,
}

/// A derivation of a declarator.
#[derive(Clone, Debug)]
pub enum Derive {
    /// `*`
    Pointer,
    /// `[n]`, `[]`
    Array(Option<Box<Expr>>, Span),
    /// `[type, type …]`: an associative array.
    Assoc(Vec<Param>, Span),
    /// `(params)`
    Function(Vec<Param>, Span),
}

/// A parameter of a function or a key of an associative array.
#[derive(Clone, Debug)]
pub enum Param {
    /// A typed one.
    Typed(Specs, Declarator),
    /// `...`
    Ellipsis(Span),
}

/// A type name, as in a cast.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// Specifiers.
    pub(crate) specs: Specs,
    /// An abstract declarator.
    pub(crate) declarator: Declarator,
    /// All of it.
    pub(crate) span: Span,
}

/// `specs declarator, declarator …;`
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Specifiers.
    pub(crate) specs: Specs,
    /// The declared names; empty for `struct S { … };`.
    pub(crate) declarators: Vec<Declarator>,
    /// All of it.
    pub(crate) span: Span,
}

/// `inline TYPE name [params] = expr;`
#[derive(Clone, Debug)]
pub struct Inline {
    /// Type.
    pub(crate) specs: Specs,
    /// Name, with an [`Derive::Assoc`] when it has parameters.
    pub(crate) declarator: Declarator,
    /// Its value.
    pub(crate) value: Expr,
    /// All of it.
    pub(crate) span: Span,
}

/// `translator OUT < IN name > { member = expr; … };`
#[derive(Clone, Debug)]
pub struct Translator {
    /// The type it makes.
    pub(crate) output: TypeName,
    /// The type it takes.
    pub(crate) input: TypeName,
    /// The name of the input in its expressions.
    pub(crate) param: Ident,
    /// Members in order.
    pub(crate) members: Vec<(Ident, Expr)>,
    /// All of it.
    pub(crate) span: Span,
}

/// `provider NAME { probe …; };`
#[derive(Clone, Debug)]
pub struct Provider {
    /// Its name.
    pub(crate) name: Ident,
    /// Its probes.
    pub(crate) probes: Vec<ProviderProbe>,
}

/// `probe name(native args) [: (translated args)];`
#[derive(Clone, Debug)]
pub struct ProviderProbe {
    /// Its name.
    pub(crate) name: Ident,
    /// The arguments that the provider passes.
    pub(crate) native: Vec<Param>,
    /// The arguments that scripts see, if different.
    pub(crate) translated: Option<Vec<Param>>,
    /// All of it.
    pub(crate) span: Span,
}

/// A `#pragma` line.
#[derive(Clone, Debug)]
pub struct Pragma {
    /// It began `#pragma D`.
    pub(crate) is_d: bool,
    /// The words after `pragma` and `D`, as tokens of text; strings without their quotes.
    pub(crate) words: Vec<Ident>,
    /// All of it.
    pub(crate) span: Span,
}
