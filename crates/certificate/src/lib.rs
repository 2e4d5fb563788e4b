//! Proofs of values of sowing games: their file, and a checker that knows no search.
//!
//! A [`Certificate`] claims that the value of one position lies between two margins. Its proof is a list of *lemmas*. A lemma
//! is a position, a margin that its mover gets at least, and the pit that gets it.
//!
//! [`Certificate::check`] sows every lemma's pit by the rules, then plays all moves of the other player until the turn comes
//! back. Each position reached then must have a lemma, or be over, or have so few seeds that they decide, or lie in the solved
//! layers. The check needs the rules and the layers. It does not need the search that found the lemmas. `FORMAT.md` describes
//! every byte of the file.
//!
//! Margins are for the mover of the position they belong to, from there to the end, stores not counted.
//!
//! ```
//! use kalah_certificate::{Certificate, Lemma};
//! use kalah_rules::{Margin, Position, Row, RuleSet};
//!
//! // The mover sows pit 2 and banks their last seed; the opponent keeps two.
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
mod lemmas;
mod number;

pub use certificate::{Certificate, Lemma};
pub use check::Checked;
pub use error::{CertificateError, Refusal};
pub use file::{FORMAT_VERSION, MAGIC};

/// The example of the README is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Told how much of a long piece of work is done, and of how much; answers whether to go on. Called every few milliseconds.
pub type Going<'a> = &'a dyn Fn(u64, u64) -> bool;
