//! Functions that look into the traces of a query.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::arrow::array::{ArrayRef, Int64Array, StringArray};
use tracewell_arrow::{Namer, Question, Source};

use super::scalar::Values;

/// A column from the arguments of some rows, or why there is none.
pub(super) type Column = fn(&Traces, &Values) -> Result<ArrayRef, String>;

/// The traces of a query, by the column `file` of the tables.
#[derive(Debug)]
pub(super) struct Traces {
    sources: Arc<[Arc<Source>]>,
    namers: Mutex<BTreeMap<String, Arc<Namer>>>,
}

impl Traces {
    pub(super) fn new(sources: Arc<[Arc<Source>]>) -> Traces {
        Traces { sources, namers: Mutex::default() }
    }

    /// The trace of a file. A file with several sessions has a trace for each, between which its name does not distinguish.
    fn source(&self, file: &str) -> Result<&Arc<Source>, String> {
        let mut found = self.sources.iter().filter(|source| source.name() == file);
        let first = found.next().ok_or_else(|| format!("{file} is not a trace of this query"))?;
        let start = start(first)?;
        for other in found {
            if self::start(other)? != start {
                return Err(format!("{file} has several sessions with separate clocks"));
            }
        }
        Ok(first)
    }

    fn namer(&self, file: &str) -> Result<Arc<Namer>, String> {
        let mut namers = self.namers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(namer) = namers.get(file) {
            return Ok(Arc::clone(namer));
        }
        let namer = Namer::new(Arc::clone(self.source(file)?)).map_err(|error| error.to_string())?;
        let namer = Arc::new(namer);
        namers.insert(file.to_owned(), Arc::clone(&namer));
        Ok(namer)
    }

    /// The answers for all rows, whose first argument names the file.
    fn answers(&self, values: &Values, question: impl Fn(usize) -> Question) -> Result<ArrayRef, String> {
        let mut asked: BTreeMap<&str, (Vec<usize>, Vec<Question>)> = BTreeMap::new();
        let mut count = 0;
        for (place, row) in values.rows().enumerate() {
            count += 1;
            if let Some(row) = row {
                let (places, questions) = asked.entry(values.text(0, row)).or_default();
                places.push(place);
                questions.push(question(row));
            }
        }
        let mut texts: Vec<Option<String>> = vec![None; count];
        for (file, (places, questions)) in asked {
            let answers = self.namer(file)?.ask(questions).map_err(|why| format!("{file}: {why}"))?;
            for (place, answer) in places.into_iter().zip(answers) {
                if let Some(text) = texts.get_mut(place) {
                    *text = answer;
                }
            }
        }
        Ok(Arc::new(StringArray::from(texts)))
    }
}

/// The start of a trace, in nanoseconds since 1970.
fn start(source: &Source) -> Result<i64, String> {
    let trace = source.plain().map_err(|error| error.to_string())?;
    Ok(trace.clock().start().unix_ns())
}

pub(super) fn since_start(traces: &Traces, values: &Values) -> Result<ArrayRef, String> {
    let mut starts: BTreeMap<&str, i64> = BTreeMap::new();
    let one = |row: Option<usize>| {
        let Some(row) = row else { return Ok(None) };
        let file = values.text(0, row);
        let start = match starts.get(file) {
            Some(start) => *start,
            None => *starts.entry(file).or_insert(start(traces.source(file)?)?),
        };
        Ok(Some(values.time(1, row).saturating_sub(start)))
    };
    let numbers = values.rows().map(one).collect::<Result<Int64Array, String>>()?;
    Ok(Arc::new(numbers))
}

pub(super) fn stack_text(traces: &Traces, values: &Values) -> Result<ArrayRef, String> {
    traces.answers(values, |row| Question::Stack(values.id(1, row)))
}

pub(super) fn symbol(traces: &Traces, values: &Values) -> Result<ArrayRef, String> {
    traces.answers(values, |row| Question::Address {
        pid: values.id(1, row),
        address: values.address(2, row),
        time: values.time(3, row),
    })
}
