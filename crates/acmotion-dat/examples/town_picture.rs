//! Draws the mannequin's town:
//!
//! ```text
//! cargo run -p acmotion-dat --example town_picture -- town.png [island|town|yard|plan|upper|cellar|section|shed]
//! ```
//!
//! `plan`, `upper` and `cellar` show the house cut open level by level, `section` cut through its stairs. Everything is
//! taken from the two dat files, as somebody with the game's files would: land, buildings, rooms, static objects.

use std::collections::HashMap;
use std::error::Error;
use std::io::Write as _;

use acmotion_dat::mannequin::{self, town};
use acmotion_dat::{Assets, DataId, GfxObj, KeyedList, Polygon, StaticObject, Vertex};
use acmotion_types::{BLOCK_LENGTH, CELL_LENGTH, Frame, Vec3};

const SIZE: [usize; 2] = [1200, 900];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        return Err(
            "which file? town_picture OUT.png [island|town|yard|plan|upper|cellar|section|shed]".into()
        );
    };
    let view = arguments.next().unwrap_or_else(|| "town".into());
    let mut scene = Scene {
        portal: Assets::mannequin(),
        cells: Assets::town(),
        faces: Vec::new(),
        colours: HashMap::new(),
    };
    scene.collect()?;
    let picture = Picture::new(view_named(&view)?);
    std::fs::write(&path, picture.drawn(&scene.faces)?)?;
    println!("{} faces in {path}", scene.faces.len());
    Ok(())
}

/// From where the world is seen, without perspective, and what is cut away.
struct View {
    centre: Vec3,
    /// Metres across the picture.
    width: f32,
    /// Where the eye stands, degrees: 0 in the east, 90 in the north; and how high.
    azimuth: f32,
    elevation: f32,
    /// Points beyond these are not drawn: a normal and how far along it.
    cuts: Vec<(Vec3, f32)>,
}

fn view_named(name: &str) -> Result<View, String> {
    let house = Vec3::new(108.0, 108.0, 10.0);
    let up = Vec3::new(0.0, 0.0, 1.0);
    let view =
        |centre, width, azimuth, elevation| View { centre, width, azimuth, elevation, cuts: Vec::new() };
    let level = |height: f32| View {
        cuts: vec![(up, house.z + height)],
        ..view(house + up * height, 16.0, -90.0, 62.0)
    };
    Ok(match name {
        "island" => view(Vec3::new(192.0, 192.0, 10.0), 460.0, -60.0, 42.0),
        "town" => view(house, 130.0, -62.0, 38.0),
        "yard" => view(Vec3::new(72.0, 100.0, 10.0), 52.0, -58.0, 40.0),
        "plan" => level(2.6),
        "upper" => level(5.6),
        "cellar" => level(-0.3),
        "section" => View {
            cuts: vec![(Vec3::new(1.0, 0.0, 0.0), house.x + 4.7)],
            ..view(house + up * 2.0, 18.0, -14.0, 16.0)
        },
        "shed" => view(Vec3::new(156.0, 84.0, 11.0), 20.0, -80.0, 30.0),
        other => return Err(format!("there is no view {other}")),
    })
}

/// A face, and the colour at each corner.
struct Face {
    corners: Vec<Vec3>,
    colours: Vec<[u8; 3]>,
}

struct Scene {
    portal: Assets,
    cells: Assets,
    faces: Vec<Face>,
    colours: HashMap<DataId, [u8; 3]>,
}

impl Scene {
    fn collect(&mut self) -> Result<(), Box<dyn Error>> {
        for block in town::blocks() {
            let origin = block_origin(block);
            self.land(block, origin)?;
            let info = DataId(u32::from(block) << 16 | 0xFFFE);
            if self.cells.dat().find(info)?.is_none() {
                continue;
            }
            let info = self.cells.land_block_info(info)?;
            for object in &info.objects {
                self.object(object, origin)?;
            }
            for building in &info.buildings {
                self.object(&StaticObject { model: building.model, frame: building.frame }, origin)?;
            }
            for cell in 0..info.cell_count {
                self.room(DataId((u32::from(block) << 16) + 0x100 + cell), origin)?;
            }
        }
        let door = town::places().door.frame;
        self.object(&StaticObject { model: mannequin::DOOR_SETUP, frame: door }, Vec3::ZERO)
    }

    fn land(&mut self, block: u16, origin: Vec3) -> Result<(), Box<dyn Error>> {
        let region = self.portal.region(town::REGION)?;
        let land = self.cells.land_block(DataId(u32::from(block) << 16 | 0xFFFF))?;
        let vertex = |x: usize, y: usize| {
            let height = region.height(land.height_at(x, y).unwrap_or_default());
            origin + Vec3::new(CELL_LENGTH * x as f32, CELL_LENGTH * y as f32, height)
        };
        for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
            let (sw, se, ne, nw) = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1));
            let cell = [u32::from(block >> 8) * 8 + x as u32, u32::from(block & 0xFF) * 8 + y as u32];
            let halves = if is_cut_from_south_west(cell) {
                [[sw, se, ne], [sw, ne, nw]]
            } else {
                [[sw, se, nw], [ne, nw, se]]
            };
            for half in halves {
                let kind = |(x, y)| land.terrain_at(x, y).unwrap_or_default().kind();
                let colours = half.map(|at| town::ground::colour(kind(at)));
                let corners = half.map(|(x, y)| vertex(x, y));
                self.faces.push(Face { corners: corners.into(), colours: colours.into() });
            }
        }
        Ok(())
    }

    fn object(&mut self, object: &StaticObject, origin: Vec3) -> Result<(), Box<dyn Error>> {
        let frame = Frame::new(object.frame.origin + origin, object.frame.rotation);
        if object.model.0 >> 24 == 1 {
            let mesh = self.portal.gfx_obj(object.model)?;
            return self.mesh(&mesh, &frame);
        }
        let setup = self.portal.setup(object.model)?;
        let standing = setup.placements.first().map(|(_, pose)| pose.parts.clone()).unwrap_or_default();
        for (part, at) in setup.parts.iter().zip(standing) {
            let mesh = self.portal.gfx_obj(*part)?;
            self.mesh(&mesh, &frame.combine(&at))?;
        }
        Ok(())
    }

    fn mesh(&mut self, mesh: &GfxObj, frame: &Frame) -> Result<(), Box<dyn Error>> {
        let Some(drawing) = &mesh.drawing else { return Ok(()) };
        self.polygons(&mesh.vertices, &drawing.polygons, &mesh.surfaces, frame)
    }

    fn room(&mut self, id: DataId, origin: Vec3) -> Result<(), Box<dyn Error>> {
        let cell = self.cells.env_cell(id)?;
        let environment = self.portal.environment(cell.environment_id())?;
        let shape = environment.structures.get(cell.structure.into()).ok_or("a shape is missing")?;
        let frame = Frame::new(cell.frame.origin + origin, cell.frame.rotation);
        let surfaces: Vec<_> = (0..cell.surfaces.len()).filter_map(|at| cell.surface_id(at)).collect();
        let is_wall = |(key, _): &(u32, &Polygon)| !shape.portals.contains(&(*key as u16));
        let walls = shape.polygons.iter().filter(is_wall).map(|(key, polygon)| (key, polygon.clone()));
        self.polygons(&shape.vertices, &walls.collect(), &surfaces, &frame)?;
        for object in &cell.objects {
            self.object(object, origin)?;
        }
        Ok(())
    }

    fn polygons(
        &mut self,
        vertices: &[Vertex],
        polygons: &KeyedList<Polygon>,
        surfaces: &[DataId],
        frame: &Frame,
    ) -> Result<(), Box<dyn Error>> {
        for (_, polygon) in polygons.iter() {
            let corners = polygon.vertices.iter().map(|id| vertices[*id as usize].position);
            let corners: Vec<_> = corners.map(|corner| frame.local_to_global(corner)).collect();
            let surface = surfaces.get(polygon.positive_surface as usize).ok_or("a surface is missing")?;
            let colour = self.colour(*surface)?;
            self.faces.push(Face { colours: vec![colour; corners.len()], corners });
        }
        Ok(())
    }

    fn colour(&mut self, surface: DataId) -> Result<[u8; 3], Box<dyn Error>> {
        if let Some(colour) = self.colours.get(&surface) {
            return Ok(*colour);
        }
        let dat = self.portal.dat();
        let entry = dat.find(surface)?.ok_or("a surface is missing")?;
        let bytes = dat.read(&entry)?;
        let colour = [bytes[6], bytes[5], bytes[4]];
        self.colours.insert(surface, colour);
        Ok(colour)
    }
}

fn block_origin(block: u16) -> Vec3 {
    let along = |block: u16, home: u16| BLOCK_LENGTH * (f32::from(block) - f32::from(home));
    let (block, home) = ([block >> 8, block & 0xFF], [town::HOME >> 8, town::HOME & 0xFF]);
    Vec3::new(along(block[0], home[0]), along(block[1], home[1]), 0.0)
}

/// `docs/dat.md` §6.4.
fn is_cut_from_south_west([x, y]: [u32; 2]) -> bool {
    let sum = x.wrapping_mul(0x0CCA_C033).wrapping_add(0x6C1A_C587);
    let hash = y.wrapping_mul(sum).wrapping_sub(x.wrapping_mul(0x421B_E3BD)).wrapping_sub(0x519B_8F25);
    hash >> 31 == 1
}

struct Picture {
    view: View,
    right: Vec3,
    up: Vec3,
    towards: Vec3,
    scale: f32,
    colours: Vec<[u8; 3]>,
    depths: Vec<f32>,
}

impl Picture {
    fn new(view: View) -> Self {
        let (sin, cos) = view.azimuth.to_radians().sin_cos();
        let (lift, flat) = view.elevation.to_radians().sin_cos();
        let right = Vec3::new(-sin, cos, 0.0);
        let towards = Vec3::new(cos * flat, sin * flat, lift);
        let pixels = SIZE[0] * SIZE[1];
        Self {
            right,
            up: towards.cross(right),
            towards,
            scale: SIZE[0] as f32 / view.width,
            view,
            colours: vec![[0xC9, 0xD9, 0xE6]; pixels],
            depths: vec![f32::NEG_INFINITY; pixels],
        }
    }

    fn drawn(mut self, faces: &[Face]) -> Result<Vec<u8>, Box<dyn Error>> {
        for face in faces {
            self.face(face);
        }
        png(&self.colours)
    }

    fn face(&mut self, face: &Face) {
        let corners = &face.corners;
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
        let Some(normal) = normal.filter(|normal| normal.dot(self.towards) > 0.0) else { return };
        let lit = 0.62 + 0.38 * normal.dot(Vec3::new(0.36, -0.52, 0.77));
        let colours: Vec<_> =
            face.colours.iter().map(|colour| colour.map(|value| f32::from(value) * lit)).collect();
        for at in 1..corners.len() - 1 {
            let fan = [0, at, at + 1];
            self.triangle(fan.map(|at| corners[at]), fan.map(|at| colours[at]));
        }
    }

    /// Right and down in pixels.
    fn project(&self, p: Vec3) -> [f32; 2] {
        let from = p - self.view.centre;
        let middle = [0.5 * SIZE[0] as f32, 0.5 * SIZE[1] as f32];
        [middle[0] + self.scale * from.dot(self.right), middle[1] - self.scale * from.dot(self.up)]
    }

    fn triangle(&mut self, corners: [Vec3; 3], colours: [[f32; 3]; 3]) {
        let [a, b, c] = corners.map(|corner| self.project(corner));
        let cross = |p: [f32; 2], q: [f32; 2], r: [f32; 2]| {
            (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
        };
        let area = cross(a, b, c);
        let range = |at: usize| {
            let low = a[at].min(b[at]).min(c[at]).max(0.0) as usize;
            let high = (a[at].max(b[at]).max(c[at]) + 1.0).clamp(0.0, SIZE[at] as f32) as usize;
            low..high
        };
        for (y, x) in range(1).flat_map(|y| range(0).map(move |x| (y, x))) {
            let p = [x as f32 + 0.5, y as f32 + 0.5];
            let shares = [cross(b, c, p) / area, cross(c, a, p) / area, cross(a, b, p) / area];
            if shares.iter().any(|share| share.is_nan() || *share < 0.0) {
                continue;
            }
            let point = corners[0] * shares[0] + corners[1] * shares[1] + corners[2] * shares[2];
            let is_cut = self.view.cuts.iter().any(|(normal, at)| normal.dot(point) > *at);
            let (depth, place) = (point.dot(self.towards), y * SIZE[0] + x);
            if !is_cut && depth > self.depths[place] {
                self.depths[place] = depth;
                self.colours[place] = std::array::from_fn(|part| {
                    let mixed: f32 = shares.iter().zip(&colours).map(|(share, c)| share * c[part]).sum();
                    mixed.clamp(0.0, 255.0) as u8
                });
            }
        }
    }
}

/// The pixels as a PNG file.
fn png(colours: &[[u8; 3]]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut rows = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    for row in colours.chunks(SIZE[0]) {
        rows.write_all(&[0])?;
        rows.write_all(row.as_flattened())?;
    }
    let mut header = Vec::new();
    SIZE.iter().for_each(|size| header.extend((*size as u32).to_be_bytes()));
    header.extend([8, 2, 0, 0, 0]);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, bytes) in [(b"IHDR", header), (b"IDAT", rows.finish()?), (b"IEND", Vec::new())] {
        out.extend((bytes.len() as u32).to_be_bytes());
        let mut check = flate2::Crc::new();
        check.update(kind);
        check.update(&bytes);
        out.extend_from_slice(kind);
        out.extend(&bytes);
        out.extend(check.sum().to_be_bytes());
    }
    Ok(out)
}
