//! Figures about an entity over a span of time: series, reports, and how they agree.

use std::collections::HashMap;

use acmotion::types::{Era, Guid, MotionCommand};
use acmotion_sim::replay;

use super::Session;
use crate::protocol::{
    Agreement, AgreementList, MotionSpan, NamedCommand, ReportList, Series, ServerMessage,
};
use crate::record::{Body, BodyKey, Tick, read};

/// The maximum number of points in a series, and of reports.
const MAX_POINTS: usize = 4000;

impl Session {
    pub(super) fn series(&self, key: BodyKey, from: f64, to: f64) -> Series {
        let timeline = read(&self.timeline);
        let body_at =
            |tick: &Tick| match self.beside.as_ref().and_then(|beside| Some((beside, beside.key(key)?))) {
                Some((beside, own)) => {
                    let first = tick.body(own).map(|body| body.position);
                    beside.tick(tick).and_then(|tick| Some(beside.shown(tick.body(own)?, first)))
                }
                None => tick.body(key).copied(),
            };
        let points: Vec<(f64, Body)> =
            timeline.between(from, to).filter_map(|tick| Some((tick.t, body_at(tick)?))).collect();
        let step = points.len().div_ceil(MAX_POINTS).max(1);
        let thinned: Vec<&(f64, Body)> = points.iter().step_by(step).collect();
        let column = |value: fn(&Body) -> f32| thinned.iter().map(|(_, body)| value(body)).collect();
        Series {
            request_id: self.request_id,
            guid: key.guid.into(),
            view: key.view,
            from,
            to,
            t: thinned.iter().map(|(t, _)| *t).collect(),
            speed: column(|body| body.speed),
            error: column(|body| body.error),
            frame: column(|body| body.frame),
            animation: thinned.iter().map(|(_, body)| body.pose.source.into()).collect(),
            path: thinned.iter().map(|(_, body)| body.position.into()).collect(),
            styles: spans(&points, |body| body.style),
            substates: spans(&points, |body| body.substate),
            modifiers: spans(&points, |body| body.modifier),
            actions: spans(&points, |body| body.action),
        }
    }

    pub(super) fn send_reports(&self, guid: Guid) {
        let timeline = read(&self.timeline);
        let reports = timeline.reports.of(guid);
        let step = reports.len().div_ceil(MAX_POINTS).max(1);
        let reports = reports.iter().step_by(step).map(|report| report.in_scene(timeline.origin)).collect();
        let list = ReportList { request_id: self.request_id, guid: guid.into(), reports };
        self.queue.send(ServerMessage::Reports(list));
    }

    pub(super) fn send_agreement(&self) {
        let timeline = read(&self.timeline);
        let mut jumps: HashMap<Guid, Jumps> = HashMap::new();
        for event in timeline.events().filter(|event| event.view == 0) {
            let name = event.detail.name();
            if matches!(name, "snap" | "teleport") {
                let jumps = jumps.entry(event.guid.guid()).or_default();
                *(if name == "snap" { &mut jumps.snaps } else { &mut jumps.teleports }) += 1;
            }
        }
        let entities = timeline.entities.keys().filter(|key| key.view == 0).map(|key| {
            agreement(
                key.guid,
                timeline.reports.agreement(key.guid),
                jumps.remove(&key.guid).unwrap_or_default(),
            )
        });
        let entities = entities.collect();
        self.queue.send(ServerMessage::Agreement(AgreementList { request_id: self.request_id, entities }));
    }
}

/// How often an entity was moved at once.
#[derive(Default)]
struct Jumps {
    snaps: usize,
    teleports: usize,
}

/// Returns how an entity agrees with what the server reported of it, as `acmotion replay` prints it.
fn agreement(guid: Guid, found: Option<&replay::Agreement>, jumps: Jumps) -> Agreement {
    let errors = found.map_or_else(Vec::new, replay::Agreement::sorted_errors);
    let worst = found.and_then(replay::Agreement::worst);
    Agreement {
        guid: guid.into(),
        reports: found.map_or(0, |found| found.reports() as usize),
        median: replay::percentile(&errors, 0.5),
        worst: worst.map(|(error, _)| error),
        worst_at: worst.map(|(_, t)| t),
        snaps: jumps.snaps,
        teleports: jumps.teleports,
    }
}

/// Joins points with the same motion. Points without one are left out.
fn spans(points: &[(f64, Body)], motion: fn(&Body) -> u16) -> Vec<MotionSpan> {
    let mut spans: Vec<(f64, f64, u16)> = Vec::new();
    for (t, body) in points {
        let motion = motion(body);
        if let Some((_, to, last)) = spans.last_mut() {
            *to = *t;
            if *last == motion {
                continue;
            }
        }
        spans.push((*t, *t, motion));
    }
    let named = |index: u16| -> NamedCommand {
        Era::default().expand(index).unwrap_or_else(|| MotionCommand(index.into())).into()
    };
    let spans = spans.into_iter().filter(|(.., motion)| *motion != 0);
    spans.map(|(from, to, index)| MotionSpan { from, to, motion: named(index) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_leave_out_the_time_without_a_motion() {
        let body = |action: u16| Body { action, ..Body::default() };
        let bodies = [body(0), body(0x5B), body(0x5B), body(0), body(0x5C)];
        let points: Vec<(f64, Body)> =
            bodies.into_iter().enumerate().map(|(index, body)| (index as f64, body)).collect();
        let spans = spans(&points, |body| body.action);
        assert_eq!(
            spans.iter().map(|span| (span.from, span.to)).collect::<Vec<_>>(),
            [(1.0, 3.0), (4.0, 4.0)]
        );
    }
}
