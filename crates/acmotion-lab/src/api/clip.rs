//! What is played for a motion: its segments and hooks by the engine's query, and every tick by the engine itself.

use acmotion::dat::json::hook_payload;
use acmotion::dat::{DataId, HookEffect};
use acmotion::library::{ClipId, Library};
use acmotion::query::{MotionQuery, Segment, TimedHook, Timing, Undefined, begin, timing};
use acmotion::table::Table;
use acmotion::types::Frame;
use acmotion::{Sequence, move_by};
use serde_json::{Value, json};

use super::{Answer, ApiError, Words, word};
use crate::server::Shared;
use crate::values::{command, frame, parse_command};

/// Seconds from tick to tick.
const TICK: f32 = 1.0 / 30.0;
/// How many ticks are shown at most.
const MOST_TICKS: usize = 1200;
/// How often the cycle is shown.
const ROUNDS: f64 = 2.0;

pub(super) fn clip(shared: &Shared, words: &Words) -> Answer<Value> {
    let wanted = |name: &str| ApiError::bad(format!("`{name}` is missing"));
    let id = |text: &str| text.parse::<DataId>();
    let table = word(words, "table", id)?.ok_or_else(|| wanted("table"))?;
    let question = MotionQuery {
        style: word(words, "style", parse_command)?.ok_or_else(|| wanted("style"))?,
        motion: word(words, "motion", parse_command)?.ok_or_else(|| wanted("motion"))?,
        from: word(words, "from", parse_command)?,
        speed: word(words, "speed", speed)?.unwrap_or(1.0),
    };
    let setup = word(words, "setup", id)?.or_else(|| shared.shelf().setup_of(table));
    let (library, resolved) = shared.shelf().resolved(table)?;
    let timing = timing(&library, library.table(resolved), &question)?;
    let ticks = Stepped::new(&library, library.table(resolved), &timing)?;
    Ok(json!({
        "table": table.to_string(),
        "setup": setup.map(|setup| setup.to_string()),
        "style": command(question.style),
        "motion": command(question.motion),
        "from": command(timing.from),
        "speed": question.speed,
        "link_seconds": timing.link_seconds(),
        "cycle_seconds": timing.cycle_seconds(),
        "segments": segments(&timing),
        "hooks": timing.hooks.iter().map(hook).collect::<Vec<_>>(),
        "attacks": timing.attacks().map(|hit| json!({ "time": hit.time, "share": hit.share })).collect::<Vec<_>>(),
        "ticks": ticks.json(),
    }))
}

fn speed(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(speed) if speed.is_finite() => Ok(speed),
        _ => Err(format!("`{text}` is not a speed")),
    }
}

fn segments(timing: &Timing) -> Vec<Value> {
    let one = |part: &str, segment: &Segment| {
        json!({
            "part": part, "animation": segment.animation.to_string(), "low": segment.low, "high": segment.high,
            "framerate": segment.framerate, "start": segment.start, "seconds": segment.seconds,
        })
    };
    let link = timing.link.iter().map(|segment| one("link", segment));
    link.chain(timing.cycle.iter().map(|segment| one("cycle", segment))).collect()
}

fn hook(timed: &TimedHook) -> Value {
    let effect: &HookEffect = &timed.hook.effect;
    json!({
        "time": timed.time,
        "share": timed.share,
        "part": if timed.share.is_some() { "link" } else { "cycle" },
        "animation": timed.animation.to_string(),
        "frame": timed.frame,
        "kind": effect.name(),
        "type": effect.number(),
        "direction": timed.hook.direction.0,
        "payload": hook_payload(effect),
    })
}

/// The engine stepped through a motion, tick by tick.
#[derive(Default)]
struct Stepped {
    t: Vec<f64>,
    animation: Vec<String>,
    frame: Vec<f64>,
    next: Vec<String>,
    next_frame: Vec<usize>,
    between: Vec<f32>,
    place: Vec<[f32; 7]>,
}

impl Stepped {
    fn new(library: &Library, table: &Table, timing: &Timing) -> Result<Self, Undefined> {
        let (_, mut sequence) = begin(library, table, &timing.query)?;
        let seconds = timing.link_seconds() + timing.cycle_seconds().unwrap_or(0.0) * ROUNDS;
        let ticks = (seconds / f64::from(TICK)).ceil().clamp(1.0, MOST_TICKS as f64) as usize;
        let (mut steps, mut place) = (Self::default(), Frame::IDENTITY);
        steps.note(library, &sequence, 0.0, &place);
        for tick in 1..=ticks {
            let offset = sequence.advance(library, TICK, None);
            move_by(&mut place, &offset);
            steps.note(library, &sequence, tick as f64 * f64::from(TICK), &place);
        }
        Ok(steps)
    }

    fn note(&mut self, library: &Library, sequence: &Sequence, t: f64, place: &Frame) {
        let name = |clip: ClipId| library.clip(clip).animation().id().to_string();
        let shown = sequence.shown(library);
        let next = sequence.shown_next(library);
        let ((next, next_frame), between) = match (next, shown) {
            (Some(((clip, frame), between)), _) => ((name(clip), frame), between),
            (None, Some((clip, frame))) => ((name(clip), frame), 0.0),
            (None, None) => ((String::new(), 0), 0.0),
        };
        self.t.push(t);
        self.animation.push(shown.map(|(clip, _)| name(clip)).unwrap_or_default());
        self.frame.push(sequence.frame());
        self.next.push(next);
        self.next_frame.push(next_frame);
        self.between.push(between);
        self.place.push(frame(place));
    }

    fn json(&self) -> Value {
        json!({
            "t": self.t, "animation": self.animation, "frame": self.frame, "next": self.next,
            "next_frame": self.next_frame, "between": self.between, "place": self.place,
        })
    }
}
