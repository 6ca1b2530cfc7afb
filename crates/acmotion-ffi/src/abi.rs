//! Version, layout, errors and handles: what is the same for all objects.

use std::ffi::c_char;

use crate::bodies::{AcmBody, AcmEntityState, AcmMatrix, AcmPresented, AcmView};
use crate::check::{AcmCheckSettings, AcmVerdict};
use crate::dat::{AcmMotion, AcmMotionQuery, AcmSegment, AcmStyle, AcmTimedHook, AcmTiming};
use crate::events::AcmEvent;
use crate::handle::{self, AcmHandle};
use crate::memory::{Out, OutList, Versioned, sized};
use crate::player::AcmRequest;
use crate::scene::{AcmGround, AcmShape, AcmSight, AcmSweep};
use crate::server::{AcmBatch, AcmOrder, AcmSpan};
use crate::status::{AcmStatus, Failure, guard, last_error};
use crate::types::{AcmPosition, AcmVec3};
use crate::wire::{AcmAction, AcmMessage};
use crate::world::{AcmEntitySpec, AcmSkills, AcmWorldSettings};

/// The version of this interface. It changes whenever a function or a structure does so that old callers would break.
pub const ACM_ABI_VERSION: u32 = 1;

macro_rules! layout {
    ($($field:ident: $type:ty,)*) => {
        impl AcmLayout {
            /// The layout of this library.
            pub(crate) const OWN: Self = Self {
                struct_size: size_of::<Self>() as u32,
                abi_version: ACM_ABI_VERSION,
                $($field: size_of::<$type>() as u32,)*
            };

            /// Returns the name of the first structure whose size differs from another layout's.
            fn difference(&self, other: &Self) -> Option<(&'static str, u32, u32)> {
                let sizes = [
                    ("the version of the interface", self.abi_version, other.abi_version),
                    $((stringify!($type), self.$field, other.$field),)*
                ];
                sizes.into_iter().find(|(_, own, others)| own != others)
            }
        }
    };
}

/// The size of every structure as the caller was compiled with it, for `acm_abi_check`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AcmLayout {
    /// `sizeof(AcmLayout)`.
    pub struct_size: u32,
    /// `ACM_ABI_VERSION`.
    pub abi_version: u32,
    /// `sizeof(AcmVec3)`.
    pub vec3: u32,
    /// `sizeof(AcmPosition)`.
    pub position: u32,
    /// `sizeof(AcmMatrix)`.
    pub matrix: u32,
    /// `sizeof(AcmStyle)`.
    pub style: u32,
    /// `sizeof(AcmMotion)`.
    pub motion: u32,
    /// `sizeof(AcmMotionQuery)`.
    pub motion_query: u32,
    /// `sizeof(AcmTiming)`.
    pub timing: u32,
    /// `sizeof(AcmSegment)`.
    pub segment: u32,
    /// `sizeof(AcmTimedHook)`.
    pub timed_hook: u32,
    /// `sizeof(AcmMessage)`.
    pub message: u32,
    /// `sizeof(AcmAction)`.
    pub action: u32,
    /// `sizeof(AcmGround)`.
    pub ground: u32,
    /// `sizeof(AcmSight)`.
    pub sight: u32,
    /// `sizeof(AcmShape)`.
    pub shape: u32,
    /// `sizeof(AcmSweep)`.
    pub sweep: u32,
    /// `sizeof(AcmWorldSettings)`.
    pub world_settings: u32,
    /// `sizeof(AcmEntitySpec)`.
    pub entity_spec: u32,
    /// `sizeof(AcmSkills)`.
    pub skills: u32,
    /// `sizeof(AcmOrder)`.
    pub order: u32,
    /// `sizeof(AcmSpan)`.
    pub span: u32,
    /// `sizeof(AcmBatch)`.
    pub batch: u32,
    /// `sizeof(AcmRequest)`.
    pub request: u32,
    /// `sizeof(AcmEvent)`.
    pub event: u32,
    /// `sizeof(AcmView)`.
    pub view: u32,
    /// `sizeof(AcmBody)`.
    pub body: u32,
    /// `sizeof(AcmPresented)`.
    pub presented: u32,
    /// `sizeof(AcmEntityState)`.
    pub entity_state: u32,
    /// `sizeof(AcmCheckSettings)`.
    pub check_settings: u32,
    /// `sizeof(AcmVerdict)`.
    pub verdict: u32,
}

layout! {
    vec3: AcmVec3,
    position: AcmPosition,
    matrix: AcmMatrix,
    style: AcmStyle,
    motion: AcmMotion,
    motion_query: AcmMotionQuery,
    timing: AcmTiming,
    segment: AcmSegment,
    timed_hook: AcmTimedHook,
    message: AcmMessage,
    action: AcmAction,
    ground: AcmGround,
    sight: AcmSight,
    shape: AcmShape,
    sweep: AcmSweep,
    world_settings: AcmWorldSettings,
    entity_spec: AcmEntitySpec,
    skills: AcmSkills,
    order: AcmOrder,
    span: AcmSpan,
    batch: AcmBatch,
    request: AcmRequest,
    event: AcmEvent,
    view: AcmView,
    body: AcmBody,
    presented: AcmPresented,
    entity_state: AcmEntityState,
    check_settings: AcmCheckSettings,
    verdict: AcmVerdict,
}

// SAFETY: `struct_size` comes first, and all fields are numbers.
unsafe impl Versioned for AcmLayout {}

/// Returns the version of the library: major in the third byte, minor in the second, patch in the lowest.
#[unsafe(no_mangle)]
pub extern "C" fn acm_version() -> u32 {
    let number = |text: &str| text.parse::<u32>().unwrap_or_default() & 0xFF;
    number(env!("CARGO_PKG_VERSION_MAJOR")) << 16
        | number(env!("CARGO_PKG_VERSION_MINOR")) << 8
        | number(env!("CARGO_PKG_VERSION_PATCH"))
}

/// Checks that the caller was compiled for this library: `ACM_LAYOUT_INIT` in C fills the structure in. Call it once at the
/// start. `ACM_STATUS_STRUCT_SIZE` if anything differs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_abi_check(layout: *const AcmLayout) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let layout = unsafe { sized(layout, "layout")? };
        match AcmLayout::OWN.difference(&layout) {
            None => Ok(()),
            Some((what, own, callers)) => {
                let text = format!("{what} is {own} in the library, {callers} in the caller");
                Err(Failure::of(AcmStatus::StructSize, text))
            }
        }
    })
}

/// Writes the text of the last error of this thread, in UTF-8 and without a final 0. Calls that succeed leave it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_last_error(
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (buffer, length) =
            unsafe { (OutList::<u8>::new(buffer.cast(), capacity, "buffer")?, Out::new(length, "length")?) };
        let text = last_error();
        length.set(text.len());
        // A failure here must not replace the text that was asked for.
        if text.len() > buffer.capacity() {
            return Err(Failure::quiet(AcmStatus::BufferTooSmall));
        }
        buffer.put_all(0, text.as_bytes());
        Ok(())
    })
}

/// Frees the object of a handle of any kind. A call of another thread that still uses it comes to its end first.
#[unsafe(no_mangle)]
pub extern "C" fn acm_free(handle: AcmHandle) -> AcmStatus {
    guard(|| handle::free(handle))
}

/// Sets `count` to the number of objects of all kinds that have not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_live_handles(count: *mut u64) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let count = unsafe { Out::new(count, "count")? };
        count.set(handle::live() as u64);
        Ok(())
    })
}
