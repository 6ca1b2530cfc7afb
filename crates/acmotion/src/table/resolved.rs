//! Motion tables with their animations found, and the look-ups in them (rules G1–G5).

use acmotion_dat::motion_table::cycle_key;
use acmotion_dat::{AnimData, DataId, KeyedList, MotionData, MotionFlags, MotionTable};
use acmotion_types::{MotionCommand, Vec3};

use super::key_map::KeyMap;
use crate::library::SpanId;

/// A motion table whose animations have been found. It is shared by all bodies that use it and never changes.
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CMotionTable")]
pub struct Table {
    id: DataId,
    default_style: MotionCommand,
    style_defaults: KeyMap<MotionCommand>,
    cycles: KeyMap<Motion>,
    modifiers: KeyMap<Motion>,
    /// By outer key in the upper half and motion in the lower.
    links: KeyMap<Motion>,
    anims: Vec<Anim>,
}

/// What is played for one motion.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "MotionData")]
pub struct Motion {
    /// Velocity in the body's axes, metres a second at speed 1.
    pub velocity: Vec3,
    /// Turn rate about the body's axes, radians a second at speed 1.
    pub omega: Vec3,
    /// How it may be entered and what entering it does.
    pub flags: MotionFlags,
    /// How many animations it has, missing ones included.
    count: u32,
    /// Where in the table's animations its own begin.
    start: u32,
}

impl Motion {
    /// How many animations it has; those that are missing count too (rule H2).
    #[doc(alias = "num_anims")]
    pub const fn anim_count(&self) -> u32 {
        self.count
    }

    pub(super) fn clears_modifiers(&self) -> bool {
        self.flags.contains(MotionFlags::CLEARS_MODIFIERS)
    }
}

/// Frames of a clip at a rate; no span if the animation is missing (rule H2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Anim {
    /// Which frames of which clip.
    pub span: Option<SpanId>,
    /// Frames a second at speed 1; negative is backwards.
    pub framerate: f32,
}

impl Table {
    /// Resolves a table; `find` gives the span of an animation, or none if it is missing.
    pub(crate) fn resolve(table: &MotionTable, find: &mut dyn FnMut(&AnimData) -> Option<SpanId>) -> Self {
        let mut anims = Vec::new();
        let mut motion = |data: &MotionData| {
            let start = anims.len() as u32;
            anims.extend(data.anims.iter().map(|anim| Anim { span: find(anim), framerate: anim.framerate }));
            Motion {
                velocity: data.velocity.unwrap_or_default(),
                omega: data.omega.unwrap_or_default(),
                flags: data.flags,
                count: data.anims.len() as u32,
                start,
            }
        };
        let mut motions = |list: &KeyedList<MotionData>| {
            list.iter().map(|(key, data)| (u64::from(key), motion(data))).collect()
        };
        let (cycles, modifiers) = (motions(&table.cycles), motions(&table.modifiers));
        let mut links = Vec::new();
        for (outer, inner) in table.links.iter() {
            // Of two lists with one key the first counts, as in `KeyedList`.
            if table.links.get(outer).is_some_and(|first| !std::ptr::eq(first, inner)) {
                continue;
            }
            links.extend(inner.iter().map(|(to, data)| (link_key(outer, to), motion(data))));
        }
        Self {
            id: table.id,
            default_style: table.default_style,
            style_defaults: table
                .style_defaults
                .iter()
                .map(|(style, substate)| (u64::from(style), *substate))
                .collect(),
            cycles,
            modifiers,
            links: links.into_iter().collect(),
            anims,
        }
    }

    /// Its id.
    pub fn id(&self) -> DataId {
        self.id
    }

    /// The style a body starts in.
    pub fn default_style(&self) -> MotionCommand {
        self.default_style
    }

    /// The default substate of a style.
    pub fn style_default(&self, style: MotionCommand) -> Option<MotionCommand> {
        self.style_defaults.get(u64::from(style.0)).copied()
    }

    /// Every style with its default substate.
    pub fn styles(&self) -> impl ExactSizeIterator<Item = (MotionCommand, MotionCommand)> {
        self.style_defaults.iter().map(|(style, substate)| (MotionCommand(style as u32), *substate))
    }

    /// What loops for a motion in a style; no fallback.
    pub fn cycle(&self, style: MotionCommand, motion: MotionCommand) -> Option<&Motion> {
        self.cycles.get(cycle_key(style, motion).into())
    }

    /// What loops for a motion in a style, else what does in the default style (rule G4, substates).
    pub fn cycle_or_default(&self, style: MotionCommand, motion: MotionCommand) -> Option<&Motion> {
        self.cycle(style, motion).or_else(|| self.cycle(self.default_style, motion))
    }

    /// What a motion adds to a cycle in a style, else in any (rule G4, modifiers).
    pub fn modifier(&self, style: MotionCommand, motion: MotionCommand) -> Option<&Motion> {
        let unstyled = || self.modifiers.get(u64::from(motion.0 & 0x00FF_FFFF));
        self.modifiers.get(cycle_key(style, motion).into()).or_else(unstyled)
    }

    /// What is played between two motions of a style, forwards or backwards (rule G3).
    ///
    /// If either speed is negative the link of the opposite direction is looked for, then the way to the style's default
    /// substate. Else the link itself, then what any motion of the style has to that motion.
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

    /// May a cycle be entered from that substate (rule G5)?
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

    /// The animations of one of its motions.
    pub fn anims(&self, motion: &Motion) -> &[Anim] {
        &self.anims[motion.start as usize..][..motion.count as usize]
    }

    /// Keys of all cycles, see [`cycle_key`].
    pub(crate) fn cycle_keys(&self) -> impl Iterator<Item = u32> {
        self.cycles.iter().map(|(key, _)| key as u32)
    }

    /// Keys of all modifiers, see [`cycle_key`]; without a style the motion's low 24 bits alone.
    pub(crate) fn modifier_keys(&self) -> impl Iterator<Item = u32> {
        self.modifiers.iter().map(|(key, _)| key as u32)
    }

    /// Outer key and motion of all links.
    pub(crate) fn link_keys(&self) -> impl Iterator<Item = (u32, MotionCommand)> {
        self.links.iter().map(|(key, _)| ((key >> 32) as u32, MotionCommand(key as u32)))
    }

    fn plain_link(&self, outer: u32, to: MotionCommand) -> Option<&Motion> {
        self.links.get(link_key(outer, to.0))
    }
}

fn link_key(outer: u32, to: u32) -> u64 {
    u64::from(outer) << 32 | u64::from(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_as_the_original_packs_them() {
        let key = |style, motion| cycle_key(style, motion);
        assert_eq!(key(MotionCommand::NON_COMBAT, MotionCommand::READY), 0x003D_0003);
        assert_eq!(key(MotionCommand::NON_COMBAT, MotionCommand::NONE), 0x003D_0000);
        assert_eq!(key(MotionCommand::DUAL_WIELD_COMBAT, MotionCommand::READY), 0x0046_0003);
    }
}
