//! The tests of packets, captures and messages, in one program: it builds in a fraction of the time of one program for each file.

mod captures_support;
mod messages_common;

mod captures;
mod captures_allocations;
mod captures_blank_start;
mod captures_hostile;
mod captures_write;
mod messages_allocations;
mod messages_json;
mod messages_mutations;
mod messages_properties;
mod packets;
mod packets_properties;
