using System;
using System.Runtime.InteropServices;
using Acmotion.Native;

namespace Acmotion
{
    /// <summary>The client version whose command numbers messages use.</summary>
    public enum Era
    {
        /// <summary>The last client, whose numbers today's servers use.</summary>
        EndOfRetail = 0,
        /// <summary>The client of September 2013.</summary>
        September2013 = 1,
    }

    /// <summary>A vector: x is east, y is north, z is up.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Vec3
    {
        /// <summary>To the east, or to the right.</summary>
        public float X;
        /// <summary>To the north, or forward.</summary>
        public float Y;
        /// <summary>Up.</summary>
        public float Z;

        /// <summary>Creates a vector.</summary>
        public Vec3(float x, float y, float z)
        {
            X = x;
            Y = y;
            Z = z;
        }

        /// <inheritdoc/>
        public override string ToString() => $"{X:0.00} {Y:0.00} {Z:0.00}";
    }

    /// <summary>A rotation.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Quat
    {
        /// <summary>The real part.</summary>
        public float W;
        /// <summary>The x component.</summary>
        public float X;
        /// <summary>The y component.</summary>
        public float Y;
        /// <summary>The z component.</summary>
        public float Z;

        /// <summary>Creates a rotation.</summary>
        public Quat(float w, float x, float y, float z)
        {
            W = w;
            X = x;
            Y = y;
            Z = z;
        }

        /// <summary>No rotation.</summary>
        public static Quat Identity => new Quat(1, 0, 0, 0);
    }

    /// <summary>A position: a cell, and an origin and a rotation in the axes of the cell's landblock.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Position
    {
        /// <summary>The cell: the landblock in the high half, the cell in the low half.</summary>
        public uint Cell;
        /// <summary>The origin in metres.</summary>
        public Vec3 Origin;
        /// <summary>The rotation.</summary>
        public Quat Rotation;

        /// <summary>Creates a position that faces north.</summary>
        public Position(uint cell, float x, float y, float z)
        {
            Cell = cell;
            Origin = new Vec3(x, y, z);
            Rotation = Quat.Identity;
        }

        /// <summary>The heading in degrees: 0 is north, 90 is east.</summary>
        public float Heading
        {
            get
            {
                float heading;
                fixed (Position* self = &this)
                {
                    Call.Check(NativeMethods.acm_position_heading((AcmPosition*)self, &heading));
                }
                return heading;
            }
            set
            {
                fixed (Position* self = &this)
                {
                    Call.Check(NativeMethods.acm_position_set_heading((AcmPosition*)self, value));
                }
            }
        }

        /// <summary>Returns the distance to another position in metres, across landblocks.</summary>
        public float DistanceTo(Position other)
        {
            float distance;
            fixed (Position* self = &this)
            {
                Call.Check(NativeMethods.acm_position_distance((AcmPosition*)self, (AcmPosition*)&other, &distance));
            }
            return distance;
        }

        /// <summary>Returns a named position of the mannequin's town, such as "spawn" or "hall".</summary>
        public static Position Landmark(string name)
        {
            Position position;
            var text = Call.Utf8(name, nameof(name));
            fixed (byte* start = text)
            {
                var status = NativeMethods.acm_town_landmark(start, (UIntPtr)(text.Length - 1), (AcmPosition*)&position);
                if (!Call.Check(status))
                {
                    throw new ArgumentException($"the town has no position {name}", nameof(name));
                }
            }
            return position;
        }

        /// <inheritdoc/>
        public override string ToString() => $"0x{Cell:X8} {Origin}";
    }

    /// <summary>A rotation and a translation as three rows of four numbers: out = rows · (x, y, z, 1).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Matrix3x4
    {
        /// <summary>The rows, one after the other.</summary>
        public fixed float M[12];

        /// <summary>The translation.</summary>
        public Vec3 Translation
        {
            get
            {
                fixed (float* m = M)
                {
                    return new Vec3(m[3], m[7], m[11]);
                }
            }
        }
    }

    /// <summary>What running and jumping depend on.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Skills
    {
        /// <summary>The run skill.</summary>
        public uint Run;
        /// <summary>The jump skill.</summary>
        public uint Jump;
        /// <summary>The load: 1 is the capacity.</summary>
        public float Load;
        /// <summary>The stamina; at 0 the player runs and jumps as at skill 0.</summary>
        public uint Stamina;

        /// <summary>Creates skills of a player that carries nothing and is not tired.</summary>
        public Skills(uint run, uint jump)
        {
            Run = run;
            Jump = jump;
            Load = 0;
            Stamina = 100;
        }
    }

    /// <summary>Names and numbers of motion commands, and the order of stamps.</summary>
    public static unsafe class Commands
    {
        /// <summary>Looks up a command by its name; case is ignored. Null if there is none.</summary>
        public static uint? Find(string name, Era era = Era.EndOfRetail)
        {
            uint command;
            var text = Call.Utf8(name, nameof(name));
            fixed (byte* start = text)
            {
                var status = NativeMethods.acm_command_find(start, (UIntPtr)(text.Length - 1), (uint)era, &command);
                return Call.Check(status) ? command : (uint?)null;
            }
        }

        /// <summary>Looks up a command by its name, and throws if there is none.</summary>
        public static uint Get(string name, Era era = Era.EndOfRetail)
        {
            return Find(name, era) ?? throw new ArgumentException($"there is no command {name}", nameof(name));
        }

        /// <summary>Returns the name of a command, null if the era does not list it.</summary>
        public static string Name(uint command, Era era = Era.EndOfRetail)
        {
            return Call.Text((buffer, capacity, length) =>
                NativeMethods.acm_command_name(command, (uint)era, buffer, capacity, length));
        }

        /// <summary>Returns whether a 16-bit stamp of an object is newer than another (rule D2).</summary>
        public static bool IsNewer(ushort stamp, ushort old)
        {
            uint newer;
            Call.Check(NativeMethods.acm_stamp_is_newer(stamp, old, &newer));
            return newer != 0;
        }

        /// <summary>Returns whether a 15-bit stamp of an action is newer than another (rule E8).</summary>
        public static bool IsNewerAction(ushort stamp, ushort old)
        {
            uint newer;
            Call.Check(NativeMethods.acm_action_stamp_is_newer(stamp, old, &newer));
            return newer != 0;
        }
    }
}
