#!/usr/bin/env bash
# Records all that the kernel has while a command runs, and checks the file: every event that the session took is in it or is
# counted as lost, our reader and an independent one find the same number of records, and the memory of the daemon stays level.
#
#   tests/kernel-record.sh SECONDS COMMAND...     as root; the command is repeated until the time is over
#
# ETW names the `etw` to test (target/debug/etw), TRACEWELL_DISSECT a Python with dissect.etl, BUFFERS the number of buffers.
# It is not part of .ci/run: ten minutes of a compile write some gigabytes.
set -euo pipefail
[[ $# -ge 2 ]] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
seconds=$1; shift
here=$(cd "$(dirname "$0")/.." && pwd)
etw=${ETW:-$here/target/debug/etw}
python=${TRACEWELL_DISSECT:-python3}
work=$(mktemp -d)
export TRACEWELL_RUNTIME=$work/run TRACEWELL_OWNER=$$
trap '"$etw" daemon stop >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
flags=PROCESS,THREAD,IMAGE_LOAD,CSWITCH,DPC,INTERRUPT,SYSTEMCALL,DISK_IO,DISK_FILE_IO,DISK_IO_INIT,DISPATCHER
flags+=,MEMORY_PAGE_FAULTS,MEMORY_HARD_FAULTS,VIRTUAL_ALLOC,NETWORK_TCPIP,PROFILE,FILE_IO,FILE_IO_INIT
"$etw" start all --kernel "$flags" --stacks --buffers "${BUFFERS:-512}" -o "$work/all.etl" >/dev/null

# Kilobytes in memory of the processes that hold programs in the kernel: the daemon.
memory() {
  local most=0 pid kb
  for pid in $(pgrep -f "daemon run $TRACEWELL_RUNTIME"); do
    kb=$(awk '/^RssAnon/ { print $2 }' "/proc/$pid/status" 2>/dev/null || true)
    (( ${kb:-0} > most )) && most=$kb
  done
  echo "$most"
}

end=$((SECONDS + seconds)); half=$((SECONDS + seconds / 2)); early=0 late=0
while (( SECONDS < end )); do
  "$@" >/dev/null 2>&1 || { echo "the command failed: $*" >&2; exit 1; }
  now=$(memory)
  if (( SECONDS < half )); then (( now > early )) && early=$now; else (( now > late )) && late=$now; fi
done
"$etw" stop all > "$work/status"
"$etw" daemon stop >/dev/null 2>&1 || true

number() { tr -d , | grep -oE '[0-9]+' | head -1; }
taken=$(grep '^events' "$work/status" | number)
lost=$(grep '^lost' "$work/status" | number || true); lost=${lost:-0}
written=$("$etw" info "$work/all.etl" | grep '^records' | number)
echo "events that the session wrote: $taken, lost: $lost; records in the file: $written"
echo "private memory of the daemon, most in each half: $early KB, $late KB"
bad=0
# The header of the file is a record, too.
(( written == taken + 1 )) || { echo "WRONG: $written records, not $taken and the header"; bad=1; }
in_file=$("$etw" info "$work/all.etl" | grep '^lost' | number || true)
[[ ${in_file:-0} == "$lost" ]] || { echo "WRONG: the file reports ${in_file:-0} lost events"; bad=1; }
(( early == 0 || late * 2 < early * 3 + 20000 )) || { echo "WRONG: the memory of the daemon grows"; bad=1; }
# That reader takes minutes for millions of records.
if (( written > 2000000 )); then
  echo "SKIPPED: $written records are too many for dissect.etl"
elif "$python" -c 'import dissect.etl' 2>/dev/null; then
  other=$("$python" "$here/crates/relog/tests/records.py" "$work/all.etl" | awk '{ print $1 }')
  echo "records that dissect.etl reads: $other"
  [[ $other == "$written" ]] || { echo "WRONG: another reader finds $other records"; bad=1; }
else
  echo "SKIPPED: no Python with dissect.etl (TRACEWELL_DISSECT)"
fi
exit $bad
