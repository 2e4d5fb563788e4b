//! The checker: it plays every lemma by the rules and tests whether each position that follows is proved. To believe a
//! certificate, one has to believe this file, the rules, and the layers.
//!
//! It may take all lemmas for true while it checks each of them: a lemma rests only on lemmas about positions that come
//! later in the game, and games in which a position could come again are refused. So the last ones rest on nothing but
//! finished games, layers and counted seeds, those before them on the last ones, and so on up to the root.

use crate::{Certificate, Lemma, Refusal};
use kalah_database::Database;
use kalah_rules::{Game, LayerKind, Margin, Next, Position, SowingGame, State};
use std::collections::HashMap;

/// The work of a successful check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Positions whose mover has one move to follow.
    pub lemmas: u64,
    /// Positions whose mover may choose any move: all moves were tried.
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
        let lemmas = self.lemmas.iter().map(|lemma| (lemma.position, lemma.window)).collect();
        let checked = Checked::default();
        let mut check = Check { certificate: self, game, database, lemmas, held: HashMap::new(), checked };
        for lemma in &self.lemmas {
            check.lemma(lemma)?;
        }
        check.at_least(self.root, self.bounds[0])?;
        check.at_most(self.root, self.bounds[1])?;
        Ok(check.checked)
    }
}

struct Check<'a> {
    certificate: &'a Certificate,
    game: Game,
    database: Option<&'a Database>,
    /// The margin the mover of a position gets at least, if all lemmas are true.
    lemmas: HashMap<Position, Margin>,
    /// The margin the mover of a position gets at most, if all lemmas are true, as far as it was checked already.
    held: HashMap<Position, Margin>,
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
        if least >= window || self.lemmas.get(&position).is_some_and(|&promised| promised >= window) {
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
        if most <= window || self.held.get(&position).is_some_and(|&held| held <= window) {
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
