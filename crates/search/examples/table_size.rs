//! How the size of the table changes the work, and never the value:
//! `cargo run --release -p kalah-search --example table_size -- 5 3` (pits a side, seeds in each).

use kalah_rules::{RuleSet, State};
use kalah_search::{Goal, Limits, NoOracle, Options, Search};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let pits: u8 = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let seeds: u32 = arguments.next().map_or(Ok(2), |text| text.parse())?;
    let game = "kalah".parse::<RuleSet>()?.game(pits)?;
    let start = State::start(pits, seeds)?.position();
    println!("table bytes         nodes   value");
    for table_bytes in [1 << 10, 1 << 12, 1 << 16, 1 << 20] {
        let options = Options { table_bytes, threads: 1 };
        let mut search = Search::new(game, &NoOracle, start.seeds(), options)?;
        let answer = search.solve(start, Goal::Value, None, Limits::default())?;
        println!("{table_bytes:11} {:13}   {}", answer.stats.nodes, answer.bounds);
    }
    Ok(())
}
