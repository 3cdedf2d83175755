#!/usr/bin/env bash
# Measures the answers over a trace of many gigabytes, which is made of a small one and deleted again: the time of each command, the
# most memory that is its alone, and the most that is resident, where pages of the mapped file count, too.
#
#   tests/big-trace.sh TRACE GIGABYTES FOLDER     the folder must have room for the trace and the page
#
# ETW names the `etw` to measure (target/release/etw), REPEAT the program that makes the trace (target/release/examples/repeat, from
# `cargo build --release -p tracewell-relog --example repeat`). It is not part of .ci/run.
set -euo pipefail
[[ $# -eq 3 ]] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
trace=$1 gigabytes=$2
here=$(cd "$(dirname "$0")/.." && pwd)
etw=${ETW:-$here/target/release/etw}
repeat=${REPEAT:-$here/target/release/examples/repeat}
work=$(mktemp -d "$3/big-trace.XXXXXX")
trap 'rm -rf "$work"' EXIT
free=$(df --output=avail -B1000000000 "$work" | tail -1)
(( free > gigabytes + 2 )) || { echo "$3 has only $free GB" >&2; exit 1; }
"$repeat" "$trace" "$work/big.etl" $((gigabytes * 1000))
echo "file: $(stat -c %s "$work/big.etl") bytes"

# A command with its time, and the most memory of both kinds, looked at twenty times a second.
measure() {
  local begun=$EPOCHREALTIME alone=0 resident=0 kind kb
  "$etw" "$@" > "$work/out" 2> "$work/err" &
  local pid=$! status=0
  while [[ -r /proc/$pid/status ]] && kill -0 "$pid" 2>/dev/null; do
    while read -r kind kb _; do
      case $kind in
        RssAnon:) (( kb > alone )) && alone=$kb ;;
        VmHWM:) (( kb > resident )) && resident=$kb ;;
      esac
    done < "/proc/$pid/status" 2>/dev/null || true
    sleep 0.05
  done
  wait "$pid" || status=$?
  (( status == 0 )) || { echo "etw $* ended with $status: $(tail -3 "$work/err")" >&2; exit 1; }
  awk -v a="$begun" -v b="$EPOCHREALTIME" -v c="$alone" -v d="$resident" -v what="etw ${*//$work\//}" \
    'BEGIN { printf "| `%s` | %.1f s | %d MB | %d MB |\n", what, b - a, c / 1000, d / 1000 }'
}

echo "| command | time | private memory | resident |"
echo "|---|---|---|---|"
measure stats "$work/big.etl"
measure report "$work/big.etl"
cp "$work/out" "$work/report"
measure report "$work/big.etl" -o "$work/page.html"
measure top "$work/big.etl" --by process,module,function
measure top "$work/big.etl" --by process --weight cpu
echo "page: $(stat -c %s "$work/page.html") bytes"
grep -A3 'too many for this report' "$work/report" || echo "nothing was left out"
