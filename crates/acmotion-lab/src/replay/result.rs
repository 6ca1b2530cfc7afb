//! Reads the output of `replay --json` or `simulate --json` back into a timeline.

use std::collections::{BTreeMap, HashMap};

use acmotion::dat::{Assets, DataId, ObjectKind, mannequin};
use acmotion::types::{CellId, CellPosition, Frame, Guid, MotionCommand, Quat, Vec3};
use serde::Deserialize;
use serde_json::Value;

use super::interest::STOPPED;
use super::{InterestWatch, LIMITS, Recording, StateFields, view};
use crate::protocol::api::RecordingKind;
use crate::protocol::{
    Constraint, EntityKind, EventDetail, EventRecord, Explanation, HexId, Interpolation, MotionSpeed,
};
use crate::record::{Body, BodyFlags, BodyKey, EntityInfo, Pose, Tick, Timeline, View, to_json};
use crate::values::{Origin, vector};

/// Ticks a second.
const RATE: f64 = 30.0;
/// The number of ticks after which an entity without a new line is gone.
const MAX_SILENT_TICKS: u32 = 15;
/// The maximum number of ticks: four hours. Later lines are not used.
const MAX_TICKS: u32 = 4 * 3600 * 30;
/// The maximum number of views.
const MAX_VIEWS: usize = 200;
/// The maximum number of entities of which a file names the view that is the truth.
const MAX_TRUTHS: usize = 100_000;
/// The maximum length of a line, in bytes. Longer lines count as unreadable.
const MAX_LINE_BYTES: usize = 4 << 20;

/// The state of an entity after a tick. Lines of other implementations may lack whatever is optional.
#[derive(Deserialize)]
struct StateLine {
    cell: HexId,
    origin: [f32; 3],
    rotation: Option<[f32; 4]>,
    heading: Option<f32>,
    velocity: Option<[f32; 3]>,
    shown_velocity: Option<[f32; 3]>,
    #[serde(default)]
    contact: bool,
    #[serde(default)]
    on_walkable: bool,
    style: Option<HexId>,
    substate: Option<HexId>,
    substate_speed: Option<f32>,
    #[serde(default)]
    modifiers: Vec<(HexId, f32)>,
    actions: Option<Vec<(HexId, f32)>>,
    animation: Option<HexId>,
    frame: Option<f64>,
    interpolation: Option<InterpolationLine>,
    constraint: Option<ConstraintLine>,
}

#[derive(Deserialize)]
struct InterpolationLine {
    nodes: u16,
    fails: u32,
}

#[derive(Deserialize)]
struct ConstraintLine {
    offset: f32,
}

/// The entity that a line is about, and the client whose view it is.
#[derive(Deserialize)]
struct Subject {
    guid: HexId,
    view: Option<String>,
}

/// Iterates over the lines of a file that are not empty.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty())
}

/// Returns the content of a line, or `None` if it is not JSON or too long.
fn parse<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Option<T> {
    if line.len() > MAX_LINE_BYTES { None } else { serde_json::from_slice(line).ok() }
}

/// Returns `true` if the first line of a file is a state or an event.
pub(super) fn is_result(bytes: &[u8]) -> bool {
    let value = lines(bytes).next().and_then(parse::<Value>);
    value.is_some_and(|value| {
        let has = |name: &str| value.get(name).is_some();
        has("t") && (has("event") || (has("guid") && has("origin") && has("cell")))
    })
}

pub(super) fn open(
    assets: &Assets,
    name: &str,
    bytes: &[u8],
    watch: &InterestWatch,
) -> Result<Recording, String> {
    // Decoded lines take many times the memory of the file, so that only one is kept at a time.
    let views = Views::of(lines(bytes));
    let mut reader = Reader::new(assets, &views);
    let (mut unreadable, mut skipped) = (0u64, 0u64);
    for line in lines(bytes) {
        if watch.is_lost() {
            return Err(String::from(STOPPED));
        }
        match parse::<Value>(line) {
            Some(line) => skipped += u64::from(!reader.add_line(&line)),
            None => unreadable += 1,
        }
    }
    reader.finish();
    if reader.timeline.entities.len() == 0 {
        return Err(String::from(
            "no line of the file has the position of an entity: `t`, `guid`, `cell` and `origin` are expected",
        ));
    }
    reader.timeline.has_ended = true;
    let fields = reader.fields;
    let mut recording = Recording { fields, ..Recording::new(name, RecordingKind::Result, reader.timeline) };
    if !views.names.is_empty() {
        recording.views = vec![view(0, "truth", "Every entity where it really is.")];
        let others = views.names.iter().zip(1..);
        recording
            .views
            .extend(others.map(|(name, number)| view(number, name, format!("What {name} shows."))));
    }
    for (count, description) in
        [(unreadable, "lines that are not JSON"), (skipped, "lines that could not be used")]
    {
        if count > 0 {
            recording.notes.push(format!("{description}: {count}"));
        }
    }
    Ok(recording)
}

/// The views of a file, and which of them is the truth about each entity.
struct Views {
    names: Vec<String>,
    truths: HashMap<HexId, String>,
}

/// A line as far as views are concerned.
#[derive(Default, Deserialize)]
struct ViewLine {
    view: Option<String>,
    guid: Option<HexId>,
    truth: Option<String>,
}

impl Views {
    fn of<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut truths = HashMap::new();
        for line in lines {
            let ViewLine { view, guid, truth } = parse::<ViewLine>(line).unwrap_or_default();
            if let Some(view) = view
                && names.len() < MAX_VIEWS
                && !names.contains(&view)
            {
                names.push(view);
            }
            if let (Some(guid), Some(truth)) = (guid, truth)
                && truths.len() < MAX_TRUTHS
            {
                truths.insert(guid, truth);
            }
        }
        Self { names, truths }
    }

    /// Returns the number of the view that a line belongs to, or `None` if there are too many views.
    fn number(&self, subject: &Subject) -> Option<View> {
        let Some(name) = &subject.view else { return Some(0) };
        if self.truths.get(&subject.guid) == Some(name) {
            return Some(0);
        }
        let index = self.names.iter().position(|own| own == name)?;
        View::try_from(index + 1).ok()
    }
}

/// Turns lines into ticks.
struct Reader<'a> {
    assets: &'a Assets,
    views: &'a Views,
    timeline: Timeline,
    /// The time of the first line.
    start: Option<f64>,
    /// The number of the current tick.
    number: u32,
    entities: BTreeMap<BodyKey, LastState>,
    events: Vec<EventRecord>,
    /// The setup of each animation.
    setups: HashMap<DataId, DataId>,
    /// What the lines have of a tick.
    fields: StateFields,
}

/// The last state of an entity.
struct LastState {
    tick: u32,
    body: Body,
    explanation: Box<str>,
}

impl StateLine {
    /// Returns the position, turned as the rotation or else the heading says; to the north without either.
    fn position(&self) -> CellPosition {
        let [x, y, z] = self.origin;
        let mut frame = Frame::from_origin(Vec3::new(x, y, z));
        match (self.rotation, self.heading) {
            (Some([w, x, y, z]), _) => frame.rotation = Quat::new(w, x, y, z),
            (None, Some(heading)) => frame.set_heading(heading),
            (None, None) => {}
        }
        CellPosition::new(CellId(self.cell.0), frame)
    }

    /// Returns which fields of a tick the line has.
    fn fields(&self) -> StateFields {
        let mut fields = StateFields::empty();
        fields.set(StateFields::ROTATION, self.rotation.is_some() || self.heading.is_some());
        fields.set(StateFields::STYLE, self.style.is_some());
        fields.set(StateFields::SUBSTATE, self.substate.is_some());
        fields.set(StateFields::ACTION, self.actions.is_some());
        fields
    }
}

impl<'a> Reader<'a> {
    fn new(assets: &'a Assets, views: &'a Views) -> Self {
        Self {
            assets,
            views,
            timeline: Timeline::new(LIMITS),
            start: None,
            number: 0,
            entities: BTreeMap::new(),
            events: Vec::new(),
            setups: HashMap::new(),
            fields: StateFields::empty(),
        }
    }

    /// Adds a line. Returns `false` if it could not be used.
    fn add_line(&mut self, line: &Value) -> bool {
        let Some(t) = line.get("t").and_then(Value::as_f64).filter(|t| t.is_finite()) else { return false };
        let start = *self.start.get_or_insert(t);
        self.timeline.clock_start = start;
        let t = t - start;
        let number = (t * RATE).round();
        if !(0.0..f64::from(MAX_TICKS)).contains(&number) {
            return false;
        }
        while self.number < number as u32 {
            self.finish_tick();
        }
        let Some(key) = self.key(line) else { return false };
        if line.get("event").is_some() {
            let Ok(detail) = EventDetail::deserialize(line) else { return false };
            let (tick, guid) = (self.number, key.guid.into());
            self.events.push(EventRecord { t, tick, view: key.view, guid, message: None, detail });
        } else {
            let Ok(state) = StateLine::deserialize(line) else { return false };
            self.add_state(key, &state);
        }
        true
    }

    fn finish(&mut self) {
        if !self.entities.is_empty() {
            self.finish_tick();
        }
    }

    fn key(&self, line: &Value) -> Option<BodyKey> {
        let subject = Subject::deserialize(line).ok()?;
        Some(BodyKey { guid: subject.guid.guid(), view: self.views.number(&subject)? })
    }

    fn add_state(&mut self, key: BodyKey, state: &StateLine) {
        let position = state.position();
        self.fields |= state.fields();
        if self.entities.is_empty() && self.timeline.len() == 0 {
            self.timeline.origin = Origin::of(position.cell);
        }
        let scene_position = self.timeline.origin.scene_position(&position);
        let previous = self.entities.get(&key).map(|last| last.body.position);
        let mut flags = BodyFlags::SHOWN;
        flags.set(BodyFlags::CONTACT, state.contact);
        flags.set(BodyFlags::WALKABLE, state.on_walkable);
        let is_discontinuous = previous.is_none()
            || self.events.iter().any(|event| event.key() == key && event.detail.is_discontinuous());
        flags.set(BodyFlags::DISCONTINUOUS, is_discontinuous);
        let animation = state.animation.map(|id| DataId(id.0));
        let frame = state.frame.unwrap_or(0.0);
        let (pose, next, blend) = self.poses(animation, frame);
        let body = Body {
            key,
            setup: self.setup_for(animation),
            flags,
            substate: state.substate.map_or(0, |command| command.0 as u16),
            style: state.style.map_or(0, |command| command.0 as u16),
            modifier: state.modifiers.first().map_or(0, |(command, _)| command.0 as u16),
            action: state.actions.iter().flatten().next().map_or(0, |(command, _)| command.0 as u16),
            position: scene_position,
            rotation: position.frame.rotation,
            speed: previous.map_or(0.0, |previous| (scene_position - previous).length() * RATE as f32),
            frame: frame as f32,
            pose,
            next,
            blend,
            nodes: state.interpolation.as_ref().map_or(0, |interpolation| interpolation.nodes),
            ..Body::default()
        };
        if !self.timeline.knows(key) {
            let info = EntityInfo {
                name: String::new(),
                kind: EntityKind::Object,
                setup: body.setup,
                table: DataId(0),
                stand_in: false,
                parent: Guid(0),
            };
            self.timeline.entities.update(key, &info);
        }
        let explanation = to_json(&explanation(state, &position, scene_position)).into();
        self.entities.insert(key, LastState { tick: self.number, body, explanation });
    }

    /// Returns the first setup with as many parts as an animation poses; the human's if there is none.
    fn setup_for(&mut self, animation: Option<DataId>) -> DataId {
        let Some(id) = animation else { return mannequin::HUMAN_SETUP };
        if let Some(known) = self.setups.get(&id) {
            return *known;
        }
        let parts = self.assets.animation(id).map_or(0, |animation| animation.part_count());
        let dat = self.assets.dat();
        let mut setups =
            dat.entries().filter_map(Result::ok).filter(|entry| dat.kind_of(entry.id) == ObjectKind::Setup);
        let fits = |id: DataId| self.assets.setup(id).is_ok_and(|setup| setup.parts.len() == parts);
        let found = setups.find(|entry| fits(entry.id)).map_or(mannequin::HUMAN_SETUP, |entry| entry.id);
        self.setups.insert(id, found);
        found
    }

    /// Returns the pose that is shown, the one that follows, and how far the frame is between them.
    fn poses(&self, animation: Option<DataId>, frame: f64) -> (Pose, Pose, f32) {
        let Some(source) = animation else { return Default::default() };
        let count = self.assets.animation(source).map_or(0, |animation| animation.frame_count());
        let index = (frame.floor().max(0.0) as usize).min(count.saturating_sub(1));
        let next = (index + 1).min(count.saturating_sub(1));
        let pose = |frame: usize| Pose { source, frame: frame as u16 };
        (pose(index), pose(next), (frame - frame.floor()) as f32)
    }

    fn finish_tick(&mut self) {
        let number = self.number;
        self.entities.retain(|_, last| number.saturating_sub(last.tick) < MAX_SILENT_TICKS);
        let truths: HashMap<Guid, Vec3> = self
            .entities
            .iter()
            .filter(|(key, _)| key.view == 0)
            .map(|(key, last)| (key.guid, last.body.position))
            .collect();
        let error = |body: &Body| match truths.get(&body.key.guid) {
            Some(truth) if body.key.view != 0 => (body.position - *truth).length(),
            _ => f32::NAN,
        };
        let bodies =
            self.entities.values().map(|last| Body { error: error(&last.body), ..last.body }).collect();
        let explanations = self.entities.iter().map(|(key, last)| (*key, last.explanation.clone())).collect();
        let t = f64::from(number) / RATE;
        let events = std::mem::take(&mut self.events).into();
        self.timeline.push(Tick { number, t, charge: -1.0, bodies, events, explanations, messages_end: 0 });
        self.number += 1;
    }
}

/// Explains a state as far as its line goes.
fn explanation(state: &StateLine, position: &CellPosition, in_scene: Vec3) -> Explanation {
    let command = |id: &HexId| MotionCommand(id.0).into();
    let motions = |list: &[(HexId, f32)]| {
        list.iter().map(|(id, speed)| MotionSpeed { motion: command(id), speed: *speed }).collect()
    };
    let interpolation = state.interpolation.as_ref().map(|interpolation| Interpolation {
        nodes: Vec::new(),
        fails: interpolation.fails,
        keeps_heading: false,
    });
    let constraint = |line: &ConstraintLine| Constraint { offset: line.offset, start: None, max: None };
    Explanation {
        cell: state.cell,
        origin: state.origin,
        position: vector(in_scene),
        heading: state.heading,
        rotation: position.frame.rotation.into(),
        velocity: state.velocity,
        shown_velocity: state.shown_velocity,
        omega: None,
        contact: state.contact,
        on_walkable: state.on_walkable,
        style: state.style.as_ref().map(command),
        substate: state.substate.as_ref().map(command),
        substate_speed: state.substate_speed,
        modifiers: motions(&state.modifiers),
        actions: motions(state.actions.as_deref().unwrap_or_default()),
        raw: None,
        interpreted: None,
        pending: Vec::new(),
        animation: state.animation,
        frame: state.frame,
        queue: Vec::new(),
        stamps: None,
        interpolation,
        sticky: None,
        constraint: state.constraint.as_ref().map(constraint),
        move_to: None,
        scale: None,
        physics: None,
        holder: None,
        setup: None,
        table: None,
        scripts: Vec::new(),
        messages: Vec::new(),
        step: None,
        spheres: Vec::new(),
        ground: None,
        report: None,
        error: None,
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use acmotion::dat::Assets;

    use super::super::{Interest, Recording, StateFields};
    use super::{
        Frame, MAX_LINE_BYTES, MAX_TICKS, MAX_TRUTHS, MAX_VIEWS, Quat, RATE, Vec3, Views, lines, open,
    };
    use crate::record::read;

    /// Returns the line of a state. `rest` is appended to it.
    fn state(t: f64, rest: &str) -> String {
        format!(
            r#"{{"t":{t},"guid":"0x50000001","cell":"0xA9B40019","origin":[1,2,3],"rotation":[1,0,0,0]{rest}}}"#
        ) + "\n"
    }

    fn open_text(text: &str) -> Recording {
        open(&Assets::mannequin(), "test", text.as_bytes(), &Interest::default().watch()).unwrap()
    }

    #[test]
    fn lines_after_four_hours_are_not_used() {
        let end = f64::from(MAX_TICKS) / RATE;
        let text =
            state(100.0, "") + &state(100.0 + end - 1.0, "") + &state(100.0 + end, "") + &state(1e300, "");
        let recording = open_text(&text);
        assert_eq!(recording.notes, ["lines that could not be used: 2"]);
        let timeline = read(&recording.timeline);
        assert_eq!(timeline.last().map(|tick| tick.number), Some(MAX_TICKS - RATE as u32));
    }

    /// What the documented form requires is enough; what no line has is not compared.
    #[test]
    fn the_required_fields_are_enough() {
        let line = |t: f64, rest: &str| {
            format!(r#"{{"t":{t},"guid":"0x50000001","cell":"0xA9B40019","origin":[1,2,3]{rest}}}"#) + "\n"
        };
        let recording = open_text(&line(1.0, ""));
        assert_eq!((recording.notes.len(), recording.fields), (0, StateFields::empty()));
        let body = |recording: &Recording| read(&recording.timeline).first().unwrap().bodies[0];
        assert_eq!(body(&recording).rotation, Quat::IDENTITY);
        let recording = open_text(&line(1.0, r#","heading":90.0,"substate":"0x44000007""#));
        assert_eq!(recording.fields, StateFields::ROTATION | StateFields::SUBSTATE);
        let facing = Frame::new(Vec3::ZERO, body(&recording).rotation);
        assert!((facing.heading() - 90.0).abs() < 1e-3);
        let nothing = r#"{"t":1,"guid":"0x50000001","cell":"0xA9B40019"}"#;
        let refused = open(&Assets::mannequin(), "test", nothing.as_bytes(), &Interest::default().watch());
        assert!(refused.is_err_and(|error| error.contains("`origin`")));
    }

    #[test]
    fn the_views_of_a_result_are_limited() {
        let text: String =
            (0..MAX_VIEWS + 3).map(|view| state(0.0, &format!(r#","view":"{view}""#))).collect();
        let recording = open_text(&text);
        assert_eq!(recording.views.len(), 1 + MAX_VIEWS, "the truth and the others");
        assert_eq!(recording.notes, ["lines that could not be used: 3"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_not_used() {
        let long = |length: usize| state(0.0, &format!(r#","view":"{}""#, "v".repeat(length)));
        let rest = long(0).trim_end().len();
        let recording = open_text(&(state(0.0, "") + &long(MAX_LINE_BYTES - rest)));
        assert!(recording.notes.is_empty(), "{:?}", recording.notes);
        let recording = open_text(&(state(0.0, "") + &long(MAX_LINE_BYTES - rest + 1)));
        assert_eq!(recording.notes, ["lines that are not JSON: 1"]);
    }

    #[test]
    fn the_truths_of_a_result_are_limited() {
        let mut text = String::new();
        for entity in 0..MAX_TRUTHS + 10 {
            let _ = writeln!(text, r#"{{"guid":"{entity:#x}","truth":"A"}}"#);
        }
        assert_eq!(Views::of(lines(text.as_bytes())).truths.len(), MAX_TRUTHS);
    }
}
