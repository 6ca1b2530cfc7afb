//! Compares both command catalogues with the tables in `docs/`, entry by entry.

use acmotion_types::{Era, MotionCommand, STANCES};

fn rows(table: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../docs/{table}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(String::from).collect()).collect()
}

fn hex(text: &str) -> u32 {
    u32::from_str_radix(text.strip_prefix("0x").unwrap(), 16).unwrap()
}

fn check_era(era: Era, table: &str, count: usize) {
    let rows = rows(table);
    assert_eq!(rows.len(), count);
    assert_eq!(era.count(), count);
    assert_eq!(era.commands().count(), count);
    for (index, row) in rows.iter().enumerate() {
        let (wire, id, name) = (hex(&row[0]) as u16, MotionCommand(hex(&row[1])), row[2].as_str());
        assert_eq!(usize::from(wire), index);
        assert_eq!(era.expand(wire), Some(id), "{name}");
        assert_eq!(id.wire_index(), wire, "{name}");
        assert_eq!(era.name(id), Some(name));
        assert_eq!(era.find(name), Some(id));
        assert_eq!(era.find(&name.to_ascii_uppercase()), Some(id));
    }
    for outside in [count as u16, 0x7FFF, 0xFFFF] {
        assert_eq!(era.expand(outside), None);
    }
}

#[test]
fn end_of_retail_has_412_commands() {
    check_era(Era::EndOfRetail, "command_ids.csv", 412);
}

#[test]
fn september_2013_has_408_commands() {
    check_era(Era::September2013, "command_ids_2013.csv", 408);
}

#[test]
fn other_spellings_find_the_same_command() {
    let mut seen = 0;
    for row in rows("command_ids.csv") {
        for other in row[3].split_whitespace() {
            assert_eq!(MotionCommand::from_name(other), Some(MotionCommand(hex(&row[1]))), "{other}");
            seen += 1;
        }
    }
    assert_eq!(seen, 10);
    assert_eq!(Era::September2013.find("SideBySideVitals"), Some(MotionCommand(0x0900_015E)));
    assert_eq!(MotionCommand::from_name("NoSuchMotion"), None);
}

#[test]
fn stances_match_the_table() {
    let rows = rows("motion_stances.csv");
    assert_eq!(rows.len(), STANCES.len());
    for (row, stance) in rows.iter().zip(STANCES) {
        assert_eq!(hex(&row[1]), stance.0);
        assert_eq!(MotionCommand::from_name(&row[0]), Some(stance));
        assert!(stance.is_style());
    }
}

#[test]
fn classes_follow_the_top_byte() {
    let turn = MotionCommand::TURN_RIGHT;
    assert!(turn.is_substate() && turn.is_modifier() && turn.is_toggle() && turn.is_mappable());
    assert!(!turn.is_style() && !turn.is_action() && !turn.is_ui() && !turn.is_chat_emote());
    assert!(MotionCommand::NON_COMBAT.is_style());
    assert!(MotionCommand::THRUST_MED.is_action());
    assert!(MotionCommand::from_name("Wave").is_some_and(|c| c.is_action() && c.is_chat_emote()));
    assert!(MotionCommand::AUTO_RUN.is_ui());
    // An id with a known low word but different class bits has no name.
    assert_eq!(MotionCommand(0x0000_0003).name(), None);
    assert_eq!(format!("{:?}", MotionCommand::READY), "Ready(0x41000003)");
}
