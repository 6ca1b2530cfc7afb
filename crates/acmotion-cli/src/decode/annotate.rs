//! The capture that `--annotate` writes: all packets, with the messages that each completes as comments.

use std::path::{Path, PathBuf};

use acmotion_wire::capture::{CapturedPacket, GameMessage, PcapngWriter};
use anyhow::{Context as _, bail};

use crate::captures::CaptureFile;
use crate::output::{OutputFile, expect_extension};

/// A pcapng file that is being written. It is not there before it is finished.
pub(super) struct Annotated {
    path: PathBuf,
    writer: PcapngWriter<OutputFile>,
    /// Messages in JSON Lines have no packets.
    has_packets: bool,
}

impl Annotated {
    /// Creates the file.
    ///
    /// # Errors
    /// Returns an error if it cannot be written, or if it is the capture itself.
    pub(super) fn create(path: &Path, capture: &CaptureFile) -> anyhow::Result<Self> {
        let name = || path.display().to_string();
        if capture.is_at(path) {
            bail!("{}: this is the capture itself; give --annotate another file", name());
        }
        expect_extension(path, "--annotate", "pcapng")?;
        let writer = PcapngWriter::new(OutputFile::create(path)?).with_context(name)?;
        Ok(Self { path: path.to_owned(), writer, has_packets: false })
    }

    pub(super) fn packet(&mut self, packet: &CapturedPacket<'_>) -> anyhow::Result<()> {
        self.has_packets = true;
        self.writer.packet(packet).with_context(|| self.path.display().to_string())
    }

    /// Adds a message of the last packet, or one without a packet. `comment` is `None` if it is not selected.
    pub(super) fn message(
        &mut self,
        message: &GameMessage<'_>,
        comment: Option<&[u8]>,
    ) -> anyhow::Result<()> {
        if !self.has_packets {
            let written = self.writer.message(message.time, message.direction, message.bytes);
            written.with_context(|| self.path.display().to_string())?;
        }
        if let Some(comment) = comment {
            self.writer.comment(&String::from_utf8_lossy(comment));
        }
        Ok(())
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        let file = self.writer.finish().with_context(|| self.path.display().to_string())?;
        file.finish()
    }
}
