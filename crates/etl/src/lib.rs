//! The .etl trace file format: definitions, reader, writer, compression, time order. Knows no schemas.
