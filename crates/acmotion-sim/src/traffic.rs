//! What a client receives and sends, as a program that records it on the client's machine would see it.

use std::sync::Arc;

use acmotion::wire::Direction;

use crate::view::{ClientId, Delivered, EventHandler, Sent, View};

/// A message as a capture at a client has it.
#[derive(Clone, PartialEq, Debug)]
pub struct CapturedMessage {
    /// The time at which the client sent it, or at which it arrived there, in seconds.
    pub time: f64,
    /// Whether the client received or sent it.
    pub direction: Direction,
    /// The message, from its opcode on.
    pub bytes: Arc<[u8]>,
}

/// Records the messages of one client while a simulation runs.
#[derive(Clone, Debug)]
pub struct ClientTraffic {
    client: View,
    messages: Vec<CapturedMessage>,
}

impl ClientTraffic {
    /// Creates an empty record of a client.
    pub fn new(client: ClientId) -> Self {
        Self { client: View::Client(client), messages: Vec::new() }
    }

    /// Returns the messages in the order of time.
    ///
    /// A message that has arrived is reported when the client handles it, so that one that the client sent in between comes
    /// first in the simulation.
    pub fn into_messages(mut self) -> Vec<CapturedMessage> {
        self.messages.sort_by(|a, b| a.time.total_cmp(&b.time));
        self.messages
    }

    fn push(&mut self, time: f64, direction: Direction, bytes: &Arc<[u8]>) {
        self.messages.push(CapturedMessage { time, direction, bytes: Arc::clone(bytes) });
    }
}

impl EventHandler for ClientTraffic {
    fn on_sent(&mut self, message: &Sent<'_>) {
        if message.from == self.client {
            self.push(message.time, Direction::C2S, message.bytes);
        }
    }

    fn on_delivered(&mut self, message: &Delivered<'_>) {
        if message.to == self.client {
            self.push(message.arrived, Direction::S2C, message.bytes);
        }
    }
}
