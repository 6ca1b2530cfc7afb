//! Setups, 0x02: the parts and the physical dimensions of a body (`docs/dat.md` §4).

use acmotion_types::{Frame, Vec3};
use bitflags::bitflags;

use crate::cursor::{ByteWriter, FRAME_SIZE, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::{AnimationFrame, DatObject, decode_whole};

/// The setup of a body: its part meshes, holding locations, placements, collision shapes and step heights.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CSetup")]
pub struct Setup {
    /// The id.
    pub id: DataId,
    /// The flags; they indicate which optional fields are present.
    pub flags: SetupFlags,
    /// The mesh of each part.
    pub parts: Vec<DataId>,
    /// The parent of each part, 0xFFFFFFFF for none; empty unless flagged. Posing does not use it.
    pub parents: Vec<u32>,
    /// The scale of each part; empty unless flagged.
    pub scales: Vec<Vec3>,
    /// The locations at which the body holds other objects, by parent location.
    pub holding_locations: Vec<PartLocation>,
    /// The locations at which the body is attached when it is held itself.
    pub connection_points: Vec<PartLocation>,
    /// The poses of the body while no animation plays, by placement key (rule H15).
    pub placements: Vec<(i32, AnimationFrame)>,
    /// The collision cylinders.
    pub cyl_spheres: Vec<CylSphere>,
    /// The collision spheres.
    pub spheres: Vec<Sphere>,
    /// The height, in metres (rule A16).
    pub height: f32,
    /// The radius, in metres (rule A16).
    pub radius: f32,
    /// The maximum height that the body can step up, in metres.
    pub step_up: f32,
    /// The maximum height that the body can step down, in metres.
    pub step_down: f32,
    /// The sphere for depth sorting.
    pub sorting_sphere: Sphere,
    /// The sphere for selection with the mouse.
    pub selection_sphere: Sphere,
    /// The lights, by key.
    pub lights: Vec<(i32, Light)>,
    /// The animation that plays by default, 0x03; 0 for none (rule H16).
    pub default_animation: DataId,
    /// The default physics script, 0x33.
    pub default_script: DataId,
    /// The default motion table, 0x09.
    pub default_motion_table: DataId,
    /// The default sound table, 0x20.
    pub default_sound_table: DataId,
    /// The default table of physics scripts, 0x34.
    pub default_script_table: DataId,
}

bitflags! {
    /// The flags of a setup.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct SetupFlags: u32 {
        /// Parent indices follow.
        const PARENTS = 1;
        /// Scales follow.
        const SCALES = 2;
        /// The body may turn freely while it moves.
        const FREE_HEADING = 4;
        /// The parts collide by their BSP trees.
        const PHYSICS_BSP = 8;
        /// Unknown bits are kept.
        const _ = !0;
    }
}

/// A location on a part, at which objects are held or attached.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PartLocation {
    /// The purpose: 1 right hand, 2 left hand, 3 shield and so on (`docs/dat.md` §4).
    pub key: i32,
    /// The index of the part.
    pub part: i32,
    /// The frame of the location, relative to the part.
    pub frame: Frame,
}

/// A sphere.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sphere {
    /// The centre.
    pub origin: Vec3,
    /// The radius.
    pub radius: f32,
}

/// An upright cylinder.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CylSphere {
    /// The centre of the base.
    pub origin: Vec3,
    /// The radius.
    pub radius: f32,
    /// The height.
    pub height: f32,
}

/// A light on a body.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Light {
    /// The frame of the light.
    pub frame: Frame,
    /// The colour, with alpha in the upper byte.
    pub colour: u32,
    /// The intensity.
    pub intensity: f32,
    /// The distance that the light reaches.
    pub falloff: f32,
    /// The angle of the light's cone.
    pub cone_angle: f32,
}

const LOCATION_SIZE: usize = 8 + FRAME_SIZE;
const LIGHT_SIZE: usize = 4 + FRAME_SIZE + 16;

impl Setup {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let id = reader.id("id")?;
        let flags = SetupFlags::from_bits_retain(reader.u32("flags")?);
        let part_count = reader.count("part count", 4)?;
        let parts = read_list(reader, part_count, |r| r.id("part mesh"))?;
        let if_flagged = |flag| if flags.contains(flag) { part_count } else { 0 };
        let parents = read_list(reader, if_flagged(SetupFlags::PARENTS), |r| r.u32("parent index"))?;
        let scales = read_list(reader, if_flagged(SetupFlags::SCALES), |r| r.vec3("part scale"))?;
        let count = reader.count("holding location count", LOCATION_SIZE)?;
        let holding_locations = read_list(reader, count, read_location)?;
        let count = reader.count("connection point count", LOCATION_SIZE)?;
        let connection_points = read_list(reader, count, read_location)?;
        let count = reader.count("placement count", 8 + part_count * FRAME_SIZE)?;
        let placements = read_list(reader, count, |r| {
            Ok((r.i32("placement key")?, AnimationFrame::read(r, part_count)?))
        })?;
        let count = reader.count("cylinder count", 20)?;
        let cyl_spheres = read_list(reader, count, read_cylinder)?;
        let count = reader.count("sphere count", 16)?;
        let spheres = read_list(reader, count, read_sphere)?;
        let height = reader.f32("height")?;
        let radius = reader.f32("radius")?;
        let step_up = reader.f32("step up height")?;
        let step_down = reader.f32("step down height")?;
        let sorting_sphere = read_sphere(reader)?;
        let selection_sphere = read_sphere(reader)?;
        let count = reader.count("light count", LIGHT_SIZE)?;
        let lights = read_list(reader, count, |r| Ok((r.i32("light key")?, read_light(r)?)))?;
        Ok(Self {
            id,
            flags,
            parts,
            parents,
            scales,
            holding_locations,
            connection_points,
            placements,
            cyl_spheres,
            spheres,
            height,
            radius,
            step_up,
            step_down,
            sorting_sphere,
            selection_sphere,
            lights,
            default_animation: reader.id("default animation")?,
            default_script: reader.id("default script")?,
            default_motion_table: reader.id("default motion table")?,
            default_sound_table: reader.id("default sound table")?,
            default_script_table: reader.id("default script table")?,
        })
    }
}

impl DatObject for Setup {
    const KIND: ObjectKind = ObjectKind::Setup;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        out.id(self.id);
        out.u32(self.flags.bits());
        out.count(self.parts.len());
        self.parts.iter().for_each(|part| out.id(*part));
        if self.flags.contains(SetupFlags::PARENTS) {
            self.parents.iter().for_each(|parent| out.u32(*parent));
        }
        if self.flags.contains(SetupFlags::SCALES) {
            self.scales.iter().for_each(|scale| out.vec3(*scale));
        }
        for locations in [&self.holding_locations, &self.connection_points] {
            out.count(locations.len());
            locations.iter().for_each(|location| write_location(out, location));
        }
        out.count(self.placements.len());
        for (key, frame) in &self.placements {
            out.i32(*key);
            frame.write(out);
        }
        out.count(self.cyl_spheres.len());
        for cylinder in &self.cyl_spheres {
            out.vec3(cylinder.origin);
            out.f32(cylinder.radius);
            out.f32(cylinder.height);
        }
        out.count(self.spheres.len());
        self.spheres.iter().for_each(|sphere| write_sphere(out, sphere));
        for value in [self.height, self.radius, self.step_up, self.step_down] {
            out.f32(value);
        }
        write_sphere(out, &self.sorting_sphere);
        write_sphere(out, &self.selection_sphere);
        out.count(self.lights.len());
        for (key, light) in &self.lights {
            out.i32(*key);
            write_light(out, light);
        }
        for id in [
            self.default_animation,
            self.default_script,
            self.default_motion_table,
            self.default_sound_table,
            self.default_script_table,
        ] {
            out.id(id);
        }
    }

    fn own_id(&self) -> Option<DataId> {
        Some(self.id)
    }
}

/// Reads `count` elements. The caller has checked the count.
fn read_list<T>(
    reader: &mut Reader<'_>,
    count: usize,
    read: impl Fn(&mut Reader<'_>) -> Result<T, ParseError>,
) -> Result<Vec<T>, ParseError> {
    let mut list = Vec::with_capacity(count);
    for _ in 0..count {
        list.push(read(reader)?);
    }
    Ok(list)
}

fn read_location(reader: &mut Reader<'_>) -> Result<PartLocation, ParseError> {
    Ok(PartLocation {
        key: reader.i32("location key")?,
        part: reader.i32("location part")?,
        frame: reader.frame("location frame")?,
    })
}

fn write_location(out: &mut Vec<u8>, location: &PartLocation) {
    out.i32(location.key);
    out.i32(location.part);
    out.frame(&location.frame);
}

pub(crate) fn read_sphere(reader: &mut Reader<'_>) -> Result<Sphere, ParseError> {
    Ok(Sphere { origin: reader.vec3("sphere origin")?, radius: reader.f32("sphere radius")? })
}

pub(crate) fn write_sphere(out: &mut Vec<u8>, sphere: &Sphere) {
    out.vec3(sphere.origin);
    out.f32(sphere.radius);
}

fn read_cylinder(reader: &mut Reader<'_>) -> Result<CylSphere, ParseError> {
    Ok(CylSphere {
        origin: reader.vec3("cylinder origin")?,
        radius: reader.f32("cylinder radius")?,
        height: reader.f32("cylinder height")?,
    })
}

fn read_light(reader: &mut Reader<'_>) -> Result<Light, ParseError> {
    Ok(Light {
        frame: reader.frame("light frame")?,
        colour: reader.u32("light colour")?,
        intensity: reader.f32("light intensity")?,
        falloff: reader.f32("light falloff")?,
        cone_angle: reader.f32("light cone angle")?,
    })
}

fn write_light(out: &mut Vec<u8>, light: &Light) {
    out.frame(&light.frame);
    out.u32(light.colour);
    out.f32(light.intensity);
    out.f32(light.falloff);
    out.f32(light.cone_angle);
}
