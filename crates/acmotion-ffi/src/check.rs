//! The check of what a client reports of its player, for servers.

use std::ffi::c_char;
use std::sync::Mutex;

use acmotion::check::{CheckSettings, Checker, Finding, Method, Verdict};
use acmotion::scene::Surroundings;
use acmotion::types::Guid;

use crate::dat::AcmAssets;
use crate::handle::{ASSETS, CHECKERS, SCENES, lock};
use crate::memory::{Out, OutList, Versioned, inputs, sized};
use crate::scene::AcmScene;
use crate::status::{AcmStatus, Failure, guard};
use crate::types::era;

/// A handle of a checker.
pub type AcmChecker = u64;

/// An honest client can have sent it.
pub const ACM_FINDING_OK: u32 = 0;
/// Honest, but out of date; it does not count.
pub const ACM_FINDING_LATE: u32 = 1;
/// The player needed more time than it had.
pub const ACM_FINDING_TOO_FAST: u32 = 2;
/// The player went through something solid, or is inside it.
pub const ACM_FINDING_THROUGH_WALL: u32 = 3;
/// The player is where its motion does not lead.
pub const ACM_FINDING_TELEPORTED: u32 = 4;
/// A jump that is faster than the player's skill allows.
pub const ACM_FINDING_JUMP_TOO_HIGH: u32 = 5;
/// The player claims to stand where there is no ground.
pub const ACM_FINDING_IN_AIR: u32 = 6;
/// A field with a value that the original client never sends.
pub const ACM_FINDING_IMPOSSIBLE_FLAGS: u32 = 7;
/// A number that was used before.
pub const ACM_FINDING_STAMP_REPLAYED: u32 = 8;
/// A finding that this version does not name.
pub const ACM_FINDING_OTHER: u32 = 9;

/// The position was not judged.
pub const ACM_METHOD_NONE: u32 = 0;
/// Judged by the motion that follows from the last report.
pub const ACM_METHOD_PREDICTED: u32 = 1;
/// Judged by where the server's orders can have led it.
pub const ACM_METHOD_ORDERED: u32 = 2;
/// Judged by speed and walls alone.
pub const ACM_METHOD_REACH: u32 = 3;

/// What a checker tolerates.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmCheckSettings {
    /// `sizeof(AcmCheckSettings)`.
    pub struct_size: u32,
    /// `ACM_ERA_END_OF_RETAIL` or `ACM_ERA_SEPTEMBER_2013`.
    pub era: u32,
    /// The maximum difference between the delays of two messages of one client, in seconds.
    pub latency_spread: f64,
    /// The maximum duration of a frame of an honest client, in seconds.
    pub max_frame: f64,
    /// The time after which a client has received what the server sent, in seconds.
    pub grace: f64,
    /// The distance by which a report may be off its path, in metres.
    pub tolerance: f32,
    /// The distance that a player may be farther than it can run when its path is not known, in metres.
    pub reach_tolerance: f32,
}

// SAFETY: `struct_size` comes first, and all fields are numbers.
unsafe impl Versioned for AcmCheckSettings {}

/// What a checker says about one message.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmVerdict {
    /// The time that an honest client needs from its last report to this one, in seconds.
    pub needed: f64,
    /// The time by which the client is ahead of the arrival of its messages, in seconds.
    pub lead: f64,
    /// What was found: one of `ACM_FINDING_…`.
    pub finding: u32,
    /// 1 if an honest client could not have sent it, else 0.
    pub is_alarm: u32,
    /// How the position was judged: one of `ACM_METHOD_…`.
    pub method: u32,
    /// The distance to the nearest position that an honest client could have reported, in metres.
    pub error: f32,
    /// The error up to which a report is honest, in metres.
    pub allowed: f32,
    /// 0.
    pub reserved: u32,
}

pub(crate) struct CheckerState {
    checker: Checker,
    /// The text of the last verdict.
    text: String,
}

impl From<&Verdict> for AcmVerdict {
    fn from(verdict: &Verdict) -> Self {
        Self {
            needed: verdict.needed,
            lead: verdict.lead,
            finding: match verdict.finding {
                Finding::Ok => ACM_FINDING_OK,
                Finding::Late(_) => ACM_FINDING_LATE,
                Finding::TooFast { .. } => ACM_FINDING_TOO_FAST,
                Finding::ThroughWall { .. } => ACM_FINDING_THROUGH_WALL,
                Finding::Teleported { .. } => ACM_FINDING_TELEPORTED,
                Finding::JumpTooHigh { .. } => ACM_FINDING_JUMP_TOO_HIGH,
                Finding::InAir { .. } => ACM_FINDING_IN_AIR,
                Finding::ImpossibleFlags(_) => ACM_FINDING_IMPOSSIBLE_FLAGS,
                Finding::StampReplayed(_) => ACM_FINDING_STAMP_REPLAYED,
                _ => ACM_FINDING_OTHER,
            },
            is_alarm: verdict.is_alarm().into(),
            method: match verdict.method {
                Method::Predicted => ACM_METHOD_PREDICTED,
                Method::Ordered => ACM_METHOD_ORDERED,
                Method::Reach => ACM_METHOD_REACH,
                _ => ACM_METHOD_NONE,
            },
            error: verdict.error,
            allowed: verdict.allowed,
            reserved: 0,
        }
    }
}

/// Fills in the settings that were measured to be right.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_check_settings_init(settings: *mut AcmCheckSettings) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let out = unsafe { Out::new(settings, "settings")? };
        let CheckSettings { tolerance, reach_tolerance, latency_spread, max_frame, grace, .. } =
            CheckSettings::default();
        let struct_size = size_of::<AcmCheckSettings>() as u32;
        out.set(AcmCheckSettings {
            struct_size,
            era: 0,
            latency_spread,
            max_frame,
            grace,
            tolerance,
            reach_tolerance,
        });
        Ok(())
    })
}

/// Creates a checker of the client of one player. `scene` is 0 or the land that players move in; without it only speed,
/// jumps, fields and stamps are checked. Free it with `acm_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_checker_new(
    assets: AcmAssets,
    scene: AcmScene,
    player: u32,
    settings: *const AcmCheckSettings,
    checker: *mut AcmChecker,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (settings, out) = unsafe { (sized(settings, "settings")?, Out::new(checker, "checker")?) };
        let (assets, scene) = (ASSETS.get(assets)?, SCENES.get_optional(scene)?);
        let settings = CheckSettings {
            surroundings: scene.map(|scene| scene as std::sync::Arc<dyn Surroundings + Send + Sync>),
            era: era(settings.era)?,
            tolerance: settings.tolerance,
            reach_tolerance: settings.reach_tolerance,
            latency_spread: settings.latency_spread,
            max_frame: settings.max_frame,
            grace: settings.grace,
        };
        let checker = Checker::new((*assets).clone(), Guid(player), settings);
        out.set(CHECKERS.add(Mutex::new(CheckerState { checker, text: String::new() }))?);
        Ok(())
    })
}

/// Records a message that the server sends to the client, at the time of sending, in seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_checker_sent(
    checker: AcmChecker,
    bytes: *const u8,
    length: usize,
    now: f64,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let bytes = unsafe { inputs(bytes, length, "bytes")? };
        let checker = CHECKERS.get(checker)?;
        lock(&checker)?.checker.sent(bytes, now).map_err(Failure::bad_data)
    })
}

/// Checks a message of the client, at the time of its arrival, in seconds. `ACM_STATUS_NOTHING` if it does not concern the
/// player's motion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_checker_receive(
    checker: AcmChecker,
    bytes: *const u8,
    length: usize,
    now: f64,
    verdict: *mut AcmVerdict,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (bytes, out) = unsafe { (inputs(bytes, length, "bytes")?, Out::new(verdict, "verdict")?) };
        let checker = CHECKERS.get(checker)?;
        let mut state = lock(&checker)?;
        let verdict = state.checker.receive(bytes, now).map_err(Failure::bad_data)?;
        let verdict = verdict.ok_or(Failure::NOTHING)?;
        state.text = verdict.finding.to_string();
        out.set((&verdict).into());
        Ok(())
    })
}

/// Writes the last finding of a checker in words, such as `too fast: 1.40 s of motion in 1.00 s`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_checker_text(
    checker: AcmChecker,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (buffer, length) =
            unsafe { (OutList::<u8>::new(buffer.cast(), capacity, "buffer")?, Out::new(length, "length")?) };
        let checker = CHECKERS.get(checker)?;
        buffer.fill(lock(&checker)?.text.as_bytes(), &length)
    })
}
