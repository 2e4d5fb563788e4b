//! Oware and Awari: sow round the pits, capture twos and threes on the other side; positions can repeat.

use crate::round_table::{RoundSowing, RoundTable, after};
use crate::sow_table::LastSeed;
use crate::{LayerKind, Leftovers, Next, Pits, Position, Repetition, Row, SowingGame, Sown};

/// What happens when a move would capture all seeds of the other row (a *grand slam*).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Slam {
    /// The move is legal and captures nothing. The rule of tournaments (abapa).
    #[default]
    Nothing,
    /// The move is illegal. If nothing else can be played, the game is over and both keep their rows.
    Illegal,
    /// The move is legal and captures them all.
    Takes,
    /// The move is legal and captures them all; what is left in the mover's own row goes to the opponent, and the game is over.
    Forfeit,
    /// A move that leaves the opponent without seeds is illegal while another move leaves them some. If every move would take
    /// the opponent's last seeds, all moves are legal and capture. The rule of the solved game Awari.
    UnlessForced,
}

/// The points on which sources of Oware and Awari differ and the engine lets you choose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct OwareRules {
    /// What a grand slam does.
    pub slam: Slam,
    /// Whether a sow that comes round to its origin drops a seed there too.
    pub origin_sown: bool,
    /// Whether pits with twelve seeds or more are passed over while sowing, as long as another pit can take the seed.
    pub full_skipped: bool,
    /// Whether a repeated position splits the seeds in pits evenly; else both players keep their own row.
    pub cycle_split: bool,
}

/// A pit with so many seeds is full where full pits are passed over.
pub(crate) const FULL: u8 = 12;

/// Oware on a board of a given number of pits under given rules.
///
/// If the opponent has no seeds, the mover must give them some if they can. If no move does, the game is over and the mover keeps
/// their row. A player without seeds cannot move: the game is over too.
///
/// ```
/// use kalah_rules::{Next, Oware, OwareRules, Position, Row, SowingGame};
/// let oware = Oware::new(6, OwareRules::default());
/// // F has four seeds: the last falls into d, and 2, 3, 2, 3 are captured from there backwards.
/// let sown = oware.sow(Position::new(Row::from_pits(&[0, 0, 0, 0, 0, 4]), Row::from_pits(&[1, 2, 1, 2, 6, 6])), 6);
/// assert_eq!((sown.mover_gain, sown.next), (10, Next::Pass));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Oware {
    table: &'static RoundTable,
    rules: OwareRules,
    pits: u8,
}

/// The board after one sow and its capture, before the end of the game is judged.
struct Outcome {
    mover: Row,
    opponent: Row,
    captured: u8,
    /// Whether the opponent's row held seeds when the capture began, and would hold none after it.
    slam: bool,
}

impl Oware {
    /// Oware with `pits` pits a side.
    ///
    /// # Panics
    /// If `pits` is not 1 to 8.
    #[track_caller]
    pub fn new(pits: u8, rules: OwareRules) -> Oware {
        assert!((1..=crate::MAX_PITS).contains(&pits), "a board has 1 to 8 pits a side, found {pits}");
        Oware { table: RoundTable::of(pits), rules, pits }
    }

    /// The rules it is played by.
    pub fn rules(&self) -> OwareRules {
        self.rules
    }

    /// Where `seeds` seeds sown from pit `pit` (from 1) fall, whatever lies in the pits, unless full pits are passed over.
    ///
    /// # Panics
    /// If the board has no such pit.
    #[inline]
    pub fn sowing(&self, pit: u8, seeds: u8) -> &'static RoundSowing {
        self.table.sowing(self.pits, pit, seeds, self.rules.origin_sown)
    }

    /// The rows after sowing, and where the last seed fell.
    #[inline]
    fn sown(&self, position: Position, pit: u8) -> (Row, Row, LastSeed) {
        let seeds = position.mover.pit(pit);
        let mover = position.mover.without(pit);
        if self.rules.full_skipped {
            return self.sown_past_full_pits(Position::new(mover, position.opponent), pit, seeds);
        }
        let sowing = self.sowing(pit, seeds);
        (mover + sowing.mover, position.opponent + sowing.opponent, sowing.last)
    }

    fn sown_past_full_pits(&self, lifted: Position, pit: u8, seeds: u8) -> (Row, Row, LastSeed) {
        let (mut rows, origin) = (lifted, LastSeed::Own(pit));
        let mut last = origin;
        for _ in 0..seeds {
            let seats = std::iter::successors(Some(after(self.pits, last)), |&seat| Some(after(self.pits, seat)));
            let held = |seat| match seat {
                LastSeed::Own(pit) => rows.mover.pit(pit),
                LastSeed::Opponent(pit) => rows.opponent.pit(pit),
                LastSeed::Store => u8::MAX,
            };
            let allowed = |seat: &LastSeed| self.rules.origin_sown || *seat != origin;
            let round = 2 * usize::from(self.pits);
            let open = seats.clone().take(round).find(|seat| allowed(seat) && held(*seat) < FULL);
            // Where every pit is full, the next one takes the seed after all.
            last = open.or_else(|| seats.take(round).find(allowed)).unwrap_or(last);
            let one = |pit: u8| Row::from_bits(1 << (8 * (pit - 1)));
            match last {
                LastSeed::Own(pit) => rows.mover = rows.mover + one(pit),
                LastSeed::Opponent(pit) => rows.opponent = rows.opponent + one(pit),
                LastSeed::Store => {}
            }
        }
        (rows.mover, rows.opponent, last)
    }

    #[inline]
    fn outcome(&self, position: Position, pit: u8) -> Outcome {
        let (mover, opponent, last) = self.sown(position, pit);
        let mut outcome = Outcome { mover, opponent, captured: 0, slam: false };
        if let LastSeed::Opponent(last) = last {
            let mut left = opponent;
            for pit in (1..=last).rev() {
                let held = left.pit(pit);
                if held != 2 && held != 3 {
                    break;
                }
                left = left.without(pit);
                outcome.captured += held;
            }
            outcome.slam = left.is_empty();
            if outcome.slam && self.rules.slam == Slam::Nothing {
                outcome.captured = 0;
            } else {
                outcome.opponent = left;
            }
        }
        outcome
    }
}

impl SowingGame for Oware {
    #[inline]
    fn pits(&self) -> u8 {
        self.pits
    }

    fn legal(&self, position: Position) -> Pits {
        let occupied = Pits(position.mover.occupied());
        let starved = position.opponent.is_empty();
        let feeds = |pit: &u8| !self.outcome(position, *pit).opponent.is_empty();
        let among = |keep: &dyn Fn(&u8) -> bool| {
            occupied.filter(|pit| keep(pit)).fold(Pits(0), |pits, pit| Pits(pits.0 | 1 << (pit - 1)))
        };
        match self.rules.slam {
            Slam::UnlessForced => {
                let feeding = among(&feeds);
                if feeding.is_empty() && !starved { occupied } else { feeding }
            }
            Slam::Illegal => among(&|pit| {
                let outcome = self.outcome(position, *pit);
                !outcome.slam && !outcome.opponent.is_empty()
            }),
            _ if starved => among(&feeds),
            _ => occupied,
        }
    }

    fn sow(&self, position: Position, pit: u8) -> Sown {
        let outcome = self.outcome(position, pit);
        if outcome.slam && self.rules.slam == Slam::Forfeit {
            let rest = outcome.mover.seeds() as u8;
            let position = Position::default();
            return Sown { position, mover_gain: outcome.captured, opponent_gain: rest, next: Next::Over };
        }
        let child = Position::new(outcome.opponent, outcome.mover);
        // Only a starved player, or one whom a grand slam alone would help, can be without a move.
        let may_be_over = child.mover.is_empty() || child.opponent.is_empty() || self.rules.slam == Slam::Illegal;
        let over = may_be_over && self.legal(child).is_empty();
        let (position, next) = if over { (child.flipped(), Next::Over) } else { (child, Next::Pass) };
        Sown { position, mover_gain: outcome.captured, opponent_gain: 0, next }
    }

    fn leftovers(&self, over: Position) -> Leftovers {
        Leftovers { mover: over.mover.seeds() as u8, opponent: over.opponent.seeds() as u8 }
    }

    fn layer_kind(&self) -> LayerKind {
        LayerKind::Cyclic
    }

    /// No: an odd number of seeds that is split by a repetition gives the margin 0.
    fn keeps_parity(&self) -> bool {
        false
    }

    fn repetition(&self) -> Repetition {
        if self.rules.cycle_split { Repetition::Split } else { Repetition::OwnRows }
    }
}
