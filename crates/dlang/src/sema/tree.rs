//! The typed tree: what the checker makes of expressions and statements, ready for code.
//!
//! All implicit things are explicit here: conversions, scaling of pointer arithmetic, the expansion of inlines and
//! translators, the addresses of members. Names are gone; variables are numbers into the program's table.

use crate::builtins::{BuiltinVar, Subr};
use crate::program::{ActionKind, Repr};
use crate::source::Span;
use crate::types::TypeId;

/// A typed expression.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The operation.
    pub(crate) kind: Kind,
    /// Its type.
    pub(crate) ty: TypeId,
    /// Its position in the source.
    pub(crate) span: Span,
}

/// A place that can be read, and mostly written.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// A variable of the program with its keys.
    Var {
        /// Index into the program's variables.
        index: u32,
        /// Keys of an associative array.
        keys: Vec<Node>,
    },
    /// Memory at an address.
    Memory(Box<Node>),
    /// A bit-field in the unit at an address.
    Bits {
        /// Address of the unit.
        address: Box<Node>,
        /// Bytes of the unit.
        unit: u8,
        /// First bit.
        shift: u8,
        /// Width in bits.
        width: u8,
        /// Sign-extended when read.
        signed: bool,
    },
}

/// Integer operations of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) enum Arith {
    Add,
    Sub,
    Mul,
    SDiv,
    UDiv,
    SRem,
    URem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Sar,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// The interpretation of a comparison's operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) enum Sense {
    Signed,
    Unsigned,
    String,
}

/// The operation of a node.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A constant, extended to 64 bits as its type says.
    Int(u64),
    /// A string literal.
    Str(Vec<u8>),
    /// The value of a place. For records, arrays and strings: its address.
    Read(Place),
    /// The address of a variable's storage (made if need be), or of memory.
    Address(Place),
    /// A built-in variable.
    Builtin(BuiltinVar),
    /// An element of a built-in array.
    BuiltinElement(BuiltinVar, Box<Node>),
    /// `arg0` … `arg9`
    Arg(u8),
    /// A value bound by the nearest [`Kind::Let`] of that number.
    Slot(u32),
    /// Binds a value for its body.
    Let {
        /// Number of the slot.
        slot: u32,
        /// The value, computed once.
        value: Box<Node>,
        /// The expression that uses it.
        body: Box<Node>,
    },
    /// `-e`
    Neg(Box<Node>),
    /// `~e`
    BitNot(Box<Node>),
    /// `!e`
    Not(Box<Node>),
    /// An integer operation.
    Arith(Arith, Box<Node>, Box<Node>),
    /// A comparison.
    Compare(Compare, Sense, Box<Node>, Box<Node>),
    /// `a && b`
    And(Box<Node>, Box<Node>),
    /// `a || b`
    Or(Box<Node>, Box<Node>),
    /// `a ^^ b`
    Xor(Box<Node>, Box<Node>),
    /// `c ? a : b`
    Cond(Box<Node>, Box<Node>, Box<Node>),
    /// `a, b`
    Comma(Box<Node>, Box<Node>),
    /// An integer narrowed, sign- or zero-extended to the node's type.
    Convert(Box<Node>),
    /// The same bits with another type.
    Retype(Box<Node>),
    /// Stores a value; its result is that value.
    Assign(Place, Box<Node>),
    /// Reads a place into a slot, computes a new value from it and stores that.
    Modify {
        /// The place, evaluated once.
        place: Place,
        /// The slot that holds the old value while `value` is computed.
        slot: u32,
        /// The new value.
        value: Box<Node>,
        /// The result is the old value rather than the new one.
        post: bool,
    },
    /// A function of the program: its parameters are set and its statements run here.
    Invoke(Box<Invoke>),
    /// Tests or removes an element of a dynamic variable.
    Element(ElementUse, u32, Vec<Node>),
    /// A subroutine.
    Call(Subr, Vec<Node>),
    /// A whole record that a translator makes: a scratch block of that size, into which members are assigned.
    Build {
        /// Slot of the block's address while members are computed.
        slot: u32,
        /// Bytes.
        size: u32,
        /// Assignments to members.
        members: Vec<Node>,
    },
    /// A record that a translator can make, not yet asked for a member; never reaches the code.
    Translated {
        /// The translator.
        translator: usize,
        /// The translated value.
        input: Box<Node>,
        /// Written as a pointer to the output type.
        pointer: bool,
    },
    /// An action or a data value that exists only as an argument or key: a stack or a symbol.
    Special(Repr, Option<Box<Node>>),
    /// An action used where a value is looked at; never reaches the code.
    Action,
    /// An aggregation; never reaches the code.
    Aggregation,
}

/// Operations on an element of a dynamic variable other than reading and writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ElementUse {
    /// Whether it is there.
    Has,
    /// Removes it; whether it was there.
    Delete,
    /// The number of elements of the variable; without keys.
    Count,
}

/// A call of a function of the program.
#[derive(Clone, Debug)]
pub(crate) struct Invoke {
    /// Parameters (indexes of variables) with their values.
    pub(crate) args: Vec<(u32, Node)>,
    /// Its statements.
    pub(crate) body: Vec<Statement>,
    /// The variable that holds what it returns; none for a function of type void.
    pub(crate) result: Option<u32>,
    /// Whether it returns a string, which must be kept separate from the next call's.
    pub(crate) string: bool,
}

/// A checked statement.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// An action, or an expression for its effect.
    Act {
        /// The action.
        kind: ActionKind,
        /// Its values with the way they are recorded.
        args: Vec<(Node, Repr)>,
        /// Number in the clause.
        number: u32,
        /// Its position in the source.
        span: Span,
    },
    /// Feeds an aggregation.
    Aggregate {
        /// Its index.
        index: u32,
        /// Keys, value and increment, in the order of the instruction; stacks are left out.
        args: Vec<Node>,
        /// Number in the clause.
        number: u32,
        /// Its position in the source.
        span: Span,
    },
    /// Both ways of an `if`.
    If {
        /// The condition.
        cond: Node,
        /// When it holds.
        then: Vec<Statement>,
        /// When it does not.
        otherwise: Vec<Statement>,
    },
    /// A loop.
    Loop {
        /// The condition to go on.
        cond: Option<Node>,
        /// The expression evaluated between two iterations.
        step: Option<Node>,
        /// The statements.
        body: Vec<Statement>,
        /// The condition is looked at before the first round.
        test_first: bool,
        /// Its position in the source.
        span: Span,
    },
    /// Leaves the innermost loop.
    Break(Span),
    /// Goes to the next round of the innermost loop.
    Continue(Span),
    /// Leaves the function; what it returns has been assigned.
    Return(Option<Node>, Span),
    /// A block of statements with its own scope.
    Block(Vec<Statement>),
}

impl Statement {
    /// Height of the highest tree in it, and number of nodes.
    fn measure(&self) -> (u32, u32) {
        let mut height = 0;
        let mut count = 1_u32;
        let mut take = |(h, c): (u32, u32)| {
            height = height.max(h);
            count = count.saturating_add(c);
        };
        match self {
            Statement::Act { args, .. } => args.iter().for_each(|(node, _)| take(node.measure())),
            Statement::Aggregate { args, .. } => args.iter().for_each(|node| take(node.measure())),
            Statement::If { cond, then, otherwise } => {
                take(cond.measure());
                then.iter().chain(otherwise).for_each(|s| take(s.measure()));
            }
            Statement::Loop { cond, step, body, .. } => {
                cond.iter().chain(step).for_each(|node| take(node.measure()));
                body.iter().for_each(|s| take(s.measure()));
            }
            Statement::Return(value, _) => value.iter().for_each(|node| take(node.measure())),
            Statement::Block(list) => list.iter().for_each(|s| take(s.measure())),
            Statement::Break(_) | Statement::Continue(_) => {}
        }
        (height + 1, count)
    }
}

/// A checked clause.
#[derive(Clone, Debug)]
pub(crate) struct CheckedClause {
    /// The predicate.
    pub(crate) predicate: Option<Node>,
    /// The statements.
    pub(crate) body: Vec<Statement>,
    /// It has loops, whose rounds have to be counted.
    pub(crate) loops: bool,
}

impl Node {
    /// The value of an integer constant.
    pub(crate) fn constant(&self) -> Option<u64> {
        match &self.kind {
            Kind::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The number of registers that the classic machine needs at a time: a binary operation keeps its left
    /// side in one while it computes the right one. Arguments and keys have separate registers.
    pub(crate) fn registers(&self) -> u32 {
        let most = |nodes: &[Node]| nodes.iter().map(Node::registers).max().unwrap_or(1);
        let place = |place: &Place| match place {
            Place::Var { keys, .. } => most(keys),
            Place::Memory(address) | Place::Bits { address, .. } => address.registers(),
        };
        match &self.kind {
            Kind::Int(_)
            | Kind::Str(_)
            | Kind::Builtin(_)
            | Kind::Arg(_)
            | Kind::Slot(_)
            | Kind::Action
            | Kind::Aggregation => 1,
            Kind::Read(p) | Kind::Address(p) => place(p),
            Kind::BuiltinElement(_, a)
            | Kind::Neg(a)
            | Kind::BitNot(a)
            | Kind::Not(a)
            | Kind::Convert(a)
            | Kind::Retype(a) => a.registers(),
            Kind::Arith(_, a, b) | Kind::Compare(_, _, a, b) | Kind::Xor(a, b) => {
                a.registers().max(b.registers() + 1)
            }
            Kind::And(a, b) | Kind::Or(a, b) | Kind::Comma(a, b) => a.registers().max(b.registers()),
            Kind::Cond(a, b, c) => a.registers().max(b.registers()).max(c.registers()),
            Kind::Let { value, body, .. } => value.registers().max(body.registers()),
            Kind::Assign(p, value) | Kind::Modify { place: p, value, .. } => value.registers().max(place(p)),
            Kind::Call(_, nodes) | Kind::Build { members: nodes, .. } => most(nodes),
            Kind::Element(_, _, keys) => most(keys),
            Kind::Invoke(call) => call.args.iter().map(|(_, node)| node.registers()).max().unwrap_or(1),
            Kind::Translated { input, .. } => input.registers(),
            Kind::Special(_, address) => address.as_ref().map_or(1, |a| a.registers()),
        }
    }

    /// Height of the tree, and number of its nodes.
    pub(crate) fn measure(&self) -> (u32, u32) {
        let mut height = 0;
        let mut count = 1_u32;
        let mut child = |node: &Node| {
            let (h, c) = node.measure();
            height = height.max(h);
            count = count.saturating_add(c);
        };
        let place = |place: &Place, child: &mut dyn FnMut(&Node)| match place {
            Place::Var { keys, .. } => keys.iter().for_each(child),
            Place::Memory(address) | Place::Bits { address, .. } => child(address),
        };
        match &self.kind {
            Kind::Int(_)
            | Kind::Str(_)
            | Kind::Builtin(_)
            | Kind::Arg(_)
            | Kind::Slot(_)
            | Kind::Action
            | Kind::Aggregation => {}
            Kind::Read(p) | Kind::Address(p) => place(p, &mut child),
            Kind::BuiltinElement(_, a)
            | Kind::Neg(a)
            | Kind::BitNot(a)
            | Kind::Not(a)
            | Kind::Convert(a)
            | Kind::Retype(a) => child(a),
            Kind::Let { value, body, .. } => {
                child(value);
                child(body);
            }
            Kind::Arith(_, a, b)
            | Kind::Compare(_, _, a, b)
            | Kind::And(a, b)
            | Kind::Or(a, b)
            | Kind::Xor(a, b)
            | Kind::Comma(a, b) => {
                child(a);
                child(b);
            }
            Kind::Cond(a, b, c) => {
                child(a);
                child(b);
                child(c);
            }
            Kind::Assign(p, value) | Kind::Modify { place: p, value, .. } => {
                place(p, &mut child);
                child(value);
            }
            Kind::Call(_, nodes) | Kind::Build { members: nodes, .. } => nodes.iter().for_each(child),
            Kind::Element(_, _, nodes) => nodes.iter().for_each(child),
            Kind::Invoke(call) => {
                call.args.iter().for_each(|(_, node)| child(node));
                for (h, c) in call.body.iter().map(Statement::measure) {
                    height = height.max(h);
                    count = count.saturating_add(c);
                }
            }
            Kind::Translated { input, .. } => child(input),
            Kind::Special(_, address) => address.iter().for_each(|a| child(a)),
        }
        (height + 1, count)
    }
}
