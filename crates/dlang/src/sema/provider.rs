//! Provider declarations: they give types to arguments; the probes themselves are the catalog's.

use super::checker::Checker;
use super::symbol::ProviderInfo;
use crate::ast::{Param, Provider};
use crate::diag::{Result, fail};
use crate::header::{DeclaredProbe, DeclaredProvider};
use crate::source::Span;
use crate::tags::Tag;
use crate::types::TypeId;

/// The longest provider name.
const LONGEST_NAME: usize = 63;

impl Checker<'_> {
    /// Takes a provider's declaration.
    pub(crate) fn provider(&mut self, p: &Provider) -> Result<()> {
        let name = &p.name.name;
        let ends_in_digit = name.bytes().last().is_some_and(|b| b.is_ascii_digit());
        if name.len() > LONGEST_NAME || ends_in_digit || name.contains('`') {
            let text = format!(
                "{name} cannot be a provider's name: it is too long, ends in a digit, or has a scope"
            );
            return fail(Tag::ProvBadname, p.name.span, text);
        }
        let mut info = ProviderInfo::default();
        let mut declared = DeclaredProvider { name: name.clone(), probes: Vec::new() };
        for probe in &p.probes {
            let (native, names) = self.probe_params(&probe.native, probe.span)?;
            let mut shown: Vec<usize> = (0..native.len()).collect();
            let translated = match &probe.translated {
                None => native.clone(),
                Some(list) => {
                    let (types, wanted) = self.probe_params(list, probe.span)?;
                    if types.len() > native.len() && native.is_empty() {
                        let text =
                            format!("probe {} translates arguments that it does not have", probe.name.name);
                        return fail(Tag::ProvPrarglen, probe.span, text);
                    }
                    shown.clear();
                    for (at, &ty) in types.iter().enumerate() {
                        let from = match wanted.get(at).and_then(Option::as_ref) {
                            Some(name) => names.iter().position(|n| n.as_ref() == Some(name)).unwrap_or(at),
                            None => at,
                        };
                        let Some(&source) = native.get(from) else {
                            let text = format!(
                                "probe {} has no argument to make argument {at} from",
                                probe.name.name
                            );
                            return fail(Tag::ProvPrarglen, probe.span, text);
                        };
                        shown.push(from);
                        self.can_translate(ty, source, &probe.name.name, probe.span)?;
                    }
                    types
                }
            };
            // In C a string is a pointer to its characters.
            let string = self.types.basic().string;
            let c_name = |ty: &TypeId| match self.types.same(*ty, string) {
                true => "char *".to_owned(),
                false => self.types.name(*ty),
            };
            let types = native.iter().map(c_name).collect();
            declared.probes.push(DeclaredProbe { name: probe.name.name.clone(), types, shown });
            let types = (native, translated);
            if info.probes.insert(probe.name.name.clone(), types).is_some() {
                let text = format!("probe {} of provider {name} is declared twice", probe.name.name);
                return fail(Tag::ProvPrdup, probe.name.span, text);
            }
        }
        if !self.rules.in_library {
            self.declared.push(declared);
        }
        self.providers.insert(name.clone(), info);
        Ok(())
    }

    fn can_translate(&mut self, output: TypeId, input: TypeId, probe: &str, span: Span) -> Result<()> {
        if self.types.same(output, input) || self.types.is_integer(output) && self.types.is_integer(input) {
            return Ok(());
        }
        let record = self.types.pointee(output).unwrap_or(output);
        let known = self
            .translators
            .iter()
            .any(|t| self.types.same(t.output, record) && self.types.same(t.input, input));
        if known {
            return Ok(());
        }
        let text =
            format!("probe {probe}: no translator makes {} from {}", self.quoted(output), self.quoted(input));
        fail(Tag::ProvPrxlator, span, text)
    }

    fn probe_params(&mut self, params: &[Param], span: Span) -> Result<(Vec<TypeId>, Vec<Option<String>>)> {
        let (types, varargs) = self.parameters(params, span)?;
        if varargs {
            return fail(Tag::DeclProtoVarargs, span, "a probe has a fixed list of arguments");
        }
        let names = params
            .iter()
            .map(|p| match p {
                Param::Typed(_, declarator) => declarator.name.as_ref().map(|n| n.name.clone()),
                Param::Ellipsis(_) => None,
            })
            .collect();
        Ok((types, names))
    }
}
