//! Functions for queries over traces.
//!
//! [`FUNCTIONS`] declares each once: queries, the documentation and the tests have them from there.

mod aggregate;
mod histograms;
mod plain;
mod scalar;
mod traces;
mod types;

use std::fmt::Write;
use std::sync::Arc;

use datafusion::execution::context::SessionContext;
use datafusion::logical_expr::{AggregateUDF, DocSection, Documentation, DocumentationBuilder, ScalarUDF};
use tracewell_arrow::Source;

pub use types::{LINES, Type};

use traces::Traces;

/// A function of queries.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The name.
    pub name: &'static str,
    /// The arguments. If one is NULL, so is the result; an aggregate ignores NULL.
    pub arguments: &'static [Argument],
    /// The type of the result.
    pub result: Type,
    /// What the result is.
    pub about: &'static str,
    /// A query over the sample trace, and the only value of its answer.
    pub example: (&'static str, &'static str),
    how: How,
}

/// An argument of a function.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// The name.
    pub name: &'static str,
    /// The type of the values.
    pub ty: Type,
}

const fn argument(name: &'static str, ty: Type) -> Argument {
    Argument { name, ty }
}

/// How a result is made.
#[derive(Clone, Copy, Debug)]
enum How {
    /// A number from the arguments of a row.
    Number(plain::Number),
    /// A text from the arguments of a row.
    Text(plain::Text),
    /// A column from the arguments of many rows, and the traces.
    Traces(traces::Column),
    /// One value from the arguments of many rows.
    Histogram,
}

/// All functions.
pub static FUNCTIONS: &[Function] = &[
    Function {
        name: "duration_text",
        arguments: &[argument("ns", Type::Nanoseconds)],
        result: Type::Text,
        about: "A duration with its unit, as reports have it.",
        example: ("SELECT duration_text(8684000)", "8.7 ms"),
        how: How::Text(plain::duration_text),
    },
    Function {
        name: "since_start",
        arguments: &[argument("file", Type::Text), argument("time", Type::Time)],
        result: Type::Integer,
        about: "The nanoseconds from the start of the trace `file` to a time, as the column `since_start` of `events`.",
        example: ("SELECT max(abs(since_start(file, time) - since_start)) FROM events", "0"),
        how: How::Traces(traces::since_start),
    },
    Function {
        name: "bucket",
        arguments: &[argument("value", Type::Integer), argument("width", Type::Integer)],
        result: Type::Integer,
        about: "The greatest multiple of `width` that is not above `value`. The width is at least 1.",
        example: ("SELECT bucket(1234, 500)", "1000"),
        how: How::Number(plain::bucket),
    },
    Function {
        name: "power_bucket",
        arguments: &[argument("value", Type::Integer)],
        result: Type::Integer,
        about: "The bucket of `quantize()` in D: 0, or the power of two nearest to `value` on the side of zero, with its sign.",
        example: ("SELECT power_bucket(1234)", "1024"),
        how: How::Number(plain::power_bucket),
    },
    Function {
        name: "histogram",
        arguments: &[argument("value", Type::Nanoseconds)],
        result: Type::Histogram,
        about: "Aggregate: the buckets of `power_bucket` that have values, each with their number.",
        example: (
            "SELECT histogram(column1) FROM (VALUES (0), (5), (NULL), (6))",
            "[{value: 0, count: 1}, {value: 4, count: 2}]",
        ),
        how: How::Histogram,
    },
    Function {
        name: "histogram_text",
        arguments: &[argument("histogram", Type::Histogram)],
        result: Type::Lines,
        about: "A histogram as D prints it, a line for each bucket.",
        example: (
            "SELECT split_part(histogram_text(histogram(generation)), chr(10), 3) FROM gcs",
            "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@          26       ",
        ),
        how: How::Traces(histograms::text),
    },
    Function {
        name: "guid_name",
        arguments: &[argument("guid", Type::Text)],
        result: Type::Text,
        about: "The name of a provider, or of a class of kernel events, by its GUID. NULL if the descriptions that come with \
                Tracewell do not have it.",
        example: (
            "SELECT guid_name('{22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716}')",
            "Microsoft-Windows-Kernel-Process",
        ),
        how: How::Text(plain::guid_name),
    },
    Function {
        name: "provider_guid",
        arguments: &[argument("name", Type::Text)],
        result: Type::Text,
        about: "The GUID of a provider by its name, ignoring case; NULL likewise.",
        example: (
            "SELECT provider_guid('microsoft-windows-kernel-process')",
            "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716",
        ),
        how: How::Text(plain::provider_guid),
    },
    Function {
        name: "stack_text",
        arguments: &[argument("file", Type::Text), argument("id", Type::Id)],
        result: Type::Lines,
        about: "The frames of the stack `id` of the trace `file`, as other commands print them: a line each, the innermost first. \
                NULL if the trace does not have that stack.",
        example: (
            "SELECT split_part(stack_text(file, stack), chr(10), 1) FROM exceptions ORDER BY time LIMIT 1",
            "jit!ShopApi.Basket.MoveNext+0x24",
        ),
        how: How::Traces(traces::stack_text),
    },
    Function {
        name: "symbol",
        arguments: &[
            argument("file", Type::Text),
            argument("pid", Type::Id),
            argument("address", Type::Address),
            argument("time", Type::Time),
        ],
        result: Type::Text,
        about: "The module and function at an address of a process at a time, in the trace `file`. Process 0 is the kernel. NULL if no \
                image was mapped there.",
        example: (
            "SELECT symbol(file, pid, address, time) FROM cpu_samples WHERE process = 'ShopApi.exe' ORDER BY time LIMIT 1",
            "coreclr!ThreadPool::RunWorkItem+0x38",
        ),
        how: How::Traces(traces::symbol),
    },
];

/// Adds all functions to a context of some traces.
pub(crate) fn register(context: &SessionContext, sources: &Arc<[Arc<Source>]>) {
    let traces = Arc::new(Traces::new(Arc::clone(sources)));
    for function in FUNCTIONS {
        match function.how {
            How::Histogram => context.register_udaf(AggregateUDF::from(aggregate::Of::new(function))),
            _ => context.register_udf(ScalarUDF::from(scalar::Of::new(function, Arc::clone(&traces)))),
        }
    }
}

impl Function {
    /// The name with the names of the arguments.
    #[must_use]
    pub fn call(&self) -> String {
        let names: Vec<&str> = self.arguments.iter().map(|argument| argument.name).collect();
        format!("{}({})", self.name, names.join(", "))
    }

    /// What `information_schema.routines` has about it. `SHOW FUNCTIONS` lists functions with fixed types only.
    fn documentation(&self) -> Documentation {
        let section = DocSection { include: true, label: "Traces", description: None };
        let about = Documentation::builder(section, self.about, self.call()).with_sql_example(self.example.0);
        let add = |about: DocumentationBuilder, argument: &Argument| {
            about.with_argument(argument.name, argument.ty.called())
        };
        self.arguments.iter().fold(about, add).build()
    }
}

/// The documentation of all functions, in Markdown.
#[must_use]
pub fn page() -> String {
    let mut page =
        String::from("| function | types of the arguments | result | contents |\n|---|---|---|---|\n");
    for function in FUNCTIONS {
        let types: Vec<&str> = function.arguments.iter().map(|argument| argument.ty.sql()).collect();
        let (call, types, result) = (function.call(), types.join(", "), function.result.sql());
        // Writing to memory cannot fail.
        let _ =
            writeln!(page, "| `{call}` | {types} | {result} | {} |", function.about.trim_end_matches('.'));
    }
    page
}
