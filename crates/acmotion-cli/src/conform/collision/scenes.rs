//! Land and rooms that lines define, and the scenes built from them.

use std::collections::HashMap;
use std::sync::Arc;

use acmotion::scene::geometry::Solid;
use acmotion::scene::{Building, BuildingPortal, HeightTable, Room, Scene, SceneBuilder};
use acmotion::types::{CellId, CellPosition, Frame, Vec3};
use acmotion_dat::{CellStruct, DatObject, EnvCell, Environment, Terrain};

use super::shapes::{Shapes, near_plane, read_plane};
use crate::conform::check::{CheckResult, Difference, Field, exact, within};

/// The tolerance for distances to the plane of a portal, in metres.
const LENGTH_TOLERANCE: f64 = 3e-4;

/// The definitions of earlier lines: shapes, the height table, land, rooms.
#[derive(Default)]
pub(super) struct Scenes {
    pub(super) shapes: Shapes,
    table: Option<Box<HeightTable>>,
    lands: HashMap<u64, Vec<Land>>,
    layouts: HashMap<u64, Layout>,
    /// Scenes by `terrain` and `world`, built on first use.
    cache: HashMap<(u64, Option<u64>), Scene>,
}

struct Land {
    block: u16,
    heights: [u8; 81],
    terrain: [Terrain; 81],
}

struct Layout {
    rooms: Vec<Room>,
    building: Option<Building>,
}

impl Scenes {
    /// Adds the definition of a line. Returns `false` if the line is not a definition.
    pub(super) fn define(&mut self, line: Field<'_>) -> CheckResult<bool> {
        match line.find("kind").map(Field::text).transpose()? {
            Some("geom") => self.shapes.define(line)?,
            Some("region") => self.table = Some(read_heights(line)?),
            Some("terrain") => {
                let lands = line.get("blocks")?.elements()?.map(read_land).collect::<CheckResult<_>>()?;
                self.lands.insert(line.get("id")?.unsigned()?, lands);
            }
            Some("layout") => {
                let layout = self.read_layout(line)?;
                self.layouts.insert(line.get("id")?.unsigned()?, layout);
            }
            _ => return Ok(false),
        }
        self.cache.clear();
        Ok(true)
    }

    /// Returns the scene of a case: its `terrain`, and the rooms of its `world` if it has one.
    pub(super) fn scene_of(&mut self, case: Field<'_>) -> CheckResult<Scene> {
        let terrain = case.get("terrain")?.unsigned()?;
        let world = case.find("world").map(layout_id).transpose()?;
        if let Some(scene) = self.cache.get(&(terrain, world)) {
            return Ok(scene.clone());
        }
        let scene = self.build(terrain, world)?;
        self.cache.insert((terrain, world), scene.clone());
        Ok(scene)
    }

    fn build(&self, terrain: u64, world: Option<u64>) -> CheckResult<Scene> {
        let undefined = |what| Difference::new(what, "a definition on an earlier line", "none");
        let table = self.table.as_ref().ok_or_else(|| undefined("region"))?;
        let mut builder = SceneBuilder::new(table);
        for land in self.lands.get(&terrain).ok_or_else(|| undefined("terrain"))? {
            builder.add_land(land.block, &land.heights, &land.terrain);
        }
        if let Some(world) = world {
            let layout = self.layouts.get(&world).ok_or_else(|| undefined("world"))?;
            let invalid = |error| Difference::new("world", "a valid layout", error);
            for room in &layout.rooms {
                builder.add_room(room.clone()).map_err(invalid)?;
            }
            if let Some(building) = &layout.building {
                builder.add_building(building.position.cell, building.clone()).map_err(invalid)?;
            }
        }
        Ok(builder.finish())
    }

    fn read_layout(&self, line: Field<'_>) -> CheckResult<Layout> {
        let rooms =
            line.get("rooms")?.elements()?.map(|room| self.read_room(room)).collect::<CheckResult<_>>()?;
        let building = line.find("building").map(|building| self.read_building(building)).transpose()?;
        Ok(Layout { rooms, building })
    }

    /// Builds a room from the bytes of its cell and environment, and compares it with the other fields.
    fn read_room(&self, line: Field<'_>) -> CheckResult<Room> {
        let cell: EnvCell = decode(line.get("envcell_b64")?)?;
        let environment: Environment = decode(line.get("environment_b64")?)?;
        let shape = environment.structures.get(cell.structure.into());
        let shape =
            shape.ok_or_else(|| Difference::new("environment_b64", cell.structure, "no such shape"))?;
        let invalid = |error| Difference::new("environment_b64", "a valid shape", error);
        let solid = Arc::new(Solid::from_cell_struct(shape).map_err(invalid)?);
        exact("geom", &**self.shapes.get(line.get("geom")?)?, &*solid)?;
        let room = Room::from_env_cell(&cell, shape, Some(solid)).map_err(invalid)?;
        check_room(line, &room)?;
        check_portals(line, &room, &cell, shape)?;
        Ok(room)
    }

    fn read_building(&self, line: Field<'_>) -> CheckResult<Building> {
        let land = CellId(line.get("land_cell")?.hex()?);
        Ok(Building {
            position: CellPosition::at(land, line.get("pos")?.vector()?),
            model: None,
            solid: Some(Arc::clone(self.shapes.get(line.get("geom")?)?)),
            scale: 1.0,
            portals: vec![BuildingPortal {
                room: CellId(line.get("portal_cell")?.hex()?),
                other_portal: line.get("portal_other_portal")?.signed()? as i16,
            }],
            visible: Vec::new(),
        })
    }
}

fn decode<T: DatObject>(field: Field<'_>) -> CheckResult<T> {
    T::decode(&field.base64()?)
        .map_err(|error| Difference::new("base64", "an object in its file format", error))
}

fn check_room(line: Field<'_>, room: &Room) -> CheckResult {
    exact("cell", CellId(line.get("cell")?.hex()?), room.id())?;
    let frame = Frame::new(line.get("pos")?.vector()?, line.get("q")?.quat()?);
    exact("pos", frame, room.position().frame)?;
    exact("seen_outside", line.get("seen_outside")?.boolean()?, room.seen_outside)?;
    let planes = line.get("cell_planes")?.elements()?;
    exact("cell_planes", planes.len(), room.inside.planes().len())?;
    for (expected, got) in planes.zip(room.inside.planes()) {
        near_plane("cell_planes", read_plane(expected)?, *got, 0.0)?;
    }
    let mut visible = line.get("visible")?.elements()?.map(Field::hex).collect::<CheckResult<Vec<_>>>()?;
    let mut got: Vec<_> = room.visible.iter().map(|cell| cell.0).collect();
    visible.sort_unstable();
    got.sort_unstable();
    exact("visible", visible, got)
}

/// Compares the portals of a room, and the polygons and numbers that its file has for them.
fn check_portals(line: Field<'_>, room: &Room, cell: &EnvCell, shape: &CellStruct) -> CheckResult {
    let portals = line.get("portals")?.elements()?;
    exact("portals", portals.len(), room.portals.len())?;
    exact("portals", portals.len(), cell.portals.len())?;
    for ((expected, got), stored) in portals.zip(&room.portals).zip(&cell.portals) {
        let other = expected.find("other_cell").map(Field::hex).transpose()?;
        exact("other_cell", other.map(CellId), got.other)?;
        exact("other_portal", expected.get("other_portal")?.unsigned()?, stored.other_portal.into())?;
        let polygon = shape.polygons.get(stored.polygon.into());
        let corners = polygon.into_iter().flat_map(|polygon| &polygon.vertices);
        let corners: Vec<_> = corners.map(|id| position_of(shape, *id)).collect();
        let poly = expected.get("poly")?.elements()?.map(|corner| corner.vector().map(Some));
        let poly = poly.collect::<CheckResult<Vec<_>>>()?;
        exact("poly", &poly, &corners)?;
        for corner in poly.into_iter().flatten() {
            within("poly", 0.0, got.plane.distance(corner).into(), LENGTH_TOLERANCE)?;
        }
    }
    Ok(())
}

/// Returns the position of a vertex of a room structure, `None` if it has no such vertex.
fn position_of(shape: &CellStruct, id: i16) -> Option<Vec3> {
    let vertex = shape.vertices.iter().find(|vertex| vertex.id == id.cast_unsigned());
    vertex.map(|vertex| vertex.position)
}

fn read_heights(line: Field<'_>) -> CheckResult<Box<HeightTable>> {
    let heights =
        line.get("land_height_table")?.elements()?.map(Field::float).collect::<CheckResult<Vec<_>>>()?;
    let table = <[f32; 256]>::try_from(heights);
    Ok(Box::new(table.map_err(|_| Difference::new("land_height_table", "256 heights", "another count"))?))
}

fn read_land(block: Field<'_>) -> CheckResult<Land> {
    let words = block.find("terrain").map(hex_bytes::<162>).transpose()?;
    let word = |index: usize| {
        // Each word has four digits, the upper byte first.
        words.map_or(0, |bytes| u16::from_be_bytes([bytes[2 * index], bytes[2 * index + 1]]))
    };
    Ok(Land {
        block: read_block(block.get("block")?)?,
        heights: hex_bytes(block.get("height")?)?,
        terrain: std::array::from_fn(|index| Terrain(word(index))),
    })
}

/// Reads the id of a landblock: the upper 16 bits of its cells' ids.
pub(super) fn read_block(field: Field<'_>) -> CheckResult<u16> {
    let block = field.hex()?;
    u16::try_from(block).map_err(|_| Difference::new("block", "16 bits", format_args!("{block:#X}")))
}

/// Reads `N` bytes, which are hexadecimal digits without a prefix.
fn hex_bytes<const N: usize>(field: Field<'_>) -> CheckResult<[u8; N]> {
    let text = field.text()?;
    let digits =
        text.as_bytes().iter().map(|digit| char::from(*digit).to_digit(16)).collect::<Option<Vec<_>>>();
    let bytes = digits.filter(|digits| digits.len() == 2 * N);
    let bytes = bytes.ok_or_else(|| Difference::new("hex", format_args!("{N} bytes"), text))?;
    Ok(std::array::from_fn(|index| (bytes[2 * index] * 16 + bytes[2 * index + 1]) as u8))
}

/// Reads the id of a layout: a number, or `layout_9` for 9.
fn layout_id(field: Field<'_>) -> CheckResult<u64> {
    let named = || field.value().as_str()?.strip_prefix("layout_")?.parse().ok();
    field
        .value()
        .as_u64()
        .or_else(named)
        .ok_or_else(|| Difference::new("world", "a layout such as \"layout_9\"", field.value()))
}
