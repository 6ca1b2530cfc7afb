//! The crowd workload, which other engines can run too, so that figures can be compared.
//!
//! - The motion table is the hand-made human one of the vectors, with ten animations 0x03700000 to 0x03700009 of 30
//!   parts, without position frames and with one forward hook on the middle frame.
//! - Every body has its own state: the default state, then `WalkForward` at 1.0.
//! - In a tick of 1/30 s a body receives, with probability 1/30, one command at speed 1.0 through the motion table, drawn
//!   evenly from [`COMMANDS`]. Its action list is trimmed to two.
//! - Then the sequence advances by 1/30 s and the offset moves the body. [`Crowd::tick`] ends here;
//!   [`Crowd::tick_and_pose`] also writes the world matrices of all parts of all bodies.

use std::f32::consts::TAU;
use std::hint::black_box;
use std::sync::Arc;

use acmotion_dat::{
    Animation, AnimationFrame, DatError, DatObject as _, DataId, Hook, HookDirection, HookEffect, MotionTable,
};
use acmotion_types::{Frame, MotionCommand, Quat, Vec3};

use crate::library::{Animations, Library, TableId};
use crate::pose::{Matrix, PoseInput, pose_all};
use crate::sequence::{HookBuffer, Sequence};
use crate::table::{MotionState, Table, TableDriver};

/// The number of parts of a body.
pub const PARTS: usize = 30;
/// The length of a tick in seconds.
pub const TICK: f32 = 1.0 / 30.0;
/// The commands that bodies receive.
pub const COMMANDS: [MotionCommand; 7] = [
    MotionCommand::READY,
    MotionCommand::WALK_FORWARD,
    MotionCommand::WALK_FORWARD,
    MotionCommand::RUN_FORWARD,
    MotionCommand::TURN_RIGHT,
    MotionCommand(0x1000_0050),
    MotionCommand(0x1000_005B),
];

const TABLE: &[u8] = include_bytes!("../assets/crowd_table.bin");
const FIRST_ANIMATION: u32 = 0x0370_0000;
const FRAME_COUNTS: [usize; 10] = [20, 24, 30, 24, 20, 10, 12, 15, 18, 8];
/// The mean number of ticks between two commands of a body.
const TICKS_PER_COMMAND: u32 = 30;
/// The maximum number of actions in a body's state.
const MAX_ACTIONS: usize = 2;

/// Many bodies that move independently.
pub struct Crowd {
    library: Library,
    table: TableId,
    bodies: Vec<Body>,
    random: Random,
    hooks: HookBuffer,
    matrices: Vec<Matrix>,
}

/// The fields that every tick needs share the first two cache lines.
#[repr(C, align(64))]
struct Body {
    frame: Frame,
    sequence: Sequence,
    state: MotionState,
}

impl Crowd {
    /// Creates a crowd of walking bodies.
    pub fn new(count: usize) -> Self {
        let mut library = Library::new();
        let table = match MotionTable::decode(TABLE) {
            Ok(table) => library.add_table(&table, &Clips),
            Err(error) => unreachable!("the built-in table is valid: {error}"),
        };
        library.prepare_poses();
        let mut walking =
            Body { sequence: Sequence::new(), state: MotionState::new(), frame: Frame::IDENTITY };
        let mut driver =
            TableDriver::new(&library, library.table(table), &mut walking.state, &mut walking.sequence);
        driver.set_default();
        driver.request(MotionCommand::WALK_FORWARD, 1.0);
        let body = |_| Body {
            sequence: walking.sequence.clone(),
            state: walking.state.clone(),
            frame: walking.frame,
        };
        let bodies = (0..count).map(body).collect();
        Self {
            library,
            table,
            bodies,
            random: Random(0x2545_F491),
            hooks: HookBuffer::new(),
            matrices: Vec::new(),
        }
    }

    /// Advances every body by one tick: mode *sequence*.
    pub fn tick(&mut self) {
        self.hooks.clear();
        let table = self.library.table(self.table);
        for body in &mut self.bodies {
            let command = self.random.command();
            body.tick(&self.library, table, command, &mut self.hooks);
        }
    }

    /// Advances every body by one tick and computes the world matrices of all parts: mode *pose*.
    pub fn tick_and_pose(&mut self) {
        self.matrices.resize(self.bodies.len() * PARTS, Matrix::IDENTITY);
        self.hooks.clear();
        let table = self.library.table(self.table);
        let bodies = self.bodies.iter_mut().zip(self.matrices.chunks_mut(PARTS));
        for (body, matrices) in bodies {
            let command = self.random.command();
            body.tick(&self.library, table, command, &mut self.hooks);
            body.posed().matrices(&self.library, matrices);
        }
    }

    /// Computes the world matrices of all parts of all bodies.
    pub fn pose(&mut self) {
        self.matrices.resize(self.bodies.len() * PARTS, Matrix::IDENTITY);
        pose_all(&self.library, self.bodies.iter().map(Body::posed), PARTS, &mut self.matrices);
    }

    /// Computes the world matrices of all parts, those of each body into the same buffer: the cost for a client that draws
    /// one body after the other.
    pub fn pose_one_at_a_time(&mut self) {
        let mut parts = [Matrix::IDENTITY; PARTS];
        for body in &self.bodies {
            body.posed().matrices(&self.library, &mut parts);
            black_box(&parts);
        }
    }

    /// Returns a sum over the frames and matrices of all bodies, so that nothing can be optimised away.
    pub fn checksum(&self) -> f32 {
        let frames = self.bodies.iter().map(|body| body.frame.origin.length()).sum::<f32>();
        frames + self.matrices.iter().map(|matrix| matrix.rows[0][3]).sum::<f32>()
    }

    /// Returns the number of hooks that fired in the last tick.
    pub fn hook_count(&self) -> usize {
        self.hooks.events().len()
    }

    /// Returns the mean memory use of a body in bytes, heap included, without shared data and matrices.
    pub fn bytes_per_entity(&self) -> usize {
        let bytes =
            |body: &Body| body.sequence.size_in_memory() + body.state.size_in_memory() + size_of::<Frame>();
        self.bodies.iter().map(bytes).sum::<usize>() / self.bodies.len().max(1)
    }
}

impl Body {
    #[inline]
    fn tick(
        &mut self,
        library: &Library,
        table: &Table,
        command: Option<MotionCommand>,
        hooks: &mut HookBuffer,
    ) {
        if let Some(command) = command {
            self.command(library, table, command);
        }
        self.sequence.advance_body(library, TICK, Some(hooks), &mut self.frame);
    }

    fn command(&mut self, library: &Library, table: &Table, command: MotionCommand) {
        TableDriver::new(library, table, &mut self.state, &mut self.sequence).request(command, 1.0);
        while self.state.actions().len() > MAX_ACTIONS {
            self.state.remove_action_head();
        }
    }

    fn posed(&self) -> PoseInput<'_> {
        PoseInput { sequence: &self.sequence, frame: &self.frame, scale: Vec3::ONE }
    }
}

/// The ten animations.
struct Clips;

impl Animations for Clips {
    fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
        let index = id.0.wrapping_sub(FIRST_ANIMATION) as usize;
        let count = *FRAME_COUNTS.get(index).ok_or(DatError::NotFound(id))?;
        let frames = (0..count).map(|frame| key_frame(index, frame, count)).collect();
        Ok(Arc::new(Animation::new(id, None, frames)))
    }
}

/// Returns a frame of a smooth motion: every part swings about an axis of its own, once in the clip.
fn key_frame(clip: usize, frame: usize, count: usize) -> AnimationFrame {
    let phase = TAU * frame as f32 / count as f32;
    let part = |part: usize| {
        let (sin, cos) = libm::sincosf(phase + part as f32 + clip as f32);
        let axis = Vec3::new(cos, sin, 1.0).normalized().unwrap_or(Vec3::ZERO);
        let origin = Vec3::new(0.1 * sin, 0.1 * cos, 0.06 * part as f32);
        Frame::new(origin, Quat::from_axis_angle(axis, 0.5 * sin))
    };
    let hook = Hook { direction: HookDirection::FORWARD, effect: HookEffect::SoundTable(clip as u32) };
    let hooks = if frame == count / 2 { vec![hook] } else { Vec::new() };
    AnimationFrame { parts: (0..PARTS).map(part).collect(), hooks }
}

/// A xorshift generator of evenly distributed numbers, the same on every machine.
struct Random(u32);

impl Random {
    /// Returns the command that a body receives in this tick, if any.
    #[inline]
    fn command(&mut self) -> Option<MotionCommand> {
        let is_commanded = self.below(TICKS_PER_COMMAND) == 0;
        is_commanded.then(|| COMMANDS[self.below(COMMANDS.len() as u32) as usize])
    }

    #[inline]
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        ((u64::from(self.0) * u64::from(bound)) >> 32) as u32
    }
}
