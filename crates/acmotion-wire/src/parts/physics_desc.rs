//! The physical description of a new object.

use acmotion_types::{CellPosition, Guid, Vec3};

use super::items::{Items, WireItem};
use super::movement::Movement;
use super::stamps::ObjectStamps;
use crate::cursor::{Pad, ReadResult, Reader, WireBool, Writer};
use crate::flags::{PhysicsDescFlags as Flags, PhysicsState};

/// The physical description of an object, with the fields in wire order (rule D13, `docs/wire.md` §2.6).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PhysicsDesc<'a> {
    /// The leading word as received. When encoding, the bits that announce fields are set from the fields themselves;
    /// see [`wire_flags`](Self::wire_flags).
    pub flags: Flags,
    /// The physics state.
    pub state: PhysicsState,
    /// The movement in progress.
    pub movement: Option<InitialMovement<'a>>,
    /// The placement frame. Absent if there is a movement.
    #[doc(alias = "animation_frame")]
    pub placement: Option<u32>,
    /// The position.
    pub position: Option<CellPosition>,
    /// The motion table (0x09…).
    pub motion_table: Option<u32>,
    /// The sound table (0x20…).
    pub sound_table: Option<u32>,
    /// The physics script table (0x34…).
    pub physics_script_table: Option<u32>,
    /// The setup (0x02…).
    pub setup: Option<u32>,
    /// The object it is attached to.
    pub parent: Option<Attachment>,
    /// The objects attached to it.
    pub children: Option<Children<'a>>,
    /// The scale factor.
    pub scale: Option<f32>,
    /// The friction.
    pub friction: Option<f32>,
    /// The elasticity.
    pub elasticity: Option<f32>,
    /// The translucency.
    pub translucency: Option<f32>,
    /// The velocity, in metres a second.
    pub velocity: Option<Vec3>,
    /// The acceleration, in metres per second squared.
    pub acceleration: Option<Vec3>,
    /// The angular velocity, in radians a second.
    pub omega: Option<Vec3>,
    /// The default script.
    pub default_script: Option<u32>,
    /// The intensity of the default script.
    pub default_script_intensity: Option<f32>,
    /// The nine stamps.
    pub stamps: ObjectStamps,
    /// The two padding bytes after the stamps.
    pub pad: Pad,
}

/// The movement in progress when an object is created. It has no stamps of its own.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum InitialMovement<'a> {
    /// A buffer of length zero. The word after it, [`autonomous`](Self::Movement::autonomous), is absent too.
    Empty,
    /// A movement.
    Movement {
        /// The movement.
        movement: Movement<'a>,
        /// Whether the moving client itself started the movement.
        autonomous: WireBool<u32>,
    },
}

/// An attachment of one object to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Attachment {
    /// The other object.
    pub guid: Guid,
    /// The attachment point: right hand, back …
    #[doc(alias = "parent_location")]
    pub location: u32,
}

/// The objects attached to an object.
pub type Children<'a> = Items<'a, Attachment>;

impl WireItem for Attachment {
    const SIZE: usize = 8;

    fn read(reader: &mut Reader<'_>) -> ReadResult<Self> {
        Ok(Self { guid: reader.guid("guid")?, location: reader.u32("location")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.guid);
        writer.u32(self.location);
    }
}

impl<'a> PhysicsDesc<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        let flags = Flags::from_bits_retain(reader.u32("physics_flags")?);
        let state = PhysicsState::from_bits_retain(reader.u32("physics_state")?);
        let r = reader;
        let has = |flag| flags.contains(flag);
        let id = |r: &mut Reader<'a>, flag, field| has(flag).then(|| r.u32(field)).transpose();
        let float = |r: &mut Reader<'a>, flag, field| has(flag).then(|| r.f32(field)).transpose();
        let vector = |r: &mut Reader<'a>, flag, field| has(flag).then(|| r.vec3(field)).transpose();
        let movement = has(Flags::MOVEMENT).then(|| InitialMovement::read(r)).transpose()?;
        let placement = if movement.is_none() { id(r, Flags::PLACEMENT, "placement")? } else { None };
        Ok(Self {
            flags,
            state,
            movement,
            placement,
            position: has(Flags::POSITION).then(|| r.position("position")).transpose()?,
            motion_table: id(r, Flags::MOTION_TABLE, "motion_table")?,
            sound_table: id(r, Flags::SOUND_TABLE, "sound_table")?,
            physics_script_table: id(r, Flags::PHYSICS_SCRIPT_TABLE, "physics_script_table")?,
            setup: id(r, Flags::SETUP, "setup")?,
            parent: has(Flags::PARENT).then(|| Attachment::read(r)).transpose()?,
            children: has(Flags::CHILDREN).then(|| read_children(r)).transpose()?,
            scale: float(r, Flags::SCALE, "scale")?,
            friction: float(r, Flags::FRICTION, "friction")?,
            elasticity: float(r, Flags::ELASTICITY, "elasticity")?,
            translucency: float(r, Flags::TRANSLUCENCY, "translucency")?,
            velocity: vector(r, Flags::VELOCITY, "velocity")?,
            acceleration: vector(r, Flags::ACCELERATION, "acceleration")?,
            omega: vector(r, Flags::OMEGA, "omega")?,
            default_script: id(r, Flags::DEFAULT_SCRIPT, "default_script")?,
            default_script_intensity: float(r, Flags::DEFAULT_SCRIPT_INTENSITY, "default_script_intensity")?,
            stamps: ObjectStamps::read(r)?,
            pad: r.align()?,
        })
    }

    /// Returns the leading word as it is encoded: a bit is set if its field is present.
    pub fn wire_flags(&self) -> Flags {
        let mut flags = self.flags;
        flags.set(Flags::MOVEMENT, self.movement.is_some());
        if self.movement.is_none() {
            flags.set(Flags::PLACEMENT, self.placement.is_some());
        }
        flags.set(Flags::POSITION, self.position.is_some());
        flags.set(Flags::MOTION_TABLE, self.motion_table.is_some());
        flags.set(Flags::SOUND_TABLE, self.sound_table.is_some());
        flags.set(Flags::PHYSICS_SCRIPT_TABLE, self.physics_script_table.is_some());
        flags.set(Flags::SETUP, self.setup.is_some());
        flags.set(Flags::PARENT, self.parent.is_some());
        flags.set(Flags::CHILDREN, self.children.is_some());
        flags.set(Flags::SCALE, self.scale.is_some());
        flags.set(Flags::FRICTION, self.friction.is_some());
        flags.set(Flags::ELASTICITY, self.elasticity.is_some());
        flags.set(Flags::TRANSLUCENCY, self.translucency.is_some());
        flags.set(Flags::VELOCITY, self.velocity.is_some());
        flags.set(Flags::ACCELERATION, self.acceleration.is_some());
        flags.set(Flags::OMEGA, self.omega.is_some());
        flags.set(Flags::DEFAULT_SCRIPT, self.default_script.is_some());
        flags.set(Flags::DEFAULT_SCRIPT_INTENSITY, self.default_script_intensity.is_some());
        flags
    }

    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        let w = writer;
        w.u32(self.wire_flags().bits());
        w.u32(self.state.bits());
        match (&self.movement, self.placement) {
            (Some(movement), _) => movement.write(w),
            (None, Some(placement)) => w.u32(placement),
            (None, None) => {}
        }
        self.position.iter().for_each(|position| w.position(*position));
        let ids = [self.motion_table, self.sound_table, self.physics_script_table, self.setup];
        ids.into_iter().flatten().for_each(|id| w.u32(id));
        self.parent.iter().for_each(|parent| parent.write(w));
        if let Some(children) = &self.children {
            w.u32(children.len() as u32);
            children.write(w, usize::MAX);
        }
        let floats = [self.scale, self.friction, self.elasticity, self.translucency];
        floats.into_iter().flatten().for_each(|float| w.f32(float));
        let vectors = [self.velocity, self.acceleration, self.omega];
        vectors.into_iter().flatten().for_each(|vector| w.vec3(vector));
        self.default_script.iter().for_each(|script| w.u32(*script));
        self.default_script_intensity.iter().for_each(|intensity| w.f32(*intensity));
        self.stamps.write(w);
        w.align(self.pad);
    }
}

fn read_children<'a>(reader: &mut Reader<'a>) -> ReadResult<Children<'a>> {
    let count = reader.u32("children")? as usize;
    Children::read(reader, count, "children")
}

impl<'a> InitialMovement<'a> {
    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        let length = reader.u32("movement")? as usize;
        if length == 0 {
            return Ok(Self::Empty);
        }
        let mut buffer = reader.sub_reader(length, "movement")?;
        let movement = Movement::read(&mut buffer)?;
        buffer.finish("movement")?;
        Ok(Self::Movement { movement, autonomous: WireBool(reader.u32("movement_autonomous")?) })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        let length_at = writer.offset();
        writer.u32(0);
        if let Self::Movement { movement, autonomous } = self {
            movement.write(writer);
            let length = writer.offset() - length_at - 4;
            writer.patch_u32(length + 4, length as u32);
            writer.u32(autonomous.0);
        }
    }
}
