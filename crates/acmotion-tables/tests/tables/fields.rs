//! Which columns of `messages` have which fields of `acmotion decode --json`. One that is in both has the same value, and every
//! other one is listed here.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// The fields of `decoded` that are columns: the name of the message where the field means something else elsewhere, the path
/// and the column. `-` is the last item of a list.
const SHARED: &[(&str, &str, &str)] = &[
    ("", "/guid", "guid"),
    ("", "/instance_seq", "instance_seq"),
    ("", "/position_seq", "position_seq"),
    ("", "/movement_seq", "movement_seq"),
    ("", "/state_seq", "state_seq"),
    ("", "/vector_seq", "vector_seq"),
    ("", "/teleport_seq", "teleport_seq"),
    ("", "/server_control_seq", "server_control_seq"),
    ("", "/force_position_seq", "force_position_seq"),
    ("", "/visual_desc_seq", "visual_desc_seq"),
    ("", "/timestamps/instance", "instance_seq"),
    ("", "/timestamps/position", "position_seq"),
    ("", "/timestamps/movement", "movement_seq"),
    ("", "/timestamps/state", "state_seq"),
    ("", "/timestamps/vector", "vector_seq"),
    ("", "/timestamps/teleport", "teleport_seq"),
    ("", "/timestamps/server_control", "server_control_seq"),
    ("", "/timestamps/force_position", "force_position_seq"),
    ("", "/timestamps/visual_desc", "visual_desc_seq"),
    ("", "/position/cell", "cell"),
    ("", "/position/origin/0", "x"),
    ("", "/position/origin/1", "y"),
    ("", "/position/origin/2", "z"),
    ("", "/position/rotation/0", "qw"),
    ("", "/position/rotation/1", "qx"),
    ("", "/position/rotation/2", "qy"),
    ("", "/position/rotation/3", "qz"),
    ("", "/velocity/0", "vx"),
    ("", "/velocity/1", "vy"),
    ("", "/velocity/2", "vz"),
    ("", "/omega/0", "omega_x"),
    ("", "/omega/1", "omega_y"),
    ("", "/omega/2", "omega_z"),
    ("", "/grounded", "grounded"),
    ("", "/contact", "grounded"),
    ("", "/placement", "placement"),
    ("", "/state", "physics_state"),
    ("", "/physics_state", "physics_state"),
    ("", "/autonomous", "autonomous"),
    ("", "/movement_autonomous", "autonomous"),
    ("", "/movement/type", "movement_type"),
    ("", "/movement/style", "style"),
    ("", "/movement/state/forward_command", "forward_command"),
    ("", "/movement/state/forward_speed", "forward_speed"),
    ("", "/movement/state/sidestep_command", "sidestep_command"),
    ("", "/movement/state/sidestep_speed", "sidestep_speed"),
    ("", "/movement/state/turn_command", "turn_command"),
    ("", "/movement/state/turn_speed", "turn_speed"),
    ("", "/movement/state/actions/-/command", "action_command"),
    ("", "/movement/state/actions/-/stamp", "action_stamp"),
    ("", "/movement/state/actions/-/autonomous", "action_autonomous"),
    ("", "/movement/state/actions/-/speed", "action_speed"),
    ("", "/movement/sticky_object", "target"),
    ("", "/movement/target", "target"),
    ("", "/movement/run_rate", "run_rate"),
    ("", "/movement/origin/cell", "target_cell"),
    ("", "/movement/origin/origin/0", "target_x"),
    ("", "/movement/origin/origin/1", "target_y"),
    ("", "/movement/origin/origin/2", "target_z"),
    ("", "/movement/params/flags", "move_flags"),
    ("", "/movement/params/distance_to_object", "distance_to_object"),
    ("", "/movement/params/min_distance", "min_distance"),
    ("", "/movement/params/fail_distance", "fail_distance"),
    ("", "/movement/params/speed", "move_speed"),
    ("", "/movement/params/walk_run_threshold", "walk_run_threshold"),
    ("", "/movement/params/desired_heading", "desired_heading"),
    ("", "/raw/current_style", "style"),
    ("", "/raw/forward_command", "forward_command"),
    ("", "/raw/forward_speed", "forward_speed"),
    ("", "/raw/sidestep_command", "sidestep_command"),
    ("", "/raw/sidestep_speed", "sidestep_speed"),
    ("", "/raw/turn_command", "turn_command"),
    ("", "/raw/turn_speed", "turn_speed"),
    ("", "/raw/current_hold_key", "hold_key"),
    ("", "/raw/actions/-/command", "action_command"),
    ("", "/raw/actions/-/stamp", "action_stamp"),
    ("", "/raw/actions/-/autonomous", "action_autonomous"),
    ("", "/raw/actions/-/speed", "action_speed"),
    ("", "/extent", "extent"),
    ("", "/motion", "motion"),
    ("", "/hold_key", "hold_key"),
    ("DoMovementCommand", "/speed", "move_speed"),
    ("TurnTo", "/heading", "desired_heading"),
    ("", "/target", "target"),
    ("Use", "/object", "target"),
    ("ParentEvent", "/child", "target"),
    ("ParentEvent", "/location", "location"),
    ("Sound", "/sound", "sound"),
    ("Sound", "/volume", "intensity"),
    ("PlayScriptId", "/script", "script"),
    ("PlayScriptType", "/script_type", "script"),
    ("PlayScriptType", "/speed", "intensity"),
    ("", "/name", "object_name"),
    ("", "/wcid", "wcid"),
    ("", "/setup", "setup"),
    ("", "/motion_table", "motion_table"),
    ("", "/scale", "scale"),
    ("", "/parent/guid", "parent"),
    ("", "/parent/location", "location"),
    ("", "/property", "property"),
    ("", "/value", "value"),
    ("", "/attribute", "quality"),
    ("", "/vital", "quality"),
    ("", "/skill", "quality"),
    ("", "/ranks", "ranks"),
    ("", "/current", "ranks"),
    ("PrivateUpdateSkillLevel", "/level", "ranks"),
    ("PublicUpdateSkillLevel", "/level", "ranks"),
    ("PrivateUpdateAttribute", "/start", "start"),
    ("", "/init_level", "start"),
    ("", "/burden", "burden"),
];

/// The fields of messages about movement that no column has, and what the raw bytes have to be read for.
const ONLY_JSON: &[&str] = &[
    // Flags that say which fields follow.
    "/flags",
    "/physics_flags",
    // In the column `motion_flags`; compared by `check_flags`.
    "/movement/standing_long_jump",
    "/movement/sticky_flag",
    // The style of the state counts only if it has none of its own.
    "/movement/state/current_style",
    "/movement/heading",
    "/standing_long_jump",
    "/raw/forward_hold_key",
    "/raw/sidestep_hold_key",
    "/raw/turn_hold_key",
    "/form",
    "/tail",
    "/level",
    "/run",
    "/mode",
    "/parent_instance_seq",
    "/child_position_seq",
    "/sound_table",
    "/physics_script_table",
    "/children",
    "/friction",
    "/elasticity",
    "/translucency",
    "/acceleration",
    "/default_script",
    "/default_script_intensity",
    // The columns `strength` and `run_skill` are made of two fields each.
    "/attributes",
    "/jump",
    "/enchantments",
    "/seq",
    "/adjust_pp",
    "/advancement_class",
    "/xp_spent",
    "/resistance_at_last_check",
    "/last_used_time",
];

/// The columns that are in every row or in the envelope, and those that are made of several fields.
const ONLY_COLUMNS: &[&str] = &[
    "message",
    "t",
    "time",
    "direction",
    "opcode",
    "sub_opcode",
    "action_sequence",
    "name",
    "guid",
    "is_movement",
    "size",
    "raw",
    "heading",
    "motion_flags",
    "actions",
    "burden",
    "strength",
    "run_skill",
];

/// Compares a message with its JSON form. Returns the columns that both have.
pub(crate) fn compare(row: &Map<String, Value>, json: &Value) -> BTreeSet<&'static str> {
    let name = json["name"].as_str().unwrap();
    let is_movement = row["is_movement"] == true;
    let mut compared = BTreeSet::new();
    for (path, value) in leaves(&json["decoded"]) {
        let found = SHARED.iter().find(|(of, shared, _)| (of.is_empty() || *of == name) && *shared == path);
        if let Some((_, _, column)) = found {
            assert_eq!(row.get(*column), Some(&plain(&value)), "{name}{path}, column {column} of {row:?}");
            compared.insert(*column);
            continue;
        }
        let is_known = |only: &&str| path == **only || path.starts_with(&format!("{only}/"));
        assert!(!is_movement || ONLY_JSON.iter().any(is_known), "{name} has {path} in JSON only");
    }
    for column in row.keys() {
        let is_known = compared.contains(column.as_str()) || ONLY_COLUMNS.contains(&column.as_str());
        assert!(is_known, "{name} has the column {column} only: {row:?}");
    }
    check_flags(row, &json["decoded"]["movement"]);
    compared
}

/// Compares the options of a movement and the number of its actions.
fn check_flags(row: &Map<String, Value>, movement: &Value) {
    let Some(flags) = row.get("motion_flags").and_then(Value::as_u64) else { return };
    assert_eq!(movement["standing_long_jump"], flags & 2 != 0, "{row:?}");
    let sticks = movement.get("sticky_object").is_some() || movement.get("sticky_flag").is_some();
    assert_eq!(sticks, flags & 1 != 0, "{row:?}");
    let actions = movement["state"]["actions"].as_array().map_or(0, Vec::len);
    assert_eq!(row.get("actions").and_then(Value::as_u64).unwrap_or(0), actions as u64, "{row:?}");
}

/// Returns the values of an object with their paths. Of a list of actions only the last item counts, and `null` is left out.
fn leaves(value: &Value) -> Vec<(String, Value)> {
    fn add(path: String, value: &Value, out: &mut Vec<(String, Value)>) {
        match value {
            Value::Null => {}
            Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| add(format!("{path}/{name}"), value, out))
            }
            Value::Array(items) if path.ends_with("/actions") => {
                items.iter().last().into_iter().for_each(|item| add(format!("{path}/-"), item, out));
            }
            Value::Array(items) => {
                items
                    .iter()
                    .enumerate()
                    .for_each(|(number, item)| add(format!("{path}/{number}"), item, out));
            }
            _ => out.push((path, value.clone())),
        }
    }
    let mut out = Vec::new();
    add(String::new(), value, &mut out);
    out
}

/// Returns the number of a hexadecimal string, or the value itself.
pub(crate) fn plain(value: &Value) -> Value {
    let number = value.as_str().and_then(|text| u32::from_str_radix(text.strip_prefix("0x")?, 16).ok());
    number.map_or_else(|| value.clone(), Value::from)
}

/// Returns the columns that some message has to have.
pub(crate) fn shared_columns() -> BTreeSet<&'static str> {
    SHARED.iter().map(|(_, _, column)| *column).collect()
}
