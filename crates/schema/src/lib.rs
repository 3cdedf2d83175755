//! Event descriptions as data: classes, events, versions, fields. Knows no files.
