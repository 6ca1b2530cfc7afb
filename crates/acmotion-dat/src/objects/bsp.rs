//! BSP trees of meshes, kept node by node so that they can be written back (`docs/dat.md` §5).

use acmotion_types::Vec3;

use crate::cursor::{Put, Reader};
use crate::error::{ParseError, Problem};
use crate::objects::setup::{Sphere, read_sphere, write_sphere};

/// What a tree is for; it decides which fields its nodes have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BspKind {
    /// Collision.
    Physics,
    /// Drawing order.
    Drawing,
    /// The inside of a room.
    Cell,
}

/// A tree: its nodes as they stand in the file, a parent before its children.
#[derive(Clone, PartialEq, Debug)]
pub struct BspTree {
    /// What it is for.
    pub kind: BspKind,
    /// The nodes; the first is the root.
    pub nodes: Vec<BspNode>,
}

/// A node of a tree.
#[derive(Clone, PartialEq, Debug)]
pub enum BspNode {
    /// An end.
    Leaf(Leaf),
    /// A plane that parts space, with up to two children behind.
    Plane(PlaneNode),
}

/// An end of a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Leaf {
    /// Its number.
    pub index: i32,
    /// What physics trees add: whether it is solid, its sphere and its polygons.
    pub physics: Option<(i32, Sphere, Vec<u16>)>,
}

/// A plane that parts space.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaneNode {
    /// The four letters that say which children it has, read as a big-endian number.
    pub tag: u32,
    /// The plane's normal.
    pub normal: Vec3,
    /// The plane's distance: points with n·p + d = 0 lie on it.
    pub distance: f32,
    /// Place of the child in front, in the tree's nodes.
    pub positive: Option<u32>,
    /// Place of the child behind.
    pub negative: Option<u32>,
    /// Bounding sphere; cells have none.
    pub sphere: Option<Sphere>,
    /// Keys of its polygons; drawing trees only.
    pub polygons: Vec<u16>,
    /// Pairs of polygon and portal; `PORT` nodes only.
    pub portals: Vec<[u16; 2]>,
}

const LEAF: u32 = 0x4C45_4146;
const PORTAL: u32 = 0x504F_5254;
/// Tags with a child in front only.
const FRONT: [u32; 2] = [0x4250_6E6E, 0x4250_496E];
/// Tags with a child behind only.
const BACK: [u32; 2] = [0x4270_494E, 0x4270_6E4E];
/// Tags with both children.
const BOTH: [u32; 2] = [0x4250_494E, 0x4250_6E4E];
/// First letter of every tag of a plane; tags beyond the listed ones have no children.
const PLANE_LETTER: u32 = b'B' as u32;
/// Deeper than any tree a mesh of 65,536 polygons needs when it is built with any care.
const MAX_DEPTH: usize = 1024;

impl BspTree {
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
        let place = self.nodes.len();
        let tag = reader.u32("BSP node tag")?;
        if tag == LEAF {
            let leaf = read_leaf(reader, self.kind)?;
            self.nodes.push(BspNode::Leaf(leaf));
            return Ok(place as u32);
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
        if let BspNode::Plane(node) = &mut self.nodes[place] {
            (node.positive, node.negative) = (positive, negative);
            read_behind_children(reader, node, kind)?;
        }
        Ok(place as u32)
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        if !self.nodes.is_empty() {
            self.write_node(out, 0);
        }
    }

    fn write_node(&self, out: &mut Vec<u8>, place: u32) {
        match &self.nodes[place as usize] {
            BspNode::Leaf(leaf) => write_leaf(out, leaf),
            BspNode::Plane(node) => {
                out.u32(node.tag);
                out.vec3(node.normal);
                out.f32(node.distance);
                for child in [node.positive, node.negative].into_iter().flatten() {
                    self.write_node(out, child);
                }
                write_behind_children(out, node, self.kind);
            }
        }
    }
}

/// Which children a tag announces; `None` for a tag that the tree cannot have.
fn children_of(tag: u32, kind: BspKind) -> Option<(bool, bool)> {
    if tag == PORTAL {
        return (kind == BspKind::Drawing).then_some((true, true));
    }
    let front = FRONT.contains(&tag) || BOTH.contains(&tag);
    let back = BACK.contains(&tag) || BOTH.contains(&tag);
    (tag >> 24 == PLANE_LETTER).then_some((front, back))
}

fn read_leaf(reader: &mut Reader<'_>, kind: BspKind) -> Result<Leaf, ParseError> {
    let index = reader.i32("BSP leaf index")?;
    let physics = if kind == BspKind::Physics {
        let solid = reader.i32("BSP leaf solid")?;
        let sphere = read_sphere(reader)?;
        let count = reader.count("BSP leaf polygon count", 2)?;
        Some((solid, sphere, read_keys(reader, count)?))
    } else {
        None
    };
    Ok(Leaf { index, physics })
}

fn write_leaf(out: &mut Vec<u8>, leaf: &Leaf) {
    out.u32(LEAF);
    out.i32(leaf.index);
    if let Some((solid, sphere, polygons)) = &leaf.physics {
        out.i32(*solid);
        write_sphere(out, sphere);
        out.count(polygons.len());
        polygons.iter().for_each(|key| out.u16(*key));
    }
}

fn read_behind_children(
    reader: &mut Reader<'_>,
    node: &mut PlaneNode,
    kind: BspKind,
) -> Result<(), ParseError> {
    if kind == BspKind::Cell {
        return Ok(());
    }
    node.sphere = Some(read_sphere(reader)?);
    if kind == BspKind::Physics {
        return Ok(());
    }
    let polygons = reader.count("BSP node polygon count", 2)?;
    let portals = if node.tag == PORTAL { reader.count("BSP node portal count", 4)? } else { 0 };
    node.polygons = read_keys(reader, polygons)?;
    for _ in 0..portals {
        node.portals.push([reader.u16("BSP portal")?, reader.u16("BSP portal")?]);
    }
    Ok(())
}

fn write_behind_children(out: &mut Vec<u8>, node: &PlaneNode, kind: BspKind) {
    if let Some(sphere) = &node.sphere {
        write_sphere(out, sphere);
    }
    if kind != BspKind::Drawing {
        return;
    }
    out.count(node.polygons.len());
    if node.tag == PORTAL {
        out.count(node.portals.len());
    }
    node.polygons.iter().for_each(|key| out.u16(*key));
    node.portals.iter().flatten().for_each(|number| out.u16(*number));
}

fn read_keys(reader: &mut Reader<'_>, count: usize) -> Result<Vec<u16>, ParseError> {
    (0..count).map(|_| reader.u16("BSP polygon key")).collect()
}
