//! What the kernel holds for programs: by the numbers that `/proc/PID/fdinfo` shows.

use std::io;

use crate::sys::{self, Object};

/// Returns `true` if the kernel holds an object with a number, from any process.
///
/// # Errors
///
/// The rights are missing, or the kernel has no such objects.
pub fn exists(object: Object, number: u32) -> io::Result<bool> {
    let Some(before) = number.checked_sub(1) else { return Ok(false) };
    Ok(sys::next_object(object, before)? == Some(number))
}
