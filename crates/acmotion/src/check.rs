//! Checks what clients report, for servers.
//!
//! A [`Checker`] watches one client. Pass it everything that the server sends to this client, at the time of sending, and
//! everything that the client sends, at the time of arrival. It moves a copy of the player as an honest client would, and
//! compares each reported position with that path.
//!
//! ```
//! use std::sync::Arc;
//!
//! use acmotion::check::{CheckSettings, Checker};
//! use acmotion::dat::Assets;
//! use acmotion::types::Guid;
//!
//! // A server passes its land as `surroundings`; without it, positions are judged by speed alone.
//! let settings = CheckSettings { surroundings: None, ..CheckSettings::default() };
//! let mut checker = Checker::new(Assets::mannequin(), Guid(0x5000_0001), settings);
//!
//! // In the server's loop, for each message of the client (here: none has arrived yet):
//! let arrived: Vec<(f64, Arc<[u8]>)> = Vec::new();
//! for (time, bytes) in arrived {
//!     match checker.receive(&bytes, time) {
//!         Ok(Some(verdict)) if verdict.is_alarm() => println!("{}", verdict.finding),
//!         Ok(_) => {}
//!         Err(error) => println!("unreadable: {error}"),
//!     }
//! }
//! ```
//!
//! # What an honest client may do
//!
//! Messages carry no time. A position may therefore lie anywhere on the path, with two limits:
//!
//! - A client that moves on the ground reports its position after one second, by its own clock, whatever the network does
//!   (rule K7). Motion for more than 1 s + [`max_frame`](CheckSettings::max_frame) between two reports is too fast. If the
//!   report also arrives that late, one such motion is excused as a long frame; the next is not.
//! - In the long run it cannot be ahead of the arrival of its messages by more than
//!   [`latency_spread`](CheckSettings::latency_spread).
//!
//! # Where orders can lead a player
//!
//! The server does not know when a client receives an order, nor where the client believes the target to be. But a player
//! that goes to a target, or sticks to one, moves straight towards it in every tick (rules I10, J). It is therefore within
//! the convex hull of where it set out and where the target has been since, unless something is in the way, or the target
//! pushes it. It cannot be farther along than a copy that has followed the order since the order was sent.
//!
//! # What is judged loosely or not at all
//!
//! - While the server moves the player, or the player plays a stance or another motion of the server, it may be 2 m off
//!   ([`Method::Ordered`]). With a target it may be off by as far as the target can push it and 0.75 m more, if that is
//!   farther. An offset along the way of an order, or towards a target that moves, is not found.
//! - Only speed and walls count ([`Method::Reach`]) while the server changes the player's skills or state, while the mouse
//!   turns a moving player, and if the last keys that were reported move the player during an order to go somewhere: a
//!   client does not report their release then (rule K2), and they move the player again afterwards (rule K8). The same
//!   applies if something is on the straight line to the target.
//! - For 6.5 s after a teleport, and 2.5 s after other orders, the phases of the animations are unknown: motion that only
//!   takes too long is excused if a link between animations can explain it.
//! - Motions that end with a key before the second is over are limited by `latency_spread` alone, because messages carry no
//!   time: the server knows how long such a motion took only from two arrivals, whose delays may differ by that much. A
//!   player that is 1.2 times too fast gains 0.2 s in each second, so one that is fast only in such motions is found after
//!   15 s of motion at the earliest. The same applies to a client whose clock is 1.2 times too fast: its reports are faster,
//!   too, and differ from those of an honest client only in their arrivals.
//! - Where the land is unknown, walls, ground and paths are not judged.
//!
//! # How the thresholds were measured
//!
//! By `acmotion simulate SCENE --check --cheat all`, which prints these figures for a scenario over its own network and over
//! each network preset.
//!
//! Honest clients: no alarm in the scenarios of `scenes/` over four networks: 1,000 seeds each of `melee_exchange` and
//! `teleport`, in which the server sends the player to targets, 300 of `laggy_duel` and `stance_change_while_running`, and 100
//! of the others. The error of predicted reports is at most 0.68 m of the 0.75 m allowed.
//!
//! Cheats found within 2 s, over the perfect, typical and terrible presets, from ten times spread over each scenario:
//!
//! | cheat | perfect | typical | terrible |
//! |---|---|---|---|
//! | stamp replay | 80 of 80 | 80 of 80 | 80 of 80 |
//! | jump extent of 1.5 | 21 of 21 | 21 of 21 | 21 of 21 |
//! | wall clip | 10 of 10 | 10 of 10 | 10 of 10 |
//! | air walk | 77 of 77 | 77 of 78 | 76 of 78 |
//! | 3 m beside the path | 80 of 80 | 80 of 80 | 74 of 80 |
//! | speed × 1.2, timed motion | 61 of 61 | 61 of 61 | 43 of 54 |
//! | speed × 1.2, all motion | 46 of 61 | 47 of 61 | 31 of 60 |
//! | clock × 1.2, all motion | 1 of 52 | 1 of 52 | 1 of 52 |
//!
//! Five of the six offsets that were missed begin while the player fights a creature that follows it, and lead along the line
//! between the two; the sixth begins while the server changes the stance of a running player. Of timed motion only those
//! seconds count in which the player moves on the ground under its own control, 6.5 s or more after the server's last order
//! or teleport, and which end with the report of rule K7's timer; of all motion every second on the ground under its own
//! control. Runs with less than 2 s of these that were not found are left out.

mod checker;
mod client_motion;
mod flags;
mod orders;
mod own_player;
mod predict;
mod sequences;
mod settings;
mod verdict;

pub use checker::Checker;
pub use client_motion::{ClientMotion, ClientMotionKind, interpreted, launch_velocity};
pub use own_player::{OwnPlayer, learn_run_rate};
pub use settings::CheckSettings;
pub use verdict::{Finding, ImpossibleFlag, LateReason, Method, ReplayedStamp, Verdict};
