//! Bit fields and small numbers in messages. Bits without a known meaning are kept.

use bitflags::bitflags;

bitflags! {
    /// The leading word of a position report: which fields follow (rule D5, `docs/wire.md` §2.1).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    #[doc(alias = "PositionPack")]
    pub struct PositionFlags: u32 {
        /// A velocity follows. The original client reads it and ignores it.
        const VELOCITY = 0x01;
        /// A placement id follows.
        const PLACEMENT = 0x02;
        /// The body is in contact with the ground.
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
    /// The options of a movement (rule E1).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct MotionFlags: u8 {
        /// Stick to an object. Its id follows the interpreted state. Other kinds of movement ignore this flag.
        const STICK_TO_OBJECT = 1;
        /// The body is preparing a standing long jump.
        const STANDING_LONG_JUMP = 2;
    }
}

bitflags! {
    /// The fields present in an interpreted state (rule E7).
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
    /// The fields present in a raw state (rule K6).
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
    /// The options of a move-to or turn-to order (rule J1, `docs/wire.md` §2.5).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[doc(alias = "MovementParameters")]
    pub struct MoveFlags: u32 {
        /// The body may walk.
        const CAN_WALK = 0x1;
        /// The body may run.
        const CAN_RUN = 0x2;
        /// The body may sidestep.
        const CAN_SIDE_STEP = 0x4;
        /// The body may walk backwards.
        const CAN_WALK_BACKWARDS = 0x8;
        /// The body may charge.
        const CAN_CHARGE = 0x10;
        /// Walk if running fails.
        const FAIL_WALK = 0x20;
        /// Turn to the desired heading at the end.
        const USE_FINAL_HEADING = 0x40;
        /// Stick to the target at the end.
        const STICKY = 0x80;
        /// Move away from the target.
        const MOVE_AWAY = 0x100;
        /// Move towards the target.
        const MOVE_TOWARDS = 0x200;
        /// Measure distances between the surfaces of the bodies instead of their origins.
        const USE_SPHERES = 0x400;
        /// Apply the hold key.
        const SET_HOLD_KEY = 0x800;
        /// The client started the movement itself.
        const AUTONOMOUS = 0x1000;
        /// Modify the raw state.
        const MODIFY_RAW_STATE = 0x2000;
        /// Modify the interpreted state.
        const MODIFY_INTERPRETED_STATE = 0x4000;
        /// Cancel the move-to order in progress.
        const CANCEL_MOVE_TO = 0x8000;
        /// Stop all motion first.
        const STOP_COMPLETELY = 0x10000;
        /// Disable jumping while a link animation plays.
        const DISABLE_JUMP_DURING_LINK = 0x20000;
    }
}

/// The original client's default, 0x1EE0F.
impl Default for MoveFlags {
    fn default() -> Self {
        Self::from_bits_retain(0x1EE0F)
    }
}

bitflags! {
    /// The contact state of the player's body in a MoveToState (rule K6).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct ContactFlags: u8 {
        /// The body stands on walkable ground.
        const CONTACT = 1;
        /// The body is preparing a standing long jump.
        const STANDING_LONG_JUMP = 2;
    }
}

bitflags! {
    /// The physics state of a body (`docs/wire.md` §4).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct PhysicsState: u32 {
        /// The body never moves.
        const STATIC = 0x1;
        /// Other bodies pass through it.
        const ETHEREAL = 0x4;
        /// The body reports its collisions.
        const REPORT_COLLISIONS = 0x8;
        /// The body collides with nothing.
        const IGNORE_COLLISIONS = 0x10;
        /// The body is not drawn.
        const NO_DRAW = 0x20;
        /// The body is a missile.
        const MISSILE = 0x40;
        /// The body can be pushed.
        const PUSHABLE = 0x80;
        /// The body points in its direction of flight.
        const ALIGN_PATH = 0x100;
        /// The body is stopped by obstacles in its path.
        const PATH_CLIPPED = 0x200;
        /// Gravity acts on the body.
        const GRAVITY = 0x400;
        /// The body gives off light.
        const LIGHTING_ON = 0x800;
        /// The body emits particles.
        const PARTICLE_EMITTER = 0x1000;
        /// The body is hidden, as in portal space.
        const HIDDEN = 0x4000;
        /// The body plays a script on a collision.
        const SCRIPTED_COLLISION = 0x8000;
        /// The body collides with its polygons.
        const HAS_PHYSICS_BSP = 0x10000;
        /// The body does not bounce.
        const INELASTIC = 0x20000;
        /// The body has a default animation.
        const HAS_DEFAULT_ANIM = 0x40000;
        /// The body has a default script.
        const HAS_DEFAULT_SCRIPT = 0x80000;
        /// The body is cloaked.
        const CLOAKED = 0x10_0000;
        /// The body reports its collisions as collisions with the environment.
        const REPORT_COLLISIONS_AS_ENVIRONMENT = 0x20_0000;
        /// The body slides along edges instead of stopping.
        const EDGE_SLIDE = 0x40_0000;
        /// The body slides downhill.
        const SLEDDING = 0x80_0000;
        /// The body is not simulated and stays where it is.
        const FROZEN = 0x100_0000;
    }
}

bitflags! {
    /// The fields present in a physics description (`docs/wire.md` §2.6).
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
        /// An angular velocity.
        const OMEGA = 0x10;
        /// The object it is attached to.
        const PARENT = 0x20;
        /// The objects attached to it.
        const CHILDREN = 0x40;
        /// A scale.
        const SCALE = 0x80;
        /// A friction.
        const FRICTION = 0x100;
        /// An elasticity.
        const ELASTICITY = 0x200;
        /// The stamps, by its name. They are always present, whether or not this bit is set.
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
        /// A placement id, if there is no movement.
        const PLACEMENT = 0x20000;
        /// A translucency.
        const TRANSLUCENCY = 0x40000;
    }
}

/// The key held while moving (rule K6). The set is open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HoldKey(pub u32);

impl HoldKey {
    /// Unspecified.
    pub const INVALID: Self = Self(0);
    /// No key: walk.
    pub const NONE: Self = Self(1);
    /// The run key.
    pub const RUN: Self = Self(2);
}

/// The player's combat mode. The set is open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CombatMode(pub u32);

impl CombatMode {
    /// Peace.
    pub const NON_COMBAT: Self = Self(1);
    /// Melee weapons, or unarmed.
    pub const MELEE: Self = Self(2);
    /// Bows, crossbows or thrown weapons.
    pub const MISSILE: Self = Self(4);
    /// Magic.
    pub const MAGIC: Self = Self(8);
}

bitflags! {
    /// What an [`Enchantment`](crate::Enchantment) modifies, and how. The names are the community's; the bits in the
    /// recordings agree with them.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[doc(alias = "EnchantmentTypeFlags")]
    pub struct StatModFlags: u32 {
        /// Modifies an attribute, such as [`Attribute::QUICKNESS`](crate::Attribute::QUICKNESS).
        const ATTRIBUTE = 0x1;
        /// Modifies a vital.
        const VITAL = 0x2;
        /// Modifies an integer property.
        const INT = 0x4;
        /// Modifies a float property.
        const FLOAT = 0x8;
        /// Modifies a skill, such as [`Skill::RUN`](crate::Skill::RUN).
        const SKILL = 0x10;
        /// Modifies the damage of body parts.
        const BODY_DAMAGE = 0x20;
        /// Modifies the variance of the damage of body parts.
        const BODY_DAMAGE_VARIANCE = 0x40;
        /// Modifies the armour of body parts.
        const BODY_ARMOUR = 0x80;
        /// Modifies one value, named by the key.
        const SINGLE_STAT = 0x1000;
        /// Modifies several values.
        const MULTIPLE_STAT = 0x2000;
        /// The value is a factor.
        const MULTIPLICATIVE = 0x4000;
        /// The value is added.
        const ADDITIVE = 0x8000;
        /// The penalty after a death.
        const VITAE = 0x80_0000;
        /// An item that cannot be used again yet.
        const COOLDOWN = 0x100_0000;
        /// The enchantment helps its target.
        const BENEFICIAL = 0x200_0000;
    }
}

/// The height of an attack. The set is open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AttackHeight(pub u32);

impl AttackHeight {
    /// The head.
    pub const HIGH: Self = Self(1);
    /// The trunk.
    pub const MEDIUM: Self = Self(2);
    /// The legs.
    pub const LOW: Self = Self(3);

    /// Returns the name: `high`, `medium`, `low` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HIGH => "high",
            Self::MEDIUM => "medium",
            Self::LOW => "low",
            _ => "unknown",
        }
    }
}
