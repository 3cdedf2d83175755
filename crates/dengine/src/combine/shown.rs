//! Combined aggregations, shown as a run shows its own.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::{ProbeId, Program};

use super::aggregations::{Aggregations, Combined, has_places, replaced};
use super::places::{Found, Place};
use crate::agg::AggTable;
use crate::engine::{Engine, StartError};
use crate::host::{Host, Names, Output, ProbeNames, SourceFrame, Symbol};
use crate::options::RunOptions;

/// The names of the addresses in keys of combined aggregations.
struct PlaceNames(HashMap<u64, Place>);

impl Names for PlaceNames {
    fn probe(&self, id: ProbeId) -> ProbeNames<'_> {
        let name = match id {
            ProbeId::BEGIN => "BEGIN",
            ProbeId::END => "END",
            _ => "",
        };
        ProbeNames { provider: "dtrace", module: "", function: "", name }
    }

    fn symbol(&self, _: Option<u64>, address: u64) -> Option<Symbol<'_>> {
        match &self.0.get(&address)?.found {
            Found::Address(_) => None,
            Found::Symbol { module, symbol, offset } => Some(Symbol {
                module: Cow::Borrowed(module),
                symbol: symbol.as_deref().map(Cow::Borrowed),
                offset: *offset,
            }),
        }
    }

    fn source(&self, _: Option<u64>, address: u64, _: bool) -> Vec<SourceFrame<'_>> {
        let functions = self.0.get(&address).map_or(&[][..], |place| &place.source);
        functions
            .iter()
            .map(|function| SourceFrame {
                function: Cow::Borrowed(&function.name),
                inlined: function.inlined,
                line: function.line.as_ref().map(|(file, line)| (Cow::Borrowed(file.as_str()), *line)),
            })
            .collect()
    }
}

/// The host of clauses that read nothing of a run.
struct NoHost;

impl Host for NoHost {
    fn builtin(&mut self, _: ProbeId, _: BuiltinVar) -> u64 {
        0
    }
}

impl Aggregations {
    /// Prints them as a run prints its own. `once` is the program of [`once`](super::clauses::once): its clauses on `BEGIN` and
    /// `END` run, and their actions on aggregations have the combined ones. Returns the status that they gave to `exit()`.
    ///
    /// # Errors
    /// The program cannot start.
    pub fn show(
        mut self,
        mut once: Program,
        options: RunOptions,
        out: &mut dyn Output,
    ) -> Result<Option<i32>, StartError> {
        let names = self.with_addresses();
        let mut rest = self.list;
        let mut list = Vec::new();
        for declared in &once.aggs {
            match rest.iter().position(|one| one.aggregation.name == declared.name) {
                Some(at) => list.push(rest.remove(at)),
                // No run has it.
                None => list.extend(Combined::new(declared.clone())),
            }
        }
        list.append(&mut rest);
        let (aggs, tables): (Vec<_>, Vec<AggTable>) =
            list.into_iter().map(|Combined { aggregation, table }| (aggregation, table)).unzip();
        once.aggs = aggs;
        let mut engine = Engine::new(once, options)?;
        engine.fire(ProbeId::BEGIN, 0, &mut NoHost);
        engine.fire(ProbeId::END, 0, &mut NoHost);
        engine.state.aggs = tables;
        engine.finish(&names, out);
        Ok(engine.exit_status())
    }

    /// Puts addresses into keys, in the order of what lies there, so that keys are sorted alike however they were combined.
    fn with_addresses(&mut self) -> PlaceNames {
        let of_place = |place: &Place| match place.found {
            Found::Address(address) => Some(address),
            Found::Symbol { .. } => None,
        };
        let nameless: HashSet<u64> = self.places.iter().filter_map(of_place).collect();
        let mut order: Vec<(&Place, usize)> = self.places.iter().zip(0..).collect();
        order.sort();
        let mut addresses = vec![0; order.len()];
        let mut named = HashMap::new();
        let mut next = 1;
        for (place, number) in order {
            let address = of_place(place).unwrap_or_else(|| {
                while nameless.contains(&next) {
                    next += 1;
                }
                next += 1;
                next - 1
            });
            addresses[number] = address;
            named.insert(address, place.clone());
        }
        for Combined { aggregation, table } in &mut self.list {
            if has_places(&aggregation.keys) {
                let address = |_, _, number: u64| addresses.get(usize::try_from(number).ok()?).copied();
                table.rekey(|key| replaced(&aggregation.keys, key, address).unwrap_or_else(|| key.to_vec()));
            }
        }
        PlaceNames(named)
    }
}
