//! A copy of the workspace with mutants planted in the engine.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::breaks::break_site;
use crate::lists::Break;
use crate::mutant::Mutant;
use crate::scan::{Grain, scan};
use crate::site::{Planted, Site, plant};

/// Where the engine's source files are.
pub const ENGINE: &str = "crates/acmotion/src/";

const MANIFEST: &str = "crates/acmotion/Cargo.toml";

/// The workload of the benchmarks, and the list of what tests may use: neither holds a rule.
const LEFT_OUT: [&str; 2] = ["crowd.rs", "internals.rs"];

const SWITCH: &str = include_str!("switch.rs.txt");

/// One source file of the engine.
pub struct Source {
    text: String,
    sites: Vec<Site>,
}

/// The engine's sources and their mutants.
pub struct Sources {
    files: BTreeMap<String, Source>,
    /// All mutants, in the order of their numbers.
    pub mutants: Vec<Mutant>,
}

impl Sources {
    /// Finds every mutant of the engine below `root`, and the places of `breaks`.
    pub fn scan(root: &Path, grain: Grain, breaks: &[Break]) -> anyhow::Result<Self> {
        for planned in breaks {
            let is_engine = planned.file.starts_with(ENGINE) && root.join(&planned.file).is_file();
            ensure!(is_engine, "a break names {}, which is no source file of the engine", planned.file);
        }
        Self::read(root, |file, text, first_id| {
            let mut sites = scan(text, grain, first_id)?;
            let next_id = first_id + sites.iter().map(|site| site.alternatives.len() as u32).sum::<u32>();
            let of_this_file =
                breaks.iter().filter(|planned| planned.file.strip_prefix(ENGINE) == Some(file));
            for (planned, id) in of_this_file.zip(next_id..) {
                sites.push(break_site(planned, text, id)?);
            }
            Ok(sites)
        })
    }

    fn read(
        root: &Path,
        sites_of: impl Fn(&str, &str, u32) -> anyhow::Result<Vec<Site>>,
    ) -> anyhow::Result<Self> {
        let mut files = BTreeMap::new();
        let mut mutants: Vec<Mutant> = Vec::new();
        for path in tracked_files(root)? {
            let Some(file) = path.strip_prefix(ENGINE).filter(|file| file.ends_with(".rs")) else { continue };
            if LEFT_OUT.contains(&file) {
                continue;
            }
            let text = fs::read_to_string(root.join(&path)).with_context(|| path.clone())?;
            let sites = sites_of(file, &text, mutants.len() as u32).with_context(|| path.clone())?;
            for site in &sites {
                mutants.extend(site.alternatives.iter().map(|it| Mutant::new(file, &text, site, it)));
            }
            files.insert(file.to_owned(), Source { text, sites });
        }
        for (index, mutant) in mutants.iter().enumerate() {
            ensure!(mutant.id as usize == index, "mutants must be numbered in the order of their files");
        }
        number_equal_changes(&mut mutants);
        Ok(Self { files, mutants })
    }

    /// Every file with its mutants planted, without those of `dropped`.
    pub fn plant(&self, dropped: &HashSet<u32>) -> BTreeMap<String, Planted> {
        let planted = |source: &Source| plant(&source.text, &source.sites, dropped);
        self.files.iter().map(|(file, source)| (file.clone(), planted(source))).collect()
    }
}

/// Mutants that change equal lines of a file in the same way are told apart by their order.
fn number_equal_changes(mutants: &mut [Mutant]) {
    let mut seen: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    for mutant in mutants {
        let key = (mutant.file.clone(), mutant.text.clone(), mutant.change.clone());
        let count = seen.entry(key).or_default();
        mutant.nth = *count;
        *count += 1;
    }
}

/// Copies the workspace to `tree`, except the sources with mutants, and removes what is no longer there.
pub fn copy_workspace(root: &Path, tree: &Path) -> anyhow::Result<()> {
    let files = tracked_files(root)?;
    for path in &files {
        let is_mutated = path.starts_with(ENGINE) && path.ends_with(".rs");
        if !is_mutated || LEFT_OUT.iter().any(|file| *path == format!("{ENGINE}{file}")) {
            let mut contents = fs::read(root.join(path)).with_context(|| path.clone())?;
            if path == MANIFEST {
                contents = with_lints_off(contents)?;
            }
            write_if_changed(&tree.join(path), &contents)?;
        }
    }
    let wanted: HashSet<PathBuf> = files.iter().map(|path| tree.join(path)).collect();
    remove_others(&tree.join("crates"), &wanted)
}

/// The engine's manifest without the lints that reject programs: mutants may well overflow.
fn with_lints_off(manifest: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    const LINTS: &str = "[lints]\nworkspace = true\n";
    let manifest = String::from_utf8(manifest).context(MANIFEST)?;
    ensure!(manifest.contains(LINTS), "{MANIFEST} does not take its lints from the workspace");
    let off = ["arithmetic_overflow", "overflowing_literals", "unconditional_panic"];
    let off: String = off.iter().map(|lint| format!("{lint} = \"allow\"\n")).collect();
    Ok(manifest.replace(LINTS, &format!("[lints.rust]\n{off}")).into_bytes())
}

/// Writes the sources with mutants, and the switch.
pub fn write_sources(tree: &Path, planted: &BTreeMap<String, Planted>, mutants: usize) -> anyhow::Result<()> {
    let engine = tree.join(ENGINE);
    for (file, planted) in planted {
        let mut text = planted.text.clone();
        if file == "lib.rs" {
            text.push_str("\nmod mutant_switch;\n");
        }
        write_if_changed(&engine.join(file), text.as_bytes())?;
    }
    let switch = format!("{SWITCH}\nconst COUNT: usize = {};\n", mutants.max(1));
    write_if_changed(&engine.join("mutant_switch.rs"), switch.as_bytes())
}

/// Files known to git, and new ones that it does not ignore, that exist.
pub fn tracked_files(root: &Path) -> anyhow::Result<Vec<String>> {
    let listing = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("git, which lists the files of the workspace")?;
    ensure!(listing.status.success(), "git ls-files: {}", String::from_utf8_lossy(&listing.stderr));
    let listing = String::from_utf8(listing.stdout).context("file names are UTF-8")?;
    let mut files: Vec<String> = listing.split_terminator('\0').map(str::to_owned).collect();
    files.retain(|path| root.join(path).is_file());
    files.sort();
    files.dedup();
    Ok(files)
}

/// Leaves a file alone that has these contents, so that cargo does not build it again.
fn write_if_changed(path: &Path, contents: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|old| old == contents) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    fs::write(path, contents).with_context(|| path.display().to_string())
}

fn remove_others(folder: &Path, wanted: &HashSet<PathBuf>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(&path, wanted)?;
        } else if !wanted.contains(&path) && path.file_name().is_none_or(|name| name != "mutant_switch.rs") {
            fs::remove_file(&path).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}
