//! The check of what clients report.

use acmotion::check::{self, CheckSettings, Method};
use acmotion::types::Guid;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::assets::Assets;
use crate::convert::{era, numbers};
use crate::errors::{Kind, Outcome};
use crate::scene::Scene;

/// How strictly a client is checked.
#[wasm_bindgen]
#[derive(Default)]
pub struct Strictness(CheckSettings);

#[wasm_bindgen]
impl Strictness {
    /// Creates the default.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the surroundings, without which walls are not checked.
    pub fn set_scene(&mut self, scene: &Scene) {
        self.0.surroundings = Some(scene.surroundings());
    }

    /// Sets the numbering of motion commands.
    pub fn set_era(&mut self, name: &str) -> Outcome<()> {
        self.0.era = era(name)?;
        Ok(())
    }

    /// Sets a tolerance by its name.
    pub fn set(&mut self, name: &str, value: f64) {
        match name {
            "tolerance" => self.0.tolerance = value as f32,
            "reachTolerance" => self.0.reach_tolerance = value as f32,
            "latencySpread" => self.0.latency_spread = value,
            "maxFrame" => self.0.max_frame = value,
            _ => self.0.grace = value,
        }
    }
}

/// Checks the messages of one client, for servers.
#[wasm_bindgen]
pub struct Checker(check::Checker);

#[wasm_bindgen]
impl Checker {
    /// Creates a checker for the player with a guid.
    #[wasm_bindgen(constructor)]
    pub fn new(assets: &Assets, player: u32, strictness: Strictness) -> Self {
        Self(check::Checker::new(assets.0.clone(), Guid(player), strictness.0))
    }

    /// Records a message that the server sends to the client.
    pub fn sent(&mut self, message: &[u8], now: f64) -> Outcome<()> {
        self.0.sent(message, now).map_err(Kind::Decode.of())
    }

    /// Checks a message of the client. Returns the verdict as JSON; `None` if it does not concern the player's motion.
    pub fn receive(&mut self, message: &[u8], now: f64) -> Outcome<Option<String>> {
        let verdict = self.0.receive(message, now).map_err(Kind::Decode.of())?;
        Ok(verdict.map(|verdict| {
            let method = match verdict.method {
                Method::None => "none",
                Method::Predicted => "predicted",
                Method::Ordered => "ordered",
                Method::Reach => "reach",
                _ => "other",
            };
            let fields = json!({
                "finding": verdict.finding.name(),
                "text": verdict.finding.to_string(),
                "isAlarm": verdict.is_alarm(),
                "method": method,
                "error": verdict.error,
                "allowed": verdict.allowed,
                "needed": verdict.needed,
                "lead": verdict.lead,
            });
            fields.to_string()
        }))
    }

    /// Returns where the client's player was last reported.
    pub fn position(&self) -> Option<Vec<f64>> {
        self.0.player().map(|player| numbers(&player.position()))
    }
}
