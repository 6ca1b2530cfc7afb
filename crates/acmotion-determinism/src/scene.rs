//! A scenario, as one of its clients received it.

use acmotion::dat::Assets;
use acmotion::{Identity, Settings, World};
use acmotion_sim::scenario::Scenario;
use acmotion_sim::{Delivered, EventHandler, Simulation, View};

use crate::{Story, TICK, TICKS};

const SCENARIO: &str = include_str!("../../../scenes/chase.toml");

/// The messages that the first client received, with the times at which it handled them.
struct Received {
    to: View,
    messages: Vec<(f64, Vec<u8>)>,
}

impl EventHandler for Received {
    fn on_delivered(&mut self, message: &Delivered<'_>) {
        if message.to == self.to {
            self.messages.push((message.time, message.bytes.to_vec()));
        }
    }
}

/// Runs the scenario over its bad network, and returns a world that receives what its first client received.
pub(crate) fn story() -> Story {
    let simulation = Scenario::parse(SCENARIO).and_then(|scenario| Simulation::new(&scenario));
    let mut simulation = match simulation {
        Ok(simulation) => simulation,
        Err(error) => unreachable!("the scenario can be run: {error}"),
    };
    let client = &simulation.clients()[0];
    let (player, to) = (client.guid(), View::Client(client.id()));
    let mut received = Received { to, messages: Vec::new() };
    simulation.step(f64::from(TICKS) * TICK, &mut received);
    let settings = Settings { player: Identity::Known(player), ..Settings::default() };
    let mut messages = received.messages.into_iter().peekable();
    Story {
        world: World::with_settings(Assets::mannequin(), settings),
        before: Box::new(move |world, tick, now| {
            while let Some((_, bytes)) = messages.next_if(|(time, _)| *time <= f64::from(tick) * TICK) {
                // The client of the simulation read it too.
                let _ = world.receive(&bytes, now);
            }
        }),
    }
}
