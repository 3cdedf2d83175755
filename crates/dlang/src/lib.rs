//! The D language: lexer, parser, types, checks, and the typed register IR it compiles to. Knows no ETW.
