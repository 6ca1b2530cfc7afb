//! `acmotion soak`.

use crate::common::{json_lines, run, stdout};

#[test]
fn two_short_runs_are_equal_and_finite() {
    let arguments = ["soak", "--minutes", "0.25", "--clients", "6", "--hostile", "0.2", "--twice", "--json"];
    let lines = json_lines(&run(0, arguments).stdout);
    let summary = lines.iter().find(|line| line["event"] == "summary").unwrap();
    assert_eq!((&summary["non_finite"], &summary["slope_judged"]), (&0.into(), &false.into()), "{summary}");
    let (hostile, messages) = (summary["hostile"].as_f64().unwrap(), summary["messages"].as_f64().unwrap());
    assert!(messages > 300.0 && (0.15..0.25).contains(&(hostile / messages)), "{summary}");
    assert!(summary["entered"].as_u64().unwrap() >= 6, "{summary}");
    let second = lines.last().unwrap();
    assert_eq!((&second["equal"], &second["digest"]), (&true.into(), &summary["digest"]), "{second}");
    if cfg!(target_os = "linux") {
        assert!(lines.iter().filter(|line| line["event"] == "memory").count() > 10);
    }
}

#[test]
fn another_seed_gives_another_digest() {
    let digest = |seed: &str| {
        let text = stdout(["soak", "--minutes", "0.1", "--clients", "3", "--seed", seed]);
        assert!(text.contains("not finite: 0") && text.contains("too short to tell"), "{text}");
        text.lines().find_map(|line| line.strip_prefix("digest: ")).map(String::from).unwrap()
    };
    assert_ne!(digest("1"), digest("2"));
}
