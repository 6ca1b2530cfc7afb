//! Views of a simulation, and the callbacks that report what happens in it.

use std::sync::Arc;

use acmotion::types::Guid;
use acmotion::{Event, RequestError, World};

use crate::measure::Measured;
use crate::network::Delivery;
use crate::scenario::Input;

/// The index of a client in the scenario's [list of clients](crate::scenario::Scenario::clients).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClientId(pub usize);

/// One of the worlds of a simulation. Each shows the same entities slightly differently.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum View {
    /// The server's world.
    Server,
    /// A client's world.
    Client(ClientId),
}

/// A message that is sent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sent<'a> {
    /// The time at which it is sent, in seconds.
    pub time: f64,
    /// The sender.
    pub from: View,
    /// The receiver.
    pub to: View,
    /// What the network does with it.
    pub delivery: Delivery,
    /// The message, from its opcode on.
    pub bytes: &'a Arc<[u8]>,
}

/// A message that is handled, in the receiver's first frame after its arrival.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Delivered<'a> {
    /// The time at which it is handled, in seconds.
    pub time: f64,
    /// The time at which it was sent.
    pub sent: f64,
    /// The time at which it arrived.
    pub arrived: f64,
    /// The sender.
    pub from: View,
    /// The receiver.
    pub to: View,
    /// Whether the network delivered it before.
    pub is_duplicate: bool,
    /// Whether the sender has not sent it: see [`Simulation::inject`](crate::Simulation::inject).
    pub is_injected: bool,
    /// The message, from its opcode on.
    pub bytes: &'a Arc<[u8]>,
}

/// An input that a player could not carry out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RefusedInput {
    /// The time of the input, in seconds.
    pub time: f64,
    /// The player's client.
    pub client: ClientId,
    /// The player's body.
    pub guid: Guid,
    /// The input.
    pub input: Input,
    /// The reason.
    pub error: RequestError,
}

/// Callbacks of a simulation, called in the order of time. Use `()` if you do not need them.
pub trait EventHandler {
    /// Called after a world has been updated.
    fn on_tick(&mut self, _view: View, _world: &World, _now: f64) {}
    /// Called for each event of a world.
    fn on_event(&mut self, _view: View, _event: &Event, _world: &World) {}
    /// Called when a message is sent.
    fn on_sent(&mut self, _message: &Sent<'_>) {}
    /// Called when a message is handled.
    fn on_delivered(&mut self, _message: &Delivered<'_>) {}
    /// Called when a player cannot carry out an input.
    fn on_refused(&mut self, _refused: &RefusedInput) {}
    /// Called when it is known how far from the truth an entity was shown.
    fn on_measured(&mut self, _measured: &Measured) {}
}

impl EventHandler for () {}

/// Calls the handler if there is one.
impl<T: EventHandler> EventHandler for Option<T> {
    fn on_tick(&mut self, view: View, world: &World, now: f64) {
        self.iter_mut().for_each(|handler| handler.on_tick(view, world, now));
    }

    fn on_event(&mut self, view: View, event: &Event, world: &World) {
        self.iter_mut().for_each(|handler| handler.on_event(view, event, world));
    }

    fn on_sent(&mut self, message: &Sent<'_>) {
        self.iter_mut().for_each(|handler| handler.on_sent(message));
    }

    fn on_delivered(&mut self, message: &Delivered<'_>) {
        self.iter_mut().for_each(|handler| handler.on_delivered(message));
    }

    fn on_refused(&mut self, refused: &RefusedInput) {
        self.iter_mut().for_each(|handler| handler.on_refused(refused));
    }

    fn on_measured(&mut self, measured: &Measured) {
        self.iter_mut().for_each(|handler| handler.on_measured(measured));
    }
}

/// Calls both, the first one first.
impl<A: EventHandler + ?Sized, B: EventHandler + ?Sized> EventHandler for (&mut A, &mut B) {
    fn on_tick(&mut self, view: View, world: &World, now: f64) {
        self.0.on_tick(view, world, now);
        self.1.on_tick(view, world, now);
    }

    fn on_event(&mut self, view: View, event: &Event, world: &World) {
        self.0.on_event(view, event, world);
        self.1.on_event(view, event, world);
    }

    fn on_sent(&mut self, message: &Sent<'_>) {
        self.0.on_sent(message);
        self.1.on_sent(message);
    }

    fn on_delivered(&mut self, message: &Delivered<'_>) {
        self.0.on_delivered(message);
        self.1.on_delivered(message);
    }

    fn on_refused(&mut self, refused: &RefusedInput) {
        self.0.on_refused(refused);
        self.1.on_refused(refused);
    }

    fn on_measured(&mut self, measured: &Measured) {
        self.0.on_measured(measured);
        self.1.on_measured(measured);
    }
}
