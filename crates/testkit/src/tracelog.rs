//! Two programs that log with TraceLogging: names and types of the fields travel with each event.

use crate::dotnet;
use crate::emit::{Descriptor, Payload};
use crate::machine::Machine;
use crate::manifest;
use crate::world::ThreadIndex;
use tracewell_types::Guid;

/// Name and id of the shop's provider; the id follows from the name by the TraceLogging rule.
pub(crate) const SHOP: (&str, Guid) =
    ("Contoso.ShopApi.Checkout", Guid::parse("27b26c81-6611-5ef8-765c-c767fac33431"));
/// Name and id of the 32-bit invoicer's provider.
pub(crate) const INVOICER: (&str, Guid) =
    ("Contoso.Invoicer", Guid::parse("bccfab9b-ccf9-5c39-8b1f-f6ea7a29224e"));

const EXTENDED_SCHEMA: u16 = 11;
const EXTENDED_TRAITS: u16 = 12;

/// Channel of TraceLogging events.
const CHANNEL: u8 = 11;

/// Input types of fields (TraceLoggingProvider.h).
mod intype {
    pub(super) const UNICODE: u8 = 1;
    pub(super) const ANSI: u8 = 2;
    pub(super) const U8: u8 = 4;
    pub(super) const U16: u8 = 6;
    pub(super) const U32: u8 = 8;
    pub(super) const F64: u8 = 12;
    pub(super) const HEX32: u8 = 20;
    pub(super) const COUNTED_ANSI: u8 = 23;
    pub(super) const STRUCT: u8 = 24;
    /// An output type follows.
    pub(super) const HAS_OUT: u8 = 0x80;
    /// The count is in the payload.
    pub(super) const VARIABLE_COUNT: u8 = 0x40;
    /// The count is in the schema.
    pub(super) const CONSTANT_COUNT: u8 = 0x20;
    /// Output type: the bytes are UTF-8.
    pub(super) const OUT_UTF8: u8 = 35;
}

/// A schema blob under construction.
struct Schema(Vec<u8>);

impl Schema {
    fn new(event: &str) -> Schema {
        // Two bytes for the size, one tag byte.
        let mut blob = vec![0, 0, 0];
        blob.extend_from_slice(event.as_bytes());
        blob.push(0);
        Schema(blob)
    }

    fn field(mut self, name: &str, types: &[u8]) -> Schema {
        self.0.extend_from_slice(name.as_bytes());
        self.0.push(0);
        self.0.extend_from_slice(types);
        self
    }

    fn finish(mut self) -> Vec<u8> {
        let size = (self.0.len() as u16).to_le_bytes();
        self.0[..2].copy_from_slice(&size);
        self.0
    }
}

fn traits(provider: &str) -> Vec<u8> {
    let size = (2 + provider.len() + 1) as u16;
    let mut blob = size.to_le_bytes().to_vec();
    blob.extend_from_slice(provider.as_bytes());
    blob.push(0);
    blob
}

const fn descriptor(level: u8, keyword: u64) -> Descriptor {
    Descriptor { id: 0, version: 0, channel: CHANNEL, level, opcode: 0, task: 0, keyword }
}

impl Machine {
    fn trace_logging(
        &mut self,
        cpu: usize,
        thread: ThreadIndex,
        provider: (&str, Guid),
        descriptor: Descriptor,
        schema: Schema,
        payload: Payload,
    ) {
        let items = vec![(EXTENDED_SCHEMA, schema.finish()), (EXTENDED_TRAITS, traits(provider.0))];
        self.event(cpu, thread, provider.1, descriptor, items, payload);
    }

    pub(crate) fn order_placed(&mut self, cpu: usize, thread: ThreadIndex, order: u32, cents: u32) {
        const CUSTOMERS: [&str; 5] = ["Ada", "Björk", "Chidi", "Dörte", "Eun-ji"];
        let customer = CUSTOMERS[order as usize % CUSTOMERS.len()];
        let articles: Vec<u32> = (0..1 + order % 4).map(|n| 100 + (order * 7 + n * 13) % 900).collect();
        let schema = Schema::new("OrderPlaced")
            .field("orderId", &[intype::U32])
            .field("amountCents", &[intype::U32])
            .field("customer", &[intype::UNICODE])
            .field("currency", &[intype::ANSI])
            .field("articles", &[intype::U32 | intype::VARIABLE_COUNT])
            .field("shipping", &[intype::STRUCT | intype::HAS_OUT, 2])
            .field("carrier", &[intype::COUNTED_ANSI | intype::HAS_OUT, intype::OUT_UTF8])
            .field("days", &[intype::U8])
            .field("discount", &[intype::F64]);
        let carrier = "Zugvögel";
        let mut payload =
            Payload::new().u32(order).u32(cents).utf16(customer).ansi("EUR").u16(articles.len() as u16);
        for article in &articles {
            payload = payload.u32(*article);
        }
        let payload = payload
            .u16(carrier.len() as u16)
            .bytes(carrier.as_bytes())
            .u8((order % 5) as u8)
            .bytes(&0.25_f64.to_le_bytes());
        self.tally.tracelogging_string("OrderPlaced", "customer", customer);
        self.tally.tracelogging("OrderPlaced", "amountCents", u64::from(cents));
        self.tally.tracelogging("OrderPlaced", "shipping.days", u64::from(order % 5));
        for article in articles {
            self.tally.tracelogging("OrderPlaced", "articles", u64::from(article));
        }
        self.trace_logging(cpu, thread, SHOP, descriptor(4, 0x1), schema, payload);
    }

    pub(crate) fn order_failed(&mut self, cpu: usize, thread: ThreadIndex, order: u32) {
        let schema =
            Schema::new("OrderFailed").field("orderId", &[intype::U32]).field("reason", &[intype::UNICODE]);
        let reason = if order.is_multiple_of(2) { "declined" } else { "out of stock" };
        self.tally.tracelogging("OrderFailed", "orderId", u64::from(order));
        self.tally.tracelogging_string("OrderFailed", "reason", reason);
        let payload = Payload::new().u32(order).utf16(reason);
        self.trace_logging(cpu, thread, SHOP, descriptor(2, 0x2), schema, payload);
    }

    pub(crate) fn invoice_printed(&mut self, cpu: usize, thread: ThreadIndex, invoice: u32, pages: u16) {
        let schema = Schema::new("InvoicePrinted")
            .field("invoice", &[intype::U32])
            .field("pages", &[intype::U16])
            .field("printer", &[intype::UNICODE])
            // A pointer of a 32-bit program is recorded as a hexadecimal 32-bit number.
            .field("job", &[intype::HEX32])
            .field("margins", &[intype::U16 | intype::CONSTANT_COUNT, 4, 0]);
        let payload =
            Payload::new().u32(invoice).u16(pages).utf16("LPT1").u32(0x00D4_1180 + invoice % 64 * 0x20);
        let payload = payload.u16(20).u16(20).u16(25).u16(25);
        self.tally.tracelogging("InvoicePrinted", "invoice", u64::from(invoice));
        self.tally.tracelogging("InvoicePrinted", "pages", u64::from(pages));
        self.trace_logging(cpu, thread, INVOICER, descriptor(5, 0x1), schema, payload);
    }
}

/// Names of the providers of the trace, for the truth.
pub(crate) fn provider_names() -> [(&'static str, Guid); 8] {
    [
        ("Microsoft-Windows-DotNETRuntime", dotnet::CLR),
        ("Microsoft-Windows-DNS-Client", dotnet::DNS_CLIENT),
        ("Microsoft-Windows-Win32k", manifest::WIN32K),
        ("Microsoft-Windows-DxgKrnl", manifest::DXGKRNL),
        ("Microsoft-Windows-NDIS-PacketCapture", manifest::CAPTURE),
        ("Microsoft-Windows-PowerShell", manifest::POWERSHELL),
        SHOP,
        INVOICER,
    ]
}
