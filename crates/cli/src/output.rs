//! The two streams: results to stdout, everything else to stderr.

use crate::failure::Failure;
use crate::screen::Screen;
use serde::Serialize;
use std::io::{self, BufWriter, Stdout, Write};

/// Where results go. Nothing is printed anywhere else on stdout.
pub(crate) struct Output {
    writer: BufWriter<Stdout>,
    /// Whether results are JSON objects, one a line.
    pub(crate) json: bool,
}

impl Output {
    /// Results as text, or as JSON.
    pub(crate) fn new(json: bool) -> Output {
        Output { writer: BufWriter::new(io::stdout()), json }
    }

    /// One line or several lines for people, as their screen can show them.
    pub(crate) fn text(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        self.lines(&Screen::get().shown(text.as_ref()))
    }

    /// One line or several lines of a file that other programs read, such as CSV: the same bytes on every screen.
    pub(crate) fn lines(&mut self, text: &str) -> Result<(), Failure> {
        writeln!(self.writer, "{}", text.trim_end_matches('\n'))?;
        Ok(())
    }

    /// One object on one line, passed on at once so that a reader at the other end of a pipe can answer.
    pub(crate) fn object(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.writer, object).map_err(io::Error::from)?;
        writeln!(self.writer)?;
        self.flush()
    }

    /// Bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.writer.write_all(bytes)?;
        Ok(())
    }

    /// Passes everything on.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.writer.flush()?;
        Ok(())
    }
}

/// Prints one line on stderr for the person at the terminal. A closed stderr is no fault.
pub(crate) fn note(text: impl AsRef<str>) {
    let _ = writeln!(io::stderr(), "{}", Screen::get().shown(text.as_ref()));
}
