//! Draws the mannequin's town:
//!
//! ```text
//! cargo run -p acmotion-dat --example town_picture -- town.png [island|town|yard|plan|upper|cellar|section|shed]
//! ```
//!
//! `plan`, `upper` and `cellar` show the house cut open at each level, `section` cut through its stairs. Everything
//! (land, buildings, rooms, static objects) is read from the two dat files, exactly as it would be from the game's
//! files.

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
            "missing output file; usage: town_picture OUT.png [island|town|yard|plan|upper|cellar|section|shed]"
            .into(),
        );
    };
    let view = arguments.next().unwrap_or_else(|| "town".into());
    let mut town = TownFaces {
        portal: Assets::mannequin(),
        cells: Assets::town(),
        faces: Vec::new(),
        colours: HashMap::new(),
    };
    town.collect()?;
    let picture = Picture::new(view_named(&view)?);
    std::fs::write(&path, picture.draw(&town.faces)?)?;
    println!("{} faces in {path}", town.faces.len());
    Ok(())
}

/// An orthographic view of the world, and the planes at which it is cut.
struct View {
    centre: Vec3,
    /// The width of the picture, in metres.
    width: f32,
    /// The direction of the camera in degrees, 0 in the east and 90 in the north, and its elevation.
    azimuth: f32,
    elevation: f32,
    /// Cutting planes as a normal and a distance along it. Points beyond them are not drawn.
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
        other => {
            return Err(format!(
                "unknown view `{other}`, expected island, town, yard, plan, upper, cellar, section or shed"
            ));
        }
    })
}

/// A face with a colour at each corner.
struct DrawnFace {
    corners: Vec<Vec3>,
    colours: Vec<[u8; 3]>,
}

struct TownFaces {
    portal: Assets,
    cells: Assets,
    faces: Vec<DrawnFace>,
    colours: HashMap<DataId, [u8; 3]>,
}

impl TownFaces {
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
        let door = town::landmarks().door.frame;
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
                let colours = half.map(|vertex| town::ground::colour(kind(vertex)));
                let corners = half.map(|(x, y)| vertex(x, y));
                self.faces.push(DrawnFace { corners: corners.into(), colours: colours.into() });
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
        for (part, part_frame) in setup.parts.iter().zip(standing) {
            let mesh = self.portal.gfx_obj(*part)?;
            self.mesh(&mesh, &frame.combine(&part_frame))?;
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
        let shape =
            environment.structures.get(cell.structure.into()).ok_or("the shape of a room is missing")?;
        let frame = Frame::new(cell.frame.origin + origin, cell.frame.rotation);
        let surfaces: Vec<_> = (0..cell.surfaces.len()).filter_map(|index| cell.surface_id(index)).collect();
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
            let surface = surfaces
                .get(polygon.positive_surface as usize)
                .ok_or("the surface of a polygon is missing")?;
            let colour = self.colour(*surface)?;
            self.faces.push(DrawnFace { colours: vec![colour; corners.len()], corners });
        }
        Ok(())
    }

    fn colour(&mut self, surface: DataId) -> Result<[u8; 3], Box<dyn Error>> {
        if let Some(colour) = self.colours.get(&surface) {
            return Ok(*colour);
        }
        let dat = self.portal.dat();
        let entry = dat.find(surface)?.ok_or_else(|| format!("surface {surface} is missing"))?;
        let bytes = dat.read(&entry)?;
        let colour = [bytes[6], bytes[5], bytes[4]];
        self.colours.insert(surface, colour);
        Ok(colour)
    }
}

fn block_origin(block: u16) -> Vec3 {
    let along = |block: u16, home: u16| BLOCK_LENGTH * (f32::from(block) - f32::from(home));
    let (block, home) = ([block >> 8, block & 0xFF], [town::HOME_BLOCK >> 8, town::HOME_BLOCK & 0xFF]);
    Vec3::new(along(block[0], home[0]), along(block[1], home[1]), 0.0)
}

/// Returns `true` if a land cell is split from south-west to north-east (`docs/dat.md` §6.4).
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

    fn draw(mut self, faces: &[DrawnFace]) -> Result<Vec<u8>, Box<dyn Error>> {
        for face in faces {
            self.face(face);
        }
        png(&self.colours)
    }

    fn face(&mut self, face: &DrawnFace) {
        let corners = &face.corners;
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
        let Some(normal) = normal.filter(|normal| normal.dot(self.towards) > 0.0) else { return };
        let lit = 0.62 + 0.38 * normal.dot(Vec3::new(0.36, -0.52, 0.77));
        let colours: Vec<_> =
            face.colours.iter().map(|colour| colour.map(|value| f32::from(value) * lit)).collect();
        for corner in 1..corners.len() - 1 {
            let fan = [0, corner, corner + 1];
            self.triangle(fan.map(|corner| corners[corner]), fan.map(|corner| colours[corner]));
        }
    }

    /// Projects a point: right and down in pixels.
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
        let range = |axis: usize| {
            let low = a[axis].min(b[axis]).min(c[axis]).max(0.0) as usize;
            let high = (a[axis].max(b[axis]).max(c[axis]) + 1.0).clamp(0.0, SIZE[axis] as f32) as usize;
            low..high
        };
        for (y, x) in range(1).flat_map(|y| range(0).map(move |x| (y, x))) {
            let p = [x as f32 + 0.5, y as f32 + 0.5];
            let shares = [cross(b, c, p) / area, cross(c, a, p) / area, cross(a, b, p) / area];
            if shares.iter().any(|share| share.is_nan() || *share < 0.0) {
                continue;
            }
            let point = corners[0] * shares[0] + corners[1] * shares[1] + corners[2] * shares[2];
            let is_cut = self.view.cuts.iter().any(|(normal, limit)| normal.dot(point) > *limit);
            let (depth, index) = (point.dot(self.towards), y * SIZE[0] + x);
            if !is_cut && depth > self.depths[index] {
                self.depths[index] = depth;
                self.colours[index] = std::array::from_fn(|part| {
                    let mixed: f32 = shares.iter().zip(&colours).map(|(share, c)| share * c[part]).sum();
                    mixed.clamp(0.0, 255.0) as u8
                });
            }
        }
    }
}

/// Encodes the pixels as a PNG file.
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
