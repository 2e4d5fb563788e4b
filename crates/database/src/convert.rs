//! Writes a layer in another codec, from a finished file or from the raw values of an unfinished one.

use crate::compressed::Halving;
use crate::header::{Block, Blocks, Head};
use crate::tile::Encoder;
use crate::tiling::{Strip, Tile};
use crate::verify::{PossibleValues, ValuesCheck};
use crate::{Codec, DatabaseError, DirectoryLock, Encoding, LayerFile, disk, manifest, packed};
use kalah_index::Layer;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// How many positions are read at once, if a strip is not longer.
const CHUNK: u64 = 1 << 22;

/// Called every few milliseconds, from any thread, with how many positions are done since the last call; `false` stops.
pub(crate) type Advanced<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// Where values come from.
pub(crate) trait Source {
    /// Fills `values` from rank `first` on; `false` if it was stopped.
    fn read(&self, first: u64, values: &mut [i8], go_on: &dyn Fn() -> bool) -> Result<bool, DatabaseError>;
}

impl Source for LayerFile {
    fn read(&self, first: u64, values: &mut [i8], go_on: &dyn Fn() -> bool) -> Result<bool, DatabaseError> {
        self.read_while(first, values, go_on)
    }
}

/// Writes the layer into the locked directory in another codec; in its own directory it replaces the file.
///
/// `advanced` is called every few milliseconds, from any thread, with the number of positions done since the last call. It
/// stops the work by returning `false`; the result is then `None` and nothing is changed. Not more than `threads` threads work; the bytes do not depend on them, nor on the codec it was before.
///
/// # Errors
/// If a block of the source is damaged, or the new file cannot be written.
pub fn convert(
    source: &LayerFile,
    lock: &DirectoryLock,
    codec: Codec,
    threads: usize,
    advanced: Advanced<'_>,
) -> Result<Option<LayerFile>, DatabaseError> {
    let header = source.header();
    let target = header.stamp.path(lock.directory(), header.seeds);
    let temporary = disk::beside(&target, disk::NEW);
    let encoding = Encoding { codec, ..header.encoding };
    let head = Head::new(&header.stamp, source.layer(), encoding);
    if !encode(source, head, source.layer(), &temporary, threads, advanced)? {
        return Ok(None);
    }
    disk::rename(&temporary, &target)?;
    manifest::update(lock.directory())?;
    LayerFile::open(&target, &header.stamp, header.seeds).map(Some)
}

/// Writes and syncs a whole file; `false` if it was stopped. If it was, or on any error, there is no file.
pub(crate) fn encode(
    source: &dyn Source,
    head: Head,
    layer: &Layer,
    path: &Path,
    threads: usize,
    advanced: Advanced<'_>,
) -> Result<bool, DatabaseError> {
    let result = encode_file(source, head, layer, path, threads, advanced);
    if !matches!(result, Ok(true)) {
        disk::remove(path)?;
    }
    result
}

fn encode_file(
    source: &dyn Source,
    mut head: Head,
    layer: &Layer,
    path: &Path,
    threads: usize,
    advanced: Advanced<'_>,
) -> Result<bool, DatabaseError> {
    let file = File::create(path).map_err(DatabaseError::io(path, "creating"))?;
    let write = |bytes: &[u8], position: u64| {
        disk::write_all_at(&file, bytes, position).map_err(DatabaseError::io(path, "writing"))
    };
    let Encoding { parity, codec } = head.header.encoding;
    let blocks = Blocks::new(layer, codec);
    let work = Work { codec, halving: Halving::new(layer.seeds(), parity) };
    let possible = PossibleValues::new(layer.seeds(), parity);
    let (mut all, mut values, mut offset) = (ValuesCheck::new(), Vec::new(), 0);
    for chunk in chunks(&blocks, layer) {
        let (first, last) = (chunk[0].ranks().start, chunk[chunk.len() - 1].ranks().end);
        values.resize((last - first) as usize, 0);
        if !source.read(first, &mut values, &|| advanced(0))? {
            return Ok(false);
        }
        if let Some(place) = possible.first_outside(&values) {
            let (rank, found) = (first + place as u64, values[place]);
            return Err(DatabaseError::ImpossibleValue { file: path.to_owned(), rank, found });
        }
        all.add(&values);
        let Some(encoded) = work.encode(&chunk, first, &values, threads, advanced) else { return Ok(false) };
        for (mut block, bytes) in encoded {
            block.offset = offset;
            write(&bytes, head.header.head_bytes + offset)?;
            offset += bytes.len() as u64;
            head.index.push(block);
        }
        if !advanced(0) && last < layer.positions() {
            return Ok(false);
        }
    }
    head.header.payload_bytes = offset;
    head.header.values_check = all.finish();
    write(&head.encode(), 0)?;
    file.sync_all().map_err(DatabaseError::io(path, "syncing"))?;
    Ok(true)
}

/// Blocks that are read together.
enum Span {
    Run(Range<u64>),
    Strip(Strip),
}

impl Span {
    fn ranks(&self) -> Range<u64> {
        match self {
            Span::Run(ranks) => ranks.clone(),
            Span::Strip(strip) => strip.ranks(),
        }
    }

    /// How many positions one of its blocks has.
    fn positions(&self, block: u64) -> u64 {
        match self {
            Span::Run(ranks) => ranks.end - ranks.start,
            Span::Strip(strip) => strip.tiles(block).map(|tile| tile.positions() as u64).sum(),
        }
    }
}

/// The spans of a layer in the order of ranks, gathered into chunks of a good size.
fn chunks(blocks: &Blocks, layer: &Layer) -> Vec<Vec<Span>> {
    let spans: Vec<Span> = match blocks {
        Blocks::Runs(shift) => (0..layer.positions().div_ceil(1 << shift))
            .map(|run| Span::Run(run << shift..((run + 1) << shift).min(layer.positions())))
            .collect(),
        Blocks::Tiles(tiling) => tiling.strips().map(Span::Strip).collect(),
    };
    let (mut chunks, mut first) = (Vec::new(), 0);
    for span in spans {
        if chunks.is_empty() || span.ranks().end - first > CHUNK {
            first = span.ranks().start;
            chunks.push(Vec::new());
        }
        chunks.last_mut().expect("pushed if there was none").push(span);
    }
    chunks
}

struct Work {
    codec: Codec,
    halving: Halving,
}

impl Work {
    /// All blocks of a chunk, whose values begin with rank `first`, in order; `None` if it was stopped.
    fn encode(
        &self,
        chunk: &[Span],
        first: u64,
        values: &[i8],
        threads: usize,
        advanced: Advanced<'_>,
    ) -> Option<Vec<(Block, Vec<u8>)>> {
        let jobs: Vec<(&Span, u64)> = chunk
            .iter()
            .flat_map(|span| {
                let blocks = match span {
                    Span::Run(_) => 0..1,
                    Span::Strip(strip) => strip.blocks.clone(),
                };
                blocks.map(move |block| (span, block))
            })
            .collect();
        let run = |jobs: &[(&Span, u64)]| {
            let mut encoder = Encoder::new();
            let encode = |&(span, block): &(&Span, u64)| {
                let encoded = self.block(span, block, first, values, &mut encoder);
                advanced(span.positions(block)).then_some(encoded)
            };
            jobs.iter().map(encode).collect::<Option<Vec<_>>>()
        };
        let parts: Option<Vec<_>> = in_parts(&jobs, threads, run).into_iter().collect();
        Some(parts?.into_iter().flatten().collect())
    }

    fn block(&self, span: &Span, block: u64, first: u64, values: &[i8], encoder: &mut Encoder) -> (Block, Vec<u8>) {
        let mut bytes = Vec::new();
        let (base, width) = match span {
            Span::Strip(strip) => {
                let tiles: Vec<Tile> = strip.tiles(block).collect();
                bytes.resize(2 * tiles.len(), 0);
                for (number, tile) in tiles.iter().enumerate() {
                    let line = |line: u64| {
                        let rank = tile.section.first + line * tile.section.columns + tile.columns.start;
                        &values[(rank - first) as usize..][..tile.width()]
                    };
                    let numbers = tile.lines.clone().flat_map(line).map(|&value| self.halving.halve(value));
                    let coded = encoder.encode(&numbers.collect::<Vec<u8>>(), tile.width(), self.halving.middle());
                    bytes[2 * number..2 * number + 2].copy_from_slice(&(coded.len() as u16).to_le_bytes());
                    bytes.extend_from_slice(&coded);
                }
                (0, 0)
            }
            Span::Run(ranks) => {
                let values = &values[(ranks.start - first) as usize..(ranks.end - first) as usize];
                if self.codec == Codec::Packed {
                    packed::encode(values, self.halving.step(), &mut bytes)
                } else {
                    bytes.extend_from_slice(crate::map::as_bytes(values));
                    (0, 0)
                }
            }
        };
        (Block { offset: 0, bytes: bytes.len() as u32, base, width, check: xxh3_64(&bytes) }, bytes)
    }
}

/// Cuts the jobs into a part for each of so many threads and runs the parts; the results are in the order of parts.
pub(crate) fn in_parts<J: Sync, T: Send>(jobs: &[J], threads: usize, run: impl Fn(&[J]) -> T + Sync) -> Vec<T> {
    let share = jobs.len().div_ceil(threads.max(1)).max(1);
    if jobs.len() <= share {
        return vec![run(jobs)];
    }
    std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = jobs.chunks(share).map(|jobs| scope.spawn(move || run(jobs))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect()
    })
}
