//! Scratch: builds a directory.
use kalah_retrograde::*;
struct P;
impl Observer for P {
    fn layer_finished(&self, l: &LayerReport) {
        eprintln!(
            "{} {:.2} {:.2} {:.1} M/s",
            l.seeds,
            l.compute_seconds,
            l.seconds,
            l.positions as f64 / l.seconds / 1e6
        );
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(a[5].parse().unwrap()).build().unwrap();
    pool.install(|| {
        build(
            a[1].as_ref(),
            &a[2].parse().unwrap(),
            a[3].parse().unwrap(),
            a[4].parse().unwrap(),
            &BuildOptions::default(),
            &P,
        )
    })
    .unwrap();
}
