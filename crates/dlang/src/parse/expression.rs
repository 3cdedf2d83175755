//! Expressions, by precedence.

use super::{MAX_HEIGHT, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, TypeName, UnaryOp, VarScope};
use crate::diag::{Diagnostic, Result};
use crate::lex::{Keyword, Punct, Token};
use crate::source::Span;
use crate::tags::Tag;

/// The binary operator that a mark is, with its precedence: 1 binds loosest.
fn binary_op(punct: Punct) -> Option<(BinaryOp, u8)> {
    Some(match punct {
        Punct::OrOr => (BinaryOp::Or, 1),
        Punct::XorXor => (BinaryOp::Xor, 2),
        Punct::AndAnd => (BinaryOp::And, 3),
        Punct::Pipe => (BinaryOp::BitOr, 4),
        Punct::Caret => (BinaryOp::BitXor, 5),
        Punct::Amp => (BinaryOp::BitAnd, 6),
        Punct::EqEq => (BinaryOp::Eq, 7),
        Punct::BangEq => (BinaryOp::Ne, 7),
        Punct::Less => (BinaryOp::Lt, 8),
        Punct::LessEq => (BinaryOp::Le, 8),
        Punct::Greater => (BinaryOp::Gt, 8),
        Punct::GreaterEq => (BinaryOp::Ge, 8),
        Punct::Shl => (BinaryOp::Shl, 9),
        Punct::Shr => (BinaryOp::Shr, 9),
        Punct::Plus => (BinaryOp::Add, 10),
        Punct::Minus => (BinaryOp::Sub, 10),
        Punct::Star => (BinaryOp::Mul, 11),
        Punct::Slash => (BinaryOp::Div, 11),
        Punct::Percent => (BinaryOp::Mod, 11),
        _ => return None,
    })
}

/// The assignment that a mark is: `=` or a compound one.
fn assign_op(punct: Punct) -> Option<Option<BinaryOp>> {
    Some(match punct {
        Punct::Eq => None,
        Punct::PlusEq => Some(BinaryOp::Add),
        Punct::MinusEq => Some(BinaryOp::Sub),
        Punct::StarEq => Some(BinaryOp::Mul),
        Punct::SlashEq => Some(BinaryOp::Div),
        Punct::PercentEq => Some(BinaryOp::Mod),
        Punct::AmpEq => Some(BinaryOp::BitAnd),
        Punct::PipeEq => Some(BinaryOp::BitOr),
        Punct::CaretEq => Some(BinaryOp::BitXor),
        Punct::ShlEq => Some(BinaryOp::Shl),
        Punct::ShrEq => Some(BinaryOp::Shr),
        _ => return None,
    })
}

impl Parser<'_> {
    fn punct(&self) -> Option<Punct> {
        match self.token {
            Token::Punct(p) => Some(p),
            _ => None,
        }
    }

    /// Makes a node above subtrees of height `below`.
    fn node(&mut self, kind: ExprKind, start: Span, below: u32) -> Result<Expr> {
        let span = start.to(self.last);
        self.height = below + 1;
        if self.height > MAX_HEIGHT {
            return Err(Diagnostic::new(Tag::Syntax, span, "the expression has too many levels"));
        }
        Ok(Expr { kind, span })
    }

    /// A whole expression, with the comma operator.
    pub(super) fn expression(&mut self) -> Result<Expr> {
        let mut left = self.assignment()?;
        while self.is(Punct::Comma) {
            let below = self.height;
            self.advance()?;
            let right = self.assignment()?;
            let start = left.span;
            let below = below.max(self.height);
            left = self.node(ExprKind::Comma(Box::new(left), Box::new(right)), start, below)?;
        }
        Ok(left)
    }

    /// An expression without the comma operator.
    pub(super) fn assignment(&mut self) -> Result<Expr> {
        self.nested(Self::assignment_here)
    }

    fn assignment_here(&mut self) -> Result<Expr> {
        let left = self.cast()?;
        let assigns = self.punct().and_then(assign_op);
        if let Some(op) = assigns
            && !matches!(left.kind, ExprKind::Cast(..))
        {
            let below = self.height;
            self.advance()?;
            let right = self.assignment()?;
            let start = left.span;
            let below = below.max(self.height);
            return self.node(ExprKind::Assign(op, Box::new(left), Box::new(right)), start, below);
        }
        let left = self.binary(left, 1)?;
        self.conditional(left)
    }

    /// An expression without assignment, such as an array's size.
    pub(super) fn constant(&mut self) -> Result<Expr> {
        self.nested(|p| {
            let left = p.cast()?;
            let left = p.binary(left, 1)?;
            p.conditional(left)
        })
    }

    /// Parses the rest of a conditional expression: `? a : b`.
    fn conditional(&mut self, cond: Expr) -> Result<Expr> {
        if !self.is(Punct::Question) {
            return Ok(cond);
        }
        let mut below = self.height;
        self.advance()?;
        let yes = self.nested(Self::expression)?;
        below = below.max(self.height);
        self.expect(Punct::Colon, "between the two values of \"?:\"")?;
        let no = self.constant()?;
        below = below.max(self.height);
        let start = cond.span;
        self.node(ExprKind::Cond(Box::new(cond), Box::new(yes), Box::new(no)), start, below)
    }

    /// The rest of a chain of binary operators of at least this precedence, after its left operand.
    fn binary(&mut self, mut left: Expr, min: u8) -> Result<Expr> {
        while let Some((op, level)) = self.punct().and_then(binary_op) {
            if level < min {
                break;
            }
            let below = self.height;
            self.advance()?;
            if op == BinaryOp::Mul
                && self.is(Punct::RightParen)
                && let ExprKind::Ident(name) = &left.kind
            {
                let error = self.unexpected_error("expected an expression");
                return Err(error.with_hint(format!("\"{name}\" is not the name of a type")));
            }
            let mut right = self.cast()?;
            while let Some((_, tighter)) = self.punct().and_then(binary_op) {
                if tighter <= level {
                    break;
                }
                right = self.binary(right, tighter)?;
            }
            let start = left.span;
            let below = below.max(self.height);
            left = self.node(ExprKind::Binary(op, Box::new(left), Box::new(right)), start, below)?;
        }
        Ok(left)
    }

    /// A unary expression or a cast of one.
    fn cast(&mut self) -> Result<Expr> {
        if self.is(Punct::LeftParen) {
            let next = self.peek()?;
            if self.token_begins_type(&next) {
                return self.nested(|p| {
                    let start = p.span;
                    let name = p.parenthesised_type()?;
                    let operand = p.cast()?;
                    let below = p.height;
                    p.node(ExprKind::Cast(Box::new(name), Box::new(operand)), start, below)
                });
            }
        }
        self.unary()
    }

    /// `( type )`
    fn parenthesised_type(&mut self) -> Result<TypeName> {
        let open = self.span;
        self.expect(Punct::LeftParen, "before the type")?;
        let name = self.type_name()?;
        self.expect_close(Punct::RightParen, open)?;
        Ok(name)
    }

    fn unary(&mut self) -> Result<Expr> {
        let start = self.span;
        let op = match self.token {
            Token::Punct(Punct::Minus) => UnaryOp::Neg,
            Token::Punct(Punct::Plus) => UnaryOp::Plus,
            Token::Punct(Punct::Bang) => UnaryOp::Not,
            Token::Punct(Punct::Tilde) => UnaryOp::BitNot,
            Token::Punct(Punct::Star) => UnaryOp::Deref,
            Token::Punct(Punct::Amp) => UnaryOp::AddrOf,
            Token::Punct(step @ (Punct::PlusPlus | Punct::MinusMinus)) => {
                return self.nested(|p| {
                    p.advance()?;
                    let operand = Box::new(p.unary()?);
                    let below = p.height;
                    let up = step == Punct::PlusPlus;
                    p.node(ExprKind::Step { up, prefix: true, operand }, start, below)
                });
            }
            Token::Keyword(Keyword::Sizeof) => {
                self.advance()?;
                if self.is(Punct::LeftParen) {
                    let next = self.peek()?;
                    if self.token_begins_type(&next) {
                        let name = self.parenthesised_type()?;
                        return self.node(ExprKind::SizeofType(Box::new(name)), start, 0);
                    }
                }
                return self.nested(|p| {
                    let operand = p.unary()?;
                    let below = p.height;
                    p.node(ExprKind::SizeofExpr(Box::new(operand)), start, below)
                });
            }
            Token::Keyword(Keyword::Stringof) => {
                return self.nested(|p| {
                    p.advance()?;
                    let operand = p.unary()?;
                    let below = p.height;
                    p.node(ExprKind::Stringof(Box::new(operand)), start, below)
                });
            }
            _ => return self.postfix(),
        };
        self.nested(|p| {
            p.advance()?;
            let operand = p.cast()?;
            let below = p.height;
            p.node(ExprKind::Unary(op, Box::new(operand)), start, below)
        })
    }

    fn postfix(&mut self) -> Result<Expr> {
        let start = self.span;
        let mut base = self.primary()?;
        loop {
            let mut below = self.height;
            let Token::Punct(punct) = self.token else { return Ok(base) };
            let kind = match punct {
                Punct::LeftBracket => {
                    let keys = self.list(Punct::RightBracket)?;
                    below = below.max(self.height);
                    if keys.is_empty() {
                        return self.unexpected("expected an index between the brackets");
                    }
                    ExprKind::Index(Box::new(base), keys)
                }
                Punct::Dot | Punct::Arrow => {
                    self.advance()?;
                    let member = self.ident(true, "a member's name")?;
                    if punct == Punct::Dot {
                        ExprKind::Member(Box::new(base), member)
                    } else {
                        ExprKind::Arrow(Box::new(base), member)
                    }
                }
                Punct::PlusPlus | Punct::MinusMinus => {
                    self.advance()?;
                    ExprKind::Step { up: punct == Punct::PlusPlus, prefix: false, operand: Box::new(base) }
                }
                Punct::LeftParen => {
                    let message = "only a function's name can be called";
                    return Err(Diagnostic::new(Tag::FuncIdent, base.span, message));
                }
                _ => return Ok(base),
            };
            base = self.node(kind, start, below)?;
        }
    }

    /// A bracketed, comma-separated list; the present token is the opening bracket. Leaves the
    /// greatest height of its expressions in `height`.
    fn list(&mut self, close: Punct) -> Result<Vec<Expr>> {
        let open = self.span;
        self.advance()?;
        let mut items = Vec::new();
        let mut height = 0;
        while !self.is(close) {
            if self.token == Token::End {
                return self.unclosed(close, open);
            }
            items.push(self.assignment()?);
            height = height.max(self.height);
            if !self.is(close) {
                if self.token == Token::End {
                    return self.unclosed(close, open);
                }
                self.expect(Punct::Comma, &format!("or \"{}\"", close.text()))?;
                if self.is(close) {
                    return self.unexpected("expected another expression after the comma");
                }
            }
        }
        self.advance()?;
        self.height = height;
        Ok(items)
    }

    fn primary(&mut self) -> Result<Expr> {
        let start = self.span;
        match self.token.clone() {
            Token::Int(lit) => {
                self.advance()?;
                self.node(ExprKind::Int(lit), start, 0)
            }
            Token::NegativeInt(lit) => {
                self.advance()?;
                let operand = self.node(ExprKind::Int(lit), start, 0)?;
                self.node(ExprKind::Unary(UnaryOp::Neg, Box::new(operand)), start, 1)
            }
            Token::Str(bytes) => {
                self.advance()?;
                self.node(ExprKind::Str(bytes), start, 0)
            }
            Token::Agg(name) => {
                self.advance()?;
                let keys = if self.is(Punct::LeftBracket) {
                    let keys = self.list(Punct::RightBracket)?;
                    if keys.is_empty() {
                        return self.unexpected("expected a key between the brackets");
                    }
                    Some(keys)
                } else {
                    self.height = 0;
                    None
                };
                let below = self.height;
                self.node(ExprKind::Agg { name, keys }, start, below)
            }
            Token::Ident(name) => {
                self.advance()?;
                if self.is(Punct::LeftParen) {
                    let args = self.list(Punct::RightParen)?;
                    let below = self.height;
                    let callee = crate::ast::Ident { name, span: start };
                    return self.node(ExprKind::Call(callee, args), start, below);
                }
                self.node(ExprKind::Ident(name), start, 0)
            }
            Token::Keyword(k @ (Keyword::SelfThread | Keyword::This)) => {
                self.advance()?;
                if !self.is(Punct::Arrow) {
                    return self.unexpected(&format!("expected \"->\" after \"{}\"", k.text()));
                }
                self.advance()?;
                let name = self.ident(true, "a variable's name")?;
                let scope = if k == Keyword::This { VarScope::ThisClause } else { VarScope::SelfThread };
                self.node(ExprKind::Scoped(scope, name), start, 0)
            }
            Token::Keyword(Keyword::Offsetof) => {
                self.advance()?;
                let open = self.span;
                self.expect(Punct::LeftParen, "after offsetof")?;
                let name = self.type_name()?;
                self.expect(Punct::Comma, "between the type and its member")?;
                let member = self.ident(true, "a member's name")?;
                self.expect_close(Punct::RightParen, open)?;
                self.node(ExprKind::Offsetof(Box::new(name), member), start, 0)
            }
            Token::Keyword(Keyword::Xlate) => {
                self.advance()?;
                self.expect(Punct::Less, "before the type that xlate gives")?;
                let name = self.type_name()?;
                self.expect(Punct::Greater, "after the type that xlate gives")?;
                let open = self.span;
                self.expect(Punct::LeftParen, "before what xlate takes")?;
                let operand = self.nested(Self::expression)?;
                self.expect_close(Punct::RightParen, open)?;
                let below = self.height;
                self.node(ExprKind::Xlate(Box::new(name), Box::new(operand)), start, below)
            }
            Token::Punct(Punct::LeftParen) => {
                self.advance()?;
                let mut inner = self.nested(Self::expression)?;
                self.expect_close(Punct::RightParen, start)?;
                inner.span = start.to(self.last);
                Ok(inner)
            }
            Token::Punct(Punct::Slash) => {
                let both = self.span.to(self.peek_span().unwrap_or(self.span));
                let error = self.unexpected_error("expected an expression");
                Err(match self.lexer.slice(both).as_str() {
                    "//" => {
                        error.with_hint("comments are /* … */; // is one only with the preprocessor (-C)")
                    }
                    _ => error,
                })
            }
            _ => self.unexpected("expected an expression"),
        }
    }
}
