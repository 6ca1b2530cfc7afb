//! The guide: five short chapters, each a complete program that you can copy.
//!
//! | chapter | for |
//! |---|---|
//! | [Watch a server](watch_a_server) | clients, viewers and recorders |
//! | [Be a player](be_a_player) | clients with keys, and bots |
//! | [Run a server](run_a_server) | servers and test partners |
//! | [Ask a scene](ask_a_scene) | anything that needs heights, lines of sight or room to stand |
//! | [Replay and explain](replay_and_explain) | tools and debuggers |
//!
//! Everything uses the built-in mannequin and its town, so nothing else is needed. With the game's own files, replace
//! `Assets::mannequin()` with `Assets::open("client_portal.dat")?` and `Assets::town()` with
//! `Assets::open("client_cell_1.dat")?`.

#[doc = include_str!("guide/watch_a_server.md")]
pub mod watch_a_server {}
#[doc = include_str!("guide/be_a_player.md")]
pub mod be_a_player {}
#[doc = include_str!("guide/run_a_server.md")]
pub mod run_a_server {}
#[doc = include_str!("guide/ask_a_scene.md")]
pub mod ask_a_scene {}
#[doc = include_str!("guide/replay_and_explain.md")]
pub mod replay_and_explain {}
