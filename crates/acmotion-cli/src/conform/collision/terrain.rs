//! Family `terrain`: the split of land cells, the ground below a point, the cells of spheres, and sweeps over land.

use acmotion::dat::Terrain as TerrainWord;
use acmotion::scene::{CellArray, SceneBuilder, Water};
use acmotion::types::{CellId, CellPosition, Vec3};
use serde_json::Value;

use super::scenes::{Scenes, read_block};
use super::shapes::{near_plane, read_plane, read_sphere};
use crate::conform::check::{CheckResult, Difference, Field, exact, within, within_vector};
use crate::conform::{CaseResult, Family};

/// The tolerance for positions, in metres. The points are far from the origin of their landblock.
const LENGTH_TOLERANCE: f64 = 1e-3;
/// The tolerance for the `d` of planes where coordinates are large.
const PLANE_TOLERANCE: f64 = 2e-2;

#[derive(Default)]
pub(in super::super) struct TerrainFamily {
    scenes: Scenes,
}

impl Family for TerrainFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        if self.scenes.define(case)? {
            return Ok(CaseResult::Passed);
        }
        match case.get("kind")?.text()? {
            "split" => split(case),
            "ground" => self.ground(case),
            "outside" => outside(case),
            "cell_list" => self.cell_list(case),
            _ => return super::sweeps::run_case(&mut self.scenes, case),
        }?;
        Ok(CaseResult::Passed)
    }
}

fn split(case: Field<'_>) -> CheckResult {
    let block = read_block(case.get("block")?)?;
    let mut builder = SceneBuilder::new(&[0.0; 256]);
    builder.add_land(block, &[0; 81], &[TerrainWord(0); 81]);
    let scene = builder.finish();
    let land = scene.land(CellId(u32::from(block) << 16 | 1));
    let land = land.ok_or_else(|| Difference::new("block", "a landblock", "none"))?;
    for (x, row) in case.get("sw_ne")?.array::<8>()?.into_iter().enumerate() {
        let cut = |y| land.terrain().is_cut_from_south_west(8 * x + y);
        let got: String = (0..8).map(|y| if cut(y) { '1' } else { '0' }).collect();
        exact("sw_ne", row.text()?, &got)?;
    }
    Ok(())
}

fn water_code(kind: Water) -> u64 {
    match kind {
        Water::Not => 0,
        Water::Partially => 1,
        Water::Entirely => 2,
    }
}

impl TerrainFamily {
    fn ground(&mut self, case: Field<'_>) -> CheckResult {
        let scene = self.scenes.scene_of(case)?;
        let cell = CellId(case.get("cell")?.hex()?);
        let land =
            scene.land(cell).ok_or_else(|| Difference::new("cell", "a land cell of the scene", "none"))?;
        let [x, y] = case.get("p")?.array()?;
        let point = Vec3::new(x.float()?, y.float()?, 0.0);
        exact("cell_water", case.get("cell_water")?.unsigned()?, water_code(land.water()))?;
        exact("block_water", case.get("block_water")?.unsigned()?, water_code(land.block_water()))?;
        let found = land.triangle_at(point).zip(land.ground_at(point)).zip(land.height_at(point));
        exact("found", case.get("found")?.boolean()?, found.is_some())?;
        let Some(((triangle, ground), height)) = found else { return Ok(()) };
        exact("triangle", case.get("triangle")?.unsigned()?, triangle as u64)?;
        let corners = land.terrain().triangle(usize::from(cell.low() - 1), triangle);
        for (expected, got) in case.get("v")?.array::<3>()?.into_iter().zip(corners) {
            within_vector("v", expected.vector()?, got, LENGTH_TOLERANCE)?;
        }
        near_plane("plane", read_plane(case.get("plane")?)?, ground.plane, PLANE_TOLERANCE)?;
        within("z", case.get("z")?.double()?, height.into(), LENGTH_TOLERANCE)?;
        exact("walkable", case.get("walkable")?.boolean()?, ground.plane.is_walkable())?;
        within("depth", case.get("depth")?.double()?, ground.depth.into(), LENGTH_TOLERANCE)
    }

    fn cell_list(&mut self, case: Field<'_>) -> CheckResult {
        let scene = self.scenes.scene_of(case)?;
        let spheres = case.get("spheres")?.elements()?.map(read_sphere).collect::<CheckResult<Vec<_>>>()?;
        let first =
            spheres.first().ok_or_else(|| Difference::new("spheres", "at least one sphere", "none"))?;
        let position = CellPosition::at(CellId(case.get("cell")?.hex()?), first.origin);
        let mut cells = CellArray::default();
        let found = scene.find_cell_list(&position, &spheres, &mut cells);
        let expected = case.get("cells")?.elements()?.map(Field::hex).collect::<CheckResult<Vec<_>>>()?;
        let got: Vec<_> = cells.iter().map(|cell| cell.0).collect();
        exact("cells", expected, got)?;
        let containing = case.find("containing").map(Field::hex).transpose()?;
        exact("containing", containing.map(CellId).filter(|cell| *cell != CellId::NONE), found.cell)
    }
}

fn outside(case: Field<'_>) -> CheckResult {
    let cell = CellId(case.get("cell")?.hex()?);
    let moved = CellPosition::at(cell, case.get("p")?.vector()?).adjusted_to_outside();
    exact("ok", case.get("ok")?.boolean()?, moved.is_some())?;
    if let Some(moved) = moved {
        exact("cell_out", CellId(case.get("cell_out")?.hex()?), moved.cell)?;
        within_vector("p_out", case.get("p_out")?.vector()?, moved.frame.origin, LENGTH_TOLERANCE)?;
    }
    let offset = cell.block_offset(CellId(case.get("other")?.hex()?));
    exact("block_offset", case.get("block_offset")?.vector()?, offset)
}
