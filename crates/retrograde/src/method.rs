//! Which code solves a layer, and the layers that are solved as a whole.

use crate::BuildError;
use crate::fixpoint::{self, Levels, RowTables};
use crate::observer::Observer;
use crate::options::Builder;
use crate::reference::{self, Unfinished};
use crate::solved_files::SolvedFiles;
use crate::sweep::Tables;
use crate::write::write_sections;
use kalah_database::{LayerWriter, Progress};
use kalah_index::Layer;
use kalah_rules::{Game, LayerKind, Repetition, RuleSet, SowingGame};
use std::time::{Duration, Instant};

/// The code that solves the layers of one build.
pub(crate) enum Method {
    /// Whole rows at a time, pair by pair; for Kalah.
    Sweep(Box<Tables>),
    /// One position after another; for every game without cycles.
    Reference,
    /// Whole rows at a time until nothing changes; for Oware.
    Levels(Box<RowTables>),
    /// One position after another until nothing changes; for every game with cycles.
    Plain,
}

impl Method {
    /// What the game needs and the caller wants.
    pub(crate) fn choose(game: &Game, rules: &RuleSet, builder: Builder) -> Result<Method, BuildError> {
        if game.repetition() == Repetition::OwnRows {
            return Err(BuildError::HistoryDependent { rules: *rules });
        }
        let rounds = |oware| RowTables::new(oware).map(|tables| Method::Levels(Box::new(tables)));
        Ok(match (*game, game.layer_kind(), builder) {
            (Game::Kalah(kalah), LayerKind::Acyclic, Builder::Sweep) => Method::Sweep(Box::new(Tables::new(kalah))),
            (_, LayerKind::Acyclic, _) => Method::Reference,
            (Game::Oware(oware), LayerKind::Cyclic, Builder::Sweep) => rounds(oware).unwrap_or(Method::Plain),
            (_, LayerKind::Cyclic, _) => Method::Plain,
        })
    }

    /// Solves the layer of `writer` as a whole and writes it. Not for [`Method::Sweep`], which solves pairs of sections.
    pub(crate) fn solve_layer(
        &mut self,
        game: &Game,
        rules: &RuleSet,
        solved: &SolvedFiles,
        writer: &LayerWriter,
        every: Duration,
        observer: &dyn Observer,
    ) -> Result<(), BuildError> {
        let layer = writer.layer();
        let going = || !observer.should_stop();
        let values = match self {
            Method::Sweep(_) | Method::Reference => reference::build_layer(game, layer, solved, &|positions| {
                observer.advanced(positions);
                going()
            }),
            Method::Levels(tables) => {
                let mut kept = Instant::now();
                let mut fault = None;
                let mut reached = |margin: i8, values: &[i8], open: &[u8]| {
                    if kept.elapsed() >= every {
                        fault = writer.keep_progress(margin as u32, values, open).err();
                        kept = Instant::now();
                    }
                    fault.is_none()
                };
                let begun = writer.progress()?.and_then(|progress| begun(progress, layer));
                let solved = fixpoint::level_layer_from(tables, layer, solved, &going, begun, &mut reached);
                if let Some(fault) = fault {
                    return Err(fault.into());
                }
                solved.map(|solved| solved.values)
            }
            Method::Plain => fixpoint::plain_layer(game, layer, solved, &going).map(|solved| solved.values),
        };
        let values = values.map_err(|unfinished| match unfinished {
            Unfinished::Stopped => BuildError::Stopped,
            Unfinished::NotAcyclic => BuildError::NotAcyclic { rules: *rules },
        })?;
        if game.layer_kind() == LayerKind::Cyclic {
            observer.advanced(layer.positions());
        }
        write_sections(&values, writer, observer)
    }

    /// Bytes the method takes for itself while it solves a layer; for the sweep, what it has taken at most.
    pub(crate) fn bytes(&self, layer: &Layer) -> u64 {
        match self {
            Method::Sweep(tables) => tables.peak_bytes(),
            Method::Levels(tables) => fixpoint::working_bytes(layer) + tables.bytes(),
            // A byte a position while it is worked on, and another when it is handed over.
            Method::Reference | Method::Plain => 2 * layer.positions(),
        }
    }
}

/// Progress as a builder by levels left it.
fn begun(progress: Progress, layer: &Layer) -> Option<Levels> {
    let margin = i8::try_from(progress.step).ok().filter(|&margin| margin >= 1 && margin as u32 <= layer.seeds())?;
    Some(Levels { margin, values: progress.values, open: progress.marks })
}
