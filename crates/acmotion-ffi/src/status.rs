//! What a call returns, and the text of the last error of a thread.

use std::any::Any;
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a call returns. Negative values are errors, whose text `acm_last_error` returns.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AcmStatus {
    /// The call succeeded.
    Ok = 0,
    /// The call succeeded, and there is no answer: no ground, no such entity, a message of another type.
    Nothing = 1,
    /// A pointer that must not be NULL is.
    NullPointer = -1,
    /// A pointer is not aligned for its type.
    Misaligned = -2,
    /// A buffer is too small. The count says how much is needed, and nothing was changed.
    BufferTooSmall = -3,
    /// The field `struct_size` of a structure is not its size: the caller was built for another version.
    StructSize = -4,
    /// The handle is 0, was never given out, or was freed.
    BadHandle = -5,
    /// The handle is that of another kind of object.
    WrongKind = -6,
    /// An argument is not valid.
    BadArgument = -7,
    /// There is no such file, object or entity.
    NotFound = -8,
    /// Bytes are not what they should be: a damaged file, message or snapshot.
    BadData = -9,
    /// The engine refused the request, the key, the spawn or the order.
    Refused = -10,
    /// A queue or a list is full.
    Full = -11,
    /// A panic was caught, in this call or in an earlier one on the same handle, which can only be freed now.
    Panic = -12,
}

/// Why a call fails, or has no answer.
#[derive(Debug)]
pub(crate) struct Failure {
    status: AcmStatus,
    /// `None` leaves the text of the last error as it is.
    text: Option<Cow<'static, str>>,
}

/// The result of a call.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// Creates a failure with a fixed text.
    pub(crate) const fn new(status: AcmStatus, text: &'static str) -> Self {
        Self { status, text: Some(Cow::Borrowed(text)) }
    }

    /// Creates a failure with the text of an error.
    pub(crate) fn of(status: AcmStatus, error: impl fmt::Display) -> Self {
        Self { status, text: Some(Cow::Owned(error.to_string())) }
    }

    /// Creates a failure that leaves the text of the last error as it is.
    pub(crate) const fn quiet(status: AcmStatus) -> Self {
        Self { status, text: None }
    }

    /// The engine has no answer.
    pub(crate) const NOTHING: Self = Self::quiet(AcmStatus::Nothing);

    /// There is no entity with the guid.
    pub(crate) const NO_ENTITY: Self = Self::new(AcmStatus::NotFound, "there is no such entity");

    pub(crate) fn bad_argument(error: impl fmt::Display) -> Self {
        Self::of(AcmStatus::BadArgument, error)
    }

    pub(crate) fn refused(error: impl fmt::Display) -> Self {
        Self::of(AcmStatus::Refused, error)
    }

    pub(crate) fn bad_data(error: impl fmt::Display) -> Self {
        Self::of(AcmStatus::BadData, error)
    }

    /// Keeps the text for `acm_last_error` and returns the status.
    fn report(self) -> AcmStatus {
        if let Some(text) = &self.text {
            // A thread that is ending has no text any more.
            let _ = LAST_ERROR.try_with(|last| {
                let mut last = last.borrow_mut();
                last.clear();
                last.push_str(text);
            });
        }
        self.status
    }
}

thread_local! {
    static LAST_ERROR: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Returns the text of the last error of this thread.
pub(crate) fn last_error() -> String {
    LAST_ERROR.try_with(|last| last.borrow().clone()).unwrap_or_default()
}

/// Runs the body of a call: keeps the text of an error, and lets no panic out.
pub(crate) fn guard(call: impl FnOnce() -> Outcome) -> AcmStatus {
    let outcome = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| Err(panicked(&*payload)));
    outcome.map_or_else(Failure::report, |()| AcmStatus::Ok)
}

#[cold]
fn panicked(payload: &(dyn Any + Send)) -> Failure {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    Failure::of(AcmStatus::Panic, format_args!("panic: {}", text.unwrap_or("no message")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status_with_its_message() {
        assert_eq!(guard(|| panic!("as planned")), AcmStatus::Panic);
        assert_eq!(last_error(), "panic: as planned");
    }

    #[test]
    fn success_and_no_answer_leave_the_text_of_the_last_error() {
        assert_eq!(guard(|| Err(Failure::NO_ENTITY)), AcmStatus::NotFound);
        assert_eq!(guard(|| Ok(())), AcmStatus::Ok);
        assert_eq!(guard(|| Err(Failure::NOTHING)), AcmStatus::Nothing);
        assert_eq!(last_error(), "there is no such entity");
    }
}
