//! A program to try things with: a shop that sells for some seconds (10, or those of the first argument) and logs each order.
//!
//! ```sh
//! cargo run --release -p tracewell-session --example shop &
//! dtrace -n 'shop:::Order { @[args->item] = quantize(args->price); }'
//! ```

use std::time::{Duration, Instant};

use tracewell_session::{event, provider};

provider!(static SHOP = "Shop");

const GOODS: [(&str, u32); 4] = [("ladder", 4_990), ("lamp", 1_950), ("rope", 890), ("paint", 2_490)];

fn main() {
    let seconds = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(10);
    SHOP.register();
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut number = 0_u32;
    while Instant::now() < end {
        number += 1;
        let (item, price) = GOODS[(number.wrapping_mul(2_654_435_761) >> 30) as usize];
        let pieces = 1 + number % 3;
        let _ = event!(SHOP, "Order", level: 4, keyword: 1, {
            number: u32 = number,
            item: str = item,
            price: u32 = price * pieces
        });
        if number.is_multiple_of(50) {
            let _ = event!(SHOP, "OutOfStock", level: 2, keyword: 2, { item: str = item });
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    SHOP.unregister();
}
