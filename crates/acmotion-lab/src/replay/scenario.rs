//! Simulates a scenario from its start to its end.

use std::sync::{Arc, RwLock};

use acmotion_sim::scenario::{Ground, Scenario};
use acmotion_sim::{ClientId, Simulation};

use super::interest::STOPPED;
use super::{InterestWatch, LIMITS, Recording, view};
use crate::protocol::LandKind;
use crate::protocol::api::RecordingKind;
use crate::record::{Timeline, View, write};
use crate::values::Origin;
use crate::walk::Recorder;

/// The maximum length of a scenario, in seconds. The rest of a longer one is not simulated.
const MAX_SECONDS: f64 = 600.0;
/// The maximum size of a scenario, in bytes. Decoded it takes many times as much memory.
const MAX_BYTES: usize = 4 << 20;
/// How much of a file is searched for text, in bytes. Captures contain bytes that are not UTF-8 near their start.
const MAX_SEARCHED_BYTES: usize = 1 << 20;

/// Returns `true` if a file is a scenario, by its name or by its content.
pub(super) fn is_scenario(name: &str, bytes: &[u8]) -> bool {
    let has_name = name.to_ascii_lowercase().ends_with(".toml");
    let has_content = || {
        let start = bytes.get(..bytes.len().min(MAX_SEARCHED_BYTES));
        let text = start.and_then(|bytes| str::from_utf8(bytes).ok());
        text.is_some_and(|text| text.contains("[[player]]"))
    };
    has_name || (bytes.first() != Some(&b'{') && has_content())
}

pub(super) fn open(name: &str, bytes: &[u8], watch: &InterestWatch) -> Result<Recording, String> {
    if bytes.len() > MAX_BYTES {
        return Err(format!("the scenario is larger than {} MB", MAX_BYTES >> 20));
    }
    let text = str::from_utf8(bytes).map_err(|error| format!("the scenario is not UTF-8 text: {error}"))?;
    let scenario = Scenario::parse(text).map_err(|error| error.to_string())?;
    let mut simulation = Simulation::new(&scenario).map_err(|error| error.to_string())?;
    simulation.stop_measuring();
    if scenario.clients.is_empty() {
        return Err(String::from("the scenario has no client: at least one [[player]] is needed"));
    }
    // Observers come first: their views are the ones to compare with the truth.
    let mut clients: Vec<usize> = (0..scenario.clients.len()).collect();
    clients.sort_by_key(|index| !scenario.clients[*index].is_observer);
    let pacer = ClientId(0);
    let origin = Origin::of_block(scenario.landblock);
    let mut recorder = Recorder::new(clients.iter().map(|index| ClientId(*index)).collect(), pacer, origin);
    let mut timeline = Timeline::new(LIMITS);
    timeline.origin = origin;
    let timeline = Arc::new(RwLock::new(timeline));
    let seconds = scenario.seconds.min(MAX_SECONDS);
    while simulation.now() < seconds {
        if watch.is_lost() {
            return Err(String::from(STOPPED));
        }
        recorder.advance(&mut simulation, &timeline, None);
    }
    write(&timeline).has_ended = true;
    let mut recording = Recording::new(name, RecordingKind::Scenario, Timeline::new(LIMITS));
    recording.timeline = timeline;
    if scenario.ground == Ground::Town {
        recording.land = LandKind::Town;
    }
    let description = "Players as their own clients see them, everything else as the server sees it.";
    recording.views = vec![view(0, "truth", description)];
    for (number, index) in (1..View::MAX).zip(&clients) {
        let client = &scenario.clients[*index].name;
        recording.views.push(view(number, client, format!("What {client} sees of the others.")));
    }
    simulation.client(pacer).map(|client| recording.player.set(client.guid()));
    if scenario.seconds > MAX_SECONDS {
        recording.notes.push(format!("only the first {MAX_SECONDS} seconds were simulated"));
    }
    Ok(recording)
}

#[cfg(test)]
mod tests {
    use super::super::{Interest, Recording};
    use super::{MAX_BYTES, MAX_SEARCHED_BYTES, MAX_SECONDS, is_scenario, open};
    use crate::record::read;

    const PLAYER: &str = "[[player]]\nname = 'A'\nat = [96, 96]\n";

    fn open_text(text: &str) -> Result<Recording, String> {
        open("test.toml", text.as_bytes(), &Interest::default().watch())
    }

    #[test]
    fn a_scenario_is_simulated_for_ten_minutes() {
        let recording = open_text(&format!("seconds = 3600\n{PLAYER}")).unwrap();
        assert_eq!(recording.notes, ["only the first 600 seconds were simulated"]);
        let (_, end) = read(&recording.timeline).span();
        assert!((MAX_SECONDS - 1.0..MAX_SECONDS + 1.0).contains(&end), "{end}");
    }

    #[test]
    fn only_the_start_of_a_file_is_searched_for_a_scenario() {
        let text = |before: usize| format!("{}\n{PLAYER}", "#".repeat(before));
        assert!(is_scenario("x", text(MAX_SEARCHED_BYTES - 100).as_bytes()));
        assert!(!is_scenario("x", text(MAX_SEARCHED_BYTES).as_bytes()));
        assert!(is_scenario("x.toml", text(MAX_SEARCHED_BYTES).as_bytes()), "by its name");
    }

    #[test]
    fn a_scenario_that_is_too_large_is_an_error() {
        let start = format!("seconds = 1\n{PLAYER}#");
        let largest = start.clone() + &"-".repeat(MAX_BYTES - start.len());
        assert!(open_text(&largest).is_ok());
        let error = open_text(&(largest + "-")).err();
        assert_eq!(error.as_deref(), Some("the scenario is larger than 4 MB"));
    }
}
