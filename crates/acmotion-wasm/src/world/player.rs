//! The controls of the local player.

use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::{AttackHeight, CombatMode};
use acmotion::{Controls, PlayerWeenie, RequestError, RequestId};
use wasm_bindgen::prelude::wasm_bindgen;

use super::World;
use crate::convert::{follow_goal, named, numbers, walk_goal};
use crate::errors::{Kind, Outcome};

impl World {
    fn request(
        &mut self,
        make: impl FnOnce(&mut Controls<'_>) -> Result<RequestId, RequestError>,
    ) -> Outcome<u32> {
        make(&mut self.world.player_mut()).map(|id| id.0).map_err(Kind::Request.of())
    }
}

#[wasm_bindgen]
impl World {
    /// Returns the guid of the player.
    pub fn player_guid(&self) -> Option<u32> {
        self.world.player().guid().map(|guid| guid.0)
    }

    /// Returns where the player is.
    pub fn player_position(&self) -> Option<Vec<f64>> {
        self.world.player_position().map(|position| numbers(&position))
    }

    /// Presses a key.
    pub fn press(&mut self, command: u32, now: f64) -> Outcome<()> {
        self.world.player_mut().press(MotionCommand(command), now).map_err(Kind::Request.of())
    }

    /// Releases a key.
    pub fn release(&mut self, command: u32, now: f64) -> Outcome<()> {
        self.world.player_mut().release(MotionCommand(command), now).map_err(Kind::Request.of())
    }

    /// Presses and releases a key.
    pub fn tap(&mut self, command: u32, now: f64) -> Outcome<()> {
        self.world.player_mut().tap(MotionCommand(command), now).map_err(Kind::Request.of())
    }

    /// Holds or releases the key that changes between walking and running.
    pub fn set_hold_run(&mut self, held: bool, now: f64) {
        self.world.player_mut().set_hold_run(held, now);
    }

    /// Sets whether the player runs without that key.
    pub fn set_run_by_default(&mut self, runs: bool, now: f64) {
        self.world.player_mut().set_run_by_default(runs, now);
    }

    /// Sets whether the mouse turns the player.
    pub fn set_mouse_look(&mut self, on: bool, now: f64) {
        self.world.player_mut().set_mouse_look(on, now);
    }

    /// Turns by a movement of the mouse.
    pub fn mouse_turn(&mut self, movement: f32, now: f64) {
        self.world.player_mut().mouse_turn(movement, now);
    }

    /// Releases all keys.
    pub fn lose_focus(&mut self, now: f64) {
        self.world.player_mut().lose_focus(now);
    }

    /// Sets whether keys have an effect.
    pub fn set_enabled(&mut self, enabled: bool) {
        self.world.player_mut().set_enabled(enabled);
    }

    /// Sets the level of autonomy.
    pub fn set_autonomy(&mut self, level: u32) {
        self.world.player_mut().set_autonomy(level);
    }

    /// Sets skills, load and stamina.
    pub fn set_skills(
        &mut self,
        run_skill: u32,
        jump_skill: u32,
        load: f32,
        stamina: u32,
        fights_players: bool,
        now: f64,
    ) {
        let weenie = PlayerWeenie { run_skill, jump_skill, load, stamina, fights_players };
        self.world.player_mut().set_weenie(weenie, now);
    }

    /// Lets the player act, which `advance` does too.
    pub fn use_time(&mut self, now: f64) {
        self.world.player_mut().use_time(now);
    }

    /// Returns how far the jump is charged, 0 to 1; `None` if none is being charged.
    pub fn jump_power(&mut self, now: f64) -> Option<f32> {
        self.world.player_mut().jump_power(now)
    }

    /// Asks to walk to a position.
    pub fn walk_to(
        &mut self,
        at: &[f64],
        within: f32,
        pace: &str,
        heading: Option<f32>,
        timeout: Option<f32>,
        now: f64,
    ) -> Outcome<u32> {
        let goal = walk_goal(at, within, pace, heading, timeout)?;
        self.request(|player| player.walk_to(goal, now))
    }

    /// Asks to turn to a heading in degrees.
    pub fn turn_to(&mut self, heading: f32, now: f64) -> Outcome<u32> {
        self.request(|player| player.turn_to(heading, now))
    }

    /// Asks to follow an entity.
    pub fn follow(
        &mut self,
        guid: u32,
        within: f32,
        pace: &str,
        timeout: Option<f32>,
        now: f64,
    ) -> Outcome<u32> {
        let goal = follow_goal(within, pace, timeout)?;
        self.request(|player| player.follow(Guid(guid), goal, now))
    }

    /// Asks to jump.
    pub fn jump(&mut self, extent: f32, now: f64) -> Outcome<u32> {
        self.request(|player| player.jump(extent, now))
    }

    /// Asks for an action.
    pub fn emote(&mut self, action: u32, now: f64) -> Outcome<u32> {
        self.request(|player| player.emote(MotionCommand(action), now))
    }

    /// Asks for a stance.
    pub fn set_stance(&mut self, stance: &str) -> Outcome<u32> {
        let known = [
            ("peace", CombatMode::NON_COMBAT),
            ("melee", CombatMode::MELEE),
            ("missile", CombatMode::MISSILE),
            ("magic", CombatMode::MAGIC),
        ];
        let mode = named("stance", stance, &known)?;
        self.request(|player| player.set_stance(mode))
    }

    /// Asks to attack an entity.
    pub fn attack(&mut self, guid: u32, height: &str, power: f32, now: f64) -> Outcome<u32> {
        let known =
            [("high", AttackHeight::HIGH), ("medium", AttackHeight::MEDIUM), ("low", AttackHeight::LOW)];
        let height = named("height", height, &known)?;
        self.request(|player| player.attack(Guid(guid), height, power, now))
    }

    /// Asks to stop attacking.
    pub fn cancel_attack(&mut self, now: f64) -> Outcome<u32> {
        self.request(|player| player.cancel_attack(now))
    }

    /// Asks to cast a spell.
    pub fn cast(&mut self, spell: u32, target: Option<u32>, now: f64) -> Outcome<u32> {
        self.request(|player| player.cast(spell, target.map(Guid), now))
    }

    /// Asks to use an object, with another one if there is a target.
    pub fn use_object(&mut self, guid: u32, target: Option<u32>, now: f64) -> Outcome<u32> {
        self.request(|player| match target {
            Some(target) => player.use_with(Guid(guid), Guid(target), now),
            None => player.use_object(Guid(guid), now),
        })
    }

    /// Asks to drop an item.
    pub fn drop_item(&mut self, item: u32, now: f64) -> Outcome<u32> {
        self.request(|player| player.drop_item(Guid(item), now))
    }

    /// Asks to put an item into a container.
    pub fn pick_up_item(&mut self, item: u32, container: u32, slot: u32, now: f64) -> Outcome<u32> {
        self.request(|player| player.pick_up(Guid(item), Guid(container), slot, now))
    }

    /// Asks to wield an item.
    pub fn wield(&mut self, item: u32, location: u32, now: f64) -> Outcome<u32> {
        self.request(|player| player.wield(Guid(item), location, now))
    }

    /// Cancels a request.
    pub fn cancel(&mut self, request: u32, now: f64) -> Outcome<()> {
        self.world.player_mut().cancel(RequestId(request), now).map_err(Kind::Request.of())
    }

    /// Cancels all requests. Returns how many there were.
    pub fn cancel_all(&mut self, now: f64) -> usize {
        self.world.player_mut().cancel_all(now)
    }
}
