//! The table `events`.

use acmotion::json::move_to_text;
use acmotion::{DeleteReason, Event, EventKind, HookEvent, Library, MotionEvent};
use acmotion_dat::HookEffect;
use acmotion_dat::json::hook_payload;
use acmotion_types::{Guid, MotionCommand};

use crate::column::{Name, Optional, Required, Text, Timestamp};
use crate::table::{Rows as _, table};
use crate::time::Moment;

table! {
    /// What happened to entities, as in `acmotion replay --json`, in order: hooks of animations with the moments of
    /// attacks, motions that end, snaps, teleports, landings, orders, and messages that were refused.
    Events = "events" {
        /// The message whose handling led to it; missing if a tick did.
        message: Optional<i64>,
        /// Seconds since the first message of the capture.
        t: Required<f64>,
        /// The time, where the capture's clock is that of the calendar.
        time: Optional<Timestamp>,
        /// The entity; 0 if the event is about none.
        guid: Required<u32>,
        /// What happened: `hook`, `motion_done`, `snap`, `teleport`, `hit_ground`, `leave_ground`, `created`, `deleted`, `rejected`, `moveto` and so on.
        event: Required<Name>,
        /// `motion_done`: the motion command that ended.
        motion: Optional<u32>,
        /// `motion_done`: its name.
        motion_name: Optional<Name>,
        /// `motion_done`: whether it played to its end. If not, something interrupted it.
        success: Optional<bool>,
        /// `hook`: the kind of the hook, such as `Attack`, `Sound` or `AnimationDone`.
        hook: Optional<Name>,
        /// `hook`: the animation.
        animation: Optional<u32>,
        /// `hook`: the animation frame.
        frame: Optional<u32>,
        /// `hook`: its payload as JSON, for an attack the cone that it reaches.
        payload: Optional<Text>,
        /// `snap` and `teleport`: how far the entity was moved, in metres.
        distance: Optional<f32>,
        /// The other entity: what it touched, or is attached to.
        other: Optional<u32>,
        /// Why a message was refused or an entity not placed or deleted, how an order goes on, and the like.
        detail: Optional<Text>,
    }
}

impl Events {
    /// Sets the values of a row.
    pub(crate) fn push(&mut self, message: Option<i64>, moment: Moment, event: &Event, library: &Library) {
        let row = self.len();
        self.message.set_some(row, message);
        self.t.push(moment.t);
        self.time.set_some(row, moment.micros);
        self.guid.push(event.guid.0);
        let name = match &event.kind {
            EventKind::Motion(kind) => self.put_motion(row, kind, library),
            EventKind::Created => "created",
            EventKind::Deleted(reason) => {
                self.detail.set(row, delete_reason(*reason));
                "deleted"
            }
            EventKind::NotPlaced(reason) => {
                self.detail.set(row, &reason.to_string());
                "not_placed"
            }
            EventKind::Rejected(reason) => {
                self.detail.set(row, &reason.to_string());
                "rejected"
            }
            EventKind::PortalSpace(inside) => {
                self.detail.set(row, if *inside { "entered" } else { "left" });
                "portal_space"
            }
            EventKind::ControlLost => "control_lost",
            EventKind::PositionRequested => "position_wanted",
            EventKind::Clock(fault) => {
                self.detail.set(row, &fault.to_string());
                "clock"
            }
            EventKind::Request(step) => {
                self.detail.set(row, &format!("{}: {}", step.kind, step.progress));
                "request"
            }
            _ => "other",
        };
        self.event.push(name);
    }

    /// Sets the values of an event of motion. Returns its name.
    fn put_motion(&mut self, row: usize, kind: &MotionEvent, library: &Library) -> &'static str {
        match kind {
            MotionEvent::Hook(hook) => {
                self.put_hook(row, hook, library);
                "hook"
            }
            MotionEvent::MotionDone { motion, success } => {
                let MotionCommand(id) = *motion;
                self.motion.set(row, id);
                self.motion_name.set_some(row, motion.name());
                self.success.set(row, *success);
                "motion_done"
            }
            MotionEvent::HitGround => "hit_ground",
            MotionEvent::LeaveGround => "leave_ground",
            MotionEvent::HitEnvironment => "hit_environment",
            MotionEvent::Touched(Guid(other)) => {
                self.other.set(row, *other);
                "touched"
            }
            MotionEvent::Parted(Guid(other)) => {
                self.other.set(row, *other);
                "parted"
            }
            MotionEvent::Hidden(hidden) => {
                self.detail.set(row, if *hidden { "hidden" } else { "shown" });
                "hidden"
            }
            MotionEvent::Snapped { distance } => {
                self.distance.set(row, *distance);
                "snap"
            }
            MotionEvent::Teleported { distance } => {
                self.distance.set(row, *distance);
                "teleport"
            }
            MotionEvent::Lost => "lost",
            MotionEvent::QueueOverflow { motions } => {
                self.detail.set(row, &format!("{motions} motions"));
                "queue_overflow"
            }
            MotionEvent::Parented { parent, location } => {
                self.other.set(row, parent.0);
                self.detail.set(row, &format!("location {location}"));
                "parented"
            }
            MotionEvent::Unparented { parent } => {
                self.other.set(row, parent.0);
                "unparented"
            }
            MotionEvent::MoveTo(step) => {
                self.detail.set(row, &move_to_text(step));
                "moveto"
            }
            _ => "other",
        }
    }

    fn put_hook(&mut self, row: usize, hook: &HookEvent, library: &Library) {
        let effect = hook.effect();
        self.hook.set(row, effect.name());
        self.animation.set(row, library.clip(hook.clip).animation().id().0);
        self.frame.set(row, hook.frame);
        let has_payload =
            !matches!(effect, HookEffect::NoOp | HookEffect::AnimationDone | HookEffect::DefaultScript);
        if has_payload {
            self.payload.set(row, &hook_payload(effect).to_string());
        }
    }
}

/// Returns why an entity was removed, in a word.
pub(crate) fn delete_reason(reason: DeleteReason) -> &'static str {
    match reason {
        DeleteReason::Deleted => "deleted",
        DeleteReason::Replaced => "replaced",
        DeleteReason::Despawned => "despawned",
        _ => "other",
    }
}
