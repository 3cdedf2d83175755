//! Signatures of subroutines.

use super::checker::Checker;
use super::tree::{Kind, Node};
use crate::ast::Expr;
use crate::builtins::Subr;
use crate::diag::{Result, fail};
use crate::source::Span;
use crate::tags::Tag;
use crate::types::TypeId;

/// The type of an argument or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Want {
    /// An `int`.
    Int,
    /// `int64_t`
    Int64,
    /// `uint64_t`
    Uint64,
    /// `uint16_t`
    Uint16,
    /// `uint32_t`
    Uint32,
    /// `size_t`
    Size,
    /// `uintptr_t`
    Address,
    /// `char`
    Char,
    /// `void *`
    Pointer,
    /// `uintptr_t *`
    Words,
    /// `string`
    String,
    /// `void`: no result.
    Void,
    /// A pointer to a type of the traced system; any scalar passes, but no string.
    Native,
    /// A pointer to an IPv4 address.
    V4,
    /// A pointer to an IPv6 address.
    V6,
}

/// Result and arguments, of which so many must be there.
struct Signature {
    result: Want,
    args: &'static [Want],
    required: usize,
}

const fn all(result: Want, args: &'static [Want]) -> Signature {
    Signature { result, args, required: args.len() }
}

const fn some(result: Want, args: &'static [Want], required: usize) -> Signature {
    Signature { result, args, required }
}

/// The table of signatures.
fn signature(subr: Subr) -> Signature {
    use Want as W;
    match subr {
        Subr::Alloca => all(W::Pointer, &[W::Size]),
        Subr::Basename | Subr::Cleanpath | Subr::Dirname | Subr::Tolower | Subr::Toupper => {
            all(W::String, &[W::String])
        }
        Subr::Bcopy => all(W::Void, &[W::Pointer, W::Pointer, W::Size]),
        Subr::Copyin => all(W::Pointer, &[W::Address, W::Size]),
        Subr::Copyinstr => some(W::String, &[W::Address, W::Size], 1),
        Subr::Copyinto => all(W::Void, &[W::Address, W::Size, W::Pointer]),
        Subr::Copyout => all(W::Void, &[W::Pointer, W::Address, W::Size]),
        Subr::Copyoutstr => all(W::Void, &[W::String, W::Address, W::Size]),
        Subr::DdiPathname => all(W::String, &[W::Pointer, W::Int64]),
        Subr::Getf => all(W::Pointer, &[W::Int]),
        Subr::Getmajor | Subr::Getminor => all(W::Uint32, &[W::Uint64]),
        Subr::Htons | Subr::Ntohs => all(W::Uint16, &[W::Uint16]),
        Subr::Htonl | Subr::Ntohl => all(W::Uint32, &[W::Uint32]),
        Subr::Htonll | Subr::Ntohll => all(W::Uint64, &[W::Uint64]),
        Subr::Index | Subr::Rindex => some(W::Int, &[W::String, W::String, W::Int], 2),
        Subr::InetNtoa => all(W::String, &[W::V4]),
        Subr::InetNtoa6 => all(W::String, &[W::V6]),
        Subr::InetNtop => all(W::String, &[W::Int, W::Pointer]),
        Subr::Json => all(W::String, &[W::String, W::String]),
        Subr::Lltostr => some(W::String, &[W::Int64, W::Int], 1),
        Subr::Memref => all(W::Words, &[W::Pointer, W::Size]),
        Subr::Msgdsize | Subr::Msgsize => all(W::Size, &[W::Native]),
        Subr::MutexOwned | Subr::MutexTypeAdaptive | Subr::MutexTypeSpin => all(W::Int, &[W::Native]),
        Subr::MutexOwner => all(W::Pointer, &[W::Native]),
        Subr::Progenyof => all(W::Int, &[W::Int]),
        Subr::Rand => all(W::Int, &[]),
        Subr::RwIswriter | Subr::RwReadHeld | Subr::RwWriteHeld => all(W::Int, &[W::Native]),
        Subr::Speculation => all(W::Int, &[]),
        Subr::Strchr | Subr::Strrchr => all(W::String, &[W::String, W::Char]),
        Subr::Strjoin | Subr::Strstr | Subr::Strtok => all(W::String, &[W::String, W::String]),
        Subr::Strlen => all(W::Size, &[W::String]),
        Subr::Strtoll => some(W::Int64, &[W::String, W::Int], 1),
        Subr::Substr => some(W::String, &[W::String, W::Int, W::Int], 2),
        Subr::Wstringof => some(W::String, &[W::Pointer, W::Size], 1),
        Subr::Wstrlen => some(W::Size, &[W::Pointer, W::Size], 1),
        Subr::Strcontains => all(W::Int, &[W::String, W::String]),
        Subr::Strftime => all(W::String, &[W::String, W::Int64]),
        Subr::StrCopy => all(W::String, &[W::Pointer]),
    }
}

impl Checker<'_> {
    fn wanted(&mut self, want: Want) -> TypeId {
        let basic = self.types.basic();
        let named = |checker: &Self, name: &str| checker.types.typedef(name).unwrap_or(basic.int);
        match want {
            Want::Int => basic.int,
            Want::Int64 => basic.int64,
            Want::Uint64 => basic.uint64,
            Want::Uint16 => named(self, "uint16_t"),
            Want::Uint32 => named(self, "uint32_t"),
            Want::Size => basic.size,
            Want::Address => basic.uintptr,
            Want::Char => basic.char_,
            Want::Pointer | Want::Native => basic.void_ptr,
            Want::String => basic.string,
            Want::Void => basic.void,
            Want::V4 => {
                let target = named(self, "ipaddr_t");
                self.types.pointer(target)
            }
            Want::Words => self.types.pointer(basic.uintptr),
            Want::V6 => {
                let target = self.types.tagged("struct in6_addr").unwrap_or(basic.void);
                self.types.pointer(target)
            }
        }
    }

    /// A subroutine's call.
    pub(super) fn subroutine(&mut self, subr: Subr, args: &[Expr], span: Span) -> Result<Node> {
        let signature = signature(subr);
        let name = subr.name();
        let mut nodes = Vec::with_capacity(args.len());
        for arg in args {
            nodes.push(self.expr(arg)?);
        }
        let (least, most) = (signature.required, signature.args.len());
        if nodes.len() < least || nodes.len() > most {
            return self.bad_count(name, nodes.len(), least, most, span);
        }
        let mut passed = Vec::with_capacity(nodes.len());
        for (at, (node, &want)) in nodes.into_iter().zip(signature.args).enumerate() {
            let ty = self.wanted(want);
            let node = if want == Want::Native && self.types.is_scalar(node.ty) {
                self.retype(node, ty)
            } else if want == Want::Native {
                let text = format!(
                    "argument {} of {name}() must be a pointer, not {}",
                    at + 1,
                    self.quoted(node.ty)
                );
                return fail(Tag::ProtoArg, node.span, text);
            } else {
                self.passed(&format!("{name}()"), at, node, ty)?
            };
            passed.push(node);
        }
        self.extended_subroutine(subr, args)?;
        let ty = self.wanted(signature.result);
        Ok(Node { kind: Kind::Call(subr, passed), ty, span })
    }

    /// A value passed as exactly this type.
    pub(super) fn passed(&mut self, name: &str, at: usize, node: Node, ty: TypeId) -> Result<Node> {
        if !self.fits(&node, ty) {
            let text = format!(
                "argument {} of {name} must be of type {}, not {}",
                at + 1,
                self.quoted(ty),
                self.quoted(node.ty)
            );
            return fail(Tag::ProtoArg, node.span, text);
        }
        Ok(self.converted(node, ty))
    }

    /// The error for a wrong number of arguments.
    pub(super) fn bad_count<T>(
        &self,
        name: &str,
        given: usize,
        least: usize,
        most: usize,
        span: Span,
    ) -> Result<T> {
        let wanted = if most == 0 {
            "no arguments".to_owned()
        } else if least == most {
            format!("{least} argument{}", if least == 1 { "" } else { "s" })
        } else if most == usize::MAX {
            format!("at least {least}")
        } else {
            format!("{least} to {most} arguments")
        };
        let given = match given {
            0 => "none is given".to_owned(),
            1 => "1 is given".to_owned(),
            n => format!("{n} are given"),
        };
        fail(Tag::ProtoLen, span, format!("{name}() takes {wanted}, and {given}"))
    }
}
