//! Which lines of `--json` say something new.

use acmotion_types::Guid;
use rustc_hash::FxHashMap;

/// The last line of each entity, without what `--changes` does not count as a change.
#[derive(Default)]
pub(super) struct Changes {
    last: FxHashMap<Guid, Vec<u8>>,
    /// A buffer for the current line.
    current: Vec<u8>,
}

impl Changes {
    /// Keeps the line of an entity. Returns `false` if it is the same as the last one but for `t` and `frame`.
    pub(super) fn note(&mut self, guid: Guid, line: &[u8]) -> bool {
        self.current.clear();
        for part in line.split(|byte| *byte == b',') {
            if !part.starts_with(b"{\"t\":") && !part.starts_with(b"\"frame\":") {
                self.current.extend_from_slice(part);
                self.current.push(b',');
            }
        }
        let last = self.last.entry(guid).or_default();
        let has_changed = *last != self.current;
        if has_changed {
            last.clone_from(&self.current);
        }
        has_changed
    }

    /// Forgets an entity that is gone.
    pub(super) fn forget(&mut self, guid: Guid) {
        self.last.remove(&guid);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_and_frame_are_no_changes() {
        let mut changes = Changes::default();
        let mut note = |guid, line: &str| changes.note(Guid(guid), line.as_bytes());
        assert!(note(1, r#"{"t":1.0,"origin":[1.0,2.0,3.0],"frame":0.5,"pending":0}"#));
        assert!(!note(1, r#"{"t":2.0,"origin":[1.0,2.0,3.0],"frame":1.5,"pending":0}"#));
        assert!(note(2, r#"{"t":2.0,"origin":[1.0,2.0,3.0],"frame":1.5,"pending":0}"#), "another entity");
        assert!(note(1, r#"{"t":3.0,"origin":[1.0,2.0,3.5],"frame":1.5,"pending":0}"#), "it moved");
        assert!(note(1, r#"{"t":4.0,"origin":[1.0,2.0,3.5],"frame":1.5,"pending":1}"#));
        changes.forget(Guid(1));
        assert!(changes.note(Guid(1), br#"{"t":4.0,"origin":[1.0,2.0,3.5],"frame":1.5,"pending":1}"#));
    }
}
