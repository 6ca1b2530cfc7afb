//! Polygons with their BSP tree.

use acmotion_dat::Sphere;
use acmotion_types::Vec3;

use super::Polygon;
use crate::collide::Plane;

/// The index of a polygon of a [`Solid`], in the order in which they were given.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PolygonId(pub u32);

/// The collision polygons of a part or a room, with their BSP tree. Immutable, and usually shared.
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "BSPTREE")]
pub struct Solid {
    pub(super) faces: Box<[Face]>,
    /// The corners of all polygons.
    pub(super) corners: Box<[Vec3]>,
    /// The nodes of the tree. The root is the first.
    pub(super) nodes: Box<[SolidNode]>,
    /// The polygons of all leaves, leaf by leaf.
    pub(super) listed: Box<[PolygonId]>,
    /// The minimum and maximum corner of the bounding box.
    pub(super) extent: [Vec3; 2],
}

/// A polygon: its plane and the range of its corners.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Face {
    pub(super) plane: Plane,
    pub(super) first: u32,
    pub(super) count: u16,
    pub(super) is_one_sided: bool,
}

/// A node of the tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct SolidNode {
    /// The bounding sphere.
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
    /// The polygons `first..end` of [`Solid::listed`].
    Leaf {
        is_solid: bool,
        first: u32,
        end: u32,
    },
}

/// The index of a child node. The root, index 0, is never a child.
pub(super) type Child = Option<std::num::NonZeroU32>;

impl Solid {
    /// Returns the number of polygons.
    pub fn polygon_count(&self) -> usize {
        self.faces.len()
    }

    /// Returns a polygon.
    ///
    /// # Panics
    /// Panics if the id is not one of this solid.
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

    /// Returns the bounding sphere. A mover whose spheres do not overlap it cannot touch the polygons
    /// (`docs/collision.md` 5.6.9).
    #[doc(alias = "physics_sphere")]
    #[inline]
    pub fn sphere(&self) -> Sphere {
        self.nodes.first().map_or_else(Sphere::default, |root| root.sphere)
    }

    /// Returns the minimum and maximum corner of the bounding box of the polygons.
    pub fn extent(&self) -> [Vec3; 2] {
        self.extent
    }

    /// Returns the memory used, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.faces)
            + size_of_val(&*self.corners)
            + size_of_val(&*self.nodes)
            + size_of_val(&*self.listed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_used_is_that_of_the_solid_and_of_all_its_lists() {
        let plane = Plane::default();
        let leaf = SolidNodeKind::Leaf { is_solid: false, first: 0, end: 4 };
        let bytes = |faces: usize, corners: usize, nodes: usize, listed: usize| {
            let solid = Solid {
                faces: vec![Face { plane, first: 0, count: 0, is_one_sided: true }; faces].into(),
                corners: vec![Vec3::ZERO; corners].into(),
                nodes: vec![SolidNode { sphere: Sphere::default(), kind: leaf }; nodes].into(),
                listed: vec![PolygonId(0); listed].into(),
                extent: [Vec3::ZERO; 2],
            };
            solid.bytes()
        };
        let empty = bytes(0, 0, 0, 0);
        assert_eq!(empty, size_of::<Solid>());
        assert_eq!(bytes(3, 0, 0, 0), empty + 3 * size_of::<Face>());
        assert_eq!(bytes(0, 3, 0, 0), empty + 3 * 12);
        assert_eq!(bytes(0, 0, 3, 0), empty + 3 * size_of::<SolidNode>());
        assert_eq!(bytes(0, 0, 0, 3), empty + 3 * 4);
    }
}
