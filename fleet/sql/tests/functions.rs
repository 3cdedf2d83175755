//! Every function of the table: its example, NULL, and arguments of wrong types; and its documentation.

use std::path::PathBuf;
use std::sync::Arc;

use datafusion::arrow::array::Array;
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::execution::context::SessionContext;
use tracewell_arrow::Source;
use tracewell_sql::functions::{self, FUNCTIONS, Type};
use tracewell_symbols::SymbolPath;

fn sample() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../testdata/sample.etl"].iter().collect()
}

fn context() -> SessionContext {
    let sources = Source::open(&sample()).into_iter().map(|source| {
        let source = source.expect("it is a trace");
        Arc::new(source.with_symbols(SymbolPath::default()))
    });
    tracewell_sql::context(sources.collect(), 2).expect("a context")
}

/// The only value of an answer; [`None`] for NULL.
fn value(context: &SessionContext, query: &str) -> Result<Option<String>, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("threads");
    let batches = runtime.block_on(async { context.sql(query).await?.collect().await });
    let batches = batches.map_err(|error| error.to_string())?;
    let found: Vec<_> = batches.iter().filter(|batch| batch.num_rows() > 0).collect();
    assert!(found.len() == 1 && found[0].num_rows() == 1 && found[0].num_columns() == 1, "{query}");
    let column = found[0].column(0);
    Ok(column.is_valid(0).then(|| array_value_to_string(column, 0).expect("a value")))
}

/// A value of a type, in SQL.
fn some(ty: Type) -> String {
    match ty {
        Type::Integer | Type::Nanoseconds | Type::Id | Type::Address => "1".to_owned(),
        Type::Text | Type::Lines => "'no such thing'".to_owned(),
        Type::Time => "TIMESTAMP '2024-05-01T00:00:00'".to_owned(),
        Type::Histogram => "(SELECT histogram(1))".to_owned(),
    }
}

#[test]
fn issue_22_each_function_answers_its_example() {
    let context = context();
    for function in FUNCTIONS {
        let (query, wanted) = function.example;
        assert!(query.contains(&format!("{}(", function.name)), "{query}");
        assert_eq!(value(&context, query).as_ref().map(|text| text.as_deref()), Ok(Some(wanted)), "{query}");
    }
}

#[test]
fn issue_22_null_stays_null_and_wrong_arguments_are_named() {
    let context = context();
    for function in FUNCTIONS {
        let call = |arguments: &[String]| format!("SELECT {}({})", function.name, arguments.join(", "));
        let good: Vec<String> = function.arguments.iter().map(|argument| some(argument.ty)).collect();
        for (place, argument) in function.arguments.iter().enumerate() {
            let with = |text: &str| {
                let mut arguments = good.clone();
                arguments[place] = text.to_owned();
                value(&context, &call(&arguments))
            };
            assert_eq!(with("NULL"), Ok(None), "{}", function.name);
            let refused = with("true").expect_err("a truth value is not taken");
            let (wanted, call) = (format!("{} is {}", argument.name, argument.ty.called()), function.call());
            assert!(refused.contains(&wanted) && refused.contains(&call), "{refused}");
        }
        let more: Vec<String> = good.iter().cloned().chain(["1".to_owned()]).collect();
        let refused = value(&context, &call(&more)).expect_err("it has too many arguments");
        let counted = format!("{} has {} argument", function.call(), good.len());
        assert!(refused.contains(&counted), "{refused}");
    }
}

#[test]
fn issue_22_functions_refuse_values_out_of_range() {
    let context = context();
    for (query, part) in [
        ("SELECT bucket(1, 0)", "bucket(value, width): the width is 0, but must be at least 1"),
        ("SELECT bucket(-9223372036854775808, 3)", "is out of range"),
        ("SELECT guid_name('22fb2cd6')", "'22fb2cd6' is not a GUID"),
        ("SELECT stack_text('x.etl', 1)", "x.etl is not a trace of this query"),
        (
            "SELECT since_start('x.etl', TIMESTAMP '2024-05-01T00:00:00')",
            "x.etl is not a trace of this query",
        ),
        ("SELECT histogram_text([1, 2])", "histogram is a result of histogram()"),
    ] {
        let refused = value(&context, query).expect_err("it is refused");
        assert!(refused.contains(part), "{query}: {refused}");
    }
    for (query, wanted) in [
        ("SELECT bucket(-1, 10)", Some("-10")),
        ("SELECT bucket(-10, 10)", Some("-10")),
        ("SELECT power_bucket(-1234)", Some("-1024")),
        ("SELECT power_bucket(0)", Some("0")),
        ("SELECT duration_text(8684000.7)", Some("8.7 ms")),
        ("SELECT duration_text(max(time) - min(time)) FROM events", Some("6.500 s")),
        ("SELECT guid_name('3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c')", Some("Process")),
        ("SELECT guid_name('00000000-0000-0000-0000-0000000000ff')", None),
        ("SELECT provider_guid('no such provider')", None),
        ("SELECT histogram(column1) FROM (VALUES (1)) WHERE column1 > 1", None),
        (
            "SELECT count(*) FROM (SELECT stack_text(file, 4000000000) AS text FROM losses) WHERE text IS NOT NULL",
            Some("0"),
        ),
    ] {
        assert_eq!(value(&context, query).as_ref().map(|text| text.as_deref()), Ok(wanted), "{query}");
    }
}

/// Histograms of groups in several partitions are those of all values, and the text is that of D.
#[test]
fn issue_22_histograms_count_all_values() {
    let context = context();
    let sums = "SELECT sum(b['count']) FROM (SELECT unnest(h) AS b FROM (SELECT histogram(size) AS h FROM events GROUP BY provider, id))";
    let all = value(&context, "SELECT count(*) FROM events");
    assert_eq!(value(&context, sums), all);
    let found =
        value(&context, "SELECT histogram_text(histogram(column1)) FROM (VALUES (1), (2), (3), (-1))");
    let wanted = "           value  ------------- Distribution ------------- count    \n";
    let found = found.expect("it is an answer").expect("it is a text");
    assert!(found.starts_with(wanted), "{found}");
    let rows: Vec<&str> = found.lines().skip(1).collect();
    let counts: Vec<(&str, &str)> = rows.iter().map(|row| (row[..16].trim(), row[58..].trim())).collect();
    assert_eq!(counts, [("-2", "0"), ("-1", "1"), ("0", "0"), ("1", "1"), ("2", "2"), ("4", "0")], "{found}");
}

/// The text of a stack has a line for each row of `stacks`, with the names that are there.
#[test]
fn issue_22_texts_of_stacks_and_symbols_are_those_of_the_tables() {
    let context = context();
    let lines = "SELECT count(*) FROM (SELECT id, count(*) AS frames, \
                 max(array_length(string_to_array(stack_text(file, id), chr(10)))) AS lines FROM stacks GROUP BY id) \
                 WHERE frames <> lines";
    assert_eq!(value(&context, lines), Ok(Some("0".to_owned())));
    let named = "SELECT count(*) FROM cpu_samples WHERE function IS NOT NULL AND \
                 split_part(symbol(file, pid, address, time), '+', 1) <> module || '!' || function";
    assert_eq!(value(&context, named), Ok(Some("0".to_owned())));
    let some = "SELECT count(*) > 10 FROM cpu_samples WHERE function IS NOT NULL AND symbol(file, pid, address, time) IS NOT NULL";
    assert_eq!(value(&context, some), Ok(Some("true".to_owned())));
}

/// A file of several sessions with separate clocks is refused rather than answered for one of them; a file given twice is not.
#[test]
fn issue_22_a_file_given_twice_is_one_trace_for_functions() {
    let open = || Source::open(&sample()).into_iter().map(|source| Arc::new(source.expect("it is a trace")));
    let context = tracewell_sql::context(open().chain(open()).collect(), 2).expect("a context");
    let query = "SELECT max(abs(since_start(file, time) - since_start)) FROM events";
    assert_eq!(value(&context, query), Ok(Some("0".to_owned())));
}

#[test]
fn issue_22_the_page_describes_every_function() {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../docs/tables.md"].iter().collect();
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let (before, rest) = page.split_once("<!-- functions -->\n").expect("the page has the mark");
    let (_, after) = rest.split_once("<!-- /functions -->").expect("the page has the end of the mark");
    let text = format!("{before}<!-- functions -->\n{}<!-- /functions -->{after}", functions::page());
    tracewell_corpus::golden(&path, &text).unwrap();
}
