//! Every line of every vector file is valid by the JSON Schema of its family in `docs/schemas/`.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::common::{changed_case, golden, json_lines, run};
use flate2::read::MultiGzDecoder;
use serde_json::{Map, Value, json};

fn schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas")
}

fn schema_of(family: &str) -> Schema {
    let path = schemas().join(format!("{family}.schema.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Schema { root: serde_json::from_str(&text).unwrap() }
}

/// A JSON Schema of draft 2020-12. Understands the keywords that the project's schemas use, and panics at any other.
struct Schema {
    root: Value,
}

/// The result of a validation: the names of the properties that were evaluated, or where and why the value is invalid.
type Validity = Result<BTreeSet<String>, String>;

impl Schema {
    fn check(&self, value: &Value) -> Result<(), String> {
        self.validate(&self.root, value).map(|_| ())
    }

    fn validate(&self, schema: &Value, value: &Value) -> Validity {
        let keywords = schema.as_object().unwrap();
        let mut evaluated = BTreeSet::new();
        for (keyword, argument) in keywords {
            match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" | "contentEncoding" | "x-result" => {}
                "$ref" => evaluated.extend(self.validate(self.resolve(argument), value)?),
                "type" => require(has_type(argument, value), || format!("not of type {argument}"), value)?,
                "const" => require(argument == value, || format!("not {argument}"), value)?,
                "enum" => {
                    require(
                        argument.as_array().unwrap().contains(value),
                        || format!("not in {argument}"),
                        value,
                    )?;
                }
                "pattern" => check_pattern(argument.as_str().unwrap(), value)?,
                "anyOf" | "oneOf" => evaluated.extend(self.check_branches(keyword, argument, value)?),
                "properties" => evaluated.extend(self.check_properties(argument, value)?),
                "required" => check_required(argument, value)?,
                "items" => self.check_items(argument, keywords, value)?,
                "prefixItems" => self.check_prefix(argument, value)?,
                "minItems" => {
                    check_length(value, |length| length >= argument.as_u64().unwrap(), keyword, argument)?;
                }
                "maxItems" => {
                    check_length(value, |length| length <= argument.as_u64().unwrap(), keyword, argument)?;
                }
                "additionalProperties" | "unevaluatedProperties" => assert_eq!(argument, &json!(false)),
                other => panic!("keyword {other} is not understood"),
            }
        }
        if keywords.contains_key("additionalProperties") || keywords.contains_key("unevaluatedProperties") {
            let unknown =
                value.as_object().into_iter().flat_map(Map::keys).find(|name| !evaluated.contains(*name));
            if let Some(name) = unknown {
                return Err(format!("`{name}` is not in the schema"));
            }
        }
        Ok(evaluated)
    }

    fn resolve(&self, reference: &Value) -> &Value {
        let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
        self.root.pointer(pointer).unwrap_or_else(|| panic!("no definition {reference}"))
    }

    fn check_branches(&self, keyword: &str, branches: &Value, value: &Value) -> Validity {
        let results: Vec<_> =
            branches.as_array().unwrap().iter().map(|branch| self.validate(branch, value)).collect();
        let valid = results.iter().filter(|result| result.is_ok()).count();
        if valid == 0 || keyword == "oneOf" && valid > 1 {
            let errors: Vec<_> = results.into_iter().filter_map(Result::err).collect();
            return Err(format!("{valid} of the alternatives fit: {}", errors.join(" | ")));
        }
        Ok(results.into_iter().flatten().flatten().collect())
    }

    fn check_properties(&self, properties: &Value, value: &Value) -> Validity {
        let mut evaluated = BTreeSet::new();
        let Some(object) = value.as_object() else { return Ok(evaluated) };
        for (name, schema) in properties.as_object().unwrap() {
            if let Some(value) = object.get(name) {
                self.validate(schema, value).map_err(|error| format!("{name}: {error}"))?;
                evaluated.insert(name.clone());
            }
        }
        Ok(evaluated)
    }

    /// Checks the elements after those of `prefixItems`.
    fn check_items(
        &self,
        schema: &Value,
        keywords: &Map<String, Value>,
        value: &Value,
    ) -> Result<(), String> {
        let first = keywords.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
        for (index, element) in value.as_array().into_iter().flatten().enumerate().skip(first) {
            self.validate(schema, element).map_err(|error| format!("[{index}]: {error}"))?;
        }
        Ok(())
    }

    fn check_prefix(&self, schemas: &Value, value: &Value) -> Result<(), String> {
        let elements = value.as_array().into_iter().flatten();
        for (index, (schema, element)) in schemas.as_array().unwrap().iter().zip(elements).enumerate() {
            self.validate(schema, element).map_err(|error| format!("[{index}]: {error}"))?;
        }
        Ok(())
    }
}

fn require(holds: bool, what: impl FnOnce() -> String, value: &Value) -> Result<(), String> {
    if holds {
        Ok(())
    } else {
        Err(format!("{} is {}", value.to_string().chars().take(80).collect::<String>(), what()))
    }
}

fn has_type(types: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        other => panic!("type {other} is not understood"),
    };
    types.as_array().map_or_else(|| is(types), |types| types.iter().any(is))
}

/// Checks one of the two patterns that occur.
fn check_pattern(pattern: &str, value: &Value) -> Result<(), String> {
    let Some(text) = value.as_str() else { return Ok(()) };
    let are_digits = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let fits = match pattern {
        "^0x[0-9A-Fa-f]{1,8}$" => text
            .strip_prefix("0x")
            .is_some_and(|digits| are_digits(digits) && (1..=8).contains(&digits.len())),
        "^[0-9A-Fa-f]*$" => are_digits(text),
        other => panic!("pattern {other} is not understood"),
    };
    require(fits, || format!("not of the form {pattern}"), value)
}

fn check_required(names: &Value, value: &Value) -> Result<(), String> {
    let Some(object) = value.as_object() else { return Ok(()) };
    match names.as_array().unwrap().iter().find(|name| !object.contains_key(name.as_str().unwrap())) {
        Some(name) => Err(format!("no {name}")),
        None => Ok(()),
    }
}

fn check_length(
    value: &Value,
    fits: impl Fn(u64) -> bool,
    keyword: &str,
    argument: &Value,
) -> Result<(), String> {
    let fits = value.as_array().is_none_or(|list| fits(list.len() as u64));
    require(fits, || format!("against {keyword} {argument}"), value)
}

fn lines(path: &Path) -> impl Iterator<Item = String> {
    let file = File::open(path).unwrap();
    let input: Box<dyn Read> = if path.extension().is_some_and(|end| end == "gz") {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    BufReader::new(input).lines().map(Result::unwrap)
}

#[test]
fn every_line_of_every_vector_file_is_valid_by_the_schema_of_its_family() {
    let (mut families, mut count) = (BTreeSet::new(), 0);
    for entry in golden("").read_dir().unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let family = name.split('.').next().unwrap();
        let schema = schema_of(family);
        for (number, line) in (1..).zip(lines(&path)) {
            let value = serde_json::from_str(&line).unwrap();
            if let Err(error) = schema.check(&value) {
                panic!("{name}, line {number}: {error}");
            }
            count += 1;
        }
        families.insert(format!("{family}.schema.json"));
    }
    assert!(count > 22_000, "only {count} lines");
    let known: BTreeSet<_> = schemas()
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(known, families, "a schema for each family, and no other");
}

#[test]
fn a_line_with_a_missing_wrong_or_unknown_field_is_invalid() {
    let schema = schema_of("stamps");
    let line = json!({ "fn": "newer16", "source": "rules", "old": 1, "new": 2, "newer": true });
    assert_eq!(schema.check(&line), Ok(()));
    let with = |change: fn(&mut Map<String, Value>)| {
        let mut changed = line.clone();
        change(changed.as_object_mut().unwrap());
        schema.check(&changed).unwrap_err()
    };
    assert!(with(|line| drop(line.remove("old"))).contains("no \"old\""));
    assert!(with(|line| drop(line.insert("old".into(), json!(1.5)))).contains("old: 1.5 is not of type"));
    assert!(
        with(|line| drop(line.insert("older".into(), json!(1)))).contains("`older` is not in the schema")
    );
    assert!(with(|line| drop(line.insert("fn".into(), json!("newer17")))).contains("fn: "));
    let schema = schema_of("motion_table");
    let step = json!({ "kind": "script", "table": 0, "script": 0, "steps": [{ "op": "jump" }] });
    assert!(schema.check(&step).unwrap_err().contains("\"jump\" is not"));
}

/// Words that a line of another seed may have and that no line of the project does.
#[test]
fn every_word_that_a_vector_may_have_is_valid() {
    let any = |_: &Value| true;
    let has_list = |list: &'static str| move |line: &Value| line[list].is_array();
    let check = |family: &str, is_meant: &dyn Fn(&Value) -> bool, change: &dyn Fn(&mut Value)| {
        let lines = changed_case(family, is_meant, change);
        schema_of(family).check(lines.last().unwrap()).map_err(|error| format!("{family}: {error}"))
    };
    let families = [
        "body",
        "commands",
        "gate",
        "heading",
        "interp_directed",
        "interp_state",
        "interpolation",
        "motion_table",
        "motion_table_manager",
        "moveto",
        "moveto_helpers",
        "primitives",
        "bsp",
        "sends",
        "sequence",
        "stamps",
        "target",
        "terrain",
        "transition",
        "placement",
        "camera",
        "indoor",
        "wire",
        "clock",
    ];
    for family in families {
        assert_eq!(
            check(family, &any, &|line| line["tags"] = json!(["open", "re_modify_multi", "undefined"])),
            Ok(())
        );
        assert_eq!(check(family, &any, &|line| line["threw"] = json!("an exception")), Ok(()));
        assert_eq!(check(family, &any, &|line| line["fragile"] = json!(true)), Ok(()));
        assert!(check(family, &any, &|line| line["tags"] = json!(["closed"])).is_err());
    }
    for family in [
        "interp_state",
        "motion_table",
        "motion_table_manager",
        "interpolation",
        "target",
        "sequence",
        "sends",
    ] {
        let change = |line: &mut Value| {
            line["steps"][0]["tags"] = json!(["re_modify_multi", "open"]);
            (line["open_from"], line["fragile_from"]) = (json!(0), json!(0));
        };
        assert_eq!(check(family, &has_list("steps"), &change), Ok(()));
    }
    for result in ["start", "stop", "none", "removed_only", "hold_sidestep"] {
        let change = |line: &mut Value| line["steps"][0]["result"] = json!(result);
        assert_eq!(check("sends", &has_list("steps"), &change), Ok(()));
    }
    for family in ["transition", "placement", "camera", "indoor", "terrain"] {
        for weenie in ["creature", "player", "player_pk", "object"] {
            let change = |line: &mut Value| line["mover"]["weenie"] = json!(weenie);
            assert_eq!(check(family, &has_list("out"), &change), Ok(()));
        }
        let change = |line: &mut Value| {
            line["out"][0]["threw"] = json!(true);
            line["start"]["plane_cell"] = json!("0x7F7F0001");
            line["ace_tags"] = json!(["ring_pi", "unloaded_cells_unlisted", "terrain_steep_result"]);
            line["ace"] = json!({ "lost": true, "cells": [], "o": [0, 1, 2] });
        };
        assert_eq!(check(family, &has_list("out"), &change), Ok(()));
        assert!(check(family, &has_list("out"), &|line| line["ace_tags"] = json!(["ring_p"])).is_err());
    }
    for weenie in [json!("null"), json!("creature"), json!("player"), json!("object"), Value::Null] {
        for family in ["interp_state", "moveto"] {
            assert_eq!(check(family, &any, &|line| line["weenie"] = weenie.clone()), Ok(()));
        }
    }
    let is_moveto = |line: &Value| line["kind"] == "case";
    assert_eq!(
        check("moveto", &is_moveto, &|line| line["params"]["walk_run_threshold"] = json!(7.5)),
        Ok(())
    );
    assert_eq!(
        check("moveto", &is_moveto, &|line| line["target_velocity"] = json!(["NaN", 0, "-Infinity"])),
        Ok(())
    );
}

/// The rules and the results in the schemas are those that `--list --json` has.
#[test]
fn the_schemas_and_the_list_agree_on_rules_and_results() {
    let lines = json_lines(&run(0, ["conform", "--list", "--json"]).stdout);
    for about in lines.iter().filter(|line| line["family"].is_string()) {
        let family = about["family"].as_str().unwrap();
        let schema = schema_of(family);
        for part in about["parts"].as_array().unwrap() {
            let Some(kind) = part["kind"].as_str().or_else(|| part["defines"].as_str()) else { continue };
            let line = &schema.root["$defs"][format!("{kind}_line")];
            let rules: Vec<_> = part["rules"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            let word = if rules.len() == 1 { "Rule" } else { "Rules" };
            assert_eq!(line["description"], format!("{word} {}.", rules.join(", ")), "{family} {kind}");
            if part["kind"].is_string() {
                check_results(family, kind, line, &part["results"]);
            }
        }
        if family == "clock" {
            check_results(family, "", &schema.root, &about["results"]);
        }
    }
}

/// Requires that the fields of a line and of the elements of its lists are marked as results if they are listed, and else not.
fn check_results(family: &str, kind: &str, line: &Value, results: &Value) {
    let results: Vec<_> = results.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let mut seen = BTreeSet::new();
    let mut check = |list: Option<&str>, fields: &Value| {
        for (name, field) in fields.as_object().into_iter().flatten() {
            let qualified = list.map_or_else(|| name.clone(), |list| format!("{list}.{name}"));
            let listed = results.iter().find(|result| **result == name || **result == qualified);
            assert_eq!(field["x-result"] == true, listed.is_some(), "{family} {kind}: {qualified}");
            seen.extend(listed.copied());
        }
    };
    check(None, &line["properties"]);
    for (list, field) in line["properties"].as_object().unwrap() {
        // What is below a result is a result without saying so.
        if field["x-result"] == true {
            continue;
        }
        let items = &field["items"];
        check(Some(list), &items["properties"]);
        for alternative in items["oneOf"].as_array().into_iter().flatten() {
            check(Some(list), &alternative["properties"]);
        }
    }
    // A family's list of results serves all its kinds of lines, so that each has some of them.
    assert!(!seen.is_empty(), "{family} {kind} has no result");
}
