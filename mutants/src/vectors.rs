//! The conformance vectors of the repository as tests.

use std::fs;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use flate2::read::GzDecoder;

use crate::program::Test;

/// The lines of the beginning of a file. It fails for most mutants for which the whole file fails, in much less time.
const BEGINNING: usize = 60;

/// Every file of vectors below `tree`, and the beginning of each as a test of its own. Beginnings are written below `work`.
pub fn tests(tree: &Path, work: &Path, command: &Path) -> anyhow::Result<Vec<Test>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(tree.join("tests/golden"))? {
        files.push(entry?.path());
    }
    let is_vectors = |path: &PathBuf| path.extension().is_some_and(|it| it == "gz" || it == "jsonl");
    files.retain(is_vectors);
    files.sort();
    let folder = work.join("vectors");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let beginnings: Vec<PathBuf> =
        files.iter().map(|file| write_beginning(file, &folder)).collect::<anyhow::Result<_>>()?;
    let test = |file| Test::Vectors { command: command.to_owned(), file };
    Ok(beginnings.into_iter().chain(files).map(test).collect())
}

/// Writes the first lines of a file to `folder`. Definitions come before the cases that need them.
fn write_beginning(file: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let family = name.split('.').next().unwrap_or_default();
    let path = folder.join(format!("{family}.beginning.jsonl"));
    let opened = fs::File::open(file).with_context(|| file.display().to_string())?;
    let lines: Box<dyn Read> =
        if name.ends_with(".gz") { Box::new(GzDecoder::new(opened)) } else { Box::new(opened) };
    let mut beginning = Vec::new();
    for line in BufReader::new(lines).lines().take(BEGINNING) {
        writeln!(beginning, "{}", line.with_context(|| file.display().to_string())?)?;
    }
    fs::write(&path, beginning).with_context(|| path.display().to_string())?;
    Ok(path)
}
