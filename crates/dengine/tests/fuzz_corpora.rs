//! The inputs kept for the fuzz target, as they are and changed at random.

#[path = "../../../fuzz/corpora.rs"]
mod corpora;
mod targets;

#[test]
fn issue_22_kept_files_of_aggregations_are_read_or_refused() {
    for (name, body) in targets::TARGETS {
        corpora::check(name, *body, 3000);
    }
}
