//! Questions to a world: those to a [`Scene`](crate::scene::Scene), optionally with entities, and which entities are near.
//! None of them allocates.

use std::cell::Cell;
use std::ops::ControlFlow;

use acmotion_types::{CellId, CellPosition, Guid};

use super::shadows::Shadows;
use super::{Resident, World};
use crate::collide::{
    GroundHit, Obstacle, ObstacleFlags, Obstacles, Obstruction, OpenAir, SearchCylinder, Shape, StandError,
    Surroundings, SweepKind, SweepResult, Touch, can_stand_at, sweep_shape,
};

/// Which entities a question takes into account. Ethereal objects, missiles and attached objects never count, and no
/// entity does if the surroundings have no obstacles.
///
/// ```
/// use acmotion::EntityFilter;
/// use acmotion::types::Guid;
///
/// let eyes_of = [Guid(0x5000_0001)];
/// let filter = EntityFilter::ALL.except(&eyes_of);
/// assert!(filter.creatures && filter.objects);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct EntityFilter<'a> {
    /// Whether creatures count. Players are creatures too.
    pub creatures: bool,
    /// Whether other objects count, such as doors and chests.
    pub objects: bool,
    /// The entities that do not count in any case.
    pub except: &'a [Guid],
}

impl<'a> EntityFilter<'a> {
    /// No entity counts.
    pub const NONE: Self = Self { creatures: false, objects: false, except: &[] };
    /// Objects count, creatures do not.
    pub const OBJECTS: Self = Self { creatures: false, objects: true, except: &[] };
    /// All entities count.
    pub const ALL: Self = Self { creatures: true, objects: true, except: &[] };

    /// Returns the filter without some entities.
    #[must_use]
    pub const fn except(self, except: &'a [Guid]) -> Self {
        Self { except, ..self }
    }

    fn counts(&self, obstacle: &Obstacle<'_>) -> bool {
        let is_creature = obstacle.flags.contains(ObstacleFlags::CREATURE);
        let is_wanted = if is_creature { self.creatures } else { self.objects };
        is_wanted && !self.except.contains(&obstacle.guid)
    }
}

/// The entities that pass a filter, as obstacles.
struct FilteredObstacles<'w, 'f> {
    shadows: &'w Shadows,
    filter: EntityFilter<'f>,
}

impl FilteredObstacles<'_, '_> {
    /// Wraps a visitor so that it is only called with the obstacles that count.
    fn filtered<'v, 'a>(
        &'v self,
        visitor: &'v mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
    ) -> impl FnMut(&Obstacle<'a>) -> ControlFlow<()> + 'v {
        |obstacle| if self.filter.counts(obstacle) { visitor(obstacle) } else { ControlFlow::Continue(()) }
    }

    fn is_empty(&self) -> bool {
        !self.filter.creatures && !self.filter.objects
    }
}

impl Obstacles for FilteredObstacles<'_, '_> {
    fn visit<'a>(&'a self, cell: CellId, visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
        if !self.is_empty() {
            self.shadows.visit(cell, &mut self.filtered(visitor));
        }
    }

    fn visit_near<'a>(
        &'a self,
        cell: CellId,
        reach: &Cell<SearchCylinder>,
        visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
    ) {
        if !self.is_empty() {
            self.shadows.visit_near(cell, reach, &mut self.filtered(visitor));
        }
    }
}

impl World {
    /// Returns the surroundings, if there are any.
    pub fn surroundings(&self) -> Option<&dyn Surroundings> {
        self.settings.surroundings.as_deref().map(|around| around as &dyn Surroundings)
    }

    /// Returns the height of the land at a position outdoors, in metres, whatever is built on it. `None` for a position
    /// in a room, where there is no land, and in a world without surroundings.
    pub fn height_at(&self, position: &CellPosition) -> Option<f32> {
        self.surroundings()?.land_height(position)
    }

    /// Returns what is below a position, as [`Scene::ground_at`](crate::scene::Scene::ground_at) does, and entities that
    /// count. `None` if there is nothing below, and in a world without surroundings.
    pub fn ground_at(&self, position: &CellPosition, entities: EntityFilter<'_>) -> Option<GroundHit> {
        self.surroundings()?.find_ground(position, &self.obstacles(entities))
    }

    /// Checks whether one position is visible from another, as
    /// [`Scene::line_of_sight`](crate::scene::Scene::line_of_sight) does; entities that count are in the way, too. Leave out
    /// the entity that looks and the one that is looked at, because the positions of their eyes are inside them.
    ///
    /// # Errors
    /// Returns the first thing in the way. In a world without surroundings nothing is.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use acmotion::dat::{Assets, mannequin::town::landmarks};
    /// use acmotion::scene::{Scene, Surface};
    /// use acmotion::types::Guid;
    /// use acmotion::{EntityFilter, Settings, World};
    ///
    /// # fn main() -> Result<(), acmotion::scene::LoadError> {
    /// let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
    /// let settings = Settings { surroundings: Some(Arc::new(scene)), ..Settings::default() };
    /// let mut world = World::with_settings(Assets::mannequin(), settings);
    /// let (guard, mut from, mut to) = (Guid(0x5000_0001), landmarks().spawn, landmarks().spawn);
    /// world.add_stand_in(guard, &from, 0.0);
    ///
    /// from.frame.origin.y -= 3.0;
    /// to.frame.origin.y += 3.0;
    /// from.frame.origin.z += 1.3;
    /// to.frame.origin.z += 1.3;
    /// assert!(world.line_of_sight(&from, &to, EntityFilter::NONE).is_ok());
    /// let hit = world.line_of_sight(&from, &to, EntityFilter::ALL).unwrap_err();
    /// assert_eq!(hit.surface().map(|hit| hit.surface), Some(Surface::Entity(guard)));
    /// assert!(world.line_of_sight(&from, &to, EntityFilter::ALL.except(&[guard])).is_ok());
    /// # Ok(())
    /// # }
    /// ```
    pub fn line_of_sight(
        &self,
        from: &CellPosition,
        to: &CellPosition,
        entities: EntityFilter<'_>,
    ) -> Result<(), Obstruction> {
        let Some(around) = self.surroundings() else { return Ok(()) };
        around.find_obstruction(from, to, &self.obstacles(entities)).map_or(Ok(()), Err)
    }

    /// Sweeps a shape from one position to another, as [`Scene::sweep_shape`](crate::scene::Scene::sweep_shape) does, past
    /// the entities that count. Those that it touches are put into `touched`, each once, in order. In a world without
    /// surroundings nothing is in its way, and it does not stand on anything.
    pub fn sweep_shape(
        &self,
        shape: &Shape,
        from: &CellPosition,
        to: &CellPosition,
        kind: SweepKind,
        entities: EntityFilter<'_>,
        touched: &mut Vec<Touch>,
    ) -> SweepResult {
        let around = self.surroundings().unwrap_or(&OpenAir);
        sweep_shape(around, shape, [from, to], kind, &self.obstacles(entities), touched)
    }

    /// Checks whether a body with a shape could stand at a position, as
    /// [`Scene::can_stand_at`](crate::scene::Scene::can_stand_at) does, among the entities that count. Returns the position
    /// at which it would stand, and puts the entities that it touches into `touched`: those in the way, if it cannot stand.
    /// In a world without surroundings it could stand anywhere on the map.
    ///
    /// # Errors
    /// Returns an error if there is no cell, no room or no walkable ground.
    pub fn can_stand_at(
        &self,
        shape: &Shape,
        position: &CellPosition,
        entities: EntityFilter<'_>,
        touched: &mut Vec<Touch>,
    ) -> Result<CellPosition, StandError> {
        let Some(around) = self.surroundings() else {
            touched.clear();
            let is_valid = position.frame.is_valid() && position.cell.is_valid();
            let on_map =
                if position.cell.is_room() { Some(*position) } else { position.adjusted_to_outside() };
            return on_map.filter(|_| is_valid).ok_or(StandError::NoCell);
        };
        can_stand_at(around, shape, position, &self.obstacles(entities), touched)
    }

    /// Returns the rooms that are visible from a cell, as [`Scene::visible_cells`](crate::scene::Scene::visible_cells) does.
    /// Empty in a world without a scene.
    pub fn visible_cells(&self, cell: CellId) -> &[CellId] {
        self.surroundings().map_or(&[], |around| around.visible_rooms(cell))
    }

    /// Iterates over the entities whose positions are within a distance of a position, in metres, across cells and
    /// landblocks, through walls and floors. An entity at the position itself is among them; those in no cell, such as
    /// held objects, are not. The order is the same for the same history.
    ///
    /// Only the entities in the 24 m squares around the position are checked, with or without surroundings.
    ///
    /// ```
    /// use acmotion::World;
    /// use acmotion::dat::Assets;
    /// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
    ///
    /// let mut world = World::new(Assets::mannequin());
    /// let west = CellPosition::at(CellId(0xA9B4_0039), Vec3::new(191.0, 12.0, 94.0));
    /// let east = CellPosition::at(CellId(0xAAB4_0001), Vec3::new(3.0, 12.0, 94.0));
    /// world.add_stand_in(Guid(0x5000_0001), &west, 0.0);
    /// world.add_stand_in(Guid(0x5000_0002), &east, 0.0);
    /// assert_eq!(world.who_is_within(&west, 5.0).count(), 2);
    /// assert_eq!(world.who_is_within(&west, 3.0).count(), 1);
    /// ```
    pub fn who_is_within(&self, position: &CellPosition, distance: f32) -> impl Iterator<Item = &Resident> {
        let centre = *position;
        self.store.near(position, distance).filter(move |resident| {
            let body = resident.body();
            body.is_in_cell() && body.position.distance_to(&centre) <= distance
        })
    }

    /// Returns the entities that count as obstacles, for a question that only a [`Scene`](crate::scene::Scene) answers, such
    /// as [`Scene::camera_view`](crate::scene::Scene::camera_view). There are none if the surroundings have no obstacles.
    ///
    /// ```
    /// use acmotion::scene::{CameraView, Scene};
    /// use acmotion::types::CellPosition;
    /// use acmotion::{EntityFilter, World};
    ///
    /// /// The camera of a client: walls and closed doors stop it, creatures do not.
    /// fn camera(world: &World, scene: &Scene, body: &CellPosition, pivot: &CellPosition, eye: &CellPosition) -> CameraView {
    ///     scene.camera_view(body, pivot, eye, &world.obstacles(EntityFilter::ALL))
    /// }
    /// ```
    pub fn obstacles<'a>(&'a self, entities: EntityFilter<'a>) -> impl Obstacles + 'a {
        FilteredObstacles { shadows: self.store.shadows(), filter: entities }
    }
}
