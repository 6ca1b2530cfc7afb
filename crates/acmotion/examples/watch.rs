//! Watches a server: its messages go in, and what a client would show comes out.
//!
//! The server here is a second world in the same program, so that the example runs by itself. A real client reads the
//! same bytes from its connection, or from a capture.
//!
//! ```sh
//! cargo run -p acmotion --example watch
//! ```

use std::error::Error;

use acmotion::components::Order;
use acmotion::dat::Assets;
use acmotion::types::{CellId, CellPosition, Guid, Vec3};
use acmotion::wire::S2C;
use acmotion::{EntityId, EntitySpec, EventKind, MotionEvent, World};

/// The time between two frames, in seconds.
const FRAME: f64 = 1.0 / 30.0;
/// The number of frames between two position reports of the server: one a second.
const REPORT_INTERVAL: u32 = 30;
/// The number of frames that a message takes from the server to the client: a tenth of a second.
const LATENCY: u32 = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let mut server = Server::new()?;
    let mut client = World::new(Assets::mannequin());
    let mut events = Vec::new();
    println!("  time   server's creature      shown by the client    apart");
    for frame in 0..300 {
        let now = f64::from(frame) * FRAME;
        server.advance(frame, now);

        // A client's frame: queue what has arrived, then advance. That is all.
        for bytes in server.arrived(frame) {
            client.queue_message(&bytes)?;
        }
        client.advance(now);

        // The events are swapped out, so that the world can be used while they are handled.
        client.swap_events(&mut events);
        for event in &events {
            match event.kind {
                EventKind::Created => println!("{now:6.2}   {} appears", event.guid),
                EventKind::Motion(MotionEvent::MoveTo(step)) => {
                    println!("{now:6.2}   {}: {step:?}", event.guid)
                }
                _ => {}
            }
        }
        if frame % 15 == 0
            && let (Some(truth), Some(shown)) = (server.world.get(server.creature), client.find(CREATURE))
        {
            let (truth, shown) = (truth.position(), shown.position());
            let apart = truth.distance_to(&shown);
            println!("{now:6.2}   {}   {}   {apart:.2} m", text(&truth), text(&shown));
        }
    }
    Ok(())
}

fn text(position: &CellPosition) -> String {
    let Vec3 { x, y, z } = position.frame.origin;
    format!("{x:6.2} {y:6.2} {z:6.2}")
}

const CREATURE: Guid = Guid(0x8000_0001);

/// A server with one creature that walks back and forth.
struct Server {
    world: World,
    creature: EntityId,
    /// Messages under way, with the frame in which they arrive.
    sent: Vec<(u32, Vec<u8>)>,
}

impl Server {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut world = World::new(Assets::mannequin());
        let creature = world.spawn(&EntitySpec::new(CREATURE, place(12.0)), 0.0)?;
        let mut bytes = Vec::new();
        if let Some(description) = world.describe(creature) {
            description.named("Drudge").encode(&mut bytes);
        }
        Ok(Self { world, creature, sent: vec![(LATENCY, bytes)] })
    }

    fn advance(&mut self, frame: u32, now: f64) {
        // Every five seconds the creature is ordered to the other end of its beat.
        if frame % 150 == 30 {
            let goal = if frame < 150 { place(24.0) } else { place(12.0) };
            let message = self.world.order(self.creature, &Order::walk_to(goal), now);
            self.send(message, frame);
        }
        self.world.advance(now);
        if frame.is_multiple_of(REPORT_INTERVAL) {
            let message = self.world.report_position(self.creature);
            self.send(message, frame);
        }
    }

    fn send<'a>(&mut self, message: Option<impl Into<S2C<'a>>>, frame: u32) {
        if let Some(message) = message {
            let mut bytes = Vec::new();
            message.into().encode(&mut bytes);
            self.sent.push((frame + LATENCY, bytes));
        }
    }

    /// Removes and returns the messages that arrive by a frame.
    fn arrived(&mut self, frame: u32) -> Vec<Vec<u8>> {
        let (arrived, sent) = std::mem::take(&mut self.sent).into_iter().partition(|(at, _)| *at <= frame);
        self.sent = sent;
        let arrived: Vec<(u32, Vec<u8>)> = arrived;
        arrived.into_iter().map(|(_, bytes)| bytes).collect()
    }
}

fn place(y: f32) -> CellPosition {
    CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, y, 94.0))
}
