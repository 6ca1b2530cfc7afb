//! What the rewriter changes and what it leaves alone.

use std::collections::HashSet;

use crate::scan::{Grain, scan};
use crate::site::plant;

/// Every change of a source file, as "change: text".
fn changes_with(grain: Grain, source: &str) -> Vec<String> {
    let sites = scan(source, grain, 0).unwrap();
    let planted = plant(source, &sites, &HashSet::new());
    syn::parse_file(&planted.text).unwrap_or_else(|error| panic!("{error}: {}", planted.text));
    let alternatives = sites.iter().flat_map(|site| &site.alternatives);
    alternatives.map(|it| format!("{}: {}", it.change, it.text)).collect()
}

fn changes(source: &str) -> Vec<String> {
    changes_with(Grain::Coarse, source)
}

fn fine_changes(source: &str) -> Vec<String> {
    changes_with(Grain::Fine, source)
}

/// The changes of an expression.
fn changes_of(expression: &str) -> Vec<String> {
    changes(&in_function(expression))
}

fn in_function(expression: &str) -> String {
    format!("fn f() -> u32 {{ let x = {expression}; x }}")
}

#[test]
fn comparisons_are_negated_and_with_a_fine_grain_get_another_boundary() {
    assert_eq!(changes_of("a < b"), ["< to >=: (a) >= (b)"]);
    assert_eq!(changes_of("a == b"), ["== to !=: (a) != (b)"]);
    assert_eq!(fine_changes(&in_function("a < b")), ["< to >=: (a) >= (b)", "< to <=: (a) <= (b)"]);
}

#[test]
fn conditions_change_with_a_fine_grain_unless_their_operator_does() {
    let called = "fn f() -> u32 { if a() { b } else { c } }";
    assert_eq!(changes(called), [""; 0]);
    assert_eq!(fine_changes(called), ["condition negated: !(a())"]);
    assert_eq!(changes("fn f() -> u32 { if a < b { c } else { d } }"), ["< to >=: (a) >= (b)"]);
    assert_eq!(fine_changes("fn f() -> u32 { if !a { c } else { d } }"), ["! dropped: a"]);
    assert_eq!(
        fine_changes("fn f() -> u32 { while a() { b } c }"),
        ["condition never holds: false"],
        "a loop without an end tells nothing"
    );
}

#[test]
fn a_file_that_only_tests_use_is_left_alone() {
    assert_eq!(changes("#![cfg(test)]\n\nfn f() -> bool { a < b }"), [""; 0]);
}

#[test]
fn conjunctions_become_disjunctions() {
    assert_eq!(changes_of("a && b()"), ["&& to ||: (a) || (b())"]);
    assert_eq!(changes_of("a || b"), ["|| to &&: (a) && (b)"]);
}

#[test]
fn conditions_that_bind_names_lose_an_operand() {
    let source = "fn f() -> u32 { if let Some(x) = y && ready { x } else { z } }";
    assert_eq!(changes(source), ["`ready` dropped from &&: true"]);
    let sites = scan(source, Grain::Fine, 5).unwrap();
    let planted = plant(source, &sites, &HashSet::new()).text;
    assert!(planted.contains("{ ready }) && !crate::mutant_switch::on(5) { x }"), "{planted}");
}

#[test]
fn arithmetic_and_signs_change() {
    assert_eq!(changes_of("a + b * c"), ["+ to -: (a) - (b * c)", "* to /: (b) / (c)"]);
    assert_eq!(changes_of("-a"), ["- dropped: a"]);
    assert_eq!(changes_of("!a"), ["! dropped: a"]);
    assert_eq!(changes_of("a.max(b)"), ["max to min: a.min(b)"]);
}

#[test]
fn literals_and_constants_change_with_a_fine_grain_unless_an_operator_beside_them_does() {
    let fine = |expression| fine_changes(&in_function(expression));
    assert_eq!(changes_of("7"), [""; 0]);
    assert_eq!(fine("7"), ["7 plus 1: (1 + 7)"]);
    assert_eq!(fine("-0.5"), ["0.5 doubled: (2.0 * 0.5)"]);
    assert_eq!(fine("0.0_f32"), ["0.0_f32 plus 1: (1.0 + 0.0_f32)"]);
    assert_eq!(fine("limits::MAX_STEPS"), ["MAX_STEPS doubled: (limits::MAX_STEPS + limits::MAX_STEPS)"]);
    assert_eq!(fine("a + -7"), ["+ to -: (a) - (-7)"]);
    assert_eq!(fine("[a; 7]"), [""; 0]);
}

#[test]
fn statements_are_dropped() {
    assert_eq!(changes("fn f() { g(a); }"), ["call dropped: "]);
    assert_eq!(changes("fn f() { a.b = c; }"), ["assignment dropped: "]);
    assert_eq!(
        changes("fn f() { a += b; }"),
        ["`f` returns ():  if $on { return (); }", "+= to -=: a -= b;"]
    );
    assert_eq!(changes("fn f() -> u32 { let a = g(b); a }"), [""; 0]);
    assert_eq!(changes("fn f() -> u32 { a.reserve(b); a }"), [""; 0]);
    assert_eq!(changes("fn f() -> u32 { check(a)?; a }"), [""; 0]);
    assert_eq!(fine_changes("fn f() -> u32 { check(a)?; a }"), ["call dropped: "]);
}

#[test]
fn functions_return_early() {
    let found = changes("fn f() -> bool { g() }");
    assert_eq!(
        found,
        ["`f` returns true:  if $on { return true; }", "`f` returns false:  if $on { return false; }"]
    );
    assert_eq!(changes("fn f() -> bool { a == b }"), ["== to !=: (a) != (b)"]);
    assert_eq!(changes("fn f() -> Option<u32> { g() }"), ["`f` returns None:  if $on { return None; }"]);
    let found = changes("fn f() -> Result<(), Error> { g() }");
    assert_eq!(found, ["`f` returns Ok(()):  if $on { return Ok(()); }"]);
    assert_eq!(changes("fn f() -> Result<u32, Error> { g() }"), [""; 0]);
    assert_eq!(changes("fn f() { let a = g(); h(&a); }"), ["call dropped: "]);
    assert_eq!(changes("fn f() { for a in b { c } }"), ["`f` returns ():  if $on { return (); }"]);
    // What it returns anyway is no change.
    assert_eq!(changes("fn f() -> Option<u32> { None }"), [""; 0]);
    assert_eq!(changes("fn f() -> Result<(), Error> { Ok(()) }"), [""; 0]);
    let found = changes("fn f(a: u32) -> bool { let _ = a; true }");
    assert_eq!(found, ["`f` returns false:  if $on { return false; }"]);
}

#[test]
fn arms_are_dropped_where_another_takes_their_place() {
    let found = changes("fn f() -> u32 { match a { A | B => c, D if e => g, _ => h } }");
    assert_eq!(found, ["arm `A | B` dropped:  if !$on", "condition negated: !(e)"]);
    assert_eq!(changes("fn f() -> u32 { match a { A => b(), C => d } }"), [""; 0]);
    assert_eq!(fine_changes("fn f() -> u32 { match a { A => b(), C => d } }"), ["arm does nothing: ()"]);
}

#[test]
fn what_is_computed_before_the_program_runs_is_left_alone() {
    assert_eq!(changes("const A: u32 = 1 + 2; static B: u32 = 3; enum C { D = 4 }"), [""; 0]);
    assert_eq!(changes("const fn f() -> bool { a < b } struct S { t: [u8; 5] }"), [""; 0]);
    assert_eq!(
        changes("fn f(a: [u8; 3]) -> u32 { let [b, 1..=2] = a else { return c }; g::<7>(b) }"),
        [""; 0]
    );
}

#[test]
fn tests_macros_and_what_needs_no_feature_are_left_alone() {
    assert_eq!(changes("#[cfg(test)] mod tests { fn f() -> bool { a < b } }"), [""; 0]);
    let of_a_feature = "#[cfg(all(test, feature = \"serde\"))] mod tests { fn f() -> bool { a < b } }";
    assert_eq!(changes(of_a_feature), [""; 0]);
    assert_eq!(changes("#[cfg(not(feature = \"serde\"))] fn f() -> bool { a < b }"), [""; 0]);
    assert_eq!(changes("fn f() -> u32 { debug_assert!(a < b); c }"), [""; 0]);
    assert_ne!(changes("#[cfg(feature = \"serde\")] fn f() -> bool { a < b }"), [""; 0]);
}
