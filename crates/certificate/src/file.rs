//! The bytes of a certificate, as `FORMAT.md` describes them.

use crate::certificate::seeds_on;
use crate::number::Numbers;
use crate::{Certificate, CertificateError, Lemma};
use kalah_rules::{Margin, Position, Row, RuleSet};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// What every certificate begins with.
pub const MAGIC: [u8; 8] = *b"\x89KLC\r\n\x1a\n";

/// The format version this crate writes and reads.
pub const FORMAT_VERSION: u32 = 1;

/// Bytes before the rule set's text.
const HEAD_BYTES: usize = 64;

/// Bytes of the checksum at the end.
const CHECK_BYTES: usize = 8;

impl Certificate {
    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = self.body();
        let rules = self.rules.to_string();
        let mut bytes = Vec::with_capacity(HEAD_BYTES + rules.len() + body.len() + CHECK_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(FORMAT_VERSION.to_le_bytes());
        bytes.extend((rules.len() as u32).to_le_bytes());
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend((self.lemmas.len() as u64).to_le_bytes());
        bytes.extend(self.rules.hash64().to_le_bytes());
        bytes.extend(self.root.mover.bits().to_le_bytes());
        bytes.extend(self.root.opponent.bits().to_le_bytes());
        bytes.extend(self.bounds.iter().flat_map(|bound| bound.0.to_le_bytes()));
        bytes.extend((self.layers as u16).to_le_bytes());
        bytes.extend([self.pits, 0]);
        bytes.extend(rules.as_bytes());
        bytes.extend(body);
        let check = xxh3_64(&bytes);
        bytes.extend(check.to_le_bytes());
        bytes
    }

    /// The lemmas in the order of their positions' numbers.
    fn body(&self) -> Vec<u8> {
        let numbers = Numbers::new(self.pits, self.root.seeds());
        let mut numbered: Vec<_> = self.lemmas.iter().map(|lemma| (numbers.number(lemma.position), lemma)).collect();
        numbered.sort_unstable_by_key(|&(number, _)| number);
        let mut body = Vec::new();
        let mut next = 0;
        for (number, lemma) in numbered {
            push(&mut body, number - next);
            next = number + 1;
            let above = lemma.window.0 + lemma.position.seeds() as i16;
            push(&mut body, (above as u128) << 3 | u128::from(lemma.pit - 1));
        }
        body
    }

    /// Reads a file's bytes; `file` is its name for errors.
    ///
    /// # Errors
    /// If these are not the bytes of a certificate in a version that this program knows.
    pub fn from_bytes(bytes: &[u8], file: &Path) -> Result<Certificate, CertificateError> {
        let file = || file.to_owned();
        let damaged = |what: String| CertificateError::Damaged { file: file(), what };
        let found = bytes.len() as u64;
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) {
            return Err(CertificateError::NotACertificate { file: file() });
        }
        let Some(head) = bytes.first_chunk::<HEAD_BYTES>() else {
            return Err(CertificateError::Length { file: file(), expected: HEAD_BYTES as u64, found });
        };
        let mut head = Fields(&head[MAGIC.len()..]);
        let version = u32::from_le_bytes(head.take());
        if version > FORMAT_VERSION {
            return Err(CertificateError::NewerVersion { file: file(), newest: FORMAT_VERSION, found: version });
        }
        let text_bytes = u64::from(u32::from_le_bytes(head.take()));
        let [body_bytes, count, hash, mover, opponent] = [(); 5].map(|()| u64::from_le_bytes(head.take()));
        let bounds = [(); 2].map(|()| Margin(i16::from_le_bytes(head.take())));
        let layers = u32::from(u16::from_le_bytes(head.take()));
        let [pits, zero] = head.take();

        let rest = (HEAD_BYTES + CHECK_BYTES) as u64 + text_bytes;
        let expected = body_bytes.checked_add(rest).ok_or_else(|| damaged("no file is so long".to_owned()))?;
        if found != expected {
            return Err(CertificateError::Length { file: file(), expected, found });
        }
        let (checked, check) = bytes.split_at(bytes.len() - CHECK_BYTES);
        let (expected, found) = (Fields(check).take(), xxh3_64(checked).to_le_bytes());
        if expected != found {
            let [expected, found] = [expected, found].map(u64::from_le_bytes);
            return Err(damaged(format!("expected the checksum {expected:016x}, found {found:016x}")));
        }
        if version == 0 || zero != 0 {
            return Err(damaged(format!("version {version} or the byte {zero} cannot be")));
        }
        let (text, body) = checked[HEAD_BYTES..].split_at(text_bytes as usize);
        let rules: RuleSet = std::str::from_utf8(text)
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
        let lemmas = empty.lemmas_of(body, count).map_err(damaged)?;
        Certificate::new(rules, pits, root, bounds, layers, lemmas).map_err(impossible)
    }

    fn lemmas_of(&self, mut body: &[u8], count: u64) -> Result<Vec<Lemma>, String> {
        let numbers = Numbers::new(self.pits, self.root.seeds());
        // A lemma has two bytes at least.
        let mut lemmas = Vec::with_capacity(count.min(body.len() as u64 / 2) as usize);
        let mut next = 0u128;
        while !body.is_empty() {
            let place = || format!("lemma {} cannot be read", lemmas.len());
            let number = pull(&mut body).and_then(|gap| next.checked_add(gap)).ok_or_else(place)?;
            let what = pull(&mut body).ok_or_else(place)?;
            next = number.checked_add(1).ok_or_else(place)?;
            let position = numbers.position(number).ok_or_else(place)?;
            let seeds = seeds_on(self.pits, position).ok_or_else(place)?;
            let above = i16::try_from(what >> 3).map_err(|_| place())?;
            let window = above.checked_sub(seeds as i16).map(Margin).ok_or_else(place)?;
            lemmas.push(Lemma { position, window, pit: (what & 7) as u8 + 1 });
        }
        if lemmas.len() as u64 != count {
            return Err(format!("expected {count} lemmas, found {}", lemmas.len()));
        }
        Ok(lemmas)
    }

    /// Writes the file as a whole: under another name first, then renamed. Returns how many bytes it has.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn write(&self, file: &Path) -> Result<u64, CertificateError> {
        let bytes = self.to_bytes();
        let mut temporary = file.as_os_str().to_owned();
        temporary.push(".new");
        let temporary = Path::new(&temporary);
        let write = || {
            let mut opened = File::create(temporary)?;
            opened.write_all(&bytes)?;
            opened.sync_all()?;
            std::fs::rename(temporary, file)
        };
        write().map_err(|error| {
            // What is half written is of no use; that it cannot be removed either is not the news.
            let _ = std::fs::remove_file(temporary);
            CertificateError::io(file, "writing")(error)
        })?;
        Ok(bytes.len() as u64)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or no certificate.
    pub fn read(file: &Path) -> Result<Certificate, CertificateError> {
        let bytes = std::fs::read(file).map_err(CertificateError::io(file, "reading"))?;
        Certificate::from_bytes(&bytes, file)
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

/// Takes a number off the front; `None` if the bytes end first or the number has more than 126 bits.
fn pull(bytes: &mut &[u8]) -> Option<u128> {
    let mut number = 0;
    for place in 0..18 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u128::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}
