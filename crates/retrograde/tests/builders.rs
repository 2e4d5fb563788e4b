//! The sweep and the reference builder produce the same bytes under every rule set on every board.

use kalah_index::Layer;
use kalah_retrograde::sweep::Tables;
use kalah_retrograde::{LayersInMemory, reference, sweep};
use kalah_rules::{Game, RuleSet};

fn same_bytes(rules: &str, pits: u8, seeds: u32) {
    let rules: RuleSet = rules.parse().unwrap();
    let Game::Kalah(kalah) = rules.game(pits).unwrap() else { panic!("{rules} is not Kalah") };
    let tables = Tables::new(kalah);
    let mut lower = LayersInMemory::default();
    for n in 0..=seeds {
        let layer = Layer::new(pits, n).unwrap();
        let reference = reference::build_layer(&kalah, &layer, &lower, &|_| true).unwrap();
        let swept = sweep::build_layer(&tables, &layer, &lower);
        for (rank, (reference, swept)) in reference.iter().zip(&swept).enumerate() {
            assert_eq!(
                reference,
                swept,
                "{rules}, {pits} pits, {n} seeds, position {rank}: {:?}",
                layer.unrank(rank as u64)
            );
        }
        lower.push(layer, reference);
    }
}

#[test]
fn sweep_equals_reference() {
    for preset in ["kalah", "kalah-empty", "kalah-stuck", "kalah-empty-stuck"] {
        for leftover in ["", "+leftover=out", "+leftover=last", "+leftover=none"] {
            let rules = format!("{preset}{leftover}");
            for (pits, seeds) in [(1, 30), (2, 24), (3, 13), (4, 9), (5, 7), (6, 6), (7, 5), (8, 4)] {
                same_bytes(&rules, pits, seeds);
            }
        }
    }
}
