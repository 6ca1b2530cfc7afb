//! A motion table as a graph: styles, cycles, modifiers, links, and what is undefined in it.

use std::collections::BTreeSet;

use acmotion::dat::{Assets, DataId, HookEffect, MotionData, MotionTable};
use acmotion::types::{Era, MotionCommand};
use serde_json::{Map, Value, json};

use super::Answer;
use crate::values::{command, vector};

pub(super) fn table(assets: &Assets, id: DataId) -> Answer<Value> {
    let table = assets.motion_table(id)?;
    let graph = Graph { assets, table: &table };
    let styles = table.style_defaults.iter().map(
        |(style, default)| json!({ "style": command(MotionCommand(style)), "default": command(*default) }),
    );
    Ok(json!({
        "id": id.to_string(),
        "default_style": command(table.default_style),
        "styles": styles.collect::<Vec<_>>(),
        "cycles": graph.cycles(),
        "modifiers": graph.modifiers(),
        "links": graph.links(),
        "undefined": graph.undefined(),
    }))
}

struct Graph<'a> {
    assets: &'a Assets,
    table: &'a MotionTable,
}

impl Graph<'_> {
    fn cycles(&self) -> Vec<Value> {
        let cycle = |(key, motion): (u32, &MotionData)| {
            let head = json!({ "style": command(style_of(key)), "motion": command(motion_of(key)) });
            self.with_data(head, motion)
        };
        self.table.cycles.iter().map(cycle).collect()
    }

    fn modifiers(&self) -> Vec<Value> {
        let modifier = |(key, motion): (u32, &MotionData)| {
            let style = (key >> 16 != 0).then(|| command(style_of(key)));
            self.with_data(json!({ "style": style, "motion": command(motion_of(key)) }), motion)
        };
        self.table.modifiers.iter().map(modifier).collect()
    }

    fn links(&self) -> Vec<Value> {
        let mut list = Vec::new();
        for (outer, inner) in self.table.links.iter() {
            let from = (outer as u16 != 0).then(|| command(motion_of(outer)));
            for (to, motion) in inner.iter() {
                let to = MotionCommand(to);
                let kind = match to {
                    _ if to.is_style() => "style",
                    _ if to.is_action() => "action",
                    _ if to.is_substate() => "substate",
                    _ => "other",
                };
                let head = json!({ "style": command(style_of(outer)), "from": from, "to": command(to), "kind": kind });
                list.push(self.with_data(head, motion));
            }
        }
        list
    }

    /// What is played for a motion: how long, with how many hooks.
    fn with_data(&self, mut head: Value, motion: &MotionData) -> Value {
        let (mut seconds, mut hooks, mut attacks) = (0.0, 0, 0);
        let animations: Vec<Value> = motion
            .anims
            .iter()
            .map(|anim| {
                let animation = self.assets.animation(anim.animation).ok();
                let range = animation.as_ref().and_then(|animation| anim.range(animation.frame_count()));
                let frames = range.map_or(0, |(low, high)| high - low + 1);
                let rate = f64::from(anim.framerate.abs());
                let own = if rate > 0.0 { frames as f64 / rate } else { 0.0 };
                seconds += own;
                for hook in animation.iter().flat_map(|animation| {
                    let (low, high) = range.unwrap_or((1, 0));
                    (low..=high).flat_map(|frame| animation.hooks(frame))
                }) {
                    hooks += 1;
                    attacks += usize::from(matches!(hook.effect, HookEffect::Attack(_)));
                }
                json!({
                    "id": anim.animation.to_string(), "low": anim.low, "high": anim.high,
                    "framerate": anim.framerate, "frames": frames, "seconds": own, "missing": animation.is_none(),
                })
            })
            .collect();
        if let Some(head) = head.as_object_mut() {
            head.append(&mut data(motion, seconds, hooks, attacks, animations));
        }
        head
    }

    /// What the table speaks of and does not have.
    fn undefined(&self) -> Vec<Value> {
        let table = self.table;
        let mut list = Vec::new();
        let mut note = |style: MotionCommand, motion: Option<MotionCommand>, words: String| {
            list.push(json!({ "style": command(style), "motion": motion.map(command), "words": words }));
        };
        let mut styles: BTreeSet<MotionCommand> = table.cycles.iter().map(|(key, _)| style_of(key)).collect();
        styles.insert(table.default_style);
        for style in &styles {
            match table.style_defaults.get(style.0) {
                None => note(*style, None, format!("{style} has no default substate")),
                Some(default) if !self.has_cycle(*style, *default) => {
                    note(
                        *style,
                        Some(*default),
                        format!("{style} has no cycle {default}, though it is its default"),
                    );
                }
                Some(_) => {}
            }
        }
        let mut told = BTreeSet::new();
        for (outer, inner) in table.links.iter() {
            let style = style_of(outer);
            for to in inner.iter().map(|(to, _)| MotionCommand(to)) {
                let is_new = to.is_substate() && !self.has_cycle(style, to) && told.insert((style, to));
                if is_new && !(to.is_action() || to.is_style()) {
                    note(style, Some(to), format!("{style} has no cycle {to}, though a link leads there"));
                }
            }
        }
        for (style, motion, animation) in self.missing_animations() {
            note(
                style,
                Some(motion),
                format!("{motion} plays animation {animation}, which is not in the file"),
            );
        }
        list
    }

    fn has_cycle(&self, style: MotionCommand, motion: MotionCommand) -> bool {
        let key = acmotion::dat::motion_table::cycle_key(style, motion);
        self.table.cycles.get(key).is_some()
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
            let gone = |id: &DataId| self.assets.animation(*id).is_err();
            let ids = data.anims.iter().map(|anim| anim.animation).filter(gone);
            missing.extend(ids.map(|id| (style, motion, id)));
        }
        missing
    }
}

fn data(
    motion: &MotionData,
    seconds: f64,
    hooks: usize,
    attacks: usize,
    animations: Vec<Value>,
) -> Map<String, Value> {
    let data = json!({
        "seconds": seconds, "hooks": hooks, "attacks": attacks, "flags": motion.flags.bits(),
        "velocity": motion.velocity.map(vector), "omega": motion.omega.map(vector), "animations": animations,
    });
    match data {
        Value::Object(data) => data,
        _ => Map::new(),
    }
}

/// The motion in the low word of a key.
fn motion_of(key: u32) -> MotionCommand {
    Era::default().expand(key as u16).unwrap_or(MotionCommand(key & 0xFFFF))
}

/// The style in the upper bits of a key.
fn style_of(key: u32) -> MotionCommand {
    let index = (key >> 16) as u16;
    let style = Era::default().expand(index).filter(|style| style.is_style());
    style.unwrap_or_else(|| MotionCommand(MotionCommand::STYLE_BIT | u32::from(index)))
}
