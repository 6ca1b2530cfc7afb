//! Animation hooks: what happens when a frame is left (`docs/dat.md` §3; rule H12).

use acmotion_types::{Frame, Vec3};

use crate::cursor::{Put, Reader};
use crate::error::{ParseError, Problem};
use crate::id::DataId;

/// Type and direction, with nothing behind.
pub(crate) const SMALLEST: usize = 8;

/// Something that happens when its frame is left in its direction.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "CAnimHook")]
pub struct Hook {
    /// In which direction of play it fires.
    pub direction: HookDirection,
    /// What happens.
    pub effect: HookEffect,
}

/// The direction of play in which a hook fires; values beyond the named ones are kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HookDirection(pub i32);

impl HookDirection {
    /// Backward play only.
    pub const BACKWARD: Self = Self(-1);
    /// Either way.
    pub const BOTH: Self = Self(0);
    /// Forward play only.
    pub const FORWARD: Self = Self(1);

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::BACKWARD => "backward",
            Self::BOTH => "both",
            Self::FORWARD => "forward",
            _ => "unknown",
        }
    }
}

/// A value that goes from `start` to `end` in `time` seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ramp {
    /// The value at first.
    pub start: f32,
    /// The value at the end.
    pub end: f32,
    /// Seconds in between.
    pub time: f32,
}

/// Where an attack reaches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AttackCone {
    /// The part that strikes.
    pub part: u32,
    /// The left edge, x and y.
    pub left: [f32; 2],
    /// The right edge, x and y.
    pub right: [f32; 2],
    /// How far it reaches.
    pub radius: f32,
    /// How high.
    pub height: f32,
}

/// A truth of four bytes, of which every value but zero is true; kept as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bool32(pub u32);

impl Bool32 {
    /// Is it true?
    pub const fn get(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Bool32 {
    fn from(value: bool) -> Self {
        Self(u32::from(value))
    }
}

/// A particle emitter to be made on a part.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ParticleSpec {
    /// The emitter's description, 0x32.
    pub emitter_info: DataId,
    /// The part it hangs on.
    pub part: u32,
    /// Where on it.
    pub offset: Frame,
    /// The number by which it can be stopped; 0 is none.
    pub emitter: u32,
}

/// A mesh id packed into two or four bytes, relative to 0x01000000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PackedMesh {
    /// Two bytes.
    Short(u16),
    /// Four bytes: the first word with bit 15 set, the second.
    Long(u16, u16),
}

impl PackedMesh {
    /// The mesh.
    pub const fn id(self) -> DataId {
        let offset = match self {
            Self::Short(low) => low as u32,
            Self::Long(high, low) => ((high as u32 & 0x3FFF) << 16) | low as u32,
        };
        DataId(0x0100_0000 + offset)
    }

    /// The shortest form of a mesh id; `None` if it is not one.
    pub const fn new(id: DataId) -> Option<Self> {
        match id.0.checked_sub(0x0100_0000) {
            Some(offset) if offset < 0x8000 => Some(Self::Short(offset as u16)),
            Some(offset) if offset < 0x4000_0000 => {
                Some(Self::Long((offset >> 16) as u16 | 0x8000, offset as u16))
            }
            _ => None,
        }
    }
}

/// What a hook does: one variant for each of the 27 types, in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum HookEffect {
    /// 0: nothing.
    NoOp,
    /// 1: plays a wave.
    Sound(DataId),
    /// 2: plays what the body's sound table has for this number.
    SoundTable(u32),
    /// 3: the moment a blow lands.
    Attack(AttackCone),
    /// 4: the animation is done.
    AnimationDone,
    /// 5: exchanges the mesh of a part.
    ReplaceObject {
        /// The part.
        part: u16,
        /// Its new mesh.
        mesh: PackedMesh,
    },
    /// 6: makes the body ethereal, or solid again.
    Ethereal(Bool32),
    /// 7: fades a part.
    TransparentPart {
        /// The part.
        part: u32,
        /// From full to none and how fast.
        ramp: Ramp,
    },
    /// 8: lights the body up.
    Luminous(Ramp),
    /// 9: lights a part up.
    LuminousPart {
        /// The part.
        part: u32,
        /// How bright and how fast.
        ramp: Ramp,
    },
    /// 10: changes how the body takes light.
    Diffuse(Ramp),
    /// 11: changes how a part takes light.
    DiffusePart {
        /// The part.
        part: u32,
        /// How much and how fast.
        ramp: Ramp,
    },
    /// 12: grows or shrinks the body.
    Scale {
        /// The size at the end.
        end: f32,
        /// Seconds until then.
        time: f32,
    },
    /// 13: makes a particle emitter.
    CreateParticle(ParticleSpec),
    /// 14: takes an emitter away.
    DestroyParticle(u32),
    /// 15: stops an emitter.
    StopParticle(u32),
    /// 16: hides the body, or shows it again.
    NoDraw(Bool32),
    /// 17: runs the body's default script.
    DefaultScript,
    /// 18: runs a part's default script.
    DefaultScriptPart(u32),
    /// 19: runs a physics script after a pause.
    CallPes {
        /// The script, 0x33.
        script: DataId,
        /// Seconds before it runs.
        pause: f32,
    },
    /// 20: fades the body.
    Transparent(Ramp),
    /// 21: plays a wave with its own settings.
    SoundTweaked {
        /// The wave.
        wave: DataId,
        /// Its priority.
        priority: f32,
        /// How likely it is played.
        probability: f32,
        /// How loud.
        volume: f32,
    },
    /// 22: sets the body turning.
    SetOmega(Vec3),
    /// 23: moves the textures.
    TextureVelocity {
        /// Along u.
        u: f32,
        /// Along v.
        v: f32,
    },
    /// 24: moves a part's textures.
    TextureVelocityPart {
        /// The part.
        part: u32,
        /// Along u.
        u: f32,
        /// Along v.
        v: f32,
    },
    /// 25: switches the body's lights.
    SetLight(Bool32),
    /// 26: makes a particle emitter unless one of its number is there.
    CreateBlockingParticle(ParticleSpec),
}

impl HookEffect {
    /// Its number on disk.
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

    /// Its name.
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
        5 => HookEffect::ReplaceObject { part: reader.u16("replaced part")?, mesh: read_mesh(reader)? },
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
            priority: reader.f32("sound priority")?,
            probability: reader.f32("sound probability")?,
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

fn read_mesh(reader: &mut Reader<'_>) -> Result<PackedMesh, ParseError> {
    let first = reader.u16("replacing mesh")?;
    if first & 0x8000 == 0 {
        return Ok(PackedMesh::Short(first));
    }
    Ok(PackedMesh::Long(first, reader.u16("replacing mesh")?))
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
        HookEffect::ReplaceObject { part, mesh } => {
            out.u16(part);
            write_mesh(out, mesh);
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
        HookEffect::SoundTweaked { wave, priority, probability, volume } => {
            out.id(wave);
            write_floats(out, &[priority, probability, volume]);
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

fn write_mesh(out: &mut Vec<u8>, mesh: PackedMesh) {
    match mesh {
        PackedMesh::Short(low) => out.u16(low),
        PackedMesh::Long(high, low) => {
            out.u16(high);
            out.u16(low);
        }
    }
}
