//! The tests of dat files, in one program: it builds in a fraction of the time of one program for each file.

mod common;

mod builder;
mod container;
mod game_files;
mod golden;
mod hostile;
mod mannequin;
mod memory;
mod properties;
mod surface;
mod town;
