//! Rooms (`docs/collision.md` 7.3 and 7.4).

use std::sync::Arc;

use acmotion_dat::{CellStruct, EnvCell, EnvCellFlags, PortalFlags, Sphere};
use acmotion_types::{CellId, CellPosition, EPS, Frame, Guid, Mat3, Vec3};

use crate::collide::Plane;
use crate::collide::geometry::{CellTree, GeometryError, OUT_OF_REACH, Solid, plane_of_polygon};

/// A room.
#[derive(Clone, Debug)]
#[doc(alias = "CEnvCell")]
pub struct Room {
    position: CellPosition,
    matrix: Mat3,
    /// Its floor, walls and ceiling, in its own axes.
    pub solid: Option<Arc<Solid>>,
    /// Its inside, in its own axes.
    pub inside: CellTree,
    /// Its ways out.
    pub portals: Vec<Portal>,
    /// The rooms that can be seen from it, in order.
    #[doc(alias = "stab_list")]
    pub visible: Vec<CellId>,
    /// Can the open be seen from it?
    pub seen_outside: bool,
    /// The object that says who may enter.
    #[doc(alias = "restriction_obj")]
    pub guard: Option<Guid>,
}

/// A way out of a room.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "CCellPortal")]
pub struct Portal {
    /// The room behind it, or the open.
    pub other: Option<CellId>,
    /// Its plane, in the room's axes.
    pub plane: Plane,
    /// Which side of its plane lies beyond: the front, or else the back. The original calls so the inverse of the bit in
    /// its files.
    #[doc(alias = "portal_side")]
    pub side: bool,
}

impl Room {
    /// An empty room at a place.
    pub fn new(id: CellId, frame: Frame) -> Self {
        Self {
            position: CellPosition::new(id, frame),
            matrix: frame.matrix(),
            solid: None,
            inside: CellTree::default(),
            portals: Vec::new(),
            visible: Vec::new(),
            seen_outside: false,
            guard: None,
        }
    }

    /// A room of a dat file, with the shape that it has and what of that collides.
    ///
    /// # Errors
    /// When the shape lacks the polygon of a way out.
    pub fn of_cell(
        cell: &EnvCell,
        shape: &CellStruct,
        solid: Option<Arc<Solid>>,
    ) -> Result<Self, GeometryError> {
        let id = |low: u16| CellId(cell.neighbour(low).0);
        let portal = |portal: &acmotion_dat::CellPortal| {
            let plane = plane_of_polygon(&shape.vertices, &shape.polygons, portal.polygon)?;
            Ok(Portal {
                other: (!portal.leads_outside()).then(|| id(portal.other_cell)),
                plane: plane.unwrap_or(OUT_OF_REACH),
                side: !portal.flags.contains(PortalFlags::PORTAL_SIDE),
            })
        };
        Ok(Self {
            solid,
            inside: CellTree::of_tree(&shape.cell_bsp),
            portals: cell.portals.iter().map(portal).collect::<Result<_, _>>()?,
            visible: cell.visible.iter().map(|low| id(*low)).collect(),
            seen_outside: cell.flags.contains(EnvCellFlags::SEEN_OUTSIDE),
            guard: cell.restriction.map(Guid),
            ..Self::new(CellId(cell.id.0), cell.frame)
        })
    }

    /// Its id.
    #[inline]
    pub fn id(&self) -> CellId {
        self.position.cell
    }

    /// Where its axes are.
    #[inline]
    pub fn position(&self) -> &CellPosition {
        &self.position
    }

    /// Its axes as a matrix.
    #[inline]
    pub fn matrix(&self) -> &Mat3 {
        &self.matrix
    }

    /// A point of its landblock in its own axes.
    #[inline]
    pub fn to_local(&self, point: Vec3) -> Vec3 {
        self.matrix.apply_transposed(point - self.position.frame.origin)
    }

    /// Does it contain a point of its landblock? A room without a way out contains nothing.
    #[doc(alias = "point_in_cell")]
    pub fn contains(&self, point: Vec3) -> bool {
        !self.portals.is_empty() && self.inside.contains(self.to_local(point))
    }

    /// Is some of a sphere, given in the axes of its landblock, inside?
    pub fn meets(&self, sphere: &Sphere) -> bool {
        self.inside.meets(&self.localised(sphere))
    }

    /// A sphere of its landblock in its own axes.
    #[inline]
    pub(super) fn localised(&self, sphere: &Sphere) -> Sphere {
        Sphere { origin: self.to_local(sphere.origin), radius: sphere.radius }
    }
}

impl Portal {
    /// Does a sphere, in the room's axes, touch its plane, no matter where?
    pub(super) fn is_touched(&self, sphere: &Sphere) -> bool {
        self.plane.distance(sphere.origin).abs() < sphere.radius + EPS
    }

    /// Does some of a sphere, in the room's axes, touch its plane or lie beyond it?
    pub(super) fn is_passed(&self, sphere: &Sphere) -> bool {
        let distance = self.plane.distance(sphere.origin);
        let reach = sphere.radius + EPS;
        if self.side { distance > -reach } else { distance < reach }
    }
}
