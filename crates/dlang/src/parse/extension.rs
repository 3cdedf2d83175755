//! The grammar of `-x dx`: loops, functions, local variables and blocks.

use super::Parser;
use super::words::is_loop_word;
use crate::ast::{Declarator, Derive, Expr, Function, Loop, Pragma, Specs, Stmt};
use crate::diag::Result;
use crate::lex::{Keyword, Punct, Token};
use crate::options;
use crate::pragma::{PragmaKind, interpret};
use crate::source::Span;

/// Returns `true` if the declarator declares a function.
pub(super) fn is_function(declarator: &Declarator) -> bool {
    matches!(declarator.derive.first(), Some(Derive::Function(..)))
}

impl Parser<'_> {
    /// A pragma may allow the extensions from here on.
    pub(super) fn note_extensions(&mut self, pragma: &Pragma) {
        if let Ok(PragmaKind::Option { name, value }) = interpret(pragma)
            && name == options::Opt::Dx.name()
        {
            self.options.dx = value.as_deref().is_none_or(options::is_true);
        }
    }

    /// A function with its statements; the present token is the brace that opens them.
    pub(super) fn function(
        &mut self,
        start: Span,
        specs: Specs,
        mut declarator: Declarator,
    ) -> Result<Function> {
        if !self.options.dx {
            let error = self.unexpected_error("a function of the traced system is only declared");
            return Err(error.with_hint(
                "functions of the program's own are an extension: allow them with -x dx, or \"#pragma D option dx\"",
            ));
        }
        let mut derive = std::mem::take(&mut declarator.derive).into_iter();
        let params = match derive.next() {
            Some(Derive::Function(params, _)) => params,
            _ => Vec::new(),
        };
        declarator.derive = derive.collect();
        let open = self.span;
        self.advance()?;
        let body = self.statements(open)?;
        self.finish_item(Punct::RightBrace, "at the end of the function")?;
        Ok(Function { specs, declarator, params, body, span: start.to(self.span) })
    }

    /// Parses a statement of the extensions, if there is one here.
    pub(super) fn extended_statement(&mut self) -> Result<Option<Stmt>> {
        let start = self.span;
        let keyword = match &self.token {
            Token::Keyword(k) if is_loop_word(*k) => *k,
            _ if !self.options.dx => return Ok(None),
            Token::Punct(Punct::LeftBrace) => {
                self.advance()?;
                let list = self.statements(start)?;
                self.advance()?;
                return Ok(Some(Stmt::Block(list)));
            }
            _ if self.begins_type() => return Ok(Some(self.local()?)),
            _ => return Ok(None),
        };
        if !self.options.dx {
            return self.unexpected("");
        }
        self.advance()?;
        let statement = match keyword {
            Keyword::While => {
                let cond = Some(self.in_parentheses("before the condition")?);
                let body = self.branch()?;
                let span = start.to(self.last);
                Stmt::Loop(Box::new(Loop {
                    init: Vec::new(),
                    cond,
                    step: None,
                    body,
                    test_first: true,
                    span,
                }))
            }
            Keyword::Do => {
                let body = self.branch()?;
                if !self.eat_word(Keyword::While)? {
                    return self.unexpected("expected \"while\" after the statements of \"do\"");
                }
                let cond = Some(self.in_parentheses("before the condition")?);
                self.end_statement()?;
                let span = start.to(self.last);
                Stmt::Loop(Box::new(Loop {
                    init: Vec::new(),
                    cond,
                    step: None,
                    body,
                    test_first: false,
                    span,
                }))
            }
            Keyword::For => self.for_loop(start)?,
            Keyword::Return => {
                let value = match self.token {
                    Token::Punct(Punct::Semicolon | Punct::RightBrace) => None,
                    _ => Some(self.expression()?),
                };
                self.end_statement()?;
                Stmt::Return(value, start.to(self.last))
            }
            other => {
                self.end_statement()?;
                if other == Keyword::Break { Stmt::Break(start) } else { Stmt::Continue(start) }
            }
        };
        Ok(Some(statement))
    }

    /// `for (init; cond; step) body`
    fn for_loop(&mut self, start: Span) -> Result<Stmt> {
        let open = self.span;
        self.expect(Punct::LeftParen, "after \"for\"")?;
        let mut init = Vec::new();
        if self.begins_type() {
            init.push(self.local()?);
        } else {
            if !self.is(Punct::Semicolon) {
                init.push(Stmt::Expr(self.expression()?));
            }
            self.expect(Punct::Semicolon, "after the first part of \"for\"")?;
        }
        let cond = if self.is(Punct::Semicolon) { None } else { Some(self.expression()?) };
        self.expect(Punct::Semicolon, "after the condition of \"for\"")?;
        let step = if self.is(Punct::RightParen) { None } else { Some(self.expression()?) };
        self.expect_close(Punct::RightParen, open)?;
        let body = self.branch()?;
        let span = start.to(self.last);
        Ok(Stmt::Loop(Box::new(Loop { init, cond, step, body, test_first: true, span })))
    }

    /// `type name [= value], … ;`
    fn local(&mut self) -> Result<Stmt> {
        let specs = self.specs()?;
        let mut list = Vec::new();
        loop {
            let declarator = self.declarator()?;
            let value = if self.eat(Punct::Eq)? { Some(self.assignment()?) } else { None };
            list.push((declarator, value));
            if !self.eat(Punct::Comma)? {
                break;
            }
        }
        self.end_statement()?;
        Ok(Stmt::Local(Box::new(specs), list))
    }

    fn in_parentheses(&mut self, context: &str) -> Result<Expr> {
        let open = self.span;
        self.expect(Punct::LeftParen, context)?;
        let e = self.expression()?;
        self.expect_close(Punct::RightParen, open)?;
        Ok(e)
    }

    /// The semicolon after a statement, which the last one before a brace needs not have.
    fn end_statement(&mut self) -> Result<()> {
        if self.is(Punct::RightBrace) {
            return Ok(());
        }
        self.expect(Punct::Semicolon, "after the statement")
    }
}
