//! An animation for people: its frames, what carries the body, what fires when.

use acmotion_dat::Animation;

use super::words;
use crate::output::{Align, Out, Table};

pub(super) fn print(animation: &Animation, parts: bool, out: &mut Out) -> anyhow::Result<()> {
    let frames = animation.frame_count();
    out.line(format!("  {frames} frames of {} parts", animation.part_count()))?;
    match frames.checked_sub(1).and_then(|last| words::root_motion(animation, 0, last)) {
        Some(carried) => {
            out.line(format!("  position frames carry the body {} m in all", words::vector(carried)))?
        }
        None => out.line("  no position frames: it does not carry the body")?,
    }
    print_hooks(animation, out)?;
    if !animation.position_frames().is_empty() {
        print_positions(animation, out)?;
    }
    if parts {
        print_poses(animation, out)?;
    }
    Ok(())
}

fn print_hooks(animation: &Animation, out: &mut Out) -> anyhow::Result<()> {
    let mut table = Table::new(&[("frame", Align::Right), ("direction", Align::Left), ("hook", Align::Left)]);
    let mut any = false;
    for frame in 0..animation.frame_count() {
        for hook in animation.hooks(frame) {
            any = true;
            table.row(vec![frame.to_string(), hook.direction.name().into(), words::hook(hook)]);
        }
    }
    if any { table.print(out, "  ") } else { out.line("  no hooks") }
}

/// The position frames, runs of equal ones on one line.
fn print_positions(animation: &Animation, out: &mut Out) -> anyhow::Result<()> {
    let mut table = Table::new(&[("frames", Align::Right), ("position frame", Align::Left)]);
    let positions = animation.position_frames();
    let mut first = 0;
    for run in positions.chunk_by(|a, b| a == b) {
        let last = first + run.len() - 1;
        let range = if first == last { first.to_string() } else { format!("{first}–{last}") };
        table.row(vec![range, words::frame(&run[0])]);
        first = last + 1;
    }
    table.print(out, "  ")
}

fn print_poses(animation: &Animation, out: &mut Out) -> anyhow::Result<()> {
    let mut table = Table::new(&[("frame", Align::Right), ("part", Align::Right), ("at", Align::Left)]);
    for frame in 0..animation.frame_count() {
        for (part, at) in animation.pose(frame).iter().enumerate() {
            table.row(vec![frame.to_string(), part.to_string(), words::frame(at)]);
        }
    }
    table.print(out, "  ")
}
