//! The typed register IR to which clauses compile.
//!
//! A clause becomes one sequence of code: the predicate, then the statements in order. Registers have 64 bits: an integer
//! (already sign- or zero-extended as its D type requires) or an address. Jumps go forward, except a jump that counts its
//! iterations, so every program ends. Addresses of memory of the engine or its host carry [`ADDR_TAG`] and a region. Any other
//! address belongs to the traced system, and reading it is a fault unless the host can supply its contents.
//!
//! Each operation is declared once, in the `ops!` table below. The text form, the verifier and the documentation are generated
//! from it.

pub mod text;
pub mod verify;

/// Upper 16 bits of every address that the engine can read: non-canonical on all 64-bit systems, so
/// no pointer of a traced system looks like one.
pub const ADDR_TAG: u64 = 0x4454 << 48;
/// Mask of the tag bits.
pub const ADDR_TAG_MASK: u64 = 0xffff << 48;
/// The region number is in bits 40..48.
pub const REGION_SHIFT: u32 = 40;
/// Mask of the offset in a region.
pub const OFFSET_MASK: u64 = (1 << REGION_SHIFT) - 1;

/// Regions of engine memory. Numbers from [`Region::HOST_FIRST`] on belong to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region(pub u8);

impl Region {
    /// Constants of the program (string literals); read only.
    pub const CONST: Region = Region(0);
    /// Scratch memory of the current firing (alloca, copyin, results of string subroutines).
    pub const SCRATCH: Region = Region(1);
    /// Storage of global variables.
    pub const GLOBAL: Region = Region(2);
    /// Storage of clause-local variables.
    pub const LOCAL: Region = Region(3);
    /// Storage of dynamic (thread-local and associative) variables.
    pub const DYNAMIC: Region = Region(4);
    /// First region number of the host (event payload, process records, names…).
    pub const HOST_FIRST: Region = Region(16);

    /// The address of an offset in this region.
    #[must_use]
    pub const fn address(self, offset: u64) -> u64 {
        ADDR_TAG | (self.0 as u64) << REGION_SHIFT | (offset & OFFSET_MASK)
    }

    /// Splits an address of engine memory.
    #[must_use]
    pub const fn split(address: u64) -> Option<(Region, u64)> {
        if address & ADDR_TAG_MASK == ADDR_TAG {
            Some((Region((address >> REGION_SHIFT) as u8), address & OFFSET_MASK))
        } else {
            None
        }
    }
}

/// An instruction: an operation, three register numbers, an immediate. The table defines their meanings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inst {
    /// The operation.
    pub op: Op,
    /// Destination register.
    pub d: u8,
    /// First source register.
    pub a: u8,
    /// Second source register, or a count of registers.
    pub b: u8,
    /// Immediate, table index, or jump target (instruction number in the same clause).
    pub imm: i32,
}

/// The role of an instruction's operand, for the text form and the verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Register written: field `d`.
    D,
    /// Register read: field `a`.
    A,
    /// Register read: field `b`.
    B,
    /// Field `a` is the first of `b` consecutive registers that are read.
    Range,
    /// Immediate integer.
    Imm,
    /// Immediate of 16 bits in the fields `d` (low) and `b` (high), sign-extended.
    Short,
    /// Forward jump target.
    Target,
    /// Backward jump target, in a loop.
    Back,
    /// Index into the constant pool [`crate::program::Program::consts`].
    Const,
    /// Byte offset into the read-only data [`crate::program::Program::rodata`].
    Data,
    /// A global variable's index in [`crate::program::Program::vars`].
    GlobalVar,
    /// A clause-local variable's index.
    LocalVar,
    /// A dynamic (thread-local or associative) variable's index; the keys are the [`Operand::Range`].
    DynVar,
    /// A built-in variable ([`crate::builtins::BuiltinVar`] number).
    Builtin,
    /// A subroutine ([`crate::builtins::Subr`] number).
    Subr,
    /// An action of this clause.
    Action,
    /// An aggregation's index in [`crate::program::Program::aggs`].
    Agg,
}

macro_rules! ops {
    ($($(#[doc = $doc:literal])+ $name:ident $text:literal [$($operand:ident),*];)+) => {
        /// The operations.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Op { $($(#[doc = $doc])+ $name),+ }

        impl Op {
            /// All operations in order of their numbers.
            pub const ALL: &'static [Op] = &[$(Op::$name),+];
            /// The mnemonic of the text form.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(Op::$name => $text),+ }
            }
            /// The operands in the order of the text form.
            #[must_use]
            pub const fn operands(self) -> &'static [Operand] {
                match self { $(Op::$name => &[$(Operand::$operand),*]),+ }
            }
        }
    };
}

ops! {
    /// Ends the clause. In a predicate part, jumping to the final `ret` skips the body.
    Ret "ret" [];
    /// d = a
    Mov "mov" [D, A];
    /// d = imm, sign-extended
    SetI "seti" [D, Imm];
    /// d = `consts[imm]`
    SetX "setx" [D, Const];
    /// d = address of `rodata[imm]`
    SetS "sets" [D, Data];
    /// d = a + b
    Add "add" [D, A, B];
    /// d = a + imm
    AddI "addi" [D, A, Imm];
    /// d = a - b
    Sub "sub" [D, A, B];
    /// d = a * b
    Mul "mul" [D, A, B];
    /// d = a / b signed; faults DIVZERO
    SDiv "sdiv" [D, A, B];
    /// d = a / b unsigned; faults DIVZERO
    UDiv "udiv" [D, A, B];
    /// d = a % b signed; faults DIVZERO
    SRem "srem" [D, A, B];
    /// d = a % b unsigned; faults DIVZERO
    URem "urem" [D, A, B];
    /// d = a & b
    And "and" [D, A, B];
    /// d = a | b
    Or "or" [D, A, B];
    /// d = a ^ b
    Xor "xor" [D, A, B];
    /// d = a << (b & 63)
    Shl "shl" [D, A, B];
    /// d = a >> (b & 63), logical
    Shr "shr" [D, A, B];
    /// d = a >> (b & 63), arithmetic
    Sar "sar" [D, A, B];
    /// d = ~a
    Not "not" [D, A];
    /// d = -a
    Neg "neg" [D, A];
    /// d = sign-extended low 8 bits of a
    Sx8 "sx8" [D, A];
    /// d = sign-extended low 16 bits of a
    Sx16 "sx16" [D, A];
    /// d = sign-extended low 32 bits of a
    Sx32 "sx32" [D, A];
    /// d = zero-extended low 8 bits of a
    Zx8 "zx8" [D, A];
    /// d = zero-extended low 16 bits of a
    Zx16 "zx16" [D, A];
    /// d = zero-extended low 32 bits of a
    Zx32 "zx32" [D, A];
    /// d = (a == b)
    Eq "eq" [D, A, B];
    /// d = (a != b)
    Ne "ne" [D, A, B];
    /// d = (a < b) signed
    Slt "slt" [D, A, B];
    /// d = (a <= b) signed
    Sle "sle" [D, A, B];
    /// d = (a < b) unsigned
    Ult "ult" [D, A, B];
    /// d = (a <= b) unsigned
    Ule "ule" [D, A, B];
    /// d = (a == imm)
    EqI "eqi" [D, A, Imm];
    /// d = (a == 0)
    IsZero "isz" [D, A];
    /// d = -1, 0 or 1: the strings at addresses a and b compared by bytes, at most strsize of them
    SCmp "scmp" [D, A, B];
    /// continue at imm
    Jmp "jmp" [Target];
    /// if a == 0 continue at imm
    Jz "jz" [A, Target];
    /// if a != 0 continue at imm
    Jnz "jnz" [A, Target];
    /// if a == b continue at imm
    JEq "jeq" [A, B, Target];
    /// if a != b continue at imm
    JNe "jne" [A, B, Target];
    /// if a < b signed continue at imm
    JSlt "jslt" [A, B, Target];
    /// if a <= b signed continue at imm
    JSle "jsle" [A, B, Target];
    /// if a < b unsigned continue at imm
    JUlt "jult" [A, B, Target];
    /// if a <= b unsigned continue at imm
    JUle "jule" [A, B, Target];
    /// if a == the short constant continue at imm
    JEqI "jeqi" [A, Short, Target];
    /// if a != the short constant continue at imm
    JNeI "jnei" [A, Short, Target];
    /// if a < the short constant signed continue at imm
    JSltI "jslti" [A, Short, Target];
    /// if a >= the short constant signed continue at imm
    JSgeI "jsgei" [A, Short, Target];
    /// if a < the short constant unsigned continue at imm
    JUltI "julti" [A, Short, Target];
    /// if a >= the short constant unsigned continue at imm
    JUgeI "jugei" [A, Short, Target];
    /// allows the loop iterations of the clause (`loopmax`); comes first in a clause that has loops
    Rounds "rounds" [];
    /// continue at imm, which lies before; faults LOOPMAX when no round is left
    Back "back" [Back];
    /// d = signed 8 bits at address a
    LdS8 "lds8" [D, A];
    /// d = signed 16 bits at address a
    LdS16 "lds16" [D, A];
    /// d = signed 32 bits at address a
    LdS32 "lds32" [D, A];
    /// d = unsigned 8 bits at address a
    LdU8 "ldu8" [D, A];
    /// d = unsigned 16 bits at address a
    LdU16 "ldu16" [D, A];
    /// d = unsigned 32 bits at address a
    LdU32 "ldu32" [D, A];
    /// d = 64 bits at address a
    Ld64 "ld64" [D, A];
    /// 8 bits at address a = b
    St8 "st8" [A, B];
    /// 16 bits at address a = b
    St16 "st16" [A, B];
    /// 32 bits at address a = b
    St32 "st32" [A, B];
    /// 64 bits at address a = b
    St64 "st64" [A, B];
    /// copies imm bytes to address a from address b
    Copy "copy" [A, B, Imm];
    /// copies the string at address b, at most imm bytes with its NUL, to address a
    CopyS "copys" [A, B, Imm];
    /// d = global variable (its value, or the address of its storage when it is by reference; 0 for a string never assigned)
    LdG "ldg" [D, GlobalVar];
    /// global variable = a (by reference: copied from address a; a = 0 makes a string NULL)
    StG "stg" [GlobalVar, A];
    /// d = clause-local variable
    LdL "ldl" [D, LocalVar];
    /// clause-local variable = a
    StL "stl" [LocalVar, A];
    /// d = dynamic variable with the keys in the range (none for a plain thread-local); 0 when there is none
    LdD "ldd" [D, DynVar, Range];
    /// dynamic variable with the keys in the range = d (d is READ); 0 deletes it
    StD "std" [D, DynVar, Range];
    /// d = address of the storage of a by-reference variable (allocated, zero-filled, if need be); for arrays and structs
    LdAG "ldag" [D, GlobalVar];
    /// d = address of the storage of a clause-local by-reference variable
    LdAL "ldal" [D, LocalVar];
    /// d = address of the storage of a dynamic by-reference variable, created if need be; 0 when it was dropped
    LdAD "ldad" [D, DynVar, Range];
    /// d = 1 if the dynamic variable with the keys in the range is there, else 0
    HasD "hasd" [D, DynVar, Range];
    /// d = number of elements of the dynamic variable (of the present thread's, for a thread-local one)
    CountD "countd" [D, DynVar];
    /// d = built-in variable
    LdB "ldb" [D, Builtin];
    /// d = argument number imm of the probe (arg0 … arg9)
    LdArg "ldarg" [D, Imm];
    /// d = element a of a built-in array variable (`uregs[]`, args beyond constants)
    LdBA "ldba" [D, A, Builtin];
    /// d = subroutine imm of the arguments in the range
    Call "call" [D, Subr, Range];
    /// performs an action of the clause with the values in the range
    Act "act" [Action, Range];
    /// feeds aggregation imm: the range is the keys (without those that are stacks), then value, then increment, as its statement has them
    Agg "agg" [Agg, Range];
}

impl Inst {
    /// An instruction with all fields zero but the operation.
    #[must_use]
    pub const fn new(op: Op) -> Inst {
        Inst { op, d: 0, a: 0, b: 0, imm: 0 }
    }

    /// The short constant of an instruction that has one.
    #[must_use]
    #[inline]
    pub const fn short(self) -> i16 {
        i16::from_le_bytes([self.d, self.b])
    }

    /// The same instruction with this short constant.
    #[must_use]
    pub const fn with_short(self, value: i16) -> Inst {
        let [d, b] = value.to_le_bytes();
        Inst { d, b, ..self }
    }

    /// Returns `true` if its immediate is a jump target.
    #[must_use]
    pub fn is_jump(self) -> bool {
        self.op.operands().iter().any(|o| matches!(o, Operand::Target | Operand::Back))
    }
}
