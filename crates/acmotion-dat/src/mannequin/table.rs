//! A builder of motion tables.

use std::collections::BTreeMap;

use acmotion_types::MotionCommand;

use crate::id::DataId;
use crate::objects::motion_table::cycle_key;
use crate::objects::{MotionData, MotionTable};

/// A motion table under construction. Entries are added in any order and written in the order of their keys.
pub(super) struct TableBuilder {
    id: DataId,
    default_style: MotionCommand,
    style_defaults: BTreeMap<u32, MotionCommand>,
    cycles: BTreeMap<u32, MotionData>,
    modifiers: BTreeMap<u32, MotionData>,
    links: BTreeMap<u32, BTreeMap<u32, MotionData>>,
}

impl TableBuilder {
    /// Creates a table without entries.
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

    /// Adds a style with its default substate.
    pub(super) fn style(&mut self, style: MotionCommand, default: MotionCommand) {
        self.style_defaults.insert(style.0, default);
    }

    /// Adds the motion that loops while a substate lasts.
    pub(super) fn cycle(&mut self, style: MotionCommand, motion: MotionCommand, data: MotionData) {
        self.cycles.insert(cycle_key(style, motion), data);
    }

    /// Adds a modifier of a style, or if `style` is `None`, of every style without an entry of its own (rule G4).
    pub(super) fn modifier(&mut self, style: Option<MotionCommand>, motion: MotionCommand, data: MotionData) {
        self.modifiers.insert(cycle_key(style.unwrap_or(MotionCommand::NONE), motion), data);
    }

    /// Adds the link between two motions of a style, or the link for an action or a change of style (rules G3, G4).
    pub(super) fn link(
        &mut self,
        style: MotionCommand,
        from: MotionCommand,
        to: MotionCommand,
        data: MotionData,
    ) {
        self.links.entry(cycle_key(style, from)).or_default().insert(to.0, data);
    }

    /// Returns the finished table.
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
