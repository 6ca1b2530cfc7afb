//! Emotes, fidgets and logging out. Each is a link from Ready to an action (rules G4, P4) that ends in the pose it
//! started from.

use acmotion_types::MotionCommand;

use super::super::clip::DatasetBuilder;
use super::super::pose::PoseChange;
use super::super::table::TableBuilder;
use super::super::{FRAME_RATE, animations, sounds};
use super::stance::NON_COMBAT;
use super::{
    CHEST, HEAD, HumanKeyframes, LEFT_ARM, LEFT_LEG, PELVIS, RIGHT_ARM, RIGHT_LEG, ROOT, WAIST, clip,
};

/// An action: its key frames as changes of the Ready pose, its last frame, and its sounds.
struct Emote {
    motion: MotionCommand,
    keys: &'static [(f32, PoseChange)],
    end: f32,
    sounds: &'static [(usize, u32)],
}

const HAND_UP: PoseChange = &[
    (RIGHT_ARM.swing, 16.0),
    (RIGHT_ARM.spread, 66.0),
    (RIGHT_ARM.twist, -76.0),
    (RIGHT_ARM.elbow, 118.0),
    (RIGHT_ARM.roll, 10.0),
    (CHEST.roll, -3.0),
    (HEAD.roll, 4.0),
];
const HAND_OUT: PoseChange = &[
    (RIGHT_ARM.swing, 16.0),
    (RIGHT_ARM.spread, 70.0),
    (RIGHT_ARM.twist, -76.0),
    (RIGHT_ARM.elbow, 70.0),
    (RIGHT_ARM.roll, 10.0),
    (CHEST.roll, -3.0),
    (HEAD.roll, 4.0),
];
const BOWED: PoseChange = &[
    (ROOT.y, -0.10),
    (ROOT.z, -0.035),
    (PELVIS.pitch, 34.0),
    (WAIST.pitch, 26.0),
    (CHEST.pitch, 14.0),
    (HEAD.pitch, 16.0),
    (RIGHT_ARM.swing, 40.0),
    (RIGHT_ARM.spread, -6.0),
    (RIGHT_ARM.twist, 58.0),
    (RIGHT_ARM.elbow, 84.0),
    (LEFT_ARM.swing, 30.0),
    (LEFT_ARM.spread, 20.0),
];
const CHIN_DOWN: PoseChange = &[(HEAD.pitch, 24.0), (CHEST.pitch, 4.0)];
const CHIN_UP: PoseChange = &[(HEAD.pitch, -6.0)];
const LOOK_RIGHT: PoseChange = &[(HEAD.yaw, -34.0), (CHEST.yaw, -3.0)];
const LOOK_LEFT: PoseChange = &[(HEAD.yaw, 34.0), (CHEST.yaw, 3.0)];
const SHRUGGED: PoseChange = &[
    (ROOT.z, -0.012),
    (CHEST.pitch, -3.0),
    (HEAD.roll, 10.0),
    (HEAD.pitch, 5.0),
    (RIGHT_ARM.swing, 14.0),
    (RIGHT_ARM.spread, 26.0),
    (RIGHT_ARM.twist, -52.0),
    (RIGHT_ARM.elbow, 78.0),
    (RIGHT_ARM.roll, -90.0),
    (LEFT_ARM.swing, 14.0),
    (LEFT_ARM.spread, 26.0),
    (LEFT_ARM.twist, -52.0),
    (LEFT_ARM.elbow, 78.0),
    (LEFT_ARM.roll, -90.0),
];
const DIP: PoseChange = &[
    (ROOT.z, -0.12),
    (ROOT.y, -0.03),
    (PELVIS.pitch, 14.0),
    (WAIST.pitch, 8.0),
    (RIGHT_ARM.swing, 40.0),
    (RIGHT_ARM.elbow, 100.0),
    (LEFT_ARM.swing, 40.0),
    (LEFT_ARM.elbow, 100.0),
];
const ARMS_HIGH: PoseChange = &[
    (ROOT.z, 0.03),
    (RIGHT_LEG.pitch, -30.0),
    (LEFT_LEG.pitch, -30.0),
    (CHEST.pitch, -10.0),
    (HEAD.pitch, -14.0),
    (RIGHT_ARM.swing, 166.0),
    (RIGHT_ARM.spread, 22.0),
    (RIGHT_ARM.elbow, 12.0),
    (LEFT_ARM.swing, 166.0),
    (LEFT_ARM.spread, 22.0),
    (LEFT_ARM.elbow, 12.0),
];
const PALMS_APART: PoseChange = &[
    (RIGHT_ARM.swing, 38.0),
    (RIGHT_ARM.spread, 12.0),
    (RIGHT_ARM.twist, 4.0),
    (RIGHT_ARM.elbow, 76.0),
    (LEFT_ARM.swing, 38.0),
    (LEFT_ARM.spread, 12.0),
    (LEFT_ARM.twist, 4.0),
    (LEFT_ARM.elbow, 76.0),
    (HEAD.pitch, 4.0),
];
const PALMS_TOGETHER: PoseChange = &[
    (RIGHT_ARM.swing, 42.0),
    (RIGHT_ARM.spread, 4.0),
    (RIGHT_ARM.twist, 33.0),
    (RIGHT_ARM.elbow, 76.0),
    (LEFT_ARM.swing, 42.0),
    (LEFT_ARM.spread, 4.0),
    (LEFT_ARM.twist, 33.0),
    (LEFT_ARM.elbow, 76.0),
    (HEAD.pitch, 6.0),
];
const POINTING: PoseChange = &[
    (CHEST.yaw, 14.0),
    (HEAD.yaw, -12.0),
    (RIGHT_ARM.swing, 88.0),
    (RIGHT_ARM.spread, 6.0),
    (RIGHT_ARM.elbow, 2.0),
    (RIGHT_ARM.roll, 60.0),
];
const SALUTING: PoseChange = &[
    (CHEST.pitch, -4.0),
    (RIGHT_ARM.swing, 62.0),
    (RIGHT_ARM.spread, 62.0),
    (RIGHT_ARM.twist, 14.0),
    (RIGHT_ARM.elbow, 138.0),
    (RIGHT_ARM.roll, 40.0),
];
const LAUGHING: PoseChange = &[
    (CHEST.pitch, -14.0),
    (WAIST.pitch, -6.0),
    (HEAD.pitch, -22.0),
    (RIGHT_ARM.swing, 12.0),
    (RIGHT_ARM.spread, 12.0),
    (RIGHT_ARM.twist, 66.0),
    (RIGHT_ARM.elbow, 88.0),
    (LEFT_ARM.swing, 12.0),
    (LEFT_ARM.spread, 12.0),
    (LEFT_ARM.twist, 66.0),
    (LEFT_ARM.elbow, 88.0),
];
const LAUGHING_LESS: PoseChange = &[
    (CHEST.pitch, -6.0),
    (WAIST.pitch, 2.0),
    (HEAD.pitch, -10.0),
    (ROOT.z, -0.015),
    (RIGHT_ARM.swing, 12.0),
    (RIGHT_ARM.spread, 16.0),
    (RIGHT_ARM.twist, 66.0),
    (RIGHT_ARM.elbow, 92.0),
    (LEFT_ARM.swing, 12.0),
    (LEFT_ARM.spread, 16.0),
    (LEFT_ARM.twist, 66.0),
    (LEFT_ARM.elbow, 92.0),
];
const BECKONING_OUT: PoseChange =
    &[(RIGHT_ARM.swing, 76.0), (RIGHT_ARM.spread, 14.0), (RIGHT_ARM.elbow, 24.0), (RIGHT_ARM.roll, -80.0)];
const BECKONING_IN: PoseChange =
    &[(RIGHT_ARM.swing, 56.0), (RIGHT_ARM.spread, 14.0), (RIGHT_ARM.elbow, 116.0), (RIGHT_ARM.roll, -80.0)];
const KNEELING: PoseChange = &[
    (ROOT.z, -0.42),
    (ROOT.y, 0.02),
    (PELVIS.pitch, 8.0),
    (WAIST.pitch, 8.0),
    (HEAD.pitch, 20.0),
    (RIGHT_LEG.y, -0.34),
    (RIGHT_LEG.pitch, -62.0),
    (LEFT_LEG.y, 0.26),
    (LEFT_ARM.swing, 46.0),
    (LEFT_ARM.elbow, 40.0),
    (RIGHT_ARM.swing, 6.0),
];
const HALF_KNEELING: PoseChange = &[
    (ROOT.z, -0.2),
    (PELVIS.pitch, 8.0),
    (RIGHT_LEG.y, -0.2),
    (RIGHT_LEG.lift, 0.05),
    (RIGHT_LEG.pitch, -40.0),
    (LEFT_LEG.y, 0.14),
    (LEFT_LEG.lift, 0.03),
    (LEFT_ARM.swing, 20.0),
];
const STRETCHED: PoseChange = &[
    (ROOT.z, 0.006),
    (WAIST.pitch, -8.0),
    (CHEST.pitch, -10.0),
    (HEAD.pitch, -18.0),
    (RIGHT_ARM.swing, 150.0),
    (RIGHT_ARM.spread, 34.0),
    (RIGHT_ARM.elbow, 60.0),
    (LEFT_ARM.swing, 156.0),
    (LEFT_ARM.spread, 34.0),
    (LEFT_ARM.elbow, 36.0),
];
const WEIGHT_RIGHT: PoseChange = &[
    (ROOT.x, 0.05),
    (ROOT.z, -0.012),
    (PELVIS.roll, -5.0),
    (WAIST.roll, 4.0),
    (CHEST.roll, 2.0),
    (LEFT_LEG.pitch, -12.0),
    (LEFT_LEG.splay, 14.0),
    (HEAD.yaw, -14.0),
];
const ARMS_CROSSED: PoseChange = &[
    (HEAD.pitch, 22.0),
    (CHEST.pitch, 8.0),
    (RIGHT_ARM.swing, 30.0),
    (RIGHT_ARM.spread, 4.0),
    (RIGHT_ARM.twist, 68.0),
    (RIGHT_ARM.elbow, 96.0),
    (LEFT_ARM.swing, 26.0),
    (LEFT_ARM.spread, 4.0),
    (LEFT_ARM.twist, 68.0),
    (LEFT_ARM.elbow, 92.0),
];

static EMOTES: [Emote; 16] = [
    Emote {
        motion: MotionCommand::WAVE,
        keys: &[(8.0, HAND_UP), (13.0, HAND_OUT), (18.0, HAND_UP), (23.0, HAND_OUT), (28.0, HAND_UP)],
        end: 38.0,
        sounds: &[],
    },
    Emote { motion: MotionCommand::BOW_DEEP, keys: &[(16.0, BOWED), (28.0, BOWED)], end: 44.0, sounds: &[] },
    Emote {
        motion: MotionCommand::NOD,
        keys: &[(6.0, CHIN_DOWN), (11.0, CHIN_UP), (16.0, CHIN_DOWN)],
        end: 24.0,
        sounds: &[],
    },
    Emote {
        motion: MotionCommand::SHAKE_HEAD,
        keys: &[(6.0, LOOK_RIGHT), (13.0, LOOK_LEFT), (20.0, LOOK_RIGHT), (27.0, LOOK_LEFT)],
        end: 34.0,
        sounds: &[],
    },
    Emote {
        motion: MotionCommand::SHRUG,
        keys: &[(8.0, SHRUGGED), (18.0, SHRUGGED)],
        end: 28.0,
        sounds: &[],
    },
    Emote {
        motion: MotionCommand::CHEER,
        keys: &[(7.0, DIP), (14.0, ARMS_HIGH), (21.0, DIP), (28.0, ARMS_HIGH)],
        end: 42.0,
        sounds: &[(12, sounds::VOICE), (26, sounds::VOICE)],
    },
    Emote {
        motion: MotionCommand::CLAP_HANDS,
        keys: &[
            (8.0, PALMS_APART),
            (12.0, PALMS_TOGETHER),
            (16.0, PALMS_APART),
            (20.0, PALMS_TOGETHER),
            (24.0, PALMS_APART),
            (28.0, PALMS_TOGETHER),
        ],
        end: 40.0,
        sounds: &[(12, sounds::CLAP), (20, sounds::CLAP), (28, sounds::CLAP)],
    },
    Emote {
        motion: MotionCommand::POINT,
        keys: &[(9.0, POINTING), (24.0, POINTING)],
        end: 34.0,
        sounds: &[],
    },
    Emote {
        motion: MotionCommand::SALUTE,
        keys: &[(8.0, SALUTING), (22.0, SALUTING)],
        end: 32.0,
        sounds: &[],
    },
    Emote {
        motion: MotionCommand::LAUGH,
        keys: &[
            (8.0, LAUGHING),
            (12.0, LAUGHING_LESS),
            (16.0, LAUGHING),
            (20.0, LAUGHING_LESS),
            (24.0, LAUGHING),
        ],
        end: 36.0,
        sounds: &[(6, sounds::VOICE)],
    },
    Emote {
        motion: MotionCommand::BECKON,
        keys: &[(8.0, BECKONING_OUT), (14.0, BECKONING_IN), (20.0, BECKONING_OUT), (26.0, BECKONING_IN)],
        end: 36.0,
        sounds: &[],
    },
    Emote {
        motion: MotionCommand::KNEEL,
        keys: &[(8.0, HALF_KNEELING), (16.0, KNEELING), (32.0, KNEELING), (40.0, HALF_KNEELING)],
        end: 48.0,
        sounds: &[],
    },
    Emote {
        motion: MotionCommand::TWITCH_1,
        keys: &[(14.0, LOOK_LEFT), (24.0, LOOK_LEFT), (42.0, LOOK_RIGHT), (52.0, LOOK_RIGHT)],
        end: 66.0,
        sounds: &[],
    },
    Emote {
        motion: MotionCommand::TWITCH_2,
        keys: &[(20.0, STRETCHED), (34.0, STRETCHED)],
        end: 54.0,
        sounds: &[],
    },
    Emote {
        motion: MotionCommand::TWITCH_3,
        keys: &[(12.0, WEIGHT_RIGHT), (40.0, WEIGHT_RIGHT)],
        end: 54.0,
        sounds: &[],
    },
    Emote {
        motion: MotionCommand::LOG_OUT,
        keys: &[(14.0, ARMS_CROSSED), (60.0, ARMS_CROSSED)],
        end: 74.0,
        sounds: &[(40, sounds::MAGIC)],
    },
];

pub(super) fn build(dataset: &mut DatasetBuilder, table: &mut TableBuilder) {
    dataset.start_animation_ids(animations::HUMAN_EMOTES);
    let ready = NON_COMBAT.ready();
    for emote in &EMOTES {
        let keys = HumanKeyframes::new(ready);
        let keys = emote.keys.iter().fold(keys, |keys, (frame, change)| keys.key(*frame, change));
        let mut played = clip(keys.key_pose(emote.end, ready).poses());
        for (frame, sound) in emote.sounds {
            played = played.with_sound(*frame, *sound);
        }
        table.link(
            NON_COMBAT.style,
            MotionCommand::READY,
            emote.motion,
            dataset.add_motion(played, FRAME_RATE),
        );
    }
}
