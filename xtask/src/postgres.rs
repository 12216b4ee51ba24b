//! A PostgreSQL server that exists for one run of the tests.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::TcpListener,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use crate::{Result, command::output, tools};

/// Keeps the server until its input ends, then removes every trace. Since the system closes that
/// input when we end, however we end, nothing stays behind even when we are killed.
const KEEPER: &str = include_str!("postgres.sh");

/// A running server; dropping it stops and removes it.
pub struct Cluster {
    keeper: Child,
    port: u16,
}

impl Cluster {
    /// Creates a cluster in a new directory and waits until it answers.
    ///
    /// # Errors
    /// When PostgreSQL is missing or does not start.
    pub fn start() -> Result<Self> {
        let programs = programs().ok_or("no PostgreSQL server programs found")?;
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER, "postgres.sh"])
            .arg(programs)
            .arg(port.to_string())
            .arg(if runs_as_root()? { "postgres" } else { "" })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Out of reach of Ctrl-C, which would otherwise end the keeper before its work is done.
            .process_group(0)
            .spawn()?;
        let mut line = String::new();
        if let Some(answer) = &mut keeper.stdout {
            BufReader::new(answer).read_line(&mut line)?;
        }
        if line.trim() != "ready" {
            keeper.wait()?;
            return Err("PostgreSQL did not start".into());
        }
        Ok(Self { keeper, port })
    }

    /// Where a superuser gets in.
    pub fn url(&self) -> String {
        format!("postgres://consilium@127.0.0.1:{}/postgres", self.port)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        if let Err(error) = self.keeper.wait() {
            eprintln!("xtask: the PostgreSQL keeper: {error}");
        }
    }
}

/// What a cluster needs, all of it from one place.
const PROGRAMS: [&str; 3] = ["initdb", "postgres", "pg_isready"];

/// The directory of the newest installed server programs.
pub fn programs() -> Option<PathBuf> {
    // A link to one program may stand alone in its directory; the others are where it leads.
    let on_path = tools::find(&["initdb"])
        .and_then(|program| fs::canonicalize(program).ok())
        .and_then(|program| Some(program.parent()?.to_owned()))
        .filter(|dir| is_complete(dir));
    on_path.or_else(|| {
        let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
        let directories = versions.flatten().map(|version| version.path().join("bin"));
        directories
            .filter(|dir| is_complete(dir))
            .max_by_key(|dir| version_of(dir))
    })
}

fn is_complete(dir: &Path) -> bool {
    PROGRAMS.iter().all(|program| dir.join(program).is_file())
}

/// The number in `VERSION/bin`.
fn version_of(dir: &Path) -> Option<u32> {
    dir.parent()?.file_name()?.to_str()?.parse().ok()
}

/// PostgreSQL refuses to run as root.
fn runs_as_root() -> Result<bool> {
    Ok(output(Command::new("id").arg("-u"))?.trim() == "0")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{is_complete, programs, version_of};

    #[test]
    fn a_directory_with_a_lone_link_is_passed_over() {
        assert!(!is_complete(Path::new("/")));
        // Where PostgreSQL is installed at all, everything a cluster needs is found together.
        assert!(programs().is_none_or(|dir| is_complete(&dir)));
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        let (old, new) = (
            Path::new("/usr/lib/postgresql/9/bin"),
            Path::new("/usr/lib/postgresql/15/bin"),
        );
        assert!(version_of(old) < version_of(new));
    }
}
