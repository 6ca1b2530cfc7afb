using System;
using System.Runtime.InteropServices;
using Acmotion.Native;

namespace Acmotion
{
    /// <summary>The state of an entity.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct EntityState
    {
        /// <summary>The entity.</summary>
        public readonly uint Guid;
        private readonly uint flags;
        /// <summary>Its position.</summary>
        public readonly Position Position;
        /// <summary>Its own velocity in metres a second, such as that of a jump.</summary>
        public readonly Vec3 Velocity;
        /// <summary>The velocity that it is shown with, walking included, in metres a second.</summary>
        public readonly Vec3 ShownVelocity;
        /// <summary>Its heading in degrees.</summary>
        public readonly float Heading;
        /// <summary>Its scale.</summary>
        public readonly float Scale;
        /// <summary>Its physics state.</summary>
        public readonly uint PhysicsState;
        /// <summary>Its style.</summary>
        public readonly uint Style;
        /// <summary>The motion that loops.</summary>
        public readonly uint Substate;
        /// <summary>The speed of that motion.</summary>
        public readonly float SubstateSpeed;
        /// <summary>The animation that plays; 0 if none does.</summary>
        public readonly uint Animation;
        /// <summary>The frame of the animation.</summary>
        public readonly float Frame;
        /// <summary>The entity that holds it; 0 if none does.</summary>
        public readonly uint Parent;
        /// <summary>The number of motions that are pending.</summary>
        public readonly uint Pending;

        /// <summary>Whether it touches something.</summary>
        public bool HasContact => (flags & NativeMethods.ACM_ENTITY_CONTACT) != 0;
        /// <summary>Whether it is on walkable ground.</summary>
        public bool IsOnWalkable => (flags & NativeMethods.ACM_ENTITY_ON_WALKABLE) != 0;
        /// <summary>Whether it is in a cell.</summary>
        public bool IsInCell => (flags & NativeMethods.ACM_ENTITY_IN_CELL) != 0;
        /// <summary>Whether it follows an order.</summary>
        public bool IsMovingTo => (flags & NativeMethods.ACM_ENTITY_MOVING_TO) != 0;
        /// <summary>Whether it stands in for an object that is missing or was never created.</summary>
        public bool IsStandIn => (flags & NativeMethods.ACM_ENTITY_STAND_IN) != 0;
    }

    /// <summary>What an entity is made of: by default a human creature.</summary>
    public sealed unsafe class EntitySpec
    {
        internal AcmEntitySpec Native;

        /// <summary>Creates a human creature that stands at a position.</summary>
        public EntitySpec(uint guid, Position position)
        {
            fixed (AcmEntitySpec* native = &Native)
            {
                Call.Check(NativeMethods.acm_entity_spec_init(native));
            }
            Native.guid = guid;
            Native.position = *(AcmPosition*)&position;
            Native.flags |= NativeMethods.ACM_SPEC_POSITION;
        }

        /// <summary>Its guid.</summary>
        public uint Guid => Native.guid;
        /// <summary>The setup (0x02…); 0 for none.</summary>
        public uint Setup { get => Native.setup; set => Native.setup = value; }
        /// <summary>The motion table (0x09…); 0 for none.</summary>
        public uint MotionTable { get => Native.motion_table; set => Native.motion_table = value; }
        /// <summary>The scale.</summary>
        public float Scale { get => Native.scale; set => Native.scale = value; }
        /// <summary>The physics state.</summary>
        public uint PhysicsState { get => Native.physics_state; set => Native.physics_state = value; }
        /// <summary>Whether it is a creature or a player.</summary>
        public bool IsCreature
        {
            get => (Native.flags & NativeMethods.ACM_SPEC_CREATURE) != 0;
            set => SetFlag(NativeMethods.ACM_SPEC_CREATURE, value);
        }

        /// <summary>Makes it a player with these skills.</summary>
        public EntitySpec WithSkills(Skills skills)
        {
            Native.run_skill = skills.Run;
            Native.jump_skill = skills.Jump;
            Native.load = skills.Load;
            Native.stamina = skills.Stamina;
            SetFlag(NativeMethods.ACM_SPEC_SKILLS, true);
            return this;
        }

        /// <summary>Lets it start with a motion.</summary>
        public EntitySpec WithMotion(uint style, uint forward, float speed = 1)
        {
            Native.style = style;
            Native.forward = forward;
            Native.forward_speed = speed;
            SetFlag(NativeMethods.ACM_SPEC_MOTION, true);
            return this;
        }

        /// <summary>Lets another entity hold it: location 1 is the right hand, 2 the left, 3 the shield.</summary>
        public EntitySpec HeldBy(uint parent, uint location)
        {
            Native.parent = parent;
            Native.location = location;
            return this;
        }

        private void SetFlag(uint flag, bool isSet)
        {
            Native.flags = isSet ? Native.flags | flag : Native.flags & ~flag;
        }
    }

    /// <summary>Whether a body walks or runs.</summary>
    public enum Pace
    {
        /// <summary>It walks.</summary>
        Walk = 0,
        /// <summary>It runs.</summary>
        Run = 1,
        /// <summary>It runs if the goal is far away, as the original does.</summary>
        Automatic = 2,
    }

    /// <summary>What to describe to a client.</summary>
    public enum Describe
    {
        /// <summary>All of the entity, as CreateObject.</summary>
        Object = 0,
        /// <summary>Its motion, as UpdateMotion.</summary>
        Motion = 1,
        /// <summary>Its position, as UpdatePosition.</summary>
        Position = 2,
        /// <summary>Its velocity, as VectorUpdate.</summary>
        Vector = 3,
        /// <summary>Its physics state, as SetState.</summary>
        State = 4,
        /// <summary>The entity that holds it, as ParentEvent.</summary>
        Parent = 5,
        /// <summary>That it was picked up, as PickupEvent.</summary>
        Pickup = 6,
        /// <summary>That it is deleted, as DeleteObject.</summary>
        Delete = 7,
    }

    /// <summary>
    /// An entity of a world, by its guid. The orders and changes are for servers: each also queues the message that tells
    /// clients of it, for <see cref="World.DrainBroadcasts"/>.
    /// </summary>
    public unsafe struct Entity
    {
        internal Entity(World world, uint guid)
        {
            World = world;
            Guid = guid;
        }

        /// <summary>The world.</summary>
        public World World { get; }
        /// <summary>The guid.</summary>
        public uint Guid { get; }

        /// <summary>The state. Throws with <see cref="Status.NotFound"/> if the entity does not exist.</summary>
        public EntityState State
        {
            get
            {
                EntityState state;
                Call.Check(NativeMethods.acm_world_entity(World.Id, Guid, (AcmEntityState*)&state));
                GC.KeepAlive(World);
                return state;
            }
        }

        /// <summary>The position.</summary>
        public Position Position => State.Position;

        /// <summary>Walks or runs to a position.</summary>
        public void GoTo(Position goal, double now, Pace pace = Pace.Walk)
        {
            var order = NewOrder(NativeMethods.ACM_ORDER_GO_TO);
            order.position = *(AcmPosition*)&goal;
            order.pace = (uint)pace;
            Give(order, now);
        }

        /// <summary>Runs to another entity, wherever it goes.</summary>
        public void Chase(uint target, double now)
        {
            var order = NewOrder(NativeMethods.ACM_ORDER_CHASE);
            order.target = target;
            Give(order, now);
        }

        /// <summary>Turns to a heading in degrees.</summary>
        public void TurnTo(float heading, double now)
        {
            var order = NewOrder(NativeMethods.ACM_ORDER_TURN_TO_HEADING);
            order.heading = heading;
            Give(order, now);
        }

        /// <summary>Turns to another entity.</summary>
        public void Face(uint target, double now)
        {
            var order = NewOrder(NativeMethods.ACM_ORDER_FACE);
            order.target = target;
            Give(order, now);
        }

        /// <summary>Moves as a message with a movement says, with new stamps.</summary>
        public void SetMovement(WireMessage movement, double now)
        {
            fixed (AcmMessage* native = &movement.Native)
            fixed (WireAction* actions = movement.Actions)
            {
                Call.Check(NativeMethods.acm_world_set_movement(
                    World.Id, Guid, native, (AcmAction*)actions, (UIntPtr)movement.Actions.Length, now));
            }
            GC.KeepAlive(World);
        }

        /// <summary>Sets the velocity in metres a second.</summary>
        public void SetVelocity(Vec3 velocity, double now)
        {
            var omega = new Vec3();
            Call.Check(NativeMethods.acm_world_set_velocity(World.Id, Guid, (AcmVec3*)&velocity, (AcmVec3*)&omega, now));
            GC.KeepAlive(World);
        }

        /// <summary>Sets the physics state.</summary>
        public void SetState(uint physicsState, double now)
        {
            Call.Check(NativeMethods.acm_world_set_state(World.Id, Guid, physicsState, now));
            GC.KeepAlive(World);
        }

        /// <summary>Teleports it.</summary>
        public void Teleport(Position position, double now)
        {
            Call.Check(NativeMethods.acm_world_teleport(World.Id, Guid, (AcmPosition*)&position, now));
            GC.KeepAlive(World);
        }

        /// <summary>Attaches it to another entity: location 1 is the right hand, 2 the left, 3 the shield.</summary>
        public void SetParent(uint parent, uint location, double now)
        {
            Call.Check(NativeMethods.acm_world_set_parent(World.Id, Guid, parent, location, 0, now));
            GC.KeepAlive(World);
        }

        /// <summary>Queues a report of its position for clients.</summary>
        public void ReportPosition()
        {
            Call.Check(NativeMethods.acm_world_report_position(World.Id, Guid));
            GC.KeepAlive(World);
        }

        /// <summary>Moves it as a message of its client says; check the message first.</summary>
        public bool FollowClient(ArraySegment<byte> message, double now, Era era = Era.EndOfRetail)
        {
            fixed (byte* start = message.Array)
            {
                var found = Call.Check(NativeMethods.acm_world_follow_client(
                    World.Id, Guid, start + message.Offset, (UIntPtr)message.Count, (uint)era, now));
                GC.KeepAlive(World);
                return found;
            }
        }

        /// <summary>Returns the message that describes it to a client. Null if it has nothing of the kind.</summary>
        public byte[] Describe(Describe what = Acmotion.Describe.Object, string name = "")
        {
            var text = Call.Utf8(name, nameof(name));
            var world = World;
            var guid = Guid;
            var bytes = Call.Bytes((buffer, capacity, length) =>
            {
                fixed (byte* start = text)
                {
                    return NativeMethods.acm_world_describe(
                        world.Id, guid, (uint)what, start, (UIntPtr)(text.Length - 1), buffer, capacity, length);
                }
            });
            GC.KeepAlive(world);
            return bytes;
        }

        /// <summary>Starts or stops recording why it moves as it does.</summary>
        public void Explain(bool isOn)
        {
            Call.Check(NativeMethods.acm_world_explain(World.Id, Guid, isOn ? 1u : 0u));
            GC.KeepAlive(World);
        }

        /// <summary>Why it moved as it did in its last step, as JSON; null if that is not recorded.</summary>
        public string ExplanationJson()
        {
            var world = World;
            var guid = Guid;
            return Call.Text((buffer, capacity, length) =>
                NativeMethods.acm_world_explanation_json(world.Id, guid, buffer, capacity, length));
        }

        private static AcmOrder NewOrder(uint kind)
        {
            AcmOrder order;
            Call.Check(NativeMethods.acm_order_init(&order));
            order.kind = kind;
            return order;
        }

        private void Give(AcmOrder order, double now)
        {
            Call.Check(NativeMethods.acm_world_order(World.Id, Guid, &order, now));
            GC.KeepAlive(World);
        }
    }
}
