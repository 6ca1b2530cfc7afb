//! Draws the mannequin's motions as a contact sheet with one row per motion and one column per frame:
//!
//! ```text
//! cargo run -p acmotion-dat --example contact_sheet -- sheet.svg [human|beast|door] [part of a row's name] [azimuth]
//! ```
//!
//! The marks on the ground move with the root motion, which makes a sliding foot visible. The azimuth is the
//! direction of the camera in degrees: 0 to the right of the body, 90 in front of it. A red frame number marks a
//! frame with hooks.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;

use acmotion_dat::{Animation, Assets, DataId, GfxObj, MotionData, MotionTable, Setup, mannequin};
use acmotion_types::{Frame, MotionCommand, Vec3};

const COLUMNS: usize = 14;
const CELL: [f32; 2] = [112.0, 122.0];
const LABEL: f32 = 170.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        return Err(
            "missing output file; usage: contact_sheet OUT.svg [human|beast|door] [filter] [azimuth]".into(),
        );
    };
    let body = arguments.next().unwrap_or_else(|| "human".into());
    let filter = arguments.next().unwrap_or_default().to_lowercase();
    let azimuth: f32 = arguments.next().map_or(Ok(28.0), |text| text.parse())?;
    let (setup, table, scale) = match body.as_str() {
        "human" => (mannequin::HUMAN_SETUP, mannequin::HUMAN_TABLE, 44.0),
        "beast" => (mannequin::BEAST_SETUP, mannequin::BEAST_TABLE, 50.0),
        "door" => (mannequin::DOOR_SETUP, mannequin::DOOR_TABLE, 36.0),
        other => return Err(format!("unknown body `{other}`, expected human, beast or door").into()),
    };
    let assets = Assets::mannequin();
    let painter =
        SheetPainter { assets: &assets, setup: assets.setup(setup)?, camera: Camera::new(azimuth, scale) };
    let table = assets.motion_table(table)?;
    let rows: Vec<_> =
        rows_of(&table).into_iter().filter(|row| row.name.to_lowercase().contains(&filter)).collect();
    let svg = painter.sheet(&rows)?;
    std::fs::write(&path, svg)?;
    println!("{} motions in {path}", rows.len());
    Ok(())
}

struct Row<'a> {
    name: String,
    style: u32,
    motion: &'a MotionData,
}

/// Returns every cycle and link of a table with its name.
fn rows_of(table: &MotionTable) -> Vec<Row<'_>> {
    let style_name = |key: u32| MotionCommand(0x8000_0000 | (key >> 16)).to_string();
    let by_low_word = |key: u32| {
        let index = (key & 0xFFFF) as u16;
        acmotion_types::Era::EndOfRetail.expand(index).map_or_else(String::new, |motion| motion.to_string())
    };
    let mut rows = Vec::new();
    for (key, motion) in table.cycles.iter() {
        let name = format!("{} {}", style_name(key), by_low_word(key));
        rows.push(Row { name, style: key >> 16, motion });
    }
    for (key, inner) in table.links.iter() {
        for (to, motion) in inner.iter() {
            let name = format!("{} {} > {}", style_name(key), by_low_word(key), MotionCommand(to));
            rows.push(Row { name, style: key >> 16, motion });
        }
    }
    rows
}

/// An orthographic camera.
struct Camera {
    right: Vec3,
    up: Vec3,
    towards: Vec3,
    scale: f32,
}

impl Camera {
    fn new(azimuth: f32, scale: f32) -> Self {
        let (sin, cos) = sin_cos_of(azimuth);
        let (lift, level) = sin_cos_of(12.0);
        let right = Vec3::new(-sin, cos, 0.0);
        let towards = Vec3::new(cos * level, sin * level, lift);
        Self { right, up: towards.cross(right), towards, scale }
    }

    /// Projects a point: right and down on the sheet, and its depth towards the camera.
    fn project(&self, p: Vec3) -> [f32; 3] {
        [self.scale * p.dot(self.right), -self.scale * p.dot(self.up), p.dot(self.towards)]
    }
}

fn sin_cos_of(degrees: f32) -> (f32, f32) {
    degrees.to_radians().sin_cos()
}

struct SheetPainter<'a> {
    assets: &'a Assets,
    setup: std::sync::Arc<Setup>,
    camera: Camera,
}

/// A projected face.
struct DrawnFace {
    depth: f32,
    points: String,
    colour: [u8; 3],
}

impl SheetPainter<'_> {
    fn sheet(&self, rows: &[Row<'_>]) -> Result<String, Box<dyn Error>> {
        let (width, height) = (LABEL + COLUMNS as f32 * CELL[0], rows.len() as f32 * CELL[1]);
        let mut svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' font-family='sans-serif' \
             font-size='10'><rect width='100%' height='100%' fill='#f4f2ee'/>"
        );
        let mut colours = HashMap::new();
        for (index, row) in rows.iter().enumerate() {
            let top = index as f32 * CELL[1];
            self.row(&mut svg, row, top, &mut colours)?;
        }
        svg.push_str("</svg>");
        Ok(svg)
    }

    fn row(
        &self,
        svg: &mut String,
        row: &Row<'_>,
        top: f32,
        colours: &mut HashMap<DataId, [u8; 3]>,
    ) -> Result<(), Box<dyn Error>> {
        let Some(anim) = row.motion.anims.first() else { return Ok(()) };
        let animation = self.assets.animation(anim.animation)?;
        let count = animation.frame_count();
        let shown = count.min(COLUMNS);
        let (style, motion) = row.name.split_once(' ').unwrap_or((&row.name, ""));
        write!(
            svg,
            "<text x='6' y='{}' font-weight='bold'>{}</text><text x='6' y='{}'>{style}, {count} frames, {} fps</text>",
            top + 0.5 * CELL[1],
            motion.replace('>', "&gt;"),
            top + 0.5 * CELL[1] + 14.0,
            anim.framerate
        )?;
        for column in 0..shown {
            let frame = if shown == 1 { 0 } else { column * (count - 1) / (shown - 1) };
            let corner = [LABEL + column as f32 * CELL[0], top];
            let faces = self.faces(&animation, frame, row.style, colours)?;
            self.cell(svg, &animation, frame, corner, &faces)?;
        }
        Ok(())
    }

    fn cell(
        &self,
        svg: &mut String,
        animation: &Animation,
        frame: usize,
        corner: [f32; 2],
        faces: &[DrawnFace],
    ) -> Result<(), Box<dyn Error>> {
        let (x, y) = (corner[0] + 0.5 * CELL[0], corner[1] + CELL[1] - 20.0);
        write!(
            svg,
            "<svg x='{}' y='{}' width='{}' height='{}'><g transform='translate({} {})'>",
            corner[0],
            corner[1],
            CELL[0],
            CELL[1],
            x - corner[0],
            y - corner[1]
        )?;
        self.ground(svg, animation, frame)?;
        for face in faces {
            let [r, g, b] = face.colour;
            write!(
                svg,
                "<polygon points='{}' fill='rgb({r},{g},{b})' stroke='#0003' stroke-width='.3'/>",
                face.points
            )?;
        }
        let ink = if animation.hooks(frame).is_empty() { "#777" } else { "#c00" };
        write!(svg, "</g><text x='3' y='12' fill='{ink}'>{frame}</text></svg>")?;
        Ok(())
    }

    /// Draws lines every quarter of a metre, fixed to the ground.
    fn ground(&self, svg: &mut String, animation: &Animation, frame: usize) -> Result<(), Box<dyn Error>> {
        let moved = animation.position_frames().iter().take(frame);
        let moved = moved.fold(Vec3::ZERO, |sum, frame| sum + frame.origin);
        for (along, across, distance) in [
            (Vec3::new(0.0, 1.0, 0.0), Vec3::new(1.0, 0.0, 0.0), moved.y),
            (Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), moved.x),
        ] {
            let first = ((distance - 0.9) * 4.0).ceil() as i32;
            for mark in (first..).take_while(|mark| *mark as f32 <= (distance + 0.9) * 4.0) {
                let middle = along * (mark as f32 * 0.25 - distance);
                let [x1, y1, _] = self.camera.project(middle - across * 0.4);
                let [x2, y2, _] = self.camera.project(middle + across * 0.4);
                let ink = if mark % 4 == 0 { "#888" } else { "#ccc" };
                write!(
                    svg,
                    "<line x1='{x1:.1}' y1='{y1:.1}' x2='{x2:.1}' y2='{y2:.1}' stroke='{ink}' stroke-width='.6'/>"
                )?;
            }
        }
        Ok(())
    }

    /// Returns the faces that face the camera, the farthest first.
    fn faces(
        &self,
        animation: &Animation,
        frame: usize,
        style: u32,
        colours: &mut HashMap<DataId, [u8; 3]>,
    ) -> Result<Vec<DrawnFace>, Box<dyn Error>> {
        let pose = animation.pose(frame);
        let mut faces = Vec::new();
        for (mesh, part_frame) in self.setup.parts.iter().zip(pose) {
            self.mesh_faces(&mut faces, &*self.assets.gfx_obj(*mesh)?, part_frame, colours)?;
        }
        if style == MotionCommand::SWORD_COMBAT.0 & 0xFFFF
            && let Some(hand) = self.setup.holding_locations.iter().find(|location| location.key == 1)
        {
            let sword = self.assets.setup(mannequin::SWORD_SETUP)?;
            let held = sword.placements.iter().find(|(key, _)| *key == 1).map(|(_, frame)| frame.parts[0]);
            let held = pose[hand.part as usize].combine(&hand.frame).combine(&held.unwrap_or_default());
            self.mesh_faces(&mut faces, &*self.assets.gfx_obj(sword.parts[0])?, &held, colours)?;
        }
        faces.sort_by(|a, b| a.depth.total_cmp(&b.depth));
        Ok(faces)
    }

    fn mesh_faces(
        &self,
        faces: &mut Vec<DrawnFace>,
        mesh: &GfxObj,
        part_frame: &Frame,
        colours: &mut HashMap<DataId, [u8; 3]>,
    ) -> Result<(), Box<dyn Error>> {
        let Some(drawing) = &mesh.drawing else { return Ok(()) };
        let light = Vec3::new(0.45, 0.35, 0.82);
        for (_, polygon) in drawing.polygons.iter() {
            let corners = polygon.vertices.iter().map(|id| &mesh.vertices[*id as usize]);
            let normal = part_frame.local_to_global_vec(mesh.vertices[polygon.vertices[0] as usize].normal);
            if normal.dot(self.camera.towards) <= 0.0 {
                continue;
            }
            let mut face = DrawnFace { depth: 0.0, points: String::new(), colour: [0; 3] };
            for corner in corners {
                let [x, y, depth] = self.camera.project(part_frame.local_to_global(corner.position));
                face.depth += depth / polygon.vertices.len() as f32;
                write!(face.points, "{x:.1},{y:.1} ")?;
            }
            let surface = mesh.surfaces[polygon.positive_surface as usize];
            let colour = self.colour(surface, colours)?;
            let lit = 0.62 + 0.38 * normal.dot(light);
            face.colour = colour.map(|value| (f32::from(value) * lit).clamp(0.0, 255.0) as u8);
            faces.push(face);
        }
        Ok(())
    }

    fn colour(
        &self,
        surface: DataId,
        known: &mut HashMap<DataId, [u8; 3]>,
    ) -> Result<[u8; 3], Box<dyn Error>> {
        if let Some(colour) = known.get(&surface) {
            return Ok(*colour);
        }
        let dat = self.assets.dat();
        let entry = dat.find(surface)?.ok_or_else(|| format!("surface {surface} is missing"))?;
        let bytes = dat.read(&entry)?;
        let colour = [bytes[6], bytes[5], bytes[4]];
        known.insert(surface, colour);
        Ok(colour)
    }
}
