//! Runs compiled D: interpreter, variables, aggregations, buffers, speculation, output formats. Knows no ETW.
