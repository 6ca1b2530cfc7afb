use std::collections::BTreeMap;

use acmotion::dat::mannequin::{HUMAN_SETUP, HUMAN_TABLE, SHIELD_SETUP, SWORD_SETUP};
use acmotion::dat::{Assets, DataId};
use acmotion::query::{MotionQuery, timing};
use acmotion::types::{CellId, CellPosition, Frame, Guid, MotionCommand, Vec3};
use acmotion::{EntitySpec, Library, PoseInput, World, move_by, query};
use acmotion_gltf::{
    Export, Extent, FigureOptions, GltfError, Held, Interpolation, RootMotion, all_motions, figure,
};

use crate::scene::{Scene, assert_near, children};

const WALK: MotionQuery = MotionQuery::new(MotionCommand::NON_COMBAT, MotionCommand::WALK_FORWARD);
const SLASH: MotionQuery = MotionQuery::new(MotionCommand::SWORD_COMBAT, MotionCommand::SLASH_HIGH);

fn options(motions: &[MotionQuery]) -> FigureOptions {
    FigureOptions { motions: motions.to_vec(), ..FigureOptions::default() }
}

fn human(options: &FigureOptions) -> Export {
    figure(&Assets::mannequin(), HUMAN_SETUP, options).unwrap()
}

fn parts(export: &Export) -> Vec<usize> {
    let parts = export.sidecar["nodes"]["parts"].as_array().unwrap();
    parts.iter().map(|node| node.as_u64().unwrap() as usize).collect()
}

/// Plays a motion in short ticks that have nothing to do with its key frames, and compares every part and what is held.
fn assert_plays_like_the_engine(options: &FigureOptions, query: &MotionQuery, name: &str) {
    let export = human(options);
    let seconds = export.sidecar["animations"][0]["seconds"].as_f64().unwrap();
    let scene = Scene::read(&export.glb);
    let animation = scene.animation(name);
    let keys = scene.floats(&animation["samplers"][0]["input"]);
    let mut library = Library::new();
    let table = library.load_table(&Assets::mannequin(), HUMAN_TABLE).unwrap();
    let (_, mut sequence) = query::begin(&library, library.table(table), query).unwrap();
    let (tick, mut body, mut compared) = (1.0 / 97.0_f32, Frame::IDENTITY, 0);
    let (setup, mut paths) = (Assets::mannequin().setup(HUMAN_SETUP).unwrap(), BTreeMap::new());
    for count in 1.. {
        let time = count as f32 * tick;
        if f64::from(time) >= seconds {
            break;
        }
        let mut offset = sequence.advance(&library, tick, None);
        offset.origin *= options.scale;
        move_by(&mut body, &offset);
        // At the edge of a key frame, rounding decides which one shows.
        if keys.iter().any(|key| (key - time).abs() < 1e-4) {
            continue;
        }
        let mut frames = vec![Frame::IDENTITY; parts(&export).len()];
        let input = PoseInput { sequence: &sequence, frame: &body, scale: Vec3::ONE * options.scale };
        assert_eq!(input.frames(&library, &mut frames), frames.len());
        for (node, expected) in parts(&export).iter().zip(&frames) {
            assert_near(
                &scene.frame(*node, Some((animation, time))),
                expected,
                &format!("{name} at {time} s"),
            );
            compared += 1;
        }
        for Held { setup: thing, location } in &options.held {
            let location =
                setup.holding_locations.iter().find(|known| known.key == *location as i32).unwrap();
            let expected = frames[location.part as usize].combine(&location.frame);
            let node = scene.node_named(&format!("held_{}_{thing}", location.key));
            let found = scene.frame(node, Some((animation, time)));
            assert_near(&found, &expected, &format!("{thing} at {time} s"));
            paths.entry(location.key).or_insert_with(Vec::new).push(found.origin);
        }
    }
    assert!(compared > 100, "{compared}");
    for path in paths.values() {
        assert!(path.iter().any(|point| (*point - path[0]).length() > 0.1), "what is held moves");
    }
}

#[test]
fn a_walk_moves_the_body_and_its_parts_as_the_engine_does() {
    let walk = human(&options(&[WALK]));
    let seconds = walk.sidecar["animations"][0]["seconds"].as_f64().unwrap();
    assert_plays_like_the_engine(&options(&[WALK]), &WALK, "NonCombat WalkForward");
    // It ends where the loop starts again, and has come a good way forward.
    let scene = Scene::read(&walk.glb);
    let animation = scene.animation("NonCombat WalkForward");
    let end = scene.frame(scene.node_named("body"), Some((animation, seconds as f32)));
    assert!(end.origin.y > 1.0 && end.origin.x.abs() < 1e-3, "{end:?}");
}

#[test]
fn scale_backward_play_and_actions_are_those_of_the_engine() {
    let large = FigureOptions { scale: 1.5, ..options(&[WALK]) };
    assert_plays_like_the_engine(&large, &WALK, "NonCombat WalkForward");
    let back = MotionQuery { speed: -0.65, ..WALK };
    assert_plays_like_the_engine(&options(&[back]), &back, "NonCombat WalkForward");
    assert_plays_like_the_engine(&options(&[SLASH]), &SLASH, "SwordCombat SlashHigh");
    // The meshes are scaled on nodes of their own.
    let scene = Scene::read(&human(&large).glb);
    let part = &scene.nodes()[scene.node_named("part_00")];
    assert!(part["mesh"].is_null() && part["scale"].is_null());
    let mesh = &scene.nodes()[children(part).next().unwrap()];
    assert_eq!(mesh["scale"], serde_json::json!([1.5, 1.5, 1.5]));
}

#[test]
fn what_is_held_follows_the_hands_during_a_motion() {
    let held = vec![Held { setup: SWORD_SETUP, location: 1 }, Held { setup: SHIELD_SETUP, location: 3 }];
    assert_plays_like_the_engine(
        &FigureOptions { held, ..options(&[SLASH]) },
        &SLASH,
        "SwordCombat SlashHigh",
    );
}

#[test]
fn a_figure_without_motions_stands_as_a_world_shows_it_with_what_it_holds() {
    let held = vec![Held { setup: SWORD_SETUP, location: 1 }, Held { setup: SHIELD_SETUP, location: 3 }];
    let export = human(&FigureOptions { held: held.clone(), ..FigureOptions::default() });
    let scene = Scene::read(&export.glb);
    assert!(scene.json["animations"].is_null());
    let mut world = World::new(Assets::mannequin());
    let (holder, position) =
        (Guid(0x8000_0001), CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0)));
    let id = world.spawn(&EntitySpec::new(holder, position), 0.0).unwrap();
    let origin = Frame::from_origin(Vec3::new(12.0, 12.0, 94.0));
    let mut frames = vec![Frame::IDENTITY; parts(&export).len()];
    let resident = world.get(id).unwrap();
    let input = PoseInput {
        sequence: resident.entity().animator.sequence(),
        frame: &Frame::IDENTITY,
        scale: Vec3::ONE,
    };
    assert_eq!(input.frames(world.library(), &mut frames), frames.len());
    for (node, expected) in parts(&export).iter().zip(&frames) {
        assert_near(&scene.frame(*node, None), expected, "a part");
    }
    for thing in held {
        let expected = resident.holding_frame(world.library(), thing.location);
        let node = scene.node_named(&format!("held_{}_{}", thing.location, thing.setup));
        let found = scene.frame(node, None);
        assert!(((found.origin + origin.origin) - expected.origin).length() < 1e-4, "{found:?} {expected:?}");
        assert!(found.rotation.dot(expected.rotation).abs() > 0.999_99);
        assert!(children(&scene.nodes()[node]).count() > 0, "the thing has parts");
    }
    let missing =
        FigureOptions { held: vec![Held { setup: SWORD_SETUP, location: 77 }], ..FigureOptions::default() };
    let error = figure(&Assets::mannequin(), HUMAN_SETUP, &missing).unwrap_err();
    assert!(error.to_string().contains("no holding location 77; it has 1, "), "{error}");
}

#[test]
fn steps_or_lines_and_root_motion_or_none() {
    let walk = Scene::read(&human(&options(&[WALK])).glb);
    let animation = walk.animation("NonCombat WalkForward");
    assert!(
        animation["samplers"].as_array().unwrap().iter().all(|sampler| sampler["interpolation"] == "STEP")
    );
    let body = walk.node_named("body");
    let moves_body = |animation: &serde_json::Value| {
        animation["channels"].as_array().unwrap().iter().any(|channel| channel["target"]["node"] == body)
    };
    assert!(moves_body(animation));
    let smooth = FigureOptions {
        interpolation: Interpolation::Linear,
        root_motion: RootMotion::InPlace,
        ..options(&[WALK])
    };
    let smooth = Scene::read(&human(&smooth).glb);
    let animation = smooth.animation("NonCombat WalkForward");
    assert!(
        animation["samplers"].as_array().unwrap().iter().all(|sampler| sampler["interpolation"] == "LINEAR")
    );
    assert!(!moves_body(animation));
}

#[test]
fn the_cycle_alone_starts_at_the_origin_and_closes() {
    let cycle = human(&FigureOptions { extent: Extent::Cycle, ..options(&[WALK]) });
    let (info, scene) = (&cycle.sidecar["animations"][0], Scene::read(&cycle.glb));
    let animation = scene.animation("NonCombat WalkForward");
    let seconds = info["seconds"].as_f64().unwrap();
    assert!((seconds - info["cycle_seconds"].as_f64().unwrap()).abs() < 1e-6);
    assert_eq!(info["start"], info["link_seconds"]);
    let body = scene.node_named("body");
    assert_eq!(scene.frame(body, Some((animation, 0.0))), Frame::IDENTITY);
    let end = Some((animation, seconds as f32));
    // 36 frames of 0.0388889 m.
    assert!((scene.frame(body, end).origin.y - 1.4).abs() < 1e-3);
    for node in parts(&cycle) {
        let (first, last) = (scene.frame(node, Some((animation, 0.0))), scene.frame(node, end));
        assert_near(&scene.frame(body, end).combine(&first), &last, "the last key frame is the first");
    }
    let link = human(&FigureOptions { extent: Extent::Link, ..options(&[SLASH]) });
    let info = &link.sidecar["animations"][0];
    assert!((info["seconds"].as_f64().unwrap() - info["link_seconds"].as_f64().unwrap()).abs() < 1e-6);
}

#[test]
fn hooks_and_attacks_are_those_of_the_query() {
    let mut library = Library::new();
    let table = library.load_table(&Assets::mannequin(), HUMAN_TABLE).unwrap();
    let expected = timing(&library, library.table(table), &SLASH).unwrap();
    let slash = human(&options(&[SLASH]));
    let info = &slash.sidecar["animations"][0];
    assert_eq!(info["hooks"].as_array().unwrap().len(), expected.hooks.len());
    let attacks: Vec<f64> = expected.attacks().map(|hit| hit.time).collect();
    let found = info["attacks"].as_array().unwrap();
    assert_eq!(found.iter().map(|hit| hit["time"].as_f64().unwrap()).collect::<Vec<_>>(), attacks);
    assert!(!attacks.is_empty());
    let scene = Scene::read(&slash.glb);
    assert_eq!(&scene.animation("SwordCombat SlashHigh")["extras"], info);
    assert_eq!(scene.json["extras"], slash.sidecar, "without poses both are the same");
    // In the cycle alone, times count from its start, and the attack is not part of it.
    let cycle = human(&FigureOptions { extent: Extent::Cycle, ..options(&[SLASH]) });
    assert_eq!(cycle.sidecar["animations"][0]["attacks"], serde_json::json!([]));
}

#[test]
fn all_motions_are_exported_once_each_with_their_own_names() {
    let mut library = Library::new();
    let table = library.load_table(&Assets::mannequin(), HUMAN_TABLE).unwrap();
    let mut all = all_motions(&library, library.table(table), None, 1.0);
    let count = all.len();
    assert!(count > 50, "{count}");
    all.push(all[0]);
    all.push(MotionQuery { speed: 2.0, ..all[0] });
    let export = human(&options(&all));
    let scene = Scene::read(&export.glb);
    let animations = scene.json["animations"].as_array().unwrap();
    assert_eq!(animations.len(), count + 1);
    let mut names: Vec<&str> =
        animations.iter().map(|animation| animation["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count + 1);
    for animation in animations {
        let times = scene.floats(&animation["samplers"][0]["input"]);
        assert!(times[0] == 0.0 && times.windows(2).all(|pair| pair[0] < pair[1]), "{animation}");
    }
}

#[test]
fn the_sidecar_has_the_poses_of_the_engine_if_asked_for() {
    let with_poses = human(&FigureOptions { poses: true, ..options(&[WALK]) });
    let scene = Scene::read(&with_poses.glb);
    assert!(scene.json["extras"]["animations"][0]["poses"].is_null());
    let animation = scene.animation("NonCombat WalkForward");
    let poses = with_poses.sidecar["animations"][0]["poses"].as_array().unwrap();
    assert_eq!(poses.len(), scene.floats(&animation["samplers"][0]["input"]).len());
    for pose in poses {
        let time = pose["time"].as_f64().unwrap() as f32;
        for (node, part) in parts(&with_poses).iter().zip(pose["parts"].as_array().unwrap()) {
            let number = |index: usize| part[index].as_f64().unwrap() as f32;
            let [w, x, y, z] = [3, 4, 5, 6].map(number);
            let expected = Frame::new(Vec3::new(number(0), number(1), number(2)), [w, x, y, z].into());
            assert_near(&scene.frame(*node, Some((animation, time))), &expected, "a part");
        }
    }
}

#[test]
fn what_cannot_be_exported_is_an_error() {
    let assets = Assets::mannequin();
    let error = |setup: DataId, options: &FigureOptions| figure(&assets, setup, options).unwrap_err();
    let unarmed = MotionQuery::new(MotionCommand::NON_COMBAT, MotionCommand::SLASH_HIGH);
    let undefined = error(HUMAN_SETUP, &options(&[unarmed])).to_string();
    assert_eq!(undefined, "motion table 0x09000001: there is no SlashHigh in style NonCombat");
    assert_eq!(error(SWORD_SETUP, &options(&[WALK])), GltfError::NoTable(SWORD_SETUP));
    assert!(matches!(error(DataId(0x0200_9999), &options(&[])), GltfError::Dat(_)));
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(error(HUMAN_SETUP, &FigureOptions { scale, ..options(&[]) }), GltfError::Scale(_)));
    }
}

#[test]
fn a_motion_that_lasts_too_long_is_an_error_and_one_that_stands_still_is_one_key_frame() {
    // Some hours, and months.
    for speed in [1e-4, 1e-7] {
        let slow = MotionQuery { speed, ..WALK };
        let error = figure(&Assets::mannequin(), HUMAN_SETUP, &options(&[slow])).unwrap_err();
        assert!(matches!(error, GltfError::TooLong { .. }), "{error}");
    }
    let still = MotionQuery { speed: 0.0, ..WALK };
    for extent in [Extent::Whole, Extent::Link, Extent::Cycle] {
        let export = human(&FigureOptions { extent, ..options(&[still]) });
        let scene = Scene::read(&export.glb);
        let times = scene.floats(&scene.json["animations"][0]["samplers"][0]["input"]);
        assert_eq!(times, [0.0], "{extent:?}");
    }
}
