//! Motion tables, request by request: the examples of `docs/behaviour.md` G, and the table's part of P1, P3 and P4.

use std::sync::Arc;

use acmotion::dat::{
    AnimData, Animation, AnimationFrame, DatError, DataId, MotionData, MotionFlags, MotionTable,
};
use acmotion::internals::table::{animation_done, check_for_completed_motions, enter_world, exit_world};
use acmotion::types::{MotionCommand, Vec3};
use acmotion::{
    Animations, Animator, HookBuffer, Library, MotionError, MotionHost, MotionState, Sequence, TableDriver,
    TableId,
};

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

/// A table with two styles, links and a modifier.
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

/// A human table with run and turn; the turn is a cycle only from the default substate (P1).
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

/// A motion state and a sequence with their table, without a queue.
struct Stage {
    library: Library,
    table: TableId,
    state: MotionState,
    sequence: Sequence,
}

impl Stage {
    /// Creates a stage in the default state.
    fn new(table: &MotionTable) -> Self {
        let mut library = Library::new();
        let table = library.add_table(table, &Clips);
        let mut stage = Self { library, table, state: MotionState::new(), sequence: Sequence::new() };
        stage.driver().set_default();
        stage
    }

    fn driver(&mut self) -> TableDriver<'_> {
        TableDriver::new(&self.library, self.library.table(self.table), &mut self.state, &mut self.sequence)
    }

    fn request(&mut self, motion: MotionCommand, speed: f32) -> Option<u32> {
        self.driver().request(motion, speed)
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
fn a_walk_plays_its_links_and_stops() {
    let mut stage = Stage::new(&fixture());
    assert_eq!((stage.plays(), stage.sequence.first_cyclic_index()), (vec![1], Some(0)));
    assert_eq!(stage.request(WALK, 1.0), Some(1), "one link");
    assert_eq!((stage.plays(), stage.sequence.first_cyclic_index()), (vec![4, 2], Some(1)));
    assert_eq!(stage.velocity(), 3.12, "that of the cycle, while the link still plays (G7)");
    // A change of speed does not restart the cycle and waits for nothing.
    assert_eq!(stage.request(WALK, 2.0), Some(0));
    assert_eq!((stage.plays(), stage.rates()), (vec![4, 2], vec![30.0, 60.0]));
    assert!((stage.velocity() - 6.24).abs() < 1e-6 && stage.state.substate_speed() == 2.0);
    // The link that has not been played stays before the link back.
    assert_eq!(stage.driver().stop(WALK), Some(1));
    assert_eq!((stage.plays(), stage.state.substate()), (vec![4, 5, 1], READY));
    assert_eq!(stage.driver().stop(WALK), None, "it is stopped already");
}

#[test]
fn a_change_of_style_goes_through_the_default_substate() {
    let mut stage = Stage::new(&fixture());
    stage.request(WALK, 1.0);
    assert_eq!(stage.request(SWORD, 1.0), Some(2), "links from walk to ready and from ready to sword");
    assert_eq!(stage.plays(), [4, 5, 7, 3]);
    assert_eq!((stage.state.style(), stage.state.substate()), (SWORD, READY));
    assert_eq!(stage.request(SWORD, 1.0), Some(0), "it is the current style");
    assert_eq!(stage.request(MotionCommand::BOW_COMBAT, 1.0), None);
}

#[test]
fn an_action_returns_to_the_cycle() {
    let mut stage = Stage::new(&fixture());
    assert_eq!(stage.request(CHEER, 1.0), Some(1));
    assert_eq!((stage.plays(), stage.state.substate()), (vec![6, 1], READY));
    assert_eq!(stage.state.actions().len(), 1);
    // There is no link from walking: out to ready, the action, and back if there is a link.
    let mut stage = Stage::new(&fixture());
    stage.request(WALK, 1.0);
    assert_eq!(stage.request(CHEER, 2.0), Some(3));
    assert_eq!((stage.plays(), stage.rates()), (vec![4, 5, 6, 4, 2], vec![30.0, 30.0, 60.0, 30.0, 30.0]));
    assert_eq!(stage.state.substate(), WALK);
}

#[test]
fn a_modifier_adds_only_velocity() {
    let mut stage = Stage::new(&fixture());
    assert_eq!(stage.request(JUMP, 2.0), Some(0));
    assert_eq!((stage.plays(), stage.velocity(), stage.modifiers()), (vec![1], 2.0, vec![(JUMP, 2.0)]));
    // A second request replaces the first.
    assert_eq!(stage.request(JUMP, 3.0), Some(0));
    assert_eq!((stage.velocity(), stage.modifiers()), (3.0, vec![(JUMP, 3.0)]));
    // The walk cycle has bit 0: it clears modifiers and allows none.
    stage.request(WALK, 1.0);
    assert_eq!((stage.modifiers(), stage.velocity()), (vec![], 3.12));
    assert_eq!(stage.request(JUMP, 1.0), None);
}

#[test]
fn motions_are_refused_before_the_default_state() {
    let mut stage = Stage::new(&fixture());
    stage.state = MotionState::new();
    for motion in [READY, WALK, SWORD, CHEER, JUMP] {
        assert_eq!(stage.request(motion, 1.0), None);
    }
    assert_eq!(stage.driver().stop_completely(), (false, 0));
}

/// G6.
#[test]
fn a_cycle_at_speed_zero_is_not_restarted_by_a_new_speed() {
    let mut stage = Stage::new(&fixture());
    stage.request(WALK, 1.0);
    for (speed, rate) in [(0.0, 0.0), (2.0, 0.0), (1.0, 0.0)] {
        assert_eq!(stage.request(WALK, speed), Some(0));
        assert_eq!(stage.rates(), [30.0, rate]);
        assert!((stage.velocity() - 3.12 * speed).abs() < 1e-5, "the velocity follows all the same");
    }
}

/// G6: the same below the epsilon.
#[test]
fn a_cycle_at_almost_zero_speed_keeps_its_rate() {
    let mut stage = Stage::new(&fixture());
    stage.request(WALK, 1e-4);
    let rates = stage.rates();
    assert_eq!(stage.request(WALK, 1.0), Some(0));
    assert_eq!((stage.rates(), stage.state.substate_speed()), (rates, 1.0));
}

/// G6: a change of speed from below the epsilon to below the epsilon stops the cycle altogether.
#[test]
fn a_cycle_that_stays_at_almost_zero_speed_is_stopped() {
    let mut stage = Stage::new(&fixture());
    stage.request(WALK, 1e-4);
    assert!(stage.rates()[1] > 0.0, "it plays, if slowly");
    assert_eq!(stage.request(WALK, 1.5e-4), Some(0));
    assert_eq!(stage.rates()[1], 0.0);
}

/// G3: forwards the link itself, else that from any substate of the style; if either speed is negative, the link in the
/// opposite direction, else the one to the default substate.
#[test]
fn links_fall_back_by_direction() {
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
    assert_eq!(link(RUN, 1.0, WALK, 1.0), Some(8), "from any substate of the style");
    assert_eq!(link(READY, 1.0, RUN, -1.0), Some(5), "the opposite direction");
    assert_eq!(link(READY, -1.0, RUN, 1.0), Some(5), "one negative speed is enough");
    assert_eq!(link(RUN, -1.0, WALK, -1.0), Some(5), "to the default substate");
    assert_eq!(link(READY, -1.0, WALK, 1.0), None, "backwards, links from any substate do not count");
    assert_eq!(link(READY, 0.0, RUN, 0.0), Some(4), "zero is positive");
}

/// G4, R2: a substate may use the default style's cycle; an action needs the style's own.
#[test]
fn a_substate_falls_back_to_the_default_styles_cycle() {
    let mut stage = Stage::new(&fixture());
    stage.request(SWORD, 1.0);
    stage.sequence.remove_all_links(&stage.library);
    assert_eq!(stage.request(WALK, 1.0), Some(0));
    assert_eq!((stage.state.substate(), stage.plays()), (WALK, vec![2]));
    assert_eq!(stage.request(CHEER, 1.0), None);
}

/// G4: from a cycle that plays backwards to one that plays forwards.
#[test]
fn the_link_back_from_a_reversed_cycle_plays_backwards() {
    let mut stage = Stage::new(&human());
    stage.request(RUN, -1.0);
    stage.sequence.remove_all_links(&stage.library);
    // The link from ready to run, backwards.
    assert_eq!(stage.request(READY, 1.0), Some(1));
    assert_eq!((stage.plays(), stage.rates()), (vec![4, 1], vec![-30.0, 30.0]));
}

/// G4: walking backwards is a walk at negative speed, reached through Ready, with reversed links.
#[test]
fn a_change_of_sign_goes_through_the_default_substate() {
    let mut stage = Stage::new(&fixture());
    stage.request(WALK, 1.0);
    stage.sequence.remove_all_links(&stage.library);
    assert_eq!(stage.request(WALK, -0.65), Some(2));
    // From walk to ready at the old speed; then the same link backwards.
    assert_eq!((stage.plays(), stage.rates()), (vec![5, 5, 2], vec![30.0, -19.5, -19.5]));
}

/// H2: a missing animation is not played, but `num_anims` counts it. Q3: a cycle without animations waits for 2³² − 1.
#[test]
fn missing_animations_are_counted() {
    let mut table = fixture();
    table.cycles = [(key(NON_COMBAT, READY), plays(&[1])), (key(NON_COMBAT, WALK), plays(&[101, 102, 2]))]
        .into_iter()
        .collect();
    let mut stage = Stage::new(&table);
    assert_eq!(stage.request(WALK, 1.0), Some(3));
    assert_eq!(stage.plays(), [4, 2]);
    assert_eq!(stage.library.missing().len(), 2);
    table.cycles = [(key(NON_COMBAT, READY), plays(&[]))].into_iter().collect();
    let mut stage = Stage::new(&table);
    assert_eq!(stage.driver().set_default(), Some(u32::MAX));
}

/// P1, at run rate 2: turn, run, stop the turn, stop the run.
#[test]
fn a_turn_becomes_a_modifier_of_the_run() {
    let mut stage = Stage::new(&human());
    assert_eq!(stage.request(TURN, 1.5), Some(0));
    assert_eq!((stage.state.substate(), stage.omega()), (TURN, -2.25));
    stage.request(RUN, 2.0);
    assert_eq!((stage.state.substate(), stage.modifiers()), (RUN, vec![(TURN, 1.5)]));
    assert_eq!((stage.velocity(), stage.omega()), (8.0, -2.25), "the turn is added to the run");
    assert_eq!(stage.driver().stop(TURN), Some(0));
    assert_eq!((stage.velocity(), stage.omega()), (8.0, 0.0));
    assert_eq!(stage.driver().stop(RUN), Some(1));
    assert_eq!((stage.state.substate(), stage.velocity()), (READY, 0.0));
}

/// G8: stopped in the other order.
#[test]
fn a_turn_becomes_the_cycle_again_after_the_run() {
    let mut stage = Stage::new(&human());
    stage.request(RUN, 2.0);
    stage.request(TURN, 1.5);
    assert_eq!(stage.modifiers(), [(TURN, 1.5)], "it is a cycle only from the default substate");
    stage.driver().stop(RUN);
    assert_eq!((stage.state.substate(), stage.modifiers(), stage.omega()), (TURN, vec![], -2.25));
}

/// P3.
#[test]
fn ready_does_not_end_a_turn_in_place_but_a_stop_does() {
    let mut stage = Stage::new(&human());
    stage.request(TURN, 1.5);
    let before = (stage.state.clone(), stage.sequence.clone());
    assert_eq!(stage.request(READY, 1.0), Some(0));
    assert_eq!((&stage.state, &stage.sequence), (&before.0, &before.1));
    stage.driver().stop(TURN);
    assert_eq!(stage.state.substate(), READY);
}

/// An animator that records completed motions and may react to the first one.
struct Host {
    library: Library,
    animator: Animator,
    done: Vec<(MotionCommand, bool)>,
    /// A motion to start when the first motion is done.
    next: Option<MotionCommand>,
    /// Whether to leave the world when the first motion is done.
    exits_world: bool,
    /// A motion to start after leaving the world.
    restarts: Option<MotionCommand>,
}

impl MotionHost for Host {
    fn animator(&mut self) -> &mut Animator {
        &mut self.animator
    }

    fn motion_done(&mut self, motion: MotionCommand, success: bool) {
        self.done.push((motion, success));
        if let Some(next) = self.next.take() {
            let _ = self.animator.do_motion(&self.library, next, 1.0);
        }
        if std::mem::take(&mut self.exits_world) {
            exit_world(self);
            if let Some(motion) = self.restarts.take() {
                self.request(motion);
            }
        }
    }
}

impl Host {
    fn new(table: &MotionTable) -> Self {
        let mut library = Library::new();
        let table = library.add_table(table, &Clips);
        let mut animator = Animator::new(Some(table));
        animator.initialize(&library).expect("a table");
        let mut host =
            Self { library, animator, done: Vec::new(), next: None, exits_world: false, restarts: None };
        check_for_completed_motions(&mut host);
        host.done.clear();
        host
    }

    fn request(&mut self, motion: MotionCommand) {
        self.animator.do_motion(&self.library, motion, 1.0).expect("the table has it");
    }

    fn pending(&self) -> Vec<(MotionCommand, u32)> {
        self.animator.pending().map(|pending| (pending.motion, pending.num_anims)).collect()
    }

    /// Advances by one tick, as an entity does.
    fn tick(&mut self) {
        let mut hooks = HookBuffer::new();
        self.animator.update(&self.library, 1.0 / 30.0, None, Some(&mut hooks));
        for _ in hooks.events().iter().filter(|event| event.is_node_end()) {
            animation_done(self, true);
        }
        check_for_completed_motions(self);
    }
}

/// P4: an action of two animations.
#[test]
fn an_action_is_done_when_all_its_animations_have_played() {
    let mut host = Host::new(&human());
    host.request(CHEER);
    assert_eq!(host.pending(), [(CHEER, 2)]);
    for tick in 1..=8 {
        assert!(host.done.is_empty(), "tick {tick}");
        host.tick();
    }
    assert_eq!((host.done.as_slice(), host.pending()), (&[(CHEER, true)][..], vec![]));
    assert_eq!((host.animator.state().actions().len(), host.animator.counter()), (0, 0));
}

/// G16: run, stop and run again before the first link has played: the two later links are removed.
#[test]
fn redundant_links_are_removed() {
    let mut host = Host::new(&human());
    host.request(RUN);
    host.animator.stop_motion(&host.library, RUN).expect("it runs");
    host.request(RUN);
    assert_eq!(host.pending(), [(RUN, 1), (READY, 0), (RUN, 0)]);
    let plays: Vec<u32> = host.animator.sequence().nodes(&host.library).map(|node| node.id().0).collect();
    assert_eq!(plays, [4, 2]);
    // With an action in between, no link is removed.
    let mut host = Host::new(&human());
    for motion in [RUN, CHEER] {
        host.request(motion);
    }
    host.animator.stop_motion(&host.library, RUN).expect("it runs");
    host.request(RUN);
    assert_eq!(host.pending().iter().map(|pending| pending.1 > 0).collect::<Vec<_>>(), [true; 4]);
}

/// G16: an earlier entry of the same style counts even if it waits for nothing; substates in between do not matter.
#[test]
fn the_redundant_links_of_a_style_are_removed() {
    let mut table = fixture();
    table.links = [
        (key(NON_COMBAT, WALK), [(READY.0, plays(&[5]))].into_iter().collect()),
        (key(SWORD, READY), [(NON_COMBAT.0, plays(&[8]))].into_iter().collect()),
    ]
    .into_iter()
    .collect();
    let mut host = Host::new(&table);
    for motion in [SWORD, NON_COMBAT, WALK] {
        host.request(motion);
    }
    assert_eq!(host.pending(), [(SWORD, 0), (NON_COMBAT, 1), (WALK, 0)]);
    host.request(SWORD);
    assert_eq!(host.pending(), [(SWORD, 0), (NON_COMBAT, 0), (WALK, 0), (SWORD, 0)]);
}

#[test]
fn entering_and_leaving_the_world_complete_all_motions() {
    for enters in [true, false] {
        let mut host = Host::new(&human());
        host.request(RUN);
        host.request(CHEER);
        if enters {
            let mut library = Library::new();
            std::mem::swap(&mut library, &mut host.library);
            enter_world(&mut host, &library);
            assert_eq!(host.animator.sequence().nodes(&library).len(), 1, "links are removed");
        } else {
            exit_world(&mut host);
        }
        assert_eq!(host.done, [(RUN, false), (CHEER, false)]);
        assert_eq!((host.pending(), host.animator.counter()), (vec![], 0));
        assert_eq!(host.animator.state().actions().len(), 0);
    }
}

/// R1: a count of 2³² − 1 does not take for ever.
#[test]
fn leaving_the_world_completes_a_wrapped_count() {
    let mut table = human();
    table.cycles = [(key(NON_COMBAT, READY), plays(&[]))].into_iter().collect();
    let mut host = Host::new(&table);
    assert_eq!(host.pending(), [(READY, u32::MAX)]);
    exit_world(&mut host);
    assert_eq!((host.done.as_slice(), host.pending()), (&[(READY, false)][..], vec![]));
}

/// Q2: the new motion is at the end of the queue and stays there.
#[test]
fn a_motion_started_in_motion_done_stays_pending() {
    let mut host = Host::new(&human());
    host.request(CHEER);
    host.next = Some(RUN);
    for _ in 0..8 {
        host.tick();
    }
    assert_eq!(host.done, [(CHEER, true)]);
    assert_eq!(host.pending(), [(RUN, 1)]);
}

/// Q2: the head is reported a second time, and afterwards the present head, of which there is none, is
/// popped.
#[test]
fn leaving_the_world_in_motion_done_reports_the_head_twice() {
    let mut host = Host::new(&human());
    host.request(CHEER);
    host.request(TURN);
    assert_eq!(host.pending(), [(CHEER, 2), (TURN, 0)]);
    host.exits_world = true;
    animation_done(&mut host, false);
    assert!(host.done.is_empty(), "one of two animations has ended");
    animation_done(&mut host, false);
    assert_eq!(host.done, [(CHEER, false), (CHEER, false), (TURN, false)]);
    assert_eq!((host.pending(), host.animator.counter()), (vec![], 0));
}

/// Q2: what is subtracted from the counter is the count of the motion that was completed, here none, although the head that
/// is popped is another one by then, with a count of its own.
#[test]
fn the_count_of_the_completed_motion_is_subtracted() {
    let mut host = Host::new(&human());
    host.request(TURN);
    assert_eq!(host.pending(), [(TURN, 0)]);
    (host.exits_world, host.restarts) = (true, Some(RUN));
    check_for_completed_motions(&mut host);
    assert_eq!(host.done, [(TURN, true), (TURN, false)], "leaving the world completes it a second time");
    assert_eq!((host.pending(), host.animator.counter()), (vec![], 0), "the run was popped");

    // A motion with a count of its own leaves the counter where it was, too.
    let mut host = Host::new(&human());
    host.request(CHEER);
    host.request(CHEER);
    assert_eq!(host.pending(), [(CHEER, 2), (CHEER, 2)]);
    for counter in [1, 0, 1] {
        animation_done(&mut host, true);
        assert_eq!(host.animator.counter(), counter);
    }
}

#[test]
fn refusals_have_the_originals_codes() {
    let library = Library::new();
    let mut bare = Animator::new(None);
    assert_eq!(bare.do_motion(&library, RUN, 1.0), Err(MotionError::NoMotionTable));
    assert_eq!(MotionError::NoMotionTable.code(), 7);
    let mut host = Host::new(&human());
    let refused = host.animator.do_motion(&host.library, SWORD, 1.0);
    assert_eq!(refused.map_err(MotionError::code), Err(0x43));
    assert_eq!(host.animator.stop_motion(&host.library, RUN), Err(MotionError::NoMotionData));
    assert_eq!(host.pending(), [], "a refused motion is not pending");
}

/// Whatever played, was added or was under way: the default state has none of it (G12).
#[test]
fn the_default_state_keeps_nothing() {
    let mut stage = Stage::new(&human());
    stage.request(RUN, 2.0).unwrap();
    stage.request(TURN, 1.5).unwrap();
    stage.request(CHEER, 1.0).unwrap();
    assert_eq!((stage.state.modifiers().len(), stage.state.actions().len()), (1, 1));
    assert!(stage.sequence.velocity().y > 0.0 && stage.plays().len() > 1);
    assert_eq!(stage.driver().set_default(), Some(0));
    assert_eq!((stage.state.modifiers().len(), stage.state.actions().len()), (0, 0));
    assert_eq!((stage.state.substate(), stage.state.substate_speed()), (READY, 1.0));
    assert_eq!((stage.plays(), stage.sequence.current_index()), (vec![1], Some(0)));
    assert_eq!((stage.sequence.velocity(), stage.sequence.omega()), (Vec3::ZERO, Vec3::ZERO));
}

/// Without a style or without a substate there is nothing to start from (G4).
#[test]
fn a_state_without_style_or_substate_refuses_everything() {
    for (style, substate) in [(MotionCommand::NONE, READY), (NON_COMBAT, MotionCommand::NONE)] {
        let mut stage = Stage::new(&human());
        stage.state = MotionState::standing(style, substate, 1.0);
        assert_eq!(stage.request(RUN, 1.0), None, "{style} {substate}");
        assert_eq!(stage.request(CHEER, 1.0), None, "{style} {substate}");
    }
}

/// A style that cannot be reached directly is entered by way of the default style: out of the old one and into the new one,
/// all at the speed of the request (G4). Modifiers are applied again, and a cycle that forbids them ends them (G2, G8).
#[test]
fn a_style_is_entered_by_way_of_the_default_style() {
    let magic = MotionCommand::MAGIC;
    let mut table = fixture();
    table.style_defaults = [NON_COMBAT, SWORD, magic].map(|style| (style.0, READY)).into_iter().collect();
    table.cycles = [
        (key(NON_COMBAT, READY), plays(&[1])),
        (key(NON_COMBAT, WALK), flagged(plays(&[2]), 1, 3.12, 0.0)),
        (key(SWORD, READY), plays(&[3])),
        (key(magic, READY), plays(&[20])),
    ]
    .into_iter()
    .collect();
    let from_ready = [(WALK.0, plays(&[4])), (SWORD.0, plays(&[7])), (magic.0, plays(&[22]))];
    table.links = [
        (key(NON_COMBAT, READY), from_ready.into_iter().collect()),
        (key(SWORD, READY), [(NON_COMBAT.0, plays(&[21]))].into_iter().collect()),
    ]
    .into_iter()
    .collect();
    let mut stage = Stage::new(&table);
    stage.request(SWORD, 1.0).unwrap();
    stage.sequence.remove_all_links(&stage.library);
    assert_eq!(stage.plays(), [3]);
    assert_eq!(stage.request(magic, 1.5), Some(2));
    assert_eq!((stage.plays(), stage.rates()), (vec![21, 22, 20], vec![45.0; 3]));
    assert_eq!((stage.state.style(), stage.state.substate_speed()), (magic, 1.5));

    let mut stage = Stage::new(&table);
    stage.request(JUMP, 1.0).unwrap();
    stage.request(SWORD, 1.0).unwrap();
    assert_eq!((stage.state.modifiers().len(), stage.sequence.velocity().y), (1, 1.0), "applied again");
    let mut stage = Stage::new(&fixture());
    stage.request(JUMP, 1.0).unwrap();
    stage.request(CHEER, 1.0).unwrap();
    assert_eq!((stage.state.modifiers().len(), stage.sequence.velocity().y), (1, 1.0), "an action as well");
    let mut stage = Stage::new(&table);
    stage.request(JUMP, 1.0).unwrap();
    stage.request(WALK, 1.0).unwrap();
    assert_eq!(
        (stage.state.modifiers().len(), stage.sequence.velocity().y),
        (0, 3.12),
        "the walk allows none"
    );
}

/// A turn on top of a run ends with a style whose cycle allows no modifiers: it does not become the cycle of that style,
/// although it could be entered from there (G2, G4).
#[test]
fn a_style_that_allows_no_modifiers_ends_them() {
    let mut table = human();
    table.style_defaults = [NON_COMBAT, SWORD].map(|style| (style.0, READY)).into_iter().collect();
    table.cycles = [
        (key(NON_COMBAT, READY), plays(&[1])),
        (key(NON_COMBAT, RUN), flagged(plays(&[2]), 0, 4.0, 0.0)),
        (key(NON_COMBAT, TURN), flagged(plays(&[3]), 2, 0.0, -1.5)),
        (key(SWORD, READY), flagged(plays(&[8]), 1, 0.0, 0.0)),
    ]
    .into_iter()
    .collect();
    let mut stage = Stage::new(&table);
    stage.request(RUN, 1.0).unwrap();
    stage.request(TURN, 1.0).unwrap();
    assert_eq!(stage.state.modifiers().len(), 1);
    stage.request(SWORD, 1.0).unwrap();
    assert_eq!((stage.state.modifiers().len(), stage.state.substate()), (0, READY));
}

/// Without a direct link a cycle is entered by way of the default substate, out of the old one at its speed and into the new
/// one at the new speed (G4). An action that cannot be played from the cycle goes the same way and comes back, and what
/// modifies the cycle is applied again (G8).
#[test]
fn a_cycle_and_an_action_go_by_way_of_the_default_substate() {
    let mut table = fixture();
    table.cycles = [
        (key(NON_COMBAT, READY), plays(&[1])),
        (key(NON_COMBAT, WALK), flagged(plays(&[2]), 0, 3.12, 0.0)),
        (key(NON_COMBAT, RUN), flagged(plays(&[3]), 0, 4.0, 0.0)),
    ]
    .into_iter()
    .collect();
    table.links = [
        (key(NON_COMBAT, READY), [(RUN.0, plays(&[4]))].into_iter().collect()),
        (key(NON_COMBAT, WALK), [(READY.0, plays(&[5]))].into_iter().collect()),
    ]
    .into_iter()
    .collect();
    let mut stage = Stage::new(&table);
    stage.request(WALK, 2.0).unwrap();
    stage.sequence.remove_all_links(&stage.library);
    assert_eq!(stage.request(RUN, 3.0), Some(2));
    assert_eq!((stage.plays(), stage.rates()), (vec![5, 4, 3], vec![60.0, 90.0, 90.0]));

    let mut stage = Stage::new(&human());
    stage.request(RUN, 2.0).unwrap();
    stage.request(TURN, 1.0).unwrap();
    stage.sequence.remove_all_links(&stage.library);
    assert_eq!(stage.request(CHEER, 1.5), Some(4));
    assert_eq!((stage.plays(), stage.rates()), (vec![5, 6, 7, 4, 2], vec![30.0, 45.0, 45.0, 30.0, 60.0]));
    assert_eq!((stage.sequence.velocity().y, stage.sequence.omega().z), (8.0, -1.5));
}

/// A new speed of the same cycle changes its rate in proportion, and its velocity (G6).
#[test]
fn a_new_speed_changes_the_rate_in_proportion() {
    let mut stage = Stage::new(&human());
    stage.request(RUN, 2.0).unwrap();
    stage.sequence.remove_all_links(&stage.library);
    assert_eq!(stage.request(RUN, 3.0), Some(0));
    assert_eq!((stage.rates(), stage.sequence.velocity().y), (vec![90.0], 12.0));
}
