//! A bot: a player that is given requests, in the built-in town, and events that report how each of them ends.
//!
//! There is no server here: the messages that the bot would send are counted. A real bot sends them, and queues what its
//! server answers with `World::queue_message`.
//!
//! ```sh
//! cargo run -p acmotion --example bot
//! ```

use std::collections::{BTreeMap, VecDeque};
use std::error::Error;
use std::sync::Arc;

use acmotion::dat::Assets;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::scene::Scene;
use acmotion::types::{CellPosition, Era, Guid, MotionCommand};
use acmotion::wire::{C2S, decode_c2s};
use acmotion::{
    EntitySpec, EventKind, Identity, MessageBatch, PlayerWeenie, RequestError, RequestId, Settings, WalkGoal,
    World,
};

/// The time between two frames, in seconds.
const FRAME: f64 = 1.0 / 30.0;

/// What the bot is to do.
enum Task {
    Walk(&'static str, WalkGoal),
    Turn(f32),
    Jump,
    Emote(MotionCommand),
}

impl Task {
    /// Asks the player to do it.
    fn start(&self, world: &mut World, now: f64) -> Result<RequestId, RequestError> {
        let mut player = world.player_mut();
        match self {
            Self::Walk(_, goal) => player.walk_to(*goal, now),
            Self::Turn(heading) => player.turn_to(*heading, now),
            Self::Jump => player.jump(0.5, now),
            Self::Emote(motion) => player.emote(*motion, now),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Walk(name, _) => format!("walk to the {name}"),
            Self::Turn(heading) => format!("turn to {heading}°"),
            Self::Jump => String::from("jump"),
            Self::Emote(motion) => motion.to_string(),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let guid = Guid(0x5000_0001);
    let scene = Scene::load(&Assets::mannequin(), &Assets::town())?;
    let settings = Settings {
        player: Identity::Known(guid),
        surroundings: Some(Arc::new(scene)),
        ..Settings::default()
    };
    let mut world = World::with_settings(Assets::mannequin(), settings);
    let places = landmarks();
    world.spawn(&EntitySpec::new(guid, places.spawn), 0.0)?;
    world
        .player_mut()
        .set_weenie(PlayerWeenie { run_skill: 200, jump_skill: 100, ..PlayerWeenie::default() }, 0.0);

    let mut tasks = VecDeque::from([
        Task::Walk("foot of the ramp", WalkGoal::new(places.ramp_foot).running()),
        Task::Walk("top of the ramp", WalkGoal::new(places.ramp_top)),
        Task::Turn(90.0),
        Task::Jump,
        Task::Emote(MotionCommand::from_name("Wave").ok_or("no such motion")?),
        Task::Walk("top of the cliff, straight up", WalkGoal::new(places.cliff_top).running().timeout(60.0)),
    ]);
    let mut under_way = None;
    let (mut events, mut outbound) = (Vec::new(), MessageBatch::new());
    let mut sent = BTreeMap::<&str, u32>::new();
    for frame in 1..5400 {
        let now = f64::from(frame) * FRAME;
        // One call does everything that the original does in a frame.
        world.advance(now);

        world.swap_events(&mut events);
        for event in &events {
            let EventKind::Request(step) = event.kind else { continue };
            println!("{now:6.2}    {}: {}", step.kind, step.progress);
            if step.progress.is_last() && under_way == Some(step.id) {
                under_way = None;
            }
        }
        world.swap_outbound(&mut outbound);
        for message in &outbound {
            if let Ok(C2S::GameAction(action)) = decode_c2s(message, Era::default()) {
                *sent.entry(action.action.name()).or_default() += 1;
            }
        }

        if under_way.is_none() {
            let Some(task) = tasks.pop_front() else { break };
            println!("{now:6.2}  {}, from {}", task.text(), text(world.player_position()));
            under_way = Some(task.start(&mut world, now)?);
        }
    }
    println!("The bot is at {} and has sent:", text(world.player_position()));
    for (name, count) in sent {
        println!("  {count:4} {name}");
    }
    Ok(())
}

fn text(position: Option<CellPosition>) -> String {
    position.map_or_else(
        || String::from("nowhere"),
        |position| {
            let origin = position.frame.origin;
            format!("{} {:.1} {:.1} {:.1}", position.cell, origin.x, origin.y, origin.z)
        },
    )
}
