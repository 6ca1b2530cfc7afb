//! Finds what can be changed in a source file.

use std::collections::HashSet;
use std::ops::Range;

use anyhow::Context as _;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Block, Expr, Lit, Pat, ReturnType, Signature, Stmt, Type, UnOp};

use crate::site::{Alternative, Form, ON, Site};

/// Finds the mutants of a source file. Their numbers begin with `first_id`.
pub fn scan(source: &str, first_id: u32) -> anyhow::Result<Vec<Site>> {
    let file = syn::parse_file(source).context("not valid Rust")?;
    let mut scan = Scan { source, next_id: first_id, sites: Vec::new(), forced: HashSet::new() };
    scan.visit_file(&file);
    Ok(scan.sites)
}

struct Scan<'s> {
    source: &'s str,
    next_id: u32,
    sites: Vec<Site>,
    /// Expressions that are already replaced by `true` or `false`: to negate them as well would tell nothing new.
    forced: HashSet<(usize, usize)>,
}

impl Scan<'_> {
    fn site(&mut self, at: Range<usize>, form: Form, changes: &[(String, String)]) {
        let mut alternatives = Vec::new();
        for (change, text) in changes {
            alternatives.push(Alternative { id: self.next_id, change: change.clone(), text: text.clone() });
            self.next_id += 1;
        }
        self.sites.push(Site { start: at.start, end: at.end, form, alternatives });
    }

    fn expression(&mut self, node: &impl Spanned, changes: &[(String, String)]) {
        self.site(range(node), Form::Expression, changes);
    }

    /// A point at which the program asks for the mutant; `text` contains [`ON`].
    fn insertion(&mut self, at: usize, change: &str, text: &str) {
        self.site(at..at, Form::Insertion, &[change_to(change, text)]);
    }

    fn text(&self, node: &impl Spanned) -> &str {
        &self.source[range(node)]
    }

    /// The condition of an `if`, a `while` or a guard.
    fn condition(&mut self, condition: &Expr, may_be_true: bool) {
        if has_let(condition) {
            self.insertion(range(condition).end, "condition never holds", &format!(" && !{ON}"));
            return;
        }
        let mut changes = vec![change_to("condition never holds", "false")];
        if may_be_true {
            changes.push(change_to("condition always holds", "true"));
        }
        self.force(condition, &changes);
    }

    fn force(&mut self, node: &Expr, changes: &[(String, String)]) {
        let at = range(node);
        self.forced.insert((at.start, at.end));
        self.expression(node, changes);
    }

    fn is_forced(&self, node: &impl Spanned) -> bool {
        let at = range(node);
        self.forced.contains(&(at.start, at.end))
    }

    fn binary(&mut self, node: &syn::ExprBinary) {
        if let Some(neutral) = neutral_operand(&node.op) {
            let operator = self.text(&node.op).to_owned();
            let left_is_chain =
                matches!(&*node.left, Expr::Binary(left) if neutral_operand(&left.op) == Some(neutral));
            for (side, operand) in [("left", &node.left), ("right", &node.right)] {
                if !(has_let(operand) || side == "left" && left_is_chain) {
                    let operand_text = shortened(self.text(operand));
                    self.force(
                        operand,
                        &[change_to(&format!("`{operand_text}` dropped from {operator}"), neutral)],
                    );
                }
            }
            return;
        }
        let swaps = swapped_operators(&node.op, self.is_forced(node));
        if swaps.is_empty() {
            return;
        }
        let (left, right) = (self.text(&node.left).to_owned(), self.text(&node.right).to_owned());
        let operator = self.text(&node.op).to_owned();
        let changes: Vec<_> = swaps
            .iter()
            .map(|swap| change_to(&format!("{operator} to {swap}"), &format!("({left}) {swap} ({right})")))
            .collect();
        self.expression(node, &changes);
    }

    fn unary(&mut self, node: &syn::ExprUnary) {
        let operand = self.text(&node.expr).to_owned();
        let is_literal = matches!(&*node.expr, Expr::Lit(_));
        match node.op {
            UnOp::Not(_) if !self.is_forced(node) => {
                self.expression(node, &[change_to("! dropped", &operand)])
            }
            UnOp::Neg(_) if !is_literal => self.expression(node, &[change_to("- dropped", &operand)]),
            _ => {}
        }
    }

    fn literal(&mut self, literal: &syn::ExprLit) {
        let text = self.text(literal).to_owned();
        match &literal.lit {
            Lit::Int(_) => {
                self.expression(literal, &[change_to(&format!("{text} plus 1"), &format!("(1 + {text})"))])
            }
            Lit::Float(float) if float.base10_parse::<f64>().is_ok_and(|value| value == 0.0) => {
                self.expression(literal, &[change_to(&format!("{text} plus 1"), &format!("(1.0 + {text})"))]);
            }
            Lit::Float(_) => {
                self.expression(
                    literal,
                    &[change_to(&format!("{text} doubled"), &format!("(2.0 * {text})"))],
                );
            }
            _ => {}
        }
    }

    /// A constant of the engine. If it cannot be added to itself, the compiler says so and the mutant is dropped.
    fn constant(&mut self, node: &syn::ExprPath) {
        let Some(last) = node.path.segments.last() else { return };
        let name = last.ident.to_string();
        let is_constant = name.len() > 1 && !name.chars().any(char::is_lowercase) && last.arguments.is_none();
        let of_the_language = ["MAX", "MIN", "INFINITY", "NEG_INFINITY", "NAN", "ZERO", "IDENTITY"];
        if is_constant && !of_the_language.contains(&name.as_str()) {
            let text = self.text(node).to_owned();
            self.expression(node, &[change_to(&format!("{name} doubled"), &format!("({text} + {text})"))]);
        }
    }

    fn method(&mut self, node: &syn::ExprMethodCall) {
        let method = node.method.to_string();
        let other = match method.as_str() {
            "min" => "max",
            "max" => "min",
            _ => return,
        };
        let at = range(node);
        let name = range(&node.method);
        let text = format!("{}{other}{}", &self.source[at.start..name.start], &self.source[name.end..at.end]);
        self.expression(node, &[change_to(&format!("{method} to {other}"), &text)]);
    }

    fn arms(&mut self, node: &syn::ExprMatch) {
        let has_rest = node.arms.last().is_some_and(|arm| matches!(arm.pat, Pat::Wild(_)));
        for arm in &node.arms {
            match &arm.pat {
                Pat::Guard(guarded) => self.condition(&guarded.guard, true),
                Pat::Wild(_) => {}
                pattern if has_rest => {
                    let change = format!("arm `{}` dropped", shortened(self.text(pattern)));
                    self.insertion(range(pattern).end, &change, &format!(" if !{ON}"));
                }
                _ => {}
            }
            if matches!(&*arm.body, Expr::Call(_) | Expr::MethodCall(_)) {
                self.expression(&arm.body, &[change_to("arm does nothing", "()")]);
            }
        }
    }

    /// What is returned at the beginning of a function instead of running it.
    fn function(&mut self, attributes: &[Attribute], signature: &Signature, body: &Block) -> bool {
        if is_left_out(attributes) || signature.constness.is_some() || signature.ident == "fmt" {
            return false;
        }
        let start = range(&body.brace_token.span.open()).end;
        let returned: &[&str] = match &signature.output {
            ReturnType::Default => {
                let one_statement = matches!(body.stmts.as_slice(), [] | [Stmt::Expr(_, Some(_))]);
                if one_statement { &[] } else { &["()"] }
            }
            ReturnType::Type(_, of) => match &**of {
                Type::Path(path) if path.path.is_ident("bool") => &["true", "false"],
                Type::Path(path) if path.path.segments.last().is_some_and(|s| s.ident == "Option") => {
                    &["None"]
                }
                _ => &[],
            },
        };
        for value in returned {
            let change = format!("`{}` returns {value}", signature.ident);
            self.insertion(start, &change, &format!(" if {ON} {{ return {value}; }}"));
        }
        true
    }

    fn statement(&mut self, node: &Stmt) {
        let Stmt::Expr(expression, Some(_)) = node else { return };
        let changes = match expression {
            Expr::Call(_) | Expr::MethodCall(_) | Expr::Try(_) => vec![change_to("call dropped", "")],
            Expr::Assign(_) => vec![change_to("assignment dropped", "")],
            Expr::Binary(binary) if is_assignment(&binary.op) => {
                let mut changes = vec![change_to("assignment dropped", "")];
                let operator = self.text(&binary.op).to_owned();
                for swap in swapped_operators(&binary.op, false) {
                    let (left, right) = (self.text(&binary.left), self.text(&binary.right));
                    changes.push(change_to(
                        &format!("{operator} to {swap}"),
                        &format!("{left} {swap} {right};"),
                    ));
                }
                changes
            }
            _ => return,
        };
        self.site(range(node), Form::Statement, &changes);
    }
}

impl<'ast> Visit<'ast> for Scan<'_> {
    fn visit_expr(&mut self, node: &'ast Expr) {
        match node {
            Expr::Binary(node) if !is_assignment(&node.op) => self.binary(node),
            Expr::Unary(node) => self.unary(node),
            Expr::Lit(node) => self.literal(node),
            Expr::Path(node) => self.constant(node),
            Expr::If(node) => self.condition(&node.cond, true),
            Expr::While(node) => self.condition(&node.cond, false),
            Expr::MethodCall(node) => self.method(node),
            Expr::Match(node) => {
                self.arms(node);
                for arm in &node.arms {
                    if let Pat::Guard(guarded) = &arm.pat {
                        self.visit_expr(&guarded.guard);
                    }
                }
            }
            // The length must be constant.
            Expr::Repeat(node) => return self.visit_expr(&node.expr),
            Expr::Const(_) => return,
            _ => {}
        }
        visit::visit_expr(self, node);
    }

    fn visit_stmt(&mut self, node: &'ast Stmt) {
        self.statement(node);
        visit::visit_stmt(self, node);
    }

    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        if self.function(&node.attrs, &node.sig, &node.block) {
            self.visit_block(&node.block);
        }
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        if self.function(&node.attrs, &node.sig, &node.block) {
            self.visit_block(&node.block);
        }
    }

    fn visit_trait_item_fn(&mut self, node: &'ast syn::TraitItemFn) {
        if let Some(body) = &node.default
            && self.function(&node.attrs, &node.sig, body)
        {
            self.visit_block(body);
        }
    }

    fn visit_item_mod(&mut self, node: &'ast syn::ItemMod) {
        if !is_left_out(&node.attrs) {
            visit::visit_item_mod(self, node);
        }
    }

    fn visit_item_impl(&mut self, node: &'ast syn::ItemImpl) {
        if !is_left_out(&node.attrs) {
            visit::visit_item_impl(self, node);
        }
    }

    // Patterns, types and attributes compute nothing; constants are computed before the program runs.
    fn visit_pat(&mut self, _: &'ast Pat) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
}

fn change_to(change: &str, text: &str) -> (String, String) {
    (change.to_owned(), text.to_owned())
}

fn range(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

/// One line of at most 60 characters.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Whether a condition binds names.
pub fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(node) => {
            matches!(node.op, BinOp::And(_)) && (has_let(&node.left) || has_let(&node.right))
        }
        _ => false,
    }
}

/// What an operand of `&&` or `||` is if it does not matter.
fn neutral_operand(operator: &BinOp) -> Option<&'static str> {
    match operator {
        BinOp::And(_) => Some("true"),
        BinOp::Or(_) => Some("false"),
        _ => None,
    }
}

/// The operators that are tried instead of one. Those that negate are left out if the expression `is_forced`.
fn swapped_operators(operator: &BinOp, is_forced: bool) -> &'static [&'static str] {
    match operator {
        BinOp::Lt(_) if is_forced => &["<="],
        BinOp::Le(_) if is_forced => &["<"],
        BinOp::Gt(_) if is_forced => &[">="],
        BinOp::Ge(_) if is_forced => &[">"],
        BinOp::Eq(_) | BinOp::Ne(_) if is_forced => &[],
        BinOp::Lt(_) => &["<=", ">="],
        BinOp::Le(_) => &["<", ">"],
        BinOp::Gt(_) => &[">=", "<="],
        BinOp::Ge(_) => &[">", "<"],
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::Add(_) => &["-"],
        BinOp::Sub(_) => &["+"],
        BinOp::Mul(_) => &["/"],
        BinOp::Div(_) | BinOp::Rem(_) => &["*"],
        BinOp::BitAnd(_) => &["|"],
        BinOp::BitOr(_) => &["&"],
        BinOp::Shl(_) => &[">>"],
        BinOp::Shr(_) => &["<<"],
        BinOp::AddAssign(_) => &["-="],
        BinOp::SubAssign(_) => &["+="],
        BinOp::MulAssign(_) => &["/="],
        BinOp::DivAssign(_) => &["*="],
        _ => &[],
    }
}

fn is_assignment(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// Whether an item is a test, or compiled only without a feature.
fn is_left_out(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.meta.require_list().is_ok_and(|list| {
                    let condition = list.tokens.to_string();
                    condition == "test" || condition.starts_with("not")
                })
    })
}
