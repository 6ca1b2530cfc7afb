//! Frames: an origin and a rotation (rules A1–A11 and A17).

use crate::vector::{EPS, Mat3, Quat, Vec3};

/// Where something is and how it is turned, relative to a parent frame.
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
pub struct Frame {
    /// The place.
    #[doc(alias = "m_fOrigin")]
    pub origin: Vec3,
    /// The orientation.
    #[doc(alias = "qw")]
    pub rotation: Quat,
}

impl Frame {
    /// At the parent's origin, unturned.
    pub const IDENTITY: Self = Self { origin: Vec3::ZERO, rotation: Quat::IDENTITY };

    /// A frame from its parts, taken as they are.
    pub const fn new(origin: Vec3, rotation: Quat) -> Self {
        Self { origin, rotation }
    }

    /// An unturned frame at a place.
    pub const fn from_origin(origin: Vec3) -> Self {
        Self::new(origin, Quat::IDENTITY)
    }

    /// Is it sound: no component NaN, and the quaternion of length one within 5·EPS (rule A3)?
    #[doc(alias = "IsValid")]
    #[inline]
    pub fn is_valid(&self) -> bool {
        !self.origin.is_nan()
            && !self.rotation.is_nan()
            && (self.rotation.dot(self.rotation) - 1.0).abs() <= 5.0 * EPS
    }

    /// Takes over a rotation, normalised; one that cannot be normalised is ignored and `false` returned (rule A3).
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

    /// The local-to-global matrix of the rotation (rule A2).
    #[inline]
    pub fn matrix(&self) -> Mat3 {
        Mat3::from_quat(self.rotation)
    }

    /// Where the frame looks: the image of local +Y.
    #[inline]
    pub fn forward(&self) -> Vec3 {
        self.matrix()[1]
    }

    /// The compass heading of the forward direction, in degrees within [0, 360) (rule A4).
    #[doc(alias = "get_heading")]
    pub fn heading(&self) -> f32 {
        self.forward().heading()
    }

    /// Turns to a compass heading in degrees and keeps the slope of the forward direction (rule A5).
    pub fn set_heading(&mut self, degrees: f32) {
        let (sin, cos) = libm::sincosf(degrees.to_radians());
        self.set_vector_heading(Vec3::new(sin, cos, self.forward().z));
    }

    /// Turns so that the forward direction is `direction`; one that is too short changes nothing (rule A5).
    pub fn set_vector_heading(&mut self, direction: Vec3) {
        let Some(direction) = direction.normalized() else { return };
        let yaw = -direction.heading().to_radians();
        let pitch = libm::asinf(direction.z.clamp(-1.0, 1.0));
        let about_z = Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), yaw);
        let about_x = Quat::from_axis_angle(Vec3::new(1.0, 0.0, 0.0), pitch);
        self.set_rotation(about_z * about_x);
    }

    /// `local`, given in this frame's space, expressed in the parent's (rule A6). If the product of the rotations
    /// cannot be normalised, this frame's rotation stays.
    #[inline]
    pub fn combine(&self, local: &Self) -> Self {
        self.combine_scaled(local, Vec3::ONE)
    }

    /// As [`combine`](Self::combine), the local origin first multiplied by a scale; so parts are posed (rules A6, H14).
    #[inline]
    pub fn combine_scaled(&self, local: &Self, scale: Vec3) -> Self {
        let origin = self.local_to_global(local.origin.scaled_by(scale));
        let mut out = Self::new(origin, self.rotation);
        out.set_rotation(self.rotation * local.rotation);
        out
    }

    /// Undoes a [`combine`](Self::combine): `f.combine(&g).subtract1(&g)` is `f` (rule A7).
    #[inline]
    pub fn subtract1(&self, local: &Self) -> Self {
        let mut out = *self;
        out.set_rotation(self.rotation * local.rotation.conjugate());
        out.origin = self.origin - out.matrix().apply(local.origin);
        out
    }

    /// This frame expressed in the local space of `base`: `base.combine(&f.subtract2(&base))` is `f` (rule A8).
    #[inline]
    pub fn subtract2(&self, base: &Self) -> Self {
        let mut out = Self::new(base.global_to_local(self.origin), self.rotation);
        out.set_rotation(base.rotation.conjugate() * self.rotation);
        out
    }

    /// The frame between two, the origin linearly and the rotation by [`Quat::interpolate`] (rule A9).
    pub fn interpolate(from: &Self, to: &Self, t: f32) -> Self {
        let origin = from.origin + (to.origin - from.origin) * t;
        let mut out = Self::new(origin, from.rotation);
        out.set_rotation(Quat::interpolate(from.rotation, to.rotation, t));
        out
    }

    /// Turns by a rotation vector (axis times radians) given in the parent's axes; one shorter than EPS does nothing
    /// (rule A10).
    #[doc(alias = "grotate")]
    #[inline]
    pub fn rotate_global(&mut self, by: Vec3) {
        let square = by.length_squared();
        if square >= EPS * EPS {
            let angle = square.sqrt();
            self.set_rotation(Quat::from_axis_angle(by * (1.0 / angle), angle) * self.rotation);
        }
    }

    /// Turns by a rotation vector given in the frame's own axes (rule A10).
    #[doc(alias = "rotate")]
    #[inline]
    pub fn rotate_local(&mut self, by: Vec3) {
        self.rotate_global(self.local_to_global_vec(by));
    }

    /// A point of this frame's space in the parent's (rule A11).
    #[doc(alias = "localtoglobal")]
    #[inline]
    pub fn local_to_global(&self, point: Vec3) -> Vec3 {
        self.origin + self.local_to_global_vec(point)
    }

    /// A direction of this frame's space in the parent's (rule A11).
    #[doc(alias = "localtoglobalvec")]
    #[inline]
    pub fn local_to_global_vec(&self, direction: Vec3) -> Vec3 {
        self.matrix().apply(direction)
    }

    /// A point of the parent's space in this frame's (rule A11).
    #[doc(alias = "globaltolocal")]
    #[inline]
    pub fn global_to_local(&self, point: Vec3) -> Vec3 {
        self.global_to_local_vec(point - self.origin)
    }

    /// A direction of the parent's space in this frame's (rule A11).
    #[doc(alias = "globaltolocalvec")]
    #[inline]
    pub fn global_to_local_vec(&self, direction: Vec3) -> Vec3 {
        self.matrix().apply_transposed(direction)
    }

    /// Equal as the network code sees it: every component within [`EPS`] (rule A17).
    #[doc(alias = "is_equal")]
    #[inline]
    pub fn is_close_to(&self, other: &Self) -> bool {
        self.origin.is_close_to(other.origin) && self.rotation.is_close_to(other.rotation)
    }
}
