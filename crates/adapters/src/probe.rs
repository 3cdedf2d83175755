//! Probes in Rust programs of Linux on x86-64 (USDT): an instruction that does nothing, and a note that describes it.

/// A value that a probe passes: a word of the machine.
pub trait Word {
    /// The value; numbers are extended with their sign.
    fn word(self) -> u64;
}

macro_rules! words {
    ($($type:ty)+) => {
        $(impl Word for $type {
            #[inline]
            fn word(self) -> u64 {
                self as u64
            }
        })+
    };
}

words! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize bool char }

impl<T> Word for *const T {
    #[inline]
    fn word(self) -> u64 {
        self as usize as u64
    }
}

impl<T> Word for *mut T {
    #[inline]
    fn word(self) -> u64 {
        self as usize as u64
    }
}

/// A probe of a provider: `probe!(shop, sold, price, name.as_ptr())`, which `dtrace` shows as `shop:::sold` of the process.
///
/// Up to six arguments are integers, `bool`, `char` or pointers. While it is not watched, the cost is that of one instruction that
/// does nothing, and of the arguments. On other systems only the arguments remain. Two underscores in a name are a hyphen in D.
#[macro_export]
macro_rules! probe {
    ($provider:ident, $name:ident $(,)?) => {
        $crate::probe!(@site $provider, $name, "",)
    };
    ($provider:ident, $name:ident, $a:expr $(,)?) => {
        $crate::probe!(@site $provider, $name, "-8@{a}", a = $a)
    };
    ($provider:ident, $name:ident, $a:expr, $b:expr $(,)?) => {
        $crate::probe!(@site $provider, $name, "-8@{a} -8@{b}", a = $a, b = $b)
    };
    ($provider:ident, $name:ident, $a:expr, $b:expr, $c:expr $(,)?) => {
        $crate::probe!(@site $provider, $name, "-8@{a} -8@{b} -8@{c}", a = $a, b = $b, c = $c)
    };
    ($provider:ident, $name:ident, $a:expr, $b:expr, $c:expr, $d:expr $(,)?) => {
        $crate::probe!(@site $provider, $name, "-8@{a} -8@{b} -8@{c} -8@{d}", a = $a, b = $b, c = $c, d = $d)
    };
    ($provider:ident, $name:ident, $a:expr, $b:expr, $c:expr, $d:expr, $e:expr $(,)?) => {
        $crate::probe!(
            @site $provider, $name, "-8@{a} -8@{b} -8@{c} -8@{d} -8@{e}",
            a = $a, b = $b, c = $c, d = $d, e = $e
        )
    };
    ($provider:ident, $name:ident, $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr $(,)?) => {
        $crate::probe!(
            @site $provider, $name, "-8@{a} -8@{b} -8@{c} -8@{d} -8@{e} -8@{f}",
            a = $a, b = $b, c = $c, d = $d, e = $e, f = $f
        )
    };
    (@site $provider:ident, $name:ident, $text:literal, $($operand:ident = $value:expr),*) => {{
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        // SAFETY: the instruction does nothing; all else is written to a section of notes.
        unsafe {
            ::core::arch::asm!(
                "990: nop",
                ".pushsection .note.stapsdt, \"?\", \"note\"",
                ".balign 4",
                ".4byte 992f - 991f, 994f - 993f, 3",
                "991: .asciz \"stapsdt\"",
                "992: .balign 4",
                "993: .8byte 990b, _.stapsdt.base, 0",
                concat!(".asciz \"", stringify!($provider), "\""),
                concat!(".asciz \"", stringify!($name), "\""),
                concat!(".asciz \"", $text, "\""),
                "994: .balign 4",
                ".popsection",
                ".ifndef _.stapsdt.base",
                ".pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat",
                ".weak _.stapsdt.base",
                ".hidden _.stapsdt.base",
                "_.stapsdt.base: .space 1",
                ".size _.stapsdt.base, 1",
                ".popsection",
                ".endif",
                $($operand = in(reg) $crate::probe::Word::word($value),)*
                options(att_syntax, nostack, preserves_flags, readonly)
            );
        }
        #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
        {
            $(let _ = $crate::probe::Word::word($value);)*
        }
    }};
}
