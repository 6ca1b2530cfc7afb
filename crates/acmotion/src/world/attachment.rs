//! Held and worn objects: attached to a part of another entity, and moved with it (rules C10, C13, C19, D6, D11–D13).
//!
//! An attached object is in no cell, is not updated by the tick (rule B3) and is no obstacle (`docs/collision.md` 8.2).
//! Its position is computed from that of its parent whenever the parent is updated or moved, as the original does when
//! it sets a body's frame (rule C13): it has the parent's cell, and the frame of the parent's part combined with that
//! of the holding location. The origin of the part is scaled by the parent's scale, that of the location is not (rule
//! A6).
//!
//! When an entity is removed, the objects that it holds are detached and are in no cell until the server places them.

use std::fmt;

use acmotion_dat::DataId;
use acmotion_types::{CellPosition, Frame, Guid};

use super::resident::StandIn;
use super::{EventKind, Rejection, Resident, World};
use crate::body::{BodyFlags, PhysicsState};
use crate::entity::MotionEvent;
use crate::library::Library;

/// The maximum number of objects that are attached to one entity. The original has no limit; its servers attach a handful.
pub const MAX_CHILDREN: usize = 64;
/// The maximum number of objects that one entity carries, those held by the objects that it holds included. They all move
/// whenever it does.
pub const MAX_CARRIED: usize = 256;
/// The maximum number of attachments from an object to the entity that carries it: an object held by an object that a
/// body holds is at depth 2. The original has no limit; its servers attach objects to bodies only.
pub const MAX_ATTACHMENT_DEPTH: usize = 8;

/// How an entity is attached to another.
///
/// ```
/// use acmotion::dat::{Assets, mannequin};
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
/// use acmotion::{AttachmentError, EntitySpec, HeldBy, Resident, World};
///
/// # fn main() -> Result<(), acmotion::SpawnError> {
/// let (guard, sword) = (Guid(0x8000_0001), Guid(0x8000_0002));
/// let mut world = World::new(Assets::mannequin());
/// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
/// let holder = world.spawn(&EntitySpec::new(guard, position), 0.0)?;
/// let held = world.spawn(&EntitySpec::item(sword, mannequin::SWORD_SETUP).held_by(guard, 1), 0.0)?;
/// let in_right_hand = HeldBy { parent: guard, location: 1 };
/// assert_eq!(world.get(held).and_then(Resident::held_by), Some(in_right_hand));
///
/// // A sword cannot hold the guard that holds it.
/// let refused = world.set_parent(holder, HeldBy { parent: sword, location: 1 }, 0, 1.0);
/// assert_eq!(refused, Err(AttachmentError::Cycle));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HeldBy {
    /// The entity that holds it.
    pub parent: Guid,
    /// The holding location of the parent's setup: 1 right hand, 2 left hand, 3 shield and so on (`docs/dat.md` §4).
    #[doc(alias = "parent_location")]
    pub location: u32,
}

/// Why an object could not be attached to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum AttachmentError {
    /// The object and the parent are the same.
    Itself,
    /// The parent is attached to the object, directly or through others.
    Cycle,
    /// The parent does not exist.
    UnknownParent,
    /// The object does not exist.
    UnknownChild,
    /// The parent's setup has no such holding location.
    NoLocation,
    /// [`MAX_CHILDREN`] objects are attached to the parent already, or [`MAX_CARRIED`] to the entity that carries it all.
    TooManyChildren,
    /// The object, or one attached to it, would be deeper than [`MAX_ATTACHMENT_DEPTH`].
    TooDeep,
}

impl fmt::Display for AttachmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Itself => f.write_str("attached to itself"),
            Self::Cycle => f.write_str("attached to an object that it holds"),
            Self::UnknownChild => f.write_str("attached an unknown object"),
            Self::UnknownParent => f.write_str("attached to an unknown object"),
            Self::NoLocation => f.write_str("attached to a holding location that the parent does not have"),
            Self::TooManyChildren => {
                write!(f, "more than {MAX_CHILDREN} objects attached to the parent, or {MAX_CARRIED} in all")
            }
            Self::TooDeep => write!(f, "a chain of more than {MAX_ATTACHMENT_DEPTH} attachments"),
        }
    }
}

impl std::error::Error for AttachmentError {}

/// The links of an entity to its parent and its children, its placement, and what is missing from the assets.
#[derive(Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "CHILDLIST")]
pub(super) struct Links {
    /// The key of its placement frame.
    placement: u32,
    held_by: Option<HeldBy>,
    children: Vec<Guid>,
    /// Whether its children are not drawn because it is hidden.
    hides_children: bool,
    /// The setup it was described with, if that is missing from the assets.
    pub(super) missing_setup: Option<DataId>,
    /// The motion table it was described with, if that is missing from the assets.
    pub(super) missing_table: Option<DataId>,
}

impl Links {
    /// Returns `true` if nothing has to be kept.
    fn is_empty(&self) -> bool {
        self.held_by.is_none()
            && self.children.is_empty()
            && self.placement == 0
            && self.missing_setup.is_none()
            && self.missing_table.is_none()
    }

    pub(super) fn size_in_memory(&self) -> usize {
        size_of::<Self>() + self.children.capacity() * size_of::<Guid>()
    }
}

impl Resident {
    /// The entity it is attached to, if any.
    #[inline]
    pub fn parent(&self) -> Option<Guid> {
        Some(self.held_by()?.parent)
    }

    /// The entity it is attached to and the location there, if it is attached.
    #[inline]
    pub fn held_by(&self) -> Option<HeldBy> {
        self.links.as_ref()?.held_by
    }

    /// The entities that are attached to it, in the order in which they were attached.
    pub fn children(&self) -> &[Guid] {
        self.links.as_ref().map_or(&[], |links| &links.children)
    }

    /// The key of its placement frame, as last set by the server; 0 by default. The placement shows while no animation
    /// plays (rules D6, D11, D13, H15).
    pub fn placement(&self) -> u32 {
        self.links.as_ref().map_or(0, |links| links.placement)
    }

    /// Sets the key of the placement frame.
    pub(super) fn set_placement_key(&mut self, key: u32) {
        if key != self.placement() {
            self.links_mut().placement = key;
            self.trim_links();
        }
    }

    /// Returns the frame at which it holds an object at a location, in the axes of its landblock: that of the
    /// location's part as it is shown, combined with the frame of the location. If the location has no part, or the
    /// pose lacks that part, the body's frame is used instead of the part's. If there is no such location, or the
    /// result would not be valid, the body's frame is returned.
    #[doc(alias = "UpdateChild")]
    pub fn holding_frame(&self, library: &Library, location: u32) -> Frame {
        let part = |part: usize| self.pose_input().part_frame(library, part);
        self.holding_frame_in(library, location, &self.position().frame, part)
    }

    /// [`holding_frame`](Self::holding_frame) for a body at another frame, with the frames of its parts.
    pub(super) fn holding_frame_in(
        &self,
        library: &Library,
        location: u32,
        body: &Frame,
        part_frame: impl Fn(usize) -> Option<Frame>,
    ) -> Frame {
        let Some(model) = self.model().map(|model| library.model(model)) else { return *body };
        let Some(location) = model.holding_location(location.cast_signed()) else { return *body };
        let part = usize::try_from(location.part).ok().filter(|part| *part < model.part_count());
        let held = part.and_then(part_frame).unwrap_or(*body).combine(&location.frame);
        if held.is_valid() && held.origin.is_finite() { held } else { *body }
    }

    /// Returns `true` if it is attached to another entity or another to it.
    #[inline]
    pub(super) fn has_links(&self) -> bool {
        self.links.as_ref().is_some_and(|links| links.held_by.is_some() || !links.children.is_empty())
    }

    fn is_hidden(&self) -> bool {
        self.entity.body.state.contains(PhysicsState::HIDDEN)
    }

    pub(super) fn links_mut(&mut self) -> &mut Links {
        self.links.get_or_insert_default()
    }

    /// Frees the links if there are none left.
    fn trim_links(&mut self) {
        self.links.take_if(|links| links.is_empty());
    }
}

impl World {
    /// Attaches the object at `child` to another, and takes it out of its cell (rules D11, D13).
    ///
    /// # Errors
    /// If it cannot be attached, which is also reported as a rejection. It then stays as it is.
    pub(super) fn attach(&mut self, child: usize, held_by: HeldBy, now: f64) -> Result<(), AttachmentError> {
        let Some(guid) = self.store.at(child).map(Resident::guid) else { return Ok(()) };
        let parent = match self.check_attachment(child, held_by) {
            Ok(parent) => parent,
            Err(error) => {
                self.reject(guid, Rejection::NotAttached(error), now);
                return Err(error);
            }
        };
        if self.store.at(child).and_then(Resident::parent) == Some(held_by.parent) {
            self.unlink(child);
        } else {
            self.unparent(child, now);
        }
        let Some(holder) = self.store.at_mut(parent) else { return Ok(()) };
        let hides = holder.is_hidden();
        let links = holder.links_mut();
        links.children.push(guid);
        links.hides_children = hides;
        self.act_at(child, now, |actor, _| actor.set_parent());
        if let Some(resident) = self.store.at_mut(child) {
            resident.links_mut().held_by = Some(held_by);
            if hides {
                resident.entity.body.state.insert(PhysicsState::NO_DRAW);
            }
        }
        self.refresh(child);
        let HeldBy { parent, location } = held_by;
        self.emit(guid, EventKind::Motion(MotionEvent::Parented { parent, location }), now);
        Ok(())
    }

    /// Checks whether the object at `child` can be attached, and returns the index of the parent.
    pub(super) fn check_attachment(&self, child: usize, held_by: HeldBy) -> Result<usize, AttachmentError> {
        let parent = self.store.index_of(held_by.parent).ok_or(AttachmentError::UnknownParent)?;
        if parent == child {
            return Err(AttachmentError::Itself);
        }
        let mut depth = 1;
        let mut ancestor = parent;
        while let Some(above) = self.parent_index(ancestor) {
            if above == child {
                return Err(AttachmentError::Cycle);
            }
            (ancestor, depth) = (above, depth + 1);
        }
        let holder = self.store.at(parent).ok_or(AttachmentError::UnknownParent)?;
        if !holder.has_holding_location(&self.library, held_by.location) {
            return Err(AttachmentError::NoLocation);
        }
        if depth + self.height(child) > MAX_ATTACHMENT_DEPTH {
            return Err(AttachmentError::TooDeep);
        }
        let is_held_already = self.parent_index(child) == Some(parent);
        if holder.children().len() >= MAX_CHILDREN && !is_held_already {
            return Err(AttachmentError::TooManyChildren);
        }
        let is_carried_already = self.top_of(child) == ancestor;
        if !is_carried_already && self.carried_by(ancestor) + 1 + self.carried_by(child) > MAX_CARRIED {
            return Err(AttachmentError::TooManyChildren);
        }
        Ok(parent)
    }

    /// The index of the entity that holds the one at an index.
    fn parent_index(&self, index: usize) -> Option<usize> {
        self.store.index_of(self.store.at(index)?.parent()?)
    }

    /// The index of the entity that carries the one at an index: itself if it is not attached.
    fn top_of(&self, mut index: usize) -> usize {
        while let Some(above) = self.parent_index(index) {
            index = above;
        }
        index
    }

    /// The number of objects that are attached to the entity at an index, directly or through others.
    fn carried_by(&self, index: usize) -> usize {
        let children = self.store.at(index).map_or(&[][..], Resident::children);
        let below = children.iter().filter_map(|child| self.store.index_of(*child));
        below.map(|child| 1 + self.carried_by(child)).sum()
    }

    /// The length of the longest chain of attachments below the entity at an index.
    fn height(&self, index: usize) -> usize {
        let children = self.store.at(index).map_or(&[][..], Resident::children);
        let below = children.iter().filter_map(|child| self.store.index_of(*child));
        below.map(|child| 1 + self.height(child)).max().unwrap_or(0)
    }

    /// Detaches the object at an index, if it is attached. It stays in no cell (rules D6, D11).
    #[doc(alias = "unset_parent")]
    #[inline]
    pub(super) fn unparent(&mut self, index: usize, now: f64) {
        if self.store.at(index).is_some_and(|resident| resident.parent().is_some()) {
            self.unparent_linked(index, now);
        }
    }

    #[inline(never)]
    fn unparent_linked(&mut self, index: usize, now: f64) {
        let Some(held_by) = self.unlink(index) else { return };
        self.act_at(index, now, |actor, _| actor.unset_parent());
        let Some(guid) = self.store.at(index).map(Resident::guid) else { return };
        self.emit(guid, EventKind::Motion(MotionEvent::Unparented { parent: held_by.parent }), now);
    }

    /// Removes the link between the object at an index and its parent, and draws the object again if it was not drawn
    /// because its parent is hidden. Returns how it was attached, or `None` if it was not.
    fn unlink(&mut self, index: usize) -> Option<HeldBy> {
        let resident = self.store.at_mut(index)?;
        let guid = resident.guid();
        let held_by = resident.links.as_mut()?.held_by.take()?;
        resident.trim_links();
        let mut was_hidden = false;
        if let Some(parent) = self.store.find_mut(held_by.parent) {
            was_hidden = parent.is_hidden();
            parent.links_mut().children.retain(|child| *child != guid);
            parent.trim_links();
        }
        if was_hidden && let Some(resident) = self.store.at_mut(index) {
            resident.entity.body.state.remove(PhysicsState::NO_DRAW);
        }
        Some(held_by)
    }

    /// Prepares the removal of an entity: detaches it from its parent, and everything that it holds from it.
    #[doc(alias = "unparent_children")]
    pub(super) fn release(&mut self, guid: Guid, now: f64) {
        let Some(index) = self.store.index_of(guid) else { return };
        self.unlink(index);
        let children = self.store.at(index).map(|resident| resident.children().to_vec()).unwrap_or_default();
        for child in children {
            if let Some(child) = self.store.index_of(child) {
                self.unparent(child, now);
            }
        }
    }

    /// Moves the object at an index to where its parent holds it, if it is attached.
    #[cold]
    pub(super) fn follow_parent(&mut self, index: usize) {
        let Some(held_by) = self.store.at(index).and_then(Resident::held_by) else { return };
        let Some(parent) = self.store.find(held_by.parent) else { return };
        let frame = parent.holding_frame(&self.library, held_by.location);
        let position = CellPosition::new(parent.position().cell, frame);
        if let Some(resident) = self.store.at_mut(index) {
            resident.entity.body.position = position;
            resident.entity.body.flags.remove(BodyFlags::IN_CELL);
        }
    }

    /// Moves the objects that the entity at an index holds, and what they hold in turn (rules C10, C13). Stops drawing
    /// them when the entity is hidden, and draws them again when it is shown (rule C19).
    #[cold]
    #[doc(alias = "UpdateChildrenInternal")]
    pub(super) fn update_children(&mut self, index: usize) {
        let Some(resident) = self.store.at_mut(index) else { return };
        let hidden = resident.is_hidden();
        let Some(links) = resident.links.as_mut() else { return };
        let changes_drawing = links.hides_children != hidden;
        links.hides_children = hidden;
        for number in 0..links.children.len() {
            let child = self.store.at(index).and_then(|resident| resident.children().get(number).copied());
            let Some(child) = child.and_then(|child| self.store.index_of(child)) else { continue };
            if let Some(resident) = self.store.at_mut(child).filter(|_| changes_drawing) {
                resident.entity.body.state.set(PhysicsState::NO_DRAW, hidden);
            }
            self.refresh(child);
        }
    }

    /// Sets the placement frame of the object at an index (rule H15).
    #[doc(alias = "SetPlacementFrame")]
    pub(super) fn set_placement(&mut self, index: usize, key: u32) {
        let Some(resident) = self.store.at_mut(index) else { return };
        resident.set_placement_key(key);
        let placement =
            resident.model.and_then(|model| self.library.model(model).placement(key.cast_signed()));
        let sequence = resident.entity.animator.sequence_mut();
        if sequence.placement() != placement {
            sequence.set_placement(placement);
            self.refresh(index);
        }
    }
}

impl Resident {
    /// Returns `true` if it can hold an object at a location. A body whose setup is missing can hold objects anywhere.
    fn has_holding_location(&self, library: &Library, location: u32) -> bool {
        let Some(model) = self.model().filter(|_| !self.stand_in().contains(StandIn::SETUP)) else {
            return true;
        };
        library.model(model).holding_location(location.cast_signed()).is_some()
    }
}

#[cfg(feature = "serde")]
impl World {
    /// Checks the links of entities that were read from a snapshot: they go both ways, and chains of them end.
    pub(super) fn check_attachments(&self) -> crate::restore::Checked {
        use crate::restore::require;

        for resident in self.store.iter() {
            let guid = resident.guid();
            let children = resident.children();
            require(children.len() <= MAX_CHILDREN, "too many attached objects")?;
            for (index, child) in children.iter().enumerate() {
                let is_held = self.store.find(*child).is_some_and(|child| child.parent() == Some(guid));
                require(
                    is_held && !children[..index].contains(child),
                    "an attached object that is not attached",
                )?;
            }
            let (mut ancestor, mut depth) = (resident, 0);
            while let Some(parent) = ancestor.parent() {
                let holder = self.store.find(parent).ok_or("an object attached to an unknown one")?;
                require(holder.children().contains(&ancestor.guid()), "an attached object that is not held")?;
                (ancestor, depth) = (holder, depth + 1);
                require(
                    depth <= MAX_ATTACHMENT_DEPTH,
                    "attached objects in a circle, or in too long a chain",
                )?;
            }
        }
        for index in 0..self.store.len() {
            let is_top = self.parent_index(index).is_none();
            require(!is_top || self.carried_by(index) <= MAX_CARRIED, "too many attached objects")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use acmotion_dat::{Assets, mannequin};
    use acmotion_types::{CellId, Vec3};

    use super::*;
    use crate::world::EntitySpec;

    /// A creature that holds two swords, and one that holds nothing.
    fn armed() -> World {
        let mut world = World::new(Assets::mannequin());
        for number in [1, 2_u8] {
            let origin = Vec3::new(12.0 * f32::from(number), 12.0, 94.0);
            let position = CellPosition::at(CellId(0xA9B4_0001), origin);
            world.spawn(&EntitySpec::new(Guid(number.into()), position), 0.0).expect("there is room");
        }
        for (guid, location) in [(Guid(11), 1), (Guid(12), 2)] {
            let sword = EntitySpec::item(guid, mannequin::SWORD_SETUP).held_by(Guid(1), location);
            world.spawn(&sword, 0.0).expect("it can be held");
        }
        world
    }

    /// The links of an entity take a box of their own, with its list of children.
    #[test]
    fn the_memory_of_links_counts_their_children() {
        let world = armed();
        let size = |guid| {
            let resident = world.find(guid).expect("it exists");
            resident.size_in_memory() - resident.entity.size_in_memory()
        };
        let plain = size_of::<Resident>() - size_of::<crate::entity::Entity>();
        assert_eq!(size(Guid(2)), plain);
        assert_eq!(size(Guid(11)), plain + size_of::<Links>());
        let links = world.find(Guid(1)).and_then(|holder| holder.links.as_ref()).expect("it holds two");
        assert!(links.children.capacity() >= 2);
        assert_eq!(size(Guid(1)), plain + size_of::<Links>() + 4 * links.children.capacity());
    }

    #[cfg(feature = "serde")]
    fn is_refused(change: impl FnOnce(&mut World)) -> bool {
        let mut world = armed();
        assert_eq!(world.check_attachments(), Ok(()));
        change(&mut world);
        world.check_attachments().is_err()
    }

    #[cfg(feature = "serde")]
    fn links(world: &mut World, guid: Guid) -> &mut Links {
        world.store.find_mut(guid).expect("it exists").links_mut()
    }

    /// Links that a snapshot may claim, and that cannot be.
    #[test]
    #[cfg(feature = "serde")]
    fn links_that_do_not_go_both_ways_are_refused() {
        assert!(is_refused(|world| links(world, Guid(1)).children.push(Guid(11))), "a child twice");
        assert!(
            is_refused(|world| links(world, Guid(1)).children.push(Guid(2))),
            "a child that has no parent"
        );
        assert!(is_refused(|world| links(world, Guid(1)).children.push(Guid(99))), "an unknown child");
        assert!(is_refused(|world| links(world, Guid(1)).children.truncate(1)), "a child that is not listed");
        assert!(is_refused(|world| {
            links(world, Guid(11)).held_by = Some(HeldBy { parent: Guid(2), location: 1 });
        }));
        assert!(is_refused(|world| {
            links(world, Guid(11)).held_by = Some(HeldBy { parent: Guid(99), location: 1 });
        }));
        // In a circle: the holder is held by what it holds.
        assert!(is_refused(|world| {
            links(world, Guid(1)).held_by = Some(HeldBy { parent: Guid(11), location: 1 });
            links(world, Guid(11)).children.push(Guid(1));
        }));
    }

    /// As many as may be attached, directly, in a chain and in all, and one more.
    #[test]
    #[cfg(feature = "serde")]
    fn links_beyond_the_limits_are_refused() {
        let hang = |world: &mut World, parent: Guid, child: Guid| {
            world.spawn(&EntitySpec::item(child, mannequin::SWORD_SETUP), 0.0).expect("there is room");
            links(world, parent).children.push(child);
            links(world, child).held_by = Some(HeldBy { parent, location: 1 });
        };
        let mut world = armed();
        for number in 0..MAX_CHILDREN as u32 - 2 {
            hang(&mut world, Guid(1), Guid(100 + number));
        }
        assert_eq!(world.check_attachments(), Ok(()), "with two swords");
        hang(&mut world, Guid(1), Guid(99));
        assert!(world.check_attachments().is_err());

        let mut world = armed();
        for number in 0..MAX_ATTACHMENT_DEPTH as u32 - 1 {
            let parent = if number == 0 { Guid(11) } else { Guid(99 + number) };
            hang(&mut world, parent, Guid(100 + number));
        }
        assert_eq!(world.check_attachments(), Ok(()), "a chain of eight");
        hang(&mut world, Guid(98 + MAX_ATTACHMENT_DEPTH as u32), Guid(99));
        assert!(world.check_attachments().is_err());

        // Two swords with 63 each, and what is missing to 256 in a third: 2 + 2 * 63 + 1 + 63 + 1 + 63.
        let mut world = armed();
        for number in 0..2 {
            hang(&mut world, Guid(1), Guid(13 + number));
        }
        let mut hung = 4;
        'all: for holder in 11..15 {
            for number in 0..MAX_CHILDREN as u32 {
                if hung == MAX_CARRIED {
                    break 'all;
                }
                hang(&mut world, Guid(holder), Guid(1000 * holder + number));
                hung += 1;
            }
        }
        assert_eq!((hung, world.check_attachments()), (MAX_CARRIED, Ok(())));
        hang(&mut world, Guid(14), Guid(99));
        assert!(world.check_attachments().is_err());
    }
}
