//! `docs/limits.md`: every constant that it names has the value given there, every test exists, and no limit is missing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the parts of a text between backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Returns the value of a constant expression: a product or shift of numbers, or a duration in seconds.
fn evaluate(expression: &str) -> f64 {
    if expression == "u16::MAX as usize" {
        return 65_535.0;
    }
    let duration = expression.strip_prefix("Duration::from_secs(").and_then(|text| text.strip_suffix(')'));
    let expression = duration.unwrap_or(expression);
    let number = |text: &str| {
        let text = text.trim().replace('_', "");
        text.parse::<f64>().unwrap_or_else(|_| panic!("not a number: {expression}"))
    };
    if let Some((left, right)) = expression.split_once("<<") {
        return number(left) * 2f64.powf(number(right));
    }
    expression.split('*').map(number).product()
}

/// Returns the name of the constant in the first column of a row, and its file; `None` if the row names none.
fn constant_of(limit: &str) -> Option<[&str; 2]> {
    let [name, file] = quoted(limit)[..] else { return None };
    file.ends_with(".rs").then_some([name, file])
}

/// Returns the path of a source in the repository: that of a crate is without `crates/` on the page.
fn source(file: &str) -> String {
    if file.starts_with("bindings/") { String::from(file) } else { format!("crates/{file}") }
}

/// Returns the value that a file gives a constant or, as `Type::field`, a field by default.
fn value_in(file: &str, name: &str) -> f64 {
    let text = read(file);
    let (start, end) = match name.split_once("::") {
        Some((kind, field)) => {
            let defaults = text.find(&format!("impl Default for {kind} {{")).unwrap_or_else(|| {
                panic!("{file} has no default of {kind}");
            });
            let field = format!("{field}: ");
            let at = text[defaults..].find(&field).unwrap_or_else(|| panic!("{file} has no {name}"));
            (defaults + at + field.len(), [',', '}'])
        }
        None => {
            let constant = format!("const {name}: ");
            let at = text.find(&constant).unwrap_or_else(|| panic!("{file} has no constant {name}"));
            let equals = text[at..].find("= ").unwrap_or_else(|| panic!("{file}: {name} has no value"));
            (at + equals + 2, [';', ';'])
        }
    };
    evaluate(text[start..].split(end).next().unwrap_or_default())
}

/// A test is a function right after its attributes, at any depth.
fn has_test(text: &str, name: &str) -> bool {
    let function = format!("fn {name}(");
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        match line {
            line if line == "#[test]" || line.starts_with("#[tokio::test") => is_test = true,
            line if line.starts_with("#[") => {}
            line => {
                if is_test && line.trim_start_matches("async ").starts_with(&function) {
                    return true;
                }
                is_test = false;
            }
        }
    }
    false
}

#[test]
fn every_constant_has_its_value_and_every_test_exists() {
    let (mut constants, mut tests) = (0, 0);
    for line in read("docs/limits.md").lines().filter(|line| line.starts_with("| ")) {
        let columns: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [limit, value, setting, reached, test] = columns[..] else { panic!("not five columns: {line}") };
        if limit == "limit" {
            continue;
        }
        assert!(!setting.is_empty() && !reached.is_empty(), "an empty column: {line}");
        if value != "–" {
            let Some([name, file]) = constant_of(limit) else { panic!("no constant and file: {line}") };
            let stated = value.replace(',', "").parse::<f64>().unwrap_or_else(|_| panic!("no value: {line}"));
            assert_eq!(value_in(&source(file), name), stated, "{name} in {file}");
            constants += 1;
        }
        let [file, name] = quoted(test)[..] else { panic!("no test: {line}") };
        let exists = if file.ends_with(".mjs") {
            // Tests of Node, and cases of the browser.
            let text = read(file);
            text.contains(&format!("test(\"{name}\"")) || text.contains(&format!("async \"{name}\"(t)"))
        } else if file.ends_with(".py") {
            read(file).contains(&format!("\ndef {name}("))
        } else {
            has_test(&read(&source(file)), name)
        };
        assert!(exists, "{file} has no test {name}");
        tests += 1;
    }
    assert!(constants > 40 && tests > 45, "{constants} constants, {tests} tests");
}

/// Constants that look like limits by their names but do not limit what comes from outside, by the reason.
const NOT_LIMITS: [(&str, &[&str]); 11] = [
    (
        "on the page in words: no test reaches it, because as many rows take gigabytes",
        &["bindings/python/src/replay.rs MAX_ROWS"],
    ),
    (
        "a number of a rule or of the original, which bounds nothing that comes from outside",
        &[
            "acmotion/src/body.rs MAX_ELASTICITY",
            "acmotion/src/body/clock.rs MIN_QUANTUM",
            "acmotion/src/check/client_motion.rs MAX_JUMP_SPEED",
            "acmotion/src/collide/geometry/polygon.rs MIN_WALK_INTERP",
            "acmotion/src/collide/path.rs MIN_WALK_INTERP",
            "acmotion/src/collide/placement.rs MAX_DISTANCE",
            "acmotion/src/collide/placement.rs MAX_SMALL_DISTANCE",
            "acmotion/src/collide/placement.rs MIN_SEARCH_RADIUS",
            "acmotion/src/collide/polygons.rs BISECTION_LIMIT",
            "acmotion/src/collide/polygons.rs MAX_BISECTIONS",
            "acmotion/src/collide/polygons.rs MAX_PUSHES",
            "acmotion/src/collide/scene/scenery.rs MAX_CYLINDERS",
            "acmotion/src/collide/scene/shadow_cells.rs MAX_SPHERES",
            "acmotion/src/collide/validate.rs MAX_STATIONARY_FRAMES",
            "acmotion/src/correction/interpolation.rs MAX_FAILURES",
            "acmotion/src/correction/interpolation.rs MIN_PROGRESS",
            "acmotion/src/interp/adjust.rs MAX_SIDESTEP_RATE",
            "acmotion/src/interp/formulas.rs MIN_JUMP_EXTENT",
            "acmotion/src/interp/formulas.rs MIN_JUMP_HEIGHT",
            "acmotion/src/interp/perform.rs MAX_ACTIONS",
            "acmotion/src/interp/turning.rs MAX_MOUSE_TURN",
            "acmotion/src/interp/turning.rs MIN_MOUSE_TURN",
            "acmotion/src/player/requests.rs MIN_MOUSE_INTERVAL",
            "acmotion/src/steer/move_to.rs MIN_PROGRESS",
        ],
    ),
    (
        "when something counts as moved, near, late, blocked or cheating",
        &[
            "acmotion-cli/src/dat/verify.rs MIN_LENGTH",
            "acmotion-cli/src/unpack.rs MIN_CHECKED_SIZE",
            "acmotion-cli/src/names.rs MIN_SIMILARITY",
            "acmotion-cli/src/replay/track.rs MIN_BACKWARD_STEP",
            "acmotion-cli/src/replay/track.rs MIN_STEP",
            "acmotion-lab/src/record/observe.rs MIN_PLACED_STEP",
            "acmotion-lab/src/record/reports.rs MIN_SECONDS",
            "acmotion/src/comfort/remote.rs MIN_REVERSAL",
            "acmotion-lab/src/record/sentences.rs MAX_BLOCKED_SHARE",
            "acmotion-lab/src/record/sentences.rs MAX_REPORT_AGE",
            "acmotion-lab/src/record/sentences.rs MIN_MENTIONED",
            "acmotion-lab/src/replay/result.rs MAX_SILENT_TICKS",
            "acmotion-sim/src/cheat.rs MIN_EFFECT",
            "acmotion-sim/src/cheat/no_walls.rs MIN_EFFECT",
            "acmotion-sim/src/compare/entity.rs MAX_SILENCE",
            "acmotion-sim/src/measure.rs MAX_SPEED",
            "acmotion-sim/src/measure.rs MIN_BACKWARD_STEP",
            "acmotion-sim/src/measure.rs MIN_STEP",
            "acmotion-sim/src/replay.rs MIN_PAUSE",
            "acmotion-sim/src/solids.rs MAX_DEPTH",
            "acmotion-sim/src/solids.rs MAX_SPHERES",
            "acmotion-wire/src/capture.rs MIN_CALENDAR_TIME",
            "acmotion/src/check/checker/ordered.rs MAX_AHEAD",
            "acmotion/src/check/checker/own_path.rs MIN_SETTLING",
            "acmotion/src/check/flags.rs MAX_TURN_SPEED",
            "acmotion/src/check/orders.rs MAX_RETREAT",
            "acmotion/src/check/orders.rs MAX_SWAY",
            "acmotion/src/check/orders.rs MIN_STEP",
            "acmotion/src/collide/question.rs MAX_GROUND_GAP",
            "acmotion/src/collide/scene/questions.rs MAX_DROP",
            "acmotion/src/smooth.rs MAX_DISTANCE",
            "acmotion/src/smooth.rs MIN_COS",
            "acmotion/src/steer/follow.rs MAX_DEVIATION",
            "acmotion/src/steer/follow.rs MIN_QUANTUM_CHANGE",
            "acmotion/src/steer/follow.rs MIN_SPEED",
            "acmotion/src/steer/limits.rs MAX_WAIT_SECONDS",
            "acmotion/src/steer/limits.rs MIN_GAIN",
            "acmotion/src/steer/limits.rs MIN_SHARE",
            "acmotion/src/steer/limits.rs MIN_TURN",
            "acmotion/src/world/ground.rs MAX_HEIGHT_ABOVE_LAND",
            "acmotion/src/world/presentation.rs MAX_INTERVAL",
        ],
    ),
    (
        "which of two ways is quicker; the result is the same",
        &[
            "acmotion-sim/src/network.rs MIN_SPARE",
            "acmotion/src/steer/voyeurs.rs MAX_SCANNED",
            "acmotion/src/sequence/lap.rs MAX_FRAMES",
            "acmotion/src/world/parallel.rs MAX_TICKS_ON_ONE_CORE",
            "acmotion/src/world/parallel.rs MIN_PER_DEPENDENT",
            "acmotion/src/world/serial_set.rs MAX_PLACEMENT_DISTANCE",
            "acmotion/src/world/shadows/cell_list/strips.rs MAX_COORDINATE",
        ],
    ),
    (
        "what a format can hold: larger numbers cannot be written in it",
        &[
            "acmotion-ffi/src/handle.rs MAX_GENERATION",
            "acmotion-dat/src/objects/hook.rs MIN_HOOK_SIZE",
            "acmotion-wire/src/capture/write.rs MAX_PAYLOAD",
            "acmotion-wire/src/cursor/writer.rs MAX_SIZE",
            "acmotion-wire/src/packet/fragment.rs MAX_FRAGMENT_DATA",
            "acmotion-wire/src/packet/fragment.rs MAX_FRAGMENT_SIZE",
            "acmotion-wire/src/parts/action.rs MAX",
            "acmotion-wire/src/parts/enchantment.rs MIN_SIZE",
            "acmotion/src/collide/scene/load.rs MAX_ROOMS",
        ],
    ),
    (
        "how much is printed or drawn of what other limits have let in",
        &[
            "acmotion-cli/src/captures.rs MAX_WARNINGS",
            "acmotion-cli/src/conform.rs MAX_REPORTED_FAILURES",
            "acmotion-cli/src/conform/explain.rs MAX_VALUE",
            "acmotion-cli/src/dat/show.rs MAX_DUMP",
            "acmotion-cli/src/diff.rs MAX_FIELDS",
            "acmotion-cli/src/numbers.rs FIXED_LIMIT",
            "acmotion-cli/src/simulate/outlines.rs MAX_WALL_NORMAL_Z",
        ],
    ),
    (
        "what the program does by itself: its own data, requests, benches, cheats, checks, and messages of a soak",
        &[
            "acmotion-sim/src/server/missiles.rs MAX_FLIGHT",
            "acmotion-cli/src/bench.rs MIN_RUNS",
            "acmotion-cli/src/export/tables/dataset.rs MAX_ATTEMPTS",
            "acmotion-cli/src/bench.rs MIN_RUN_TIME",
            "acmotion-cli/src/bench/town.rs MAX_WALKERS",
            "acmotion-dat/src/builder.rs MIN_FACE_AREA",
            "acmotion-dat/src/mannequin/human/gait.rs MAX_SIDE_REACH",
            "acmotion-dat/src/mannequin/human/travel.rs MIN_FOOT_Y",
            "acmotion-lab/src/internals.rs MAX_COMMANDS",
            "acmotion-lab/src/walk/moment.rs MAX_ENTRY_SECONDS",
            "acmotion-lab/src/walk/town.rs MAX_ROUNDS",
            "acmotion-sim/src/cheat.rs MAX_RISE",
            "acmotion-sim/src/cheat.rs MAX_STEP",
            "acmotion-sim/src/checking.rs MAX_ALARMS",
            "acmotion-sim/src/soak/hostile.rs MAX_RANDOM",
            "acmotion-sim/src/soak/hostile.rs MAX_SIZE",
            "acmotion/src/crowd.rs MAX_ACTIONS",
            "acmotion/src/player/requests.rs MAX_QUEUED",
        ],
    ),
    (
        "what a soak accepts and when it looks",
        &[
            "acmotion-cli/src/soak/memory.rs MAX_SLOPE",
            "acmotion-cli/src/soak/memory.rs MIN_BETWEEN_RESTS",
            "acmotion-cli/src/soak/memory.rs MIN_JUDGED",
        ],
    ),
    (
        "how the lab keeps time, and how it ends",
        &[
            "acmotion-lab/src/replay/feed.rs MESSAGE_TIMEOUT",
            "acmotion-lab/src/server.rs SHUTDOWN_TIMEOUT",
            "acmotion-lab/src/session.rs MAX_TICKS_AT_ONCE",
            "acmotion-lab/src/session/transport.rs MAX_LAG",
            "acmotion-lab/src/walk/recorder.rs MAX_FRAMES",
        ],
    ),
    (
        "on the page in words: the timelines and checkpoints of a walk and of recordings",
        &[
            "acmotion-lab/src/replay.rs LIMITS",
            "acmotion-lab/src/replay.rs LIVE_LIMITS",
            "acmotion-lab/src/walk.rs LIMITS",
            "acmotion-lab/src/walk/checkpoints.rs MIN_INTERVAL",
        ],
    ),
    (
        "what comfort shows, what is learnt from reports, and what a comparison counts: when, and by how much",
        &[
            "acmotion/src/comfort/step.rs MAX_BLOCKED",
            "acmotion-sim/src/methods/feet.rs MAX_HEIGHT",
            "acmotion-sim/src/methods/feet.rs MAX_PARTS",
            "acmotion-sim/src/methods/record.rs MIN_WAY",
            "acmotion/src/comfort/estimate.rs MAX_DRIFT_SPEED",
            "acmotion/src/comfort/estimate.rs MAX_INTERVAL",
            "acmotion/src/comfort/estimate.rs MAX_JITTER",
            "acmotion/src/comfort/estimate.rs MAX_STANDING",
            "acmotion/src/comfort/estimate.rs MIN_CREDIT",
            "acmotion/src/comfort/estimate.rs MIN_DRIFT",
            "acmotion/src/comfort/estimate.rs MIN_SPEED",
            "acmotion/src/comfort/estimate.rs MIN_STEADY",
            "acmotion/src/comfort/estimate.rs MIN_TURN",
            "acmotion/src/comfort/flat.rs MAX_TILT",
            "acmotion/src/comfort/gait.rs MAX_ACROSS",
            "acmotion/src/comfort/gait.rs MAX_ALONG",
            "acmotion/src/comfort/gait.rs MAX_WALK",
            "acmotion/src/comfort/gait.rs MIN_DIFFERENCE",
            "acmotion/src/comfort/gait.rs MIN_MOTION",
            "acmotion/src/comfort/gait.rs MIN_SPEED",
            "acmotion/src/comfort/remote.rs MAX_STALLS",
            "acmotion/src/comfort/remote.rs MIN_PROGRESS",
            "acmotion/src/comfort/remote.rs MIN_STALL_DISTANCE",
            "acmotion/src/comfort/remote.rs MIN_STEP",
            "acmotion/src/comfort/step.rs MAX_JUMP",
            "acmotion/src/comfort/step.rs MAX_TURN",
            "acmotion/src/comfort/step.rs MIN_APART",
            "acmotion/src/comfort/step.rs MIN_GOAL",
            "acmotion/src/comfort/step.rs MIN_SPEED",
            "acmotion/src/sequence/ahead.rs MAX_NODES_AHEAD",
            "acmotion/src/world/comfort.rs MIN_FALL",
            "acmotion/src/world/comfort.rs MIN_STEP",
            "acmotion/src/world/learnt.rs MAX_PACE",
            "acmotion/src/world/learnt.rs MAX_SECONDS",
            "acmotion/src/world/learnt.rs MAX_SLOPE",
            "acmotion/src/world/learnt.rs MIN_PACE",
            "acmotion/src/world/learnt.rs MIN_SECONDS",
            "acmotion/src/world/learnt.rs MIN_SPEED",
            "acmotion/src/world/learnt.rs MIN_WAY",
        ],
    ),
];

/// Adds the constants of a folder's sources whose names are those of limits, as `FILE NAME`. Tests are left out.
fn add_constants(folder: &Path, list: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_constants(&path, list);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            let file = path.strip_prefix(root()).unwrap().display().to_string();
            let file = String::from(file.strip_prefix("crates/").unwrap_or(&file));
            let text = fs::read_to_string(&path).unwrap();
            list.extend(limits_in(&text).map(|name| format!("{file} {name}")));
        }
    }
}

/// Iterates over the names of a source's constants that are limits by their names.
fn limits_in(text: &str) -> impl Iterator<Item = &str> {
    let is_test = |line: &&str| line.ends_with("mod tests {");
    text.lines().map(str::trim).take_while(move |line| !is_test(line)).filter_map(|line| {
        let line = if line.starts_with("pub") { line.split_once(' ')?.1 } else { line };
        let name = line.strip_prefix("const ")?.split_once(':')?.0;
        let is_limit = |word: &str| matches!(word, "MAX" | "MIN" | "LIMIT" | "LIMITS" | "TIMEOUT");
        name.split('_').any(is_limit).then_some(name)
    })
}

#[test]
fn every_limit_of_the_sources_is_on_the_page_or_is_none_for_a_reason() {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        add_constants(&entry.unwrap().path().join("src"), &mut found);
    }
    add_constants(&root().join("bindings/python/src"), &mut found);
    assert!(found.len() > 200, "{} constants", found.len());
    let page = read("docs/limits.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let listed: BTreeSet<String> =
        rows.filter_map(constant_of).map(|[name, file]| format!("{file} {name}")).collect();
    let excepted: BTreeSet<String> =
        NOT_LIMITS.iter().flat_map(|(_, names)| names.iter().map(|name| String::from(*name))).collect();
    let missing: Vec<&String> =
        found.iter().filter(|name| !listed.contains(*name) && !excepted.contains(*name)).collect();
    assert!(missing.is_empty(), "on the page or in `NOT_LIMITS`: {missing:#?}");
    let stale: Vec<&String> =
        excepted.iter().filter(|name| !found.contains(*name) || listed.contains(*name)).collect();
    assert!(stale.is_empty(), "not in the sources, or on the page: {stale:#?}");
}

#[test]
fn limits_are_found_by_their_names() {
    let text = "const MAX_A: u8 = 1;\n    pub(crate) const B_TIMEOUT: f32 = 1.0;\npub const MAXIMAL: u8 = 3;\n\
                pub const C: u8 = 4;\n#[cfg(test)]\nmod tests {\nconst MAX_D: u8 = 5;";
    assert_eq!(limits_in(text).collect::<Vec<_>>(), ["MAX_A", "B_TIMEOUT"]);
}

/// The tests that the page names in its text.
#[test]
fn every_test_named_in_the_text_exists() {
    let folder = root().join("crates/acmotion/tests/engine");
    let files =
        fs::read_dir(folder).unwrap().filter_map(|entry| fs::read_to_string(entry.unwrap().path()).ok());
    let all: Vec<String> = files.collect();
    let text = read("docs/limits.md");
    let prose = text.lines().filter(|line| !line.starts_with('|'));
    let is_name =
        |word: &&str| word.contains('_') && !word.contains(['/', ':', '.']) && *word == word.to_lowercase();
    let mut found = 0;
    for name in prose.flat_map(quoted).filter(is_name) {
        assert!(all.iter().any(|text| has_test(text, name)), "no test {name}");
        found += 1;
    }
    assert!(found >= 4, "{found} tests");
}

#[test]
fn values_are_computed() {
    for (expression, value) in [
        ("1 << 20", 1_048_576.0),
        ("256 * 1024", 262_144.0),
        ("16_384", 16_384.0),
        ("1e-3", 0.001),
        ("Duration::from_secs(60)", 60.0),
    ] {
        assert_eq!(evaluate(expression), value, "{expression}");
    }
    assert!(has_test("#[test]\n#[ignore]\nfn one() {", "one") && !has_test("fn one() {", "one"));
}
