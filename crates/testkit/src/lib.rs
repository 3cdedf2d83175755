//! Makes the sample trace, and the truth it was made from.
