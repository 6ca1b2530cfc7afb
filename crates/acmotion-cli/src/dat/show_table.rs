//! Prints a motion table: the cycles, modifiers and links of each style, with their names.

use acmotion_dat::{AnimData, Assets, KeyedList, MotionData, MotionTable};
use acmotion_types::MotionCommand;

use super::format;
use crate::numbers::fixed;
use crate::output::{Align, Out, Table, counted};

/// The style in the keys of modifiers and links that belong to no style.
const ANY_STYLE: u32 = 0;

pub(super) fn print(table: &MotionTable, assets: &Assets, out: &mut Out) -> anyhow::Result<()> {
    let links: usize = table.links.iter().map(|(_, inner)| inner.len()).sum();
    out.line(format!(
        "  default style {}; {}, {}, {}",
        table.default_style,
        counted(table.cycles.len(), "cycle"),
        counted(table.modifiers.len(), "modifier"),
        counted(links, "link")
    ))?;
    for style in styles(table) {
        print_style(table, style, assets, out)?;
    }
    if table.modifiers.iter().any(|(key, _)| key >> 16 == ANY_STYLE) {
        out.line("")?;
        out.line("any style")?;
        print_motions("modifiers", &of_style(&table.modifiers, ANY_STYLE), assets, out)?;
    }
    Ok(())
}

/// Returns every style that the table mentions: the default style first, the others in the order of the table.
fn styles(table: &MotionTable) -> Vec<MotionCommand> {
    let listed = table.style_defaults.iter().map(|(style, _)| MotionCommand(style));
    let keys = table.cycles.iter().map(|(key, _)| key);
    let keys = keys.chain(table.modifiers.iter().map(|(key, _)| key));
    let keys = keys.chain(table.links.iter().map(|(key, _)| key)).filter(|key| key >> 16 != ANY_STYLE);
    let mut styles: Vec<MotionCommand> = Vec::new();
    let first = std::iter::once(table.default_style);
    for style in first.chain(listed).chain(keys.map(format::style_of_key)) {
        if !styles.iter().any(|known| known.wire_index() == style.wire_index()) {
            styles.push(style);
        }
    }
    styles
}

fn print_style(
    table: &MotionTable,
    style: MotionCommand,
    assets: &Assets,
    out: &mut Out,
) -> anyhow::Result<()> {
    let key = u32::from(style.wire_index());
    out.line("")?;
    match table.style_defaults.get(style.0) {
        Some(substate) => out.line(format!("{style} (0x{:08X}), default {substate}", style.0))?,
        None => out.line(format!("{style} (0x{:08X}), no default substate", style.0))?,
    }
    print_motions("cycles", &of_style(&table.cycles, key), assets, out)?;
    print_motions("modifiers", &of_style(&table.modifiers, key), assets, out)?;
    print_motions("links", &links_of_style(table, key), assets, out)
}

type NamedMotion<'a> = (String, &'a MotionData);

fn of_style(list: &KeyedList<MotionData>, style: u32) -> Vec<NamedMotion<'_>> {
    let entries = list.iter().filter(|(key, _)| key >> 16 == style);
    entries.map(|(key, motion)| (format::motion_of_key(key), motion)).collect()
}

fn links_of_style(table: &MotionTable, style: u32) -> Vec<NamedMotion<'_>> {
    let mut links = Vec::new();
    for (key, inner) in table.links.iter().filter(|(key, _)| key >> 16 == style) {
        let from = if key as u16 == 0 { "any".into() } else { format::motion_of_key(key) };
        for (to, motion) in inner.iter() {
            links.push((format!("{from} → {}", MotionCommand(to)), motion));
        }
    }
    links
}

fn print_motions(
    what: &str,
    motions: &[NamedMotion<'_>],
    assets: &Assets,
    out: &mut Out,
) -> anyhow::Result<()> {
    if motions.is_empty() {
        return Ok(());
    }
    let mut table = Table::new(&[
        (what, Align::Left),
        ("animation", Align::Left),
        ("frames", Align::Right),
        ("per second", Align::Right),
        ("seconds", Align::Right),
        ("moves by (m)", Align::Left),
        ("", Align::Left),
    ]);
    for (name, motion) in motions {
        let remarks = format::motion_remarks(motion);
        if motion.anims.is_empty() {
            let [none, blank] = ["no animation", ""].map(String::from);
            table.row(vec![name.clone(), none, blank.clone(), blank.clone(), blank.clone(), blank, remarks]);
            continue;
        }
        for (index, anim) in motion.anims.iter().enumerate() {
            let name = if index == 0 { name.clone() } else { String::new() };
            let remarks = if index == 0 { remarks.clone() } else { String::new() };
            let mut row = vec![name];
            row.extend(anim_cells(anim, assets));
            row.push(remarks);
            table.row(row);
        }
    }
    table.print(out, "  ")
}

/// Returns the cells for the animation, its frames, frame rate, duration, and displacement of the body. The last two are
/// empty if the animation is not in the file.
fn anim_cells(anim: &AnimData, assets: &Assets) -> [String; 5] {
    let rate = format::number(anim.framerate);
    let Ok(animation) = assets.animation(anim.animation) else {
        let range = if anim.high < 0 {
            format!("{}–end", anim.low)
        } else {
            format!("{}–{}", anim.low, anim.high)
        };
        return [format!("{} (not in this file)", anim.animation), range, rate, String::new(), String::new()];
    };
    let frames = animation.frame_count();
    let Some((low, high)) = anim.range(frames) else {
        return [anim.animation.to_string(), "none".into(), rate, String::new(), String::new()];
    };
    let seconds = (high - low + 1) as f32 / anim.framerate.abs();
    let offset = format::root_motion(&animation, low, high).map(format::vector).unwrap_or_default();
    [anim.animation.to_string(), format!("{low}–{high}"), rate, fixed(seconds, 3), offset]
}
