"""Reads an export with DuckDB and pyarrow, and compares it with sums: readers.py PARQUET ARROW SUMS."""

import json
import pathlib
import sys

import duckdb
import pyarrow
import pyarrow.compute as compute
import pyarrow.ipc
import pyarrow.parquet

parquet, arrow, sums = map(pathlib.Path, sys.argv[1:])
sums = json.loads(sums.read_text())
wrong = []


def same(what, found, wanted):
    if found != wanted:
        wrong.append(f"{what}: {found}, not {wanted}")


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def files(folder, table):
    """The files of a table, by the manifest."""
    manifest = json.loads((folder / "manifest.json").read_text())
    parts = [part for trace in manifest["traces"] for part in trace["parts"] if part["table"] == table]
    return [folder / part["path"] for part in parts]


def read_arrow(path):
    with pyarrow.memory_map(str(path)) as source:
        return pyarrow.ipc.open_file(source).read_all()


def total(table, name):
    column = table.column(name)
    values = [value for value in column.to_pylist() if value is not None]
    return [len(values), str(sum(values))]


# Events by provider and number, as etw stats counts them.
names = [str(path) for path in files(parquet, "events")]
query = "SELECT provider, id, count(*), sum(size) FROM read_parquet($names) GROUP BY ALL"
found = {f"{provider} {id}": [count, str(size)] for provider, id, count, size in duckdb.execute(query, {"names": names}).fetchall()}
same("events by provider and id", found, sums["events"])
for folder, read in ((parquet, pyarrow.parquet.read_table), (arrow, read_arrow)):
    table = pyarrow.concat_tables(read(path) for path in files(folder, "events"))
    same(f"events in {folder.name}", table.num_rows, sum(count for count, _ in sums["events"].values()))
    times = table.column("time").cast("int64").to_pylist()
    same(f"events in {folder.name} are sorted", times, sorted(times))

# Each type of event, with the sum of each field that is a number.
compared = 0
for name, kind in sums["types"].items():
    paths = [str(path) for path in files(parquet, name)]
    columns = list(kind["fields"])
    values = ["count(*)"] + [f"{of}({quoted(column)})" for column in columns for of in ("count", "sum")]
    row = duckdb.execute(f"SELECT {', '.join(values)} FROM read_parquet($names)", {"names": paths}).fetchone()
    same(f"rows of {name}", row[0], kind["rows"])
    for at, column in enumerate(columns):
        count, value = row[1 + 2 * at : 3 + 2 * at]
        same(f"{column} of {name} in DuckDB", [count, str(int(value or 0))], kind["fields"][column])
        compared += 1
    for folder, read in ((parquet, pyarrow.parquet.read_table), (arrow, read_arrow)):
        table = pyarrow.concat_tables(read(path) for path in files(folder, name))
        for column in columns:
            same(f"{column} of {name} in {folder.name}", total(table, column), kind["fields"][column])

print(f"{compared} columns of {len(sums['types'])} tables compared, {len(wrong)} are different")
print("\n".join(wrong[:20]))
sys.exit(1 if wrong else 0)
