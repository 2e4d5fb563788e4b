//! A match of Dakon over several rounds: burnt pits, refilling from the stores, and who begins.
//!
//! A single round with all pits in play is [`Dakon`](crate::Dakon), which the engine can solve. A pit that its owner cannot fill
//! at the beginning of a round is *burnt*: every sow of that round passes over it. The simultaneous first turn that some sources
//! describe is left out, because none says what happens when both hands meet.

use crate::{DakonRules, LastSeed, MAX_PITS, MoveError, Next, Pits, PositionError, Side, relay};

/// Who begins the rounds after the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Begins {
    /// The winner of the round before; after a draw, the one who began it.
    #[default]
    Winner,
    /// The loser of the round before; after a draw, the one who began it.
    Loser,
    /// The player who moved last.
    LastMover,
}

/// In what order players fill their pits, and so which ones burn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fills {
    /// From the owner's store outwards.
    #[default]
    FromStore,
    /// From the far end towards the owner's store.
    TowardsStore,
}

/// How rounds make a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatchRules {
    /// The rules of one round.
    pub round: DakonRules,
    /// Who begins the rounds after the first.
    pub begins: Begins,
    /// Which pits are filled first.
    pub fills: Fills,
    /// A player who cannot fill so many pits has lost the match; 1 in most sources.
    pub least_pits: u8,
}

impl Default for MatchRules {
    fn default() -> MatchRules {
        MatchRules { round: DakonRules::default(), begins: Begins::Winner, fills: Fills::FromStore, least_pits: 1 }
    }
}

/// One round as it stands: South's part of an array first.
///
/// ```
/// use kalah_rules::{MatchRules, Round, Side};
/// // The first round of a match on seven pits ended 55 to 43.
/// let next = Round::refilled(&MatchRules::default(), 7, 7, [55, 43], Side::South)?.expect("both can go on");
/// assert_eq!((next.store(Side::South), next.store(Side::North)), (6, 1));
/// assert!(next.is_burnt(Side::North, 1) && !next.is_burnt(Side::North, 2));
/// # Ok::<(), kalah_rules::PositionError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    rules: DakonRules,
    /// `None` is a burnt pit.
    rows: [Vec<Option<u32>>; 2],
    stores: [u32; 2],
    to_move: Side,
    over: bool,
}

impl Round {
    /// A round with these pits, pit 1 first and `None` for a burnt one, and these stores.
    ///
    /// # Errors
    /// If the rows are not of one length from 1 to 8.
    pub fn new(
        rules: DakonRules,
        rows: [Vec<Option<u32>>; 2],
        stores: [u32; 2],
        to_move: Side,
    ) -> Result<Round, PositionError> {
        let [south, north] = rows.each_ref().map(Vec::len);
        if !(1..=usize::from(MAX_PITS)).contains(&south) {
            return Err(PositionError::pits(south as u64));
        }
        if south != north {
            let reason = format!("both rows have the same number of pits, found {south} and {north}");
            return Err(PositionError::board(reason));
        }
        Ok(Round { rules, rows, stores, to_move, over: false })
    }

    /// The round that begins when South and North own so many seeds. Both fill as many of `pits` pits with `seeds` seeds as they
    /// can, keep the rest in their store, and burn the other pits. `None` if one of them cannot fill enough pits: the match is
    /// over.
    ///
    /// # Errors
    /// If `pits` is not 1 to 8.
    pub fn refilled(
        rules: &MatchRules,
        pits: u8,
        seeds: u32,
        owned: [u32; 2],
        to_move: Side,
    ) -> Result<Option<Round>, PositionError> {
        let filled = owned.map(|owned| owned.checked_div(seeds).unwrap_or(0).min(u32::from(pits)));
        let rows = filled.map(|filled| {
            let mut row: Vec<Option<u32>> = (0..u32::from(pits)).map(|pit| (pit < filled).then_some(seeds)).collect();
            if rules.fills == Fills::FromStore {
                row.reverse();
            }
            row
        });
        let stores = [owned[0] - filled[0] * seeds, owned[1] - filled[1] * seeds];
        let round = Round::new(rules.round, rows, stores, to_move)?;
        Ok(filled.iter().all(|&filled| filled >= u32::from(rules.least_pits).max(1)).then_some(round))
    }

    /// Who begins the round after this one, which `first` began and `last` ended.
    pub fn next_to_begin(&self, rules: &MatchRules, first: Side, last: Side) -> Side {
        let winner = match self.stores[0].cmp(&self.stores[1]) {
            std::cmp::Ordering::Greater => Some(Side::South),
            std::cmp::Ordering::Less => Some(Side::North),
            std::cmp::Ordering::Equal => None,
        };
        match rules.begins {
            Begins::Winner => winner.unwrap_or(first),
            Begins::Loser => winner.map_or(first, Side::other),
            Begins::LastMover => last,
        }
    }

    /// The seeds in a side's store; when the round is over, all the side owns.
    pub fn store(&self, side: Side) -> u32 {
        self.stores[side as usize]
    }

    /// A side's pits, pit 1 first; `None` for a burnt one.
    pub fn row(&self, side: Side) -> &[Option<u32>] {
        &self.rows[side as usize]
    }

    /// Whether a side's pit, counted from 1, is burnt.
    ///
    /// # Panics
    /// If there is no such pit.
    #[track_caller]
    pub fn is_burnt(&self, side: Side, pit: u8) -> bool {
        self.rows[side as usize][usize::from(pit) - 1].is_none()
    }

    /// Whose turn it is; after the end of the round, whose turn it would be.
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// Plays a pit of the side to move. A player without seeds who must pass plays any pit.
    ///
    /// # Errors
    /// If the round is over, or the pit does not exist, is burnt or holds no seeds.
    pub fn play(&mut self, pit: u8) -> Result<Next, MoveError> {
        let (mover, pits) = (self.to_move, self.rows[0].len());
        if self.over {
            return Err(MoveError::Over);
        }
        let held = self.rows[mover as usize].iter().enumerate().filter(|(_, held)| held.is_some_and(|held| held > 0));
        let legal = held.fold(Pits(0), |legal, (pit, _)| Pits(legal.0 | 1 << pit));
        if legal.is_empty() {
            self.to_move = mover.other();
            return Ok(self.judge(false));
        }
        if !(1..=pits).contains(&usize::from(pit)) {
            return Err(MoveError::NoSuchPit { pit, pits: pits as u8 });
        }
        if self.rows[mover as usize][usize::from(pit) - 1].is_none_or(|held| held == 0) {
            return Err(MoveError::Empty { pit, legal });
        }
        let last = relay::sow(self, pit);
        let rules = self.rules;
        relay::capture(self, &rules, last);
        let again = last == LastSeed::Store;
        self.to_move = if again { mover } else { mover.other() };
        Ok(self.judge(again))
    }

    /// A pit of the mover or the opponent; `None` if it is burnt.
    fn pit(&mut self, seat: LastSeed) -> Option<&mut u32> {
        let (side, pit) = match seat {
            LastSeed::Own(pit) => (self.to_move, pit),
            LastSeed::Opponent(pit) => (self.to_move.other(), pit),
            LastSeed::Store => return None,
        };
        self.rows[side as usize][usize::from(pit) - 1].as_mut()
    }

    /// The seat after another on the way round, the other player's store left out.
    fn after(&self, seat: LastSeed) -> LastSeed {
        let pits = self.rows[0].len() as u8;
        match seat {
            LastSeed::Own(pit) if pit < pits => LastSeed::Own(pit + 1),
            LastSeed::Own(_) => LastSeed::Store,
            LastSeed::Store => LastSeed::Opponent(1),
            LastSeed::Opponent(pit) if pit < pits => LastSeed::Opponent(pit + 1),
            LastSeed::Opponent(_) => LastSeed::Own(1),
        }
    }

    /// Whether the round is over, and the sweep.
    fn judge(&mut self, again: bool) -> Next {
        let empty = |side: Side| self.rows[side as usize].iter().flatten().all(|&held| held == 0);
        self.over = self.rules.end.is_over(empty(self.to_move), empty(self.to_move.other()));
        if self.over {
            for (row, store) in self.rows.iter_mut().zip(&mut self.stores) {
                *store += row.iter_mut().flatten().map(std::mem::take).sum::<u32>();
            }
            return Next::Over;
        }
        if again { Next::Again } else { Next::Pass }
    }
}

impl relay::Board for Round {
    fn pits(&self) -> u8 {
        self.rows[0].len() as u8
    }

    fn lap(&mut self, from: LastSeed) -> LastSeed {
        let mut seat = from;
        let mut hand = self.pit(from).map_or(0, std::mem::take);
        while hand > 0 {
            seat = self.after(seat);
            if seat == LastSeed::Store {
                self.stores[self.to_move as usize] += 1;
            } else if let Some(held) = self.pit(seat) {
                *held += 1;
            } else {
                continue;
            }
            hand -= 1;
        }
        seat
    }

    fn held(&self, pit: LastSeed) -> u32 {
        let row = |side: Side, pit: u8| self.rows[side as usize][usize::from(pit) - 1].unwrap_or(0);
        match pit {
            LastSeed::Own(pit) => row(self.to_move, pit),
            LastSeed::Opponent(pit) => row(self.to_move.other(), pit),
            LastSeed::Store => 0,
        }
    }

    fn take(&mut self, pit: LastSeed) -> u32 {
        let taken = self.pit(pit).map_or(0, std::mem::take);
        self.stores[self.to_move as usize] += taken;
        taken
    }
}
