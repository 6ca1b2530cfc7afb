//! The parts of a world's state as they are written.

use std::any::Any;

use acmotion_types::Era;
use acmotion_wire::ObjectStamps;
use serde::{Deserialize, Serialize};

use super::*;
use crate::body::Body;
use crate::collide::{MoverFlags, Shape};
use crate::comfort::Presentation;
use crate::correction::PositionManager;
use crate::effects::Effects;
use crate::entity::{Entity, Events, RootPace};
use crate::gate::{PendingLimits, PendingMessages};
use crate::interp::{Interpreter, PlayerWeenie, RemoteWeenie};
use crate::library::{Load, ModelId};
use crate::message_batch::MessageBatch;
use crate::player::LocalPlayer;
use crate::steer::{MAX_VOYEURS, MoveTo, Neighbour, TargetManager};
use crate::table::Animator;
use crate::world::attachment::Links;
use crate::world::event::EventLog;
use crate::world::ground::FallbackGround;
use crate::world::houses::Houses;
use crate::world::presentation::ShownHistory;
use crate::world::resident::{StandIn, UnknownStamps};
use crate::world::shadows::{SavedCells, SavedShadow};
use crate::world::static_animating::StaticAnimating;
use crate::world::store::SavedSlots;
use crate::world::{Capacity, EntityId, Identity, PlayerState, is_valid_time};

/// A world.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedWorld<'a> {
    /// What was loaded into the library, in order.
    pub(super) loads: Cow<'a, [Load]>,
    pub(super) fingerprint: u64,
    pub(super) collides: bool,
    settings: SavedSettings,
    gate: PhysicsGate,
    player: PlayerState,
    player_weenie: SavedWeenie,
    local: Cow<'a, LocalPlayer>,
    waiting: Cow<'a, PendingMessages>,
    replaying: Cow<'a, [(MessageBatch, usize)]>,
    inbox: Cow<'a, MessageBatch>,
    events: Cow<'a, EventLog>,
    static_animating: Cow<'a, StaticAnimating>,
    slots: SavedSlots<'a>,
    /// The shapes of entities as movers, each once.
    shapes: Vec<Shape>,
    entities: Vec<SavedEntity<'a>>,
    cells: SavedCells,
    houses: Cow<'a, Houses>,
}

/// The settings, without the surroundings and the guard of houses.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedSettings {
    player: Identity,
    era: Era,
    limits: PendingLimits,
    capacity: Capacity,
    stand_ins_for_unknown: bool,
    flat_remote_jumps: bool,
    level_where_unknown: bool,
    presents_between_ticks: bool,
}

/// A weenie.
#[derive(Serialize, Deserialize)]
pub(super) enum SavedWeenie {
    /// That of the local player, which the world keeps.
    OfPlayer,
    Undescribed,
    Player(PlayerWeenie),
    Remote(RemoteWeenie),
    /// One of the caller's own type.
    Custom,
}

/// An entity with what the world keeps for it.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedEntity<'a> {
    guid: Guid,
    id: EntityId,
    body: Cow<'a, Body>,
    interp: Cow<'a, Interpreter>,
    animator: Cow<'a, Animator>,
    correction: Cow<'a, PositionManager>,
    move_to: Option<Cow<'a, MoveTo>>,
    targets: Option<Cow<'a, TargetManager>>,
    effects: Option<Cow<'a, Effects>>,
    /// The index of its shape.
    shape: u32,
    mover_flags: MoverFlags,
    has_parts: bool,
    weenie: Option<SavedWeenie>,
    stamps: ObjectStamps,
    ground: FallbackGround,
    model: Option<ModelId>,
    links: Option<Cow<'a, Links>>,
    stand_in: StandIn,
    unknown_stamps: UnknownStamps,
    neighbour: Option<Neighbour>,
    shadow: Option<SavedShadow>,
}

impl<'a> SavedWorld<'a> {
    pub(super) fn of(world: &'a World) -> Self {
        let mut shapes = Vec::new();
        let entities = (0..).zip(world.store.iter());
        let entities =
            entities.map(|(index, resident)| SavedEntity::of(world, index, resident, &mut shapes)).collect();
        Self {
            loads: Cow::Borrowed(world.library.loads()),
            fingerprint: world.library.fingerprint(),
            collides: world.collides,
            settings: SavedSettings::of(&world.settings),
            gate: world.gate,
            player: world.player,
            player_weenie: SavedWeenie::of(&*world.player_weenie),
            local: Cow::Borrowed(&world.local),
            waiting: Cow::Borrowed(&world.waiting),
            replaying: Cow::Borrowed(&world.replaying),
            inbox: Cow::Borrowed(&world.inbox),
            events: Cow::Borrowed(&world.events),
            static_animating: Cow::Borrowed(&world.static_animating),
            slots: world.store.saved_slots(),
            shapes,
            entities,
            cells: world.store.shadows().saved_cells(),
            houses: Cow::Borrowed(world.store.houses()),
        }
    }

    /// Returns the world, after checking everything that the engine relies on.
    pub(super) fn restore(
        self,
        library: Library,
        assets: AssetCache,
        surroundings: Option<Arc<dyn Surroundings + Send + Sync>>,
        weenie_of: &mut dyn FnMut(Guid) -> Option<Arc<dyn Weenie>>,
    ) -> Result<World, RestoreError> {
        self.check()?;
        let player = self.player.guid().unwrap_or(Guid::NONE);
        let player_weenie = self.player_weenie.restore(player, None, weenie_of)?;
        let shapes: Vec<Arc<Shape>> = self.shapes.into_iter().map(Arc::new).collect();
        let (mut residents, mut shadows) = (Vec::new(), Vec::new());
        for entity in self.entities {
            let guid = entity.guid;
            entity.check(&library).map_err(|what| RestoreError::Invalid { what, guid: Some(guid) })?;
            let weenie = &entity.weenie;
            let weenie = weenie.as_ref().map(|saved| saved.restore(guid, Some(&player_weenie), weenie_of));
            let (resident, neighbour, shadow) = entity.restore(&library, &shapes, weenie.transpose()?)?;
            residents.push((resident, neighbour));
            shadows.push(shadow);
        }
        let mut events = self.events.into_owned();
        events.resolve(&library)?;
        let mut world = World {
            // What is shown between ticks starts anew with the next tick.
            // How remotes are shown is set again.
            comfort: None,
            learnt: None,
            round_trip: 0.0,
            shown_history: self.settings.presents_between_ticks.then(ShownHistory::new),
            settings: self.settings.restore(surroundings),
            library: Arc::new(library),
            assets,
            store: Store::restore(self.slots, residents)?,
            waiting: self.waiting.into_owned(),
            replaying: self.replaying.into_owned(),
            gate: self.gate,
            static_animating: self.static_animating.into_owned(),
            collides: self.collides,
            player: self.player,
            player_weenie,
            local: self.local.into_owned(),
            inbox: self.inbox.into_owned(),
            scratch: Events::new(),
            events,
            #[cfg(feature = "parallel")]
            parallel: Default::default(),
        };
        world.check_attachments()?;
        world.restore_shadows(shadows, self.cells)?;
        *world.store.houses_mut() = self.houses.into_owned();
        Ok(world)
    }

    fn check(&self) -> Checked {
        require(is_valid_time(self.gate.last_update()), "a time that is not finite or too far off")?;
        require_finite(&self.player, "a player's position that is not finite")?;
        require_finite(&self.shapes, "a shape with a number that is not finite")?;
        require(self.shapes.iter().all(Shape::is_valid), "a shape with too many spheres")?;
        self.waiting.check()?;
        self.inbox.check()?;
        self.houses.check()?;
        self.replaying.iter().try_for_each(|(messages, _)| messages.check())?;
        self.static_animating.check()?;
        self.local.check()
    }
}

impl SavedSettings {
    fn of(settings: &Settings) -> Self {
        // Every setting is named, so that a new one cannot be forgotten.
        let Settings {
            player,
            era,
            limits,
            capacity,
            stand_ins_for_unknown,
            flat_remote_jumps,
            surroundings: _,
            level_where_unknown,
            presents_between_ticks,
            slope_from_reports: _,
            speeds_from_reports: _,
            announces_resumed_keys: _,
            presentation: _,
            house_guard: _,
        } = *settings;
        Self {
            player,
            era,
            limits,
            capacity,
            stand_ins_for_unknown,
            flat_remote_jumps,
            level_where_unknown,
            presents_between_ticks,
        }
    }

    fn restore(self, surroundings: Option<Arc<dyn Surroundings + Send + Sync>>) -> Settings {
        let Self {
            player,
            era,
            limits,
            capacity,
            stand_ins_for_unknown,
            flat_remote_jumps,
            level_where_unknown,
            presents_between_ticks,
        } = self;
        Settings {
            player,
            era,
            limits,
            capacity,
            stand_ins_for_unknown,
            flat_remote_jumps,
            surroundings,
            level_where_unknown,
            presents_between_ticks,
            slope_from_reports: false,
            speeds_from_reports: false,
            announces_resumed_keys: false,
            presentation: Presentation::Faithful,
            house_guard: None,
        }
    }
}

impl SavedWeenie {
    fn of(weenie: &(dyn Weenie + 'static)) -> Self {
        let weenie: &dyn Any = weenie;
        if let Some(player) = weenie.downcast_ref::<PlayerWeenie>() {
            Self::Player(*player)
        } else if let Some(remote) = weenie.downcast_ref::<RemoteWeenie>() {
            Self::Remote(*remote)
        } else if weenie.is::<UndescribedPlayer>() {
            Self::Undescribed
        } else {
            Self::Custom
        }
    }

    /// Returns the weenie of an entity; `player` is the one that the world keeps for the local player.
    fn restore(
        &self,
        guid: Guid,
        player: Option<&Arc<dyn Weenie>>,
        weenie_of: &mut dyn FnMut(Guid) -> Option<Arc<dyn Weenie>>,
    ) -> Result<Arc<dyn Weenie>, RestoreError> {
        Ok(match self {
            Self::OfPlayer => Arc::clone(player.ok_or("a player's weenie that refers to itself")?),
            Self::Undescribed => Arc::new(UndescribedPlayer),
            Self::Player(weenie) => Arc::new(*weenie),
            Self::Remote(weenie) => Arc::new(*weenie),
            Self::Custom => weenie_of(guid).ok_or(RestoreError::Weenie { guid })?,
        })
    }
}

impl<'a> SavedEntity<'a> {
    fn of(world: &'a World, index: usize, resident: &'a Resident, shapes: &mut Vec<Shape>) -> Self {
        // Every field is named, so that a new one cannot be forgotten.
        let Resident { entity, stamps, ground, id, model, links, stand_in, unknown_stamps } = resident;
        let Entity {
            guid,
            body,
            interp,
            animator,
            correction,
            move_to,
            targets,
            effects,
            shape,
            mover_flags,
            has_parts,
            weenie,
            pace: _,
        } = entity;
        let known = shapes.iter().position(|known| *known == **shape);
        let shape = known.unwrap_or_else(|| {
            shapes.push(**shape);
            shapes.len() - 1
        });
        let saved_weenie = |weenie: &Arc<dyn Weenie>| match Arc::ptr_eq(weenie, &world.player_weenie) {
            true => SavedWeenie::OfPlayer,
            false => SavedWeenie::of(&**weenie),
        };
        Self {
            guid: *guid,
            id: *id,
            body: Cow::Borrowed(body),
            interp: Cow::Borrowed(interp),
            animator: Cow::Borrowed(animator),
            correction: Cow::Borrowed(correction),
            move_to: move_to.as_deref().map(Cow::Borrowed),
            targets: targets.as_deref().map(Cow::Borrowed),
            effects: effects.as_deref().map(Cow::Borrowed),
            shape: shape as u32,
            mover_flags: *mover_flags,
            has_parts: *has_parts,
            weenie: weenie.as_ref().map(saved_weenie),
            stamps: *stamps,
            ground: *ground,
            model: *model,
            links: links.as_deref().map(Cow::Borrowed),
            stand_in: *stand_in,
            unknown_stamps: *unknown_stamps,
            neighbour: world.store.outdated_neighbour(index),
            shadow: world.store.shadows().saved(resident),
        }
    }

    /// Checks what stays finite whatever a server sends. Requested motions and orders do not; they are applied with care.
    fn check(&self, library: &Library) -> Checked {
        self.body.check()?;
        require_finite(&self.animator, "an animation with a number that is not finite")?;
        self.animator.check(library)?;
        self.correction.check()?;
        let voyeurs = self.targets.as_ref().map_or(0, |targets| targets.voyeurs().len());
        require(voyeurs <= MAX_VOYEURS, "too many voyeurs")?;
        require_finite(&self.ground, "a ground that is not finite")?;
        require_finite(&self.neighbour, "a position that is not finite")?;
        require(self.model.is_none_or(|model| library.has_model(model)), "a model that is not loaded")
    }

    fn restore(
        self,
        library: &Library,
        shapes: &[Arc<Shape>],
        weenie: Option<Arc<dyn Weenie>>,
    ) -> Result<(Resident, Option<Neighbour>, Option<SavedShadow>), RestoreError> {
        let mut effects = self.effects.map(|effects| Box::new(effects.into_owned()));
        if let Some(effects) = &mut effects {
            effects.resolve(library)?;
        }
        let entity = Entity {
            guid: self.guid,
            body: self.body.into_owned(),
            interp: self.interp.into_owned(),
            animator: self.animator.into_owned(),
            correction: self.correction.into_owned(),
            move_to: self.move_to.map(|order| Box::new(order.into_owned())),
            targets: self.targets.map(|targets| Box::new(targets.into_owned())),
            effects,
            shape: Arc::clone(shapes.get(self.shape as usize).ok_or("an entity without a shape")?),
            mover_flags: self.mover_flags,
            has_parts: self.has_parts,
            weenie,
            pace: RootPace::USUAL,
        };
        let resident = Resident {
            entity,
            stamps: self.stamps,
            ground: self.ground,
            id: self.id,
            model: self.model,
            links: self.links.map(|links| Box::new(links.into_owned())),
            stand_in: self.stand_in,
            unknown_stamps: self.unknown_stamps,
        };
        Ok((resident, self.neighbour, self.shadow))
    }
}

impl World {
    /// Restores the obstacles, in the order of the entities.
    fn restore_shadows(&mut self, shadows: Vec<Option<SavedShadow>>, cells: SavedCells) -> Checked {
        for (index, saved) in shadows.into_iter().enumerate() {
            require(
                saved.is_some() == self.collides,
                "an obstacle where there are none, or none where there are",
            )?;
            let Some(saved) = saved else { continue };
            self.add_shadow(index);
            let (residents, shadows) = self.store.shadows_mut();
            let resident = residents.get(index).ok_or("an obstacle without an entity")?;
            shadows.restore(resident, saved, &self.library)?;
        }
        self.store.shadows_mut().1.restore_cells(cells)
    }
}
