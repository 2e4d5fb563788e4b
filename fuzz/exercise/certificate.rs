//! Reads bytes as a certificate and checks it.

use super::{must_be_readable, sealed};
use kalah_brute_force::Minimax;
use kalah_certificate::Certificate;
use kalah_rules::{LayerKind, SowingGame};
use std::path::Path;

/// A proof that the checker accepts without layers is true; a file that is read is written as the same bytes.
pub(crate) fn exercise(bytes: &[u8]) {
    read(bytes);
    if let Some(sealed) = sealed(bytes) {
        read(&sealed);
    }
}

fn read(bytes: &[u8]) {
    let certificate = match Certificate::from_bytes(bytes, Path::new("fuzz")) {
        Ok(certificate) => certificate,
        Err(error) => return must_be_readable(&error.to_string(), &error.help(), bytes),
    };
    let again =
        Certificate::from_bytes(&certificate.to_bytes(), Path::new("again")).expect("what is written can be read");
    assert_eq!(again, certificate);
    match certificate.check(None) {
        Ok(_) => {
            let (pits, root) = (certificate.pits(), certificate.root());
            let game = certificate.rules().game(pits).expect("the checker played it");
            // Plain minimax is slow on large boards and does not end where positions repeat.
            if game.layer_kind() == LayerKind::Acyclic && root.seeds() <= 12 {
                let [lower, upper] = certificate.bounds();
                let value = Minimax::new(game).value(root);
                assert!(lower <= value && value <= upper, "{root:?} is worth {value}, not {lower} to {upper}");
            }
        }
        Err(refusal) => must_be_readable(&refusal.to_string(), &refusal.help(), bytes),
    }
}
