//! A table as a file: Parquet, or the file format of Arrow.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

/// Rows of a row group: one that a reader can leave out by its times is not too large, and texts are still found again.
const GROUP: usize = 128 * 1024;

/// The format of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Parquet.
    Parquet,
    /// Arrow, the file format.
    Arrow,
}

impl Format {
    /// The extension of files.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Arrow => "arrow",
        }
    }
}

/// A file of a table that is being written, under another name until it is complete.
pub(crate) struct TableFile {
    path: PathBuf,
    part: Part,
    schema: SchemaRef,
    writer: Writer,
    pub(crate) rows: u64,
}

/// The name of a file that is not complete. The file is removed, unless it got another name.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

enum Writer {
    Parquet(Box<ArrowWriter<BufWriter<File>>>),
    Arrow(Box<FileWriter<BufWriter<File>>>),
}

impl TableFile {
    /// Begins the file of a table.
    pub(crate) fn create(path: &Path, schema: &SchemaRef, format: Format) -> Result<TableFile, String> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let part = Part(path.with_file_name(format!(".{name}.part")));
        let failed = |error: &dyn std::fmt::Display| format!("cannot write {}: {error}", path.display());
        // One that a killed run has left. A link that another user has put there is not followed.
        let _ = std::fs::remove_file(&part.0);
        let file = File::create_new(&part.0).map_err(|error| failed(&tracewell::open::reason(&error)))?;
        let file = BufWriter::new(file);
        let (schema, writer) = match format {
            Format::Parquet => {
                let writer = ArrowWriter::try_new(file, Arc::clone(schema), Some(properties(schema)));
                (Arc::clone(schema), Writer::Parquet(Box::new(writer.map_err(|error| failed(&error))?)))
            }
            Format::Arrow => {
                let schema = plain(schema);
                let options = IpcWriteOptions::default().try_with_compression(Some(CompressionType::ZSTD));
                let writer =
                    options.and_then(|options| FileWriter::try_new_with_options(file, &schema, options));
                let writer = writer.map_err(|error| failed(&error))?;
                (schema, Writer::Arrow(Box::new(writer)))
            }
        };
        Ok(TableFile { path: path.to_owned(), part, schema, writer, rows: 0 })
    }

    /// Adds rows.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), String> {
        self.rows += batch.num_rows() as u64;
        let failed = |error: &dyn std::fmt::Display| format!("cannot write {}: {error}", self.path.display());
        match &mut self.writer {
            Writer::Parquet(writer) => writer.write(batch).map_err(|error: ParquetError| failed(&error)),
            Writer::Arrow(writer) => {
                let batch = plain_batch(batch, &self.schema);
                let written = batch.and_then(|batch| writer.write(&batch));
                written.map_err(|error: ArrowError| failed(&error))
            }
        }
    }

    /// Completes the file.
    pub(crate) fn finish(self) -> Result<(), String> {
        let TableFile { path, part, writer, .. } = self;
        let failed = |error: &dyn std::fmt::Display| format!("cannot write {}: {error}", path.display());
        match writer {
            Writer::Parquet(writer) => drop(writer.close().map_err(|error| failed(&error))?),
            Writer::Arrow(mut writer) => writer.finish().map_err(|error| failed(&error))?,
        }
        std::fs::rename(&part.0, &path).map_err(|error| failed(&tracewell::open::reason(&error)))
    }
}

/// How the columns of a table are written: compressed, texts with dictionaries, times as differences, and with the least and greatest
/// value of each row group.
fn properties(schema: &SchemaRef) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(GROUP))
        .set_statistics_enabled(EnabledStatistics::Chunk);
    for field in schema.fields() {
        let is_time = matches!(field.data_type(), DataType::Timestamp(..)) || field.name() == "since_start";
        if is_time {
            let path = ColumnPath::new(vec![field.name().clone()]);
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
    }
    properties.build()
}

/// A schema whose texts have no dictionaries: those of batches grow, which the file format does not have.
fn plain(schema: &SchemaRef) -> SchemaRef {
    let plain = |field: &Arc<Field>| match field.data_type() {
        DataType::Dictionary(..) => Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8)),
        _ => Arc::clone(field),
    };
    Arc::new(Schema::new(schema.fields().iter().map(plain).collect::<Vec<_>>()))
}

fn plain_batch(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let plain = |array: &ArrayRef| -> ArrayRef {
        let Some(keys) = array.as_dictionary_opt::<Int32Type>() else { return Arc::clone(array) };
        let values = keys.values().as_string::<i32>();
        let text = |key: Option<i32>| key.map(|key| values.value(key as usize));
        Arc::new(keys.keys().iter().map(text).collect::<StringArray>())
    };
    RecordBatch::try_new(Arc::clone(schema), batch.columns().iter().map(plain).collect())
}
