//! Compiling the clauses of a text: in the order in which their variables get a type, and once for all probe descriptions of
//! a clause or once for each.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::assigned::{Variable, assigned};
use crate::ast::Clause;
use crate::catalog::{Common, Declaration};
use crate::codegen::Generator;
use crate::compile::{Compiler, ProgramText};
use crate::diag::{Diagnostic, Result};
use crate::program::{Clause as Code, ProbeId};
use crate::sema::ClauseTarget;
use crate::source::Origin;
use crate::tags::Tag;

impl Compiler<'_> {
    /// Compiles clauses and adds their code to the program in the order of the text; returns how many probes they matched.
    ///
    /// A clause may read an array, or a `self->` or `this->` variable, that only a later clause assigns (with the extensions any
    /// variable). It waits until that one has been compiled, so each clause is compiled again at most once for each such
    /// variable.
    pub(crate) fn clauses(&mut self, clauses: &[Clause]) -> Result<usize> {
        let assigned: Vec<FxHashSet<Variable>> = clauses.iter().map(assigned).collect();
        let mut assigns: FxHashMap<&Variable, Vec<usize>> = FxHashMap::default();
        for (at, variable) in
            assigned.iter().enumerate().flat_map(|(at, all)| all.iter().map(move |v| (at, v)))
        {
            assigns.entry(variable).or_default().push(at);
        }
        let mut codes: Vec<Vec<Code>> = Vec::new();
        codes.resize_with(clauses.len(), Vec::new);
        let mut done = vec![false; clauses.len()];
        let mut waiting: FxHashMap<Variable, Vec<(usize, Box<Diagnostic>)>> = FxHashMap::default();
        let mut queue: VecDeque<usize> = (0..clauses.len()).collect();
        let mut matched = 0;
        while let Some(at) = queue.pop_front() {
            match self.clause(&clauses[at]) {
                Ok((code, count)) => {
                    codes[at] = code;
                    done[at] = true;
                    matched += count;
                    let mut ready: Vec<usize> = assigned[at]
                        .iter()
                        .filter_map(|variable| waiting.remove(variable))
                        .flatten()
                        .map(|(at, _)| at)
                        .collect();
                    ready.sort_unstable();
                    queue.extend(ready);
                }
                Err(error) => {
                    // As in the original, a plain global variable exists only after the clause that creates it.
                    let waits = error.tag == Tag::VarUndef || self.checker.rules.dx;
                    let later = error.unassigned.clone().filter(|variable| {
                        waits
                            && assigns
                                .get(variable)
                                .is_some_and(|by| by.iter().any(|&by| by != at && !done[by]))
                    });
                    let Some(variable) = later else { return Err(error) };
                    waiting.entry(variable).or_default().push((at, error));
                }
            }
        }
        // What still waits does so in a circle.
        if let Some((_, error)) = waiting.into_values().flatten().min_by_key(|(at, _)| *at) {
            return Err(error);
        }
        self.checker.program.clauses.extend(codes.into_iter().flatten());
        Ok(matched)
    }

    /// Compiles a clause: its code, and the number of probes that it matched.
    ///
    /// If its probes have arguments of different types, it is compiled once for each of its descriptions.
    fn clause(&mut self, clause: &Clause) -> Result<(Vec<Code>, usize)> {
        let target = self.checker.target_of(clause)?;
        let matched = target.matched;
        let error = match self.code(clause, target) {
            Ok(code) => return Ok((vec![code], matched)),
            Err(error) if error.tag != Tag::ArgsMulti || clause.probes.len() < 2 => return Err(error),
            Err(error) => error,
        };
        let mut codes = Vec::with_capacity(clause.probes.len());
        for spec in &clause.probes {
            let part = Clause { probes: vec![spec.clone()], ..clause.clone() };
            let target = self.checker.target_of(&part)?;
            // With `-Z`, a description may match nothing.
            if target.probes.is_empty() {
                continue;
            }
            let code = self.code(&part, target).map_err(|mut error| {
                error.message.push_str(&format!(" (in the description {})", spec.text));
                error
            })?;
            codes.push(code);
        }
        if codes.is_empty() { Err(error) } else { Ok((codes, matched)) }
    }

    /// Compiles a clause for these probes. One that cannot be compiled leaves no formats behind: it may be compiled again.
    fn code(&mut self, clause: &Clause, target: ClauseTarget) -> Result<Code> {
        let formats = self.checker.program.formats.len();
        let code = self.checked_code(clause, target);
        if code.is_err() {
            self.checker.program.formats.truncate(formats);
        }
        code
    }

    fn checked_code(&mut self, clause: &Clause, target: ClauseTarget) -> Result<Code> {
        self.declarations(clause, &target.probes)?;
        let checked = self.checker.clause(clause, &target)?;
        let checker = &mut self.checker;
        let mut generator =
            Generator::new(&mut checker.program, &mut self.pools, &checker.types, &self.sources);
        generator.classic_registers = self.options.registers;
        let code = generator.clause(&checked)?;
        let description = clause.probes.first().map_or(String::new(), |p| p.text.clone());
        let line = self.sources.locate(clause.span).line;
        Ok(Code {
            probes: target.probes,
            described: target.described,
            description,
            line,
            default_action: clause.body.is_none(),
            uses: std::mem::take(&mut self.checker.current.uses),
            ..code
        })
    }

    /// Declares the types of the arguments of a clause's probes, if the clause uses arguments.
    fn declarations(&mut self, clause: &Clause, probes: &[ProbeId]) -> Result<()> {
        const ARGUMENTS: &[u8] = b"args";
        let text = self.sources.get(clause.span.source).map_or(&[][..], |source| &source.text);
        let text = text.get(clause.span.start as usize..clause.span.end as usize).unwrap_or_default();
        self.checker.current.common_argument = None;
        if !text.windows(ARGUMENTS.len()).any(|word| word == ARGUMENTS) {
            return Ok(());
        }
        self.checker.catalog.find_arguments(probes);
        let common = self.checker.catalog.common(probes);
        self.checker.current.common_argument = common.as_ref().map(|common| common.argument.clone());
        let declarations: Vec<Declaration> = match common {
            Some(Common { name, text, .. }) => vec![Declaration { name, text, optional: false }],
            None => probes.iter().flat_map(|&probe| self.checker.catalog.declarations(probe)).collect(),
        };
        self.declare(declarations)
    }

    /// Compiles declarations that were not compiled yet.
    pub(crate) fn declare(&mut self, declarations: Vec<Declaration>) -> Result<()> {
        for Declaration { name, text, optional } in declarations {
            if self.declared.insert(name.clone()) {
                let (in_library, least) = (self.checker.rules.in_library, self.checker.current.least_stable);
                let library = ProgramText { origin: Origin::Library, ..ProgramText::script(name, text) };
                let compiled = self.text(&library);
                (self.checker.rules.in_library, self.checker.current.least_stable) = (in_library, least);
                if !optional {
                    compiled?;
                }
            }
        }
        Ok(())
    }
}
