//! Conversion of joint angles to part frames. As in the game, each is relative to the body, not to its parent part.

use acmotion_types::{Frame, Mat3, Quat, Vec3};

pub(super) const X: Vec3 = Vec3::new(1.0, 0.0, 0.0);
pub(super) const Y: Vec3 = Vec3::new(0.0, 1.0, 0.0);
pub(super) const Z: Vec3 = Vec3::new(0.0, 0.0, 1.0);

/// Returns a rotation about +X in degrees; positive turns forward to up.
pub(super) fn about_x(degrees: f32) -> Quat {
    Quat::from_axis_angle(X, degrees.to_radians())
}

/// Returns a rotation about +Y in degrees; positive turns up to right.
pub(super) fn about_y(degrees: f32) -> Quat {
    Quat::from_axis_angle(Y, degrees.to_radians())
}

/// Returns a rotation about +Z in degrees; positive turns forward to left.
pub(super) fn about_z(degrees: f32) -> Quat {
    Quat::from_axis_angle(Z, degrees.to_radians())
}

/// Returns the rotation of a trunk part: `pitch` bends it forward, `roll` leans it right, `yaw` turns it left.
pub(super) fn trunk_rotation(pitch: f32, roll: f32, yaw: f32) -> Quat {
    about_z(yaw) * about_y(roll) * about_x(-pitch)
}

/// Rotates a vector.
pub(super) fn rotated(rotation: Quat, v: Vec3) -> Vec3 {
    Mat3::from_quat(rotation).apply(v)
}

/// Returns the frame of a joint at `offset` from its parent, turned by `rotation`.
pub(super) fn joint(parent: &Frame, offset: Vec3, rotation: Quat) -> Frame {
    parent.combine(&Frame::new(offset, rotation))
}

/// Returns the rotation with the given orthonormal axes.
fn from_axes(x: Vec3, y: Vec3, z: Vec3) -> Quat {
    let trace = x.x + y.y + z.z;
    let quat = if trace > 0.0 {
        Quat::new(1.0 + trace, y.z - z.y, z.x - x.z, x.y - y.x)
    } else if x.x >= y.y && x.x >= z.z {
        Quat::new(y.z - z.y, 1.0 + x.x - y.y - z.z, y.x + x.y, z.x + x.z)
    } else if y.y >= z.z {
        Quat::new(z.x - x.z, y.x + x.y, 1.0 + y.y - x.x - z.z, z.y + y.z)
    } else {
        Quat::new(x.y - y.x, z.x + x.z, z.y + y.z, 1.0 + z.z - x.x - y.y)
    };
    quat.normalized()
}

/// Returns the frame of a bone from `from` to `to`. Its −Z axis points along the bone, its +X axis as closely as
/// possible along `right`.
pub(super) fn bone(from: Vec3, to: Vec3, right: Vec3) -> Frame {
    let z = (from - to).normalized().unwrap_or(Z);
    let y = z.cross(right).normalized().unwrap_or(Y);
    Frame::new(from, from_axes(y.cross(z), y, z))
}

/// A limb of two bones.
#[derive(Clone, Copy)]
pub(super) struct Limb {
    /// The length of the upper bone, in metres.
    pub(super) upper: f32,
    /// The length of the lower bone, in metres.
    pub(super) lower: f32,
    /// Whether the middle joint bends forward, like a knee, or backward, like an elbow.
    pub(super) bends_forward: bool,
}

impl Limb {
    /// Returns the frames of both bones of a limb from `root` to `end` that bends about the axis `right`. If `end` is
    /// out of reach, the limb is stretched straight towards it.
    pub(super) fn reach(&self, root: Vec3, end: Vec3, right: Vec3) -> [Frame; 2] {
        let line = end - root;
        let along = line.normalized().unwrap_or(-Z);
        let length = line.length().clamp((self.upper - self.lower).abs() + 1e-3, self.upper + self.lower);
        let share = (self.upper * self.upper - self.lower * self.lower + length * length) / (2.0 * length);
        let height = (self.upper * self.upper - share * share).max(0.0).sqrt();
        let side = right.cross(along).normalized().unwrap_or(Y);
        let side = if self.bends_forward { side } else { -side };
        let middle = root + along * share + side * height;
        let tip = root + along * length;
        [bone(root, middle, right), bone(middle, tip, right)]
    }
}
