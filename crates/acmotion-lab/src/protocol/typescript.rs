//! Generates `page/src/protocol.ts` and tests that it is up to date.

use std::collections::BTreeMap;
use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

use super::{
    BodyFlags, BodyRecord, Command, Request, ServerMessage, TickFlags, TickHeader, api, binary, tick,
};

const HEADER: &str = "\
// Generated from crates/acmotion-lab/src/protocol by its test; do not edit. To refresh it:
// ACMOTION_UPDATE_TYPES=1 cargo test -p acmotion-lab --lib typescript
";

#[test]
fn the_typescript_types_of_the_page_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/src/protocol.ts");
    let generated = generate();
    if std::env::var_os("ACMOTION_UPDATE_TYPES").is_some_and(|value| value == "1") {
        std::fs::write(&path, generated).unwrap();
        return;
    }
    let current = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        current == generated,
        "page/src/protocol.ts does not match the types in src/protocol; refresh it with \
         ACMOTION_UPDATE_TYPES=1 cargo test -p acmotion-lab --lib typescript"
    );
}

fn generate() -> String {
    let mut types = Types { config: Config::new().with_large_int("number"), declarations: BTreeMap::new() };
    types.visit::<Request>();
    types.visit::<Command>();
    types.visit::<ServerMessage>();
    types.visit::<api::ErrorBody>();
    types.visit::<api::About>();
    types.visit::<api::TableList>();
    types.visit::<api::MotionTable>();
    types.visit::<api::Setup>();
    types.visit::<api::Clip>();
    types.visit::<api::Sheet>();
    types.visit::<api::RecordingComparison>();
    types.visit::<api::Scenery>();
    let mut text = String::from(HEADER);
    for (name, declaration) in &types.declarations {
        text += &format!("\n{declaration}\n");
        assert!(declaration.contains(&format!("type {name} =")), "{declaration}");
    }
    let tick_flags = TickFlags::all().iter_names().map(|(name, flag)| (camel_case(name), flag.bits().into()));
    let body_flags = BodyFlags::all().iter_names().map(|(name, flag)| (camel_case(name), flag.bits().into()));
    let offsets = |size: usize, fields: Vec<(&str, usize)>| {
        let fields = fields.into_iter().map(|(name, offset)| (camel_case(name), offset));
        std::iter::once((String::from("size"), size)).chain(fields).collect::<Vec<_>>()
    };
    for (name, doc, entries) in [
        ("TICK_FLAGS", "Flags of a tick frame.", tick_flags.collect()),
        ("BODY_FLAGS", "Flags of a body in a tick frame.", body_flags.collect()),
        (
            "TICK_HEADER",
            "Size and offsets of the header of a tick frame, little-endian.",
            offsets(TickHeader::SIZE, tick::header_fields()),
        ),
        (
            "BODY_RECORD",
            "Size and offsets of each body behind the header of a tick frame.",
            offsets(BodyRecord::SIZE, tick::body_fields()),
        ),
        (
            "BINARY",
            "Sizes in the answers to /api/mesh and /api/frames: bytes, but `rowLength` in floats.",
            vec![
                (String::from("headerSize"), binary::HEADER_SIZE),
                (String::from("meshGroupSize"), binary::MESH_GROUP_SIZE),
                (String::from("rowLength"), binary::ROW_LENGTH),
            ],
        ),
    ] {
        let entries: String = entries.iter().map(|(name, value)| format!("  {name}: {value},\n")).collect();
        text += &format!("\n/** {doc} */\nexport const {name} = {{\n{entries}}} as const;\n");
    }
    text + &format!(
        "\n/** The first byte of a tick frame. */\nexport const TICK_KIND = {};\n",
        TickHeader::KIND
    )
}

/// Collects the declarations of types and of everything that they refer to.
struct Types {
    config: Config,
    declarations: BTreeMap<String, String>,
}

impl TypeVisitor for Types {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Primitive types have no path and need no declaration.
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(&self.config);
        if self.declarations.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let declaration = format!("{docs}export {}", T::decl(&self.config));
        self.declarations.insert(name, tidy(&declaration));
        T::visit_dependencies(self);
    }
}

/// Puts comments of one line on one line, and removes trailing blanks.
fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut tidied = Vec::new();
    let mut rest = lines.as_slice();
    while let [line, others @ ..] = rest {
        rest = others;
        match others {
            [comment, " */", after @ ..] if *line == "/**" => {
                tidied.push(format!("/** {} */", comment.trim_start_matches([' ', '*'])));
                rest = after;
            }
            _ => tidied.push(String::from(*line)),
        }
    }
    tidied.join("\n")
}

/// `NEXT_IN` or `next_in` as `nextIn`.
fn camel_case(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let mut words = lower.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| text + &word[..1].to_ascii_uppercase() + &word[1..])
}
