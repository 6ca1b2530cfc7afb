//! `/api/setup/ID`: a setup with its parts, placements and collision shapes.

use acmotion::dat::{Assets, DataId};

use super::ApiResult;
use crate::protocol::HexId;
use crate::protocol::api::{Cylinder, HoldingLocation, Placement, Setup, SetupPart, Sphere};
use crate::values::{frame_row, vector};

pub(super) fn setup(assets: &Assets, id: DataId) -> ApiResult<Setup> {
    let setup = assets.setup(id)?;
    let part = |(index, mesh): (usize, &DataId)| {
        let parent = setup.parents.get(index).copied();
        SetupPart {
            mesh: (*mesh).into(),
            parent: parent.filter(|parent| (*parent as usize) < setup.parts.len()),
            scale: setup.scales.get(index).copied().map_or([1.0; 3], vector),
        }
    };
    let placements = setup.placements.iter().map(|(key, placement)| Placement {
        key: *key,
        frames: placement.parts.iter().map(frame_row).collect(),
    });
    let holding = setup.holding_locations.iter().map(|location| HoldingLocation {
        key: location.key,
        part: location.part,
        frame: frame_row(&location.frame),
    });
    let spheres =
        setup.spheres.iter().map(|sphere| Sphere { origin: vector(sphere.origin), radius: sphere.radius });
    let cylinders = setup.cyl_spheres.iter().map(|cylinder| Cylinder {
        origin: vector(cylinder.origin),
        radius: cylinder.radius,
        height: cylinder.height,
    });
    let collides = |mesh: &DataId| assets.gfx_obj(*mesh).is_ok_and(|mesh| mesh.physics.is_some());
    Ok(Setup {
        id: id.into(),
        parts: setup.parts.iter().enumerate().map(part).collect(),
        placements: placements.collect(),
        holding: holding.collect(),
        spheres: spheres.collect(),
        cylinders: cylinders.collect(),
        has_polygons: setup.parts.iter().any(collides),
        height: setup.height,
        radius: setup.radius,
        step_up: setup.step_up,
        step_down: setup.step_down,
        default_table: HexId::non_zero(setup.default_motion_table),
    })
}
