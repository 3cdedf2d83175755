//! The parser of `providers.names`: one `GUID name` a line, `#` begins a comment line.

use std::collections::BTreeMap;

/// The providers by GUID text in lower case.
pub(crate) fn parse(text: &str) -> Result<BTreeMap<String, String>, String> {
    let mut providers = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = |message: String| format!("line {}: {message}", index + 1);
        let Some((guid, name)) = line.split_once(' ') else {
            return Err(at("expected `GUID name`".to_owned()));
        };
        if guid.len() != 36 || !guid.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit()) {
            return Err(at(format!("`{guid}` is no GUID")));
        }
        if providers.insert(guid.to_ascii_lowercase(), name.to_owned()).is_some() {
            return Err(at(format!("{guid} is there twice")));
        }
    }
    Ok(providers)
}

#[cfg(test)]
mod tests {
    #[test]
    fn duplicates_are_reported() {
        let guid = "68fdd900-4a3e-11d1-84f4-0000f80464e3";
        let error = super::parse(&format!("# c\n{guid} A\n{guid} B\n")).unwrap_err();
        assert_eq!(error, format!("line 3: {guid} is there twice"));
        assert!(super::parse("nonsense\n").is_err());
    }
}
