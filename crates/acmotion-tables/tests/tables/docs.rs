//! `docs/tables.md` has every table and column, as the code has them.

use std::fs;

use acmotion_tables::{SCHEMA_VERSION, Table};

use crate::support::root;

const START: &str = "<!-- tables: written by ACMOTION_WRITE_DOCS=1 cargo test -p acmotion-tables -->\n";
const END: &str = "<!-- end of tables -->\n";

/// Returns the part of the page that is made of the code.
fn tables() -> String {
    let mut text = String::new();
    for table in Table::ALL {
        text += &format!(
            "\n### {}\n\n{}\n\n| column | type | meaning |\n|---|---|---|\n",
            table.name(),
            table.meaning().trim()
        );
        text += "| `capture` | text | The capture: the name of the folder that the file is in. |\n";
        for column in table.columns() {
            let may_miss = if column.is_optional { "?" } else { "" };
            text += &format!(
                "| `{}` | {}{may_miss} | {} |\n",
                column.name,
                column.kind.name(),
                column.meaning.trim()
            );
        }
    }
    text + "\n"
}

#[test]
fn the_page_has_every_table_and_column() {
    let path = root().join("docs/tables.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(START).expect("the start of the tables");
    let (written, after) = rest.split_once(END).expect("the end of the tables");
    if std::env::var_os("ACMOTION_WRITE_DOCS").is_some() {
        fs::write(&path, format!("{before}{START}{}{END}{after}", tables())).unwrap();
        return;
    }
    assert_eq!(written, tables(), "run ACMOTION_WRITE_DOCS=1 cargo test -p acmotion-tables");
    assert!(page.contains(&format!("schema version is {SCHEMA_VERSION}")), "the version of the schema");
}

#[test]
fn every_column_has_a_meaning_and_a_name_of_its_own() {
    for table in Table::ALL {
        let mut names: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), table.columns().len(), "{}", table.name());
        for column in table.columns() {
            assert!(column.meaning.trim().ends_with('.'), "{}.{}", table.name(), column.name);
            assert!(!column.meaning.contains('|'), "{}.{}", table.name(), column.name);
        }
    }
}
