//! A Rust program with probes and functions: `program [N]`. `PROBE` is the path of the macro's file.
#[macro_use]
#[path = "PROBE"]
mod probe;

#[derive(Debug)]
pub struct Item {
    pub price: i32,
    pub next: Option<Box<Item>>,
}

pub mod shop {
    use super::Item;

    #[inline(never)]
    pub fn sell(item: &Item, count: i64) -> i64 {
        probe!(rusty, sold, item.price, count, c"ladder".as_ptr());
        std::hint::black_box(i64::from(item.price) * count)
    }

    impl Item {
        #[inline(never)]
        pub fn depth(&self) -> u32 {
            std::hint::black_box(self.next.as_ref().map_or(1, |next| 1 + next.depth()))
        }
    }
}

#[inline(never)]
fn generic<T: Copy + std::fmt::Debug>(value: T) -> T {
    std::hint::black_box(value)
}

fn main() {
    let count = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1);
    let item = Item { price: -7, next: Some(Box::new(Item { price: 8, next: None })) };
    for n in 0..count {
        shop::sell(&item, n);
        probe!(rusty, none);
        item.depth();
        generic(n);
        generic(1u8);
    }
    let _ = std::panic::catch_unwind(|| unwinds(5));
}

#[inline(never)]
fn unwinds(n: u32) {
    if std::hint::black_box(n) > 0 {
        std::panic::resume_unwind(Box::new(n));
    }
}
