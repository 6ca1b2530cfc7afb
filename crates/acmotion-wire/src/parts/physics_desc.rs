//! What an object is physically, when it is created.

use acmotion_types::{CellPosition, Guid, Vec3};

use super::items::{Item, Items};
use super::movement::Movement;
use super::stamps::ObjectStamps;
use crate::cursor::{Pad, Read, Reader, WireBool, Writer};
use crate::flags::{PhysicsDescFlags as Flags, PhysicsState};

/// What an object is physically (rule D13, `docs/wire.md` §2.6), fields in the order of the wire.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PhysicsDesc<'a> {
    /// What the leading word said. When writing, the fields themselves decide over the bits that announce them.
    pub flags: Flags,
    /// The physics state.
    pub state: PhysicsState,
    /// What it is doing.
    pub movement: Option<InitialMovement<'a>>,
    /// Which placement frame; only without a movement.
    #[doc(alias = "animation_frame")]
    pub placement: Option<u32>,
    /// Where it is.
    pub position: Option<CellPosition>,
    /// Its motion table (0x09…).
    pub motion_table: Option<u32>,
    /// Its sound table (0x20…).
    pub sound_table: Option<u32>,
    /// Its physics script table (0x34…).
    pub physics_script_table: Option<u32>,
    /// Its setup (0x02…).
    pub setup: Option<u32>,
    /// What it is attached to.
    pub parent: Option<Attachment>,
    /// What is attached to it.
    pub children: Option<Children<'a>>,
    /// Its size.
    pub scale: Option<f32>,
    /// Its friction.
    pub friction: Option<f32>,
    /// Its elasticity.
    pub elasticity: Option<f32>,
    /// Its translucency.
    pub translucency: Option<f32>,
    /// Its velocity.
    pub velocity: Option<Vec3>,
    /// Its acceleration.
    pub acceleration: Option<Vec3>,
    /// Its turning speed.
    pub omega: Option<Vec3>,
    /// The script it plays.
    pub default_script: Option<u32>,
    /// How intensely.
    pub default_script_intensity: Option<f32>,
    /// All nine stamps.
    pub stamps: ObjectStamps,
    /// The two bytes behind the stamps.
    pub pad: Pad,
}

/// What an object is doing when it is created: a movement without stamps of its own.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum InitialMovement<'a> {
    /// A buffer of length zero; then there is no word on who began it either.
    Empty,
    /// A movement.
    Movement {
        /// The movement.
        movement: Movement<'a>,
        /// Did the moving client itself begin it?
        autonomous: WireBool<u32>,
    },
}

/// An object at a place of another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Attachment {
    /// The other object.
    pub guid: Guid,
    /// The place: right hand, back …
    #[doc(alias = "parent_location")]
    pub location: u32,
}

/// What is attached to an object.
pub type Children<'a> = Items<'a, Attachment>;

impl Item for Attachment {
    const SIZE: usize = 8;

    fn read(reader: &mut Reader<'_>) -> Read<Self> {
        Ok(Self { guid: reader.guid("guid")?, location: reader.u32("location")? })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.guid);
        writer.u32(self.location);
    }
}

impl<'a> PhysicsDesc<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>) -> Read<Self> {
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

    /// The leading word as it is written: what is there is announced.
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

fn read_children<'a>(reader: &mut Reader<'a>) -> Read<Children<'a>> {
    let count = reader.u32("children")? as usize;
    Children::read(reader, count, "children")
}

impl<'a> InitialMovement<'a> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        let length = reader.u32("movement")? as usize;
        if length == 0 {
            return Ok(Self::Empty);
        }
        let mut buffer = reader.limited(length, "movement")?;
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
