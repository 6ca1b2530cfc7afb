//! A client and the checker that its server keeps.

#![allow(dead_code, reason = "each test file uses its own part of it")]

use std::sync::Arc;

use acmotion::check::{CheckSettings, Checker, Finding, Verdict};
use acmotion::dat::Assets;
use acmotion::scene::InfinitePlane;
use acmotion::types::Vec3;
use acmotion::wire::{C2S, EchoedStamps, GameAction, GameActionBody, MoveToState, ObjectStamps, decode_c2s};

use crate::player_support::{D, W, description, frames, player, press, release};
use crate::world_support::{ERA, GROUND, PLAYER, TestWorld, at, create};

/// An honest client on level ground and the checker that its server keeps. Tests change what arrives.
pub(crate) struct Checked {
    pub(crate) client: TestWorld,
    pub(crate) checker: Checker,
    /// What the checker's clock is ahead of the client's.
    pub(crate) ahead: f64,
}

impl Checked {
    pub(crate) fn new() -> Self {
        Self::with(CheckSettings {
            surroundings: Some(Arc::new(InfinitePlane::level(GROUND))),
            ..CheckSettings::default()
        })
    }

    pub(crate) fn with(settings: CheckSettings) -> Self {
        let mut checker = Checker::new(Assets::mannequin(), PLAYER, settings);
        checker.sent(&create(PLAYER, &at(96.5, 96.5), ObjectStamps::default(), None), 10.0).unwrap();
        let mut client = player();
        let skills = description(200, 100, 0);
        checker.sent(&skills, 10.0).unwrap();
        client.send(&skills);
        let mut checked = Self { client, checker, ahead: 0.0 };
        // The report of its entry and of a key that is pressed and released at once.
        press(&mut checked.client, D);
        release(&mut checked.client, D);
        checked.run(60);
        checked
    }

    /// Sends a message of the server to both.
    pub(crate) fn server_sends(&mut self, bytes: &[u8]) {
        self.checker.sent(bytes, self.client.now + self.ahead).unwrap();
        self.client.send(bytes);
    }

    /// Lets the client run for some frames; `change` sees every message before the checker does.
    pub(crate) fn run_with(
        &mut self,
        count: usize,
        mut change: impl FnMut(&mut GameAction<'_>),
    ) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        for _ in 0..count {
            frames(&mut self.client, 1);
            let sent: Vec<_> = self.client.world.drain_outbound().collect();
            for bytes in sent {
                let C2S::GameAction(mut action) = decode_c2s(&bytes, ERA).unwrap() else { continue };
                change(&mut action);
                verdicts.extend(self.checker.receive_action(&action, self.client.now + self.ahead));
            }
        }
        verdicts
    }

    pub(crate) fn run(&mut self, count: usize) -> Vec<Verdict> {
        self.run_with(count, |_| {})
    }

    /// The verdict on a key that is pressed now, in a message that `change` changes.
    pub(crate) fn press_with(&mut self, change: impl FnMut(&mut GameAction<'_>)) -> Verdict {
        press(&mut self.client, W);
        let verdicts = self.run_with(1, change);
        release(&mut self.client, W);
        verdicts[0]
    }

    /// The finding on a changed state of the keys.
    pub(crate) fn state_with(change: impl Fn(&mut MoveToState<'_>)) -> Finding {
        let verdict = Self::new().press_with(|action| match &mut action.action {
            GameActionBody::MoveToState(message) => change(message),
            other => panic!("{other:?}"),
        });
        verdict.finding
    }

    /// The finding on changed stamps of a client to which the server has sent some messages.
    pub(crate) fn stamps_with(sent: &[Vec<u8>], change: impl Fn(&mut EchoedStamps)) -> Finding {
        let mut checked = Self::new();
        sent.iter().for_each(|message| checked.server_sends(message));
        checked.run(1);
        checked.press_with(|action| change(stamps(action))).finding
    }
}

pub(crate) fn stamps<'a>(action: &'a mut GameAction<'_>) -> &'a mut EchoedStamps {
    match &mut action.action {
        GameActionBody::MoveToState(message) => &mut message.stamps,
        GameActionBody::AutonomousPosition(message) => &mut message.stamps,
        GameActionBody::Jump(message) => &mut message.stamps,
        other => panic!("{other:?}"),
    }
}

/// Moves the position of a report.
pub(crate) fn shift(action: &mut GameAction<'_>, by: Vec3) {
    let position = match &mut action.action {
        GameActionBody::MoveToState(message) => &mut message.position,
        GameActionBody::AutonomousPosition(message) => &mut message.position,
        other => panic!("{other:?}"),
    };
    position.frame.origin += by;
    *position = position.adjusted_to_outside().unwrap();
}
