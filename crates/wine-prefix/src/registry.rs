//! Which libraries of a prefix are its own, as its registry says (`user.reg`).
//!
//! The file is text: a section for each key, `[NAME] TIME`, with a line for each value, `"NAME"="VALUE"`. All other lines stay
//! as they are.

/// The key, as a section is called.
const KEY: &str = r"Software\\Wine\\DllOverrides";
/// What Wine writes at the start of the file.
const HEADER: &str = "WINE REGISTRY Version 2";

/// A library, and the order in which Wine looks for it.
pub(crate) type Override = (String, Option<String>);

/// The file with these orders in it, and those that were there before. `None` as an order means that there is none.
///
/// # Errors
/// The text is not a registry.
pub(crate) fn with_overrides(text: &str, wanted: &[Override]) -> Result<(String, Vec<Override>), String> {
    if !text.starts_with(HEADER) {
        return Err("it is not a registry of Wine: its first line is another".into());
    }
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let heading = format!("[{KEY}]");
    let is_heading = |line: &&str| {
        line.len() >= heading.len()
            && line.as_bytes()[..heading.len()].eq_ignore_ascii_case(heading.as_bytes())
    };
    let start = lines.iter().position(is_heading);
    let needed = wanted.iter().any(|(_, order)| order.is_some());
    let mut new = String::new();
    let Some(start) = start else {
        let mut former = wanted.to_vec();
        former.iter_mut().for_each(|(_, order)| *order = None);
        if needed {
            new = format!("\n{heading} 0\n");
            add(&mut new, wanted);
        }
        return Ok((text.to_owned() + &new, former));
    };
    let end =
        lines[start..].iter().position(|line| line.trim().is_empty()).map_or(lines.len(), |at| start + at);
    let mut former = Vec::new();
    for (name, _) in wanted {
        let prefix = format!("\"{name}\"=");
        let is_value =
            |line: &&str| line.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(&prefix));
        let line = lines[start..end].iter().position(is_value).map(|at| &mut lines[start + at]);
        let order = line.map(|line| {
            let value = line[prefix.len()..].trim_end().trim_matches('"').to_owned();
            *line = "";
            value
        });
        former.push((name.clone(), order));
    }
    add(&mut new, wanted);
    let kept = |lines: &[&str]| lines.concat();
    let mut section = kept(&lines[start..end]) + &new;
    let rest = kept(&lines[end..]);
    let is_ours = lines[start].ends_with("] 0\n") && section == lines[start];
    let before = kept(&lines[..start]);
    if is_ours {
        // This program has added it, with the empty line before it.
        section.clear();
        let before = before.strip_suffix('\n').unwrap_or(&before).to_owned();
        return Ok((before + &rest, former));
    }
    Ok((before + &section + &rest, former))
}

fn add(out: &mut String, wanted: &[Override]) {
    for (name, order) in wanted {
        if let Some(order) = order {
            *out += &format!("\"{name}\"=\"{order}\"\n");
        }
    }
}

/// Returns `true` if Wine looks for a library in the prefix first.
pub(crate) fn prefers_native(text: &str, name: &str) -> bool {
    let asked = [(name.to_owned(), None)];
    let former = with_overrides(text, &asked).map(|(_, former)| former).unwrap_or_default();
    former.iter().any(|(_, order)| order.as_deref().is_some_and(|order| order.starts_with("native")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "WINE REGISTRY Version 2\n;; a comment\n\n#arch=win64\n\n[Software\\\\Wine] 12\n#time=1\n\"x\"=\"y\"\n";

    fn wanted(orders: [Option<&str>; 2]) -> Vec<Override> {
        ["sechost", "advapi32"]
            .iter()
            .zip(orders)
            .map(|(name, o)| ((*name).to_owned(), o.map(Into::into)))
            .collect()
    }

    #[test]
    fn issue_18_what_is_added_is_removed_exactly() {
        let key = "\n[Software\\\\Wine\\\\DllOverrides] 17\n#time=2\n\"Other\"=\"builtin\"\n";
        for text in [
            TEXT.to_owned(),
            format!("{TEXT}{key}"),
            format!("{TEXT}{key}\n[Software\\\\Wine\\\\Fonts] 3\n\"a\"=dword:1\n"),
            format!(
                "{TEXT}\n[Software\\\\Wine\\\\DllOverrides] 17\n#time=2\n\n[Software\\\\Wine\\\\Fonts] 3\n"
            ),
        ] {
            let (new, former) = with_overrides(&text, &wanted([Some("native,builtin"); 2])).unwrap();
            assert_eq!(former, wanted([None; 2]));
            assert!(prefers_native(&new, "sechost") && prefers_native(&new, "ADVAPI32"), "{new}");
            assert!(!prefers_native(&new, "other") && !prefers_native(&text, "sechost"));
            let (again, orders) = with_overrides(&new, &former).unwrap();
            assert_eq!((again, orders), (text, wanted([Some("native,builtin"); 2])));
        }
    }

    #[test]
    fn issue_18_orders_of_the_user_are_kept() {
        let text = format!("{TEXT}\n[Software\\\\Wine\\\\DllOverrides] 17\n\"ADVAPI32\"=\"builtin\"\n");
        let (new, former) = with_overrides(&text, &wanted([Some("native"), Some("native")])).unwrap();
        assert_eq!(former, wanted([None, Some("builtin")]));
        assert_eq!(new.matches("advapi32").count() + new.matches("ADVAPI32").count(), 1, "{new}");
        let (again, _) = with_overrides(&new, &former).unwrap();
        assert_eq!(again.to_ascii_lowercase(), text.to_ascii_lowercase());
    }

    #[test]
    fn issue_18_another_file_is_refused() {
        assert!(with_overrides("REGEDIT4\n", &wanted([None; 2])).is_err());
        assert!(with_overrides("", &wanted([None; 2])).is_err());
    }
}
