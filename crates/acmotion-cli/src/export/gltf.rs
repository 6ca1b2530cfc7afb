//! `acmotion export gltf`: figures, motions, landblocks and rooms for Blender, three.js and other tools.

use std::path::{Path, PathBuf};

use acmotion::Library;
use acmotion::query::MotionQuery;
use acmotion_dat::{Assets, DataId, DataSet};
use acmotion_gltf::{Export, Extent, FigureOptions, GltfError, Held, Interpolation, RootMotion, all_motions};
use acmotion_types::MotionCommand;
use anyhow::{Context as _, anyhow, bail};
use clap::{Args, ValueEnum};
use serde_json::json;

use crate::input::open_assets;
use crate::motion::{describe_undefined, parse_speed};
use crate::names::command_parser;
use crate::output::{Out, counted, expect_extension, thousands, write_files};

/// Write a figure with its motions, or a landblock, as glTF for Blender, three.js and other tools.
///
/// With a portal file, ID is a setup: its parts become nodes, and each motion an animation. With a cell file, ID is a
/// landblock such as 0xA9B4: its terrain, buildings, static objects and rooms.
///
/// Beside the .glb file, a sidecar of the same name with the extension .json lists the hooks and attacks of each animation with
/// their times, the nodes, and what the dat file lacks. The .glb file holds the same data as extras. docs/gltf.md describes
/// both.
#[derive(Args)]
#[command(after_help = "\
Examples:
  acmotion export gltf mannequin 0x02000001 --motion NonCombat WalkForward -o walk.glb
  acmotion export gltf mannequin 0x02000001 --all --smooth --in-place -o human.glb
  acmotion export gltf town 0xA9B4 -o town.glb
  acmotion export gltf client_cell_1.dat 0xA9B4 --dat client_portal.dat -o holtburg.glb")]
pub(crate) struct Arguments {
    /// A portal file or a cell file, or `mannequin` or `town` for the built-in ones.
    file: PathBuf,
    /// The id of a setup, or of a landblock of a cell file, hexadecimal.
    id: DataId,
    /// The .glb file to write.
    #[arg(short, long = "out", visible_alias = "output", value_name = "OUT.glb")]
    output: PathBuf,
    /// Export this motion of this style, each given by its name or hexadecimal id. Can be given more than once.
    #[arg(long, num_args = 2, value_names = ["STYLE", "MOTION"], conflicts_with = "all")]
    #[arg(value_parser = command_parser(), hide_possible_values = true)]
    motion: Vec<MotionCommand>,
    /// Export every motion of the motion table.
    #[arg(long)]
    all: bool,
    /// The motion table; by default the one that the setup names.
    #[arg(long, value_name = "ID")]
    table: Option<DataId>,
    /// The motion to start from; by default the style's default substate.
    #[arg(long, value_name = "MOTION", value_parser = command_parser(), hide_possible_values = true)]
    from: Option<MotionCommand>,
    /// The speed at which motions are played; 1 is the speed of the table.
    #[arg(long, default_value_t = 1.0, allow_hyphen_values = true, value_parser = parse_speed)]
    speed: f32,
    /// How much of each motion to export.
    #[arg(long, value_enum, default_value_t = Part::Whole)]
    part: Part,
    /// Interpolate between key frames. By default each shows until the next one, as in the original.
    #[arg(long)]
    smooth: bool,
    /// Keep the body in place. By default the node `body` moves as the motion moves it.
    #[arg(long)]
    in_place: bool,
    /// The scale of the body; 1 is that of the setup.
    #[arg(long, default_value_t = 1.0, allow_hyphen_values = true, value_parser = parse_scale)]
    scale: f32,
    /// Let the figure hold a thing, given by its setup, at a holding location: 1 right hand (the default), 2 left hand, 3
    /// shield. Can be given more than once.
    #[arg(long, value_name = "SETUP[@LOCATION]", value_parser = parse_held)]
    hold: Vec<Held>,
    /// Add the engine's pose at each key frame to the sidecar.
    #[arg(long)]
    poses: bool,
    /// For a landblock: the portal file with its meshes and rooms [default: the built-in one].
    #[arg(long, value_name = "FILE")]
    dat: Option<PathBuf>,
    /// Print a JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// How much of a motion is exported.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// What plays once, and what loops after it
    Whole,
    /// Only what plays once, on the way into the motion
    Link,
    /// Only what loops
    Cycle,
}

fn parse_scale(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(scale) if scale.is_finite() && scale > 0.0 => Ok(scale),
        _ => Err(format!("`{text}` is not a scale; expected a number above 0")),
    }
}

fn parse_held(text: &str) -> Result<Held, String> {
    let (setup, location) = text.split_once('@').unwrap_or((text, "1"));
    let location = location.parse::<u32>().map_err(|_| {
        format!("`{location}` is not a holding location: expected a number, as in 0x0200000A@1")
    })?;
    Ok(Held { setup: setup.parse::<DataId>()?, location })
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    let assets = open_assets(&arguments.file)?;
    let sidecar = sidecar_path(&arguments.output)?;
    let name = || arguments.file.display().to_string();
    let export = if assets.dat().header().data_set == DataSet::Cell {
        arguments.land_block(&assets).with_context(name)?
    } else {
        arguments.figure(&assets).with_context(name)?
    };
    let mut json = serde_json::to_vec_pretty(&export.sidecar)?;
    json.push(b'\n');
    write_files(&[(&arguments.output, &export.glb), (&sidecar, &json)])?;
    report(arguments, &export, out)
}

impl Arguments {
    fn figure(&self, assets: &Assets) -> anyhow::Result<Export> {
        if self.dat.is_some() {
            bail!("--dat goes with a cell file; {} is none", self.file.display());
        }
        let mut options = FigureOptions {
            table: self.table,
            extent: match self.part {
                Part::Whole => Extent::Whole,
                Part::Link => Extent::Link,
                Part::Cycle => Extent::Cycle,
            },
            interpolation: if self.smooth { Interpolation::Linear } else { Interpolation::Step },
            root_motion: if self.in_place { RootMotion::InPlace } else { RootMotion::Node },
            scale: self.scale,
            held: self.hold.clone(),
            poses: self.poses,
            ..FigureOptions::default()
        };
        let mut library = Library::new();
        let query = |style, motion| MotionQuery { style, motion, from: self.from, speed: self.speed };
        if self.all {
            let named = || -> anyhow::Result<DataId> {
                let id = assets.setup(self.id)?.default_motion_table;
                if id == DataId(0) { Err(GltfError::NoTable(self.id).into()) } else { Ok(id) }
            };
            let id = self.table.map_or_else(named, Ok)?;
            let table = library.load_table(assets, id)?;
            let all = all_motions(&library, library.table(table), self.from, self.speed);
            options.motions.extend(all);
        }
        let pairs = self.motion.chunks_exact(2);
        options.motions.extend(pairs.map(|pair| query(pair[0], pair[1])));
        acmotion_gltf::figure(assets, self.id, &options).map_err(|error| match &error {
            GltfError::Undefined { table, undefined } => match library.load_table(assets, *table) {
                Ok(id) => {
                    anyhow!("motion table {table}: {}", describe_undefined(library.table(id), undefined))
                }
                Err(_) => error.into(),
            },
            _ => error.into(),
        })
    }

    fn land_block(&self, cells: &Assets) -> anyhow::Result<Export> {
        let of_figures = [
            (!self.motion.is_empty(), "--motion"),
            (self.all, "--all"),
            (self.table.is_some(), "--table"),
            (self.from.is_some(), "--from"),
            (self.speed != 1.0, "--speed"),
            (self.part != Part::Whole, "--part"),
            (self.smooth, "--smooth"),
            (self.in_place, "--in-place"),
            (self.scale != 1.0, "--scale"),
            (!self.hold.is_empty(), "--hold"),
            (self.poses, "--poses"),
        ];
        let given: Vec<&str> =
            of_figures.into_iter().filter(|(is_given, _)| *is_given).map(|(_, option)| option).collect();
        if !given.is_empty() {
            bail!(
                "it is a cell file, whose landblocks have no motions and no figure for {}; for those, name a portal file \
                 and a setup",
                given.join(", ")
            );
        }
        let portal = match &self.dat {
            Some(path) => open_assets(path)?,
            None => Assets::mannequin(),
        };
        Ok(acmotion_gltf::land_block(&portal, cells, block_of(self.id))?)
    }
}

/// Returns the landblock of an id: its four digits, or the id of its terrain or of anything else in it.
fn block_of(id: DataId) -> u16 {
    u16::try_from(id.0).unwrap_or((id.0 >> 16) as u16)
}

fn sidecar_path(output: &Path) -> anyhow::Result<PathBuf> {
    expect_extension(output, "--out", "glb")?;
    Ok(output.with_extension("json"))
}

fn report(arguments: &Arguments, export: &Export, out: &mut Out) -> anyhow::Result<()> {
    let count = |name: &str| export.sidecar[name].as_array().map_or(0, Vec::len);
    let (bytes, file) = (export.glb.len(), arguments.output.display().to_string());
    if arguments.json {
        return out.json(&json!({
            "file": file, "bytes": bytes, "animations": count("animations"), "rooms": count("rooms"),
            "missing": export.sidecar["missing"],
        }));
    }
    let contents = if export.sidecar["landblock"].is_null() {
        format!("{}, {}", counted(count("animations"), "motion"), counted(count("held"), "held thing"))
    } else {
        format!("{} buildings and objects, {}", count("things"), counted(count("rooms"), "room"))
    };
    out.line(format!("{file}: {contents}, {} bytes", thousands(bytes as u64)))?;
    if count("missing") > 0 {
        out.line(format!(
            "  {} objects are missing from the dat file; the sidecar lists them",
            count("missing")
        ))?;
    }
    Ok(())
}
