//! What can go wrong while building or checking layers.

use thiserror::Error;

/// A build or check that did not come to its end.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The observer asked to stop. What was finished before is kept.
    #[error("stopped on request; finished layers are kept and the same command goes on from there")]
    Stopped,
    /// A rule set whose layers contain cycles was given to a builder for acyclic layers.
    #[error("positions repeat under these rules, so their layers need a fixpoint, which this builder does not compute")]
    NotAcyclic,
}
