using System;
using System.Runtime.InteropServices;
using Acmotion.Native;

namespace Acmotion
{
    /// <summary>What happened to an entity.</summary>
    public enum EventKind
    {
        /// <summary>The entity was added.</summary>
        Created = 0,
        /// <summary>The entity was removed.</summary>
        Deleted = 1,
        /// <summary>It could not be placed.</summary>
        NotPlaced = 2,
        /// <summary>A message about it was dropped.</summary>
        Rejected = 3,
        /// <summary>The player entered or left portal space.</summary>
        PortalSpace = 4,
        /// <summary>The server took control of the player.</summary>
        ControlLost = 5,
        /// <summary>The server requested the player's position.</summary>
        PositionRequested = 6,
        /// <summary>A request to the player made progress: see <see cref="WorldEvent.Request"/>.</summary>
        Request = 7,
        /// <summary>The caller's clock is wrong.</summary>
        Clock = 8,
        /// <summary>A hook fired.</summary>
        Hook = 9,
        /// <summary>Looks, sounds, scale or angular velocity changed.</summary>
        Effect = 10,
        /// <summary>A motion ended.</summary>
        MotionDone = 11,
        /// <summary>It came to stand on walkable ground.</summary>
        HitGround = 12,
        /// <summary>It left the ground.</summary>
        LeaveGround = 13,
        /// <summary>It collided with the surroundings.</summary>
        HitEnvironment = 14,
        /// <summary>It collided with another entity.</summary>
        Touched = 15,
        /// <summary>Its contact with another entity ended.</summary>
        Parted = 16,
        /// <summary>It was hidden or shown again.</summary>
        Hidden = 17,
        /// <summary>Its order made progress: see <see cref="WorldEvent.MoveTo"/>.</summary>
        MoveTo = 18,
        /// <summary>It was moved to the server's position at once.</summary>
        Snapped = 19,
        /// <summary>It was teleported.</summary>
        Teleported = 20,
        /// <summary>It moved to where there is no cell.</summary>
        Lost = 21,
        /// <summary>Too many motions were pending.</summary>
        QueueOverflow = 22,
        /// <summary>It was attached to another entity.</summary>
        Parented = 23,
        /// <summary>It was detached from another entity.</summary>
        Unparented = 24,
        /// <summary>Something else.</summary>
        Other = 25,
    }

    /// <summary>A step of an order.</summary>
    public enum MoveToStep
    {
        /// <summary>The order has started.</summary>
        Started = 0,
        /// <summary>It turns.</summary>
        Turns = 1,
        /// <summary>It faces a heading.</summary>
        Faces = 2,
        /// <summary>It moves.</summary>
        Moves = 3,
        /// <summary>It veers, or goes straight.</summary>
        Veers = 4,
        /// <summary>It waits for a motion to end.</summary>
        Waits = 5,
        /// <summary>The target has sent its position.</summary>
        Target = 6,
        /// <summary>It has arrived.</summary>
        Arrived = 7,
        /// <summary>It sticks to an entity.</summary>
        Sticks = 8,
        /// <summary>The order failed.</summary>
        Failed = 9,
        /// <summary>It gave up.</summary>
        GaveUp = 10,
        /// <summary>Something else.</summary>
        Other = 11,
    }

    /// <summary>A step of a request.</summary>
    public enum Progress
    {
        /// <summary>It waits until the body is ready.</summary>
        Queued = 0,
        /// <summary>It is under way.</summary>
        Started = 1,
        /// <summary>The server makes the player play a motion.</summary>
        Acting = 2,
        /// <summary>An attack hits.</summary>
        AttackFrame = 3,
        /// <summary>A swing is over.</summary>
        SwingDone = 4,
        /// <summary>The server starts the next swing.</summary>
        Repeated = 5,
        /// <summary>The player has come near enough to the entity that it follows.</summary>
        Reached = 6,
        /// <summary>The player follows again.</summary>
        Resumed = 7,
        /// <summary>It is fulfilled.</summary>
        Done = 8,
        /// <summary>It was not started.</summary>
        Refused = 9,
        /// <summary>It was started and not fulfilled.</summary>
        Cancelled = 10,
        /// <summary>Something else.</summary>
        Other = 11,
    }

    /// <summary>Something that happened to an entity. Which properties count depends on <see cref="Kind"/>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct WorldEvent
    {
        /// <summary>The time in seconds.</summary>
        public readonly double Time;
        /// <summary>The entity; 0 if it is about none.</summary>
        public readonly uint Guid;
        private readonly uint kind;
        /// <summary>What exactly; the constants <c>ACM_EVENT_…</c> of acmotion.h say what it means for each kind.</summary>
        public readonly uint Detail;
        /// <summary>The step of a request.</summary>
        public readonly uint Reason;
        /// <summary>Another entity, an animation, a wave.</summary>
        public readonly uint Other;
        /// <summary>A motion command.</summary>
        public readonly uint Command;
        /// <summary>A number, such as that of a request or of a frame.</summary>
        public readonly uint Number;
        private readonly uint flag;
        /// <summary>A distance, a heading, a time.</summary>
        public readonly float Value;
        private readonly uint reserved;

        /// <summary>What happened.</summary>
        public EventKind Kind => (EventKind)kind;
        /// <summary>A yes or no: hidden, inside, played to its end, the last step.</summary>
        public bool Flag => flag != 0;
        /// <summary>The step of an order, for <see cref="EventKind.MoveTo"/>.</summary>
        public MoveToStep MoveTo => (MoveToStep)Detail;
        /// <summary>The step of a request, for <see cref="EventKind.Request"/>; its number is <see cref="Number"/>.</summary>
        public Progress Request => (Progress)Reason;
        /// <summary>Whether it is the moment at which an attack hits.</summary>
        public bool IsAttack => Kind == EventKind.Hook && Detail == NativeMethods.ACM_HOOK_ATTACK;
    }

    /// <summary>Takes the events of a world one by one, without allocating: for <c>foreach</c>.</summary>
    public struct EventDrain
    {
        private readonly World world;

        internal EventDrain(World world)
        {
            this.world = world;
        }

        /// <summary>Starts to take events.</summary>
        public Enumerator GetEnumerator() => new Enumerator(world);

        /// <summary>The state of a drain.</summary>
        public struct Enumerator
        {
            private readonly World world;
            private int index;
            private int count;
            private bool mayHaveMore;

            internal Enumerator(World world)
            {
                this.world = world;
                index = -1;
                count = 0;
                mayHaveMore = true;
            }

            /// <summary>The event.</summary>
            public WorldEvent Current => world.EventBuffer[index];

            /// <summary>Takes the next event.</summary>
            public bool MoveNext()
            {
                index++;
                if (index < count)
                {
                    return true;
                }
                if (!mayHaveMore)
                {
                    return false;
                }
                count = world.TakeEvents(world.EventBuffer, out mayHaveMore);
                index = 0;
                return count > 0;
            }
        }
    }

    /// <summary>A message in the buffer of a world. Valid until the next message is taken.</summary>
    public struct MessageRef
    {
        internal MessageRef(byte[] buffer, AcmSpan span)
        {
            Guid = span.guid;
            Bytes = new ArraySegment<byte>(buffer, (int)span.offset, (int)span.length);
        }

        /// <summary>The entity that the message is about; 0 if it names none.</summary>
        public uint Guid { get; }
        /// <summary>The bytes.</summary>
        public ArraySegment<byte> Bytes { get; }

        /// <summary>Copies the message.</summary>
        public byte[] ToArray()
        {
            var copy = new byte[Bytes.Count];
            Buffer.BlockCopy(Bytes.Array, Bytes.Offset, copy, 0, copy.Length);
            return copy;
        }
    }

    /// <summary>Takes the messages of a world one by one, without allocating: for <c>foreach</c>.</summary>
    public struct MessageDrain
    {
        private readonly World world;
        private readonly bool isOutbound;

        internal MessageDrain(World world, bool isOutbound)
        {
            this.world = world;
            this.isOutbound = isOutbound;
        }

        /// <summary>Starts to take messages.</summary>
        public Enumerator GetEnumerator() => new Enumerator(world, isOutbound);

        /// <summary>The state of a drain.</summary>
        public struct Enumerator
        {
            private readonly World world;
            private readonly bool isOutbound;
            private int index;
            private int count;
            private bool mayHaveMore;

            internal Enumerator(World world, bool isOutbound)
            {
                this.world = world;
                this.isOutbound = isOutbound;
                index = -1;
                count = 0;
                mayHaveMore = true;
            }

            /// <summary>The message.</summary>
            public MessageRef Current => new MessageRef(world.MessageBuffer, world.SpanBuffer[index]);

            /// <summary>Takes the next message.</summary>
            public bool MoveNext()
            {
                index++;
                if (index < count)
                {
                    return true;
                }
                if (!mayHaveMore)
                {
                    return false;
                }
                count = world.TakeMessages(isOutbound, out mayHaveMore);
                index = 0;
                return count > 0;
            }
        }
    }
}
