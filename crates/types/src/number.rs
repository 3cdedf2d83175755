//! Numbers for people.

/// A number with its thousands separated by commas.
///
/// ```
/// assert_eq!(tracewell_types::number::grouped(1_234_567), "1,234,567");
/// assert_eq!(tracewell_types::number::grouped(999), "999");
/// ```
#[must_use]
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
