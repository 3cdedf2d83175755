//! Format strings of printf, printa, system and freopen: parsed once, checked by the compiler,
//! interpreted by the engine's consumer.

/// A parsed format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Format {
    /// Its parts in order.
    pub pieces: Vec<Piece>,
}

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text to be written as it is.
    Text(Vec<u8>),
    /// A conversion.
    Conv(Conv),
}

/// A conversion specification.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Conv {
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    /// space
    pub space: bool,
    /// `'`
    pub grouped: bool,
    /// Width.
    pub width: Width,
    /// Precision.
    pub precision: Width,
    /// `@`: takes the next aggregation's value.
    pub agg: bool,
    /// Size letters as written (`hh h l ll L w`).
    pub size: String,
    /// The conversion character.
    pub conv: u8,
}

/// A width or precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Width {
    /// None given.
    #[default]
    None,
    /// A number.
    Fixed(u32),
    /// `*`: the next argument.
    Dynamic,
    /// `?`: the width of a pointer.
    Pointer,
}
