//! The inputs kept for the fuzz target, as they are and changed at random.

#[path = "../../../fuzz/corpora.rs"]
mod corpora;
mod fuzz;

#[test]
fn kept_inputs_leave_nothing_that_acts() {
    for (name, body) in fuzz::TARGETS {
        corpora::check(name, *body, 5000);
    }
}
