//! Errors in scenario files: each names the line, what was expected and what was found.

use std::fs;
use std::path::Path;

use acmotion::types::{CellId, CellPosition, Vec3};
use acmotion_sim::Simulation;
use acmotion_sim::network::LinkSettings;
use acmotion_sim::scenario::{Ground, Scenario};

/// Returns the line and the message of the error in a text.
fn error(text: &str) -> (Option<usize>, String) {
    let error = Scenario::parse(text).expect_err(text);
    (error.line, error.message)
}

const PLAYER: &str = "seconds = 5\n[[player]]\nname = 'Asha'\nat = [96, 96]\n";

#[test]
fn an_error_names_the_line_and_the_reason() {
    let cases = [
        ("seconds = ", 1, "string"),
        ("seed = 1", 1, "missing field `seconds`"),
        ("seconds = 5\nsecond = 4", 2, "unknown field `second`"),
        ("seconds = -1", 1, "seconds: expected 0.1 to 3600, found -1"),
        ("seconds = nan", 1, "NaN"),
        ("seconds = 1e300", 1, "found 1e300"),
        ("seconds = 5\nlandblock = 'XYZ'", 2, "four hexadecimal digits"),
        ("seconds = 5\n\n[network]\nloss = 2.0", 3, "loss: expected 0 to 1, found 2"),
        ("seconds = 5\n[network]\nretransmit = 'often'", 3, "true, false, or a number of seconds"),
        ("seconds = 5\n[ground]\nheight = nan", 2, "ground: height is NaN; expected a finite number"),
        ("seconds = 5\n[ground]\nslope = { rise = inf }", 2, "the rise of the slope is inf"),
        ("seconds = 5\n[ground]\nslope = { rise = 1e30 }", 2, "rises 1e30 m for each metre is too steep"),
        ("seconds = 5\n[[player]]\nname = 'A'\nat = [1]", 2, "expected [east, north]"),
        (
            "seconds = 5\n[[player]]\nname = 'A'\nat = [1, nan]",
            2,
            "at: expected -100000 to 100000, found NaN",
        ),
        ("seconds = 5\n[[player]]\nname = ''\nat = [1, 1]", 2, "1 to 40 printable ASCII characters"),
        (
            "seconds = 5\n[[player]]\nname = 'A name of forty-one characters is too long'\nat = [1, 1]",
            2,
            "1 to 40 printable ASCII characters, found `A name of forty-one characters is too lo…`",
        ),
        (
            "seconds = 5\n[[player]]\nname = 'A'\nat = [1, 1]\ninput = [{ at = 1, walk_to = [9, 9], timeout = 1e7 }]",
            5,
            "timeout: expected 0 to 1000000",
        ),
        (
            "seconds = 5\n[[observer]]\nname = 'A'\nat = [1, 1]\ninput = [{ at = 1, tap = 'jump' }]",
            2,
            "cannot have input",
        ),
        ("seconds = 5\n[[creature]]\nname = 'A'\nat = [1, 1]\nkind = 'fish'", 2, "human, beast or door"),
        ("seconds = 5\n[[event]]\nat = 1\nteleport = 'A'", 2, "expected `to`"),
        ("seconds = 5\n[[event]]\nat = 1", 2, "one of teleport, kill, send"),
    ];
    for (text, line, part) in cases {
        let (found, message) = error(text);
        assert_eq!(found, Some(line), "{text}: {message}");
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn an_input_or_order_with_no_action_or_several_is_an_error() {
    let cases = [
        ("input = [\n{ at = 1, press = 'forward' },\n{ at = 2 }]", 7, "found only `at`"),
        ("input = [{ at = 1, press = 'forward', tap = 'jump' }]", 5, "only one of"),
        ("input = [{ at = 1, press = 'fly' }]", 5, "`fly` is not a key: expected one of forward"),
        ("input = [{ at = 1, stance = 'angry' }]", 5, "peace, melee, missile, magic"),
        ("input = [{ at = 1, emote = 'Ready' }]", 5, "`Ready` is not an action"),
        ("input = [{ at = 1, jump = 2.0 }]", 5, "jump: expected 0 to 1, found 2"),
        ("input = [{ at = -1, tap = 'jump' }]", 5, "at: expected 0 to 3600, found -1"),
        ("input = [{ at = 1, stop = false }]", 5, "leave the key out"),
        ("input = [{ at = 1, tap = 'jump', speed = 2 }]", 5, "unknown field `speed`"),
        (
            "[[creature]]\nname = 'W'\nat = [1, 1]\norder = [{ at = 1, patrol = [[1, 2]] }]",
            8,
            "two positions",
        ),
    ];
    for (text, line, part) in cases {
        let (found, message) = error(&format!("{PLAYER}{text}"));
        assert_eq!(found, Some(line), "{text}: {message}");
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn hostile_14_a_scenario_with_1002_inputs_is_rejected() {
    let inputs =
        |count: usize| format!("{PLAYER}input = [\n{}]", "{ at = 1, tap = 'jump' },\n".repeat(count));
    assert_eq!(Scenario::parse(&inputs(1_000)).unwrap().clients[0].inputs.len(), 1_000);
    let (line, message) = error(&inputs(1_002));
    assert_eq!(line, Some(1_006), "the line of the first entry too many");
    assert!(message.starts_with("input: expected at most 1000 entries, found 1002"), "{message}");
}

#[test]
fn hostile_14_every_list_over_the_limit_is_an_error_that_names_it() {
    for (name, table) in [
        ("player", "[[player]]\nname = 'A'\nat = [1, 1]\n"),
        ("observer", "[[observer]]\nname = 'A'\nat = [1, 1]\n"),
        ("creature", "[[creature]]\nname = 'A'\nat = [1, 1]\n"),
        ("event", "[[event]]\nat = 1\nkill = 'Asha'\n"),
    ] {
        let (_, message) = error(&format!("seconds = 5\n{}", table.repeat(1_001)));
        assert!(message.starts_with(&format!("{name}: expected at most 1000 entries")), "{message}");
    }
    let orders = "{ at = 1, stand = true },".repeat(1_001);
    let (_, message) = error(&format!("{PLAYER}[[creature]]\nname = 'W'\nat = [1, 1]\norder = [{orders}]"));
    assert!(message.starts_with("order: expected at most 1000 entries, found 1001"), "{message}");
    let route = "[1, 2],".repeat(1_001);
    let order = format!("order = [{{ at = 1, patrol = [{route}] }}]");
    let (_, message) = error(&format!("{PLAYER}[[creature]]\nname = 'W'\nat = [1, 1]\n{order}"));
    assert!(message.starts_with("patrol: expected at most 1000 positions, found 1001"), "{message}");
}

#[test]
fn names_must_be_unique_and_those_of_targets_must_exist() {
    let twice = format!("{PLAYER}[[observer]]\nname = 'Asha'\nat = [1, 1]");
    assert!(error(&twice).1.contains("the name `Asha` is used twice"));
    let unknown =
        format!("{PLAYER}[[creature]]\nname = 'W'\nat = [1, 1]\norder = [{{ at = 1, chase = 'Ashaa' }}]");
    assert!(error(&unknown).1.contains("no player, observer or creature named `Ashaa`"));
    let creature = format!("{PLAYER}[[creature]]\nname = 'W'\nat = [1, 1]\n[[event]]\nat = 1\nkill = 'W'");
    assert!(error(&creature).1.contains("no player named `W`"));
}

/// What the limits on lists allow, and nothing could run.
#[test]
fn hostile_15_a_scenario_with_too_many_bodies_is_rejected() {
    let crowd = |count: usize| {
        let player = |index: usize| format!("[[player]]\nname = 'P{index}'\nat = [{index}, 96]\n");
        let text: String = (0..count).map(player).collect();
        Scenario::parse(&format!("seconds = 0.5\n{text}")).unwrap()
    };
    for count in [316, 1_000] {
        let error = Simulation::new(&crowd(count)).err().unwrap().to_string();
        let bodies = (count + 1) * count;
        assert!(error.contains(&format!("are {bodies} bodies; expected at most 100000")), "{error}");
    }
    assert!(Simulation::new(&crowd(100)).is_ok());
}

#[test]
fn starting_off_the_map_is_an_error() {
    let scenario = Scenario::parse("seconds = 5\n[[player]]\nname = 'A'\nat = [90000, 1]").unwrap();
    assert!(Simulation::new(&scenario).err().unwrap().to_string().contains("`A` starts off the map"));
}

#[test]
fn hostile_21_a_non_finite_height_in_code_is_an_error_that_says_so() {
    let scenario = Scenario { ground: Ground::Level { height: f32::NAN }, ..Scenario::default() };
    assert!(Simulation::new(&scenario).err().unwrap().message.contains("height is NaN"));
}

#[test]
fn hostile_19_control_characters_in_errors_are_escaped() {
    let texts = [
        "seconds = 5\n[[player]]\nname = \"\\u001b]0;title\\u0007\"\nat = [1, 1]",
        "seconds = 5\n\"\\u001b[2J\" = 1",
        "seconds = 5\n[[event]]\nat = 1\nkill = \"\\u001b[2J\"",
    ];
    for text in texts {
        let (_, message) = error(text);
        assert!(message.chars().all(|character| character == '\n' || !character.is_control()), "{message:?}");
        assert!(message.contains("\\u{1b}"), "{message:?}");
    }
}

#[test]
fn keys_that_a_connection_leaves_out_are_inherited() {
    let scenario = Scenario::parse(
        "seconds = 5
        network = { latency = 0.1, loss = 0.02, down = { latency = 0.2 } }
        [[player]]
        name = 'A'
        at = [1, 1]
        network = { jitter = 0.01, retransmit = false, up = { loss = 0.5 } }
        [[observer]]
        name = 'B'
        at = [1, 1]",
    )
    .unwrap();
    let both = LinkSettings { latency: 0.1, loss: 0.02, ..LinkSettings::PERFECT };
    assert_eq!(scenario.clients[1].network.up, both);
    assert_eq!(scenario.clients[1].network.down, LinkSettings { latency: 0.2, ..both });
    let own = LinkSettings { jitter: 0.01, retransmit: None, ..both };
    assert_eq!(scenario.clients[0].network.up, LinkSettings { loss: 0.5, ..own });
    assert_eq!(scenario.clients[0].network.down, LinkSettings { latency: 0.2, ..own });
}

#[test]
fn a_slope_rises_in_its_direction() {
    let ground = Ground::Slope { height: 10.0, rise: 0.5, towards: 90.0 };
    let surroundings = ground.surroundings(0xA9B4).unwrap();
    let above = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(20.0, 3.0, 500.0));
    let plane = surroundings.ground(&above).unwrap().plane;
    assert!(
        plane.distance(Vec3::new(20.0, 3.0, 20.0)).abs() < 1e-3,
        "ten metres up after twenty metres east"
    );
}

#[test]
fn damaged_files_never_panic() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/chase.toml");
    let whole = fs::read_to_string(path).unwrap();
    for cut in (0..whole.len()).step_by(7) {
        let _ = Scenario::parse(whole.get(..cut).unwrap_or(""));
        let mut text = String::from(whole.get(..cut).unwrap_or(""));
        text.push_str("\"[]=\n");
        text.push_str(whole.get(cut..).unwrap_or(""));
        let _ = Scenario::parse(&text);
    }
}

#[test]
fn skills_are_clamped() {
    let scenario = Scenario::parse(&format!("{PLAYER}run_skill = 4000000000\njump_skill = 10001\n")).unwrap();
    assert_eq!((scenario.clients[0].run_skill, scenario.clients[0].jump_skill), (10_000, 10_000));
}
