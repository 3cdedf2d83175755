//! The top level: clauses, declarations, inlines, translators, providers.

use super::{Parser, TypeNames};
use crate::ast::{Inline, Item, Param, Provider, ProviderProbe, Translator, TypeName};
use crate::diag::Result;
use crate::lex::{Keyword, Punct, Token};

/// The next item at the top level.
enum Next {
    End,
    Probe,
    Word,
}

impl Parser<'_> {
    pub(super) fn program(
        &mut self,
        receive: &mut dyn FnMut(Item, &mut TypeNames) -> Result<()>,
    ) -> Result<()> {
        loop {
            let next = self.next_item()?;
            self.hand_over_pragmas(receive)?;
            let item = match next {
                Next::End => return Ok(()),
                Next::Probe => Item::Clause(self.clause()?),
                Next::Word => {
                    self.advance()?;
                    match self.token {
                        Token::Keyword(Keyword::Inline) => Item::Inline(self.inline()?),
                        Token::Keyword(Keyword::Translator) => Item::Translator(self.translator()?),
                        Token::Keyword(Keyword::Provider) => Item::Provider(self.provider()?),
                        _ => self.declaration_or_function()?,
                    }
                }
            };
            // Pragmas within an item take effect before it is compiled.
            self.hand_over_pragmas(receive)?;
            receive(item, self.types)?;
        }
    }

    fn hand_over_pragmas(
        &mut self,
        receive: &mut dyn FnMut(Item, &mut TypeNames) -> Result<()>,
    ) -> Result<()> {
        for pragma in std::mem::take(&mut self.lexer.pragmas) {
            self.note_extensions(&pragma);
            receive(Item::Pragma(pragma), self.types)?;
        }
        Ok(())
    }

    fn next_item(&mut self) -> Result<Next> {
        self.lexer.skip_space()?;
        if self.lexer.at_end() {
            return Ok(Next::End);
        }
        if self.lexer.probes_only {
            return Ok(Next::Probe);
        }
        let word = String::from_utf8_lossy(self.lexer.upcoming_word()).into_owned();
        let declares = match Keyword::from_text(&word) {
            Some(Keyword::Inline | Keyword::Translator | Keyword::Provider) => true,
            Some(k) => k.begins_type() || k.is_storage_class(),
            None => self.types.contains(&word),
        };
        if declares && !self.lexer.word_continues_as_probe() {
            return Ok(Next::Word);
        }
        Ok(Next::Probe)
    }

    /// The end of an item: its last token must be this one, and nothing after it is read yet,
    /// because what follows is read as the top level reads.
    pub(super) fn finish_item(&mut self, punct: Punct, context: &str) -> Result<()> {
        if !self.is(punct) {
            return self.unexpected(&format!("expected \"{}\" {context}", punct.text()));
        }
        self.last = self.span;
        Ok(())
    }

    /// `inline specs declarator = expr ;`
    fn inline(&mut self) -> Result<Inline> {
        let start = self.span;
        self.advance()?;
        let specs = self.specs()?;
        let declarator = self.declarator()?;
        self.expect(Punct::Eq, "and the inline's value")?;
        let value = self.assignment()?;
        self.finish_item(Punct::Semicolon, "after the inline's value")?;
        Ok(Inline { specs, declarator, value, span: start.to(self.span) })
    }

    /// `translator type < type name > { member = expr; … } ;`
    fn translator(&mut self) -> Result<Translator> {
        let start = self.span;
        self.advance()?;
        let output = self.type_name()?;
        self.expect(Punct::Less, "before the translator's input")?;
        let input_start = self.span;
        let specs = self.specs()?;
        let mut declarator = self.declarator()?;
        let input_span = input_start.to(self.last);
        let Some(param) = declarator.name.take() else {
            return self.unexpected("expected a name for the translator's input");
        };
        let input = TypeName { specs, declarator, span: input_span };
        self.expect(Punct::Greater, "after the translator's input")?;
        let open = self.span;
        self.expect(Punct::LeftBrace, "before the translator's members")?;
        let mut members = Vec::new();
        while !self.is(Punct::RightBrace) {
            if self.token == Token::End {
                return self.unclosed(Punct::RightBrace, open);
            }
            let name = self.ident(true, "a member's name")?;
            self.expect(Punct::Eq, "and the member's value")?;
            let value = self.assignment()?;
            self.expect(Punct::Semicolon, "after the member's value")?;
            members.push((name, value));
        }
        self.advance()?;
        self.finish_item(Punct::Semicolon, "after a translator")?;
        Ok(Translator { output, input, param, members, span: start.to(self.span) })
    }

    /// `provider name { probe …; } ;`
    fn provider(&mut self) -> Result<Provider> {
        self.advance()?;
        let name = self.ident(false, "the provider's name")?;
        let open = self.span;
        self.expect(Punct::LeftBrace, "before the provider's probes")?;
        let mut probes = Vec::new();
        while !self.is(Punct::RightBrace) {
            if self.token == Token::End {
                return self.unclosed(Punct::RightBrace, open);
            }
            probes.push(self.provider_probe()?);
        }
        self.advance()?;
        self.finish_item(Punct::Semicolon, "after a provider")?;
        Ok(Provider { name, probes })
    }

    /// `probe name [(params)] [: (params)] ;`
    fn provider_probe(&mut self) -> Result<ProviderProbe> {
        let start = self.span;
        if !self.eat_word(Keyword::Probe)? {
            return self.unexpected("expected \"probe\"");
        }
        let name = self.ident(false, "the probe's name")?;
        let native = if self.is(Punct::LeftParen) { self.probe_params()? } else { Vec::new() };
        let translated = if self.eat(Punct::Colon)? { Some(self.probe_params()?) } else { None };
        let span = start.to(self.span);
        self.expect(Punct::Semicolon, "after the probe")?;
        Ok(ProviderProbe { name, native, translated, span })
    }

    fn probe_params(&mut self) -> Result<Vec<Param>> {
        let open = self.span;
        self.expect(Punct::LeftParen, "before the probe's arguments")?;
        let params = self.params(Punct::RightParen)?;
        self.expect_close(Punct::RightParen, open)?;
        Ok(params)
    }
}
