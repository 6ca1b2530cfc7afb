//! Messages that describe an entity as it is, for the clients of a server (rules D4, D5, D9–D13).
//!
//! They read the stamps and never advance them. The functions in [`server_changes`](super::server_changes) do.

use acmotion_dat::{DataId, mannequin};
use acmotion_types::Vec3;
use acmotion_wire::{
    Attachment, Children, CreateObject, DeleteObject, InitialMovement, ModelData, MotionFlags, Movement,
    MovementBody, MovementData, ObjectDesc, Pad, ParentEvent, PhysicsDesc, PickupEvent, PositionFlags,
    PositionPack, S2C, SetState, UpdateMotion, UpdatePosition, VectorUpdate, WeenieDesc, WireBool,
};

use super::create::{CREATURE, OBJECT_FLAGS, movement_of};
use super::spec::SPEC_FLAGS;
use super::{EntityId, EntitySpec, Resident, StandIn, World};
use crate::body::BodyFlags;
use crate::effects::DefaultScript;
use crate::interp::InterpretedState;
use crate::library::Library;

/// The description of an entity for a client that does not know it: the contents of a `CreateObject` message (rule D13).
///
/// A world stores only what concerns motion. The other fields, such as the name, have defaults for you to replace.
///
/// ```
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
/// use acmotion::{Description, EntitySpec};
///
/// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
/// let spec = EntitySpec::new(Guid(0x8000_0001), position);
/// // That of an entity in a world: world.describe(id)
/// let description = Description { class_id: 7, ..Description::of_spec(spec).named("Drudge") };
/// let mut message = Vec::new();
/// description.encode(&mut message);
/// assert_eq!(message[..4], 0xF745_u32.to_le_bytes(), "CreateObject");
/// ```
#[derive(Clone, Debug)]
pub struct Description {
    /// What the entity is made of, and its present state.
    pub spec: EntitySpec,
    /// The entities that it holds, and where.
    pub children: Vec<Attachment>,
    /// Its name, in the client's encoding (Windows-1252). Empty by default.
    pub name: Vec<u8>,
    /// The id of its weenie class. 1 by default.
    #[doc(alias = "wcid")]
    pub class_id: u32,
    /// The item type: 0x10 for a creature, 0 for anything else by default.
    pub item_type: u32,
    /// The object flags: by default those that follow from the flags of the [`spec`](EntitySpec::mover_flags).
    #[doc(alias = "ObjectDescriptionFlag")]
    pub object_flags: u32,
    /// The sound table (0x20…). `None` by default.
    pub sound_table: Option<DataId>,
    /// The physics script table (0x34…). `None` by default.
    pub script_table: Option<DataId>,
}

impl Description {
    /// Describes an entity of which only the spec is known, such as one that has not been spawned.
    pub fn of_spec(spec: EntitySpec) -> Self {
        let is_creature = spec.weenie.as_ref().map_or(spec.is_creature, |weenie| weenie.is_creature());
        let flags = OBJECT_FLAGS.iter().filter(|(_, flag)| spec.mover_flags.contains(*flag));
        let object_flags = flags.fold(0, |bits, (bit, _)| bits | bit);
        Self {
            spec,
            children: Vec::new(),
            name: Vec::new(),
            class_id: 1,
            item_type: if is_creature { CREATURE } else { 0 },
            object_flags,
            sound_table: None,
            script_table: None,
        }
    }

    /// Returns the description with a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<Vec<u8>>) -> Self {
        self.name = name.into();
        self
    }

    /// Appends the `CreateObject` message, which starts with its opcode.
    pub fn encode(&self, out: &mut Vec<u8>) {
        self.with_message(|message| S2C::from(*message).encode(out));
    }

    /// Passes the `CreateObject` message to a function, which can complete or send it, and returns the result. The message
    /// borrows from the description.
    pub fn with_message<R>(&self, use_message: impl FnOnce(&CreateObject<'_>) -> R) -> Option<R> {
        let spec = &self.spec;
        let default = EntitySpec::default();
        let mut actions = Vec::new();
        let movement = spec.motion.as_ref().map(|state| InitialMovement::Movement {
            movement: movement_of(state, &mut actions),
            autonomous: WireBool::from(spec.is_autonomous),
        });
        let has_placement = movement.is_none() && spec.placement != 0;
        let physics = PhysicsDesc {
            state: spec.state,
            placement: has_placement.then_some(spec.placement),
            movement,
            position: spec.position.filter(|_| spec.held_by.is_none()),
            motion_table: spec.motion_table.map(|id| id.0),
            sound_table: self.sound_table.map(|id| id.0),
            physics_script_table: self.script_table.map(|id| id.0),
            setup: spec.setup.map(|id| id.0),
            parent: spec.held_by.map(|by| Attachment { guid: by.parent, location: by.location }),
            children: (!self.children.is_empty()).then(|| Children::new(&self.children)),
            scale: other_than(spec.scale, default.scale),
            friction: other_than(spec.friction, default.friction),
            elasticity: other_than(spec.elasticity, default.elasticity),
            translucency: spec.translucency,
            velocity: spec.velocity,
            omega: (spec.omega != Vec3::ZERO).then_some(spec.omega),
            default_script: spec.default_script.map(|(script, _)| script.0),
            default_script_intensity: spec.default_script.map(|(_, intensity)| intensity),
            stamps: spec.stamps,
            ..PhysicsDesc::default()
        };
        let mut weenie = Vec::new();
        WeenieDesc::encode_typed(&self.name, self.class_id, self.item_type, self.object_flags, &mut weenie);
        // What was just encoded can be decoded.
        let weenie = WeenieDesc::decode(&weenie).ok()?;
        let desc = ObjectDesc { guid: spec.guid, model: ModelData::PLAIN, physics, weenie };
        Some(use_message(&CreateObject(desc)))
    }
}

/// Returns a value unless it is the default.
fn other_than(value: f32, default: f32) -> Option<f32> {
    (value != default).then_some(value)
}

impl Resident {
    /// Keeps the setup and the motion table of a spec if they are missing from the assets; the others are in the library.
    pub(super) fn remember_missing(&mut self, spec: &EntitySpec) {
        let missing = |what| self.stand_in.contains(what);
        let setup = spec.setup.filter(|_| missing(StandIn::SETUP));
        let table = spec.motion_table.filter(|_| missing(StandIn::TABLE));
        if setup.is_some() || table.is_some() {
            let links = self.links_mut();
            (links.missing_setup, links.missing_table) = (setup, table);
        }
    }

    /// The setup it was described with, `None` if there was none.
    fn setup(&self, library: &Library) -> Option<DataId> {
        if self.stand_in.contains(StandIn::WHOLE) {
            return Some(mannequin::HUMAN_SETUP);
        }
        if self.stand_in.contains(StandIn::SETUP) {
            return self.links.as_ref()?.missing_setup;
        }
        Some(library.model(self.model?).id())
    }

    /// The motion table it was described with, `None` if there was none.
    fn motion_table(&self, library: &Library) -> Option<DataId> {
        if self.stand_in.contains(StandIn::WHOLE) {
            return Some(mannequin::HUMAN_TABLE);
        }
        if self.stand_in.contains(StandIn::TABLE) {
            return self.links.as_ref()?.missing_table;
        }
        Some(library.table(self.entity.animator.table()?).id())
    }

    fn to_spec(&self, library: &Library) -> EntitySpec {
        let (entity, body) = (&self.entity, &self.entity.body);
        let is_in_cell = body.is_in_cell();
        let effects = entity.effects();
        let script = match effects.and_then(|effects| effects.default_script()) {
            Some(DefaultScript::Type { script, intensity }) => Some((script, intensity)),
            // The setup brings its own.
            Some(DefaultScript::Setup(_)) | None => None,
        };
        EntitySpec {
            guid: self.guid(),
            setup: self.setup(library),
            motion_table: self.motion_table(library),
            position: is_in_cell.then_some(body.position),
            held_by: self.held_by(),
            placement: self.placement(),
            motion: body.flags.contains(BodyFlags::MANAGED).then(|| self.movement_state()),
            is_autonomous: body.flags.contains(BodyFlags::AUTONOMOUS),
            state: body.state,
            scale: body.scale,
            friction: body.friction(),
            elasticity: body.elasticity(),
            translucency: effects.and_then(|effects| effects.original_translucency()),
            velocity: (body.velocity != Vec3::ZERO).then_some(body.velocity),
            omega: body.omega,
            default_script: script,
            is_creature: entity.weenie().is_some_and(|weenie| weenie.is_creature()),
            mover_flags: entity.mover_flags & SPEC_FLAGS,
            weenie: None,
            stamps: self.stamps,
        }
    }

    /// Its motion without the actions, which a newcomer must not see again.
    fn movement_state(&self) -> InterpretedState {
        let mut state = InterpretedState::default();
        state.copy_movement_from(&self.entity.interp.interpreted);
        state
    }
}

impl World {
    /// Returns the spec that creates an entity as it is now, in this world or another; `None` if it does not exist. The spec
    /// does not contain the weenie itself, actions that play, the order that it follows, or running scripts and tweens.
    pub fn spec_of(&self, id: EntityId) -> Option<EntitySpec> {
        Some(self.store.get(id)?.to_spec(&self.library))
    }

    /// Describes an entity as it is now, for a client that does not know it yet (rule D13); `None` if it does not exist.
    /// [`Description::encode`] makes the message. Describe a holder before what it holds: a client keeps an object waiting
    /// while its holder is unknown (rule D12).
    pub fn describe(&self, id: EntityId) -> Option<Description> {
        let resident = self.store.get(id)?;
        let children = resident.children().iter().filter_map(|child| {
            Some(Attachment { guid: *child, location: self.store.find(*child)?.held_by()?.location })
        });
        let children = children.collect();
        Some(Description { children, ..Description::of_spec(resident.to_spec(&self.library)) })
    }

    /// Describes the motion of an entity as it is now, with its last stamps; `None` if it does not exist or has no motion
    /// table (rule D9). Actions that play are not part of it. To make an entity move, use
    /// [`set_movement`](Self::set_movement), which returns the message.
    pub fn describe_motion(&self, id: EntityId) -> Option<UpdateMotion<'static>> {
        let resident = self.store.get(id).filter(|resident| resident.entity().animator.table().is_some())?;
        let interp = &resident.entity().interp;
        let mut flags = MotionFlags::empty();
        flags.set(MotionFlags::STANDING_LONG_JUMP, interp.standing_long_jump);
        let state = interp.interpreted.to_wire_without_actions();
        let body = MovementBody::Interpreted { state, sticky: None };
        let data = MovementData {
            movement_stamp: resident.stamps.movement,
            server_control: resident.stamps.server_control,
            autonomous: WireBool::from(resident.body().flags.contains(BodyFlags::AUTONOMOUS)),
            pad: Pad::ZERO,
            movement: Movement { flags, style: interp.interpreted.style, body },
        };
        Some(UpdateMotion { guid: resident.guid(), instance: resident.stamps.instance, data })
    }

    /// Describes where an entity is, with its last stamps; `None` if it does not exist or is in no cell (rules D5, D6). A
    /// client that already has that stamp drops the message. To report a body that has moved, use
    /// [`report_position`](Self::report_position).
    pub fn describe_position(&self, id: EntityId) -> Option<UpdatePosition> {
        let resident = self.store.get(id).filter(|resident| resident.body().is_in_cell())?;
        let mut flags = PositionFlags::empty();
        flags.set(PositionFlags::GROUNDED, resident.body().has_contact());
        let stamps = &resident.stamps;
        let pack = PositionPack {
            flags,
            position: resident.position(),
            velocity: None,
            placement: Some(resident.placement()).filter(|key| *key != 0),
            instance: stamps.instance,
            position_stamp: stamps.position,
            teleport: stamps.teleport,
            force_position: stamps.force_position,
        };
        Some(UpdatePosition { guid: resident.guid(), pack: pack.compact() })
    }

    /// Describes the velocity and angular velocity of an entity, with its last stamps; `None` if it does not exist (rule
    /// D10).
    pub fn describe_vector(&self, id: EntityId) -> Option<VectorUpdate> {
        let resident = self.store.get(id)?;
        let (body, stamps) = (resident.body(), &resident.stamps);
        Some(VectorUpdate {
            guid: resident.guid(),
            velocity: body.velocity,
            omega: body.omega,
            instance: stamps.instance,
            vector: stamps.vector,
        })
    }

    /// Describes the physics state of an entity, with its last stamps; `None` if it does not exist (rule D11).
    pub fn describe_state(&self, id: EntityId) -> Option<SetState> {
        let resident = self.store.get(id)?;
        let (state, stamps) = (resident.body().state, &resident.stamps);
        Some(SetState { guid: resident.guid(), state, instance: stamps.instance, state_stamp: stamps.state })
    }

    /// Describes what holds an entity, with the last stamps of both; `None` if it does not exist or is not held (rule D11).
    pub fn describe_parent(&self, id: EntityId) -> Option<ParentEvent> {
        let resident = self.store.get(id)?;
        let held_by = resident.held_by()?;
        let parent = self.store.find(held_by.parent)?;
        Some(ParentEvent {
            parent: held_by.parent,
            child: resident.guid(),
            location: held_by.location,
            placement: resident.placement(),
            parent_instance: parent.stamps.instance,
            child_position: resident.stamps.position,
        })
    }

    /// Describes that an entity is in no cell, with its last stamps; `None` if it does not exist, is in a cell or is held
    /// (rule D11).
    pub fn describe_pickup(&self, id: EntityId) -> Option<PickupEvent> {
        let resident = self.store.get(id)?;
        let is_away = !resident.body().is_in_cell() && resident.parent().is_none();
        let stamps = &resident.stamps;
        is_away.then(|| PickupEvent {
            guid: resident.guid(),
            instance: stamps.instance,
            position: stamps.position,
        })
    }

    /// Returns the message that deletes an entity, to be sent when it is [despawned](Self::despawn); `None` if it does not
    /// exist (any more).
    pub fn describe_delete(&self, id: EntityId) -> Option<DeleteObject> {
        let resident = self.store.get(id)?;
        Some(DeleteObject { guid: resident.guid(), instance: resident.stamps.instance, pad: Pad::ZERO })
    }
}
