//! What the tests of the checker share: a player on level land, and what its client and its server send.

#![cfg(test)]

use std::sync::{Arc, OnceLock};

use acmotion_dat::builder::{self, MeshFace, MeshKind};
use acmotion_dat::{DataId, Terrain};
use acmotion_types::{CellId, Frame, Vec3};
use acmotion_wire::{
    InterpretedState, MotionFlags, MoveToParams, Movement, MovementData, Pad, PhysicsState, SetState,
    UpdateMotion, WireBool,
};

use super::*;
use crate::collide::geometry::Solid;
use crate::collide::scene::{SceneBuilder, Scenery};
use crate::collide::{Part, Scene};
use crate::interp::{PlayerWeenie, RawAxis};

pub(super) const PLAYER: Guid = Guid(0x5000_000A);
pub(super) const OTHER: Guid = Guid(0x5000_0001);
/// The speed of a run at the rate of 2.375, in metres a second.
pub(super) const RUN: f32 = 4.0 * 2.375;
/// A little more than a thirtieth of a second, so that every tick counts (rule B2).
const TICK: f64 = 0.033_334;

/// A position on the ground, facing north.
pub(super) fn at(x: f32, y: f32) -> CellPosition {
    let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, 94.0));
    position.adjusted_to_outside().unwrap()
}

/// Level land in one landblock, with two walls that are 4 m high: from (86, 160) to (107, 161), and from (4, 30) to (5, 50).
fn land() -> Scene {
    static LAND: OnceLock<Scene> = OnceLock::new();
    let build = || {
        let mut builder = SceneBuilder::new(&[94.0; 256]);
        builder.add_land(0xA9B4, &[0; 81], &[Terrain::from_kind(1); 81]);
        for (position, size) in
            [(at(86.0, 160.0), Vec3::new(21.0, 1.0, 4.0)), (at(4.0, 30.0), Vec3::new(1.0, 20.0, 4.0))]
        {
            let faces = MeshFace::cuboid(DataId(0x0800_0001), Vec3::ZERO, size);
            let mesh = builder::gfx_obj(DataId(0x0100_0001), &faces, MeshKind::Closed);
            let solid = Arc::new(Solid::from_gfx_obj(&mesh).unwrap());
            let wall = Scenery {
                position,
                model: None,
                scale: 1.0,
                state: PhysicsState::STATIC | PhysicsState::HAS_PHYSICS_BSP,
                sorting_sphere: solid.sphere(),
                parts: vec![Part { solid, frame: Frame::IDENTITY, scale: 1.0 }],
                cylinders: Vec::new(),
                spheres: Vec::new(),
            };
            builder.add_scenery(wall).unwrap();
        }
        builder.finish()
    };
    LAND.get_or_init(build).clone()
}

/// A checker at 10 s. Its player stands at (96.5, 96.5), where it has just reported that no key is held.
pub(super) fn checker() -> Checker {
    checker_at(at(96.5, 96.5))
}

/// As [`checker`], with a player at another position.
pub(super) fn checker_at(position: CellPosition) -> Checker {
    let settings = CheckSettings { surroundings: Some(Arc::new(land())), ..CheckSettings::default() };
    let mut checker = Checker::new(Assets::mannequin(), PLAYER, settings);
    let weenie = PlayerWeenie { run_skill: 200, jump_skill: 300, ..PlayerWeenie::default() };
    checker.world.set_player_weenie(Arc::new(weenie));
    keys(&mut checker, &RawState::default(), position, 10.0);
    checker
}

/// As [`checker`], but the player runs north, and has done so since 10 s.
pub(super) fn runner() -> Checker {
    let mut checker = checker();
    keys(&mut checker, &running(), at(96.5, 96.5), 10.0);
    checker
}

/// The keys of a run: a walk with the run key (rule K5).
pub(super) fn running() -> RawState {
    let forward = RawAxis { hold_key: HoldKey::RUN, ..RawAxis::new(MotionCommand::WALK_FORWARD) };
    RawState { current_hold_key: HoldKey::RUN, forward, ..RawState::default() }
}

/// Lets the time pass, in ticks.
pub(super) fn wait(checker: &mut Checker, until: f64) {
    while checker.now + TICK < until {
        checker.advance(checker.now + TICK);
    }
    checker.advance(until);
}

pub(super) fn message(kind: ClientMotionKind, position: CellPosition) -> ClientMotion {
    let stamps = EchoedStamps::default();
    ClientMotion { position: Some(position), has_contact: true, stamps, kind }
}

pub(super) fn pressed(raw: &RawState, position: CellPosition) -> ClientMotion {
    message(ClientMotionKind::State { raw: raw.clone(), is_long_jump: false }, position)
}

pub(super) fn receive(checker: &mut Checker, motion: &ClientMotion, now: f64) -> Verdict {
    wait(checker, now);
    checker.check_motion(motion)
}

/// The client reports its keys.
pub(super) fn keys(checker: &mut Checker, raw: &RawState, position: CellPosition, now: f64) -> Verdict {
    receive(checker, &pressed(raw, position), now)
}

/// The client reports its position.
pub(super) fn report(checker: &mut Checker, position: CellPosition, now: f64) -> Verdict {
    receive(checker, &message(ClientMotionKind::Position, position), now)
}

/// Where the player is if it has done what its client reported. This moves the time.
pub(super) fn honest(checker: &mut Checker, now: f64) -> CellPosition {
    wait(checker, now);
    checker.player().unwrap().position()
}

pub(super) fn report_of(position: &CellPosition, now: f64) -> Report<'_> {
    Report { position, has_contact: true, stamps: EchoedStamps::default(), now }
}

/// A movement that the server starts.
pub(super) fn movement(guid: Guid, body: MovementBody<'_>, stamp: u16) -> Vec<u8> {
    let style = MotionCommand::NON_COMBAT;
    let data = MovementData {
        movement_stamp: Stamp(stamp),
        server_control: Stamp(stamp),
        autonomous: WireBool::from(false),
        pad: Pad::ZERO,
        movement: Movement { flags: MotionFlags::empty(), style, body },
    };
    encode(UpdateMotion { guid, instance: Stamp(0), data })
}

/// An order to go somewhere at a speed.
pub(super) fn go(guid: Guid, to: &CellPosition, speed: f32, stamp: u16) -> Vec<u8> {
    let params = MoveToParams { speed, ..MoveToParams::default() };
    let origin = acmotion_wire::Origin { cell: to.cell, point: to.frame.origin };
    movement(guid, MovementBody::MoveToPosition { origin, params, run_rate: 2.375 }, stamp)
}

/// An order to go to an entity.
pub(super) fn go_to(guid: Guid, target: Guid, origin: &CellPosition, stamp: u16) -> Vec<u8> {
    let origin = acmotion_wire::Origin { cell: origin.cell, point: origin.frame.origin };
    let params = MoveToParams::default();
    movement(guid, MovementBody::MoveToObject { target, origin, params, run_rate: 2.375 }, stamp)
}

/// A state that the server imposes: another style, and perhaps an entity to stick to.
pub(super) fn stance(guid: Guid, style: MotionCommand, sticky: Option<Guid>, stamp: u16) -> Vec<u8> {
    let state = InterpretedState { current_style: Some(style), ..InterpretedState::default() };
    movement(guid, MovementBody::Interpreted { state, sticky }, stamp)
}

pub(super) fn set_state(guid: Guid, state: PhysicsState, stamp: u16) -> Vec<u8> {
    encode(SetState { guid, state, instance: Stamp(0), state_stamp: Stamp(stamp) })
}

pub(super) fn encode<'a>(message: impl Into<S2C<'a>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.into().encode(&mut bytes);
    bytes
}

#[track_caller]
pub(super) fn assert_near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value}, expected {expected} ± {tolerance}");
}
