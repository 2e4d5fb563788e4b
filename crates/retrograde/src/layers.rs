//! How builders read the layers that are already solved.

use kalah_index::Layer;
use kalah_rules::Position;

/// The solved layers from 0 seeds upwards, readable as plain bytes.
pub trait SolvedLayers: Sync {
    /// The layer of `seeds` seeds and the values of all its positions in the order of their ranks.
    ///
    /// # Panics
    /// If that layer is not solved.
    fn layer(&self, seeds: u32) -> (&Layer, &[i8]);

    /// The value of one position for its mover.
    ///
    /// # Panics
    /// If the position's layer is not solved.
    #[inline]
    fn value(&self, position: Position) -> i8 {
        let (layer, values) = self.layer(position.seeds());
        values[layer.rank(position.mover.bits(), position.opponent.bits()) as usize]
    }
}

/// Solved layers held in memory, the layer of `n` seeds at place `n`.
#[derive(Debug, Default, Clone)]
pub struct LayersInMemory(Vec<(Layer, Vec<i8>)>);

impl LayersInMemory {
    /// Adds the next layer.
    ///
    /// # Panics
    /// If `layer` is not the next one or `values` has another length than the layer.
    #[track_caller]
    pub fn push(&mut self, layer: Layer, values: Vec<i8>) {
        assert_eq!(layer.seeds() as usize, self.0.len(), "layers are added in order");
        assert_eq!(layer.positions(), values.len() as u64, "a layer has one value a position");
        self.0.push((layer, values));
    }
}

impl SolvedLayers for LayersInMemory {
    fn layer(&self, seeds: u32) -> (&Layer, &[i8]) {
        let (layer, values) = &self.0[seeds as usize];
        (layer, values)
    }
}
