//! Computes published values of starts with few pits again:
//! `cargo run --release -p kalah-study --example small_claims -- irving2000-t9-4-3` (how the claims' names begin).

use kalah_study::reproduce::{Evaluator, Means, Unwatched, claims, run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted = std::env::args().nth(1).unwrap_or_else(|| "irving2000-t9-4-3".to_owned());
    let claims = claims()?;
    let chosen: Vec<_> = claims.iter().filter(|claim| claim.id.starts_with(&wanted)).collect();
    let reports = run(&Evaluator::new(Means::default()), &chosen, &Unwatched)?;
    for (claim, report) in chosen.iter().zip(&reports) {
        println!("{}: printed {}, {:?}", claim.id, claim.printed, report.verdict);
    }
    Ok(())
}
