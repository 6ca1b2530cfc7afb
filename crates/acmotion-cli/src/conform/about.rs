//! What each family is about: the rules that it checks, and which fields of a line are results.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use super::{family_name, unknown_family};

/// A family of vectors.
pub(super) struct About {
    pub(super) family: &'static str,
    /// One sentence for `--list`.
    pub(super) contents: &'static str,
    /// The fields that hold what must come out, on a line and in its steps. All others are given.
    results: &'static str,
    /// The kinds of lines and steps.
    parts: &'static [Part],
}

/// A kind of line (its `kind`, `fn` or `msg`) or of step (its `op`).
struct Part {
    name: &'static str,
    /// The numbers of the rules, separated by spaces.
    rules: &'static str,
    /// The results of this kind of line, if they are not those of the family.
    results: Option<&'static str>,
}

const fn part(name: &'static str, rules: &'static str) -> Part {
    Part { name, rules, results: None }
}

const fn call(name: &'static str, rules: &'static str, results: &'static str) -> Part {
    Part { name, rules, results: Some(results) }
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
    let of_line = ["kind", "fn", "msg", "type"].into_iter().filter_map(|field| line.get(field)?.as_str());
    let steps = line.get("steps").and_then(Value::as_array).into_iter().flatten();
    of_line.chain(steps.filter_map(|step| step.get("op")?.as_str()))
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

    /// Returns `true` if a field of a line of kind `part` holds a result.
    pub(super) fn is_result(&self, part: &str, field: &str) -> bool {
        let results = self.part(part).and_then(|part| part.results).unwrap_or(self.results);
        results.split_whitespace().any(|name| name == field)
    }

    fn part(&self, name: &str) -> Option<&'static Part> {
        self.parts.iter().find(|part| part.name == name)
    }
}

fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut list = Vec::new();
    for name in names {
        if !list.contains(&name) {
            list.push(name);
        }
    }
    list
}

const MOTION_TABLE: &[Part] = &[
    part("table", "G1 G2"),
    part("do", "G3 G4 G5 G6 G7 G8 G10"),
    part("stop", "G8 G9"),
    part("stop_completely", "G11"),
    part("set_default", "G12"),
    part("update", "H8 H9"),
];
const MOTION_TABLE_RESULTS: &str = "ret num_anims state seq";

const SEQUENCE: &[Part] = &[
    part("animation", "H1"),
    part("append", "H2 H4 H5"),
    part("update", "H8 H9 H10 H11 H12 H13"),
    part("update_noframe", "H8 H9 H11 H12"),
    part("set_physics", "H10"),
    part("combine_physics", "H10"),
    part("clear_physics", "H10"),
    part("multiply_cyclic", "H3"),
    part("remove_cyclic", "H6"),
    part("remove_link", "H7"),
    part("remove_all_link", "H7"),
    part("clear_animations", "H6"),
    part("parts", "H14"),
];
const SEQUENCE_RESULTS: &str = "seq delta hooks part_frame part0 delta_o delta_q total_o parts";

const INTERP: &[Part] = &[
    part("table", "F1 F16"),
    part("do_motion", "F2 F3 F4 F5"),
    part("stop_motion", "F4 F6"),
    part("do_interpreted", "F5"),
    part("stop_interpreted", "F6"),
    part("stop_completely", "F6"),
    part("perform", "F19"),
    part("move_to_interpreted_state", "E8"),
    part("unpack_movement", "E2 E3 E4 E6"),
    part("apply_raw_movement", "F8"),
    part("apply_current_movement", "F7 F8"),
    part("tick", "F15 G15"),
    part("motion_done", "F15"),
    part("check_completed", "G15"),
    part("set_hold_key", "F18"),
    part("set_hold_run", "F18"),
    part("set_autonomous", "F8"),
    part("hit_ground", "C30"),
    part("leave_ground", "C26"),
    part("lose_contact", "C26 F14"),
    part("set_on_walkable", "C9"),
    part("charge_jump", "F12"),
    part("jump", "C24 C25 F13"),
    part("report_exhaustion", "F20"),
];
const INTERP_RESULTS: &str = "result raw interp pending my_run_rate slj jump_extent action_stamp animating transient vel \
     mt_state mt_pending mt_counter seq seq_vel seq_omega done";

const SWEEPS: &[Part] = &[
    part("geom", "5.5.1"),
    part("walk", "2.1 2.9 3.1 3.2 3.3 3.4 3.5 3.9 4.1 4.2 4.5 5.2 9.1"),
    part("move", "2.1 3.1 3.2 3.3 3.4 3.5 3.9 4.1 4.2 4.5 5.2"),
];

/// Every family, sorted by name.
pub(super) const ABOUT: &[About] = &[
    About {
        family: "body",
        contents: "one step of a body's physics: integration, friction, contact, landing and bouncing",
        results: "out v_out steps events jumped_this_frame transient_out dot path",
        parts: &[
            part("update_physics", "C4"),
            part("calc_acceleration", "C3"),
            part("calc_friction", "C5"),
            part("set_velocity", "C6"),
            part("check_contact", "C8"),
            part("commit", "C9 C10 C11"),
            call("set_coefficients", "C7", "friction elasticity"),
            part("scenario", "C3 C4 C5"),
        ],
    },
    About {
        family: "bsp",
        contents: "queries of BSP trees, and one part of an object against a prepared transition",
        results: "out",
        parts: &[
            part("geom", "5.5.1"),
            part("tree", "5.6"),
            part("part", "5.6.1 5.6.8 5.6.9"),
            part("cell_tree", "5.6.10"),
        ],
    },
    About {
        family: "camera",
        contents: "the sphere of a viewer, swept from a point; where it ends",
        results: "out",
        parts: &[part("geom", "5.5.1"), part("camera", "2.8 5.5.8 5.6.7")],
    },
    About {
        family: "clock",
        contents: "the 30 Hz gate and the time steps of one object",
        results: "tick steps active update_time",
        parts: &[part("frames", "B2 B3")],
    },
    About {
        family: "commands",
        contents: "speeds, run rates, and what jumping and moving depend on, one call a line",
        results: "out_motion out_speed out_bits state_velocity state_velocity_bits max_speed adjusted_max_speed result \
             jump_is_allowed jump_charge_is_allowed charge_jump standing_long_jump is_standing_still",
        parts: &[
            part("adjust_motion", "F2"),
            part("apply_run_to_command", "F3"),
            part("speeds", "F9 F10"),
            part("motion_allows_jump", "F11"),
            part("contact_allows_move", "F14"),
            part("jump_checks", "F12 F13"),
            call("jump_velocity", "C25 C26", "jump_v_z jump_v_z_bits leave_ground_velocity"),
            call("movement_system", "K10", "burden_mod run_rate jump_height jump_v_z jump_stamina_cost"),
            call("encumbrance", "K10", "capacity burden"),
        ],
    },
    About {
        family: "gate",
        contents: "which messages an object accepts, what they do, and the stamps after them",
        results: "actions after",
        parts: &[
            part("instance", "D3"),
            part("update_position", "D6 D7"),
            part("update_motion", "D9"),
            part("vector_update", "D10"),
            part("set_state", "D11"),
            part("player_teleport", "D11"),
        ],
    },
    About {
        family: "heading",
        contents: "headings, offsets and other small functions, one call a line",
        results: "",
        parts: &[
            call("set_heading", "A5", "q get_heading forward"),
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
            part("geom", "5.5.1"),
            part("layout", "7.4 7.5"),
            part("walk", "3.7 7.1 7.3 7.4 7.5 7.6"),
            part("place", "7.7 10.2 10.3 10.4 10.5"),
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
        results: "cell_after pos_after q_after queue frame_counter orig_dist progress fails keep offset offset_q events \
             heading stuck_to out active pos_offset fully",
        parts: &[
            part("to", "I4"),
            part("stop", "I5"),
            part("tick", "I3 I6 I7 I8"),
            call("sticky", "I10", "pos heading offset offset_q stuck_to"),
            part("constraint", "I9"),
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
            part("table", "G1 G2"),
            part("initialize_state", "G12"),
            part("do", "G13 G16"),
            part("stop", "G9 G13 G16"),
            part("stop_completely", "G11 G13"),
            part("animation_done", "G14"),
            part("check_completed", "G15"),
            part("tick", "G14 G15 H13"),
            part("handle_enter_world", "G17"),
            part("handle_exit_world", "G17"),
        ],
    },
    About {
        family: "moveto",
        contents: "orders to move and turn, tick by tick",
        results: "ticks",
        parts: &[
            part("table", "G1 G2"),
            part("position", "J1 J2 J8 J11 J12 J13 J14 J15 J16 J17 J18 J19 J20"),
            part("object", "J1 J2 J7 J10 J11 J12 J13 J14 J15 J16 J17 J18 J19 J20"),
            part("turn_heading", "J6 J11 J13 J16 J20"),
            part("turn_object", "J9 J10 J13 J16 J20"),
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
                "A12 A14 A15",
                "q get_heading heading_to offset distance cylinder_distance cylinder_distance_no_z",
            ),
            call(
                "frame",
                "A6 A7 A8 A9 A10 A11",
                "combine_o combine_q local_to_global global_to_local rotate_q rotate_local_q grotate_q subtract1_o \
                 subtract1_q subtract2_o subtract2_q interp_o interp_q",
            ),
        ],
    },
    About {
        family: "placement",
        contents: "placing a body: the error, or where it ends up",
        results: "out",
        parts: &[part("geom", "5.5.1"), part("place", "10.1 10.2 10.3 10.4 10.5 10.6")],
    },
    About {
        family: "primitives",
        contents: "collision of spheres with single shapes, one call a line",
        results: "out",
        parts: &[
            part("polygon", "5.5"),
            part("hits_sphere", "5.5.2"),
            part("sphere_object", "5.3"),
            part("cylinder_object", "5.4"),
            part("time_of_collision", "5.3.9"),
            part("slide", "5.2"),
            part("adjust_offset", "3.4"),
            part("terrain_plane", "5.1"),
            part("cliff_slide", "4.6"),
            part("set_normals", "1.3"),
            part("num_steps", "3.2"),
            part("plane_to_world", "5.6.5"),
        ],
    },
    About {
        family: "recorded",
        contents: "figures measured on the original client, run through a world and the controls of its player",
        results: "rate speed angle sends picked cells",
        parts: &[
            part("run_rate", "K10"),
            part("jump", "C25 K10"),
            part("table", "G1 G2"),
            part("turn", "G7 H9"),
            part("script", "K2 K3 K6 K7"),
            call("missile", "C4 B4", "distance"),
            part("rooms", "7.3 7.4"),
            part("cell_pick", "7.1"),
            call("autonomous_position", "K7", "due sent last_sent_time"),
        ],
    },
    About {
        family: "sends",
        contents: "what a player's keys lead to, and what the server is sent",
        results: "flags raw_hex tail_byte due sent last_sent_time pre result applied sends_move_to_state \
             transient_state lists",
        parts: &[part("autonomous_position", "K7"), part("raw_state", "K6"), part("keys", "K2 K3 K4")],
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
        parts: &[part("newer16", "D2"), part("newer15", "E8")],
    },
    About {
        family: "target",
        contents: "an object that watches a target, and the updates that it gets",
        results: "t target updates has_target voyeurs",
        parts: &[part("case", "I11")],
    },
    About {
        family: "terrain",
        contents: "the split of land cells, the ground below a point, the cells of spheres, and sweeps over land",
        results: "sw_ne found triangle v plane z walkable cell_water block_water depth ok cell_out p_out block_offset \
             cells containing out",
        parts: &[
            part("split", "6.2"),
            part("ground", "6.3 6.4"),
            part("outside", "A13"),
            part("cell_list", "7.1 7.2"),
            part("walk", "3.4 5.1 6.1 6.5 6.6"),
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
        parts: &[part("geom", "5.5.1"), part("walk", "5.3 5.4.2 5.7 8.3"), part("move", "5.3 5.4.2 5.7 8.3")],
    },
    About {
        family: "wire",
        contents: "movement messages as fields and as bytes, both ways",
        results: "hex bytes_consumed",
        parts: &[
            part("UpdateMotion", "E1 E5 E7"),
            part("UpdatePosition", "D5"),
            part("VectorUpdate", "D10"),
            part("MoveToState", "K6"),
            part("AutonomousPosition", "K7"),
            part("Jump", "K9"),
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
}
