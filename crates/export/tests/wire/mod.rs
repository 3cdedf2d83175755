//! A reader of protocol buffers that shares nothing with the writer.

/// Returns the fields of a message: number, and a number or bytes.
pub(crate) fn fields(mut bytes: &[u8]) -> Vec<(u64, u64, Vec<u8>)> {
    fn varint(bytes: &mut &[u8]) -> u64 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let (first, rest) = bytes.split_first().expect("a number is whole");
            *bytes = rest;
            value |= u64::from(first & 0x7f) << shift;
            if first & 0x80 == 0 {
                break;
            }
        }
        value
    }
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let value = varint(&mut bytes);
        if key & 7 == 2 {
            let (message, rest) = bytes.split_at(value as usize);
            bytes = rest;
            found.push((key >> 3, value, message.to_vec()));
        } else {
            found.push((key >> 3, value, Vec::new()));
        }
    }
    found
}

/// Returns all values of the field that a path of field numbers leads to.
pub(crate) fn at(bytes: &[u8], path: &[u64]) -> Vec<(u64, Vec<u8>)> {
    let Some((first, rest)) = path.split_first() else { return Vec::new() };
    let found = fields(bytes).into_iter().filter(|(number, ..)| number == first);
    if rest.is_empty() {
        return found.map(|(_, value, bytes)| (value, bytes)).collect();
    }
    found.flat_map(|(_, _, message)| at(&message, rest)).collect()
}
