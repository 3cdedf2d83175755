//! Rust code of the symbol tests, without the core library so that any compiler can make it for Windows.
#![no_core]
#![feature(no_core, lang_items)]
#![crate_name = "ledger"]
#![crate_type = "lib"]
#![allow(internal_features)]

#[lang = "pointee_sized"]
trait PointeeSized {}
#[lang = "meta_sized"]
trait MetaSized: PointeeSized {}
#[lang = "sized"]
trait Sized: MetaSized {}
#[lang = "copy"]
trait Copy {}
impl Copy for i32 {}

pub mod account {
    #[inline(never)]
    pub fn balance(value: i32) -> i32 {
        value
    }
}
