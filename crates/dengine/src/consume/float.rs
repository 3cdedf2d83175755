//! Floating numbers as C shows them.

use tracewell_dlang::format::Conv;

/// Reads a number of 4, 8 or 16 bytes (the last in the 80-bit layout); anything else is 0.
pub(crate) fn read(bytes: &[u8]) -> f64 {
    match bytes.len() {
        4 => bytes.first_chunk().map_or(0.0, |b| f64::from(f32::from_le_bytes(*b))),
        8 => bytes.first_chunk().map_or(0.0, |b| f64::from_le_bytes(*b)),
        16 => {
            let mantissa = bytes.first_chunk().map_or(0, |b| u64::from_le_bytes(*b));
            let top = u16::from_le_bytes([bytes[8], bytes[9]]);
            let sign = if top >> 15 == 1 { -1.0 } else { 1.0 };
            match (top & 0x7fff, mantissa) {
                (_, 0) => sign * 0.0,
                (0x7fff, m) if m << 1 == 0 => sign * f64::INFINITY,
                (0x7fff, _) => f64::NAN,
                (e, m) => sign * m as f64 * 2f64.powi(i32::from(e) - 16383 - 63),
            }
        }
        _ => 0.0,
    }
}

/// A number by its conversion and precision, unpadded.
pub(crate) fn show(x: f64, conv: &Conv, precision: Option<usize>) -> String {
    let upper = conv.conv.is_ascii_uppercase();
    let precision = precision.unwrap_or(6).min(1000);
    let magnitude = x.abs();
    let mut body = if x.is_nan() {
        "nan".to_owned()
    } else if x.is_infinite() {
        "inf".to_owned()
    } else {
        match conv.conv.to_ascii_lowercase() {
            b'e' => scientific(magnitude, precision),
            b'g' => general(magnitude, precision, conv.alternate),
            _ => format!("{magnitude:.precision$}"),
        }
    };
    if conv.alternate && x.is_finite() && !body.contains('.') {
        body.insert(body.find('e').unwrap_or(body.len()), '.');
    }
    let sign = match (x.is_sign_negative() && !x.is_nan(), conv.plus, conv.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    };
    let shown = format!("{sign}{body}");
    if upper { shown.to_ascii_uppercase() } else { shown }
}

fn scientific(x: f64, precision: usize) -> String {
    let shown = format!("{x:.precision$e}");
    let (mantissa, exponent) = shown.split_once('e').unwrap_or((&shown, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn general(x: f64, precision: usize, keep: bool) -> String {
    let precision = precision.max(1);
    let exponent: i32 =
        format!("{x:.*e}", precision - 1).split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    let trim = |s: String| -> String {
        if keep || !s.contains('.') {
            return s;
        }
        s.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if exponent < -4 || exponent >= precision as i32 {
        let shown = scientific(x, precision - 1);
        match shown.split_once('e') {
            Some((mantissa, e)) => format!("{}e{e}", trim(mantissa.to_owned())),
            None => shown,
        }
    } else {
        let digits = (precision as i32 - 1 - exponent).max(0) as usize;
        trim(format!("{x:.digits$}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_c_shows_them() {
        for (x, conv, precision, want) in [
            (0.0, b'f', None, "0.000000"),
            (0.0, b'e', None, "0.000000e+00"),
            (0.0, b'E', None, "0.000000E+00"),
            (0.0, b'g', None, "0"),
            (1234.5, b'g', None, "1234.5"),
            (1_234_567.0, b'g', None, "1.23457e+06"),
            (0.00001, b'g', None, "1e-05"),
            (0.0001, b'g', None, "0.0001"),
            (-1.5, b'f', Some(1), "-1.5"),
            (1e100, b'e', Some(2), "1.00e+100"),
            (f64::INFINITY, b'G', None, "INF"),
        ] {
            let conv = Conv { conv, ..Conv::default() };
            assert_eq!(show(x, &conv, precision), want);
        }
        assert_eq!(read(&2.5f32.to_le_bytes()), 2.5);
        let mut long = [0u8; 16];
        long[7] = 0xa0;
        (long[8], long[9]) = (0x00, 0x40);
        assert_eq!(read(&long), 2.5);
    }
}
