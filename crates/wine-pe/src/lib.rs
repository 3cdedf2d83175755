#![doc = include_str!("../README.md")]
#![cfg_attr(windows, no_std)]
#![deny(unsafe_code)]

pub mod call;
pub mod codes;
#[cfg(windows)]
#[allow(unsafe_code, reason = "the one module that may; it states its conditions")]
mod sys;
#[cfg(any(windows, test))]
#[cfg_attr(not(windows), allow(dead_code, reason = "its user is for Windows only"))]
mod table;
