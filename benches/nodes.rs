//! Positions searched a second: one small search without layers on one thread, with a table that fits the processor's cache and with
//! one that does not. How many positions it searches is the same in every round.

use criterion::{BatchSize, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use kalah_rules::{Margin, RuleSet, State};
use kalah_search::{Goal, Limits, NoOracle, Options, Search};

fn node(c: &mut Criterion) {
    let rules: RuleSet = "kalah-empty".parse().expect("a rule set");
    let start = State::start(5, 3).expect("a start").position();
    let mut group = c.benchmark_group("node, kalah-empty (5,3)");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    for (name, table_bytes) in [("1 MiB", 1 << 20), ("64 MiB", 64 << 20)] {
        let options = Options { table_bytes, threads: 1 };
        let game = rules.game(5).expect("a board");
        let fresh = || Search::new(game, &NoOracle, start.seeds(), options).expect("memory");
        let solve = |search: &mut Search<&NoOracle>| {
            // The value that the fixed set of searches keeps too.
            let answer = search.solve(start, Goal::Value, None, Limits::default()).expect("a small position");
            assert_eq!(answer.bounds.exact(), Some(Margin(8)));
            answer.stats.nodes
        };
        let nodes = solve(&mut fresh());
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("table of {name}"), |b| {
            b.iter_batched_ref(fresh, |search| assert_eq!(solve(search), nodes), BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, node);
criterion_main!(benches);
