//! Clauses: probe descriptions, predicate, statements.

use super::{Naming, Parser};
use crate::ast::{Clause, ExprKind, ProbeSpec, Stmt};
use crate::diag::Result;
use crate::lex::{Keyword, Punct, Token};
use crate::source::Span;

impl Parser<'_> {
    /// Parses a clause; the lexer is before its first description.
    pub(super) fn clause(&mut self) -> Result<Clause> {
        let probes = self.descriptions()?;
        let start = probes.first().map_or(self.span, |p| p.span);
        let after_probes = self.lexer.position();
        self.advance()?;
        let mut predicate = None;
        if self.is(Punct::Slash) {
            let joins = probes.last().is_some_and(|probe| probe.span.end == self.span.start);
            self.lexer.in_predicate = true;
            self.advance()?;
            if self.token == Token::ClosePredicate {
                return self.unexpected("expected an expression as the predicate");
            }
            let condition = self.expression()?;
            if self.token != Token::ClosePredicate {
                let error = self.unexpected_error("expected \"/\" at the end of the predicate");
                // It may have been meant as the name of an event, as other tools write it.
                return Err(match (&condition.kind, probes.as_slice()) {
                    (ExprKind::Ident(name), [probe]) if joins => error.with_hint(format!(
                        "the probe of an event has \"_\" for \"/\": {}_{name}",
                        probe.text
                    )),
                    _ => error,
                });
            }
            predicate = Some(condition);
            self.lexer.in_predicate = false;
            // Without braces, what follows belongs to the top level.
            let after_predicate = self.lexer.position();
            self.advance()?;
            if !self.is(Punct::LeftBrace) {
                return self.bare(after_predicate, probes, predicate, start);
            }
        } else if !self.is(Punct::LeftBrace) {
            if !self.options.bare_descriptions {
                let error =
                    self.unexpected_error("expected a predicate or statements after the probe description");
                // It may have been meant as a declaration.
                let declares = matches!(self.token, Token::Ident(_) | Token::Punct(Punct::Star));
                return Err(match probes.last() {
                    Some(p)
                        if declares
                            && self.lexer.lines_between(p.span, self.span) == 0
                            && !p.text.contains([':', '*'])
                            && !self.lexer.probes_only =>
                    {
                        error.with_hint(format!("\"{}\" is not the name of a type", p.text))
                    }
                    _ => error,
                });
            }
            return self.bare(after_probes, probes, predicate, start);
        }
        let open = self.span;
        self.advance()?;
        let body = self.statements(open)?;
        self.finish_item(Punct::RightBrace, "at the end of the clause")?;
        Ok(Clause { probes, predicate, body: Some(body), span: start.to(self.span) })
    }

    /// A clause without braces; the present token is what follows, perhaps a `;` that ends it.
    fn bare(
        &mut self,
        rewind: usize,
        probes: Vec<ProbeSpec>,
        predicate: Option<crate::ast::Expr>,
        start: Span,
    ) -> Result<Clause> {
        let span = start.to(self.last);
        if !self.is(Punct::Semicolon) {
            self.lexer.rewind(rewind);
        }
        Ok(Clause { probes, predicate, body: None, span })
    }

    /// Comma-separated probe descriptions.
    fn descriptions(&mut self) -> Result<Vec<ProbeSpec>> {
        let mut probes = Vec::new();
        loop {
            let Some((mut text, span)) = self.lexer.probe_description()? else {
                self.advance()?;
                let error = self.unexpected_error("expected a probe description");
                return Err(match self.token {
                    Token::Punct(Punct::LeftBrace) => error.with_hint(
                        "a clause begins with what it is enabled on, such as BEGIN or syscall:::entry, and there is no \";\" before its braces",
                    ),
                    Token::Punct(Punct::LeftParen) => error.with_hint(
                        "statements go in braces after the probe description: BEGIN { … }",
                    ),
                    _ => error,
                });
            };
            self.last = span;
            text.push_str(match self.options.naming {
                Naming::Name | Naming::Id => "",
                Naming::Function => ":",
                Naming::Module => "::",
                Naming::Provider => ":::",
            });
            probes.push(ProbeSpec { text, span });
            let at = self.lexer.position();
            let (token, _) = self.lexer.token()?;
            if token != Token::Punct(Punct::Comma) {
                self.lexer.rewind(at);
                return Ok(probes);
            }
        }
    }

    /// Statements up to a closing brace, which is left as the present token.
    pub(super) fn statements(&mut self, open: Span) -> Result<Vec<Stmt>> {
        let mut list = Vec::new();
        loop {
            if self.is(Punct::RightBrace) {
                return Ok(list);
            }
            if self.token == Token::End {
                return self.unclosed(Punct::RightBrace, open);
            }
            if self.eat(Punct::Semicolon)? {
                continue;
            }
            if self.is_word(Keyword::If) {
                list.push(self.nested(Self::if_statement)?);
                continue;
            }
            if let Some(statement) = self.nested(Self::extended_statement)? {
                list.push(statement);
                continue;
            }
            let statement = self.statement_expression()?;
            let begins = self.begins_value();
            if let (ExprKind::Ident(name), true) = (&statement.kind, begins) {
                let error = self.unexpected_error("expected \";\" after the statement");
                return Err(error.with_hint(format!("a call takes parentheses: {name}(…)")));
            }
            list.push(Stmt::Expr(statement));
            // The last statement needs no semicolon.
            if !self.is(Punct::RightBrace) && !self.eat(Punct::Semicolon)? {
                if self.token == Token::End {
                    return self.unclosed(Punct::RightBrace, open);
                }
                return self.unexpected("expected \";\" after the statement");
            }
        }
    }

    /// The present token begins an operand.
    fn begins_value(&self) -> bool {
        matches!(self.token, Token::Ident(_) | Token::Int(_) | Token::Str(_) | Token::Agg(_))
    }

    /// `if (cond) body [else body]`
    fn if_statement(&mut self) -> Result<Stmt> {
        let start = self.span;
        self.advance()?;
        let open = self.span;
        self.expect(Punct::LeftParen, "before the condition")?;
        let cond = self.expression()?;
        self.expect_close(Punct::RightParen, open)?;
        let then = self.branch()?;
        let otherwise = if self.eat_word(Keyword::Else)? { self.branch()? } else { Vec::new() };
        Ok(Stmt::If { cond, then, otherwise, span: start.to(self.last) })
    }

    /// A statement or a block in braces.
    pub(super) fn branch(&mut self) -> Result<Vec<Stmt>> {
        let open = self.span;
        if self.eat(Punct::LeftBrace)? {
            let list = self.nested(|p| p.statements(open))?;
            self.advance()?;
            return Ok(list);
        }
        if self.is_word(Keyword::If) {
            return Ok(vec![self.nested(Self::if_statement)?]);
        }
        if self.eat(Punct::Semicolon)? {
            return Ok(Vec::new());
        }
        if let Some(statement) = self.nested(Self::extended_statement)? {
            return Ok(vec![statement]);
        }
        let statement = Stmt::Expr(self.statement_expression()?);
        if !self.is(Punct::RightBrace) {
            self.expect(Punct::Semicolon, "after the statement")?;
        }
        Ok(vec![statement])
    }

    /// An expression as a statement, with errors that say what a clause cannot hold.
    fn statement_expression(&mut self) -> Result<crate::ast::Expr> {
        let declares = match self.token {
            Token::Keyword(k) if k.is_storage_class() => {
                !matches!(k, Keyword::SelfThread | Keyword::This)
                    || matches!(self.peek()?, Token::Ident(_) | Token::Keyword(_))
            }
            Token::Keyword(Keyword::Inline) => true,
            _ => self.begins_type(),
        };
        if declares {
            let error = self.unexpected_error("a declaration is not allowed within a clause");
            return Err(error.with_hint(
                "move it to the top level, outside the braces, or assign to this->name; -x dx allows local variables",
            ));
        }
        if self.is(Punct::LeftBrace) {
            let error = self.unexpected_error("a clause has no nested blocks other than those of \"if\"");
            return Err(error);
        }
        self.expression()
    }
}
