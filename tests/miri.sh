#!/bin/sh
# Runs tests of crates with `unsafe` code that calls no system in the interpreter Miri, which finds undefined behaviour:
#   tests/miri.sh
# Needs the nightly compiler with the components miri and rust-src. Tests of mapped files need a system, and are left out.
set -eu
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR="${TRACEWELL_MIRI:-$PWD/target/miri}" MIRIFLAGS="${MIRIFLAGS:--Zmiri-disable-isolation}"
cargo +nightly miri test --locked -p tracewell-types --lib
cargo +nightly miri test --locked -p tracewell-etl --lib -- --skip map:: --skip memory::
