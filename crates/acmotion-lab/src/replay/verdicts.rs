//! What each message of a capture did to the entities that are explained.

use std::collections::HashMap;

use acmotion::World;
use acmotion::types::Guid;

use crate::protocol::TakenMessage;
use crate::record::decision_text;

/// The maximum number of messages of one tick that are kept for an entity.
const MAX_MESSAGES: usize = 64;

/// The messages since the last tick, by entity.
#[derive(Default)]
pub(super) struct Verdicts(HashMap<Guid, Explained>);

/// An entity that is explained.
#[derive(Default)]
struct Explained {
    /// The number of actions that are known.
    known: u64,
    messages: Vec<TakenMessage>,
}

impl Verdicts {
    /// Starts to keep what messages do to an entity.
    pub(super) fn watch(&mut self, guid: Guid, world: &World) {
        let known = world.explanation(guid).map_or(0, |explanation| explanation.decision_count());
        self.0.insert(guid, Explained { known, messages: Vec::new() });
    }

    /// Keeps what the message that was just handled did.
    pub(super) fn handled(&mut self, number: u64, world: &World) {
        for (guid, explained) in &mut self.0 {
            let Some(explanation) = world.explanation(*guid) else { continue };
            let count = explanation.decision_count();
            // An entity that was created again counts from the start.
            let new = count.checked_sub(explained.known).unwrap_or(count);
            explained.known = count;
            let actions = explanation.new_decisions();
            let new = usize::try_from(new).map_or(actions.len(), |new| new.min(actions.len()));
            if new > 0 && explained.messages.len() < MAX_MESSAGES {
                let sentences = actions[actions.len() - new..].iter().map(decision_text).collect();
                explained.messages.push(TakenMessage { number, sentences });
            }
        }
    }

    /// Returns what the messages since the last tick did to an entity.
    pub(super) fn of(&self, guid: Guid) -> &[TakenMessage] {
        self.0.get(&guid).map_or(&[], |explained| &explained.messages)
    }

    /// Forgets the messages before a tick that has been recorded, and entities that are no longer explained.
    pub(super) fn forget(&mut self, world: &World) {
        self.0.retain(|guid, _| world.explanation(*guid).is_some());
        self.0.values_mut().for_each(|explained| explained.messages.clear());
    }
}

#[cfg(test)]
mod tests {
    use acmotion::StampKind;
    use acmotion::dat::Assets;
    use acmotion::types::{CellId, CellPosition, Vec3};
    use acmotion::wire::S2C;

    use super::*;

    /// Two reports in one tick, of which the second is stale: each has its own verdict.
    #[test]
    fn messages_of_one_tick_have_verdicts_of_their_own_and_are_limited() {
        let guid = Guid(0x5000_0002);
        let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
        let (mut server, mut world) = (World::new(Assets::mannequin()), World::new(Assets::mannequin()));
        let id = server.add_stand_in(guid, &position, 0.0);
        world.add_stand_in(guid, &position, 0.0);
        let stale = S2C::from(server.describe_position(id).unwrap()).to_bytes();
        server.next_stamp(id, StampKind::Position);
        let fresh = S2C::from(server.describe_position(id).unwrap()).to_bytes();
        let mut verdicts = Verdicts::default();
        assert!(world.explain(guid, true));
        verdicts.watch(guid, &world);
        for (number, bytes) in [(7, &fresh), (8, &stale), (9, &fresh)] {
            world.receive(bytes, 0.1).unwrap();
            verdicts.handled(number, &world);
        }
        let dropped = |message: &TakenMessage| message.sentences.iter().any(|text| text.contains("dropped"));
        let taken: Vec<(u64, bool)> =
            verdicts.of(guid).iter().map(|message| (message.number, dropped(message))).collect();
        assert_eq!(taken, [(7, false), (8, true), (9, true)]);
        for number in 0..1_000 {
            world.receive(&stale, 0.1).unwrap();
            verdicts.handled(number, &world);
        }
        assert_eq!(verdicts.of(guid).len(), MAX_MESSAGES);
        verdicts.forget(&world);
        assert_eq!(verdicts.of(guid), []);
        world.explain(guid, false);
        verdicts.forget(&world);
        assert!(verdicts.0.is_empty());
    }
}
