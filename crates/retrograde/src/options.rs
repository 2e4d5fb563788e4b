//! How layers are built, and what their files say of themselves.

use kalah_database::{Codec, Stamp};
use kalah_rules::RuleSet;
use std::time::Duration;

/// Which code computes the values. The sweep and the reference builder write the same bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Builder {
    /// Whole rows of positions at a time; for Kalah.
    #[default]
    Sweep,
    /// One position after another through the rules; for every game without cycles.
    Reference,
    /// A pattern that means nothing from the layer of `from` seeds on, true values below: to try files, codecs and
    /// checks at sizes that a test could not solve. The files are for other rules than any, see [`BuildOptions::stamp`].
    Pattern {
        /// Seeds of the first layer without true values.
        from: u32,
    },
}

/// How to build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildOptions {
    /// Which code computes the values.
    pub builder: Builder,
    /// How files hold them.
    pub codec: Codec,
    /// The most bytes of memory the build may take for itself; `None` for as much as it likes. What the system uses to keep
    /// files at hand is not part of it.
    pub memory: Option<u64>,
    /// How often what is known of a layer with cycles is kept on disk, two bytes a position, while it is solved by levels: a sudden end loses
    /// no more work than this and the level at hand.
    pub keep_every: Duration,
}

impl BuildOptions {
    /// What the files of such a build say of themselves: [`stamp`], but for a pattern `pattern-FROM-RULES` in the place of the
    /// rules and a hash that no rules have, so that nothing ever takes it for solved layers.
    pub fn stamp(&self, rules: &RuleSet, pits: u8) -> Stamp {
        let stamp = stamp(rules, pits);
        match self.builder {
            Builder::Pattern { from } => {
                Stamp { rules: format!("pattern-{from}-{}", stamp.rules), rules_hash: !stamp.rules_hash, pits }
            }
            Builder::Sweep | Builder::Reference => stamp,
        }
    }
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions {
            builder: Builder::default(),
            codec: Codec::Raw,
            memory: None,
            keep_every: Duration::from_secs(60),
        }
    }
}

/// What files with the values of these rules and boards say of themselves.
pub fn stamp(rules: &RuleSet, pits: u8) -> Stamp {
    let rules = rules.for_positions();
    Stamp { rules: rules.to_string(), rules_hash: rules.hash64(), pits }
}
