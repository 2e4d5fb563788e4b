//! FORMAT.md is right: its example is the file that is written, byte for byte, and its numbers are the code's.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod samples;

use kalah_database::{Codec, DirectoryLock, Encoding, LayerFile, LayerWriter, Parity, Stamp};

const FORMAT: &str = include_str!("../FORMAT.md");

/// The file of the example.
fn example() -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let lock = DirectoryLock::acquire(directory.path()).unwrap();
    let stamp = Stamp { rules: "kalah".to_owned(), rules_hash: 5_416_348_024_063_616_201, pits: 1 };
    let encoding = Encoding { parity: Parity::Known, codec: Codec::Raw };
    let writer = LayerWriter::create(&lock, &stamp, 2, encoding).unwrap();
    writer.write(0, &[-2, 0, 2]).unwrap();
    std::fs::read(writer.finish().unwrap().path()).unwrap()
}

/// Place and bytes of every line of the dump.
fn dump() -> Vec<(usize, Vec<u8>)> {
    let block = FORMAT.split("```hex\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block of hex");
    let line = |line: &str| {
        let mut words = line.split(' ');
        let place = usize::from_str_radix(words.next().unwrap(), 16).unwrap();
        assert_eq!(words.next(), Some(""), "two blanks behind the place: {line}");
        (place, words.take_while(|word| !word.is_empty()).map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect())
    };
    block.lines().map(line).collect()
}

#[test]
fn the_dump_is_the_file() {
    let file = example();
    let mut shown = vec![0; file.len()];
    let mut covered = 0;
    for (place, bytes) in dump() {
        shown[place..place + bytes.len()].copy_from_slice(&bytes);
        covered += bytes.len();
    }
    assert!(shown == file, "expected\n{}", print(&file));
    assert!(covered == 137 + 3, "the dump shows everything but the zeros before the payload");
}

#[test]
fn the_dump_is_a_layer() {
    let mut bytes = vec![0; 4099];
    for (place, shown) in dump() {
        bytes[place..place + shown.len()].copy_from_slice(&shown);
    }
    let file = LayerFile::from_bytes("FORMAT.md".as_ref(), bytes).unwrap();
    assert_eq!(file.raw(), Some(&[-2, 0, 2][..]));
    assert!(file.verify(&|_| true).is_sound());
}

#[test]
fn the_numbers_are_the_codes() {
    for codec in Codec::ALL {
        let directory = tempfile::tempdir().unwrap();
        let lock = DirectoryLock::acquire(directory.path()).unwrap();
        let stamp = Stamp { rules: "kalah".to_owned(), rules_hash: 0, pits: 1 };
        let writer = LayerWriter::create(&lock, &stamp, 0, Encoding { parity: Parity::Known, codec }).unwrap();
        writer.write(0, &[0]).unwrap();
        let file = writer.finish().unwrap();
        let size = match codec {
            Codec::Raw => "raw 2¹⁸",
            Codec::Packed => "packed 2¹⁶",
            _ => "compressed 512",
        };
        let number = match size.rsplit(' ').next().unwrap() {
            "2¹⁸" => 1 << 18,
            "2¹⁶" => 1 << 16,
            plain => plain.parse().unwrap(),
        };
        assert!(FORMAT.contains(size) && file.header().block_size == number, "{codec}");
        // After the text `kalah` come its hash, pits, seeds, parity and then the codec.
        let number = std::fs::read(file.path()).unwrap()[48 + 8 + 5 + 8 + 3];
        assert!(FORMAT.contains(&format!("{number} {codec}")), "{codec}: {number}");
    }
}

/// `scripts/read_layer.py` was written from FORMAT.md alone; it must read the same values.
#[test]
#[ignore = "needs python3 and zstd"]
fn the_reader_in_python_agrees() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/read_layer.py");
    let python = |arguments: &[&str]| std::process::Command::new("python3").args(arguments).output();
    let directory = tempfile::tempdir().unwrap();
    for codec in Codec::ALL {
        for (pits, seeds, parity) in [(2, 9, Parity::Known), (6, 5, Parity::Free)] {
            let file = samples::write(directory.path(), &samples::stamp(pits), seeds, parity, codec);
            let values = directory.path().join("values");
            let ran = python(&[script, file.path().to_str().unwrap(), "--write", values.to_str().unwrap()]).unwrap();
            assert!(ran.status.success(), "{codec}: {}", String::from_utf8_lossy(&ran.stderr));
            let expected: Vec<u8> = samples::values(pits, seeds, parity).into_iter().map(|value| value as u8).collect();
            assert!(std::fs::read(&values).unwrap() == expected, "{codec}, {pits} pits");
        }
    }
}

/// The dump as it should be, without the explanations.
fn print(file: &[u8]) -> String {
    let mut text = String::new();
    for (place, line) in file.chunks(16).enumerate().filter(|(_, line)| line.iter().any(|&byte| byte != 0)) {
        let bytes: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
        text.push_str(&format!("{:08x}  {}\n", place * 16, bytes.join(" ")));
    }
    text
}
