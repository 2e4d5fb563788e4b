//! Files of solved layers: format, writer, reader, directory and integrity. Knows no rules.
//!
//! A *layer file* holds the value of every position with one number of seeds in pits, in the order of their ranks
//! (`kalah_index::Layer`). A value is a margin: the mover's seeds minus the opponent's from the position to the end of
//! the game under perfect play, stores not counted. Every file says for which rule set, board and layer it is; a reader
//! names what it wants with a [`Stamp`] and is refused everything else. `FORMAT.md` describes every byte.
//!
//! ```
//! use kalah_database::{Codec, Database, DirectoryLock, Encoding, LayerWriter, Parity, Stamp};
//! # let directory = tempfile::tempdir()?;
//! # let directory = directory.path();
//! let stamp = Stamp { rules: "kalah".to_owned(), rules_hash: 5_416_348_024_063_616_201, pits: 1 };
//! let encoding = Encoding { parity: Parity::Known, codec: Codec::Raw };
//!
//! // One builder a directory; layers are written section by section and appear in the directory when they are whole.
//! let lock = DirectoryLock::acquire(directory)?;
//! for (seeds, values) in [(0, vec![0]), (1, vec![-1, 1])] {
//!     let writer = LayerWriter::create(&lock, &stamp, seeds, encoding)?;
//!     writer.write(0, &values)?;
//!     writer.finish()?;
//! }
//!
//! let database = Database::open(directory, &stamp)?;
//! assert_eq!(database.layers(), 2);
//! assert_eq!(database.value(1, 0)?, Some(1)); // the mover's one pit holds the last seed
//! assert_eq!(database.value(1, 1)?, None); // two seeds: not in this database
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod compressed;
mod convert;
mod database;
mod directory;
mod disk;
mod error;
mod header;
mod journal;
mod layer_file;
mod lock;
mod manifest;
mod map;
mod names;
mod packed;
mod progress;
mod sections_done;
mod stamp;
mod tidy;
mod tile;
mod tiling;
mod verify;
mod writer;

pub use convert::convert;
pub use database::Database;
pub use directory::{Listed, list};
pub use error::{DatabaseError, ErrorKind};
pub use header::{Codec, Encoding, FORMAT_VERSION, Header, MAGIC, Parity};
pub use journal::{Journal, JournalError};
pub use layer_file::LayerFile;
pub use lock::DirectoryLock;
pub use manifest::MANIFEST;
pub use map::Access;
pub use progress::Progress;
pub use stamp::{LayerName, LayerNameError, Stamp};
pub use verify::{Fault, FaultKind, Verification};
pub use writer::{LayerWriter, Sealed};

/// The example of the README is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
