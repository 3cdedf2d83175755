//! Queries over traces have the counts of `etw stats`, whatever the number of partitions.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::execution::context::SessionContext;
use tracewell::views::counts::Counts;
use tracewell_arrow::{Scan, Source, derived};
use tracewell_decode::Schemas;

fn sample() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../testdata/sample.etl"].iter().collect()
}

fn traces() -> Vec<PathBuf> {
    let mut all = vec![sample()];
    match tracewell_corpus::folder() {
        Some(folder) => all.extend(tracewell_corpus::traces(&folder)),
        None => tracewell_corpus::skip("real-traces", "there is no folder of real traces"),
    }
    all
}

fn open(paths: &[PathBuf]) -> Vec<Arc<Source>> {
    let all = paths.iter().flat_map(|path| Source::open(path));
    all.map(|source| Arc::new(source.expect("it is a trace"))).collect()
}

fn run(context: &SessionContext, query: &str) -> Vec<Vec<String>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("threads");
    let batches: Vec<RecordBatch> = runtime
        .block_on(async { context.sql(query).await?.collect().await })
        .unwrap_or_else(|error| panic!("{query}: {error}"));
    let row = |batch: &RecordBatch, row: usize| {
        let cell = |column: &Arc<dyn Array>| array_value_to_string(column, row).expect("a value");
        batch.columns().iter().map(cell).collect()
    };
    batches
        .iter()
        .flat_map(|batch| (0..batch.num_rows()).map(|at| row(batch, at)).collect::<Vec<_>>())
        .collect()
}

/// Events and bytes by provider and number, by `etw stats`.
fn counted(sources: &[Arc<Source>]) -> BTreeMap<(String, String), (u64, u64)> {
    let mut sums: BTreeMap<(String, String), (u64, u64)> = BTreeMap::new();
    for source in sources {
        let trace = source.plain().expect("it is a trace");
        for row in Counts::of(&trace, Schemas::new(), |_| ()).rows {
            let number = row.key.number().unwrap_or(0).to_string();
            let sum = sums.entry((row.called.provider.clone(), number)).or_default();
            *sum = (sum.0 + row.tally.events, sum.1 + row.tally.bytes);
        }
    }
    sums
}

const BY_ID: &str =
    "SELECT provider, id, count(*), sum(size) FROM events GROUP BY provider, id ORDER BY 1, 2";

fn by_id(context: &SessionContext) -> BTreeMap<(String, String), (u64, u64)> {
    let rows = run(context, BY_ID).into_iter();
    let number = |text: &String| text.parse().expect("a number");
    rows.map(|row| ((row[0].clone(), row[1].clone()), (number(&row[2]), number(&row[3])))).collect()
}

#[test]
fn issue_22_sql_counts_as_stats_does_over_any_number_of_partitions() {
    let all = traces();
    let alone = all.iter().map(|path| vec![path.clone()]);
    for paths in alone.chain([all.clone()]) {
        let sources = open(&paths);
        let wanted = counted(&sources);
        let records: u64 = wanted.values().map(|(events, _)| events).sum();
        for partitions in [1, 2, 3, 7] {
            let context = tracewell_sql::context(sources.clone(), partitions).expect("a context");
            assert_eq!(by_id(&context), wanted, "{paths:?} in {partitions}");
            let count = run(&context, "SELECT count(*) FROM events");
            assert_eq!(count, [[records.to_string()]], "{paths:?} in {partitions}");
        }
    }
}

#[test]
fn issue_22_typed_tables_and_the_state_are_the_same_over_any_number_of_partitions() {
    let sources = open(&[sample(), sample()]);
    let kinds = sources[0].kinds().expect("it is a trace");
    let mut answers: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for partitions in [1, 2, 3, 7] {
        let context = tracewell_sql::context(sources.clone(), partitions).expect("a context");
        for (name, kind) in kinds.iter() {
            let count = run(&context, &format!("SELECT count(*) FROM \"{name}\""));
            assert_eq!(count, [[(2 * kind.events).to_string()]], "{name} in {partitions}");
        }
        for query in [
            "SELECT process, pid, count(*) FROM events GROUP BY ALL ORDER BY 1, 2",
            "SELECT process, sum(\"TransferSize\"), min(\"DiskNumber\") FROM \"Windows Kernel/DiskIo/Read\" GROUP BY ALL ORDER BY 1",
            "SELECT \"TransferSize\", time, \"DiskNumber\", cpu FROM \"Windows Kernel/DiskIo/Read\" ORDER BY time, 1, 4",
        ] {
            let found = run(&context, query);
            assert!(!found.is_empty());
            assert_eq!(
                answers.entry(query.to_owned()).or_insert_with(|| found.clone()),
                &found,
                "{query} in {partitions}"
            );
        }
    }
}

/// Each condition selects the same rows in the scan as after it, where the plan says that it is in the scan.
#[test]
fn issue_22_filters_in_a_scan_select_what_they_say() {
    let sources = open(&[sample()]);
    let context = tracewell_sql::context(sources, 3).expect("a context");
    let cell = |query: &str| run(&context, query)[0][0].clone();
    let half = cell("SELECT time FROM events ORDER BY time LIMIT 1 OFFSET 500");
    let guid =
        cell("SELECT guid FROM events WHERE guid IS NOT NULL GROUP BY guid ORDER BY count(*), guid LIMIT 1");
    let time = format!("TIMESTAMP '{half}'");
    // A condition, and whether the scan has it. A calculation with the column hides what it is from the scan.
    for (condition, hidden, is_in_scan) in [
        (format!("time >= {time}"), format!("time + INTERVAL '0 seconds' >= {time}"), true),
        (format!("time < {time}"), format!("time + INTERVAL '0 seconds' < {time}"), true),
        (format!("time > {time}"), format!("time + INTERVAL '0 seconds' > {time}"), true),
        (format!("{time} >= time"), format!("time + INTERVAL '0 seconds' <= {time}"), true),
        ("provider = 'Windows Kernel'".to_owned(), "provider || '' = 'Windows Kernel'".to_owned(), true),
        (format!("guid = '{guid}'"), format!("guid || '' = '{guid}'"), true),
        (
            format!("guid = '{}'", guid.to_uppercase()),
            format!("guid || '' = '{}'", guid.to_uppercase()),
            false,
        ),
        ("id IN (10, 36)".to_owned(), "id + 0 IN (10, 36)".to_owned(), true),
        ("id IN (10, 11, 12, 13, 36)".to_owned(), "id + 0 IN (10, 11, 12, 13, 36)".to_owned(), true),
        ("id = 10 OR id = 36".to_owned(), "id + 0 = 10 OR id + 0 = 36".to_owned(), true),
        (
            "id = 10 AND provider = 'Windows Kernel'".to_owned(),
            "id + 0 = 10 AND provider || '' = 'Windows Kernel'".to_owned(),
            true,
        ),
        ("id = 10 AND id = 36".to_owned(), "id + 0 = 10 AND id + 0 = 36".to_owned(), true),
        ("id NOT IN (10, 36)".to_owned(), "id + 0 NOT IN (10, 36)".to_owned(), false),
        ("provider = ''".to_owned(), "provider || '' = ''".to_owned(), false),
        ("event = 'DiskIo/Read'".to_owned(), "event || '' = 'DiskIo/Read'".to_owned(), true),
        ("header_pid = 4".to_owned(), "header_pid + 0 = 4".to_owned(), true),
        ("pid = 4".to_owned(), "pid + 0 = 4".to_owned(), true),
        ("cpu = 1".to_owned(), "cpu + 0 = 1".to_owned(), false),
    ] {
        let count = |condition: &str| cell(&format!("SELECT count(*) FROM events WHERE {condition}"));
        assert_eq!(count(&condition), count(&hidden), "{condition}");
        let plan = run(&context, &format!("EXPLAIN SELECT size FROM events WHERE {condition}"));
        let plan = plan.concat().concat();
        // What can never be has no scan at all.
        let is_found = plan.contains("filter=[") || plan.contains("EmptyExec");
        assert_eq!(is_found, is_in_scan, "{condition}: {plan}");
        assert_eq!(plan.contains("FilterExec"), !is_in_scan, "{condition}: {plan}");
    }
    let all: u64 = cell("SELECT count(*) FROM events").parse().expect("a number");
    let part: u64 =
        cell(&format!("SELECT count(*) FROM events WHERE time < {time}")).parse().expect("a number");
    assert!(part > 0 && part < all);
}

#[test]
fn issue_22_a_plan_says_what_is_read() {
    let sources = open(&[sample(), sample()]);
    let context = tracewell_sql::context(sources, 3).expect("a context");
    let plan = |query: &str| run(&context, &format!("EXPLAIN {query}")).concat().concat();
    let found = plan("SELECT id, provider FROM events WHERE provider = 'Windows Kernel' LIMIT 5");
    for part in [
        "TraceScan: table=events, columns=[",
        "filter=[provider in (Windows Kernel)]",
        "limit=5",
        "files=2, partitions=3",
    ] {
        assert!(found.contains(part), "{found}");
    }
    assert!(!found.contains("payload"), "{found}");
    // Columns of the state are those of whole traces.
    assert!(plan("SELECT pid FROM events").contains("files=2, partitions=2"));
    let limited = run(&context, "SELECT id FROM events LIMIT 5");
    assert_eq!(limited.len(), 5);
    let names = run(
        &context,
        "SELECT table_name FROM information_schema.tables WHERE table_name LIKE '%DiskIo/Read'",
    );
    assert_eq!(names, [["Windows Kernel/DiskIo/Read"]]);
}

/// The derived tables are listed, and have the same rows over any number of partitions.
#[test]
fn issue_22_derived_tables_are_the_same_over_any_number_of_partitions() {
    let sources = open(&[sample(), sample()]);
    for partitions in [1, 2, 3] {
        let context = tracewell_sql::context(sources.clone(), partitions).expect("a context");
        let listed = run(&context, "SELECT table_name FROM information_schema.tables");
        for table in derived::TABLES {
            assert!(listed.contains(&vec![table.name.to_owned()]), "{}", table.name);
            let columns = (0..table.columns.len()).collect();
            let mut rows = 0;
            let scan = Scan { columns, ..Scan::default() };
            let count = &mut |batch: RecordBatch| {
                rows += batch.num_rows();
                true
            };
            sources[0].derived(table, &scan, count).expect("it is a trace");
            let found = run(&context, &format!("SELECT * FROM {}", table.name));
            assert_eq!(found.len(), 2 * rows, "{} in {partitions}", table.name);
            assert!(found.iter().all(|row| row.len() == table.columns.len()));
        }
        let of_system = "SELECT name FROM processes WHERE pid = 4 AND started IS NULL GROUP BY name";
        assert_eq!(run(&context, of_system), [["System"]]);
        let plan = run(&context, &format!("EXPLAIN {of_system}")).concat().concat();
        assert!(plan.contains("table=processes") && plan.contains("filter=[pid in (4)]"), "{plan}");
    }
}
