//! What a command ends with: an exit code, or a fault told in one paragraph or as one JSON object.

use kalah::certificate::{CertificateError, Refusal};
use kalah::database::{DatabaseError, ErrorKind};
use kalah::retrograde::BuildError;
use kalah::split::SplitError;
use kalah::{RecordError, SearchError, SolverError};
use kalah_rules::{MoveError, PositionError, RuleSetError};
use serde::Serialize;
use std::fmt;
use std::io;

/// How a command that ran to its end ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// Every question was answered.
    Answered,
    /// The answer is no: a check failed.
    Negative,
    /// At least one position of several could not be read.
    BadPosition,
    /// A limit or a signal came first; what was printed is marked as a bound.
    Limit,
}

impl Outcome {
    /// The exit code of the process.
    pub(crate) fn code(self) -> u8 {
        match self {
            Outcome::Answered => 0,
            Outcome::Negative => 1,
            Outcome::BadPosition => 3,
            Outcome::Limit => 5,
        }
    }
}

/// Which part of the request is at fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The command line.
    Usage,
    /// The name of a rule set.
    Rules,
    /// A position or start.
    Position,
    /// A move.
    Move,
    /// A file or directory of layers.
    Database,
    /// A work list or a file of results.
    List,
    /// Results that contradict each other.
    Contradiction,
    /// A result that a new proof refuted.
    Refuted,
    /// Time, memory, disk or patience ran out.
    Limit,
    /// Writing the results failed.
    Output,
}

impl Kind {
    /// The word in JSON.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Usage => "usage",
            Kind::Rules => "rules",
            Kind::Position => "position",
            Kind::Move => "move",
            Kind::Database => "database",
            Kind::List => "list",
            Kind::Contradiction => "contradiction",
            Kind::Refuted => "refuted",
            Kind::Limit => "limit",
            Kind::Output => "output",
        }
    }

    /// The exit code of the process.
    pub(crate) fn code(self) -> u8 {
        match self {
            Kind::Output | Kind::Refuted => 1,
            Kind::Usage | Kind::Rules => 2,
            Kind::Position | Kind::Move => 3,
            Kind::Database | Kind::List | Kind::Contradiction => 4,
            Kind::Limit => 5,
        }
    }
}

/// A fault and the way out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    /// The part of the request that is at fault.
    pub(crate) kind: Kind,
    /// One sentence: the thing that is wrong, what was expected, what was found.
    pub(crate) message: String,
    /// The character of the text at which the fault was noticed, counted from 0.
    pub(crate) at: Option<usize>,
    /// What to do about it, in a sentence; may be empty if the message says so already.
    pub(crate) help: String,
    /// Whether the only fault is that the reader of the results has gone.
    pub(crate) closed: bool,
}

impl Failure {
    /// A fault without a place.
    pub(crate) fn new(kind: Kind, message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), at: None, help: help.into(), closed: false }
    }

    /// The object that takes the place of an answer.
    pub(crate) fn json(&self) -> impl Serialize {
        #[derive(Serialize)]
        struct Object<'a> {
            error: Told<'a>,
        }
        #[derive(Serialize)]
        struct Told<'a> {
            kind: &'a str,
            message: &'a str,
            at: Option<usize>,
            help: &'a str,
        }
        Object { error: Told { kind: self.kind.word(), message: &self.message, at: self.at, help: &self.help } }
    }
}

impl fmt::Display for Failure {
    /// One paragraph.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(at) = self.at {
            write!(f, " (at character {})", at + 1)?;
        }
        if !self.message.ends_with(['.', '?', '!']) {
            f.write_str(".")?;
        }
        if !self.help.is_empty() {
            write!(f, " {}", self.help)?;
        }
        Ok(())
    }
}

impl From<io::Error> for Failure {
    /// Only the results are written through plain `io`: every other file has an error of its own.
    fn from(error: io::Error) -> Failure {
        let closed = error.kind() == io::ErrorKind::BrokenPipe;
        let message = format!("the results cannot be written: {error}");
        Failure { closed, ..Failure::new(Kind::Output, message, "Check where the standard output leads.") }
    }
}

impl From<PositionError> for Failure {
    fn from(error: PositionError) -> Failure {
        let failure = Failure::new(Kind::Position, error.to_string(), error.help());
        Failure { at: error.at, ..failure }
    }
}

impl From<MoveError> for Failure {
    fn from(error: MoveError) -> Failure {
        Failure { at: error.at(), ..Failure::new(Kind::Move, error.to_string(), error.help()) }
    }
}

impl From<DatabaseError> for Failure {
    fn from(error: DatabaseError) -> Failure {
        let kind = if error.kind() == ErrorKind::DiskFull { Kind::Limit } else { Kind::Database };
        Failure::new(kind, error.to_string(), error.help())
    }
}

impl From<SolverError> for Failure {
    fn from(error: SolverError) -> Failure {
        match error {
            SolverError::Position(error) => error.into(),
            SolverError::Database(error) => error.into(),
            SolverError::Record(error) => error.into(),
            SolverError::Search(error) => error.into(),
            SolverError::Build(error) => error.into(),
            SolverError::Threads { .. } | SolverError::NoMemory { .. } | SolverError::NoDisk { .. } => {
                Failure::new(Kind::Limit, error.to_string(), error.help())
            }
            other => Failure::new(Kind::Database, other.to_string(), other.help()),
        }
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Failure {
        let kind = match error {
            SearchError::Cyclic { .. } => Kind::Rules,
            SearchError::Proof => Kind::Database,
            _ => Kind::Limit,
        };
        Failure::new(kind, error.to_string(), error.help())
    }
}

impl From<CertificateError> for Failure {
    fn from(error: CertificateError) -> Failure {
        let kind = match error {
            CertificateError::DiskFull { .. } | CertificateError::Stopped => Kind::Limit,
            _ => Kind::Database,
        };
        Failure::new(kind, error.to_string(), error.help())
    }
}

impl From<Refusal> for Failure {
    /// Of a proof that could not be checked at all.
    fn from(refusal: Refusal) -> Failure {
        match refusal {
            Refusal::Database(error) => error.into(),
            Refusal::Stopped => Failure::new(Kind::Limit, refusal.to_string(), refusal.help()),
            other => Failure::new(Kind::Database, other.to_string(), other.help()),
        }
    }
}

impl From<SplitError> for Failure {
    fn from(error: SplitError) -> Failure {
        match error {
            SplitError::Position(error) => error.into(),
            error => {
                let kind = match &error {
                    SplitError::Finished { .. } => Kind::Position,
                    SplitError::Pie { .. } | SplitError::Cyclic { .. } => Kind::Rules,
                    SplitError::Window { .. } | SplitError::NoList => Kind::Usage,
                    error if error.is_contradiction() => Kind::Contradiction,
                    _ => Kind::List,
                };
                Failure::new(kind, error.to_string(), error.help())
            }
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Failure {
        match error {
            BuildError::Board(error) => error.into(),
            BuildError::Database(error) => error.into(),
            BuildError::Index(_) => Failure::new(Kind::Usage, error.to_string(), error.help()),
            BuildError::Memory { .. } | BuildError::Stopped => {
                Failure::new(Kind::Limit, error.to_string(), error.help())
            }
            // What is left are rules whose layers cannot be built.
            other => Failure::new(Kind::Rules, other.to_string(), other.help()),
        }
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Failure {
        let kind = if error.is_disk_full() { Kind::Limit } else { Kind::Database };
        Failure::new(kind, error.to_string(), error.help())
    }
}

impl From<RuleSetError> for Failure {
    fn from(error: RuleSetError) -> Failure {
        Failure::new(Kind::Rules, error.to_string(), error.help())
    }
}
