//! BSP trees of meshes and rooms (`docs/dat.md` §5). All nodes are kept as stored, so that a tree encodes to the same
//! bytes.

use acmotion_types::Vec3;

use crate::cursor::{ByteWriter, Reader};
use crate::error::{ParseError, Problem};
use crate::objects::setup::{Sphere, read_sphere, write_sphere};

/// The purpose of a tree. It determines which fields the nodes have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BspKind {
    /// Collision.
    Physics,
    /// Drawing order.
    Drawing,
    /// The interior of a room.
    Cell,
}

/// A BSP tree. The nodes are in file order: each parent before its children.
#[derive(Clone, PartialEq, Debug)]
pub struct BspTree {
    /// The purpose of the tree.
    pub kind: BspKind,
    /// The nodes; the first is the root.
    pub nodes: Vec<BspNode>,
}

/// A node of a BSP tree.
#[derive(Clone, PartialEq, Debug)]
pub enum BspNode {
    /// A leaf.
    Leaf(BspLeaf),
    /// A splitting plane with up to two children.
    Plane(PlaneNode),
}

/// A leaf of a BSP tree.
#[derive(Clone, PartialEq, Debug)]
pub struct BspLeaf {
    /// The leaf's number.
    pub index: i32,
    /// In physics trees, whether the leaf is solid (non-zero), its bounding sphere and the keys of its polygons;
    /// otherwise `None`.
    pub physics: Option<(i32, Sphere, Vec<u16>)>,
}

/// An inner node of a BSP tree: a splitting plane.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaneNode {
    /// The four characters that indicate which children the node has, as a big-endian number.
    pub tag: u32,
    /// The plane's normal.
    pub normal: Vec3,
    /// The plane's distance `d`: points with n·p + d = 0 lie on the plane.
    pub distance: f32,
    /// The index of the child in front of the plane, in [`BspTree::nodes`].
    pub positive: Option<u32>,
    /// The index of the child behind the plane.
    pub negative: Option<u32>,
    /// The bounding sphere; `None` in cell trees.
    pub sphere: Option<Sphere>,
    /// The keys of the node's polygons. Drawing trees only.
    pub polygons: Vec<u16>,
    /// Pairs of polygon and portal, in `PORT` nodes only. Which of the two is which is not settled (`docs/dat.md`
    /// §5).
    pub portals: Vec<[u16; 2]>,
}

const LEAF_TAG: u32 = 0x4C45_4146;
const PORTAL_TAG: u32 = 0x504F_5254;
/// Tags of nodes with only a front child.
const FRONT_CHILD_TAGS: [u32; 2] = [0x4250_6E6E, 0x4250_496E];
/// Tags of nodes with only a back child.
const BACK_CHILD_TAGS: [u32; 2] = [0x4270_494E, 0x4270_6E4E];
/// Tags of nodes with both children.
const BOTH_CHILD_TAGS: [u32; 2] = [0x4250_494E, 0x4250_6E4E];
/// The first character of every plane tag. Plane tags that are not listed above have no children.
const PLANE_TAG_BYTE: u32 = b'B' as u32;
/// The maximum depth of a tree. A reasonably built tree of 65,536 polygons, the most a mesh can have, is shallower.
const MAX_DEPTH: usize = 1024;

impl BspTree {
    /// Decodes a tree by itself, as it is stored inside of an object. Every byte must belong to it.
    ///
    /// # Errors
    /// Returns an error if the bytes are not exactly one valid tree of the kind.
    pub fn decode(bytes: &[u8], kind: BspKind) -> Result<Self, ParseError> {
        let mut reader = Reader::new(bytes, "BSP tree");
        let tree = Self::read(&mut reader, kind)?;
        reader.finish()?;
        Ok(tree)
    }

    pub(crate) fn read(reader: &mut Reader<'_>, kind: BspKind) -> Result<Self, ParseError> {
        let mut tree = Self { kind, nodes: Vec::new() };
        tree.read_node(reader, 0)?;
        Ok(tree)
    }

    fn read_node(&mut self, reader: &mut Reader<'_>, depth: usize) -> Result<u32, ParseError> {
        let offset = reader.offset();
        if depth >= MAX_DEPTH {
            return reader.error_at(offset, "BSP node", Problem::TooDeep { limit: MAX_DEPTH });
        }
        let index = self.nodes.len();
        let tag = reader.u32("BSP node tag")?;
        if tag == LEAF_TAG {
            let leaf = read_leaf(reader, self.kind)?;
            self.nodes.push(BspNode::Leaf(leaf));
            return Ok(index as u32);
        }
        let Some((front, back)) = children_of(tag, self.kind) else {
            return reader.error_at(offset, "BSP node tag", Problem::UnknownNode { found: tag });
        };
        let (normal, distance) = (reader.vec3("BSP plane normal")?, reader.f32("BSP plane distance")?);
        self.nodes.push(BspNode::Plane(PlaneNode {
            tag,
            normal,
            distance,
            positive: None,
            negative: None,
            sphere: None,
            polygons: Vec::new(),
            portals: Vec::new(),
        }));
        let positive = front.then(|| self.read_node(reader, depth + 1)).transpose()?;
        let negative = back.then(|| self.read_node(reader, depth + 1)).transpose()?;
        let kind = self.kind;
        if let BspNode::Plane(node) = &mut self.nodes[index] {
            (node.positive, node.negative) = (positive, negative);
            read_plane_tail(reader, node, kind)?;
        }
        Ok(index as u32)
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        if !self.nodes.is_empty() {
            self.write_node(out, 0);
        }
    }

    fn write_node(&self, out: &mut Vec<u8>, index: u32) {
        match &self.nodes[index as usize] {
            BspNode::Leaf(leaf) => write_leaf(out, leaf),
            BspNode::Plane(node) => {
                out.u32(node.tag);
                out.vec3(node.normal);
                out.f32(node.distance);
                for child in [node.positive, node.negative].into_iter().flatten() {
                    self.write_node(out, child);
                }
                write_plane_tail(out, node, self.kind);
            }
        }
    }
}

/// Returns whether a node with this tag has a front and a back child, or `None` if the tag is invalid in the tree.
fn children_of(tag: u32, kind: BspKind) -> Option<(bool, bool)> {
    if tag == PORTAL_TAG {
        return (kind == BspKind::Drawing).then_some((true, true));
    }
    let front = FRONT_CHILD_TAGS.contains(&tag) || BOTH_CHILD_TAGS.contains(&tag);
    let back = BACK_CHILD_TAGS.contains(&tag) || BOTH_CHILD_TAGS.contains(&tag);
    (tag >> 24 == PLANE_TAG_BYTE).then_some((front, back))
}

fn read_leaf(reader: &mut Reader<'_>, kind: BspKind) -> Result<BspLeaf, ParseError> {
    let index = reader.i32("BSP leaf index")?;
    let physics = if kind == BspKind::Physics {
        let solid = reader.i32("BSP leaf solid")?;
        let sphere = read_sphere(reader)?;
        let count = reader.count("BSP leaf polygon count", 2)?;
        Some((solid, sphere, read_keys(reader, count)?))
    } else {
        None
    };
    Ok(BspLeaf { index, physics })
}

fn write_leaf(out: &mut Vec<u8>, leaf: &BspLeaf) {
    out.u32(LEAF_TAG);
    out.i32(leaf.index);
    if let Some((solid, sphere, polygons)) = &leaf.physics {
        out.i32(*solid);
        write_sphere(out, sphere);
        out.count(polygons.len());
        polygons.iter().for_each(|key| out.u16(*key));
    }
}

fn read_plane_tail(reader: &mut Reader<'_>, node: &mut PlaneNode, kind: BspKind) -> Result<(), ParseError> {
    if kind == BspKind::Cell {
        return Ok(());
    }
    node.sphere = Some(read_sphere(reader)?);
    if kind == BspKind::Physics {
        return Ok(());
    }
    let polygons = reader.count("BSP node polygon count", 2)?;
    let portals = if node.tag == PORTAL_TAG { reader.count("BSP node portal count", 4)? } else { 0 };
    node.polygons = read_keys(reader, polygons)?;
    for _ in 0..portals {
        node.portals.push([reader.u16("BSP portal")?, reader.u16("BSP portal")?]);
    }
    Ok(())
}

fn write_plane_tail(out: &mut Vec<u8>, node: &PlaneNode, kind: BspKind) {
    if let Some(sphere) = &node.sphere {
        write_sphere(out, sphere);
    }
    if kind != BspKind::Drawing {
        return;
    }
    out.count(node.polygons.len());
    if node.tag == PORTAL_TAG {
        out.count(node.portals.len());
    }
    node.polygons.iter().for_each(|key| out.u16(*key));
    node.portals.iter().flatten().for_each(|number| out.u16(*number));
}

fn read_keys(reader: &mut Reader<'_>, count: usize) -> Result<Vec<u16>, ParseError> {
    (0..count).map(|_| reader.u16("BSP polygon key")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of nodes that each have one child, and a leaf at the end.
    fn chain(planes: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..planes {
            bytes.u32(FRONT_CHILD_TAGS[0]);
            bytes.vec3(Vec3::ONE);
            bytes.f32(0.0);
        }
        bytes.u32(LEAF_TAG);
        bytes.i32(0);
        bytes
    }

    #[test]
    fn a_tree_that_is_too_deep_is_an_error() {
        let read = |planes| BspTree::read(&mut Reader::new(&chain(planes), "test"), BspKind::Cell);
        assert_eq!(read(MAX_DEPTH - 1).map(|tree| tree.nodes.len()), Ok(MAX_DEPTH));
        for planes in [MAX_DEPTH, 100_000] {
            let error = read(planes).unwrap_err();
            assert!(matches!(error.problem, Problem::TooDeep { limit: MAX_DEPTH }), "{error:?}");
        }
    }
}
