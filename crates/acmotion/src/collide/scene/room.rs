//! Rooms (`docs/collision.md` 7.3 and 7.4).

use std::sync::Arc;

use acmotion_dat::{CellStruct, EnvCell, EnvCellFlags, PortalFlags, Sphere};
use acmotion_types::{CellId, CellPosition, EPS, Frame, Guid, Mat3, Vec3};

use crate::collide::Plane;
use crate::collide::geometry::{CellTree, GeometryError, Solid, UNREACHABLE_PLANE, plane_of_polygon};

/// An indoor cell.
#[derive(Clone, Debug)]
#[doc(alias = "CEnvCell")]
pub struct Room {
    position: CellPosition,
    matrix: Mat3,
    /// The floor, walls and ceiling, in the room's axes; `None` if it has no collision polygons.
    pub solid: Option<Arc<Solid>>,
    /// The space inside, in the room's axes.
    pub inside: CellTree,
    /// The portals to other cells.
    pub portals: Vec<Portal>,
    /// The rooms that are visible from it, in order.
    #[doc(alias = "stab_list")]
    pub visible: Vec<CellId>,
    /// Whether the outside is visible from it.
    pub seen_outside: bool,
    /// The object that decides which players may enter.
    #[doc(alias = "restriction_obj")]
    pub restriction: Option<Guid>,
}

/// A portal of a room.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "CCellPortal")]
pub struct Portal {
    /// The room behind it, or `None` if it leads outside.
    pub other: Option<CellId>,
    /// The plane of the portal polygon, in the room's axes.
    pub plane: Plane,
    /// Whether the front of the plane is beyond the portal. The field of the same name in the original is the inverse
    /// of the bit in the file.
    #[doc(alias = "portal_side")]
    pub side: bool,
}

impl Room {
    /// Creates an empty room without portals.
    pub fn new(id: CellId, frame: Frame) -> Self {
        Self {
            position: CellPosition::new(id, frame),
            matrix: frame.matrix(),
            solid: None,
            inside: CellTree::default(),
            portals: Vec::new(),
            visible: Vec::new(),
            seen_outside: false,
            restriction: None,
        }
    }

    /// Builds a room from a dat file: its cell, its structure, and the solid of that structure.
    ///
    /// # Errors
    /// Returns an error if the structure lacks the polygon of a portal.
    pub fn from_env_cell(
        cell: &EnvCell,
        shape: &CellStruct,
        solid: Option<Arc<Solid>>,
    ) -> Result<Self, GeometryError> {
        let id = |low: u16| CellId(cell.neighbour(low).0);
        let portal = |portal: &acmotion_dat::CellPortal| {
            let plane = plane_of_polygon(&shape.vertices, &shape.polygons, portal.polygon)?;
            Ok(Portal {
                other: (!portal.leads_outside()).then(|| id(portal.other_cell)),
                plane: plane.unwrap_or(UNREACHABLE_PLANE),
                side: !portal.flags.contains(PortalFlags::PORTAL_SIDE),
            })
        };
        Ok(Self {
            solid,
            inside: CellTree::from_bsp(&shape.cell_bsp),
            portals: cell.portals.iter().map(portal).collect::<Result<_, _>>()?,
            visible: cell.visible.iter().map(|low| id(*low)).collect(),
            seen_outside: cell.flags.contains(EnvCellFlags::SEEN_OUTSIDE),
            restriction: cell.restriction.map(Guid),
            ..Self::new(CellId(cell.id.0), cell.frame)
        })
    }

    /// Returns the id.
    #[inline]
    pub fn id(&self) -> CellId {
        self.position.cell
    }

    /// Returns the position of the room's axes.
    #[inline]
    pub fn position(&self) -> &CellPosition {
        &self.position
    }

    /// Returns the rotation of the room's axes as a matrix.
    #[inline]
    pub fn matrix(&self) -> &Mat3 {
        &self.matrix
    }

    /// Converts a point from the axes of the landblock to the room's own.
    #[inline]
    pub fn to_local(&self, point: Vec3) -> Vec3 {
        self.matrix.apply_transposed(point - self.position.frame.origin)
    }

    /// Returns `true` if the room contains a point, given in the axes of its landblock. A room without portals contains
    /// nothing.
    #[doc(alias = "point_in_cell")]
    pub fn contains(&self, point: Vec3) -> bool {
        !self.portals.is_empty() && self.inside.contains(self.to_local(point))
    }

    /// Returns `true` if any part of a sphere, given in the axes of the landblock, is inside.
    pub fn intersects_sphere(&self, sphere: &Sphere) -> bool {
        self.inside.intersects_sphere(&self.sphere_to_local(sphere))
    }

    /// Converts a sphere from the axes of the landblock to the room's own.
    #[inline]
    pub(super) fn sphere_to_local(&self, sphere: &Sphere) -> Sphere {
        Sphere { origin: self.to_local(sphere.origin), radius: sphere.radius }
    }
}

impl Portal {
    /// Returns `true` if a sphere, given in the room's axes, touches the infinite plane of the portal.
    pub(super) fn is_touched(&self, sphere: &Sphere) -> bool {
        self.plane.distance(sphere.origin).abs() < sphere.radius + EPS
    }

    /// Returns `true` if a sphere, given in the room's axes, touches the infinite plane of the portal or is partly
    /// beyond it.
    pub(super) fn is_passed(&self, sphere: &Sphere) -> bool {
        let distance = self.plane.distance(sphere.origin);
        let reach = sphere.radius + EPS;
        if self.side { distance > -reach } else { distance < reach }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EAST: Vec3 = Vec3::new(1.0, 0.0, 0.0);

    /// 5.6.10: the inside of a room is given in its own axes, and padded by 1 cm.
    #[test]
    fn a_room_is_reached_by_a_sphere_in_the_axes_of_its_landblock() {
        let mut frame = Frame::from_origin(Vec3::new(10.0, 20.0, 0.0));
        for (heading, sign) in [(0.0, 1.0), (180.0, -1.0)] {
            frame.set_heading(heading);
            let mut room = Room::new(CellId(0x7F7F_0100), frame);
            // Two metres wide, to the east of its origin if it is not turned.
            room.inside = CellTree::new([Plane::new(EAST, 0.0), Plane::new(-EAST, 2.0)]);
            let reaches = |x: f32, radius: f32| {
                let origin = Vec3::new(10.0 + sign * x, 20.0, 0.0);
                room.intersects_sphere(&Sphere { origin, radius })
            };
            assert!(reaches(1.0, 0.1) && reaches(-0.5, 0.495) && reaches(2.5, 0.495), "{heading}");
            assert!(!reaches(-0.5, 0.485) && !reaches(2.5, 0.485), "{heading}");
        }
    }

    /// 7.3: touching counts, on both sides of the plane.
    #[test]
    fn a_portal_is_touched_by_a_sphere_next_to_its_plane() {
        let portal = Portal { other: None, plane: Plane::new(EAST, 0.0), side: true };
        let touches = |x: f32| portal.is_touched(&Sphere { origin: EAST * x, radius: 0.5 });
        assert!(touches(0.0) && touches(0.5) && touches(-0.5));
        assert!(!touches(0.501) && !touches(-0.501));
    }
}
