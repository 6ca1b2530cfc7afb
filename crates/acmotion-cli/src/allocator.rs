//! The allocator of the program, and what is allocated.

/// Gives memory back to the system. Each session of the lab has a thread of its own, and some systems' allocators keep
/// what such a thread has freed.
#[cfg(feature = "lab")]
type Inner = mimalloc::MiMalloc;
#[cfg(feature = "lab")]
const INNER: Inner = mimalloc::MiMalloc;

#[cfg(not(feature = "lab"))]
type Inner = std::alloc::System;
#[cfg(not(feature = "lab"))]
const INNER: Inner = std::alloc::System;

/// Counts the bytes that are allocated. Tests and `count-allocations` have an allocator of their own.
#[cfg_attr(not(any(test, feature = "count-allocations")), global_allocator)]
static ALLOCATOR: cap::Cap<Inner> = cap::Cap::new(INNER, usize::MAX);

/// Keeps the system from rounding what is allocated from now on up to huge pages. Dozens of threads that allocate and free as
/// they go would have several times the memory that they need. Where that cannot be asked for, nothing is changed.
pub(crate) fn avoid_huge_pages() {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

/// Returns the number of bytes that are allocated; `None` if they are not counted.
pub(crate) fn allocated() -> Option<usize> {
    Some(ALLOCATOR.allocated()).filter(|bytes| *bytes > 0)
}

/// Returns the resident memory of this process, in megabytes; `None` where the system does not tell it in `/proc`.
pub(crate) fn resident_megabytes() -> Option<f64> {
    status_megabytes("VmRSS:")
}

/// Returns the most memory that was resident so far, in megabytes; `None` where the system does not tell it in `/proc`.
pub(crate) fn peak_megabytes() -> Option<f64> {
    status_megabytes("VmHWM:")
}

fn status_megabytes(field: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1_024.0 / 1e6)
}
