//! `/api/table/ID`: a motion table as a graph of styles, cycles, modifiers and links, with what is undefined in it.

use std::collections::BTreeSet;
use std::sync::Arc;

use acmotion::dat::motion_table::cycle_key;
use acmotion::dat::{Assets, DataId, HookEffect, MotionData, MotionTable};
use acmotion::query::{self, MotionQuery};
use acmotion::types::{Era, MotionCommand};
use acmotion::{Library, TableId};

use super::ApiResult;
use crate::files::DatFile;
use crate::protocol::api::{self, AnimationRange, Cycle, Link, LinkKind, Modifier, Style, UndefinedMotion};
use crate::values::vector;

pub(super) fn table(file: &DatFile, id: DataId) -> ApiResult<api::MotionTable> {
    let table = file.assets.motion_table(id)?;
    let resolved = file.tables().resolved(id)?;
    let graph = Graph { assets: &file.assets, table: &table, resolved };
    let styles = table
        .style_defaults
        .iter()
        .map(|(style, default)| Style { style: MotionCommand(style).into(), default: (*default).into() });
    Ok(api::MotionTable {
        id: id.into(),
        default_style: table.default_style.into(),
        styles: styles.collect(),
        cycles: graph.cycles(),
        modifiers: graph.modifiers(),
        links: graph.links(),
        undefined: graph.undefined(),
    })
}

struct Graph<'a> {
    assets: &'a Assets,
    table: &'a MotionTable,
    resolved: (Arc<Library>, TableId),
}

impl Graph<'_> {
    fn cycles(&self) -> Vec<Cycle> {
        let cycle = |(key, motion): (u32, &MotionData)| {
            let (style, command) = (style_of(key), motion_of(key));
            let data = self.with_fired_hooks(self.data(motion), &MotionQuery::new(style, command));
            Cycle { style: style.into(), motion: command.into(), data }
        };
        self.table.cycles.iter().map(cycle).collect()
    }

    /// Sets the numbers of hooks to those that fire when a motion is played, as the clip and the sheet list them.
    fn with_fired_hooks(&self, data: api::MotionData, query: &MotionQuery) -> api::MotionData {
        let (library, table) = &self.resolved;
        match query::timing(library, library.table(*table), query) {
            Ok(timing) => {
                api::MotionData { hooks: timing.hooks.len(), attacks: timing.attacks().count(), ..data }
            }
            Err(_) => data,
        }
    }

    fn modifiers(&self) -> Vec<Modifier> {
        let modifier = |(key, motion): (u32, &MotionData)| Modifier {
            style: (key >> 16 != 0).then(|| style_of(key).into()),
            motion: motion_of(key).into(),
            data: self.data(motion),
        };
        self.table.modifiers.iter().map(modifier).collect()
    }

    fn links(&self) -> Vec<Link> {
        let mut links = Vec::new();
        for (outer, inner) in self.table.links.iter() {
            let from = (outer as u16 != 0).then(|| motion_of(outer));
            for (to, motion) in inner.iter() {
                let to = MotionCommand(to);
                let kind = match to {
                    _ if to.is_style() => LinkKind::Style,
                    _ if to.is_action() => LinkKind::Action,
                    _ if to.is_substate() => LinkKind::Substate,
                    _ => LinkKind::Other,
                };
                let (style, mut data) = (style_of(outer), self.data(motion));
                if kind == LinkKind::Action {
                    data = self.with_fired_hooks(data, &MotionQuery { from, ..MotionQuery::new(style, to) });
                }
                let from = from.map(Into::into);
                links.push(Link { style: style.into(), from, to: to.into(), kind, data });
            }
        }
        links
    }

    fn data(&self, motion: &MotionData) -> api::MotionData {
        let (mut hooks, mut attacks) = (0, 0);
        let mut animations = Vec::new();
        for anim in &motion.anims {
            let animation = self.assets.animation(anim.animation).ok();
            let range = animation.as_ref().and_then(|animation| anim.range(animation.frame_count()));
            let frames = range.map_or(0, |(low, high)| high - low + 1);
            let rate = f64::from(anim.framerate.abs());
            for hook in animation.iter().flat_map(|animation| {
                let (low, high) = range.unwrap_or((1, 0));
                (low..=high).flat_map(|frame| animation.hooks(frame))
            }) {
                hooks += 1;
                attacks += usize::from(matches!(hook.effect, HookEffect::Attack(_)));
            }
            animations.push(AnimationRange {
                id: anim.animation.into(),
                low: anim.low,
                high: anim.high,
                framerate: anim.framerate,
                frames,
                seconds: if rate > 0.0 { frames as f64 / rate } else { 0.0 },
                missing: animation.is_none(),
            });
        }
        api::MotionData {
            seconds: animations.iter().map(|animation| animation.seconds).sum(),
            hooks,
            attacks,
            flags: motion.flags.bits(),
            velocity: motion.velocity.map(vector),
            omega: motion.omega.map(vector),
            animations,
        }
    }

    /// Lists what the table refers to but does not have.
    fn undefined(&self) -> Vec<UndefinedMotion> {
        let table = self.table;
        let mut list = Vec::new();
        let mut add = |style: MotionCommand, motion: Option<MotionCommand>, description: String| {
            list.push(UndefinedMotion { style: style.into(), motion: motion.map(Into::into), description });
        };
        let mut styles: BTreeSet<MotionCommand> = table.cycles.iter().map(|(key, _)| style_of(key)).collect();
        styles.insert(table.default_style);
        for style in styles {
            match table.style_defaults.get(style.0).copied() {
                None => add(style, None, format!("{style} has no default substate")),
                Some(default) if !self.has_cycle(style, default) => {
                    add(style, Some(default), format!("{style} has no cycle for its default, {default}"));
                }
                Some(_) => {}
            }
        }
        let mut listed = BTreeSet::new();
        for (outer, inner) in table.links.iter() {
            let style = style_of(outer);
            for to in inner.iter().map(|(to, _)| MotionCommand(to)) {
                let is_new = to.is_substate() && !self.has_cycle(style, to) && listed.insert((style, to));
                if is_new && !(to.is_action() || to.is_style()) {
                    add(style, Some(to), format!("{style} has a link to {to}, but no cycle for it"));
                }
            }
        }
        for (style, motion, animation) in self.missing_animations() {
            let description = format!("{motion} plays animation {animation}, which the file does not have");
            add(style, Some(motion), description);
        }
        list
    }

    fn has_cycle(&self, style: MotionCommand, motion: MotionCommand) -> bool {
        self.table.cycles.get(cycle_key(style, motion)).is_some()
    }

    fn missing_animations(&self) -> BTreeSet<(MotionCommand, MotionCommand, DataId)> {
        let table = self.table;
        let looped = table.cycles.iter().chain(table.modifiers.iter());
        let looped = looped.map(|(key, data)| (style_of(key), motion_of(key), data));
        let linked = table.links.iter().flat_map(|(outer, inner)| {
            inner.iter().map(move |(to, data)| (style_of(outer), MotionCommand(to), data))
        });
        let mut missing = BTreeSet::new();
        for (style, motion, data) in looped.chain(linked) {
            let is_missing = |id: &DataId| self.assets.animation(*id).is_err();
            let ids = data.anims.iter().map(|anim| anim.animation).filter(is_missing);
            missing.extend(ids.map(|id| (style, motion, id)));
        }
        missing
    }
}

/// The motion in the low word of a key.
fn motion_of(key: u32) -> MotionCommand {
    Era::default().expand(key as u16).unwrap_or(MotionCommand(key & 0xFFFF))
}

/// The style in the high word of a key.
fn style_of(key: u32) -> MotionCommand {
    let index = (key >> 16) as u16;
    let style = Era::default().expand(index).filter(|style| style.is_style());
    style.unwrap_or_else(|| MotionCommand(MotionCommand::STYLE_BIT | u32::from(index)))
}
