//! A server: creatures that walk about the built-in town, a player whose client reports how it moves, and an observer that
//! sees all of them. Everything between server and clients is message bytes.
//!
//! ```sh
//! cargo run -p acmotion --example server
//! ```

use std::error::Error;
use std::sync::Arc;

use acmotion::check::{CheckSettings, Checker, ClientMotion, ClientMotionKind, interpreted, launch_velocity};
use acmotion::components::{Order, RawState};
use acmotion::dat::Assets;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::scene::Scene;
use acmotion::types::{CellPosition, Era, Guid, MotionCommand, Vec3};
use acmotion::wire::{C2S, MotionFlags, Movement, MovementBody, S2C, decode_c2s};
use acmotion::{
    EntityId, EntitySpec, EventKind, Identity, MessageBatch, MotionEvent, MoveToEvent, PlayerWeenie,
    Settings, World,
};

/// The time between two frames, in seconds.
const FRAME: f64 = 1.0 / 30.0;
const PLAYER: Guid = Guid(0x5000_0001);
const CREATURES: [Guid; 2] = [Guid(0x8000_0001), Guid(0x8000_0002)];
const SKILLS: PlayerWeenie =
    PlayerWeenie { run_skill: 200, jump_skill: 100, load: 0.0, stamina: 100, fights_players: false };

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Arc::new(Scene::load(&Assets::mannequin(), &Assets::town())?);
    let settings = |player| Settings { player, surroundings: Some(scene.clone()), ..Settings::default() };
    let mut server = Server::new(settings(Identity::NoPlayer))?;
    let mut client = World::with_settings(Assets::mannequin(), settings(Identity::Known(PLAYER)));
    let mut observer = World::with_settings(Assets::mannequin(), settings(Identity::NoPlayer));
    client.set_player_weenie(Arc::new(SKILLS));

    let mut outbound = MessageBatch::new();
    for frame in 0..300 {
        let now = f64::from(frame) * FRAME;
        // The client: it runs for three seconds and jumps once.
        match frame {
            30 => client.player_mut().press(MotionCommand::WALK_FORWARD, now)?,
            75 => drop(client.player_mut().jump(0.4, now)?),
            120 => client.player_mut().release(MotionCommand::WALK_FORWARD, now)?,
            _ => {}
        }
        client.advance(now);
        client.swap_outbound(&mut outbound);
        for message in &outbound {
            server.receive(message, now)?;
        }

        server.advance(frame, now);
        for (to_player, bytes) in server.outbound.drain(..) {
            if to_player {
                // What the client was sent decides what it may report.
                server.checker.sent(&bytes, now)?;
                client.queue_message(&bytes)?;
            }
            observer.queue_message(&bytes)?;
        }
        observer.advance(now);
        if frame % 30 == 29 {
            report(&server.world, &observer, now);
        }
    }
    println!("{} reports of the player were checked, {} alarms", server.checked, server.alarms);
    Ok(())
}

fn report(server: &World, observer: &World, now: f64) {
    println!("{now:.1} s");
    for guid in CREATURES.into_iter().chain([PLAYER]) {
        let (Some(truth), Some(shown)) = (server.find(guid), observer.find(guid)) else { continue };
        let origin = truth.position().frame.origin;
        let apart = truth.position().distance_to(&shown.position());
        let motion = truth.entity().animator.state().substate();
        println!(
            "  {guid} at {:6.1} {:6.1} {:5.1}, {motion}; the observer is {apart:.2} m off",
            origin.x, origin.y, origin.z
        );
    }
}

/// Returns the position beside another, three metres to the south for each lane, so that creatures do not run into each
/// other.
fn in_lane(mut position: CellPosition, lane: usize) -> CellPosition {
    position.frame.origin.y -= 3.0 * lane as f32;
    position
}

struct Server {
    world: World,
    player: EntityId,
    creatures: Vec<EntityId>,
    /// The goals that the creatures walk between, and how many walks were begun.
    beat: [CellPosition; 2],
    walks: usize,
    /// What the player's client last said of its keys.
    raw: RawState,
    checker: Checker,
    checked: u32,
    alarms: u32,
    /// Messages for the clients, each with whether the player's own client gets it, too.
    outbound: Vec<(bool, Vec<u8>)>,
}

impl Server {
    fn new(settings: Settings) -> Result<Self, Box<dyn Error>> {
        let town = landmarks();
        let check = CheckSettings { surroundings: settings.surroundings.clone(), ..CheckSettings::default() };
        let checker = Checker::new(Assets::mannequin(), PLAYER, check);
        let mut world = World::with_settings(Assets::mannequin(), settings);
        let player = EntitySpec { weenie: Some(Arc::new(SKILLS)), ..EntitySpec::new(PLAYER, town.spawn) };
        let player = world.spawn(&player, 0.0)?;
        let mut creatures = Vec::new();
        for (lane, guid) in CREATURES.into_iter().enumerate() {
            creatures.push(world.spawn(&EntitySpec::new(guid, in_lane(town.ramp_foot, lane)), 0.0)?);
        }
        let mut server = Self {
            world,
            player,
            creatures,
            beat: [town.outdoor_stairs_foot, town.ramp_foot],
            walks: 0,
            raw: RawState::default(),
            checker,
            checked: 0,
            alarms: 0,
            outbound: Vec::new(),
        };
        for id in server.creatures.iter().copied().chain([player]) {
            let mut bytes = Vec::new();
            if let Some(description) = server.world.describe(id) {
                description.named("Mannequin").encode(&mut bytes);
            }
            server.outbound.push((true, bytes));
        }
        Ok(server)
    }

    fn send<'a>(&mut self, to_player: bool, message: impl Into<S2C<'a>>) {
        let mut bytes = Vec::new();
        message.into().encode(&mut bytes);
        self.outbound.push((to_player, bytes));
    }

    /// Handles a message of the player's client: checks it, moves the player's body by it, and passes it on.
    fn receive(&mut self, bytes: &[u8], now: f64) -> Result<(), Box<dyn Error>> {
        if let Some(verdict) = self.checker.receive(bytes, now)? {
            self.checked += 1;
            self.alarms += u32::from(verdict.is_alarm());
        }
        let C2S::GameAction(action) = decode_c2s(bytes, Era::default())? else { return Ok(()) };
        let Some(motion) = ClientMotion::new(&action.action) else { return Ok(()) };
        // In the air the server's own world moves the body.
        if let Some(position) = motion.position.filter(|_| motion.has_contact) {
            self.world.act(PLAYER, now, |actor, around| actor.set_position(&position, true, around));
        }
        match motion.kind {
            ClientMotionKind::Position => {}
            ClientMotionKind::State { raw, .. } => {
                self.raw = raw;
                self.relay_motion(now);
            }
            ClientMotionKind::Jump { velocity, .. } => {
                self.relay_motion(now);
                let frame = self.world.get(self.player).map(|player| player.position().frame);
                let velocity = frame.and_then(|frame| launch_velocity(velocity, &frame));
                let message = velocity
                    .and_then(|velocity| self.world.set_velocity(self.player, velocity, Vec3::ZERO, now));
                if let Some(message) = message {
                    self.send(false, message);
                }
            }
        }
        Ok(())
    }

    /// Turns what the keys ask for into motion, here and for the others.
    fn relay_motion(&mut self, now: f64) {
        let (style, mut actions) = (MotionCommand::NON_COMBAT, Vec::new());
        let state = interpreted(self.raw.clone(), &SKILLS, style);
        let body = MovementBody::Interpreted { state: state.to_wire(&mut actions), sticky: None };
        let movement = Movement { flags: MotionFlags::empty(), style, body };
        if let Some(message) = self.world.set_movement(self.player, movement, true, now) {
            self.send(true, message);
        }
    }

    fn advance(&mut self, frame: u32, now: f64) {
        // Every five seconds the creatures set out for the other end of their beat.
        if frame % 150 == 15 {
            let goal = self.beat[self.walks % 2];
            self.walks += 1;
            for (lane, id) in self.creatures.clone().into_iter().enumerate() {
                if let Some(message) = self.world.order(id, &Order::walk_to(in_lane(goal, lane)), now) {
                    self.send(true, message);
                }
            }
        }
        self.world.advance(now);
        for event in self.world.drain_events() {
            if let EventKind::Motion(MotionEvent::MoveTo(MoveToEvent::GaveUp(why))) = event.kind {
                println!("{now:.1} s: {} gives up: {why}", event.guid);
            }
        }
        // Positions once a second.
        if frame.is_multiple_of(30) {
            for id in self.creatures.clone() {
                if let Some(message) = self.world.report_position(id) {
                    self.send(true, message);
                }
            }
            if let Some(message) = self.world.report_position(self.player) {
                self.send(false, message);
            }
        }
    }
}
