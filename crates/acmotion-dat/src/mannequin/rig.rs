//! From joint angles to the flat part frames that the game has: every part relative to the body, never to its parent.

use acmotion_types::{Frame, Mat3, Quat, Vec3};

pub(super) const X: Vec3 = Vec3::new(1.0, 0.0, 0.0);
pub(super) const Y: Vec3 = Vec3::new(0.0, 1.0, 0.0);
pub(super) const Z: Vec3 = Vec3::new(0.0, 0.0, 1.0);

/// A turn about +X, degrees: forward goes up.
pub(super) fn about_x(degrees: f32) -> Quat {
    Quat::from_axis_angle(X, degrees.to_radians())
}

/// A turn about +Y, degrees: up goes right.
pub(super) fn about_y(degrees: f32) -> Quat {
    Quat::from_axis_angle(Y, degrees.to_radians())
}

/// A turn about +Z, degrees: forward goes left.
pub(super) fn about_z(degrees: f32) -> Quat {
    Quat::from_axis_angle(Z, degrees.to_radians())
}

/// The turn of a piece of the trunk: `pitch` bends it forward, `roll` leans it right, `yaw` turns it left.
pub(super) fn trunk(pitch: f32, roll: f32, yaw: f32) -> Quat {
    about_z(yaw) * about_y(roll) * about_x(-pitch)
}

/// A vector turned by a rotation.
pub(super) fn turned(rotation: Quat, v: Vec3) -> Vec3 {
    Mat3::from_quat(rotation).apply(v)
}

/// A joint: a frame at `offset` of its parent, turned by `rotation`.
pub(super) fn joint(parent: &Frame, offset: Vec3, rotation: Quat) -> Frame {
    parent.combine(&Frame::new(offset, rotation))
}

/// The rotation whose axes are these three, which are of length one and at right angles.
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

/// The frame of a bone that hangs from `from` to `to`: its −Z points along the bone, its +X as near to `right` as can
/// be.
pub(super) fn bone(from: Vec3, to: Vec3, right: Vec3) -> Frame {
    let z = (from - to).normalized().unwrap_or(Z);
    let y = z.cross(right).normalized().unwrap_or(Y);
    Frame::new(from, from_axes(y.cross(z), y, z))
}

/// A limb of two bones.
#[derive(Clone, Copy)]
pub(super) struct Limb {
    /// Length of the upper bone.
    pub(super) upper: f32,
    /// Length of the lower bone.
    pub(super) lower: f32,
    /// Does its middle joint bend forward, as a knee, or backward, as an elbow?
    pub(super) forward: bool,
}

impl Limb {
    /// The frames of both bones when the limb hangs from `root` and ends at `end`. `right` is the axis about which it
    /// bends. A limb that is too short is stretched straight towards `end`.
    pub(super) fn reach(&self, root: Vec3, end: Vec3, right: Vec3) -> [Frame; 2] {
        let line = end - root;
        let along = line.normalized().unwrap_or(-Z);
        let length = line.length().clamp((self.upper - self.lower).abs() + 1e-3, self.upper + self.lower);
        let share = (self.upper * self.upper - self.lower * self.lower + length * length) / (2.0 * length);
        let height = (self.upper * self.upper - share * share).max(0.0).sqrt();
        let side = right.cross(along).normalized().unwrap_or(Y);
        let side = if self.forward { side } else { -side };
        let middle = root + along * share + side * height;
        let tip = root + along * length;
        [bone(root, middle, right), bone(middle, tip, right)]
    }
}
