#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

#[cfg(target_os = "linux")]
mod block;
#[cfg(target_os = "linux")]
mod consumer;
#[cfg(target_os = "linux")]
mod controller;
#[cfg(target_os = "linux")]
mod delivery;
#[cfg(target_os = "linux")]
mod describe;
#[cfg(target_os = "linux")]
mod logfile;
#[cfg(target_os = "linux")]
mod providers;
#[cfg(target_os = "linux")]
mod ready;
#[cfg(target_os = "linux")]
mod registration;
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "the one module that may; it states its conditions")]
mod sys;
#[cfg(target_os = "linux")]
mod world;
