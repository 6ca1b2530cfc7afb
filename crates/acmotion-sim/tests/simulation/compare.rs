//! Two results compared: the first difference of each entity, tolerances, gaps, other tick rates, input that is no result.

use acmotion_sim::compare::{CompareError, Comparison, Side, Tolerance, compare};
use serde_json::{Value, json};

const GUID: &str = "0x50000001";

fn state(t: f64, x: f64) -> Value {
    json!({ "t": t, "guid": GUID, "cell": "0xA9B40019", "origin": [x, 0.0, 0.0], "substate": "0x44000007" })
}

/// States at a rate of ticks a second, running at one metre a second.
fn run(seconds: f64, rate: f64) -> Vec<Value> {
    (0..(seconds * rate) as u32).map(|tick| f64::from(tick) / rate).map(|t| state(t, t)).collect()
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn compared(a: &[Value], b: &[Value]) -> Comparison {
    compare(text(a).as_bytes(), text(b).as_bytes(), Tolerance::default()).unwrap()
}

fn first_fields(comparison: &Comparison) -> Vec<&str> {
    let first = comparison.entities[0].first.as_ref().expect("a difference");
    first.fields.iter().map(|field| field.field.as_str()).collect()
}

#[test]
fn a_result_is_the_same_as_itself() {
    let comparison = compared(&run(2.0, 30.0), &run(2.0, 30.0));
    assert!(comparison.is_same());
    assert_eq!(comparison.compared, 60);
    assert_eq!(comparison.entities[0].only_a + comparison.entities[0].only_b, 0);
}

#[test]
fn the_first_tick_the_fields_and_the_greatest_distance_are_found() {
    let a = run(2.0, 30.0);
    let mut b = a.clone();
    b[20]["substate"] = "0x41000003".into();
    b[40]["origin"][1] = 2.5.into();
    let comparison = compared(&a, &b);
    assert!(!comparison.is_same());
    assert_eq!(first_fields(&comparison), ["substate"]);
    let entity = &comparison.entities[0];
    let first = entity.first.as_ref().unwrap();
    assert_eq!((first.time, first.distance), (20.0 / 30.0, Some(0.0)));
    assert_eq!((entity.different, entity.greatest_distance), (2, 2.5));
    assert_eq!(entity.greatest_at, Some(40.0 / 30.0));
}

#[test]
fn the_entity_that_differs_first_comes_first() {
    let other = |lines: &[Value]| {
        let rename = |mut line: Value| {
            line["guid"] = "0x50000000".into();
            line
        };
        lines.iter().cloned().map(rename).collect::<Vec<_>>()
    };
    let mut a = run(1.0, 30.0);
    let mut b = a.clone();
    b[5]["substate"] = "0x41000003".into();
    let mut late = run(1.0, 30.0);
    a.extend(other(&late));
    late[9]["substate"] = "0x41000003".into();
    b.extend(other(&late));
    a.sort_by(|x, y| x["t"].as_f64().unwrap().total_cmp(&y["t"].as_f64().unwrap()));
    b.sort_by(|x, y| x["t"].as_f64().unwrap().total_cmp(&y["t"].as_f64().unwrap()));
    let guids: Vec<String> =
        compared(&a, &b).entities.iter().filter_map(|entity| Some(entity.guid?.to_string())).collect();
    assert_eq!(guids, [GUID, "0x50000000"]);
}

#[test]
fn ticks_at_another_rate_are_not_a_difference() {
    let comparison = compared(&run(2.0, 30.0), &run(2.0, 10.0));
    assert!(comparison.is_same(), "{comparison:?}");
    assert_eq!((comparison.compared, comparison.entities[0].only_a), (20, 40));
}

#[test]
fn an_entity_that_is_gone_for_more_than_half_a_second_differs() {
    let a = run(3.0, 30.0);
    let b: Vec<Value> =
        a.iter().filter(|line| !(1.0..2.5).contains(&line["t"].as_f64().unwrap())).cloned().collect();
    let comparison = compared(&a, &b);
    assert_eq!(first_fields(&comparison), ["state"]);
    let time = comparison.entities[0].first.as_ref().unwrap().time;
    assert!((1.4..1.6).contains(&time), "{time}");
    assert!(compared(&a, &a[..80]).is_same(), "a result that ends a little earlier");
}

#[test]
fn an_event_that_one_side_lacks_differs() {
    let hook = |t: f64, frame: u32| json!({ "t": t, "guid": GUID, "event": "hook", "frame": frame });
    let mut a = run(1.0, 30.0);
    let mut b = a.clone();
    a.insert(10, hook(0.3, 7));
    b.insert(10, hook(0.301, 7));
    assert!(compared(&a, &b).is_same(), "the same event, within a tick");
    b[10]["frame"] = 8.into();
    let comparison = compared(&a, &b);
    assert_eq!(first_fields(&comparison), ["event", "event"], "one on each side");
    assert_eq!(comparison.entities[0].different_events, 2);
    let ignoring = Tolerance { ignored: vec![String::from("hook")], ..Tolerance::default() };
    assert!(compare(text(&a).as_bytes(), text(&b).as_bytes(), ignoring).unwrap().is_same());
}

#[test]
fn fields_that_only_one_side_has_are_named_and_not_compared() {
    let a = run(1.0, 30.0);
    let mut b = a.clone();
    for line in &mut b {
        line["pending"] = 1.into();
    }
    let comparison = compared(&a, &b);
    assert!(comparison.is_same());
    assert_eq!(comparison.fields_of_one, [(Side::B, String::from("pending"))]);
}

#[test]
fn input_without_states_is_an_error() {
    let good = text(&run(1.0, 30.0));
    for bad in ["", "{}", "{\"t\":1}", "\u{0}\u{1}\u{2}", "{\"t\":1,\"event\":\"sent\"}\n"] {
        let error = compare(good.as_bytes(), bad.as_bytes(), Tolerance::default()).unwrap_err();
        assert!(matches!(error, CompareError::NoStates(Side::B)), "{bad:?}: {error}");
    }
}
