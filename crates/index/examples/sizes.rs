//! How many positions each layer has: `cargo run -p kalah-index --example sizes -- 6 24` (pits a side, most seeds).

use kalah_index::Layer;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let pits: u8 = arguments.next().map_or(Ok(6), |text| text.parse())?;
    let most: u32 = arguments.next().map_or(Ok(24), |text| text.parse())?;
    let mut all = 0;
    println!("seeds      positions      all so far");
    for seeds in 0..=most {
        let positions = Layer::new(pits, seeds)?.positions();
        all += positions;
        println!("{seeds:5} {positions:14} {all:15}");
    }
    Ok(())
}
