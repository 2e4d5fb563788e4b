//! One move told in sentences, sown seed by seed: a second road to the rules, without the sow tables.

mod avalanche;
mod dakon;
mod kalah;
mod oware;

use crate::{GameRules, MoveError, Next, Position, Row, RuleSet, Side, SowingGame, State};
use serde::{Serialize, Serializer};
use std::fmt;

/// Where a seed can lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Place {
    /// A pit, counted from 1 in its owner's sowing order.
    Pit {
        /// The owner.
        side: Side,
        /// Its number.
        pit: u8,
    },
    /// A store.
    Store {
        /// The owner.
        side: Side,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Pit { side, pit } => f.pad(&format!("{side}'s pit {pit}")),
            Place::Store { side } => f.pad(&format!("{side}'s store")),
        }
    }
}

impl Serialize for Place {
    /// `"S3"` for South's pit 3, `"S"` for South's store.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Place::Pit { side, pit } => serializer.collect_str(&format_args!("{}{pit}", side.letter())),
            Place::Store { side } => serializer.serialize_str(side.letter()),
        }
    }
}

/// Everything that one move did, as facts and as sentences. Prints one sentence per line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Explanation {
    /// The account, in the order of events.
    pub sentences: Vec<String>,
    /// Who moved.
    pub mover: Side,
    /// The pit that was sown, counted from 1.
    pub pit: u8,
    /// Where each seed fell, first seed first.
    pub path: Vec<Place>,
    /// Whether the last place was a pit that held no seed when the last one arrived.
    pub last_was_empty: bool,
    /// Seeds that a capture brought into the mover's store, the capturing seed included; 0 without a capture.
    pub captured: u8,
    /// All seeds that the move brought into the mover's store, sown and captured, leftovers not counted.
    pub banked: u8,
    /// Whether the mover moves again, the turn passes, or the game is over.
    pub next: Next,
    /// The board afterwards; when the game is over, after the sweep.
    pub state: State,
    /// South's and North's seeds at the end, the sweep included, if the game is over.
    #[serde(rename = "final")]
    pub final_score: Option<[u32; 2]>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentences.join("\n"))
    }
}

/// Explains the move of the side to move from pit `pit`, under the rules of `rules`.
///
/// ```
/// use kalah_rules::{RuleSet, State, explain};
/// let state: State = "<6,0,0,0,0,1,0,0,2,3,0,4,0,0,1>".parse()?;
/// let told = explain(&RuleSet::default(), &state, 3)?;
/// assert_eq!((told.captured, told.banked), (5, 5));
/// println!("{told}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the game is over ([`explain_end`] then says how it ended), or the pit does not exist or is not legal.
pub fn explain(rules: &RuleSet, state: &State, pit: u8) -> Result<Explanation, MoveError> {
    // Only to refuse what cannot be played; nothing of its result is used.
    state.play(&rules.game.on_board(state.pits()), pit)?;
    let mut told = Telling::new(rules, state);
    match &rules.game {
        GameRules::Kalah(kalah) => kalah::tell(&mut told, kalah, pit),
        GameRules::Oware(oware) => oware::tell(&mut told, oware, pit),
        GameRules::Dakon(dakon) => dakon::tell(&mut told, dakon, pit),
        GameRules::Avalanche => avalanche::tell(&mut told, pit),
    }
    Ok(told.finish(pit))
}

/// How a game ended: the sweep and the final score, as facts and as sentences. Prints one sentence per line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ending {
    /// Why the game is over, who gets the leftover seeds, and the score.
    pub sentences: Vec<String>,
    /// The board after the sweep.
    pub state: State,
    /// South's and North's seeds at the end.
    #[serde(rename = "final")]
    pub final_score: [u32; 2],
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentences.join("\n"))
    }
}

/// Explains the result of a position in which the side to move has no legal move. `None` while the game goes on.
///
/// The side that waits counts as the one who moved last, which matters under `+leftover=last`.
///
/// ```
/// use kalah_rules::{RuleSet, State, explain_end};
/// let state: State = "<3,5,4,0,0,0,1,1,1>".parse()?;
/// let ending = explain_end(&RuleSet::default(), &state).expect("South's row is empty");
/// assert_eq!(ending.final_score, [5, 7]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain_end(rules: &RuleSet, state: &State) -> Option<Ending> {
    let game = rules.game.on_board(state.pits());
    if !game.legal(state.position()).is_empty() {
        return None;
    }
    let mut told = Telling::new(rules, state);
    told.mover = state.to_move().other();
    let empty = SIDES.map(|side| told.row_seeds(side) == 0);
    let why = match empty {
        [true, true] => "Both rows are empty".to_owned(),
        [true, false] | [false, true] => {
            let side = if empty[0] { Side::South } else { Side::North };
            let to_move = state.to_move();
            match rules.game {
                GameRules::Oware(_) if side != to_move => {
                    format!("{side} has no seeds, and {to_move} cannot give them any")
                }
                _ => format!("{side}'s row is empty"),
            }
        }
        [false, false] => format!("{} has no legal move", state.to_move()),
    };
    told.say(format!("{why}. Under {}, the game is over.", told.rules));
    match &rules.game {
        GameRules::Kalah(kalah) => kalah::sweep(&mut told, kalah),
        _ => told.sweep(Telling::owner),
    }
    let Telling { sentences, stores, .. } = &told;
    let (sentences, final_score) = (sentences.clone(), *stores);
    let state = State::new(state.pits(), Position::default())
        .with_stores(final_score[0], final_score[1])
        .with_to_move(state.to_move());
    Some(Ending { sentences, state, final_score })
}

/// The board while a move is played on it, and what has been said so far.
#[derive(Clone)]
struct Telling {
    rules: RuleSet,
    pits: u8,
    mover: Side,
    /// South's and North's pits, pit 1 first.
    rows: [Vec<u32>; 2],
    /// South's and North's store.
    stores: [u32; 2],
    sentences: Vec<String>,
    path: Vec<Place>,
    last_was_empty: bool,
    captured: u32,
    banked: u32,
    next: Next,
    to_move: Side,
}

const SIDES: [Side; 2] = [Side::South, Side::North];

/// "1 seed", "2 seeds".
fn seeds(count: u32) -> String {
    format!("{count} seed{}", if count == 1 { "" } else { "s" })
}

/// "the only seed", "the 4 seeds".
fn the_hand(count: usize) -> String {
    if count == 1 { "the only seed".to_owned() } else { format!("the {count} seeds") }
}

/// "pit 3", "pits 3 and 4", "pits 3 to 6".
fn pits_named(from: u8, to: u8) -> String {
    match to - from {
        0 => format!("pit {from}"),
        1 => format!("pits {from} and {to}"),
        _ => format!("pits {from} to {to}"),
    }
}

/// "a", "a and b", "a, b and c".
fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

impl Telling {
    fn new(rules: &RuleSet, state: &State) -> Telling {
        let pits = state.pits();
        Telling {
            rules: rules.for_positions(),
            pits,
            mover: state.to_move(),
            rows: SIDES.map(|side| state.row(side).pits(pits).map(u32::from).collect()),
            stores: SIDES.map(|side| state.store(side)),
            sentences: Vec::new(),
            path: Vec::new(),
            last_was_empty: false,
            captured: 0,
            banked: 0,
            next: Next::Pass,
            to_move: state.to_move().other(),
        }
    }

    fn say(&mut self, sentence: String) {
        self.sentences.push(sentence);
    }

    fn at(&mut self, place: Place) -> &mut u32 {
        match place {
            Place::Pit { side, pit } => &mut self.rows[side as usize][usize::from(pit) - 1],
            Place::Store { side } => &mut self.stores[side as usize],
        }
    }

    fn row_seeds(&self, side: Side) -> u32 {
        self.rows[side as usize].iter().sum()
    }

    /// Where the seed after the one that fell into `place` falls: on anticlockwise, never into the other store.
    fn after(&self, place: Place) -> Place {
        match place {
            Place::Pit { side, pit } if pit < self.pits => Place::Pit { side, pit: pit + 1 },
            Place::Pit { side, .. } if side == self.mover => Place::Store { side },
            Place::Pit { side, .. } => Place::Pit { side: side.other(), pit: 1 },
            Place::Store { side } => Place::Pit { side: side.other(), pit: 1 },
        }
    }

    /// Sows the seeds of one of the mover's pits through their store and tells where they fall.
    fn sow(&mut self, pit: u8) {
        let mover = self.mover;
        self.lift_and_drop(Place::Pit { side: mover, pit });
        let hand = self.path.len();
        self.say(format!("{mover} sows {} of pit {pit}.", the_hand(hand)));
        let (path, lap) = (self.path.clone(), 2 * usize::from(self.pits) + 1);
        if hand >= lap {
            self.say_laps(hand / lap, lap, pit);
        }
        self.say_falls(&path[hand / lap * lap..], hand >= lap);
        self.say_skipped_store(&path);
    }

    /// Lifts the seeds of a pit and drops them one by one, the mover's store included.
    fn lift_and_drop(&mut self, from: Place) {
        let mut place = from;
        let hand = std::mem::take(self.at(place));
        for _ in 0..hand {
            place = self.after(place);
            self.drop(place);
        }
    }

    /// Drops one seed.
    fn drop(&mut self, place: Place) {
        self.last_was_empty = matches!(place, Place::Pit { .. }) && *self.at(place) == 0;
        *self.at(place) += 1;
        self.banked += u32::from(place == Place::Store { side: self.mover });
        self.path.push(place);
    }

    fn say_laps(&mut self, laps: usize, lap: usize, origin: u8) {
        let mover = self.mover;
        let (what, verb, each) = match laps {
            1 => (format!("A full lap of {lap} seeds"), "puts", "one".to_owned()),
            _ => (format!("{laps} full laps of {lap} seeds"), "put", laps.to_string()),
        };
        self.say(format!(
            "{what} {verb} {each} into every pit, pit {origin} included, and {each} into {mover}'s store."
        ));
    }

    /// Where seeds fall that are not part of a full lap.
    fn say_falls(&mut self, path: &[Place], after_laps: bool) {
        let subject = match (after_laps, path.len()) {
            (_, 0) => return,
            (false, 1) => "It falls into ".to_owned(),
            (false, _) => "They fall, one each, into ".to_owned(),
            (true, 1) => "The remaining seed falls into ".to_owned(),
            (true, count) => format!("The remaining {count} seeds fall, one each, into "),
        };
        let runs = self.runs(path);
        self.say(format!("{subject}{}.", listed(&runs)));
    }

    fn say_skipped_store(&mut self, path: &[Place]) {
        let (mover, other) = (self.mover, self.mover.other());
        let over_it = [Place::Pit { side: other, pit: self.pits }, Place::Pit { side: mover, pit: 1 }];
        if path.windows(2).any(|two| two == over_it) {
            self.say(format!("{other}'s store is skipped."));
        }
    }

    /// Brings the seeds of a pit into the mover's store by capture. How many there were.
    fn capture(&mut self, pit: Place) -> u32 {
        let taken = std::mem::take(self.at(pit));
        self.captured += taken;
        self.banked += taken;
        self.stores[self.mover as usize] += taken;
        taken
    }

    /// Says how many seeds the move brought into the mover's store.
    fn bank(&mut self) {
        let (mover, store) = (self.mover, self.stores[self.mover as usize]);
        self.say(match self.banked {
            0 => format!("The move brings no seeds into {mover}'s store, which holds {store}."),
            banked => format!("The move brings {} into {mover}'s store, which now holds {store}.", seeds(banked)),
        });
    }

    /// Gives every row to `heir` of its owner, with the words after "to", and names the winner: the game is over.
    fn sweep(&mut self, heir: impl Fn(Side) -> (Option<Side>, String)) {
        if SIDES.map(|side| self.row_seeds(side)) == [0, 0] {
            self.say("No seed is left in the pits.".to_owned());
        }
        for side in SIDES {
            let count = self.row_seeds(side);
            self.rows[side as usize].fill(0);
            if count == 0 {
                continue;
            }
            let verb = if count == 1 { "goes" } else { "go" };
            let (heir, whom) = heir(side);
            if let Some(heir) = heir {
                self.stores[heir as usize] += count;
            }
            let rules = self.rules;
            self.say(format!("The {} left in {side}'s row {verb} to {whom} (rule set {rules}).", seeds(count)));
        }
        self.next = Next::Over;
        self.to_move = self.mover.other();
        let [south, north] = self.stores;
        let verdict = match south.cmp(&north) {
            std::cmp::Ordering::Equal => "a draw".to_owned(),
            std::cmp::Ordering::Greater => format!("South wins by {}", south - north),
            std::cmp::Ordering::Less => format!("North wins by {}", north - south),
        };
        self.say(format!("Final score: South {south}, North {north}: {verdict}."));
    }

    /// The heir of rows that their owners keep.
    fn owner(side: Side) -> (Option<Side>, String) {
        (Some(side), format!("{side}, the owner of the row"))
    }

    /// A path in words, neighbouring pits of one row together.
    fn runs(&self, path: &[Place]) -> Vec<String> {
        let name = |side: Side, from, to| format!("{side}'s {}", pits_named(from, to));
        let mut runs = Vec::new();
        let mut open: Option<(Side, u8, u8)> = None;
        for &place in path {
            open = match (open, place) {
                (Some((side, from, to)), Place::Pit { side: next, pit }) if side == next && pit == to + 1 => {
                    Some((side, from, pit))
                }
                (before, place) => {
                    runs.extend(before.map(|(side, from, to)| name(side, from, to)));
                    match place {
                        Place::Pit { side, pit } => Some((side, pit, pit)),
                        Place::Store { .. } => {
                            runs.push(place.to_string());
                            None
                        }
                    }
                }
            };
        }
        runs.extend(open.map(|(side, from, to)| name(side, from, to)));
        runs
    }

    fn finish(self, pit: u8) -> Explanation {
        // No pit passes 255: the whole board holds at most that many seeds.
        let row = |side: Side| Row::from_pits(&self.rows[side as usize].iter().map(|&n| n as u8).collect::<Vec<_>>());
        let state = State::new(self.pits, Position::new(row(Side::South), row(Side::North)))
            .with_stores(self.stores[0], self.stores[1])
            .with_to_move(self.to_move);
        Explanation {
            mover: self.mover,
            pit,
            last_was_empty: self.last_was_empty,
            captured: self.captured as u8,
            banked: self.banked as u8,
            next: self.next,
            state,
            final_score: (self.next == Next::Over).then_some(self.stores),
            sentences: self.sentences,
            path: self.path,
        }
    }
}
