//! Obstacles: objects that movers collide with, apart from the land and its rooms (`docs/collision.md` 8).

use std::cell::Cell;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use acmotion_dat::{CylSphere, Sphere};
use acmotion_types::{CellId, CellPosition, Frame, Guid, Vec3};
use acmotion_wire::PhysicsState;
use bitflags::bitflags;

use super::geometry::Solid;
use super::{Mover, MoverFlags};

bitflags! {
    /// What kind of object an obstacle is (`docs/collision.md` 8.3).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct ObstacleFlags: u8 {
        /// It is a game object. Scenery is not.
        #[doc(alias = "weenie_obj")]
        const WEENIE = 0x01;
        /// It is a creature. Players are creatures too.
        const CREATURE = 0x02;
        /// It is a player.
        const PLAYER = 0x04;
        /// It is a player killer.
        const PK = 0x08;
        /// It is a lite player killer.
        const PKLITE = 0x10;
        /// Players do not pass through it.
        const IMPENETRABLE = 0x20;
        /// It is attached to another object and does not collide on its own.
        const PARENTED = 0x40;
    }
}

impl ObstacleFlags {
    /// Returns the flags of the same object as a mover.
    pub fn mover_flags(self) -> MoverFlags {
        let mut flags = MoverFlags::empty();
        flags.set(MoverFlags::IS_PLAYER, self.contains(Self::PLAYER));
        flags.set(MoverFlags::IS_PK, self.contains(Self::PK));
        flags.set(MoverFlags::IS_PKLITE, self.contains(Self::PKLITE));
        flags.set(MoverFlags::IS_IMPENETRABLE, self.contains(Self::IMPENETRABLE));
        flags
    }

    /// Returns `true` if a mover passes through an object with these flags, because both are players: all do, unless both
    /// are player killers of the same kind or one is impenetrable (`docs/collision.md` 8.3).
    pub fn lets_player_pass(self, mover: MoverFlags) -> bool {
        let both = |own: MoverFlags, others: Self| mover.contains(own) && self.contains(others);
        both(MoverFlags::IS_PLAYER, Self::PLAYER)
            && !mover.contains(MoverFlags::IS_IMPENETRABLE)
            && !self.contains(Self::IMPENETRABLE)
            && !both(MoverFlags::IS_PK, Self::PK)
            && !both(MoverFlags::IS_PKLITE, Self::PKLITE)
    }

    /// Returns `false` if all [plain players](MoverFlags::is_plain_player) pass through an object with these flags.
    pub(crate) fn blocks_plain_players(self) -> bool {
        !self.lets_player_pass(MoverFlags::IS_PLAYER)
    }
}

impl MoverFlags {
    /// Returns `true` for a player that is neither impenetrable nor a player killer. What one such player passes through,
    /// all do.
    pub(crate) fn is_plain_player(self) -> bool {
        let special = Self::IS_IMPENETRABLE | Self::IS_PK | Self::IS_PKLITE;
        self.contains(Self::IS_PLAYER) && !self.intersects(special)
    }
}

impl Mover<'_> {
    /// Returns `true` if an object with this guid and these flags is the mover itself. Scenery never is.
    pub(crate) fn is_same_as(&self, guid: Guid, flags: ObstacleFlags) -> bool {
        guid == self.guid && flags.contains(ObstacleFlags::WEENIE)
    }
}

/// A part of an obstacle that has collision polygons.
#[derive(Clone, Debug)]
#[doc(alias = "CPhysicsPart")]
pub struct Part {
    /// The polygons.
    pub solid: Arc<Solid>,
    /// The current frame of the part in the axes of the obstacle, unscaled.
    pub frame: Frame,
    /// The scale of the part, not including that of the obstacle.
    #[doc(alias = "gfxobj_scale")]
    pub scale: f32,
}

/// An object that movers collide with. Its polygons count, or else its cylinders, or else its spheres; never more than one
/// kind (`docs/collision.md` 8.3).
#[derive(Clone, Copy, Debug)]
pub struct Obstacle<'a> {
    /// The guid of the object; 0 for scenery.
    pub guid: Guid,
    /// The position of the object.
    pub position: CellPosition,
    /// The scale applied to its shapes.
    pub scale: f32,
    /// The physics state, of which static, ethereal, missile, `HAS_PHYSICS_BSP` and the collision flags count.
    pub state: PhysicsState,
    /// What kind of object it is.
    pub flags: ObstacleFlags,
    /// The parts with polygons, in order. They count if `state` contains `HAS_PHYSICS_BSP`.
    pub parts: &'a [Part],
    /// The cylinders, unscaled, in the object's own axes.
    pub cylinders: &'a [CylSphere],
    /// The spheres, unscaled, in the object's own axes.
    pub spheres: &'a [Sphere],
}

/// An upright cylinder around everything a mover can touch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchCylinder {
    /// The cell in whose landblock's axes the cylinder is given.
    pub cell: CellId,
    /// The centre.
    pub centre: Vec3,
    /// The radius.
    pub radius: f32,
    /// Half the height.
    pub half_height: f32,
}

/// The obstacles in each cell: everything that is not part of the land and its rooms.
///
/// ```
/// use std::cell::Cell;
/// use std::ops::ControlFlow;
///
/// use acmotion::dat::mannequin::town::landmarks;
/// use acmotion::dat::{Assets, CylSphere};
/// use acmotion::scene::{
///     Mover, MoverFlags, Obstacle, ObstacleFlags, Obstacles, Scene, SearchCylinder, Shape, Surroundings,
/// };
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
/// use acmotion::wire::PhysicsState;
///
/// /// Equal posts.
/// struct Posts {
///     posts: Vec<CellPosition>,
///     shape: CylSphere,
/// }
///
/// impl Posts {
///     fn obstacle(&self, position: CellPosition) -> Obstacle<'_> {
///         Obstacle {
///             guid: Guid(0),
///             position,
///             scale: 1.0,
///             state: PhysicsState::STATIC,
///             flags: ObstacleFlags::empty(),
///             parts: &[],
///             cylinders: std::slice::from_ref(&self.shape),
///             spheres: &[],
///         }
///     }
/// }
///
/// impl Obstacles for Posts {
///     fn visit<'a>(&'a self, cell: CellId, visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
///         let mut posts = self.posts.iter().filter(|post| post.cell == cell);
///         let _ = posts.try_for_each(|post| visitor(&self.obstacle(*post)));
///     }
///
///     // Optional: leaves out the posts that the mover cannot touch. It moves during the visit, and `reach` with it.
///     fn visit_near<'a>(
///         &'a self,
///         cell: CellId,
///         reach: &Cell<SearchCylinder>,
///         visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
///     ) {
///         self.visit(cell, &mut |post| {
///             let SearchCylinder { cell, centre, radius, .. } = reach.get();
///             let offset = CellPosition::at(cell, centre).offset_to(&post.position);
///             let is_near = offset.x.hypot(offset.y) <= radius + self.shape.radius;
///             if is_near { visitor(post) } else { ControlFlow::Continue(()) }
///         });
///     }
/// }
///
/// # fn main() -> Result<(), acmotion::scene::LoadError> {
/// let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
/// let from = landmarks().spawn;
/// let north = |metres| {
///     let mut position = from;
///     position.frame.origin.y += metres;
///     position
/// };
/// let shape = CylSphere { origin: Vec3::ZERO, radius: 0.2, height: 2.0 };
/// let posts = Posts { posts: vec![north(1.5), north(-5.0)], shape };
/// let human = Shape::human();
/// let mover = Mover::new(Guid(0x5000_0001), &human, 1.0, PhysicsState::GRAVITY, MoverFlags::IS_PLAYER);
/// let arrival = scene.sweep(&mover, &from, &north(2.0), &posts, &mut Vec::new()).arrival;
/// assert!(arrival.is_none_or(|arrival| arrival.position.distance_to(&from) < 1.5), "a post is in the way");
/// # Ok(())
/// # }
/// ```
pub trait Obstacles {
    /// Calls `visitor` with the obstacles of a cell, in their order, until it breaks (`docs/collision.md` 8.1, 8.2).
    /// The mover may be among them.
    fn visit<'a>(&'a self, cell: CellId, visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>);

    /// Visits obstacles as [`visit`](Self::visit) does, but may leave out those outside of `reach`. The visitor may
    /// move the mover and change `reach` with it.
    fn visit_near<'a>(
        &'a self,
        cell: CellId,
        reach: &Cell<SearchCylinder>,
        visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
    ) {
        let _ = reach;
        self.visit(cell, visitor);
    }

    /// Visits obstacles as [`visit_near`](Self::visit_near) does, but may also leave out the mover itself and those that
    /// [let](ObstacleFlags::lets_player_pass) it pass. They have no effect on it.
    fn visit_blocking<'a>(
        &'a self,
        cell: CellId,
        reach: &Cell<SearchCylinder>,
        mover: &Mover<'_>,
        visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
    ) {
        let _ = mover;
        self.visit_near(cell, reach, visitor);
    }

    /// Returns `true` if the restriction object of a cell lets the mover in (`docs/collision.md` 8.7). An unknown one
    /// does not.
    #[doc(alias = "CanMoveInto")]
    fn may_enter(&self, mover: Guid, restriction: Guid) -> bool {
        let _ = (mover, restriction);
        false
    }
}

impl fmt::Debug for dyn Obstacles + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Obstacles")
    }
}

/// No obstacles in any cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoObstacles;

impl Obstacles for NoObstacles {
    fn visit<'a>(&'a self, _cell: CellId, _visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {}
}

/// A list of obstacles that are visited in every cell. Meant for a few.
///
/// ```
/// use acmotion::dat::mannequin::town::landmarks;
/// use acmotion::dat::{Assets, Sphere};
/// use acmotion::scene::{
///     Mover, MoverFlags, NoObstacles, Obstacle, ObstacleFlags, ObstacleList, Scene, Shape, Surroundings,
/// };
/// use acmotion::types::{Guid, Vec3};
/// use acmotion::wire::PhysicsState;
///
/// # fn main() -> Result<(), acmotion::scene::LoadError> {
/// let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
/// // A ball, 1.5 m to the north of a walker.
/// let from = landmarks().spawn;
/// let (mut ahead, mut to) = (from, from);
/// ahead.frame.origin.y += 1.5;
/// to.frame.origin.y += 2.0;
/// let ball = Sphere { origin: Vec3::new(0.0, 0.0, 0.5), radius: 0.5 };
/// let obstacle = Obstacle {
///     guid: Guid(0x8000_0001),
///     position: ahead,
///     scale: 1.0,
///     state: PhysicsState::empty(),
///     flags: ObstacleFlags::WEENIE,
///     parts: &[],
///     cylinders: &[],
///     spheres: &[ball],
/// };
///
/// let (human, mut touched) = (Shape::human(), Vec::new());
/// let mover = Mover::new(Guid(0x5000_0001), &human, 1.0, PhysicsState::GRAVITY, MoverFlags::IS_PLAYER);
/// scene.sweep(&mover, &from, &to, &ObstacleList(&[obstacle]), &mut touched);
/// assert_eq!(touched.first().map(|touch| touch.guid), Some(Guid(0x8000_0001)));
/// scene.sweep(&mover, &from, &to, &NoObstacles, &mut touched);
/// assert!(touched.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ObstacleList<'o>(pub &'o [Obstacle<'o>]);

impl Obstacles for ObstacleList<'_> {
    fn visit<'a>(&'a self, _cell: CellId, visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
        for obstacle in self.0 {
            if visitor(obstacle).is_break() {
                return;
            }
        }
    }
}

/// An obstacle that a mover touched (`docs/collision.md` 9.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The guid of the obstacle.
    pub guid: Guid,
    /// The physics state of the obstacle.
    pub state: PhysicsState,
    /// What kind of object it is.
    pub flags: ObstacleFlags,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::Shape;

    #[test]
    fn an_obstacle_has_the_flags_of_its_kind_as_a_mover() {
        use {MoverFlags as Own, ObstacleFlags as Others};
        for (others, own) in [
            (Others::PLAYER, Own::IS_PLAYER),
            (Others::PK, Own::IS_PK),
            (Others::PKLITE, Own::IS_PKLITE),
            (Others::IMPENETRABLE, Own::IS_IMPENETRABLE),
            (Others::WEENIE | Others::CREATURE | Others::PARENTED, Own::empty()),
        ] {
            assert_eq!(others.mover_flags(), own, "{others:?}");
        }
        let all = Own::IS_PLAYER | Own::IS_PK | Own::IS_PKLITE | Own::IS_IMPENETRABLE;
        assert_eq!(Others::all().mover_flags(), all);
    }

    /// `docs/collision.md` 8.3: a plain player passes through all players but impenetrable ones.
    #[test]
    fn plain_players_are_neither_killers_nor_impenetrable() {
        assert!(MoverFlags::IS_PLAYER.is_plain_player());
        assert!((MoverFlags::IS_PLAYER | MoverFlags::CONTACT).is_plain_player());
        assert!(!MoverFlags::CONTACT.is_plain_player());
        for special in [MoverFlags::IS_PK, MoverFlags::IS_PKLITE, MoverFlags::IS_IMPENETRABLE] {
            assert!(!(MoverFlags::IS_PLAYER | special).is_plain_player(), "{special:?}");
        }
        assert!(!ObstacleFlags::PLAYER.blocks_plain_players());
        assert!(!(ObstacleFlags::PLAYER | ObstacleFlags::PK).blocks_plain_players());
        assert!((ObstacleFlags::PLAYER | ObstacleFlags::IMPENETRABLE).blocks_plain_players());
        assert!(ObstacleFlags::CREATURE.blocks_plain_players());
    }

    #[test]
    fn a_mover_is_not_the_scenery_with_its_guid() {
        let shape = Shape::human();
        let mover = Mover::new(Guid(7), &shape, 1.0, PhysicsState::empty(), MoverFlags::empty());
        assert!(mover.is_same_as(Guid(7), ObstacleFlags::WEENIE));
        assert!(!mover.is_same_as(Guid(8), ObstacleFlags::WEENIE));
        assert!(!mover.is_same_as(Guid(7), ObstacleFlags::empty()));
    }
}
