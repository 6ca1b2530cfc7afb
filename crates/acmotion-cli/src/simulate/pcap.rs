//! The capture that `--pcap` writes: the traffic of one client, as a program on its machine would record it.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

use acmotion_sim::{Delivered, EventHandler, Sent, Simulation, View};
use acmotion_wire::Direction;
use acmotion_wire::capture::CaptureWriter;
use anyhow::Context as _;

/// The messages of one client.
pub(super) struct ClientTraffic {
    client: View,
    /// The time of each message at the client, in seconds.
    messages: Vec<(f64, Direction, Arc<[u8]>)>,
}

impl ClientTraffic {
    /// Records a client by its name, or the first one.
    ///
    /// # Errors
    /// Returns an error if there is no such client.
    pub(super) fn new(simulation: &Simulation, name: Option<&str>) -> anyhow::Result<Self> {
        let clients = simulation.clients();
        let names = || clients.iter().map(|client| client.name()).collect::<Vec<_>>().join(", ");
        let client = match name {
            Some(name) => {
                let found = clients.iter().find(|client| client.name() == name);
                found.with_context(|| format!("no client `{name}`; clients are {}", names()))?
            }
            None => clients.first().context("no client, and so nothing to write with --pcap")?,
        };
        Ok(Self { client: View::Client(client.id()), messages: Vec::new() })
    }

    /// Writes the messages in the order of time. Returns how many there are.
    pub(super) fn write(mut self, path: &Path) -> anyhow::Result<usize> {
        let name = || path.display().to_string();
        self.messages.sort_by(|a, b| a.0.total_cmp(&b.0));
        let file = BufWriter::new(File::create(path).with_context(name)?);
        let mut writer = CaptureWriter::new(file).with_context(name)?;
        for (time, direction, bytes) in &self.messages {
            writer.message(*time, *direction, bytes).with_context(name)?;
        }
        writer.flush().with_context(name)?;
        Ok(self.messages.len())
    }
}

impl EventHandler for ClientTraffic {
    fn on_sent(&mut self, message: &Sent<'_>) {
        if message.from == self.client {
            self.messages.push((message.time, Direction::C2S, Arc::clone(message.bytes)));
        }
    }

    fn on_delivered(&mut self, message: &Delivered<'_>) {
        if message.to == self.client {
            self.messages.push((message.arrived, Direction::S2C, Arc::clone(message.bytes)));
        }
    }
}
