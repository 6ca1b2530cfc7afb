//! Random sequences of calls, made of bytes: for the fuzz target `ffi_calls` and for a test. Handles are good, freed, of
//! another kind or garbage; buffers are missing, misaligned, too small or large enough; numbers and messages are anything.
//! Memory is always real, for that is the caller's part.

use acmotion_ffi::*;

/// The number of bytes of a buffer that calls write to.
const ROOM: usize = 1 << 14;
const CELL: u32 = 0xA9B4_0001;

/// The bytes that a sequence is made of; zeros when they are used up.
struct Bytes<'a> {
    rest: &'a [u8],
}

impl Bytes<'_> {
    fn u8(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => 0,
        }
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes([self.u8(), self.u8(), self.u8(), self.u8()])
    }

    /// Mostly a sensible number, sometimes any.
    fn f32(&mut self) -> f32 {
        match self.u8() {
            0 => f32::from_bits(self.u32()),
            1 => f32::NAN,
            2 => f32::INFINITY,
            3 => -1.0,
            other => f32::from(other) / 8.0,
        }
    }
}

/// Memory that calls write to.
struct Memory {
    numbers: Vec<u64>,
}

impl Memory {
    /// Returns a place for some values, and how many the call is told that fit: the truth, less, or none.
    fn list<T>(&mut self, bytes: &mut Bytes<'_>) -> (*mut T, usize) {
        let all = ROOM / size_of::<T>();
        let start: *mut T = self.numbers.as_mut_ptr().cast();
        match bytes.u8() % 8 {
            0 => (std::ptr::null_mut(), 0),
            1 => (std::ptr::null_mut(), 7),
            2 => (start.wrapping_byte_add(1), all - 1),
            3 => (start, usize::from(bytes.u8() % 4)),
            _ => (start, all),
        }
    }

    /// Returns a place for one value: real, missing or misaligned.
    fn one<T>(&mut self, bytes: &mut Bytes<'_>) -> *mut T {
        // The lists above use the first half.
        let place: *mut T = self.numbers[ROOM / 8..].as_mut_ptr().cast();
        match bytes.u8() % 32 {
            0 => std::ptr::null_mut(),
            1 => place.wrapping_byte_add(1),
            _ => place,
        }
    }
}

/// The state of a sequence.
struct Sequence<'a> {
    bytes: Bytes<'a>,
    memory: Memory,
    handles: Vec<AcmHandle>,
    message: Vec<u8>,
    now: f64,
}

/// Makes the calls that some bytes describe, and frees everything.
///
/// # Panics
/// If a call reports a panic of the library.
pub(crate) fn run(input: &[u8]) {
    let mut sequence = Sequence {
        bytes: Bytes { rest: input },
        memory: Memory { numbers: vec![0; ROOM / 4] },
        handles: Vec::new(),
        message: Vec::new(),
        now: 1.0,
    };
    sequence.begin();
    let mut calls = 0;
    while !sequence.bytes.rest.is_empty() && calls < 256 {
        let call = sequence.bytes.u8();
        let status = sequence.call(call);
        assert_ne!(status, AcmStatus::Panic, "call {call}: {}", last_error());
        calls += 1;
    }
    for handle in sequence.handles {
        acm_free(handle);
    }
}

fn last_error() -> String {
    let (mut text, mut length) = ([0_u8; 512], 0);
    // SAFETY: the buffers are real.
    unsafe { acm_last_error(text.as_mut_ptr().cast(), text.len(), &mut length) };
    String::from_utf8_lossy(&text[..length.min(text.len())]).into_owned()
}

/// A position in or near the town, or anywhere.
fn position(bytes: &mut Bytes<'_>) -> AcmPosition {
    let cell = if bytes.u8().is_multiple_of(8) { bytes.u32() } else { CELL };
    let origin = AcmVec3 { x: bytes.f32(), y: bytes.f32(), z: 94.0 + bytes.f32() };
    let w = if bytes.u8().is_multiple_of(8) { bytes.f32() } else { 1.0 };
    AcmPosition { cell, origin, rotation: AcmQuat { w, x: 0.0, y: 0.0, z: 0.0 } }
}

impl Sequence<'_> {
    /// Starts with a world that has a player, or with nothing.
    fn begin(&mut self) {
        if self.bytes.u8().is_multiple_of(8) {
            return;
        }
        let (mut assets, mut world) = (0, 0);
        // SAFETY: the places are real.
        unsafe {
            acm_assets_mannequin(&mut assets);
            let mut settings = AcmWorldSettings::default();
            acm_world_settings_init(&mut settings);
            settings.player = guid(0);
            settings.flags = self.bytes.u8().into();
            acm_world_new(assets, 0, &settings, &mut world);
        }
        self.handles.extend([assets, world]);
        self.spawn(world);
    }

    fn spawn(&mut self, world: AcmHandle) -> AcmStatus {
        let mut spec = AcmEntitySpec::default();
        // SAFETY: the place is real.
        unsafe { acm_entity_spec_init(&mut spec) };
        spec.guid = guid(self.bytes.u8() % 4);
        spec.position = position(&mut self.bytes);
        spec.flags |= ACM_SPEC_POSITION | u32::from(self.bytes.u8());
        spec.parent = if self.bytes.u8() % 8 == 1 { guid(self.bytes.u8() % 4) } else { 0 };
        spec.scale = self.bytes.f32();
        if self.bytes.u8() % 16 == 1 {
            spec.struct_size = self.bytes.u8().into();
        }
        // SAFETY: the structure is real, whatever it says of its size.
        unsafe { acm_world_spawn(world, &spec, self.now) }
    }

    /// A handle: usually one that was given out, the last ones first.
    fn handle(&mut self) -> AcmHandle {
        let choice = self.bytes.u8();
        match choice {
            0 => 0,
            1 => u64::from(self.bytes.u32()) << 32 | u64::from(self.bytes.u32()),
            _ if self.handles.is_empty() => 0,
            _ => self.handles[self.handles.len() - 1 - usize::from(choice) % self.handles.len()],
        }
    }

    fn guid(&mut self) -> u32 {
        if self.bytes.u8().is_multiple_of(16) { self.bytes.u32() } else { guid(self.bytes.u8() % 4) }
    }

    /// Keeps the handle that a call has written.
    fn keep(&mut self, status: AcmStatus, place: *mut u64) -> AcmStatus {
        if status == AcmStatus::Ok && self.handles.len() < 64 {
            // SAFETY: the call has written it.
            self.handles.push(unsafe { place.read() });
        } else if status == AcmStatus::Ok {
            // SAFETY: the call has written it.
            acm_free(unsafe { place.read() });
        }
        status
    }

    /// A message: the last one that was encoded, with some bytes changed, or any bytes.
    fn bytes_in(&mut self) -> Vec<u8> {
        let mut message = self.message.clone();
        match self.bytes.u8() % 4 {
            0 => {
                let length = usize::from(self.bytes.u8());
                message = (0..length).map(|_| self.bytes.u8()).collect();
            }
            1 if !message.is_empty() => {
                let (at, value) = (usize::from(self.bytes.u8()) % message.len(), self.bytes.u8());
                message[at] = value;
            }
            2 => message.truncate(usize::from(self.bytes.u8())),
            _ => {}
        }
        message
    }

    fn encode(&mut self) -> AcmStatus {
        const TYPES: [u32; 12] = [
            ACM_MESSAGE_UPDATE_MOTION,
            ACM_MESSAGE_UPDATE_POSITION,
            ACM_MESSAGE_VECTOR_UPDATE,
            ACM_MESSAGE_SET_STATE,
            ACM_MESSAGE_POSITION_AND_MOVEMENT,
            ACM_MESSAGE_DELETE_OBJECT,
            ACM_MESSAGE_PLAYER_CREATE,
            ACM_MESSAGE_PLAYER_TELEPORT,
            ACM_MESSAGE_MOVE_TO_STATE,
            ACM_MESSAGE_AUTONOMOUS_POSITION,
            ACM_MESSAGE_JUMP,
            7,
        ];
        let opcode = TYPES[usize::from(self.bytes.u8()) % TYPES.len()];
        let mut message = AcmMessage {
            struct_size: size_of::<AcmMessage>() as u32,
            opcode,
            direction: (opcode == ACM_MESSAGE_JUMP || opcode & 0xFF == 0x53 || opcode & 0xFF == 0x1C).into(),
            guid: self.guid(),
            fields: self.bytes.u8().into(),
            position: position(&mut self.bytes),
            physics_state: self.bytes.u32(),
            movement_type: (self.bytes.u8() % 12).into(),
            motion_flags: self.bytes.u8().into(),
            style: 0x8000_003D,
            state_fields: self.bytes.u32(),
            forward_command: [0x4500_0005, 0x4400_0007, 0x4100_0003][usize::from(self.bytes.u8()) % 3],
            target: guid(self.bytes.u8() % 4),
            goal_cell: CELL,
            forward_speed: self.bytes.f32(),
            speed: self.bytes.f32(),
            run_rate: self.bytes.f32(),
            extent: self.bytes.f32(),
            contact: 1,
            position_flags: 4,
            ..AcmMessage::default()
        };
        let stamp = u16::from(self.bytes.u8());
        (message.position_stamp, message.movement_stamp) = (stamp, stamp);
        (message.vector_stamp, message.state_stamp, message.sequence) = (stamp, stamp, stamp.into());
        let action = AcmAction { command: 0x1000_005B, stamp: stamp.into(), autonomous: 0, speed: 1.0 };
        let actions = vec![action; usize::from(self.bytes.u8() % 40)];
        let (mut buffer, mut length) = (vec![0; 1024], 0);
        // SAFETY: all memory is real.
        let status = unsafe {
            acm_wire_encode(
                &message,
                actions.as_ptr(),
                actions.len(),
                buffer.as_mut_ptr(),
                buffer.len(),
                &mut length,
            )
        };
        if status == AcmStatus::Ok {
            buffer.truncate(length);
            self.message = buffer;
        }
        status
    }

    /// Makes one call. SAFETY of all of them: memory is real, missing or misaligned, and never shorter than it is said to be.
    fn call(&mut self, call: u8) -> AcmStatus {
        match call % 48 {
            0..=15 => self.call_world(call),
            16..=31 => self.call_objects(call),
            _ => self.call_player(call),
        }
    }

    fn call_world(&mut self, call: u8) -> AcmStatus {
        let world = self.handle();
        match call % 16 {
            0 => self.spawn(world),
            1 | 2 => {
                self.now += f64::from(self.bytes.f32());
                let ticked = self.memory.one(&mut self.bytes);
                // SAFETY: see `call`.
                unsafe { acm_world_advance(world, self.now, ticked) }
            }
            3 => self.encode(),
            4 | 5 => {
                let message = self.bytes_in();
                // SAFETY: see `call`.
                unsafe { acm_world_receive(world, message.as_ptr(), message.len(), self.now) }
            }
            6 => {
                let message = self.bytes_in();
                // SAFETY: see `call`.
                unsafe { acm_world_queue(world, message.as_ptr(), message.len()) }
            }
            7 => {
                let ((events, capacity), batch) =
                    (self.memory.list(&mut self.bytes), self.memory.one(&mut self.bytes));
                // SAFETY: see `call`.
                unsafe { acm_world_events(world, events, capacity, batch) }
            }
            8 => {
                let view = AcmView {
                    struct_size: size_of::<AcmView>() as u32,
                    origin: CELL,
                    share: self.bytes.f32(),
                    poses: self.bytes.u8().into(),
                    distance: self.bytes.f32(),
                    centre: position(&mut self.bytes),
                };
                let (matrices, capacity) = self.memory.list(&mut self.bytes);
                let mut bodies = [AcmBody::default(); 8];
                let presented = self.memory.one(&mut self.bytes);
                // SAFETY: see `call`.
                unsafe {
                    acm_world_present(world, &view, matrices, capacity, bodies.as_mut_ptr(), 8, presented)
                }
            }
            9 => {
                let ((states, capacity), count) =
                    (self.memory.list(&mut self.bytes), self.memory.one(&mut self.bytes));
                // SAFETY: see `call`.
                unsafe { acm_world_entities(world, states, capacity, count) }
            }
            10 => {
                let ((buffer, capacity), length) =
                    (self.memory.list(&mut self.bytes), self.memory.one(&mut self.bytes));
                // SAFETY: see `call`.
                let status = unsafe { acm_world_snapshot(world, buffer, capacity, length) };
                if status == AcmStatus::Ok {
                    // SAFETY: the call has written as many bytes.
                    self.message = unsafe { std::slice::from_raw_parts(buffer, length.read()).to_vec() };
                }
                status
            }
            11 => {
                let (snapshot, assets) = (self.bytes_in(), self.handle());
                let out = self.memory.one(&mut self.bytes);
                // SAFETY: see `call`.
                let status = unsafe { acm_world_restore(snapshot.as_ptr(), snapshot.len(), assets, 0, out) };
                self.keep(status, out)
            }
            12 => {
                let guid = self.guid();
                acm_world_despawn(world, guid, self.now)
            }
            13 => {
                let (guid, what) = (self.guid(), u32::from(self.bytes.u8() % 10));
                let ((buffer, capacity), length) =
                    (self.memory.list(&mut self.bytes), self.memory.one(&mut self.bytes));
                // SAFETY: see `call`.
                unsafe {
                    acm_world_describe(world, guid, what, c"Drudge".as_ptr(), 6, buffer, capacity, length)
                }
            }
            14 => {
                let mut order = AcmOrder::default();
                // SAFETY: see `call`.
                unsafe { acm_order_init(&mut order) };
                order.kind = (self.bytes.u8() % 5).into();
                (order.target, order.position) = (self.guid(), position(&mut self.bytes));
                order.distance = self.bytes.f32();
                let guid = self.guid();
                // SAFETY: see `call`.
                unsafe { acm_world_order(world, guid, &order, self.now) }
            }
            _ => {
                let ((bytes, capacity), batch) =
                    (self.memory.list(&mut self.bytes), self.memory.one(&mut self.bytes));
                let mut spans = [AcmSpan::default(); 4];
                let (spans, count) = (spans.as_mut_ptr(), usize::from(self.bytes.u8() % 5));
                // SAFETY: see `call`.
                unsafe {
                    if call < 128 {
                        acm_world_broadcasts(world, bytes, capacity, spans, count, batch)
                    } else {
                        acm_world_outbound(world, bytes, capacity, spans, count, batch)
                    }
                }
            }
        }
    }

    fn call_objects(&mut self, call: u8) -> AcmStatus {
        let handle = self.handle();
        let place: *mut u64 = self.memory.one(&mut self.bytes);
        match call % 16 {
            0 => acm_free(handle),
            1 => {
                // SAFETY: see `call`.
                let status = unsafe { acm_assets_mannequin(place) };
                self.keep(status, place)
            }
            2 => {
                // SAFETY: see `call`.
                let status = unsafe { acm_world_clone(handle, place) };
                self.keep(status, place)
            }
            3 => {
                let id = if self.bytes.u8().is_multiple_of(4) { self.bytes.u32() } else { 0x0900_0001 };
                // SAFETY: see `call`.
                let status = unsafe { acm_table_load(handle, id, place) };
                self.keep(status, place)
            }
            4 => {
                let query = AcmMotionQuery {
                    struct_size: size_of::<AcmMotionQuery>() as u32,
                    style: 0x8000_003E,
                    motion: if self.bytes.u8().is_multiple_of(2) { 0x1000_005B } else { self.bytes.u32() },
                    from: 0,
                    speed: self.bytes.f32(),
                };
                let ((hooks, capacity), count) =
                    (self.memory.list(&mut self.bytes), self.memory.one(&mut self.bytes));
                // SAFETY: see `call`.
                unsafe { acm_table_hooks(handle, &query, hooks, capacity, count) }
            }
            5 => {
                let bytes = self.bytes_in();
                // SAFETY: see `call`.
                let status = unsafe { acm_assets_from_bytes(bytes.as_ptr(), bytes.len(), place) };
                self.keep(status, place)
            }
            6 => {
                let (first, last) = (self.bytes.u32(), self.bytes.u32());
                let ((ids, capacity), count) =
                    (self.memory.list(&mut self.bytes), self.memory.one(&mut self.bytes));
                // SAFETY: see `call`.
                unsafe { acm_assets_list(handle, first, last, ids, capacity, count) }
            }
            7 => {
                let mut settings = AcmCheckSettings::default();
                // SAFETY: see `call`.
                let status = unsafe {
                    acm_check_settings_init(&mut settings);
                    acm_checker_new(handle, 0, guid(0), &settings, place)
                };
                self.keep(status, place)
            }
            8 => {
                let message = self.bytes_in();
                // SAFETY: see `call`.
                unsafe { acm_checker_sent(handle, message.as_ptr(), message.len(), self.now) }
            }
            9 => {
                let (message, verdict) = (self.bytes_in(), self.memory.one(&mut self.bytes));
                // SAFETY: see `call`.
                unsafe { acm_checker_receive(handle, message.as_ptr(), message.len(), self.now, verdict) }
            }
            10 => {
                let (message, direction) = (self.bytes_in(), u32::from(self.bytes.u8() % 3));
                let ((buffer, capacity), length) =
                    (self.memory.list(&mut self.bytes), self.memory.one(&mut self.bytes));
                // SAFETY: see `call`.
                unsafe {
                    acm_wire_decode_json(
                        direction,
                        0,
                        message.as_ptr(),
                        message.len(),
                        buffer,
                        capacity,
                        length,
                    )
                }
            }
            11 | 12 => {
                let (bytes, direction) = (self.bytes_in(), u32::from(self.bytes.u8() % 3));
                let (mut actions, mut count) = ([AcmAction::default(); 31], 0);
                let message = self.memory.one(&mut self.bytes);
                // SAFETY: see `call`.
                unsafe {
                    acm_wire_decode(
                        direction,
                        0,
                        bytes.as_ptr(),
                        bytes.len(),
                        message,
                        actions.as_mut_ptr(),
                        31,
                        &mut count,
                    )
                }
            }
            13 => {
                let (from, to) = (position(&mut self.bytes), position(&mut self.bytes));
                let (mut shape, sweep) = (AcmShape::default(), self.memory.one(&mut self.bytes));
                // SAFETY: see `call`.
                unsafe {
                    acm_shape_human(&mut shape);
                    acm_scene_sweep(handle, &shape, &from, &to, (self.bytes.u8() % 3).into(), sweep)
                }
            }
            14 => {
                let (at, ground) = (position(&mut self.bytes), self.memory.one(&mut self.bytes));
                // SAFETY: see `call`.
                unsafe { acm_scene_ground(handle, &at, ground) }
            }
            _ => {
                let ((text, capacity), length) =
                    (self.memory.list(&mut self.bytes), self.memory.one(&mut self.bytes));
                // SAFETY: see `call`.
                unsafe { acm_last_error(text, capacity, length) }
            }
        }
    }

    fn call_player(&mut self, call: u8) -> AcmStatus {
        let world = self.handle();
        match call % 16 {
            0..=4 => {
                let mut request = AcmRequest::default();
                // SAFETY: see `call`.
                unsafe { acm_request_init(&mut request) };
                request.kind = (self.bytes.u8() % 14).into();
                (request.target, request.item) = (self.guid(), self.guid());
                request.position = position(&mut self.bytes);
                (request.number, request.command) = (self.bytes.u8().into(), 0x1300_0087);
                (request.power, request.heading) = (self.bytes.f32(), self.bytes.f32());
                let id = self.memory.one(&mut self.bytes);
                // SAFETY: see `call`.
                unsafe { acm_player_request(world, &request, self.now, id) }
            }
            5 | 6 => {
                const KEYS: [u32; 5] = [0x4500_0005, 0x6500_000D, 0x6500_000F, 0x2500_003B, 0x8500_0001];
                let command = KEYS.get(usize::from(self.bytes.u8() % 6)).copied();
                let command = command.unwrap_or_else(|| self.bytes.u32());
                acm_player_key(world, command, (self.bytes.u8() % 2).into(), self.now)
            }
            7 => acm_player_cancel(world, self.bytes.u8().into(), self.now),
            8 => {
                let movement = self.bytes.f32();
                acm_player_mouse_look(world, 1, self.now);
                acm_player_mouse_turn(world, movement, self.now)
            }
            9 => {
                let (bytes, guid) = (self.bytes_in(), self.guid());
                // SAFETY: see `call`.
                unsafe { acm_world_follow_client(world, guid, bytes.as_ptr(), bytes.len(), 0, self.now) }
            }
            10 => {
                let (guid, to) = (self.guid(), position(&mut self.bytes));
                // SAFETY: see `call`.
                unsafe { acm_world_teleport(world, guid, &to, self.now) }
            }
            11 => {
                let (child, parent) = (self.guid(), self.guid());
                acm_world_set_parent(world, child, parent, (self.bytes.u8() % 5).into(), 0, self.now)
            }
            12 => {
                let guid = self.guid();
                acm_world_explain(world, guid, 1);
                let ((buffer, capacity), length) =
                    (self.memory.list(&mut self.bytes), self.memory.one(&mut self.bytes));
                // SAFETY: see `call`.
                unsafe { acm_world_explanation_json(world, guid, buffer, capacity, length) }
            }
            13 => {
                let (guid, velocity) = (self.guid(), position(&mut self.bytes).origin);
                // SAFETY: see `call`.
                unsafe { acm_world_set_velocity(world, guid, &velocity, &velocity, self.now) }
            }
            14 => {
                let (guid, state) = (self.guid(), self.bytes.u32());
                acm_world_set_state(world, guid, state, self.now)
            }
            _ => {
                let ((buffer, capacity), length) =
                    (self.memory.list(&mut self.bytes), self.memory.one(&mut self.bytes));
                // SAFETY: see `call`.
                unsafe { acm_world_events_json(world, buffer, capacity, length) }
            }
        }
    }
}

fn guid(number: u8) -> u32 {
    0x5000_0001 + u32::from(number)
}
