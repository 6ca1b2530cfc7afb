//! The controls of the local player.

use acmotion::types::Guid;
use acmotion::wire::{AttackHeight, CombatMode};
use acmotion::{Controls, PlayerWeenie, RequestId};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::convert::Command;
use crate::errors::{RequestError, raise};
use crate::order::{follow_goal, walk_goal};
use crate::position::Position;
use crate::world::World;

/// The controls of the local player: `World.player`.
///
/// Keys do what those of the original do. Requests return a number, under which events of the kind `request` report their
/// progress. What cannot be done raises `RequestError`.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Player {
    world: Py<World>,
}

impl Player {
    pub(crate) fn new(world: Py<World>) -> Self {
        Self { world }
    }

    /// Runs a function with the controls.
    fn control<R>(&self, py: Python<'_>, run: impl FnOnce(&mut Controls<'_>) -> R) -> PyResult<R> {
        self.world.get().inner.with(py, |inner| run(&mut inner.world.player_mut()))
    }

    /// Runs a function with the controls, and raises what it refuses.
    fn ask<R>(
        &self,
        py: Python<'_>,
        run: impl FnOnce(&mut Controls<'_>) -> Result<R, acmotion::RequestError>,
    ) -> PyResult<R> {
        self.control(py, run)?.map_err(raise::<RequestError>)
    }

    /// Makes a request and returns its number.
    fn request(
        &self,
        py: Python<'_>,
        run: impl FnOnce(&mut Controls<'_>) -> Result<RequestId, acmotion::RequestError>,
    ) -> PyResult<u32> {
        self.ask(py, run).map(|id| id.0)
    }
}

fn attack_height(name: &str) -> PyResult<AttackHeight> {
    match name {
        "high" => Ok(AttackHeight::HIGH),
        "medium" => Ok(AttackHeight::MEDIUM),
        "low" => Ok(AttackHeight::LOW),
        other => {
            Err(PyValueError::new_err(format!("`{other}` is not a height: expected high, medium or low")))
        }
    }
}

fn combat_mode(name: &str) -> PyResult<CombatMode> {
    match name {
        "peace" => Ok(CombatMode::NON_COMBAT),
        "melee" => Ok(CombatMode::MELEE),
        "missile" => Ok(CombatMode::MISSILE),
        "magic" => Ok(CombatMode::MAGIC),
        other => Err(PyValueError::new_err(format!(
            "`{other}` is not a stance: expected peace, melee, missile or magic"
        ))),
    }
}

#[pymethods]
impl Player {
    /// The guid; `None` if there is no local player yet.
    #[getter]
    fn guid(&self, py: Python<'_>) -> PyResult<Option<u32>> {
        self.world.get().inner.with(py, |inner| inner.world.player().guid().map(|guid| guid.0))
    }

    /// Where the player is; `None` if that is not known.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<Option<Position>> {
        self.world.get().inner.with(py, |inner| inner.world.player_position().map(Position))
    }

    /// Presses a key, such as `WalkForward`, `TurnRight` or `Jump`.
    fn press(&self, py: Python<'_>, command: Command, now: f64) -> PyResult<()> {
        self.ask(py, |player| player.press(command.0, now))
    }

    /// Releases a key.
    fn release(&self, py: Python<'_>, command: Command, now: f64) -> PyResult<()> {
        self.ask(py, |player| player.release(command.0, now))
    }

    /// Presses and releases a key.
    fn tap(&self, py: Python<'_>, command: Command, now: f64) -> PyResult<()> {
        self.ask(py, |player| player.tap(command.0, now))
    }

    /// Presses or releases the run key.
    fn set_hold_run(&self, py: Python<'_>, held: bool, now: f64) -> PyResult<()> {
        self.control(py, |player| player.set_hold_run(held, now))
    }

    /// Sets whether the player runs without the run key and walks with it.
    fn set_run_by_default(&self, py: Python<'_>, runs: bool, now: f64) -> PyResult<()> {
        self.control(py, |player| player.set_run_by_default(runs, now))
    }

    /// Switches mouse look on or off.
    fn set_mouse_look(&self, py: Python<'_>, on: bool, now: f64) -> PyResult<()> {
        self.control(py, |player| player.set_mouse_look(on, now))
    }

    /// Turns the player by a movement of the mouse: to the right, or to the left if it is negative.
    fn mouse_turn(&self, py: Python<'_>, movement: f32, now: f64) -> PyResult<()> {
        self.control(py, |player| player.mouse_turn(movement, now))
    }

    /// Releases all keys, because the keyboard belongs to another window now.
    fn lose_focus(&self, py: Python<'_>, now: f64) -> PyResult<()> {
        self.control(py, |player| player.lose_focus(now))
    }

    /// Enables or disables the keys.
    fn set_enabled(&self, py: Python<'_>, enabled: bool) -> PyResult<()> {
        self.control(py, |player| player.set_enabled(enabled))
    }

    /// Sets the autonomy level: 0 (only the server moves the player) to 2 (full autonomy).
    fn set_autonomy(&self, py: Python<'_>, level: u32) -> PyResult<()> {
        self.control(py, |player| player.set_autonomy(level))
    }

    /// Sets the skills, the load and the stamina that running and jumping depend on.
    #[pyo3(signature = (now, *, run_skill = 0, jump_skill = 0, load = 0.0, stamina = 100, fights_players = false))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn set_skills(
        &self,
        py: Python<'_>,
        now: f64,
        run_skill: u32,
        jump_skill: u32,
        load: f32,
        stamina: u32,
        fights_players: bool,
    ) -> PyResult<()> {
        let weenie = PlayerWeenie { run_skill, jump_skill, load, stamina, fights_players };
        self.control(py, |player| player.set_weenie(weenie, now))
    }

    /// Lets the player act: position messages, requests and held keys. `World.advance` does it too.
    fn use_time(&self, py: Python<'_>, now: f64) -> PyResult<()> {
        self.control(py, |player| player.use_time(now))
    }

    /// Returns the level of the jump power bar, 0 to 1; `None` if no jump is being charged.
    fn jump_power(&self, py: Python<'_>, now: f64) -> PyResult<Option<f32>> {
        self.control(py, |player| player.jump_power(now))
    }

    /// Walks to a position, up to `within` metres from the player's hull.
    #[pyo3(signature = (position, now, *, within = 0.6, pace = "automatic", heading = None, timeout = None))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn walk_to(
        &self,
        py: Python<'_>,
        position: Position,
        now: f64,
        within: f32,
        pace: &str,
        heading: Option<f32>,
        timeout: Option<f32>,
    ) -> PyResult<u32> {
        let goal = walk_goal(position, within, pace, heading, timeout)?;
        self.request(py, |player| player.walk_to(goal, now))
    }

    /// Turns to a heading in degrees.
    fn turn_to(&self, py: Python<'_>, heading: f32, now: f64) -> PyResult<u32> {
        self.request(py, |player| player.turn_to(heading, now))
    }

    /// Follows an entity, up to `within` metres between the hulls of the two.
    #[pyo3(signature = (guid, now, *, within = 0.6, pace = "run", timeout = None))]
    fn follow(
        &self,
        py: Python<'_>,
        guid: u32,
        now: f64,
        within: f32,
        pace: &str,
        timeout: Option<f32>,
    ) -> PyResult<u32> {
        let goal = follow_goal(within, pace, timeout)?;
        self.request(py, |player| player.follow(Guid(guid), goal, now))
    }

    /// Jumps with a charge of 0 to 1.
    fn jump(&self, py: Python<'_>, extent: f32, now: f64) -> PyResult<u32> {
        self.request(py, |player| player.jump(extent, now))
    }

    /// Plays an action.
    fn emote(&self, py: Python<'_>, action: Command, now: f64) -> PyResult<u32> {
        self.request(py, |player| player.emote(action.0, now))
    }

    /// Changes the stance: `peace`, `melee`, `missile` or `magic`.
    fn set_stance(&self, py: Python<'_>, stance: &str) -> PyResult<u32> {
        let mode = combat_mode(stance)?;
        self.request(py, |player| player.set_stance(mode))
    }

    /// Attacks an entity at a height (`high`, `medium`, `low`) with a power of 0 to 1.
    #[pyo3(signature = (guid, now, *, height = "medium", power = 0.5))]
    fn attack(&self, py: Python<'_>, guid: u32, now: f64, height: &str, power: f32) -> PyResult<u32> {
        let height = attack_height(height)?;
        self.request(py, |player| player.attack(Guid(guid), height, power, now))
    }

    /// Ends the attack that is under way.
    fn cancel_attack(&self, py: Python<'_>, now: f64) -> PyResult<u32> {
        self.request(py, |player| player.cancel_attack(now))
    }

    /// Casts a spell, at an entity if there is one.
    #[pyo3(signature = (spell, now, *, target = None))]
    fn cast(&self, py: Python<'_>, spell: u32, now: f64, target: Option<u32>) -> PyResult<u32> {
        self.request(py, |player| player.cast(spell, target.map(Guid), now))
    }

    /// Uses an object, on another if there is one.
    #[pyo3(signature = (guid, now, *, target = None))]
    fn use_object(&self, py: Python<'_>, guid: u32, now: f64, target: Option<u32>) -> PyResult<u32> {
        self.request(py, |player| match target {
            Some(target) => player.use_with(Guid(guid), Guid(target), now),
            None => player.use_object(Guid(guid), now),
        })
    }

    /// Drops an item.
    fn drop_item(&self, py: Python<'_>, item: u32, now: f64) -> PyResult<u32> {
        self.request(py, |player| player.drop_item(Guid(item), now))
    }

    /// Puts an item into a container.
    #[pyo3(signature = (item, container, now, *, slot = 0))]
    fn pick_up(&self, py: Python<'_>, item: u32, container: u32, now: f64, slot: u32) -> PyResult<u32> {
        self.request(py, |player| player.pick_up(Guid(item), Guid(container), slot, now))
    }

    /// Wields or wears an item at a location.
    fn wield(&self, py: Python<'_>, item: u32, location: u32, now: f64) -> PyResult<u32> {
        self.request(py, |player| player.wield(Guid(item), location, now))
    }

    /// Cancels a request.
    fn cancel(&self, py: Python<'_>, request: u32, now: f64) -> PyResult<()> {
        self.ask(py, |player| player.cancel(RequestId(request), now))
    }

    /// Cancels all requests. Returns how many there were.
    fn cancel_all(&self, py: Python<'_>, now: f64) -> PyResult<usize> {
        self.control(py, |player| player.cancel_all(now))
    }
}
