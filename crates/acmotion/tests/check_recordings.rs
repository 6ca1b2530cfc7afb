//! Checks the local players of recordings of the game: all of them are honest.
//!
//! The tests are listed as ignored unless `ACMOTION_CAPTURES` names the folder that holds the recordings. The land is not
//! available, so speed, jumps, fields and stamps are checked, but not walls.

use std::path::Path;

use acmotion::check::{CheckSettings, Checker, Finding, Verdict};
use acmotion::dat::Assets;
use acmotion::types::Guid;
use acmotion_test_recordings::{read, recording_tests};

recording_tests! {
    the_player_of_a_retail_server_is_ok_throughout,
    the_players_of_community_servers_are_ok_throughout,
}

/// Returns the verdicts on the messages of a recording's own player, with their times.
fn verdicts(folder: &Path, file: &str, player: u32) -> Vec<(f64, Verdict)> {
    let mut checker = Checker::new(Assets::mannequin(), Guid(player), CheckSettings::default());
    let mut verdicts = Vec::new();
    for message in read(folder, file) {
        if message.is_from_server {
            checker.sent(&message.bytes, message.time).unwrap();
        } else if let Some(verdict) = checker.receive(&message.bytes, message.time).unwrap() {
            verdicts.push((message.time, verdict));
        }
    }
    verdicts
}

#[track_caller]
fn assert_honest(folder: &Path, file: &str, player: u32, min_reports: usize) {
    let verdicts = verdicts(folder, file, player);
    let alarms: Vec<_> = verdicts.iter().filter(|(_, verdict)| verdict.is_alarm()).collect();
    assert!(alarms.is_empty(), "{file}: {} alarms: {alarms:#?}", alarms.len());
    let ok = verdicts.iter().filter(|(_, verdict)| verdict.finding == Finding::Ok).count();
    assert!(ok >= min_reports, "{file}: {ok} of {} reports are ok", verdicts.len());
}

fn the_player_of_a_retail_server_is_ok_throughout(folder: &Path) {
    assert_honest(folder, "retail_training_academy.jsonl", 0x5014_17CA, 1000);
}

fn the_players_of_community_servers_are_ok_throughout(folder: &Path) {
    assert_honest(folder, "retail_player.jsonl", 0x5000_0002, 10);
    assert_honest(folder, "melee_chickens.jsonl", 0x5000_0013, 10);
    assert_honest(folder, "banderling_chase.jsonl", 0x5000_001D, 1);
}
