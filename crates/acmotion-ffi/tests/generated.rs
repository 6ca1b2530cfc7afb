//! The C header and the C# declarations are written from the Rust source and checked in. This test compares them; with
//! `ACMOTION_WRITE_BINDINGS=1` it writes them anew.

use std::fs;
use std::path::{Path, PathBuf};

/// The files with functions and structures, in the order of the declarations in C#.
const SOURCES: [&str; 13] = [
    "status.rs",
    "handle.rs",
    "abi.rs",
    "types.rs",
    "dat.rs",
    "wire.rs",
    "scene.rs",
    "world.rs",
    "bodies.rs",
    "events.rs",
    "server.rs",
    "player.rs",
    "check.rs",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a checked-in file with what it should contain, or writes it.
fn compare(path: &Path, expected: &str) {
    if std::env::var_os("ACMOTION_WRITE_BINDINGS").is_some() {
        fs::write(path, expected).unwrap();
        return;
    }
    let found = fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    let differs = found.lines().zip(expected.lines()).position(|(found, expected)| found != expected);
    assert!(
        found == expected,
        "{} is not what the source says (first difference in line {}): run `ACMOTION_WRITE_BINDINGS=1 cargo test -p \
         acmotion-ffi --test generated`",
        path.display(),
        differs.unwrap_or_else(|| found.lines().count().min(expected.lines().count())) + 1,
    );
}

#[test]
fn the_header_is_that_of_the_source() {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).unwrap();
    let mut header = Vec::new();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in SOURCES.iter().chain(&["explain.rs"]) {
        builder = builder.with_src(root().join("src").join(source));
    }
    builder.generate().unwrap().write(&mut header);
    let header = String::from_utf8(header).unwrap();
    compare(&root().join("include/acmotion.h"), &(header + &layout_macro()));
}

/// Returns the macro that fills in an `AcmLayout`.
fn layout_macro() -> String {
    let source = fs::read_to_string(root().join("src/abi.rs")).unwrap();
    let sizes: Vec<_> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("/// `sizeof(")?.strip_suffix(")`."))
        .map(|name| format!("(uint32_t)sizeof({name})"))
        .collect();
    let mut text = String::from(
        "\n/* The layout of the caller, for acm_abi_check:\n *\n *     AcmLayout layout = ACM_LAYOUT_INIT;\n *     if \
         (acm_abi_check(&layout) != ACM_STATUS_OK) ...\n */\n#define ACM_LAYOUT_INIT { \\\n",
    );
    let (own, others) = sizes.split_first().unwrap();
    text += &format!("    {own}, ACM_ABI_VERSION, \\\n");
    for pair in others.chunks(2) {
        text += &format!("    {}, \\\n", pair.join(", "));
    }
    text + "}\n"
}

#[test]
fn the_declarations_of_csharp_are_those_of_the_source() {
    let mut builder = csbindgen::Builder::default();
    for source in SOURCES.iter().chain(&["explain.rs"]) {
        builder = builder.input_extern_file(root().join("src").join(source));
    }
    let folder = tempfile::tempdir().unwrap();
    let written = folder.path().join("NativeMethods.cs");
    builder
        .csharp_dll_name("acmotion_ffi")
        .csharp_namespace("Acmotion.Native")
        .csharp_class_name("NativeMethods")
        .csharp_use_nint_types(false)
        .csharp_generate_const_filter(|name| name.starts_with("ACM_"))
        .generate_csharp_file(&written)
        .unwrap();
    let text = fs::read_to_string(&written).unwrap().replace("\r\n", "\n");
    compare(&root().join("../../bindings/csharp/src/NativeMethods.cs"), &text);
}
