using System;
using System.Runtime.InteropServices;
using Acmotion.Native;

namespace Acmotion
{
    /// <summary>The direction of a message.</summary>
    public enum Direction
    {
        /// <summary>From the server to the client.</summary>
        ServerToClient = 0,
        /// <summary>From the client to the server.</summary>
        ClientToServer = 1,
    }

    /// <summary>The movement messages that can be decoded to fields and encoded.</summary>
    public enum MessageType
    {
        /// <summary>From the server: the movement of a body.</summary>
        UpdateMotion = 0xF74C,
        /// <summary>From the server: the position of a body.</summary>
        UpdatePosition = 0xF748,
        /// <summary>From the server: the velocity of a body.</summary>
        VectorUpdate = 0xF74E,
        /// <summary>From the server: the physics state of a body.</summary>
        SetState = 0xF74B,
        /// <summary>From the server: the position and the movement of a body.</summary>
        PositionAndMovement = 0xF619,
        /// <summary>From the server: an object is deleted.</summary>
        DeleteObject = 0xF747,
        /// <summary>From the server: the id of the client's own player.</summary>
        PlayerCreate = 0xF746,
        /// <summary>From the server: the player enters portal space.</summary>
        PlayerTeleport = 0xF751,
        /// <summary>From the client: what the player's keys ask for.</summary>
        MoveToState = 0xF61C,
        /// <summary>From the client: the player's position.</summary>
        AutonomousPosition = 0xF753,
        /// <summary>From the client: the player jumps.</summary>
        Jump = 0xF61B,
    }

    /// <summary>The kind of a movement.</summary>
    public enum MovementType
    {
        /// <summary>A motion state.</summary>
        State = 0,
        /// <summary>An order to move to an object.</summary>
        MoveToObject = 6,
        /// <summary>An order to move to a position.</summary>
        MoveToPosition = 7,
        /// <summary>An order to turn to an object.</summary>
        TurnToObject = 8,
        /// <summary>An order to turn to a heading.</summary>
        TurnToHeading = 9,
    }

    /// <summary>An action in a motion state: a motion that plays once.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct WireAction
    {
        /// <summary>The motion.</summary>
        public uint Command;
        /// <summary>The 15-bit stamp.</summary>
        public uint Stamp;
        private uint autonomous;
        /// <summary>The speed.</summary>
        public float Speed;

        /// <summary>Whether the client started it itself.</summary>
        public bool IsAutonomous
        {
            get => autonomous != 0;
            set => autonomous = value ? 1u : 0u;
        }
    }

    /// <summary>
    /// One of the movement messages. Which properties count depends on <see cref="Type"/>; optional ones are null if they are
    /// absent.
    /// </summary>
    public sealed unsafe class WireMessage
    {
        private static readonly WireAction[] NoActions = new WireAction[0];
        internal AcmMessage Native;

        /// <summary>Creates an empty message of a type.</summary>
        public WireMessage(MessageType type)
        {
            Native.struct_size = (uint)sizeof(AcmMessage);
            Native.opcode = (uint)type;
            var isClients = type == MessageType.MoveToState || type == MessageType.AutonomousPosition
                || type == MessageType.Jump;
            Native.direction = isClients ? 1u : 0u;
            Native.position.rotation.w = 1;
        }

        /// <summary>The type.</summary>
        public MessageType Type => (MessageType)Native.opcode;
        /// <summary>The direction.</summary>
        public Direction Direction => (Direction)Native.direction;
        /// <summary>The actions of a motion state.</summary>
        public WireAction[] Actions { get; set; } = NoActions;
        /// <summary>The object that the message is about; 0 if it names none.</summary>
        public uint Guid { get => Native.guid; set => Native.guid = value; }
        /// <summary>The sequence number of a client's action.</summary>
        public uint Sequence { get => Native.sequence; set => Native.sequence = value; }
        /// <summary>The instance stamp.</summary>
        public ushort Instance { get => Native.instance; set => Native.instance = value; }
        /// <summary>The position stamp.</summary>
        public ushort PositionStamp { get => Native.position_stamp; set => Native.position_stamp = value; }
        /// <summary>The movement stamp.</summary>
        public ushort MovementStamp { get => Native.movement_stamp; set => Native.movement_stamp = value; }
        /// <summary>The stamp of movements that the server imposes.</summary>
        public ushort ServerControl { get => Native.server_control; set => Native.server_control = value; }
        /// <summary>The teleport stamp.</summary>
        public ushort Teleport { get => Native.teleport; set => Native.teleport = value; }
        /// <summary>The stamp of forced positions.</summary>
        public ushort ForcePosition { get => Native.force_position; set => Native.force_position = value; }
        /// <summary>The state stamp.</summary>
        public ushort StateStamp { get => Native.state_stamp; set => Native.state_stamp = value; }
        /// <summary>The vector stamp.</summary>
        public ushort VectorStamp { get => Native.vector_stamp; set => Native.vector_stamp = value; }
        /// <summary>The physics state.</summary>
        public uint PhysicsState { get => Native.physics_state; set => Native.physics_state = value; }
        /// <summary>The flags of a position report; 4 is grounded.</summary>
        public uint PositionFlags { get => Native.position_flags; set => Native.position_flags = value; }
        /// <summary>Whether the client of the body started the movement.</summary>
        public bool IsAutonomous { get => Native.autonomous != 0; set => Native.autonomous = value ? 1u : 0u; }
        /// <summary>The contact byte of a client's message; 1 is contact, 2 a standing long jump.</summary>
        public uint Contact { get => Native.contact; set => Native.contact = value; }
        /// <summary>The charge of a jump.</summary>
        public float Extent { get => Native.extent; set => Native.extent = value; }
        /// <summary>The kind of the movement.</summary>
        public MovementType MovementType
        {
            get => (MovementType)Native.movement_type;
            set => Native.movement_type = (uint)value;
        }
        /// <summary>The flags of the movement.</summary>
        public uint MotionFlags { get => Native.motion_flags; set => Native.motion_flags = value; }
        /// <summary>The style to change to first.</summary>
        public uint Style { get => Native.style; set => Native.style = value; }
        /// <summary>The object to stick to; 0 for none.</summary>
        public uint Sticky { get => Native.sticky; set => Native.sticky = value; }
        /// <summary>The object to move or turn to.</summary>
        public uint Target { get => Native.target; set => Native.target = value; }
        /// <summary>The cell to move to.</summary>
        public uint GoalCell { get => Native.goal_cell; set => Native.goal_cell = value; }
        /// <summary>The flags of an order.</summary>
        public uint MoveFlags { get => Native.move_flags; set => Native.move_flags = value; }
        /// <summary>The heading to turn to if the receiver does not know the object.</summary>
        public float Heading { get => Native.heading; set => Native.heading = value; }
        /// <summary>The heading on arrival, or to turn to.</summary>
        public float DesiredHeading { get => Native.desired_heading; set => Native.desired_heading = value; }
        /// <summary>The distance at which an order has arrived.</summary>
        public float DistanceToObject { get => Native.distance_to_object; set => Native.distance_to_object = value; }
        /// <summary>The distance below which the body moves away.</summary>
        public float MinDistance { get => Native.min_distance; set => Native.min_distance = value; }
        /// <summary>The distance at which an order fails.</summary>
        public float FailDistance { get => Native.fail_distance; set => Native.fail_distance = value; }
        /// <summary>The speed of an order.</summary>
        public float Speed { get => Native.speed; set => Native.speed = value; }
        /// <summary>The distance from which on the body runs.</summary>
        public float WalkRunThreshold { get => Native.walk_run_threshold; set => Native.walk_run_threshold = value; }
        /// <summary>The run rate of the body.</summary>
        public float RunRate { get => Native.run_rate; set => Native.run_rate = value; }

        /// <summary>The point to move to.</summary>
        public Vec3 Goal
        {
            get => new Vec3(Native.goal.x, Native.goal.y, Native.goal.z);
            set => Native.goal = new AcmVec3 { x = value.X, y = value.Y, z = value.Z };
        }

        /// <summary>The velocity in metres a second; in a position report it is optional.</summary>
        public Vec3 Velocity
        {
            get => new Vec3(Native.velocity.x, Native.velocity.y, Native.velocity.z);
            set
            {
                Native.velocity = new AcmVec3 { x = value.X, y = value.Y, z = value.Z };
                Native.fields |= NativeMethods.ACM_FIELD_VELOCITY;
            }
        }

        /// <summary>Whether a position report has a velocity.</summary>
        public bool HasVelocity => (Native.fields & NativeMethods.ACM_FIELD_VELOCITY) != 0;

        /// <summary>The angular velocity in radians a second.</summary>
        public Vec3 Omega
        {
            get => new Vec3(Native.omega.x, Native.omega.y, Native.omega.z);
            set => Native.omega = new AcmVec3 { x = value.X, y = value.Y, z = value.Z };
        }

        /// <summary>The position; in a jump it is optional, and setting it adds it.</summary>
        public Position Position
        {
            get
            {
                fixed (AcmPosition* position = &Native.position)
                {
                    return *(Position*)position;
                }
            }
            set
            {
                Native.position = *(AcmPosition*)&value;
                Native.fields |= NativeMethods.ACM_FIELD_POSITION;
            }
        }

        /// <summary>The style of the motion state.</summary>
        public uint? CurrentStyle
        {
            get => Get(NativeMethods.ACM_STATE_STYLE, Native.current_style);
            set => Native.current_style = Set(NativeMethods.ACM_STATE_STYLE, value);
        }

        /// <summary>The forward command.</summary>
        public uint? Forward
        {
            get => Get(NativeMethods.ACM_STATE_FORWARD, Native.forward_command);
            set => Native.forward_command = Set(NativeMethods.ACM_STATE_FORWARD, value);
        }

        /// <summary>The speed of the forward command.</summary>
        public float? ForwardSpeed
        {
            get => Get(NativeMethods.ACM_STATE_FORWARD_SPEED, Native.forward_speed);
            set => Native.forward_speed = Set(NativeMethods.ACM_STATE_FORWARD_SPEED, value);
        }

        /// <summary>The sidestep command.</summary>
        public uint? Sidestep
        {
            get => Get(NativeMethods.ACM_STATE_SIDESTEP, Native.sidestep_command);
            set => Native.sidestep_command = Set(NativeMethods.ACM_STATE_SIDESTEP, value);
        }

        /// <summary>The speed of the sidestep command.</summary>
        public float? SidestepSpeed
        {
            get => Get(NativeMethods.ACM_STATE_SIDESTEP_SPEED, Native.sidestep_speed);
            set => Native.sidestep_speed = Set(NativeMethods.ACM_STATE_SIDESTEP_SPEED, value);
        }

        /// <summary>The turn command.</summary>
        public uint? Turn
        {
            get => Get(NativeMethods.ACM_STATE_TURN, Native.turn_command);
            set => Native.turn_command = Set(NativeMethods.ACM_STATE_TURN, value);
        }

        /// <summary>The speed of the turn command.</summary>
        public float? TurnSpeed
        {
            get => Get(NativeMethods.ACM_STATE_TURN_SPEED, Native.turn_speed);
            set => Native.turn_speed = Set(NativeMethods.ACM_STATE_TURN_SPEED, value);
        }

        /// <summary>The hold key of a client's state: 1 walk, 2 run.</summary>
        public uint? HoldKey
        {
            get => Get(NativeMethods.ACM_STATE_HOLD_KEY, Native.hold_key);
            set => Native.hold_key = Set(NativeMethods.ACM_STATE_HOLD_KEY, value);
        }

        /// <summary>The hold key of the forward command.</summary>
        public uint? ForwardHoldKey
        {
            get => Get(NativeMethods.ACM_STATE_FORWARD_HOLD_KEY, Native.forward_hold_key);
            set => Native.forward_hold_key = Set(NativeMethods.ACM_STATE_FORWARD_HOLD_KEY, value);
        }

        /// <summary>Writes the message as bytes.</summary>
        internal AcmStatus Write(byte* buffer, UIntPtr capacity, UIntPtr* length)
        {
            fixed (AcmMessage* native = &Native)
            fixed (WireAction* actions = Actions)
            {
                return NativeMethods.acm_wire_encode(
                    native, (AcmAction*)actions, (UIntPtr)Actions.Length, buffer, capacity, length);
            }
        }

        private T? Get<T>(uint bit, T value) where T : struct
        {
            return (Native.state_fields & bit) != 0 ? value : (T?)null;
        }

        private T Set<T>(uint bit, T? value) where T : struct
        {
            Native.state_fields = value.HasValue ? Native.state_fields | bit : Native.state_fields & ~bit;
            return value.GetValueOrDefault();
        }
    }

    /// <summary>Messages as bytes, as fields and as JSON.</summary>
    public static unsafe class Wire
    {
        /// <summary>Decodes one of the movement messages. Null if it is another message.</summary>
        public static WireMessage Decode(Direction direction, byte[] bytes, Era era = Era.EndOfRetail)
        {
            var message = new WireMessage(0);
            var actions = new WireAction[NativeMethods.ACM_MAX_ACTIONS];
            UIntPtr count;
            bool found;
            fixed (byte* start = bytes)
            fixed (AcmMessage* native = &message.Native)
            fixed (WireAction* firstAction = actions)
            {
                found = Call.Check(NativeMethods.acm_wire_decode(
                    (uint)direction, (uint)era, start, (UIntPtr)bytes.Length, native, (AcmAction*)firstAction,
                    (UIntPtr)actions.Length, &count));
            }
            if (!found)
            {
                return null;
            }
            Array.Resize(ref actions, (int)count);
            message.Actions = actions;
            return message;
        }

        /// <summary>Encodes a message as bytes that start with the opcode.</summary>
        public static byte[] Encode(WireMessage message)
        {
            return Call.Bytes(message.Write);
        }

        /// <summary>Returns any message as the JSON object that <c>acmotion decode --json</c> prints.</summary>
        public static string DecodeJson(Direction direction, byte[] bytes, Era era = Era.EndOfRetail)
        {
            return Call.Text((buffer, capacity, length) =>
            {
                fixed (byte* start = bytes)
                {
                    return NativeMethods.acm_wire_decode_json(
                        (uint)direction, (uint)era, start, (UIntPtr)bytes.Length, buffer, capacity, length);
                }
            });
        }
    }
}
