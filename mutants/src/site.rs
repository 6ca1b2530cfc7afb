//! Places in a source file at which mutants are planted, and the file with all of them planted.

use std::collections::HashSet;

/// The path of the function that tells whether a mutant is switched on.
const SWITCH: &str = "crate::mutant_switch::on";

/// Stands for the question whether the mutant is on, in the text of an insertion.
pub const ON: &str = "$on";

/// How the alternatives of a site are planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The site is an expression, and so are its alternatives.
    Expression,
    /// The site is a statement with its semicolon; alternatives are statements, or nothing.
    Statement,
    /// The site is a point, and the texts of the alternatives are inserted there.
    Insertion,
}

/// One mutant of a site.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The number that switches it on.
    pub id: u32,
    /// What is changed, in words.
    pub change: String,
    /// What stands there instead.
    pub text: String,
    /// Whether it was written by hand.
    pub is_break: bool,
}

/// A place in a source file, in bytes, with the mutants planted there.
#[derive(Clone, Debug)]
pub struct Site {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// How the mutants are planted.
    pub form: Form,
    /// The name of the function around it; empty if that does not matter.
    pub function: String,
    /// The mutants.
    pub alternatives: Vec<Alternative>,
}

/// Where a mutant lies in the file with all mutants planted, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// The mutant.
    pub id: u32,
    /// From its alternative's first byte to the byte after the last.
    pub alternative: (usize, usize),
    /// The same for the whole site, with all of its alternatives.
    pub site: (usize, usize),
}

/// A source file with its mutants planted.
#[derive(Debug)]
pub struct Planted {
    /// The text.
    pub text: String,
    /// Where every mutant lies in it.
    pub regions: Vec<Region>,
}

/// Text to be inserted, and the positions in it at which alternatives begin and end.
struct Piece {
    at: usize,
    order: (u8, isize, isize),
    text: String,
    marks: Vec<(usize, Mark)>,
}

#[derive(Clone, Copy)]
enum Mark {
    Alternative(u32),
    AlternativeEnd(u32),
    Site(usize),
    SiteEnd(usize),
}

/// Plants the mutants of `sites` in `source`, without those of `dropped`. Sites may be nested but must not overlap otherwise.
pub fn plant(source: &str, sites: &[Site], dropped: &HashSet<u32>) -> Planted {
    let mut pieces = Vec::new();
    for (number, site) in sites.iter().enumerate() {
        let alternatives: Vec<_> = site.alternatives.iter().filter(|a| !dropped.contains(&a.id)).collect();
        if !alternatives.is_empty() {
            pieces.extend(pieces_of(number, site, &alternatives));
        }
    }
    // At the same byte: inner ends, outer ends, points, outer starts, inner starts.
    pieces.sort_by_key(|piece| (piece.at, piece.order));

    let mut text = String::with_capacity(source.len() * 3);
    let mut regions: Vec<Region> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut copied = 0;
    for piece in &pieces {
        text.push_str(&source[copied..piece.at]);
        copied = piece.at;
        for (offset, mark) in &piece.marks {
            let at = text.len() + offset;
            match *mark {
                Mark::Alternative(id) => {
                    let start = open.last().map_or(at, |&(_, start)| start);
                    regions.push(Region { id, alternative: (at, at), site: (start, at) });
                }
                Mark::AlternativeEnd(id) => {
                    if let Some(region) = regions.iter_mut().rev().find(|region| region.id == id) {
                        region.alternative.1 = at;
                        region.site.1 = at;
                    }
                }
                Mark::Site(number) => open.push((number, at)),
                Mark::SiteEnd(number) => {
                    let ids = &sites[number].alternatives;
                    for region in regions.iter_mut().filter(|r| ids.iter().any(|a| a.id == r.id)) {
                        region.site.1 = at;
                    }
                    open.retain(|&(other, _)| other != number);
                }
            }
        }
        text.push_str(&piece.text);
    }
    text.push_str(&source[copied..]);
    Planted { text, regions }
}

/// The texts that one site inserts.
fn pieces_of(number: usize, site: &Site, alternatives: &[&Alternative]) -> Vec<Piece> {
    let mut text = String::new();
    let mut marks = vec![(0, Mark::Site(number))];
    let (start, end) = (site.start as isize, site.end as isize);
    let sequence = number as isize;
    if site.form == Form::Insertion {
        for alternative in alternatives {
            marks.push((text.len(), Mark::Alternative(alternative.id)));
            text.push_str(&alternative.text.replace(ON, &switch(alternative.id)));
            marks.push((text.len(), Mark::AlternativeEnd(alternative.id)));
        }
        marks.push((text.len(), Mark::SiteEnd(number)));
        return vec![Piece { at: site.start, order: (1, sequence, 0), text, marks }];
    }
    if site.form == Form::Expression {
        text.push('(');
    }
    for alternative in alternatives {
        text.push_str(&format!("if {} {{ ", switch(alternative.id)));
        marks.push((text.len(), Mark::Alternative(alternative.id)));
        text.push_str(&alternative.text);
        marks.push((text.len(), Mark::AlternativeEnd(alternative.id)));
        text.push_str(" } else ");
    }
    text.push_str("{ ");
    let closing = if site.form == Form::Expression { " })" } else { " }" };
    vec![
        Piece { at: site.start, order: (2, -end, sequence), text, marks },
        Piece {
            at: site.end,
            order: (0, -start, -sequence),
            text: closing.to_owned(),
            marks: vec![(closing.len(), Mark::SiteEnd(number))],
        },
    ]
}

fn switch(id: u32) -> String {
    format!("{SWITCH}({id})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(start: usize, end: usize, form: Form, id: u32, text: &str) -> Site {
        let alternatives =
            vec![Alternative { id, change: String::new(), text: text.to_owned(), is_break: false }];
        Site { start, end, form, function: String::new(), alternatives }
    }

    #[test]
    fn nested_sites_that_start_and_end_together_are_nested_in_the_text() {
        // "a < b" as a whole, and its right operand.
        let sites = [site(0, 5, Form::Expression, 1, "a > b"), site(4, 5, Form::Expression, 2, "c")];
        let planted = plant("a < b", &sites, &HashSet::new());
        assert_eq!(
            planted.text,
            "(if crate::mutant_switch::on(1) { a > b } else { a < (if crate::mutant_switch::on(2) { c } else { b }) })"
        );
        let inner = planted.regions.iter().find(|region| region.id == 2).unwrap();
        assert_eq!(&planted.text[inner.alternative.0..inner.alternative.1], "c");
        assert!(planted.text[inner.site.0..inner.site.1].starts_with("(if crate::mutant_switch::on(2)"));
        let outer = planted.regions.iter().find(|region| region.id == 1).unwrap();
        assert_eq!(outer.site, (0, planted.text.len()));
    }

    #[test]
    fn dropped_mutants_leave_the_text_as_it_was() {
        let sites = [site(0, 4, Form::Statement, 7, "")];
        assert_eq!(plant("f();", &sites, &HashSet::from([7])).text, "f();");
        assert_eq!(
            plant("f();", &sites, &HashSet::new()).text,
            "if crate::mutant_switch::on(7) {  } else { f(); }"
        );
    }

    #[test]
    fn insertions_come_after_what_ends_at_their_point() {
        let sites = [site(0, 1, Form::Expression, 1, "y"), site(1, 1, Form::Insertion, 2, " && !$on")];
        assert_eq!(
            plant("x {", &sites, &HashSet::new()).text,
            "(if crate::mutant_switch::on(1) { y } else { x }) && !crate::mutant_switch::on(2) {"
        );
    }
}
