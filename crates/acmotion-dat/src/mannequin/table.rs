//! Motion tables in the making.

use std::collections::BTreeMap;

use acmotion_types::MotionCommand;

use crate::id::DataId;
use crate::objects::motion_table::cycle_key;
use crate::objects::{MotionData, MotionTable};

/// A motion table to which entries are added in any order; it is written in the order of the keys.
pub(super) struct TableBuilder {
    id: DataId,
    default_style: MotionCommand,
    style_defaults: BTreeMap<u32, MotionCommand>,
    cycles: BTreeMap<u32, MotionData>,
    modifiers: BTreeMap<u32, MotionData>,
    links: BTreeMap<u32, BTreeMap<u32, MotionData>>,
}

impl TableBuilder {
    /// A table without entries.
    pub(super) fn new(id: DataId, default_style: MotionCommand) -> Self {
        Self {
            id,
            default_style,
            style_defaults: BTreeMap::new(),
            cycles: BTreeMap::new(),
            modifiers: BTreeMap::new(),
            links: BTreeMap::new(),
        }
    }

    /// A style and the substate it starts in.
    pub(super) fn style(&mut self, style: MotionCommand, default: MotionCommand) {
        self.style_defaults.insert(style.0, default);
    }

    /// What loops while a substate lasts.
    pub(super) fn cycle(&mut self, style: MotionCommand, motion: MotionCommand, data: MotionData) {
        self.cycles.insert(cycle_key(style, motion), data);
    }

    /// What a modifier adds in a style; in every style that has no entry of its own if `style` is `None` (rule G4).
    pub(super) fn modifier(&mut self, style: Option<MotionCommand>, motion: MotionCommand, data: MotionData) {
        self.modifiers.insert(cycle_key(style.unwrap_or(MotionCommand::NONE), motion), data);
    }

    /// What is played between two motions of a style, or for an action or a change of style (rules G3, G4).
    pub(super) fn link(
        &mut self,
        style: MotionCommand,
        from: MotionCommand,
        to: MotionCommand,
        data: MotionData,
    ) {
        self.links.entry(cycle_key(style, from)).or_default().insert(to.0, data);
    }

    /// The table.
    pub(super) fn build(self) -> MotionTable {
        MotionTable {
            id: self.id,
            default_style: self.default_style,
            style_defaults: self.style_defaults.into_iter().collect(),
            cycles: self.cycles.into_iter().collect(),
            modifiers: self.modifiers.into_iter().collect(),
            links: self.links.into_iter().map(|(key, inner)| (key, inner.into_iter().collect())).collect(),
        }
    }
}
