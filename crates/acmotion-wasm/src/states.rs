//! The states of entities as columns of numbers, and events in pieces, for results that are large.

use acmotion::components::MoveKind;
use acmotion::types::CellPosition;
use acmotion::{Event, Library, Resident};
use js_sys::{Float32Array, Float64Array, Object, Reflect, Uint8Array, Uint16Array, Uint32Array};
use wasm_bindgen::JsValue;

use crate::entities::event_line;
use crate::errors::{Kind, Outcome};

/// A number of a column.
pub(crate) trait Number: Sized {
    /// Copies numbers to a typed array of JavaScript.
    fn array(numbers: &[Self]) -> JsValue;
}

macro_rules! numbers {
    ($($number:ty => $array:ty),*) => {
        $(impl Number for $number {
            fn array(numbers: &[Self]) -> JsValue {
                <$array>::from(numbers).into()
            }
        })*
    };
}

numbers!(f64 => Float64Array, f32 => Float32Array, u32 => Uint32Array, u16 => Uint16Array, u8 => Uint8Array);

/// Adds a column to an object of JavaScript, and frees it here.
pub(crate) fn put_column<N: Number>(object: &Object, name: &str, column: Vec<N>) -> Outcome<()> {
    Reflect::set(object, &name.into(), &N::array(&column)).map(drop)
}

/// Creates the error for a table that does not fit into memory.
pub(crate) fn too_large<E>(_: E) -> JsValue {
    Kind::Limit.error("there is no memory for the result")
}

/// Declares a table: a struct of columns, each with its name in JavaScript.
macro_rules! table {
    ($(#[$doc:meta])* $table:ident { $($field:ident: $number:ty = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Default)]
        pub(crate) struct $table {
            $($field: Vec<$number>,)*
        }

        impl $table {
            /// Makes room for more rows.
            pub(crate) fn reserve(&mut self, rows: usize) -> $crate::errors::Outcome<()> {
                $(self.$field.try_reserve(rows).map_err($crate::states::too_large)?;)*
                Ok(())
            }

            /// Returns the number of rows.
            pub(crate) fn len(&self) -> usize {
                self.time.len()
            }

            /// Returns an object of typed arrays.
            pub(crate) fn into_js(self) -> $crate::errors::Outcome<js_sys::Object> {
                let object = js_sys::Object::new();
                $($crate::states::put_column(&object, $name, self.$field)?;)*
                Ok(object)
            }
        }
    };
}
pub(crate) use table;

table! {
    /// The states of entities.
    States {
        time: f64 = "t",
        view: u16 = "view",
        guid: u32 = "guid",
        cell: u32 = "cell",
        x: f32 = "x",
        y: f32 = "y",
        z: f32 = "z",
        heading: f32 = "heading",
        qw: f32 = "qw",
        qx: f32 = "qx",
        qy: f32 = "qy",
        qz: f32 = "qz",
        vx: f32 = "vx",
        vy: f32 = "vy",
        vz: f32 = "vz",
        shown_vx: f32 = "shownVx",
        shown_vy: f32 = "shownVy",
        shown_vz: f32 = "shownVz",
        contact: u8 = "contact",
        on_walkable: u8 = "onWalkable",
        style: u32 = "style",
        substate: u32 = "substate",
        substate_speed: f32 = "substateSpeed",
        animation: u32 = "animation",
        frame: f64 = "frame",
        nodes: u32 = "interpolationNodes",
        fails: u32 = "interpolationFails",
        constraint: f32 = "constraintOffset",
        move_to: u8 = "moveto",
        pending: u32 = "pending",
    }
}

impl States {
    /// Adds the state of an entity, of a view by its index.
    pub(crate) fn push(&mut self, view: usize, now: f64, resident: &Resident, library: &Library) {
        let (body, entity) = (resident.body(), resident.entity());
        let (playing, sequence) = (entity.animator.state(), entity.animator.sequence());
        let (interpolation, constraint) = (&entity.correction.interpolation, &entity.correction.constraint);
        let CellPosition { cell, frame } = body.position;
        self.time.push(now);
        self.view.push(view as u16);
        self.guid.push(resident.guid().0);
        self.cell.push(cell.0);
        self.x.push(frame.origin.x);
        self.y.push(frame.origin.y);
        self.z.push(frame.origin.z);
        self.heading.push(frame.heading());
        self.qw.push(frame.rotation.w);
        self.qx.push(frame.rotation.x);
        self.qy.push(frame.rotation.y);
        self.qz.push(frame.rotation.z);
        self.vx.push(body.velocity.x);
        self.vy.push(body.velocity.y);
        self.vz.push(body.velocity.z);
        self.shown_vx.push(body.cached_velocity.x);
        self.shown_vy.push(body.cached_velocity.y);
        self.shown_vz.push(body.cached_velocity.z);
        self.contact.push(body.has_contact().into());
        self.on_walkable.push(body.is_on_walkable().into());
        self.style.push(playing.style().0);
        self.substate.push(playing.substate().0);
        self.substate_speed.push(playing.substate_speed());
        self.animation.push(sequence.current(library).map_or(0, |playing| playing.id().0));
        self.frame.push(sequence.frame());
        self.nodes.push(interpolation.nodes().len() as u32);
        self.fails.push(interpolation.fail_count());
        self.constraint.push(if constraint.is_active() { constraint.pos_offset() } else { f32::NAN });
        self.move_to.push(entity.move_to().map_or(0, |order| move_kind(order.kind())));
        self.pending.push(entity.animator.pending().len() as u32);
    }
}

/// Returns the index of the kind of an order in the list `MOVE_KINDS` of JavaScript, in which 0 is no order.
fn move_kind(kind: MoveKind) -> u8 {
    match kind {
        MoveKind::Idle => 1,
        MoveKind::MoveToObject => 2,
        MoveKind::MoveToPosition => 3,
        MoveKind::TurnToObject => 4,
        MoveKind::TurnToHeading => 5,
    }
}

/// Lines of events, in pieces that JavaScript takes one after the other.
#[derive(Default)]
pub(crate) struct EventLines {
    pieces: std::collections::VecDeque<String>,
    count: usize,
}

impl EventLines {
    /// The size of a piece, in bytes.
    const PIECE: usize = 256 << 10;

    /// Adds an event that is listed, of a view by its index.
    pub(crate) fn push(&mut self, view: usize, event: &Event, library: &Library) {
        let Some(line) = event_line(event, library, false) else { return };
        self.count += 1;
        if self.pieces.back().is_none_or(|piece| piece.len() >= Self::PIECE) {
            self.pieces.push_back(String::with_capacity(Self::PIECE + 1024));
        }
        if let Some(piece) = self.pieces.back_mut() {
            piece.push_str(&view.to_string());
            piece.push(' ');
            piece.push_str(&line);
            piece.push('\n');
        }
    }

    /// Returns the number of events.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Removes and returns the first piece: in each line the index of a view and an event as JSON. `None` at the end.
    pub(crate) fn next(&mut self) -> Option<String> {
        self.pieces.pop_front()
    }
}
