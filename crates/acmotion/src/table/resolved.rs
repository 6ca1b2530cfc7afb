//! Motion tables with resolved animations, and the look-ups in them (rules G1–G5).

use std::collections::hash_map::Entry;
use std::hash::Hash;

use acmotion_dat::motion_table::cycle_key;
use acmotion_dat::{AnimData, DataId, KeyedList, MotionData, MotionFlags, MotionTable};
use acmotion_types::{MotionCommand, Vec3};
use rustc_hash::FxHashMap;

use crate::library::{Library, SpanId};
use crate::sequence::Sequence;

/// A motion table with resolved animations. It is shared by all bodies that use it and never changes.
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CMotionTable")]
pub struct Table {
    id: DataId,
    default_style: MotionCommand,
    /// In the order of the file.
    styles: Vec<(MotionCommand, MotionCommand)>,
    style_defaults: FxHashMap<MotionCommand, MotionCommand>,
    cycles: FxHashMap<u32, Motion>,
    modifiers: FxHashMap<u32, Motion>,
    /// By [`link_key`].
    links: FxHashMap<u64, Motion>,
    anims: Vec<Anim>,
}

/// The animations, velocity and omega of one motion.
///
/// ```
/// use acmotion::components::{Anim, Motion, Span, SpanId};
/// use acmotion::dat::{Assets, mannequin};
/// use acmotion::types::MotionCommand;
/// use acmotion::{Library, Table};
///
/// /// Returns the number of frames that a motion plays in one pass, without those of missing animations.
/// fn frames(library: &Library, table: &Table, motion: &Motion) -> i32 {
///     let count = |span: SpanId| {
///         let Span { low, high, .. } = library.span_of(span);
///         high - low + 1
///     };
///     table.anims(motion).iter().filter_map(|Anim { span, .. }| span.map(count)).sum()
/// }
///
/// # fn main() -> Result<(), acmotion::dat::DatError> {
/// let mut library = Library::new();
/// let id = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE)?;
/// let table = library.table(id);
/// let run = table.cycle(MotionCommand::NON_COMBAT, MotionCommand::RUN_FORWARD).expect("a human can run");
/// assert!(frames(&library, table, run) > 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "MotionData")]
pub struct Motion {
    /// The velocity in the body's axes, in metres a second at speed 1.
    pub velocity: Vec3,
    /// The turn rate about the body's axes, in radians a second at speed 1.
    pub omega: Vec3,
    /// From where the motion may be entered, and whether it clears modifiers (rule G2).
    pub flags: MotionFlags,
    /// The number of animations, missing ones included.
    count: u32,
    /// The index of its first animation in the table's list.
    start: u32,
}

impl Motion {
    /// Returns the number of animations, missing ones included (rule H2).
    #[doc(alias = "num_anims")]
    pub const fn anim_count(&self) -> u32 {
        self.count
    }

    pub(super) fn clears_modifiers(&self) -> bool {
        self.flags.contains(MotionFlags::CLEARS_MODIFIERS)
    }
}

/// A span of a clip at a rate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Anim {
    /// The frames and their clip; `None` if the animation is missing (rule H2).
    pub span: Option<SpanId>,
    /// The rate in frames a second at speed 1; negative is backwards.
    pub framerate: f32,
}

impl Anim {
    /// Appends the animation to a sequence at a speed. One that is missing is left out (rule H2).
    pub fn append_to(&self, sequence: &mut Sequence, library: &Library, speed: f32) {
        if let Some(span) = self.span {
            sequence.append(library, span, self.framerate * speed);
        }
    }
}

impl Table {
    /// Resolves a table, and each of its animations by `find`.
    pub(crate) fn resolve(table: &MotionTable, find: &mut dyn FnMut(&AnimData) -> Anim) -> Self {
        let mut anims = Vec::new();
        let mut motion = |data: &MotionData| {
            let start = anims.len() as u32;
            anims.extend(data.anims.iter().map(&mut *find));
            Motion {
                velocity: data.velocity.unwrap_or_default(),
                omega: data.omega.unwrap_or_default(),
                flags: data.flags,
                count: data.anims.len() as u32,
                start,
            }
        };
        let mut motions =
            |list: &KeyedList<MotionData>| first_of(list.iter().map(|(key, data)| (key, motion(data))));
        let (cycles, modifiers) = (motions(&table.cycles), motions(&table.modifiers));
        let mut links = Vec::new();
        for (outer, inner) in table.links.iter() {
            // If a key occurs twice, the first list counts, as in `KeyedList`.
            if table.links.get(outer).is_some_and(|first| !std::ptr::eq(first, inner)) {
                continue;
            }
            links.extend(inner.iter().map(|(to, data)| (link_key(outer, to), motion(data))));
        }
        let mut styles = Vec::new();
        let mut style_defaults = FxHashMap::default();
        for (style, substate) in table.style_defaults.iter() {
            let style = MotionCommand(style);
            if let Entry::Vacant(entry) = style_defaults.entry(style) {
                entry.insert(*substate);
                styles.push((style, *substate));
            }
        }
        Self {
            id: table.id,
            default_style: table.default_style,
            styles,
            style_defaults,
            cycles,
            modifiers,
            links: first_of(links),
            anims,
        }
    }

    /// Returns the id of the table.
    pub fn id(&self) -> DataId {
        self.id
    }

    /// Returns the style in which a body starts.
    pub fn default_style(&self) -> MotionCommand {
        self.default_style
    }

    /// Returns the default substate of a style, or `None` if the table does not have the style.
    pub fn style_default(&self, style: MotionCommand) -> Option<MotionCommand> {
        self.style_defaults.get(&style).copied()
    }

    /// Iterates over the styles with their default substates, in the order of the file.
    pub fn styles(&self) -> impl ExactSizeIterator<Item = (MotionCommand, MotionCommand)> {
        self.styles.iter().copied()
    }

    /// Returns the cycle of a motion in a style.
    pub fn cycle(&self, style: MotionCommand, motion: MotionCommand) -> Option<&Motion> {
        self.cycles.get(&cycle_key(style, motion))
    }

    /// Returns the cycle of a motion in a style, else in the default style (rule G4, substates).
    pub fn cycle_or_default(&self, style: MotionCommand, motion: MotionCommand) -> Option<&Motion> {
        self.cycle(style, motion).or_else(|| self.cycle(self.default_style, motion))
    }

    /// Returns the modifier of a motion in a style, else the one for any style (rule G4, modifiers).
    pub fn modifier(&self, style: MotionCommand, motion: MotionCommand) -> Option<&Motion> {
        let unstyled = || self.modifiers.get(&(motion.0 & 0x00FF_FFFF));
        self.modifiers.get(&cycle_key(style, motion)).or_else(unstyled)
    }

    /// Returns the link that is played from a substate to a motion, forwards or backwards (rule G3).
    ///
    /// If either speed is negative, this is the link in the opposite direction, else the link from the substate to the
    /// style's default substate. Otherwise it is the link itself, else the link from any substate of the style.
    #[doc(alias = "get_link")]
    pub fn link(
        &self,
        style: MotionCommand,
        substate: MotionCommand,
        substate_speed: f32,
        motion: MotionCommand,
        speed: f32,
    ) -> Option<&Motion> {
        if speed < 0.0 || substate_speed < 0.0 {
            let to_default = || self.plain_link(cycle_key(style, substate), self.style_default(style)?);
            self.plain_link(cycle_key(style, motion), substate).or_else(to_default)
        } else {
            let from_any = || self.plain_link(style.0 << 16, motion);
            self.plain_link(cycle_key(style, substate), motion).or_else(from_any)
        }
    }

    /// Returns `true` if a cycle may be entered from a substate (rule G5).
    pub fn is_allowed(
        &self,
        cycle: &Motion,
        motion: MotionCommand,
        style: MotionCommand,
        substate: MotionCommand,
    ) -> bool {
        !cycle.flags.contains(MotionFlags::ONLY_FROM_DEFAULT)
            || motion == substate
            || self.style_default(style) == Some(substate)
    }

    /// Returns the animations of one of the table's motions.
    pub fn anims(&self, motion: &Motion) -> &[Anim] {
        &self.anims[motion.start as usize..][..motion.count as usize]
    }

    /// Iterates over the keys of all cycles (see [`cycle_key`]), in no particular order.
    pub(crate) fn cycle_keys(&self) -> impl Iterator<Item = u32> {
        self.cycles.keys().copied()
    }

    /// Iterates over the keys of all modifiers (see [`cycle_key`]; the low 24 bits of the motion alone for any style),
    /// in no particular order.
    pub(crate) fn modifier_keys(&self) -> impl Iterator<Item = u32> {
        self.modifiers.keys().copied()
    }

    /// Iterates over the outer key and motion of all links, in no particular order.
    pub(crate) fn link_keys(&self) -> impl Iterator<Item = (u32, MotionCommand)> {
        self.links.keys().map(|key| ((key >> 32) as u32, MotionCommand(*key as u32)))
    }

    fn plain_link(&self, outer: u32, to: MotionCommand) -> Option<&Motion> {
        self.links.get(&link_key(outer, to.0))
    }
}

/// Returns the key of a link: the outer key in the upper half, the motion in the lower.
fn link_key(outer: u32, to: u32) -> u64 {
    u64::from(outer) << 32 | u64::from(to)
}

/// Builds a map in which the first of several entries with the same key counts, as in [`KeyedList`].
fn first_of<K: Hash + Eq>(entries: impl IntoIterator<Item = (K, Motion)>) -> FxHashMap<K, Motion> {
    let mut map = FxHashMap::default();
    for (key, motion) in entries {
        map.entry(key).or_insert(motion);
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_packed_as_in_the_original() {
        let key = |style, motion| cycle_key(style, motion);
        assert_eq!(key(MotionCommand::NON_COMBAT, MotionCommand::READY), 0x003D_0003);
        assert_eq!(key(MotionCommand::NON_COMBAT, MotionCommand::NONE), 0x003D_0000);
        assert_eq!(key(MotionCommand::DUAL_WIELD_COMBAT, MotionCommand::READY), 0x0046_0003);
    }
}
