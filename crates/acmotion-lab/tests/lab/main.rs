//! The tests of the lab's server, in one program: it builds in a fraction of the time of one program for each file.

mod support;

mod cost;
mod files;
mod guard;
mod hostile;
mod local;
mod replay;
mod scenery;
mod tables;
mod walk;
mod walk_actions;
