//! The table `entities`.

use acmotion::StandIn;
use acmotion_types::Guid;
use acmotion_wire::ObjectDesc;

use crate::column::{Name, Optional, Required, Text, Timestamp};
use crate::table::{Rows as _, table};
use crate::time::Moment;

table! {
    /// One row for each entity of the engine's world, from its creation to its removal. An object that is created again
    /// after its removal has another row.
    Entities = "entities" {
        /// The object.
        guid: Required<u32>,
        /// Its name, if the capture creates it.
        name: Optional<Text>,
        /// Its class id.
        wcid: Optional<u32>,
        /// Its setup.
        setup: Optional<u32>,
        /// Its motion table.
        motion_table: Optional<u32>,
        /// Its scale, if it is not 1.
        scale: Optional<f32>,
        /// Whether it is the local player.
        is_player: Required<bool>,
        /// What the humanoid stands in for: `nothing`, `setup`, `motion table`, `both`, or `all` of an object that is never created, only reported.
        stand_in: Required<Name>,
        /// Seconds from the first message of the capture to its creation.
        created_t: Required<f64>,
        /// The time of its creation, where the capture's clock is that of the calendar.
        created: Optional<Timestamp>,
        /// Seconds from the first message to its removal; missing if it is there at the end.
        deleted_t: Optional<f64>,
        /// The time of its removal.
        deleted: Optional<Timestamp>,
        /// How it was removed: `deleted` by the server, or `replaced` by a newer instance.
        deleted_how: Optional<Name>,
        /// The number of positions that were reported of it.
        reports: Required<i64>,
        /// The greatest `error` of these reports, in metres.
        max_error: Optional<f32>,
        /// The mean `error` of these reports, in metres.
        mean_error: Optional<f64>,
        /// How far it moved, in metres, without rises, falls, snaps and teleports.
        moved: Required<f64>,
        /// How often it was snapped to where the server has it.
        snaps: Required<i64>,
        /// How often it was teleported.
        teleports: Required<i64>,
    }
}

/// The maximum length of a name that is kept, in characters.
const MAX_NAME_LENGTH: usize = 256;

/// How an object was described when it was created.
#[derive(Default)]
pub(crate) struct Description {
    name: Box<str>,
    wcid: u32,
    setup: Option<u32>,
    motion_table: Option<u32>,
    scale: Option<f32>,
}

impl Description {
    pub(crate) fn new(object: &ObjectDesc<'_>) -> Self {
        let name: String = object.weenie.name().chars().take(MAX_NAME_LENGTH).collect();
        Self {
            name: name.into(),
            wcid: object.weenie.class_id(),
            setup: object.physics.setup,
            motion_table: object.physics.motion_table,
            scale: object.physics.scale,
        }
    }
}

/// What is known of an entity.
pub(crate) struct Life {
    pub(crate) created: Moment,
    pub(crate) description: Option<Description>,
    pub(crate) stand_in: StandIn,
    pub(crate) reports: i64,
    /// The number of reports with an error, and the sum of the errors.
    pub(crate) errors: (i64, f64),
    pub(crate) max_error: Option<f32>,
    pub(crate) moved: f64,
    pub(crate) snaps: i64,
    pub(crate) teleports: i64,
}

impl Life {
    pub(crate) fn new(created: Moment) -> Self {
        Self {
            created,
            description: None,
            stand_in: StandIn::empty(),
            reports: 0,
            errors: (0, 0.0),
            max_error: None,
            moved: 0.0,
            snaps: 0,
            teleports: 0,
        }
    }

    pub(crate) fn add_error(&mut self, error: f32) {
        self.errors.0 += 1;
        self.errors.1 += f64::from(error);
        self.max_error = Some(self.max_error.map_or(error, |max| max.max(error)));
    }
}

/// How an entity was removed.
#[derive(Clone, Copy)]
pub(crate) struct Removal {
    pub(crate) moment: Moment,
    pub(crate) how: &'static str,
}

impl Entities {
    /// Sets the values of a row.
    pub(crate) fn push(&mut self, guid: Guid, is_player: bool, life: &Life, removal: Option<Removal>) {
        let row = self.len();
        self.guid.push(guid.0);
        if let Some(description) = &life.description {
            self.name.set(row, &description.name);
            self.wcid.set(row, description.wcid);
            self.setup.set_some(row, description.setup);
            self.motion_table.set_some(row, description.motion_table);
            self.scale.set_some(row, description.scale);
        }
        self.is_player.push(is_player);
        self.stand_in.push(stand_in_name(life.stand_in));
        self.created_t.push(life.created.t);
        self.created.set_some(row, life.created.micros);
        if let Some(removal) = removal {
            self.deleted_t.set(row, removal.moment.t);
            self.deleted.set_some(row, removal.moment.micros);
            self.deleted_how.set(row, removal.how);
        }
        self.reports.push(life.reports);
        self.max_error.set_some(row, life.max_error);
        let (count, sum) = life.errors;
        self.mean_error.set_some(row, (count > 0).then(|| sum / count as f64));
        self.moved.push(life.moved);
        self.snaps.push(life.snaps);
        self.teleports.push(life.teleports);
    }
}

fn stand_in_name(stand_in: StandIn) -> &'static str {
    if stand_in.contains(StandIn::WHOLE) {
        return "all";
    }
    match (stand_in.contains(StandIn::SETUP), stand_in.contains(StandIn::TABLE)) {
        (true, true) => "both",
        (true, false) => "setup",
        (false, true) => "motion table",
        (false, false) => "nothing",
    }
}
