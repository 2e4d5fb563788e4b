//! Measures the codecs on the layers of a directory, and plain zstd beside them: the tables of docs/codecs.md.
//!
//! `cargo run --release -p kalah-database --example codecs -- DIRECTORY RULES PITS SEEDS...` needs the layers there, and room for
//! a packed and a compressed copy of the largest in the temporary directory. One thread throughout.

use kalah_database::{Access, Codec, DirectoryLock, LayerFile, Parity, convert, list};
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use zstd::bulk::{Compressor, Decompressor};

/// How many positions plain zstd is tried on, at most: a sample from all over the layer.
const SAMPLE: usize = 1 << 24;

/// How often reading and probing is repeated; the best counts.
const REPEATS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, rules, pits, seeds @ ..] = &arguments[..] else {
        return Err("usage: codecs DIRECTORY RULES PITS SEEDS...".into());
    };
    let pits: u8 = pits.parse()?;
    println!("| rules | seeds | codec | bits a position | writing | reading | a random probe |");
    println!("|---|---|---|---|---|---|---|");
    for seeds in seeds {
        let seeds: u32 = seeds.parse()?;
        let listed = list(Path::new(directory))?;
        let path = listed
            .iter()
            .find(|layer| {
                layer
                    .header
                    .as_ref()
                    .is_ok_and(|header| (&header.stamp.rules, header.stamp.pits, header.seeds) == (rules, pits, seeds))
            })
            .map(|layer| &layer.path)
            .ok_or_else(|| format!("{directory} has no layer of {seeds} seeds and {pits} pits for {rules}"))?;
        let source = LayerFile::open_any(path, Access::Map)?;
        let mut values = vec![0; source.header().positions as usize];
        source.read(0, &mut values)?;
        let row = |name: &str, figures: &Figures| {
            println!("| {rules} | {seeds} | {name} | {figures}");
        };
        for codec in Codec::ALL {
            row(codec.name(), &measure(&source, codec, &values)?);
        }
        let step = if source.header().encoding.parity == Parity::Known { 1 } else { 0 };
        let numbers: Vec<u8> = values.iter().map(|&value| ((i16::from(value) + seeds as i16) >> step) as u8).collect();
        for level in [3, 19] {
            for shift in [12, 14, 16, 18] {
                let blocks: Vec<&[u8]> = sample(numbers.chunks(1 << shift).collect(), 1 << shift, level);
                row(&format!("zstd {level}, halved, blocks of 2^{shift}"), &plain(&blocks, level)?);
            }
            for lines in [64, 128, 256, 1024] {
                let blocks = residuals(&source, &numbers, lines, level);
                let blocks: Vec<&[u8]> = blocks.iter().map(Vec::as_slice).collect();
                let name = format!("zstd {level}, errors, blocks of 2^{}", 6 + lines.ilog2());
                row(&name, &plain(&blocks, level)?);
            }
        }
    }
    Ok(())
}

/// One row of the table.
struct Figures {
    bits: f64,
    /// Positions a second.
    writing: f64,
    reading: f64,
    probe: Duration,
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Figures { bits, writing, reading, probe } = self;
        let probe = probe.as_secs_f64() * 1e6;
        let digits = if probe < 1.0 { 3 } else { 1 };
        write!(f, "{bits:.2} | {:.0} M/s | {:.0} M/s | {probe:.digits$} µs |", writing / 1e6, reading / 1e6)
    }
}

/// One of our codecs on a whole layer.
fn measure(source: &LayerFile, codec: Codec, values: &[i8]) -> Result<Figures, Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let lock = DirectoryLock::acquire(directory.path())?;
    let started = Instant::now();
    let file = convert(source, &lock, codec, 1, &|_| true)?.ok_or("nothing stops it")?;
    let writing = started.elapsed();
    let file = LayerFile::open_any(file.path(), Access::Map)?;
    let positions = file.header().positions;
    let mut read = vec![0; values.len()];
    // The first reading also tests the checksums.
    file.read(0, &mut read)?;
    assert!(read == values, "{codec} gives other values");
    let reading = best(|| file.read(0, &mut read))?;
    let count = if codec == Codec::Compressed { 1 << 15 } else { 1 << 22 };
    let probing = best(|| {
        let mut state = 1u64;
        for _ in 0..count {
            let rank = ((u128::from(random(&mut state)) * u128::from(positions)) >> 64) as u64;
            black_box(file.value(black_box(rank))?);
        }
        Ok::<(), kalah_database::DatabaseError>(())
    })?;
    Ok(Figures {
        bits: 8.0 * file.header().payload_bytes as f64 / positions as f64,
        writing: positions as f64 / writing.as_secs_f64(),
        reading: positions as f64 / reading.as_secs_f64(),
        probe: probing / count,
    })
}

/// zstd alone on blocks; a probe decodes one of them. Turning errors back into values is left out, so what is said of those is
/// too good.
fn plain(blocks: &[&[u8]], level: i32) -> Result<Figures, Box<dyn Error>> {
    let mut compressor = Compressor::new(level)?;
    compressor.include_contentsize(false)?;
    let started = Instant::now();
    let coded = blocks.iter().map(|block| compressor.compress(block)).collect::<Result<Vec<_>, _>>()?;
    let writing = started.elapsed();
    let positions: usize = blocks.iter().map(|block| block.len()).sum();
    let mut decompressor = Decompressor::new()?;
    let mut room = vec![0; blocks.iter().map(|block| block.len()).max().unwrap_or(0)];
    let reading = best(|| {
        for coded in &coded {
            black_box(decompressor.decompress_to_buffer(coded, &mut room)?);
        }
        Ok::<(), std::io::Error>(())
    })?;
    // The same index as for our blocks: 24 bytes each.
    let bytes: usize = coded.iter().map(|coded| coded.len() + 24).sum();
    Ok(Figures {
        bits: 8.0 * bytes as f64 / positions as f64,
        writing: positions as f64 / writing.as_secs_f64(),
        reading: positions as f64 / reading.as_secs_f64(),
        // Most probes meet large blocks.
        probe: reading.mul_f64(blocks.iter().map(|block| (block.len() as f64 / positions as f64).powi(2)).sum()),
    })
}

/// Errors of the median of left, above and left + above − corner, in tiles of 64 columns.
fn residuals(source: &LayerFile, numbers: &[u8], lines: u64, level: i32) -> Vec<Vec<u8>> {
    let mut tiles = Vec::new();
    for section in source.layer().sections() {
        let lines = lines * 64 / section.columns.min(64);
        for top in (0..section.lines).step_by(lines as usize) {
            let bottom = section.lines.min(top + lines);
            for left in (0..section.columns).step_by(64) {
                tiles.push((section, top..bottom, left..section.columns.min(left + 64)));
            }
        }
    }
    sample(tiles, 64 * lines as usize, level)
        .into_iter()
        .map(|(section, lines, columns)| {
            let at =
                |line: u64, column: u64| i16::from(numbers[(section.first + line * section.columns + column) as usize]);
            let position = |line: u64, column: u64| (line, column);
            let places = lines.clone().flat_map(|line| columns.clone().map(move |column| position(line, column)));
            let error = |(line, column)| {
                let prediction = match (line > lines.start, column > columns.start) {
                    (false, false) => 0,
                    (false, true) => at(line, column - 1),
                    (true, false) => at(line - 1, column),
                    (true, true) => {
                        let (left, above) = (at(line, column - 1), at(line - 1, column));
                        (left + above - at(line - 1, column - 1)).clamp(left.min(above), left.max(above))
                    }
                };
                let error = at(line, column) - prediction;
                ((error << 1) ^ (error >> 15)) as u8
            };
            places.map(error).collect()
        })
        .collect()
}

/// As many blocks of about so many positions as a level is tried on, picked at random.
fn sample<T>(blocks: Vec<T>, positions: usize, level: i32) -> Vec<T> {
    // The high levels are slow.
    let most = if level > 10 { SAMPLE / 4 } else { SAMPLE } / positions;
    let (one_in, mut state) = (blocks.len().div_ceil(most) as u64, 1);
    blocks.into_iter().filter(|_| (random(&mut state) >> 32).is_multiple_of(one_in)).collect()
}

/// The shortest of some runs.
fn best<E>(mut run: impl FnMut() -> Result<(), E>) -> Result<Duration, E> {
    let mut best = Duration::MAX;
    for _ in 0..REPEATS {
        let started = Instant::now();
        run()?;
        best = best.min(started.elapsed());
    }
    Ok(best)
}

/// Marsaglia's xorshift generator (2003).
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    state.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
