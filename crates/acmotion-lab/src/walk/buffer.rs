//! What a simulation reports between two ticks.

use acmotion::types::Era;
use acmotion::wire::Direction;
use acmotion::{Event, World};
use acmotion_sim::scenario::Input;
use acmotion_sim::{ClientId, EventHandler, RefusedInput, Sent, View};

use super::requests::RequestLog;
use crate::protocol::Delivery;
use crate::record::{EventRecord, MessageHistory, MessageRecord, event_record};

/// Collects the events, messages and refusals since the last tick.
#[derive(Clone)]
pub(super) struct TickBuffer {
    /// The client whose ticks are recorded. Its connection is called `player`.
    pacer: ClientId,
    has_ticked: bool,
    events: Vec<(View, EventRecord)>,
    messages: Vec<MessageRecord>,
    refusals: Vec<(&'static str, String)>,
    /// The events of the pacer's client that may be steps of a request.
    requests: Vec<Event>,
}

/// The maximum number of refusals that are kept.
const MAX_REFUSALS: usize = 32;

impl TickBuffer {
    pub(super) fn new(pacer: ClientId) -> Self {
        Self {
            pacer,
            has_ticked: false,
            events: Vec::new(),
            messages: Vec::new(),
            refusals: Vec::new(),
            requests: Vec::new(),
        }
    }

    /// Takes the events of the pacer's client that may be steps of its player's requests.
    pub(super) fn take_requests(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.requests)
    }

    /// Returns `true` if the pacer's client has ticked since the last call.
    pub(super) fn take_ticked(&mut self) -> bool {
        std::mem::take(&mut self.has_ticked)
    }

    /// Takes the events, each with the world that it happened in.
    pub(super) fn take_events(&mut self) -> Vec<(View, EventRecord)> {
        std::mem::take(&mut self.events)
    }

    /// Moves the messages to `history`.
    pub(super) fn take_messages(&mut self, tick: u32, history: &mut MessageHistory) {
        self.messages.drain(..).for_each(|message| history.push(MessageRecord { tick, ..message }));
    }

    /// Takes the requests that the player refused: the command and the reason of each.
    pub(super) fn take_refusals(&mut self) -> Vec<(&'static str, String)> {
        std::mem::take(&mut self.refusals)
    }
}

impl EventHandler for TickBuffer {
    fn on_tick(&mut self, view: View, _world: &World, _now: f64) {
        self.has_ticked |= view == View::Client(self.pacer);
    }

    fn on_event(&mut self, view: View, event: &Event, world: &World) {
        let is_own = view == View::Client(self.pacer) && world.player().guid() == Some(event.guid);
        if is_own && RequestLog::wants(event) {
            self.requests.push(*event);
        }
        self.events.extend(event_record(event, world).map(|record| (view, record)));
    }

    fn on_sent(&mut self, message: &Sent<'_>) {
        let (direction, client) = match (message.from, message.to) {
            (View::Client(client), _) => (Direction::C2S, client),
            (_, View::Client(client)) => (Direction::S2C, client),
            _ => return,
        };
        self.messages.push(MessageRecord {
            t: message.time,
            tick: 0,
            direction,
            connection: if client == self.pacer { "player" } else { "observer" },
            bytes: message.bytes.clone(),
            era: Era::default(),
            delivery: if message.delivery.arrives.is_some() { Delivery::Sent } else { Delivery::Lost },
            arrives: message.delivery.arrives,
        });
    }

    fn on_refused(&mut self, refused: &RefusedInput) {
        if self.refusals.len() < MAX_REFUSALS {
            self.refusals.push((command_of(&refused.input), refused.error.to_string()));
        }
    }
}

/// Returns the name of the command that an input comes from.
fn command_of(input: &Input) -> &'static str {
    match input {
        Input::Jump(_) => "jump",
        Input::WalkTo(..) => "walk_to",
        Input::TurnTo(_) => "face",
        Input::Emote(_) => "emote",
        Input::Stance(_) => "stance",
        Input::MouseLook(_) => "mouse_look",
        Input::MouseTurn(_) => "mouse_turn",
        Input::Attack { .. } => "attack",
        Input::BeginAttack { .. } => "begin_attack",
        Input::EndAttack => "end_attack",
        Input::CancelAttack => "cancel_attack",
        Input::Cast { .. } => "cast",
        Input::Use(_) => "use",
        Input::PickUp(_) => "pick_up",
        Input::Drop(_) => "drop",
        Input::Wield { .. } => "wield",
        _ => "key",
    }
}

#[cfg(test)]
mod tests {
    use acmotion::RequestError;
    use acmotion::types::Guid;

    use super::*;

    #[test]
    fn the_refusals_between_two_ticks_are_limited() {
        let mut buffer = TickBuffer::new(ClientId(0));
        let refused = RefusedInput {
            time: 0.0,
            client: ClientId(0),
            guid: Guid(1),
            input: Input::Jump(1.0),
            error: RequestError::InvalidTarget,
        };
        (0..1_000).for_each(|_| buffer.on_refused(&refused));
        assert_eq!(buffer.take_refusals().len(), MAX_REFUSALS);
        assert!(buffer.take_refusals().is_empty());
    }
}
