//! Serialization of those parts of a world's state for which serde cannot derive it.

/// A physics script as its id. Restored scripts have no hooks until they are looked up in the library.
pub(crate) mod script_id {
    use std::sync::Arc;

    use acmotion_dat::{DataId, PhysicsScript};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        script: &Arc<PhysicsScript>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        script.id.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<PhysicsScript>, D::Error> {
        let id = DataId::deserialize(deserializer)?;
        Ok(Arc::new(PhysicsScript { id, hooks: Vec::new() }))
    }
}

/// The message of a queued request as its bytes.
pub(crate) mod game_action {
    use acmotion_types::Era;
    use acmotion_wire::{C2S, GameAction, GameActionBody, decode_c2s};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        message: &Option<GameActionBody<'static>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let encode = |action: &GameActionBody<'static>| {
            let mut bytes = Vec::new();
            C2S::GameAction(GameAction { sequence: 0, action: *action }).encode(&mut bytes);
            bytes
        };
        message.as_ref().map(encode).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<GameActionBody<'static>>, D::Error> {
        let bytes = Option::<Vec<u8>>::deserialize(deserializer)?;
        let decode = |bytes: Vec<u8>| {
            let C2S::GameAction(message) = decode_c2s(&bytes, Era::default()).ok()? else { return None };
            owned(message.action)
        };
        bytes
            .map(|bytes| decode(bytes).ok_or_else(|| D::Error::custom("a request without a message")))
            .transpose()
    }

    /// Returns the message of a request that the server decides: none of them borrows from its bytes.
    fn owned(action: GameActionBody<'_>) -> Option<GameActionBody<'static>> {
        use GameActionBody::*;
        Some(match action {
            CastTargetedSpell(message) => CastTargetedSpell(message),
            CastUntargetedSpell(message) => CastUntargetedSpell(message),
            ChangeCombatMode(message) => ChangeCombatMode(message),
            DropItem(message) => DropItem(message),
            GetAndWieldItem(message) => GetAndWieldItem(message),
            PutItemInContainer(message) => PutItemInContainer(message),
            TargetedMeleeAttack(message) => TargetedMeleeAttack(message),
            TargetedMissileAttack(message) => TargetedMissileAttack(message),
            Use(message) => Use(message),
            UseWithTarget(message) => UseWithTarget(message),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use acmotion_dat::{DataId, PhysicsScript};
    use acmotion_types::Guid;
    use acmotion_wire::{
        AttackHeight, CancelAttack, CastTargetedSpell, CastUntargetedSpell, ChangeCombatMode, CombatMode,
        DropItem, GameActionBody, GetAndWieldItem, PutItemInContainer, TargetedMeleeAttack,
        TargetedMissileAttack, Use, UseWithTarget,
    };
    use serde::{Deserialize, Serialize};
    use std::sync::Arc;

    #[derive(PartialEq, Debug, Serialize, Deserialize)]
    struct Message(#[serde(with = "super::game_action")] Option<GameActionBody<'static>>);

    #[derive(PartialEq, Debug, Serialize, Deserialize)]
    struct Script(#[serde(with = "super::script_id")] Arc<PhysicsScript>);

    fn read(bytes: &[u8]) -> Option<Message> {
        postcard::from_bytes(bytes).ok()
    }

    #[test]
    fn every_message_of_a_request_comes_back() {
        let (target, item) = (Guid(0x8000_0001), Guid(0x8000_0002));
        let height = AttackHeight::LOW;
        let messages = [
            GameActionBody::CastTargetedSpell(CastTargetedSpell { target, spell: 27 }),
            GameActionBody::CastUntargetedSpell(CastUntargetedSpell { spell: 28 }),
            GameActionBody::ChangeCombatMode(ChangeCombatMode { mode: CombatMode::MAGIC }),
            GameActionBody::DropItem(DropItem { item }),
            GameActionBody::GetAndWieldItem(GetAndWieldItem { item, location: 2 }),
            GameActionBody::PutItemInContainer(PutItemInContainer { item, container: target, slot: 3 }),
            GameActionBody::TargetedMeleeAttack(TargetedMeleeAttack { target, height, power: 0.25 }),
            GameActionBody::TargetedMissileAttack(TargetedMissileAttack { target, height, accuracy: 0.75 }),
            GameActionBody::Use(Use { object: target }),
            GameActionBody::UseWithTarget(UseWithTarget { tool: item, target }),
        ];
        for message in messages {
            let bytes = postcard::to_allocvec(&Message(Some(message))).unwrap();
            assert_eq!(read(&bytes), Some(Message(Some(message))));
        }
        let none = postcard::to_allocvec(&Message(None)).unwrap();
        assert_eq!(read(&none), Some(Message(None)));
    }

    #[test]
    fn what_is_not_the_message_of_a_request_is_an_error() {
        let other = Message(Some(GameActionBody::CancelAttack(CancelAttack)));
        assert_eq!(read(&postcard::to_allocvec(&other).unwrap()), None, "no request sends it later");
        assert_eq!(read(&postcard::to_allocvec(&Some(vec![1_u8, 2, 3])).unwrap()), None, "no message");
    }

    /// The hooks are taken from the library afterwards.
    #[test]
    fn a_script_is_saved_by_its_id() {
        let script = Script(Arc::new(PhysicsScript { id: DataId(0x3300_0007), hooks: Vec::new() }));
        let bytes = postcard::to_allocvec(&script).unwrap();
        assert_eq!(postcard::from_bytes::<Script>(&bytes).unwrap(), script);
    }
}
