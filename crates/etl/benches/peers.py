"""Sets the reader beside others in one run: records a second in order of time, and the ratio.

    cargo build --profile dist -p tracewell-etl --example count
    python3 crates/etl/benches/peers.py target/dist/examples/count TRACE...

The Python reader is dissect.etl (an outside tool: `pip install dissect.etl`). A C++ reader takes part where the variable
TRACEWELL_PEER names a program that is called with a trace and a number of rounds and prints the records and the best
round's milliseconds as `N records, best M ms`. Readers that are absent are said to be. All are timed by their best round of a
second's.

Each reads a copy of the trace that has just been written: how a file lies in the system's memory, in single pages or in large
pieces, depends on how it got there, and mapping costs twice as much with single pages.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROUNDS = 40


def ours(count, trace):
    def best(rounds):
        command = [count, "--rounds", str(rounds), trace]
        line = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        records, seconds = line.split()[:2]
        return int(records), float(seconds)

    records, seconds = best(ROUNDS)
    # As many as the Python reader has time for, at least.
    return records, min(seconds, best(min(20_000, max(1, int(1 / max(seconds, 1e-6)))))[1])


def dissect(trace):
    try:
        from dissect.etl import ETL
    except ImportError:
        return None
    # The best of several, too, where one does not take long.
    best, begun = float("inf"), time.perf_counter()
    while time.perf_counter() - begun < 1:
        with open(trace, "rb") as file:
            start = time.perf_counter()
            records = sum(1 for _ in ETL(file))
            best = min(best, time.perf_counter() - start)
    return records, best


def peer(trace):
    program = os.environ.get("TRACEWELL_PEER")
    if not program:
        return None
    ran = subprocess.run([program, trace, str(ROUNDS)], capture_output=True, text=True)
    if ran.returncode != 0:
        return ran.stderr.strip().splitlines()[-1:] or [f"status {ran.returncode}"]
    line = ran.stdout
    records, milliseconds = re.match(r"(\d+) records, best ([\d.]+) ms", line).groups()
    return int(records), float(milliseconds) / 1000


def main():
    count, *traces = sys.argv[1:]
    print(f"{'trace':32} {'reader':10} {'records':>9} {'M/s':>9} {'ratio':>7}")
    room = tempfile.mkdtemp()
    for original in traces:
        trace = shutil.copy(original, room)
        found = {"ours": ours(count, trace), "peer": peer(trace), "dissect": dissect(trace)}
        best = found["ours"][0] / found["ours"][1]
        for name, answer in found.items():
            if answer is None:
                print(f"{os.path.basename(trace):32} {name:10} absent")
                continue
            if isinstance(answer, list):
                print(f"{os.path.basename(trace):32} {name:10} failed: {answer[0]}")
                continue
            records, seconds = answer
            rate = records / seconds
            print(f"{os.path.basename(trace):32} {name:10} {records:9} {rate / 1e6:9.3f} {best / rate:7.1f}")
        os.remove(trace)
    os.rmdir(room)


main()
