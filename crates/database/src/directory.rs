//! The layer files of a directory, for all rule sets and boards: those that are there, and those that should be.

use crate::names::{Names, summary};
use crate::{Access, DatabaseError, Header, LayerFile, LayerName, manifest};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One layer file of a directory, or one that should be there.
#[derive(Debug)]
pub struct Listed {
    /// Where it lies, or should lie.
    pub path: PathBuf,
    /// What its name promises; `None` if it has no layer's name.
    pub name: Option<LayerName>,
    /// What it says of itself, or why it is of no use.
    pub header: Result<Header, DatabaseError>,
}

/// Every file of a directory that is named like a layer file, for any rule set and board, in the order of rule set, pits and
/// seeds. An entry carries an error if
///
/// - the file is damaged or no regular file, or its content is not what its name promises;
/// - the file is missing ([`DatabaseError::MissingLayer`]): the manifest names it, or the directory has a layer of more seeds
///   for the same rule set and board;
/// - the file's name is not quite a layer's ([`DatabaseError::WrongName`]); these come last.
///
/// Only the heads of files are read.
///
/// # Errors
/// If the directory is missing or cannot be read.
pub fn list(directory: &Path) -> Result<Vec<Listed>, DatabaseError> {
    let Names { layers, odd, .. } = Names::read(directory)?;
    let mut listed: BTreeMap<LayerName, Listed> = BTreeMap::new();
    for name in missing(&layers, directory)? {
        let path = directory.join(name.to_string());
        let same = layers.keys().filter(|other| (&other.rules, other.pits) == (&name.rules, name.pits));
        let error = DatabaseError::MissingLayer { file: path.clone(), seeds: name.seeds, present: summary(same) };
        listed.insert(name.clone(), Listed { path, name: Some(name), header: Err(error) });
    }
    for (name, path) in layers {
        let header = LayerFile::open_any(&path, Access::Blocks).and_then(|file| {
            let header = file.header().clone();
            // A name tells no hash: the rule set's text is all it can promise.
            let promised =
                crate::Stamp { rules: name.rules.clone(), rules_hash: header.stamp.rules_hash, pits: name.pits };
            header.must_be(&path, &promised, name.seeds).map(|()| header)
        });
        listed.insert(name.clone(), Listed { path, name: Some(name), header });
    }
    let odd = odd.into_iter().map(|path| {
        let file = LayerFile::open_any(&path, Access::Blocks);
        let expected = match &file {
            Ok(file) => format!("{} by its content", file.header().name()),
            Err(_) => "a name such as kalah_6_24.layer: rule set, pits, seeds".to_owned(),
        };
        let header = Err(DatabaseError::WrongName { file: path.clone(), expected });
        Listed { path, name: None, header }
    });
    Ok(listed.into_values().chain(odd).collect())
}

/// The layers that should be there and are not, in order.
pub(crate) fn missing(
    layers: &BTreeMap<LayerName, PathBuf>,
    directory: &Path,
) -> Result<Vec<LayerName>, DatabaseError> {
    let mut most: BTreeMap<(String, u8), u32> = BTreeMap::new();
    for name in layers.keys().cloned().chain(manifest::layers(directory)?) {
        let most = most.entry((name.rules, name.pits)).or_default();
        *most = name.seeds.max(*most);
    }
    let all = most
        .into_iter()
        .flat_map(|((rules, pits), most)| (0..=most).map(move |seeds| LayerName { rules: rules.clone(), pits, seeds }));
    Ok(all.filter(|name| !layers.contains_key(name)).collect())
}
