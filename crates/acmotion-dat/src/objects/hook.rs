//! Animation hooks: effects that fire when playback leaves a frame (`docs/dat.md` §3; rule H12).

use acmotion_types::{Frame, Vec3};

use crate::cursor::{ByteWriter, Reader};
use crate::error::{ParseError, Problem};
use crate::id::DataId;

/// The minimum size of a hook, in bytes: type and direction without a payload.
pub(crate) const MIN_HOOK_SIZE: usize = 8;

/// An effect that fires when playback leaves its frame in its direction.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "CAnimHook")]
pub struct Hook {
    /// The direction of playback in which the hook fires.
    pub direction: HookDirection,
    /// The effect.
    pub effect: HookEffect,
}

/// The direction of playback in which a hook fires. Unknown values are kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HookDirection(pub i32);

impl HookDirection {
    /// Fires only in backward playback.
    pub const BACKWARD: Self = Self(-1);
    /// Fires in both directions.
    pub const BOTH: Self = Self(0);
    /// Fires only in forward playback.
    pub const FORWARD: Self = Self(1);

    /// Returns the name of the direction: `backward`, `both`, `forward` or `unknown`.
    pub fn name(self) -> &'static str {
        match self {
            Self::BACKWARD => "backward",
            Self::BOTH => "both",
            Self::FORWARD => "forward",
            _ => "unknown",
        }
    }
}

/// A change of a value from `start` to `end` within `time` seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ramp {
    /// The initial value.
    pub start: f32,
    /// The final value.
    pub end: f32,
    /// The duration, in seconds.
    pub time: f32,
}

/// The area that an attack reaches.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AttackCone {
    /// The part that strikes.
    pub part: u32,
    /// The left edge, x and y.
    pub left: [f32; 2],
    /// The right edge, x and y.
    pub right: [f32; 2],
    /// The reach.
    pub radius: f32,
    /// The height.
    pub height: f32,
}

/// A boolean of four bytes. Every value but zero is true; the stored value is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bool32(pub u32);

impl Bool32 {
    /// Returns the value as a `bool`.
    pub const fn get(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Bool32 {
    fn from(value: bool) -> Self {
        Self(u32::from(value))
    }
}

/// A particle emitter to be created on a part.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ParticleSpec {
    /// The emitter's description, 0x32.
    pub emitter_info: DataId,
    /// The part to which the emitter is attached.
    pub part: u32,
    /// The frame of the emitter, relative to the part.
    pub offset: Frame,
    /// The number by which later hooks refer to the emitter; 0 if it has none.
    pub emitter: u32,
}

/// A mesh id in a packed form of two or four bytes, relative to 0x01000000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PackedMeshId {
    /// Two bytes.
    Short(u16),
    /// Four bytes: the high word with bit 15 set, then the low word.
    Long(u16, u16),
}

impl PackedMeshId {
    /// Returns the id of the mesh.
    pub const fn id(self) -> DataId {
        let offset = match self {
            Self::Short(low) => low as u32,
            Self::Long(high, low) => ((high as u32 & 0x3FFF) << 16) | low as u32,
        };
        DataId(0x0100_0000 + offset)
    }

    /// Packs an id as the original does: in the short form below 0x01004000. Returns `None` if the id is outside the range
    /// that can be packed.
    pub const fn new(id: DataId) -> Option<Self> {
        match id.0.checked_sub(0x0100_0000) {
            Some(offset) if offset < 0x4000 => Some(Self::Short(offset as u16)),
            Some(offset) if offset < 0x4000_0000 => {
                Some(Self::Long((offset >> 16) as u16 | 0x8000, offset as u16))
            }
            _ => None,
        }
    }
}

/// The effect of a hook: one variant for each of the 27 types, in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum HookEffect {
    /// Type 0: does nothing.
    NoOp,
    /// Type 1: plays a wave, 0x0A.
    Sound(DataId),
    /// Type 2: plays the sound with this number from the body's sound table.
    SoundTable(u32),
    /// Type 3: an attack hits.
    Attack(AttackCone),
    /// Type 4: the animation is done.
    AnimationDone,
    /// Type 5: replaces the mesh of a part.
    ReplaceObject {
        /// The part.
        part: u8,
        /// The new mesh.
        mesh: PackedMeshId,
        /// The padding up to a multiple of four bytes, zero in the game's files: one byte after a short id, three after a
        /// long one. Unused bytes are ignored.
        padding: [u8; 3],
    },
    /// Type 6: makes the body ethereal, or solid again.
    Ethereal(Bool32),
    /// Type 7: fades a part.
    TransparentPart {
        /// The part.
        part: u32,
        /// The change of transparency.
        ramp: Ramp,
    },
    /// Type 8: changes the luminosity of the body.
    Luminous(Ramp),
    /// Type 9: changes the luminosity of a part.
    LuminousPart {
        /// The part.
        part: u32,
        /// The change of luminosity.
        ramp: Ramp,
    },
    /// Type 10: changes the diffuse lighting of the body.
    Diffuse(Ramp),
    /// Type 11: changes the diffuse lighting of a part.
    DiffusePart {
        /// The part.
        part: u32,
        /// The change of the diffuse factor.
        ramp: Ramp,
    },
    /// Type 12: scales the body.
    Scale {
        /// The final scale.
        end: f32,
        /// The duration, in seconds.
        time: f32,
    },
    /// Type 13: creates a particle emitter.
    CreateParticle(ParticleSpec),
    /// Type 14: removes the emitter with this number.
    DestroyParticle(u32),
    /// Type 15: stops the emitter with this number.
    StopParticle(u32),
    /// Type 16: hides the body, or shows it again.
    NoDraw(Bool32),
    /// Type 17: runs the body's default script.
    DefaultScript,
    /// Type 18: runs the default script of a part.
    DefaultScriptPart(u32),
    /// Type 19: runs a physics script after a pause.
    CallPes {
        /// The script, 0x33.
        script: DataId,
        /// The pause before the script runs, in seconds.
        pause: f32,
    },
    /// Type 20: fades the body.
    Transparent(Ramp),
    /// Type 21: plays a wave with its own settings.
    SoundTweaked {
        /// The wave, 0x0A.
        wave: DataId,
        /// The probability that the sound is played.
        probability: f32,
        /// The priority of the sound.
        priority: f32,
        /// The volume.
        volume: f32,
    },
    /// Type 22: sets the angular velocity of the body.
    SetOmega(Vec3),
    /// Type 23: scrolls the textures of the body.
    TextureVelocity {
        /// The speed along u.
        u: f32,
        /// The speed along v.
        v: f32,
    },
    /// Type 24: scrolls the textures of a part.
    TextureVelocityPart {
        /// The part.
        part: u32,
        /// The speed along u.
        u: f32,
        /// The speed along v.
        v: f32,
    },
    /// Type 25: switches the body's lights on or off.
    SetLight(Bool32),
    /// Type 26: creates a particle emitter unless one with the same number exists.
    CreateBlockingParticle(ParticleSpec),
}

impl HookEffect {
    /// Returns the hook type as stored on disk.
    pub const fn number(&self) -> u32 {
        match self {
            Self::NoOp => 0,
            Self::Sound(_) => 1,
            Self::SoundTable(_) => 2,
            Self::Attack(_) => 3,
            Self::AnimationDone => 4,
            Self::ReplaceObject { .. } => 5,
            Self::Ethereal(_) => 6,
            Self::TransparentPart { .. } => 7,
            Self::Luminous(_) => 8,
            Self::LuminousPart { .. } => 9,
            Self::Diffuse(_) => 10,
            Self::DiffusePart { .. } => 11,
            Self::Scale { .. } => 12,
            Self::CreateParticle(_) => 13,
            Self::DestroyParticle(_) => 14,
            Self::StopParticle(_) => 15,
            Self::NoDraw(_) => 16,
            Self::DefaultScript => 17,
            Self::DefaultScriptPart(_) => 18,
            Self::CallPes { .. } => 19,
            Self::Transparent(_) => 20,
            Self::SoundTweaked { .. } => 21,
            Self::SetOmega(_) => 22,
            Self::TextureVelocity { .. } => 23,
            Self::TextureVelocityPart { .. } => 24,
            Self::SetLight(_) => 25,
            Self::CreateBlockingParticle(_) => 26,
        }
    }

    /// Returns the name of the hook type.
    pub const fn name(&self) -> &'static str {
        const NAMES: [&str; 27] = [
            "NoOp",
            "Sound",
            "SoundTable",
            "Attack",
            "AnimationDone",
            "ReplaceObject",
            "Ethereal",
            "TransparentPart",
            "Luminous",
            "LuminousPart",
            "Diffuse",
            "DiffusePart",
            "Scale",
            "CreateParticle",
            "DestroyParticle",
            "StopParticle",
            "NoDraw",
            "DefaultScript",
            "DefaultScriptPart",
            "CallPES",
            "Transparent",
            "SoundTweaked",
            "SetOmega",
            "TextureVelocity",
            "TextureVelocityPart",
            "SetLight",
            "CreateBlockingParticle",
        ];
        NAMES[self.number() as usize]
    }
}

/// Reads a hook. The original aligns to a multiple of four bytes after every hook, but only `ReplaceObject` needs it: all
/// other payloads, and everything before a hook in any object, have such a size.
pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Hook, ParseError> {
    let offset = reader.offset();
    let number = reader.u32("hook type")?;
    let direction = HookDirection(reader.i32("hook direction")?);
    let effect = match number {
        0 => HookEffect::NoOp,
        1 => HookEffect::Sound(reader.id("sound wave")?),
        2 => HookEffect::SoundTable(reader.u32("sound number")?),
        3 => HookEffect::Attack(read_cone(reader)?),
        4 => HookEffect::AnimationDone,
        5 => HookEffect::ReplaceObject {
            part: reader.u8("replaced part")?,
            mesh: read_mesh(reader)?,
            padding: reader.align4("hook padding")?,
        },
        6 => HookEffect::Ethereal(read_bool(reader)?),
        7 => HookEffect::TransparentPart { part: read_part(reader)?, ramp: read_ramp(reader)? },
        8 => HookEffect::Luminous(read_ramp(reader)?),
        9 => HookEffect::LuminousPart { part: read_part(reader)?, ramp: read_ramp(reader)? },
        10 => HookEffect::Diffuse(read_ramp(reader)?),
        11 => HookEffect::DiffusePart { part: read_part(reader)?, ramp: read_ramp(reader)? },
        12 => HookEffect::Scale { end: reader.f32("scale end")?, time: reader.f32("scale time")? },
        13 => HookEffect::CreateParticle(read_particle(reader)?),
        14 => HookEffect::DestroyParticle(reader.u32("emitter")?),
        15 => HookEffect::StopParticle(reader.u32("emitter")?),
        16 => HookEffect::NoDraw(read_bool(reader)?),
        17 => HookEffect::DefaultScript,
        18 => HookEffect::DefaultScriptPart(read_part(reader)?),
        19 => HookEffect::CallPes { script: reader.id("script")?, pause: reader.f32("script pause")? },
        20 => HookEffect::Transparent(read_ramp(reader)?),
        21 => HookEffect::SoundTweaked {
            wave: reader.id("sound wave")?,
            probability: reader.f32("sound probability")?,
            priority: reader.f32("sound priority")?,
            volume: reader.f32("sound volume")?,
        },
        22 => HookEffect::SetOmega(reader.vec3("omega")?),
        23 => HookEffect::TextureVelocity { u: reader.f32("u speed")?, v: reader.f32("v speed")? },
        24 => HookEffect::TextureVelocityPart {
            part: read_part(reader)?,
            u: reader.f32("u speed")?,
            v: reader.f32("v speed")?,
        },
        25 => HookEffect::SetLight(read_bool(reader)?),
        26 => HookEffect::CreateBlockingParticle(read_particle(reader)?),
        found => return reader.error_at(offset, "hook type", Problem::UnknownHook { found }),
    };
    Ok(Hook { direction, effect })
}

fn read_part(reader: &mut Reader<'_>) -> Result<u32, ParseError> {
    reader.u32("hook part")
}

fn read_bool(reader: &mut Reader<'_>) -> Result<Bool32, ParseError> {
    reader.u32("hook switch").map(Bool32)
}

fn read_ramp(reader: &mut Reader<'_>) -> Result<Ramp, ParseError> {
    Ok(Ramp {
        start: reader.f32("ramp start")?,
        end: reader.f32("ramp end")?,
        time: reader.f32("ramp time")?,
    })
}

fn read_cone(reader: &mut Reader<'_>) -> Result<AttackCone, ParseError> {
    Ok(AttackCone {
        part: reader.u32("attack part")?,
        left: [reader.f32("attack left x")?, reader.f32("attack left y")?],
        right: [reader.f32("attack right x")?, reader.f32("attack right y")?],
        radius: reader.f32("attack radius")?,
        height: reader.f32("attack height")?,
    })
}

fn read_mesh(reader: &mut Reader<'_>) -> Result<PackedMeshId, ParseError> {
    let first = reader.u16("replacing mesh")?;
    if first & 0x8000 == 0 {
        return Ok(PackedMeshId::Short(first));
    }
    Ok(PackedMeshId::Long(first, reader.u16("replacing mesh")?))
}

fn read_particle(reader: &mut Reader<'_>) -> Result<ParticleSpec, ParseError> {
    Ok(ParticleSpec {
        emitter_info: reader.id("emitter description")?,
        part: read_part(reader)?,
        offset: reader.frame("emitter offset")?,
        emitter: reader.u32("emitter")?,
    })
}

pub(crate) fn write(out: &mut Vec<u8>, hook: &Hook) {
    let start = out.len();
    out.u32(hook.effect.number());
    out.i32(hook.direction.0);
    match hook.effect {
        HookEffect::NoOp | HookEffect::AnimationDone | HookEffect::DefaultScript => {}
        HookEffect::Sound(id) => out.id(id),
        HookEffect::SoundTable(number)
        | HookEffect::DestroyParticle(number)
        | HookEffect::StopParticle(number)
        | HookEffect::DefaultScriptPart(number) => out.u32(number),
        HookEffect::Attack(cone) => write_cone(out, &cone),
        HookEffect::ReplaceObject { part, mesh, padding } => {
            out.u8(part);
            write_mesh(out, mesh);
            out.align4(start, padding);
        }
        HookEffect::Ethereal(switch) | HookEffect::NoDraw(switch) | HookEffect::SetLight(switch) => {
            out.u32(switch.0);
        }
        HookEffect::TransparentPart { part, ramp }
        | HookEffect::LuminousPart { part, ramp }
        | HookEffect::DiffusePart { part, ramp } => {
            out.u32(part);
            write_ramp(out, ramp);
        }
        HookEffect::Luminous(ramp) | HookEffect::Diffuse(ramp) | HookEffect::Transparent(ramp) => {
            write_ramp(out, ramp);
        }
        HookEffect::Scale { end, time } => write_floats(out, &[end, time]),
        HookEffect::CreateParticle(spec) | HookEffect::CreateBlockingParticle(spec) => {
            out.id(spec.emitter_info);
            out.u32(spec.part);
            out.frame(&spec.offset);
            out.u32(spec.emitter);
        }
        HookEffect::CallPes { script, pause } => {
            out.id(script);
            out.f32(pause);
        }
        HookEffect::SoundTweaked { wave, probability, priority, volume } => {
            out.id(wave);
            write_floats(out, &[probability, priority, volume]);
        }
        HookEffect::SetOmega(omega) => out.vec3(omega),
        HookEffect::TextureVelocity { u, v } => write_floats(out, &[u, v]),
        HookEffect::TextureVelocityPart { part, u, v } => {
            out.u32(part);
            write_floats(out, &[u, v]);
        }
    }
}

fn write_floats(out: &mut Vec<u8>, values: &[f32]) {
    for value in values {
        out.f32(*value);
    }
}

fn write_ramp(out: &mut Vec<u8>, ramp: Ramp) {
    write_floats(out, &[ramp.start, ramp.end, ramp.time]);
}

fn write_cone(out: &mut Vec<u8>, cone: &AttackCone) {
    out.u32(cone.part);
    let [left_x, left_y] = cone.left;
    let [right_x, right_y] = cone.right;
    write_floats(out, &[left_x, left_y, right_x, right_y, cone.radius, cone.height]);
}

fn write_mesh(out: &mut Vec<u8>, mesh: PackedMeshId) {
    match mesh {
        PackedMeshId::Short(low) => out.u16(low),
        PackedMeshId::Long(high, low) => {
            out.u16(high);
            out.u16(low);
        }
    }
}
