//! The observer of a long run: it is told about progress and may stop the run.

/// A layer about to be built or checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerPlan {
    /// Seeds in pits.
    pub seeds: u32,
    /// Positions to go through.
    pub positions: u64,
}

/// A layer that was built.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LayerReport {
    /// Seeds in pits.
    pub seeds: u32,
    /// How many positions it has.
    pub positions: u64,
    /// Wall time until all values were computed and handed to the system to be written, in seconds.
    pub compute_seconds: f64,
    /// Wall time in seconds from the moment the previous layer was in place until this one was. The sum over all layers is
    /// the time of the build. The previous file is synced while this layer is computed, so this can be less than
    /// `compute_seconds`.
    pub seconds: f64,
    /// The file's size in bytes.
    pub file_bytes: u64,
    /// The most memory in bytes that the build has taken for itself so far: matrices and tables, not the files the system
    /// keeps at hand.
    pub memory_bytes: u64,
}

/// Receives the progress of a run, from any thread, and may ask it to stop.
pub trait Observer: Sync {
    /// Work on a layer begins.
    fn layer_started(&self, _layer: &LayerPlan) {}

    /// This many more positions are done.
    fn advanced(&self, _positions: u64) {}

    /// A layer's file is whole and in place.
    fn layer_finished(&self, _layer: &LayerReport) {}

    /// Whether the run should end soon. Finished work is kept.
    fn should_stop(&self) -> bool {
        false
    }
}

/// Ignores progress and never stops the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Observer for Unwatched {}
