//! Proofs of values of sowing games: their file, and a checker that knows no search.
//!
//! A [`Certificate`] claims that the value of one position lies between two margins. What proves it are *lemmas*: one
//! position each, a margin that its mover gets at least, and the move that gets it. [`Certificate::check`] plays every
//! lemma's move by the rules, and all moves of the other player until the turn comes back, and looks whether what
//! is left is another lemma, a finished game, a position whose few seeds decide, or one in the solved layers. It needs the
//! rules and the layers, nothing else: neither the search that found the lemmas nor trust in it. `FORMAT.md`
//! describes every byte of the file.
//!
//! Margins are for the mover of the position they belong to, from there to the end, stores not counted.
//!
//! ```
//! use kalah_certificate::{Certificate, Lemma};
//! use kalah_rules::{Margin, Position, Row, RuleSet};
//!
//! // The mover sows pit 2 and banks the last of his seeds; the opponent keeps his two.
//! let root = Position::new(Row::from_pits(&[0, 1]), Row::from_pits(&[2, 0]));
//! let lemma = Lemma { position: root, window: Margin(-1), pit: 2 };
//! let proof = Certificate::new(RuleSet::default(), 2, root, [Margin(-1); 2], 0, vec![lemma])?;
//! assert_eq!(proof.check(None)?.lemmas, 1);
//!
//! // One step too much.
//! let lemma = Lemma { window: Margin(1), ..lemma };
//! let proof = Certificate::new(RuleSet::default(), 2, root, [Margin(1); 2], 0, vec![lemma])?;
//! assert!(proof.check(None).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod certificate;
mod check;
mod error;
mod file;
mod number;

pub use certificate::{Certificate, Lemma};
pub use check::Checked;
pub use error::{CertificateError, Refusal};
pub use file::{FORMAT_VERSION, MAGIC};
