//! Claims about whole layers: how many positions have each value.

use crate::reproduce::claim::Claim;
use crate::reproduce::error::ReproduceError;
use crate::reproduce::evaluator::{Evaluation, Evaluator};
use crate::reproduce::finding::Finding;
use crate::reproduce::number::Number;
use kalah_database::{Access, Database, DatabaseError};
use kalah_retrograde::stamp;
use kalah_rules::{LayerKind, RuleSet, SowingGame};
use std::collections::BTreeMap;

/// Values read at a time.
const PART: usize = 1 << 20;

impl Evaluator<'_> {
    /// How many positions of a layer have each value; values beyond the printed range count at its ends.
    pub(crate) fn histogram(&self, claim: &Claim, rules: RuleSet, seeds: u32) -> Result<Evaluation, ReproduceError> {
        let temporary;
        let directory = match self.means.directory {
            Some(directory) => directory,
            None => {
                temporary = tempfile::tempdir().map_err(|source| DatabaseError::Io {
                    file: std::env::temp_dir(),
                    doing: "creating a temporary directory in",
                    source,
                })?;
                temporary.path()
            }
        };
        if self.means.directory.is_none() || self.means.layer_bytes > 0 {
            let built = self.build(directory, rules, claim.pits, seeds);
            if let (Err(error), LayerKind::Cyclic) = (&built, rules.game(claim.pits)?.layer_kind()) {
                return Ok(Evaluation::unplayed(error.to_string()));
            }
            built?;
        }
        if !directory.exists() {
            return Ok(Evaluation::new(Finding::Nothing, 0));
        }
        let database = Database::open_with(directory, &stamp(&rules, claim.pits), Access::Map)?;
        let Some(file) = database.layer(seeds) else { return Ok(Evaluation::new(Finding::Nothing, 0)) };
        let positions = file.layer().positions();
        let mut by_value = [0u64; 256];
        let mut part = vec![0i8; PART];
        let mut first = 0;
        while first < positions {
            if !self.go_on() {
                return Ok(Evaluation::new(Finding::Nothing, 0));
            }
            let length = part.len().min((positions - first) as usize);
            file.read(first, &mut part[..length])?;
            part[..length].iter().for_each(|&value| by_value[usize::from(value as u8)] += 1);
            first += length as u64;
        }
        let range = match &claim.number {
            Number::Histogram(values) => values.keys().next().copied().zip(values.keys().last().copied()),
            _ => None,
        };
        let (least, most) = range.unwrap_or((i16::from(i8::MIN), i16::from(i8::MAX)));
        let mut values = BTreeMap::new();
        for (byte, &count) in (0..=u8::MAX).zip(&by_value).filter(|(_, count)| **count > 0) {
            *values.entry(i16::from(byte as i8).clamp(least, most)).or_default() += count;
        }
        Ok(Evaluation::new(Finding::Histogram(values), positions))
    }
}
