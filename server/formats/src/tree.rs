//! Several files as one source: a folder, or a zip archive of one.

use std::collections::BTreeMap;
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

/// Files that lie anywhere, under the names that they had where they came from.
pub struct Loose {
    files: BTreeMap<String, PathBuf>,
    names: Vec<String>,
}

impl Loose {
    /// Takes files by name; of two with the same name the last.
    pub fn new(files: impl IntoIterator<Item = (String, PathBuf)>) -> Self {
        let files: BTreeMap<String, PathBuf> = files.into_iter().collect();
        let names = files.keys().cloned().collect();
        Self { files, names }
    }
}

impl Tree for Loose {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn open(&mut self, name: &str) -> io::Result<Box<dyn BufRead + '_>> {
        let path = self.files.get(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(BufReader::new(File::open(path)?)))
    }
}

/// A zip archive.
pub struct Archive<R> {
    zip: zip::ZipArchive<R>,
    /// How the archive itself writes each name.
    written: BTreeMap<String, String>,
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
        // Some programs of Windows write the folders of a name with the other stroke, which no folder's name has.
        let written: BTreeMap<String, String> = listed
            .into_iter()
            .map(|name| (name.replace('\\', "/"), name.into_owned()))
            .filter(|(name, _)| !name.ends_with('/'))
            .collect();
        let names = written.keys().cloned().collect();
        Ok(Self {
            zip,
            written,
            names,
        })
    }
}

impl<R: Read + Seek> Tree for Archive<R> {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn open(&mut self, name: &str) -> io::Result<Box<dyn BufRead + '_>> {
        let written = self.written.get(name).map_or(name, String::as_str);
        let file = self.zip.by_name(written).map_err(io::Error::other)?;
        Ok(Box::new(BufReader::new(file.take(LARGEST))))
    }
}
