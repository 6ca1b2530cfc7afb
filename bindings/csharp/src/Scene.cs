using System;
using System.Runtime.InteropServices;
using Acmotion.Native;

namespace Acmotion
{
    /// <summary>What a surface belongs to.</summary>
    public enum Surface
    {
        /// <summary>There is none.</summary>
        None = 0,
        /// <summary>The land.</summary>
        Land = 1,
        /// <summary>The shell of a building.</summary>
        Building = 2,
        /// <summary>The floor, a wall or the ceiling of a room.</summary>
        Room = 3,
        /// <summary>An object that never moves.</summary>
        Scenery = 4,
        /// <summary>An entity.</summary>
        Entity = 5,
        /// <summary>No cells lead from one position to the other.</summary>
        Unconnected = 6,
        /// <summary>Something else.</summary>
        Other = 7,
    }

    /// <summary>What is below a point.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Ground
    {
        /// <summary>The point of the surface straight below.</summary>
        public readonly Position Position;
        /// <summary>The normal of the surface.</summary>
        public readonly Vec3 Normal;
        /// <summary>How deep bodies sink in, in metres.</summary>
        public readonly float Depth;
        private readonly uint surface;
        /// <summary>The entity, if the surface is one's.</summary>
        public readonly uint Entity;
        private readonly uint isWalkable;

        /// <summary>What the surface belongs to.</summary>
        public Surface Surface => (Surface)surface;
        /// <summary>Whether it is flat enough to stand on.</summary>
        public bool IsWalkable => isWalkable != 0;
    }

    /// <summary>What lies between two points.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Sight
    {
        private readonly uint surface;
        /// <summary>The entity in the way, if it is one.</summary>
        public readonly uint Entity;
        /// <summary>The point of the surface.</summary>
        public readonly Position Position;
        /// <summary>The normal of the surface.</summary>
        public readonly Vec3 Normal;
        /// <summary>The share of the line in front of the surface, 0 to 1.</summary>
        public readonly float Share;

        /// <summary>What is in the way.</summary>
        public Surface Surface => (Surface)surface;
        /// <summary>Whether nothing is in the way.</summary>
        public bool IsClear => surface == 0;
    }

    /// <summary>The shape of a mover: one or two spheres, and how high it steps.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Shape
    {
        /// <summary>The number of spheres, 0 to 2.</summary>
        public uint Spheres;
        /// <summary>The centre of the first sphere.</summary>
        public Vec3 First;
        /// <summary>The radius of the first sphere.</summary>
        public float FirstRadius;
        /// <summary>The centre of the second sphere.</summary>
        public Vec3 Second;
        /// <summary>The radius of the second sphere.</summary>
        public float SecondRadius;
        /// <summary>How high it steps up, in metres.</summary>
        public float StepUp;
        /// <summary>How far it steps down, in metres.</summary>
        public float StepDown;
        /// <summary>The radius of the hull.</summary>
        public float Radius;
        /// <summary>The height of the hull.</summary>
        public float Height;

        /// <summary>The shape of a human.</summary>
        public static Shape Human()
        {
            Shape shape;
            Call.Check(NativeMethods.acm_shape_human((AcmShape*)&shape));
            return shape;
        }
    }

    /// <summary>Where a shape arrives.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Sweep
    {
        private readonly uint arrived;
        /// <summary>Where it arrived.</summary>
        public readonly Position Position;
        private readonly uint hasContact;
        private readonly uint isBlocked;
        private readonly uint inCell;
        /// <summary>The normal of what it collided with; zero if it did not.</summary>
        public readonly Vec3 CollisionNormal;

        /// <summary>Whether it could move at all.</summary>
        public bool Arrived => arrived != 0;
        /// <summary>Whether it stands on something.</summary>
        public bool HasContact => hasContact != 0;
        /// <summary>Whether something was in its way.</summary>
        public bool IsBlocked => isBlocked != 0;
        /// <summary>Whether it is in a cell.</summary>
        public bool InCell => inCell != 0;
    }

    /// <summary>How a shape moves.</summary>
    public enum SweepKind
    {
        /// <summary>Like a body on foot.</summary>
        Walk = 0,
        /// <summary>Like a missile.</summary>
        Fly = 1,
    }

    /// <summary>Land, rooms, buildings and scenery, and questions about them. Can be shared by threads.</summary>
    public sealed unsafe class Scene : IDisposable
    {
        private readonly NativeHandle handle;

        /// <summary>Loads all of a cell file.</summary>
        public Scene(Assets portal, Assets cells)
        {
            ulong scene;
            Call.Check(NativeMethods.acm_scene_load(portal.Id, cells.Id, &scene));
            GC.KeepAlive(portal);
            GC.KeepAlive(cells);
            handle = new NativeHandle(scene);
        }

        /// <summary>Loads the landblocks around one: <paramref name="block"/> is the high half of a cell.</summary>
        public Scene(Assets portal, Assets cells, ushort block, byte distance)
        {
            ulong scene;
            Call.Check(NativeMethods.acm_scene_load_around(portal.Id, cells.Id, block, distance, &scene));
            GC.KeepAlive(portal);
            GC.KeepAlive(cells);
            handle = new NativeHandle(scene);
        }

        internal ulong Id => handle.Id;

        /// <summary>The height of the land at a position outdoors; null in a room and where there is no land.</summary>
        public float? HeightAt(Position position)
        {
            float height;
            var found = Call.Check(NativeMethods.acm_scene_height(Id, (AcmPosition*)&position, &height));
            GC.KeepAlive(this);
            return found ? height : (float?)null;
        }

        /// <summary>What is below a position; null if there is nothing.</summary>
        public Ground? GroundAt(Position position)
        {
            Ground ground;
            var found = Call.Check(NativeMethods.acm_scene_ground(Id, (AcmPosition*)&position, (AcmGround*)&ground));
            GC.KeepAlive(this);
            return found ? ground : (Ground?)null;
        }

        /// <summary>What lies between two positions.</summary>
        public Sight LineOfSight(Position from, Position to)
        {
            Sight sight;
            Call.Check(NativeMethods.acm_scene_line_of_sight(Id, (AcmPosition*)&from, (AcmPosition*)&to, (AcmSight*)&sight));
            GC.KeepAlive(this);
            return sight;
        }

        /// <summary>Sweeps a shape from one position to another.</summary>
        public Sweep SweepShape(Shape shape, Position from, Position to, SweepKind kind = SweepKind.Walk)
        {
            Sweep sweep;
            Call.Check(NativeMethods.acm_scene_sweep(
                Id, (AcmShape*)&shape, (AcmPosition*)&from, (AcmPosition*)&to, (uint)kind, (AcmSweep*)&sweep));
            GC.KeepAlive(this);
            return sweep;
        }

        /// <summary>Where a body with a shape would stand at a position; null if it could not.</summary>
        public Position? CanStandAt(Shape shape, Position position)
        {
            Position stands;
            var found = Call.Check(NativeMethods.acm_scene_can_stand(
                Id, (AcmShape*)&shape, (AcmPosition*)&position, (AcmPosition*)&stands));
            GC.KeepAlive(this);
            return found ? stands : (Position?)null;
        }

        /// <inheritdoc/>
        public void Dispose() => handle.Dispose();
    }
}
