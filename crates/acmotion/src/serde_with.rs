//! How parts of a world's state are written that serde cannot derive.

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
