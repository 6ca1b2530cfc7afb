//! What a session does with the page's commands.

use acmotion::dat::DataId;
use acmotion::types::{Era, Guid, MotionCommand};
use serde_json::{Value, json};

use super::command::{Asked, Command, Filter};
use super::transport::Mode;
use super::{Session, Stage, read};
use crate::record::{Event, Key, Letter, Tick, View};
use crate::values::command;

/// How many points a series has at most.
const MOST_POINTS: usize = 4000;
/// How many lines a list has at most.
const MOST_LINES: usize = 2000;

/// Why a command is not done.
enum Unable {
    /// It makes no sense.
    Wrong(String),
    /// The engine does not want to.
    Refused(String),
}

fn wrong<T>(words: impl Into<String>) -> Result<T, Unable> {
    Err(Unable::Wrong(words.into()))
}

impl Session {
    /// The page says something.
    pub(super) fn command(&mut self, text: &str) {
        let Asked { n, name, command } = Asked::read(text);
        let done = match command {
            Ok(command) => self.obey(&command, &n),
            Err(words) => Err(Unable::Wrong(words)),
        };
        self.answered = n.clone();
        match done {
            Ok(()) => {}
            Err(Unable::Wrong(words)) => {
                self.outbox.text(json!({ "type": "error", "n": n, "do": name, "error": words }).to_string());
            }
            Err(Unable::Refused(why)) => {
                self.outbox.text(json!({ "type": "refused", "n": n, "do": name, "why": why }).to_string());
            }
        }
        self.tell_state();
    }

    fn obey(&mut self, command: &Command, n: &Value) -> Result<(), Unable> {
        match command {
            Command::Select { guid, view } => self.choose(guid.as_deref(), view.unwrap_or(0))?,
            Command::Pause { on } => self.hold(*on),
            Command::Step { ticks } => self.step(*ticks)?,
            Command::Speed { factor } => {
                self.transport.set_speed(within("factor", *factor, 0.05, 8.0)?);
            }
            Command::Play { rate } => self.play(within("rate", *rate, -8.0, 8.0)?),
            Command::Seek { t, tick } => self.seek(*t, *tick)?,
            Command::Live => self.end(),
            Command::Next { what, back, guid, view } => {
                self.next(what, back.unwrap_or(false), guid.as_deref(), *view)?;
            }
            Command::Filter(filter) => self.filter = filter.clone(),
            Command::Series { guid, view, from, to } => {
                let key = Key { guid: parse_guid(guid)?, view: *view };
                let series = self.series(key, *from, *to, n);
                self.outbox.text(series.to_string());
            }
            Command::Events { from, to, limit } => self.list_events(*from, *to, *limit, n),
            Command::Messages { from, to, limit } => self.list_mail(*from, *to, *limit, n),
            Command::Message { number } => self.message(*number, n)?,
            other => self.steer(other)?,
        }
        Ok(())
    }

    /// What is for the engine.
    fn steer(&mut self, command: &Command) -> Result<(), Unable> {
        let Stage::Walk(walk) = &mut self.stage else {
            return wrong("a recording cannot be steered");
        };
        let starts_anew = matches!(command, Command::Reset | Command::Crowd { .. });
        walk.obey(command).map_err(Unable::Refused)?;
        if starts_anew {
            self.roster = 0;
            self.shown = None;
            self.is_leap = true;
            self.go_live();
        }
        Ok(())
    }

    fn choose(&mut self, guid: Option<&str>, view: View) -> Result<(), Unable> {
        let key = match guid {
            Some(guid) => Some(Key { guid: parse_guid(guid)?, view }),
            None => None,
        };
        if let Some(key) = key.filter(|key| !read(&self.tape).knows(*key)) {
            return wrong(format!("nobody has the id {} in view {}", key.guid, key.view));
        }
        self.select(key);
        Ok(())
    }

    fn hold(&mut self, on: bool) {
        match (on, self.transport.mode()) {
            (true, Mode::Live | Mode::Recorded) => self.stand(),
            (false, Mode::Paused) => {
                let is_at_end = read(&self.tape).last().map(|tick| tick.number) == self.shown;
                if is_at_end && self.can_go_on() { self.go_live() } else { self.play(self.transport.speed()) }
            }
            _ => {}
        }
    }

    /// Stands still at what is shown; it is shown again, so that the page knows.
    fn stand(&mut self) {
        self.pause();
        let tick = self.shown.and_then(|number| read(&self.tape).at_number(number).cloned());
        if let Some(tick) = tick {
            self.show_here(&tick);
        }
    }

    /// Shows a tick from nowhere.
    fn show_here(&mut self, tick: &Tick) {
        self.is_leap = self.shown != Some(tick.number);
        self.show(Some(tick));
    }

    fn step(&mut self, ticks: i64) -> Result<(), Unable> {
        if !(-600..=600).contains(&ticks) {
            return wrong("ticks: from −600 to 600");
        }
        self.pause();
        let here = self.shown.unwrap_or(0);
        let found = read(&self.tape).beside(here, ticks).map(|(tick, missing)| (tick.clone(), missing));
        let Some((tick, missing)) = found else { return Ok(()) };
        match &mut self.stage {
            Stage::Walk(walk) if missing > 0 => {
                (0..missing).for_each(|_| walk.advance());
                self.show_last();
                self.tell_refusals();
            }
            // A single step forward is shown as movement, any other as a leap.
            _ if ticks == 1 => self.show(Some(&tick)),
            _ => self.show_here(&tick),
        }
        Ok(())
    }

    fn play(&mut self, rate: f64) {
        if rate == 0.0 {
            return self.stand();
        }
        let (here, is_at_end) = {
            let tape = read(&self.tape);
            let here = self.shown.and_then(|number| tape.at_number(number)).or_else(|| tape.first());
            let is_at_end = here.map(|tick| tick.number) == tape.last().map(|tick| tick.number);
            (here.map_or(0.0, |tick| tick.t), is_at_end)
        };
        if rate > 0.0 && is_at_end && self.can_go_on() {
            self.go_live();
        } else if rate > 0.0 && is_at_end {
            // From the beginning again.
            let first = read(&self.tape).first().cloned();
            self.transport.play(first.as_ref().map_or(0.0, |tick| tick.t), rate);
            if let Some(first) = first {
                self.show_here(&first);
            }
        } else {
            self.transport.play(here, rate);
            self.is_leap |= rate < 0.0;
        }
    }

    fn seek(&mut self, t: Option<f64>, tick: Option<u32>) -> Result<(), Unable> {
        let found = match (t, tick) {
            (_, Some(number)) => read(&self.tape).at_number(number).cloned(),
            (Some(t), None) => read(&self.tape).at_time(t).cloned(),
            (None, None) => return wrong("seek needs `t` or `tick`"),
        };
        self.pause();
        if let Some(tick) = found {
            self.show_here(&tick);
        }
        Ok(())
    }

    /// To the end, and on if there can be more.
    fn end(&mut self) {
        self.is_leap = true;
        if self.can_go_on() {
            self.go_live();
        } else {
            self.pause();
            self.show_last();
        }
    }

    fn next(&mut self, what: &str, back: bool, guid: Option<&str>, view: Option<View>) -> Result<(), Unable> {
        let guid = guid.map(parse_guid).transpose()?;
        let mine =
            |key: Key| guid.is_none_or(|guid| guid == key.guid) && view.is_none_or(|view| view == key.view);
        let found = {
            let tape = read(&self.tape);
            let here = self.shown.unwrap_or(0);
            let mut ticks = tape.onward(here, back);
            let found = match what {
                "message" => ticks.find(|tick| {
                    tape.letters_of(tick)
                        .any(|(_, letter)| guid.is_none_or(|guid| letter.head().guid == Some(guid)))
                }),
                name => {
                    ticks.find(|tick| tick.events.iter().any(|event| event.name == name && mine(event.key)))
                }
            };
            found.cloned()
        };
        let Some(tick) = found else {
            let where_to = if back { "before" } else { "after" };
            return Err(Unable::Refused(format!("there is no {what} {where_to} this")));
        };
        self.pause();
        self.show_here(&tick);
        Ok(())
    }

    fn series(&self, key: Key, from: f64, to: f64, n: &Value) -> Value {
        let tape = read(&self.tape);
        let points: Vec<_> =
            tape.between(from, to).filter_map(|tick| tick.body(key).map(|body| (tick.t, body))).collect();
        let apart = points.len().div_ceil(MOST_POINTS).max(1);
        let mut states: Vec<(f64, f64, u16)> = Vec::new();
        for (t, body) in &points {
            match states.last_mut() {
                Some((_, until, substate)) if *substate == body.substate => *until = *t,
                Some((_, until, _)) => {
                    *until = *t;
                    states.push((*t, *t, body.substate));
                }
                None => states.push((*t, *t, body.substate)),
            }
        }
        let few: Vec<_> = points.iter().step_by(apart).collect();
        let column =
            |of: fn(&crate::record::Body) -> Value| few.iter().map(|(_, body)| of(body)).collect::<Vec<_>>();
        let number = |value: f32| if value.is_finite() { json!(value) } else { Value::Null };
        let error: Vec<Value> = few.iter().map(|(_, body)| number(body.error)).collect();
        json!({
            "type": "series", "n": n, "guid": key.guid.to_string(), "view": key.view, "from": from, "to": to,
            "t": few.iter().map(|(t, _)| t).collect::<Vec<_>>(),
            "speed": column(|body| json!(body.speed)),
            "error": error,
            "frame": column(|body| json!(body.frame)),
            "animation": column(|body| json!(body.pose.0.to_string())),
            "substate": states.iter().map(|(from, until, index)| json!([from, until, substate(*index)])).collect::<Vec<_>>(),
        })
    }

    fn list_events(&self, from: f64, to: f64, limit: Option<usize>, n: &Value) {
        let limit = limit.unwrap_or(MOST_LINES).min(MOST_LINES);
        let tape = read(&self.tape);
        let events = tape.between(from, to).flat_map(|tick| tick.events.iter());
        let mut lines = events.filter(|event| self.filter.takes_event(event)).map(|event| &*event.text);
        let list: Vec<&str> = lines.by_ref().take(limit).collect();
        let more = lines.count();
        self.outbox.text(format!(r#"{{"type":"log","n":{n},"list":[{}],"more":{more}}}"#, list.join(",")));
    }

    fn list_mail(&self, from: f64, to: f64, limit: Option<usize>, n: &Value) {
        let limit = limit.unwrap_or(MOST_LINES).min(MOST_LINES);
        let tape = read(&self.tape);
        let mut letters = tape.mail.between(from, to).filter_map(|(number, letter)| {
            let head = letter.head();
            self.filter.takes_letter(&head).then(|| letter.line(number, &head))
        });
        let list: Vec<Value> = letters.by_ref().take(limit).collect();
        let lost = letters.count();
        self.outbox.text(json!({ "type": "mail", "n": n, "lost": lost, "list": list }).to_string());
    }

    fn message(&self, number: u64, n: &Value) -> Result<(), Unable> {
        let decoded = read(&self.tape).mail.get(number).and_then(Letter::decoded);
        let Some(text) = decoded else {
            return wrong(format!("message {number} is not kept"));
        };
        let summary = match text["guid"].as_str() {
            Some(guid) => format!("{} {guid}", text["name"].as_str().unwrap_or_default()),
            None => String::from(text["name"].as_str().unwrap_or_default()),
        };
        let answer = json!({ "type": "message", "n": n, "number": number, "text": text, "summary": summary });
        self.outbox.text(answer.to_string());
        Ok(())
    }
}

impl Filter {
    pub(super) fn takes_event(&self, event: &Event) -> bool {
        let kind = self.kinds.as_ref().is_none_or(|kinds| kinds.iter().any(|kind| kind == event.name));
        kind && self.takes_guid(Some(event.key.guid))
    }

    pub(super) fn takes_letter(&self, head: &crate::record::Head) -> bool {
        let named = |wanted: &String| {
            wanted.eq_ignore_ascii_case(head.name)
                || wanted.parse::<DataId>().is_ok_and(|opcode| opcode.0 == head.opcode)
        };
        let is_named = self.opcodes.as_ref().is_none_or(|opcodes| opcodes.iter().any(named));
        is_named && self.takes_guid(head.guid)
    }

    fn takes_guid(&self, guid: Option<Guid>) -> bool {
        let is =
            |wanted: &String| guid.is_some_and(|guid| parse_guid(wanted).is_ok_and(|wanted| wanted == guid));
        self.guids.as_ref().is_none_or(|guids| guids.iter().any(is))
    }
}

fn substate(index: u16) -> Value {
    let motion = Era::default().expand(index);
    command(motion.unwrap_or_else(|| MotionCommand(index.into())))
}

fn parse_guid(text: &str) -> Result<Guid, Unable> {
    text.parse::<DataId>().map(|id| Guid(id.0)).or_else(|words| wrong(format!("guid: {words}")))
}

fn within(name: &str, value: f64, least: f64, most: f64) -> Result<f64, Unable> {
    if (least..=most).contains(&value) { Ok(value) } else { wrong(format!("{name}: from {least} to {most}")) }
}
