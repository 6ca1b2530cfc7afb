//! Family `stamps`: the order of sequence numbers that wrap around (rules D2, E8, table O6).

use acmotion_types::{ActionStamp, Stamp};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, exact};
use super::{CaseResult, Family};

pub(super) struct StampsFamily;

impl Family for StampsFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        let number = |name| -> CheckResult<u16> { Ok(case.get(name)?.unsigned()? as u16) };
        let newer = match case.get("fn")?.text()? {
            "newer16" => Stamp(number("new")?).is_newer_than(Stamp(number("old")?)),
            "newer15" => {
                ActionStamp::new(number("action")?).is_newer_than(ActionStamp::new(number("server")?))
            }
            other => return Err(Difference::new("fn", "newer16 or newer15", other)),
        };
        exact("newer", case.get("newer")?.boolean()?, newer)?;
        Ok(CaseResult::Passed)
    }
}
