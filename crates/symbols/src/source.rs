//! The interface to the symbols of one image.

use std::rc::Rc;

/// A function of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name, readable.
    pub name: Rc<str>,
    /// Start in bytes from the image's base.
    pub start: u32,
}

/// A frame as the source has it: of several at one address all but the last are inlined into the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFrame {
    /// The function's name.
    pub function: Rc<str>,
    /// Whether its code was inlined into the frame that follows.
    pub inlined: bool,
    /// The source file as the compiler named it, and the line in it.
    pub line: Option<(Rc<str>, u32)>,
}

/// The symbols of one image. Addresses are bytes from its base.
pub trait SymbolSource {
    /// The function that holds an address.
    fn function(&self, address: u32) -> Option<Function>;

    /// The frames at an address, innermost first; empty if the symbols contain only what
    /// [`SymbolSource::function`] returns.
    fn frames(&self, address: u32) -> Vec<SourceFrame> {
        let _ = address;
        Vec::new()
    }

    /// The first damage that was met while answering.
    fn damage(&self) -> Option<String> {
        None
    }
}
