//! A provider's GUID from its name, as TraceLogging and EventSource make it: SHA-1 of a namespace and of the name in
//! upper case and big-endian UTF-16, marked as version 5.

use tracewell_types::Guid;

const NAMESPACE: [u8; 16] =
    [0x48, 0x2C, 0x2D, 0xB2, 0xC3, 0x90, 0x47, 0xC8, 0x87, 0xF8, 0x1A, 0x15, 0xBF, 0xC1, 0x30, 0xFB];

/// The GUID of a provider's name. Case does not matter, among ASCII letters.
///
/// # Panics
///
/// At compile time, when the name is not ASCII: which letters are one in upper case differs from system to system.
#[must_use]
pub const fn guid_of_name(name: &str) -> Guid {
    assert!(name.is_ascii(), "a provider's name must be ASCII for its GUID to be made of it");
    let mut hash = Sha1::new();
    let mut i = 0;
    while i < 16 {
        hash = hash.push(NAMESPACE[i]);
        i += 1;
    }
    let name = name.as_bytes();
    i = 0;
    while i < name.len() {
        hash = hash.push(0).push(name[i].to_ascii_uppercase());
        i += 1;
    }
    let digest = hash.finish();
    let mut guid = [0; 16];
    i = 0;
    while i < 16 {
        guid[i] = digest[i];
        i += 1;
    }
    guid[7] = guid[7] & 0x0F | 0x50;
    Guid::from_bytes(guid)
}

/// SHA-1 (FIPS 180-4), usable at compile time.
#[derive(Clone, Copy)]
struct Sha1 {
    state: [u32; 5],
    block: [u8; 64],
    length: u64,
}

impl Sha1 {
    const fn new() -> Sha1 {
        let state = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0];
        Sha1 { state, block: [0; 64], length: 0 }
    }

    const fn push(mut self, byte: u8) -> Sha1 {
        self.block[(self.length % 64) as usize] = byte;
        self.length += 1;
        if self.length.is_multiple_of(64) {
            self.state = mix(self.state, &self.block);
        }
        self
    }

    const fn finish(mut self) -> [u8; 20] {
        let bits = (self.length * 8).to_be_bytes();
        self = self.push(0x80);
        while self.length % 64 != 56 {
            self = self.push(0);
        }
        let mut i = 0;
        while i < 8 {
            self = self.push(bits[i]);
            i += 1;
        }
        let mut out = [0; 20];
        i = 0;
        while i < 20 {
            out[i] = self.state[i / 4].to_be_bytes()[i % 4];
            i += 1;
        }
        out
    }
}

const fn mix(state: [u32; 5], block: &[u8; 64]) -> [u32; 5] {
    let mut w = [0_u32; 80];
    let mut i = 0;
    while i < 80 {
        w[i] = if i < 16 {
            u32::from_be_bytes([block[4 * i], block[4 * i + 1], block[4 * i + 2], block[4 * i + 3]])
        } else {
            (w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16]).rotate_left(1)
        };
        i += 1;
    }
    let [mut a, mut b, mut c, mut d, mut e] = state;
    i = 0;
    while i < 80 {
        let (f, k) = match i / 20 {
            0 => (b & c | !b & d, 0x5A82_7999),
            1 => (b ^ c ^ d, 0x6ED9_EBA1),
            2 => (b & c | b & d | c & d, 0x8F1B_BCDC),
            _ => (b ^ c ^ d, 0xCA62_C1D6_u32),
        };
        let next = a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k).wrapping_add(w[i]);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        i += 1;
    }
    [
        state[0].wrapping_add(a),
        state[1].wrapping_add(b),
        state[2].wrapping_add(c),
        state[3].wrapping_add(d),
        state[4].wrapping_add(e),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guids_are_those_that_windows_programs_use() {
        let text = |name| guid_of_name(name).to_string();
        assert_eq!(text("MyCompany.MyComponent"), "ce5fa4ea-ab00-5402-8b76-9f76ac858fb5");
        assert_eq!(text("MYCOMPANY.mycomponent"), "ce5fa4ea-ab00-5402-8b76-9f76ac858fb5");
        const AT_COMPILE_TIME: Guid = guid_of_name("x");
        assert_eq!(AT_COMPILE_TIME, guid_of_name("X"));
    }

    #[test]
    fn sha1_of_a_known_text() {
        let digest = b"abc".iter().fold(Sha1::new(), |hash, byte| hash.push(*byte)).finish();
        assert_eq!(digest[..6], [0xA9, 0x99, 0x3E, 0x36, 0x47, 0x06]);
    }
}
