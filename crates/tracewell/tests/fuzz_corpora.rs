//! The inputs kept for the fuzz target, as they are and changed at random.

#[path = "../../../fuzz/corpora.rs"]
mod corpora;
mod fuzz;

#[test]
fn kept_archives_stay_within_the_limits() {
    for (name, body) in fuzz::TARGETS {
        corpora::check(name, *body, 500);
    }
}
