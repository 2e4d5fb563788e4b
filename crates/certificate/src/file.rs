//! The bytes of a certificate, as `FORMAT.md` describes them, written and read piece by piece.

use crate::certificate::seeds_on;
use crate::lemmas::ASK_EVERY;
use crate::number::Numbers;
use crate::{Certificate, CertificateError, Going, Lemma};
use kalah_rules::{Margin, Position, Row, RuleSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// What every certificate begins with.
pub const MAGIC: [u8; 8] = *b"\x89KLC\r\n\x1a\n";

/// The format version this crate writes and reads.
pub const FORMAT_VERSION: u32 = 1;

/// Bytes before the rule set's text.
const HEAD_BYTES: usize = 64;

/// Bytes of the checksum at the end.
const CHECK_BYTES: usize = 8;

/// Bytes that are read or written at once.
const PIECE: usize = 1 << 20;

/// Pieces between two waits for the disk, so that none of them is long.
const SYNC_EVERY: usize = 8;

impl Certificate {
    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let keep = &mut |piece: &[u8]| {
            bytes.extend(piece);
            Ok(())
        };
        self.encode(keep, &|_, _| true).expect("nothing can fail and nobody stops it");
        bytes
    }

    /// Hands the file's bytes over piece by piece.
    fn encode(
        &self,
        out: &mut dyn FnMut(&[u8]) -> Result<(), CertificateError>,
        going: Going<'_>,
    ) -> Result<(), CertificateError> {
        let all = 2 * self.lemmas.len() as u64;
        // The head says how long the body is, so the lemmas are gone through twice.
        let (mut body_bytes, mut done) = (0, 0);
        going_on(done, all, going)?;
        let count = &mut |number, what| {
            body_bytes += (length(number) + length(what)) as u64;
            done += 1;
            going_on(done, all, going)
        };
        self.each_lemma(count)?;
        let rules = self.rules.to_string();
        let mut bytes = Vec::with_capacity(2 * PIECE);
        bytes.extend(MAGIC);
        bytes.extend(FORMAT_VERSION.to_le_bytes());
        bytes.extend((rules.len() as u32).to_le_bytes());
        bytes.extend(body_bytes.to_le_bytes());
        bytes.extend((self.lemmas.len() as u64).to_le_bytes());
        bytes.extend(self.rules.hash64().to_le_bytes());
        bytes.extend(self.root.mover.bits().to_le_bytes());
        bytes.extend(self.root.opponent.bits().to_le_bytes());
        bytes.extend(self.bounds.iter().flat_map(|bound| bound.0.to_le_bytes()));
        bytes.extend((self.layers as u16).to_le_bytes());
        bytes.extend([self.pits, 0]);
        bytes.extend(rules.as_bytes());
        let mut hash = Xxh3::new();
        self.each_lemma(&mut |number, what| {
            push(&mut bytes, number);
            push(&mut bytes, what);
            if bytes.len() >= PIECE {
                hash.update(&bytes);
                out(&bytes)?;
                bytes.clear();
            }
            done += 1;
            going_on(done, all, going)
        })?;
        hash.update(&bytes);
        bytes.extend(hash.digest().to_le_bytes());
        out(&bytes)
    }

    /// The two numbers of every lemma, in the order of the file.
    fn each_lemma(
        &self,
        each: &mut dyn FnMut(u128, u128) -> Result<(), CertificateError>,
    ) -> Result<(), CertificateError> {
        let numbers = Numbers::new(self.pits, self.root.seeds());
        let mut next = 0;
        for lemma in &self.lemmas {
            let number = numbers.number(lemma.position);
            let above = lemma.window.0 + lemma.position.seeds() as i16;
            each(number - next, (above as u128) << 3 | u128::from(lemma.pit - 1))?;
            next = number + 1;
        }
        Ok(())
    }

    /// Reads a file's bytes; `file` is its name for errors.
    ///
    /// # Errors
    /// If these are not the bytes of a certificate in a version that this program knows.
    pub fn from_bytes(bytes: &[u8], file: &Path) -> Result<Certificate, CertificateError> {
        decode(Cursor::new(bytes), bytes.len() as u64, file, &|_, _| true)
    }

    /// Writes the file as a whole: under another name first, then renamed. Returns how many bytes it has.
    ///
    /// # Errors
    /// If the disk is full or the operating system refuses. A file that was there before is then unchanged.
    pub fn write(&self, file: &Path) -> Result<u64, CertificateError> {
        self.write_while(file, &|_, _| true)
    }

    /// As [`Certificate::write`], as long as `going` says so.
    ///
    /// # Errors
    /// As [`Certificate::write`], and [`CertificateError::Stopped`].
    pub fn write_while(&self, file: &Path, going: Going<'_>) -> Result<u64, CertificateError> {
        let mut temporary = file.as_os_str().to_owned();
        temporary.push(".new");
        let temporary = Path::new(&temporary);
        let written = self.write_to(temporary, going).and_then(|bytes| {
            std::fs::rename(temporary, file).map_err(CertificateError::io(file, "writing"))?;
            Ok(bytes)
        });
        written.map_err(|error| {
            // What is half written is of no use; that it cannot be removed either is not the news.
            let _ = std::fs::remove_file(temporary);
            match error {
                CertificateError::Io { doing, source, .. } => CertificateError::io(file, doing)(source),
                CertificateError::DiskFull { .. } => CertificateError::DiskFull { file: file.to_owned() },
                other => other,
            }
        })
    }

    fn write_to(&self, file: &Path, going: Going<'_>) -> Result<u64, CertificateError> {
        let fault = || CertificateError::io(file, "writing");
        let mut opened = File::create(file).map_err(fault())?;
        let (mut bytes, mut pieces) = (0, 0);
        let write = &mut |piece: &[u8]| {
            bytes += piece.len() as u64;
            pieces += 1;
            opened.write_all(piece).map_err(fault())?;
            if pieces % SYNC_EVERY == 0 {
                opened.sync_data().map_err(fault())?;
            }
            Ok(())
        };
        self.encode(write, going)?;
        opened.sync_all().map_err(fault())?;
        Ok(bytes)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or no certificate.
    pub fn read(file: &Path) -> Result<Certificate, CertificateError> {
        Certificate::read_while(file, &|_, _| true)
    }

    /// As [`Certificate::read`], as long as `going` says so. It is told of bytes, each of which is read twice.
    ///
    /// # Errors
    /// As [`Certificate::read`], and [`CertificateError::Stopped`].
    pub fn read_while(file: &Path, going: Going<'_>) -> Result<Certificate, CertificateError> {
        let fault = || CertificateError::io(file, "reading");
        // Looked at before it is opened: opening a pipe would wait for somebody to write.
        let metadata = std::fs::metadata(file).map_err(fault())?;
        if !metadata.is_file() {
            return Err(CertificateError::NotAFile { file: file.to_owned() });
        }
        let opened = File::open(file).map_err(fault())?;
        let bytes = opened.metadata().map_err(fault())?.len();
        decode(opened, bytes, file, going)
    }
}

/// Whether to go on, asked now and then.
fn going_on(done: u64, all: u64, going: Going<'_>) -> Result<(), CertificateError> {
    if done.is_multiple_of(ASK_EVERY as u64) && !going(done, all) {
        return Err(CertificateError::Stopped);
    }
    Ok(())
}

/// The certificate in so many bytes; `file` is their name for errors.
fn decode(
    mut input: impl Read + Seek,
    found: u64,
    file: &Path,
    going: Going<'_>,
) -> Result<Certificate, CertificateError> {
    let name = || file.to_owned();
    let fault = || CertificateError::io(file, "reading");
    let damaged = |what: String| CertificateError::Damaged { file: name(), what };
    let mut head = Vec::with_capacity(HEAD_BYTES);
    input.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(fault())?;
    if !head.starts_with(&MAGIC[..head.len().min(MAGIC.len())]) {
        return Err(CertificateError::NotACertificate { file: name() });
    }
    if head.len() < HEAD_BYTES {
        return Err(CertificateError::Length { file: name(), expected: HEAD_BYTES as u64, found });
    }
    let mut fields = Fields(&head[MAGIC.len()..]);
    let version = u32::from_le_bytes(fields.take());
    if version > FORMAT_VERSION {
        return Err(CertificateError::NewerVersion { file: name(), newest: FORMAT_VERSION, found: version });
    }
    let text_bytes = u64::from(u32::from_le_bytes(fields.take()));
    let [body_bytes, count, hash, mover, opponent] = [(); 5].map(|()| u64::from_le_bytes(fields.take()));
    let bounds = [(); 2].map(|()| Margin(i16::from_le_bytes(fields.take())));
    let layers = u32::from(u16::from_le_bytes(fields.take()));
    let [pits, zero] = fields.take();

    let rest = (HEAD_BYTES + CHECK_BYTES) as u64 + text_bytes;
    let expected = body_bytes.checked_add(rest).ok_or_else(|| damaged("no file is so long".to_owned()))?;
    if found != expected {
        return Err(CertificateError::Length { file: name(), expected, found });
    }
    input.rewind().map_err(fault())?;
    let all = 2 * found;
    let own = hash_of(&mut input, found - CHECK_BYTES as u64, &|done| going(done, all), file)?;
    let mut check = [0; CHECK_BYTES];
    input.read_exact(&mut check).map_err(fault())?;
    let check = u64::from_le_bytes(check);
    if own != check {
        return Err(damaged(format!("expected the checksum {own:016x}, found {check:016x}")));
    }
    if version == 0 || zero != 0 {
        return Err(damaged(format!("version {version} or the byte {zero} cannot be")));
    }
    input.seek(SeekFrom::Start(HEAD_BYTES as u64)).map_err(fault())?;
    let mut text = Vec::new();
    input.by_ref().take(text_bytes).read_to_end(&mut text).map_err(fault())?;
    let rules: RuleSet = std::str::from_utf8(&text)
        .map_err(|error| damaged(format!("the rule set is no text: {error}")))?
        .parse()
        .map_err(|error| damaged(format!("the rule set is unknown: {error}")))?;
    if rules.hash64() != hash || rules.to_string().as_bytes() != text {
        let own = rules.hash64();
        return Err(damaged(format!("the rule set {rules} has the hash {own:016x}, found {hash:016x}")));
    }
    let root = Position::new(Row::from_bits(mover), Row::from_bits(opponent));
    let impossible = |error: CertificateError| match error {
        CertificateError::Impossible { what } => damaged(what),
        other => other,
    };
    // Board and claim must be sound before lemmas can be read.
    let empty = Certificate::new(rules, pits, root, bounds, layers, Vec::new()).map_err(impossible)?;
    let mut body = Body { bytes: BufReader::with_capacity(PIECE, input.take(body_bytes)), left: body_bytes };
    let lemmas = empty.lemmas_of(&mut body, count, &|left| going(all - left, all)).map_err(|fault| match fault {
        Fault::Damaged(what) => damaged(what),
        Fault::Io(error) => CertificateError::io(file, "reading")(error),
        Fault::Stopped => CertificateError::Stopped,
    })?;
    let sorting = |_, _| going(all, all);
    Certificate::new_while(rules, pits, root, bounds, layers, lemmas, &sorting).map_err(impossible)
}

/// The hash of so many bytes.
fn hash_of(
    input: &mut impl Read,
    bytes: u64,
    going: &dyn Fn(u64) -> bool,
    file: &Path,
) -> Result<u64, CertificateError> {
    let mut hash = Xxh3::new();
    let mut piece = vec![0; PIECE.min(bytes as usize)];
    let mut done = 0;
    while done < bytes {
        let now = &mut piece[..PIECE.min((bytes - done) as usize)];
        input.read_exact(now).map_err(CertificateError::io(file, "reading"))?;
        hash.update(now);
        done += now.len() as u64;
        if !going(done) {
            return Err(CertificateError::Stopped);
        }
    }
    Ok(hash.digest())
}

/// Why lemmas cannot be read.
enum Fault {
    Damaged(String),
    Io(std::io::Error),
    Stopped,
}

/// The bytes of all lemmas.
struct Body<R> {
    bytes: R,
    left: u64,
}

impl<R: BufRead> Body<R> {
    /// Takes a number; `None` if the bytes end first, it has more than 126 bits, or more bytes than it needs.
    fn pull(&mut self) -> Result<Option<u128>, Fault> {
        let mut number = 0;
        for place in 0..18 {
            let Some(&byte) = self.bytes.fill_buf().map_err(Fault::Io)?.first() else { return Ok(None) };
            self.bytes.consume(1);
            self.left -= 1;
            number |= u128::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return Ok((place == 0 || byte != 0).then_some(number));
            }
        }
        Ok(None)
    }
}

impl Certificate {
    fn lemmas_of(
        &self,
        body: &mut Body<impl BufRead>,
        count: u64,
        going: &dyn Fn(u64) -> bool,
    ) -> Result<Vec<Lemma>, Fault> {
        let numbers = Numbers::new(self.pits, self.root.seeds());
        // A lemma has two bytes at least.
        let mut lemmas: Vec<Lemma> = Vec::with_capacity(count.min(body.left / 2) as usize);
        let mut next = 0u128;
        while body.left > 0 {
            if lemmas.len().is_multiple_of(ASK_EVERY) && !going(body.left) {
                return Err(Fault::Stopped);
            }
            let (gap, what) = (body.pull()?, body.pull()?);
            let place = || Fault::Damaged(format!("lemma {} cannot be read", lemmas.len() + 1));
            let number = gap.and_then(|gap| next.checked_add(gap)).ok_or_else(place)?;
            let what = what.ok_or_else(place)?;
            next = number.checked_add(1).ok_or_else(place)?;
            let position = numbers.position(number).ok_or_else(place)?;
            let seeds = seeds_on(self.pits, position).ok_or_else(place)?;
            let above = i16::try_from(what >> 3).map_err(|_| place())?;
            let window = above.checked_sub(seeds as i16).map(Margin).ok_or_else(place)?;
            lemmas.push(Lemma { position, window, pit: (what & 7) as u8 + 1 });
        }
        if lemmas.len() as u64 != count {
            return Err(Fault::Damaged(format!("expected {count} lemmas, found {}", lemmas.len())));
        }
        Ok(lemmas)
    }
}

/// Fields of fixed width, one after the other.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    /// The next `N` bytes; zeros where there are no more, which the callers' lengths rule out.
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let Some((first, rest)) = self.0.split_first_chunk() else { return [0; N] };
        self.0 = rest;
        *first
    }
}

/// Appends a number, seven bits a byte, the lowest first; all bytes but the last have their top bit set.
fn push(bytes: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Bytes that [`push`] appends.
fn length(number: u128) -> usize {
    (u128::BITS - (number | 1).leading_zeros()).div_ceil(7) as usize
}
