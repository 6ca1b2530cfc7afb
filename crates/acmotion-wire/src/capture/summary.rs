//! The counters of a capture.

use std::fmt;

/// The counters of a [`CaptureReader`](super::CaptureReader). Every record is counted once in `records` and once in one
/// of the six fields after it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CaptureSummary {
    /// The number of captured packets or lines of JSON read.
    pub records: u64,
    /// The number of packets of this protocol, or of lines with a message.
    pub packets: u64,
    /// The number of damaged packets of this protocol, or of damaged lines. Each was also returned as an error.
    pub damaged: u64,
    /// The number of packets that are not UDP.
    pub not_udp: u64,
    /// The number of fragments of IP packets.
    pub ip_fragments: u64,
    /// The number of UDP datagrams of other protocols.
    pub not_ours: u64,
    /// The number of packets that may be of this protocol, but whose direction is not known.
    pub undecided: u64,
    /// The number of packets that the sender marked as retransmissions.
    pub retransmissions: u64,
    /// The number of messages from the server.
    pub messages_s2c: u64,
    /// The number of messages from the client.
    pub messages_c2s: u64,
    /// The number of message fragments.
    pub fragments: u64,
    /// The number of fragments that had been received before.
    pub repeated_fragments: u64,
    /// The number of fragments that contradict others of their message, or announce too many fragments.
    pub refused_fragments: u64,
    /// The number of messages that were dropped because too many others were incomplete, or that are still incomplete.
    pub incomplete_messages: u64,
    /// The number of fragments that the incomplete messages are missing.
    pub missing_fragments: u64,
    /// Whether the capture ended inside a record.
    pub truncated: bool,
    /// The time of the first record, in the capture's seconds.
    pub first_time: Option<f64>,
    /// The time of the last record, in the capture's seconds.
    pub last_time: Option<f64>,
}

impl CaptureSummary {
    /// Returns the number of messages in both directions.
    pub const fn messages(&self) -> u64 {
        self.messages_s2c + self.messages_c2s
    }

    pub(super) fn count_record(&mut self, time: f64) {
        self.records += 1;
        self.first_time.get_or_insert(time);
        self.last_time = Some(time);
    }
}

/// Writes one line. Counters that are zero are left out.
impl fmt::Display for CaptureSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { records, packets, messages_s2c, messages_c2s, .. } = self;
        write!(f, "{}, {}, ", counted(*records, "record"), counted(*packets, "packet"))?;
        write!(f, "{} ({messages_s2c} S2C, {messages_c2s} C2S)", counted(self.messages(), "message"))?;
        let kinds = [
            (self.damaged, "damaged"),
            (self.not_udp, "not UDP"),
            (self.not_ours, "of other protocols"),
            (self.undecided, "of unknown direction"),
        ];
        for (count, what) in kinds.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, ", {count} {what}")?;
        }
        let things = [
            (self.ip_fragments, "IP fragment"),
            (self.retransmissions, "retransmission"),
            (self.repeated_fragments, "repeated fragment"),
            (self.refused_fragments, "refused fragment"),
            (self.incomplete_messages, "incomplete message"),
            (self.missing_fragments, "missing fragment"),
        ];
        for (count, what) in things.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, ", {}", counted(count, what))?;
        }
        if self.truncated { f.write_str(", cut off at the end") } else { Ok(()) }
    }
}

/// Returns a count with its noun, in the plural unless the count is 1.
fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
