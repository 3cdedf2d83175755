//! The fuzz targets over the kept corpora, and over bytes that random changes make of them.

#[path = "../../../fuzz/corpora.rs"]
mod corpora;
mod fuzz;

#[test]
fn no_target_breaks_on_its_corpus_or_near_it() {
    for (name, body) in fuzz::TARGETS {
        corpora::check(name, body, 1_500);
    }
}
