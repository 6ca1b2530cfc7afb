//! The built-in dataset matches the recorded figures, and its motions are consistent.

use std::collections::BTreeMap;
use std::sync::Arc;

use acmotion_dat::mannequin::scripts;
use acmotion_dat::motion_table::cycle_key;
use acmotion_dat::{
    Animation, AnyObject, Assets, Dat, DatError, DataId, DataSet, HookDirection, HookEffect, MotionData,
    MotionFlags, MotionTable, ObjectKind, Setup, mannequin,
};
use acmotion_types::{Frame, MotionCommand as Motion, Vec3};

/// A motion of a table, with a name for failure messages.
struct NamedMotion<'a> {
    name: String,
    motion: &'a MotionData,
    kind: MotionKind,
}

#[derive(Clone, Copy, PartialEq)]
enum MotionKind {
    Cycle { style: u32, motion: u32 },
    Link { style: u32, from: u32, to: u32 },
}

fn all_motions(table: &MotionTable) -> Vec<NamedMotion<'_>> {
    let cycles = table.cycles.iter().map(|(key, motion)| {
        let kind = MotionKind::Cycle { style: key >> 16, motion: key & 0xFFFF };
        NamedMotion { name: format!("cycle {key:08X}"), motion, kind }
    });
    let links = table.links.iter().flat_map(|(key, inner)| {
        inner.iter().map(move |(to, motion)| {
            let kind = MotionKind::Link { style: key >> 16, from: key & 0xFFFF, to };
            NamedMotion { name: format!("link {key:08X} > {}", Motion(to)), motion, kind }
        })
    });
    cycles.chain(links).collect()
}

/// The styles of the humanoid.
const STYLES: [Motion; 5] =
    [Motion::NON_COMBAT, Motion::HAND_COMBAT, Motion::SWORD_COMBAT, Motion::BOW_COMBAT, Motion::MAGIC];

fn human() -> (Assets, Arc<Setup>, Arc<MotionTable>) {
    body(mannequin::HUMAN_SETUP)
}

fn body(setup: DataId) -> (Assets, Arc<Setup>, Arc<MotionTable>) {
    let assets = Assets::mannequin();
    let setup = assets.setup(setup).unwrap();
    let table = assets.motion_table(setup.default_motion_table).unwrap();
    (assets, setup, table)
}

fn bodies() -> [(Assets, Arc<Setup>, Arc<MotionTable>); 3] {
    [mannequin::HUMAN_SETUP, mannequin::BEAST_SETUP, mannequin::DOOR_SETUP].map(body)
}

fn cycle(table: &MotionTable, style: Motion, motion: Motion) -> &MotionData {
    table.cycles.get(cycle_key(style, motion)).unwrap()
}

fn link(table: &MotionTable, style: Motion, from: Motion, to: Motion) -> &MotionData {
    table.links.get(cycle_key(style, from)).unwrap().get(to.0).unwrap()
}

fn played(assets: &Assets, motion: &MotionData) -> Arc<Animation> {
    assert_eq!(motion.anims.len(), 1);
    assets.animation(motion.anims[0].animation).unwrap()
}

/// Returns the distance that forward playback moves the body: the sum of all frames but the last.
fn distance(animation: &Animation) -> f32 {
    let frames = animation.position_frames();
    frames[..frames.len() - 1].iter().map(|frame| frame.origin.y).sum()
}

#[track_caller]
fn assert_near(value: f32, expected: f32, tolerance: f32) {
    assert!((value - expected).abs() <= tolerance, "found {value}, expected {expected} ± {tolerance}");
}

#[test]
fn running_and_walking_match_the_recordings() {
    let (assets, _, table) = human();
    for (motion, frames, rate, share) in
        [(Motion::RUN_FORWARD, 24, 30.0, 0.133_333), (Motion::WALK_FORWARD, 36, 66.9, 0.038_888_9)]
    {
        let data = cycle(&table, Motion::NON_COMBAT, motion);
        assert_eq!((data.velocity, data.omega, data.flags), (None, None, MotionFlags::empty()));
        assert_eq!(data.anims[0].framerate, rate);
        let animation = played(&assets, data);
        assert_eq!(animation.frame_count(), frames);
        let expected = Frame::from_origin(Vec3::new(0.0, share, 0.0));
        assert!(animation.position_frames().iter().all(|frame| *frame == expected));
    }
    let run = played(&assets, cycle(&table, Motion::NON_COMBAT, Motion::RUN_FORWARD));
    let loop_length: f32 = run.position_frames().iter().map(|frame| frame.origin.y).sum();
    assert_near(loop_length, 3.199_991_5, 1e-5);
}

#[test]
fn starting_and_stopping_a_run_match_the_recordings() {
    let (assets, _, table) = human();
    let start = link(&table, Motion::NON_COMBAT, Motion::READY, Motion::RUN_FORWARD);
    let stop = link(&table, Motion::NON_COMBAT, Motion::RUN_FORWARD, Motion::READY);
    assert_eq!((start.anims[0].framerate, stop.anims[0].framerate), (30.0, 30.0));
    let (start, stop) = (played(&assets, start), played(&assets, stop));
    assert_eq!(start.frame_count(), 12);
    assert_near(distance(&start), 1.0330, 2e-5);
    assert_near(distance(&stop), 0.788_44, 2e-5);
    for link in [start, stop] {
        assert_eq!(
            link.position_frames().last(),
            Some(&Frame::IDENTITY),
            "never applied in forward playback (rule H11)"
        );
    }
}

#[test]
fn turning_matches_the_recordings() {
    let (assets, _, table) = human();
    let omega = Some(Vec3::new(0.0, 0.0, -1.5));
    let turn = cycle(&table, Motion::NON_COMBAT, Motion::TURN_RIGHT);
    assert_eq!((turn.omega, turn.velocity, turn.flags.bits()), (omega, None, 2));
    assert_eq!(turn.anims[0].framerate, 30.0);
    assert!(played(&assets, turn).position_frames().is_empty());
    for key in [cycle_key(Motion::NON_COMBAT, Motion::TURN_RIGHT), Motion::TURN_RIGHT.0 & 0xFF_FFFF] {
        let modifier = table.modifiers.get(key).unwrap();
        assert_eq!((modifier.omega, modifier.velocity), (omega, None));
    }
}

#[test]
fn sidestepping_is_a_cycle_and_a_modifier() {
    let (assets, _, table) = human();
    let side = cycle(&table, Motion::NON_COMBAT, Motion::SIDE_STEP_RIGHT);
    assert_eq!(side.flags, MotionFlags::ONLY_FROM_DEFAULT);
    let animation = played(&assets, side);
    for frame in animation.position_frames() {
        assert_near(frame.origin.x * side.anims[0].framerate, 1.25, 1e-5);
    }
    for key in [cycle_key(Motion::NON_COMBAT, Motion::SIDE_STEP_RIGHT), Motion::SIDE_STEP_RIGHT.0 & 0xFF_FFFF]
    {
        let modifier = table.modifiers.get(key).unwrap();
        assert_eq!(modifier.velocity, Some(Vec3::new(1.25, 0.0, 0.0)));
    }
}

#[test]
fn the_humanoid_has_the_dimensions_of_a_human() {
    let (_, setup, _) = human();
    let spheres: Vec<_> =
        setup.spheres.iter().map(|s| (s.origin.x, s.origin.y, s.origin.z, s.radius)).collect();
    assert_eq!(spheres, [(0.0, 0.0, 0.475, 0.48), (0.0, 0.0, 1.35, 0.48)]);
    assert_eq!((setup.height, setup.radius), (1.835, 0.678_822_5));
    assert_eq!((setup.step_up, setup.step_down), (0.6, 1.5));
    assert_eq!(setup.parts.len(), 19);
    assert_eq!(setup.holding_locations.iter().map(|location| location.key).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(setup.placements.iter().map(|(key, _)| *key).collect::<Vec<_>>(), [0, 0x65]);
    assert_eq!(setup.default_motion_table, mannequin::HUMAN_TABLE);
}

#[test]
fn every_style_has_the_basic_cycles_and_links() {
    let (_, _, table) = human();
    for style in STYLES {
        assert_eq!(table.style_defaults.get(style.0), Some(&Motion::READY));
        for motion in [
            Motion::READY,
            Motion::WALK_FORWARD,
            Motion::RUN_FORWARD,
            Motion::TURN_RIGHT,
            Motion::SIDE_STEP_RIGHT,
            Motion::FALLING,
            Motion::DEAD,
        ] {
            cycle(&table, style, motion);
            if motion != Motion::READY {
                link(&table, style, Motion::READY, motion);
            }
            // The link back to Ready also starts motions at negative speed (rule G3).
            if motion != Motion::READY && motion != Motion::DEAD {
                link(&table, style, motion, Motion::READY);
            }
        }
        if style != Motion::NON_COMBAT {
            link(&table, Motion::NON_COMBAT, Motion::READY, style);
            link(&table, style, Motion::READY, Motion::NON_COMBAT);
        }
        let none =
            table.links.get(cycle_key(style, Motion::READY)).and_then(|inner| inner.get(Motion::READY.0));
        assert!(none.is_none(), "a change of sign would play it (rule G4)");
    }
}

#[test]
fn every_attack_hook_follows_a_sound() {
    let mut attacks = 0;
    for (assets, _, table) in bodies() {
        for named in all_motions(&table) {
            let animation = played(&assets, named.motion);
            let mut sounds = 0;
            for frame in 0..animation.frame_count() {
                for hook in animation.hooks(frame) {
                    match hook.effect {
                        HookEffect::SoundTable(_) => sounds += 1,
                        HookEffect::Attack(cone) => {
                            assert!(
                                sounds > 0,
                                "{}: no sound before the attack on frame {frame}",
                                named.name
                            );
                            assert!(cone.radius > 0.0 && cone.height > 0.0);
                            assert!((cone.part as usize) < animation.part_count());
                            sounds = 0;
                            attacks += 1;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    assert!(attacks >= 20, "{attacks} attacks");
}

/// Returns the frame and the effect of each hook that plays forward.
fn effects(animation: &Animation) -> Vec<(usize, HookEffect)> {
    let hooks = |frame| animation.hooks(frame).iter().map(move |hook| (frame, hook.effect));
    (0..animation.frame_count()).flat_map(hooks).collect()
}

#[test]
fn every_casting_gesture_calls_a_script_that_exists() {
    let (assets, _, table) = human();
    let gestures = [
        (Motion::CAST_SPELL, scripts::BURST),
        (Motion::MAGIC_BLAST, scripts::BURST),
        (Motion::MAGIC_HEAL, scripts::BLESSING),
        (Motion::MAGIC_SELF_HEART, scripts::BLESSING),
        (Motion::MAGIC_THROW_MISSILE, scripts::BURST),
    ];
    for (motion, expected) in gestures {
        let animation = played(&assets, link(&table, Motion::MAGIC, Motion::READY, motion));
        let calls: Vec<_> = effects(&animation)
            .into_iter()
            .filter_map(|(frame, effect)| match effect {
                HookEffect::CallPes { script, pause } => Some((frame, script, pause)),
                _ => None,
            })
            .collect();
        assert_eq!(calls, [(13, expected, 0.0)], "{motion}");
        assert!(animation.frame_count() > 14, "hooks on the last frame never fire (rule H12)");
        assert_eq!(assets.physics_script(expected).unwrap().id, expected);
    }
}

/// Every emitter that a script creates is destroyed, a script calls only others that exist, and times ascend.
#[test]
fn scripts_are_complete() {
    let assets = Assets::mannequin();
    let mut calls = 0;
    for (id, length) in [(scripts::BURST, 1.0), (scripts::BLESSING, 1.5)] {
        let script = assets.physics_script(id).unwrap();
        assert_eq!(script.length(), length);
        assert!(script.hooks.is_sorted_by(|a, b| a.start <= b.start));
        assert!(script.hooks.iter().all(|entry| entry.hook.direction == HookDirection::FORWARD));
        let (mut created, mut destroyed) = (Vec::new(), Vec::new());
        for entry in &script.hooks {
            match entry.hook.effect {
                HookEffect::CreateParticle(spec) => {
                    assert_eq!(spec.emitter_info, mannequin::EMITTER);
                    created.push(spec.emitter);
                }
                HookEffect::DestroyParticle(emitter) => destroyed.push(emitter),
                HookEffect::Sound(wave) | HookEffect::SoundTweaked { wave, .. } => {
                    assert_eq!(wave, mannequin::WAVE);
                }
                HookEffect::CallPes { script, pause } => {
                    assert!(script != id && pause > 0.0 && assets.physics_script(script).is_ok());
                    calls += 1;
                }
                _ => {}
            }
        }
        assert_eq!(created, destroyed);
        assert_eq!(created.len(), 1);
    }
    assert_eq!(calls, 1);
    assert_eq!(assets.physics_script(DataId(0x3300_0099)), Err(DatError::NotFound(DataId(0x3300_0099))));
}

/// Each item has placements for where it is held, and that is a part of the humanoid: the sword in the right hand, in and
/// out of combat, the bow in the left one, the shield on the arm.
#[test]
fn items_fit_where_they_are_held() {
    let (assets, setup, _) = human();
    for (item, location, placements) in [
        (mannequin::SWORD_SETUP, 1, &[1, 2, 0x65][..]),
        (mannequin::BOW_SETUP, 2, &[3, 0x65]),
        (mannequin::SHIELD_SETUP, 3, &[6, 0x65]),
    ] {
        let held = setup.holding_locations.iter().find(|held| held.key == location).unwrap();
        assert!((held.part as usize) < setup.parts.len());
        let item = assets.setup(item).unwrap();
        for placement in placements {
            let (_, pose) = item.placements.iter().find(|(key, _)| key == placement).unwrap();
            assert_eq!(pose.parts.len(), item.parts.len());
        }
    }
}

/// In each aim, the bow hand is ahead of the body, and higher or lower as the aim is. The arrow leaves on an attack hook
/// of the link to Reload.
#[test]
fn the_bow_points_where_it_aims() {
    const LEFT_HAND: usize = 10;
    let (assets, _, table) = human();
    let hand = |motion| played(&assets, cycle(&table, Motion::BOW_COMBAT, motion)).pose(0)[LEFT_HAND].origin;
    let level = hand(Motion::AIM_LEVEL);
    assert!(level.y > 0.55 && level.x.abs() < 0.2, "{level:?}");
    for (higher, lower) in [
        (Motion::AIM_HIGH_30, Motion::AIM_HIGH_15),
        (Motion::AIM_HIGH_15, Motion::AIM_LEVEL),
        (Motion::AIM_LEVEL, Motion::AIM_LOW_15),
        (Motion::AIM_LOW_15, Motion::AIM_LOW_30),
    ] {
        assert!(
            hand(higher).z > hand(lower).z + 0.08,
            "{higher} {:?}, {lower} {:?}",
            hand(higher),
            hand(lower)
        );
        let shot = played(&assets, link(&table, Motion::BOW_COMBAT, higher, Motion::RELOAD));
        let hits: Vec<usize> = effects(&shot)
            .into_iter()
            .filter_map(|(frame, effect)| matches!(effect, HookEffect::Attack(_)).then_some(frame))
            .collect();
        assert_eq!(hits, [2], "{higher}");
    }
}

#[test]
fn the_door_becomes_ethereal_or_solid_on_its_second_frame() {
    let (assets, setup, table) = body(mannequin::DOOR_SETUP);
    assert_eq!(setup.parts.len(), 2);
    assert_eq!(table.style_defaults.get(table.default_style.0), Some(&Motion::OFF));
    for (from, to, ethereal) in [(Motion::OFF, Motion::ON, true), (Motion::ON, Motion::OFF, false)] {
        let animation = played(&assets, link(&table, Motion::NON_COMBAT, from, to));
        let found: Vec<_> = (0..animation.frame_count())
            .flat_map(|frame| animation.hooks(frame).iter().map(move |hook| (frame, hook.effect)))
            .filter(|(_, effect)| matches!(effect, HookEffect::Ethereal(_)))
            .collect();
        assert_eq!(found, [(1, HookEffect::Ethereal(ethereal.into()))]);
        let resting = played(&assets, cycle(&table, Motion::NON_COMBAT, to));
        assert_eq!(resting.frame_count(), 1);
        assert_near(max_distance(animation.pose(animation.frame_count() - 1), resting.pose(0)), 0.0, 1e-6);
    }
}

#[test]
fn footsteps_are_on_frames_that_fire_in_their_direction() {
    let (assets, _, table) = human();
    for motion in [Motion::WALK_FORWARD, Motion::RUN_FORWARD, Motion::SIDE_STEP_RIGHT, Motion::TURN_RIGHT] {
        let animation = played(&assets, cycle(&table, Motion::NON_COMBAT, motion));
        let mut footsteps = [0, 0];
        for frame in 0..animation.frame_count() {
            for hook in animation.hooks(frame) {
                if hook.direction == HookDirection::FORWARD {
                    assert!(
                        frame + 1 < animation.frame_count(),
                        "{motion}: hooks on the last frame never fire (rule H12)"
                    );
                    footsteps[0] += 1;
                } else {
                    assert_eq!(hook.direction, HookDirection::BACKWARD);
                    assert!(frame > 0, "{motion}: hooks on the first frame never fire backwards (rule H12)");
                    footsteps[1] += 1;
                }
            }
        }
        assert_eq!(footsteps, [2, 2], "{motion}");
    }
    for (from, to) in [(Motion::READY, Motion::RUN_FORWARD), (Motion::RUN_FORWARD, Motion::READY)] {
        let animation = played(&assets, link(&table, Motion::NON_COMBAT, from, to));
        let last = animation.frame_count() - 1;
        let count = |frames: std::ops::Range<usize>, direction| {
            frames.flat_map(|frame| animation.hooks(frame)).filter(|hook| hook.direction == direction).count()
        };
        assert!(
            count(0..last, HookDirection::FORWARD) > 0 && count(1..last + 1, HookDirection::BACKWARD) > 0
        );
    }
}

#[test]
fn every_motion_has_all_parts_and_a_valid_frame_range() {
    for (assets, setup, table) in bodies() {
        for named in all_motions(&table) {
            let animation = played(&assets, named.motion);
            let anim = named.motion.anims[0];
            assert_eq!(animation.part_count(), setup.parts.len(), "{}", named.name);
            let frames = animation.frame_count() as i32;
            assert!(anim.low >= 0 && anim.low < frames && anim.high < frames, "{}", named.name);
            assert!(anim.high == -1 || anim.low <= anim.high, "{}", named.name);
            assert!(anim.framerate > 0.0);
            let positions = animation.position_frames().len();
            assert!(positions == 0 || positions == animation.frame_count());
        }
    }
}

#[test]
fn all_frames_are_finite_and_normalised() {
    for (assets, _, table) in bodies() {
        for named in all_motions(&table) {
            let animation = played(&assets, named.motion);
            let poses = (0..animation.frame_count()).flat_map(|frame| animation.pose(frame));
            for frame in poses.chain(animation.position_frames()) {
                assert!(frame.is_valid() && frame.origin.is_finite(), "{}: {frame:?}", named.name);
                assert_near(frame.rotation.dot(frame.rotation), 1.0, 1e-5);
            }
        }
    }
}

#[test]
fn every_object_decodes_and_encodes_to_its_bytes() {
    let dat = Dat::from_bytes(mannequin::dat_file()).unwrap();
    let mut kinds = BTreeMap::new();
    for entry in dat.entries() {
        let entry = entry.unwrap();
        let bytes = dat.read(&entry).unwrap();
        let kind = ObjectKind::of(entry.id, DataSet::Portal);
        let object = AnyObject::decode(kind, entry.id, &bytes).unwrap();
        assert_eq!(object.encode(), bytes.as_ref(), "{}", entry.id);
        *kinds.entry(kind.name()).or_insert(0) += 1;
    }
    // Bodies, then the town: four round objects; two buildings, nine obstacles, four steps, four round objects.
    assert_eq!(kinds["Setup"], 8 + 4);
    assert_eq!(kinds["MotionTable"], 3);
    assert_eq!(kinds["GfxObj"], 19 + 18 + 2 + 5 + 2 + 9 + 4 + 4);
    assert_eq!(kinds["Surface"], 24);
    assert_eq!(kinds["PhysicsScript"], 2);
    assert_eq!((kinds["Region"], kinds["Environment"]), (1, 2));
}

#[test]
fn meshes_refer_to_existing_surfaces() {
    let assets = Assets::mannequin();
    for setup in [
        mannequin::HUMAN_SETUP,
        mannequin::BEAST_SETUP,
        mannequin::DOOR_SETUP,
        mannequin::SWORD_SETUP,
        mannequin::BOW_SETUP,
        mannequin::ARROW_SETUP,
        mannequin::SHIELD_SETUP,
        mannequin::BOLT_SETUP,
    ] {
        for part in &assets.setup(setup).unwrap().parts {
            let mesh = assets.gfx_obj(*part).unwrap();
            assert!(mesh.physics.is_some() && mesh.drawing.is_some());
            for surface in &mesh.surfaces {
                assert!(assets.dat().find(*surface).unwrap().is_some());
            }
            for vertex in &mesh.vertices {
                assert_near(vertex.normal.length(), 1.0, 1e-4);
            }
        }
    }
}

/// A solid is convex if all its corners lie behind the plane of each face, which the trees rely on. Heads are left
/// out, because they consist of several solids.
#[test]
fn part_meshes_are_convex() {
    let mut faults = Vec::new();
    for (setup, head) in [(mannequin::HUMAN_SETUP, 4), (mannequin::BEAST_SETUP, 3)] {
        let (assets, setup, _) = body(setup);
        for (index, part) in setup.parts.iter().enumerate().filter(|(index, _)| *index != head) {
            let mesh = assets.gfx_obj(*part).unwrap();
            for (key, polygon) in mesh.drawing.as_ref().unwrap().polygons.iter() {
                let first = &mesh.vertices[polygon.vertices[0] as usize];
                let heights =
                    mesh.vertices.iter().map(|vertex| first.normal.dot(vertex.position - first.position));
                let highest = heights.fold(0.0, f32::max);
                if highest > 2e-4 {
                    faults.push(format!("part {index}, face {key}: a corner {highest} m in front of it"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Returns the largest distance between the same part of two poses.
fn max_distance(a: &[Frame], b: &[Frame]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a.origin - b.origin).length()).fold(0.0, f32::max)
}

/// Returns the largest distance that a part moves between two frames of an animation.
fn largest_step(animation: &Animation) -> f32 {
    (1..animation.frame_count())
        .map(|frame| max_distance(animation.pose(frame - 1), animation.pose(frame)))
        .fold(0.0, f32::max)
}

#[test]
fn the_last_frame_of_a_loop_leads_into_its_first() {
    for (assets, _, table) in bodies() {
        for named in all_motions(&table) {
            if let MotionKind::Cycle { .. } = named.kind {
                let animation = played(&assets, named.motion);
                let gap = max_distance(animation.pose(animation.frame_count() - 1), animation.pose(0));
                let step = largest_step(&animation);
                assert!(gap <= 1.05 * step + 1e-5, "{}: gap {gap}, largest step {step}", named.name);
            }
        }
    }
}

/// A link starts in the pose that it leaves and ends where the cycle that it enters continues.
#[test]
fn links_connect_the_cycles() {
    for (assets, _, table) in bodies() {
        let default = |style: u32| table.style_defaults.get(style | 0x8000_0000).copied().unwrap();
        let pose = |style: u32, motion: u32, frame: usize| {
            let data = table.cycles.get(style << 16 | motion & 0xFFFF).unwrap();
            let animation = played(&assets, data);
            animation.pose(frame).to_vec()
        };
        for named in all_motions(&table) {
            let MotionKind::Link { style, from, to } = named.kind else { continue };
            let animation = played(&assets, named.motion);
            let start = max_distance(animation.pose(0), &pose(style, from, 0));
            assert!(start < 1e-4, "{} starts {start} m away", named.name);
            let to = Motion(to);
            let next = if to.is_style() {
                pose(to.0 & 0xFFFF, default(to.0 & 0xFFFF).0, 0)
            } else if to.is_action() {
                pose(style, from, 0)
            } else {
                pose(style, to.0, 0)
            };
            let end = max_distance(animation.pose(animation.frame_count() - 1), &next);
            assert!(end < 0.21, "{} ends {end} m away", named.name);
            let moves = to.is_substate() && (to.is_toggle() || to.is_modifier());
            assert!(moves || end < 1e-4, "{} ends {end} m away", named.name);
        }
    }
}

/// The shins and feet of the humanoid.
const SHINS: [usize; 2] = [12, 16];
const FEET: [usize; 2] = [13, 17];
/// The lower legs of the creature, and the position of their ends in the part's axes.
const BEAST_LOWER_LEGS: [(usize, Vec3); 4] = [
    (7, Vec3::new(0.0, 0.0, -0.33)),
    (10, Vec3::new(0.0, 0.0, -0.33)),
    (13, Vec3::new(0.0, 0.0, -0.34)),
    (16, Vec3::new(0.0, 0.0, -0.34)),
];
/// The paws of the creature, and the position at which their toes touch the ground in the part's axes.
const BEAST_TOES: [(usize, Vec3); 4] = [
    (8, Vec3::new(0.0, 0.085, -0.1)),
    (11, Vec3::new(0.0, 0.085, -0.1)),
    (14, Vec3::new(0.0, 0.135, -0.18)),
    (17, Vec3::new(0.0, 0.135, -0.18)),
];
const ANKLE_IN_SHIN: Vec3 = Vec3::new(0.0, 0.0, -0.44);
const HEEL_IN_FOOT: Vec3 = Vec3::new(0.0, -0.06, -0.08);
const BALL_IN_FOOT: Vec3 = Vec3::new(0.0, 0.12, -0.08);

#[test]
fn legs_reach_their_feet() {
    let mut faults = Vec::new();
    for (setup, joints) in [
        (mannequin::HUMAN_SETUP, &SHINS.map(|shin| (shin, ANKLE_IN_SHIN))[..]),
        (mannequin::BEAST_SETUP, &BEAST_LOWER_LEGS),
    ] {
        let (assets, _, table) = body(setup);
        for named in all_motions(&table) {
            let animation = played(&assets, named.motion);
            for frame in 0..animation.frame_count() {
                let pose = animation.pose(frame);
                for (shin, ankle) in joints {
                    let gap = (pose[*shin].local_to_global(*ankle) - pose[shin + 1].origin).length();
                    if gap > 0.006 {
                        faults.push(format!(
                            "{}, frame {frame}: part {shin} ends {gap} m short of the foot",
                            named.name
                        ));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Returns the points of the feet that touch the ground, each with its part.
fn soles() -> Vec<(usize, Vec3)> {
    FEET.into_iter().flat_map(|foot| [(foot, HEEL_IN_FOOT), (foot, BALL_IN_FOOT)]).collect()
}

/// The largest distance that a planted point of the feet slides, and the number of planted points.
type Slide = (f32, usize);

/// Returns the slide between two poses while the body moves by `step`.
fn slide_between(before: &[Frame], after: &[Frame], step: &Frame, soles: &[(usize, Vec3)]) -> Slide {
    let (mut worst, mut planted) = (0.0f32, 0);
    for (part, point) in soles {
        let before = before[*part].local_to_global(*point);
        let after = after[*part].local_to_global(*point);
        if before.z < 0.002 && after.z < 0.002 {
            worst = worst.max((step.local_to_global(after) - before).length());
            planted += 1;
        }
    }
    (worst, planted)
}

/// Returns the slide within a motion and into the first frame of the following cycle, which may be the motion itself.
fn slide(assets: &Assets, motion: &MotionData, next: &MotionData, soles: &[(usize, Vec3)]) -> Slide {
    let (animation, following) = (played(assets, motion), played(assets, next));
    let last = animation.frame_count() - 1;
    let step = |animation: &Animation, frame: usize| {
        let mut step = animation.position_frames().get(frame).copied().unwrap_or_default();
        let turn = next.omega.unwrap_or_default() * (1.0 / motion.anims[0].framerate);
        step.rotate_local(turn);
        step
    };
    // The root motion of a frame is applied when playback leaves it; entering a node applies its first (rules H9,
    // H11).
    let within = (0..last).map(|frame| {
        slide_between(animation.pose(frame), animation.pose(frame + 1), &step(&animation, frame), soles)
    });
    let over = slide_between(animation.pose(last), following.pose(0), &step(&following, 0), soles);
    within
        .chain([over])
        .fold((0.0, 0), |(worst, planted), (slide, count)| (worst.max(slide), planted + count))
}

#[test]
fn planted_feet_do_not_slide() {
    let mut faults = Vec::new();
    let mut check = |name: String, (worst, planted): (f32, usize), min_planted: usize| {
        if worst > 0.002 || planted < min_planted {
            faults.push(format!("{name}: a foot slides {worst} m, {planted} planted points"));
        }
    };
    let (assets, _, table) = human();
    for style in STYLES {
        for motion in [Motion::WALK_FORWARD, Motion::RUN_FORWARD, Motion::SIDE_STEP_RIGHT, Motion::TURN_RIGHT]
        {
            let data = cycle(&table, style, motion);
            check(format!("{style} {motion}"), slide(&assets, data, data, &soles()), 12);
        }
        for (from, to) in [
            (Motion::READY, Motion::RUN_FORWARD),
            (Motion::RUN_FORWARD, Motion::READY),
            (Motion::READY, Motion::WALK_FORWARD),
            (Motion::WALK_FORWARD, Motion::READY),
            (Motion::RUN_FORWARD, Motion::WALK_FORWARD),
            (Motion::WALK_FORWARD, Motion::RUN_FORWARD),
        ] {
            let (link, next) = (link(&table, style, from, to), cycle(&table, style, to));
            check(format!("{style} {from} > {to}"), slide(&assets, link, next, &soles()), 3);
        }
    }
    let (assets, _, table) = body(mannequin::BEAST_SETUP);
    for motion in [Motion::WALK_FORWARD, Motion::RUN_FORWARD, Motion::TURN_RIGHT] {
        let data = cycle(&table, Motion::NON_COMBAT, motion);
        check(format!("creature, {motion}"), slide(&assets, data, data, &BEAST_TOES), 8);
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_foot_is_always_on_the_ground_except_in_a_run() {
    let (assets, _, table) = human();
    for motion in [Motion::READY, Motion::WALK_FORWARD, Motion::TURN_RIGHT, Motion::SIDE_STEP_RIGHT] {
        let animation = played(&assets, cycle(&table, Motion::NON_COMBAT, motion));
        for frame in 0..animation.frame_count() {
            let pose = animation.pose(frame);
            let heights = soles().into_iter().map(|(foot, point)| pose[foot].local_to_global(point).z);
            let lowest = heights.fold(f32::MAX, f32::min);
            assert_near(lowest, 0.0, 0.002);
        }
    }
}

#[test]
fn no_part_sinks_into_the_ground() {
    let mut faults = Vec::new();
    for (assets, setup, table) in bodies() {
        let meshes: Vec<_> = setup.parts.iter().map(|part| assets.gfx_obj(*part).unwrap()).collect();
        for named in all_motions(&table) {
            let animation = played(&assets, named.motion);
            for frame in 0..animation.frame_count() {
                for (part, (mesh, part_frame)) in meshes.iter().zip(animation.pose(frame)).enumerate() {
                    let heights =
                        mesh.vertices.iter().map(|vertex| part_frame.local_to_global(vertex.position).z);
                    let lowest = heights.fold(f32::MAX, f32::min);
                    if lowest < -0.02 {
                        faults.push(format!("{}, frame {frame}: part {part} at {lowest}", named.name));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn the_dataset_has_the_expected_digest() {
    let bytes = mannequin::dat_file();
    assert!(Arc::ptr_eq(&bytes, &mannequin::dat_file()), "generated once");
    let digest = bytes.iter().fold(0xCBF2_9CE4_8422_2325u64, |digest, byte| {
        (digest ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    assert_eq!(
        (bytes.len(), digest),
        (3_532_800, 0x7A4C_A5FB_1096_8142),
        "update these figures if the dataset changes on purpose"
    );
}
