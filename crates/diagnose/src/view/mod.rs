//! An interactive table of a trace, without a terminal: keys go in, a picture as data comes out.

mod facts;
mod model;

pub use facts::{Asked, Facts, OfActivity, Strip};
pub use model::{Key, Model, Picture, PictureRow};
