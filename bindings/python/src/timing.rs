//! How long motions take.

use acmotion::{json, query};
use acmotion_dat::json::hook_payload;
use pyo3::prelude::*;

use crate::convert::json_to_py;

/// How long a motion takes and when its hooks fire. Times are in seconds from its start.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Timing(pub(crate) query::Timing);

#[pymethods]
impl Timing {
    /// The id of the style.
    #[getter]
    fn style(&self) -> u32 {
        self.0.query.style.0
    }

    /// The name of the style.
    #[getter]
    fn style_name(&self) -> String {
        self.0.query.style.to_string()
    }

    /// The id of the motion.
    #[getter]
    fn motion(&self) -> u32 {
        self.0.query.motion.0
    }

    /// The name of the motion.
    #[getter]
    fn name(&self) -> String {
        self.0.query.motion.to_string()
    }

    /// The id of the substate before the motion.
    #[getter]
    fn start(&self) -> u32 {
        self.0.from.0
    }

    /// The speed at which the motion is played.
    #[getter]
    fn speed(&self) -> f32 {
        self.0.query.speed
    }

    /// The duration of the link: until the cycle starts, or an action is done.
    #[getter]
    fn length(&self) -> f64 {
        self.0.link_seconds()
    }

    /// The duration of one pass of the cycle; `None` if there is no cycle.
    #[getter]
    fn cycle_length(&self) -> Option<f64> {
        self.0.cycle_seconds()
    }

    /// The animations that play once.
    #[getter]
    fn link(&self) -> Vec<Segment> {
        self.0.link.iter().copied().map(Segment).collect()
    }

    /// The animation that loops afterwards; `None` if there is none.
    #[getter]
    fn cycle(&self) -> Option<Segment> {
        self.0.cycle.map(Segment)
    }

    /// The hooks that fire, in order: those of the link, then those of the first pass of the cycle.
    #[getter]
    fn hooks(&self) -> Vec<Hook> {
        self.0.hooks.iter().copied().map(Hook).collect()
    }

    /// The hooks at which attacks hit.
    #[getter]
    fn attacks(&self) -> Vec<Hook> {
        self.0.attacks().copied().map(Hook).collect()
    }

    /// Returns the fields of a line of `acmotion motion --json`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_py(py, &json::timing(&self.0))
    }

    fn __repr__(&self) -> String {
        let (name, style, length) = (self.name(), self.style_name(), self.length());
        format!("<Timing {name} in {style}: {length:.3} s, {} hooks>", self.0.hooks.len())
    }
}

/// One animation of a motion.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Segment(query::Segment);

#[pymethods]
impl Segment {
    /// The id of the animation.
    #[getter]
    fn animation(&self) -> u32 {
        self.0.animation.0
    }

    /// The first frame played.
    #[getter]
    fn low(&self) -> i32 {
        self.0.low
    }

    /// The last frame played.
    #[getter]
    fn high(&self) -> i32 {
        self.0.high
    }

    /// The rate in frames a second; negative plays backwards.
    #[getter]
    fn framerate(&self) -> f32 {
        self.0.framerate
    }

    /// The start, in seconds from the start of the motion.
    #[getter]
    fn start(&self) -> f64 {
        self.0.start
    }

    /// The duration in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.seconds
    }

    /// Returns the fields as `acmotion motion --json` prints them.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_py(py, &json::segment(&self.0))
    }

    fn __repr__(&self) -> String {
        let query::Segment { animation, low, high, seconds, .. } = &self.0;
        format!("<Segment {animation} frames {low} to {high}: {seconds:.3} s>")
    }
}

/// A hook and the time at which it fires.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Hook(query::TimedHook);

#[pymethods]
impl Hook {
    /// The time in seconds from the start of the motion.
    #[getter]
    fn time(&self) -> f64 {
        self.0.time
    }

    /// The share of the link, 0 to 1, that has passed by then; `None` for hooks of the cycle.
    #[getter]
    fn share(&self) -> Option<f64> {
        self.0.share
    }

    /// The id of the animation.
    #[getter]
    fn animation(&self) -> u32 {
        self.0.animation.0
    }

    /// The frame that is left.
    #[getter]
    fn frame(&self) -> i32 {
        self.0.frame
    }

    /// The name of the hook, such as `Attack` or `SoundTable`.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.hook.effect.name()
    }

    /// The direction of play in which it fires: 1 forward, -1 backward, 0 both.
    #[getter]
    fn direction(&self) -> i32 {
        self.0.hook.direction.0
    }

    /// What the hook does, as a dict.
    #[getter]
    fn payload<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_py(py, &hook_payload(&self.0.hook.effect))
    }

    /// Returns the fields as `acmotion motion --json` prints them.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_py(py, &json::timed_hook(&self.0))
    }

    fn __repr__(&self) -> String {
        format!("<Hook {} at {:.4} s, frame {}>", self.name(), self.0.time, self.0.frame)
    }
}
