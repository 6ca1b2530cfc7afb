//! The tests of the simulation, in one program: it builds in a fraction of the time of one program for each file.

mod support;

mod checking;
mod clone;
mod combat;
mod compare;
mod compare_limits;
mod doors;
mod fuzz_seeds;
mod items;
mod methods;
mod network;
mod replay;
mod replay_player;
mod scenario_errors;
mod scenarios;
mod server;
mod soak;
mod solids;
mod walks;
