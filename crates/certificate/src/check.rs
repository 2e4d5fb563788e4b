//! The checker: it plays every lemma by the rules and tests whether each position that follows is proved. To believe a
//! certificate, one has to believe this file, the rules, and the layers.
//!
//! It may take all lemmas for true while it checks each of them: a lemma rests only on lemmas about positions that come
//! later in the game, and games in which a position could come again are refused. So the last ones rest on nothing but
//! finished games, layers and counted seeds, those before them on the last ones, and so on up to the root.

use crate::lemmas::{Index, hash};
use crate::{Certificate, Going, Lemma, Refusal};
use kalah_database::Database;
use kalah_rules::{Game, LayerKind, Margin, Next, Position, SowingGame, State};

/// The work of a successful check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Positions whose mover has one move to follow.
    pub lemmas: u64,
    /// Positions whose mover may choose any move: all moves were tried. Of very long proofs some count more than once.
    pub replies: u64,
    /// Values looked up in the layers.
    pub probes: u64,
}

impl Certificate {
    /// Checks every lemma and the claim. `Ok` means: under these rules, and if the layers' values are right, the value of
    /// the root lies between the bounds.
    ///
    /// # Errors
    /// Why the certificate proves nothing, or cannot be checked.
    pub fn check(&self, database: Option<&Database>) -> Result<Checked, Refusal> {
        self.check_while(database, &|_, _| true)
    }

    /// As [`Certificate::check`], as long as `going` says so. It is told how many lemmas of all were checked.
    ///
    /// Beside the lemmas it needs eight to sixteen bytes a lemma for finding them, and at most 400 MiB for what it checked.
    ///
    /// # Errors
    /// As [`Certificate::check`], and [`Refusal::Stopped`].
    pub fn check_while(&self, database: Option<&Database>, going: Going<'_>) -> Result<Checked, Refusal> {
        let game = self.rules.game(self.pits)?;
        if game.layer_kind() != LayerKind::Acyclic {
            return Err(Refusal::Cyclic { rules: self.rules.to_string() });
        }
        let (stamp, needed) = (self.stamp(), self.layers);
        if let Some(other) = database.map(Database::stamp).filter(|&other| *other != stamp) {
            return Err(Refusal::OtherLayers { expected: stamp.to_string(), found: other.to_string() });
        }
        let found = database.map_or(0, Database::layers);
        if found < needed {
            return Err(Refusal::MissingLayers { expected: stamp.to_string(), needed, found });
        }
        let all = self.lemmas.len() as u64;
        let lemmas = Index::new(&self.lemmas, &|_, _| going(0, all)).ok_or(Refusal::Stopped)?;
        let held = Held::new(self.lemmas.len());
        let mut check = Check { certificate: self, game, database, lemmas, held, checked: Checked::default() };
        for (at, lemma) in self.lemmas.iter().enumerate() {
            if at.is_multiple_of(ASK_EVERY) && !going(at as u64, all) {
                return Err(Refusal::Stopped);
            }
            check.lemma(lemma)?;
        }
        check.at_least(self.root, self.bounds[0])?;
        check.at_most(self.root, self.bounds[1])?;
        Ok(check.checked)
    }
}

/// Lemmas between two questions whether to go on: each may look up dozens of values on a slow disk.
const ASK_EVERY: usize = 16;

/// The most positions that are remembered as checked.
const MOST_HELD: usize = 1 << 24;

/// The margin the mover of a position gets at most, if all lemmas are true, as far as it was checked already. A position may push
/// another one out, which is then checked again: checks come in the order of seeds, and mostly meet positions of the same few
/// layers again.
///
/// Both rows of a position and the margin; zeros where there is none, which the system hands out for nothing.
struct Held(Vec<[u64; 3]>);

impl Held {
    fn new(lemmas: usize) -> Held {
        // No position without seeds is ever entered.
        Held(vec![[0; 3]; (4 * lemmas).next_power_of_two().clamp(1 << 10, MOST_HELD)])
    }

    fn place(&self, position: Position) -> usize {
        hash(position) as usize & (self.0.len() - 1)
    }

    /// Whether it was checked that the mover gets at most `window`.
    fn holds(&self, position: Position, window: Margin) -> bool {
        let [mover, opponent, most] = self.0[self.place(position)];
        (mover, opponent) == (position.mover.bits(), position.opponent.bits()) && most as i16 <= window.0
    }

    fn insert(&mut self, position: Position, window: Margin) {
        let place = self.place(position);
        self.0[place] = [position.mover.bits(), position.opponent.bits(), window.0 as u64];
    }
}

struct Check<'a> {
    certificate: &'a Certificate,
    game: Game,
    database: Option<&'a Database>,
    /// The margin the mover of a position gets at least, if all lemmas are true.
    lemmas: Index<'a>,
    held: Held,
    checked: Checked,
}

impl Check<'_> {
    /// The least and the most a position's mover can get, as far as that is known without a proof.
    fn known(&mut self, position: Position) -> Result<[Margin; 2], Refusal> {
        if let Some(value) = self.game.over(position) {
            return Ok([value; 2]);
        }
        let (seeds, needed) = (position.seeds(), self.certificate.layers);
        let Some(database) = self.database.filter(|_| seeds < needed) else {
            // Nobody can win more seeds than there are.
            return Ok([-Margin(seeds as i16), Margin(seeds as i16)]);
        };
        self.checked.probes += 1;
        match database.value(position.mover.bits(), position.opponent.bits())? {
            Some(value) => Ok([Margin(i16::from(value)); 2]),
            None => {
                let (expected, found) = (self.certificate.stamp().to_string(), database.layers());
                Err(Refusal::MissingLayers { expected, needed, found })
            }
        }
    }

    /// A lemma is true if its move leads to what it promises.
    fn lemma(&mut self, &Lemma { position, window, pit }: &Lemma) -> Result<(), Refusal> {
        self.checked.lemmas += 1;
        if !self.game.legal(position).contains(pit) {
            return Err(Refusal::Illegal { position: self.state(position), pit });
        }
        let sown = self.game.sow(position, pit);
        match self.game.final_margin(&sown) {
            Some(end) if end >= window => Ok(()),
            Some(found) => Err(self.falsehood(position, format!("{window} or more"), found)),
            None if sown.next == Next::Again => self.at_least(sown.position, window - sown.gain()),
            None => self.at_most(sown.position, sown.gain() - window),
        }
    }

    /// The mover gets at least `window`: known, or a lemma.
    fn at_least(&mut self, position: Position, window: Margin) -> Result<(), Refusal> {
        let [least, most] = self.known(position)?;
        if least >= window || self.lemmas.window(position).is_some_and(|promised| promised >= window) {
            return Ok(());
        }
        if most < window {
            return Err(self.falsehood(position, format!("{window} or more"), most));
        }
        Err(Refusal::Gap { position: self.state(position), needed: window })
    }

    /// The mover gets at most `window`: it is known, or it holds after each of the mover's moves.
    fn at_most(&mut self, position: Position, window: Margin) -> Result<(), Refusal> {
        let [least, most] = self.known(position)?;
        if most <= window || self.held.holds(position, window) {
            return Ok(());
        }
        if least > window {
            return Err(self.falsehood(position, format!("{window} or less"), least));
        }
        self.checked.replies += 1;
        for pit in self.game.legal(position) {
            let sown = self.game.sow(position, pit);
            match self.game.final_margin(&sown) {
                Some(end) if end <= window => {}
                Some(found) => return Err(self.falsehood(position, format!("{window} or less"), found)),
                // An extra move banks a seed, so this goes no deeper than there are seeds.
                None if sown.next == Next::Again => self.at_most(sown.position, window - sown.gain())?,
                None => self.at_least(sown.position, sown.gain() - window)?,
            }
        }
        self.held.insert(position, window);
        Ok(())
    }

    fn state(&self, position: Position) -> State {
        State::new(self.certificate.pits, position)
    }

    fn falsehood(&self, position: Position, needed: String, found: Margin) -> Refusal {
        Refusal::False { position: self.state(position), needed, found }
    }
}
