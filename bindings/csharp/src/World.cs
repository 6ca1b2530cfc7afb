using System;
using System.Runtime.InteropServices;
using Acmotion.Native;

namespace Acmotion
{
    /// <summary>The settings of a world.</summary>
    public sealed unsafe class WorldSettings
    {
        internal AcmWorldSettings Native;

        /// <summary>Creates the default settings: no player, the limits of docs/limits.md.</summary>
        public WorldSettings()
        {
            fixed (AcmWorldSettings* native = &Native)
            {
                Call.Check(NativeMethods.acm_world_settings_init(native));
            }
        }

        /// <summary>The guid of the local player; 0 for none.</summary>
        public uint Player { get => Native.player; set => Native.player = value; }
        /// <summary>The era whose command numbers messages use.</summary>
        public Era Era { get => (Era)Native.era; set => Native.era = (uint)value; }
        /// <summary>The maximum number of entities.</summary>
        public ulong MaxEntities { get => Native.entities; set => Native.entities = value; }
        /// <summary>The maximum number of messages queued for the next frame.</summary>
        public ulong MaxQueuedMessages { get => Native.queued_messages; set => Native.queued_messages = value; }
        /// <summary>The maximum size of all messages queued for the next frame, in bytes.</summary>
        public ulong MaxQueuedBytes { get => Native.queued_bytes; set => Native.queued_bytes = value; }
        /// <summary>The time after which messages for an unknown object are dropped, in seconds.</summary>
        public double WaitingSeconds { get => Native.waiting_seconds; set => Native.waiting_seconds = value; }

        /// <summary>Whether an object that is reported but was never created gets a stand-in.</summary>
        public bool StandIns
        {
            get => Has(NativeMethods.ACM_WORLD_STAND_INS);
            set => Set(NativeMethods.ACM_WORLD_STAND_INS, value);
        }

        /// <summary>Whether a body stands on level ground where the scene is unknown.</summary>
        public bool LevelWhereUnknown
        {
            get => Has(NativeMethods.ACM_WORLD_LEVEL_WHERE_UNKNOWN);
            set => Set(NativeMethods.ACM_WORLD_LEVEL_WHERE_UNKNOWN, value);
        }

        /// <summary>Whether bodies can be presented between ticks, for displays.</summary>
        public bool PresentsBetweenTicks
        {
            get => Has(NativeMethods.ACM_WORLD_PRESENTS_BETWEEN_TICKS);
            set => Set(NativeMethods.ACM_WORLD_PRESENTS_BETWEEN_TICKS, value);
        }

        private bool Has(uint flag) => (Native.flags & flag) != 0;

        private void Set(uint flag, bool isSet)
        {
            Native.flags = isSet ? Native.flags | flag : Native.flags & ~flag;
        }
    }

    /// <summary>A body in a frame.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Body
    {
        /// <summary>The entity.</summary>
        public readonly uint Guid;
        /// <summary>The index of the matrix of its first part.</summary>
        public readonly uint First;
        /// <summary>The number of its parts, one matrix each.</summary>
        public readonly uint Count;
        /// <summary>Its position.</summary>
        public readonly Position Position;
    }

    /// <summary>
    /// What a world shows: part matrices and positions of all bodies. Keep one from frame to frame; it allocates only when
    /// it has to grow.
    /// </summary>
    public sealed class PoseFrame
    {
        /// <summary>The matrices, of which the first <see cref="MatrixCount"/> count.</summary>
        public Matrix3x4[] Matrices { get; internal set; } = new Matrix3x4[256];
        /// <summary>The bodies, of which the first <see cref="BodyCount"/> count.</summary>
        public Body[] Bodies { get; internal set; } = new Body[16];
        /// <summary>The number of matrices.</summary>
        public int MatrixCount { get; internal set; }
        /// <summary>The number of bodies.</summary>
        public int BodyCount { get; internal set; }

#if ACMOTION_SPAN
        /// <summary>The bodies.</summary>
        public ReadOnlySpan<Body> BodySpan => new ReadOnlySpan<Body>(Bodies, 0, BodyCount);

        /// <summary>The part matrices of a body.</summary>
        public ReadOnlySpan<Matrix3x4> PartsOf(Body body)
        {
            return new ReadOnlySpan<Matrix3x4>(Matrices, (int)body.First, (int)body.Count);
        }
#endif
    }

    /// <summary>
    /// All entities of a client or a server: messages in, motion and events out. Calls from several threads wait for each
    /// other; the drains and <see cref="PoseFrame"/> belong to one thread at a time.
    /// </summary>
    public sealed unsafe class World : IDisposable
    {
        private readonly NativeHandle handle;
        internal readonly WorldEvent[] EventBuffer = new WorldEvent[64];
        internal readonly AcmSpan[] SpanBuffer = new AcmSpan[64];
        internal byte[] MessageBuffer = new byte[4096];

        /// <summary>Creates an empty world. Without a scene each body stands on level ground.</summary>
        public World(Assets assets, Scene scene = null, WorldSettings settings = null)
        {
            settings = settings ?? new WorldSettings();
            ulong world;
            fixed (AcmWorldSettings* native = &settings.Native)
            {
                Call.Check(NativeMethods.acm_world_new(assets.Id, scene == null ? 0 : scene.Id, native, &world));
            }
            GC.KeepAlive(assets);
            GC.KeepAlive(scene);
            handle = new NativeHandle(world);
        }

        private World(ulong id)
        {
            handle = new NativeHandle(id);
        }

        /// <summary>Creates the world of a snapshot, with the same assets and scene as the world that it was taken of.</summary>
        public static World Restore(byte[] snapshot, Assets assets, Scene scene = null)
        {
            ulong world;
            fixed (byte* start = snapshot)
            {
                Call.Check(NativeMethods.acm_world_restore(
                    start, (UIntPtr)snapshot.Length, assets.Id, scene == null ? 0 : scene.Id, &world));
            }
            GC.KeepAlive(assets);
            GC.KeepAlive(scene);
            return new World(world);
        }

        /// <summary>Creates an independent world in the same state.</summary>
        public World Clone()
        {
            ulong clone;
            Call.Check(NativeMethods.acm_world_clone(Id, &clone));
            GC.KeepAlive(this);
            return new World(clone);
        }

        internal ulong Id => handle.Id;

        /// <summary>The entity with a guid, whether it exists or not.</summary>
        public Entity this[uint guid] => new Entity(this, guid);

        /// <summary>The local player.</summary>
        public Player Player => new Player(this);

        /// <summary>Adds an entity.</summary>
        public Entity Spawn(EntitySpec spec, double now)
        {
            fixed (AcmEntitySpec* native = &spec.Native)
            {
                Call.Check(NativeMethods.acm_world_spawn(Id, native, now));
            }
            GC.KeepAlive(this);
            return this[spec.Guid];
        }

        /// <summary>Removes an entity.</summary>
        public void Despawn(uint guid, double now)
        {
            Call.Check(NativeMethods.acm_world_despawn(Id, guid, now));
            GC.KeepAlive(this);
        }

        /// <summary>Replaces the scene, for example when more land has been loaded.</summary>
        public void SetScene(Scene scene)
        {
            Call.Check(NativeMethods.acm_world_set_scene(Id, scene == null ? 0 : scene.Id));
            GC.KeepAlive(scene);
            GC.KeepAlive(this);
        }

        /// <summary>Queues a message of the server for the next <see cref="Advance"/>.</summary>
        public void Queue(byte[] message) => Queue(new ArraySegment<byte>(message));

        /// <summary>Queues a message of the server for the next <see cref="Advance"/>.</summary>
        public void Queue(ArraySegment<byte> message)
        {
            fixed (byte* start = message.Array)
            {
                Call.Check(NativeMethods.acm_world_queue(Id, start + message.Offset, (UIntPtr)message.Count));
            }
            GC.KeepAlive(this);
        }

#if ACMOTION_SPAN
        /// <summary>Queues a message of the server for the next <see cref="Advance"/>.</summary>
        public void Queue(ReadOnlySpan<byte> message)
        {
            fixed (byte* start = &MemoryMarshal.GetReference(message))
            {
                Call.Check(NativeMethods.acm_world_queue(Id, start, (UIntPtr)message.Length));
            }
            GC.KeepAlive(this);
        }
#endif

        /// <summary>Handles a message of the server at once.</summary>
        public void Receive(byte[] message, double now)
        {
            fixed (byte* start = message)
            {
                Call.Check(NativeMethods.acm_world_receive(Id, start, (UIntPtr)message.Length, now));
            }
            GC.KeepAlive(this);
        }

        /// <summary>
        /// Runs a whole client frame at a time in seconds: advances all entities, handles the queued messages, updates the
        /// player. Returns whether entities were updated.
        /// </summary>
        public bool Advance(double now)
        {
            uint ticked;
            Call.Check(NativeMethods.acm_world_advance(Id, now, &ticked));
            GC.KeepAlive(this);
            return ticked != 0;
        }

        /// <summary>Only advances all entities, without messages and the player.</summary>
        public bool Tick(double now)
        {
            uint ticked;
            Call.Check(NativeMethods.acm_world_tick(Id, now, &ticked));
            GC.KeepAlive(this);
            return ticked != 0;
        }

        /// <summary>Returns the state of an entity, or false if it does not exist.</summary>
        public bool TryGet(uint guid, out EntityState state)
        {
            EntityState found;
            var status = NativeMethods.acm_world_entity(Id, guid, (AcmEntityState*)&found);
            GC.KeepAlive(this);
            if (status == AcmStatus.NotFound)
            {
                state = new EntityState();
                return false;
            }
            Call.Check(status);
            state = found;
            return true;
        }

        /// <summary>Writes the states of all entities into a buffer, which grows if it has to. Returns how many there are.</summary>
        public int Entities(ref EntityState[] states)
        {
            states = states == null || states.Length == 0 ? new EntityState[16] : states;
            while (true)
            {
                UIntPtr count;
                AcmStatus status;
                fixed (EntityState* start = states)
                {
                    status = NativeMethods.acm_world_entities(Id, (AcmEntityState*)start, (UIntPtr)states.Length, &count);
                }
                GC.KeepAlive(this);
                if (status != AcmStatus.BufferTooSmall)
                {
                    Call.Check(status);
                    return (int)count;
                }
                states = new EntityState[(int)count];
            }
        }

        /// <summary>The share of the time from one tick to the next that has passed, 0 to 1.</summary>
        public float PresentationShare(double now)
        {
            float share;
            Call.Check(NativeMethods.acm_world_presentation_share(Id, now, &share));
            GC.KeepAlive(this);
            return share;
        }

        /// <summary>
        /// Writes the part matrices and positions of all bodies that are drawn, in the axes of the landblock of a cell. Share
        /// 1 is the last tick. With <paramref name="exact"/> parts show key frames, as in the original.
        /// </summary>
        public void Present(uint origin, PoseFrame frame, float share = 1, bool exact = false)
        {
            var view = new AcmView
            {
                struct_size = (uint)sizeof(AcmView),
                origin = origin,
                share = share,
                poses = exact ? NativeMethods.ACM_POSES_RETAIL : NativeMethods.ACM_POSES_SMOOTH,
            };
            while (true)
            {
                AcmPresented presented;
                AcmStatus status;
                fixed (Matrix3x4* matrices = frame.Matrices)
                fixed (Body* bodies = frame.Bodies)
                {
                    status = NativeMethods.acm_world_present(
                        Id, &view, (AcmMatrix*)matrices, (UIntPtr)frame.Matrices.Length, (AcmBody*)bodies,
                        (UIntPtr)frame.Bodies.Length, &presented);
                }
                GC.KeepAlive(this);
                if (status != AcmStatus.BufferTooSmall)
                {
                    Call.Check(status);
                    frame.MatrixCount = (int)presented.matrices;
                    frame.BodyCount = (int)presented.bodies;
                    return;
                }
                if (frame.Matrices.Length < (int)presented.matrices)
                {
                    frame.Matrices = new Matrix3x4[(int)presented.matrices * 5 / 4];
                }
                if (frame.Bodies.Length < (int)presented.bodies)
                {
                    frame.Bodies = new Body[(int)presented.bodies * 5 / 4 + 1];
                }
            }
        }

        /// <summary>Takes events into a buffer. Returns how many; <paramref name="more"/> says whether some are left.</summary>
        public int TakeEvents(WorldEvent[] events, out bool more)
        {
            AcmBatch batch;
            fixed (WorldEvent* start = events)
            {
                Call.Check(NativeMethods.acm_world_events(Id, (AcmEvent*)start, (UIntPtr)events.Length, &batch));
            }
            GC.KeepAlive(this);
            more = batch.left > 0;
            return (int)batch.count;
        }

        /// <summary>Takes all events, for <c>foreach</c>.</summary>
        public EventDrain DrainEvents() => new EventDrain(this);

        /// <summary>Takes all events as a JSON array.</summary>
        public string DrainEventsJson()
        {
            return Call.Text((buffer, capacity, length) =>
                NativeMethods.acm_world_events_json(Id, buffer, capacity, length));
        }

        /// <summary>Takes the messages that the player's client sends to the server, for <c>foreach</c>.</summary>
        public MessageDrain DrainOutbound() => new MessageDrain(this, true);

        /// <summary>Takes the messages to clients that changes have queued, for <c>foreach</c>.</summary>
        public MessageDrain DrainBroadcasts() => new MessageDrain(this, false);

        internal int TakeMessages(bool isOutbound, out bool more)
        {
            while (true)
            {
                AcmBatch batch;
                AcmStatus status;
                fixed (byte* bytes = MessageBuffer)
                fixed (AcmSpan* spans = SpanBuffer)
                {
                    var capacity = (UIntPtr)MessageBuffer.Length;
                    var count = (UIntPtr)SpanBuffer.Length;
                    status = isOutbound
                        ? NativeMethods.acm_world_outbound(Id, bytes, capacity, spans, count, &batch)
                        : NativeMethods.acm_world_broadcasts(Id, bytes, capacity, spans, count, &batch);
                }
                GC.KeepAlive(this);
                if (status == AcmStatus.BufferTooSmall)
                {
                    MessageBuffer = new byte[(int)batch.next_length];
                    continue;
                }
                Call.Check(status);
                more = batch.left > 0;
                return (int)batch.count;
            }
        }

        /// <summary>Lists the entities within a distance of a position, in metres.</summary>
        public uint[] Within(Position position, float distance)
        {
            var guids = new uint[32];
            while (true)
            {
                UIntPtr count;
                AcmStatus status;
                fixed (uint* start = guids)
                {
                    status = NativeMethods.acm_world_within(
                        Id, (AcmPosition*)&position, distance, start, (UIntPtr)guids.Length, &count);
                }
                GC.KeepAlive(this);
                if (status == AcmStatus.BufferTooSmall)
                {
                    guids = new uint[(int)count];
                    continue;
                }
                Call.Check(status);
                Array.Resize(ref guids, (int)count);
                return guids;
            }
        }

        /// <summary>The whole state as bytes. Take it when events and messages have been drained.</summary>
        public byte[] Snapshot()
        {
            return Call.Bytes((buffer, capacity, length) =>
                NativeMethods.acm_world_snapshot(Id, buffer, capacity, length));
        }

        /// <inheritdoc/>
        public void Dispose() => handle.Dispose();
    }
}
