//! From (record, schema) to typed fields.
