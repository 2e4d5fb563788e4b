//! The contract between a sowing game and the engine that solves it.

use crate::{Avalanche, Dakon, Kalah, Oware, Position};
use serde::Serialize;
use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Seeds won by one player minus seeds won by the other; the text beside it says who is who. Range −510 to 510.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize)]
pub struct Margin(pub i16);

impl Add for Margin {
    type Output = Margin;
    #[inline]
    fn add(self, other: Margin) -> Margin {
        Margin(self.0 + other.0)
    }
}

impl Sub for Margin {
    type Output = Margin;
    #[inline]
    fn sub(self, other: Margin) -> Margin {
        Margin(self.0 - other.0)
    }
}

impl Neg for Margin {
    type Output = Margin;
    #[inline]
    fn neg(self) -> Margin {
        Margin(-self.0)
    }
}

impl fmt::Display for Margin {
    /// Always with a sign, but for zero: `+8`, `0`, `-2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&if self.0 > 0 { format!("+{}", self.0) } else { self.0.to_string() })
    }
}

impl fmt::Debug for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of pits of one row; bit `i − 1` stands for pit `i`. Iterates upwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Pits(pub u8);

impl Pits {
    /// Whether the set holds no pit.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many pits the set holds.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether pit `pit` (1 to 8) is in the set.
    #[inline]
    pub const fn contains(self, pit: u8) -> bool {
        pit >= 1 && pit <= 8 && self.0 & 1 << (pit - 1) != 0
    }
}

impl Iterator for Pits {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let pit = self.0.trailing_zeros() as u8 + 1;
        self.0 &= self.0 - 1;
        Some(pit)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl DoubleEndedIterator for Pits {
    #[inline]
    fn next_back(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let pit = 8 - self.0.leading_zeros() as u8;
        self.0 &= !(1 << (pit - 1));
        Some(pit)
    }
}

impl ExactSizeIterator for Pits {}

impl fmt::Display for Pits {
    /// The pits upwards, separated by commas: `1, 3, 6`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.map(|pit| pit.to_string()).collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Debug for Pits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// Who is to move after a sow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Next {
    /// The same player moves again: an extra move.
    Again,
    /// The turn passes to the other player.
    Pass,
    /// The game is over; [`SowingGame::leftovers`] says who gets what still lies in pits.
    Over,
}

/// What one sow did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sown {
    /// The pits afterwards as the *next* player to move sees them; after [`Next::Over`] as the player who just moved
    /// sees them, leftovers still lying there.
    pub position: Position,
    /// Seeds that came into the store of the player who sowed.
    pub mover_gain: u8,
    /// Seeds that came into the other player's store.
    pub opponent_gain: u8,
    /// Who is to move now.
    pub next: Next,
}

impl Sown {
    /// A sow that left these rows, as the player who sowed sees them, and brought seeds to that player only.
    #[inline]
    pub(crate) fn after(rows: Position, mover_gain: u8, again: bool, over: bool) -> Sown {
        let (next, position) = match (over, again) {
            (true, _) => (Next::Over, rows),
            (false, true) => (Next::Again, rows),
            (false, false) => (Next::Pass, rows.flipped()),
        };
        Sown { position, mover_gain, opponent_gain: 0, next }
    }

    /// Seeds gained by the player who sowed minus seeds gained by the other, leftovers not counted.
    #[inline]
    pub fn gain(&self) -> Margin {
        Margin(i16::from(self.mover_gain) - i16::from(self.opponent_gain))
    }
}

/// Who gets the seeds that lie in pits when the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Leftovers {
    /// Seeds for the player who moved last.
    pub mover: u8,
    /// Seeds for the other player.
    pub opponent: u8,
}

impl Leftovers {
    /// The share of the player who moved last minus the share of the other.
    #[inline]
    pub fn margin(self) -> Margin {
        Margin(i16::from(self.mover) - i16::from(self.opponent))
    }
}

/// Whether play inside one layer (all positions with the same number of seeds in pits) can come back to a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum LayerKind {
    /// Never: every sow that keeps all seeds in play lowers the sum, over all seeds, of the pits still to travel to the
    /// owner's store (the *distance*). Only a pass of a player without seeds leaves it as it is; the other then moves.
    Acyclic,
    /// It can; a layer needs a fixpoint.
    Cyclic,
}

/// What a position that has occurred before is worth where play is cut off there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Repetition {
    /// It cannot occur before: layers are acyclic.
    Never,
    /// The seeds in pits are split evenly, an odd one too: margin 0. The value of a position does not depend on the moves before
    /// it. It is the largest margin that the mover can force in finitely many moves, or the smallest that the opponent can hold
    /// them to, and 0 if neither can force anything else.
    Split,
    /// Both players keep the seeds of their own row. The result then depends on which positions have occurred before, so a
    /// position has no value of its own.
    OwnRows,
}

/// A sowing game on a board of a given number of pits under given rules.
///
/// Everything is seen by the player to move. A position is *over* exactly when [`legal`](SowingGame::legal) is empty.
/// Implementations are cheap to copy and share between threads.
pub trait SowingGame: Copy + Send + Sync {
    /// Pits a side, 1 to 8.
    fn pits(&self) -> u8;

    /// The pits the mover may sow from. Empty if and only if the game is over. A legal pit holds seeds, but for one case:
    /// where rules make a player without seeds pass, pit 1 stands for the pass, and sowing it moves nothing.
    fn legal(&self, position: Position) -> Pits;

    /// Sows from pit `pit`, which must be [`legal`](SowingGame::legal): anything else gives a meaningless result.
    fn sow(&self, position: Position, pit: u8) -> Sown;

    /// Who gets the seeds in pits once the game is over; `over` is seen by the player who moved last.
    fn leftovers(&self, over: Position) -> Leftovers;

    /// Whether a layer can contain cycles.
    fn layer_kind(&self) -> LayerKind;

    /// Whether every seed goes to somebody, so that every margin has the parity of the seeds in play.
    fn keeps_parity(&self) -> bool;

    /// What a repeated position is worth.
    fn repetition(&self) -> Repetition {
        Repetition::Never
    }

    /// The margin, for the player who would be to move, of a position in which the game is already over; `None` while
    /// there is something to play. The player who waits counts as the one who moved last.
    #[inline]
    fn over(&self, position: Position) -> Option<Margin> {
        self.legal(position).is_empty().then(|| -self.leftovers(position.flipped()).margin())
    }

    /// The margin from before the sow, for the player who sowed, if that sow ended the game.
    #[inline]
    fn final_margin(&self, sown: &Sown) -> Option<Margin> {
        (sown.next == Next::Over).then(|| sown.gain() + self.leftovers(sown.position).margin())
    }
}

/// Any of the games the engine knows, chosen at run time. Hot loops match once and run on the game inside.
#[derive(Clone, Copy, Debug)]
pub enum Game {
    /// Kalah and its variations.
    Kalah(Kalah),
    /// Oware and Awari.
    Oware(Oware),
    /// Dakon and Congkak.
    Dakon(Dakon),
    /// Avalanche.
    Avalanche(Avalanche),
}

macro_rules! each_game {
    ($game:expr, $inner:ident => $body:expr) => {
        match $game {
            Game::Kalah($inner) => $body,
            Game::Oware($inner) => $body,
            Game::Dakon($inner) => $body,
            Game::Avalanche($inner) => $body,
        }
    };
}

impl SowingGame for Game {
    #[inline]
    fn pits(&self) -> u8 {
        each_game!(self, game => game.pits())
    }
    #[inline]
    fn legal(&self, position: Position) -> Pits {
        each_game!(self, game => game.legal(position))
    }
    #[inline]
    fn sow(&self, position: Position, pit: u8) -> Sown {
        each_game!(self, game => game.sow(position, pit))
    }
    #[inline]
    fn leftovers(&self, over: Position) -> Leftovers {
        each_game!(self, game => game.leftovers(over))
    }
    #[inline]
    fn layer_kind(&self) -> LayerKind {
        each_game!(self, game => game.layer_kind())
    }
    #[inline]
    fn keeps_parity(&self) -> bool {
        each_game!(self, game => game.keeps_parity())
    }
    #[inline]
    fn repetition(&self) -> Repetition {
        each_game!(self, game => game.repetition())
    }
}
