//! A scene, run from its beginning to its end.

use std::sync::{Arc, RwLock};

use acmotion_sim::scenario::Scenario;
use acmotion_sim::{ClientId, Simulation};

use super::{LIMITS, Origins, Recording};
use crate::record::Tape;
use crate::session::write;
use crate::values::Origin;
use crate::walk::Recorder;

/// Longer scenes are not run to their end here.
const LONGEST: f64 = 600.0;
/// What a pcap, a pcapng or a gzipped file begins with is no text.
const LONGEST_TEXT: usize = 1 << 20;

/// Is it a scene, by its name or by its looks?
pub(super) fn is_scene(name: &str, bytes: &[u8]) -> bool {
    let is_named = name.to_ascii_lowercase().ends_with(".toml");
    let looks_so = || {
        let text = bytes.get(..bytes.len().min(LONGEST_TEXT)).and_then(|bytes| str::from_utf8(bytes).ok());
        text.is_some_and(|text| text.contains("[[player]]"))
    };
    is_named || (bytes.first() != Some(&b'{') && looks_so())
}

pub(super) fn open(name: &str, bytes: &[u8]) -> Result<Recording, String> {
    let text = str::from_utf8(bytes).map_err(|error| format!("the scene is not text: {error}"))?;
    let scene = Scenario::parse(text).map_err(|error| error.to_string())?;
    let mut simulation = Simulation::new(&scene).map_err(|error| error.to_string())?;
    if scene.clients.is_empty() {
        return Err(String::from("nobody is in the scene: it needs a [[player]]"));
    }
    // Observers first: theirs is what people want to compare with the truth.
    let mut views: Vec<usize> = (0..scene.clients.len()).collect();
    views.sort_by_key(|at| !scene.clients[*at].is_observer);
    let pacer = ClientId(0);
    let origin = Origin::of_block(scene.landblock);
    let mut recorder = Recorder::new(views.iter().map(|at| ClientId(*at)).collect(), pacer, origin);
    let mut tape = Tape::new(LIMITS);
    tape.origin = origin;
    let tape = Arc::new(RwLock::new(tape));
    let seconds = scene.seconds.min(LONGEST);
    while simulation.now() < seconds {
        recorder.advance(&mut simulation, &tape, None);
    }
    write(&tape).has_ended = true;
    let mut recording = Recording::new(name, Origins::Scene, Tape::new(LIMITS));
    recording.tape = tape;
    recording.views = vec![(
        0,
        "truth".into(),
        "players as their own clients have them, everything else as the server has it".into(),
    )];
    for (place, at) in views.iter().enumerate().take(usize::from(u8::MAX) - 1) {
        let who = &scene.clients[*at].name;
        recording.views.push((place as u8 + 1, who.clone(), format!("what {who} sees of the others")));
    }
    simulation.client(pacer).map(|client| recording.player.set(client.guid()));
    if scene.seconds > LONGEST {
        recording.notes.push(format!("only the first {LONGEST} seconds were run"));
    }
    Ok(recording)
}
