//! Finds the probes that programs contain (USDT): `python123:libpython3.11.so:_PyEval_EvalFrameDefault:function-entry`.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tracewell_types::operand::Operand;

use crate::find::{Fault, Finder, Found, Glob, Point, Refusal, StaticPlaces};
use crate::operands::{self, Around};

/// The name of a probe as scripts write it: two underscores mean a hyphen, which names in C cannot have.
fn shown(name: &str) -> String {
    name.replace("__", "-")
}

/// The splits of a provider's name into the name in the program and the number of a process: `python31234` may be `python3` in the
/// process 1234, or `python` in 31234.
pub fn owners(provider: &str) -> impl Iterator<Item = (&str, u32)> {
    let digits = provider.bytes().rev().take_while(u8::is_ascii_digit).count();
    let starts = provider.len() - digits..provider.len();
    starts.filter_map(|start| {
        let (name, number) = provider.split_at(start);
        let pid: u32 = number.parse().ok()?;
        // Numbers of processes have no zeros in front.
        (!name.is_empty() && !number.starts_with('0')).then_some((name, pid))
    })
}

impl Finder {
    /// The names of the providers whose probes the programs and libraries contain. Only headers and notes are read.
    #[must_use]
    pub fn providers(&self) -> BTreeSet<String> {
        let files = self.modules.iter().map(|module| &module.path);
        files.flat_map(|path| tracewell_symbols::static_probes(path)).map(|probe| probe.provider).collect()
    }

    /// Finds the probes of a provider that programs and libraries contain and that the other parts of a description match.
    ///
    /// # Errors
    /// Why there is none, for the user.
    pub fn find_static(
        &mut self,
        glob: Glob,
        provider: &str,
        [module, function, name]: [&str; 3],
    ) -> Result<Vec<Found>, Refusal> {
        let mut found = Vec::new();
        let mut places = 0;
        for index in self.modules_of(glob, module)? {
            let path = self.modules.get(index).map(|module| module.path.clone()).unwrap_or_default();
            if !tracewell_symbols::static_probes(&path).iter().any(|probe| probe.provider == provider) {
                continue;
            }
            let code = self.code(index)?;
            // A probe may be at several places of a function.
            let mut probes: BTreeMap<(String, String), (u64, StaticPlaces)> = BTreeMap::new();
            for probe in code.probes.iter().filter(|probe| probe.provider == provider) {
                let inside = code.function_at(probe.address);
                let of = inside.map_or("", |function| &function.name);
                let symbol = inside.map_or("", |function| &function.symbol);
                let meant = (glob(function, of) || glob(function, symbol))
                    && (glob(name, &probe.name) || glob(name, &shown(&probe.name)));
                if !meant || code.code_offset(probe.address).is_none() {
                    continue;
                }
                places += 1;
                if places > self.limit {
                    continue;
                }
                let symbol = |name: &str| code.symbol(name);
                let around = Around { address: probe.address, symbol: &symbol };
                let operands: Rc<[Operand]> = operands::parse(&probe.arguments, &around).into();
                let start = inside.map_or(probe.address, |function| function.address);
                let key = (of.to_owned(), probe.name.clone());
                let (_, list) = probes.entry(key).or_insert_with(|| (start, Vec::new()));
                list.push((probe.address, probe.semaphore, operands));
            }
            for ((function, name), (start, list)) in probes {
                found.push(self.found_static(index, (function, shown(&name)), start, list));
            }
        }
        match (places > self.limit, found.is_empty()) {
            (true, _) => Err(Fault::Limit.because(format!(
                "the description matches {places} places, and the limit is {}: name fewer probes, or raise it with -x \
                 pidlimit=N",
                self.limit
            ))),
            (_, true) => Err(self.no_static(provider).into()),
            _ => Ok(found),
        }
    }

    fn found_static(
        &mut self,
        module: usize,
        (function, name): (String, String),
        start: u64,
        list: StaticPlaces,
    ) -> Found {
        let number = self.statics.iter().position(|known| *known == list).unwrap_or_else(|| {
            self.statics.push(list.clone());
            self.statics.len() - 1
        });
        let site = self.site(module, start, Point::Static(number as u32));
        let module = self.modules.get(module).map(|module| module.name.clone()).unwrap_or_default();
        // Arguments have the same types at all places of a probe.
        let operands = list.first().map(|(.., operands)| operands.clone());
        Found { module, function, name, site, operands }
    }

    fn no_static(&self, provider: &str) -> String {
        const SHOWN: usize = 12;
        let known = self.providers();
        if known.contains(provider) {
            return format!(
                "the provider {provider} has no such probe (dtrace -l -P '{provider}*' lists them)"
            );
        }
        let more = if known.len() > SHOWN { ", ..." } else { "" };
        let names: Vec<&str> = known.iter().map(String::as_str).take(SHOWN).collect();
        match names.is_empty() {
            true => format!("the process contains no probes, so none of a provider {provider}"),
            false => {
                format!("the process contains no provider {provider}: it has {}{more}", names.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_17_names_of_providers_are_split_before_each_digit_of_their_end() {
        for (name, expected) in [
            ("python1234", &[("python", 1234), ("python1", 234), ("python12", 34), ("python123", 4)][..]),
            ("python", &[]),
            ("123", &[("1", 23), ("12", 3)]),
            ("a10", &[("a", 10)]),
            ("a99999999999", &[("a99", 999_999_999), ("a999", 99_999_999)]),
        ] {
            let found: Vec<_> =
                owners(name).filter(|(_, pid)| name != "a99999999999" || *pid > 9_999_999).collect();
            assert_eq!(found, expected, "{name}");
        }
    }
}
