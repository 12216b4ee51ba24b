//! The directory that the server embeds.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::{
    Result, css,
    squeeze::{squeeze, squeeze_script},
};

/// Files being gathered, before their hash is known.
pub struct Draft {
    dir: PathBuf,
    root: PathBuf,
}

impl Draft {
    /// Starts with nothing, beside `site`.
    pub fn begin(site: &Path) -> Result<Self> {
        let dir = site.with_extension("draft");
        remove(&dir)?;
        fs::create_dir_all(&dir)?;
        Ok(Self {
            dir,
            root: Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
        })
    }

    /// Where the files are put.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Adds the joined style sheets.
    pub fn add_styles(&self) -> Result<()> {
        let css = css::join(&self.root.join("style"))?;
        Ok(fs::write(self.dir.join("consilium.css"), squeeze(&css))?)
    }

    /// Drops indentation and documentation from the script that loads the islands.
    pub fn shrink_script(&self) -> Result<()> {
        let path = self.dir.join("consilium.js");
        let script = squeeze_script(&fs::read_to_string(&path)?);
        Ok(fs::write(path, script)?)
    }

    /// Adds everything of `public/`.
    pub fn add_public_files(&self) -> Result<()> {
        for entry in fs::read_dir(self.root.join("public"))? {
            let entry = entry?;
            fs::copy(entry.path(), self.dir.join(entry.file_name()))?;
        }
        Ok(())
    }

    /// Becomes the site. One that is the same already stays untouched, so that the server is not
    /// compiled again for nothing.
    pub fn publish(self, site: &Path) -> Result<()> {
        let hash = self.hash()?;
        let target = site.join("pkg").join(&hash);
        if target.exists() {
            remove(&self.dir)?;
        } else {
            remove(site)?;
            fs::create_dir_all(site.join("pkg"))?;
            fs::rename(&self.dir, &target)?;
        }
        println!("{}", target.display());
        Ok(())
    }

    /// Names the content of all files, compressed copies included.
    fn hash(&self) -> Result<String> {
        let mut files = fs::read_dir(&self.dir)?.collect::<io::Result<Vec<_>>>()?;
        files.sort_by_key(fs::DirEntry::file_name);
        let mut hash = Sha256::new();
        for file in files {
            let content = fs::read(file.path())?;
            hash.update(file.file_name().as_encoded_bytes());
            hash.update((content.len() as u64).to_le_bytes());
            hash.update(content);
        }
        Ok(hex::encode(&hash.finalize()[..8]))
    }
}

fn remove(dir: &Path) -> io::Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
