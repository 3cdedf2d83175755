//! Events of the kernel that a reader asks a source for: tests of numbers of system calls and of whom events concern, and what
//! distinguishes equal calls.

use crate::Guid;

/// A number of a system call, or of another event of the kernel, that tests are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The process that makes it, or that an event concerns: `pid` in D.
    Process,
    /// The thread that makes it: `tid`.
    Thread,
    /// The processor on which it is made or logged: `cpu`.
    Processor,
    /// An argument of a call that begins: `arg0` to `arg5`.
    Argument(u8),
    /// The result of a call that returns: `arg0` and `arg1`.
    Result,
    /// The real user with which the process began to run its program: `uid`.
    User,
    /// The name of the process: `execname`. The number of a test is that of a text in a list beside the tests, and the relation
    /// is [`Relation::Equal`].
    Name,
    /// A field of the event that is one number, extended to 64 bits by its sign. Its name has this position in a list beside the tests.
    Field(u16),
}

/// How a number is related to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// They are the same.
    Equal,
    /// It is less, with sign.
    Less,
    /// It is less, or the same, with sign.
    LessOrEqual,
    /// It is less, without sign.
    Below,
    /// It is less, or the same, without sign.
    BelowOrEqual,
}

/// A test of a number of a system call or of another event, all 64 bits of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallTest {
    /// What is compared.
    pub subject: Subject,
    /// How it is compared.
    pub relation: Relation,
    /// Whether the relation has to hold, or must not.
    pub holds: bool,
    /// The number that it is compared with, extended by its sign.
    pub number: i32,
}

impl CallTest {
    /// Returns `true` if a source cannot find the number by itself: only a reader that follows processes knows it.
    #[must_use]
    pub fn is_of_reader(&self) -> bool {
        matches!(self.subject, Subject::User | Subject::Name)
    }

    /// Returns `true` if a number passes.
    #[must_use]
    pub fn passes(&self, value: u64) -> bool {
        let (signed, number) = (value.cast_signed(), i64::from(self.number));
        let related = match self.relation {
            Relation::Equal => signed == number,
            Relation::Less => signed < number,
            Relation::LessOrEqual => signed <= number,
            Relation::Below => value < number.cast_unsigned(),
            Relation::BelowOrEqual => value <= number.cast_unsigned(),
        };
        related == self.holds
    }
}

/// An event of the kernel that is needed, where tests of whom it concerns hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededEvent {
    /// Its class.
    pub class: Guid,
    /// Its type.
    pub opcode: u8,
    /// The tests that have to hold, all of them: of process, thread, processor, user and name.
    pub tests: Vec<CallTest>,
}

/// An event of a provider of the system that is needed, where tests of its fields and of whom it concerns hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededTrace {
    /// The provider.
    pub provider: Guid,
    /// The id of the event.
    pub id: u16,
    /// The tests that have to hold, all of them.
    pub tests: Vec<CallTest>,
}

/// What distinguishes system calls, besides the thread and the call. Those that are equal in it may become one record that says
/// how many they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distinguished {
    /// How many arguments, from the first on; of a call that returns, its result is one.
    pub arguments: u8,
    /// The stack in the kernel.
    pub kernel_stack: bool,
    /// The stack in the process.
    pub user_stack: bool,
}

impl Distinguished {
    /// Returns what both distinguish.
    #[must_use]
    pub fn and(self, other: Distinguished) -> Distinguished {
        Distinguished {
            arguments: self.arguments.max(other.arguments),
            kernel_stack: self.kernel_stack | other.kernel_stack,
            user_stack: self.user_stack | other.user_stack,
        }
    }

    /// Returns how many arguments a call has at most of those that make a difference.
    #[must_use]
    pub fn arguments(self) -> usize {
        usize::from(self.arguments).min(6)
    }

    /// Returns `true` if a stack makes a difference.
    #[must_use]
    pub fn has_stacks(self) -> bool {
        self.kernel_stack || self.user_stack
    }
}
