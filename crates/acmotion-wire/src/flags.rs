//! Bit fields and small numbers of the messages. Bits that nobody has given a meaning are kept.

use bitflags::bitflags;

bitflags! {
    /// What a position message carries (rule D5, `docs/wire.md` §2.1).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    #[doc(alias = "PositionPack")]
    pub struct PositionFlags: u32 {
        /// A velocity follows. The original client reads it and does nothing with it.
        const VELOCITY = 0x01;
        /// A placement id follows.
        const PLACEMENT = 0x02;
        /// The body stands on something.
        #[doc(alias = "has_contact")]
        const GROUNDED = 0x04;
        /// The quaternion's w is 0 and not sent.
        const NO_W = 0x08;
        /// The quaternion's x is 0 and not sent.
        const NO_X = 0x10;
        /// The quaternion's y is 0 and not sent.
        const NO_Y = 0x20;
        /// The quaternion's z is 0 and not sent.
        const NO_Z = 0x40;
    }
}

bitflags! {
    /// Options of a movement (rule E1).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct MotionFlags: u8 {
        /// Stick to an object, whose id follows an interpreted state. Has no effect on the other kinds.
        const STICK_TO_OBJECT = 1;
        /// A long jump from standing is being prepared.
        const STANDING_LONG_JUMP = 2;
    }
}

bitflags! {
    /// Which fields an interpreted state carries (rule E7).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub(crate) struct InterpretedFlags: u32 {
        const CURRENT_STYLE = 0x01;
        const FORWARD_COMMAND = 0x02;
        const FORWARD_SPEED = 0x04;
        const SIDESTEP_COMMAND = 0x08;
        const SIDESTEP_SPEED = 0x10;
        const TURN_COMMAND = 0x20;
        const TURN_SPEED = 0x40;
    }
}

bitflags! {
    /// Which fields a raw state carries (rule K6).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub(crate) struct RawFlags: u32 {
        const CURRENT_HOLD_KEY = 0x001;
        const CURRENT_STYLE = 0x002;
        const FORWARD_COMMAND = 0x004;
        const FORWARD_HOLD_KEY = 0x008;
        const FORWARD_SPEED = 0x010;
        const SIDESTEP_COMMAND = 0x020;
        const SIDESTEP_HOLD_KEY = 0x040;
        const SIDESTEP_SPEED = 0x080;
        const TURN_COMMAND = 0x100;
        const TURN_HOLD_KEY = 0x200;
        const TURN_SPEED = 0x400;
    }
}

bitflags! {
    /// How to move or turn to somewhere (rule J1, `docs/wire.md` §2.5).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[doc(alias = "MovementParameters")]
    pub struct MoveFlags: u32 {
        /// May walk.
        const CAN_WALK = 0x1;
        /// May run.
        const CAN_RUN = 0x2;
        /// May step sideways.
        const CAN_SIDE_STEP = 0x4;
        /// May walk backwards.
        const CAN_WALK_BACKWARDS = 0x8;
        /// May charge.
        const CAN_CHARGE = 0x10;
        /// Walk when running fails.
        const FAIL_WALK = 0x20;
        /// Turn to the desired heading at the end.
        const USE_FINAL_HEADING = 0x40;
        /// Stick to the target at the end.
        const STICKY = 0x80;
        /// Move away from the target.
        const MOVE_AWAY = 0x100;
        /// Move towards the target.
        const MOVE_TOWARDS = 0x200;
        /// Measure the distance from hull to hull.
        const USE_SPHERES = 0x400;
        /// Apply the hold key.
        const SET_HOLD_KEY = 0x800;
        /// The client's own doing.
        const AUTONOMOUS = 0x1000;
        /// Change the raw state.
        const MODIFY_RAW_STATE = 0x2000;
        /// Change the interpreted state.
        const MODIFY_INTERPRETED_STATE = 0x4000;
        /// Give up a move that is under way.
        const CANCEL_MOVE_TO = 0x8000;
        /// Stop all motion first.
        const STOP_COMPLETELY = 0x10000;
        /// No jumping while a link plays.
        const DISABLE_JUMP_DURING_LINK = 0x20000;
    }
}

/// The client's default, 0x1EE0F.
impl Default for MoveFlags {
    fn default() -> Self {
        Self::from_bits_retain(0x1EE0F)
    }
}

bitflags! {
    /// How the player's body stands, in a MoveToState (rule K6).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct ContactFlags: u8 {
        /// It stands on walkable ground.
        const CONTACT = 1;
        /// It prepares a long jump from standing.
        const STANDING_LONG_JUMP = 2;
    }
}

bitflags! {
    /// What a body is and does, physically (`docs/wire.md` §4).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct PhysicsState: u32 {
        /// Never moves.
        const STATIC = 0x1;
        /// Things pass through it.
        const ETHEREAL = 0x4;
        /// Tells when it hits something.
        const REPORT_COLLISIONS = 0x8;
        /// Hits nothing.
        const IGNORE_COLLISIONS = 0x10;
        /// Is not drawn.
        const NO_DRAW = 0x20;
        /// Is a missile.
        const MISSILE = 0x40;
        /// Can be pushed.
        const PUSHABLE = 0x80;
        /// Points where it flies.
        const ALIGN_PATH = 0x100;
        /// Is stopped by what is in its path.
        const PATH_CLIPPED = 0x200;
        /// Falls.
        const GRAVITY = 0x400;
        /// Gives light.
        const LIGHTING_ON = 0x800;
        /// Emits particles.
        const PARTICLE_EMITTER = 0x1000;
        /// Is hidden (in portal space).
        const HIDDEN = 0x4000;
        /// Plays a script when it hits something.
        const SCRIPTED_COLLISION = 0x8000;
        /// Collides by its polygons.
        const HAS_PHYSICS_BSP = 0x10000;
        /// Does not bounce.
        const INELASTIC = 0x20000;
        /// Has a default animation.
        const HAS_DEFAULT_ANIM = 0x40000;
        /// Has a default script.
        const HAS_DEFAULT_SCRIPT = 0x80000;
        /// Is cloaked.
        const CLOAKED = 0x10_0000;
        /// Reports its collisions as those of the surroundings.
        const REPORT_COLLISIONS_AS_ENVIRONMENT = 0x20_0000;
        /// Slides along edges instead of stopping.
        const EDGE_SLIDE = 0x40_0000;
        /// Slides downhill.
        const SLEDDING = 0x80_0000;
        /// Stands still whatever happens.
        const FROZEN = 0x100_0000;
    }
}

bitflags! {
    /// What a physics description carries (`docs/wire.md` §2.6).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    #[doc(alias = "PhysicsDescriptionFlag")]
    pub struct PhysicsDescFlags: u32 {
        /// A setup id.
        const SETUP = 0x1;
        /// A motion table id.
        const MOTION_TABLE = 0x2;
        /// A velocity.
        const VELOCITY = 0x4;
        /// An acceleration.
        const ACCELERATION = 0x8;
        /// A turning speed.
        const OMEGA = 0x10;
        /// A parent.
        const PARENT = 0x20;
        /// Children.
        const CHILDREN = 0x40;
        /// A scale.
        const SCALE = 0x80;
        /// A friction.
        const FRICTION = 0x100;
        /// An elasticity.
        const ELASTICITY = 0x200;
        /// Stamps, says the name; but they are always there, with this bit or without.
        const TIMESTAMPS = 0x400;
        /// A sound table id.
        const SOUND_TABLE = 0x800;
        /// A physics script table id.
        const PHYSICS_SCRIPT_TABLE = 0x1000;
        /// A default script.
        const DEFAULT_SCRIPT = 0x2000;
        /// The intensity of the default script.
        const DEFAULT_SCRIPT_INTENSITY = 0x4000;
        /// A position.
        const POSITION = 0x8000;
        /// A movement.
        const MOVEMENT = 0x10000;
        /// A placement id, unless there is a movement.
        const PLACEMENT = 0x20000;
        /// A translucency.
        const TRANSLUCENCY = 0x40000;
    }
}

/// Which key is held while moving (rule K6); an open set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct HoldKey(pub u32);

impl HoldKey {
    /// Not said.
    pub const INVALID: Self = Self(0);
    /// No key: walk.
    pub const NONE: Self = Self(1);
    /// The run key.
    pub const RUN: Self = Self(2);
}

/// How the player stands to fight; an open set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CombatMode(pub u32);

impl CombatMode {
    /// At peace.
    pub const NON_COMBAT: Self = Self(1);
    /// Hand to hand.
    pub const MELEE: Self = Self(2);
    /// With bow, crossbow or thrown weapons.
    pub const MISSILE: Self = Self(4);
    /// With magic.
    pub const MAGIC: Self = Self(8);
}
