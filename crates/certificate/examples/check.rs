//! Checks a proof without layers and says what it proves: `cargo run --release -p kalah-certificate --example check -- FILE`.

use kalah_certificate::Certificate;
use kalah_rules::State;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("name the file of a proof")?;
    let proof = Certificate::read(Path::new(&file))?;
    let [lower, upper] = proof.bounds();
    let root = State::new(proof.pits(), proof.root());
    println!("claim:  {root} under {} is worth {lower} to {upper} for the player to move", proof.rules());
    if proof.layers() > 0 {
        println!("layers: the proof needs layers below {} seeds; `kalah certify --check` uses them", proof.layers());
    }
    let checked = proof.check(None)?;
    println!("proved: {} lemmas and {} replies were played", checked.lemmas, checked.replies);
    Ok(())
}
