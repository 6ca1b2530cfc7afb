//! The states of entities, one at a time and as a table.

use acmotion::json::{move_kind_name, state};
use acmotion::{Library, Resident};
use arrow_array::builder::{
    BooleanBuilder, Float32Builder, Float64Builder, LargeStringBuilder, UInt32Builder,
};
use pyo3::prelude::*;
use serde_json::Value;

use crate::arrow::{Table, TableBuilder};
use crate::columns::{PositionColumns, VectorColumns};
use crate::convert::{Triple, json_to_py, triple};
use crate::position::Position;

/// An entity as it was when it was asked for.
#[pyclass(frozen, module = "acmotion")]
pub(crate) struct Entity {
    guid: u32,
    position: Position,
    velocity: Triple,
    shown_velocity: Triple,
    scale: f32,
    in_cell: bool,
    contact: bool,
    on_walkable: bool,
    style: u32,
    substate: u32,
    parent: Option<u32>,
    children: Vec<u32>,
    fields: Value,
}

impl Entity {
    pub(crate) fn new(now: f64, resident: &Resident, library: &Library) -> Self {
        let (body, entity) = (resident.body(), resident.entity());
        let playing = entity.animator.state();
        Self {
            guid: resident.guid().0,
            position: Position(resident.position()),
            velocity: triple(body.velocity),
            shown_velocity: triple(body.cached_velocity),
            scale: body.scale,
            in_cell: body.is_in_cell(),
            contact: body.has_contact(),
            on_walkable: body.is_on_walkable(),
            style: playing.style().0,
            substate: playing.substate().0,
            parent: resident.parent().map(|parent| parent.0),
            children: resident.children().iter().map(|child| child.0).collect(),
            fields: state(now, resident, library),
        }
    }
}

#[pymethods]
impl Entity {
    /// The guid.
    #[getter]
    fn guid(&self) -> u32 {
        self.guid
    }

    /// Where it is.
    #[getter]
    fn position(&self) -> Position {
        self.position
    }

    /// The velocity of falling and flying in metres a second. Walking is not part of it.
    #[getter]
    fn velocity(&self) -> Triple {
        self.velocity
    }

    /// How fast it moved in its last step, in metres a second.
    #[getter]
    fn shown_velocity(&self) -> Triple {
        self.shown_velocity
    }

    /// The scale.
    #[getter]
    fn scale(&self) -> f32 {
        self.scale
    }

    /// Whether it is in a cell. Held objects are not.
    #[getter]
    fn in_cell(&self) -> bool {
        self.in_cell
    }

    /// Whether it touches the ground.
    #[getter]
    fn contact(&self) -> bool {
        self.contact
    }

    /// Whether it touches ground that it can stand on.
    #[getter]
    fn on_walkable(&self) -> bool {
        self.on_walkable
    }

    /// The id of its style.
    #[getter]
    fn style(&self) -> u32 {
        self.style
    }

    /// The id of the motion that loops.
    #[getter]
    fn substate(&self) -> u32 {
        self.substate
    }

    /// The guid of the entity that holds it.
    #[getter]
    fn parent(&self) -> Option<u32> {
        self.parent
    }

    /// The guids of the entities that it holds.
    #[getter]
    fn children(&self) -> Vec<u32> {
        self.children.clone()
    }

    /// Returns the fields of a line of `acmotion replay --json`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_py(py, &self.fields)
    }

    fn __repr__(&self) -> String {
        format!("<Entity 0x{:08X} at {:?}>", self.guid, self.position.0.frame.origin)
    }
}

/// The columns of a table of states.
#[derive(Default)]
pub(crate) struct StateColumns {
    view: LargeStringBuilder,
    time: Float64Builder,
    guid: UInt32Builder,
    position: PositionColumns,
    velocity: VectorColumns,
    shown_velocity: VectorColumns,
    contact: BooleanBuilder,
    on_walkable: BooleanBuilder,
    style: UInt32Builder,
    substate: UInt32Builder,
    substate_speed: Float32Builder,
    animation: UInt32Builder,
    frame: Float64Builder,
    nodes: UInt32Builder,
    fails: UInt32Builder,
    constraint: Float32Builder,
    moveto: LargeStringBuilder,
    pending: UInt32Builder,
    len: usize,
}

impl StateColumns {
    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Adds the state of an entity, of a view if the table has a column of views.
    pub(crate) fn push(&mut self, view: Option<&str>, now: f64, resident: &Resident, library: &Library) {
        let (body, entity) = (resident.body(), resident.entity());
        let (playing, sequence) = (entity.animator.state(), entity.animator.sequence());
        let correction = &entity.correction;
        let constraint = Some(&correction.constraint).filter(|constraint| constraint.is_active());
        self.view.append_option(view);
        self.time.append_value(now);
        self.guid.append_value(resident.guid().0);
        self.position.push(Some(&body.position));
        self.velocity.push(Some(body.velocity));
        self.shown_velocity.push(Some(body.cached_velocity));
        self.contact.append_value(body.has_contact());
        self.on_walkable.append_value(body.is_on_walkable());
        self.style.append_value(playing.style().0);
        self.substate.append_value(playing.substate().0);
        self.substate_speed.append_value(playing.substate_speed());
        self.animation.append_option(sequence.current(library).map(|playing| playing.id().0));
        self.frame.append_value(sequence.frame());
        self.nodes.append_value(correction.interpolation.nodes().len() as u32);
        self.fails.append_value(correction.interpolation.fail_count());
        self.constraint.append_option(constraint.map(|constraint| constraint.pos_offset()));
        self.moveto.append_option(entity.move_to().map(|order| move_kind_name(order.kind())));
        self.pending.append_value(entity.animator.pending().len() as u32);
        self.len += 1;
    }

    /// Returns the table, with the column `view` if there is one.
    pub(crate) fn finish(mut self, has_views: bool) -> PyResult<Table> {
        let mut table = TableBuilder::default();
        if has_views {
            table.add("view", self.view.finish());
        }
        table.add("t", self.time.finish());
        table.add("guid", self.guid.finish());
        self.position.finish(&mut table, "");
        self.velocity.finish(&mut table, ["vx", "vy", "vz"]);
        self.shown_velocity.finish(&mut table, ["shown_vx", "shown_vy", "shown_vz"]);
        table.add("contact", self.contact.finish());
        table.add("on_walkable", self.on_walkable.finish());
        table.add("style", self.style.finish());
        table.add("substate", self.substate.finish());
        table.add("substate_speed", self.substate_speed.finish());
        table.add("animation", self.animation.finish());
        table.add("frame", self.frame.finish());
        table.add("interpolation_nodes", self.nodes.finish());
        table.add("interpolation_fails", self.fails.finish());
        table.add("constraint_offset", self.constraint.finish());
        table.add("moveto", self.moveto.finish());
        table.add("pending", self.pending.finish());
        table.finish()
    }
}
