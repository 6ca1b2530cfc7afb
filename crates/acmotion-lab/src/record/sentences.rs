//! What each stage of a step did, in words.

use acmotion::Barrier;
use acmotion::explain::{Action, ConstraintStep, InterpolationStep, StepExplanation, SweepNote, SweepTrace};
use acmotion::types::{CellPosition, Vec3};

use super::explanation::Surroundings;
use super::reports::ReportedMovement;
use crate::protocol::{Contact, MoveTo, Report, Sentence, Stage};
use crate::values::{Origin, vector};

/// The distance in metres, or speed in metres a second, below which a movement is not mentioned.
const MIN_MENTIONED: f32 = 0.0005;
/// The share of its speed with which a body that something stops on the server approaches its target at most.
const MAX_BLOCKED_SHARE: f32 = 0.25;
/// The age in seconds up to which reports tell what happens on the server now.
const MAX_REPORT_AGE: f32 = 0.6;
/// The speed of reports in metres a second below which a body counts as standing.
const STANDING: f32 = 0.1;

/// Collects sentences.
#[derive(Default)]
struct Sentences(Vec<Sentence>);

impl Sentences {
    fn say(&mut self, stage: Stage, text: impl Into<String>) {
        self.0.push(Sentence { stage, text: text.into(), hinders: false });
    }

    /// Says why the body did not get where it wanted to.
    fn blame(&mut self, stage: Stage, text: impl Into<String>) {
        self.0.push(Sentence { stage, text: text.into(), hinders: true });
    }
}

/// Returns what each stage of a step did, in the order in which they run.
pub(super) fn sentences(
    step: &StepExplanation,
    order: Option<&MoveTo>,
    report: Option<(&Report, Option<ReportedMovement>)>,
    around: Surroundings,
) -> Vec<Sentence> {
    let mut said = Sentences::default();
    for action in step.decisions() {
        if is_mentioned(action) {
            let is_dropped = matches!(action, Action::Drop(_));
            let text = decision_text(action);
            said.0.push(Sentence { stage: Stage::Messages, text, hinders: is_dropped });
        }
    }
    if let Some(order) = order {
        said.say(Stage::Order, order_text(order));
    }
    let moved = step.root_motion.origin.length();
    if moved > MIN_MENTIONED {
        said.say(Stage::Animation, format!("The animation moves it {moved:.3} m."));
    } else {
        said.say(Stage::Animation, "The animation does not move it.");
    }
    correct(step, &mut said);
    integrate(step, &mut said);
    if let Some(sweep) = &step.sweep {
        describe_sweep(sweep, &mut said);
    }
    if let Some(distance) = step.snapped {
        said.blame(
            Stage::Commit,
            format!(
                "It could not follow the reports, and was moved {distance:.2} m to the last one (rule I8)."
            ),
        );
    }
    if let Some((report, movement)) = report {
        let wanted = if step.quantum > 0.0 { moved / step.quantum } else { 0.0 };
        describe_report(report, movement, wanted, around, &mut said);
    }
    said.0
}

fn order_text(order: &MoveTo) -> String {
    let goes = if order.runs { "runs" } else { "walks" };
    let what = match order.node.as_deref() {
        Some(node) if node.starts_with("turns") => String::from(node),
        _ => format!("{goes}, {:.2} m to go", order.distance),
    };
    match &order.waits_for {
        Some(reason) => format!("By its order ({}) it {what}; it waits: {reason}.", order.kind),
        None => format!("By its order ({}) it {what}.", order.kind),
    }
}

fn correct(step: &StepExplanation, said: &mut Sentences) {
    let stage = Stage::Correction;
    match step.adjustment.interpolation {
        InterpolationStep::Idle => {}
        InterpolationStep::NoContact => {
            said.say(stage, "It is in the air, so position reports have to wait.");
        }
        InterpolationStep::Reached => said.say(stage, "It has reached the reported position."),
        InterpolationStep::Stalled => said.blame(stage, "It is not getting closer to the reported position."),
        InterpolationStep::Toward { distance, speed } => said.say(
            stage,
            format!(
                "Instead, it moves towards the reported position, {distance:.2} m away, at up to {speed:.2} m/s."
            ),
        ),
    }
    if step.adjustment.stuck {
        said.say(stage, "It sticks to its target.");
    }
    if let ConstraintStep::Scaled(factor) = step.adjustment.constraint {
        said.blame(stage, format!("The constraint reduces the movement to {:.0} %.", factor * 100.0));
    }
}

fn integrate(step: &StepExplanation, said: &mut Sentences) {
    if step.velocity.length() > MIN_MENTIONED {
        let [x, y, z] = vector(step.velocity);
        let falls = if step.acceleration.z < -1.0 { "; it falls" } else { "" };
        said.say(
            Stage::Integration,
            format!("Its own velocity of ({x:.2}, {y:.2}, {z:.2}) m/s is added{falls}."),
        );
    }
}

/// Describes a sweep: what was in the way, which steps were taken, and how it ended.
fn describe_sweep(sweep: &SweepTrace, said: &mut Sentences) {
    let wanted = sweep.from.distance_to(&sweep.to);
    for note in sweep.notes() {
        match *note {
            SweepNote::Contact { barrier, normal, slid, .. } => {
                let facing = normal.map_or_else(String::new, |normal| format!(", normal {}", triple(normal)));
                let result = if slid > MIN_MENTIONED {
                    format!("slid {slid:.2} m along it")
                } else {
                    String::from("slid 0.00 m")
                };
                said.blame(Stage::Sweep, format!("Stopped by {}{facing}; {result}.", barrier_text(barrier)));
            }
            SweepNote::StepUp { climbed: true, rise, limit, .. } => said.say(
                Stage::Sweep,
                format!("Stepped up {:.2} m; its step height is {limit:.2} m.", rise.unwrap_or_default()),
            ),
            SweepNote::StepUp { blocked_by: Some(guid), .. } => {
                said.blame(Stage::Sweep, format!("Step up refused: {guid} is in the way."));
            }
            SweepNote::StepUp { climbed: false, rise: Some(rise), limit, .. } => {
                said.blame(
                    Stage::Sweep,
                    format!("Step up refused: {rise:.2} m is higher than {limit:.2} m."),
                );
            }
            SweepNote::StepUp { climbed: false, rise: None, .. } => {
                said.blame(Stage::Sweep, "Step up refused: it is a wall, not a step.");
            }
            SweepNote::StepDown { drop } => {
                said.say(Stage::Sweep, format!("Stepped down {drop:.2} m to keep to the ground."));
            }
            SweepNote::Slide { barrier, normal, slid, .. } => {
                let what = barrier.map_or_else(|| String::from("a surface that is gone"), barrier_text);
                let normal = triple(normal);
                said.blame(
                    Stage::Sweep,
                    format!(
                        "It slides along {what}, normal {normal}, which it struck before; slid {slid:.3} m."
                    ),
                );
            }
            SweepNote::Pressed { normal } => said.blame(
                Stage::Sweep,
                format!(
                    "It is pushed straight into the surface that it slides along (normal {}), so it stays.",
                    triple(normal)
                ),
            ),
            _ => {}
        }
    }
    match sweep.result.arrival {
        None => said.blame(Stage::Commit, format!("The sweep failed: of {wanted:.3} m it covered nothing.")),
        Some(arrival) => {
            let covered = sweep.covered();
            if wanted - covered > 0.001 {
                said.say(Stage::Commit, format!("Of {wanted:.3} m it covered {covered:.3} m."));
            }
            if !arrival.in_cell {
                said.blame(Stage::Commit, "It ended in no cell, and is lost.");
            } else if sweep.stood && !arrival.has_contact {
                said.say(Stage::Commit, "It left the ground.");
            } else if !sweep.stood && arrival.has_contact {
                said.say(Stage::Commit, "It touched ground.");
            }
            if sweep.result.kills_velocity {
                said.say(Stage::Commit, "Its own velocity was stopped.");
            }
        }
    }
}

/// Describes what the server reports. `wanted` is the speed of the body's animation in metres a second.
fn describe_report(
    report: &Report,
    movement: Option<ReportedMovement>,
    wanted: f32,
    around: Surroundings,
    said: &mut Sentences,
) {
    let blocked = movement.filter(|movement| {
        let is_slow = |advance: f32| advance < wanted * MAX_BLOCKED_SHARE;
        wanted > STANDING && report.age < MAX_REPORT_AGE && movement.advance.is_some_and(is_slow)
    });
    let Some(ReportedMovement { velocity, advance }) = blocked else {
        said.say(
            Stage::Server,
            format!("The last report is {:.2} s old and {:.2} m away.", report.age, report.distance),
        );
        return;
    };
    let advance = advance.unwrap_or_default();
    let along = Vec3 { z: 0.0, ..velocity };
    let how = if along.length() > STANDING {
        let heading = along.heading();
        let speed = along.length();
        format!("it slides along something at {speed:.2} m/s to the {}", compass(heading))
    } else {
        String::from("it stands")
    };
    let unknown = if around.has_land {
        ""
    } else {
        " No land is loaded here, so this run cannot tell what it is: choose a cell \
         file."
    };
    said.blame(
        Stage::Server,
        format!(
            "Something is in its way on the server: its animation runs on, but its reports approach the target at only \
             {advance:.2} m/s; {how}.{unknown}"
        ),
    );
}

fn compass(heading: f32) -> &'static str {
    const NAMES: [&str; 8] =
        ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
    NAMES[(heading / 45.0).round() as usize % NAMES.len()]
}

fn triple(v: Vec3) -> String {
    // Without negative zeros.
    let [x, y, z] = vector(v).map(|part| if part.abs() < 0.005 { 0.0 } else { part });
    format!("({x:.2}, {y:.2}, {z:.2})")
}

/// Names what is in the way. Entities are named by their guid, which the page replaces by their names.
fn barrier_text(barrier: Barrier) -> String {
    let of_polygon =
        |polygon: Option<u32>| polygon.map_or_else(String::new, |index| format!(", polygon {index}"));
    match barrier {
        Barrier::Building { cell, model, polygon } => {
            let name = model.map_or_else(|| format!("on cell {cell}"), |model| model.to_string());
            format!("building {name}{}", of_polygon(polygon))
        }
        Barrier::Room { cell, polygon } => format!("room {cell}{}", of_polygon(polygon)),
        Barrier::Scenery { cell, model: Some(model) } => format!("scenery {model} in cell {cell}"),
        other => other.to_string(),
    }
}

/// Returns what was in the way in a sweep, for the scene.
pub(super) fn contacts(sweep: &SweepTrace, origin: Origin) -> Vec<Contact> {
    let contact = |barrier: Barrier, normal: Option<Vec3>, point: CellPosition, slid: f32| Contact {
        what: barrier_text(barrier),
        guid: if let Barrier::Entity(guid) = barrier { Some(guid.into()) } else { None },
        normal: normal.map(vector),
        point: vector(origin.scene_position(&point)),
        slid,
    };
    let contact = |note: &SweepNote| match *note {
        SweepNote::Contact { barrier, normal, point, slid } => Some(contact(barrier, normal, point, slid)),
        SweepNote::Slide { barrier, normal, point, slid } => {
            Some(contact(barrier?, Some(normal), point, slid))
        }
        _ => None,
    };
    sweep.notes().iter().filter_map(contact).collect()
}

/// Returns `true` if an action of a message is worth a line of its own: it changes where the body goes.
fn is_mentioned(action: &Action) -> bool {
    matches!(
        action,
        Action::Drop(_)
            | Action::SetPositionTeleport
            | Action::TeleportPlayer
            | Action::SetPositionSimple
            | Action::Interpolate
            | Action::InterpolateKeepHeading
            | Action::UnpackMovement
            | Action::LoseControlToServer
            | Action::IgnoreOwnEcho
    )
}

/// Describes what a message did.
pub(crate) fn decision_text(action: &Action) -> String {
    let text = match action {
        Action::Drop(stale) => return format!("A message was dropped: {stale} (rule D1)."),
        Action::Unparent => "If something held it, it is detached (rule D6).",
        Action::TeleportHook => "A message ended everything that a teleport ends (rules C15, D7).",
        Action::SetPositionTeleport | Action::TeleportPlayer => "A message teleported it (rules D6, D7).",
        Action::StopInterpolating => "A message emptied its interpolation queue (rules D7, I5).",
        Action::SetPositionSimple => "A message moved it to the server's position (rule D7).",
        Action::Interpolate | Action::InterpolateKeepHeading => {
            "A position report was added to the interpolation queue (rule I4)."
        }
        Action::ConstrainToOwn => "A message constrains it to its own position (rules D6, I9).",
        Action::ConstrainToMessage => "A message constrains it to the reported position (rules D6, I9).",
        Action::BlipKeepHeading => {
            "A message moved the player to the server's position, with its own heading (rule D6)."
        }
        Action::SendAutonomousPosition => "The client has to send its position at once (rule D6).",
        Action::ZeroVelocity => "A message stopped its own velocity (rule D6).",
        Action::LastMoveAutonomous(true) => "The movement was started by its own client (rule D9).",
        Action::LastMoveAutonomous(false) => "The movement was started by the server (rule D9).",
        Action::UnpackMovement => "A message changed its motion (rule D9).",
        Action::LoseControlToServer => "The server took control (rule D9).",
        Action::IgnoreOwnEcho => "The echo of its own movement was ignored (rule D9).",
        Action::SetVelocity => "A message set its own velocity (rules C6, D10).",
        Action::SetOmega => "A message set its angular velocity (rules C6, D10).",
        Action::IgnoreOwn => "The player's velocity is not taken from the server (rule D10).",
        Action::SetState => "A message set its physics state (rules C19, D11).",
        Action::ClearWaitingForTeleport => "A message took the player out of portal space (rule D11).",
        Action::EnterPortalSpace => "A message put the player into portal space (rule D11).",
        Action::SetParent => "A message attached it to a holder (rule D11).",
        Action::LeaveWorld => "A message took it out of the world (rules C14, D11).",
        Action::SetVisualDesc => "A message changed its looks (rule D4).",
    };
    text.into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use acmotion::dat::Assets;
    use acmotion::dat::mannequin::town::{landmarks, models};
    use acmotion::scene::Scene;
    use acmotion::types::{Guid, MotionCommand};
    use acmotion::{EntitySpec, Identity, Settings, World};

    use super::*;

    const NO_LAND: Surroundings = Surroundings { origin: Origin::of_block(0xA9B4), has_land: false };

    /// Returns what is said last of a body that runs, given how its reports move.
    fn last_said(velocity: Vec3, advance: f32) -> Sentence {
        let mut step = StepExplanation::default();
        step.quantum = 1.0 / 30.0;
        step.root_motion.origin = Vec3::new(0.0, 0.2, 0.0);
        let report =
            Report { position: [0.0; 3], age: 0.1, distance: 1.3, speed: None, advance: Some(advance) };
        let movement = ReportedMovement { velocity, advance: Some(advance) };
        sentences(&step, None, Some((&report, Some(movement))), NO_LAND).pop().unwrap()
    }

    #[test]
    fn a_body_that_runs_while_its_reports_slide_is_blocked_on_the_server() {
        let said = last_said(Vec3::new(0.55, 0.0, 0.0), 0.02);
        assert!(said.hinders && said.stage == Stage::Server);
        assert!(said.text.contains("slides along something at 0.55 m/s to the east"), "{}", said.text);
        assert!(said.text.contains("choose a cell file"), "{}", said.text);
        let said = last_said(Vec3::ZERO, 0.0);
        assert!(said.hinders && said.text.contains("it stands"), "{}", said.text);
        let said = last_said(Vec3::new(0.0, 5.8, 0.0), 5.8);
        assert!(!said.hinders && said.text.contains("1.30 m away"), "{}", said.text);
    }

    /// Returns what is said of a step that `change` has changed, of one stage.
    fn said_of_step(stage: Stage, change: impl FnOnce(&mut StepExplanation)) -> Vec<(String, bool)> {
        let mut step = StepExplanation::default();
        change(&mut step);
        let said = sentences(&step, None, None, NO_LAND).into_iter();
        said.filter(|said| said.stage == stage).map(|said| (said.text, said.hinders)).collect()
    }

    #[test]
    fn corrections_are_said_and_blamed_where_they_hinder() {
        let correction = |change: fn(&mut StepExplanation)| said_of_step(Stage::Correction, change);
        let one = |text: &str, hinders: bool| vec![(text.to_owned(), hinders)];
        assert_eq!(correction(|_| {}), []);
        assert_eq!(correction(|step| step.adjustment.stuck = true), one("It sticks to its target.", false));
        assert_eq!(correction(|step| step.adjustment.constraint = ConstraintStep::Slack), []);
        assert_eq!(
            correction(|step| step.adjustment.constraint = ConstraintStep::Scaled(0.25)),
            one("The constraint reduces the movement to 25 %.", true)
        );
        let interpolation = |state: InterpolationStep| {
            said_of_step(Stage::Correction, |step| step.adjustment.interpolation = state)
        };
        assert_eq!(
            interpolation(InterpolationStep::Toward { distance: 1.5, speed: 4.0 }),
            one("Instead, it moves towards the reported position, 1.50 m away, at up to 4.00 m/s.", false)
        );
        assert_eq!(
            interpolation(InterpolationStep::Reached),
            one("It has reached the reported position.", false)
        );
        assert_eq!(
            interpolation(InterpolationStep::Stalled),
            one("It is not getting closer to the reported position.", true)
        );
        assert_eq!(
            interpolation(InterpolationStep::NoContact),
            one("It is in the air, so position reports have to wait.", false)
        );
    }

    #[test]
    fn a_snap_is_blamed_with_its_distance() {
        assert_eq!(said_of_step(Stage::Commit, |_| {}), []);
        assert_eq!(
            said_of_step(Stage::Commit, |step| step.snapped = Some(12.345)),
            [(
                String::from(
                    "It could not follow the reports, and was moved 12.35 m to the last one (rule I8)."
                ),
                true
            )]
        );
    }

    /// Everything that is said of a player that walks through the town from a position, towards a heading in degrees.
    fn said_of_a_walk(mut start: CellPosition, heading: f32, seconds: f64) -> Vec<Sentence> {
        let player = Guid(0x5000_0001);
        let scene = Scene::load(&Assets::mannequin(), &Assets::town()).unwrap();
        let settings = Settings {
            player: Identity::Known(player),
            surroundings: Some(Arc::new(scene)),
            ..Settings::default()
        };
        let mut world = World::with_settings(Assets::mannequin(), settings);
        start.frame.set_heading(heading);
        world.spawn(&EntitySpec::new(player, start), 0.0).unwrap();
        assert!(world.explain(player, true));
        world.player_mut().set_run_by_default(false, 0.0);
        world.player_mut().press(MotionCommand::WALK_FORWARD, 0.0).unwrap();
        let mut said = Vec::new();
        for tick in 1..=(seconds * 30.0) as u32 {
            world.advance(f64::from(tick) / 30.0);
            let step = world.explanation(player).unwrap();
            said.extend(sentences(step, None, None, Surroundings { has_land: true, ..NO_LAND }));
        }
        said
    }

    /// Returns the first sentence that contains a text.
    fn find<'a>(said: &'a [Sentence], part: &str) -> &'a Sentence {
        let found = said.iter().find(|sentence| sentence.text.contains(part));
        found.unwrap_or_else(|| {
            let texts: BTreeSet<&str> = said.iter().map(|sentence| sentence.text.as_str()).collect();
            panic!("nothing is said of \"{part}\": {texts:#?}")
        })
    }

    #[test]
    fn a_wall_is_blamed_with_its_polygon_and_normal() {
        let mut start = landmarks().doorstep;
        start.frame.origin += Vec3::new(3.0, -0.5, 0.0);
        let said = said_of_a_walk(start, 0.0, 2.0);
        let wall = find(&said, "Stopped by building 0x01000061, polygon ");
        assert!(wall.text.ends_with("normal (0.00, -1.00, 0.00); slid 0.00 m."), "{}", wall.text);
        assert!(wall.hinders && wall.stage == Stage::Sweep);
        let nothing = find(&said, "The sweep failed: of 0.");
        assert!(nothing.hinders && nothing.stage == Stage::Commit);
        let moves = find(&said, "The animation moves it 0.");
        assert!(!moves.hinders && moves.stage == Stage::Animation);
    }

    #[test]
    fn a_body_that_slides_along_a_wall_says_how_far() {
        let mut start = landmarks().doorstep;
        start.frame.origin += Vec3::new(3.0, -0.5, 0.0);
        let said = said_of_a_walk(start, 30.0, 1.6);
        let slides = said.iter().filter(|sentence| sentence.text.contains("m along it.")).count();
        assert!(slides > 3, "{slides}");
        assert!(said.iter().all(|sentence| !sentence.text.contains("The sweep failed")));
        let covered = find(&said, "it covered 0.");
        assert!(covered.text.starts_with("Of 0.") && covered.stage == Stage::Commit, "{}", covered.text);
    }

    /// A body that hardly slides is not stopped by the wall in every tick.
    #[test]
    fn a_wall_that_was_struck_in_an_earlier_tick_is_named_too() {
        let mut start = landmarks().doorstep;
        start.frame.origin += Vec3::new(3.0, -0.5, 0.0);
        let said = said_of_a_walk(start, 3.0, 3.0);
        let wall = find(&said, "It slides along building 0x01000061, polygon ");
        assert!(
            wall.text.contains("normal (0.00, -1.00, 0.00), which it struck before; slid 0.0"),
            "{}",
            wall.text
        );
        assert!(wall.hinders && wall.stage == Stage::Sweep);
    }

    #[test]
    fn a_step_is_climbed_or_refused_with_its_height() {
        for (row, height) in models::STEP_HEIGHTS.into_iter().enumerate() {
            let mut start = landmarks().steps;
            start.frame.origin.y += 4.0 * row as f32;
            let said = said_of_a_walk(start, 0.0, 1.6);
            if height < 0.6 {
                let step = find(&said, &format!("Stepped up {height:.2} m; its step height is 0.60 m."));
                assert!(!step.hinders && step.stage == Stage::Sweep);
            } else {
                let step = find(&said, &format!("Step up refused: {height:.2} m is higher than 0.60 m."));
                assert!(step.hinders && step.stage == Stage::Sweep);
            }
        }
    }

    #[test]
    fn an_edge_is_named_and_a_step_down_tells_how_deep_it_is() {
        let said = said_of_a_walk(landmarks().ramp_top, 0.0, 3.0);
        assert!(find(&said, &format!("Stopped by {}", Barrier::Drop(landmarks().ramp_top.cell))).hinders);
        let said = said_of_a_walk(landmarks().ramp_top, 180.0, 3.0);
        let down = find(&said, "Stepped down 0.");
        assert!(!down.hinders && down.stage == Stage::Sweep);
    }

    #[test]
    fn barriers_are_named_with_their_polygon() {
        let cell = acmotion::types::CellId(0xA9B4_0021);
        let wall =
            Barrier::Building { cell, model: Some(acmotion::dat::DataId(0x0100_0061)), polygon: Some(12) };
        assert_eq!(barrier_text(wall), "building 0x01000061, polygon 12");
        assert_eq!(barrier_text(Barrier::Room { cell, polygon: None }), "room 0xA9B40021");
        assert_eq!(triple(Vec3::new(0.0, -1.0, -0.001)), "(0.00, -1.00, 0.00)");
    }
}
