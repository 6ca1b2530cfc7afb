using System;
using Acmotion.Native;

namespace Acmotion
{
    /// <summary>
    /// The local player of a world: keys and requests in; <see cref="World.DrainOutbound"/> has the messages to send. A request
    /// returns the number under which events report how it goes.
    /// </summary>
    public unsafe struct Player
    {
        private readonly World world;

        internal Player(World world)
        {
            this.world = world;
        }

        /// <summary>The position; null if there is no player.</summary>
        public Position? Position
        {
            get
            {
                Position position;
                var found = Call.Check(NativeMethods.acm_player_position(world.Id, (AcmPosition*)&position));
                GC.KeepAlive(world);
                return found ? position : (Position?)null;
            }
        }

        /// <summary>The charge of the jump at a time, 0 to 1; null if none is being charged.</summary>
        public float? JumpPower(double now)
        {
            float power;
            var found = Call.Check(NativeMethods.acm_player_jump_power(world.Id, now, &power));
            GC.KeepAlive(world);
            return found ? power : (float?)null;
        }

        /// <summary>Presses a key, named by its motion command. Returns false if the motion is refused.</summary>
        public bool Press(uint command, double now) => Key(command, true, now);

        /// <summary>Releases a key. Returns false if the motion is refused.</summary>
        public bool Release(uint command, double now) => Key(command, false, now);

        /// <summary>Presses or releases the dedicated run key.</summary>
        public void HoldRun(bool isHeld, double now)
        {
            Call.Check(NativeMethods.acm_player_hold_run(world.Id, isHeld ? 1u : 0u, now));
            GC.KeepAlive(world);
        }

        /// <summary>Switches mouse look on or off.</summary>
        public void MouseLook(bool isOn, double now)
        {
            Call.Check(NativeMethods.acm_player_mouse_look(world.Id, isOn ? 1u : 0u, now));
            GC.KeepAlive(world);
        }

        /// <summary>Turns by a movement of the mouse.</summary>
        public void MouseTurn(float movement, double now)
        {
            Call.Check(NativeMethods.acm_player_mouse_turn(world.Id, movement, now));
            GC.KeepAlive(world);
        }

        /// <summary>Releases all keys.</summary>
        public void LoseFocus(double now)
        {
            Call.Check(NativeMethods.acm_player_lose_focus(world.Id, now));
            GC.KeepAlive(world);
        }

        /// <summary>Sets the skills that running and jumping depend on.</summary>
        public void SetSkills(Skills skills, double now)
        {
            Call.Check(NativeMethods.acm_player_set_skills(world.Id, (AcmSkills*)&skills, now));
            GC.KeepAlive(world);
        }

        /// <summary>Walks to a position.</summary>
        public uint WalkTo(Position goal, double now, Pace pace = Pace.Automatic, float? facing = null)
        {
            var request = New(NativeMethods.ACM_REQUEST_WALK_TO);
            request.position = *(AcmPosition*)&goal;
            request.pace = (uint)pace;
            if (facing.HasValue)
            {
                request.flags |= NativeMethods.ACM_REQUEST_FACING;
                request.heading = facing.Value;
            }
            return Start(request, now);
        }

        /// <summary>Turns to a heading in degrees.</summary>
        public uint TurnTo(float heading, double now)
        {
            var request = New(NativeMethods.ACM_REQUEST_TURN_TO);
            request.heading = heading;
            return Start(request, now);
        }

        /// <summary>Follows an entity.</summary>
        public uint Follow(uint target, double now, float distance = 0.6f)
        {
            var request = New(NativeMethods.ACM_REQUEST_FOLLOW);
            request.target = target;
            request.distance = distance;
            request.pace = NativeMethods.ACM_PACE_RUN;
            return Start(request, now);
        }

        /// <summary>Jumps with a charge, 0 to 1.</summary>
        public uint Jump(float charge, double now)
        {
            var request = New(NativeMethods.ACM_REQUEST_JUMP);
            request.power = charge;
            return Start(request, now);
        }

        /// <summary>Plays an action, such as an emote.</summary>
        public uint Emote(uint action, double now)
        {
            var request = New(NativeMethods.ACM_REQUEST_EMOTE);
            request.command = action;
            return Start(request, now);
        }

        /// <summary>Asks the server for a stance: 1 peace, 2 melee, 4 missile, 8 magic.</summary>
        public uint SetStance(uint mode, double now) => Start(NativeMethods.ACM_REQUEST_STANCE, 0, 0, mode, 0, now);

        /// <summary>Attacks a target at a height (1 high, 2 medium, 3 low) with a power, 0 to 1.</summary>
        public uint Attack(uint target, uint height, float power, double now)
        {
            return Start(NativeMethods.ACM_REQUEST_ATTACK, target, 0, height, power, now);
        }

        /// <summary>Casts a spell; target 0 for a spell without one.</summary>
        public uint Cast(uint spell, uint target, double now)
        {
            return Start(NativeMethods.ACM_REQUEST_CAST, target, 0, spell, 0, now);
        }

        /// <summary>Uses an object.</summary>
        public uint Use(uint target, double now) => Start(NativeMethods.ACM_REQUEST_USE, target, 0, 0, 0, now);

        /// <summary>Uses a tool on a target.</summary>
        public uint UseWith(uint tool, uint target, double now)
        {
            return Start(NativeMethods.ACM_REQUEST_USE_WITH, target, tool, 0, 0, now);
        }

        /// <summary>Drops an item.</summary>
        public uint Drop(uint item, double now) => Start(NativeMethods.ACM_REQUEST_DROP, 0, item, 0, 0, now);

        /// <summary>Puts an item into a container, at a slot.</summary>
        public uint PickUp(uint item, uint container, uint slot, double now)
        {
            return Start(NativeMethods.ACM_REQUEST_PICK_UP, container, item, slot, 0, now);
        }

        /// <summary>Wields an item at a location.</summary>
        public uint Wield(uint item, uint location, double now)
        {
            return Start(NativeMethods.ACM_REQUEST_WIELD, 0, item, location, 0, now);
        }

        /// <summary>Ends a request by its number.</summary>
        public void Cancel(uint id, double now)
        {
            Call.Check(NativeMethods.acm_player_cancel(world.Id, id, now));
            GC.KeepAlive(world);
        }

        private bool Key(uint command, bool isDown, double now)
        {
            var status = NativeMethods.acm_player_key(world.Id, command, isDown ? 1u : 0u, now);
            GC.KeepAlive(world);
            return status != AcmStatus.Refused && Call.Check(status);
        }

        private static AcmRequest New(uint kind)
        {
            AcmRequest request;
            Call.Check(NativeMethods.acm_request_init(&request));
            request.kind = kind;
            return request;
        }

        private uint Start(uint kind, uint target, uint item, uint number, float power, double now)
        {
            var request = New(kind);
            request.target = target;
            request.item = item;
            request.number = number;
            request.power = power;
            return Start(request, now);
        }

        private uint Start(AcmRequest request, double now)
        {
            uint id;
            Call.Check(NativeMethods.acm_player_request(world.Id, &request, now, &id));
            GC.KeepAlive(world);
            return id;
        }
    }
}
