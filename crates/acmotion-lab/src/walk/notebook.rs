//! What a simulation tells while it runs, kept until the tick is over.

use acmotion::World;
use acmotion::wire::Direction;
use acmotion::world::Event as Told;
use acmotion_sim::scenario::Input;
use acmotion_sim::{ClientId, Refused, Sent, View as Eyes, Watch};

use crate::record::{Event, Letter, Mail, told};

/// What happened since the last tick.
pub(super) struct Notebook {
    /// Whose ticks count, and who is called the player.
    pacer: ClientId,
    has_ticked: bool,
    events: Vec<(Eyes, Event)>,
    letters: Vec<Letter>,
    refusals: Vec<(&'static str, String)>,
}

/// More refusals than this are not told.
const MOST_REFUSALS: usize = 32;

impl Notebook {
    pub(super) fn new(pacer: ClientId) -> Self {
        Self { pacer, has_ticked: false, events: Vec::new(), letters: Vec::new(), refusals: Vec::new() }
    }

    /// Has the pacer's client ticked?
    pub(super) fn take_ticked(&mut self) -> bool {
        std::mem::take(&mut self.has_ticked)
    }

    /// What happened, each with whose world it happened in.
    pub(super) fn take_events(&mut self) -> Vec<(Eyes, Event)> {
        std::mem::take(&mut self.events)
    }

    pub(super) fn take_letters(&mut self, tick: u32, mail: &mut Mail) {
        self.letters.drain(..).for_each(|letter| mail.push(Letter { tick, ..letter }));
    }

    pub(super) fn take_refusals(&mut self) -> Vec<(&'static str, String)> {
        std::mem::take(&mut self.refusals)
    }
}

impl Watch for Notebook {
    fn ticked(&mut self, view: Eyes, _world: &World, _now: f64) {
        self.has_ticked |= view == Eyes::Client(self.pacer);
    }

    fn happened(&mut self, view: Eyes, event: &Told, world: &World) {
        self.events.push((view, told(event, world)));
    }

    fn sent(&mut self, message: &Sent<'_>) {
        let (direction, client) = match (message.from, message.to) {
            (Eyes::Client(client), _) => (Direction::C2S, client),
            (_, Eyes::Client(client)) => (Direction::S2C, client),
            _ => return,
        };
        self.letters.push(Letter {
            t: message.time,
            tick: 0,
            direction,
            link: if client == self.pacer { "player" } else { "observer" },
            bytes: message.bytes.clone(),
            fate: if message.fate.arrives.is_some() { "sent" } else { "lost" },
            arrives: message.fate.arrives,
        });
    }

    fn refused(&mut self, refused: &Refused) {
        if self.refusals.len() < MOST_REFUSALS {
            self.refusals.push((command_of(&refused.input), refused.why.to_string()));
        }
    }
}

/// The page's command that an input came from.
fn command_of(input: &Input) -> &'static str {
    match input {
        Input::Jump(_) => "jump",
        Input::WalkTo(_) => "walk_to",
        Input::TurnTo(_) => "face",
        Input::Emote(_) => "emote",
        Input::Stance(_) => "stance",
        Input::MouseLook(_) => "mouse_look",
        Input::MouseTurn(_) => "mouse_turn",
        _ => "key",
    }
}
