//! What a server's world describes, a client's world shows: entities of random specs, through real bytes (rules D4–D13).

use crate::town_support;
use crate::world_support;

use std::sync::Arc;

use acmotion::components::{Axis, InterpretedState};
use acmotion::dat::{DataId, mannequin};
use acmotion::effects::ScriptType;
use acmotion::scene::{InfinitePlane, MoverFlags};
use acmotion::types::{CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{MotionFlags, Movement, MovementBody, ObjectStamps, PhysicsState, S2C};
use acmotion::{EntityId, EntitySpec, HeldBy, Resident, World};
use proptest::prelude::*;
use town_support::{beside, in_town};
use world_support::*;

const SWORD: Guid = Guid(0x8000_0001);

/// A world on level ground that is known, at a time.
fn on_a_plane(now: f64) -> TestWorld {
    let ground = Arc::new(InfinitePlane::level(GROUND));
    TestWorld { now, ..TestWorld::with(settings(|settings| settings.surroundings = Some(ground))) }
}

/// Sends a client what describes an entity.
fn send(server: &World, id: EntityId, client: &mut TestWorld) {
    let mut bytes = Vec::new();
    server.describe(id).unwrap().named("Somebody").encode(&mut bytes);
    client.send(&bytes);
}

fn forward(message: impl Into<S2C<'static>>, client: &mut TestWorld) {
    client.send(&encode(message.into()));
}

/// The state of an entity that a description carries, as text, but for its position: placement sets a body down on the
/// ground once more and normalises its rotation, which can change the last bit.
fn shown(world: &World, guid: Guid) -> String {
    let id = world.id_of(guid).unwrap();
    let spec = EntitySpec { position: None, ..world.spec_of(id).unwrap() };
    let body = world.get(id).unwrap().body();
    format!("{spec:#?} {:?} {:?} {:?}", body.position.cell, body.transient, body.acceleration)
}

fn is_same_position(one: &World, other: &World, guid: Guid) -> bool {
    let (one, other) = (one.find(guid).unwrap().position(), other.find(guid).unwrap().position());
    let [a, b] = [one, other].map(|position| <[f32; 4]>::from(position.frame.rotation));
    one.distance_to(&other) < 1e-4 && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
}

fn motions() -> impl Strategy<Value = InterpretedState> {
    let styles = prop::sample::select(vec![
        MotionCommand::NON_COMBAT,
        MotionCommand::HAND_COMBAT,
        MotionCommand::SWORD_COMBAT,
    ]);
    let forward = prop::sample::select(vec![
        MotionCommand::READY,
        MotionCommand::WALK_FORWARD,
        MotionCommand::RUN_FORWARD,
        MotionCommand::DEAD,
    ]);
    let side = prop::sample::select(vec![MotionCommand::NONE, MotionCommand::SIDE_STEP_RIGHT]);
    let turn = prop::sample::select(vec![MotionCommand::NONE, MotionCommand::TURN_RIGHT]);
    let speed = || prop::sample::select(vec![1.0_f32, 0.5, -0.65, 2.25]);
    (styles, (forward, speed()), (side, speed()), (turn, speed())).prop_map(|(style, forward, side, turn)| {
        let axis = |(command, speed)| Axis { command, speed };
        let mut state = InterpretedState::new(style, axis(forward));
        (state.sidestep, state.turn) = (axis(side), axis(turn));
        state
    })
}

fn states() -> impl Strategy<Value = PhysicsState> {
    let bits = [
        PhysicsState::GRAVITY,
        PhysicsState::ETHEREAL,
        PhysicsState::HIDDEN,
        PhysicsState::EDGE_SLIDE,
        PhysicsState::LIGHTING_ON,
        PhysicsState::NO_DRAW,
        PhysicsState::STATIC,
    ];
    prop::collection::vec(any::<bool>(), bits.len()).prop_map(move |set| {
        let chosen = bits.iter().zip(set).filter(|(_, is_set)| *is_set).map(|(bit, _)| *bit);
        chosen.fold(PhysicsState::REPORT_COLLISIONS, PhysicsState::union)
    })
}

fn stamps() -> impl Strategy<Value = ObjectStamps> {
    any::<[u16; 9]>().prop_map(|[a, b, c, d, e, f, g, h, i]| ObjectStamps {
        position: Stamp(a),
        movement: Stamp(b),
        state: Stamp(c),
        vector: Stamp(d),
        teleport: Stamp(e),
        server_control: Stamp(f),
        force_position: Stamp(g),
        visual_desc: Stamp(h),
        instance: Stamp(i),
    })
}

fn vectors() -> impl Strategy<Value = Vec3> {
    [-9.0_f32..9.0, -9.0_f32..9.0, -9.0_f32..9.0].prop_map(|[x, y, z]| Vec3::new(x, y, z))
}

/// Specs of entities near the middle of the landblock, on the ground or high above it, facing anywhere. Only in the air does
/// a body keep its angular velocity (rule C3).
fn specs() -> impl Strategy<Value = EntitySpec> {
    let height = prop::sample::select(vec![0.0_f32, 30.0]);
    let position =
        ((20.0_f32..170.0), (20.0_f32..170.0), height, 0.0_f32..360.0).prop_map(|(x, y, height, heading)| {
            let mut position: CellPosition = at(x, y);
            position.frame.origin.z += height;
            position.frame.set_heading(heading);
            position
        });
    let setup = prop::sample::select(vec![
        None,
        Some(mannequin::HUMAN_SETUP),
        Some(mannequin::BEAST_SETUP),
        Some(DataId(0x0200_0FFF)),
    ]);
    let table = prop::sample::select(vec![
        None,
        Some(mannequin::HUMAN_TABLE),
        Some(mannequin::BEAST_TABLE),
        Some(DataId(0x0900_0FFF)),
    ]);
    let flags = prop::sample::select(vec![
        MoverFlags::empty(),
        MoverFlags::IS_PLAYER,
        MoverFlags::IS_PLAYER | MoverFlags::IS_PK,
        MoverFlags::IS_IMPENETRABLE | MoverFlags::IS_PKLITE,
    ]);
    let body = (0.2_f32..3.0, 0.0_f32..=1.0, 0.0_f32..=0.1, prop::option::of(0.01_f32..1.0), states());
    let motion =
        (prop::option::of(motions()), any::<bool>(), prop::option::of(vectors()), vectors(), 0..3_u32);
    let rest = (flags, any::<bool>(), stamps(), prop::option::of((1..150_u32, 0.0_f32..1.0)));
    (position, setup, table, body, motion, rest).prop_map(
        |(position, setup, motion_table, body, motion, rest)| {
            let (scale, friction, elasticity, translucency, state) = body;
            let (motion, is_autonomous, velocity, omega, placement) = motion;
            let (mover_flags, is_creature, stamps, script) = rest;
            EntitySpec {
                setup,
                motion_table,
                // A description has a movement or a placement frame, not both.
                placement: if motion_table.is_some() { 0 } else { placement },
                motion,
                is_autonomous,
                state,
                scale,
                friction,
                elasticity,
                translucency,
                velocity,
                omega,
                default_script: script.map(|(script, intensity)| (ScriptType(script), intensity)),
                is_creature,
                mover_flags,
                stamps,
                ..EntitySpec::new(REMOTE, position)
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Described at once, and after some time on the server.
    #[test]
    fn a_client_shows_what_the_server_describes(spec in specs(), ticks in 0..40_usize, is_held in any::<bool>()) {
        let mut server = on_a_plane(10.0);
        let id = server.world.spawn(&spec, server.now).unwrap();
        let mut sword = None;
        if is_held && (spec.setup.is_none() || spec.setup == Some(mannequin::HUMAN_SETUP)) {
            let item = EntitySpec { placement: 1, ..EntitySpec::item(SWORD, mannequin::SWORD_SETUP) };
            sword = Some(server.world.spawn(&item.held_by(REMOTE, 1), server.now).unwrap());
        }
        let mut client = on_a_plane(server.now);
        send(&server.world, id, &mut client);
        sword.into_iter().for_each(|sword| send(&server.world, sword, &mut client));
        prop_assert_eq!(shown(&client.world, REMOTE), shown(&server.world, REMOTE));
        prop_assert!(is_same_position(&client.world, &server.world, REMOTE));
        if sword.is_some() {
            prop_assert_eq!(shown(&client.world, SWORD), shown(&server.world, SWORD));
            prop_assert!(is_same_position(&client.world, &server.world, SWORD));
        }
        // The client has all of it, so that the same description and its parts change nothing.
        let before = shown(&client.world, REMOTE);
        send(&server.world, id, &mut client);
        forward(server.world.describe_state(id).unwrap(), &mut client);
        forward(server.world.describe_vector(id).unwrap(), &mut client);
        if let Some(motion) = server.world.describe_motion(id) {
            forward(motion, &mut client);
        }
        prop_assert_eq!(shown(&client.world, REMOTE), before);
        // Later the server describes what has become of it. A newcomer shows the same.
        server.ticks(ticks);
        let mut late = on_a_plane(server.now);
        send(&server.world, id, &mut late);
        let (described, original) = (late.world.find(REMOTE).unwrap(), server.world.find(REMOTE).unwrap());
        prop_assert_eq!(described.stamps(), original.stamps());
        prop_assert_eq!(described.body().scale, original.body().scale);
        prop_assert_eq!(described.body().state, original.body().state);
        // Placement sets a body down that is less than a step above the ground (`docs/collision.md` 10.4).
        let off = original.position().offset_to(&described.position());
        prop_assert!(off.x.hypot(off.y) < 1e-3 && (-2.0 * original.body().scale..1e-3).contains(&off.z), "{:?}", off);
        let motion = |resident: &Resident| {
            let state = &resident.entity().interp.interpreted;
            (state.style, state.forward, state.sidestep, state.turn)
        };
        prop_assert_eq!(motion(described), motion(original));
    }
}

/// A server's changes and the messages that they return, tick by tick, in the town.
#[test]
fn a_client_that_receives_every_change_follows_the_server() {
    let (mut server, mut client) = (in_town(), in_town());
    let start = mannequin::town::landmarks().spawn;
    let creature = server.world.spawn(&EntitySpec::new(REMOTE, start), server.now).unwrap();
    let item = EntitySpec { placement: 1, ..EntitySpec::item(SWORD, mannequin::SWORD_SETUP) };
    let sword = server.world.spawn(&item, server.now).unwrap();
    send(&server.world, creature, &mut client);
    send(&server.world, sword, &mut client);
    let both = |server: &mut TestWorld, client: &mut TestWorld, ticks| {
        server.ticks(ticks);
        client.ticks(ticks);
    };
    let run = InterpretedState::new(MotionCommand::NON_COMBAT, Axis::new(MotionCommand::RUN_FORWARD));
    let movement = Movement {
        flags: MotionFlags::empty(),
        style: run.style,
        body: MovementBody::Interpreted { state: run.to_wire_without_actions(), sticky: None },
    };
    let message = server.world.set_movement(creature, movement, false, server.now).unwrap();
    assert_eq!((message.data.movement_stamp, message.data.server_control), (Stamp(1), Stamp(1)));
    forward(message, &mut client);
    assert_eq!(server.world.describe_motion(creature).unwrap().data.movement_stamp, Stamp(1));
    both(&mut server, &mut client, 10);
    assert_eq!(client.origin(REMOTE), server.origin(REMOTE), "the same motion gives the same bits");

    let jump = server.world.set_velocity(creature, Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO, server.now).unwrap();
    forward(jump, &mut client);
    both(&mut server, &mut client, 5);
    assert_eq!(client.origin(REMOTE), server.origin(REMOTE));
    assert!(!server.world.get(creature).unwrap().body().has_contact());
    both(&mut server, &mut client, 60);

    let in_hand = HeldBy { parent: REMOTE, location: 1 };
    server.world.set_parent(sword, in_hand, 1, server.now).unwrap();
    forward(server.world.describe_parent(sword).unwrap(), &mut client);
    both(&mut server, &mut client, 1);
    assert_eq!(client.world.find(SWORD).unwrap().held_by(), Some(in_hand));
    assert_eq!(client.origin(SWORD), server.origin(SWORD));

    let home = beside(start, 3.0, 0.0, 0.0);
    server.world.teleport(creature, &home, server.now).unwrap();
    forward(server.world.describe_position(creature).unwrap(), &mut client);
    assert_eq!(client.origin(REMOTE), server.origin(REMOTE), "a newer TELEPORT moves the client's, too");

    server.world.drop_at(sword, &beside(start, 5.0, 0.0, 0.0), 0x65, server.now).unwrap();
    forward(server.world.describe_position(sword).unwrap(), &mut client);
    let lies = client.world.find(SWORD).unwrap();
    assert_eq!((lies.parent(), lies.placement()), (None, 0x65));
    assert_eq!(client.origin(SWORD), server.origin(SWORD));

    assert!(server.world.describe_pickup(sword).is_none(), "it lies in a cell");
    server.world.pick_up(sword, server.now);
    forward(server.world.describe_pickup(sword).unwrap(), &mut client);
    assert!(!client.world.find(SWORD).unwrap().body().is_in_cell());
    assert!(server.world.describe_position(sword).is_none() && server.world.describe_parent(sword).is_none());

    let hidden = PhysicsState::HIDDEN | server.world.get(creature).unwrap().body().state;
    forward(server.world.set_state(creature, hidden, server.now).unwrap(), &mut client);
    assert_eq!(
        client.world.find(REMOTE).unwrap().body().state,
        server.world.get(creature).unwrap().body().state
    );

    let before = server.world.get(creature).unwrap().stamps().position;
    let report = server.world.report_position(creature).unwrap();
    assert_eq!(report.pack.position_stamp, before.next());
    assert_eq!(server.world.describe_position(creature), Some(report), "a description advances nothing");

    let delete = server.world.describe_delete(creature).unwrap();
    server.world.despawn(creature, server.now);
    forward(delete, &mut client);
    assert!(client.world.find(REMOTE).is_none());
    assert_eq!(server.world.describe_delete(creature), None);
}
