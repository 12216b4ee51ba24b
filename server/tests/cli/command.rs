//! Runs `consilium` in a folder of its own.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder with files, and the program.
pub struct Stage(TempDir);

impl Stage {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    /// Writes a file and names it.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).expect("written");
        path.display().to_string()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, "")
    }

    pub fn run_with(&self, arguments: &[&str], input: &str) -> Output {
        Self::given(self.start(arguments), input)
    }

    /// Runs a command whose output nobody reads: it is closed before the command is given what it waits for.
    pub fn run_unread(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = self.start(arguments);
        drop(child.stdout.take());
        Self::given(child, input)
    }

    fn start(&self, arguments: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_consilium"))
            .args(arguments)
            .current_dir(self.0.path())
            .env_remove("CONSILIUM_CONFIG")
            .env("CONSILIUM_DATABASE_URL", "sqlite:test.db")
            .env("CONSILIUM_LOG", "error")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started")
    }

    fn given(mut child: Child, input: &str) -> Output {
        let mut pipe = child.stdin.take().expect("a pipe");
        pipe.write_all(input.as_bytes()).expect("read");
        drop(pipe);
        child.wait_with_output().expect("ended")
    }

    /// The JSON object that a command prints when all goes well.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let done = self.run(arguments);
        assert!(done.status.success(), "{}", said(&done));
        serde_json::from_slice(&done.stdout).expect("one JSON object")
    }

    /// What a command says that could not be done.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let done = self.run(arguments);
        assert_eq!(done.status.code(), Some(1), "{}", said(&done));
        assert!(done.stdout.is_empty(), "nothing is measured");
        said(&done)
    }
}

/// What was written to standard error.
pub fn said(done: &Output) -> String {
    String::from_utf8_lossy(&done.stderr).into_owned()
}
