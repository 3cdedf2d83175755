#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[allow(unsafe_code, reason = "assembly; it states its conditions")]
mod code;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod layout;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[allow(unsafe_code, reason = "it states its conditions")]
mod sys;
