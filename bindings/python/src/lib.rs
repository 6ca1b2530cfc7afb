//! The native part of the Python package `acmotion`.
//!
//! Python sees immutable values and objects that lock themselves, so that any of them can be used from several threads.
//! Nothing is created in Python while a lock is held: collecting garbage may run code that needs the same lock.

mod arrow;
mod assets;
mod bench;
mod bodies;
mod capture;
mod check;
mod columns;
mod convert;
mod errors;
mod event;
mod locked;
mod message;
mod order;
mod player;
mod position;
mod replay;
mod scenario;
mod scene;
mod simulate;
mod state;
mod timing;
mod world;

/// The classes and functions of the package that are written in Rust.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::arrow::Table;
    #[pymodule_export]
    use crate::assets::{Assets, MotionTable, landmarks};
    #[pymodule_export]
    use crate::bench::_bench_crowd;
    #[pymodule_export]
    use crate::capture::{Decoder, decode, decode_message, decode_table, write_capture};
    #[pymodule_export]
    use crate::check::{Checker, Verdict, check_scenario};
    #[pymodule_export]
    use crate::convert::{motion_id, motion_name};
    #[pymodule_export]
    use crate::errors::{
        CaptureError, DatError, DecodeError, Error, LimitError, PlacementError, RequestError, RestoreError,
        ScenarioError, SceneError, SpawnError, UndefinedMotion,
    };
    #[pymodule_export]
    use crate::event::Event;
    #[pymodule_export]
    use crate::message::Message;
    #[pymodule_export]
    use crate::order::Order;
    #[pymodule_export]
    use crate::player::Player;
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::replay::{ReplayResult, replay};
    #[pymodule_export]
    use crate::scenario::Scenario;
    #[pymodule_export]
    use crate::scene::{Ground, Obstruction, Scene, Sweep};
    #[pymodule_export]
    use crate::simulate::{SimulationResult, simulate};
    #[pymodule_export]
    use crate::state::Entity;
    #[pymodule_export]
    use crate::timing::{Hook, Segment, Timing};
    #[pymodule_export]
    use crate::world::World;
}
