//! Prints an animation: its frames, the motion of the body, and the hooks. Also prints the hooks of a physics script.

use acmotion_dat::{Animation, PhysicsScript, ScriptHook};

use super::format;
use crate::numbers::fixed;
use crate::output::{Align, Out, Table, counted};

pub(super) fn print(animation: &Animation, parts: bool, out: &mut Out) -> anyhow::Result<()> {
    let frames = animation.frame_count();
    out.line(format!("  {} of {}", counted(frames, "frame"), counted(animation.part_count(), "part")))?;
    match frames.checked_sub(1).and_then(|last| format::root_motion(animation, 0, last)) {
        Some(offset) => {
            out.line(format!("  position frames move the body by {} m in total", format::vector(offset)))?
        }
        None => out.line("  no position frames: it does not move the body")?,
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
            table.row(vec![frame.to_string(), hook.direction.name().into(), format::hook(hook)]);
        }
    }
    if any { table.print(out, "  ") } else { out.line("  no hooks") }
}

pub(super) fn print_script(script: &PhysicsScript, out: &mut Out) -> anyhow::Result<()> {
    let mut table =
        Table::new(&[("seconds", Align::Right), ("direction", Align::Left), ("hook", Align::Left)]);
    for ScriptHook { start, hook } in &script.hooks {
        table.row(vec![fixed(*start, 3), hook.direction.name().into(), format::hook(hook)]);
    }
    if script.hooks.is_empty() { out.line("  no hooks") } else { table.print(out, "  ") }
}

/// Prints the position frames, one line for each run of equal ones.
fn print_positions(animation: &Animation, out: &mut Out) -> anyhow::Result<()> {
    let mut table = Table::new(&[("frames", Align::Right), ("position frame", Align::Left)]);
    let positions = animation.position_frames();
    let mut first = 0;
    for run in positions.chunk_by(|a, b| a == b) {
        let last = first + run.len() - 1;
        let range = if first == last { first.to_string() } else { format!("{first}–{last}") };
        table.row(vec![range, format::frame(&run[0])]);
        first = last + 1;
    }
    table.print(out, "  ")
}

fn print_poses(animation: &Animation, out: &mut Out) -> anyhow::Result<()> {
    let mut table = Table::new(&[("frame", Align::Right), ("part", Align::Right), ("position", Align::Left)]);
    for frame in 0..animation.frame_count() {
        for (part, position) in animation.pose(frame).iter().enumerate() {
            table.row(vec![frame.to_string(), part.to_string(), format::frame(position)]);
        }
    }
    table.print(out, "  ")
}
