//! `acmotion replay`: runs a capture through the engine and shows how everything moved.

mod land;
mod report;
mod summary;
pub(crate) mod track;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use acmotion::world::{Identity, Settings};
use acmotion::{World, json};
use acmotion_dat::Assets;
use acmotion_types::{CellPosition, Era, Guid};
use acmotion_wire::capture::{CaptureReader, GameMessage};
use acmotion_wire::{Action, C2S, Direction, S2C, decode_c2s, decode_s2c};
use anyhow::Context as _;
use clap::Args;

use crate::input::{EraName, open_assets, parse_hex};
use crate::output::{Failed, Out};
use land::Land;
use track::Tracks;

/// Run a capture through the engine and show how everything moved.
///
/// The local player is who PlayerCreate names, else who --self names, else nobody; his body is placed from what his own
/// client sent. An object that the capture never creates gets a humanoid as a stand-in when it is first reported.
/// With --cell bodies are swept through the land, houses and things of a cell file and past each other. Without it, and
/// where the file has no land, the ground under a body is level, at the height of its last report on the ground.
///
/// Without --json a summary is printed; with it, one object for each entity and tick, and one for each event in between.
///
/// Example: acmotion replay walk.pcap --report walk.html
#[derive(Args)]
pub(crate) struct Arguments {
    /// A capture (pcap, pcapng, or JSON Lines of {t, dir, hex}), or `-` for standard input.
    capture: PathBuf,
    /// The dat file with setups and motion tables; the built-in mannequin if none is given.
    #[arg(long, value_name = "FILE")]
    dat: Option<PathBuf>,
    /// The dat file with land and rooms, or `town` for that of the mannequin; heights, meshes and shapes of rooms come from
    /// --dat.
    #[arg(long, value_name = "FILE")]
    cell: Option<PathBuf>,
    /// Who the local player is, where the capture does not say.
    #[arg(long = "self", value_name = "GUID", value_parser = guid)]
    player: Option<Guid>,
    /// Which client's numbers the motion commands follow.
    #[arg(long, default_value = "retail", value_enum)]
    era: EraName,
    /// Write a page that shows every path, speeds, errors and a timeline.
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
    /// JSON Lines instead of a summary.
    #[arg(long)]
    json: bool,
}

fn guid(text: &str) -> Result<Guid, String> {
    parse_hex(text).map(Guid)
}

/// Seconds from frame to frame, as a client draws: a hair more than a sixtieth, so that the engine's 30 Hz gate opens at
/// every second one.
const FRAME: f64 = 1.0 / 60.0 + 1e-7;
/// How long the engine runs on behind the last message.
const AFTERGLOW: f64 = 1.0;
/// A silence longer than this is jumped over.
const LONGEST_SILENCE: f64 = 600.0;

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    let assets = match &arguments.dat {
        Some(path) => open_assets(path)?,
        None => Assets::mannequin(),
    };
    let path = &arguments.capture;
    if path == Path::new("-") {
        return replay(arguments, assets, io::stdin().lock(), out);
    }
    let file = File::open(path).with_context(|| path.display().to_string())?;
    replay(arguments, assets, file, out)
}

fn replay(arguments: &Arguments, assets: Assets, input: impl Read, out: &mut Out) -> anyhow::Result<()> {
    let era = arguments.era.into();
    let settings = Settings {
        player: arguments.player.map_or(Identity::Nobody, Identity::Known),
        era,
        stand_ins_for_unknown: true,
        level_where_unknown: true,
        ..Settings::default()
    };
    let land = arguments.cell.as_deref().map(|path| Land::open(path, &assets)).transpose()?;
    let mut stage = Stage {
        world: World::with_settings(assets, settings),
        land,
        era,
        now: None,
        json: arguments.json,
        tracks: Tracks::default(),
        unreadable: 0,
        silences: 0,
    };
    let mut damaged = 0;
    let mut reader = CaptureReader::new(input);
    while let Some(next) = reader.next_message() {
        match next {
            Ok(message) => stage.message(&message, out)?,
            Err(error) => {
                damaged += 1;
                eprintln!("acmotion: {}: {error}", arguments.capture.display());
            }
        }
    }
    stage.run_out(out)?;
    for problem in stage.land.iter().flat_map(Land::problems) {
        eprintln!("acmotion: {problem}");
    }
    out.finish()?;
    let text = summary::text(&stage.tracks, &stage.world, stage.unreadable, stage.silences);
    if arguments.json {
        eprint!("{text}");
    } else {
        out.line(text.trim_end())?;
    }
    if let Some(path) = &arguments.report {
        let name = arguments.capture.display().to_string();
        let page = report::page(&name, &text, &stage.tracks);
        fs::write(path, page).with_context(|| path.display().to_string())?;
    }
    if damaged + stage.unreadable == 0 { Ok(()) } else { Err(Failed.into()) }
}

/// A world, its clock, and what is written down about it.
struct Stage {
    world: World,
    land: Option<Land>,
    era: Era,
    now: Option<f64>,
    json: bool,
    tracks: Tracks,
    unreadable: u64,
    silences: u64,
}

impl Stage {
    /// A message comes in: time passes up to the first frame at or behind it, and there it is taken, after that frame's
    /// physics (rule B1).
    fn message(&mut self, message: &GameMessage<'_>, out: &mut Out) -> anyhow::Result<()> {
        match self.now {
            None => self.frame(message.time, out)?,
            Some(now) if message.time - now > LONGEST_SILENCE => {
                self.silences += 1;
                self.pass(now + AFTERGLOW, out)?;
                self.frame(message.time, out)?;
            }
            Some(_) => self.pass(message.time, out)?,
        }
        let now = self.now.unwrap_or(message.time);
        match message.direction {
            Direction::S2C => self.server_says(message.bytes, now),
            Direction::C2S => self.client_says(message.bytes, now),
        }
        self.drain_events(out)
    }

    /// Frame after frame until the clock is at `time` or behind it.
    fn pass(&mut self, time: f64, out: &mut Out) -> anyhow::Result<()> {
        while let Some(now) = self.now.filter(|now| *now < time) {
            self.frame(now + FRAME, out)?;
        }
        Ok(())
    }

    fn run_out(&mut self, out: &mut Out) -> anyhow::Result<()> {
        match self.now {
            Some(now) => self.pass(now + AFTERGLOW, out),
            None => Ok(()),
        }
    }

    fn frame(&mut self, now: f64, out: &mut Out) -> anyhow::Result<()> {
        self.now = Some(now);
        let ticked = self.world.tick(now);
        self.drain_events(out)?;
        if !ticked {
            return Ok(());
        }
        for resident in self.world.entities() {
            self.tracks.tick(now, resident);
            if self.json {
                out.json(&json::state(now, resident, self.world.library()))?;
            }
        }
        Ok(())
    }

    fn drain_events(&mut self, out: &mut Out) -> anyhow::Result<()> {
        let events: Vec<_> = self.world.drain_events().collect();
        for event in events {
            self.tracks.event(&event, self.world.library());
            if self.json {
                out.json(&json::event(&event, self.world.library()))?;
            }
        }
        Ok(())
    }

    fn server_says(&mut self, bytes: &[u8], now: f64) {
        let Ok(message) = decode_s2c(bytes, self.era) else {
            self.unreadable += 1;
            return;
        };
        match &message {
            S2C::CreateObject(object) => {
                self.tracks.name(object.0.guid, &object.0.weenie.name().to_string());
                self.visit(object.0.physics.position);
            }
            S2C::UpdateObject(object) => self.visit(object.0.physics.position),
            S2C::UpdatePosition(report) => self.reported(report.guid, &report.pack.position, now),
            S2C::PositionAndMovement(report) => self.reported(report.guid, &report.pack.position, now),
            _ => {}
        }
        if self.world.receive(bytes, now).is_err() {
            self.unreadable += 1;
        }
    }

    /// Somebody is somewhere: the land there is needed.
    fn visit(&mut self, place: Option<CellPosition>) {
        let scene = place.zip(self.land.as_mut()).and_then(|(place, land)| land.visit(place.cell));
        if let Some(scene) = scene {
            self.world.set_surroundings(Some(Arc::new(scene)));
        }
    }

    /// Where somebody is shown at the moment the server says where he is.
    fn reported(&mut self, guid: Guid, place: &CellPosition, now: f64) {
        self.visit(Some(*place));
        let shown = self.world.find(guid).filter(|resident| resident.body().is_in_cell());
        self.tracks.report(guid, now, place, shown.map(|resident| resident.position()));
    }

    /// What the player's own client said of his place.
    fn client_says(&mut self, bytes: &[u8], now: f64) {
        let Ok(C2S::GameAction(action)) = decode_c2s(bytes, self.era) else { return };
        let place = match &action.action {
            Action::MoveToState(message) => message.position,
            Action::AutonomousPosition(message) => message.position,
            Action::Jump(message) => match message.position {
                Some(place) => place,
                None => return,
            },
            _ => return,
        };
        self.visit(Some(place));
        self.world.set_player_position(&place, now);
        if let Some(player) = self.world.player().guid() {
            self.tracks.placed(player);
        }
    }
}
