//! The texts of the rules: `docs/behaviour.md` and `docs/collision.md`, which are part of the program.

/// Rules with a letter, such as F8.
const BEHAVIOUR: &str = include_str!("../../docs/behaviour.md");
/// Rules with numbers only, such as 5.5.2.
const COLLISION: &str = include_str!("../../docs/collision.md");

/// Returns the text of a rule with its subordinate rules: 5.5 includes 5.5.2. `None` if there is no such rule.
pub(super) fn rule_text(number: &str) -> Option<String> {
    let document =
        if number.starts_with(|first: char| first.is_ascii_digit()) { COLLISION } else { BEHAVIOUR };
    let mut lines = document.lines().skip_while(|line| rule_number(line) != Some(number));
    let first = lines.next()?;
    let belongs = |line: &&str| match rule_number(line) {
        Some(other) => other.strip_prefix(number).is_some_and(|rest| rest.starts_with('.')),
        None => !line.starts_with('#') && *line != "---",
    };
    let mut text = String::from(first.trim_start_matches('#').trim_start());
    for line in lines.take_while(belongs) {
        text.push('\n');
        text.push_str(line);
    }
    text.truncate(text.trim_end().len());
    Some(text)
}

/// Returns the numbers of all rules of both documents, in order: sections A to K of one and 1 to 10 of the other.
pub(super) fn all_rules() -> impl Iterator<Item = &'static str> {
    let behaviour = BEHAVIOUR
        .lines()
        .filter_map(rule_number)
        .filter(|number| matches!(number.as_bytes(), [b'A'..=b'K', ..]));
    let is_law = |number: &&str| {
        let section = number.split('.').next().and_then(|section| section.parse().ok());
        section.is_some_and(|section| (1..=10).contains(&section))
    };
    behaviour.chain(COLLISION.lines().filter_map(rule_number).filter(is_law))
}

/// Returns the number of the rule that a line begins: `F8. …`, `### 3.4 …` or `5.5.2 …`.
fn rule_number(line: &str) -> Option<&str> {
    let line = line.strip_prefix("### ").unwrap_or(line);
    let (word, _) = line.split_once(' ')?;
    let number = word.strip_suffix('.').unwrap_or(word);
    let (letters, digits) = number.split_at(number.find(|c: char| c.is_ascii_digit())?);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_rule = match letters.as_bytes() {
        // A list item such as "3. " is not a rule.
        [] => word == number && number.contains('.') && number.split('.').all(is_number),
        [b'A'..=b'Z'] => word != number && is_number(digits),
        _ => false,
    };
    is_rule.then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_ends_where_the_next_begins() {
        let text = rule_text("D2").unwrap();
        assert!(text.starts_with("D2. newer(old,new):"), "{text}");
        assert!(!text.contains("D3."), "{text}");
        assert_eq!(rule_text("D200"), None);
        assert_eq!(rule_text("0.5"), None);
    }

    #[test]
    fn a_rule_includes_its_subordinate_rules_and_no_other() {
        let text = rule_text("5.5").unwrap();
        assert!(text.starts_with("5.5 Polygon tests"), "{text}");
        assert!(text.contains("\n5.5.2 hits_sphere"), "{text}");
        assert!(!text.contains("5.6.1 "), "{text}");
        assert!(rule_text("5.5.2").unwrap().starts_with("5.5.2 hits_sphere"));
        assert!(!rule_text("5.5.2").unwrap().contains("\n5.5.3"));
        assert!(rule_text("7.1").unwrap().contains("\n5. If asked for the containing cell"));
    }

    #[test]
    fn all_rules_of_both_documents_are_found_once() {
        let rules: Vec<_> = all_rules().collect();
        assert!(rules.contains(&"A1") && rules.contains(&"K10") && rules.contains(&"10.7"));
        let mut sorted = rules.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), rules.len());
    }
}
