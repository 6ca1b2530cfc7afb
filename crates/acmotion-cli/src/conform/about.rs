//! What each family is about: the rules that it checks, and which fields of a line are results.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::{family_name, unknown_family};

/// A family of vectors.
pub(super) struct About {
    pub(super) family: &'static str,
    /// One sentence for `--list`.
    pub(super) contents: &'static str,
    /// The fields that hold what must come out, on a line and in its steps; `steps.active` counts in the list `steps` only. All
    /// others are given.
    results: &'static str,
    /// The kinds of lines and steps.
    parts: &'static [Part],
}

/// A kind of line (its `kind`, `fn` or `msg`) or of step (its `op`; of orders the `type` of the line).
struct Part {
    name: &'static str,
    role: Role,
    /// The numbers of the rules, separated by spaces.
    rules: &'static str,
    /// The results of this kind of line, if they are not those of the family.
    results: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A line that defines what later ones use.
    Definition,
    /// A line with a case.
    Case,
    /// A part of a case.
    Step,
}

const fn definition(name: &'static str, rules: &'static str) -> Part {
    Part { name, role: Role::Definition, rules, results: None }
}

const fn case(name: &'static str, rules: &'static str) -> Part {
    Part { name, role: Role::Case, rules, results: None }
}

const fn call(name: &'static str, rules: &'static str, results: &'static str) -> Part {
    Part { name, role: Role::Case, rules, results: Some(results) }
}

const fn step(name: &'static str, rules: &'static str) -> Part {
    Part { name, role: Role::Step, rules, results: None }
}

/// Returns the entry of a file's family.
///
/// # Errors
/// If there is no such family.
pub(super) fn about_of(path: &Path) -> anyhow::Result<&'static About> {
    let family = family_name(path);
    let about = ABOUT.iter().find(|about| about.family == family);
    about.with_context(|| unknown_family(path))
}

/// Returns the names of the parts that a line belongs to: its own, and those of its steps.
pub(super) fn parts_of(line: &Value) -> impl Iterator<Item = &str> {
    let steps = line.get("steps").and_then(Value::as_array).into_iter().flatten();
    parts_of_line(line).chain(steps.filter_map(|step| step.get("op")?.as_str()))
}

/// Returns the names of the parts that a line itself belongs to.
pub(super) fn parts_of_line(line: &Value) -> impl Iterator<Item = &str> {
    ["kind", "fn", "msg", "type"].into_iter().filter_map(|field| line.get(field)?.as_str())
}

impl About {
    /// Returns the numbers of all rules, in the order of the parts.
    pub(super) fn rules(&self) -> Vec<&'static str> {
        unique(self.parts.iter().flat_map(|part| part.rules.split_whitespace()))
    }

    /// Returns the numbers of the rules of the named parts in the order of [`rules`](Self::rules), or of all parts if none
    /// of the names is known.
    pub(super) fn rules_of<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<&'static str> {
        let names: HashSet<_> = names.collect();
        let parts = self.parts.iter().filter(|part| names.contains(part.name));
        let rules = unique(parts.flat_map(|part| part.rules.split_whitespace()));
        if rules.is_empty() { self.rules() } else { rules }
    }

    /// Returns the kinds of lines.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.parts.iter().filter(|part| part.role != Role::Step).map(|part| part.name)
    }

    /// Returns everything about the family as JSON.
    pub(super) fn to_json(&self) -> Value {
        let words = |text: &'static str| -> Vec<_> { text.split_whitespace().collect() };
        let kinds = self.parts.iter().map(|part| {
            let results = part.results.unwrap_or(self.results);
            match part.role {
                Role::Definition => json!({ "defines": part.name, "rules": words(part.rules) }),
                Role::Case => {
                    json!({ "kind": part.name, "rules": words(part.rules), "results": words(results) })
                }
                Role::Step => json!({ "step": part.name, "rules": words(part.rules) }),
            }
        });
        json!({
            "family": self.family, "contents": self.contents, "rules": self.rules(),
            "results": words(self.results), "parts": kinds.collect::<Vec<_>>(),
        })
    }

    /// Returns `true` if lines of kind `part` define what later ones use.
    pub(super) fn is_definition(&self, part: &str) -> bool {
        self.part(part).is_some_and(|part| part.role == Role::Definition)
    }

    /// Returns `true` if a field of a line of kind `part` holds a result. `list` is the list that the field is in an element
    /// of, `None` if it is a field of the line itself.
    pub(super) fn is_result(&self, part: &str, list: Option<&str>, field: &str) -> bool {
        let results = self.part(part).and_then(|part| part.results).unwrap_or(self.results);
        results.split_whitespace().any(|name| match name.split_once('.') {
            Some((inside, name)) => list == Some(inside) && name == field,
            None => name == field,
        })
    }

    fn part(&self, name: &str) -> Option<&'static Part> {
        self.parts.iter().find(|part| part.name == name)
    }
}

/// Returns the names of what an element of a list holds, in order, if the elements are lists themselves. What is not compared
/// has no name.
pub(super) fn columns_of(list: &str) -> &'static [Option<&'static str>] {
    match list {
        "ticks" => &TICK,
        "path" => &[Some("x"), Some("y"), Some("z"), Some("vx"), Some("vy"), Some("vz")],
        _ => &[],
    }
}

/// What an element of `ticks` of the family `moveto` holds.
const TICK: [Option<&str>; 18] = [
    Some("t"),
    Some("x"),
    Some("y"),
    Some("z"),
    Some("heading"),
    Some("movement_type"),
    Some("current_command"),
    Some("aux_command"),
    None,
    Some("moving_away"),
    Some("forward"),
    Some("forward_speed"),
    Some("turn"),
    Some("turn_speed"),
    Some("nodes"),
    Some("motions_pending"),
    Some("end_codes"),
    Some("stuck"),
];

fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut list = Vec::new();
    for name in names {
        if !list.contains(&name) {
            list.push(name);
        }
    }
    list
}

const TABLE: Part = definition("table", "G1 G2");

const MOTION_TABLE: &[Part] = &[
    TABLE,
    case("script", "G10"),
    step("do", "G3 G4 G5 G6 G7 G8 G10 H2"),
    step("stop", "G8 G9"),
    step("stop_completely", "G11"),
    step("set_default", "G12"),
    step("update", "H8 H9"),
];
const MOTION_TABLE_RESULTS: &str = "ret num_anims state seq";

const SEQUENCE: &[Part] = &[
    definition("animation", "H1"),
    case("case", "H1"),
    call("parts", "H14", "parts"),
    step("append", "H2 H4 H5"),
    step("update", "H8 H9 H10 H11 H12 H13"),
    step("update_noframe", "H8 H9 H11 H12"),
    step("set_physics", "H10"),
    step("combine_physics", "H10"),
    step("subtract", "H10"),
    step("clear_physics", "H10"),
    step("multiply_cyclic", "H3"),
    step("remove_cyclic", "H6"),
    step("remove_link", "H7"),
    step("remove_all_link", "H7"),
    step("clear_animations", "H6"),
];
const SEQUENCE_RESULTS: &str = "seq delta hooks part_frame part0 delta_o delta_q total_o";

const INTERP: &[Part] = &[
    TABLE,
    case("case", "F1 F16"),
    step("do_motion", "F2 F3 F4 F5"),
    step("stop_motion", "F4 F6"),
    step("do_interpreted", "F5"),
    step("stop_interpreted", "F6"),
    step("stop_completely", "F6"),
    step("perform", "F19"),
    step("move_to_interpreted_state", "E8"),
    step("unpack_movement", "E2 E3 E4 E6"),
    step("apply_raw_movement", "F8"),
    step("apply_current_movement", "F7 F8"),
    step("tick", "F15 G15"),
    step("motion_done", "F15"),
    step("check_completed", "G15"),
    step("set_hold_key", "F18"),
    step("set_hold_run", "F18"),
    step("set_autonomous", "F8"),
    step("hit_ground", "C30"),
    step("leave_ground", "C26"),
    step("lose_contact", "C26 F14"),
    step("set_on_walkable", "C9"),
    step("charge_jump", "F12"),
    step("jump", "C24 C25 F13"),
    step("report_exhaustion", "F20"),
];
const INTERP_RESULTS: &str = "initial result raw interp pending my_run_rate slj jump_extent action_stamp animating \
     transient vel mt_state mt_pending mt_counter seq seq_vel seq_omega done";

const REGION: Part = definition("region", "6.1");
const LAND: Part = definition("terrain", "6.1");
const GEOM: Part = definition("geom", "5.5.1");
/// What every sweep goes through, and what is among the shapes and situations of the vectors.
const SWEEP: &str = "1.3 2.1 2.2 2.4 2.6 2.7 2.9 2.10 3.1 3.2 3.3 3.4 3.5 3.6 3.8 3.9 3.10 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 \
     4.9 5.1 5.2 5.3 5.4 5.5 5.6 5.7 5.8 8.2 8.3 8.4 8.5 8.8 9.1 C10 C11";
const SWEEPS: &[Part] = &[REGION, LAND, GEOM, case("walk", SWEEP), case("move", SWEEP)];

/// Every family, sorted by name.
pub(super) const ABOUT: &[About] = &[
    About {
        family: "body",
        contents: "one step of a body's physics: integration, friction, contact, landing and bouncing",
        results: "out v_out steps events jumped_this_frame transient_out dot path",
        parts: &[
            case("update_physics", "C4"),
            case("calc_acceleration", "C3"),
            case("calc_friction", "C5"),
            case("set_velocity", "C6"),
            case("check_contact", "C8"),
            case("commit", "C9 C10 C11"),
            call("set_coefficients", "C7", "friction elasticity"),
            case("scenario", "C3 C4 C5"),
        ],
    },
    About {
        family: "bsp",
        contents: "queries of BSP trees, and one part of an object against a prepared transition",
        results: "out",
        parts: &[GEOM, case("tree", "5.6"), case("part", "5.6.1 5.6.8 5.6.9"), case("cell_tree", "5.6.10")],
    },
    About {
        family: "camera",
        contents: "the sphere of a viewer, swept from a point; where it ends",
        results: "out",
        parts: &[REGION, LAND, GEOM, case("camera", "2.8 5.3.6 5.4.7 5.5.8 5.6.6 5.6.7")],
    },
    About {
        family: "clock",
        contents: "the 30 Hz gate and the time steps of one object",
        results: "frames.tick frames.steps frames.active frames.update_time",
        parts: &[step("frames", "B2 B3")],
    },
    About {
        family: "commands",
        contents: "speeds, run rates, and what jumping and moving depend on, one call a line",
        results: "out_motion out_speed out_bits state_velocity state_velocity_bits max_speed adjusted_max_speed result \
             jump_is_allowed jump_charge_is_allowed charge_jump standing_long_jump is_standing_still",
        parts: &[
            case("adjust_motion", "F2"),
            case("apply_run_to_command", "F3"),
            case("speeds", "F9 F10"),
            case("motion_allows_jump", "F11"),
            case("contact_allows_move", "F14"),
            case("jump_checks", "F12 F13 F17"),
            call("jump_velocity", "C25 C26", "burden jump_v_z jump_v_z_bits leave_ground_velocity"),
            call("movement_system", "K10", "burden_mod run_rate jump_height jump_v_z jump_stamina_cost"),
            call("encumbrance", "K10", "capacity burden"),
        ],
    },
    About {
        family: "gate",
        contents: "which messages an object accepts, what they do, and the stamps after them",
        results: "actions after",
        parts: &[
            case("instance", "D2 D3"),
            case("update_position", "D6 D7"),
            case("update_motion", "D9"),
            case("vector_update", "D10"),
            case("set_state", "D11"),
            case("player_teleport", "D11"),
        ],
    },
    About {
        family: "heading",
        contents: "headings, offsets and other small functions, one call a line",
        results: "",
        parts: &[
            call("set_heading", "A5", "forward_z q get_heading forward"),
            call("set_vector_heading", "A5", "q"),
            call("get_heading", "A4", "heading forward"),
            call("heading_to", "A14", "heading offset distance"),
            call("heading_cmp", "J5", "diff greater"),
            call("adjust_to_outside", "A13", "ok cell_out x_out y_out"),
            call("jump_charge", "C22", "level extent"),
            call("mouse_turn", "K5", "result speed"),
            call("distances", "D8", "constraint_start constraint_max blip_player blip_other"),
        ],
    },
    About {
        family: "indoor",
        contents: "sweeps and placements in rooms, through doorways and into a building",
        results: "out",
        parts: &[
            REGION,
            LAND,
            GEOM,
            definition("layout", "7.4 7.5"),
            case("walk", "3.7 7.1 7.3 7.4 7.5 7.6"),
            case("place", "7.7 10.2 10.3 10.4 10.5"),
        ],
    },
    About {
        family: "interp_directed",
        contents: "the motion interpreter: small named cases",
        results: INTERP_RESULTS,
        parts: INTERP,
    },
    About {
        family: "interp_state",
        contents: "the motion interpreter: random cases, with the whole state after each step",
        results: INTERP_RESULTS,
        parts: INTERP,
    },
    About {
        family: "interpolation",
        contents: "interpolation towards reported positions, sticking, and the constraint",
        results: "blip_distance speed cell_after pos_after q_after queue frame_counter orig_dist progress fails keep \
             offset offset_q events",
        parts: &[
            case("interp", "D8 I3"),
            call("sticky", "I10", "pos heading offset offset_q stuck_to"),
            call("constraint", "I9", "offset0 out active steps.pos_offset fully"),
            step("to", "I4"),
            step("stop", "I5"),
            step("tick", "I2 I6 I7 I8"),
        ],
    },
    About {
        family: "motion_table",
        contents: "motion tables: random requests, with state and sequence after each",
        results: MOTION_TABLE_RESULTS,
        parts: MOTION_TABLE,
    },
    About {
        family: "motion_table_directed",
        contents: "motion tables: small named cases",
        results: MOTION_TABLE_RESULTS,
        parts: MOTION_TABLE,
    },
    About {
        family: "motion_table_manager",
        contents: "the queue of pending motions and when each is done",
        results: "result pending counter done state seq anim_done_hooks",
        parts: &[
            TABLE,
            case("case", "G13"),
            step("initialize_state", "G12"),
            step("do", "G13 G16"),
            step("stop", "G9 G13 G16"),
            step("stop_completely", "G11 G13"),
            step("animation_done", "G14"),
            step("check_completed", "G15"),
            step("tick", "G14 G15 H13"),
            step("handle_enter_world", "G17"),
            step("handle_exit_world", "G17"),
        ],
    },
    About {
        family: "moveto",
        contents: "orders to move and turn, tick by tick",
        results: "ticks",
        parts: &[
            TABLE,
            case("case", "J1 J2"),
            step("position", "J3 J4 J5 J8 J11 J12 J13 J14 J15 J16 J17 J18 J19 J20"),
            step("object", "I10 I11 J3 J4 J5 J7 J10 J11 J12 J13 J14 J15 J16 J17 J18 J19 J20"),
            step("turn_heading", "J5 J6 J11 J13 J14 J16 J19 J20"),
            step("turn_object", "I11 J5 J9 J10 J11 J13 J14 J16 J19 J20"),
        ],
    },
    About {
        family: "moveto_helpers",
        contents: "the functions that orders use, and the arithmetic of frames and positions",
        results: "",
        parts: &[
            call("get_command", "J3", "motion hold moving_away ta_motion ta_away"),
            call("get_desired_heading", "J4", "out"),
            call("heading_cmp", "J5", "diff greater"),
            call(
                "position",
                "A4 A5 A12 A14 A15",
                "q get_heading heading_to offset distance cylinder_distance cylinder_distance_no_z",
            ),
            call(
                "frame",
                "A4 A6 A7 A8 A9 A10 A11",
                "combine_o combine_q local_to_global global_to_local heading rotate_q rotate_local_q grotate_q \
                 subtract1_o subtract1_q subtract2_o subtract2_q interp_o interp_q",
            ),
        ],
    },
    About {
        family: "placement",
        contents: "placing a body: the error, or where it ends up",
        results: "out",
        parts: &[REGION, LAND, GEOM, case("place", "9.4 10.1 10.2 10.3 10.4 10.5 10.6 C18")],
    },
    About {
        family: "primitives",
        contents: "collision of spheres with single shapes, one call a line",
        results: "out",
        parts: &[
            case("polygon", "5.5"),
            case("hits_sphere", "5.5.2"),
            case("sphere_object", "5.3"),
            case("cylinder_object", "5.4"),
            case("time_of_collision", "5.3.9"),
            case("slide", "5.2"),
            case("adjust_offset", "3.4"),
            case("terrain_plane", "5.1"),
            case("cliff_slide", "4.6"),
            case("set_normals", "1.3"),
            case("num_steps", "3.2"),
            case("plane_to_world", "5.6.5"),
        ],
    },
    About {
        family: "recorded",
        contents: "figures measured on the original client, run through a world and the controls of its player",
        results: "",
        parts: &[
            TABLE,
            definition("rooms", "7.3 7.4"),
            call("run_rate", "K10", "rate"),
            call("jump", "C25 K10", "speed"),
            call("turn", "G5 G7 H9", "angle"),
            call("script", "K2 K3 K6 K7", "sends"),
            call("missile", "B4 C4", "distance"),
            call("cell_pick", "7.1", "picked cells"),
            call("autonomous_position", "K7", "frames.move_to_state due sent last_sent_time"),
        ],
    },
    About {
        family: "sends",
        contents: "what a player's keys lead to, and what the server is sent",
        results: "flags raw_hex tail_byte move_to_state due sent last_sent_time pre result applied \
             sends_move_to_state transient_state lists",
        parts: &[case("autonomous_position", "K7"), case("raw_state", "K6"), case("keys", "K2 K3 K6 K8")],
    },
    About {
        family: "sequence",
        contents: "sequences of animations: random cases, with state, offset and hooks after each step",
        results: SEQUENCE_RESULTS,
        parts: SEQUENCE,
    },
    About {
        family: "sequence_directed",
        contents: "sequences of animations: small named cases",
        results: SEQUENCE_RESULTS,
        parts: SEQUENCE,
    },
    About {
        family: "stamps",
        contents: "whether one sequence number is newer than another",
        results: "newer",
        parts: &[case("newer16", "D2"), case("newer15", "E8")],
    },
    About {
        family: "target",
        contents: "an object that watches a target, and the updates that it gets",
        results: "t target updates has_target voyeurs",
        parts: &[case("case", "I11")],
    },
    About {
        family: "terrain",
        contents: "the split of land cells, the ground below a point, the cells of spheres, and sweeps over land",
        results: "sw_ne found triangle v plane z walkable cell_water block_water depth ok cell_out p_out block_offset \
             cells containing out",
        parts: &[
            REGION,
            LAND,
            case("split", "6.2"),
            case("ground", "6.3 6.4"),
            case("outside", "A13"),
            case("cell_list", "7.1 7.2"),
            case("walk", "3.4 5.1 6.1 6.5 6.6"),
        ],
    },
    About {
        family: "transition",
        contents: "bodies swept through objects, tick by tick",
        results: "out",
        parts: SWEEPS,
    },
    About {
        family: "transition_directed",
        contents: "bodies swept through objects: the examples of section 11 of the collision rules",
        results: "out",
        parts: SWEEPS,
    },
    About {
        family: "transition_extra",
        contents: "bodies swept through objects: situations that are rare elsewhere",
        results: "out",
        parts: &[REGION, LAND, GEOM, case("walk", "5.3 5.4.2 5.7 8.3"), case("move", "5.3 5.4.2 5.7 8.3")],
    },
    About {
        family: "wire",
        contents: "movement messages as fields and as bytes, both ways",
        results: "opcode hex num_commands bytes_consumed",
        parts: &[
            case("UpdateMotion", "D4 E1 E5 E6 E7 E8"),
            call("UpdatePosition", "D4 D5", "opcode hex instance position teleport force_position"),
            case("VectorUpdate", "D4"),
            case("MoveToState", "K6"),
            case("AutonomousPosition", "K7"),
            case("Jump", "K9"),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conform::FAMILIES;
    use crate::conform::rules::rule_text;

    #[test]
    fn every_family_is_described_once_and_in_order() {
        let known: Vec<_> = FAMILIES.iter().map(|(name, _)| *name).collect();
        let described: Vec<_> = ABOUT.iter().map(|about| about.family).collect();
        assert_eq!(described, known);
    }

    #[test]
    fn every_rule_of_a_family_is_in_the_rules() {
        for about in ABOUT {
            for rule in about.rules() {
                assert!(rule_text(rule).is_some(), "{}: no rule {rule}", about.family);
            }
        }
    }

    #[test]
    fn a_result_of_a_list_is_none_of_the_line() {
        let clock = ABOUT.iter().find(|about| about.family == "clock").unwrap();
        assert!(clock.is_result("", Some("frames"), "active") && !clock.is_result("", None, "active"));
        let stamps = ABOUT.iter().find(|about| about.family == "stamps").unwrap();
        assert!(stamps.is_result("newer16", None, "newer") && !stamps.is_result("newer16", None, "old"));
    }
}
