//! The built-in dataset (in the making).

use std::sync::Arc;

use crate::id::{DataId, DataSet};
use crate::writer::{BlockSize, DatWriter};

/// The humanoid's setup.
pub const HUMAN_SETUP: DataId = DataId(0x0200_0001);
/// The humanoid's motion table.
pub const HUMAN_TABLE: DataId = DataId(0x0900_0001);

/// The dataset as the bytes of a dat file.
pub fn dat_file() -> Arc<[u8]> {
    let writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    match writer.finish() {
        Ok(bytes) => bytes.into(),
        Err(error) => unreachable!("the dataset is small: {error}"),
    }
}
