//! The ground of a body on unknown terrain: level, at the height at which the body was last reported standing. Missiles and
//! bodies reported in the air have none.

use acmotion_types::{CellId, CellPosition, Guid, Vec3};

use super::{Resident, Settings};
use crate::collide::scene::CellArray;
use crate::collide::{
    Arrival, Contact, GroundHit, InfinitePlane, Mover, Obstacle, Obstacles, Obstruction, OpenAir,
    PlacementError, Plane, Surroundings, SweepResult, SweepTrace, Touch,
};

impl Settings {
    /// Returns the surroundings of a body with that fallback ground. `partial` is storage for surroundings that combine
    /// the known ones with that ground.
    #[inline]
    pub(super) fn surroundings_of<'a>(
        &'a self,
        ground: &'a FallbackGround,
        partial: &'a mut Option<PartialSurroundings<'a>>,
    ) -> &'a dyn Surroundings {
        match &self.surroundings {
            Some(known) if !self.level_where_unknown => &**known,
            Some(known) if !ground.replaces_surroundings => {
                partial.insert(PartialSurroundings { known: &**known, ground: ground.as_surroundings() })
            }
            _ => ground.as_surroundings(),
        }
    }

    /// Returns the ground of a body with that fallback ground, if that is level and there is nothing else around it.
    #[inline]
    pub(super) fn level_ground_of<'a>(&self, ground: &'a FallbackGround) -> Option<&'a InfinitePlane> {
        let replaces = match &self.surroundings {
            None => true,
            Some(_) => self.level_where_unknown && ground.replaces_surroundings,
        };
        (replaces && !ground.is_open).then_some(&ground.level)
    }

    /// Returns `true` if a body reported standing at a position stands on level ground, because the surroundings do not
    /// know its cell or their ground is too far away to be what it stands on.
    fn is_level_at(&self, position: &CellPosition) -> bool {
        let Some(known) = &self.surroundings else { return true };
        if !self.level_where_unknown {
            return false;
        }
        let Vec3 { x, y, z } = position.frame.origin;
        let is_far = |contact: Contact| {
            let Plane { normal, d } = contact.plane;
            (z + (normal.x * x + normal.y * y + d) / normal.z).abs() > MAX_HEIGHT_ABOVE_LAND
        };
        !known.has_cell(position.cell)
            || (position.cell.is_outdoor() && known.ground(position).is_none_or(is_far))
    }
}

/// The maximum distance, in metres, above or below the land at which a body is taken to stand on it, or on a building:
/// no building is higher. Farther away, the body stands on land that is not available.
const MAX_HEIGHT_ABOVE_LAND: f32 = 20.0;

/// The level ground of a body, or none.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct FallbackGround {
    level: InfinitePlane,
    /// Whether the level ground is used instead of the surroundings.
    replaces_surroundings: bool,
    /// Whether there is no ground, because the body is in the air and its height is no hint of where the ground is.
    is_open: bool,
}

impl FallbackGround {
    #[inline]
    fn as_surroundings(&self) -> &dyn Surroundings {
        if self.is_open { &OpenAir } else { &self.level }
    }
}

impl Default for FallbackGround {
    fn default() -> Self {
        Self { level: InfinitePlane::level(0.0), replaces_surroundings: false, is_open: false }
    }
}

impl Resident {
    /// Returns the fallback ground for a position at which the body is reported standing.
    #[inline]
    pub(super) fn ground_reported_at(&self, position: &CellPosition, settings: &Settings) -> FallbackGround {
        if !settings.is_level_at(position) {
            return FallbackGround { replaces_surroundings: false, is_open: false, ..self.ground };
        }
        let foot = self.entity.shape.foot() * self.entity.body.scale;
        let level = InfinitePlane::level(position.frame.origin.z + foot);
        FallbackGround { level, replaces_surroundings: true, is_open: false }
    }

    /// Adjusts the fallback ground to a position at which the body is reported standing. If that ground is used, a body
    /// that stands, or would be below it, is set on it at once; one in the air will land on it.
    #[inline]
    pub(super) fn set_reported(&mut self, position: &CellPosition, settings: &Settings) {
        self.set_reported_on(position, None, settings);
    }

    /// Does what [`set_reported`](Self::set_reported) does. The fallback ground is not level, but rises by a `slope` towards
    /// east and north, in metres a metre.
    #[inline]
    pub(super) fn set_reported_on(
        &mut self,
        position: &CellPosition,
        slope: Option<[f32; 2]>,
        settings: &Settings,
    ) {
        self.ground = self.ground_reported_at(position, settings);
        if !self.ground.replaces_surroundings {
            return;
        }
        if let Some([east, north]) = slope {
            let mut foot = *position;
            foot.frame.origin.z = -self.ground.level.seen_from(position.cell).d;
            let tilted = InfinitePlane::through(&foot, Vec3::new(-east, -north, 1.0));
            self.ground.level = tilted.unwrap_or(self.ground.level);
        }
        let reported_z = position.frame.origin.z;
        let body = &mut self.entity.body;
        if !body.is_in_cell() || !(body.is_standing() || body.position.frame.origin.z < reported_z) {
            return;
        }
        body.position.frame.origin.z = reported_z;
        if let Some(contact) = self.ground.level.ground(&body.position).filter(|_| body.has_contact()) {
            body.contact_plane = contact.plane;
        }
    }

    /// Removes the fallback ground of a body that is in the air. Known surroundings still apply to it.
    pub(super) fn set_airborne(&mut self, settings: &Settings) {
        self.ground.is_open = true;
        self.ground.replaces_surroundings = settings.surroundings.is_none();
    }

    /// Puts fallback ground under a missile that has hit something, because nothing else would support it.
    pub(super) fn end_flight(&mut self, settings: &Settings) {
        if self.ground.is_open {
            let position = self.position();
            self.set_reported(&position, settings);
        }
    }
}

impl Resident {
    /// Returns `true` if a position is below the fallback ground, and that ground is used.
    pub(super) fn is_below_ground(&self, position: &CellPosition) -> bool {
        let Vec3 { x, y, z } = position.frame.origin;
        let is_below = |Contact { plane: Plane { normal, d }, .. }: Contact| {
            normal.x * x + normal.y * y + normal.z * z + d < 0.0
        };
        self.ground.replaces_surroundings
            && !self.ground.is_open
            && self.ground.level.ground(position).is_some_and(is_below)
    }
}

/// Surroundings that know only part of the map; elsewhere the ground is level, or there is none.
pub(super) struct PartialSurroundings<'a> {
    known: &'a dyn Surroundings,
    ground: &'a dyn Surroundings,
}

impl Surroundings for PartialSurroundings<'_> {
    fn sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> SweepResult {
        if self.known.has_cell(from.cell) {
            let sweep = self.known.sweep(mover, from, to, obstacles, touched);
            if sweep.arrival.is_none_or(|arrival| arrival.in_cell) {
                return sweep;
            }
        }
        self.ground.sweep(mover, from, to, obstacles, touched)
    }

    fn trace_sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
    ) -> Option<SweepTrace> {
        if self.known.has_cell(from.cell) {
            let trace = self.known.trace_sweep(mover, from, to, obstacles)?;
            if trace.result.arrival.is_none_or(|arrival| arrival.in_cell) {
                return Some(trace);
            }
        }
        self.ground.trace_sweep(mover, from, to, obstacles)
    }

    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        slide: bool,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        match self.known.place(mover, at, slide, obstacles, touched) {
            Ok(Arrival { in_cell: false, .. }) => self.ground.place(mover, at, slide, obstacles, touched),
            placed => placed,
        }
    }

    fn is_free(&self, body: Guid, at: &CellPosition, obstacles: &dyn Obstacles) -> bool {
        self.known.is_free(body, at, obstacles)
    }

    fn ground(&self, at: &CellPosition) -> Option<Contact> {
        if self.known.has_cell(at.cell) { self.known.ground(at) } else { self.ground.ground(at) }
    }

    fn find_ground(&self, at: &CellPosition, obstacles: &dyn Obstacles) -> Option<GroundHit> {
        let ground = if self.known.has_cell(at.cell) { self.known } else { self.ground };
        ground.find_ground(at, obstacles)
    }

    fn find_obstruction(
        &self,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
    ) -> Option<Obstruction> {
        let is_known = self.known.has_cell(from.cell) && self.known.has_cell(to.cell);
        let surroundings = if is_known { self.known } else { self.ground };
        surroundings.find_obstruction(from, to, obstacles)
    }

    fn land_height(&self, at: &CellPosition) -> Option<f32> {
        let ground = if self.known.has_cell(at.cell) { self.known } else { self.ground };
        ground.land_height(at)
    }

    fn visible_rooms(&self, cell: CellId) -> &[CellId] {
        self.known.visible_rooms(cell)
    }

    fn has_cell(&self, cell: CellId) -> bool {
        self.known.has_cell(cell) || self.ground.has_cell(cell)
    }

    fn adjust_to_cell(&self, mover: &Mover<'_>, at: &CellPosition) -> Option<CellPosition> {
        self.known.adjust_to_cell(mover, at).or_else(|| self.ground.adjust_to_cell(mover, at))
    }

    fn restriction(&self, cell: CellId) -> Option<Guid> {
        self.known.restriction(cell)
    }

    fn has_obstacles(&self) -> bool {
        self.known.has_obstacles()
    }

    fn find_obstacle_cells(&self, obstacle: &Obstacle<'_>, cells: &mut CellArray) {
        self.known.find_obstacle_cells(obstacle, cells);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_dat::Assets;

    use super::*;
    use crate::collide::{MoverFlags, NoObstacles, Shape};
    use crate::world::{EntitySpec, World};

    const KNOWN: CellId = CellId(0xA9B4_0001);
    const UNKNOWN: CellId = CellId(0xB0B0_0001);

    /// Level land of one landblock, at 94 m, with everything that surroundings can tell.
    struct Island(InfinitePlane);

    impl Surroundings for Island {
        fn sweep(
            &self,
            mover: &Mover<'_>,
            from: &CellPosition,
            to: &CellPosition,
            obstacles: &dyn Obstacles,
            touched: &mut Vec<Touch>,
        ) -> SweepResult {
            let mut sweep = self.0.sweep(mover, from, to, obstacles, touched);
            if let Some(arrival) = &mut sweep.arrival {
                arrival.in_cell = self.has_cell(arrival.position.cell);
            }
            sweep
        }

        fn trace_sweep(
            &self,
            mover: &Mover<'_>,
            from: &CellPosition,
            to: &CellPosition,
            obstacles: &dyn Obstacles,
        ) -> Option<SweepTrace> {
            let mut trace = self.0.trace_sweep(mover, from, to, obstacles)?;
            if let Some(arrival) = &mut trace.result.arrival {
                arrival.in_cell = self.has_cell(arrival.position.cell);
            }
            Some(trace)
        }

        fn place(
            &self,
            mover: &Mover<'_>,
            at: &CellPosition,
            slide: bool,
            obstacles: &dyn Obstacles,
            touched: &mut Vec<Touch>,
        ) -> Result<Arrival, PlacementError> {
            let placed = self.0.place(mover, at, slide, obstacles, touched)?;
            Ok(Arrival { in_cell: self.has_cell(at.cell), ..placed })
        }

        fn is_free(&self, body: Guid, _: &CellPosition, _: &dyn Obstacles) -> bool {
            body == Guid(1)
        }

        fn ground(&self, at: &CellPosition) -> Option<Contact> {
            self.0.ground(at).filter(|_| self.has_cell(at.cell))
        }

        fn visible_rooms(&self, _: CellId) -> &[CellId] {
            &[KNOWN]
        }

        fn has_cell(&self, cell: CellId) -> bool {
            cell.block() == KNOWN.block()
        }

        fn restriction(&self, _: CellId) -> Option<Guid> {
            Some(Guid(7))
        }
    }

    fn at(cell: CellId, x: f32, z: f32) -> CellPosition {
        CellPosition::at(cell, Vec3::new(x, 12.0, z))
    }

    fn island() -> Island {
        Island(InfinitePlane::level(94.0))
    }

    /// What combined surroundings know of the island is taken from it, and of the rest from the level ground at 50 m.
    #[test]
    fn partial_surroundings_ask_the_known_ones_where_they_know_the_cell() {
        let (known, ground) = (island(), InfinitePlane::level(50.0));
        let partial = PartialSurroundings { known: &known, ground: &ground };
        for (cell, height) in [(KNOWN, 94.0), (UNKNOWN, 50.0)] {
            let above = at(cell, 12.0, 120.0);
            assert_eq!(partial.land_height(&above), Some(height));
            assert_eq!(partial.ground(&above).map(|contact| contact.plane.d), Some(-height));
            let hit = partial.find_ground(&above, &NoObstacles).expect("there is ground");
            assert_eq!(hit.height(), height);
            let below = at(cell, 13.0, 10.0);
            let hit = partial.find_obstruction(&above, &below, &NoObstacles).expect("the ground");
            assert!(
                hit.surface().is_some_and(|hit| (hit.position.frame.origin.z - height).abs() < 0.01),
                "{hit:?}"
            );
            assert!(partial.has_cell(cell));
        }
        // Between both, only the level ground is the same on both sides.
        let hit = partial.find_obstruction(&at(KNOWN, 12.0, 120.0), &at(UNKNOWN, 12.0, 10.0), &NoObstacles);
        assert!(
            hit.and_then(|hit| hit.surface().map(|hit| hit.position.frame.origin.z < 60.0)).unwrap_or(false)
        );
        let hit = partial.find_obstruction(&at(UNKNOWN, 12.0, 120.0), &at(KNOWN, 12.0, 10.0), &NoObstacles);
        assert!(
            hit.and_then(|hit| hit.surface().map(|hit| hit.position.frame.origin.z < 60.0)).unwrap_or(false)
        );
        let nothing = PartialSurroundings { known: &known, ground: &Nowhere };
        assert!(nothing.has_cell(KNOWN) && !nothing.has_cell(UNKNOWN));
        let shape = Shape::human();
        let mover = Mover::new(Guid(1), &shape, 1.0, crate::body::Body::INITIAL_STATE, MoverFlags::empty());
        for cell in [KNOWN, UNKNOWN] {
            assert_eq!(
                partial.adjust_to_cell(&mover, &at(cell, 12.0, 94.0)).map(|found| found.cell),
                Some(cell)
            );
        }
        // What only the known ones can tell.
        assert!(partial.is_free(Guid(1), &at(KNOWN, 1.0, 94.0), &NoObstacles));
        assert!(!partial.is_free(Guid(2), &at(KNOWN, 1.0, 94.0), &NoObstacles));
        assert_eq!(
            (partial.restriction(KNOWN), partial.visible_rooms(UNKNOWN)),
            (Some(Guid(7)), &[KNOWN][..])
        );
        assert!(partial.has_obstacles());
        let without = PartialSurroundings { known: &ground, ground: &known };
        assert!(!without.has_obstacles());
        let obstacle = Obstacle {
            guid: Guid(2),
            position: at(KNOWN, 12.0, 94.0),
            scale: 1.0,
            state: crate::body::Body::INITIAL_STATE,
            flags: crate::collide::ObstacleFlags::empty(),
            parts: &[],
            cylinders: &[],
            spheres: &[],
        };
        let mut cells = CellArray::default();
        partial.find_obstacle_cells(&obstacle, &mut cells);
        assert_eq!(cells.iter().collect::<Vec<_>>(), [KNOWN]);
    }

    /// Open air without any cell.
    struct Nowhere;

    impl Surroundings for Nowhere {
        fn sweep(
            &self,
            mover: &Mover<'_>,
            from: &CellPosition,
            to: &CellPosition,
            obstacles: &dyn Obstacles,
            touched: &mut Vec<Touch>,
        ) -> SweepResult {
            OpenAir.sweep(mover, from, to, obstacles, touched)
        }

        fn place(
            &self,
            mover: &Mover<'_>,
            at: &CellPosition,
            slide: bool,
            obstacles: &dyn Obstacles,
            touched: &mut Vec<Touch>,
        ) -> Result<Arrival, PlacementError> {
            OpenAir.place(mover, at, slide, obstacles, touched)
        }

        fn is_free(&self, _: Guid, _: &CellPosition, _: &dyn Obstacles) -> bool {
            true
        }

        fn ground(&self, _: &CellPosition) -> Option<Contact> {
            None
        }

        fn has_cell(&self, _: CellId) -> bool {
            false
        }
    }

    /// A sweep that begins on the island is that of the island, unless it leads off it; then, and elsewhere, it is that over
    /// the level ground. So are its record and a placement.
    #[test]
    fn partial_surroundings_sweep_over_what_is_known() {
        let (known, ground) = (island(), InfinitePlane::level(50.0));
        let partial = PartialSurroundings { known: &known, ground: &ground };
        let shape = Shape::human();
        let state = crate::body::Body::INITIAL_STATE;
        let mover = Mover::new(Guid(1), &shape, 1.0, state, MoverFlags::empty());
        let end = |from: CellPosition, to: CellPosition| {
            let swept = partial.sweep(&mover, &from, &to, &NoObstacles, &mut Vec::new());
            let traced = partial.trace_sweep(&mover, &from, &to, &NoObstacles).expect("both record");
            assert_eq!(traced.result, swept, "the record of the same sweep");
            let arrival = swept.arrival.expect("nothing is in the way");
            (arrival.position.frame.origin.z, arrival.in_cell)
        };
        // Down onto the ground of each.
        let (z, in_cell) = end(at(KNOWN, 12.0, 95.0), at(KNOWN, 12.0, 93.5));
        assert!((z - 94.0).abs() < 0.1 && in_cell, "{z}");
        let (z, in_cell) = end(at(UNKNOWN, 12.0, 95.0), at(UNKNOWN, 12.0, 93.5));
        assert!((z - 93.5).abs() < 0.01 && in_cell, "it falls on: {z}");
        // Off the island to the west, where the land is 50 m high.
        let off = CellPosition::at(KNOWN, Vec3::new(-1.0, 12.0, 93.5));
        let (z, in_cell) = end(at(KNOWN, 0.5, 95.0), off);
        assert!((z - 93.5).abs() < 0.01 && in_cell, "{z}");
        for (cell, height) in [(KNOWN, 94.0), (UNKNOWN, 50.0)] {
            let placed =
                partial.place(&mover, &at(cell, 12.0, height + 0.3), true, &NoObstacles, &mut Vec::new());
            let arrival = placed.expect("there is room");
            assert!(arrival.in_cell && arrival.has_contact, "{arrival:?}");
            assert!((arrival.position.frame.origin.z - height).abs() < 0.1, "{arrival:?}");
        }
    }

    fn settings(known: Option<Island>, level_where_unknown: bool) -> Settings {
        let surroundings = known.map(|known| Arc::new(known) as _);
        Settings { surroundings, level_where_unknown, ..Settings::default() }
    }

    /// A body is on level ground where the cell is unknown, and outdoors more than 20 m above or below the land; never where
    /// that is not wanted, and always where nothing is known.
    #[test]
    fn ground_that_cannot_be_what_a_body_stands_on_is_level() {
        let partly = settings(Some(island()), true);
        let room = CellId(0xA9B4_0100);
        for (position, is_level) in [
            (at(KNOWN, 12.0, 94.0), false),
            (at(KNOWN, 12.0, 113.0), false),
            (at(KNOWN, 12.0, 75.0), false),
            (at(KNOWN, 12.0, 115.0), true),
            (at(KNOWN, 12.0, 73.0), true),
            (at(UNKNOWN, 12.0, 94.0), true),
            (at(room, 12.0, 200.0), false),
        ] {
            assert_eq!(partly.is_level_at(&position), is_level, "{position:?}");
            assert!(!settings(Some(island()), false).is_level_at(&position));
            assert!(settings(None, true).is_level_at(&position));
        }
        // A slope of one to the north and a half to the east: 100 m north of the middle it is 100 m higher.
        let middle = CellPosition::at(KNOWN, Vec3::new(50.0, 50.0, 94.0));
        let slope = InfinitePlane::through(&middle, Vec3::new(-0.5, -1.0, 1.0)).expect("it points up");
        let hill = settings(Some(Island(slope)), true);
        let on_hill = |x: f32, y: f32, z: f32| CellPosition::at(KNOWN, Vec3::new(x, y, z));
        assert!(!hill.is_level_at(&on_hill(50.0, 150.0, 194.0)));
        assert!(!hill.is_level_at(&on_hill(150.0, 50.0, 144.0)));
        assert!(
            hill.is_level_at(&on_hill(50.0, 150.0, 94.0)) && hill.is_level_at(&on_hill(150.0, 50.0, 94.0))
        );
    }

    /// A creature on level ground of its own, in a world where nothing is known.
    fn on_level_ground(scale: f32) -> (World, Resident) {
        let mut world = World::new(Assets::mannequin());
        let spec = EntitySpec { scale, ..EntitySpec::new(Guid(1), at(KNOWN, 12.0, 94.0)) };
        let id = world.spawn(&spec, 0.0).expect("there is room");
        let resident = world.get(id).expect("it was just spawned").clone();
        (world, resident)
    }

    /// The ground is at the lowest point of a body, which is a little off its origin, at any scale.
    #[test]
    fn the_level_ground_is_under_the_feet() {
        for scale in [1.0, 3.0] {
            let (world, resident) = on_level_ground(scale);
            let foot = resident.entity.shape.foot();
            assert!(foot != 0.0, "the lowest sphere does not touch the origin");
            let ground = resident.ground_reported_at(&at(KNOWN, 12.0, 80.0), &world.settings);
            assert_eq!(ground.level, InfinitePlane::level(80.0 + foot * scale));
            assert!(ground.replaces_surroundings && !ground.is_open);
        }
    }

    /// A body that stands is set on the ground of a report at once; so is one that would be below it. One in the air above it
    /// falls, and one in no cell is left alone.
    #[test]
    fn a_report_sets_a_body_on_its_ground() {
        let (world, resident) = on_level_ground(1.0);
        let set = |height: f32, change: &dyn Fn(&mut Resident)| {
            let mut changed = resident.clone();
            change(&mut changed);
            changed.set_reported(&at(KNOWN, 12.0, height), &world.settings);
            changed
        };
        let z = |resident: &Resident| resident.position().frame.origin.z;
        let jumps = |resident: &mut Resident| {
            resident.entity.body.transient = crate::body::TransientState::ACTIVE;
        };
        for height in [90.0, 97.0] {
            let standing = set(height, &|_| {});
            assert_eq!(z(&standing), height, "it stands");
            let foot = resident.entity.shape.foot();
            assert_eq!(standing.body().contact_plane.d, -(height + foot), "on that plane");
        }
        assert_eq!(z(&set(97.0, &jumps)), 97.0, "it would be below");
        assert_eq!(
            set(97.0, &jumps).body().contact_plane,
            resident.body().contact_plane,
            "but has no contact"
        );
        assert_eq!(z(&set(90.0, &jumps)), z(&resident), "it is above");
        let stored = |resident: &mut Resident| {
            resident.entity.body.flags.remove(crate::body::BodyFlags::IN_CELL);
        };
        assert_eq!(z(&set(90.0, &stored)), z(&resident), "it is in no cell");
    }

    /// A slope is learnt from reports: the ground rises to the east and to the north, through the feet.
    #[test]
    fn a_report_on_a_slope_tilts_the_ground() {
        let (world, mut resident) = on_level_ground(1.0);
        resident.set_reported_on(&at(KNOWN, 12.0, 94.0), Some([0.5, -0.25]), &world.settings);
        let foot = resident.entity.shape.foot();
        let height = |x: f32, y: f32| {
            let position = CellPosition::at(KNOWN, Vec3::new(x, y, 0.0));
            resident.ground.level.land_height(&position).expect("it is ground")
        };
        assert!((height(12.0, 12.0) - 94.0 - foot).abs() < 1e-3);
        assert!((height(16.0, 12.0) - 96.0 - foot).abs() < 1e-3);
        assert!((height(12.0, 16.0) - 93.0 - foot).abs() < 1e-3);
        // Below is what is under that slope.
        assert!(!resident.is_below_ground(&CellPosition::at(KNOWN, Vec3::new(16.0, 12.0, 96.5))));
        assert!(resident.is_below_ground(&CellPosition::at(KNOWN, Vec3::new(16.0, 12.0, 95.5))));
        assert!(!resident.is_below_ground(&CellPosition::at(KNOWN, Vec3::new(12.0, 16.0, 93.5))));
        assert!(resident.is_below_ground(&CellPosition::at(KNOWN, Vec3::new(12.0, 16.0, 92.5))));
        resident.set_airborne(&world.settings);
        assert!(!resident.is_below_ground(&at(KNOWN, 12.0, -50.0)), "nothing is below a body in the air");
        let partly = settings(Some(island()), true);
        resident.set_reported(&at(KNOWN, 12.0, 94.0), &partly);
        assert!(!resident.is_below_ground(&at(KNOWN, 12.0, -50.0)), "the known land is asked instead");
    }

    /// What is around a body: the known surroundings, both, or its own ground, which is nothing in the air.
    #[test]
    fn the_surroundings_of_a_body_depend_on_what_is_known() {
        let (_, mut resident) = on_level_ground(1.0);
        // What is around the body: its ground at 94 m or at another height, the island, and whether it is level.
        let around = |resident: &Resident, settings: &Settings| {
            let mut partial = None;
            let around = settings.surroundings_of(&resident.ground, &mut partial);
            let heights = [KNOWN, UNKNOWN].map(|cell| around.land_height(&at(cell, 12.0, 90.0)));
            let heights = heights.map(|height| height.map(f32::round));
            (heights, settings.level_ground_of(&resident.ground).is_some())
        };
        let nothing_known = settings(None, false);
        let known = settings(Some(island()), false);
        let partly = settings(Some(island()), true);
        resident.set_reported(&at(UNKNOWN, 12.0, 40.0), &nothing_known);
        assert_eq!(around(&resident, &nothing_known), ([Some(40.0), Some(40.0)], true));
        resident.set_reported(&at(KNOWN, 12.0, 94.0), &known);
        assert_eq!(around(&resident, &known), ([Some(94.0), None], false));
        resident.set_reported(&at(UNKNOWN, 12.0, 30.0), &partly);
        assert_eq!(
            around(&resident, &partly),
            ([Some(30.0), Some(30.0)], true),
            "reported where nothing is known"
        );
        resident.set_reported(&at(KNOWN, 12.0, 94.0), &partly);
        assert_eq!(around(&resident, &partly), ([Some(94.0), Some(30.0)], false), "and then on known land");
        resident.set_airborne(&partly);
        assert_eq!(around(&resident, &partly), ([Some(94.0), None], false), "in the air over it");
        resident.set_airborne(&nothing_known);
        assert_eq!(around(&resident, &nothing_known), ([None, None], false), "in the air over nothing");
    }

    /// A missile that has hit something gets ground where it is; what has ground keeps it.
    #[test]
    fn the_end_of_a_flight_puts_ground_under_a_missile() {
        let (world, mut resident) = on_level_ground(1.0);
        resident.entity.body.position.frame.origin.z = 120.0;
        let before = resident.ground;
        resident.end_flight(&world.settings);
        assert_eq!(resident.ground, before, "it did not fly");
        resident.set_airborne(&world.settings);
        resident.end_flight(&world.settings);
        let foot = resident.entity.shape.foot();
        assert_eq!(resident.ground.level, InfinitePlane::level(120.0 + foot));
        assert!(!resident.ground.is_open);
    }
}
