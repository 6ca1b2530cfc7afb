//! The events of effects, with everything that a client needs to show or play them.

use acmotion_dat::{AttackCone, DataId, Ramp};
use acmotion_types::Vec3;

use super::{Emitter, ScriptType, SoundKey};

/// An effect of a hook, a script or a message. A caller needs neither the animation nor the library to carry it out.
///
/// Where a part is `None`, the whole body is affected. Times are in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum EffectEvent {
    /// A wave, 0x0A, plays.
    Sound(DataId),
    /// A sound of the body's sound table plays.
    SoundTable(SoundKey),
    /// A wave plays with its own settings.
    SoundTweaked {
        /// The wave, 0x0A.
        wave: DataId,
        /// The probability that it is played at all, 0 to 1. The caller makes the random draw.
        probability: f32,
        /// The priority among other sounds.
        priority: f32,
        /// The volume.
        volume: f32,
    },
    /// An attack strikes the area of its cone.
    Attack(AttackCone),
    /// The scale begins to change, or changes at once.
    Scale(Ramp),
    /// The translucency begins to change, or changes at once.
    Translucency {
        /// The part.
        part: Option<u32>,
        /// The change.
        ramp: Ramp,
    },
    /// The luminosity begins to change, or changes at once.
    Luminosity {
        /// The part.
        part: Option<u32>,
        /// The change.
        ramp: Ramp,
    },
    /// The diffuse lighting begins to change, or changes at once.
    Diffusion {
        /// The part.
        part: Option<u32>,
        /// The change.
        ramp: Ramp,
    },
    /// The mesh of a part was replaced.
    MeshReplaced {
        /// The part.
        part: u32,
        /// The new mesh, 0x01.
        mesh: DataId,
    },
    /// The textures begin to scroll, or change their speed.
    TextureVelocity {
        /// The part.
        part: Option<u32>,
        /// The speed along u and v, in textures a second.
        velocity: [f32; 2],
    },
    /// The body is drawn from now on (`true`), or no longer.
    Drawn(bool),
    /// The lights of the body were switched on (`true`) or off.
    Lights(bool),
    /// The angular velocity was set, in radians a second in the landblock's axes.
    Omega(Vec3),
    /// A particle emitter was created. It replaces one with the same number.
    EmitterCreated(Emitter),
    /// A particle emitter was not created, because one with the same number is active.
    EmitterBlocked {
        /// The number.
        id: u32,
    },
    /// A particle emitter stopped; its existing particles live out their time.
    EmitterStopped {
        /// The number. There may be no such emitter.
        id: u32,
    },
    /// A particle emitter was removed together with its particles.
    EmitterDestroyed {
        /// The number. There may be no such emitter.
        id: u32,
    },
    /// A script was called and waits until its pause has passed. It is then [queued](Self::ScriptQueued).
    ScriptCalled {
        /// The script, 0x33.
        script: DataId,
        /// The pause, in seconds: a random fraction of the hook's pause.
        pause: f32,
    },
    /// A script was queued.
    ScriptQueued {
        /// The script, 0x33.
        script: DataId,
        /// The time at which it starts, in seconds: now, or when the scripts before it are over.
        start: f64,
    },
    /// A script could not be queued: the assets do not have it, or too many are waiting.
    ScriptRefused {
        /// The script, 0x33.
        script: DataId,
    },
    /// A script of the body's script table is to play. The tables (0x34) are not read; the caller chooses the script.
    ScriptType {
        /// The type.
        script: ScriptType,
        /// The intensity, by which the table chooses among scripts of the type.
        intensity: f32,
    },
    /// The default script of the object that is attached to a part is to play.
    DefaultScriptPart {
        /// The part.
        part: u32,
    },
}
