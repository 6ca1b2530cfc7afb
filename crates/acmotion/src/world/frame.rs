//! A whole client frame in one call (rule B1).

use acmotion_wire::decode_s2c;

use super::{QueueError, World};

impl World {
    /// Queues a message from the server for the next [`advance`](Self::advance), given as bytes that start with the opcode.
    ///
    /// # Errors
    /// Returns [`QueueError`] if the bytes are not a valid message, or the queue is full: see
    /// [`Capacity`](super::Capacity). The message is then not queued.
    pub fn queue_message(&mut self, bytes: &[u8]) -> Result<(), QueueError> {
        self.settings.capacity.check_queue(self.inbox.len(), self.inbox.size(), bytes.len())?;
        decode_s2c(bytes, self.settings.era)?;
        self.inbox.push(bytes);
        Ok(())
    }

    /// Runs a whole client frame in the original's order (rule B1): advances every entity to `now` if the physics gate
    /// is open, handles the messages [queued](Self::queue_message) since the last frame, and then updates the local
    /// player: its position messages, requests and held keys. Returns `true` if entities were updated.
    ///
    /// Call it as often as the client draws, or about 30 times a second. The parts are [`tick`](Self::tick),
    /// [`receive`](Self::receive) and [`Controls::use_time`](crate::Controls::use_time).
    ///
    /// ```
    /// use acmotion::dat::Assets;
    /// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
    /// use acmotion::{EventKind, Identity, RequestProgress, Settings, World};
    ///
    /// let player = Guid(0x5000_0001);
    /// let settings = Settings { player: Identity::Known(player), ..Settings::default() };
    /// let mut world = World::with_settings(Assets::mannequin(), settings);
    /// let start = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
    /// world.add_stand_in(player, &start, 0.0);
    ///
    /// let goal = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 20.0, 94.0));
    /// let walk = world.player_mut().walk_to(&goal, 0.0)?;
    /// let mut is_done = false;
    /// for frame in 1..300 {
    ///     // for bytes in received { world.queue_message(&bytes)?; }
    ///     world.advance(f64::from(frame) / 30.0);
    ///     for message in world.drain_outbound() {
    ///         // send it to the server
    /// #       let _ = message;
    ///     }
    ///     for event in world.drain_events() {
    ///         if let EventKind::Request(request) = event.kind {
    ///             is_done |= request.id == walk && request.progress == RequestProgress::Done;
    ///         }
    ///     }
    /// }
    /// assert!(is_done);
    /// # Ok::<(), acmotion::RequestError>(())
    /// ```
    pub fn advance(&mut self, now: f64) -> bool {
        let now = self.accept_time(now);
        let has_ticked = self.tick(now);
        self.receive_queued(now);
        self.use_player_time(now);
        has_ticked
    }

    /// Handles the queued messages. Keeps their memory for the next frame.
    fn receive_queued(&mut self, now: f64) {
        let mut inbox = std::mem::take(&mut self.inbox);
        // This cannot fail: the messages were decoded when they were queued.
        let _ = self.receive_all(&inbox, now);
        inbox.clear();
        self.inbox = inbox;
    }
}
