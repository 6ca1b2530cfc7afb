//! What a capture held.

use std::fmt;

/// Counts of one reading, so far. Every record is counted once in `records` and once in one of the next six.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Summary {
    /// Packets of the network, or lines of JSON, that were read.
    pub records: u64,
    /// Packets of this protocol; or lines with a message.
    pub packets: u64,
    /// Packets of this protocol, or lines, that are damaged. Each was also handed out as an error.
    pub damaged: u64,
    /// Packets that are not UDP.
    pub not_udp: u64,
    /// Pieces of IP packets.
    pub ip_fragments: u64,
    /// UDP datagrams that are not of this protocol.
    pub not_ours: u64,
    /// Packets that may be of this protocol, but nothing tells which way they go.
    pub undecided: u64,
    /// Packets that the sender marked as sent again.
    pub retransmissions: u64,
    /// Messages from the server.
    pub messages_s2c: u64,
    /// Messages from the client.
    pub messages_c2s: u64,
    /// Fragments of messages.
    pub fragments: u64,
    /// Fragments that were there already.
    pub repeated_fragments: u64,
    /// Fragments that contradict others of their message, or are of an absurdly large one.
    pub refused_fragments: u64,
    /// Messages that were given up because too many others came in between, or that are still not complete.
    pub incomplete_messages: u64,
    /// Fragments that the messages still waited for do not have.
    pub missing_fragments: u64,
    /// The capture ended inside a record.
    pub truncated: bool,
    /// Time of the first record.
    pub first_time: Option<f64>,
    /// Time of the last record.
    pub last_time: Option<f64>,
}

impl Summary {
    /// All messages.
    pub const fn messages(&self) -> u64 {
        self.messages_s2c + self.messages_c2s
    }

    pub(super) fn saw(&mut self, time: f64) {
        self.records += 1;
        self.first_time.get_or_insert(time);
        self.last_time = Some(time);
    }
}

/// One line; what did not happen is left out.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { records, packets, messages_s2c, messages_c2s, .. } = self;
        write!(f, "{records} records, {packets} packets, {} messages", self.messages())?;
        write!(f, " ({messages_s2c} S2C, {messages_c2s} C2S)")?;
        let rest = [
            (self.damaged, "damaged"),
            (self.not_udp, "not UDP"),
            (self.ip_fragments, "IP fragments"),
            (self.not_ours, "of other protocols"),
            (self.undecided, "of unknown direction"),
            (self.retransmissions, "retransmissions"),
            (self.repeated_fragments, "repeated fragments"),
            (self.refused_fragments, "refused fragments"),
            (self.incomplete_messages, "incomplete messages"),
            (self.missing_fragments, "missing fragments"),
        ];
        for (count, what) in rest.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, ", {count} {what}")?;
        }
        if self.truncated { f.write_str(", cut off at the end") } else { Ok(()) }
    }
}
