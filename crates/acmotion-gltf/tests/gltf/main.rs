//! Exported files, read back.

mod figure;
mod land;
mod scene;
mod texture;
mod textured;
