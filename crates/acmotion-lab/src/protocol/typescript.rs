//! Generates the page's types and tests that they are up to date: those of the session in `page/src/protocol.ts`, and those that
//! only HTTP requests need in `page/src/protocol-http.ts`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

use super::{
    BodyFlags, BodyRecord, Command, Request, ServerMessage, TickFlags, TickHeader, api, binary, tick,
};
use crate::walk::{COMFORT, OBSERVED, OWN, TRUTH};

const HEADER: &str = "\
// Generated from crates/acmotion-lab/src/protocol by its test; do not edit. To refresh it:
// ACMOTION_UPDATE_TYPES=1 cargo test -p acmotion-lab --lib typescript
";

#[test]
fn the_typescript_types_of_the_page_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/src");
    let is_update = std::env::var_os("ACMOTION_UPDATE_TYPES").is_some_and(|value| value == "1");
    let Generated { session, http } = generate();
    for (name, generated) in [("protocol.ts", session), ("protocol-http.ts", http)] {
        let path = folder.join(name);
        if is_update {
            std::fs::write(&path, generated).unwrap();
            continue;
        }
        let current = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(
            current == generated,
            "page/src/{name} does not match the types in src/protocol; refresh it with \
             ACMOTION_UPDATE_TYPES=1 cargo test -p acmotion-lab --lib typescript"
        );
    }
}

/// The text of the two files.
struct Generated {
    session: String,
    http: String,
}

fn generate() -> Generated {
    let mut types = Types { config: Config::new().with_large_int("number"), declarations: BTreeMap::new() };
    types.visit::<Request>();
    types.visit::<Command>();
    types.visit::<ServerMessage>();
    let of_session = types.declarations.clone();
    types.visit::<api::ErrorBody>();
    types.visit::<api::About>();
    types.visit::<api::TableList>();
    types.visit::<api::MotionTable>();
    types.visit::<api::Setup>();
    types.visit::<api::Clip>();
    types.visit::<api::Sheet>();
    types.visit::<api::RecordingComparison>();
    types.visit::<api::Scenery>();
    let of_http = types.declarations.into_iter().filter(|(name, _)| !of_session.contains_key(name)).collect();
    let http = listed(&of_http);
    let words: BTreeSet<&str> = http.split(|c: char| !c.is_alphanumeric()).collect();
    let imported: Vec<_> =
        of_session.keys().map(String::as_str).filter(|name| words.contains(name)).collect();
    let http = format!("{HEADER}\nimport type {{ {} }} from \"./protocol\";\n{http}", imported.join(", "));
    let session =
        format!("{HEADER}\nexport type * from \"./protocol-http\";\n{}{}", listed(&of_session), constants());
    Generated { session, http }
}

/// Returns declarations by their names, each after an empty line.
fn listed(declarations: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for (name, declaration) in declarations {
        text += &format!("\n{declaration}\n");
        assert!(declaration.contains(&format!("type {name} =")), "{declaration}");
    }
    text
}

/// Returns the flags, sizes and offsets of what is sent in binary form.
fn constants() -> String {
    let mut text = String::new();
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
            "WALK_VIEWS",
            "The views of a walk.",
            [("truth", TRUTH), ("observer", OBSERVED), ("client", OWN), ("comfort", COMFORT)]
                .map(|(name, view)| (String::from(name), view.into()))
                .to_vec(),
        ),
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
