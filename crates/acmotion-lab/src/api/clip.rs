//! `/api/clip`: what plays for a motion. Segments and hooks come from the engine's query; the ticks come from the engine
//! itself.

use acmotion::dat::json::hook_payload;
use acmotion::dat::{DataId, HookEffect};
use acmotion::query::{self, MotionQuery, TimedHook, Timing, Undefined};
use acmotion::types::Frame;
use acmotion::{ClipId, Library, Sequence, Table, move_by};

use super::{ApiResult, Parameters, dat_file, parameter, required};
use crate::files::DatFile;
use crate::protocol::HexId;
use crate::protocol::api::{Clip, ClipAttack, ClipHook, ClipPart, ClipTicks, Segment};
use crate::shared::Shared;
use crate::values::{frame_row, parse_command};

/// The length of a tick in seconds.
const TICK: f32 = 1.0 / 30.0;
/// The maximum number of ticks in a clip.
const MAX_TICKS: usize = 1200;
/// How many times the cycle is played.
const ROUNDS: f64 = 2.0;

pub(super) fn clip(shared: &Shared, parameters: &Parameters) -> ApiResult<Clip> {
    let dat = dat_file(shared, parameters)?;
    let Asked { table, setup, query } = Asked::parse(&dat, parameters)?;
    let (library, resolved) = dat.tables().resolved(table)?;
    let timing = query::timing(&library, library.table(resolved), &query)?;
    let ticks = ticks(&library, library.table(resolved), &timing)?;
    let attack = |hit: &TimedHook| ClipAttack { time: hit.time, link_fraction: hit.share };
    Ok(Clip {
        table: table.into(),
        setup: setup.map(Into::into),
        style: query.style.into(),
        motion: query.motion.into(),
        from: timing.from.into(),
        speed: query.speed,
        link_seconds: timing.link_seconds(),
        cycle_seconds: timing.cycle_seconds(),
        segments: segments(&timing),
        hooks: timing.hooks.iter().map(hook).collect(),
        attacks: timing.attacks().map(attack).collect(),
        ticks,
    })
}

/// A motion of a table that a request asks for, and the setup that plays it.
pub(super) struct Asked {
    pub(super) table: DataId,
    /// The setup; `None` if no setup of the dat file fits the table.
    pub(super) setup: Option<DataId>,
    pub(super) query: MotionQuery,
}

impl Asked {
    pub(super) fn parse(dat: &DatFile, parameters: &Parameters) -> ApiResult<Self> {
        let id = |text: &str| text.parse::<DataId>();
        let table = required(parameters, "table", id)?;
        let query = MotionQuery {
            style: required(parameters, "style", parse_command)?,
            motion: required(parameters, "motion", parse_command)?,
            from: parameter(parameters, "from", parse_command)?,
            speed: parameter(parameters, "speed", parse_speed)?.unwrap_or(1.0),
        };
        let setup = parameter(parameters, "setup", id)?.or_else(|| dat.tables().setup_of(table));
        Ok(Self { table, setup, query })
    }
}

fn parse_speed(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(speed) if speed.is_finite() => Ok(speed),
        _ => Err(format!("`{text}` is not a speed: a finite number is expected")),
    }
}

fn segments(timing: &Timing) -> Vec<Segment> {
    let segment = |part: ClipPart, segment: &query::Segment| Segment {
        part,
        animation: segment.animation.into(),
        low: segment.low,
        high: segment.high,
        framerate: segment.framerate,
        start: segment.start,
        seconds: segment.seconds,
    };
    let link = timing.link.iter().map(|one| segment(ClipPart::Link, one));
    link.chain(timing.cycle.iter().map(|one| segment(ClipPart::Cycle, one))).collect()
}

fn hook(timed: &TimedHook) -> ClipHook {
    let effect: &HookEffect = &timed.hook.effect;
    ClipHook {
        time: timed.time,
        link_fraction: timed.share,
        part: if timed.share.is_some() { ClipPart::Link } else { ClipPart::Cycle },
        animation: timed.animation.into(),
        frame: timed.frame,
        kind: effect.name(),
        number: effect.number(),
        direction: timed.hook.direction.0,
        payload: hook_payload(effect),
    }
}

/// Steps the engine through a motion, tick by tick.
fn ticks(library: &Library, table: &Table, timing: &Timing) -> Result<ClipTicks, Undefined> {
    let (_, mut sequence) = query::begin(library, table, &timing.query)?;
    let seconds = timing.link_seconds() + timing.cycle_seconds().unwrap_or(0.0) * ROUNDS;
    let count = (seconds / f64::from(TICK)).ceil().clamp(1.0, MAX_TICKS as f64) as usize;
    let (mut ticks, mut body) = (ClipTicks::default(), Frame::IDENTITY);
    push_tick(&mut ticks, library, &sequence, 0.0, &body);
    for tick in 1..=count {
        let offset = sequence.advance(library, TICK, None);
        move_by(&mut body, &offset);
        push_tick(&mut ticks, library, &sequence, tick as f64 * f64::from(TICK), &body);
    }
    Ok(ticks)
}

fn push_tick(ticks: &mut ClipTicks, library: &Library, sequence: &Sequence, t: f64, body: &Frame) {
    let id = |clip: ClipId| HexId::from(library.clip(clip).animation().id());
    let shown = sequence.shown(library);
    let (next, blend) = match sequence.shown_next(library) {
        Some((next, blend)) => (Some(next), blend),
        None => (shown, 0.0),
    };
    ticks.t.push(t);
    ticks.animation.push(shown.map(|(clip, _)| id(clip)));
    ticks.frame.push(sequence.frame());
    ticks.next.push(next.map(|(clip, _)| id(clip)));
    ticks.next_frame.push(next.map_or(0, |(_, frame)| frame));
    ticks.blend.push(blend);
    ticks.body.push(frame_row(body));
}
