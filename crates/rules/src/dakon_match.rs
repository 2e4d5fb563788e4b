//! A match of Dakon over several rounds: burnt pits, refilling from the stores, and who begins. Plain code, seed by seed.
//!
//! A single round with all pits in play is [`Dakon`](crate::Dakon), which the engine can solve. A pit that its owner cannot fill
//! at the beginning of a round is *burnt*: it is passed over by every sowing of that round and is never filled by one.
//! The simultaneous first turn that some sources describe is left out: none says what happens when both hands meet.

use crate::{DakonRules, MAX_PITS, Mikul, MoveError, Next, Pits, PositionError, RoundEnd, Side, Take};

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

/// In what order a player fills his pits, and so which ones burn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fills {
    /// From his store outwards.
    #[default]
    FromStore,
    /// From the far end towards his store.
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

    /// The round that players begin who own so many seeds: each fills as many of `pits` pits with `seeds` as he can, keeps
    /// what is left over in his store, and burns the others. `None` if one of them cannot fill enough pits: the match is over.
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
            return self.judge(false);
        }
        if !(1..=pits).contains(&usize::from(pit)) {
            return Err(MoveError::NoSuchPit { pit, pits: pits as u8 });
        }
        if self.rows[mover as usize][usize::from(pit) - 1].is_none_or(|held| held == 0) {
            return Err(MoveError::Empty { pit, legal });
        }
        let again = self.sow(mover, usize::from(pit) - 1);
        self.to_move = if again { mover } else { mover.other() };
        self.judge(again)
    }

    /// Sows and relays on; whether the last seed fell into the store.
    fn sow(&mut self, mover: Side, pit: usize) -> bool {
        let pits = self.rows[0].len();
        // Seats round the board: the mover's pits, his store, the other's pits.
        let mut seat = pit;
        loop {
            let mut hand = self.hole(mover, seat).map(std::mem::take).unwrap_or(0);
            while hand > 0 {
                seat = (seat + 1) % (2 * pits + 1);
                if seat == pits {
                    self.stores[mover as usize] += 1;
                } else if let Some(held) = self.hole(mover, seat) {
                    *held += 1;
                } else {
                    continue;
                }
                hand -= 1;
            }
            if seat == pits {
                return true;
            }
            if self.hole(mover, seat).is_none_or(|held| *held == 1) {
                break;
            }
        }
        if seat < pits {
            self.capture(mover, seat);
        } else {
            self.mikul(mover, seat);
        }
        false
    }

    /// The seeds at a seat that is no store, unless it is burnt.
    fn hole(&mut self, mover: Side, seat: usize) -> Option<&mut u32> {
        let pits = self.rows[0].len();
        let (side, pit) = if seat < pits { (mover, seat) } else { (mover.other(), seat - pits - 1) };
        self.rows[side as usize][pit].as_mut()
    }

    fn take(&mut self, mover: Side, seat: usize) {
        let taken = self.hole(mover, seat).map(std::mem::take).unwrap_or(0);
        self.stores[mover as usize] += taken;
    }

    fn capture(&mut self, mover: Side, seat: usize) {
        // Pit i faces pit m + 1 − i: their seats add up to twice the store's.
        let facing = 2 * self.rows[0].len() - seat;
        let full = self.hole(mover, facing).is_some_and(|held| *held > 0);
        self.take(mover, facing);
        if if full { self.rules.take == Take::Both } else { self.rules.bank_alone } {
            self.take(mover, seat);
        }
    }

    fn mikul(&mut self, mover: Side, seat: usize) {
        let pits = self.rows[0].len();
        let beside = [seat - 1, seat + 1].map(|seat| (pits + 1..=2 * pits).contains(&seat).then_some(seat));
        let held = beside.map(|seat| seat.and_then(|seat| self.hole(mover, seat).map(|held| *held)));
        let takes = match self.rules.mikul {
            Mikul::Nothing => false,
            Mikul::Neighbours => true,
            Mikul::Equal => held[0].is_some() && held[0] == held[1],
        };
        if takes {
            beside.into_iter().flatten().for_each(|seat| self.take(mover, seat));
        }
    }

    /// Whether the round is over, and the sweep.
    fn judge(&mut self, again: bool) -> Result<Next, MoveError> {
        let empty = self.rows.each_ref().map(|row| row.iter().flatten().all(|&held| held == 0));
        self.over = match self.rules.end {
            RoundEnd::MoverStuck => empty[self.to_move as usize],
            RoundEnd::RowEmpty => empty[0] || empty[1],
            RoundEnd::AllEmpty => empty[0] && empty[1],
        };
        if self.over {
            for (row, store) in self.rows.iter_mut().zip(&mut self.stores) {
                *store += row.iter_mut().flatten().map(std::mem::take).sum::<u32>();
            }
            return Ok(Next::Over);
        }
        Ok(if again { Next::Again } else { Next::Pass })
    }
}
