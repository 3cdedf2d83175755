//! Headers of C that come with the compiler: those of a system are written for its own compilers, and many systems have none.

const HEADERS: &[(&str, &str)] = &[
    ("inttypes.h", include_str!("include/inttypes.h")),
    ("limits.h", include_str!("include/limits.h")),
    ("stddef.h", include_str!("include/stddef.h")),
    ("stdint.h", include_str!("include/stdint.h")),
    ("stdio.h", include_str!("include/stdio.h")),
    ("sys/types.h", include_str!("include/types.h")),
];

/// The header of a name as it is written in `#include`, such as `sys/types.h`.
#[must_use]
pub fn built_in(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
