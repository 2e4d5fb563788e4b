//! What lies in a database directory by its names alone.

use crate::{DatabaseError, LayerName, disk};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The entries of a directory that are named like layer files.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Exactly named ones, in the order of rule set, pits and seeds.
    pub(crate) layers: BTreeMap<LayerName, PathBuf>,
    /// Others that people would take for layer files, in the order of names.
    pub(crate) odd: Vec<PathBuf>,
    /// What a writer leaves beside a layer: the entry's path and the suffix after the layer's name.
    pub(crate) beside: Vec<(LayerName, PathBuf, &'static str)>,
}

impl Names {
    /// Looks into a directory.
    pub(crate) fn read(directory: &Path) -> Result<Names, DatabaseError> {
        must_be_there(directory)?;
        let mut names = Names::default();
        for entry in std::fs::read_dir(directory).map_err(DatabaseError::io(directory, "reading"))? {
            let entry = entry.map_err(DatabaseError::io(directory, "reading"))?;
            let (name, path) = (entry.file_name(), entry.path());
            let text = name.to_str().unwrap_or_default();
            if let Ok(layer) = text.parse() {
                names.layers.insert(layer, path);
            } else if LayerName::looks_like_one(&name) {
                names.odd.push(path);
            } else if let Some((layer, suffix)) =
                disk::BESIDE.into_iter().find_map(|suffix| Some((text.strip_suffix(suffix)?.parse().ok()?, suffix)))
            {
                names.beside.push((layer, path, suffix));
            }
        }
        names.odd.sort();
        Ok(names)
    }
}

/// Numbers of seeds as ranges: `0 to 5, 7`.
pub(crate) fn ranges(seeds: &[u32]) -> String {
    let runs = seeds.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [first, .., last] => format!("{first} to {last}"),
        _ => run.iter().map(ToString::to_string).collect(),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// Layers in words.
pub(crate) fn summary<'a>(layers: impl Iterator<Item = &'a LayerName>) -> String {
    let mut groups: BTreeMap<(&str, u8), Vec<u32>> = BTreeMap::new();
    layers.for_each(|name| groups.entry((&name.rules, name.pits)).or_default().push(name.seeds));
    let group = |((rules, pits), seeds): (_, Vec<u32>)| {
        let (word, noun) =
            if seeds.len() == 1 { ("layer", if seeds == [1] { "seed" } else { "seeds" }) } else { ("layers", "seeds") };
        let side = if pits == 1 { "pit" } else { "pits" };
        format!("the {word} of {} {noun} for {rules}, {pits} {side}", ranges(&seeds))
    };
    let parts: Vec<String> = groups.into_iter().map(group).collect();
    if parts.is_empty() { "no layers".to_owned() } else { parts.join(", and ") }
}

fn must_be_there(directory: &Path) -> Result<(), DatabaseError> {
    match std::fs::metadata(directory) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(DatabaseError::io(directory, "looking for")(error))
        }
        _ => Err(DatabaseError::MissingDirectory { directory: directory.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_in_words() {
        let names = |list: &[(&str, u8, u32)]| {
            let name = |&(rules, pits, seeds): &(&str, u8, u32)| LayerName { rules: rules.to_owned(), pits, seeds };
            summary(list.iter().map(name).collect::<Vec<_>>().iter())
        };
        assert_eq!(names(&[]), "no layers");
        assert_eq!(names(&[("a", 6, 1)]), "the layer of 1 seed for a, 6 pits");
        assert_eq!(
            names(&[("a", 6, 0), ("a", 6, 1), ("a", 6, 2), ("a", 6, 5), ("b", 3, 7)]),
            "the layers of 0 to 2, 5 seeds for a, 6 pits, and the layer of 7 seeds for b, 3 pits"
        );
        assert_eq!(ranges(&[]), "");
    }
}
