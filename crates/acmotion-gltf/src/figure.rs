//! A figure: the parts of a setup, its motions, and what it holds.

use acmotion::dat::{Assets, DataId};
use acmotion::query::{MotionQuery, motions, timing};
use acmotion::types::{Era, Frame, MotionCommand};
use acmotion::{Library, Table};
use serde_json::{Value, json};

use crate::builder::{Builder, node_at, rotation, translation};
use crate::document::{Animation, AnimationSampler, Channel, Target};
use crate::model::{Models, Parts, SetupSpec};
use crate::sample::{Extent, Posed, Track, sample};
use crate::{Export, GltfError, Interpolation, RootMotion, sidecar};

/// How a figure is exported.
///
/// The default is a figure without motions.
#[derive(Clone, PartialEq, Debug)]
pub struct FigureOptions {
    /// The motion table; the setup's default one if `None`.
    pub table: Option<DataId>,
    /// The motions, each an animation of its own. One that occurs again is left out.
    pub motions: Vec<MotionQuery>,
    /// How much of each motion is exported.
    pub extent: Extent,
    /// How poses change between key frames.
    pub interpolation: Interpolation,
    /// What becomes of the movement of the body.
    pub root_motion: RootMotion,
    /// The scale of the body; 1 is that of the setup.
    pub scale: f32,
    /// The things that the figure holds.
    pub held: Vec<Held>,
    /// Whether the sidecar has the engine's pose at each key frame, for checks.
    pub poses: bool,
}

impl Default for FigureOptions {
    fn default() -> Self {
        Self {
            table: None,
            motions: Vec::new(),
            extent: Extent::default(),
            interpolation: Interpolation::default(),
            root_motion: RootMotion::default(),
            scale: 1.0,
            held: Vec::new(),
            poses: false,
        }
    }
}

/// A thing that a figure holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Held {
    /// The setup of the thing.
    pub setup: DataId,
    /// The holding location of the figure's setup: 1 right hand, 2 left hand, 3 shield and so on (`docs/dat.md` §4).
    pub location: u32,
}

impl Held {
    /// Returns the key of the placement that a thing has at this location (`docs/dat.md` §4); 0, the default, if there is
    /// none for it.
    const fn placement(self) -> i32 {
        match self.location {
            1 => 1,
            2 => 3,
            3 => 6,
            4 => 4,
            5 => 5,
            8 => 7,
            9 => 8,
            _ => 0,
        }
    }
}

/// Returns every motion of a table that can be requested, at a speed: each from a substate, or from the default one of its
/// style.
pub fn all_motions(
    library: &Library,
    table: &Table,
    from: Option<MotionCommand>,
    speed: f32,
) -> Vec<MotionQuery> {
    let of_style = |style| {
        let requests = motions(table, style, Era::default()).requests();
        requests.into_iter().map(move |motion| MotionQuery { style, motion, from, speed })
    };
    let all = table.styles().flat_map(|(style, _)| of_style(style));
    all.filter(|query| timing(library, table, query).is_ok()).collect()
}

/// Exports a figure.
///
/// # Errors
/// If an object that it cannot do without is missing or damaged, a motion is undefined or too long, or the file would be
/// too large. Missing meshes are left out and listed in the sidecar.
pub fn figure(assets: &Assets, setup: DataId, options: &FigureOptions) -> Result<Export, GltfError> {
    if !(options.scale.is_finite() && options.scale > 0.0) {
        return Err(GltfError::Scale(options.scale));
    }
    let default = Some(assets.setup(setup)?.default_motion_table).filter(|id| *id != DataId(0));
    let table = match (options.table, default) {
        (Some(table), _) => Some(table),
        // A table that a setup only names may be missing: it is needed for motions.
        (None, Some(table)) if !options.motions.is_empty() || assets.motion_table(table).is_ok() => {
            Some(table)
        }
        _ => None,
    };
    if table.is_none() && !options.motions.is_empty() {
        return Err(GltfError::NoTable(setup));
    }
    let mut builder = Builder::new(setup.to_string());
    let mut models = Models::new(assets);
    let body = builder.add_node(Builder::ROOT, node_at(String::from("body"), &Frame::IDENTITY))?;
    let spec = SetupSpec { id: setup, table, placement: 0, scale: options.scale, prefix: "" };
    let parts = models.add_setup(&mut builder, body, &spec)?;
    let mut held = Vec::new();
    for thing in &options.held {
        held.push(add_held(&mut builder, &mut models, setup, body, &parts, *thing)?);
    }
    let mut figure = Figure {
        options,
        body,
        parts,
        animations: Vec::new(),
        poses: Vec::new(),
        pose_count: 0,
        hook_count: 0,
    };
    figure.add_animations(&mut builder, &models.library)?;
    let mut sidecar = json!({
        "generator": builder.document.asset.generator,
        "setup": setup.to_string(),
        "motion_table": table.map(|id| id.to_string()),
        "scale": options.scale,
        "interpolation": match options.interpolation {
            Interpolation::Step => "step",
            Interpolation::Linear => "linear",
        },
        "root_motion": match options.root_motion {
            RootMotion::Node => "node",
            RootMotion::InPlace => "in place",
        },
        "nodes": { "root": Builder::ROOT, "body": body, "parts": figure.parts.nodes },
        "held": held,
        "missing": models.missing(),
        "animations": figure.animations,
    });
    let glb = builder.finish(sidecar.clone());
    if let Some(animations) = sidecar["animations"].as_array_mut() {
        for (animation, poses) in animations.iter_mut().zip(figure.poses) {
            animation["poses"] = poses;
        }
    }
    Ok(Export { glb, sidecar })
}

/// A figure whose parts have been added.
struct Figure<'a> {
    options: &'a FigureOptions,
    body: usize,
    parts: Parts,
    /// The animations in the sidecar.
    animations: Vec<Value>,
    /// The engine's poses in the sidecar.
    poses: Vec<Value>,
    pose_count: usize,
    hook_count: usize,
}

impl Figure<'_> {
    fn add_animations(&mut self, builder: &mut Builder, library: &Library) -> Result<(), GltfError> {
        let Some(table) = self.parts.table.map(|table| library.table(table)) else { return Ok(()) };
        let posed = Posed {
            library,
            model: library.model(self.parts.model),
            scale: self.options.scale,
            places_parts: self.options.poses,
        };
        for (index, query) in self.options.motions.iter().enumerate() {
            if !self.options.motions[..index].contains(query) {
                let track = sample(&posed, table, query, self.options.extent, &self.parts.rest, builder)?;
                self.add_animation(builder, &track)?;
            }
        }
        Ok(())
    }

    fn add_animation(&mut self, builder: &mut Builder, track: &Track) -> Result<(), GltfError> {
        let name = self.unused_name(&track.timing.query);
        self.hook_count += track.timing.hooks.len();
        sidecar::check_hooks(self.hook_count)?;
        let extras = sidecar::animation(&name, track);
        let mut animation =
            Animation { name, channels: Vec::new(), samplers: Vec::new(), extras: extras.clone() };
        let input = builder.add_times(&track.times)?;
        let interpolation = match self.options.interpolation {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
        };
        let mut add = |node: usize, path: &'static str, output: usize| {
            let sampler = animation.samplers.len();
            animation.samplers.push(AnimationSampler { input, output, interpolation });
            animation.channels.push(Channel { sampler, target: Target { node, path } });
        };
        if self.options.root_motion == RootMotion::Node {
            let (translations, rotations) = channel(track.body.iter());
            add(self.body, "translation", builder.add_translations(&translations)?);
            add(self.body, "rotation", builder.add_rotations(&rotations)?);
        }
        for (part, node) in self.parts.nodes.iter().enumerate() {
            let (translations, rotations) = channel(track.parts.iter().map(|parts| &parts[part]));
            add(*node, "translation", builder.add_translations(&translations)?);
            add(*node, "rotation", builder.add_rotations(&rotations)?);
        }
        // A figure without parts that stays in place has nothing to animate, and an animation must.
        if !animation.channels.is_empty() {
            builder.document.animations.push(animation);
        }
        self.animations.push(extras);
        if self.options.poses {
            self.poses.push(sidecar::poses(track, &mut self.pose_count)?);
        }
        Ok(())
    }

    /// Returns the name of an animation: that of style and motion, with what else tells it from the others.
    fn unused_name(&self, query: &MotionQuery) -> String {
        let mut name = format!("{} {}", query.style, query.motion);
        let is_used = |name: &str| self.animations.iter().any(|animation| animation["name"] == name);
        if let Some(from) = query.from.filter(|_| is_used(&name)) {
            name = format!("{name} from {from}");
        }
        if is_used(&name) {
            name = format!("{name} at {}", query.speed);
        }
        name
    }
}

/// Returns the translations and rotations of key frames. Each rotation is on the same side as the one before, so that
/// interpolation takes the shorter way.
fn channel<'a>(frames: impl Iterator<Item = &'a Frame>) -> (Vec<[f32; 3]>, Vec<[f32; 4]>) {
    let mut rotations: Vec<[f32; 4]> = Vec::new();
    let mut translations = Vec::new();
    for frame in frames {
        let mut next = rotation(frame.rotation);
        let cos: f32 = rotations.last().map_or(1.0, |last| last.iter().zip(&next).map(|(a, b)| a * b).sum());
        if cos < 0.0 {
            next = next.map(|value| -value);
        }
        rotations.push(next);
        translations.push(translation(frame.origin));
    }
    (translations, rotations)
}

/// Adds a thing to the part that holds it: the frame of the part combined with that of the location, as
/// [`Resident::holding_frame`](acmotion::Resident::holding_frame) has it.
fn add_held(
    builder: &mut Builder,
    models: &mut Models<'_>,
    holder: DataId,
    body: usize,
    parts: &Parts,
    thing: Held,
) -> Result<Value, GltfError> {
    let location = models.library.model(parts.model).holding_location(thing.location.cast_signed()).copied();
    let Some(location) = location else {
        let setup = models.assets.setup(holder)?;
        let known = setup.holding_locations.iter().map(|location| location.key).collect();
        return Err(GltfError::NoLocation { setup: holder, location: thing.location, known });
    };
    // A location without a part is one of the body.
    let part = usize::try_from(location.part).ok().filter(|part| *part < parts.nodes.len());
    let parent = part.map_or(body, |part| parts.nodes[part]);
    let name = format!("held_{}_{}", thing.location, thing.setup);
    let mut node = node_at(name.clone(), &location.frame);
    node.extras = json!({ "setup": thing.setup.to_string(), "location": thing.location });
    let node = builder.add_node(parent, node)?;
    let prefix = format!("{name}_");
    let spec =
        SetupSpec { id: thing.setup, table: None, placement: thing.placement(), scale: 1.0, prefix: &prefix };
    models.add_setup(builder, node, &spec)?;
    Ok(json!({ "setup": thing.setup.to_string(), "location": thing.location, "part": part, "node": node }))
}

#[cfg(test)]
mod tests {
    use acmotion::types::{Quat, Vec3};

    use super::*;

    #[test]
    fn rotations_take_the_shorter_way() {
        let q = Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), 0.5);
        let other = Quat::new(-q.w, -q.x, -q.y, -q.z);
        let frames = [q, other, q].map(|rotation| Frame::new(Vec3::ZERO, rotation));
        let (_, rotations) = channel(frames.iter());
        assert!(rotations.iter().all(|rotation| *rotation == rotations[0]), "{rotations:?}");
    }
}
