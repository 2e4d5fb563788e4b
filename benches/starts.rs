//! Whole starts, solved by search over a small database; each checks the published value.

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use kalah::{Limits, Options, Solver};
use kalah_retrograde::{BuildOptions, Unwatched, build};
use kalah_rules::{Margin, RuleSet};

fn solve(c: &mut Criterion) {
    let directory = tempfile::tempdir().expect("a directory");
    let mut group = c.benchmark_group("solve a start with 12 seeds of layers");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    // Irving, Donkers and Uiterwijk 2000 for kalah-empty.
    for (rules, pits, seeds, value) in
        [("kalah-empty", 4, 4, 2), ("kalah-empty", 6, 2, 10), ("kalah", 6, 2, 6), ("kalah-empty", 6, 3, 2)]
    {
        let rules: RuleSet = rules.parse().expect("a rule set");
        build(directory.path(), &rules, pits, 12, &BuildOptions::default(), &Unwatched).expect("layers");
        let options = Options { table_bytes: 64 << 20, ..Options::default() };
        let solver = Solver::open(directory.path(), rules, pits, options).expect("a solver");
        group.bench_function(format!("{rules} ({pits},{seeds})"), |b| {
            b.iter(|| {
                let answer = solver.solve(seeds, &Limits::default()).expect("an answer");
                assert_eq!(answer.worth.value_south, Some(Margin(value)));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, solve);
criterion_main!(benches);
