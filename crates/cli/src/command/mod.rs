//! One file a command: its arguments and what it does.

pub(crate) mod atlas;
pub(crate) mod bench;
pub(crate) mod build;
pub(crate) mod certify;
pub(crate) mod checksums;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod explain;
pub(crate) mod fair;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod opening;
pub(crate) mod perft;
pub(crate) mod query;
pub(crate) mod reproduce;
pub(crate) mod rules;
pub(crate) mod solve;
pub(crate) mod split;
pub(crate) mod stats;
pub(crate) mod verify;
pub(crate) mod work;
