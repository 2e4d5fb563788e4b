//! The head of a layer file: prefix, header and block index, to bytes and back. `FORMAT.md` says the same in tables.

use crate::tiling::{BLOCK_COLUMNS, Tiling};
use crate::{DatabaseError, LayerName, Stamp};
use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use bincode::{Decode, Encode};
use kalah_index::Layer;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use xxhash_rust::xxh3::xxh3_64;

/// The first eight bytes of every layer file: a byte that is no text, a name, and line ends that a transfer as text would
/// change.
pub const MAGIC: [u8; 8] = *b"\x89KLH\r\n\x1a\n";

/// The format version this crate writes, and the newest it reads.
pub const FORMAT_VERSION: u32 = 1;

/// The payload begins at a multiple of this, so that it can be mapped and read page by page.
const ALIGNMENT: u64 = 4096;

/// Fixed-width little-endian numbers; a text is its length in eight bytes and its UTF-8 bytes. Nothing above the limit.
const CONFIG: Configuration<LittleEndian, Fixint, Limit<4096>> =
    bincode::config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<4096>();

/// Positions of one block of a raw file: small enough to be checked at the first touch, large enough for a short index.
const RAW_BLOCK: u32 = 1 << 18;

/// Positions of one block of a packed file: a place in it fits two bytes.
const PACKED_BLOCK: u32 = 1 << 16;

/// Whether all values of a layer have the parity of its seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Parity {
    /// Values are free: some leftover seeds go to nobody.
    Free,
    /// Every value is even when the layer's seeds are, and odd when they are: all seeds go to somebody.
    Known,
}

/// How values lie in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// One signed byte a position: the fastest probe, straight from the mapped file.
    Raw,
    /// A few bits a position, the same for all of a block: smaller in memory, nearly as fast to probe.
    Packed,
    /// Errors of prediction in tiles, each a zstd frame: the smallest; a probe decodes a tile.
    Compressed,
}

impl Codec {
    /// All codecs, from the fastest to the smallest.
    pub const ALL: [Codec; 3] = [Codec::Raw, Codec::Packed, Codec::Compressed];

    /// The codec's number in a file. Number 2 was another way to compress, before any release.
    fn number(self) -> u8 {
        match self {
            Codec::Raw => 0,
            Codec::Packed => 1,
            Codec::Compressed => 3,
        }
    }

    /// The codec's name on the command line and in answers.
    pub fn name(self) -> &'static str {
        match self {
            Codec::Raw => "raw",
            Codec::Packed => "packed",
            Codec::Compressed => "compressed",
        }
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Codec {
    type Err = String;

    fn from_str(text: &str) -> Result<Codec, String> {
        Codec::ALL.into_iter().find(|codec| codec.name() == text).ok_or_else(|| {
            format!("there is no codec {text:?}; expected one of {}", Codec::ALL.map(Codec::name).join(", "))
        })
    }
}

/// How a layer's values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// What the rule set says about the parity of values; it lets the smaller codecs halve them.
    pub parity: Parity,
    /// How they lie in the file.
    pub codec: Codec,
}

/// What a layer file says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The version of the format.
    pub version: u32,
    /// The rule set and board it is for.
    pub stamp: Stamp,
    /// Seeds in pits of every position.
    pub seeds: u32,
    /// How values are written.
    pub encoding: Encoding,
    /// How many positions, and so values, the layer has.
    pub positions: u64,
    /// How many positions one block holds, a power of two; the last may hold fewer. For compressed files the most columns
    /// of a block.
    pub block_size: u32,
    /// How many blocks the payload has.
    pub blocks: u64,
    /// Bytes before the payload: prefix, header, block index and zeros up to the next multiple of 4096.
    pub head_bytes: u64,
    /// Bytes of all blocks together.
    pub payload_bytes: u64,
    /// XXH3-64 over the layer's values themselves, the same for every codec: see `FORMAT.md`.
    pub values_check: u64,
}

/// Where one block lies, and what its bytes must hash to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Block {
    /// Bytes from the begin of the payload.
    pub(crate) offset: u64,
    /// Stored bytes.
    pub(crate) bytes: u32,
    /// A parameter of the codec.
    pub(crate) base: i16,
    /// A parameter of the codec.
    pub(crate) width: u16,
    /// XXH3-64 of the stored bytes.
    pub(crate) check: u64,
}

/// Bytes of one [`Block`] in a file.
const BLOCK_BYTES: u64 = 24;

/// The first 48 bytes of a file.
#[derive(Encode, Decode)]
struct Prefix {
    magic: [u8; 8],
    version: u32,
    header_bytes: u32,
    head_bytes: u64,
    file_bytes: u64,
    /// XXH3-64 of everything from the header to the payload.
    head_check: u64,
    /// XXH3-64 of the fields before.
    prefix_check: u64,
}

pub(crate) const PREFIX_BYTES: usize = 48;

/// The header proper.
#[derive(Encode, Decode)]
struct Fields {
    rules: String,
    rules_hash: u64,
    pits: u8,
    seeds: u8,
    parity: u8,
    codec: u8,
    block_size: u32,
    /// Always 0.
    unused: u32,
    positions: u64,
    blocks: u64,
    payload_bytes: u64,
    values_check: u64,
}

/// Prefix, header and block index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) header: Header,
    pub(crate) index: Vec<Block>,
}

/// How a file cuts its layer into blocks.
pub(crate) enum Blocks {
    /// Positions in the order of ranks, a power of two at a time: its logarithm.
    Runs(u32),
    /// Rectangles of sections.
    Tiles(Tiling),
}

impl Blocks {
    pub(crate) fn new(layer: &Layer, codec: Codec) -> Blocks {
        match codec {
            Codec::Raw => Blocks::Runs(RAW_BLOCK.ilog2()),
            Codec::Packed => Blocks::Runs(PACKED_BLOCK.ilog2()),
            Codec::Compressed => Blocks::Tiles(Tiling::new(layer)),
        }
    }

    fn size(&self) -> u32 {
        match self {
            Blocks::Runs(shift) => 1 << shift,
            Blocks::Tiles(_) => BLOCK_COLUMNS as u32,
        }
    }

    fn count(&self, layer: &Layer) -> u64 {
        match self {
            Blocks::Runs(shift) => layer.positions().div_ceil(1 << shift),
            Blocks::Tiles(tiling) => tiling.blocks(),
        }
    }
}

impl Head {
    /// The head of a layer that has no values yet: lengths and checksums of the blocks are still to be filled in.
    pub(crate) fn new(stamp: &Stamp, layer: &Layer, encoding: Encoding) -> Head {
        let blocks = Blocks::new(layer, encoding.codec);
        let mut header = Header {
            version: FORMAT_VERSION,
            stamp: stamp.clone(),
            seeds: layer.seeds(),
            encoding,
            positions: layer.positions(),
            block_size: blocks.size(),
            blocks: blocks.count(layer),
            head_bytes: 0,
            payload_bytes: 0,
            values_check: 0,
        };
        header.head_bytes = head_bytes(encode(&header.fields()).len(), &header);
        Head { header, index: Vec::new() }
    }

    /// All bytes before the payload.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut head = vec![0; PREFIX_BYTES];
        let header = encode(&self.header.fields());
        head.extend_from_slice(&header);
        for block in &self.index {
            head.extend_from_slice(&encode(block));
        }
        debug_assert_eq!((head.len() as u64).next_multiple_of(ALIGNMENT), self.header.head_bytes);
        head.resize(self.header.head_bytes as usize, 0);
        let mut prefix = Prefix {
            magic: MAGIC,
            version: self.header.version,
            header_bytes: header.len() as u32,
            head_bytes: self.header.head_bytes,
            file_bytes: self.header.head_bytes + self.header.payload_bytes,
            head_check: xxh3_64(&head[PREFIX_BYTES..]),
            prefix_check: 0,
        };
        prefix.prefix_check = xxh3_64(&encode(&prefix)[..PREFIX_BYTES - 8]);
        head[..PREFIX_BYTES].copy_from_slice(&encode(&prefix));
        head
    }

    /// How many bytes the head has in a file that begins with these, if it has one: what [`Head::decode`] needs.
    pub(crate) fn length(begin: &[u8; PREFIX_BYTES]) -> Option<u64> {
        let prefix: Prefix = decode(begin).ok()?;
        (prefix.magic == MAGIC && prefix.prefix_check == xxh3_64(&begin[..PREFIX_BYTES - 8]))
            .then_some(prefix.head_bytes)
    }

    /// The head of a file of so many bytes that begins with these, if it is sound and its lengths fit the file. The bytes are
    /// all of the file, or at least its head.
    pub(crate) fn decode(file: &Path, bytes: &[u8], length: u64) -> Result<(Head, Layer, Blocks), DatabaseError> {
        let damaged = |what: String| DatabaseError::HeaderDamaged { file: file.to_owned(), what };
        let wrong_length =
            |expected: u64| DatabaseError::WrongLength { file: file.to_owned(), expected, found: length };
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) {
            return Err(DatabaseError::NotALayer { file: file.to_owned() });
        }
        if bytes.len() < PREFIX_BYTES {
            return Err(wrong_length(PREFIX_BYTES as u64));
        }
        let prefix: Prefix = decode(&bytes[..PREFIX_BYTES]).map_err(damaged)?;
        if prefix.version > FORMAT_VERSION {
            let (newest, found) = (FORMAT_VERSION, prefix.version);
            return Err(DatabaseError::NewerVersion { file: file.to_owned(), newest, found });
        }
        expect(prefix.prefix_check, xxh3_64(&bytes[..PREFIX_BYTES - 8]), "checksum of the prefix").map_err(damaged)?;
        if prefix.version == 0 {
            return Err(damaged("there is no format version 0".to_owned()));
        }
        if prefix.file_bytes != length {
            return Err(wrong_length(prefix.file_bytes));
        }
        let header_end = PREFIX_BYTES + prefix.header_bytes as usize;
        let Some(head) = usize::try_from(prefix.head_bytes).ok().and_then(|end| bytes.get(PREFIX_BYTES..end)) else {
            return Err(damaged(format!("a head of {} bytes in a file of {length}", prefix.head_bytes)));
        };
        expect(prefix.head_check, xxh3_64(head), "checksum of the header").map_err(damaged)?;
        let header = bytes.get(PREFIX_BYTES..header_end).filter(|header| header.len() <= head.len());
        let header = header.ok_or_else(|| damaged(format!("a header of {} bytes", prefix.header_bytes)))?;
        let fields: Fields = decode(header).map_err(damaged)?;
        let layer = Layer::new(fields.pits, u32::from(fields.seeds)).map_err(|error| damaged(error.to_string()))?;
        let parity = match fields.parity {
            0 => Parity::Free,
            1 => Parity::Known,
            other => return Err(damaged(format!("parity is 0 or 1, found {other}"))),
        };
        let Some(codec) = Codec::ALL.into_iter().find(|codec| codec.number() == fields.codec) else {
            return Err(DatabaseError::UnknownCodec { file: file.to_owned(), found: fields.codec });
        };
        let header_bytes = header.len();
        let header = Header {
            version: prefix.version,
            stamp: Stamp { rules: fields.rules, rules_hash: fields.rules_hash, pits: fields.pits },
            seeds: u32::from(fields.seeds),
            encoding: Encoding { parity, codec },
            positions: fields.positions,
            block_size: fields.block_size,
            blocks: fields.blocks,
            head_bytes: prefix.head_bytes,
            payload_bytes: fields.payload_bytes,
            values_check: fields.values_check,
        };
        // A codec of this version cuts a layer in one way only.
        let (own, blocks) = (Head::new(&header.stamp, &layer, header.encoding).header, Blocks::new(&layer, codec));
        expect(own.positions, header.positions, "number of positions").map_err(damaged)?;
        expect(own.block_size, header.block_size, "block size").map_err(damaged)?;
        expect(own.blocks, header.blocks, "number of blocks").map_err(damaged)?;
        expect(0, fields.unused, "field without a meaning").map_err(damaged)?;
        expect(own.head_bytes, header.head_bytes, "length of the head").map_err(damaged)?;
        let sum = header.head_bytes.checked_add(header.payload_bytes);
        expect(Some(prefix.file_bytes), sum, "length of head and payload").map_err(damaged)?;

        let (entries, zeros) = head[header_bytes..].split_at((header.blocks * BLOCK_BYTES) as usize);
        if zeros.iter().any(|&byte| byte != 0) {
            return Err(damaged("the bytes before the payload are not zero".to_owned()));
        }
        let mut index = Vec::with_capacity(header.blocks as usize);
        let mut offset = 0;
        for entry in entries.chunks_exact(BLOCK_BYTES as usize) {
            let block: Block = decode(entry).map_err(damaged)?;
            expect(offset, block.offset, "offset of a block").map_err(damaged)?;
            offset += u64::from(block.bytes);
            index.push(block);
        }
        expect(header.payload_bytes, offset, "length of all blocks").map_err(damaged)?;
        Ok((Head { header, index }, layer, blocks))
    }
}

impl Header {
    fn fields(&self) -> Fields {
        Fields {
            rules: self.stamp.rules.clone(),
            rules_hash: self.stamp.rules_hash,
            pits: self.stamp.pits,
            seeds: self.seeds as u8,
            parity: u8::from(self.encoding.parity == Parity::Known),
            codec: self.encoding.codec.number(),
            block_size: self.block_size,
            unused: 0,
            positions: self.positions,
            blocks: self.blocks,
            payload_bytes: self.payload_bytes,
            values_check: self.values_check,
        }
    }

    /// The name that the file should have.
    pub(crate) fn name(&self) -> LayerName {
        LayerName { rules: self.stamp.rules.clone(), pits: self.stamp.pits, seeds: self.seeds }
    }

    /// Bytes of the whole file.
    pub fn file_bytes(&self) -> u64 {
        self.head_bytes + self.payload_bytes
    }

    /// Refuses a file for anything but this stamp and layer.
    pub(crate) fn must_be(&self, file: &Path, stamp: &Stamp, seeds: u32) -> Result<(), DatabaseError> {
        let file = file.to_owned();
        if (&self.stamp.rules, self.stamp.rules_hash) != (&stamp.rules, stamp.rules_hash) {
            let [expected, found] = if self.stamp.rules == stamp.rules {
                [stamp, &self.stamp].map(|stamp| format!("{} with hash {:016x}", stamp.rules, stamp.rules_hash))
            } else {
                [stamp, &self.stamp].map(|stamp| stamp.rules.clone())
            };
            return Err(DatabaseError::OtherRules { file, expected, found });
        }
        if self.stamp.pits != stamp.pits {
            return Err(DatabaseError::OtherPits { file, expected: stamp.pits, found: self.stamp.pits });
        }
        if self.seeds != seeds {
            return Err(DatabaseError::OtherSeeds { file, expected: seeds, found: self.seeds });
        }
        Ok(())
    }
}

/// Where the payload begins; the largest number if no file can be that long.
fn head_bytes(header_bytes: usize, header: &Header) -> u64 {
    header
        .blocks
        .checked_mul(BLOCK_BYTES)
        .and_then(|index| index.checked_add(PREFIX_BYTES as u64 + header_bytes as u64))
        .and_then(|bytes| bytes.checked_next_multiple_of(ALIGNMENT))
        .unwrap_or(u64::MAX)
}

fn encode(value: &impl Encode) -> Vec<u8> {
    bincode::encode_to_vec(value, CONFIG).expect("a Vec takes everything")
}

/// The value that exactly these bytes stand for.
fn decode<T: Decode<()>>(bytes: &[u8]) -> Result<T, String> {
    match bincode::decode_from_slice(bytes, CONFIG) {
        Ok((value, read)) if read == bytes.len() => Ok(value),
        Ok((_, read)) => Err(format!("expected {} bytes, found {read}", bytes.len())),
        Err(error) => Err(error.to_string()),
    }
}

fn expect<T: Copy + PartialEq + fmt::Debug>(expected: T, found: T, what: &str) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("{what}: expected {expected:?}, found {found:?}")) }
}
