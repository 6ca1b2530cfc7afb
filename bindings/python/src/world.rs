//! Worlds.

mod questions;
mod servers;

use acmotion::components::{Axis, InterpretedState, PhysicsState};
use acmotion::json::explanation;
use acmotion::scene::MoverFlags;
use acmotion::types::{CellId, Guid};
use acmotion::{
    Capacity, EntityId, EntitySpec, HeldBy, Identity, MessageBatch, PartPoses, PresentedBody, QueueError,
    Settings,
};
use acmotion_dat::{DataId, mannequin};
use numpy::{PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray3};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use serde_json::Value;

use crate::arrow::Table;
use crate::assets::{Assets, assets_or_mannequin};
use crate::bodies::{Arrays, Show, Written, show};
use crate::convert::{Bytes, Command, EraName, Triple, json_to_py, vector};
use crate::errors::{LimitError, RestoreError, SpawnError, decode_error, raise};
use crate::event::Event;
use crate::locked::Locked;
use crate::player::Player;
use crate::position::Position;
use crate::scene::Land;
use crate::state::{Entity, StateColumns};

/// The number of entities from which on other Python threads may run while a world advances.
const MANY: usize = 32;

/// All entities of a client or server: messages in, motion and events out.
///
/// The same messages at the same times give the same motion, bit for bit. A world can be used from several threads: each
/// call waits for those before it.
#[pyclass(frozen, module = "acmotion", weakref)]
pub(crate) struct World {
    pub(crate) inner: Locked<Inner>,
    pub(crate) assets: acmotion_dat::Assets,
}

/// A world and the buffers for what comes out of it.
pub(crate) struct Inner {
    pub(crate) world: acmotion::World,
    /// The time of the last call that had one.
    pub(crate) now: f64,
    events: Vec<acmotion::Event>,
    outbound: MessageBatch,
    shown: Vec<PresentedBody>,
}

impl Inner {
    fn new(world: acmotion::World, now: f64) -> Self {
        Self { world, now, events: Vec::new(), outbound: MessageBatch::new(), shown: Vec::new() }
    }

    /// Returns the handle of an entity.
    pub(crate) fn id(&self, guid: u32) -> Option<EntityId> {
        self.world.id_of(Guid(guid))
    }

    /// Remembers a time, for the states of entities.
    pub(crate) fn at(&mut self, now: f64) -> &mut acmotion::World {
        if now.is_finite() {
            self.now = now;
        }
        &mut self.world
    }
}

/// The identity of the local player: `None`, a guid, or `"awaited"`.
struct PlayerIdentity(Identity);

impl<'py> FromPyObject<'_, 'py> for PlayerIdentity {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_none() {
            return Ok(Self(Identity::NoPlayer));
        }
        if object.cast::<PyString>().is_ok_and(|text| text == "awaited") {
            return Ok(Self(Identity::Awaited));
        }
        let guid =
            object.extract().map_err(|_| PyTypeError::new_err("expected None, a guid, or 'awaited'"))?;
        Ok(Self(Identity::Known(Guid(guid))))
    }
}

impl World {
    fn wrap(world: acmotion::World, now: f64, assets: acmotion_dat::Assets) -> Self {
        Self { inner: Locked::new(Inner::new(world, now)), assets }
    }

    /// Runs a function; other Python threads may run meanwhile if the world is large.
    fn run_long<R: Send>(&self, py: Python<'_>, run: impl FnOnce(&mut Inner) -> R + Send) -> PyResult<R> {
        if self.inner.with(py, |inner| inner.world.entities().len())? < MANY {
            self.inner.with(py, run)
        } else {
            self.inner.with_detached(py, run)
        }
    }
}

#[pymethods]
impl World {
    /// Creates an empty world.
    ///
    /// `player` is the guid of the local player, or "awaited" if all messages wait until the server names it.
    /// `surroundings` are None for level ground, "town", the path of a cell file, its Assets, or a Scene.
    #[new]
    #[pyo3(
        signature = (
            assets = None, *, player = PlayerIdentity(Identity::NoPlayer), era = EraName::default(), surroundings = Land::NONE,
            stand_ins_for_unknown = false, flat_remote_jumps = false, level_where_unknown = false,
            presents_between_ticks = false, max_entities = None,
        ),
        text_signature = "(assets=None, *, player=None, era='retail', surroundings=None, stand_ins_for_unknown=False, flat_remote_jumps=False, level_where_unknown=False, presents_between_ticks=False, max_entities=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        py: Python<'_>,
        assets: Option<&Assets>,
        player: PlayerIdentity,
        era: EraName,
        surroundings: Land<'_>,
        stand_ins_for_unknown: bool,
        flat_remote_jumps: bool,
        level_where_unknown: bool,
        presents_between_ticks: bool,
        max_entities: Option<usize>,
    ) -> PyResult<Self> {
        let assets = py.detach(|| assets_or_mannequin(assets));
        let capacity = Capacity::default();
        let settings = Settings {
            player: player.0,
            era: era.0,
            surroundings: surroundings.surroundings(py, &assets)?,
            capacity: Capacity { entities: max_entities.unwrap_or(capacity.entities), ..capacity },
            stand_ins_for_unknown,
            flat_remote_jumps,
            level_where_unknown,
            presents_between_ticks,
            ..Settings::default()
        };
        Ok(Self::wrap(acmotion::World::with_settings(assets.clone(), settings), 0.0, assets))
    }

    /// Adds an entity: a human creature, unless told otherwise. `motion` is its style and its first motion.
    #[pyo3(
        signature = (
            guid, position = None, now = 0.0, *, setup = Some(mannequin::HUMAN_SETUP.0),
            motion_table = Some(mannequin::HUMAN_TABLE.0), scale = 1.0, creature = None, is_player = false,
            motion = None, motion_speed = 1.0, velocity = None, omega = None, held_by = None, state = None, placement = 0,
        ),
        text_signature = "($self, guid, position=None, now=0.0, *, setup=0x02000001, motion_table=0x09000001, scale=1.0, creature=None, is_player=False, motion=None, motion_speed=1.0, velocity=None, omega=None, held_by=None, state=None, placement=0)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn spawn(
        &self,
        py: Python<'_>,
        guid: u32,
        position: Option<Position>,
        now: f64,
        setup: Option<u32>,
        motion_table: Option<u32>,
        scale: f32,
        creature: Option<bool>,
        is_player: bool,
        motion: Option<(Command, Command)>,
        motion_speed: f32,
        velocity: Option<Triple>,
        omega: Option<Triple>,
        held_by: Option<(u32, u32)>,
        state: Option<u32>,
        placement: u32,
    ) -> PyResult<()> {
        let default = EntitySpec::default();
        let motion = motion.map(|(style, motion)| {
            InterpretedState::new(style.0, Axis { speed: motion_speed, ..Axis::new(motion.0) })
        });
        let spec = EntitySpec {
            guid: Guid(guid),
            setup: setup.map(DataId),
            motion_table: motion_table.map(DataId),
            position: position.map(|position| position.0),
            held_by: held_by.map(|(parent, location)| HeldBy { parent: Guid(parent), location }),
            placement,
            motion,
            state: state.map_or(default.state, PhysicsState::from_bits_retain),
            scale,
            velocity: velocity.map(vector),
            omega: omega.map_or(default.omega, vector),
            is_creature: creature.unwrap_or_else(|| motion_table.is_some()),
            mover_flags: if is_player { MoverFlags::IS_PLAYER } else { MoverFlags::empty() },
            ..default
        };
        let spawned = self.inner.with(py, |inner| inner.at(now).spawn(&spec, now))?;
        spawned.map(drop).map_err(raise::<SpawnError>)
    }

    /// Removes an entity. Returns `False` if it does not exist.
    fn despawn(&self, py: Python<'_>, guid: u32, now: f64) -> PyResult<bool> {
        self.inner.with(py, |inner| {
            let id = inner.id(guid);
            id.is_some_and(|id| inner.at(now).despawn(id, now))
        })
    }

    /// Handles a message of the server at once. Raises `DecodeError` if it is not valid.
    fn receive(&self, py: Python<'_>, message: Bytes, now: f64) -> PyResult<()> {
        let received = self.inner.with(py, |inner| inner.at(now).receive(&message.0, now))?;
        received.map_err(|error| decode_error(py, &error))
    }

    /// Handles messages of the server in order. Raises `DecodeError` for the first one that is not valid, after the others
    /// have been handled.
    fn receive_all(&self, py: Python<'_>, messages: Vec<Bytes>, now: f64) -> PyResult<()> {
        let messages: Vec<&[u8]> = messages.iter().map(|message| &*message.0).collect();
        let received =
            self.inner.with_detached(py, |inner| inner.at(now).receive_all(messages.iter().copied(), now))?;
        received.map_err(|error| decode_error(py, &error))
    }

    /// Queues a message of the server for the next `advance`. Raises `DecodeError` if it is not valid, `LimitError` if the
    /// queue is full.
    fn queue(&self, py: Python<'_>, message: Bytes) -> PyResult<()> {
        match self.inner.with(py, |inner| inner.world.queue_message(&message.0))? {
            Ok(()) => Ok(()),
            Err(QueueError::Decode(error)) => Err(decode_error(py, &error)),
            Err(error) => Err(raise::<LimitError>(error)),
        }
    }

    /// Runs a client frame: advances all entities to a time in seconds, handles the queued messages, and lets the local
    /// player act. Returns `True` if entities were updated, which they are at most 30 times a second.
    fn advance(&self, py: Python<'_>, now: f64) -> PyResult<bool> {
        self.run_long(py, |inner| inner.at(now).advance(now))
    }

    /// Advances all entities to a time, without messages and player. Returns `True` if they were updated.
    fn tick(&self, py: Python<'_>, now: f64) -> PyResult<bool> {
        self.run_long(py, |inner| inner.at(now).tick(now))
    }

    /// Removes and returns the events since the last call, oldest first; effects, which hooks report too, only if they
    /// are asked for.
    #[pyo3(signature = (*, effects = false))]
    fn events(&self, py: Python<'_>, effects: bool) -> PyResult<Vec<Event>> {
        self.inner.with(py, |inner| {
            inner.world.swap_events(&mut inner.events);
            let library = inner.world.library();
            inner.events.iter().filter_map(|event| Event::new(event, library, effects)).collect()
        })
    }

    /// Removes and returns the messages that the local player has for the server.
    fn outbound<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let messages: Vec<Vec<u8>> = self.inner.with(py, |inner| {
            inner.world.swap_outbound(&mut inner.outbound);
            inner.outbound.iter().map(<[u8]>::to_vec).collect()
        })?;
        Ok(messages.iter().map(|message| PyBytes::new(py, message)).collect())
    }

    /// The number of events that were lost because `events` was not called in time.
    #[getter]
    fn lost_events(&self, py: Python<'_>) -> PyResult<u64> {
        self.inner.with(py, |inner| inner.world.lost_events())
    }

    /// The number of messages that wait for objects that have not been created.
    #[getter]
    fn waiting_messages(&self, py: Python<'_>) -> PyResult<usize> {
        self.inner.with(py, |inner| inner.world.waiting_messages())
    }

    /// The controls of the local player.
    #[getter]
    fn player(slf: Bound<'_, Self>) -> Player {
        Player::new(slf.unbind())
    }

    /// Returns the guids of all entities.
    fn guids(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.inner.with(py, |inner| inner.world.entities().map(|resident| resident.guid().0).collect())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.inner.with(py, |inner| inner.world.entities().len())
    }

    fn __contains__(&self, py: Python<'_>, guid: u32) -> PyResult<bool> {
        self.inner.with(py, |inner| inner.id(guid).is_some())
    }

    /// Returns an entity as it is now; `None` if it does not exist.
    fn get(&self, py: Python<'_>, guid: u32) -> PyResult<Option<Entity>> {
        self.inner.with(py, |inner| {
            let resident = inner.world.find(Guid(guid))?;
            Some(Entity::new(inner.now, resident, inner.world.library()))
        })
    }

    /// Returns the states of all entities as a table.
    fn states(&self, py: Python<'_>) -> PyResult<Table> {
        let columns = self.inner.with_detached(py, |inner| {
            let mut columns = StateColumns::default();
            for resident in inner.world.entities() {
                columns.push(None, inner.now, resident, inner.world.library());
            }
            columns
        })?;
        columns.finish(false)
    }

    /// Writes all bodies that are drawn into arrays: see the class `Bodies`. Returns how many bodies and matrices were
    /// written, how many there are at most, and the cell of the axes.
    #[pyo3(name = "_show")]
    #[expect(clippy::too_many_arguments, reason = "called by Bodies only")]
    fn show_into(
        &self,
        py: Python<'_>,
        guids: PyReadwriteArray1<'_, u32>,
        cells: PyReadwriteArray1<'_, u32>,
        origins: PyReadwriteArray2<'_, f32>,
        rotations: PyReadwriteArray2<'_, f32>,
        first: PyReadwriteArray1<'_, u32>,
        count: PyReadwriteArray1<'_, u32>,
        matrices: PyReadwriteArray3<'_, f32>,
        origin: Option<u32>,
        now: Option<f64>,
        smooth: bool,
        within: Option<(Position, f32)>,
    ) -> PyResult<(usize, usize, usize, usize, u32)> {
        let mut arrays = Arrays { guids, cells, origins, rotations, first, count, matrices };
        let slices = arrays.slices()?;
        let view = Show {
            origin: origin.map(CellId),
            now,
            poses: if smooth { PartPoses::Smooth } else { PartPoses::Retail },
            within: within.map(|(position, distance)| (position.0, distance)),
        };
        let written = self.run_long(py, |inner| show(&inner.world, &view, &mut inner.shown, slices))?;
        let Written { bodies, matrices, needed_bodies, needed_matrices, origin } = written;
        Ok((bodies, matrices, needed_bodies, needed_matrices, origin.0))
    }

    /// Starts or stops recording why an entity moves as it does. Returns `False` if it does not exist.
    #[pyo3(signature = (guid, on = true))]
    fn explain(&self, py: Python<'_>, guid: u32, on: bool) -> PyResult<bool> {
        self.inner.with(py, |inner| inner.world.explain(Guid(guid), on))
    }

    /// Returns why an entity moved as it did in its last step, as a dict; `None` if that is not recorded.
    fn explanation<'py>(&self, py: Python<'py>, guid: u32) -> PyResult<Bound<'py, PyAny>> {
        let found: Option<Value> = self.inner.with(py, |inner| {
            let step = inner.world.explanation(Guid(guid))?;
            let order = inner.world.find(Guid(guid))?.entity().explain_move_to();
            Some(explanation(step, order.as_ref()))
        })?;
        json_to_py(py, &found.unwrap_or_default())
    }

    /// Returns the whole state of the world as bytes.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.inner.with_detached(py, |inner| inner.world.snapshot())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns the world of a snapshot, with the same assets and surroundings as the world that it was taken of.
    #[staticmethod]
    #[pyo3(
        signature = (snapshot, assets = None, *, surroundings = Land::NONE),
        text_signature = "(snapshot, assets=None, *, surroundings=None)"
    )]
    fn restore(
        py: Python<'_>,
        snapshot: Bytes,
        assets: Option<&Assets>,
        surroundings: Land<'_>,
    ) -> PyResult<Self> {
        let assets = py.detach(|| assets_or_mannequin(assets));
        let around = surroundings.surroundings(py, &assets)?;
        let restored = py.detach(|| acmotion::World::restore(&snapshot.0, assets.clone(), around));
        restored.map(|world| Self::wrap(world, 0.0, assets)).map_err(raise::<RestoreError>)
    }

    /// Returns an independent world in the same state.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let (world, now) = self.inner.with_detached(py, |inner| (inner.world.clone(), inner.now))?;
        Ok(Self::wrap(world, now, self.assets.clone()))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (count, now) = self.inner.with(py, |inner| (inner.world.entities().len(), inner.now))?;
        Ok(format!("<World of {count} entities at {now:.3} s>"))
    }
}
