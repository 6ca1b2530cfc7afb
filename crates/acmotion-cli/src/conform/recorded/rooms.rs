//! Rooms that a line defines, and the cell that a sphere is in.

use std::collections::HashMap;

use acmotion::scene::geometry::CellTree;
use acmotion::scene::{CellArray, Plane, Portal, Room, Scene, SceneBuilder};
use acmotion::types::{CellId, CellPosition, Frame, Vec3};
use acmotion_dat::Sphere;

use crate::conform::check::{CheckResult, Difference, Field, exact};

/// The scenes of earlier lines, by their `id`.
#[derive(Default)]
pub(super) struct Rooms {
    scenes: HashMap<u64, Scene>,
}

impl Rooms {
    /// Builds the scene of a line of kind `rooms`.
    pub(super) fn define(&mut self, line: Field<'_>) -> CheckResult {
        let mut builder = SceneBuilder::new(&[0.0; 256]);
        for room in line.get("rooms")?.elements()? {
            let added = builder.add_room(read_room(room)?).map(|_| ());
            added.map_err(|error| Difference::new("rooms", "a room", error))?;
        }
        self.scenes.insert(line.get("id")?.unsigned()?, builder.finish());
        Ok(())
    }

    /// Checks the cells that the spheres of a body reach into, in order, and the cell that contains the body
    /// (`docs/collision.md` 7.1).
    pub(super) fn check_pick(&self, case: Field<'_>) -> CheckResult {
        let id = case.get("rooms")?.unsigned()?;
        let scene = self.scenes.get(&id);
        let scene =
            scene.ok_or_else(|| Difference::new("rooms", "the id of rooms on an earlier line", id))?;
        let foot = CellPosition::at(CellId(case.get("cell")?.hex()?), case.get("foot")?.vector()?);
        let mut spheres = Vec::new();
        for sphere in case.get("spheres")?.elements()? {
            let [x, y, z, radius] = sphere.array()?;
            let origin = foot.frame.origin + Vec3::new(x.float()?, y.float()?, z.float()?);
            spheres.push(Sphere { origin, radius: radius.float()? });
        }
        let mut cells = CellArray::default();
        let found = scene.find_cell_list(&foot, &spheres, &mut cells);
        let expected = case.find("picked").map(Field::hex).transpose()?;
        exact("picked", expected.map(CellId), found.cell)?;
        let expected = case.get("cells")?.elements()?.map(Field::hex).collect::<CheckResult<Vec<_>>>()?;
        exact("cells", expected, cells.iter().map(|cell| cell.0).collect())
    }
}

fn read_room(line: Field<'_>) -> CheckResult<Room> {
    let frame = Frame::new(line.get("pos")?.vector()?, line.get("q")?.quat()?);
    let mut room = Room::new(CellId(line.get("cell")?.hex()?), frame);
    let planes = line.get("cell_planes")?.elements()?.map(read_plane).collect::<CheckResult<Vec<_>>>()?;
    room.inside = CellTree::new(planes);
    room.portals = line.get("portals")?.elements()?.map(read_portal).collect::<CheckResult<_>>()?;
    let visible = line.get("visible")?.elements()?;
    room.visible = visible.map(|cell| Ok(CellId(cell.hex()?))).collect::<CheckResult<_>>()?;
    Ok(room)
}

fn read_portal(line: Field<'_>) -> CheckResult<Portal> {
    let other = line.find("other_cell").map(Field::hex).transpose()?;
    let side = line.get("side")?.boolean()?;
    Ok(Portal { other: other.map(CellId), plane: read_plane(line.get("plane")?)?, side })
}

fn read_plane(field: Field<'_>) -> CheckResult<Plane> {
    let [x, y, z, d] = field.array()?;
    Ok(Plane::new(Vec3::new(x.float()?, y.float()?, z.float()?), d.float()?))
}
