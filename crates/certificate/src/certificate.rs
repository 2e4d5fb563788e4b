//! What a certificate claims and what it gives as proof.

use crate::lemmas::{ASK_EVERY, tidy};
use crate::{CertificateError, Going};
use kalah_database::Stamp;
use kalah_rules::{MAX_PITS, MAX_SEEDS, Margin, Position, RuleSet, State};

/// Layers hold at most 127 seeds, so that a value fits a byte; with the empty layer these are so many.
const MOST_LAYERS: u32 = 128;

/// One step of a proof: sowing `pit` in `position` gets the mover at least `window`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Lemma {
    /// The position.
    pub position: Position,
    /// The margin the mover gets at least, from here to the end.
    pub window: Margin,
    /// The pit the mover sows.
    pub pit: u8,
}

/// A claim about the value of one position, and lemmas that should prove it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    pub(crate) rules: RuleSet,
    pub(crate) pits: u8,
    pub(crate) root: Position,
    pub(crate) bounds: [Margin; 2],
    pub(crate) layers: u32,
    pub(crate) lemmas: Vec<Lemma>,
}

impl Certificate {
    /// The claim that the value of `root` lies between the two `bounds`, both included: its mover gets at least the first,
    /// the other player at least minus the second. Where the proof comes to a position with fewer seeds than `layers`,
    /// the solved layers speak; 0 for a proof without layers.
    ///
    /// Lemmas may come in any order; of several about one position the one that promises most is kept. Whether they prove
    /// anything is not looked at here.
    ///
    /// # Errors
    /// [`CertificateError::Impossible`] if the claim or a lemma cannot be true of any position of such a board, or the rule
    /// set has an option that concerns starts only.
    pub fn new(
        rules: RuleSet,
        pits: u8,
        root: Position,
        bounds: [Margin; 2],
        layers: u32,
        lemmas: Vec<Lemma>,
    ) -> Result<Certificate, CertificateError> {
        Certificate::new_while(rules, pits, root, bounds, layers, lemmas, &|_, _| true)
    }

    /// As [`Certificate::new`], which may take a minute for a hundred million lemmas, as long as `going` says so. It is told
    /// how many of all lemmas are in order.
    ///
    /// # Errors
    /// As [`Certificate::new`], and [`CertificateError::Stopped`].
    pub fn new_while(
        rules: RuleSet,
        pits: u8,
        root: Position,
        bounds: [Margin; 2],
        layers: u32,
        mut lemmas: Vec<Lemma>,
        going: Going<'_>,
    ) -> Result<Certificate, CertificateError> {
        let impossible = |what: String| Err(CertificateError::Impossible { what });
        if rules != rules.for_positions() {
            return impossible(format!("the rule set {rules} is about starts, a proof is about one position"));
        }
        if !(1..=MAX_PITS).contains(&pits) {
            return impossible(format!("a board has 1 to {MAX_PITS} pits a side, found {pits}"));
        }
        let seeds = seeds_on(pits, root);
        let Some(seeds) = seeds.filter(|&seeds| seeds <= MAX_SEEDS) else {
            return impossible(format!(
                "{} has seeds beyond pit {pits} or more than {MAX_SEEDS} seeds",
                board(pits, root)
            ));
        };
        let [lower, upper] = bounds;
        let most = Margin(seeds as i16);
        if !(-most <= lower && lower <= upper && upper <= most) {
            return impossible(format!("{seeds} seeds give no value from {lower} to {upper}"));
        }
        if layers > MOST_LAYERS {
            return impossible(format!("a proof can rely on {MOST_LAYERS} layers at most, found {layers}"));
        }
        let all = lemmas.len() as u64;
        for (at, &Lemma { position, window, pit }) in lemmas.iter().enumerate() {
            if at.is_multiple_of(ASK_EVERY) && !going(0, all) {
                return Err(CertificateError::Stopped);
            }
            let own = seeds_on(pits, position).filter(|&own| own <= seeds);
            if own.is_none_or(|own| window.0.unsigned_abs() > own as u16) || !(1..=pits).contains(&pit) {
                return impossible(format!(
                    "no lemma can promise {window} from pit {pit} of {}",
                    board(pits, position)
                ));
            }
        }
        if !tidy(&mut lemmas, going) {
            return Err(CertificateError::Stopped);
        }
        Ok(Certificate { rules, pits, root, bounds, layers, lemmas })
    }

    /// The rules it is about.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Pits a side, 1 to 8.
    pub fn pits(&self) -> u8 {
        self.pits
    }

    /// The position it is about, as the player to move sees it.
    pub fn root(&self) -> Position {
        self.root
    }

    /// Between which margins, both included, it claims the value of the root to lie.
    pub fn bounds(&self) -> [Margin; 2] {
        self.bounds
    }

    /// The value it claims, if it leaves only one.
    pub fn value(&self) -> Option<Margin> {
        (self.bounds[0] == self.bounds[1]).then_some(self.bounds[0])
    }

    /// How many solved layers it relies on: positions with fewer seeds in pits are looked up there.
    pub fn layers(&self) -> u32 {
        self.layers
    }

    /// The lemmas, one a position, in the order of the positions' numbers.
    pub fn lemmas(&self) -> &[Lemma] {
        &self.lemmas
    }

    /// The rules and the board that the layers it relies on must belong to.
    pub fn stamp(&self) -> Stamp {
        Stamp { rules: self.rules.to_string(), rules_hash: self.rules.hash64(), pits: self.pits }
    }
}

/// The position as people write it, the mover as South.
fn board(pits: u8, position: Position) -> String {
    State::new(pits, position).to_string()
}

/// All seeds of a position, or `None` if some lie beyond the board.
pub(crate) fn seeds_on(pits: u8, position: Position) -> Option<u32> {
    let rows = [position.mover.bits(), position.opponent.bits()];
    let beyond = |row: u64| row.checked_shr(8 * u32::from(pits)).unwrap_or(0) != 0;
    // Not by the rows' own sums, which are exact only for boards that are.
    let sum = |row: u64| row.to_le_bytes().iter().map(|&pit| u32::from(pit)).sum::<u32>();
    (!rows.into_iter().any(beyond)).then(|| rows.into_iter().map(sum).sum())
}
