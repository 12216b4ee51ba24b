//! Reading on threads of its own: the first pass checks the file, the second streams its records.

use super::book::Book;
use super::compare::Prepared;
use super::{Progress, Tell};
use formats::record::TraceRecord;
use formats::{
    Archive, Folder, Format, Loose, Problems, ReadError, ReadOptions, ReadReport, SNIFFED_BYTES,
    Tree, read, read_tree, sniff, sniff_tree,
};
use sha2::{Digest, Sha256};
use std::convert::Infallible;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How many records travel together.
const CHUNK: usize = 256;
/// After how many records of the first pass the progress is told.
const TICK: u64 = 1_000;

/// What an import reads from: twice, so it must be able to go back.
pub trait Seekable: Read + Seek + Send + 'static {}

impl<T: Read + Seek + Send + 'static> Seekable for T {}

/// Where an import reads from.
pub enum ImportSource {
    /// A file, or a folder of files that belong together, on the server.
    Path(PathBuf),
    /// Files that belong together, by the names that they had where they came from.
    Files(Vec<(String, PathBuf)>),
    /// Something already open.
    Reader(Box<dyn Seekable>),
}

/// What both passes have in common.
pub(super) struct Pass {
    pub(super) book: Arc<Book>,
    pub(super) options: ReadOptions,
    pub(super) format: Option<Format>,
}

/// Nobody takes the records any more.
#[derive(Debug)]
pub(super) struct Stopped;

/// A file without problems of its own.
pub(super) struct Checked {
    pub(super) format: Format,
    pub(super) report: ReadReport,
    pub(super) sha256: String,
    opened: Opened,
    size: u64,
}

/// What is read.
enum Opened {
    /// One file.
    File(Box<dyn Seekable>),
    /// An archive of several.
    Archive(Box<dyn Seekable>),
    /// A folder of several.
    Folder(PathBuf),
    /// Several that lie anywhere.
    Loose(Vec<(String, PathBuf)>),
}

/// Some records, and how far reading was then.
pub(super) struct Chunk {
    pub(super) records: Vec<Prepared>,
    pub(super) progress: Progress,
}

type End<T> = Result<T, (Option<Format>, ReadError<Stopped>)>;

/// Reads the whole file and keeps nothing but what is wrong with it.
pub(super) async fn check(source: ImportSource, pass: &Pass, tell: Tell<'_>) -> End<Checked> {
    let (ticks, mut ticking) = mpsc::channel(4);
    let (book, options, format) = (pass.book.clone(), pass.options.clone(), pass.format);
    let task =
        tokio::task::spawn_blocking(move || check_now(source, &book, &options, format, &ticks));
    while let Some(progress) = ticking.recv().await {
        tell(progress);
    }
    joined(task)
        .await
        .unwrap_or_else(|error| Err((None, ReadError::Io(error))))
}

fn check_now(
    source: ImportSource,
    book: &Book,
    options: &ReadOptions,
    format: Option<Format>,
    ticks: &mpsc::Sender<Progress>,
) -> End<Checked> {
    let unreadable = |error| (None, ReadError::Io(error));
    let mut file: Box<dyn Seekable> = match source {
        ImportSource::Path(path) if path.is_dir() => {
            return check_tree(Opened::Folder(path), 0, book, options);
        }
        ImportSource::Files(files) => {
            return check_tree(Opened::Loose(files), 0, book, options);
        }
        ImportSource::Path(path) => Box::new(std::fs::File::open(path).map_err(unreadable)?),
        ImportSource::Reader(reader) => reader,
    };
    let size = file
        .seek(SeekFrom::End(0))
        .and_then(|size| file.rewind().map(|()| size))
        .map_err(unreadable)?;
    let mut mark = [0; 4];
    let found = file
        .read(&mut mark)
        .and_then(|found| file.rewind().map(|()| found));
    if found.map_err(unreadable)? == mark.len() && mark == *b"PK\x03\x04" {
        return check_tree(Opened::Archive(file), size, book, options);
    }
    let bytes = Arc::new(AtomicU64::new(0));
    let metered = Metered {
        inner: &mut *file,
        bytes: bytes.clone(),
        digest: Some(Sha256::new()),
    };
    let mut input = BufReader::with_capacity(SNIFFED_BYTES, metered);
    let format = match format {
        Some(format) => format,
        None => sniff(input.fill_buf().map_err(unreadable)?).map_err(|problem| {
            (
                None,
                ReadError::Problems(Problems {
                    list: vec![problem],
                    more: 0,
                }),
            )
        })?,
    };
    let mut records = 0;
    let report = read::<Infallible>(format, &mut input, book, options, &mut |_| {
        records += 1;
        if records % TICK == 0 {
            let _ = ticks.try_send(Progress {
                bytes: bytes.load(Ordering::Relaxed),
                total: size * 2,
                records,
            });
        }
        Ok(())
    });
    let report = report.map_err(|end| (Some(format), without_sink(end)))?;
    let sha256 = input.into_inner().finish().map_err(unreadable)?;
    Ok(Checked {
        format,
        report,
        sha256,
        opened: Opened::File(file),
        size,
    })
}

/// Checks several files that belong together.
fn check_tree(mut opened: Opened, size: u64, book: &Book, options: &ReadOptions) -> End<Checked> {
    let broken = |problem| {
        let problems = Problems {
            list: vec![problem],
            more: 0,
        };
        (None, ReadError::Problems(problems))
    };
    let checked = with_tree(&mut opened, |tree| {
        let format = sniff_tree(tree.names()).map_err(broken)?;
        let sha256 = digest_of(tree).map_err(|error| (Some(format), ReadError::Io(error)))?;
        let report = read_tree::<Infallible>(tree, book, options, &mut |_| Ok(()))
            .map_err(|end| (Some(format), without_sink(end)))?;
        Ok((format, report, sha256))
    });
    let (format, report, sha256) = checked.map_err(|error| (None, ReadError::Io(error)))??;
    Ok(Checked {
        format,
        report,
        sha256,
        opened,
        size,
    })
}

/// Opens the files once more and looks through them.
fn with_tree<T>(opened: &mut Opened, look: impl FnOnce(&mut dyn Tree) -> T) -> io::Result<T> {
    match opened {
        Opened::Folder(path) => Ok(look(&mut Folder::new(path)?)),
        Opened::Loose(files) => Ok(look(&mut Loose::new(files.iter().cloned()))),
        Opened::Archive(file) | Opened::File(file) => {
            file.rewind()?;
            Ok(look(&mut Archive::new(&mut **file)?))
        }
    }
}

/// Names the whole: every file by its name and its content.
fn digest_of(tree: &mut dyn Tree) -> io::Result<String> {
    let mut digest = Sha256::new();
    for name in tree.names().to_vec() {
        let mut file = tree.open(&name)?;
        let mut content = Sha256::new();
        io::copy(&mut file, &mut Digesting(&mut content))?;
        digest.update((name.len() as u64).to_be_bytes());
        digest.update(&name);
        digest.update(content.finalize());
    }
    Ok(hex::encode(digest.finalize()))
}

/// A digest to write to.
struct Digesting<'a>(&'a mut Sha256);

impl io::Write for Digesting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn without_sink(end: ReadError<Infallible>) -> ReadError<Stopped> {
    match end {
        ReadError::Problems(problems) => ReadError::Problems(problems),
        ReadError::Io(error) => ReadError::Io(error),
        ReadError::Sink(never) => match never {},
    }
}

/// The second pass under way.
pub(super) struct Reading {
    pub(super) chunks: mpsc::Receiver<Chunk>,
    task: JoinHandle<Result<(), ReadError<Stopped>>>,
}

impl Reading {
    /// How reading ended; it has when no chunk is left.
    pub(super) async fn end(self) -> Result<(), ReadError<Stopped>> {
        drop(self.chunks);
        joined(self.task)
            .await
            .unwrap_or_else(|error| Err(ReadError::Io(error)))
    }
}

/// Streams the records of a checked file.
pub(super) fn stream(checked: Checked, pass: &Pass) -> Reading {
    let (sender, chunks) = mpsc::channel(2);
    let (book, options) = (pass.book.clone(), pass.options.clone());
    let task = tokio::task::spawn_blocking(move || stream_now(checked, &book, &options, &sender));
    Reading { chunks, task }
}

fn stream_now(
    mut checked: Checked,
    book: &Book,
    options: &ReadOptions,
    sender: &mpsc::Sender<Chunk>,
) -> Result<(), ReadError<Stopped>> {
    let bytes = Arc::new(AtomicU64::new(0));
    let (size, mut met, mut heap) = (checked.size, 0, Vec::with_capacity(CHUNK));
    let progress = |records| Progress {
        bytes: size + bytes.load(Ordering::Relaxed),
        total: size * 2,
        records,
    };
    let mut keep = |record: TraceRecord| {
        met += 1;
        heap.push(Prepared::from(record));
        if heap.len() < CHUNK {
            return Ok(());
        }
        let records = std::mem::replace(&mut heap, Vec::with_capacity(CHUNK));
        sender
            .blocking_send(Chunk {
                records,
                progress: progress(met),
            })
            .map_err(|_| Stopped)
    };
    match &mut checked.opened {
        Opened::File(file) => {
            file.rewind()?;
            let metered = Metered {
                inner: &mut **file,
                bytes: bytes.clone(),
                digest: None,
            };
            let input = BufReader::with_capacity(SNIFFED_BYTES, metered);
            read(checked.format, input, book, options, &mut keep)?;
        }
        several => {
            with_tree(several, |tree| read_tree(tree, book, options, &mut keep))??;
        }
    }
    let last = Chunk {
        records: heap,
        progress: progress(met),
    };
    sender
        .blocking_send(last)
        .map_err(|_| ReadError::Sink(Stopped))
}

/// A thread that panicked counts as a file that could not be read.
async fn joined<T>(task: JoinHandle<T>) -> io::Result<T> {
    task.await.map_err(io::Error::other)
}

/// Counts, and hashes where asked, what is read.
struct Metered<'a> {
    inner: &'a mut dyn Seekable,
    bytes: Arc<AtomicU64>,
    digest: Option<Sha256>,
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        if let Some(digest) = &mut self.digest {
            digest.update(&buffer[..count]);
        }
        Ok(count)
    }
}

impl Metered<'_> {
    /// Reads what a reader left and names the whole.
    fn finish(mut self) -> io::Result<String> {
        io::copy(&mut self, &mut io::sink())?;
        Ok(self
            .digest
            .map(|digest| hex::encode(digest.finalize()))
            .unwrap_or_default())
    }
}
