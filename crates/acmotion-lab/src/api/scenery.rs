//! `/api/scenery`: everything that does not move: terrain, water, rooms, buildings, objects.

use std::collections::BTreeMap;
use std::sync::Arc;

use acmotion::dat::mannequin::town::{REGION, ground};
use acmotion::dat::{Assets, CellStruct, DataId, EnvCell, LandBlock, Polygon, StaticObject, Terrain};
use acmotion::types::{CellId, Frame, Vec3};
use acmotion_gltf::geometry::{self, surface_colour, terrain_positions, terrain_triangles};

use super::{ApiResult, Parameters, cell_file, dat_file, parameter};
use crate::protocol::HexId;
use crate::protocol::api::{ColourRange, Scenery, SceneryKind, SceneryMesh, SceneryObject, SceneryPortal};
use crate::shared::Shared;
use crate::values::{Origin, vector};
use crate::walk::Land;

/// The maximum number of rooms of a landblock that are drawn.
const MAX_ROOMS: u32 = 512;
/// The number of landblocks around the centre that are drawn of a recording's land.
const RADIUS: u8 = 1;

/// Triangle indices by colour (0xAARRGGBB).
type Triangles = BTreeMap<u32, Vec<u32>>;

pub(super) fn scenery(shared: &Shared, parameters: &Parameters) -> ApiResult<Scenery> {
    let block = parameter(parameters, "block", parse_block)?;
    let cell = cell_file(shared, parameters)?;
    // Only a scenario says that it is in the built-in town: the land of other recordings is unknown, even if their
    // landblock has the same number.
    let in_town = parameter(parameters, "land", parse_land)?.is_some();
    let files = shared.files();
    let is_built_in = in_town || (block.is_none() && files.cell().is_none());
    let dat = if is_built_in { Arc::clone(files.mannequin()) } else { dat_file(shared, parameters)? };
    let land = match (block, cell) {
        (Some(home), _) if in_town => Some(Land { home, ..Land::built_in() }),
        (None, _) => Some(shared.town().land().clone()),
        (Some(_), None) => None,
        (Some(home), Some(cell)) => {
            Some(Land { portal: dat.assets.clone(), cells: cell.assets.clone(), home, radius: RADIUS })
        }
    };
    let start = shared.town().start();
    let origin = Origin::of_block(block.unwrap_or_else(|| shared.town().land().home));
    let mut builder = SceneryBuilder::default();
    if let Some(land) = &land {
        blocks_around(land.home, land.radius).for_each(|block| builder.add_block(land, origin, block));
    }
    Ok(Scenery {
        origin: origin.text(),
        dat: dat.number,
        start: [start.x, start.y, start.z.unwrap_or(0.0)],
        meshes: builder.meshes,
        objects: builder.objects,
        portals: builder.portals,
    })
}

fn parse_land(text: &str) -> Result<(), String> {
    if text == "town" { Ok(()) } else { Err(format!("`{text}` is not a land: `town` is expected")) }
}

fn parse_block(text: &str) -> Result<u16, String> {
    let block = text.parse::<DataId>()?.0;
    let error = || format!("`{text}` is not a landblock: four hexadecimal digits are expected, as in 0xA9B4");
    u16::try_from(block).map_err(|_| error())
}

/// Iterates over the landblocks that are at most `radius` away from `centre`.
fn blocks_around(centre: u16, radius: u8) -> impl Iterator<Item = u16> {
    let [x, y] = centre.to_be_bytes().map(i32::from);
    let offsets = move || -i32::from(radius)..=i32::from(radius);
    let all = offsets().flat_map(move |east| offsets().map(move |north| (x + east, y + north)));
    all.filter_map(|(x, y)| Some(u16::from_be_bytes([u8::try_from(x).ok()?, u8::try_from(y).ok()?])))
}

/// Iterates over the low words of the ids of a landblock's rooms, as far as they are drawn.
fn rooms(count: u32) -> impl Iterator<Item = u32> {
    (0x100..).take(count.min(MAX_ROOMS) as usize)
}

#[derive(Default)]
struct SceneryBuilder {
    meshes: Vec<SceneryMesh>,
    objects: Vec<SceneryObject>,
    portals: Vec<SceneryPortal>,
}

impl SceneryBuilder {
    /// Adds a landblock. Objects that cannot be read are left out.
    fn add_block(&mut self, land: &Land, origin: Origin, block: u16) {
        let id = |low: u32| DataId(u32::from(block) << 16 | low);
        let corner = origin.corner(CellId(id(0).0));
        let cells = &land.cells;
        if let Ok(terrain) = cells.land_block(id(0xFFFF)) {
            self.add_terrain(&land.portal, block, &terrain, corner);
        }
        let Ok(info) = cells.land_block_info(id(0xFFFE)) else { return };
        for building in &info.buildings {
            self.add_building(building.model, &building.frame, corner);
        }
        info.objects.iter().for_each(|object| self.add_object(object, corner));
        for room in rooms(info.cell_count) {
            if let Ok(room) = cells.env_cell(id(room)) {
                self.add_room(&land.portal, &room, corner);
            }
        }
    }

    /// Adds the terrain of a landblock, and its water as a mesh of its own. Each triangle has the mean colour of its
    /// corners.
    fn add_terrain(&mut self, portal: &Assets, block: u16, land: &LandBlock, corner: Vec3) {
        let Ok(region) = portal.region(REGION) else { return };
        let positions: Vec<f32> = terrain_positions(&region, land).into_iter().flat_map(vector).collect();
        let (mut dry, mut wet) = (Triangles::new(), Triangles::new());
        for triangle in terrain_triangles(land, block) {
            let triangles = if triangle.is_water() { &mut wet } else { &mut dry };
            triangles.entry(mean_colour(&triangle.terrain)).or_default().extend(triangle.indices);
        }
        for (name, kind, triangles) in
            [("terrain", SceneryKind::Terrain, dry), ("water", SceneryKind::Water, wet)]
        {
            if !triangles.is_empty() {
                self.meshes.push(SceneryMesh {
                    name: format!("{name} {block:04X}"),
                    kind,
                    position: vector(corner),
                    positions: positions.clone(),
                    ..coloured(triangles)
                });
            }
        }
    }

    /// Adds a room, and its portals apart from it.
    fn add_room(&mut self, portal: &Assets, room: &EnvCell, corner: Vec3) {
        let environment = portal.environment(room.environment_id());
        let shape = environment.as_ref().ok().and_then(|shapes| shapes.structures.get(room.structure.into()));
        let Some(shape) = shape else { return };
        self.add_portals(room, shape, corner);
        let (positions, triangles) = room_triangles(portal, room, shape);
        self.meshes.push(SceneryMesh {
            name: format!("room {:04X}", room.id.0 & 0xFFFF),
            kind: SceneryKind::Room,
            position: vector(room.frame.origin + corner),
            rotation: room.frame.rotation.into(),
            cell: Some(HexId(room.id.0)),
            positions,
            ..coloured(triangles)
        });
        room.objects.iter().for_each(|object| self.add_object(object, corner));
    }

    /// Adds the portals of a room.
    fn add_portals(&mut self, room: &EnvCell, shape: &CellStruct, corner: Vec3) {
        for portal in &room.portals {
            let Some(polygon) = shape.polygons.get(portal.polygon.into()) else { continue };
            let place = |point: &Vec3| vector(corner + room.frame.local_to_global(*point));
            self.portals.push(SceneryPortal {
                cell: HexId(room.id.0),
                to: (!portal.leads_outside()).then(|| HexId(room.neighbour(portal.other_cell).0)),
                corners: corners(shape, polygon).iter().map(place).collect(),
            });
        }
    }

    /// Adds a building, whose triangles the page fetches from `/api/mesh`.
    fn add_building(&mut self, model: DataId, frame: &Frame, corner: Vec3) {
        if !is_mesh(model) {
            return self.add_object(&StaticObject { model, frame: *frame }, corner);
        }
        self.meshes.push(SceneryMesh {
            name: format!("building {model}"),
            position: vector(frame.origin + corner),
            rotation: frame.rotation.into(),
            mesh: Some(model.into()),
            ..coloured(Triangles::new())
        });
    }

    fn add_object(&mut self, object: &StaticObject, corner: Vec3) {
        let id = Some(HexId::from(object.model));
        let (setup, mesh) = if is_mesh(object.model) { (None, id) } else { (id, None) };
        self.objects.push(SceneryObject {
            setup,
            mesh,
            position: vector(object.frame.origin + corner),
            rotation: object.frame.rotation.into(),
        });
    }
}

/// Returns the corners of a room's polygon, in the room's own axes.
fn corners(shape: &CellStruct, polygon: &Polygon) -> Vec<Vec3> {
    let corner = |id: &i16| shape.vertices.iter().find(|vertex| vertex.id.cast_signed() == *id);
    polygon.vertices.iter().filter_map(corner).map(|vertex| vertex.position).collect()
}

/// Returns the triangles of a room without its portals; none if there are too many.
fn room_triangles(portal: &Assets, room: &EnvCell, shape: &CellStruct) -> (Vec<f32>, Triangles) {
    let shape = geometry::Triangles::of_room(shape).unwrap_or_default();
    let mut triangles = Triangles::new();
    for (surface, indices) in shape.indices {
        let id = usize::try_from(surface).ok().and_then(|index| room.surface_id(index));
        triangles.entry(surface_colour(portal, id.unwrap_or_default())).or_default().extend(indices);
    }
    (shape.positions.into_iter().flat_map(vector).collect(), triangles)
}

/// Returns `true` for the id of a single mesh (a `GfxObj`), `false` for that of a setup.
fn is_mesh(model: DataId) -> bool {
    model.0 >> 24 == 1
}

/// A mesh with these triangles, everything else blank.
fn coloured(triangles: Triangles) -> SceneryMesh {
    let mut first = 0;
    let mut colours = Vec::new();
    for (colour, indices) in &triangles {
        colours.push(ColourRange { first, count: indices.len(), colour: HexId(*colour) });
        first += indices.len();
    }
    SceneryMesh {
        name: String::new(),
        kind: SceneryKind::Building,
        position: [0.0; 3],
        rotation: Frame::IDENTITY.rotation.into(),
        cell: None,
        mesh: None,
        positions: Vec::new(),
        indices: triangles.into_values().flatten().collect(),
        colours,
    }
}

fn mean_colour(terrain: &[Terrain; 3]) -> u32 {
    let sums = terrain
        .iter()
        .map(|one| ground::colour(one.kind()).map(u32::from))
        .fold([0; 3], |sum, one| [sum[0] + one[0], sum[1] + one[1], sum[2] + one[2]]);
    let [red, green, blue] = sums.map(|sum| sum / 3);
    0xFF00_0000 | red << 16 | green << 8 | blue
}

#[cfg(test)]
mod tests {
    use super::{MAX_ROOMS, rooms};

    #[test]
    fn the_rooms_of_a_landblock_that_are_drawn_are_limited() {
        assert_eq!(rooms(3).collect::<Vec<_>>(), [0x100, 0x101, 0x102]);
        assert_eq!(rooms(u32::MAX).last(), Some(0xFF + MAX_ROOMS));
    }
}
