//! `PlayScriptType` (F755): an object plays a script of its script table.

use acmotion_wire::PlayScriptType;

use crate::effects::ScriptType;
use crate::world::World;

impl World {
    /// Reports the script type and its intensity. Like [`on_play_script_id`](World::on_play_script_id) it drops
    /// messages for objects that do not exist.
    pub(in crate::world) fn on_play_script_type(&mut self, message: &PlayScriptType, now: f64) {
        let Some(index) = self.store.index_of(message.guid) else { return };
        let (script, intensity) = (ScriptType(message.script_type), message.speed);
        self.act_at(index, now, |actor, _| actor.play_script_type(script, intensity));
    }
}
