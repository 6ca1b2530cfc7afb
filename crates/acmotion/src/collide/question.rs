//! Questions about the world that are not asked for a body: what is below a point, what lies between two points, how a
//! shape would move, and where it could stand. They apply the rules of collision, and change nothing.

use std::fmt;

use acmotion_types::{CellId, CellPosition, Guid, Vec3};
use acmotion_wire::PhysicsState;

use super::{
    Arrival, Contact, LANDING_Z, Mover, MoverFlags, Obstacles, PlacementError, Plane, Shape, Surroundings,
    SweepResult, Touch,
};

/// What a surface belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Surface {
    /// The land.
    Land,
    /// The shell of a building.
    Building,
    /// The floor, a wall or the ceiling of a room.
    Room,
    /// A tree, a fence, a piece of furniture: anything of a scene that never moves.
    Scenery,
    /// An entity.
    Entity(Guid),
}

impl Surface {
    /// Returns a name in lower case, such as `land`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Land => "land",
            Self::Building => "building",
            Self::Room => "room",
            Self::Scenery => "scenery",
            Self::Entity(_) => "entity",
        }
    }

    /// Returns the guid of the entity; `None` if it belongs to something else.
    pub const fn guid(self) -> Option<Guid> {
        match self {
            Self::Entity(guid) => Some(guid),
            _ => None,
        }
    }
}

/// What is below a point: the answer to [`Scene::ground_at`](super::Scene::ground_at).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GroundHit {
    /// The point of the surface straight below, in the cell in which the surface was found. The rotation is that of the
    /// position asked for.
    pub position: CellPosition,
    /// The plane of the surface there, in the axes of `position`'s landblock.
    pub plane: Plane,
    /// What the surface belongs to.
    pub surface: Surface,
    /// How deep bodies sink in, in metres: into water, and a little into the shore (`docs/collision.md` 6.4).
    pub depth: f32,
}

impl GroundHit {
    /// Returns the height of the surface, in metres.
    pub fn height(&self) -> f32 {
        self.position.frame.origin.z
    }

    /// Returns the height at which the lowest point of a body comes to rest, in metres: that of the surface, less the depth
    /// to which bodies sink in.
    pub fn standing_height(&self) -> f32 {
        self.height() - self.depth
    }

    /// Returns the position at which the lowest point of a body comes to rest.
    pub fn standing_position(&self) -> CellPosition {
        let mut position = self.position;
        position.frame.origin.z = self.standing_height();
        position
    }

    /// Returns `true` if the surface is flat enough to stand on. From any other a body slides off.
    pub fn is_walkable(&self) -> bool {
        self.plane.is_walkable()
    }

    /// Returns the surface as the contact of a body that stands on it.
    pub fn contact(&self) -> Contact {
        Contact { plane: self.plane, cell: self.position.cell, is_water: self.depth > 0.0 }
    }
}

/// What lies between two positions: the answer to [`Scene::line_of_sight`](super::Scene::line_of_sight).
///
/// ```
/// use acmotion::dat::Assets;
/// use acmotion::dat::mannequin::town::landmarks;
/// use acmotion::scene::{GroundHit, Obstruction, Scene, Shape, StandError, SurfaceHit};
/// use acmotion::types::CellPosition;
///
/// /// Returns the point at which a spell from one position to another ends.
/// fn impact(scene: &Scene, from: &CellPosition, to: &CellPosition) -> CellPosition {
///     match scene.line_of_sight(from, to) {
///         Ok(()) => *to,
///         Err(Obstruction::Surface(SurfaceHit { position, .. })) => position,
///         Err(Obstruction::Unconnected) => *from,
///     }
/// }
///
/// /// Returns a position on the ground under a point at which a human can stand.
/// fn landing(scene: &Scene, above: &CellPosition) -> Result<CellPosition, StandError> {
///     let ground: GroundHit = scene.ground_at(above).ok_or(StandError::NoGround)?;
///     scene.can_stand_at(&Shape::human(), &ground.standing_position())
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
/// let (mut eye, mut beyond) = (landmarks().wall, landmarks().wall);
/// eye.frame.origin.z += 1.5;
/// beyond.frame.origin.z += 1.5;
/// beyond.frame.origin.y += 8.0;
/// assert!(impact(&scene, &eye, &beyond).distance_to(&beyond) > 1.0, "the wall is in between");
/// assert!(landing(&scene, &eye)?.distance_to(&landmarks().wall) < 0.1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Obstruction {
    /// A surface.
    Surface(SurfaceHit),
    /// No cells lead from one position to the other along the line, or one of the positions is in no cell.
    Unconnected,
}

impl Obstruction {
    /// Returns the surface in the way, if it is one.
    pub fn surface(&self) -> Option<&SurfaceHit> {
        match self {
            Self::Surface(hit) => Some(hit),
            Self::Unconnected => None,
        }
    }
}

impl fmt::Display for Obstruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Surface(hit) = self else {
            return f.write_str("no cells lead from one position to the other");
        };
        match hit.surface {
            Surface::Land => f.write_str("land is in the way"),
            Surface::Building => f.write_str("a building is in the way"),
            Surface::Room => f.write_str("a wall, floor or ceiling is in the way"),
            Surface::Scenery => f.write_str("scenery is in the way"),
            Surface::Entity(guid) => write!(f, "entity 0x{:08X} is in the way", guid.0),
        }
    }
}

impl std::error::Error for Obstruction {}

/// A surface that a line meets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SurfaceHit {
    /// The point of the surface, in the cell in which it was found.
    pub position: CellPosition,
    /// The normal of the surface, on the side that the line comes from.
    pub normal: Vec3,
    /// The share of the line, 0 to 1, in front of the surface.
    pub share: f32,
    /// What the surface belongs to.
    pub surface: Surface,
}

/// How a shape moves in [`Scene::sweep_shape`](super::Scene::sweep_shape).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SweepKind {
    /// Like a body on foot: if it starts on ground, it keeps to it, climbs steps, slides along walls and does not leave
    /// edges that it would fall from. In the air it moves freely until it touches something. Its position is at its feet.
    #[default]
    Walk,
    /// Like a missile: it ignores the ground that it starts on, and stops where its first sphere hits something.
    Fly,
}

/// The mover flags of a shape that flies.
const FLYING: MoverFlags = MoverFlags::PATH_CLIPPED.union(MoverFlags::PERFECT_CLIP);
/// The maximum distance from its feet to the ground, in metres, at which a shape starts to walk on it.
const MAX_GROUND_GAP: f32 = 0.05;

/// Sweeps a shape through surroundings as [`Scene::sweep_shape`](super::Scene::sweep_shape) does, past obstacles. Those that
/// it touches are put into `touched`.
pub(crate) fn sweep_shape(
    around: &dyn Surroundings,
    shape: &Shape,
    [from, to]: [&CellPosition; 2],
    kind: SweepKind,
    obstacles: &dyn Obstacles,
    touched: &mut Vec<Touch>,
) -> SweepResult {
    touched.clear();
    let (state, flags) = match kind {
        SweepKind::Walk => (PhysicsState::GRAVITY, MoverFlags::EDGE_SLIDE),
        SweepKind::Fly => (PhysicsState::MISSILE, FLYING),
    };
    let mut mover = Mover::new(Guid::NONE, shape, 1.0, state, flags);
    if kind == SweepKind::Walk
        && let Some(ground) = around.find_ground(from, obstacles)
        && ground_gap(shape, from, &ground) < MAX_GROUND_GAP
    {
        mover.contact = Some(ground.contact());
        mover.last_known = mover.contact;
        mover.flags.insert(MoverFlags::CONTACT);
        mover.flags.set(MoverFlags::ON_WALKABLE, ground.is_walkable());
    }
    around.sweep(&mover, from, to, obstacles, touched)
}

/// Returns the distance between the foot sphere of a shape at a position and the plane of the ground, in metres.
fn ground_gap(shape: &Shape, at: &CellPosition, ground: &GroundHit) -> f32 {
    let Some(foot) = shape.spheres().first() else { return at.frame.origin.z - ground.standing_height() };
    let centre = at.frame.local_to_global(foot.origin) - at.cell.block_offset(ground.position.cell);
    match ground.surface {
        // Bodies touch land with their lowest point, everything else with the nearest one (`docs/collision.md` 5.1).
        Surface::Land => {
            let low = centre - Vec3::new(0.0, 0.0, foot.radius);
            ground.plane.distance(low) + ground.depth
        }
        _ => ground.plane.distance(centre) - foot.radius,
    }
}

/// Why a shape cannot stand at a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum StandError {
    /// There is no cell at the position.
    NoCell,
    /// Something is in the way.
    NoRoom,
    /// There is no ground within a step below the position, or it is too steep to stand on.
    NoGround,
}

impl fmt::Display for StandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoCell => "there is no cell at the position",
            Self::NoRoom => "something is in the way",
            Self::NoGround => "there is no walkable ground within a step below",
        })
    }
}

impl std::error::Error for StandError {}

/// Places a shape in surroundings as [`Scene::can_stand_at`](super::Scene::can_stand_at) does, among obstacles.
pub(crate) fn can_stand_at(
    around: &dyn Surroundings,
    shape: &Shape,
    at: &CellPosition,
    obstacles: &dyn Obstacles,
    touched: &mut Vec<Touch>,
) -> Result<CellPosition, StandError> {
    touched.clear();
    if !at.frame.is_valid() || !at.frame.origin.is_finite() {
        return Err(StandError::NoCell);
    }
    let mover = Mover::new(Guid::NONE, shape, 1.0, PhysicsState::GRAVITY, MoverFlags::empty());
    match around.place(&mover, at, false, obstacles, touched) {
        Err(PlacementError::NoRoom(_)) => Err(StandError::NoRoom),
        Err(PlacementError::NoCell) | Ok(Arrival { in_cell: false, .. }) => Err(StandError::NoCell),
        Ok(arrival) if arrival.has_contact && arrival.contact.plane.is_walkable() => Ok(arrival.position),
        Ok(_) => Err(StandError::NoGround),
    }
}

/// Returns the ground of surroundings that are one plane, as [`Surroundings::find_ground`] does.
pub(super) fn ground_of_plane(at: &CellPosition, contact: Contact) -> Option<GroundHit> {
    let Plane { normal, d } = contact.plane;
    let offset = at.cell.block_offset(contact.cell);
    let mut position = CellPosition::new(contact.cell, at.frame);
    let origin = &mut position.frame.origin;
    *origin -= offset;
    origin.z = -(normal.x * origin.x + normal.y * origin.y + d) / normal.z;
    let is_ground = normal.z > LANDING_Z && origin.z.is_finite();
    is_ground.then_some(GroundHit { position, plane: contact.plane, surface: Surface::Land, depth: 0.0 })
}

/// Returns what lies between two positions in surroundings that are one plane, as [`Surroundings::find_obstruction`]
/// does.
pub(super) fn obstruction_of_plane(
    from: &CellPosition,
    to: &CellPosition,
    contact: Contact,
) -> Option<Obstruction> {
    let start = from.frame.origin - from.cell.block_offset(contact.cell);
    let along = from.offset_to(to);
    let margin = END_MARGIN / along.length();
    let (before, after) = (contact.plane.distance(start), contact.plane.distance(start + along));
    let share = before / (before - after);
    if !(share > margin && share < 1.0 - margin) {
        return None;
    }
    let position = CellPosition::new(contact.cell, acmotion_types::Frame::from_origin(start + along * share));
    let normal = if before < 0.0 { -contact.plane.normal } else { contact.plane.normal };
    Some(Obstruction::Surface(SurfaceHit { position, normal, share, surface: Surface::Land }))
}

/// The length at both ends of a line of sight, in metres, that surfaces do not obstruct, so that points on a surface are
/// visible.
pub(super) const END_MARGIN: f32 = 0.01;

/// No cells, for surroundings that do not know which cells are visible.
pub(super) const NO_CELLS: &[CellId] = &[];

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::collide::{InfinitePlane, NoObstacles, ObstacleFlags, OpenAir};

    /// Level ground that remembers on what the mover of the last sweep stood and had stood, and its flags.
    struct Witness {
        ground: InfinitePlane,
        seen: Cell<(Option<Contact>, Option<Contact>, MoverFlags)>,
    }

    impl Surroundings for Witness {
        fn sweep(
            &self,
            mover: &Mover<'_>,
            from: &CellPosition,
            to: &CellPosition,
            obstacles: &dyn Obstacles,
            touched: &mut Vec<Touch>,
        ) -> SweepResult {
            self.seen.set((mover.contact, mover.last_known, mover.flags));
            self.ground.sweep(mover, from, to, obstacles, touched)
        }

        fn place(
            &self,
            mover: &Mover<'_>,
            at: &CellPosition,
            slide: bool,
            obstacles: &dyn Obstacles,
            touched: &mut Vec<Touch>,
        ) -> Result<Arrival, PlacementError> {
            self.ground.place(mover, at, slide, obstacles, touched)
        }

        fn is_free(&self, body: Guid, at: &CellPosition, obstacles: &dyn Obstacles) -> bool {
            self.ground.is_free(body, at, obstacles)
        }

        fn ground(&self, at: &CellPosition) -> Option<Contact> {
            self.ground.ground(at)
        }
    }

    /// A shape on the ground starts as a body that stands there does: it knows the ground, as its contact and as its last known
    /// plane (`docs/collision.md` 1.3).
    #[test]
    fn a_shape_that_walks_knows_the_ground_it_starts_on() {
        let witness = Witness { ground: InfinitePlane::level(2.0), seen: Cell::default() };
        let seen = |z: f32, kind| {
            let from = CellPosition::at(CellId(0x7F7F_0001), Vec3::new(12.0, 12.0, z));
            let mut to = from;
            to.frame.origin.x += 0.1;
            sweep_shape(&witness, &Shape::human(), [&from, &to], kind, &NoObstacles, &mut Vec::new());
            witness.seen.get()
        };
        let plane = Plane::new(Vec3::new(0.0, 0.0, 1.0), -2.0);
        let ground = Some(Contact { plane, cell: CellId(0x7F7F_0001), is_water: false });
        let standing = MoverFlags::EDGE_SLIDE | MoverFlags::CONTACT | MoverFlags::ON_WALKABLE;
        assert_eq!(seen(2.005, SweepKind::Walk), (ground, ground, standing));
        assert_eq!(seen(3.0, SweepKind::Walk), (None, None, MoverFlags::EDGE_SLIDE));
        assert_eq!(seen(2.005, SweepKind::Fly), (None, None, FLYING));
    }

    /// Surroundings need not clear the list of what a body touched.
    #[test]
    fn a_question_forgets_what_was_touched_before() {
        let stale =
            || vec![Touch { guid: Guid(1), state: PhysicsState::empty(), flags: ObstacleFlags::empty() }];
        let at = CellPosition::at(CellId(0x7F7F_0001), Vec3::new(12.0, 12.0, 0.0));
        let (shape, mut touched) = (Shape::human(), stale());
        sweep_shape(&OpenAir, &shape, [&at, &at], SweepKind::Walk, &NoObstacles, &mut touched);
        assert_eq!(touched, []);
        touched = stale();
        let stood = can_stand_at(&OpenAir, &shape, &at, &NoObstacles, &mut touched);
        assert_eq!((stood, touched), (Err(StandError::NoGround), vec![]));
    }

    /// The gap of a shape without spheres is that of its origin, and across a border of landblocks the same as elsewhere.
    #[test]
    fn the_gap_to_the_ground_is_that_of_the_foot() {
        let position = CellPosition::at(CellId(0x807F_0001), Vec3::new(2.0, 12.0, 1.0));
        let normal = Vec3::new(-0.6, 0.0, 0.8);
        let plane = Plane::through(position.frame.origin, normal);
        let ground = |surface, depth| GroundHit { position, plane, surface, depth };
        // Two metres above the ground, in the landblock to the west of it.
        let at = CellPosition::at(CellId(0x7F7F_0039), Vec3::new(194.0, 12.0, 3.0));
        let gap = |shape: &Shape, surface, depth| ground_gap(shape, &at, &ground(surface, depth));
        let near = |a: f32, b: f32| (a - b).abs() < 1e-4;
        assert!(near(gap(&Shape::default(), Surface::Land, 0.0), 2.0));
        assert!(near(gap(&Shape::default(), Surface::Land, 0.5), 2.5));
        // The lowest point of a human foot is 5 mm below the origin, its centre 0.475 m above it.
        assert!(near(gap(&Shape::human(), Surface::Land, 0.0), 1.995 * 0.8));
        assert!(near(gap(&Shape::human(), Surface::Land, 0.5), 1.995 * 0.8 + 0.5));
        assert!(near(gap(&Shape::human(), Surface::Room, 0.0), 2.475 * 0.8 - 0.48));
    }
}
