//! Traces that are open, and what they hold.

use std::path::Path;

use tracewell_decode::Schemas;
use tracewell_etl::Trace;
use tracewell_etl::read::Losses;
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::events::Sightings;

use crate::open::{InputError, Limit, Meter, TraceFile, side_files, traces};

/// One or more trace files that belong together.
#[derive(Debug, Default)]
pub struct Traces {
    files: Vec<TraceFile>,
}

impl From<TraceFile> for Traces {
    fn from(file: TraceFile) -> Traces {
        Traces { files: vec![file] }
    }
}

impl Traces {
    /// Opens a file, with the files that `PerfView` records beside it: a trace, or an archive (zip, gzip, cabinet) of traces.
    ///
    /// # Errors
    /// The first file that cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Traces, InputError> {
        Traces::open_all([path])
    }

    /// Opens several files, to be read together in the order of their times.
    ///
    /// # Errors
    /// The first file that cannot be opened.
    pub fn open_all(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<Traces, InputError> {
        Traces::open_with(paths, &Limit::default())
    }

    /// As [`Traces::open_all`], with a limit for what archives expand to.
    ///
    /// # Errors
    /// The first file that cannot be opened.
    pub fn open_with(
        paths: impl IntoIterator<Item = impl AsRef<Path>>,
        meter: &dyn Meter,
    ) -> Result<Traces, InputError> {
        let mut paths: Vec<_> = paths.into_iter().map(|path| path.as_ref().to_owned()).collect();
        paths.extend(side_files(&paths));
        let files = paths.iter().flat_map(|path| traces(path, meter)).collect::<Result<Vec<_>, _>>()?;
        let traces = Traces { files };
        // An error is reported here, not when the traces are read.
        traces.read()?;
        Ok(traces)
    }

    /// The files; of a file with sessions on separate clocks, each session.
    #[must_use]
    pub fn files(&self) -> &[TraceFile] {
        &self.files
    }

    /// The traces in the files.
    ///
    /// # Errors
    /// A file is not a trace.
    pub fn read(&self) -> Result<Vec<Trace<'_>>, InputError> {
        self.files.iter().map(TraceFile::trace).collect()
    }

    /// What the session of each trace has lost while it recorded, by the headers and the index of the buffers.
    ///
    /// # Errors
    /// A file is not a trace any more.
    pub fn losses(&self) -> Result<Vec<Losses>, InputError> {
        Ok(self.read()?.iter().map(Trace::losses).collect())
    }

    /// The names of the probes on these traces: the fixed probes, and those on events that the traces hold.
    ///
    /// # Errors
    /// A file is not a trace any more.
    pub fn probes(&self, schemas: &Schemas) -> Result<Vec<ProbeName>, InputError> {
        let traces = self.read()?;
        let mut catalog = ProbeCatalog::new();
        catalog.survey_by(|| Sightings::of(&traces, schemas.clone()));
        catalog.name_calls_by(|| crate::calls::calls_in(&traces, None));
        catalog.complete();
        let name = |info: &tracewell_dlang::catalog::ProbeInfo| ProbeName {
            provider: info.provider.clone(),
            module: info.module.clone(),
            function: info.function.clone(),
            name: info.name.clone(),
        };
        Ok(catalog.iter().map(|(info, _)| name(info)).collect())
    }
}

/// The four parts of a probe's name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct ProbeName {
    /// Provider.
    pub provider: String,
    /// Module.
    pub module: String,
    /// Function.
    pub function: String,
    /// Name.
    pub name: String,
}
