//! Numbers in sentences for people.

/// A number with thousands separated, for people.
#[must_use]
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A number with the word for one or for several.
#[must_use]
pub fn counted(n: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { several })
}

/// A size in bytes for people: `33.6 MB`.
#[must_use]
pub fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["bytes", "kB", "MB", "GB"] {
        if value < 1000.0 {
            return if unit == "bytes" { format!("{bytes} bytes") } else { format!("{value:.1} {unit}") };
        }
        value /= 1000.0;
    }
    format!("{value:.1} TB")
}

/// How much of traces a part covers: `the first 20 % of the trace (1,000 of 5,000 bytes)`.
#[must_use]
pub fn coverage(traces: usize, done: u64, size: u64) -> String {
    let percent = done.min(size).saturating_mul(100) / size.max(1);
    let traces = if traces == 1 { "trace" } else { "traces" };
    let (done, size) = (grouped(done.min(size)), grouped(size));
    format!("the first {percent} % of the {traces} ({done} of {size} bytes)")
}
