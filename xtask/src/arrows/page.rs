//! Reading of the tables in a Markdown page.

/// The rows below the heading of the table between `<!-- name -->` and `<!-- /name -->`: trimmed
/// cells, as many as the heading has.
pub(crate) fn table(page: &str, name: &str) -> Result<Vec<Vec<String>>, String> {
    let (opening, closing) = (format!("<!-- {name} -->"), format!("<!-- /{name} -->"));
    let inside = page
        .split_once(&opening)
        .and_then(|(_, rest)| rest.split_once(&closing))
        .map(|(inside, _)| inside)
        .ok_or_else(|| format!("the page has no table between {opening} and {closing}"))?;
    let mut lines = inside.lines().map(str::trim).filter(|line| !line.is_empty()).map(cells);
    let heading = lines.next().ok_or_else(|| format!("the table {name} is empty"))?;
    let rule = lines.next().unwrap_or_default();
    if rule.len() != heading.len() || !rule.iter().all(|cell| cell.contains("---")) {
        return Err(format!("the table {name} has no line of dashes below its heading"));
    }
    let rows: Vec<Vec<String>> = lines.collect();
    match rows.iter().find(|row| row.len() != heading.len()) {
        Some(row) => Err(format!("the table {name} has a line of {} cells: {}", row.len(), row.join(" | "))),
        None => Ok(rows),
    }
}

fn cells(line: &str) -> Vec<String> {
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    line.split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// The names in a cell, which may be separated by commas or spaces and set in backticks.
pub(crate) fn names(cell: &str) -> Vec<String> {
    cell.split([',', ' ', '`']).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
