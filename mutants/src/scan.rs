//! Finds what can be changed in a source file.

use std::collections::HashSet;
use std::ops::Range;

use anyhow::Context as _;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Block, Expr, Lit, Pat, ReturnType, Signature, Stmt, Type, UnOp};

use crate::site::{Alternative, Form, ON, Site};

/// Which mutants are planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Operators, results, arms, guards, calls and assignments.
    Coarse,
    /// Whole conditions, the boundaries of comparisons, literals, named constants and checks as well.
    Fine,
}

/// Finds the mutants of a source file. Their numbers begin with `first_id`.
pub fn scan(source: &str, grain: Grain, first_id: u32) -> anyhow::Result<Vec<Site>> {
    let file = syn::parse_file(source).context("not valid Rust")?;
    if is_left_out(&file.attrs) {
        return Ok(Vec::new());
    }
    let mut scan = Scan {
        source,
        grain,
        next_id: first_id,
        function: String::new(),
        sites: Vec::new(),
        beside_operator: HashSet::new(),
    };
    scan.visit_file(&file);
    Ok(scan.sites)
}

struct Scan<'s> {
    source: &'s str,
    grain: Grain,
    next_id: u32,
    /// The name of the function that is being visited.
    function: String,
    sites: Vec<Site>,
    /// Operands of operators that are changed: another number there would tell little more.
    beside_operator: HashSet<(usize, usize)>,
}

impl Scan<'_> {
    fn site(&mut self, at: Range<usize>, form: Form, changes: &[(String, String)]) {
        let mut alternatives = Vec::new();
        for (change, text) in changes {
            let (change, text) = (change.clone(), text.clone());
            alternatives.push(Alternative { id: self.next_id, change, text, is_break: false });
            self.next_id += 1;
        }
        let function = self.function.clone();
        self.sites.push(Site { start: at.start, end: at.end, form, function, alternatives });
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

    /// The condition of an `if`, a `while` or a guard. Comparisons and operators in it have mutants of their own.
    fn condition(&mut self, condition: &Expr, is_loop: bool) {
        match condition {
            Expr::Binary(_) if !has_let(condition) => {}
            Expr::Unary(_) | Expr::Lit(_) | Expr::Paren(_) => {}
            _ if has_let(condition) => {
                self.insertion(range(condition).end, "condition never holds", &format!(" && !{ON}"));
            }
            _ if is_loop => self.expression(condition, &[change_to("condition never holds", "false")]),
            _ => {
                let negated = format!("!({})", self.text(condition));
                self.expression(condition, &[change_to("condition negated", &negated)]);
            }
        }
    }

    fn binary(&mut self, node: &syn::ExprBinary) {
        let operator = self.text(&node.op).to_owned();
        let (left, right) = (self.text(&node.left).to_owned(), self.text(&node.right).to_owned());
        if has_let(&node.left) || has_let(&node.right) {
            if !has_let(&node.right) {
                let change = format!("`{}` dropped from {operator}", shortened(&right));
                self.expression(&node.right, &[change_to(&change, "true")]);
            }
            return;
        }
        let swaps = swapped_operators(&node.op, self.grain);
        if swaps.is_empty() {
            return;
        }
        for operand in [&node.left, &node.right] {
            let at = range(without_sign(operand));
            self.beside_operator.insert((at.start, at.end));
        }
        let changes: Vec<_> = swaps
            .iter()
            .map(|swap| change_to(&format!("{operator} to {swap}"), &format!("({left}) {swap} ({right})")))
            .collect();
        self.expression(node, &changes);
    }

    fn is_beside_operator(&self, node: &impl Spanned) -> bool {
        let at = range(node);
        self.beside_operator.contains(&(at.start, at.end))
    }

    fn unary(&mut self, node: &syn::ExprUnary) {
        let operand = self.text(&node.expr).to_owned();
        let is_literal = matches!(&*node.expr, Expr::Lit(_));
        match node.op {
            UnOp::Not(_) => self.expression(node, &[change_to("! dropped", &operand)]),
            UnOp::Neg(_) if !is_literal => self.expression(node, &[change_to("- dropped", &operand)]),
            _ => {}
        }
    }

    fn literal(&mut self, literal: &syn::ExprLit) {
        if self.is_beside_operator(literal) {
            return;
        }
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
        if is_constant && !self.is_beside_operator(node) && !of_the_language.contains(&name.as_str()) {
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
                Pat::Guard(guarded) => self.condition(&guarded.guard, false),
                Pat::Wild(_) => {}
                pattern if has_rest => {
                    let change = format!("arm `{}` dropped", shortened(self.text(pattern)));
                    self.insertion(range(pattern).end, &change, &format!(" if !{ON}"));
                }
                _ => {}
            }
            let is_dropped = has_rest && !matches!(&arm.pat, Pat::Guard(_) | Pat::Wild(_));
            if self.grain == Grain::Fine
                && !is_dropped
                && matches!(&*arm.body, Expr::Call(_) | Expr::MethodCall(_))
            {
                self.expression(&arm.body, &[change_to("arm does nothing", "()")]);
            }
        }
    }

    /// Visits a function, unless it is left alone.
    fn function(&mut self, attributes: &[Attribute], signature: &Signature, body: &Block) {
        if is_left_out(attributes) || signature.constness.is_some() || signature.ident == "fmt" {
            return;
        }
        let outer = std::mem::replace(&mut self.function, signature.ident.to_string());
        self.returned(signature, body);
        self.visit_block(body);
        self.function = outer;
    }

    /// What is returned at the beginning of a function instead of running it.
    fn returned(&mut self, signature: &Signature, body: &Block) {
        let start = range(&body.brace_token.span.open()).end;
        let returned: &[&str] = match &signature.output {
            // The statements are left out one by one.
            ReturnType::Default if body.stmts.iter().any(|it| self.can_be_dropped(it)) => &[],
            ReturnType::Default if body.stmts.is_empty() => &[],
            ReturnType::Default => &["()"],
            ReturnType::Type(_, of) => match &**of {
                Type::Path(path) if path.path.is_ident("bool") => match body.stmts.as_slice() {
                    // The operator is changed.
                    [Stmt::Expr(Expr::Binary(_) | Expr::Unary(_), None)] => &[],
                    _ => &["true", "false"],
                },
                Type::Path(path) if is_named(path, "Option") => &["None"],
                Type::Path(path) if is_named(path, "Result") && returns_nothing(path) => &["Ok(())"],
                _ => &[],
            },
        };
        // What the function returns anyway would be no change.
        let own = constant_result(body).map(|result| self.text(result).to_owned());
        for value in returned.iter().filter(|value| own.as_deref() != Some(**value)) {
            let change = format!("`{}` returns {value}", signature.ident);
            self.insertion(start, &change, &format!(" if {ON} {{ return {value}; }}"));
        }
    }

    fn can_be_dropped(&self, node: &Stmt) -> bool {
        match node {
            Stmt::Expr(Expr::Call(_) | Expr::Assign(_), Some(_)) => true,
            Stmt::Expr(Expr::MethodCall(call), Some(_)) => !is_about_capacity(&call.method),
            Stmt::Expr(Expr::Try(_), Some(_)) => self.grain == Grain::Fine,
            _ => false,
        }
    }

    fn statement(&mut self, node: &Stmt) {
        let Stmt::Expr(expression, Some(_)) = node else { return };
        let changes = match expression {
            Expr::Call(_) | Expr::MethodCall(_) | Expr::Try(_) if self.can_be_dropped(node) => {
                vec![change_to("call dropped", "")]
            }
            Expr::Assign(_) => vec![change_to("assignment dropped", "")],
            Expr::Binary(binary) if is_assignment(&binary.op) => {
                let operator = self.text(&binary.op).to_owned();
                match swapped_operators(&binary.op, self.grain) {
                    [] => vec![change_to("assignment dropped", "")],
                    swaps => {
                        let at = range(without_sign(&binary.right));
                        self.beside_operator.insert((at.start, at.end));
                        let (left, right) = (self.text(&binary.left), self.text(&binary.right));
                        let swapped = |swap| {
                            change_to(&format!("{operator} to {swap}"), &format!("{left} {swap} {right};"))
                        };
                        swaps.iter().map(swapped).collect()
                    }
                }
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
            Expr::Lit(node) if self.grain == Grain::Fine => self.literal(node),
            Expr::Path(node) if self.grain == Grain::Fine => self.constant(node),
            Expr::If(node) if self.grain == Grain::Fine => self.condition(&node.cond, false),
            Expr::While(node) if self.grain == Grain::Fine => self.condition(&node.cond, true),
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
        self.function(&node.attrs, &node.sig, &node.block);
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        self.function(&node.attrs, &node.sig, &node.block);
    }

    fn visit_trait_item_fn(&mut self, node: &'ast syn::TraitItemFn) {
        if let Some(body) = &node.default {
            self.function(&node.attrs, &node.sig, body);
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

/// Whether a call only sees to it that there is room, which changes no result.
fn is_about_capacity(method: &syn::Ident) -> bool {
    ["reserve", "reserve_exact", "shrink_to", "shrink_to_fit"].iter().any(|name| method == name)
}

fn is_named(path: &syn::TypePath, name: &str) -> bool {
    path.path.segments.last().is_some_and(|segment| segment.ident == name)
}

/// The expression that a function consists of, apart from parameters that it says it does not use.
fn constant_result(body: &Block) -> Option<&Expr> {
    let is_unused = |it: &Stmt| matches!(it, Stmt::Local(local) if matches!(local.pat, Pat::Wild(_)));
    match body.stmts.split_last()? {
        (Stmt::Expr(result, None), before) if before.iter().all(is_unused) => Some(result),
        _ => None,
    }
}

/// Whether the first argument of a type is `()`.
fn returns_nothing(path: &syn::TypePath) -> bool {
    let Some(syn::PathArguments::AngleBracketed(arguments)) =
        path.path.segments.last().map(|it| &it.arguments)
    else {
        return false;
    };
    matches!(arguments.args.first(), Some(syn::GenericArgument::Type(Type::Tuple(tuple))) if tuple.elems.is_empty())
}

/// A number without its sign.
fn without_sign(node: &Expr) -> &Expr {
    match node {
        Expr::Unary(syn::ExprUnary { op: UnOp::Neg(_), expr, .. }) => expr,
        _ => node,
    }
}

/// The operators that are tried instead of one.
fn swapped_operators(operator: &BinOp, grain: Grain) -> &'static [&'static str] {
    match operator {
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::Lt(_) if grain == Grain::Fine => &[">=", "<="],
        BinOp::Le(_) if grain == Grain::Fine => &[">", "<"],
        BinOp::Gt(_) if grain == Grain::Fine => &["<=", ">="],
        BinOp::Ge(_) if grain == Grain::Fine => &["<", ">"],
        BinOp::Lt(_) => &[">="],
        BinOp::Le(_) => &[">"],
        BinOp::Gt(_) => &["<="],
        BinOp::Ge(_) => &["<"],
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
                    let only_tests = condition == "test" || condition.starts_with("all (test");
                    only_tests || condition.starts_with("not")
                })
    })
}
