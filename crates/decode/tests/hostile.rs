//! Descriptions made of noise: no parser panics, loops or takes more memory than its input deserves.

use tracewell_decode::{Fields, event_info, manifest, tracelogging};

/// A linear congruential generator, so that a failure can be repeated.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    fn bytes(&mut self, most: u32) -> Vec<u8> {
        let length = self.next() % most;
        // Small numbers are likely, as they are in real descriptions.
        (0..length)
            .map(|_| if self.next().is_multiple_of(3) { (self.next() % 26) as u8 } else { self.next() as u8 })
            .collect()
    }
}

#[test]
fn tracelogging_noise() {
    let mut noise = Noise(1);
    let mut parsed = 0;
    for _ in 0..60_000 {
        let blob = noise.bytes(60);
        let Ok(schema) = tracelogging::parse(&blob) else { continue };
        parsed += 1;
        let payload = noise.bytes(80);
        for field in Fields::new(&schema.layout, &payload, 8) {
            let _ = field.value.display(field.field).to_string();
        }
    }
    assert!(parsed > 100, "{parsed}");
}

#[test]
fn event_info_noise() {
    let mut noise = Noise(2);
    let mut parsed = 0;
    for round in 0..60_000u32 {
        let mut block = noise.bytes(400);
        // Mostly believable counts, so that properties are reached.
        if block.len() > 160 && !round.is_multiple_of(4) {
            let all = (noise.next() % 4) as u8;
            block[100..108].copy_from_slice(&[all, 0, 0, 0, all, 0, 0, 0]);
            for byte in block.iter_mut().skip(112).take(96) {
                *byte %= 26;
            }
            for at in [52, 68, 72, 76] {
                block[at..at + 4].fill(0);
            }
        }
        let Ok(description) = event_info::parse(&block) else { continue };
        parsed += 1;
        let payload = noise.bytes(80);
        for field in Fields::new(&description.layout, &payload, 4) {
            let _ = field.value.display(field.field).to_string();
        }
    }
    assert!(parsed > 100, "{parsed}");
}

#[test]
fn manifest_noise() {
    const PARTS: [&str; 22] = [
        "<provider name='p' guid='{0ad614c4-0ef4-4225-8000-0123456789ab}'>",
        "</provider>",
        "<template tid='t'>",
        "</template>",
        "<data name='a' inType='win:UInt16'/>",
        "<data name='b' inType='win:Binary' length='a'/>",
        "<data name='c' inType='win:UnicodeString' length='99999'/>",
        "<struct name='s' count='a'>",
        "</struct>",
        "<event value='1' template='t'/>",
        "<event value='70000'/>",
        "<event value='2' version='300'/>",
        "<valueMap name='m'>",
        "</valueMap>",
        "<map value='1' message='$(string.x)'/>",
        "<string id='x' value='y'/>",
        "<task name='k' value='1'/>",
        "&amp;",
        "<!--",
        "-->",
        "<data name='d' inType='win:UInt32' map='m'/>",
        "\u{0}",
    ];
    let mut noise = Noise(3);
    let mut parsed = 0;
    for round in 0..20_000 {
        let mut text = String::from("<m>");
        text.push_str(if round & 1 == 0 { PARTS[0] } else { "" });
        for _ in 0..noise.next() % 12 {
            text.push_str(PARTS[noise.next() as usize % PARTS.len()]);
        }
        text.push_str(if round & 1 == 0 { "</provider></m>" } else { "</m>" });
        let Ok(found) = manifest::parse(&text) else { continue };
        parsed += 1;
        for event in found.providers.iter().flat_map(|provider| provider.events.iter()) {
            let payload = noise.bytes(40);
            let _ = Fields::new(&event.layout, &payload, 8).finish();
        }
    }
    assert!(parsed > 500, "{parsed}");
    let deep = "<struct name='s'>".repeat(5_000);
    let _ = manifest::parse(&format!("<m>{}<template tid='t'>{deep}", PARTS[0]));
}
