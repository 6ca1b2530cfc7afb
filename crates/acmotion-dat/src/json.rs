//! Conversion of objects to JSON. Every field is included; ids and commands are hexadecimal strings, vectors are
//! `[x,y,z]`, frames are `[x,y,z,w,x,y,z]` (origin, then rotation with w first).

use acmotion_types::{Frame, Vec3};
use serde_json::{Map, Value, json};

use crate::id::DataId;
use crate::objects::hook::{AttackCone, ParticleSpec};
use crate::objects::{
    AnimData, Animation, AnimationFrame, AnyObject, BspNode, BspTree, CylSphere, GfxObj, Hook, HookEffect,
    Iteration, KeyedList, Light, MotionData, MotionTable, PartLocation, PhysicsScript, Polygon, PolygonTree,
    Ramp, ScriptHook, Setup, Sphere, Vertex,
};

mod land;
mod surface;

pub use land::{empty_land_block, env_cell, environment, land_block, land_block_info, region};
pub use surface::{palette, render_surface, surface, surface_texture};

/// Converts an object of any kind. An object that the crate does not decode is its bytes in hexadecimal.
pub fn object(object: &AnyObject) -> Value {
    match object {
        AnyObject::MotionTable(object) => motion_table(object),
        AnyObject::Animation(object) => animation(object),
        AnyObject::Setup(object) => setup(object),
        AnyObject::GfxObj(object) => gfx_obj(object),
        AnyObject::Environment(object) => environment(object),
        AnyObject::Region(object) => region(object),
        AnyObject::LandBlock(object) => land_block(object),
        AnyObject::EmptyLandBlock(block) => empty_land_block(*block),
        AnyObject::LandBlockInfo(object) => land_block_info(object),
        AnyObject::EnvCell(object) => env_cell(object),
        AnyObject::PhysicsScript(object) => physics_script(object),
        AnyObject::Iteration(object) => iteration(object),
        AnyObject::Surface(object) => surface(object),
        AnyObject::SurfaceTexture(object) => surface_texture(object),
        AnyObject::RenderSurface(object) => render_surface(object),
        AnyObject::Palette(object) => palette(object),
        AnyObject::Opaque(bytes) => json!({ "raw_hex": raw(bytes) }),
    }
}

/// Converts a motion table: `cycles` and `modifiers` as `[key, motion]`, `links` as `[key, [[motion, data]]]`.
pub fn motion_table(table: &MotionTable) -> Value {
    let defaults = table.style_defaults.iter().map(|(style, substate)| json!([hex(style), hex(substate.0)]));
    let links = table.links.iter().map(|(key, inner)| json!([hex(key), motions(inner)]));
    json!({
        "id": id(table.id),
        "default_style": hex(table.default_style.0),
        "style_defaults": defaults.collect::<Vec<_>>(),
        "cycles": motions(&table.cycles),
        "modifiers": motions(&table.modifiers),
        "links": links.collect::<Vec<_>>(),
    })
}

fn motions(list: &KeyedList<MotionData>) -> Value {
    list.iter().map(|(key, motion)| json!([hex(key), motion_data(motion)])).collect()
}

/// Converts the data of one motion. `velocity` and `omega` are included only if they are stored.
pub fn motion_data(motion: &MotionData) -> Value {
    let present = u8::from(motion.velocity.is_some()) | u8::from(motion.omega.is_some()) << 1;
    let mut out = Map::new();
    out.insert("bitfield".into(), motion.flags.bits().into());
    out.insert("flags".into(), (present | motion.other_flags).into());
    out.insert("anims".into(), motion.anims.iter().map(anim_data).collect());
    for (name, value) in [("velocity", motion.velocity), ("omega", motion.omega)] {
        if let Some(value) = value {
            out.insert(name.into(), vector(value));
        }
    }
    out.into()
}

fn anim_data(anim: &AnimData) -> Value {
    json!([id(anim.animation), anim.low, anim.high, float(anim.framerate)])
}

/// Converts an animation. Each hook is `[frame, type, direction, payload]`.
pub fn animation(animation: &Animation) -> Value {
    let frames = || 0..animation.frame_count();
    let mut out = Map::new();
    out.insert("id".into(), id(animation.id()));
    out.insert("flags".into(), animation.flags().into());
    out.insert("num_parts".into(), animation.part_count().into());
    out.insert("num_frames".into(), animation.frame_count().into());
    if animation.flags() & 1 != 0 {
        out.insert("pos_frames".into(), animation.position_frames().iter().map(frame).collect());
    }
    let poses = frames().map(|index| animation.pose(index).iter().map(frame).collect::<Value>());
    out.insert("part_frames".into(), poses.collect());
    let hooks =
        frames().flat_map(|index| animation.hooks(index).iter().map(move |hook| hook_at(index, hook)));
    out.insert("hooks".into(), hooks.collect());
    out.into()
}

/// Converts a physics script. Each hook is `[start time, type, direction, payload]`.
pub fn physics_script(script: &PhysicsScript) -> Value {
    let hooks = script.hooks.iter().map(|ScriptHook { start, hook }| {
        json!([double(*start), hook.effect.number(), hook.direction.0, hook_payload(&hook.effect)])
    });
    json!({ "id": id(script.id), "hooks": hooks.collect::<Vec<_>>() })
}

fn hook_at(frame: usize, hook: &Hook) -> Value {
    json!([frame, hook.effect.number(), hook.direction.0, hook_payload(&hook.effect)])
}

/// Converts the payload of a hook: a single value, an object with named fields, or `"0x00000000"` if it has none.
pub fn hook_payload(effect: &HookEffect) -> Value {
    match *effect {
        HookEffect::NoOp | HookEffect::AnimationDone | HookEffect::DefaultScript => hex(0),
        HookEffect::Sound(wave) => id(wave),
        HookEffect::SoundTable(number)
        | HookEffect::DestroyParticle(number)
        | HookEffect::StopParticle(number)
        | HookEffect::DefaultScriptPart(number) => number.into(),
        HookEffect::Attack(cone) => attack_cone(&cone),
        HookEffect::ReplaceObject { part, mesh, .. } => json!({ "part": part, "mesh": id(mesh.id()) }),
        HookEffect::Ethereal(switch) | HookEffect::NoDraw(switch) | HookEffect::SetLight(switch) => {
            switch.get().into()
        }
        HookEffect::TransparentPart { part, ramp: r }
        | HookEffect::LuminousPart { part, ramp: r }
        | HookEffect::DiffusePart { part, ramp: r } => ramp(Some(part), r),
        HookEffect::Luminous(r) | HookEffect::Diffuse(r) | HookEffect::Transparent(r) => ramp(None, r),
        HookEffect::Scale { end, time } => json!({ "end": float(end), "time": float(time) }),
        HookEffect::CreateParticle(spec) | HookEffect::CreateBlockingParticle(spec) => particle(&spec),
        HookEffect::CallPes { script, pause } => json!({ "script": id(script), "pause": float(pause) }),
        HookEffect::SoundTweaked { wave, probability, priority, volume } => json!({
            "wave": id(wave), "probability": float(probability),
            "priority": float(priority), "volume": float(volume),
        }),
        HookEffect::SetOmega(omega) => vector(omega),
        HookEffect::TextureVelocity { u, v } => json!({ "u": float(u), "v": float(v) }),
        HookEffect::TextureVelocityPart { part, u, v } => {
            json!({ "part": part, "u": float(u), "v": float(v) })
        }
    }
}

fn attack_cone(cone: &AttackCone) -> Value {
    json!({
        "part": cone.part, "left": cone.left.map(float), "right": cone.right.map(float),
        "radius": float(cone.radius), "height": float(cone.height),
    })
}

fn ramp(part: Option<u32>, ramp: Ramp) -> Value {
    let mut out = Map::new();
    if let Some(part) = part {
        out.insert("part".into(), part.into());
    }
    for (name, value) in [("start", ramp.start), ("end", ramp.end), ("time", ramp.time)] {
        out.insert(name.into(), float(value));
    }
    out.into()
}

fn particle(spec: &ParticleSpec) -> Value {
    json!({
        "emitter_info": id(spec.emitter_info), "part": spec.part,
        "offset": frame(&spec.offset), "emitter": spec.emitter,
    })
}

/// Converts a setup.
pub fn setup(setup: &Setup) -> Value {
    let placements = setup.placements.iter().map(|(key, pose)| placement(*key, pose));
    let lights = setup.lights.iter().map(|(key, value)| light(*key, value));
    json!({
        "id": id(setup.id),
        "flags": setup.flags.bits(),
        "parts": setup.parts.iter().map(|part| id(*part)).collect::<Vec<_>>(),
        "parents": setup.parents.iter().map(|parent| hex(*parent)).collect::<Vec<_>>(),
        "scales": setup.scales.iter().map(|scale| vector(*scale)).collect::<Vec<_>>(),
        "holding_locations": setup.holding_locations.iter().map(location).collect::<Vec<_>>(),
        "connection_points": setup.connection_points.iter().map(location).collect::<Vec<_>>(),
        "placements": placements.collect::<Vec<_>>(),
        "cyl_spheres": setup.cyl_spheres.iter().map(cylinder).collect::<Vec<_>>(),
        "spheres": setup.spheres.iter().map(sphere).collect::<Vec<_>>(),
        "height": float(setup.height),
        "radius": float(setup.radius),
        "step_up": float(setup.step_up),
        "step_down": float(setup.step_down),
        "sorting_sphere": sphere(&setup.sorting_sphere),
        "selection_sphere": sphere(&setup.selection_sphere),
        "lights": lights.collect::<Vec<_>>(),
        "default_animation": id(setup.default_animation),
        "default_script": id(setup.default_script),
        "default_motion_table": id(setup.default_motion_table),
        "default_sound_table": id(setup.default_sound_table),
        "default_script_table": id(setup.default_script_table),
    })
}

fn placement(key: i32, pose: &AnimationFrame) -> Value {
    let hooks = pose.hooks.iter().map(|hook| hook_at(0, hook));
    json!({
        "key": key,
        "parts": pose.parts.iter().map(frame).collect::<Vec<_>>(),
        "hooks": hooks.collect::<Vec<_>>(),
    })
}

fn location(location: &PartLocation) -> Value {
    json!({ "key": location.key, "part": location.part, "frame": frame(&location.frame) })
}

fn sphere(sphere: &Sphere) -> Value {
    json!({ "origin": vector(sphere.origin), "radius": float(sphere.radius) })
}

fn cylinder(cylinder: &CylSphere) -> Value {
    json!({
        "origin": vector(cylinder.origin), "radius": float(cylinder.radius), "height": float(cylinder.height),
    })
}

fn light(key: i32, light: &Light) -> Value {
    json!({
        "key": key, "frame": frame(&light.frame), "colour": hex(light.colour),
        "intensity": float(light.intensity), "falloff": float(light.falloff),
        "cone_angle": float(light.cone_angle),
    })
}

/// Converts a mesh.
pub fn gfx_obj(mesh: &GfxObj) -> Value {
    json!({
        "id": id(mesh.id),
        "flags": mesh.flags.bits(),
        "surfaces": mesh.surfaces.iter().map(|surface| id(*surface)).collect::<Vec<_>>(),
        "vertices": mesh.vertices.iter().map(vertex).collect::<Vec<_>>(),
        "physics": mesh.physics.as_ref().map(polygons),
        "sort_centre": vector(mesh.sort_centre),
        "drawing": mesh.drawing.as_ref().map(polygons),
        "degrade": mesh.degrade.map(id),
    })
}

fn vertex(vertex: &Vertex) -> Value {
    let uvs = vertex.uvs.iter().map(|uv| json!(uv.map(float)));
    json!({
        "id": vertex.id, "position": vector(vertex.position), "normal": vector(vertex.normal),
        "uvs": uvs.collect::<Vec<_>>(),
    })
}

fn polygons(mesh: &PolygonTree) -> Value {
    json!({ "polygons": polygon_list(&mesh.polygons), "bsp": bsp(&mesh.bsp) })
}

fn polygon_list(list: &KeyedList<Polygon>) -> Value {
    list.iter().map(|(key, value)| polygon(key, value)).collect()
}

fn polygon(key: u32, polygon: &Polygon) -> Value {
    json!({
        "key": key, "stippling": polygon.stippling, "sides": polygon.sides,
        "positive_surface": polygon.positive_surface, "negative_surface": polygon.negative_surface,
        "vertices": polygon.vertices, "positive_uvs": polygon.positive_uvs, "negative_uvs": polygon.negative_uvs,
    })
}

fn bsp(tree: &BspTree) -> Value {
    let leaves = tree.nodes.iter().filter(|node| matches!(node, BspNode::Leaf(_))).count();
    json!({ "nodes": tree.nodes.len(), "leaves": leaves })
}

/// Converts the iterations of a file.
pub fn iteration(iteration: &Iteration) -> Value {
    let ranges = iteration.ranges.iter().map(|range| json!([range.consecutive, range.start]));
    json!({ "total": iteration.total, "ranges": ranges.collect::<Vec<_>>() })
}

fn hex(number: u32) -> Value {
    format!("0x{number:08X}").into()
}

/// Formats bytes as hexadecimal digits.
fn raw(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn id(id: DataId) -> Value {
    hex(id.0)
}

/// Converts a float to the shortest decimal that round-trips. Non-finite values become strings, as JSON has no
/// numbers for them.
fn float(value: f32) -> Value {
    if value.is_finite() {
        let shortest: f64 = value.to_string().parse().unwrap_or_else(|_| f64::from(value));
        shortest.into()
    } else {
        value.to_string().into()
    }
}

fn double(value: f64) -> Value {
    if value.is_finite() { value.into() } else { value.to_string().into() }
}

fn vector(v: Vec3) -> Value {
    json!([float(v.x), float(v.y), float(v.z)])
}

fn frame(frame: &Frame) -> Value {
    let (o, q) = (frame.origin, frame.rotation);
    [o.x, o.y, o.z, q.w, q.x, q.y, q.z].into_iter().map(float).collect()
}
