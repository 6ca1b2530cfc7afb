//! Files that are written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

/// A file that is written under another name and gets its own at the end: what is there before stays until then, and for
/// good if writing fails. What is not a file, such as a pipe, is written to directly.
pub(crate) struct OutputFile {
    writer: BufWriter<File>,
    /// The name as it was given, for messages.
    name: PathBuf,
    /// The file under its other name, and where it belongs; `None` if it is written to directly.
    part: Option<Part>,
}

struct Part {
    path: PathBuf,
    target: PathBuf,
}

impl OutputFile {
    /// Creates a file that is there only once it is [finished](Self::finish).
    ///
    /// # Errors
    /// Returns an error if the file cannot be created.
    pub(crate) fn create(name: &Path) -> anyhow::Result<Self> {
        let context = || name.display().to_string();
        // A link stays one.
        let target = fs::canonicalize(name).unwrap_or_else(|_| name.into());
        if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
            return Self::create_directly(name);
        }
        let mut file_name = target.file_name().map_or_else(OsString::new, OsString::from);
        file_name.push(".part");
        let path = target.with_file_name(file_name);
        let file = File::create(&path).with_context(context)?;
        Ok(Self { writer: BufWriter::new(file), name: name.into(), part: Some(Part { path, target }) })
    }

    /// Creates a file that others can follow while it is written.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created.
    pub(crate) fn create_directly(name: &Path) -> anyhow::Result<Self> {
        let file = File::create(name).with_context(|| name.display().to_string())?;
        Ok(Self { writer: BufWriter::new(file), name: name.into(), part: None })
    }

    /// Writes what is left, and gives the file its name.
    ///
    /// # Errors
    /// Returns an error if that is not possible. The file of that name is then what it was.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        let result = self.writer.flush().and_then(|()| match &self.part {
            Some(Part { path, target }) => fs::rename(path, target),
            None => Ok(()),
        });
        if result.is_ok() {
            // There is nothing to remove.
            self.part = None;
        }
        result.with_context(|| self.name.display().to_string())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            let _ = fs::remove_file(&part.path);
        }
    }
}

/// Checks that the name of a file to write says what will be in it. A pipe or a device may have any name.
///
/// # Errors
/// Returns an error that names the option if the extension is another one.
pub(crate) fn expect_extension(path: &Path, option: &str, extension: &str) -> anyhow::Result<()> {
    let found = path.extension().unwrap_or_default();
    if found.eq_ignore_ascii_case(extension) || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Ok(());
    }
    bail!("{option} {}: expected the name of a .{extension} file", path.display());
}

/// Writes files as a whole: either all of them are replaced, or, if one cannot be written, none.
///
/// # Errors
/// Returns an error that names the file that could not be written.
pub(crate) fn write_files(files: &[(&Path, &[u8])]) -> anyhow::Result<()> {
    let mut written = Vec::new();
    for (path, bytes) in files {
        let mut file = OutputFile::create(path)?;
        file.write_all(bytes).with_context(|| path.display().to_string())?;
        written.push(file);
    }
    written.into_iter().try_for_each(OutputFile::finish)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names and contents of the files in a folder.
    fn files(folder: &Path) -> Vec<(String, String)> {
        let mut files: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| {
                (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap())
            })
            .collect();
        files.sort();
        files
    }

    fn expected(files: &[(&str, &str)]) -> Vec<(String, String)> {
        files.iter().map(|(name, text)| (String::from(*name), String::from(*text))).collect()
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(file);
        assert_eq!(files(folder.path()), expected(&[("a.txt", "old")]));

        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(files(folder.path()), expected(&[("a.txt", "new")]));
    }

    #[test]
    fn of_several_files_all_are_replaced_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a.txt", "no/such/b.txt"].map(|name| folder.path().join(name));
        fs::write(&a, "old").unwrap();
        let error = write_files(&[(&a, b"new"), (&b, b"new")]).unwrap_err();
        assert!(error.to_string().contains("b.txt"), "{error}");
        assert_eq!(files(folder.path()), expected(&[("a.txt", "old")]));
        write_files(&[(&a, b"new")]).unwrap();
        assert_eq!(files(folder.path()), expected(&[("a.txt", "new")]));
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_and_what_is_no_file_is_written_to_directly() {
        let folder = tempfile::tempdir().unwrap();
        let [real, link] = ["real.txt", "link.txt"].map(|name| folder.path().join(name));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write_files(&[(&link, b"new")]).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");

        write_files(&[(Path::new("/dev/null"), b"gone")]).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        assert!(!Path::new("/dev/null.part").exists());
    }
}
