//! The two streams: results to stdout, everything else to stderr.

use crate::failure::Failure;
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

    /// One line or several lines of text.
    pub(crate) fn text(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        writeln!(self.writer, "{}", text.as_ref().trim_end_matches('\n'))?;
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

/// A line for the person at the terminal. If nobody can read it, nothing is lost.
pub(crate) fn note(text: impl AsRef<str>) {
    let _ = writeln!(io::stderr(), "{}", text.as_ref());
}
