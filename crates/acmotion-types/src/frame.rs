//! Frames: an origin and a rotation, and the transformations between them (rules A1–A11 and A17).

use crate::vector::{EPS, Mat3, Quat, Vec3};

/// An origin and a rotation relative to a parent frame.
///
/// ```
/// use acmotion_types::{Frame, Vec3};
///
/// let mut body = Frame::from_origin(Vec3::new(10.0, 20.0, 0.0));
/// body.set_heading(90.0);
/// let step = Frame::from_origin(Vec3::new(0.0, 2.0, 0.0)); // two metres forward
/// let moved = body.combine(&step);
/// assert!((moved.origin.x - 12.0).abs() < 1e-5);
/// assert!((moved.heading() - 90.0).abs() < 1e-3);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Frame {
    /// The position of the origin in the parent frame, in metres.
    #[doc(alias = "m_fOrigin")]
    pub origin: Vec3,
    /// The rotation relative to the parent frame.
    #[doc(alias = "qw")]
    pub rotation: Quat,
}

impl Frame {
    /// The frame that coincides with its parent.
    pub const IDENTITY: Self = Self { origin: Vec3::ZERO, rotation: Quat::IDENTITY };

    /// Creates a frame from its parts. Neither is checked, and the rotation is not normalised.
    pub const fn new(origin: Vec3, rotation: Quat) -> Self {
        Self { origin, rotation }
    }

    /// Creates a frame with the identity rotation.
    pub const fn from_origin(origin: Vec3) -> Self {
        Self::new(origin, Quat::IDENTITY)
    }

    /// Returns `true` if no component is NaN and the squared length of the quaternion is within 5·EPS of 1 (rule A3).
    #[doc(alias = "IsValid")]
    #[inline]
    pub fn is_valid(&self) -> bool {
        !self.origin.is_nan()
            && !self.rotation.is_nan()
            && (self.rotation.dot(self.rotation) - 1.0).abs() <= 5.0 * EPS
    }

    /// Sets the rotation, normalised. Returns `false` and changes nothing if it cannot be normalised (rule A3).
    #[doc(alias = "set_rotate")]
    #[inline]
    pub fn set_rotation(&mut self, rotation: Quat) -> bool {
        let turned = Self::new(self.origin, rotation.normalized());
        let valid = turned.is_valid();
        if valid {
            *self = turned;
        }
        valid
    }

    /// Returns the rotation as a local-to-global matrix (rule A2).
    #[inline]
    pub fn matrix(&self) -> Mat3 {
        Mat3::from_quat(self.rotation)
    }

    /// Returns the forward direction: local +Y in the parent's axes.
    #[inline]
    pub fn forward(&self) -> Vec3 {
        self.matrix()[1]
    }

    /// Returns the compass heading of the forward direction, in degrees within [0, 360) (rule A4).
    #[doc(alias = "get_heading")]
    pub fn heading(&self) -> f32 {
        self.forward().heading()
    }

    /// Turns the frame to a compass heading in degrees. The slope of the forward direction is kept (rule A5).
    pub fn set_heading(&mut self, degrees: f32) {
        let (sin, cos) = libm::sincosf(degrees.to_radians());
        self.set_vector_heading(Vec3::new(sin, cos, self.forward().z));
    }

    /// Turns the frame so that its forward direction is `direction`. Does nothing if `direction` is shorter than
    /// [`EPS`] (rule A5).
    pub fn set_vector_heading(&mut self, direction: Vec3) {
        let Some(direction) = direction.normalized() else { return };
        let yaw = -direction.heading().to_radians();
        let pitch = libm::asinf(direction.z.clamp(-1.0, 1.0));
        let about_z = Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), yaw);
        let about_x = Quat::from_axis_angle(Vec3::new(1.0, 0.0, 0.0), pitch);
        self.set_rotation(about_z * about_x);
    }

    /// Transforms `local` from this frame's space to the parent's (rule A6). If the product of the rotations cannot be
    /// normalised, the result has this frame's rotation.
    #[inline]
    pub fn combine(&self, local: &Self) -> Self {
        self.combine_scaled(local, Vec3::ONE)
    }

    /// Like [`combine`](Self::combine), but multiplies the local origin by `scale` first. This is how parts are posed
    /// (rules A6, H14).
    #[inline]
    pub fn combine_scaled(&self, local: &Self, scale: Vec3) -> Self {
        let origin = self.local_to_global(local.origin.scaled_by(scale));
        let mut out = Self::new(origin, self.rotation);
        out.set_rotation(self.rotation * local.rotation);
        out
    }

    /// Inverts [`combine`](Self::combine) in its left operand: `f.combine(&g).subtract1(&g)` is `f` (rule A7).
    #[inline]
    pub fn subtract1(&self, local: &Self) -> Self {
        let mut out = *self;
        out.set_rotation(self.rotation * local.rotation.conjugate());
        out.origin = self.origin - out.matrix().apply(local.origin);
        out
    }

    /// Transforms this frame into the local space of `base`: `base.combine(&f.subtract2(&base))` is `f` (rule A8).
    #[inline]
    pub fn subtract2(&self, base: &Self) -> Self {
        let mut out = Self::new(base.global_to_local(self.origin), self.rotation);
        out.set_rotation(base.rotation.conjugate() * self.rotation);
        out
    }

    /// Interpolates between two frames, the origin linearly and the rotation with [`Quat::interpolate`] (rule A9).
    pub fn interpolate(from: &Self, to: &Self, t: f32) -> Self {
        let origin = from.origin + (to.origin - from.origin) * t;
        let mut out = Self::new(origin, from.rotation);
        out.set_rotation(Quat::interpolate(from.rotation, to.rotation, t));
        out
    }

    /// Rotates the frame by a rotation vector (axis times radians) in the parent's axes. A vector shorter than [`EPS`]
    /// has no effect (rule A10).
    #[doc(alias = "grotate")]
    #[inline]
    pub fn rotate_global(&mut self, by: Vec3) {
        let square = by.length_squared();
        if square >= EPS * EPS {
            self.rotate_about(by, square.sqrt());
        }
    }

    /// Rotates the frame by a rotation vector of length `angle`. Kept apart because most bodies do not rotate.
    #[inline(never)]
    fn rotate_about(&mut self, by: Vec3, angle: f32) {
        self.set_rotation(Quat::from_axis_angle(by * (1.0 / angle), angle) * self.rotation);
    }

    /// Rotates the frame by a rotation vector (axis times radians) in its own axes (rule A10).
    #[doc(alias = "rotate")]
    #[inline]
    pub fn rotate_local(&mut self, by: Vec3) {
        self.rotate_global(self.local_to_global_vec(by));
    }

    /// Transforms a point from this frame's space to the parent's (rule A11).
    #[doc(alias = "localtoglobal")]
    #[inline]
    pub fn local_to_global(&self, point: Vec3) -> Vec3 {
        self.origin + self.local_to_global_vec(point)
    }

    /// Transforms a direction from this frame's space to the parent's (rule A11).
    #[doc(alias = "localtoglobalvec")]
    #[inline]
    pub fn local_to_global_vec(&self, direction: Vec3) -> Vec3 {
        self.matrix().apply(direction)
    }

    /// Transforms a point from the parent's space to this frame's (rule A11).
    #[doc(alias = "globaltolocal")]
    #[inline]
    pub fn global_to_local(&self, point: Vec3) -> Vec3 {
        self.global_to_local_vec(point - self.origin)
    }

    /// Transforms a direction from the parent's space to this frame's (rule A11).
    #[doc(alias = "globaltolocalvec")]
    #[inline]
    pub fn global_to_local_vec(&self, direction: Vec3) -> Vec3 {
        self.matrix().apply_transposed(direction)
    }

    /// Returns `true` if every component is within [`EPS`] of the other's, the equality of the network code (rule A17).
    #[doc(alias = "is_equal")]
    #[inline(always)]
    pub fn is_close_to(&self, other: &Self) -> bool {
        self.origin.is_close_to(other.origin) && self.rotation.is_close_to(other.rotation)
    }
}
