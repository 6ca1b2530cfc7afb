//! Things that stand in the way (`docs/collision.md` 8).

use std::cell::Cell;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use acmotion_dat::{CylSphere, Sphere};
use acmotion_types::{CellId, CellPosition, Frame, Guid, Vec3};
use acmotion_wire::PhysicsState;
use bitflags::bitflags;

use super::MoverFlags;
use super::geometry::Solid;

bitflags! {
    /// What an obstacle is to the game (`docs/collision.md` 8.3).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct ObstacleFlags: u8 {
        /// It is something to the game; scenery is not.
        #[doc(alias = "weenie_obj")]
        const WEENIE = 0x01;
        /// It is a creature; players are too.
        const CREATURE = 0x02;
        /// It is a player.
        const PLAYER = 0x04;
        /// It is a player killer.
        const PK = 0x08;
        /// It is a lite player killer.
        const PKLITE = 0x10;
        /// No player passes through it.
        const IMPENETRABLE = 0x20;
        /// It hangs on another, and bumps into nothing by itself.
        const PARENTED = 0x40;
    }
}

impl ObstacleFlags {
    /// What the same thing is told when it moves itself.
    pub fn as_mover(self) -> MoverFlags {
        let mut flags = MoverFlags::empty();
        flags.set(MoverFlags::IS_PLAYER, self.contains(Self::PLAYER));
        flags.set(MoverFlags::IS_PK, self.contains(Self::PK));
        flags.set(MoverFlags::IS_PKLITE, self.contains(Self::PKLITE));
        flags.set(MoverFlags::IS_IMPENETRABLE, self.contains(Self::IMPENETRABLE));
        flags
    }
}

/// A part of an obstacle with polygons to bump into.
#[derive(Clone, Debug)]
#[doc(alias = "CPhysicsPart")]
pub struct Part {
    /// Its polygons.
    pub solid: Arc<Solid>,
    /// Where it is just now, in the axes of the obstacle, unscaled.
    pub frame: Frame,
    /// Its size against its polygons, not counting that of the obstacle.
    #[doc(alias = "gfxobj_scale")]
    pub scale: f32,
}

/// Something in the way, and what of it bumps: polygons, or else cylinders, or else spheres; never more than one of these
/// (`docs/collision.md` 8.3).
#[derive(Clone, Copy, Debug)]
pub struct Obstacle<'a> {
    /// Who it is.
    pub guid: Guid,
    /// Where it is.
    pub position: CellPosition,
    /// Its size against its shapes.
    pub scale: f32,
    /// Its physics state: static, ethereal, missile, polygons and collisions count.
    pub state: PhysicsState,
    /// What it is to the game.
    pub flags: ObstacleFlags,
    /// Its parts with polygons, in order. They count if its state says that it has any.
    pub parts: &'a [Part],
    /// Its cylinders, unscaled, in its own axes.
    pub cylinders: &'a [CylSphere],
    /// Its spheres, unscaled, in its own axes.
    pub spheres: &'a [Sphere],
}

/// Where a body can touch something: an upright barrel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reach {
    /// In the axes of whose landblock.
    pub cell: CellId,
    /// Its middle.
    pub centre: Vec3,
    /// How wide it is.
    pub radius: f32,
    /// How far it reaches up and down from its middle.
    pub half_height: f32,
}

/// What stands in cells: everything that is not part of the land and its rooms.
pub trait Obstacles {
    /// Shows the obstacles of a cell one after the other, in their order, until told to stop (`docs/collision.md` 8.1,
    /// 8.2). The body that moves may be among them.
    fn visit<'a>(&'a self, cell: CellId, see: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>);

    /// As [`visit`](Self::visit), but those that a body cannot touch where it is just then may be left out; a test may move
    /// the body.
    fn visit_near<'a>(
        &'a self,
        cell: CellId,
        near: &Cell<Reach>,
        see: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
    ) {
        let _ = near;
        self.visit(cell, see);
    }

    /// Does what guards a cell let a body in (`docs/collision.md` 8.7)? A guard that is not known lets nobody in.
    #[doc(alias = "CanMoveInto")]
    fn may_enter(&self, mover: Guid, guard: Guid) -> bool {
        let _ = (mover, guard);
        false
    }
}

impl fmt::Debug for dyn Obstacles + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Obstacles")
    }
}

/// No obstacles anywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoObstacles;

impl Obstacles for NoObstacles {
    fn visit<'a>(&'a self, _cell: CellId, _see: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {}
}

/// The same obstacles in every cell: enough for a few.
#[derive(Clone, Copy, Debug)]
pub struct Everywhere<'o>(pub &'o [Obstacle<'o>]);

impl Obstacles for Everywhere<'_> {
    fn visit<'a>(&'a self, _cell: CellId, see: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
        for obstacle in self.0 {
            if see(obstacle).is_break() {
                return;
            }
        }
    }
}

/// An obstacle that a body touched (`docs/collision.md` 9.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// Which.
    pub guid: Guid,
    /// Its physics state.
    pub state: PhysicsState,
    /// What it is to the game.
    pub flags: ObstacleFlags,
}
