//! `PlayScriptId` (F754): an object plays a physics script.

use acmotion_dat::DataId;
use acmotion_wire::PlayScriptId;

use crate::world::World;

impl World {
    /// Plays a script of the assets on an object in a cell. The message has no stamps; for an object that does not exist it
    /// is dropped, because its effect would be over.
    pub(in crate::world) fn on_play_script_id(&mut self, message: &PlayScriptId, now: f64) {
        let Some(index) = self.store.index_of(message.guid) else { return };
        let script = DataId(message.script);
        // A script that cannot be loaded is refused by the entity, with an event.
        self.assets.load_script(&mut self.library, script);
        self.act_at(index, now, |actor, _| {
            if actor.entity.body.is_in_cell() {
                actor.play_script(script);
            }
        });
    }
}
