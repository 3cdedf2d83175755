//! Words of other tracing languages, with what D says instead.

/// A word of bpftrace, SystemTap or C that D lacks, and the words of D for it.
const WORDS: &[(&str, &str)] = &[
    ("comm", "execname"),
    ("curtask", "curthread"),
    ("elapsed", "timestamp - begun, with \"BEGIN { begun = timestamp; }\""),
    ("hist", "quantize()"),
    ("kaddr", "`name, with a back-quote"),
    ("kstack", "stack()"),
    ("kstr", "stringof()"),
    ("ksym", "sym()"),
    ("lhist", "lquantize()"),
    ("nsecs", "timestamp"),
    ("ntop", "inet_ntop() or inet_ntoa()"),
    ("probe", "probename, probefunc, probemod and probeprov"),
    ("reg", "uregs[]"),
    ("retval", "arg1, in a return probe"),
    ("str", "stringof(), or copyinstr() of an address of the process"),
    ("strcmp", "the operators == and < on strings"),
    ("strcontains", "strstr(text, part) != NULL"),
    ("strncmp", "substr() and the operator =="),
    ("time", "printf(\"%Y\", walltimestamp)"),
    ("username", "uid"),
    ("zero", "clear()"),
];

/// What D says instead of a word of another language.
pub(super) fn meant(word: &str) -> Option<&'static str> {
    WORDS.binary_search_by(|(known, _)| (*known).cmp(word)).ok().map(|at| WORDS[at].1)
}

#[cfg(test)]
mod tests {
    use super::{WORDS, meant};
    use crate::sema::words::is_reserved;

    #[test]
    fn the_words_are_sorted_and_are_not_ds_own() {
        assert!(WORDS.is_sorted_by(|a, b| a.0 < b.0), "{WORDS:?}");
        for (word, of_d) in WORDS {
            assert!(!is_reserved(word), "{word} is a word of D");
            assert_eq!(meant(word), Some(*of_d));
        }
        assert_eq!(meant("execname"), None);
    }
}
