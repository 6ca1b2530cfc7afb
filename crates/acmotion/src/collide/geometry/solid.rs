//! Something made of polygons, with the tree that sorts them.

use acmotion_dat::Sphere;
use acmotion_types::Vec3;

use super::Polygon;
use crate::collide::Plane;

/// Which polygon of a [`Solid`]: its place in the order in which they were given.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PolygonId(pub u32);

/// Something made of polygons: the mesh of a part, the inside of a room. Shared, and never changed.
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "BSPTREE")]
pub struct Solid {
    pub(super) faces: Box<[Face]>,
    pub(super) corners: Box<[Vec3]>,
    pub(super) nodes: Box<[SolidNode]>,
    /// The polygons of the leaves, one leaf after the other.
    pub(super) listed: Box<[PolygonId]>,
    /// The lowest and the highest corner of the box about it.
    pub(super) extent: [Vec3; 2],
}

/// A polygon: its plane, and where its corners are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Face {
    pub(super) plane: Plane,
    pub(super) first: u32,
    pub(super) count: u16,
    pub(super) is_one_sided: bool,
}

/// A node of the tree; the root is the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct SolidNode {
    pub(super) sphere: Sphere,
    pub(super) kind: SolidNodeKind,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum SolidNodeKind {
    Plane {
        plane: Plane,
        front: Child,
        back: Child,
    },
    /// The polygons `first..end` of the list.
    Leaf {
        is_solid: bool,
        first: u32,
        end: u32,
    },
}

/// The place of a child; the root is nobody's.
pub(super) type Child = Option<std::num::NonZeroU32>;

impl Solid {
    /// How many polygons it has.
    pub fn polygon_count(&self) -> usize {
        self.faces.len()
    }

    /// A polygon.
    ///
    /// # Panics
    /// If it is not one of this solid's.
    #[inline]
    pub fn polygon(&self, id: PolygonId) -> Polygon<'_> {
        let face = &self.faces[id.0 as usize];
        let first = face.first as usize;
        Polygon {
            plane: face.plane,
            corners: &self.corners[first..first + usize::from(face.count)],
            is_one_sided: face.is_one_sided,
        }
    }

    /// The sphere about it: what no sphere of a body overlaps, it cannot touch (`docs/collision.md` 5.6.9).
    #[doc(alias = "physics_sphere")]
    #[inline]
    pub fn sphere(&self) -> Sphere {
        self.nodes.first().map_or_else(Sphere::default, |root| root.sphere)
    }

    /// The lowest and the highest corner of the box about its polygons.
    pub fn extent(&self) -> [Vec3; 2] {
        self.extent
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.faces)
            + size_of_val(&*self.corners)
            + size_of_val(&*self.nodes)
            + size_of_val(&*self.listed)
    }
}
