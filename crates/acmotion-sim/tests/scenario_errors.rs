//! What is wrong with a scene is said with its line.

use acmotion_sim::Simulation;
use acmotion_sim::network::LinkSettings;
use acmotion_sim::scenario::{Ground, Scenario};

/// The line and the message of what is wrong.
fn wrong(text: &str) -> (Option<usize>, String) {
    let error = Scenario::parse(text).expect_err(text);
    (error.line, error.message)
}

const PLAYER: &str = "seconds = 5\n[[player]]\nname = 'Asha'\nat = [96, 96]\n";

#[test]
fn errors_say_where_and_what() {
    let cases = [
        ("seconds = ", 1, "string"),
        ("seed = 1", 1, "missing field `seconds`"),
        ("seconds = 5\nsecond = 4", 2, "unknown field `second`"),
        ("seconds = -1", 1, "-1 is not from 0.1 to 3600"),
        ("seconds = nan", 1, "NaN"),
        ("seconds = 5\nlandblock = 'XYZ'", 2, "four hexadecimal digits"),
        ("seconds = 5\n\n[network]\nloss = 2.0", 3, "loss: 2 is not from 0 to 1"),
        ("seconds = 5\n[network]\nretransmit = 'often'", 3, "true, false, or a number of seconds"),
        ("seconds = 5\n[ground]\nslope = { rise = inf }", 2, "steep"),
        ("seconds = 5\n[[player]]\nname = 'A'\nat = [1]", 2, "[east, north]"),
        ("seconds = 5\n[[player]]\nname = ''\nat = [1, 1]", 2, "1 to 40 plain letters"),
        (
            "seconds = 5\n[[observer]]\nname = 'A'\nat = [1, 1]\ninput = [{ at = 1, tap = 'jump' }]",
            2,
            "no input",
        ),
        ("seconds = 5\n[[creature]]\nname = 'A'\nat = [1, 1]\nkind = 'fish'", 2, "human, beast, door"),
        ("seconds = 5\n[[event]]\nat = 1\nteleport = 'A'", 2, "expected `to`"),
        ("seconds = 5\n[[event]]\nat = 1", 2, "one of teleport, kill, send"),
    ];
    for (text, line, part) in cases {
        let (found, message) = wrong(text);
        assert_eq!(found, Some(line), "{text}: {message}");
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn inputs_and_orders_say_one_thing_each() {
    let cases = [
        ("input = [\n{ at = 1, press = 'forward' },\n{ at = 2 }]", 7, "nothing to do"),
        ("input = [{ at = 1, press = 'forward', tap = 'jump' }]", 5, "only one of"),
        ("input = [{ at = 1, press = 'fly' }]", 5, "`fly` is no key: expected one of forward"),
        ("input = [{ at = 1, stance = 'angry' }]", 5, "peace, melee, missile, magic"),
        ("input = [{ at = 1, emote = 'Ready' }]", 5, "`Ready` is no action"),
        ("input = [{ at = 1, jump = 2.0 }]", 5, "jump: 2 is not from 0 to 1"),
        ("input = [{ at = -1, tap = 'jump' }]", 5, "at: -1"),
        ("input = [{ at = 1, stop = false }]", 5, "leave it out"),
        ("input = [{ at = 1, tap = 'jump', speed = 2 }]", 5, "unknown field `speed`"),
        ("[[creature]]\nname = 'W'\nat = [1, 1]\norder = [{ at = 1, patrol = [[1, 2]] }]", 8, "two places"),
    ];
    for (text, line, part) in cases {
        let (found, message) = wrong(&format!("{PLAYER}{text}"));
        assert_eq!(found, Some(line), "{text}: {message}");
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn whoever_is_meant_must_be_there() {
    let twice = format!("{PLAYER}[[observer]]\nname = 'Asha'\nat = [1, 1]");
    assert!(wrong(&twice).1.contains("two are called `Asha`"));
    let nobody =
        format!("{PLAYER}[[creature]]\nname = 'W'\nat = [1, 1]\norder = [{{ at = 1, chase = 'Ashaa' }}]");
    assert!(wrong(&nobody).1.contains("nobody is called `Ashaa`"));
    let creature = format!("{PLAYER}[[creature]]\nname = 'W'\nat = [1, 1]\n[[event]]\nat = 1\nkill = 'W'");
    assert!(wrong(&creature).1.contains("no player is called `W`"));
    let off = Scenario::parse("seconds = 5\n[[player]]\nname = 'A'\nat = [90000, 1]").unwrap();
    assert!(Simulation::new(&off).err().unwrap().to_string().contains("`A` stands off the map"));
}

#[test]
fn connections_inherit_what_they_do_not_say() {
    let scene = Scenario::parse(
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
    assert_eq!(scene.clients[1].network.up, both);
    assert_eq!(scene.clients[1].network.down, LinkSettings { latency: 0.2, ..both });
    let own = LinkSettings { jitter: 0.01, retransmit: None, ..both };
    assert_eq!(scene.clients[0].network.up, LinkSettings { loss: 0.5, ..own });
    assert_eq!(scene.clients[0].network.down, LinkSettings { latency: 0.2, ..own });
}

#[test]
fn a_slope_goes_up_where_it_says() {
    let ground = Ground::Slope { height: 10.0, rise: 0.5, towards: 90.0 };
    let around = ground.surroundings(0xA9B4).unwrap();
    let place = acmotion::types::CellPosition::at(
        acmotion::types::CellId(0xA9B4_0001),
        acmotion::types::Vec3::new(20.0, 3.0, 500.0),
    );
    let plane = around.ground(&place).unwrap().plane;
    let point = acmotion::types::Vec3::new(20.0, 3.0, 20.0);
    assert!(plane.distance(point).abs() < 1e-3, "ten up after twenty east");
}

/// Any text is a scene or an error, never a panic.
#[test]
fn broken_scenes_are_refused_in_peace() {
    let whole = include_str!("../../../scenes/chase.toml");
    for cut in (0..whole.len()).step_by(7) {
        let _ = Scenario::parse(whole.get(..cut).unwrap_or(""));
        let mut text = String::from(whole.get(..cut).unwrap_or(""));
        text.push_str("\"[]=\n");
        text.push_str(whole.get(cut..).unwrap_or(""));
        let _ = Scenario::parse(&text);
    }
}
