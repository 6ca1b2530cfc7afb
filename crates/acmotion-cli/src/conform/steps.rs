//! Which parts of a vector are compared: `docs/conformance.md` names those that are left out.

use super::CaseResult;
use super::check::{CheckResult, Difference, Field};

/// Tags on a line or step that end the comparison there. Others are notes.
const ENDING_TAGS: [&str; 2] = ["open", "undefined"];
/// Fields of a step that end the comparison there, as of a line.
const ENDING_MARKS: [&str; 2] = ["undefined", "threw"];
/// Fields of a line that give the index of the first step not to compare.
const ENDING_INDEXES: [&str; 3] = ["open_from", "fragile_from", "delta_rounding_from"];

/// Returns `true` if nothing of a line is compared.
pub(super) fn is_left_out(line: Field<'_>) -> CheckResult<bool> {
    // With `open_from` the tag says that a part is open.
    Ok(is_set(line, "fragile") || ends_here(line)? && line.find("open_from").is_none())
}

/// Returns `true` if a line or step has a mark or a tag that ends the comparison.
pub(super) fn ends_here(field: Field<'_>) -> CheckResult<bool> {
    if ENDING_MARKS.iter().any(|name| is_set(field, name)) {
        return Ok(true);
    }
    let Some(tags) = field.find("tags") else { return Ok(false) };
    for tag in tags.elements()? {
        if ENDING_TAGS.contains(&tag.text()?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns `true` if a mark is there and not `false`.
pub(super) fn is_set<'a>(field: Field<'a>, name: &'a str) -> bool {
    field.find(name).is_some_and(|mark| mark.boolean().unwrap_or(true))
}

/// The steps of a case, up to the first that is left out.
pub(super) struct Steps<'a> {
    /// The name of the list.
    name: &'static str,
    steps: Vec<Field<'a>>,
}

impl<'a> Steps<'a> {
    /// Returns the list `steps` of a case. A case without any is an error.
    pub(super) fn of(case: Field<'a>) -> CheckResult<Self> {
        Self::listed(case, "steps")
    }

    /// Returns the steps of a case in the list `name`. A case without any is an error.
    pub(super) fn listed(case: Field<'a>, name: &'static str) -> CheckResult<Self> {
        let mut steps: Vec<Field<'a>> = case.get(name)?.elements()?.collect();
        if steps.is_empty() {
            return Err(Difference::new(name, "at least one element in the vector", "none"));
        }
        for index in ENDING_INDEXES {
            if let Some(first) = case.find(index) {
                // A negative index means that there is none.
                steps.truncate(usize::try_from(first.signed()?).unwrap_or(usize::MAX));
            }
        }
        for index in 0..steps.len() {
            if ends_here(steps[index])? {
                steps.truncate(index);
                break;
            }
        }
        Ok(Self { name, steps })
    }

    /// Keeps at most the first `count` steps.
    pub(super) fn truncate(&mut self, count: usize) {
        self.steps.truncate(count);
    }

    /// Runs `check` on each step in order. A case without steps to compare is skipped.
    pub(super) fn check(self, mut check: impl FnMut(Field<'a>) -> CheckResult) -> CheckResult<CaseResult> {
        if self.steps.is_empty() {
            return Ok(CaseResult::Skipped);
        }
        for (index, step) in self.steps.into_iter().enumerate() {
            check(step).map_err(|difference| difference.within(format_args!("{}[{index}]", self.name)))?;
        }
        Ok(CaseResult::Passed)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn compared(line: &Value) -> Option<usize> {
        Steps::of(Field::line(line)).ok().map(|steps| steps.steps.len())
    }

    #[test]
    fn a_case_is_compared_up_to_the_first_step_that_is_left_out() {
        let case = |from: &str, index: i64| json!({ "steps": [{}, {}, {}], from: index });
        for from in ENDING_INDEXES {
            assert_eq!(compared(&case(from, 2)), Some(2), "{from}");
            assert_eq!(compared(&case(from, 0)), Some(0), "{from}");
            assert_eq!(compared(&case(from, -1)), Some(3), "{from}");
            assert_eq!(compared(&case(from, i64::MAX)), Some(3), "{from}");
        }
        for step in [json!({ "tags": ["a", "open"] }), json!({ "undefined": true }), json!({ "threw": "x" })]
        {
            assert_eq!(compared(&json!({ "steps": [{}, step, {}] })), Some(1), "{step}");
        }
        for step in [json!({ "tags": ["re_modify_multi"] }), json!({ "undefined": false, "threw": null })] {
            assert_eq!(compared(&json!({ "steps": [{}, step, {}] })), Some(3), "{step}");
        }
        assert_eq!(compared(&json!({ "steps": [] })), None, "nothing to compare is an error");
    }

    #[test]
    fn a_case_that_is_left_out_from_its_first_step_on_is_skipped() {
        let line = json!({ "steps": [{ "tags": ["open"] }] });
        let result = Steps::of(Field::line(&line)).unwrap().check(|_| panic!("it is left out"));
        assert!(matches!(result, Ok(CaseResult::Skipped)));
    }

    #[test]
    fn a_line_is_left_out_if_nothing_of_it_is_decided() {
        for line in [
            json!({ "tags": ["open"] }),
            json!({ "undefined": true }),
            json!({ "fragile": true }),
            json!({ "threw": "an exception" }),
        ] {
            assert!(is_left_out(Field::line(&line)).unwrap(), "{line}");
        }
        for line in [
            json!({}),
            json!({ "tags": ["open"], "open_from": 3 }),
            json!({ "tags": ["re_modify_multi"], "fragile": false, "threw": false }),
            json!({ "ace_tags": ["open"], "fragile_from": 3 }),
        ] {
            assert!(!is_left_out(Field::line(&line)).unwrap(), "{line}");
        }
    }
}
