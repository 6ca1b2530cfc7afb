//! Who looks, and what is told to whoever watches a simulation.

use std::sync::Arc;

use acmotion::World;
use acmotion::player::RequestError;
use acmotion::types::Guid;
use acmotion::world::Event;

use crate::measure::Measured;
use crate::network::Delivery;
use crate::scenario::Input;

/// A client, by its place among the scene's [clients](crate::scenario::Scenario::clients).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClientId(pub usize);

/// Whose world it is: everybody sees the same things a little otherwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum View {
    /// The server's.
    Server,
    /// A client's.
    Client(ClientId),
}

/// A message that sets out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sent<'a> {
    /// When.
    pub time: f64,
    /// Who sends it.
    pub from: View,
    /// To whom.
    pub to: View,
    /// What becomes of it.
    pub fate: Delivery,
    /// The message, number first.
    pub bytes: &'a Arc<[u8]>,
}

/// A message that is taken in, at the receiver's first frame after it has arrived.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Delivered<'a> {
    /// When it is taken in.
    pub time: f64,
    /// When it was sent.
    pub sent: f64,
    /// When it arrived.
    pub arrived: f64,
    /// Who sent it.
    pub from: View,
    /// Who takes it in.
    pub to: View,
    /// Was it there before?
    pub is_duplicate: bool,
    /// The message, number first.
    pub bytes: &'a Arc<[u8]>,
}

/// Something a player was to do and did not.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Refused {
    /// When.
    pub time: f64,
    /// Who.
    pub client: ClientId,
    /// His body.
    pub guid: Guid,
    /// What.
    pub input: Input,
    /// Why not.
    pub why: RequestError,
}

/// Somebody who watches a simulation. Everything is told in the order of time. Who does not care is `()`.
pub trait Watch {
    /// A world has moved; this is how it looks now.
    fn ticked(&mut self, _view: View, _world: &World, _now: f64) {}
    /// Something happened in a world.
    fn happened(&mut self, _view: View, _event: &Event, _world: &World) {}
    /// A message sets out.
    fn sent(&mut self, _message: &Sent<'_>) {}
    /// A message is taken in.
    fn delivered(&mut self, _message: &Delivered<'_>) {}
    /// A player does not do what he was to do.
    fn refused(&mut self, _refused: &Refused) {}
    /// It is known how far off somebody was shown.
    fn measured(&mut self, _measured: &Measured) {}
}

impl Watch for () {}
