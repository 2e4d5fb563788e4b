//! Shows what a directory of layers holds, and how often each value occurs in one of them.
//!
//! `cargo run -p kalah-database --example look -- DIRECTORY` lists the files;
//! `cargo run -p kalah-database --example look -- DIRECTORY/kalah_6_12.layer` counts the values of one.

use kalah_database::{Access, LayerFile, list};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Values read at once.
const PIECE: usize = 1 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).map(PathBuf::from).ok_or("usage: look DIRECTORY or look FILE")?;
    if path.is_dir() { show_directory(&path) } else { show_layer(&path) }
}

fn show_directory(directory: &Path) -> Result<(), Box<dyn Error>> {
    for listed in list(directory)? {
        match listed.header {
            Ok(header) => println!(
                "{}, {} seeds: {} positions, {}, {} bytes",
                header.stamp,
                header.seeds,
                header.positions,
                header.encoding.codec,
                header.file_bytes()
            ),
            Err(error) => println!("{error}. {}", error.help()),
        }
    }
    Ok(())
}

fn show_layer(path: &Path) -> Result<(), Box<dyn Error>> {
    let file = LayerFile::open_any(path, Access::Blocks)?;
    let (positions, mut first) = (file.header().positions, 0);
    let mut counts: BTreeMap<i8, u64> = BTreeMap::new();
    let mut values = Vec::new();
    while first < positions {
        values.resize(PIECE.min((positions - first) as usize), 0);
        // Every block's checksum is tested before its values are believed.
        file.read(first, &mut values)?;
        values.iter().for_each(|&value| *counts.entry(value).or_default() += 1);
        first += values.len() as u64;
    }
    println!("{}, {} seeds, margins for the player to move:", file.header().stamp, file.header().seeds);
    for (value, count) in counts {
        println!("{value:+4}  {count:12}  {:6.2} %", 100.0 * count as f64 / positions as f64);
    }
    Ok(())
}
