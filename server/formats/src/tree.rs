//! Several files as one source: a folder, or a zip archive of one.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

/// The most that one file of an archive may unpack to.
const LARGEST: u64 = 1 << 30;

/// Files by name, with `/` between folders.
pub trait Tree {
    /// The names of all files, sorted.
    fn names(&self) -> &[String];

    /// Opens a file of this name.
    ///
    /// # Errors
    /// When it cannot be read.
    fn open(&mut self, name: &str) -> io::Result<Box<dyn BufRead + '_>>;
}

/// A folder.
pub struct Folder {
    root: PathBuf,
    names: Vec<String>,
}

impl Folder {
    /// Lists a folder; links are not followed.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn new(root: &Path) -> io::Result<Self> {
        let mut names = Vec::new();
        let mut open = vec![PathBuf::new()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(root.join(&folder))? {
                let entry = entry?;
                let path = folder.join(entry.file_name());
                let kind = entry.file_type()?;
                if kind.is_dir() {
                    open.push(path);
                } else if kind.is_file() {
                    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
                    names.push(parts.join("/"));
                }
            }
        }
        names.sort();
        Ok(Self {
            root: root.to_owned(),
            names,
        })
    }
}

impl Tree for Folder {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn open(&mut self, name: &str) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(Box::new(BufReader::new(File::open(self.root.join(name))?)))
    }
}

/// A zip archive.
pub struct Archive<R> {
    zip: zip::ZipArchive<R>,
    names: Vec<String>,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the archive's table of contents.
    ///
    /// # Errors
    /// When it is no archive that can be read.
    pub fn new(input: R) -> io::Result<Self> {
        let zip = zip::ZipArchive::new(input).map_err(io::Error::other)?;
        let listed = zip
            .file_names()
            .collect::<Result<Vec<_>, _>>()
            .map_err(io::Error::other)?;
        let files = listed.into_iter().filter(|name| !name.ends_with('/'));
        let mut names: Vec<String> = files.map(std::borrow::Cow::into_owned).collect();
        names.sort();
        Ok(Self { zip, names })
    }
}

impl<R: Read + Seek> Tree for Archive<R> {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn open(&mut self, name: &str) -> io::Result<Box<dyn BufRead + '_>> {
        let file = self.zip.by_name(name).map_err(io::Error::other)?;
        Ok(Box::new(BufReader::new(file.take(LARGEST))))
    }
}
