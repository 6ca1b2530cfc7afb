//! The most common sweep in a scene, without the detours: a walker goes on over open land that it stands on.

use std::cell::Cell;
use std::ops::ControlFlow;

use acmotion_dat::Sphere;
use acmotion_types::{CellPosition, EPS, Vec3};
use acmotion_wire::PhysicsState;

use super::find_cells::are_clear_of_borders;
use super::{Building, Ground, Scene, Water};
use crate::collide::path::step_after;
use crate::collide::steps::{STEP_DOWN_ATTEMPTS, clamped_step};
use crate::collide::sweep::{ATTEMPTS, SubStepPlan, along_plane, lift_out_of};
use crate::collide::{
    Arrival, Contact, FLOOR_Z, Mover, MoverFlags, Obstacle, ObstacleFlags, Obstacles, SearchCylinder,
};

/// The margin around the spheres in which there must be no obstacle, in metres: more than rounding can shift them.
const MARGIN: f32 = 0.01;

impl Scene {
    /// Returns where a walker gets in one sub-step on open land, bit for bit as the full sweep would. `None` wherever
    /// anything is out of the ordinary, and the full sweep is needed.
    ///
    /// It applies to an upright body that stands on walkable land and does not slide, in a land cell without a restriction,
    /// clear of the borders of the cell, with no building and no obstacle within reach. Then every test of the full sweep but
    /// that against the land is without effect, the check position never changes its cell, and all that is left is
    /// arithmetic on its height. This does that arithmetic in the same order.
    pub(super) fn stride(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
    ) -> Option<Arrival> {
        let contact = mover.contact.filter(|contact| is_ordinary(mover, contact, from, to))?;
        let land = self.land(from.cell)?;
        if land.guard().is_some() || land.block_water() == Water::Entirely {
            return None;
        }
        let spheres = Spheres::upright(mover, from, to)?;
        let radius = spheres.foot.radius;
        let plan = SubStepPlan::new(from.offset_to(to), radius, false).filter(|plan| plan.count == 1)?;
        let offset = along_plane(plan.step, &contact.plane);
        if offset.length_squared() < EPS * EPS {
            return None;
        }
        let mut walker = Walker::new(from, &spheres);
        if !contact.is_water
            && let Some(lift) = lift_out_of(&contact.plane, walker.foot, radius)
        {
            walker.rise(lift);
        }
        walker.shift(offset);
        if !are_clear_of_borders(from.cell, &spheres.above(walker.origin)) {
            return None;
        }
        let ground = land.ground_at(walker.origin)?;
        walker.follow(&ground, radius, spheres.step(mover))?;
        let reach = walker.reach(from, &spheres);
        let is_clear = land.building().is_none_or(|building| self.is_clear_of(building, &reach))
            && has_no_obstacle(self, from, mover, reach)
            && has_no_obstacle(obstacles, from, mover, reach);
        if !is_clear {
            return None;
        }
        let mut arrived = CellPosition { frame: to.frame, ..*from };
        arrived.frame.origin = walker.origin;
        let falls = mover.state.contains(PhysicsState::GRAVITY);
        if falls && arrived.frame.is_close_to(&from.frame) {
            return None;
        }
        Some(Arrival {
            contact: Contact { plane: ground.plane, cell: from.cell, is_water: ground.is_water },
            has_contact: true,
            frames_stationary_fall: if falls { 0 } else { mover.frames_stationary_fall },
            ..Arrival::without_contact(arrived)
        })
    }

    /// Returns `true` if neither the shell of a building nor a room behind one of its portals is within reach.
    fn is_clear_of(&self, building: &Building, reach: &SearchCylinder) -> bool {
        let around = Sphere { origin: reach.centre, radius: reach.radius + reach.half_height };
        let misses_shell = building.solid.as_deref().is_none_or(|solid| {
            let Sphere { origin, radius } = solid.sphere();
            let shift = reach.cell.block_offset(building.position.cell);
            let centre = building.position.frame.local_to_global(origin * building.scale) + shift;
            let apart = around.radius + radius * building.scale.abs();
            (centre - around.origin).length_squared() > apart * apart
        });
        misses_shell && !self.reaches_rooms_behind(building, reach.cell, &[around])
    }
}

/// Returns `true` if a mover walks on walkable ground within one landblock, and nothing else is special about it.
fn is_ordinary(mover: &Mover<'_>, contact: &Contact, from: &CellPosition, to: &CellPosition) -> bool {
    let special = MoverFlags::IS_VIEWER | MoverFlags::PATH_CLIPPED | MoverFlags::FREE_ROTATE;
    mover.flags.contains(MoverFlags::CONTACT | MoverFlags::ON_WALKABLE)
        && !mover.flags.intersects(special)
        && mover.steps_down()
        && mover.sliding_normal.is_none()
        && contact.cell.0 != 0
        && contact.cell.block() == from.cell.block()
        && from.cell == to.cell
}

/// Returns `true` if no obstacle of a list is within reach of the mover.
fn has_no_obstacle(
    obstacles: &dyn Obstacles,
    from: &CellPosition,
    mover: &Mover<'_>,
    reach: SearchCylinder,
) -> bool {
    let mut is_clear = true;
    obstacles.visit_blocking(from.cell, &Cell::new(reach), mover, &mut |obstacle: &Obstacle<'_>| {
        let is_own = mover.is_same_as(obstacle.guid, obstacle.flags);
        is_clear = is_own || obstacle.flags.contains(ObstacleFlags::PARENTED);
        if is_clear { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    is_clear
}

/// The spheres of an upright body, scaled, with their centres on its axis.
struct Spheres {
    foot: Sphere,
    /// The head sphere, or the foot again if there is none.
    head: Sphere,
}

impl Spheres {
    /// `None` if the body is not upright before and after, or has other spheres.
    fn upright(mover: &Mover<'_>, from: &CellPosition, to: &CellPosition) -> Option<Self> {
        let is_upright = [from, to].into_iter().all(|position| {
            let rotation = position.frame.rotation;
            rotation.x == 0.0 && rotation.y == 0.0
        });
        let own = match mover.shape.spheres() {
            [foot] => [*foot, *foot],
            [foot, head] => [*foot, *head],
            _ => return None,
        };
        let is_on_axis = own.iter().all(|sphere| sphere.origin.x == 0.0 && sphere.origin.y == 0.0);
        let [foot, head] = own.map(|sphere| Sphere {
            origin: sphere.origin * mover.scale,
            radius: sphere.radius * mover.scale,
        });
        // NaN fails this test.
        let has_size = foot.radius > 0.0 && head.radius > 0.0;
        (is_upright && is_on_axis && has_size).then_some(Self { foot, head })
    }

    /// Returns the spheres of a body at a point, with heights that do not count.
    fn above(&self, origin: Vec3) -> [Sphere; 2] {
        [self.foot, self.head].map(|sphere| Sphere { origin, ..sphere })
    }

    /// Returns the height of the first probe of a step down. It nearly always finds the ground.
    fn step(&self, mover: &Mover<'_>) -> f32 {
        let has_head = mover.shape.spheres().len() > 1;
        clamped_step(mover.shape.step_down * mover.scale, self.foot.radius, has_head).0
    }
}

/// The check position and the foot sphere of a walker, which shift together but are rounded apart.
struct Walker {
    origin: Vec3,
    /// The centre of the foot sphere.
    foot: Vec3,
    /// The lowest and the highest height of the origin so far at which obstacles are tested.
    heights: (f32, f32),
}

impl Walker {
    fn new(from: &CellPosition, spheres: &Spheres) -> Self {
        let origin = from.frame.origin;
        Self { origin, foot: origin + spheres.foot.origin, heights: (f32::MAX, f32::MIN) }
    }

    fn shift(&mut self, offset: Vec3) {
        self.origin += offset;
        self.foot += offset;
    }

    fn rise(&mut self, height: f32) {
        self.shift(Vec3::new(0.0, 0.0, height));
    }

    /// Puts the walker on the land below, as an insertion with its step down does (`docs/collision.md` 3.5). `None` if there is
    /// more to it.
    fn follow(&mut self, ground: &Ground, radius: f32, height: f32) -> Option<()> {
        if !ground.plane.is_walkable() {
            return None;
        }
        if self.insert(ground, radius, ATTEMPTS, |_| Some(()))? {
            return Some(());
        }
        self.rise(-height);
        let mut left = 1.0;
        let has_contact = self.insert(ground, radius, STEP_DOWN_ATTEMPTS, |lift| {
            left = step_after(left, lift / (height * left))?;
            Some(())
        })?;
        // The placement that ends a step down must not move the walker any more (4.2).
        (has_contact && ground.plane.normal.z >= FLOOR_Z && self.distance(ground, radius) >= -EPS)
            .then_some(())
    }

    /// Tests the land until it does not push the walker up any more. Returns `true` if the walker stands on it; `None` if it
    /// is pushed too often, or `take_lift` refuses a lift.
    fn insert(
        &mut self,
        ground: &Ground,
        radius: f32,
        attempts: u32,
        mut take_lift: impl FnMut(f32) -> Option<()>,
    ) -> Option<bool> {
        let mut has_contact = false;
        for _ in 0..attempts {
            let distance = self.distance(ground, radius);
            if distance > EPS {
                return Some(self.accept(has_contact));
            }
            has_contact = true;
            if distance >= -EPS {
                return Some(self.accept(true));
            }
            let lift = -distance / ground.plane.normal.z;
            take_lift(lift)?;
            self.rise(lift);
        }
        None
    }

    /// Ends an insertion: obstacles are tested here, and the check position is put into the axes of its own cell again.
    fn accept(&mut self, has_contact: bool) -> bool {
        let (low, high) = self.heights;
        self.heights = (low.min(self.origin.z), high.max(self.origin.z));
        self.shift(Vec3::ZERO);
        has_contact
    }

    /// Returns the distance of the lowest point of the foot sphere from where the land supports it.
    fn distance(&self, ground: &Ground, radius: f32) -> f32 {
        ground.plane.distance(self.foot - Vec3::new(0.0, 0.0, radius)) + ground.depth
    }

    /// Returns a cylinder around the spheres wherever obstacles have been tested.
    fn reach(&self, from: &CellPosition, spheres: &Spheres) -> SearchCylinder {
        let (Sphere { origin: foot, radius }, head) = (spheres.foot, spheres.head);
        let radius = radius.max(head.radius) + MARGIN;
        let low = self.heights.0 + foot.z.min(head.origin.z) - radius;
        let high = self.heights.1 + foot.z.max(head.origin.z) + radius;
        let half_height = 0.5 * (high - low);
        SearchCylinder {
            cell: from.cell,
            centre: Vec3 { z: low + half_height, ..self.origin },
            radius,
            half_height,
        }
    }
}

#[cfg(test)]
mod tests {
    use acmotion_dat::Assets;
    use acmotion_dat::mannequin::town::landmarks;
    use acmotion_types::{CellId, Guid, Quat};
    use proptest::prelude::*;
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;

    use super::super::questions::height_on;
    use super::super::sweep_inspected;
    use super::*;
    use crate::collide::{NoObstacles, ObstacleList, Shape};

    /// A step of a walker from a point of a landblock.
    #[derive(Clone, Debug)]
    struct Step {
        at: (f32, f32),
        /// How far above the land it starts.
        above: f32,
        offset: [f32; 3],
        turn: f32,
        gravity: bool,
        edge_slide: bool,
        scale: f32,
        stopped: u8,
    }

    fn step() -> impl Strategy<Value = Step> {
        let near_border = (0_u8..=8, -0.6_f32..0.6).prop_map(|(cell, off)| f32::from(cell) * 24.0 + off);
        let coordinate = prop_oneof![4 => 0.0_f32..192.0, 1 => near_border];
        let above = prop_oneof![4 => Just(0.0_f32), 2 => -0.01_f32..0.01, 1 => -0.3_f32..0.6];
        let offset = (-0.4_f32..0.4, -0.4_f32..0.4, prop_oneof![2 => Just(0.0_f32), 1 => -0.1_f32..0.1])
            .prop_map(|(x, y, z)| [x, y, z]);
        let scale = prop_oneof![3 => Just(1.0_f32), 1 => 0.3_f32..2.5];
        let rest = (0.0_f32..6.0, any::<bool>(), any::<bool>(), scale, 0_u8..3);
        ((coordinate.clone(), coordinate), above, offset, rest).prop_map(
            |(at, above, offset, (turn, gravity, edge_slide, scale, stopped))| Step {
                at,
                above,
                offset,
                turn,
                gravity,
                edge_slide,
                scale,
                stopped,
            },
        )
    }

    /// The town, with three landblocks: those of the yard, the hill and the lake.
    fn town() -> (Scene, [CellId; 3]) {
        let scene = Scene::load(&Assets::mannequin(), &Assets::town()).expect("the built-in town loads");
        (scene, [landmarks().spawn.cell, landmarks().hill_top.cell, landmarks().lake.cell])
    }

    /// Makes a step by the stride and by the full sweep. Returns both, `None` off the land.
    fn both(scene: &Scene, block: CellId, step: &Step) -> Option<(Option<Arrival>, Option<Arrival>)> {
        let Step { at: (x, y), above, offset, turn, gravity, edge_slide, scale, stopped } = *step;
        let mut from = CellPosition::at(block, Vec3::new(x, y, 0.0)).adjusted_to_outside()?;
        let ground = scene.land(from.cell)?.ground_at(from.frame.origin)?;
        let shape = Shape::human();
        let foot = shape.spheres()[0];
        let floor = height_on(&ground.plane, from.frame.origin) - ground.depth / ground.plane.normal.z;
        from.frame.origin.z = floor + above - (foot.origin.z - foot.radius) * scale;
        let mut state = PhysicsState::empty();
        state.set(PhysicsState::GRAVITY, gravity);
        let mut flags = MoverFlags::CONTACT;
        flags.set(MoverFlags::ON_WALKABLE, ground.plane.is_walkable());
        flags.set(MoverFlags::EDGE_SLIDE, edge_slide);
        let contact = Some(Contact { plane: ground.plane, cell: from.cell, is_water: ground.is_water });
        let mover = Mover {
            contact,
            last_known: contact,
            frames_stationary_fall: stopped,
            ..Mover::new(Guid(1), &shape, scale, state, flags)
        };
        let mut to = from;
        to.frame.origin += offset.into();
        to.frame.set_rotation(Quat { w: libm::cosf(turn), x: 0.0, y: 0.0, z: libm::sinf(turn) });
        let stride = scene.stride(&mover, &from, &to, &NoObstacles);
        let full = sweep_inspected(scene, &mover, [&from, &to], &NoObstacles, &mut Vec::new(), |_| ());
        if stride.is_some() {
            assert!(!full.kills_velocity && full.barrier.is_none(), "{step:?}");
        }
        Some((stride, full.arrival))
    }

    /// Uphill and downhill, sunk in and in the air, near borders, buildings, water and scenery.
    #[test]
    fn a_stride_equals_the_full_sweep() {
        let (scene, blocks) = town();
        let (mut strides, mut steps) = (0, 0);
        let (mut in_water, mut at_buildings) = (0, 0);
        let mut runner = TestRunner::deterministic();
        for _ in 0..20_000 {
            let step = step().new_tree(&mut runner).expect("steps are not filtered").current();
            for (stride, full) in blocks.into_iter().filter_map(|block| both(&scene, block, &step)) {
                steps += 1;
                if let Some(arrival) = &stride {
                    strides += 1;
                    in_water += u32::from(arrival.contact.is_water);
                    let land = scene.land(arrival.position.cell);
                    at_buildings += u32::from(land.is_some_and(|land| land.building().is_some()));
                    assert_eq!(stride, full, "{step:?}");
                }
            }
        }
        assert!(strides * 4 > steps, "only {strides} of {steps} steps are strides");
        assert!(in_water > 100 && at_buildings > 100, "{in_water} in water, {at_buildings} at buildings");
    }

    /// A body of one sphere has no head, and strides all the same.
    #[test]
    fn a_body_of_one_sphere_strides_as_in_the_full_sweep() {
        let (scene, [block, ..]) = town();
        let spawn = landmarks().spawn;
        let mut shape = Shape::human();
        let foot = shape.spheres()[0];
        shape.set_spheres(&[foot]);
        let ground = scene.land(block).and_then(|land| land.ground_at(spawn.frame.origin)).expect("land");
        let contact = Some(Contact { plane: ground.plane, cell: spawn.cell, is_water: false });
        let flags = MoverFlags::CONTACT | MoverFlags::ON_WALKABLE;
        let mover = Mover {
            contact,
            last_known: contact,
            ..Mover::new(Guid(1), &shape, 1.0, PhysicsState::GRAVITY, flags)
        };
        let (mut from, mut to) = (spawn, spawn);
        from.frame.origin.z = height_on(&ground.plane, from.frame.origin) + 0.005;
        to.frame.origin = from.frame.origin + Vec3::new(0.1, 0.0, 0.0);
        let stride = scene.stride(&mover, &from, &to, &NoObstacles);
        let full = sweep_inspected(&scene, &mover, [&from, &to], &NoObstacles, &mut Vec::new(), |_| ());
        assert!(stride.is_some());
        assert_eq!(stride, full.arrival);
    }

    /// An obstacle in the way needs the full sweep, the mover itself does not.
    #[test]
    fn a_stride_stops_at_obstacles() {
        let (scene, [block, ..]) = town();
        let (shape, spawn) = (Shape::human(), landmarks().spawn);
        let ground = scene.land(block).and_then(|land| land.ground_at(spawn.frame.origin)).expect("land");
        let contact = Some(Contact { plane: ground.plane, cell: spawn.cell, is_water: false });
        let flags = MoverFlags::CONTACT | MoverFlags::ON_WALKABLE;
        let mover = Mover { contact, ..Mover::new(Guid(1), &shape, 1.0, PhysicsState::GRAVITY, flags) };
        let (mut from, mut to) = (spawn, spawn);
        from.frame.origin.z = height_on(&ground.plane, from.frame.origin) + 0.005;
        to.frame.origin = from.frame.origin + Vec3::new(0.1, 0.0, 0.0);
        for (guid, expected) in [(Guid(1), true), (Guid(2), false)] {
            let obstacle = Obstacle {
                guid,
                position: to,
                scale: 1.0,
                state: PhysicsState::empty(),
                flags: ObstacleFlags::WEENIE,
                parts: &[],
                cylinders: &[],
                spheres: shape.spheres(),
            };
            let stride = scene.stride(&mover, &from, &to, &ObstacleList(&[obstacle]));
            assert_eq!(stride.is_some(), expected, "{guid}");
        }
    }
}
