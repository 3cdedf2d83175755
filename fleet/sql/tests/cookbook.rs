//! The questions of the cookbook and their answers over the sample trace. `TRACEWELL_BLESS=1` writes the answers.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::execution::context::SessionContext;
use tracewell_arrow::{Source, derived};
use tracewell_sql::functions::FUNCTIONS;
use tracewell_symbols::SymbolPath;

fn place(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), name].iter().collect()
}

/// The questions of the page, each with its query.
fn questions() -> Vec<(String, String)> {
    let page = std::fs::read_to_string(place("../../docs/cookbook.md")).expect("the page is there");
    let sections = page.split("\n### ").skip(1);
    let question = |section: &str| {
        let (question, rest) = section.split_once("\n\n```sql\n").expect("a query follows the question");
        let (query, _) = rest.split_once("```").expect("the query ends");
        (question.to_owned(), query.to_owned())
    };
    sections.map(question).collect()
}

fn answer(context: &SessionContext, query: &str) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("threads");
    let batches = runtime
        .block_on(async { context.sql(query).await?.collect().await })
        .unwrap_or_else(|error| panic!("{query}: {error}"));
    let options = FormatOptions::new().with_null("NULL");
    let mut rows = Vec::new();
    for batch in &batches {
        let columns = batch.columns().iter();
        let columns: Vec<_> = columns
            .map(|column| ArrayFormatter::try_new(column.as_ref(), &options).expect("values have a text"))
            .collect();
        for row in 0..batch.num_rows() {
            let cells: Vec<String> = columns.iter().map(|column| column.value(row).to_string()).collect();
            rows.push(cells.join(" | "));
        }
    }
    rows
}

#[test]
fn issue_22_each_question_of_the_cookbook_has_its_answer() {
    let context = |partitions| {
        let sources = Source::open(&place("../../testdata/sample.etl"));
        let sources = sources.into_iter().map(|source| {
            let source = source.expect("it is a trace");
            // With the folder beside the sample, as for `etw sql`.
            Arc::new(source.with_symbols(SymbolPath::default()))
        });
        tracewell_sql::context(sources.collect(), partitions).expect("a context")
    };
    let (one, three) = (context(1), context(3));
    let questions = questions();
    assert!(questions.len() >= 40, "{}", questions.len());
    let mut text = String::new();
    for (number, (question, query)) in questions.iter().enumerate() {
        assert!(question.starts_with(&format!("{}. ", number + 1)) && question.ends_with('?'), "{question}");
        let rows = answer(&one, query);
        assert!(!rows.is_empty(), "{question}");
        assert_eq!(answer(&three, query), rows, "{question}");
        // Writing to memory cannot fail.
        let _ = writeln!(text, "### {question}");
        for row in rows {
            let _ = writeln!(text, "{row}");
        }
        text.push('\n');
    }
    tracewell_corpus::golden(&place("tests/cookbook.expected"), &text).unwrap();
}

/// A reader finds a query for each derived table and each function.
#[test]
fn issue_22_the_cookbook_uses_every_table_and_function() {
    let queries: Vec<String> = questions().into_iter().map(|(_, query)| query).collect();
    let uses = |word: &str| {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        queries.iter().any(|query| query.split(|letter| !is_part(letter)).any(|found| found == word))
    };
    for name in derived::TABLES.iter().map(|table| table.name).chain(["events"]) {
        assert!(uses(name), "no question uses the table {name}");
    }
    for function in FUNCTIONS {
        assert!(uses(function.name), "no question uses the function {}", function.name);
    }
}
