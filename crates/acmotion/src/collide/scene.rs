//! The land, its rooms and buildings (`docs/collision.md` 6, 7).
