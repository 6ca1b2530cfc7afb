//! A capture that is still coming: read as it comes, and run at its own pace behind it.

use std::io::Read;
use std::sync::Arc;
use std::time::{Duration, Instant};

use acmotion::wire::capture::CaptureReader;

use super::runner::{Came, Runner, Taking, observe};
use super::{LIVE_LIMITS, Origins, Recording, Sources};
use crate::record::{Body, Key, Letter, Tape, Watcher, why};
use crate::session::{SharedTape, write};
use crate::values::Origin;

/// Follows a stream until it ends, in a thread of its own.
pub(crate) fn follow(
    sources: Sources,
    name: &str,
    input: impl Read + Send + 'static,
) -> std::io::Result<Arc<Recording>> {
    let recording = Arc::new(Recording::new(name, Origins::Capture, Tape::new(LIVE_LIMITS)));
    let (sender, receiver) = std::sync::mpsc::sync_channel(1024);
    std::thread::Builder::new().name("lab-input".into()).spawn(move || read(input, &sender))?;
    let own = Arc::clone(&recording);
    std::thread::Builder::new().name("lab-feed".into()).spawn(move || run(&sources, &own, &receiver))?;
    Ok(recording)
}

/// A message on its way from the thread that reads.
struct Message {
    time: f64,
    direction: acmotion::wire::Direction,
    bytes: Box<[u8]>,
}

fn read(input: impl Read, sender: &std::sync::mpsc::SyncSender<Message>) {
    let mut reader = CaptureReader::new(input);
    while let Some(next) = reader.next_message() {
        let Ok(message) = next else { continue };
        let came = Message { time: message.time, direction: message.direction, bytes: message.bytes.into() };
        if sender.send(came).is_err() {
            return;
        }
    }
}

/// How long to wait for a message before time goes on without one.
const PATIENCE: Duration = Duration::from_millis(33);

fn run(sources: &Sources, recording: &Recording, receiver: &std::sync::mpsc::Receiver<Message>) {
    use std::sync::mpsc::RecvTimeoutError;
    let mut runner = Runner::new(sources);
    let mut feeding = Feeding { tape: recording.tape(), watcher: Watcher::default(), has_origin: false };
    let mut last = Instant::now();
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(came) => {
                let message = Came { time: came.time, direction: came.direction, bytes: &came.bytes };
                runner.message(message, &mut feeding);
            }
            // Nothing came: things go on moving meanwhile.
            Err(RecvTimeoutError::Timeout) => runner.pass(last.elapsed().as_secs_f64(), &mut feeding),
            Err(RecvTimeoutError::Disconnected) => break,
        }
        last = Instant::now();
        if let Some(guid) = runner.world().player().guid() {
            // It is only ever one.
            let _ = recording.player.set(guid);
        }
    }
    runner.run_out(&mut feeding);
    write(&feeding.tape).has_ended = true;
}

/// With more bodies than this it is not kept why they move.
const MOST_EXPLAINED: usize = 48;

fn explained(runner: &mut Runner, body: &Body, origin: Origin) -> Option<(Key, Box<str>)> {
    let guid = body.key.guid;
    if runner.world().explanation(guid).is_none() {
        runner.explain(guid);
    }
    let why = why(runner.world().find(guid)?, runner.world().library(), origin, body.error);
    Some((body.key, why.to_string().into()))
}

struct Feeding {
    tape: SharedTape,
    watcher: Watcher,
    has_origin: bool,
}

impl Taking for Feeding {
    fn tick(&mut self, runner: &mut Runner, number: u32, now: f64) {
        let mut tape = write(&self.tape);
        let mut tick = observe(runner, number, now, &mut self.watcher, &mut tape, &mut self.has_origin);
        if tick.bodies.len() <= MOST_EXPLAINED {
            tick.why = tick.bodies.iter().filter_map(|body| explained(runner, body, tape.origin)).collect();
        }
        tape.push(tick);
    }

    fn letter(&mut self, letter: Letter) {
        write(&self.tape).mail.push(letter);
    }
}
