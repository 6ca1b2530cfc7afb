//! The capture that `--pcap` writes: the traffic of one client.

use std::path::Path;

use acmotion_sim::{ClientTraffic, Simulation};
use acmotion_wire::capture::CaptureWriter;
use anyhow::Context as _;

use crate::output::OutputFile;

/// Creates an empty record of a client by its name, or of the first one. Returns an error if there is no such client.
pub(super) fn traffic_of(simulation: &Simulation, name: Option<&str>) -> anyhow::Result<ClientTraffic> {
    let clients = simulation.clients();
    let names = || clients.iter().map(|client| client.name()).collect::<Vec<_>>().join(", ");
    let client = match name {
        Some(name) => {
            let found = clients.iter().find(|client| client.name() == name);
            found.with_context(|| format!("no client `{name}`; clients are {}", names()))?
        }
        None => clients.first().context("no client, and so nothing to write with --pcap")?,
    };
    Ok(ClientTraffic::new(client.id()))
}

/// Writes the messages. Returns how many there are.
pub(super) fn write(traffic: ClientTraffic, path: &Path) -> anyhow::Result<usize> {
    let name = || path.display().to_string();
    let messages = traffic.into_messages();
    let mut writer = CaptureWriter::new(OutputFile::create(path)?).with_context(name)?;
    for message in &messages {
        writer.message(message.time, message.direction, &message.bytes).with_context(name)?;
    }
    writer.into_inner().finish()?;
    Ok(messages.len())
}
