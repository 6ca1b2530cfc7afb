//! The tables of whole captures, read back by the library that others read Parquet with.

mod csv;
mod docs;
mod engine;
mod faults;
mod memory;
mod messages;
mod support;
