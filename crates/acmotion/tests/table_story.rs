//! Motion tables request by request: the figures of `figures.md` 6 and 7, the examples of `docs/behaviour.md` G, and the
//! scenes P1, P3 and P4 as the table sees them.

use std::sync::Arc;

use acmotion::dat::{
    AnimData, Animation, AnimationFrame, DatError, DataId, MotionData, MotionFlags, MotionTable,
};
use acmotion::table::{
    Animator, MotionError, MotionHost, animation_done, check_for_completed_motions, enter_world, exit_world,
};
use acmotion::types::{MotionCommand, Vec3};
use acmotion::{Animations, HookBuffer, Library, MotionState, Sequence, TableDriver, TableId};

const NON_COMBAT: MotionCommand = MotionCommand::NON_COMBAT;
const SWORD: MotionCommand = MotionCommand::SWORD_COMBAT;
const READY: MotionCommand = MotionCommand::READY;
const WALK: MotionCommand = MotionCommand::WALK_FORWARD;
const RUN: MotionCommand = MotionCommand::RUN_FORWARD;
const TURN: MotionCommand = MotionCommand::TURN_RIGHT;
const CHEER: MotionCommand = MotionCommand::CHEER;
const JUMP: MotionCommand = MotionCommand::JUMP;

/// Clips of four frames, except those from 100 on, which are missing.
struct Clips;

impl Animations for Clips {
    fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
        if id.0 >= 100 {
            return Err(DatError::NotFound(id));
        }
        Ok(Arc::new(Animation::new(id, None, vec![AnimationFrame::default(); 4])))
    }
}

fn plays(animations: &[u32]) -> MotionData {
    let anim = |id: &u32| AnimData { animation: DataId(*id), low: 0, high: -1, framerate: 30.0 };
    MotionData { anims: animations.iter().map(anim).collect(), ..MotionData::default() }
}

fn flagged(data: MotionData, flags: u8, forward: f32, turn: f32) -> MotionData {
    let velocity = (forward != 0.0).then(|| Vec3::new(0.0, forward, 0.0));
    let omega = (turn != 0.0).then(|| Vec3::new(0.0, 0.0, turn));
    MotionData { flags: MotionFlags::from_bits_retain(flags), velocity, omega, ..data }
}

fn key(style: MotionCommand, motion: MotionCommand) -> u32 {
    style.0 << 16 | motion.0 & 0xFF_FFFF
}

/// The fixture of `figures.md` 6.
fn fixture() -> MotionTable {
    let from_ready = [(WALK.0, plays(&[4])), (CHEER.0, plays(&[6])), (SWORD.0, plays(&[7]))];
    let jump = flagged(plays(&[9]), 0, 1.0, 0.0);
    MotionTable {
        id: DataId(0x0900_0001),
        default_style: NON_COMBAT,
        style_defaults: [(NON_COMBAT.0, READY), (SWORD.0, READY)].into_iter().collect(),
        cycles: [
            (key(NON_COMBAT, READY), plays(&[1])),
            (key(NON_COMBAT, WALK), flagged(plays(&[2]), 1, 3.12, 0.0)),
            (key(SWORD, READY), plays(&[3])),
        ]
        .into_iter()
        .collect(),
        modifiers: [(key(NON_COMBAT, JUMP), jump.clone()), (JUMP.0 & 0xFF_FFFF, jump)].into_iter().collect(),
        links: [
            (key(NON_COMBAT, READY), from_ready.into_iter().collect()),
            (key(NON_COMBAT, WALK), [(READY.0, plays(&[5]))].into_iter().collect()),
        ]
        .into_iter()
        .collect(),
    }
}

/// A human: run and turn, the turn only from standing (P1).
fn human() -> MotionTable {
    MotionTable {
        id: DataId(0x0900_0002),
        default_style: NON_COMBAT,
        style_defaults: [(NON_COMBAT.0, READY)].into_iter().collect(),
        cycles: [
            (key(NON_COMBAT, READY), plays(&[1])),
            (key(NON_COMBAT, RUN), flagged(plays(&[2]), 0, 4.0, 0.0)),
            (key(NON_COMBAT, TURN), flagged(plays(&[3]), 2, 0.0, -1.5)),
        ]
        .into_iter()
        .collect(),
        modifiers: [(TURN.0 & 0xFF_FFFF, flagged(plays(&[]), 0, 0.0, -1.5))].into_iter().collect(),
        links: [
            (key(NON_COMBAT, READY), [(RUN.0, plays(&[4])), (CHEER.0, plays(&[6, 7]))].into_iter().collect()),
            (key(NON_COMBAT, RUN), [(READY.0, plays(&[5]))].into_iter().collect()),
        ]
        .into_iter()
        .collect(),
    }
}

/// A body and its table, without a queue.
struct Stage {
    library: Library,
    table: TableId,
    state: MotionState,
    sequence: Sequence,
}

impl Stage {
    /// In the default state.
    fn new(table: &MotionTable) -> Self {
        let mut library = Library::new();
        let table = library.add_table(table, &Clips);
        let mut stage = Self { library, table, state: MotionState::new(), sequence: Sequence::new() };
        stage.walker().set_default();
        stage
    }

    fn walker(&mut self) -> TableDriver<'_> {
        TableDriver::new(&self.library, self.library.table(self.table), &mut self.state, &mut self.sequence)
    }

    fn ask(&mut self, motion: MotionCommand, speed: f32) -> Option<u32> {
        self.walker().request(motion, speed)
    }

    fn plays(&self) -> Vec<u32> {
        self.sequence.nodes(&self.library).map(|node| node.id().0).collect()
    }

    fn rates(&self) -> Vec<f32> {
        self.sequence.nodes(&self.library).map(|node| node.framerate).collect()
    }

    fn modifiers(&self) -> Vec<(MotionCommand, f32)> {
        self.state.modifiers().map(|modifier| (modifier.motion, modifier.speed)).collect()
    }

    fn velocity(&self) -> f32 {
        self.sequence.velocity().y
    }

    fn omega(&self) -> f32 {
        self.sequence.omega().z
    }
}

#[test]
fn from_standing_to_walking_and_back() {
    let mut stage = Stage::new(&fixture());
    assert_eq!((stage.plays(), stage.sequence.first_cyclic_index()), (vec![1], Some(0)));
    assert_eq!(stage.ask(WALK, 1.0), Some(1), "one link to wait for");
    assert_eq!((stage.plays(), stage.sequence.first_cyclic_index()), (vec![4, 2], Some(1)));
    assert_eq!(stage.velocity(), 3.12, "the cycle's, while the link still plays (G7)");
    // Faster: no restart, nothing to wait for.
    assert_eq!(stage.ask(WALK, 2.0), Some(0));
    assert_eq!((stage.plays(), stage.rates()), (vec![4, 2], vec![30.0, 60.0]));
    assert!((stage.velocity() - 6.24).abs() < 1e-6 && stage.state.substate_speed() == 2.0);
    // The link that has not been played yet stays before the one back.
    assert_eq!(stage.walker().stop(WALK), Some(1));
    assert_eq!((stage.plays(), stage.state.substate()), (vec![4, 5, 1], READY));
    assert_eq!(stage.walker().stop(WALK), None, "it is over");
}

#[test]
fn another_style_by_way_of_the_default() {
    let mut stage = Stage::new(&fixture());
    stage.ask(WALK, 1.0);
    assert_eq!(stage.ask(SWORD, 1.0), Some(2), "walk to ready, ready to sword");
    assert_eq!(stage.plays(), [4, 5, 7, 3]);
    assert_eq!((stage.state.style(), stage.state.substate()), (SWORD, READY));
    assert_eq!(stage.ask(SWORD, 1.0), Some(0), "it is in it already");
    assert_eq!(stage.ask(MotionCommand::BOW_COMBAT, 1.0), None);
}

#[test]
fn an_action_comes_back_to_the_cycle() {
    let mut stage = Stage::new(&fixture());
    assert_eq!(stage.ask(CHEER, 1.0), Some(1));
    assert_eq!((stage.plays(), stage.state.substate()), (vec![6, 1], READY));
    assert_eq!(stage.state.actions().len(), 1);
    // From walking there is no link: out, act, and back if there is a way back.
    let mut stage = Stage::new(&fixture());
    stage.ask(WALK, 1.0);
    assert_eq!(stage.ask(CHEER, 2.0), Some(3));
    assert_eq!((stage.plays(), stage.rates()), (vec![4, 5, 6, 4, 2], vec![30.0, 30.0, 60.0, 30.0, 30.0]));
    assert_eq!(stage.state.substate(), WALK);
}

#[test]
fn a_modifier_adds_velocity_and_nothing_else() {
    let mut stage = Stage::new(&fixture());
    assert_eq!(stage.ask(JUMP, 2.0), Some(0));
    assert_eq!((stage.plays(), stage.velocity(), stage.modifiers()), (vec![1], 2.0, vec![(JUMP, 2.0)]));
    // Asked for again it replaces itself.
    assert_eq!(stage.ask(JUMP, 3.0), Some(0));
    assert_eq!((stage.velocity(), stage.modifiers()), (3.0, vec![(JUMP, 3.0)]));
    // Walking has bit 0: it clears modifiers and lets none in.
    stage.ask(WALK, 1.0);
    assert_eq!((stage.modifiers(), stage.velocity()), (vec![], 3.12));
    assert_eq!(stage.ask(JUMP, 1.0), None);
}

#[test]
fn nothing_before_the_default_state() {
    let mut stage = Stage::new(&fixture());
    stage.state = MotionState::new();
    for motion in [READY, WALK, SWORD, CHEER, JUMP] {
        assert_eq!(stage.ask(motion, 1.0), None);
    }
    assert_eq!(stage.walker().stop_completely(), (false, 0));
}

/// G6: a cycle that stands is not set going by a new speed.
#[test]
fn a_stopped_cycle_stays_stopped() {
    let mut stage = Stage::new(&fixture());
    stage.ask(WALK, 1.0);
    for (speed, rate) in [(0.0, 0.0), (2.0, 0.0), (1.0, 0.0)] {
        assert_eq!(stage.ask(WALK, speed), Some(0));
        assert_eq!(stage.rates(), [30.0, rate]);
        assert!((stage.velocity() - 3.12 * speed).abs() < 1e-5, "velocity follows all the same");
    }
}

/// G6: neither is one that all but stands: its rate stays as it is, whatever the new speed.
#[test]
fn a_cycle_that_all_but_stands_keeps_its_rate() {
    let mut stage = Stage::new(&fixture());
    stage.ask(WALK, 1e-4);
    let rates = stage.rates();
    assert_eq!(stage.ask(WALK, 1.0), Some(0));
    assert_eq!((stage.rates(), stage.state.substate_speed()), (rates, 1.0));
}

/// G3: forwards the link itself, else that of any motion of the style; if either speed is negative the link of the
/// opposite direction, else the one to the default substate.
#[test]
fn links_and_their_fallbacks() {
    let mut table = human();
    let mut links: Vec<_> = table.links.iter().map(|(key, inner)| (key, inner.clone())).collect();
    links.push((NON_COMBAT.0 << 16, [(WALK.0, plays(&[8]))].into_iter().collect()));
    table.links = links.into_iter().collect();
    let stage = Stage::new(&table);
    let table = stage.library.table(stage.table);
    let link = |from, from_speed, to, speed| {
        let link = table.link(NON_COMBAT, from, from_speed, to, speed)?;
        let span = table.anims(link).first()?.span?;
        Some(stage.library.clip(stage.library.span_of(span).clip).animation().id().0)
    };
    assert_eq!(link(READY, 1.0, RUN, 2.0), Some(4));
    assert_eq!(link(RUN, 1.0, WALK, 1.0), Some(8), "of any motion of the style");
    assert_eq!(link(READY, 1.0, RUN, -1.0), Some(5), "the opposite direction");
    assert_eq!(link(READY, -1.0, RUN, 1.0), Some(5), "one negative speed is enough");
    assert_eq!(link(RUN, -1.0, WALK, -1.0), Some(5), "to the default substate");
    assert_eq!(link(READY, -1.0, WALK, 1.0), None, "not of any motion backwards");
    assert_eq!(link(READY, 0.0, RUN, 0.0), Some(4), "zero is positive");
}

/// G4, R2: a style without a cycle of its own takes the default style's; for actions it needs its own.
#[test]
fn a_cycle_is_borrowed_from_the_default_style() {
    let mut stage = Stage::new(&fixture());
    stage.ask(SWORD, 1.0);
    stage.sequence.remove_all_links(&stage.library);
    assert_eq!(stage.ask(WALK, 1.0), Some(0));
    assert_eq!((stage.state.substate(), stage.plays()), (WALK, vec![2]));
    assert_eq!(stage.ask(CHEER, 1.0), None);
}

/// G4: from a cycle that runs backwards to one that runs forwards, the link back is played backwards.
#[test]
fn a_link_back_is_played_backwards() {
    let mut stage = Stage::new(&human());
    stage.ask(RUN, -1.0);
    stage.sequence.remove_all_links(&stage.library);
    // The way from ready to run, backwards.
    assert_eq!(stage.ask(READY, 1.0), Some(1));
    assert_eq!((stage.plays(), stage.rates()), (vec![4, 1], vec![-30.0, 30.0]));
}

/// G4: walking back is walking at a negative speed, by way of standing, with the links the other way round.
#[test]
fn turning_round_goes_by_way_of_standing() {
    let mut stage = Stage::new(&fixture());
    stage.ask(WALK, 1.0);
    stage.sequence.remove_all_links(&stage.library);
    assert_eq!(stage.ask(WALK, -0.65), Some(2));
    // Walk to ready at the old speed; then the link of walk to ready, backwards.
    assert_eq!((stage.plays(), stage.rates()), (vec![5, 5, 2], vec![30.0, -19.5, -19.5]));
}

/// H2: an animation that is missing is not played, but it is waited for (`num_anims` counts it). Q3: a cycle without any
/// waits for 2³² − 1.
#[test]
fn missing_animations_count() {
    let mut table = fixture();
    table.cycles = [(key(NON_COMBAT, READY), plays(&[1])), (key(NON_COMBAT, WALK), plays(&[101, 102, 2]))]
        .into_iter()
        .collect();
    let mut stage = Stage::new(&table);
    assert_eq!(stage.ask(WALK, 1.0), Some(3));
    assert_eq!(stage.plays(), [4, 2]);
    assert_eq!(stage.library.missing().len(), 2);
    table.cycles = [(key(NON_COMBAT, READY), plays(&[]))].into_iter().collect();
    let mut stage = Stage::new(&table);
    assert_eq!(stage.walker().set_default(), Some(u32::MAX));
}

/// P1, with run as default and rate 2: turn, run, release the turn, release the run.
#[test]
fn turning_and_running() {
    let mut stage = Stage::new(&human());
    assert_eq!(stage.ask(TURN, 1.5), Some(0));
    assert_eq!((stage.state.substate(), stage.omega()), (TURN, -2.25));
    stage.ask(RUN, 2.0);
    assert_eq!((stage.state.substate(), stage.modifiers()), (RUN, vec![(TURN, 1.5)]));
    assert_eq!((stage.velocity(), stage.omega()), (8.0, -2.25), "the turn on top of the run");
    assert_eq!(stage.walker().stop(TURN), Some(0));
    assert_eq!((stage.velocity(), stage.omega()), (8.0, 0.0));
    assert_eq!(stage.walker().stop(RUN), Some(1));
    assert_eq!((stage.state.substate(), stage.velocity()), (READY, 0.0));
}

/// G8: released in the other order, the turn becomes the cycle again.
#[test]
fn a_turn_becomes_the_cycle_again() {
    let mut stage = Stage::new(&human());
    stage.ask(RUN, 2.0);
    stage.ask(TURN, 1.5);
    assert_eq!(stage.modifiers(), [(TURN, 1.5)], "only from standing is it a cycle");
    stage.walker().stop(RUN);
    assert_eq!((stage.state.substate(), stage.modifiers(), stage.omega()), (TURN, vec![], -2.25));
}

/// P3: "Ready" does not end a turn in place, unless it comes as a stop.
#[test]
fn ready_does_not_end_a_turn() {
    let mut stage = Stage::new(&human());
    stage.ask(TURN, 1.5);
    let before = (stage.state.clone(), stage.sequence.clone());
    assert_eq!(stage.ask(READY, 1.0), Some(0));
    assert_eq!((&stage.state, &stage.sequence), (&before.0, &before.1));
    stage.walker().stop(TURN);
    assert_eq!(stage.state.substate(), READY);
}

/// A body with its queue that notes what is over, and may do something about it.
struct Performer {
    library: Library,
    animator: Animator,
    done: Vec<(MotionCommand, bool)>,
    /// What it asks for, once, when the first motion is over.
    encore: Option<MotionCommand>,
    /// Leaves the world, once, when the first motion is over.
    leaves: bool,
}

impl MotionHost for Performer {
    fn animator(&mut self) -> &mut Animator {
        &mut self.animator
    }

    fn motion_done(&mut self, motion: MotionCommand, success: bool) {
        self.done.push((motion, success));
        if let Some(encore) = self.encore.take() {
            let _ = self.animator.do_motion(&self.library, encore, 1.0);
        }
        if std::mem::take(&mut self.leaves) {
            exit_world(self);
        }
    }
}

impl Performer {
    fn new(table: &MotionTable) -> Self {
        let mut library = Library::new();
        let table = library.add_table(table, &Clips);
        let mut animator = Animator::new(Some(table));
        animator.initialize(&library).expect("a table");
        let mut performer = Self { library, animator, done: Vec::new(), encore: None, leaves: false };
        check_for_completed_motions(&mut performer);
        performer.done.clear();
        performer
    }

    fn ask(&mut self, motion: MotionCommand) {
        self.animator.do_motion(&self.library, motion, 1.0).expect("the table has it");
    }

    fn pending(&self) -> Vec<(MotionCommand, u32)> {
        self.animator.pending().map(|pending| (pending.motion, pending.num_anims)).collect()
    }

    /// One tick as an entity makes it.
    fn tick(&mut self) {
        let mut hooks = HookBuffer::new();
        self.animator.update(&self.library, 1.0 / 30.0, None, Some(&mut hooks));
        for _ in hooks.events().iter().filter(|event| event.is_node_end()) {
            animation_done(self, true);
        }
        check_for_completed_motions(self);
    }
}

/// P4: an action of two animations is over when both have been played; then it is off the list.
#[test]
fn an_action_is_over_when_its_animations_are() {
    let mut performer = Performer::new(&human());
    performer.ask(CHEER);
    assert_eq!(performer.pending(), [(CHEER, 2)]);
    for tick in 1..=8 {
        assert!(performer.done.is_empty(), "tick {tick}");
        performer.tick();
    }
    assert_eq!((performer.done.as_slice(), performer.pending()), (&[(CHEER, true)][..], vec![]));
    assert_eq!((performer.animator.state().actions().len(), performer.animator.counter()), (0, 0));
}

/// G16: run, stop, run before the first start has been played: the two later links are not played at all.
#[test]
fn what_leads_back_to_the_same_is_skipped() {
    let mut performer = Performer::new(&human());
    performer.ask(RUN);
    performer.animator.stop_motion(&performer.library, RUN).expect("it runs");
    performer.ask(RUN);
    assert_eq!(performer.pending(), [(RUN, 1), (READY, 0), (RUN, 0)]);
    let plays: Vec<u32> =
        performer.animator.sequence().nodes(&performer.library).map(|node| node.id().0).collect();
    assert_eq!(plays, [4, 2]);
    // With an action in between nothing is skipped.
    let mut performer = Performer::new(&human());
    for motion in [RUN, CHEER] {
        performer.ask(motion);
    }
    performer.animator.stop_motion(&performer.library, RUN).expect("it runs");
    performer.ask(RUN);
    assert_eq!(performer.pending().iter().map(|pending| pending.1 > 0).collect::<Vec<_>>(), [true; 4]);
}

/// G16: a style finds its earlier self even if that has nothing to wait for; plain cycles between do not matter.
#[test]
fn a_style_finds_its_earlier_self() {
    let mut table = fixture();
    table.links = [
        (key(NON_COMBAT, WALK), [(READY.0, plays(&[5]))].into_iter().collect()),
        (key(SWORD, READY), [(NON_COMBAT.0, plays(&[8]))].into_iter().collect()),
    ]
    .into_iter()
    .collect();
    let mut performer = Performer::new(&table);
    for motion in [SWORD, NON_COMBAT, WALK] {
        performer.ask(motion);
    }
    assert_eq!(performer.pending(), [(SWORD, 0), (NON_COMBAT, 1), (WALK, 0)]);
    performer.ask(SWORD);
    assert_eq!(performer.pending(), [(SWORD, 0), (NON_COMBAT, 0), (WALK, 0), (SWORD, 0)]);
}

#[test]
fn entering_and_leaving_the_world_end_everything() {
    for enters in [true, false] {
        let mut performer = Performer::new(&human());
        performer.ask(RUN);
        performer.ask(CHEER);
        if enters {
            let mut library = Library::new();
            std::mem::swap(&mut library, &mut performer.library);
            enter_world(&mut performer, &library);
            assert_eq!(performer.animator.sequence().nodes(&library).len(), 1, "links are not played");
        } else {
            exit_world(&mut performer);
        }
        assert_eq!(performer.done, [(RUN, false), (CHEER, false)]);
        assert_eq!((performer.pending(), performer.animator.counter()), (vec![], 0));
        assert_eq!(performer.animator.state().actions().len(), 0);
    }
}

/// R1: a count of 2³² − 1 does not take for ever.
#[test]
fn a_wrapped_count_is_forced_to_its_end() {
    let mut table = human();
    table.cycles = [(key(NON_COMBAT, READY), plays(&[]))].into_iter().collect();
    let mut performer = Performer::new(&table);
    assert_eq!(performer.pending(), [(READY, u32::MAX)]);
    exit_world(&mut performer);
    assert_eq!((performer.done.as_slice(), performer.pending()), (&[(READY, false)][..], vec![]));
}

/// Q2: told that a motion is over, the body asks for another. It is at the end of the queue then, and stays.
#[test]
fn a_motion_asked_for_when_another_is_over() {
    let mut performer = Performer::new(&human());
    performer.ask(CHEER);
    performer.encore = Some(RUN);
    for _ in 0..8 {
        performer.tick();
    }
    assert_eq!(performer.done, [(CHEER, true)]);
    assert_eq!(performer.pending(), [(RUN, 1)]);
}

/// Q2, `figures.md` 7: the body leaves the world while it is being told. The head is told again, and what is popped
/// afterwards is whatever the head is by then: nothing.
#[test]
fn leaving_the_world_when_a_motion_is_over() {
    let mut performer = Performer::new(&human());
    performer.ask(CHEER);
    performer.ask(TURN);
    assert_eq!(performer.pending(), [(CHEER, 2), (TURN, 0)]);
    performer.leaves = true;
    animation_done(&mut performer, false);
    assert!(performer.done.is_empty(), "one of two animations");
    animation_done(&mut performer, false);
    assert_eq!(performer.done, [(CHEER, false), (CHEER, false), (TURN, false)]);
    assert_eq!((performer.pending(), performer.animator.counter()), (vec![], 0));
}

#[test]
fn refusals_have_their_numbers() {
    let library = Library::new();
    let mut bare = Animator::new(None);
    assert_eq!(bare.do_motion(&library, RUN, 1.0), Err(MotionError::NoMotionTable));
    assert_eq!(MotionError::NoMotionTable.code(), 7);
    let mut performer = Performer::new(&human());
    let refused = performer.animator.do_motion(&performer.library, SWORD, 1.0);
    assert_eq!(refused.map_err(MotionError::code), Err(0x43));
    assert_eq!(performer.animator.stop_motion(&performer.library, RUN), Err(MotionError::NoMotionData));
    assert_eq!(performer.pending(), [], "what is refused is not waited for");
}
