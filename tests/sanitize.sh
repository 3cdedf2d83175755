#!/bin/sh
# Runs the tests of the session engine and of the Tcl package with the address sanitizer:
#   tests/sanitize.sh [session] [tcl]
# Needs Linux on x86-64 and the stable compiler; the Tcl package also needs tclsh8.6 and the sanitizer's library of GCC
# (`libasan.so`), because the shell itself is not instrumented. What is left out is in docs/TESTING.md.
set -eu
cd "$(dirname "$0")/.."
export RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address CARGO_BUILD_TARGET=x86_64-unknown-linux-gnu
export CARGO_TARGET_DIR="${TRACEWELL_SANITIZED:-$PWD/target/sanitized}"
export RUST_BACKTRACE=0
if [ $# = 0 ]; then set -- session tcl; fi
for part; do
    case $part in
        session)
            ASAN_OPTIONS=detect_leaks=0 cargo test --locked --no-fail-fast -p tracewell-session --lib --bins --tests -- \
                --skip a_writer_in_an_emulator_is_logged_with_the_right_times
            ;;
        tcl)
            shells=$(mktemp -d)
            trap 'rm -rf "$shells"' EXIT
            for shell in tclsh8.6 tclsh9.0; do
                printf '#!/bin/sh\nLD_PRELOAD=%s exec %s "$@"\n' "$(gcc -print-file-name=libasan.so)" "$shell" >"$shells/$shell"
                chmod +x "$shells/$shell"
            done
            export TRACEWELL_TCLSH8="$shells/tclsh8.6"
            if command -v tclsh9.0 >/dev/null; then export TRACEWELL_TCLSH9="$shells/tclsh9.0"; fi
            # The sanitizer keeps freed memory, so the limit of memory cannot hold.
            ASAN_OPTIONS=detect_leaks=0 cargo test --locked -p tracewell-tcl -- --skip memory
            ;;
        *)
            echo "no such part: $part" >&2
            exit 2
            ;;
    esac
done
