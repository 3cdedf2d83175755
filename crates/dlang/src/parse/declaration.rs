//! Declarations: specifiers, declarators, type names, struct, union and enum definitions.

use super::extension::is_function;
use super::words::basic_word;
use super::{MAX_NESTING, Parser};
use crate::ast::{
    Declaration, Declarator, Derive, Ident, Item, Member, Param, Specs, StorageClass, TypeName, TypeSpec,
};
use crate::diag::{Diagnostic, Result};
use crate::lex::{Keyword, Punct, Token};
use crate::tags::Tag;

impl Parser<'_> {
    /// `specs declarator, … ;` at the top level, or a function with its statements.
    pub(super) fn declaration_or_function(&mut self) -> Result<Item> {
        let start = self.span;
        let specs = self.specs()?;
        let mut declarators = Vec::new();
        if !self.is(Punct::Semicolon) {
            loop {
                let declarator = self.declarator()?;
                if declarators.is_empty() && self.is(Punct::LeftBrace) && is_function(&declarator) {
                    return Ok(Item::Function(self.function(start, specs, declarator)?));
                }
                declarators.push(declarator);
                if !self.eat(Punct::Comma)? {
                    break;
                }
            }
        }
        if self.is(Punct::Eq) {
            let error = self.unexpected_error("a declaration cannot give a value");
            return Err(error.with_hint("assign the variable in a BEGIN clause"));
        }
        if let (Token::Ident(_), [.., declarator]) = (&self.token, declarators.as_slice())
            && specs.words.is_empty()
            && specs.named.is_empty()
            && let Some(name) = &declarator.name
        {
            let error = self.unexpected_error("expected \";\" after the declaration");
            return Err(error.with_hint(format!("\"{}\" is not the name of a type", name.name)));
        }
        self.finish_item(Punct::Semicolon, "after the declaration")?;
        if matches!(specs.class, Some((StorageClass::Typedef, _))) {
            for name in declarators.iter().filter_map(|d| d.name.as_ref()) {
                self.types.insert(name.name.clone());
            }
        }
        Ok(Item::Declaration(Declaration { specs, declarators, span: start.to(self.span) }))
    }

    /// Declaration specifiers; at least one.
    pub(super) fn specs(&mut self) -> Result<Specs> {
        self.nested(Self::specs_here)
    }

    fn specs_here(&mut self) -> Result<Specs> {
        let start = self.span;
        let mut specs = Specs {
            class: None,
            extra_class: None,
            userland: false,
            is_const: false,
            words: Vec::new(),
            named: Vec::new(),
            span: start,
        };
        let mut any = false;
        loop {
            let span = self.span;
            match self.token.clone() {
                Token::Keyword(k) => {
                    if let Some(word) = basic_word(k) {
                        specs.words.push((word, span));
                        self.advance()?;
                    } else if let Some(class) = storage_class(k) {
                        match specs.class {
                            None => specs.class = Some((class, span)),
                            Some(_) => specs.extra_class = specs.extra_class.or(Some(span)),
                        }
                        self.advance()?;
                    } else {
                        match k {
                            Keyword::Const => specs.is_const = true,
                            Keyword::Volatile => {}
                            Keyword::Userland => specs.userland = true,
                            Keyword::Struct | Keyword::Union => {
                                specs.named.push(self.aggregate()?);
                                any = true;
                                continue;
                            }
                            Keyword::Enum => {
                                specs.named.push(self.enumeration()?);
                                any = true;
                                continue;
                            }
                            _ => break,
                        }
                        self.advance()?;
                    }
                }
                // A type name counts as one only while no type was given: else it is being declared.
                Token::Ident(name)
                    if specs.words.is_empty() && specs.named.is_empty() && self.types.contains(&name) =>
                {
                    specs.named.push(TypeSpec::Name(Ident { name, span }));
                    self.advance()?;
                }
                _ => break,
            }
            any = true;
        }
        if !any {
            return self.unexpected("expected a type");
        }
        specs.span = start.to(self.last);
        Ok(specs)
    }

    /// `struct tag { members }` and its shorter forms, likewise `union`.
    fn aggregate(&mut self) -> Result<TypeSpec> {
        let start = self.span;
        let is_union = self.is_word(Keyword::Union);
        self.advance()?;
        let tag = self.tag()?;
        let open = self.span;
        let members = if self.is(Punct::LeftBrace) {
            self.defines(if is_union { Keyword::Union } else { Keyword::Struct }, tag.as_ref())?;
            self.advance()?;
            let mut members = Vec::new();
            while !self.is(Punct::RightBrace) {
                if self.token == Token::End {
                    return self.unclosed(Punct::RightBrace, open);
                }
                members.push(self.member()?);
            }
            self.advance()?;
            Some(members)
        } else {
            None
        };
        if tag.is_none() && members.is_none() {
            return self.unexpected("expected a tag or \"{\"");
        }
        Ok(TypeSpec::Aggregate { is_union, tag, members, span: start.to(self.last) })
    }

    fn tag(&mut self) -> Result<Option<Ident>> {
        match self.token {
            Token::Ident(_) => self.ident(false, "a tag").map(Some),
            _ => Ok(None),
        }
    }

    /// A definition of this tag begins: it cannot belong to another module, and at the top level it
    /// must be the first of its kind in this text: the tags of structs, unions and enums are apart. (The checker knows the other texts and the inner scopes.)
    fn defines(&mut self, kind: Keyword, tag: Option<&Ident>) -> Result<()> {
        let Some(tag) = tag else { return Ok(()) };
        if tag.name.contains('`') {
            let error = self.unexpected_error("a type with a scope cannot be defined");
            return Err(error.with_hint(format!("\"{}\" names a type of another module", tag.name)));
        }
        // The specifiers themselves are the first level of nesting.
        if self.nesting <= 1 && !self.tags.insert((kind, tag.name.clone())) {
            let message = format!("{} {} is already defined", kind.text(), tag.name);
            return Err(Diagnostic::new(Tag::DeclTypered, tag.span, message));
        }
        Ok(())
    }

    /// `specs declarator [: width], … ;`
    fn member(&mut self) -> Result<Member> {
        let specs = self.specs()?;
        let mut declarators = Vec::new();
        if !self.is(Punct::Semicolon) {
            loop {
                let declarator = if self.is(Punct::Colon) {
                    Declarator { name: None, derive: Vec::new(), span: specs.span }
                } else {
                    self.declarator()?
                };
                let width = if self.eat(Punct::Colon)? { Some(self.constant()?) } else { None };
                declarators.push((declarator, width));
                if !self.eat(Punct::Comma)? {
                    break;
                }
            }
        }
        self.expect(Punct::Semicolon, "after the member")?;
        Ok(Member { specs, declarators })
    }

    /// `enum tag { name [= value], … }`
    fn enumeration(&mut self) -> Result<TypeSpec> {
        let start = self.span;
        self.advance()?;
        let tag = self.tag()?;
        let open = self.span;
        let items = if self.is(Punct::LeftBrace) {
            self.defines(Keyword::Enum, tag.as_ref())?;
            self.advance()?;
            let mut items = Vec::new();
            loop {
                if self.token == Token::End {
                    return self.unclosed(Punct::RightBrace, open);
                }
                // A comma may follow the last name.
                if self.is(Punct::RightBrace) && !items.is_empty() {
                    break;
                }
                let name = self.ident(false, "an enumerator's name")?;
                let value = if self.eat(Punct::Eq)? { Some(self.constant()?) } else { None };
                items.push((name, value));
                if !self.eat(Punct::Comma)? {
                    break;
                }
            }
            self.expect_close(Punct::RightBrace, open)?;
            Some(items)
        } else {
            None
        };
        if tag.is_none() && items.is_none() {
            return self.unexpected("expected a tag or \"{\"");
        }
        Ok(TypeSpec::Enum { tag, items, span: start.to(self.last) })
    }

    /// A declarator with a name.
    pub(super) fn declarator(&mut self) -> Result<Declarator> {
        let declarator = self.any_declarator(true)?;
        if declarator.name.is_none() {
            return self.unexpected("expected a name");
        }
        Ok(declarator)
    }

    /// `specs abstract-declarator`, as in a cast.
    pub(super) fn type_name(&mut self) -> Result<TypeName> {
        let start = self.span;
        if !self.begins_type() {
            return self.unexpected("expected a type");
        }
        let specs = self.specs()?;
        let declarator = self.any_declarator(false)?;
        if let Some(name) = &declarator.name {
            let message = format!("syntax error near \"{}\": a type name has no place for a name", name.name);
            return Err(Diagnostic::new(Tag::Syntax, name.span, message));
        }
        Ok(TypeName { specs, declarator, span: start.to(self.last) })
    }

    /// A declarator whose name may be missing, as in a parameter. When it must have a name, some
    /// keywords of D alone can be that name, for they are ordinary names in C.
    fn any_declarator(&mut self, named: bool) -> Result<Declarator> {
        self.nested(|p| p.declarator_here(named))
    }

    fn declarator_here(&mut self, named: bool) -> Result<Declarator> {
        let start = self.span;
        let mut pointers = 0usize;
        while self.is(Punct::Star) {
            pointers += 1;
            self.advance()?;
            while self.is_word(Keyword::Const) || self.is_word(Keyword::Volatile) {
                self.advance()?;
            }
        }
        let (mut name, mut derive) = (None, Vec::new());
        match &self.token {
            Token::Ident(_) => name = Some(self.ident(false, "a name")?),
            Token::Keyword(k) if named && is_name_in_c(*k) => name = Some(self.ident(true, "a name")?),
            Token::Punct(Punct::LeftParen) => {
                let next = self.peek()?;
                // Without a name, "(" may also open a parameter list.
                let params = !named && (next == Token::Punct(Punct::RightParen) || self.begins_param(&next));
                if !params {
                    let open = self.span;
                    self.advance()?;
                    let inner = self.any_declarator(named)?;
                    self.expect_close(Punct::RightParen, open)?;
                    name = inner.name;
                    derive = inner.derive;
                }
            }
            _ => {}
        }
        loop {
            let open = self.span;
            if self.is(Punct::LeftBracket) {
                self.advance()?;
                if self.is(Punct::RightBracket) {
                    self.advance()?;
                    derive.push(Derive::Array(None, open.to(self.last)));
                } else if self.begins_param(&self.token.clone()) {
                    let keys = self.params(Punct::RightBracket)?;
                    self.expect_close(Punct::RightBracket, open)?;
                    derive.push(Derive::Assoc(keys, open.to(self.last)));
                } else {
                    let size = self.constant()?;
                    self.expect_close(Punct::RightBracket, open)?;
                    derive.push(Derive::Array(Some(Box::new(size)), open.to(self.last)));
                }
            } else if self.is(Punct::LeftParen) {
                self.advance()?;
                let params = self.params(Punct::RightParen)?;
                self.expect_close(Punct::RightParen, open)?;
                derive.push(Derive::Function(params, open.to(self.last)));
            } else {
                break;
            }
        }
        if derive.len() + pointers > MAX_NESTING as usize {
            let message = "too many levels of pointers, arrays and functions";
            return Err(Diagnostic::new(Tag::Syntax, start.to(self.last), message));
        }
        derive.extend((0..pointers).map(|_| Derive::Pointer));
        // An empty declarator has the position where the specifiers end.
        let span = if self.span == start { self.last } else { start.to(self.last) };
        Ok(Declarator { name, derive, span })
    }

    fn begins_param(&self, token: &Token) -> bool {
        match token {
            Token::Keyword(k) => k.begins_type() || k.is_storage_class(),
            Token::Punct(Punct::Ellipsis) => true,
            other => self.token_begins_type(other),
        }
    }

    /// Parameters up to the closing bracket, which is left as the present token.
    pub(super) fn params(&mut self, close: Punct) -> Result<Vec<Param>> {
        let mut params = Vec::new();
        while !self.is(close) {
            if self.is(Punct::Ellipsis) {
                params.push(Param::Ellipsis(self.span));
                self.advance()?;
            } else {
                let specs = self.specs()?;
                let declarator = self.any_declarator(false)?;
                params.push(Param::Typed(specs, declarator));
            }
            if self.is(close) || self.token == Token::End {
                break;
            }
            self.expect(Punct::Comma, &format!("or \"{}\"", close.text()))?;
            if self.is(close) {
                return self.unexpected("expected another parameter after the comma");
            }
        }
        Ok(params)
    }
}

fn storage_class(keyword: Keyword) -> Option<StorageClass> {
    Some(match keyword {
        Keyword::Auto => StorageClass::Auto,
        Keyword::Extern => StorageClass::Extern,
        Keyword::Register => StorageClass::Register,
        Keyword::Static => StorageClass::Static,
        Keyword::Typedef => StorageClass::Typedef,
        Keyword::SelfThread => StorageClass::SelfThread,
        Keyword::This => StorageClass::ThisClause,
        _ => return None,
    })
}

/// Keywords that C does not have, so that its headers may use them as names.
fn is_name_in_c(keyword: Keyword) -> bool {
    use Keyword::*;
    matches!(
        keyword,
        Counter
            | Import
            | Offsetof
            | Probe
            | Provider
            | SelfThread
            | String
            | Stringof
            | This
            | Translator
            | Userland
            | Xlate
    )
}
