//! Dat files, motion tables, and questions about motions: how long one takes and when it hits.

use std::ffi::c_char;
use std::sync::Arc;

use acmotion::dat::mannequin::town::landmarks;
use acmotion::dat::{Assets, Dat, DataId, HookDirection, HookEffect};
use acmotion::query::{MotionQuery, Segment, TimedHook, Timing, motions, timing};
use acmotion::types::MotionCommand;
use acmotion::{Library, TableId};

use crate::handle::{ASSETS, TABLES};
use crate::memory::{Out, OutList, Versioned, inputs, sized, text};
use crate::status::{AcmStatus, Failure, Outcome, guard};
use crate::types::{AcmPosition, era};

/// A handle of dat files.
pub type AcmAssets = u64;
/// A handle of a motion table.
pub type AcmTable = u64;

/// An entry of a motion table that loops.
pub const ACM_MOTION_CYCLE: u32 = 0;
/// An entry of a motion table that is added to a cycle.
pub const ACM_MOTION_MODIFIER: u32 = 1;
/// An entry of a motion table that leads from a substate to another, or is an action.
pub const ACM_MOTION_LINK: u32 = 2;

/// The number of the hook that hits, in `AcmTimedHook::hook` and in events.
pub const ACM_HOOK_ATTACK: u32 = 3;

/// A style of a motion table.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmStyle {
    /// The style.
    pub style: u32,
    /// The substate in which a body stands in this style.
    pub default_substate: u32,
}

/// A motion of a style.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmMotion {
    /// `ACM_MOTION_CYCLE`, `ACM_MOTION_MODIFIER` or `ACM_MOTION_LINK`.
    pub kind: u32,
    /// The motion.
    pub motion: u32,
    /// For a link, the substate that it starts from; 0 for any.
    pub from: u32,
}

/// A motion in a style, from a substate, at a speed.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmMotionQuery {
    /// `sizeof(AcmMotionQuery)`.
    pub struct_size: u32,
    /// The style of the body.
    pub style: u32,
    /// The motion that starts.
    pub motion: u32,
    /// The substate before it; 0 for the default one of the style.
    pub from: u32,
    /// The speed; 1 is normal.
    pub speed: f32,
}

// SAFETY: `struct_size` comes first, and all fields are numbers.
unsafe impl Versioned for AcmMotionQuery {}

/// How long a motion takes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmTiming {
    /// The time until the cycle starts or the action is done, in seconds.
    pub link_seconds: f64,
    /// The time of one pass of the cycle, in seconds; 0 if there is none.
    pub cycle_seconds: f64,
    /// The time of the first attack hook, in seconds from the start of the motion; negative if there is none.
    pub first_attack: f64,
    /// The substate before the motion.
    pub from: u32,
    /// 1 if there is a cycle, else 0.
    pub has_cycle: u32,
    /// The number of animations, the cycle included.
    pub segments: u32,
    /// The number of hooks.
    pub hooks: u32,
    /// The number of attack hooks.
    pub attacks: u32,
    /// 0.
    pub reserved: u32,
}

/// One animation of a motion.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmSegment {
    /// The start, in seconds from the start of the motion.
    pub start: f64,
    /// The duration in seconds.
    pub seconds: f64,
    /// The animation.
    pub animation: u32,
    /// The first frame played.
    pub low: i32,
    /// The last frame played.
    pub high: i32,
    /// The rate in frames a second; negative plays backwards.
    pub framerate: f32,
    /// 1 for the cycle, else 0.
    pub is_cycle: u32,
    /// 0.
    pub reserved: u32,
}

/// A hook and the time at which it fires.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmTimedHook {
    /// The time in seconds from the start of the motion.
    pub time: f64,
    /// The share of the link, 0 to 1, that has passed by then; negative for hooks of the cycle.
    pub share: f64,
    /// The animation.
    pub animation: u32,
    /// The frame that is left.
    pub frame: i32,
    /// The number of the hook's type; `ACM_HOOK_ATTACK` hits.
    pub hook: u32,
    /// The direction of play in which it fires: 1 forward, -1 backward, 0 both.
    pub direction: i32,
    /// For an attack: the part that strikes.
    pub part: u32,
    /// For an attack: the left edge of its area, x and y.
    pub left: [f32; 2],
    /// For an attack: the right edge of its area, x and y.
    pub right: [f32; 2],
    /// For an attack: the reach.
    pub radius: f32,
    /// For an attack: the height.
    pub height: f32,
    /// 0.
    pub reserved: u32,
}

/// A motion table with its animations.
pub(crate) struct TableState {
    library: Library,
    table: TableId,
}

impl TableState {
    fn timing(&self, query: &AcmMotionQuery) -> Outcome<Timing> {
        let from = Some(MotionCommand(query.from)).filter(|from| from.0 != 0);
        let query = MotionQuery {
            from,
            speed: query.speed,
            ..MotionQuery::new(MotionCommand(query.style), MotionCommand(query.motion))
        };
        timing(&self.library, self.library.table(self.table), &query)
            .map_err(|error| Failure::of(AcmStatus::NotFound, error))
    }
}

/// Returns the built-in portal file: the mannequin. Free it with `acm_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_assets_mannequin(assets: *mut AcmAssets) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let assets = unsafe { Out::new(assets, "assets")? };
        assets.set(ASSETS.add(Assets::mannequin())?);
        Ok(())
    })
}

/// Returns the built-in cell file: the mannequin's town. Free it with `acm_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_assets_town(assets: *mut AcmAssets) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let assets = unsafe { Out::new(assets, "assets")? };
        assets.set(ASSETS.add(Assets::town())?);
        Ok(())
    })
}

/// Opens a dat file by its path in UTF-8. Nothing else may change the file while it is open. Free it with `acm_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_assets_open(
    path: *const c_char,
    path_length: usize,
    assets: *mut AcmAssets,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (path, assets) = unsafe { (text(path, path_length, "path")?, Out::new(assets, "assets")?) };
        let opened = Assets::open(path).map_err(|error| {
            let status =
                if std::path::Path::new(path).exists() { AcmStatus::BadData } else { AcmStatus::NotFound };
            Failure::of(status, format_args!("{path}: {error}"))
        })?;
        assets.set(ASSETS.add(opened)?);
        Ok(())
    })
}

/// Opens a dat file whose bytes are in memory; they are copied. Free it with `acm_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_assets_from_bytes(
    bytes: *const u8,
    length: usize,
    assets: *mut AcmAssets,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (bytes, assets) = unsafe { (inputs(bytes, length, "bytes")?, Out::new(assets, "assets")?) };
        let dat = Dat::from_bytes(bytes.to_vec()).map_err(Failure::bad_data)?;
        assets.set(ASSETS.add(Assets::new(dat))?);
        Ok(())
    })
}

/// Lists the objects of a dat file whose ids lie in a range, in ascending order. Motion tables are 0x09000000 to
/// 0x0900FFFF, setups 0x02000000 to 0x0200FFFF, animations 0x03000000 to 0x0300FFFF.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_assets_list(
    assets: AcmAssets,
    first: u32,
    last: u32,
    ids: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (ids, count) = unsafe { (OutList::new(ids, capacity, "ids")?, Out::new(count, "count")?) };
        let assets = ASSETS.get(assets)?;
        let mut found = Vec::new();
        for entry in assets.dat().entries() {
            let id = entry.map_err(Failure::bad_data)?.id.0;
            if (first..=last).contains(&id) {
                found.push(id);
            }
        }
        found.sort_unstable();
        ids.fill(&found, &count)
    })
}

/// Returns a named position of the mannequin's town, such as `spawn`, `hall` or `ramp_foot`. `ACM_STATUS_NOTHING` if there
/// is no such name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_town_landmark(
    name: *const c_char,
    name_length: usize,
    position: *mut AcmPosition,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (name, position) = unsafe { (text(name, name_length, "name")?, Out::new(position, "position")?) };
        position.set(landmarks().get(name).ok_or(Failure::NOTHING)?.into());
        Ok(())
    })
}

/// Loads a motion table with its animations. Free it with `acm_free`; it does not need the assets any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_table_load(assets: AcmAssets, id: u32, table: *mut AcmTable) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let out = unsafe { Out::new(table, "table")? };
        let (assets, mut library) = (ASSETS.get(assets)?, Library::new());
        let table = library.load_table(&assets, DataId(id));
        let table = table.map_err(|error| Failure::of(AcmStatus::NotFound, error))?;
        out.set(TABLES.add_shared(Arc::new(TableState { library, table }))?);
        Ok(())
    })
}

/// Lists the styles of a motion table, in the order of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_table_styles(
    table: AcmTable,
    styles: *mut AcmStyle,
    capacity: usize,
    count: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (styles, count) =
            unsafe { (OutList::new(styles, capacity, "styles")?, Out::new(count, "count")?) };
        let state = TABLES.get(table)?;
        let known = state.library.table(state.table).styles();
        let known: Vec<_> =
            known.map(|(style, default)| AcmStyle { style: style.0, default_substate: default.0 }).collect();
        styles.fill(&known, &count)
    })
}

/// Lists the motions of a style: cycles, modifiers and links, each in ascending order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_table_motions(
    table: AcmTable,
    style: u32,
    era: u32,
    motions: *mut AcmMotion,
    capacity: usize,
    count: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (out, count) =
            unsafe { (OutList::new(motions, capacity, "motions")?, Out::new(count, "count")?) };
        let state = TABLES.get(table)?;
        let known = self::motions(state.library.table(state.table), MotionCommand(style), self::era(era)?);
        let of_kind = |kind, motion: &MotionCommand| AcmMotion { kind, motion: motion.0, from: 0 };
        let mut list: Vec<_> = known.cycles.iter().map(|motion| of_kind(ACM_MOTION_CYCLE, motion)).collect();
        list.extend(known.modifiers.iter().map(|motion| of_kind(ACM_MOTION_MODIFIER, motion)));
        list.extend(known.links.iter().map(|(from, motion)| AcmMotion {
            from: from.map_or(0, |from| from.0),
            ..of_kind(ACM_MOTION_LINK, motion)
        }));
        out.fill(&list, &count)
    })
}

/// Tells how long a motion takes and when it first hits. `ACM_STATUS_NOT_FOUND` if the table does not have it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_table_timing(
    table: AcmTable,
    query: *const AcmMotionQuery,
    timing: *mut AcmTiming,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (query, out) = unsafe { (sized(query, "query")?, Out::new(timing, "timing")?) };
        let timing = TABLES.get(table)?.timing(&query)?;
        out.set(AcmTiming {
            link_seconds: timing.link_seconds(),
            cycle_seconds: timing.cycle_seconds().unwrap_or_default(),
            first_attack: timing.attacks().next().map_or(-1.0, |hit| hit.time),
            from: timing.from.0,
            has_cycle: timing.cycle.is_some().into(),
            segments: timing.link.len() as u32 + u32::from(timing.cycle.is_some()),
            hooks: timing.hooks.len() as u32,
            attacks: timing.attacks().count() as u32,
            reserved: 0,
        });
        Ok(())
    })
}

/// Lists the animations of a motion in order, the cycle last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_table_segments(
    table: AcmTable,
    query: *const AcmMotionQuery,
    segments: *mut AcmSegment,
    capacity: usize,
    count: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (query, segments, count) = unsafe {
            (sized(query, "query")?, OutList::new(segments, capacity, "segments")?, Out::new(count, "count")?)
        };
        let timing = TABLES.get(table)?.timing(&query)?;
        let link = timing.link.iter().map(|one| segment(one, false));
        let list: Vec<_> = link.chain(timing.cycle.iter().map(|one| segment(one, true))).collect();
        segments.fill(&list, &count)
    })
}

/// Lists the hooks of a motion in the order in which they fire.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_table_hooks(
    table: AcmTable,
    query: *const AcmMotionQuery,
    hooks: *mut AcmTimedHook,
    capacity: usize,
    count: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (query, hooks, count) = unsafe {
            (sized(query, "query")?, OutList::new(hooks, capacity, "hooks")?, Out::new(count, "count")?)
        };
        let timing = TABLES.get(table)?.timing(&query)?;
        hooks.fill(&timing.hooks.iter().map(timed_hook).collect::<Vec<_>>(), &count)
    })
}

fn segment(one: &Segment, is_cycle: bool) -> AcmSegment {
    AcmSegment {
        start: one.start,
        seconds: one.seconds,
        animation: one.animation.0,
        low: one.low,
        high: one.high,
        framerate: one.framerate,
        is_cycle: is_cycle.into(),
        reserved: 0,
    }
}

fn timed_hook(timed: &TimedHook) -> AcmTimedHook {
    let mut hook = AcmTimedHook {
        time: timed.time,
        share: timed.share.unwrap_or(-1.0),
        animation: timed.animation.0,
        frame: timed.frame,
        hook: timed.hook.effect.number(),
        direction: match timed.hook.direction {
            HookDirection::FORWARD => 1,
            HookDirection::BACKWARD => -1,
            _ => 0,
        },
        ..AcmTimedHook::default()
    };
    if let HookEffect::Attack(cone) = &timed.hook.effect {
        (hook.part, hook.left, hook.right) = (cone.part, cone.left, cone.right);
        (hook.radius, hook.height) = (cone.radius, cone.height);
    }
    hook
}
