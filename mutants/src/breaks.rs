//! Plants changes that were written by hand.

use std::ops::Range;

use anyhow::{Context as _, bail};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Stmt};

use crate::lists::Break;
use crate::site::{Alternative, Form, Site};

/// Plants a break with the number `id`: the smallest expression, statement or function body around it gets an alternative.
pub fn break_site(planned: &Break, source: &str, id: u32) -> anyhow::Result<Site> {
    let wanted = planned.text.as_str();
    let places: Vec<_> = source.match_indices(wanted).map(|(start, _)| start).collect();
    let &[start] = places.as_slice() else {
        bail!("`{wanted}` occurs {} times, not once", places.len());
    };
    let (before, after) = common_ends(wanted, &planned.replacement);
    let changed = start + before..start + wanted.len() - after;
    let replacement = &planned.replacement[before..planned.replacement.len() - after];

    let file = syn::parse_file(source).context("not valid Rust")?;
    let mut around = Around { changed: changed.clone(), nodes: Vec::new() };
    around.visit_file(&file);
    // Of equal size, the outer one comes first: a statement and not its expression.
    around.nodes.sort_by_key(|(at, _)| at.len());
    for (at, form) in around.nodes {
        let text =
            format!("{}{replacement}{}", &source[at.start..changed.start], &source[changed.end..at.end]);
        let is_valid = match form {
            // A declaration is parsed as an expression that only a condition may have.
            Form::Expression => syn::parse_str::<Expr>(&text).is_ok_and(|it| !matches!(it, Expr::Let(_))),
            Form::Statement | Form::Insertion => syn::parse_str::<Block>(&format!("{{ {text} }}")).is_ok(),
        };
        if is_valid {
            let change = format!("{} {}", planned.rule, planned.what);
            let alternatives = vec![Alternative { id, change, text, is_break: true }];
            return Ok(Site { start: at.start, end: at.end, form, function: String::new(), alternatives });
        }
    }
    bail!("`{wanted}` is in no function, or its replacement is not valid Rust")
}

/// The lengths of what two texts have in common at their beginnings and ends.
fn common_ends(one: &str, two: &str) -> (usize, usize) {
    let pairs = one.char_indices().zip(two.chars());
    let before = pairs.take_while(|((_, a), b)| a == b).last().map_or(0, |((at, a), _)| at + a.len_utf8());
    let pairs = one[before..].chars().rev().zip(two[before..].chars().rev());
    let after = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    (before, after)
}

/// Collects what can get an alternative and contains the changed text.
struct Around {
    changed: Range<usize>,
    nodes: Vec<(Range<usize>, Form)>,
}

impl Around {
    fn offer(&mut self, at: Range<usize>, form: Form) {
        if at.start <= self.changed.start && self.changed.end <= at.end {
            self.nodes.push((at, form));
        }
    }

    fn body(&mut self, block: &Block) {
        let braces = &block.brace_token.span;
        self.offer(braces.open().byte_range().end..braces.close().byte_range().start, Form::Statement);
    }
}

impl<'ast> Visit<'ast> for Around {
    fn visit_block(&mut self, node: &'ast Block) {
        self.body(node);
        visit::visit_block(self, node);
    }

    fn visit_stmt(&mut self, node: &'ast Stmt) {
        if matches!(node, Stmt::Expr(..)) {
            self.offer(node.span().byte_range(), Form::Statement);
        }
        visit::visit_stmt(self, node);
    }

    fn visit_expr(&mut self, node: &'ast Expr) {
        // Names bound by a condition are needed outside of it, and no two closures have the same type.
        if !matches!(node, Expr::Let(_) | Expr::Closure(_)) && !crate::scan::has_let(node) {
            self.offer(node.span().byte_range(), Form::Expression);
        }
        match node {
            // A function or a target of an assignment cannot be chosen by a condition.
            Expr::Call(call) => call.args.iter().for_each(|argument| self.visit_expr(argument)),
            Expr::Assign(assignment) => self.visit_expr(&assignment.right),
            _ => visit::visit_expr(self, node),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alternative(source: &str, text: &str, replacement: &str) -> (String, String) {
        let planned = Break {
            rule: "A1".to_owned(),
            what: "nothing".to_owned(),
            file: String::new(),
            text: text.to_owned(),
            replacement: replacement.to_owned(),
        };
        let site = break_site(&planned, source, 3).unwrap();
        (source[site.start..site.end].to_owned(), site.alternatives[0].text.clone())
    }

    #[test]
    fn the_smallest_part_that_stays_valid_is_replaced() {
        let source = "fn f() -> u32 { if a || b(c) { d } else { e } }";
        assert_eq!(alternative(source, "if a || b", "if b"), ("a || b(c)".to_owned(), "b(c)".to_owned()));
        assert_eq!(alternative(source, "b(c)", "g(c)"), ("b(c)".to_owned(), "g(c)".to_owned()));
        let source = "fn f() { a.b = c; d(); }";
        assert_eq!(alternative(source, "d();", ""), ("d();".to_owned(), String::new()));
        assert_eq!(alternative(source, "a.b", "a.x"), ("a.b = c".to_owned(), "a.x = c".to_owned()));
        assert_eq!(alternative(source, "d();", "let _ = d;"), ("d();".to_owned(), "let _ = d;".to_owned()));
        let source = "fn f() { g(h.filter(|a| a > b)); }";
        let filter = ("h.filter(|a| a > b)".to_owned(), "h.filter(|_| false)".to_owned());
        assert_eq!(alternative(source, "|a| a > b", "|_| false"), filter);
    }

    #[test]
    fn every_break_of_the_repository_finds_its_place() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        for planned in crate::lists::read_breaks(&folder.join("breaks.toml")).unwrap() {
            let source = std::fs::read_to_string(folder.join("..").join(&planned.file)).unwrap();
            let site = break_site(&planned, &source, 0);
            assert!(site.is_ok(), "{} {}: {}", planned.rule, planned.what, site.unwrap_err());
        }
    }

    #[test]
    fn a_changed_declaration_replaces_the_block_that_it_is_in() {
        let source = "fn f() { let a = b; g(a); }";
        let (_, text) = alternative(source, "let a = b;", "let (a, c) = b;");
        assert_eq!(text.trim(), "let (a, c) = b; g(a);");
    }
}
