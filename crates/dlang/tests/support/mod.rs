//! A small fixed catalog: the engine's own probes, timers, and a provider with typed arguments.

#![allow(dead_code, missing_docs, unreachable_pub)]

use tracewell_dlang::catalog::{Catalog, ProbeArg, ProbeDesc, ProbeInfo, glob};
use tracewell_dlang::program::ProbeId;

/// The catalog.
#[derive(Default)]
pub struct TestCatalog {
    probes: Vec<ProbeInfo>,
}

impl TestCatalog {
    pub fn new() -> TestCatalog {
        let mut catalog = TestCatalog::default();
        for name in ["BEGIN", "END", "ERROR"] {
            catalog.add("dtrace", "", "", name, vec![]);
        }
        let arg = |native: &str, translated: Option<&str>, from| ProbeArg {
            native: native.to_owned(),
            translated: translated.map(str::to_owned),
            from,
            offset: 0,
            payload: None,
        };
        let args =
            vec![arg("int", None, 0), arg("struct raw *", Some("info_t *"), 1), arg("string", None, 2)];
        catalog.add("sample", "mod", "disk", "read", args.clone());
        catalog.add("sample", "mod", "disk", "write", args);
        catalog.add("sample", "mod", "net", "send", vec![arg("uint64_t", None, 0)]);
        catalog.add("sample", "mod", "bare", "fire", vec![]);
        catalog
    }

    fn add(
        &mut self,
        provider: &str,
        module: &str,
        function: &str,
        name: &str,
        args: Vec<ProbeArg>,
    ) -> ProbeId {
        let id = ProbeId(self.probes.len() as u32 + 1);
        self.probes.push(ProbeInfo {
            id,
            provider: provider.to_owned(),
            module: module.to_owned(),
            function: function.to_owned(),
            name: name.to_owned(),
            args,
        });
        id
    }
}

fn is_timer(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("tick-").or_else(|| name.strip_prefix("profile-")) else {
        return false;
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = rest.split_at(digits);
    let units =
        ["", "ns", "nsec", "us", "usec", "ms", "msec", "s", "sec", "m", "min", "h", "hour", "d", "day", "hz"];
    let shortest = match unit {
        "ns" | "nsec" => 200_000,
        "us" | "usec" => 200,
        _ => 1,
    };
    number.parse::<u64>().is_ok_and(|n| n >= shortest) && units.contains(&unit.to_ascii_lowercase().as_str())
}

impl Catalog for TestCatalog {
    fn matches(&mut self, desc: &ProbeDesc, out: &mut Vec<ProbeId>) {
        let timer = is_timer(&desc.name)
            && matches!(desc.provider.as_str(), "" | "profile")
            && desc.module.is_empty()
            && desc.function.is_empty();
        if timer && !self.probes.iter().any(|p| p.name == desc.name) {
            let name = desc.name.clone();
            self.add("profile", "", "", &name, vec![]);
        }
        for p in &self.probes {
            if glob(&desc.provider, &p.provider)
                && glob(&desc.module, &p.module)
                && glob(&desc.function, &p.function)
                && glob(&desc.name, &p.name)
            {
                out.push(p.id);
            }
        }
    }

    fn probe(&self, id: ProbeId) -> Option<&ProbeInfo> {
        self.probes.get((id.0 as usize).checked_sub(1)?)
    }

    fn suggest(&self, desc: &ProbeDesc) -> Vec<String> {
        self.probes
            .iter()
            .filter(|p| p.name.eq_ignore_ascii_case(&desc.name))
            .map(|p| format!("{}:{}:{}:{}", p.provider, p.module, p.function, p.name))
            .collect()
    }
}
