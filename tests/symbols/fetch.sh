#!/bin/sh
# Brings program databases that Microsoft's tools wrote into a folder, from the packages of npm, PyPI and crates.io that
# hold them, for x86, x64 and Arm:
#   tests/symbols/fetch.sh FOLDER
#   TRACEWELL_PDBS=FOLDER cargo test --release -p tracewell-symbols --test differential -- --nocapture
set -eu
folder=${1:?a folder to put the databases in}
mkdir -p "$folder"
cd "$folder"
for package in node-pty@1.1.0 @lydell/node-pty-win32-x64@1.1.0; do
    archive=$(npm pack --silent "$package")
    mkdir -p "${archive%.tgz}"
    tar xzf "$archive" -C "${archive%.tgz}"
    rm "$archive"
done
python3 -m pip download --quiet --no-deps --platform win_amd64 --only-binary=:all: --python-version 311 debugpy==1.8.22
python3 -m zipfile -e debugpy-*.whl debugpy
rm debugpy-*.whl
# The package as its client keeps it, in a local folder.
mkdir -p crates/src
printf '[package]\nname = "fetch"\nversion = "0.0.0"\n[dependencies]\ndump_syms = { version = "=2.3.4", default-features = false }\n[workspace]\n' \
    > crates/Cargo.toml
: > crates/src/lib.rs
CARGO_HOME="$PWD/crates/home" cargo fetch --quiet --manifest-path crates/Cargo.toml
